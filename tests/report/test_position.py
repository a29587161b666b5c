"""Positions in words and as data."""

from __future__ import annotations

import json

import pytest

from pbem.engine.decisions import PlayCard
from pbem.maria.data import Terms
from pbem.maria.game import apply, decisions
from pbem.maria.view import view
from pbem.report.language import WIDTH
from pbem.report.position import position_text, view_data
from tests.play import answers, chance_of, play, position, start
from tests.raider import raid

from .golden import check_golden

STEPS = (0, 5, 40, 90, 150, 220)


def test_the_position_before_the_first_answer() -> None:
    table, _ = start(Terms(), "golden")
    check_golden("position-prussia.txt", position_text(table.rules, view(table, ("prussia", "saxony"))))


def test_the_position_for_an_observer() -> None:
    table, _ = start(Terms(), "golden")
    check_golden("position-observer.txt", position_text(table.rules, view(table, ())))


@pytest.mark.parametrize("steps", STEPS)
def test_lines_fit_and_data_is_json(steps: int) -> None:
    table = position(Terms(), 2, steps)
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


def test_goals_markers_and_removed_pieces() -> None:
    table = position(Terms(), 2, 5)
    board = table.rules.common.board
    table.state.field.markers[board.index["Prag"]] = "france"
    table.state.field.questions[board.index["Brünn"]] = "prussia"
    table.state.field.pieces[table.rules.common.generals("saxony")[0]].city = -1
    text = position_text(table.rules, view(table, ()))
    assert "France holds 1 of the 9 fortresses it needs in Austria." in text
    assert "Markers of France: Prag." in text
    assert "In question: Brünn, by Prussia." in text
    assert "Off the map: Rutowski" in text


def test_the_commander_of_a_stack_is_told() -> None:
    table = position(Terms(), 2, 5)
    one, other = table.rules.common.generals("austria")[:2]
    table.state.field.pieces[one].city = table.state.field.pieces[other].city
    pieces = {piece["name"]: piece for piece in view_data(table.rules, view(table, ()))["pieces"]}
    assert pieces["Karl von Lothringen"]["commands"] == ["Traun"]
    assert pieces["Traun"]["commands"] == []
