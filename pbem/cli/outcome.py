"""What came of orders that were tried, as `pbem try` and `pbem check` tell it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click

from pbem.console.printing import tell
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.table import Table

if TYPE_CHECKING:
    from pbem.paper.orders.trial import Trial


@dataclass
class Outcome:
    """How a table was and is, what happened between, and who is told of it."""

    before: Table
    after: Table
    events: list[Event]
    readers: tuple[Power, ...]
    """The powers whose secrets the reader knows."""
    ordering: set[Power] = field(default_factory=set)
    """The powers that have ordered, whose matter it is what follows."""
    is_hidden: bool = False
    """Whether it ends where something shows that could not be known."""

    def add(self, trial: Trial, ordering: Sequence[Power]) -> None:
        """Note what came of the orders of some powers."""
        self.after = trial.table
        self.events += trial.events
        self.ordering.update(ordering)
        self.is_hidden |= trial.hidden


def outcome_data(outcome: Outcome) -> dict[str, object]:
    """For programs: what happened, what it leads to, and what of the position has become another."""
    from pbem.engine.events import all_seen_by
    from pbem.kit import game_of
    from pbem.report.consequences import changes, consequences, consequences_data
    from pbem.report.telling import told_data

    before, after, readers = outcome.before, outcome.after, outcome.readers
    game, rules = game_of(after), after.rules
    return {
        "events": [told_data(rules, event) for event in all_seen_by(outcome.events, readers)],
        "consequences": consequences_data(rules, consequences(before, after, readers, outcome.ordering)),
        "changed": changes(rules, game.view(before, readers), game.view(after, readers)),
        "hidden": outcome.is_hidden,
    }


def tell_outcome(outcome: Outcome, language: str) -> None:
    """In words: what happened, what it leads to, and what is asked then."""
    from pbem.engine.events import all_seen_by
    from pbem.kit import game_of
    from pbem.report.account import account_blocks, chapters
    from pbem.report.consequences import consequences, consequences_blocks

    after, readers = outcome.after, outcome.readers
    tell(account_blocks(chapters(after.rules, all_seen_by(outcome.events, readers), language)))
    found = consequences(outcome.before, after, readers, outcome.ordering)
    asked = None if outcome.is_hidden else game_of(after).view(after, readers)
    tell(consequences_blocks(after.rules, found, language, asked))
    if outcome.is_hidden:
        click.echo("What comes next shows something that the report does not know; so far nothing is wrong.")
