"""Trial of orders on a position. The orders are carried out as far as possible, and all faults are collected.

`play_free_orders` and `step` change the table that they get; `run` and `run_known` work on a copy of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.decisions import Decision, Move
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table, stage_of
from pbem.faults.wrong import Words, words, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.names import as_quoted
from pbem.paper.orders.files import Orders, OrderSource, is_order
from pbem.paper.orders.section import GivenAnswer, Unusable, faults_of, overpayment, unless_exchanged
from pbem.paper.plans.ahead import AHEAD

AWAY = ("march-away-first", "march-away-or-round")
"""Keys of the hints that pieces in the way should march away first."""


class Source(Protocol):
    """Source of answers, such as orders, plans, or orders for later stages."""

    def powers(self) -> list[Power]:
        """Return the powers for which the source has answers, in the sequence in which they are asked."""

    def answer(self, decision: Decision) -> GivenAnswer | None:
        """Return the answer to a decision, or None if there is none. Raises `Unusable` if no answer can be made of an
        order."""


@runtime_checkable
class OrderedSource(Source, Protocol):
    """Source of answers for several powers. It also chooses which decision is answered next."""

    def take_free_orders(self, power: Power) -> list[GivenAnswer]:
        """Remove a power's orders that no decision asks for, and return them as answers, in their sequence."""

    def in_turn(self, table: Table, asked: Sequence[Decision]) -> list[Decision]:
        """Return those decisions in `asked` that the source answers, in the sequence in which it answers them."""


class Step(Struct):
    """Answer to one decision, with its result. If the answer was refused, the table is unchanged."""

    source: int
    """Index of the source from which the answer comes."""
    power: Power
    given: GivenAnswer | None
    """Answer that was given. It is None if no answer could be made of the order."""
    events: list[Event]
    faults: list[Fault]

    @property
    def is_refused(self) -> bool:
        return any(not fault.is_warning for fault in self.faults)


class Trial(Struct):
    """Result of a trial: the table, the events, the faults, and the decisions that are still open."""

    table: Table
    events: list[Event]
    faults: list[Fault]
    waiting: tuple[Decision, ...]
    hidden: bool = False
    """True if the trial ended early, because the next answer would show something that the player may not know."""
    lacking: Sequence[Event] = ()
    """Events of the last answer of a trial that ended early. The table lacks their effects."""

    @property
    def is_refused(self) -> bool:
        return any(not fault.is_warning for fault in self.faults)

    def take(self, step: Step) -> None:
        self.events += step.events
        self.faults += step.faults


def begin(table: Table) -> list[Event]:
    """Play a position that was set up by hand to its first decision, and return the events."""
    return game_of(table).advance(table)


def decisions(table: Table) -> tuple[Decision, ...]:
    return game_of(table).decisions(table)


def run(table: Table, orders: Orders) -> Trial:
    """Try the orders of a file on a copy of the table, until no answers are left. Return the trial."""
    return trial_of(table, orders, is_whole=True)


def run_known(table: Table, orders: Orders) -> Trial:
    """Try the orders of a player on a copy of the table, and return the trial. Parts of the table are invented, because
    the player does not know them. Therefore the trial ends before an event that reveals something hidden."""
    return trial_of(table, orders, is_whole=False)


def trial_of(
    table: Table, orders: Orders, is_whole: bool, source_of: Callable[[Table, Orders], OrderedSource] = OrderSource
) -> Trial:
    """Try orders on a copy of the table, and return the trial. If `is_whole` is false, the trial ends before an event
    that reveals something hidden. If nothing was refused, there is a warning for each section with unused orders.
    `source_of` makes the source of answers from a table and orders."""
    trial = Trial(copy_of(table), [], stage_faults(table, orders), ())
    sources = (source_of(trial.table, orders),)
    for passed in play_free_orders(trial.table, sources):
        trial.take(passed)
    before = None if is_whole else copy_of(trial.table)
    unmoved = set[str]()
    while answered := step(trial.table, sources):
        answered.faults = [consequence(fault, unmoved) for fault in answered.faults]
        if answered.is_refused and answered.given and isinstance(answered.given.answer, Move):
            answered.faults = [unless_exchanged(each, table, answered.given.answer) for each in answered.faults]
            unmoved.update(table.rules.common.names(answered.given.answer.pieces))
        trial.take(answered)
        if before is not None:
            if any(event.reveals for event in answered.events):
                return trial_before(trial, before, len(trial.events) - len(answered.events))
            before = copy_of(trial.table)
    trial.waiting = decisions(trial.table)
    if not trial.is_refused:
        trial.faults += unused_warnings(orders)
    return trial


