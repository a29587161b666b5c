"""A decision answered by small choices: the words offered next, and finally the answer."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from pbem.bots.holding import hold
from pbem.engine.decisions import Answer, Decision
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.engine.table import Table
from pbem.env.filling import fill
from pbem.env.vocabulary import Vocabulary
from pbem.kit import game_of
from pbem.paper.documents.nodes import node_of
from pbem.paper.orders.answers import OrderSource, form_of
from pbem.paper.orders.files import read_orders
from pbem.seal.canonical import Tree

TRIES = 3
"""Number of illegal answers after which the default order answers."""


class Asking:
    """A decision in the course of being answered."""

    def __init__(self, table: Table, decision: Decision, vocabulary: Vocabulary) -> None:
        self.table = table
        self.decision = decision
        self.vocabulary = vocabulary
        self.form = form_of(table, decision)
        self.tries = 0
        self.begin()

    def begin(self) -> None:
        """Start over."""
        self.taken: list[int] = []
        self.chosen: list[int] = []
        """Members of `taken` that were a choice among several."""
        self.offered: dict[int, str] = {}
        self.written: Tree | None = None
        """Answer as a tree, once complete; None if no way on was left."""
        self.filling = fill(self.form.input)
        self.go_on(None)

    @property
    def is_open(self) -> bool:
        """True if there is something to choose."""
        return bool(self.offered)

    def take(self, number: int) -> None:
        """Take one of the words offered, and all following ones that leave no choice."""
        word = self.offered[number]
        self.taken.append(number)
        self.chosen.append(number)
        self.go_on(word)

    def again(self, table: Table) -> Asking:
        """Same state at a copy of the table."""
        return resume_asking(table, self.decision, self.vocabulary, self.chosen, self.tries)

    def __reduce__(self) -> tuple[object, ...]:
        return resume_asking, (self.table, self.decision, self.vocabulary, self.chosen, self.tries)

    def go_on(self, word: str | None) -> None:
        """Fill in until there is more than one word to choose from, or the form is complete."""
        try:
            while True:
                offer = next(self.filling) if word is None else self.filling.send(word)
                self.offered = self.vocabulary.offered(offer)
                if len(offer) != 1:
                    return
                ((number, word),) = self.offered.items()
                self.taken.append(number)
        except StopIteration as stop:
            self.offered, self.written = {}, stop.value.write

    def answer(self) -> list[Event] | None:
        """Carry the answer out and return its events. If the rules refuse it, start over and return None."""
        game = game_of(self.table)
        try:
            return game.apply(self.table, self.decision.power, self.final_answer())
        except IllegalOrder:
            self.tries += 1
            self.begin()
        return None

    def final_answer(self) -> Answer:
        """Answer that was filled in; that of the absent if none is possible or too many were illegal."""
        if self.written is None or self.tries >= TRIES:
            return hold(self.table, self.decision, Random(0))  # noqa: S311 - never asked
        tree: Tree = {"orders": {self.decision.power: {self.form.section: self.written}}}
        found = OrderSource(self.table, read_orders(node_of(tree), "orders", self.table.rules)).answer(self.decision)
        assert found is not None
        return found.answer


def resume_asking(
    table: Table, decision: Decision, vocabulary: Vocabulary, chosen: Iterable[int], tries: int
) -> Asking:
    """Return the state of a decision after these choices."""
    found = Asking(table, decision, vocabulary)
    for number in chosen:
        found.take(number)
    found.tries = tries
    return found
