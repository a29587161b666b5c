"""Pieces that politics moves: to the nearest city of a home country, or out of the way (§17.5, §19)."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.conquest import sweep_hussars
from pbem.engine.decisions import GoTo, Relocate
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event, HussarRemoved, Stacked
from pbem.engine.field import closed_lands, home_of, may_stack, pieces_at, release_command, remove
from pbem.engine.march import check_commander, stack_up

from .events import CorpsReturned, Relocated
from .state import ArriveTask, RelocateTask
from .table import Table


def may_stand(table: Table, piece: int, city: int) -> bool:
    """Whether a piece may be put into a city: an empty one, or for a general a legal stack (§6)."""
    rules, field = table.rules.common, table.state.field
    power = rules.pieces[piece].power
    there = [other for other in pieces_at(field, city) if other != piece]
    if not there:
        return True
    if not rules.is_general(piece) or len(there) >= rules.limits.stack:
        return False
    return all(rules.is_general(other) and may_stack(field, rules.pieces[other].power, power) for other in there)


def targets(table: Table, task: RelocateTask) -> tuple[int, ...]:
    """The cities a piece may be moved to: the nearest legal ones, by road."""
    rules, field = table.rules.common, table.state.field
    board = rules.board
    here = field.pieces[task.piece].city
    far = board.distance(here)
    if task.homes:
        cities: Iterable[int] = (c for c in range(len(far)) if home_of(rules, field, c) in task.homes)
        open_to = [c for c in cities if board.in_play(c) and may_stand(table, task.piece, c)]
    else:
        closed = closed_lands(rules, field, [rules.pieces[task.piece].power])
        open_to = [
            c
            for c in range(len(far))
            if c != here and board.in_play(c) and board.land[c] not in closed and may_stand(table, task.piece, c)
        ]
        if task.empty:
            open_to = [c for c in open_to if not pieces_at(field, c)]
    nearest = min((far[c] for c in open_to), default=0)
    return tuple(c for c in open_to if far[c] == nearest)


def decision(table: Table, task: RelocateTask) -> Relocate:
    """The choice of the piece's owner."""
    return Relocate(task.power, task.piece, targets(table, task))


def go(table: Table, decision: Relocate, answer: GoTo) -> list[Event]:
    """Move the piece where its owner wants it."""
    if answer.city not in decision.cities:
        names = ", ".join(table.rules.common.board.cities[city].name for city in decision.cities)
        raise IllegalOrder("§19", "E-RELOCATE-CITY", "this piece has to go to a nearest legal city", names, ("city",))
    rules, field = table.rules.common, table.state.field
    mates = [other for other in pieces_at(field, answer.city) if rules.is_general(other)]
    if mates:
        check_commander(rules, field, [*mates, decision.piece], answer.commander)
    return put(table, decision.piece, answer.city, answer.commander)


def put(table: Table, piece: int, city: int, commander: int | None = None) -> list[Event]:
    """Put a piece into a city."""
    rules, field = table.rules.common, table.state.field
    start = field.pieces[piece].city
    field.pieces[piece].city = city
    events: list[Event] = [Relocated(piece, start, city)]
    events += [HussarRemoved(hussar, city) for hussar in sweep_hussars(field, city)]
    if len(pieces_at(field, city)) > 1:
        events += [event for event in stack_up(rules, field, city, commander) if isinstance(event, Stacked)]
    if start >= 0:
        release_command(rules, field, start)
    return events


def arrive(table: Table, task: ArriveTask) -> list[Event]:
    """A piece comes to its city, out of a box or back home."""
    events = put(table, task.piece, task.city)
    if task.corps:
        return [CorpsReturned(task.power, task.piece, task.city), *events[1:]]
    return events


def evacuate(table: Table, pieces: Iterable[int], also_home: dict[str, tuple[str, ...]]) -> None:
    """Let pieces go to the nearest city of their home countries, one after the other (§19.1, §19.3)."""
    for piece in pieces:
        power = table.rules.common.pieces[piece].power
        homes = (power, *also_home.get(power, ()))
        table.state.tasks.append(RelocateTask(power, piece, homes))


def stranded(table: Table, piece: int) -> list[Event]:
    """A piece that finds no legal city at all is removed."""
    remove(table.state.field, piece)
    return []
