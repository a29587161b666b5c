"""Combat and retreat (§7, §8)."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Fight, Pairing, Play, PlayCard, RetreatAlong, Stop
from pbem.engine.events import BattleTied, BattleWon, GeneralRemoved, RetreatImpossible
from pbem.engine.rules import IllegalOrder
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.state import Table
from pbem.kit import copy_of
from tests.friedrich.fate_table import at, bare, begin, card, city, deal, general, place, troops
from tests.friedrich.refusals import code_of


def places(table: Table, suits: str) -> tuple[int, int]:
    """Two neighbouring cities in sectors of these suits, far from the edge of the board."""
    board = table.rules.common.board
    one, other = ("cdhs".index(suit) for suit in suits)
    return next(
        (a, b)
        for a in range(len(board.cities))
        for b in board.near[a]
        if (board.suit[a], board.suit[b]) == (one, other)
        and len(board.near[b]) > 2
        and len(board.cities_within(b, 3)) > 20
    )


def battle(suits: str = "ds", attackers: int = 2, defenders: int = 4) -> tuple[Table, int, int]:
    """Heinrich beside Richelieu and Soubise, as in the example of §7."""
    table = bare(expert=False)
    here, there = places(table, suits)
    place(table, "Heinrich", here, attackers)
    place(table, "Richelieu", there, defenders - 1)
    place(table, "Soubise", there, 1)
    deal(table, "prussia", "10d", "9d", "7d", "R")
    deal(table, "france", "5s", "4s", "4h", "3s")
    begin(table, "prussia", "combat")
    return table, here, there


def asked(table: Table) -> PlayCard:
    """The question for a card."""
    (decision,) = game.decisions(table)
    assert isinstance(decision, PlayCard)
    return decision


def test_the_example_of_the_rule_book() -> None:
    table, here, there = battle()
    assert (asked(table).power, asked(table).score) == ("prussia", -2)
    game.apply(table, "prussia", Play(card("10d")))
    assert (asked(table).power, asked(table).score) == ("france", -8)
    game.apply(table, "france", Play(card("5s")))
    assert asked(table).score == -3
    game.apply(table, "france", Play(card("3s")))
    assert (asked(table).power, asked(table).score, asked(table).must) == ("prussia", 0, True)
    assert code_of(table, "prussia", Stop()) == "E-DUEL-MUST"
    game.apply(table, "prussia", Play(card("7d")))
    game.apply(table, "france", Play(card("4s")))
    assert (asked(table).power, asked(table).score, asked(table).cards) == ("france", -3, ())
    events = game.apply(table, "france", Stop())
    richelieu, soubise = general(table, "Richelieu"), general(table, "Soubise")
    assert BattleWon((general(table, "Heinrich"),), (richelieu, soubise), "prussia", "france", 3, 3) in events
    assert GeneralRemoved(soubise, there) in events
    assert troops(table, "Richelieu") == 1
    (choice,) = game.decisions(table)
    assert isinstance(choice, ChooseRetreat)
    assert (choice.power, choice.length) == ("prussia", 3)
    far = table.rules.common.board.distance(here)
    assert len({far[end] for end in choice.ends}) == 1
    assert table.state.fate.winner == general(table, "Heinrich")


def test_suits_reserves_and_values() -> None:
    table, _, _ = battle()
    assert code_of(table, "prussia", Play(card("5s"))) == "E-CARD-HAND"
    assert code_of(table, "prussia", Play(card("R"))) == "E-RESERVE-VALUE"
    assert code_of(table, "prussia", Play(card("R"), 11)) == "E-RESERVE-VALUE"
    game.apply(table, "prussia", Play(card("R"), 10))
    assert asked(table).score == -8
    assert code_of(table, "france", Play(card("4h"))) == "E-CARD-SUIT"


def test_a_tie_costs_nothing_and_reserves_need_not_be_played() -> None:
    table, here, there = battle(attackers=4)
    assert (asked(table).power, asked(table).score) == ("prussia", 0)
    for worth in ("10d", "9d", "7d"):
        table.state.cards.hands["prussia"].remove(card(worth))
    assert not asked(table).must
    events = game.apply(table, "prussia", Stop())
    assert any(isinstance(event, BattleTied) for event in events)
    assert (at(table, "Heinrich"), at(table, "Soubise")) == (here, there)
    assert table.state.fate.winner is None


def test_a_stack_that_cannot_go_back_so_far_is_gone() -> None:
    table, _, there = battle(attackers=8, defenders=7)
    for near in table.rules.common.board.near[there]:
        if near != at(table, "Heinrich"):
            place(table, "Chevert", near, 1)
    taken = [near for near in table.rules.common.board.near[there] if near not in (at(table, "Heinrich"),)]
    names = ["france train 1", "france train 2", "Chevert", "austria train 1", "austria train 2"]
    for name, near in zip(names, taken, strict=False):
        place(table, name, near)
    events = game.apply(table, "france", Stop())
    assert any(isinstance(event, RetreatImpossible) and event.troops == 6 for event in events)
    assert at(table, "Richelieu") < 0


@pytest.mark.parametrize(("attackers", "defenders"), [(3, 3), (3, 5), (5, 3), (5, 5)])
def test_who_plays_first(attackers: int, defenders: int) -> None:
    table, _, _ = battle(attackers=attackers, defenders=defenders)
    assert asked(table).power == ("prussia" if attackers <= defenders else "france")


def test_the_winner_chooses_the_path_and_who_retreats_fights_no_more() -> None:
    table = bare(expert=False)
    board = table.rules.common.board
    middle = city(table, "Breslau")
    one, other = city(table, "Ohlau"), city(table, "Wohlau")
    place(table, "Keith", middle, 3)
    place(table, "Daun", one, 4)
    place(table, "Laudon", other, 8)
    begin(table, "prussia", "combat")
    (decision,) = game.decisions(table)
    assert decision == ChooseBattle("prussia", tuple(sorted(
        (Pairing(middle, one), Pairing(middle, other)), key=lambda pairing: pairing.defender
    )))  # fmt: skip
    assert code_of(table, "prussia", Fight(Pairing(one, middle))) == "E-BATTLE"
    game.apply(table, "prussia", Fight(Pairing(middle, one)))
    game.apply(table, "prussia", Stop())
    (choice,) = game.decisions(table)
    assert isinstance(choice, ChooseRetreat)
    assert (choice.power, choice.length) == ("austria", 1)
    far = board.distance(one)
    free = [near for near in board.near[middle] if near not in (one, other)]
    assert sorted(choice.ends) == [near for near in free if far[near] == max(far[near] for near in free)]
    allowed = ", ".join(board.cities[end].name for end in choice.ends)
    for path, code in (((other,), "BLOCKED"), ((middle,), "TWICE"), ((one, other), "LENGTH"), ((), "LENGTH")):
        with pytest.raises(IllegalOrder) as refused:
            game.apply(copy_of(table), "austria", RetreatAlong(path))
        assert refused.value.wrong.code == f"E-RETREAT-{code}"
        assert allowed in str(refused.value.wrong.hint), "who may not end there is told where"
    game.apply(table, "austria", RetreatAlong((choice.ends[0],)))
    assert not table.state.battles
    assert table.state.phase != "combat"
    assert troops(table, "Keith") == 2
