"""Tasks: choices by Cards of Fate and the expert game that come before play goes on, one after the other (§11)."""

from __future__ import annotations

from pbem.engine.battle import remaining_battles
from pbem.engine.decisions import Answer, Decision
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import exchanges, garrison, instants, offensive, strokes
from pbem.games.friedrich.rules.effects_in_combat import free_neighbours, stack_in
from pbem.games.friedrich.rules.fate_decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    NamedCities,
    NamedGeneral,
    Shift,
    ShiftPieces,
)
from pbem.games.friedrich.rules.fate_events import NothingCame
from pbem.games.friedrich.rules.state import DeclareTask, GarrisonTask, RemovalTask, SidestepTask, Tasks, VersionTask
from pbem.games.friedrich.rules.table import Table

Asked = ChooseGeneral | ChooseCities | ShiftPieces | GiveCard


def drop_idle(table: Table) -> None:
    """Drop steps aside that have no free city any more, because of earlier ones."""
    tasks = table.state.tasks
    while tasks and isinstance(tasks[0], SidestepTask) and not free_neighbours(table, tasks[0].city):
        tasks.pop(0)


def decision(table: Table, task: Tasks) -> Asked:
    """Decision for the power of a task."""
    match task:
        case VersionTask():
            return instants.decision(table, task)
        case RemovalTask(power):
            return strokes.removal_decision(table, power)
        case GarrisonTask(power):
            return garrison.decision(table, power)
        case SidestepTask(power, city):
            stack = tuple(stack_in(table, city))
            return ShiftPieces(power, "sidestep", stack, city, tuple(free_neighbours(table, city)))
        case DeclareTask(power):
            return offensive.decision(table, power)


def answer(table: Table, asked: Decision, given: Answer) -> list[Event]:
    """Carry out the answer to the first task, which is removed unless the answer is refused."""
    task = table.state.tasks[0]
    match asked, given:
        case ChooseGeneral(), NamedGeneral():
            events = name_general(table, asked, given)
        case ChooseCities(), NamedCities():
            events = name_cities(table, asked, given)
        case ShiftPieces(), Shift():
            events = shift(table, task, asked, given)
        case GiveCard(), GivenCard() if isinstance(task, VersionTask):
            events = exchanges.give(table, task, asked, given)
        case GiveCard(), GivenCard():
            events = offensive.declare(table, asked, given)
        case _:
            name = type(asked).__name__
            raise IllegalOrder(wrong("E-ANSWER-KIND", rule="§11", answer=type(given).__name__, decision=name))
    table.state.tasks.remove(task)
    return events


def name_general(table: Table, asked: ChooseGeneral, given: NamedGeneral) -> list[Event]:
    """Give the named general a troop, take one, or let him leave the game."""
    if asked.reason == "removal":
        return strokes.choose_removal(table, asked, given)
    strokes.check_general(table, asked, given)
    change = instants.give_troop if asked.reason == "gain" else instants.take_troop
    return change(table, asked.power, given.general)


def name_cities(table: Table, asked: ChooseCities, given: NamedCities) -> list[Event]:
    """Put a stack out of supply, or let objectives fall back."""
    if asked.reason == "garrison":
        return garrison.fall_back(table, asked, given)
    instants.check_cities(table, asked, given)
    return instants.turn_stacks_down(table, given.cities)


def shift(table: Table, task: Tasks, asked: ShiftPieces, given: Shift) -> list[Event]:
    """Move pieces out of turn. A stack that steps aside fights no more in this phase (§7)."""
    events = instants.shift(table, asked, given)
    if not events:
        return [NothingCame(task.card, task.suit)] if isinstance(task, VersionTask) else []
    if asked.reason == "sidestep":
        table.state.battles = remaining_battles(table.state.battles, asked.start)
    return events
