"""Starts of games: powers that take part, their places, and the allotment of troops (§1; two players: the data
notes)."""

from __future__ import annotations

import pytest

from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Allot, Allotment, Transfer
from pbem.engine.field import ASIDE
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.refusals import code_of


def opened(scenario: str) -> Table:
    """A new game."""
    return game.start(load_friedrich(Terms(scenario)), SeededDealer("opening"))[0]


def in_play(table: Table) -> set[str]:
    """The pieces that take part."""
    pieces = zip(table.rules.common.pieces, table.state.field.pieces, strict=True)
    return {facts.name for facts, piece in pieces if piece.city != ASIDE}


def test_four_players_have_everything() -> None:
    table = opened("four")
    assert len(in_play(table)) == 24 + 11
    assert {d.power: d.troops for d in game.decisions(table) if isinstance(d, Allot)} == {
        "prussia": 32, "hanover": 12, "russia": 16, "austria": 30, "france": 20,
    }  # fmt: skip
    assert sum(piece.troops for piece in table.state.field.pieces) == 4 + 6
    assert table.rules.seats["elisabeth"] == ("russia", "sweden")


def test_with_three_players_elisabeth_has_france_too() -> None:
    assert opened("three").rules.seats["elisabeth"] == ("russia", "sweden", "france")


def test_the_war_in_the_west() -> None:
    table = opened("west")
    assert in_play(table) == {
        "Seydlitz", "prussia train 2", "Ferdinand", "Cumberland", "hanover train 1",
        "Richelieu", "Soubise", "Chevert", "france train 1", "france train 2",
    }  # fmt: skip
    board, pieces = table.rules.common.board, table.rules.common.pieces
    where = {facts.name: piece.city for facts, piece in zip(pieces, table.state.field.pieces, strict=True)}
    assert where["Seydlitz"] == board.index["Brandenburg"]
    assert where["prussia train 2"] == board.index["Jüterbog"]
    assert {d.power: d.troops for d in game.decisions(table) if isinstance(d, Allot)} == {"hanover": 12, "france": 20}


def test_the_austrian_theatre() -> None:
    table = opened("austria")
    assert table.rules.powers == ("prussia", "austria", "imperial")
    assert {"Seydlitz", "Dohna", "Lehwaldt"} & in_play(table) == set()
    assert len(in_play(table)) == 5 + 2 + 5 + 2 + 1 + 1
    assert {d.power: d.troops for d in game.decisions(table) if isinstance(d, Allot)} == {"prussia": 24, "austria": 30}


@pytest.mark.parametrize(("troops", "code"), [
    ((4, 4, 4), "E-TROOPS-SUM"), ((9, 3, 8), "E-TROOPS-RANGE"), ((0, 12, 8), "E-TROOPS-RANGE"),
    ((8, 8), "E-TROOPS-MISSING"),
])  # fmt: skip
def test_allotments_that_are_refused(troops: tuple[int, ...], code: str) -> None:
    table = opened("four")
    generals = table.rules.common.generals("france")
    assert code_of(table, "france", Allotment(dict(zip(generals, troops, strict=False)))) == code


def test_the_example_of_the_rule_book() -> None:
    table = opened("four")
    generals = table.rules.common.generals("france")
    game.apply(table, "france", Allotment(dict(zip(generals, (7, 5, 8), strict=True))))
    assert [table.state.field.pieces[general].troops for general in generals] == [7, 5, 8]
    assert "france" not in table.state.owing


def test_troops_pass_only_once_the_game_has_begun() -> None:
    table = opened("four")
    first, second = table.rules.common.generals("prussia")[:2]
    assert code_of(table, "prussia", Transfer({first: 1, second: 1})) == "E-TROOPS-NOW"
