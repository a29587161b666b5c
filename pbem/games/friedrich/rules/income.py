"""Tactical cards phase: cards that the active power draws, and cards that it sets aside at once (§3)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.cards import discard
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import offensive
from pbem.games.friedrich.rules.decisions import CardsBack, ReturnCards
from pbem.games.friedrich.rules.events import CardsReturned
from pbem.games.friedrich.rules.state import Table, active, draw_cards


def begin(table: Table) -> list[Event]:
    """Draw the cards of this turn. A power that must set some aside is then asked which."""
    power, state = active(table), table.state
    drawn, events = draw_cards(table, power, income_of(table, power))
    # Cards are set aside even if fewer than usual were drawn (docs/rulings-friedrich.md, few for France).
    if min(returned_of(table, power), len(drawn)):
        state.drawn = drawn
        state.owing = [power]
        return events
    offensive.at_draw(table)
    return events


def income_of(table: Table, power: Power) -> int:
    """Cards that a power draws a turn as things stand (§3, §11)."""
    facts = table.rules.income(power)
    return by_strokes(table, facts.income, facts.cut_by)


def returned_of(table: Table, power: Power) -> int:
    """Cards of these that it sets aside at once."""
    facts = table.rules.income(power)
    return by_strokes(table, facts.returned, facts.cut_by)


def by_strokes(table: Table, numbers: Sequence[int], strokes: Sequence[int]) -> int:
    """Number that holds with those of these strokes of fate that are out."""
    if not numbers:
        return 0
    out = sum(stroke in table.state.fate.out for stroke in strokes)
    return numbers[min(out, len(numbers) - 1)]


def decision(table: Table, power: Power) -> ReturnCards:
    drawn = table.state.drawn
    return ReturnCards(power, tuple(drawn), min(returned_of(table, power), len(drawn)))


def give_back(table: Table, decision: ReturnCards, answer: CardsBack) -> list[Event]:
    """Set the chosen cards aside unseen."""
    state, count = table.state, decision.count
    if len(answer.cards) != count or len(set(answer.cards)) != count:
        raise IllegalOrder(wrong("E-RETURN-COUNT", given=len(answer.cards), count=count), where=("cards",))
    for place, card in enumerate(answer.cards):
        if card not in decision.cards:
            raise IllegalOrder(wrong("E-RETURN-CARD"), where=("cards", place))
    discard(state.cards, decision.power, answer.cards)
    state.drawn = []
    state.owing = []
    offensive.at_draw(table)
    return [CardsReturned(decision.power, count, answer.cards)]
