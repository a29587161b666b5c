"""Hussars: the stage in which they are placed (§7), the tolls that generals pay for supply paths through them, and the
supply phase (§9)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from itertools import combinations

from pbem.engine.cards import discard, points
from pbem.engine.decisions import Claim
from pbem.engine.events import Event, GeneralRemoved, HussarPlaced, HussarRemoved, SupplyTraced
from pbem.engine.field import OFF, at_home, occupants, pieces_by_city
from pbem.engine.nouns import Card, City, Hussar, Piece, Power
from pbem.engine.rules import IllegalOrder, Rules, refuse
from pbem.engine.supply import assess, check_in_hand, restore, starve
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.combat import score_shortage
from pbem.games.maria.rules.decisions import HussarPlacement, PayToll, PlaceHussars, Toll
from pbem.games.maria.rules.events import HandShown, TollPaid
from pbem.games.maria.rules.state import Table, active


def total_toll(claims: Iterable[Claim], unsupplied: Container[Piece] = ()) -> int:
    """Return the sum of the tolls, in points of cards, for the supply paths of all generals except those in
    `unsupplied`."""
    return sum(claim.toll for claim in claims if claim.piece not in unsupplied)


def check_payment(rules: Rules, claims: Sequence[Claim], hand: Sequence[Card], answer: PayToll) -> None:
    """Raise `IllegalOrder` for a wrong payment of tolls (§9). A payment is wrong if a card is not in the hand, or if
    too little is paid. It is also wrong to leave a general unsupplied who has no toll to pay, or whose toll the hand
    can pay."""
    check_in_hand(hand, answer.cards)
    cost = {claim.piece: claim.toll for claim in claims}
    for place, general in enumerate(answer.unsupplied):
        if general not in cost or answer.unsupplied.count(general) > 1:
            fault = wrong("E-TOLL-GENERAL", general=rules.pieces[general].name, generals=rules.names(cost))
            raise IllegalOrder(fault, where=("unsupplied", place))
    purse = points(rules.decks, hand)
    price = total_toll(claims)
    paid = points(rules.decks, answer.cards)
    if purse >= price:
        if answer.unsupplied:
            raise IllegalOrder(wrong("E-TOLL-MUST", purse=purse, owed=price), where=("unsupplied",))
        if paid < price:
            raise IllegalOrder(wrong("E-TOLL-SHORT", paid=paid, owed=price), where=("cards",))
        return
    check_shortage(rules, cost, purse, hand, answer)


def check_shortage(rules: Rules, cost: dict[Piece, int], purse: int, hand: Sequence[Card], answer: PayToll) -> None:
    """Check a payment if the hand is worth less than all tolls together (§9). `cost` has the toll of each general, and
    `purse` is the worth of the hand. Raise `IllegalOrder` if the payment is too small for the generals who shall be
    supplied, or if the hand could pay for one general more. In some editions the payment must be the whole hand."""
    if rules.unpaid == "pay all" and sorted(answer.cards) != sorted(hand):
        raise IllegalOrder(wrong("E-TOLL-ALL", purse=purse, owed=sum(cost.values())), where=("cards",))
    kept = sum(cost.values()) - sum(cost[general] for general in answer.unsupplied)
    means = purse if rules.unpaid == "pay all" else points(rules.decks, answer.cards)
    if kept > means:
        raise IllegalOrder(wrong("E-TOLL-UNPAID", means=means, kept=kept), where=("unsupplied",))
    for place, general in enumerate(answer.unsupplied):
        if kept + cost[general] <= purse:
            fault = wrong("E-TOLL-MUST.general", general=rules.pieces[general].name, left=purse - kept)
            raise IllegalOrder(fault, where=("unsupplied", place))


def unsupplied_groups(rules: Rules, claims: Sequence[Claim], hand: Sequence[Card]) -> list[tuple[Piece, ...]]:
    """Return each group of generals that may be left unsupplied. The hand must be able to pay the tolls of all other
    generals, but not the toll of one more. If the hand can pay all tolls, the result has one empty group."""
    purse = points(rules.decks, hand)
    cost = {claim.piece: claim.toll for claim in claims}
    if purse >= sum(cost.values()):
        return [()]
    found = []
    for size in range(1, len(cost) + 1):
        for group in combinations(sorted(cost), size):
            kept = sum(cost.values()) - sum(cost[general] for general in group)
            if kept <= purse and all(kept + cost[general] > purse for general in group):
                found.append(group)
    return found


def begin(table: Table) -> list[Event]:
    """Ask the power that has the hussars where it places them."""
    table.state.owing = [table.rules.game.hussars.power]
    return []


def decision(table: Table, power: Power) -> PlaceHussars:
    return PlaceHussars(power, tuple(table.state.field.hussars), tuple(open_cities(table)))


def open_cities(table: Table) -> list[City]:
    """Return the cities where a hussar may be placed. Such a city is unoccupied, lies on the map of the hussars, and is
    near a general of the hussars' power (§7)."""
    rules, field = table.rules.common, table.state.field
    taken = pieces_by_city(rules, field).at
    facts, board = table.rules.game.hussars, rules.board
    places = [field.pieces[general].city for general in rules.generals(facts.power)]
    near = set[City]().union(*[board.cities_within(city, rules.limits.raid) for city in places if city >= 0])
    return sorted(near & board.of_map[facts.map] - taken.keys())


