"""Tasks: what must be decided before play goes on, one after the other."""

from __future__ import annotations

from pbem.engine.decisions import (
    Answer,
    Consent,
    Corps,
    Decision,
    GoTo,
    Recruit,
    Recruitment,
    Reinforce,
    Relocate,
    SendCorps,
    ShiftSaxony,
)
from pbem.engine.events import Event

from . import corps, defection, effects, peace, relocation, winter
from .state import ArriveTask, CorpsTask, PlaceTrainTask, RecruitTask, ReinforceTask, RelocateTask, ShiftTask, Tasks
from .table import Table


def drop_idle(table: Table) -> list[Event]:
    """Pass over tasks that have become pointless; a piece with only one place to go is put there."""
    state = table.state
    events: list[Event] = []
    while state.tasks and is_idle(table, state.tasks[0]):
        task = state.tasks.pop(0)
        if isinstance(task, ArriveTask):
            events += relocation.arrive(table, task)
        elif isinstance(task, RelocateTask) and state.field.pieces[task.piece].city >= 0:
            events += relocation.stranded(table, task.piece)
    return events


def is_idle(table: Table, task: Tasks) -> bool:
    """Whether there is nothing to decide about a task any more."""
    if isinstance(task, ArriveTask):
        return True
    asked = decision(table, task)
    match asked:
        case Relocate(_, piece, cities):
            off_map = isinstance(task, RelocateTask) and table.state.field.pieces[piece].city < 0
            return not cities or off_map
        case Reinforce(_, troops):
            return troops == 0
        case SendCorps(_, generals):
            return not generals
    return False


def decision(table: Table, task: Tasks) -> Decision:
    """What the power of a task is asked."""
    match task:
        case CorpsTask():
            return corps.decision(table, task)
        case ReinforceTask():
            return effects.reinforce_decision(table, task)
        case RelocateTask():
            return relocation.decision(table, task)
        case ArriveTask():
            return Relocate(task.power, task.piece, (task.city,))
        case PlaceTrainTask():
            return peace.train_decision(table, task)
        case ShiftTask():
            return defection.decision(task)
        case RecruitTask():
            return winter.decision(table, task.power)


def answer(table: Table, asked: Decision, given: Answer) -> list[Event] | None:
    """Carry out the answer to the first task; None if the answer is of another kind."""
    task = table.state.tasks[0]
    match asked, given:
        case SendCorps(), Corps():
            assert isinstance(task, CorpsTask)
            return done(table, task, corps.send(table, task, asked, given))
        case Reinforce(), Recruitment():
            return done(table, task, effects.reinforce(table, asked, given))
        case Relocate(), GoTo():
            return done(table, task, relocation.go(table, asked, given))
        case ShiftSaxony(), Consent():
            table.state.tasks.pop(0)
            return defection.decide(table, asked, given)
        case Recruit(), Recruitment():
            return done(table, task, winter.recruit(table, asked, given))
    return None


def done(table: Table, task: Tasks, events: list[Event]) -> list[Event]:
    """Strike a task off the list."""
    table.state.tasks.remove(task)
    return events
