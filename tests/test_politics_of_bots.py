"""Politics of the bots of MARIA: political cards are judged by what their effects would do to each power, in positions
where the best card is plain."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pbem.engine.cards import card_of
from pbem.engine.field import ASIDE, alter
from pbem.engine.nouns import Card, Power, Suit
from pbem.games.maria.bots.sensible import choose
from pbem.games.maria.bots.sensible.effects import best_execution, interest, loss_by, marker_worth
from pbem.games.maria.bots.sensible.sight import USUAL, see
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.decisions import Influence, PlaceInfluence, Politics, SelectPolitics
from pbem.games.maria.rules.points import pool
from pbem.games.maria.rules.politics_data import Political, PoliticalCard
from pbem.games.maria.rules.state import Affairs, Table

from .play import start

WAR, DENMARK, SWEDEN, SARDINIA, LOPUKHINA, SHIPS, FRANKFURT, ALLIANCE = map(Political, (5, 6, 8, 10, 14, 16, 18, 19))

HEARTS = Suit(2)


def politics(*cards: Political, turn: int = 6) -> tuple[Table, Affairs]:
    """A game with these political cards open."""
    table, _ = start(Terms("advanced"), 1)
    affairs = table.state.affairs
    assert affairs is not None
    table.state.turn = turn
    affairs.open, affairs.trump, affairs.deck = list(cards), HEARTS, []
    return table, affairs


def selected(table: Table, power: str, others: tuple[str, ...] = ()) -> Politics:
    """Choice of the power, which has the right to select first; `others` may select after it."""
    affairs = table.state.affairs
    assert affairs is not None
    affairs.display = {Power(each): [card_of(HEARTS, 2, 0)] for each in (power, *others)}
    affairs.order = [Power(each) for each in (power, *others)]
    facts = table.rules.politics.card_by_number
    cards = tuple(number for number in affairs.open if power in facts[number].arms)
    answer = choose(table, SelectPolitics(Power(power), cards, True), Random(1))
    assert isinstance(answer, Politics)
    return answer


def leave_in_pool(table: Table, power: str, left: int) -> None:
    """Set markers of a power aside until so many are left."""
    affairs = table.state.affairs
    assert affairs is not None
    affairs.set_aside.pop(Power(power), None)
    affairs.set_aside[Power(power)] = pool(table, Power(power)) - left
    assert pool(table, Power(power)) == left


def fill(table: Table, power: str) -> None:
    """Bring all generals of a power on the map to their greatest number of troops; others take no part any more."""
    common = table.rules.common
    for general in common.generals(Power(power)):
        if table.state.field.pieces[general].city >= 0:
            alter(table.state.field, general, troops=common.limits.troops)
        else:
            alter(table.state.field, general, city=ASIDE)


def test_the_marker_that_wins_the_game_is_taken_before_anything_else() -> None:
    """The Quadruple Alliance brings Saxony over to Austria, Ships before Naples bring Austria's marker in Italy."""
    for left, card in ((8, ALLIANCE), (1, SHIPS)):
        table, affairs = politics(ALLIANCE, SHIPS)
        affairs.tracks |= {"italy": 3, "saxony": 0}
        leave_in_pool(table, "austria", left)
        assert selected(table, "austria").card == card


def test_a_rival_is_kept_from_the_marker_that_wins_him_the_game() -> None:
    """The card is discarded, for France gains nothing by it."""
    table, affairs = politics(SHIPS, FRANKFURT, turn=12)
    affairs.tracks["italy"] = 3
    leave_in_pool(table, "austria", 1)
    assert selected(table, "france", ("austria",)) == Politics(SHIPS)
    leave_in_pool(table, "austria", 8)
    assert selected(table, "france", ("austria",)).card == FRANKFURT


def test_a_card_that_no_rival_can_select_is_not_taken_from_him() -> None:
    table, affairs = politics(SHIPS, turn=2)
    affairs.tracks["italy"] = 3
    leave_in_pool(table, "austria", 1)
    assert selected(table, "france", ("prussia",)) == Politics(None)


