"""Prussia's Offensive Option: declaration, the card at stake, failure, the rival's claim, victory (§13)."""

from __future__ import annotations

import pytest

from pbem.engine.decisions import Move, Stop
from pbem.engine.events import Conquered, Questioned
from pbem.engine.field import OFF, mark, unmark
from pbem.games.friedrich.rules import game, offensive
from pbem.games.friedrich.rules.decisions import GiveCard, GivenCard
from pbem.games.friedrich.rules.events import OffensiveCardTaken, OffensiveDeclared, OffensiveDeclined, OffensiveFailed
from pbem.games.friedrich.rules.offensive import has_reached, result_now
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, begin, card, city, deal, place, strike
from tests.friedrich.refusals import code_of

POEMS, BUTE, ELISABETH, SWEDEN, INDIA = 13, 14, 15, 16, 17


def deciding(*hand: str) -> Table:
    """The third turn has begun for Prussia."""
    table = bare(turn=3)
    table.state.cards.hands["prussia"] = []
    begin(table, "prussia", "cards")
    table.state.cards.hands["prussia"] = []
    deal(table, "prussia", *hand)
    return table


def declared(turn: int = 7) -> Table:
    """A game in which Prussia has declared its option with the ten of hearts."""
    table = bare(turn=turn)
    assert table.state.fate.offensive is not None
    table.state.fate.offensive.declared = True
    table.state.fate.offensive.card = card("10h")
    return table


def conquer(table: Table, power: str, *names: str) -> None:
    """Put markers on cities."""
    for name in names:
        mark(table.state.field, city(table, name), power)


def conquer_all(table: Table, power: str) -> None:
    """Put markers on all objectives of a power."""
    for objective in table.rules.objectives[power]:
        mark(table.state.field, objective, power)


def taken(table: Table) -> bool:
    """True if Austria has the card."""
    option = table.state.fate.offensive
    return option is not None and option.taken


# Declaration


def test_prussia_is_asked_in_turn_three_once_its_cards_are_drawn() -> None:
    for turn in (2, 3, 4):
        table = bare(turn=turn)
        begin(table, "prussia", "cards")
        assert len(table.state.cards.hands["prussia"]) == 7
        assert bool(table.state.tasks) is (turn == 3)


def test_a_card_of_ten_or_more_or_a_reserve_is_set_aside() -> None:
    table = deciding("9h", "10c", "13d", "R")
    (asked,) = game.decisions(table)
    assert asked == GiveCard("prussia", "offensive", "austria", (card("10c"), card("13d"), card("R")), may_decline=True)
    assert code_of(table, "prussia", GivenCard(card("9h"))) == "E-FATE-CARD"
    assert OffensiveDeclared("prussia", card("13d")) in game.apply(table, "prussia", GivenCard(card("13d")))
    option = table.state.fate.offensive
    assert option is not None
    assert (option.declared, option.card) == (True, card("13d"))
    assert card("13d") not in table.state.cards.hands["prussia"]


def test_without_such_a_card_prussia_is_asked_but_can_only_decline() -> None:
    table = deciding("9h", "2c")
    (asked,) = game.decisions(table)
    assert isinstance(asked, GiveCard)
    assert asked.cards == ()
    assert code_of(table, "prussia", GivenCard(card("9h"))) == "E-FATE-CARD"
    game.apply(table, "prussia", GivenCard())
    assert table.state.fate.offensive is None


def test_who_declines_loses_what_was_conquered_and_conquers_no_more() -> None:
    table = deciding("13d")
    conquer(table, "prussia", "Prag")
    keith = place(table, "Keith", "Prag", 3)
    events = game.apply(table, "prussia", GivenCard())
    assert OffensiveDeclined("prussia", (city(table, "Prag"),)) in events
    assert table.state.field.markers == {}
    assert not offensive.may_conquer(table)
    events = game.apply(table, "prussia", Move((keith,), (city(table, "Melnik"),)))
    assert not any(isinstance(event, Conquered | Questioned) for event in events)
    assert table.state.field.markers == {}


