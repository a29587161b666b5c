"""The board tells: its frame is that of the position that lies there, and what happened is told step by step."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import unescape
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

from pbem.campaign.players.guidance import ToldCourse
from pbem.desk.bot_games import go_on, practise
from pbem.desk.desk import Desk
from pbem.desk.opening import welcome
from pbem.desk.steps import Course, Walk
from pbem.engine.events import (
    BattleJoined,
    CardPlayed,
    Conquered,
    Event,
    GeneralEntered,
    GeneralRemoved,
    Marched,
    StageBegan,
    SupplyTraced,
    TroopsMoved,
    TurnBegan,
)
from pbem.engine.memory import map_state_of
from pbem.engine.nouns import Card, Piece, Power
from pbem.games.friedrich.rules.events import PlayerChanged, PowerQuit, VictoryEased
from pbem.games.maria.rules.events import PoliticsSelected, PowerLeft, StatusChanged
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.player.files import GivenFile
from pbem.player.tables import trusted_guide
from pbem.report.account import Passage, Voice, chapters, passage
from pbem.report.picture.theme import ThemeName
from tests.cli.correspondence import Correspondence
from tests.desk.test_browser import GAMES
from tests.desk.test_desk import order_like_a_bot

BY_DAY_AND_NIGHT: tuple[ThemeName, ...] = ("light", "dark")


def words_in(drawing: str) -> str:
    """The words of a drawing."""
    return " ".join(re.findall(r">([^<>]+)</text>", drawing))


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_the_frame_of_the_board_is_that_of_the_position_after_every_carrying_out(game: str) -> None:
    desk = Desk("en")
    seat = "frederick"
    practise(desk, game, "introductory" if game == "maria" else "", seat, "random")
    seen = set()
    for turn in range(12):
        order_like_a_bot(desk, turn)
        go_on(desk)
        told = desk.opened.board().over(desk.table)
        caption = desk.opened.board().scene_of(desk.table).caption
        assert caption
        assert all(caption in words_in(told.frames[theme]) for theme in BY_DAY_AND_NIGHT)
        assert caption not in "".join(ground.drawn for ground in desk.opened.board().sheet().grounds)
        seen.add(caption)
    assert len(seen) > 1
    desk.speak("de")
    german = desk.opened.board().scene_of(desk.table).caption
    assert german != caption
    assert german in words_in(desk.opened.board().over(desk.table).frames["light"])


def played(game: str, language: str = "en", rounds: int = 8) -> Desk:
    """A game for practice some rounds on."""
    desk = Desk(language)
    practise(desk, game, "advanced" if game == "maria" else "", "frederick", "sensible")
    for turn in range(rounds):
        order_like_a_bot(desk, turn)
        go_on(desk)
    return desk


def walk_of(desk: Desk) -> Walk:
    assert desk.opened.walk
    return desk.opened.walk


def whole_battle(course: Course) -> tuple[Event, ...]:
    """The news of a course, with the beginning of the battle that they are in the middle of: it is told as one step."""
    since = course.since
    if since < len(course.events) and isinstance(course.events[since], CardPlayed):
        while not isinstance(course.events[since], BattleJoined):
            since -= 1
    return course.events[since:]


def sentences(told: Iterable[dict[str, Any]]) -> list[str]:
    """The lines of blocks, without their order in paragraphs."""
    found = []
    for block in told:
        lines = (
            block["lines"] if block["type"] == "paragraph" else [block["opening"], *block["exchanges"], block["end"]]
        )
        found += ["".join(span["text"] for span in line) for line in lines]
    return [line for line in found if line]


@pytest.mark.parametrize("game", ["maria", "friedrich"])
@pytest.mark.parametrize("seed", [0, 1, 8])
def test_every_event_since_the_last_orders_is_told_in_the_words_of_a_report(
    monkeypatch: pytest.MonkeyPatch, game: str, seed: int
) -> None:
    monkeypatch.setattr("pbem.desk.practice.token_hex", lambda size: f"{seed:0{2 * size}x}")
    desk = played(game)
    assert desk.opened.practice
    walk, news = walk_of(desk), whole_battle(desk.opened.practice.course)
    told = chain.from_iterable(sentences(step.told) for step in walk.steps if step.is_new)
    account = [
        line
        for chapter in chapters(Voice(desk.table.rules), news)
        for each in chapter.passages
        for line in (each.text, *each.exchanges, each.end)
        if line
    ]
    assert list(told) == account
    assert {step.title for step in walk.steps} >= {
        chapter.title for chapter in chapters(Voice(desk.table.rules), news) if chapter.passages
    }
    assert any(not step.is_new for step in walk.steps)


def test_steps_of_an_earlier_walk_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk that goes on from another one, at the same table and after another power is at home somewhere."""
    desk = played("maria", rounds=3)
    walk, told = walk_of(desk), []

    def counted(voice: Voice, group: Sequence[Event]) -> Passage | None:
        told.append(group)
        return passage(voice, group)

    monkeypatch.setattr("pbem.desk.steps.passage", counted)
    later = Walk(walk.rules, replace(walk.course, since=len(walk.course.events)), "en", walk, walk.alliances)
    assert told == []
    assert later.steps == [replace(step, is_new=False) for step in walk.steps]
    assert walk.alliances
    changed = replace(walk.alliances, home={**walk.alliances.home, "silesia": "prussia"})
    other = Walk(walk.rules, walk.course, "en", walk, changed)
    assert told
    assert [step.told for step in other.steps] == [step.told for step in walk.steps]


