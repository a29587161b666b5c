"""The orders of MARIA as answers to the decisions that only it asks: hussars, subsidy, toll, and politics."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.decisions import Decision
from pbem.games.maria.paper.sections import (
    SETTLED,
    CorpsOrder,
    GoOrder,
    HussarsOrder,
    PoliticsOrder,
    TollOrder,
    relocation,
    section_of,
)
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.table import Table
from pbem.paper.lexicon import from_hand
from pbem.paper.orders.answers import recruitment
from pbem.paper.orders.given import Given, NotInHand, Places, numbers, pick_cards, places_of
from pbem.paper.orders.sections import PowerOrders, RecruitOrder, Written


def settled(orders: PowerOrders) -> Iterator[Given]:
    """What is settled with other powers, in the order in which it is written."""
    for section in orders.sections:
        if section in SETTLED:
            yield from (Given(written.value, written.node) for written in orders.take_all(section))


def answer(table: Table, orders: PowerOrders, decision: Decision) -> Given | None:
    """What a power's orders say to a decision, if they say anything; each is used once."""
    match decision:
        case d.PlaceHussars():
            return hussars(orders)
        case d.Subsidy():
            written: Written | None = orders.take("subsidy")
            return Given(d.GiveSubsidy(written.value), written.node) if written else None
        case d.Toll():
            return toll(table, orders, decision)
        case d.ChooseTrump():
            written = orders.take("trump")
            return Given(d.NameTrump(written.value), written.node) if written else None
        case d.PlaceInfluence():
            return influence(table, orders, decision)
        case d.SelectPolitics():
            return select(orders)
        case d.SendCorps():
            return corps(table, orders, decision)
        case d.Reinforce():
            return reinforce(table, orders, decision)
        case d.Relocate():
            return relocate(table, orders, decision)
        case d.ShiftSaxony() | d.OfferPeace() | d.AcceptPeace() | d.CedeSilesia() | d.ReduceObjectives():
            return consent(orders, section_of(table.rules, decision))
        case d.Vote():
            return vote(orders, decision)
    return None


def hussars(orders: PowerOrders) -> Given | None:
    """Where the hussars go."""
    order: HussarsOrder | None = orders.take("hussars")
    if order is None:
        return None
    return Given(d.HussarPlacement(numbers(order.places)), order.node, places_of("cities", order.places))


def toll(table: Table, orders: PowerOrders, decision: d.Toll) -> Given | None:
    """The payment for supply."""
    order: TollOrder | None = orders.take("toll")
    if order is None:
        return None
    places = places_of("unsupplied", order.unsupplied)
    whole = order.pay is None
    cards = decision.hand if whole else pick_cards(table, decision.power, order.pay or (), places)
    unsupplied = numbers(order.unsupplied)
    price = sum(len(claim.path) for claim in decision.claims if claim.piece not in unsupplied)
    return Given(d.PayToll(cards, unsupplied), order.node, places, 0 if unsupplied else price)


def consent(orders: PowerOrders, section: str) -> Given | None:
    """Yes or no."""
    written: Written | None = orders.take(section)
    return Given(d.Consent(written.value), written.node) if written else None


def influence(table: Table, orders: PowerOrders, decision: d.PlaceInfluence) -> Given | None:
    """The card placed on the display."""
    written: Written | None = orders.take("influence")
    if written is None:
        return None
    if written.value is None:
        return Given(d.Influence(), written.node)
    card = from_hand(decision.hand, written.value)
    if card is None:
        raise NotInHand(table, decision.power, written.node)
    return Given(d.Influence(card), written.node)


def select(orders: PowerOrders) -> Given | None:
    """The political card selected."""
    order: PoliticsOrder | None = orders.take("politics")
    if order is None:
        return None
    return Given(d.Politics(order.card, order.instruction, dict(order.shifts), order.grantee), order.node)


def corps(table: Table, orders: PowerOrders, decision: d.SendCorps) -> Given | None:
    """The general who goes."""
    order: CorpsOrder | None = orders.take("corps")
    if order is None:
        return None
    places: Places = {("general",): order.general.node}
    cards = pick_cards(table, decision.power, order.pay, places)
    price = table.rules.game.advanced.corps_price if order.general.number in decision.recruits else 0
    return Given(d.Corps(order.general.number, cards), order.node, places, price)


def reinforce(table: Table, orders: PowerOrders, decision: d.Reinforce) -> Given | None:
    """Troops that cost nothing, by the section `recruit`."""
    order: RecruitOrder | None = orders.take("recruit")
    if order is None:
        return None
    answer, places = recruitment(table, order, decision.power)
    return Given(answer, order.node, places)


def relocate(table: Table, orders: PowerOrders, decision: d.Relocate) -> Given | None:
    """Where the piece goes that is asked for."""
    order: GoOrder | None = orders.take(relocation(table.rules, decision.piece))
    if order is None:
        return None
    commander = order.commander.number if order.commander else None
    return Given(d.GoTo(order.city.number, commander), order.node, {("city",): order.city.node})


def vote(orders: PowerOrders, decision: d.Vote) -> Given | None:
    """All votes for one of the candidates, or how many of them; the rest goes to the other."""
    written: Written | None = orders.take("vote")
    if written is None:
        return None
    if isinstance(written.value, bool):
        return Given(d.Votes(decision.votes if written.value else 0), written.node)
    return Given(d.Votes(written.value), written.node)