@pytest.mark.parametrize("turn", [1, 2])
def test_prussia_conquers_before_it_has_to_declare(turn: int) -> None:
    table = bare(turn=turn)
    keith = place(table, "Keith", "Prag", 3)
    begin(table, "prussia", "movement")
    game.apply(table, "prussia", Move((keith,), (city(table, "Melnik"),)))
    assert table.state.field.markers == {city(table, "Prag"): "prussia"}


def test_prussia_keeps_conquering_once_it_has_declared() -> None:
    table = declared()
    keith = place(table, "Keith", "Prag", 3)
    begin(table, "prussia", "movement")
    game.apply(table, "prussia", Move((keith,), (city(table, "Melnik"),)))
    assert table.state.field.markers == {city(table, "Prag"): "prussia"}


def test_the_standard_game_and_games_for_two_know_no_option() -> None:
    for scenario in ("four", "west", "austria"):
        table = bare(scenario, expert=False, turn=3)
        begin(table, "prussia", "cards")
        assert table.state.fate.offensive is None
        assert table.state.tasks == []
        assert offensive.claimed_count(table, "austria") == 0


# Taking the card


def beaten(loser: str, winner: str, by: int, table: Table) -> Table:
    """Let one general attack another, stronger one, and be beaten by so much."""
    place(table, loser, "Leipzig", 1)
    place(table, winner, "Halle", 1 + by)
    power = next(piece.power for piece in table.rules.common.pieces if piece.name == loser)
    begin(table, power, "combat")
    game.apply(table, power, Stop())
    return table


@pytest.mark.parametrize(("by", "expected"), [(2, False), (3, True), (6, True)])
def test_austria_takes_the_card_for_a_defeat_by_three(by: int, expected: bool) -> None:
    table = beaten("Keith", "Daun", by, declared())
    assert taken(table) is expected
    assert (card("10h") in table.state.cards.hands["austria"]) is expected


def test_in_defence_too() -> None:
    table = declared()
    place(table, "Daun", "Halle", 5)
    place(table, "Keith", "Leipzig", 1)
    begin(table, "austria", "combat")
    events = game.apply(table, "prussia", Stop())
    assert OffensiveCardTaken("austria", card("10h")) in events


@pytest.mark.parametrize(
    ("loser", "winner"), [("Keith", "Soubise"), ("Keith", "Hildburghausen"), ("Ferdinand", "Daun")]
)
def test_only_a_prussian_defeat_by_austria_costs_the_card(loser: str, winner: str) -> None:
    assert not taken(beaten(loser, winner, 4, declared()))


def test_nothing_is_taken_before_the_declaration() -> None:
    table = beaten("Keith", "Daun", 4, bare(turn=2))
    assert not taken(table)
    assert table.state.cards.hands["austria"] == []


def test_the_card_is_taken_once() -> None:
    table = beaten("Keith", "Daun", 4, declared())
    hand = list(table.state.cards.hands["austria"])
    beaten("Dohna", "Daun", 4, table)
    assert table.state.cards.hands["austria"] == hand


@pytest.mark.parametrize(("where", "expected"), [("Prag", True), ("Plauen", True), ("Warszawa", False)])
def test_a_prussian_starved_south_of_the_line_costs_the_card(where: str, expected: bool) -> None:
    table = declared()
    place(table, "Keith", where, 4, down=True)
    begin(table, "prussia", "supply")
    assert at(table, "Keith") == OFF
    assert taken(table) is expected


def test_others_who_starve_there_do_not_count() -> None:
    table = declared()
    place(table, "Ferdinand", "Prag", 4, down=True)
    begin(table, "hanover", "supply")
    assert not taken(table)


# Failure


@pytest.mark.parametrize("stroke", [POEMS, BUTE])
@pytest.mark.parametrize("first", ["card", "stroke"])
def test_the_option_fails_when_card_and_subsidy_are_gone_whichever_comes_last(stroke: int, first: str) -> None:
    table = declared()
    conquer(table, "prussia", "Prag")
    if first == "card":
        beaten("Keith", "Daun", 4, table)
        assert offensive.may_conquer(table)
        events = strike(table, stroke)
    else:
        strike(table, stroke)
        assert offensive.may_conquer(table)
        table.state.fate.in_force = []
        place(table, "Keith", "Leipzig", 1)
        place(table, "Daun", "Halle", 5)
        begin(table, "prussia", "combat")
        events = game.apply(table, "prussia", Stop())
    assert OffensiveFailed("prussia", (city(table, "Prag"),)) in events
    assert not offensive.may_conquer(table)
    assert table.state.field.markers == {}


