"""Positions in words and as data."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

from pbem.engine.cards import card_of
from pbem.engine.decisions import PlayCard
from pbem.engine.field import alliances_with, alter, mark
from pbem.engine.nouns import Suit
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import Consent
from pbem.games.maria.rules.game import apply, decisions, view
from pbem.games.maria.rules.state import Agreement, Contract, Table, affairs_of
from pbem.report.language.templates import WIDTH, languages, macros_of
from pbem.report.telling import question, view_data
from tests.play import answers, chance_of, play, position, start
from tests.raider import raid
from tests.report.plain import position_text

from .golden import check_golden
from .script import RULES, cards

STEPS = (0, 5, 40, 90, 150, 220)
ADVANCED = Terms(scenario="advanced", bluffing=True)
GAMBIT = Terms(scenario="silesia-gambit")


def with_affairs() -> Table:
    """A table at which much has happened in politics, in the middle of a political stage."""
    table, _ = start(ADVANCED, "golden")
    state = table.state
    state.turn, state.stage, state.phase, state.begun, state.owing = 4, "politics", "selecting", True, ["france"]
    affairs, field = affairs_of(table), table.state.field
    affairs.battle = {"prussia": 1, "france": 2, "pragmatic": 0, "austria": 1}
    affairs.special = {"electors": "france", "italy": "austria"}
    affairs.set_aside = {"prussia": 2}
    affairs.scores = [{"prussia": 10, "france": 9, "pragmatic": 8, "austria": 4}]
    affairs.tracks = {"saxony": 2, "russia": 4, "italy": 4}
    affairs.open, affairs.election, affairs.trump = [24, 9], True, 3
    affairs.display = {"france": list(cards("♠9", "♠2")), "austria": list(cards("R"))}
    affairs.covered = {"prussia": list(cards("♦2")), "france": list(cards("♥3"))}
    affairs.order, affairs.shifts = ["france", "austria"], {"russia": -1}
    affairs.contracts = [Contract("france", "bavaria", 2, fixed=True), Contract("austria", "pragmatic", 1)]
    affairs.offers = [Contract("france", "prussia", 3)]
    affairs.cancelling = ["austria/pragmatic", "france/bavaria"]
    affairs.agreements = [Agreement(("prussia", "france"), "No trains are taken before winter.", 2)]
    affairs.corps = {"prussia": [table.rules.common.generals("prussia")[3]]}
    affairs.annexed, affairs.offered, affairs.reduced = 3, True, True
    affairs.votes = {"austria": 0, "prussia": 1}
    saxony = {"side": "", "player": "maria-theresa", "stage": "austria"}
    alliances = alliances_with(field.alliances, **{part: {"saxony": whose} for part, whose in saxony.items()})
    field.alliances = replace(alliances, stacking=("austria",))
    return table


def test_the_position_before_the_first_answer() -> None:
    table, _ = start(Terms(), "golden")
    check_golden("position-prussia.txt", position_text(table.rules, view(table, ("prussia", "saxony"))))


def test_the_position_for_an_observer() -> None:
    table, _ = start(Terms(), "golden")
    check_golden("position-observer.txt", position_text(table.rules, view(table, ())))


def test_the_position_of_an_advanced_game() -> None:
    table = with_affairs()
    check_golden("position-advanced.txt", position_text(table.rules, view(table, ("france", "bavaria"))))


def test_the_position_of_a_gambit_after_peace() -> None:
    table, _ = start(GAMBIT, "golden")
    state = table.state
    state.turn, state.stage, state.phase, state.owing = 6, "cession", "cession", ["austria"]
    apply(table, "austria", Consent(yes=True))
    check_golden("position-gambit.txt", position_text(table.rules, view(table, ())))


@pytest.mark.parametrize("terms", [Terms(), ADVANCED, GAMBIT], ids=lambda terms: terms.scenario)
@pytest.mark.parametrize("steps", STEPS)
def test_lines_fit_and_data_is_json(terms: Terms, steps: int) -> None:
    table = position(terms, 2, steps)
    for reader in [(), *((power,) for power in table.rules.powers)]:
        seen = view(table, reader)
        lines = position_text(table.rules, seen).splitlines()
        assert [line for line in lines if len(line) > WIDTH or line != line.rstrip()] == []
        data = view_data(table.rules, seen)
        assert json.loads(json.dumps(data)) == data


def test_a_battle_in_progress() -> None:
    table, _ = start(Terms(), 3)
    chance = chance_of(Terms(), 3)
    for power, answer in answers(table, chance, raid):
        apply(table, power, answer)
        asked = next((d for d in decisions(table) if isinstance(d, PlayCard)), None)
        if asked:
            break
    assert asked is not None
    seen = view(table, (asked.power,))
    duel = view_data(table.rules, seen)["duel"]
    assert {duel["attacker"]["score"], -duel["defender"]["score"]} == {seen.duel.score if seen.duel else None}
    assert "To decide" in position_text(table.rules, seen)
    assert "To decide" not in position_text(table.rules, view(table, ()))
    assert f"Battle of {duel['defender']['city']}" in position_text(table.rules, view(table, ()))


def test_the_end_of_a_game() -> None:
    table, _ = play(Terms(), 1)
    text = position_text(table.rules, view(table, ()))
    assert "has won" in text or "tie" in text
    assert "waits for" not in text


@pytest.mark.parametrize("language", languages())
def test_markers_of_a_pool_that_lacks_some_add_up(language: str) -> None:
    left = macros_of(language, "maria", "affairs_words.txt.j2").left
    lacks_none, lacks_one = (str(left("pragmatic", {"pool": pool, "total": 8, "fortresses": 7})) for pool in (0, -1))
    assert "1" not in lacks_none
    assert "1" in lacks_one


def test_goals_markers_and_removed_pieces() -> None:
    table = position(Terms(), 2, 5)
    board = table.rules.common.board
    mark(table.state.field, board.index["Prag"], "france")
    table.state.field.questions[board.index["Brünn"]] = "prussia"
    alter(table.state.field, table.rules.common.generals("saxony")[0], city=-1)
    text = position_text(table.rules, view(table, ()))
    assert "France holds 1 of the 9 fortresses it needs in Austria." in text
    assert "Markers of France: Prague." in text
    assert "In question: Brünn, by Prussia." in text
    assert "Off the map: Rutowski" in text


def test_the_commander_of_a_stack_is_told() -> None:
    table = position(Terms(), 2, 5)
    one, other = table.rules.common.generals("austria")[:2]
    alter(table.state.field, one, city=table.state.field.pieces[other].city)
    pieces = {piece["name"]: piece for piece in view_data(table.rules, view(table, ()))["pieces"]}
    assert pieces["Karl von Lothringen"]["commands"] == ["Traun"]
    assert pieces["Traun"]["commands"] == []


def test_who_may_know_what_of_the_affairs() -> None:
    table = with_affairs()
    of_france, of_others = (view_data(table.rules, view(table, reader))["affairs"] for reader in (("france",), ()))
    assert of_france["display"]["france"]["own_covered"] == ["♥3/1"]
    assert of_france["cancelling"] == [{"power": "france", "partner": "bavaria"}]
    assert of_others["display"]["france"] == {
        "cards": ["♠2/1", "♠9/1"], "influence": 11, "covered": 1, "own_covered": None,
    }  # fmt: skip
    assert (of_others["cancelling"], of_others["winters"], of_others["scores"]) == ([], 1, [])


def test_the_scores_are_shown_at_the_end() -> None:
    table = with_affairs()
    assert "Winter scores" not in position_text(table.rules, view(table, ("france",)))
    table.state.phase, table.state.owing = "over", []
    assert view_data(table.rules, view(table, ()))["affairs"]["scores"] == [
        {"prussia": 10, "france": 9, "pragmatic": 8, "austria": 4}
    ]
    told = position_text(table.rules, view(table, ()))
    assert "Winter scores: France 9; Prussia 10; Austria 4; the Pragmatic Army 8." in told


@pytest.mark.parametrize("language", languages())
def test_a_question_names_cards_that_look_alike_once(language: str) -> None:
    alike = tuple(card_of(Suit(2), 8, deck) for deck in (0, 1))
    asked = question(RULES, PlayCard("austria", -1, 2, alike, must=False), {}, language)
    assert asked.count("♥8") == 1