def test_troops_for_whom_no_general_has_room_are_worth_nothing() -> None:
    table, _ = politics(DENMARK)
    worth = {}
    for full in (False, True):
        if full:
            fill(table, "pragmatic")
        worth[full] = best_execution(see(table, Power("pragmatic")), Power("pragmatic"), facts(table, DENMARK))[0]
    assert worth == {False: 1 + 3 * USUAL.troop, True: 1.0}


def test_who_has_room_gets_troops_that_one_of_two_may_have() -> None:
    table, _ = politics(FRANKFURT)
    assert selected(table, "france") == Politics(FRANKFURT, True, {}, Power("france"))
    fill(table, "france")
    assert selected(table, "france") == Politics(FRANKFURT, True, {}, Power("bavaria"))


def test_income_that_a_power_does_not_have_is_not_taken_from_it() -> None:
    table, affairs = politics(WAR)
    assert selected(table, "austria").instruction
    affairs.lasting[Power("france")] = -20
    assert selected(table, "austria") == Politics(None)


def test_expeditions_of_the_last_turns_hurt_less() -> None:
    """Prussia's corps goes, and does not come back before the end."""
    losses = []
    for turn in (2, 12):
        table, affairs = politics(SWEDEN, turn=turn)
        affairs.tracks["russia"] = 1
        losses.append(loss_by(see(table, Power("prussia")), Power("prussia"), Power("austria"), facts(table, SWEDEN)))
    early, late = losses
    assert 0 < late < early / 3


@pytest.mark.parametrize(("left", "times"), [(1, 4.0), (2, 2.0), (4, 1.0), (8, 0.5)])
def test_a_marker_is_worth_more_the_fewer_are_left(left: int, times: float) -> None:
    """Austria has eight."""
    table, _ = politics()
    leave_in_pool(table, "austria", left)
    assert marker_worth(see(table, Power("austria")), Power("austria")) == USUAL.marker * times


def placed(table: Table, power: str, hand: tuple[Card, ...]) -> Card | None:
    """Card that a power places for influence."""
    table.state.cards.hands[Power(power)] = list(hand)
    table.state.phase, table.state.owing = "placing", [Power(power)]
    answer = choose(table, PlaceInfluence(Power(power), hand), Random(1))
    assert isinstance(answer, Influence)
    return answer.card


def test_only_powers_that_may_select_the_card_are_outbid() -> None:
    """Sardinia is for France, the Pragmatic Army and Austria; the Lopukhina affair is for Prussia, too."""
    low, high = card_of(HEARTS, 3, 0), card_of(HEARTS, 9, 0)
    table, affairs = politics(SARDINIA)
    affairs.display = {Power("prussia"): [card_of(HEARTS, 7, 0)]}
    assert placed(table, "austria", (low, high)) == low
    affairs.display = {Power("france"): [card_of(HEARTS, 7, 0)]}
    assert placed(table, "austria", (low, high)) == high


def test_who_leads_already_and_places_last_places_nothing() -> None:
    """Prussia places first, and others may still come before it."""
    low = card_of(HEARTS, 3, 0)
    table, affairs = politics(SARDINIA)
    affairs.display = {Power("austria"): [card_of(HEARTS, 7, 0)], Power("france"): [card_of(HEARTS, 5, 0)]}
    assert placed(table, "austria", (low,)) is None
    table, affairs = politics(LOPUKHINA, turn=2)
    affairs.display = {Power("prussia"): [card_of(HEARTS, 7, 0)], Power("france"): [card_of(HEARTS, 5, 0)]}
    affairs.tracks["russia"] = 2
    assert placed(table, "prussia", (low,)) == low


def test_a_rival_is_thought_to_help_the_other_powers_of_his_player() -> None:
    """The Pragmatic Army belongs to Prussia's player, and Prussia would spare it the Jacobites."""
    table, _ = politics()
    outlook = see(table, Power("austria"), replace(USUAL, partner=0.6))
    assert interest(outlook, Power("prussia"), Power("pragmatic")) == 0.6
    assert interest(outlook, Power("austria"), Power("prussia")) == USUAL.enemy


def facts(table: Table, number: Political) -> PoliticalCard:
    return table.rules.politics.card_by_number[number]
