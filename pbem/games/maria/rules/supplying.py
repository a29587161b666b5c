"""Supply phase of the active powers (§9)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.cards import discard
from pbem.engine.events import Event, GeneralRemoved, SupplyTraced
from pbem.engine.field import at_home
from pbem.engine.nouns import Piece, Power
from pbem.engine.supply import assess, restore, starve
from pbem.games.maria.rules.combat import removed_by_shortage
from pbem.games.maria.rules.decisions import PayToll, Toll
from pbem.games.maria.rules.events import HandShown, TollPaid
from pbem.games.maria.rules.hussars import check_payment, total_toll
from pbem.games.maria.rules.state import Table, active


def begin(table: Table) -> list[Event]:
    """Trace every path. Generals who owe a toll wait for the payment; the others get their result at once."""
    rules, state = table.rules, table.state
    events: list[Event] = []
    for power in active(table):
        free, tolled, cut_off = assess(rules.common, state.field, power)
        down = [general for general in rules.common.generals(power) if state.field.pieces[general].down]
        at_ease = [general for general in down if stands_at_home(table, general)]
        events += [SupplyTraced(claim.piece, claim.path, 0) for claim in free]
        events += restore(state.field, [*at_ease, *(claim.piece for claim in free)])
        events += shortage(table, power, cut_off)
        tolled = [claim for claim in tolled if state.field.pieces[claim.piece].city >= 0]
        if tolled:
            state.tolls[power] = tolled
            state.owing.append(power)
    return events


def stands_at_home(table: Table, general: Piece) -> bool:
    """True if a general is on the map and in its home country."""
    field = table.state.field
    return field.pieces[general].city >= 0 and at_home(table.rules.common, field, general)


def decision(table: Table, power: Power) -> Toll:
    return Toll(power, tuple(table.state.tolls[power]), tuple(table.state.cards.hands[power]))


def pay(table: Table, decision: Toll, answer: PayToll) -> list[Event]:
    """Take the payment. Generals who are paid for are in supply; the others suffer shortage."""
    rules, state = table.rules.common, table.state
    check_payment(rules, decision.claims, decision.hand, answer)
    paid = [claim for claim in decision.claims if claim.piece not in answer.unsupplied]
    events: list[Event] = []
    if rules.unpaid == "keep" and answer.unsupplied:
        events.append(HandShown(decision.power, decision.hand))
    if answer.cards:
        discard(state.cards, decision.power, answer.cards)
        events.append(TollPaid(decision.power, answer.cards, total_toll(decision.claims)))
    events += [SupplyTraced(claim.piece, claim.path, claim.toll) for claim in paid]
    events += restore(state.field, [claim.piece for claim in paid])
    events += shortage(table, decision.power, answer.unsupplied)
    state.owing.remove(decision.power)
    del state.tolls[decision.power]
    return events


def shortage(table: Table, power: Power, generals: Collection[Piece]) -> list[Event]:
    """Carry out shortage. Each general removed costs a victory point in the advanced game (§9, §16)."""
    events = starve(table.rules.common, table.state.field, power, generals)
    removed = [event.city for event in events if isinstance(event, GeneralRemoved)]
    return [*events, *removed_by_shortage(table, power, removed)]