def consequence(fault: Fault, unmoved: Collection[str]) -> Fault:
    """Return the fault, with another hint in one case. Some hints advise that certain pieces march away first. If a
    march of these pieces was refused (they are in `unmoved`), the new hint is that the fault follows from that
    refusal."""
    if not (isinstance(fault.hint, Words) and fault.hint.key in AWAY):
        return fault
    pieces = dict(fault.hint.gaps)["pieces"]
    left = tuple(each for each in pieces if each in unmoved) if isinstance(pieces, tuple) else ()
    return replace(fault, hint=words("follows-from", pieces=left)) if left else fault


def trial_before(trial: Trial, before: Table, begun: int) -> Trial:
    """Return the trial without the first event that reveals something hidden, and without all later events. `before` is
    the table before the last answer, and `begun` is the index of that answer's first event."""
    known = next(number for number, event in enumerate(trial.events) if event.reveals)
    return Trial(before, trial.events[:known], trial.faults, (), True, trial.events[begun:known])


def stage_faults(table: Table, orders: Orders) -> list[Fault]:
    """Return a fault in a list if the orders name another stage than that of the position. Otherwise return an empty
    list."""
    here = stage_of(table)
    if orders.stage is None or orders.stage.value == here:
        return []
    stage, rule = orders.stage, game_of(table).cited.stages
    what = wrong("E-ORDER-STAGE", rule=rule, stage=as_quoted(stage.value), here=here)
    return [Fault.at(stage.line, stage.column, what)]


def play_free_orders(table: Table, sources: Sequence[OrderedSource]) -> Iterator[Step]:
    """Carry out the orders that no decision asks for, and yield each step."""
    for number, source in enumerate(sources):
        for power in source.powers():
            for given in source.take_free_orders(power):
                yield attempt(table, number, power, given)


def step(table: Table, sources: Sequence[Source]) -> Step | None:
    """Answer one open decision, and return the step. The answer comes from the first source that has one. If no answer
    can be made of an order, return a step with a fault. Return None if no source has an answer."""
    asked = {decision.power: decision for decision in decisions(table)}
    for number, source in enumerate(sources):
        for decision in in_turn(table, source, asked):
            power = decision.power
            try:
                given = source.answer(decision)
            except Unusable as refusal:
                return Step(number, power, None, [], faults_of(refusal, table.rules))
            if given is not None:
                return attempt(table, number, power, given)
    return None


def in_turn(table: Table, source: Source, asked: Mapping[Power, Decision]) -> list[Decision]:
    """Return those decisions in `asked` that a source should answer. An `OrderedSource` chooses them and their sequence
    itself. Any other source answers in the sequence of its powers."""
    own = [asked[power] for power in source.powers() if power in asked]
    return source.in_turn(table, own) if isinstance(source, OrderedSource) else own


def attempt(table: Table, source: int, power: Power, answer: GivenAnswer) -> Step:
    """Carry out one answer, and return the step. `source` is the index of the answer's source. A refusal becomes a
    fault, and a needless card in a payment becomes a warning."""
    try:
        events = game_of(table).apply(table, power, answer.answer)
    except IllegalOrder as refusal:
        return Step(source, power, answer, [], [*answer.warnings, *faults_of(refusal, table.rules, answer)])
    return Step(source, power, answer, events, [*answer.warnings, *overpayment(table, power, answer)])


def unused_warnings(orders: Orders, missing: Collection[Power] = (), only: Collection[str] = ()) -> list[Fault]:
    """Return a warning for each section that has unused orders, or only for sections in `only`. Orders for later stages
    and an unused end of the moves do not count. Powers in `missing` get no warning: they may be asked once their
    missing orders have come."""
    return [
        Fault.at(left.node.line, left.node.column, wrong("W-ORDER-UNUSED", power=power, section=section))
        for power, left in orders.powers.items()
        if power not in missing
        for section, rest in left.sections.items()
        if section != AHEAD and (not only or section in only)
        if any(map(is_order, rest))
    ]