def check(table: Table, decision: PlaceHussars, answer: HussarPlacement) -> None:
    """Raise `IllegalOrder` for a placement that §7 forbids. All faulty cities are told together. A hussar may always
    stay where it is."""
    if len(answer.cities) != len(decision.standing):
        raise IllegalOrder(wrong("E-HUSSAR-COUNT", hussars=len(decision.standing), count=len(answer.cities)))
    refuse(
        refusal(table, hussar, city)
        for hussar, city in enumerate(answer.cities)
        if city not in (OFF, decision.standing[hussar], *decision.cities)
    )


def refusal(table: Table, hussar: int, city: City) -> IllegalOrder:
    """Return the refusal for a hussar that may not be placed in this city, with the reason."""
    rules = table.rules
    board = rules.common.board
    name, where = board.cities[city].name, ("cities", hussar)
    if board.map[city] != rules.game.hussars.map:
        return IllegalOrder(wrong("E-HUSSAR-MAP", city=name, map=rules.game.hussars.map), where=where)
    there = occupants(table.state.field).get(city)
    if there:
        return IllegalOrder(wrong("E-HUSSAR-TAKEN", pieces=rules.common.names(there), city=name), where=where)
    fault = wrong("E-HUSSAR-FAR", city=name, power=rules.game.hussars.power, most=rules.common.limits.raid)
    return IllegalOrder(fault, where=where)


def place(table: Table, decision: PlaceHussars, answer: HussarPlacement) -> list[Event]:
    """Put the hussars where the power places them. Raises `IllegalOrder` for a placement that is not allowed (§7)."""
    check(table, decision, answer)
    events: list[Event] = []
    hussars = table.state.field.hussars
    for hussar, city in enumerate(answer.cities):
        if city != hussars[hussar]:
            if city == OFF:
                events.append(HussarRemoved(Hussar(hussar), hussars[hussar]))
            else:
                events.append(HussarPlaced(Hussar(hussar), city))
            hussars[hussar] = city
    table.state.owing = []
    return events


def supply(table: Table) -> list[Event]:
    """Carry out the supply phase. Generals who owe a toll wait until their power has paid it. All other generals are at
    once turned face-up, or treated as out of supply."""
    rules, state = table.rules, table.state
    events: list[Event] = []
    for power in active(table):
        free, tolled, cut_off = assess(rules.common, state.field, power)
        down = [general for general in rules.common.generals(power) if state.field.pieces[general].down]
        at_ease = [
            general
            for general in down
            if state.field.pieces[general].city >= 0 and at_home(rules.common, state.field, general)
        ]
        events += [SupplyTraced(claim.piece, claim.path, 0) for claim in free]
        events += restore(state.field, [*at_ease, *(claim.piece for claim in free)])
        events += shortage(table, power, cut_off)
        tolled = [claim for claim in tolled if state.field.pieces[claim.piece].city >= 0]
        if tolled:
            state.tolls[power] = tolled
            state.owing.append(power)
    return events


def toll_decision(table: Table, power: Power) -> Toll:
    return Toll(power, tuple(table.state.tolls[power]), tuple(table.state.cards.hands[power]))


def pay(table: Table, asked: Toll, answer: PayToll) -> list[Event]:
    """Carry out the payment of a toll. In edition 1.0 a power that leaves generals unsupplied shows its hand. Raises
    `IllegalOrder` for a payment that is not allowed."""
    rules, state = table.rules.common, table.state
    check_payment(rules, asked.claims, asked.hand, answer)
    paid = [claim for claim in asked.claims if claim.piece not in answer.unsupplied]
    events: list[Event] = []
    if rules.unpaid == "keep" and answer.unsupplied:
        events.append(HandShown(asked.power, asked.hand))
    if answer.cards:
        discard(state.cards, asked.power, answer.cards)
        events.append(TollPaid(asked.power, answer.cards, total_toll(asked.claims)))
    events += [SupplyTraced(claim.piece, claim.path, claim.toll) for claim in paid]
    events += restore(state.field, [claim.piece for claim in paid])
    events += shortage(table, asked.power, answer.unsupplied)
    state.owing.remove(asked.power)
    del state.tolls[asked.power]
    return events


def shortage(table: Table, power: Power, generals: Collection[Piece]) -> list[Event]:
    """Apply the rules for generals out of supply: turn them face-down, and remove troops. In the advanced game their
    power loses a victory point for each general who is removed for this reason (§9, §16)."""
    events = starve(table.rules.common, table.state.field, power, generals)
    removed = [event.city for event in events if isinstance(event, GeneralRemoved)]
    return [*events, *score_shortage(table, power, removed)]
