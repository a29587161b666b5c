"""The Clock of Fate: when it strikes, which version is read, and what the strokes do, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest

from pbem.engine.board import SUITS
from pbem.engine.cards import Dealer, SeededDealer
from pbem.engine.events import GameEnded
from pbem.engine.field import ASIDE, OFF, alter, mark
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import fate, game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.decisions import ChooseGeneral, NamedGeneral
from pbem.games.friedrich.rules.events import FateDrawn, GeneralRetired, PlayerChanged, PowerQuit, VictoryEased
from pbem.games.friedrich.rules.offensive import needed_objectives
from pbem.games.friedrich.rules.sequence import income_of, returned_of
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.fate_table import at, bare, begin, city, deal, general, place, strike, troops
from tests.friedrich.refusals import code_of

POEMS, BUTE, ELISABETH, SWEDEN, INDIA, AMERICA = 13, 14, 15, 16, 17, 18


class Orderly:
    """A dealer who leaves everything as it lies."""

    def shuffle(self, number: int, cards: Sequence[int]) -> list[int]:
        return list(cards)


class Backwards:
    """A dealer who turns everything round."""

    def shuffle(self, number: int, cards: Sequence[int]) -> list[int]:
        return list(cards)[::-1]


def quitters(table: Table) -> list[str]:
    return table.state.fate.quit


def settle(table: Table) -> None:
    """Answer the question which general leaves, with the first who may."""
    while table.state.tasks:
        (asked,) = game.decisions(table)
        assert isinstance(asked, ChooseGeneral)
        game.apply(table, asked.power, NamedGeneral(asked.generals[0]))


# The deck


def test_the_deck_has_every_card_once_before_and_after_the_shuffle() -> None:
    table = bare()
    assert sorted(table.state.fate.deck) == list(range(1, 19))


@pytest.mark.parametrize("dealer", [Orderly(), Backwards()])
def test_late_strokes_are_not_among_the_first_four(dealer: Dealer) -> None:
    rules = load_friedrich(Terms(fate_order="strokes later"))
    table, _ = game.start(rules, dealer)
    first = table.state.fate.deck[::-1][: rules.fate.late.after]
    assert sorted(table.state.fate.deck) == list(range(1, 19))
    assert not set(first) & set(rules.fate.late.strokes)


@pytest.mark.parametrize("seed", range(20))
def test_with_late_strokes_no_game_can_be_outlasted_before_turn_ten(seed: int) -> None:
    rules = load_friedrich(Terms(fate_order="strokes later"))
    table, _ = game.start(rules, SeededDealer(str(seed)))
    read = table.state.fate.deck[::-1]
    needed = {stroke for gone in rules.fate.departures for stroke in gone.strokes}
    turn = rules.game.first_fate + max(read.index(stroke) for stroke in needed)
    assert turn >= 10


def test_shuffles_of_fate_are_counted_with_all_others() -> None:
    table = bare()
    before = table.state.cards.shuffles
    fate.shuffle(table)
    assert table.state.cards.shuffles == before + 1


@pytest.mark.parametrize("turn", range(1, 6))
def test_no_card_is_read_in_the_first_five_turns(turn: int) -> None:
    table = bare(turn=turn)
    assert fate.clock(table) == []
    assert len(table.state.fate.deck) == 18


def test_from_the_sixth_turn_on_a_card_is_read_every_turn() -> None:
    table = bare(turn=6)
    top = table.state.fate.deck[-1]
    assert [event.fate for event in fate.clock(table) if isinstance(event, FateDrawn)] == [top]


def test_a_card_goes_to_the_bottom_and_a_stroke_never_comes_back() -> None:
    table = bare()
    strike(table, 1)
    assert table.state.fate.deck[0] == 1
    assert len(table.state.fate.deck) == 18
    strike(table, POEMS)
    assert POEMS not in table.state.fate.deck
    assert table.state.fate.out == [POEMS]


def test_all_strokes_are_out_after_eighteen_cards() -> None:
    table = bare()
    for _ in range(18):
        fate.clock(table)
        table.state.tasks = []
    assert sorted(table.state.fate.out) == [13, 14, 15, 16, 17, 18]


# The version


def test_the_standard_game_reads_spades_wherever_the_victor_is() -> None:
    table = bare(expert=False)
    table.state.fate.winner = place(table, "Daun", "Prag")  # in a sector of hearts
    assert SUITS[fate.suit_read(table)] == "spades"


def test_the_expert_game_reads_the_suit_where_the_latest_victor_is_now() -> None:
    table = bare()
    table.state.fate.winner = place(table, "Daun", "Prag")
    assert SUITS[fate.suit_read(table)] == "hearts"
    place(table, "Daun", "Dresden")
    assert SUITS[fate.suit_read(table)] == "diamonds"


def test_spades_are_read_before_any_victory_and_if_the_victor_is_off_the_map() -> None:
    table = bare()
    assert SUITS[fate.suit_read(table)] == "spades"
    table.state.fate.winner = place(table, "Daun", "Prag")
    alter(table.state.field, general(table, "Daun"), city=OFF)
    assert SUITS[fate.suit_read(table)] == "spades"


def test_a_version_holds_in_the_next_turn_only() -> None:
    table = bare(expert=False)
    strike(table, 5)
    assert [entry.until for entry in table.state.fate.in_force] == [table.state.turn + 1]
    table.state.turn += 1
    strike(table, 1)
    assert table.state.fate.in_force == []


# Victory


def conquer(table: Table, power: str, cities: tuple[int, ...]) -> None:
    for number in cities:
        mark(table.state.field, number, power)


def test_who_holds_all_objectives_before_the_card_is_read_has_won_without_it() -> None:
    table = bare()
    conquer(table, "russia", table.rules.objectives["russia"])
    events = begin(table, "fate", "clock")
    assert any(isinstance(event, GameEnded) for event in events)
    assert not any(isinstance(event, FateDrawn) for event in events)
    assert table.state.result is not None
    assert table.state.result.winner == "elisabeth"


def test_eased_conditions_are_tested_after_the_card() -> None:
    table = bare()
    conquer(table, "sweden", table.rules.first_order["sweden"])
    deck = table.state.fate.deck
    deck.append(deck.pop(deck.index(ELISABETH)))
    begin(table, "fate", "clock")
    assert table.state.result is not None
    assert (table.state.result.winner, table.state.result.how) == ("elisabeth", "goals")


def test_the_imperial_army_wins_for_its_new_player() -> None:
    table = bare()
    strike(table, INDIA)
    conquer(table, "imperial", table.rules.first_order["imperial"])
    deck = table.state.fate.deck
    deck.append(deck.pop(deck.index(AMERICA)))
    begin(table, "fate", "clock")
    assert table.state.result is not None
    assert table.state.result.winner == "pompadour"


def test_markers_of_the_second_order_stay_though_they_are_not_needed() -> None:
    table = bare()
    second = set(table.rules.objectives["sweden"]) - set(table.rules.first_order["sweden"])
    conquer(table, "sweden", tuple(second))
    strike(table, ELISABETH)
    assert set(table.state.field.markers) == second
    assert needed_objectives(table, "sweden") == table.rules.first_order["sweden"]


# The strokes


def test_subsidies_fall_from_seven_to_five_to_four() -> None:
    table = bare()
    assert income_of(table, "prussia") == 7
    strike(table, BUTE)
    assert income_of(table, "prussia") == 5
    strike(table, POEMS)
    assert income_of(table, "prussia") == 4


@pytest.mark.parametrize("order", [(INDIA, AMERICA), (AMERICA, INDIA)])
def test_the_colonies_cost_france_and_austria_cards_and_then_france_the_war(order: tuple[int, int]) -> None:
    table = bare()
    assert (income_of(table, "france"), returned_of(table, "france"), income_of(table, "austria")) == (4, 1, 5)
    strike(table, order[0])
    assert (income_of(table, "france"), returned_of(table, "france"), income_of(table, "austria")) == (3, 0, 4)
    assert quitters(table) == []
    assert income_of(table, "hanover") == 2
    strike(table, order[1])
    assert quitters(table) == ["france"]
    assert (income_of(table, "austria"), income_of(table, "hanover")) == (4, 1)


def test_a_power_that_quits_loses_pieces_conquests_and_hand() -> None:
    table = bare()
    place(table, "Saltikov", "Küstrin", 5)
    place(table, "russia train 1", "Warszawa")
    cards = deal(table, "russia", "9h", "R")
    conquer(table, "russia", (city(table, "Stargard"),))
    conquer(table, "sweden", (city(table, "Stettin"),))
    events = strike(table, ELISABETH)
    assert PowerQuit("russia", took_part=True) in events
    mine = [*table.rules.common.generals("russia"), *table.rules.common.trains("russia")]
    assert {table.state.field.pieces[piece].city for piece in mine} == {ASIDE}
    assert table.state.cards.hands["russia"] == []
    assert all(card in table.state.cards.discards[0] for card in cards)
    assert table.state.field.markers == {city(table, "Stettin"): "sweden"}


def test_lehwaldt_leaves_with_russia_unasked() -> None:
    table = bare()
    place(table, "Lehwaldt", "Mohrungen", 4)
    events = strike(table, ELISABETH)
    assert GeneralRetired(general(table, "Lehwaldt"), city(table, "Mohrungen"), 4) in events
    assert at(table, "Lehwaldt") == ASIDE
    assert table.state.tasks == []


def test_prussia_chooses_who_leaves_with_sweden_but_never_friedrich() -> None:
    table = bare()
    place(table, "Friedrich", "Leipzig", 8)
    place(table, "Keith", "Breslau", 5)
    place(table, "Schwerin", "Breslau", 6)
    strike(table, SWEDEN)
    (asked,) = game.decisions(table)
    assert isinstance(asked, ChooseGeneral)
    assert general(table, "Friedrich") not in asked.generals
    assert general(table, "Heinrich") in asked.generals  # though he is off the map
    assert code_of(table, "prussia", NamedGeneral(general(table, "Friedrich"))) == "E-FATE-GENERAL"
    events = game.apply(table, "prussia", NamedGeneral(general(table, "Keith")))
    assert GeneralRetired(general(table, "Keith"), city(table, "Breslau"), 3) in events
    assert troops(table, "Schwerin") == 8
    assert at(table, "Keith") == ASIDE


def test_a_general_who_has_left_already_costs_nobody_else() -> None:
    table = bare()
    place(table, "Lehwaldt", "Mohrungen", 4)
    strike(table, SWEDEN)
    game.apply(table, "prussia", NamedGeneral(general(table, "Lehwaldt")))
    events = strike(table, ELISABETH)
    assert not any(isinstance(event, GeneralRetired) for event in events)
    assert sum(table.state.field.pieces[g].city == ASIDE for g in table.rules.common.generals("prussia")) == 1


def test_cumberland_leaves_with_france() -> None:
    table = bare()
    place(table, "Cumberland", "Hannover", 6)
    place(table, "Ferdinand", "Hannover", 3)
    strike(table, INDIA)
    assert at(table, "Cumberland") == city(table, "Hannover")
    strike(table, AMERICA)
    assert at(table, "Cumberland") == ASIDE
    assert troops(table, "Ferdinand") == 8


ORDERS = [
    order for order in permutations((ELISABETH, SWEDEN, INDIA, AMERICA)) if order.index(INDIA) < order.index(AMERICA)
]


@pytest.mark.parametrize("order", ORDERS)
def test_the_imperial_army_changes_hands_once_and_eases_victory(order: tuple[int, ...]) -> None:
    table = bare()
    changed: list[str] = []
    for stroke in order[:-1]:
        events = strike(table, stroke)
        settle(table)
        changed += [event.player for event in events if isinstance(event, PlayerChanged)]
        gone = set(quitters(table))
        heir = "elisabeth" if {"russia", "sweden"} <= gone else "pompadour" if "france" in gone else "maria-theresa"
        assert table.state.field.alliances.player["imperial"] == heir
        eased = {"sweden"} if gone == {"russia"} or (gone > {"russia"} and "sweden" not in gone) else set()
        eased |= {"austria", "imperial"} if heir != "maria-theresa" else set()
        assert set(table.state.fate.eased) - gone == eased
    assert len(changed) <= 1


def test_three_players_hand_the_imperial_army_to_elisabeth_in_both_cases() -> None:
    for strokes in ((ELISABETH, SWEDEN), (INDIA, AMERICA)):
        table = bare("three")
        for stroke in strokes:
            strike(table, stroke)
            settle(table)
        assert table.state.field.alliances.player["imperial"] == "elisabeth"


def test_sweden_is_not_eased_if_it_left_first() -> None:
    table = bare()
    strike(table, SWEDEN)
    settle(table)
    events = strike(table, ELISABETH)
    assert [event.power for event in events if isinstance(event, VictoryEased)] == ["austria", "imperial"]


@pytest.mark.parametrize("order", ORDERS)
def test_prussia_survives_when_russia_sweden_and_france_have_left(order: tuple[int, ...]) -> None:
    table = bare()
    for stroke in order[:-1]:
        strike(table, stroke)
        settle(table)
    deck = table.state.fate.deck
    deck.append(deck.pop(deck.index(order[-1])))
    begin(table, "fate", "clock")
    assert table.state.result is not None
    assert (table.state.result.winner, table.state.result.how) == ("frederick", "survival")
    assert table.state.tasks == []


def test_in_the_austrian_theatre_powers_that_take_no_part_are_only_noted() -> None:
    table = bare("austria", expert=False)
    place(table, "Keith", "Breslau", 5)
    for stroke in (ELISABETH, SWEDEN, INDIA):
        strike(table, stroke)
    assert quitters(table) == ["russia", "sweden"]
    assert table.state.tasks == []
    assert table.state.fate.eased == []
    assert table.state.field.alliances.player["imperial"] == "maria-theresa"
    assert at(table, "Keith") == city(table, "Breslau")
    assert income_of(table, "austria") == 4


def test_in_the_west_the_second_colony_ends_the_game() -> None:
    table = bare("west", expert=False)
    strike(table, INDIA)
    assert income_of(table, "france") == 3
    deck = table.state.fate.deck
    deck.append(deck.pop(deck.index(AMERICA)))
    begin(table, "fate", "clock")
    assert table.state.result is not None
    assert table.state.result.winner == "frederick"