def test_a_step_of_marches_alone_names_whose_they_are() -> None:
    desk = played("maria")
    walk, rules = walk_of(desk), desk.table.rules.common
    marched = 0
    for at, step in enumerate(walk.steps):
        told = [each for each in walk.events_of(at) if not isinstance(each, TurnBegan | StageBegan)]
        marches = [each for each in told if isinstance(each, Marched)]
        if step.marched:
            assert len(marches) == len(told)
            assert {*step.marched} == {rules.pieces[piece].power for each in marches for piece in each.pieces}
            marched += 1
    assert marched > 3
    assert any(not step.marched for step in walk.steps)


def pieces_in(drawing: str) -> set[str]:
    """Pieces of a drawing with their cities."""
    return set(re.findall(r'<g class="(?:general|train)"[^>]*>', drawing))


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_step_shows_the_board_as_it_stood_then(game: str) -> None:
    desk = played(game)
    walk, table = walk_of(desk), desk.table
    assert walk.on_map(walk.ends[-1]).places == map_state_of(table.state.field).places
    marches = [
        (at, event) for at in range(len(walk.steps)) for event in walk.events_of(at) if isinstance(event, Marched)
    ]
    assert len(marches) > 4
    for at, march in marches:
        places = walk.on_map(walk.ends[at]).places
        assert {places[piece] for piece in march.pieces} == {march.path[-1]}
        before = walk.on_map(walk.ends[at - 1]).places if at else walk.course.begun.places
        assert before[march.pieces[0]] == march.start
    at, march = marches[-1]
    shown = desk.opened.step(at)
    cities = table.rules.common.board.cities
    assert {cities[march.start].name, cities[march.path[-1]].name} <= set(shown["cities"])
    assert walk.steps[at].title in words_in(walk.picture(at, desk.opened.board(), desk.table, False).frames["light"])
    last, first = (walk.picture(each, desk.opened.board(), desk.table, False) for each in (at, at - 1))
    assert last.over != first.over
    # Before a step stands what the step before has left, without arrows.
    before = walk.picture(at, desk.opened.board(), desk.table, True).over
    assert 'class="march"' in last.over
    assert 'class="march"' not in before
    assert pieces_in(before) == pieces_in(first.over) != pieces_in(last.over)


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_step_concerns_whose_pieces_and_fortresses_it_names_and_all_where_it_decides(game: str) -> None:
    desk = played(game)
    walk, pieces, powers = walk_of(desk), desk.table.rules.common.pieces, desk.table.rules.powers
    left_out = 0
    for at, step in enumerate(walk.steps):
        for event in walk.events_of(at):
            match event:
                case Conquered() | BattleJoined() | GeneralRemoved() | GeneralEntered():
                    assert step.concerns == powers
                case Marched():
                    assert pieces[event.pieces[0]].power in step.concerns
        left_out += "prussia" not in step.concerns
    assert left_out > 4


@pytest.mark.parametrize("game", GAMES)
def test_a_fortress_that_falls_is_lost_by_the_power_that_held_it(game: str) -> None:
    desk = played(game, rounds=1)
    walk, rules = walk_of(desk), desk.table.rules
    for loser, lost in (("prussia", ("prussia",)), ("", ())):
        fallen = Conquered(0, "austria", loser, "austria")
        later = Walk(rules, replace(walk.course, events=(*walk.course.events, fallen)), "en")
        assert later.steps[-1].lost == lost
        assert later.steps[-1].weakened == ()


