"""Political orders as answers to the decisions of the advanced game and the Silesia Gambit."""

from __future__ import annotations

from pbem.engine.decisions import (
    AcceptPeace,
    CedeSilesia,
    ChooseTrump,
    Consent,
    Corps,
    Decision,
    GoTo,
    Influence,
    NameTrump,
    OfferPeace,
    PlaceInfluence,
    Politics,
    Recruitment,
    ReduceObjectives,
    Reinforce,
    Relocate,
    SelectPolitics,
    SendCorps,
    ShiftSaxony,
    Vote,
    Votes,
)
from pbem.maria.table import Table
from pbem.paper.given import Given, NotInHand, Places, pick_cards
from pbem.paper.lexicon import from_hand
from pbem.paper.orders import PowerOrders
from pbem.paper.orders_politics import Written


def political_answer(table: Table, orders: PowerOrders, decision: Decision) -> Given | None:
    """What a power's political orders say to a decision, if they say anything; each is used once."""
    match decision:
        case ChooseTrump():
            written = take(orders, "trump")
            return Given(NameTrump(written.value), written.node) if written else None
        case PlaceInfluence():
            return influence(orders, decision)
        case SelectPolitics():
            return select(orders)
        case SendCorps():
            return corps(table, orders, decision)
        case Reinforce():
            return reinforce(table, orders, decision)
        case Relocate():
            return relocate(orders, decision)
        case ShiftSaxony():
            return consent(orders, "shift")
        case OfferPeace() | AcceptPeace() | CedeSilesia():
            return consent(orders, "peace")
        case ReduceObjectives():
            return consent(orders, "reduce")
        case Vote():
            return vote(orders, decision)
    return None


def take(orders: PowerOrders, field: str) -> Written | None:
    """A section, which is used up by being taken."""
    written: Written | None = getattr(orders.politics, field)
    setattr(orders.politics, field, None)
    return written


def consent(orders: PowerOrders, field: str) -> Given | None:
    """Yes or no."""
    written = take(orders, field)
    return Given(Consent(written.value), written.node) if written else None


def influence(orders: PowerOrders, decision: PlaceInfluence) -> Given | None:
    """The card placed on the display."""
    written = take(orders, "influence")
    if written is None:
        return None
    if written.value is None:
        return Given(Influence(), written.node)
    card = from_hand(decision.hand, written.value)
    if card is None:
        raise NotInHand(decision.power, written.node)
    return Given(Influence(card), written.node)


def select(orders: PowerOrders) -> Given | None:
    """The political card selected."""
    order, orders.politics.politics = orders.politics.politics, None
    if order is None:
        return None
    return Given(Politics(order.card, order.instruction, dict(order.shifts), order.grantee), order.node)


def corps(table: Table, orders: PowerOrders, decision: SendCorps) -> Given | None:
    """The general who goes."""
    order, orders.politics.corps = orders.politics.corps, None
    if order is None:
        return None
    places: Places = {("general",): order.general.node}
    cards = pick_cards(table, decision.power, order.pay, order.node, places)
    price = table.rules.game.advanced.corps_price if order.general.number in decision.recruits else 0
    return Given(Corps(order.general.number, cards), order.node, places, price)


def reinforce(table: Table, orders: PowerOrders, decision: Reinforce) -> Given | None:
    """Troops that cost nothing, by the section `recruit`."""
    order, orders.recruit = orders.recruit, None
    if order is None:
        return None
    troops = {general.number: count for general, count in (order.troops.counts if order.troops else ())}
    places: Places = {("entries", general.number): city.node for general, city in order.enter}
    places |= {("troops", g.number): g.node for g, _ in (order.troops.counts if order.troops else ())}
    cards = pick_cards(table, decision.power, order.pay, order.node, places)
    entries = {general.number: city.number for general, city in order.enter}
    commanders = tuple(commander.number for commander in order.commanders)
    return Given(Recruitment(cards, troops, entries, commanders), order.node, places)


def relocate(orders: PowerOrders, decision: Relocate) -> Given | None:
    """Where the piece goes that is asked for."""
    for order in orders.politics.relocate or []:
        if order.piece.number == decision.piece:
            assert orders.politics.relocate is not None
            orders.politics.relocate.remove(order)
            commander = order.commander.number if order.commander else None
            return Given(GoTo(order.city.number, commander), order.node, {("city",): order.city.node})
    return None


def vote(orders: PowerOrders, decision: Vote) -> Given | None:
    """The votes of a power."""
    written = take(orders, "vote")
    if written is None:
        return None
    if isinstance(written.value, bool):
        return Given(Votes(decision.votes if written.value else 0), written.node)
    return Given(Votes(written.value), written.node)
