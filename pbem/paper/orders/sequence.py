"""Sequence of the powers that are asked at the same time. It is chosen so that all their orders are legal
(docs/orders.md)."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
"""Two limits of a search. There is a search only for at most `MOST_LINES` orders, and it ends after it has tried
`MOST_TRIED` orders. Honest files need some dozens of each."""

Choose = Callable[[Sequence[Power], Counter[Power]], Power]
"""Function that chooses the power that acts next. It gets the powers that may act, and the number of orders that each
power has carried out so far."""


class PlayerOrders(Protocol):
    """Orders of one player, as the search for a sequence uses them."""

    def speaks_of(self, decision: Decision) -> bool:
        """True if there is an answer to the decision. No order is removed."""

    def answer(self, decision: Decision) -> GivenAnswer | None:
        """Return the answer to a decision, and remove the order. Return None if there is no order. Raises
        `IllegalOrder` if no answer can be made of the order."""

    def left_for(self, decision: Decision) -> int:
        """Return the number of answers that are left for decisions of this kind."""

    def copy_at(self, table: Table) -> PlayerOrders:
        """Return a copy of the orders for another table. If an order is removed from the copy, it is not removed from
        the original."""


class Sequencing:
    """Chooser of the next decision, if several powers are asked at the same time. Callers must call `next` before each
    answer."""

    def __init__(self, is_check: bool = False) -> None:
        """Make a chooser. `is_check` is true for a player's orders that are only checked: if no sequence is legal, they
        are tried in one in which the fewest fail, so that no further fault follows from the first."""
        self.is_check = is_check
        self.left: list[Power] = []
        """Powers that have not acted yet, in the chosen sequence."""
        self.at: tuple[str, type[Decision]] | None = None
        """Stage, and type of decision, for which the sequence was chosen."""

    def next(self, table: Table, players: Iterable[PlayerOrders], asked: Sequence[Decision]) -> Decision | None:
        """Return the decision that is answered next. It is one of those in `asked` that have the same type as the
        first. Return None in a game with a fixed sequence of play, and if all powers in the chosen sequence have acted.
        `players` has the unused orders of each player."""
        if table.rules.common.sequence != "any" or not asked:
            return None
        alike = {decision.power: decision for decision in asked if type(decision) is type(asked[0])}
        if self.at != (at := (stage_of(table), type(asked[0]))):
            self.left, self.at = [], at
        if not self.left and len(alike) > 1:
            self.left = [*sequence_of(table, list(players), list(alike), self.is_check)]
        while self.left:
            if found := alike.get(self.left.pop(0)):
                return found
        return None


def sequence_of(
    table: Table, players: Sequence[PlayerOrders], powers: Sequence[Power], is_check: bool = False
) -> tuple[Power, ...]:
    """Return the sequence in which the powers carry out their orders. If possible all orders are legal in it. If not,
    each player's powers act in the sequence that is best for this player, one player after the other. In a check, they
    act in a sequence in which the fewest orders fail."""
    together = Moment.of(table, players, powers)
    if (found := legal_sequence(together)) is not None:
        return found
    if len(players) == 1:
        return (is_check and sequence_with_fewest_faults(together)) or together.written_orders()
    alone = [Moment.of(table, [orders], powers) for orders in players]
    return tuple(power for moment in alone for power in (legal_sequence(moment) or moment.written_orders()))


def legal_sequence(start: Moment) -> tuple[Power, ...] | None:
    """Return a sequence of powers in which all orders are legal, or None. Two sequences are tried first: power after
    power, and the powers alternately. Other sequences are searched for only if there are at most `MOST_LINES`
    orders."""
    for choose in (choose_first_power, choose_least_active):
        if (found := in_turns(start.copy(), choose)) is not None:
            return found
    return searched_sequence(start, 0, iter(range(MOST_TRIED))) if start.is_searched else None


def sequence_with_fewest_faults(start: Moment) -> tuple[Power, ...] | None:
    """Return a sequence of powers in which the fewest orders are illegal, for orders that no sequence makes legal.
    Return None if the search finds no sequence."""
    orders, tries = len(start.written_orders()), iter(range(MOST_TRIED))
    found = (searched_sequence(start, faults, tries) for faults in range(1, orders + 1) if start.is_searched)
    return next(filter(None, found), None)


def choose_first_power(powers: Sequence[Power], acted: Counter[Power]) -> Power:
    return powers[0]


def choose_least_active(powers: Sequence[Power], acted: Counter[Power]) -> Power:
    """Return the power that has carried out the fewest orders. If there are several, return the last of them (MARIA
    §10.1)."""
    return min(reversed(powers), key=lambda power: acted[power])


def in_turns(moment: Moment, choose: Choose) -> tuple[Power, ...] | None:
    """Carry out the orders of a moment one by one. `choose` returns the power whose order is next. Return the sequence
    of powers. Return None as soon as an order is illegal. The moment is changed."""
    acted: Counter[Power] = Counter()
    found: list[Power] = []
    while powers := moment.powers():
        power = choose(powers, acted)
        if not moment.act(power):
            return None
        acted[power] += 1
        found.append(power)
    return tuple(found)


def searched_sequence(start: Moment, faults: int, tries: Iterator[int]) -> tuple[Power, ...] | None:
    """Search for a sequence in which at most `faults` orders are illegal, and return it. Return None if there is none.
    Each order that is tried takes one of `tries`; also return None if none of them is left."""
    seen = {(faults, start.key())}
    path = [(start, start.powers(), faults)]
    found: list[Power] = []
    while path:
        moment, untried, left = path[-1]
        if not untried:
            path.pop()
            found = found[:-1]
            continue
        if next(tries, None) is None:
            return None
        power, then = untried.pop(0), moment.copy()
        left -= not then.act(power)
        if left < 0 or (key := (left, then.key())) in seen:
            continue
        seen.add(key)
        found.append(power)
        if not (powers := then.powers()):
            return tuple(found)
        path.append((then, powers, left))
    return None


class Moment(Struct, frozen=True):
    """Moment between two orders: a table, and the orders that have not been carried out yet."""

    table: Table
    players: tuple[PlayerOrders, ...]
    kinds: dict[Power, type[Decision]]
    """Type of the decision that each power must answer. The powers are in their usual order."""

    @classmethod
    def of(cls, table: Table, players: Sequence[PlayerOrders], powers: Iterable[Power]) -> Moment:
        """Return the moment before the first order, on a copy of the table. The copy has another dealer, so that no
        coming card is revealed."""
        alone = copy_of(table, SeededDealer(""))
        asked = {decision.power: type(decision) for decision in game_of(table).decisions(table)}
        kinds = {power: asked[power] for power in powers if power in asked}
        return cls(alone, tuple(orders.copy_at(alone) for orders in players), kinds)

    def copy(self) -> Moment:
        table = copy_of(self.table)
        return Moment(table, tuple(orders.copy_at(table) for orders in self.players), self.kinds)

    def asked_decisions(self) -> dict[Power, tuple[Decision, PlayerOrders]]:
        """Return the open decision of each power, and the orders that answer it. A power is left out if its open
        decision is not of the type in `kinds`, or if no orders answer it."""
        open_now = {decision.power: decision for decision in game_of(self.table).decisions(self.table)}
        return {
            power: (decision, orders)
            for power, kind in self.kinds.items()
            if type(decision := open_now.get(power)) is kind
            for orders in self.players
            if orders.speaks_of(decision)
        }

    def powers(self) -> list[Power]:
        return list(self.asked_decisions())

    @property
    def is_searched(self) -> bool:
        """True if other sequences are searched for than the two that are tried first."""
        return len(self.kinds) > 1 and len(self.written_orders()) <= MOST_LINES

    def act(self, power: Power) -> bool:
        """Carry out the next order of a power. Return True if the order was legal."""
        decision, orders = self.asked_decisions()[power]
        try:
            if (given := orders.answer(decision)) is None:
                return False
            game_of(self.table).apply(self.table, power, given.answer)
        except IllegalOrder:
            return False
        return True

    def written_orders(self) -> tuple[Power, ...]:
        """Return the sequence in which each power carries out all its orders before the next power begins. It names a
        power once for each order, for example A, A, B."""
        left = {power: orders.left_for(decision) for power, (decision, orders) in self.asked_decisions().items()}
        return tuple(power for power, count in left.items() for _ in range(count))

    def key(self) -> tuple[object, ...]:
        """Return a value by which moments are compared. It is the same if the positions and the numbers of orders left
        are the same."""
        left = tuple((power, orders.left_for(decision)) for power, (decision, orders) in self.asked_decisions().items())
        return (*left, hashlib.sha256(dump_position(self.table)).digest())