@pytest.mark.parametrize("game", GAMES)
def test_a_step_that_only_tells_whence_supply_comes_is_known(game: str) -> None:
    desk = played(game, rounds=1)
    walk, rules = walk_of(desk), desk.table.rules
    traced = SupplyTraced(desk.table.rules.common.generals("prussia")[0], (1, 2), 0)
    later = Walk(rules, replace(walk.course, events=(*walk.course.events, traced)), "en")
    assert "In supply:" in str(later.steps[-1].told)
    assert [step.traces for step in later.steps[-2:]] == [False, True]


TURNS: dict[str, tuple[Event, ...]] = {
    "maria": (StatusChanged("saxony", "austrian ally"), StatusChanged("prussia", "neutral"), PowerLeft("bavaria")),
    "friedrich": (PowerQuit("sweden", True), PlayerChanged("imperial", "pompadour"), VictoryEased("austria")),
}


@pytest.mark.parametrize("game", TURNS)
def test_a_power_that_changes_sides_or_leaves_concerns_all_and_turns_the_war(game: str) -> None:
    desk = played(game, rounds=1)
    walk, rules = walk_of(desk), desk.table.rules
    assert not any(step.turns for step in walk.steps)
    for event in TURNS[game]:
        later = Walk(rules, replace(walk.course, events=(*walk.course.events, event)), "en")
        step = later.steps[-1]
        assert step.turns
        assert step.concerns == rules.powers
    if game == "friedrich":
        absent = Walk(rules, replace(walk.course, events=(*walk.course.events, PowerQuit("sweden", False))), "en")
        assert not absent.steps[-1].turns


def test_the_political_card_of_an_enemy_concerns_all() -> None:
    desk = played("maria", rounds=1)
    walk, rules = walk_of(desk), desk.table.rules
    chosen = PoliticsSelected("prussia", 4, False, {})
    later = Walk(rules, replace(walk.course, events=(*walk.course.events, chosen)), "en")
    assert later.steps[-1].concerns == rules.powers


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_an_enemy_who_comes_within_one_march_concerns_whom_he_could_attack(game: str) -> None:
    desk = played(game, rounds=8 if game == "maria" else 16)
    walk, common = walk_of(desk), desk.table.rules.common
    assert walk.alliances
    side, limits, met = walk.alliances.side, common.limits, 0
    for at, step in enumerate(walk.steps):
        for event in walk.events_of(at):
            if not isinstance(event, Marched) or not common.is_general(event.pieces[0]):
                continue
            power, near = common.pieces[event.pieces[0]].power, common.board.distance(event.path[-1])
            for piece, city in enumerate(walk.on_map(at).places):
                other = common.pieces[piece].power
                if city < 0 or not side.get(other) or not side.get(power) or side[other] == side[power]:
                    continue
                if near[city] <= limits.general_march:
                    assert other in step.concerns
                    met += 1
    assert met


def test_the_whole_is_shown_with_all_arrows_until_something_is_ordered() -> None:
    desk = played("maria")
    assert desk.opened.practice
    turn = 8
    while not (marches := [event for event in desk.opened.practice.game.news if isinstance(event, Marched)]):
        order_like_a_bot(desk, turn := turn + 1)
        go_on(desk)
    assert desk.opened.news == tuple(desk.opened.practice.game.news)
    now = desk.opened.board().over(desk.table, marches)
    assert (
        desk.state()["over"]
        == desk.opened.board().over(desk.table, desk.opened.practice.game.news)
        != desk.opened.board().over(desk.table)
    )
    assert len(now.over) > len(desk.opened.board().over(desk.table).over)


def test_steps_are_told_in_the_language_of_the_reader() -> None:
    desk = played("maria", rounds=4)
    english = [step.told for step in walk_of(desk).steps]
    desk.speak("de")
    german = [step.told for step in walk_of(desk).steps]
    assert len(german) == len(english)
    assert german != english


