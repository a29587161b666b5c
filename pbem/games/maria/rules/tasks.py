"""Tasks: decisions that powers must make, one after the other, before play goes on."""

from __future__ import annotations

from pbem.engine.decisions import Answer, Decision, Recruit, Recruitment
from pbem.engine.events import Event
from pbem.engine.field import OFF, alter, home_of
from pbem.games.maria.rules import corps, defection, peace, relocation, winter
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.state import (
    ArriveTask,
    CorpsTask,
    PlaceTrainTask,
    RecruitTask,
    ReinforceTask,
    RelocateTask,
    ShiftTask,
    Table,
    Tasks,
    tasks_due,
)


def settle_idle(table: Table) -> list[Event]:
    """Settle all tasks at the beginning of the list that leave nothing to decide, and return the events. A piece that
    can go to only one city is put there. A piece that can go to no city is removed if it must leave the city where it
    is."""
    events: list[Event] = []
    while tasks_due(table):
        task = table.state.tasks[0]
        asked = decision(table, task)
        forced = isinstance(asked, d.Relocate) and relocation.needs_no_choice(table, asked)
        if not forced and not is_idle(table, task, asked):
            break
        table.state.tasks.pop(0)
        if isinstance(asked, d.Relocate):
            events += settle_alone(table, task, asked)
    return events


def settle_alone(table: Table, task: Tasks, asked: d.Relocate) -> list[Event]:
    """Settle a task that leaves only one possibility for a piece, and return the events. If there is one city, the
    piece goes there. If there is none, a piece that must leave its city is removed, and a new train waits off the map
    to re-enter later."""
    if is_home_already(table, task):
        return []
    if asked.cities:
        return relocate_piece(table, task, asked, d.GoTo(asked.cities[0]))
    if isinstance(task, PlaceTrainTask):  # The train may re-enter later, as a lost train may.
        alter(table.state.field, task.piece, city=OFF)
    lost = isinstance(task, RelocateTask) and table.state.field.pieces[task.piece].city >= 0
    return relocation.remove_stranded(table, asked.piece) if lost else []


def is_home_already(table: Table, task: Tasks) -> bool:
    """True if the task moves a piece home, and the piece is at home already or is not on the map."""
    if not isinstance(task, RelocateTask):
        return False
    field, city = table.state.field, table.state.field.pieces[task.piece].city
    return city < 0 or home_of(table.rules.common, field, city) in task.homes


def is_idle(table: Table, task: Tasks, asked: Decision) -> bool:
    """True if a task leaves nothing to decide. `asked` is the decision that the task leads to."""
    match asked:
        case d.Relocate(_, _, cities):
            return not cities or is_home_already(table, task)
        case d.Reinforce(_, troops):
            return troops == 0
        case d.SendCorps(_, generals):
            return not generals
        case d.ShiftSaxony():
            return defection.is_at_end(table)
        case Recruit(_, hand, room, entries):
            if table.rules.edition.free_troops == "before paid":
                return not hand or not any(room.values())
            return not entries
    return False


def relocate_piece(table: Table, task: Tasks, asked: d.Relocate, answer: d.GoTo) -> list[Event]:
    """Carry out the answer to the task of a piece that moves to a city. Raises `IllegalOrder` for an answer that is not
    allowed."""
    relocation.check(table, asked, answer)
    if isinstance(task, ArriveTask):
        return relocation.arrive(table, task, answer.city, answer.commander)
    return relocation.put_piece(table, asked.piece, answer.city, answer.commander)


def decision(table: Table, task: Tasks) -> Decision:
    match task:
        case CorpsTask():
            return corps.decision(table, task)
        case ReinforceTask():
            return winter.reinforce_decision(table, task)
        case RelocateTask():
            return relocation.decision(table, task)
        case ArriveTask():
            return relocation.arrival_decision(table, task)
        case PlaceTrainTask():
            return peace.train_decision(table, task)
        case ShiftTask():
            return defection.decision(task)
        case RecruitTask():
            return winter.decision(table, task.power)


def answer(table: Table, asked: Decision, answered: Answer) -> list[Event] | None:
    """Carry out the answer to the first task, remove the task, and return the events. Return None, and leave the task
    in the list, if the answer is not of the kind that the task asks for."""
    task = table.state.tasks[0]
    match asked, answered:
        case d.SendCorps(), d.Corps():
            assert isinstance(task, CorpsTask)
            events = corps.send(table, task, asked, answered)
        case d.Reinforce(), Recruitment():
            events = winter.reinforce(table, asked, answered)
        case d.Relocate(), d.GoTo():
            events = relocate_piece(table, task, asked, answered)
        case d.ShiftSaxony(), d.Consent():
            table.state.tasks.pop(0)
            return defection.decide(table, asked, answered)
        case Recruit(), Recruitment():
            events = winter.recruit(table, asked, answered)
        case _:
            return None
    table.state.tasks.remove(task)
    return events
