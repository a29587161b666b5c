"""The orders of FRIEDRICH as answers to the decisions that only it asks: recruits, and the Clock of Fate."""

from __future__ import annotations

from pbem.engine.decisions import Decision
from pbem.games.friedrich.paper.sections import section_of
from pbem.games.friedrich.rules.decisions import CardsBack, Levy, ReturnCards
from pbem.games.friedrich.rules.fate_decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    NamedCities,
    NamedGeneral,
    Shift,
    ShiftPieces,
)
from pbem.games.friedrich.rules.recruiting import bought, price
from pbem.games.friedrich.rules.table import Table
from pbem.paper.orders.answers import recruitment
from pbem.paper.orders.given import Given, Places, numbers, pick_cards, places_of
from pbem.paper.orders.sections import Named, PowerOrders, RecruitOrder, Written


def answer(table: Table, orders: PowerOrders, decision: Decision) -> Given | None:
    """What a power's orders say to a decision, if they say anything; each is used once."""
    section = section_of(table.rules, decision)
    match decision:
        case ReturnCards():
            return cards_back(table, orders, decision, section)
        case Levy():
            order: RecruitOrder | None = orders.take("recruit")
            return levy(table, order, decision.power) if order else None
        case ChooseGeneral():
            named: Named | None = orders.take(section)
            return Given(NamedGeneral(named.number), named.node) if named else None
        case GiveCard():
            return give(table, orders, decision, section)
        case ShiftPieces():
            written: Written | None = orders.take(section)
            return Given(Shift(written.value), written.node) if written else None
        case ChooseCities():
            written = orders.take(section)
            if written is None:
                return None
            return Given(NamedCities(numbers(written.value)), written.node, places_of("cities", written.value))
    return None


def cards_back(table: Table, orders: PowerOrders, decision: ReturnCards, section: str) -> Given | None:
    """The cards set aside; of several alike those just drawn are meant."""
    written: Written | None = orders.take(section)
    if written is None:
        return None
    places: Places = {}
    cards = pick_cards(table, decision.power, written.value, places, first=decision.cards)
    return Given(CardsBack(cards), written.node, places)


def levy(table: Table, order: RecruitOrder, power: str) -> Given:
    """Troops, trains and generals who come back, between the marches or behind them."""
    given, places = recruitment(table, order, power)
    return Given(given, order.node, places, sum(bought(table, given)) * price(table, power))


def give(table: Table, orders: PowerOrders, decision: GiveCard, section: str) -> Given | None:
    """A card for another power or for the deck, or none."""
    written: Written | None = orders.take(section)
    if written is None or written.value is None:
        return Given(GivenCard(), written.node) if written else None
    (card,) = pick_cards(table, decision.power, [written.value], {})
    return Given(GivenCard(card), written.node)