def another_secret(event: Event, powers: tuple[Power, ...]) -> Event:
    """An event with other secrets, if they are of none of these powers."""
    if not event.secrets or getattr(event, "power", None) in powers:
        return event
    found: dict[str, object] = {}
    for field in fields(event):
        value = getattr(event, field.name)
        if field.name in event.secrets:
            match value:
                case dict():
                    found[field.name] = dict(zip(value, reversed(value.values()), strict=True))
                case tuple():
                    found[field.name] = tuple(Card(card ^ 1) for card in value)
                case int():
                    found[field.name] = Card(value ^ 1)
    return replace(event, **found)


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_twins_that_differ_in_what_others_hide_are_told_alike(game: str) -> None:
    """The secrets of others are replaced in every event, and events that nobody else learns of are put between."""
    desk = played(game, rounds=0)
    assert desk.opened.practice
    playing, rules = desk.opened.practice.game, desk.table.rules
    everything: list[Event] = []
    note = playing.note
    playing.note = lambda events: (everything.extend(events), note(events))[1]  # type: ignore[method-assign]
    for turn in range(10):
        order_like_a_bot(desk, turn)
        go_on(desk)
    playing.note = note  # type: ignore[method-assign]
    mine = playing.powers
    other = next(power for power in rules.powers if power not in mine)
    general = Piece(next(at for at, piece in enumerate(rules.common.pieces) if piece.power == other))
    twin = [another_secret(event, mine) for event in everything]
    assert sum(one != two for one, two in zip(everything, twin, strict=True)) > 3
    hidden = TroopsMoved(power=other, troops={general: 8})
    mixed = list(chain.from_iterable((event, hidden) if isinstance(event, StageBegan) else (event,) for event in twin))
    told = []
    for events in (everything, mixed):
        playing.heard = []
        playing.news = []
        playing.note(events)
        desk.opened.walk = walk = Walk(rules, desk.opened.practice.course, "en")
        told.append(msgspec.json.encode([walk.steps, [desk.opened.step(at) for at in range(0, len(walk.steps), 7)]]))
    assert told[0] == told[1]


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    return reported(tmp_path_factory.mktemp("maria"), "maria")


def reported(tmp_path: Path, game: str) -> Correspondence:
    """A campaign some rounds on."""
    options, seats = GAMES[game]
    table = Correspondence(tmp_path, seats)
    table.begin(*options)
    table.join()
    for _ in range(7):
        table.round()
    return table


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_report_tells_its_news_step_by_step(tmp_path: Path, game: str) -> None:
    table = reported(tmp_path, game)
    for seat in table.seats:
        desk = Desk("en")
        seen = trusted_guide(GivenFile("report.yaml", Path(table.sent(f"{seat}.report.yaml")).read_bytes()))
        welcome(desk, seen)
        assert seen.course
        assert len(write(seen.said["course"])) < 7000
        walk = walk_of(desk)
        places = walk.on_map(walk.ends[-1]).places
        assert places == map_state_of(desk.table.state.field).places
        page = Path(table.sent(f"{seat}.html")).read_text("utf-8")
        text = " ".join(unescape(re.sub(r"<[^>]*>", "", page)).split())
        told = [line for step in walk.steps for line in sentences(step.told)]
        assert told
        assert all(" ".join(line.split()) in text for line in told)


def test_a_report_without_news_or_of_an_earlier_version_has_no_steps(campaign: Correspondence) -> None:
    seen = trusted_guide(GivenFile("report.yaml", Path(campaign.sent("frederick.report.yaml")).read_bytes()))
    desk = Desk("en")
    assert welcome(desk, replace(seen, course=None)).steps == []  # type: ignore[union-attr]


SENSELESS: dict[str, Callable[[ToldCourse], ToldCourse]] = {
    "no such event": lambda told: replace(told, events=({"type": "Miracle"},)),
    "a city beyond the board": lambda told: replace(
        told, events=({"type": "QuestionLifted", "city": "9999", "by": "x"},)
    ),
    "a piece beyond all": lambda told: replace(told, events=({"type": "SupplyRestored", "piece": "999"},)),
    "too few pieces": lambda told: replace(told, map={**told.map, "places": "1 2"}),
    "words for numbers": lambda told: replace(told, map={**told.map, "places": "Prag"}),
    "a marker of nobody": lambda told: replace(told, map={**told.map, "markers": {"3": "atlantis"}}),
    "no places": lambda told: replace(told, map={}),
}


@pytest.mark.parametrize("name", SENSELESS)
def test_a_report_whose_course_makes_no_sense_is_refused(campaign: Correspondence, name: str) -> None:
    seen = trusted_guide(GivenFile("report.yaml", Path(campaign.sent("frederick.report.yaml")).read_bytes()))
    assert seen.course
    with pytest.raises(Refused) as refused:
        welcome(Desk("en"), replace(seen, course=SENSELESS[name](seen.course)))
    assert refused.value.faults[0].code == "E-GUIDE-FORM"