def test_other_strokes_do_not_ruin_it() -> None:
    table = beaten("Keith", "Daun", 4, declared())
    strike(table, INDIA)
    assert offensive.may_conquer(table)


def test_question_marks_fall_with_the_option() -> None:
    table = declared()
    strike(table, BUTE)
    table.state.field.questions = {city(table, "Prag"): "prussia", city(table, "Breslau"): "prussia"}
    beaten("Keith", "Daun", 4, table)
    assert city(table, "Prag") not in table.state.field.markers


def test_after_a_failure_prussia_conquers_no_more_and_cannot_win_by_it() -> None:
    table = declared()
    beaten("Keith", "Daun", 4, table)
    strike(table, BUTE)
    conquer_all(table, "prussia")
    assert result_now(table) is None
    table.state.field.markers = {}
    dohna = place(table, "Dohna", "Prag", 3)
    begin(table, "prussia", "movement")
    game.apply(table, "prussia", Move((dohna,), (city(table, "Melnik"),)))
    assert table.state.field.markers == {}


# Victory


def test_prussia_wins_at_the_end_of_the_turn_with_all_fourteen() -> None:
    table = declared()
    conquer_all(table, "prussia")
    begin(table, "prussia", "supply")
    assert table.state.result is None
    begin(table, "fate", "clock")
    assert table.state.result is not None
    assert (table.state.result.winner, table.state.result.how) == ("frederick", "goals")


def test_thirteen_are_not_enough_nor_an_option_that_is_not_declared() -> None:
    table = declared()
    conquer_all(table, "prussia")
    unmark(table.state.field, [city(table, "Prag")])
    assert result_now(table) is None
    table = bare(turn=2)
    conquer_all(table, "prussia")
    assert result_now(table) is None


def test_prussia_may_win_together_with_an_attacker() -> None:
    table = declared()
    conquer_all(table, "prussia")
    conquer_all(table, "russia")
    result = result_now(table)
    assert result is not None
    assert (result.winner, result.others) == ("frederick", ("elisabeth",))


# Austria's claim

SILESIA = (
    "Cosel", "Liegnitz", "Lublinitz", "Glatz", "Neisse", "Waldenburg", "Breslau", "Brieg", "Oels", "Schweidnitz",
    "Bunzlau",
)  # fmt: skip
"""Eleven of Austria's objectives, ten of them of the first order, none in Saxony."""


def test_austria_claims_four_objectives_if_it_holds_one_in_saxony() -> None:
    table = declared()
    conquer(table, "austria", *SILESIA)
    assert not has_reached(table, "austria")
    conquer(table, "austria", "Görlitz")
    assert has_reached(table, "austria")
    unmark(table.state.field, [city(table, "Cosel")])
    assert not has_reached(table, "austria")


def test_a_conquest_of_the_imperial_army_in_saxony_does_not_serve() -> None:
    table = declared()
    conquer(table, "austria", *SILESIA)
    conquer(table, "imperial", "Dresden", "Görlitz")
    assert offensive.claimed_count(table, "austria") == 0
    assert not has_reached(table, "austria")


def test_the_claim_outlives_the_failure_and_needs_the_declaration() -> None:
    table = declared()
    beaten("Keith", "Daun", 4, table)
    strike(table, BUTE)
    conquer(table, "austria", *SILESIA, "Görlitz")
    assert has_reached(table, "austria")
    table.state.fate.offensive = None
    assert not has_reached(table, "austria")


def test_with_eased_conditions_eight_of_the_first_order_are_enough() -> None:
    table = declared()
    table.state.fate.eased = ["austria"]
    conquer(table, "austria", *SILESIA[:8])
    assert not has_reached(table, "austria")
    conquer(table, "austria", "Görlitz")  # of the second order, but really held in Saxony
    assert has_reached(table, "austria")


def test_nobody_else_claims_anything() -> None:
    table = declared()
    conquer(table, "imperial", "Dresden", "Leipzig", "Torgau", "Pirna", "Chemnitz", "Naumburg")
    assert offensive.claimed_count(table, "imperial") == 0
