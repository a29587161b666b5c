"""Source of a player's answers. They come from the orders for a stage, from plans, and from orders given in advance."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from pbem.campaign.play.ahead import AheadInUse, AheadSource, ahead_in
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.paper.documents.faults import Fault
from pbem.paper.orders.files import Orders, OrderSource
from pbem.paper.orders.names import PowerOrders
from pbem.paper.orders.section import GivenAnswer
from pbem.paper.orders.sequence import Sequencing
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource, take_plans

Remains = Mapping[str, Mapping[str, int]]
"""Dict from each power to another dict. That dict maps each section to the number of its unused orders, and each script
to the number of its used lines."""


class OrdersAndPlans(NamedTuple):
    """Two sources of answers in one letter: the orders, and the plans among them."""

    orders: OrderSource
    plans: PlanSource


class PlayerSource:
    """Source of answers from all of a player's valid letters. It asks the orders for the stage first, then the plans
    among them, then orders given in advance, then standing plans."""

    def __init__(
        self, written: OrdersAndPlans | None, standing: PlanSource | None, ahead: AheadSource | None = None
    ) -> None:
        self.written = written
        self.standing = standing
        self.ahead = ahead
        self.sequencing = Sequencing(is_check=True)
        if ahead:
            ahead.orders_beside = self.orders_of

    def powers(self) -> list[Power]:
        """Return the powers with orders for the stage, or with plans among these orders."""
        return list(dict.fromkeys(power for part in self.written or () for power in part.powers()))

    def take_free_orders(self, power: Power) -> list[GivenAnswer]:
        """Remove the orders of a power that answer no decision, and return them."""
        found = self.written.orders.take_free_orders(power) if self.written else []
        return [replace(given, is_of_stage=True) for given in found]

    def speaks_of(self, decision: Decision) -> bool:
        """True if a letter of the player answers this decision. No order is used up."""
        if self.written and self.written.orders.speaks_of(decision):
            return True
        plans = self.plans_among(decision)
        if plans is None and self.ahead and self.ahead.speaks_of(decision):
            return True
        plans = plans or self.standing
        return plans is not None and plans.speaks_of(decision)

    def answer(self, decision: Decision) -> GivenAnswer | None:
        """Answer a decision, and use the order up. Return None if no letter answers it. Raises `Unusable` for an order
        that cannot be understood."""
        if self.written and (given := self.written.orders.answer(decision)) is not None:
            if self.ahead:
                self.ahead.pass_over(decision)
            return replace(given, is_of_stage=True)
        if plans := self.plans_among(decision):
            return plans.answer(decision)
        by_plans = self.standing is not None and self.standing.speaks_of(decision)
        if by_plans and self.ahead and self.ahead.only_holds(decision):
            return self.standing_answer(decision)
        if self.ahead and (given := self.ahead.answer(decision)) is not None:
            return replace(given, is_ahead=True)
        return self.standing_answer(decision)

    def standing_answer(self, decision: Decision) -> GivenAnswer | None:
        """Return the answer of the standing plans, or None if they have none. Its warnings give the reasons why orders
        given in advance have no answer. Warnings about the plans have no place, which would be in another letter."""
        given = self.standing.answer(decision) if self.standing else None
        if given is None:
            return None
        own = (replace(fault, line=0, column=0) for fault in given.warnings)
        return replace(given, warnings=(*(self.ahead.take_notes() if self.ahead else ()), *own))

    def why_not(self, decision: Decision) -> tuple[Fault, ...]:
        """Return the reasons why plans and orders given in advance do not answer a decision. Return no reasons if a
        letter answers it."""
        if self.speaks_of(decision):
            return ()
        if plans := self.plans_among(decision):
            return plans.why_not(decision)
        ahead = self.ahead.why_not(decision) if self.ahead else ()
        return (*ahead, *(self.standing.why_not(decision) if self.standing else ()))

    def orders_of(self, decision: Decision) -> PowerOrders | None:
        """Return the orders for the stage that answer a decision. If there are none, return the orders given in advance
        that answer it. Return None if there are no such orders, either. No order is used up."""
        if self.written and self.written.orders.speaks_of(decision):
            return self.written.orders.orders.powers[decision.power]
        return self.ahead.orders_of(decision) if self.ahead and self.plans_among(decision) is None else None

    def in_turn(self, table: Table, asked: Sequence[Decision]) -> list[Decision]:
        """Return the decisions that have an answer. If the sequence of powers matters, return only the decision that
        comes next."""
        own = [decision for decision in asked if self.speaks_of(decision)]
        found = self.sequencing.next(table, [self.order_source(table, own)], own)
        return [found] if found else own

    def order_source(self, table: Table, asked: Iterable[Decision]) -> OrderSource:
        """Return a source of the player's unused orders for the decisions `asked`. The search for a legal sequence of
        powers needs such sources."""
        found = {decision.power: orders for decision in asked if (orders := self.orders_of(decision))}
        return OrderSource(table, Orders("letter", None, found))

    def plans_among(self, decision: Decision) -> PlanSource | None:
        """Return the plans among the orders if one of them is for this decision, else None."""
        return self.written.plans if self.written and self.written.plans.is_for(decision) else None

    def note_act(self, power: Power) -> None:
        if self.ahead:
            self.ahead.note_act(power)

    def drop_cards(self, powers: Iterable[Power]) -> None:
        """Drop the unused cards in the orders of these powers, because their combat is over."""
        if self.written:
            self.written.orders.drop_cards(powers)

    def end_of_stage(self) -> None:
        """Drop the orders for the stage, and the plans among them."""
        self.written = None

    def remains(self) -> dict[str, dict[str, int]] | None:
        """Return the unused part of the present orders, by power: the number of unused orders in each section, and the
        number of used lines of each script. Return None if there are no orders."""
        if self.written is None:
            return None
        left, used = self.written.orders.remains(), self.written.plans.used_lines()
        return {power: {**left.get(power, {}), **used.get(power, {})} for power in self.powers()}

    @property
    def has_more_orders(self) -> bool:
        """True if orders for the stage, or plans among them, are left. The end of the moves is no order."""
        if self.written is None:
            return False
        return self.written.orders.has_more or any(self.written.plans.plans.values())

    def in_use(self) -> dict[Power, AheadInUse]:
        """Return the state of the orders that each power has given in advance for the present stage."""
        return self.ahead.in_use() if self.ahead else {}

    def used_lines(self) -> dict[str, dict[str, int]]:
        """Return the number of used lines of each script in standing plans, by power."""
        return self.standing.used_lines() if self.standing else {}


def source_of(table: Table, orders: Orders, tally: Tally, remains: Remains | None, stage: str) -> OrdersAndPlans:
    """Return two sources of answers from one letter: its orders, and the plans among them. Plans are removed from
    `orders`. Orders given in advance are removed, too, because another source answers from them."""
    plans = take_plans(orders)
    ahead_in(orders)
    return OrdersAndPlans(OrderSource(table, orders, remains), PlanSource(table, plans, tally, remains, stage))


def standing_source(table: Table, orders: Orders, tally: Tally, used: Remains | None, stage: str) -> PlanSource:
    return PlanSource(table, take_plans(orders), tally, used, stage)
