"""Sequence of powers asked at the same time, chosen so that all their orders are legal (docs/orders.md)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct

from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table, stage_of
from pbem.kit import copy_of, dump_position, game_of
from pbem.paper.orders.section import GivenAnswer

MOST_LINES = 100
MOST_TRIED = 2000
"""Limits of a search: the most orders that it puts into a sequence, and the most orders that it tries. Honest files
need some dozens of each."""

Choose = Callable[[Sequence[Power], Counter[Power]], Power]
"""Function that chooses the power to act next. It gets the powers that may act, and the number of orders that each
power has carried out."""


class Lines(Protocol):
    """Orders of one player, as a search for a sequence needs them."""

    def speaks_of(self, decision: Decision) -> bool:
        """True if there is an answer to the decision."""

    def answer(self, decision: Decision) -> GivenAnswer | None:
        """Return the answer to a decision, and remove the order; None without an order. Raises `IllegalOrder` for an
        order that gives no answer."""

    def left_for(self, decision: Decision) -> int:
        """Return the number of answers left for decisions of this kind."""

    def copy_at(self, table: Table) -> Lines:
        """Return a copy of the orders for another table. Orders removed from the copy stay in the original."""


class Sequencing:
    """Chooser of the next decision when several powers are asked at the same time. Call `next` before each answer."""

    def __init__(self) -> None:
        self.left: list[Power] = []
        """Powers that still have to act, in the chosen sequence."""
        self.at: tuple[str, type[Decision]] | None = None
        """Stage and type of decision for which the sequence was chosen."""

    def next(self, table: Table, players: Iterable[Lines], asked: Sequence[Decision]) -> Decision | None:
        """Return the decision to answer next, one of those in `asked` that have the type of the first. Return None in a
        game with a fixed sequence of play, or if all powers in the sequence have acted. `players` has each player's
        unused orders."""
        if table.rules.common.sequence != "any" or not asked:
            return None
        alike = {decision.power: decision for decision in asked if type(decision) is type(asked[0])}
        if self.at != (at := (stage_of(table), type(asked[0]))):
            self.left, self.at = [], at
        if not self.left and len(alike) > 1:
            self.left = [*sequence_of(table, list(players), list(alike))]
        while self.left:
            if found := alike.get(self.left.pop(0)):
                return found
        return None


def sequence_of(table: Table, players: Sequence[Lines], powers: Sequence[Power]) -> tuple[Power, ...]:
    """Return the sequence in which powers carry out their orders: one in which all orders are legal, or else the
    sequences of the single players, one after the other."""
    together = Moment.of(table, players, powers)
    if (found := legal_sequence(together)) is not None:
        return found
    if len(players) == 1:
        return together.written_orders()
    alone = [Moment.of(table, [lines], powers) for lines in players]
    return tuple(power for moment in alone for power in (legal_sequence(moment) or moment.written_orders()))


def legal_sequence(start: Moment) -> tuple[Power, ...] | None:
    """Return a sequence of powers in which all orders are legal, or None. If there are more than `MOST_LINES` orders,
    only two sequences are tried: power after power, and the powers alternately."""
    for choose in (choose_first_power, choose_least_active):
        if (found := in_turns(start.copy(), choose)) is not None:
            return found
    is_searched = len(start.kinds) > 1 and len(start.written_orders()) <= MOST_LINES
    return searched_sequence(start) if is_searched else None


def choose_first_power(powers: Sequence[Power], acted: Counter[Power]) -> Power:
    return powers[0]


def choose_least_active(powers: Sequence[Power], acted: Counter[Power]) -> Power:
    """Return the power that has carried out fewest orders; among equals the last (MARIA §10.1)."""
    return min(reversed(powers), key=lambda power: acted[power])


def in_turns(moment: Moment, choose: Choose) -> tuple[Power, ...] | None:
    """Carry out the orders of a moment one by one. `choose` returns the power whose order is next. Return the sequence
    of powers, or None at an illegal order. The moment is changed."""
    acted: Counter[Power] = Counter()
    found: list[Power] = []
    while powers := moment.powers():
        power = choose(powers, acted)
        if not moment.act(power):
            return None
        acted[power] += 1
        found.append(power)
    return tuple(found)


def searched_sequence(start: Moment) -> tuple[Power, ...] | None:
    """Search for a sequence in which all orders are legal. Return None without one, or after `MOST_TRIED` orders."""
    tried, seen = 0, {start.key()}
    path = [(start, start.powers())]
    found: list[Power] = []
    while path and tried < MOST_TRIED:
        moment, untried = path[-1]
        if not untried:
            path.pop()
            found = found[:-1]
            continue
        power, then, tried = untried.pop(0), moment.copy(), tried + 1
        if not then.act(power) or (key := then.key()) in seen:
            continue
        seen.add(key)
        found.append(power)
        if not (powers := then.powers()):
            return tuple(found)
        path.append((then, powers))
    return None


class Moment(Struct, frozen=True):
    """Moment between two orders: a table, and the orders that are still to be carried out."""

    table: Table
    players: tuple[Lines, ...]
    kinds: dict[Power, type[Decision]]
    """Type of decision that each power owes. The powers are in their usual order."""

    @classmethod
    def of(cls, table: Table, players: Sequence[Lines], powers: Iterable[Power]) -> Moment:
        """Return the moment before the first order, on a copy of the table. The copy has another dealer, which reveals
        no coming card."""
        alone = copy_of(table, SeededDealer(""))
        asked = {decision.power: type(decision) for decision in game_of(table).decisions(table)}
        kinds = {power: asked[power] for power in powers if power in asked}
        return cls(alone, tuple(lines.copy_at(alone) for lines in players), kinds)

    def copy(self) -> Moment:
        table = copy_of(self.table)
        return Moment(table, tuple(lines.copy_at(table) for lines in self.players), self.kinds)

    def asked_decisions(self) -> dict[Power, tuple[Decision, Lines]]:
        """Return the open decision of each power, and the orders that answer it. A power is left out if its open
        decision has not the type that `kinds` gives for it, or if no orders answer the decision."""
        open_now = {decision.power: decision for decision in game_of(self.table).decisions(self.table)}
        return {
            power: (decision, lines)
            for power, kind in self.kinds.items()
            if type(decision := open_now.get(power)) is kind
            for lines in self.players
            if lines.speaks_of(decision)
        }

    def powers(self) -> list[Power]:
        return list(self.asked_decisions())

    def act(self, power: Power) -> bool:
        """Carry out the next order of a power. Return True if it was legal."""
        decision, lines = self.asked_decisions()[power]
        try:
            if (given := lines.answer(decision)) is None:
                return False
            game_of(self.table).apply(self.table, power, given.answer)
        except IllegalOrder:
            return False
        return True

    def written_orders(self) -> tuple[Power, ...]:
        """Return the sequence of powers in which each carries out all its orders before the next begins, such as A, A,
        B."""
        left = {power: lines.left_for(decision) for power, (decision, lines) in self.asked_decisions().items()}
        return tuple(power for power, count in left.items() for _ in range(count))

    def key(self) -> tuple[object, ...]:
        """Return a value that is equal for moments with equal positions and equal numbers of orders left."""
        left = tuple((power, lines.left_for(decision)) for power, (decision, lines) in self.asked_decisions().items())
        return (*left, hashlib.sha256(dump_position(self.table)).digest())
