"""Sequence of the orders of powers that are asked together, chosen so that all are legal.

Each power's own orders keep the order in which they are written. docs/orders.md says which sequence is chosen.
"""

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
from pbem.paper.orders.section import Given

MOST_LINES = 100
MOST_TRIED = 2000
"""Most lines for which a sequence is searched, and most that are tried; honest files need some dozens of each."""

Choose = Callable[[Sequence[Power], Counter[Power]], Power]
"""Chooses the next of the powers that may act, by the number of orders that each has carried out."""


class Lines(Protocol):
    """The orders of one player, used up from the front."""

    def speaks_of(self, decision: Decision) -> bool:
        """True if there is an answer to a decision."""

    def answer(self, decision: Decision) -> Given | None:
        """The answer. Raises `IllegalOrder` if none can be made of the orders."""

    def left_for(self, decision: Decision) -> int:
        """Number of answers left for decisions of this kind."""

    def copy_at(self, table: Table) -> Lines:
        """A copy at another table; using it up leaves these orders as they are."""


class Sequencing:
    """Chooses the next power to act, of those that are asked together; asked again before each answer."""

    def __init__(self) -> None:
        self.left: list[Power] = []
        """Powers left of the sequence that was found."""
        self.at: tuple[str, type[Decision]] | None = None
        """The stage and the kind of decision that it is for."""

    def next(self, table: Table, players: Iterable[Lines], asked: Sequence[Decision]) -> Decision | None:
        """The decision to answer next, of those in which several powers are asked the same; None if all are different.

        `asked` is in the order in which one power would act after the other. No order is used up.
        """
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
    """The sequence in which powers act that are asked the same thing, by the orders of one player or of several.

    If none makes all orders legal, each player's own orders are put in a sequence that makes those legal. If that fails
    as well, one power acts after the other.
    """
    together = Moment.of(table, players, powers)
    if (found := legal_sequence(together)) is not None:
        return found
    if len(players) == 1:
        return together.written_orders()
    alone = [Moment.of(table, [lines], powers) for lines in players]
    return tuple(power for moment in alone for power in (legal_sequence(moment) or moment.written_orders()))


def legal_sequence(start: Moment) -> tuple[Power, ...] | None:
    """A sequence in which all orders are legal: one after the other, alternating, or found by search; None if there is
    none."""
    for choose in (one_after_the_other, alternating):
        if (found := in_turns(start.copy(), choose)) is not None:
            return found
    is_searched = len(start.kinds) > 1 and len(start.written_orders()) <= MOST_LINES
    return searched_sequence(start) if is_searched else None


def one_after_the_other(powers: Sequence[Power], acted: Counter[Power]) -> Power:
    """All of the first power, then of the next."""
    return powers[0]


def alternating(powers: Sequence[Power], acted: Counter[Power]) -> Power:
    """One order of each, the last power first (MARIA §10.1)."""
    return min(reversed(powers), key=lambda power: acted[power])


def in_turns(moment: Moment, choose: Choose) -> tuple[Power, ...] | None:
    """The sequence of powers chosen in this way; None if an order in it is illegal. The moment is used up."""
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
    """The first legal sequence, if sequences are compared step by step by the order of the powers; None if none is
    found.

    A position that was reached before with the same orders left is not tried again.
    """
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
    """A table, and the remaining orders of powers that are asked the same thing."""

    table: Table
    players: tuple[Lines, ...]
    kinds: dict[Power, type[Decision]]
    """Type of decision that each power is asked, in the order in which one acts after the other."""

    @classmethod
    def of(cls, table: Table, players: Sequence[Lines], powers: Iterable[Power]) -> Moment:
        """The moment at a copy of a table, with another dealer: its own would reveal cards that nobody knows yet."""
        alone = copy_of(table, SeededDealer(""))
        asked = {decision.power: type(decision) for decision in game_of(table).decisions(table)}
        kinds = {power: asked[power] for power in powers if power in asked}
        return cls(alone, tuple(lines.copy_at(alone) for lines in players), kinds)

    def copy(self) -> Moment:
        table = copy_of(self.table)
        return Moment(table, tuple(lines.copy_at(table) for lines in self.players), self.kinds)

    def asked_decisions(self) -> dict[Power, tuple[Decision, Lines]]:
        """The decision of each power that is still asked the same, and the orders that answer it."""
        open_now = {decision.power: decision for decision in game_of(self.table).decisions(self.table)}
        return {
            power: (decision, lines)
            for power, kind in self.kinds.items()
            if type(decision := open_now.get(power)) is kind
            for lines in self.players
            if lines.speaks_of(decision)
        }

    def powers(self) -> list[Power]:
        """The powers that may act now."""
        return list(self.asked_decisions())

    def act(self, power: Power) -> bool:
        """Carry out the next order of a power; returns whether it was legal."""
        decision, lines = self.asked_decisions()[power]
        try:
            if (given := lines.answer(decision)) is None:
                return False
            game_of(self.table).apply(self.table, power, given.answer)
        except IllegalOrder:
            return False
        return True

    def written_orders(self) -> tuple[Power, ...]:
        """All orders that are left, one power after the other."""
        left = {power: lines.left_for(decision) for power, (decision, lines) in self.asked_decisions().items()}
        return tuple(power for power, count in left.items() for _ in range(count))

    def key(self) -> tuple[object, ...]:
        """Everything that the legality of further orders depends on: the position, and the number of orders left."""
        left = tuple((power, lines.left_for(decision)) for power, (decision, lines) in self.asked_decisions().items())
        return (*left, hashlib.sha256(dump_position(self.table)).digest())
