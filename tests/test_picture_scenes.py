"""Pictures of positions: what they say beside the map, in every language, and only what their reader may know."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.engine.events import Event, Marched, Retreated
from pbem.engine.field import ASIDE, OFF
from pbem.engine.rules import Rules
from pbem.games.friedrich.rules import game as friedrich_game
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.friedrich.rules.state import Offensive
from pbem.games.maria.rules import game as maria_game
from pbem.games.maria.rules.data import Terms
from pbem.kit import game_of
from pbem.paper.library import find_board, load_board_file
from pbem.report.language.templates import languages
from pbem.report.maps import Request, crop_of, picture_png, picture_svg, scene, scenery_of
from pbem.report.picture import Position, board_labels, draw_board, words_in
from pbem.report.picture.geometry import meet
from pbem.report.picture.lettering import width

from . import play as of_maria
from .friedrich import random_play as of_friedrich
from .friedrich.striving import strive
from .raider import raid

SVG = "{http://www.w3.org/2000/svg}"
GAMES: dict[str, Any] = {
    "introductory": Terms(),
    "advanced": Terms("advanced"),
    "gambit": Terms("silesia-gambit"),
    "four": FriedrichTerms("four"),
    "expert": FriedrichTerms("four", expert=True),
    "west": FriedrichTerms("west"),
}


@cache
def played(name: str, turn: int) -> tuple[Any, tuple[Event, ...]]:
    """A table in the midst of a game, and what happened in its last turn."""
    terms = GAMES[name]
    room, rules, player = (
        (of_maria, maria_game, raid) if terms.game == "maria" else (of_friedrich, friedrich_game, strive)
    )
    table, _ = room.start(terms, 3)
    told: list[Event] = []
    for power, answer in room.answers(table, room.chance_of(terms, 3), player):
        if table.state.turn > turn:
            break
        events = rules.apply(table, power, answer)
        told += events if table.state.turn == turn else []
    return table, tuple(told)


def shown(name: str, turn: int, language: str = "en", powers: Sequence[str] = ()) -> Position:
    table, events = played(name, turn)
    rules: Rules = table.rules.common
    return scene(game_of(table).view(table, powers), [(rules, event) for event in events], language)


def tally(position: Position, title: str) -> dict[str, str]:
    return next(tallies.powers for tallies in position.tallies if tallies.title == title)


def texts(svg: str) -> list[tuple[str, dict[str, str]]]:
    """The texts of a drawing and how they are written."""
    return [(one.text or "", dict(one.attrib)) for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


# What a scene says


def test_numbers_of_maria_are_those_of_the_view() -> None:
    table, _ = played("introductory", 4)
    seen = game_of(table).view(table, ())
    position = shown("introductory", 4)
    assert tally(position, "Troops") == {power: str(number) for power, number in seen.troops.items()}
    assert tally(position, "Cards in hand") == {power: str(number) for power, number in seen.hand_sizes.items()}
    goals = {power: f"{held} of {needed}" for power, (held, needed) in seen.goals.items()}
    assert tally(position, "Fortresses held") == goals
    assert {"france", "prussia"} == set(goals)
    assert "pragmatic" not in tally(position, "Troops")
    assert (position.tracks, position.maps) == ((), ("bohemia",))


def test_politics_of_maria_stand_beside_the_map() -> None:
    table, _ = played("advanced", 3)
    affairs = game_of(table).view(table, ()).affairs
    position = shown("advanced", 3)
    assert [track.title for track in position.tracks] == ["Saxony", "Russia", "Italy"]
    assert [track.at for track in position.tracks] == list(affairs.tracks.values())
    assert [len(track.boxes) for track in position.tracks] == [5, 5, 5]
    assert position.tracks[0].boxes[4] == "Austria's ally, S +1 card"
    assert position.tracks[2].boxes[0] == "F victory, A expedition, A −1 card"
    markers = {power: f"{of.pool} of {of.total}" for power, of in affairs.markers.items()}
    assert tally(position, "Victory markers left") == markers
    corps = [(one.power, one.label) for one in position.absent if one.where]
    assert ("prussia", "4") in corps
    assert {one.where for one in position.absent} <= {"", "In the off-map box"}


def test_facts_of_maria_follow_the_position() -> None:
    table = of_maria.twin(played("advanced", 3)[0])
    affairs = table.state.affairs
    assert affairs is not None
    affairs.trump, affairs.election, affairs.annexed, affairs.offered, affairs.reduced = 2, True, 3, True, True
    affairs.special["emperor"] = "france"
    position = scene(game_of(table).view(table, ()))
    told = {fact.title: fact.words for fact in position.facts}
    assert told == {
        "Trump": "hearts",
        "Emperor": "France",
        "Imperial Election": "at the end of this turn",
        "Silesia": "annexed in turn 3",
        "Peace for Silesia": "offered",
        "France": "military objectives reduced",
    }
    assert "Electoral votes" not in {tallies.title for tallies in position.tallies}


def test_numbers_of_friedrich_are_those_of_the_view() -> None:
    table, _ = played("four", 6)
    seen = game_of(table).view(table, ())
    position = shown("four", 6)
    troops = {power: f"{number} of {seen.most_troops[power]}" for power, number in seen.troops.items()}
    assert tally(position, "Troops") == troops
    goals = {power: f"{held} of {needed}" for power, (held, needed) in seen.goals.items()}
    assert tally(position, "Objectives held") == goals
    (clock,) = [fact for fact in position.facts if fact.title == "Clock of Fate"]
    assert clock.words.endswith(f"{seen.fate.left} cards in the deck")
    assert clock.words.startswith("“")


def test_facts_of_friedrich_follow_the_position() -> None:
    table = of_friedrich.twin(played("expert", 3)[0])
    fate = table.state.fate
    fate.quit, fate.eased, fate.drawn, fate.version = ["russia", "sweden"], ["austria"], 15, None
    fate.offensive = Offensive(declared=True)
    seen = game_of(table).view(table, ())
    position = scene(seen)
    told = {fact.title: fact.words for fact in position.facts}
    assert told["Out of the game"] == "Russia, Sweden"
    assert told["Offensive Option"].startswith(f"declared, {seen.fate.offensive.held} of {seen.fate.offensive.needed} ")
    assert told["Clock of Fate"].startswith("“Elisabeth”; ")
    assert not {"russia", "sweden"} & set(tally(position, "Troops"))
    assert tally(position, "Objectives held")["austria"].endswith("(1st order)")


def test_who_is_off_the_map_and_who_takes_no_part() -> None:
    for name, turn in (("introductory", 4), ("advanced", 3), ("four", 6), ("west", 6)):
        table, _ = played(name, turn)
        seen = game_of(table).view(table, ())
        position = shown(name, turn)
        lost = [(piece.power, piece.kind) for piece in seen.pieces if piece.city == OFF]
        assert [(one.power, one.kind) for one in position.absent if not one.where] == lost
        aside = [piece for piece in seen.pieces if piece.city == ASIDE]
        assert len([one for one in position.absent if one.where]) == (len(aside) if name == "advanced" else 0)


def test_arrows_are_the_marches_and_retreats_of_the_turn() -> None:
    for name, turn in (("introductory", 4), ("four", 6)):
        _, events = played(name, turn)
        moves = shown(name, turn).moves
        assert [(one.kind, one.path) for one in moves] == [
            ("march" if isinstance(event, Marched) else "retreat", (event.start, *event.path))
            for event in events
            if isinstance(event, Marched | Retreated)
        ]
        assert {one.kind for one in moves} >= {"march"}


@pytest.mark.parametrize("name", ["advanced", "four"])
def test_a_picture_tells_every_reader_the_same(name: str) -> None:
    table, _ = played(name, 3)
    pictures = [shown(name, 3, powers=powers) for powers in ((), *((power,) for power in table.rules.powers))]
    assert all(picture == pictures[0] for picture in pictures)


# Languages


@pytest.mark.parametrize("language", languages())
def test_every_word_of_a_picture_is_of_its_language(language: str) -> None:
    english, words = words_in("en"), words_in(language)
    assert set(words.marks) == set(words.powers) == set(english.powers)
    assert set(words.lands) == set(english.lands)
    assert set(words.notes) == set(english.notes)
    assert words.marks["pragmatic"] == "PA"
    for powers in (
        "austria bavaria france pragmatic prussia saxony",
        "austria france hanover imperial prussia russia sweden",
    ):
        assert len({words.marks[power] for power in powers.split()}) == len(powers.split())
    if language == "en":
        return
    for name in GAMES:
        theirs, ours = shown(name, 3), shown(name, 3, language)
        assert theirs.caption != ours.caption
        assert (theirs.pieces, theirs.moves, theirs.control) == (ours.pieces, ours.moves, ours.control)
        assert [one.powers.keys() for one in theirs.tallies] == [one.powers.keys() for one in ours.tallies]
        assert not {one.title for one in theirs.tallies} & {one.title for one in ours.tallies}
        assert len(theirs.facts) == len(ours.facts)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(("name", "turn"), [("introductory", 4), ("advanced", 3), ("gambit", 8), ("four", 6)])
def test_no_names_overlap_and_no_words_leave_the_picture(name: str, turn: int, language: str) -> None:
    table, _ = played(name, turn)
    board = find_board(table.rules.terms.board)
    data, scenery, position = load_board_file(board), scenery_of(board), shown(name, turn, language)
    labels = board_labels(data, scenery, position, words_in(language))
    assert len(labels) > 150
    assert [(a.lines, b.lines) for a, b in combinations(labels, 2) if meet(a.box, b.box)] == []
    for wide in (None, 1300):
        svg = draw_board(data, scenery, position, width=wide, words=words_in(language))
        west, north, across, down = (float(value) for value in ElementTree.fromstring(svg).attrib["viewBox"].split())
        for words, about in texts(svg):
            if "transform" not in about and len(words) > 3:
                room = width(words, float(about.get("font-size", 9)), bold="font-weight" in about)
                x, y = float(about["x"]), float(about["y"])
                left = x - {"middle": room / 2, "end": room}.get(about.get("text-anchor", ""), 0.0)
                assert west < left < left + room < west + across, words
                assert north < y < north + down, words


# Parts of the board


@pytest.mark.parametrize(("name", "power"), [("advanced", "france"), ("four", "austria"), ("four", "sweden")])
def test_a_part_of_the_board_shows_what_lies_there_and_is_small_in_a_mail(name: str, power: str) -> None:
    table, events = played(name, 3)
    seen = game_of(table).view(table, (power,))
    board = find_board(table.rules.terms.board)
    data = load_board_file(board)
    city = next(data.cities[piece.city].name for piece in seen.pieces if piece.city >= 0 and piece.power == power)
    crop = crop_of(data, [city])
    assert crop is not None
    assert (crop[2] - crop[0]) * (crop[3] - crop[1]) <= 0.4 * data.canvas.w * data.canvas.h
    svg = picture_svg(Request(board, seen, around=(city,)))
    here = set(re.findall(r'class="(?:general|train)[^>]*data-city="([^"]+)"', svg))
    assert city.replace("'", "&#39;") in here
    assert "Cards in hand:" not in {words for words, _ in texts(svg)}
    assert scene(seen).caption in {words for words, _ in texts(svg)}
    told = tuple((table.rules.common, event) for event in events)
    assert len(picture_png(Request(board, seen, told, around=(city,)))) < 200_000
