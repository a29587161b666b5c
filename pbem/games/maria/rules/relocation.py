"""Relocation of pieces by politics: pieces go home to the nearest city there, or leave a city where they may not be
(§17.5, §19)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.engine.conquest import sweep_hussars
from pbem.engine.events import Event, GeneralRemoved
from pbem.engine.field import (
    alter,
    closed_lands,
    home_of,
    may_stack,
    pieces_at,
    pieces_by_city,
    release_command,
    remove,
)
from pbem.engine.nouns import City, Piece
from pbem.engine.rules import IllegalOrder
from pbem.engine.troops import check_commander, needs_commander, stack_up
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.decisions import GoTo, Relocate
from pbem.games.maria.rules.events import CorpsReturned, Relocated
from pbem.games.maria.rules.state import ArriveTask, RelocateTask, Table


def may_stand(table: Table, piece: Piece, city: City) -> bool:
    """True if a piece may be put into a city: the city is empty, or the piece is a general who may join the stack there
    (§6)."""
    rules, field = table.rules.common, table.state.field
    power = rules.pieces[piece].power
    there = [other for other in pieces_by_city(rules, field).at.get(city, ()) if other != piece]
    if not there:
        return True
    if not rules.is_general(piece) or len(there) >= rules.limits.stack:
        return False
    return all(rules.is_general(other) and may_stack(field, rules.pieces[other].power, power) for other in there)


def targets(table: Table, task: RelocateTask) -> tuple[City, ...]:
    """Return the cities to which a piece may be moved. If the task names home countries, these are the nearest cities
    in each of them where the piece may be put. Otherwise they are the nearest other cities where it may be put, outside
    lands that are closed to it."""
    rules, field = table.rules.common, table.state.field
    board, here = rules.board, field.pieces[task.piece].city
    legal = [c.index for c in board.cities if board.in_play(c.index) and may_stand(table, task.piece, c.index)]
    if task.homes:
        # The nearest cities of each home country are found apart. The owner of the piece chooses among all of them
        # (docs/rulings.md, §19.3).
        groups = [[city for city in legal if home_of(rules, field, city) == home] for home in task.homes]
        return tuple(sorted({city for group in groups for city in nearest_cities(table, here, group)}))
    closed = closed_lands(rules, field, [rules.pieces[task.piece].power])
    open_to = [city for city in legal if city != here and board.land[city] not in closed]
    if task.empty:
        open_to = [city for city in open_to if city not in pieces_by_city(rules, field).at]
    return nearest_cities(table, here, open_to)


def nearest_cities(table: Table, start: City, cities: Sequence[City]) -> tuple[City, ...]:
    """Return those of the `cities` that are nearest to `start` by road."""
    far = table.rules.common.board.distance(start)
    least = min((far[city] for city in cities), default=0)
    return tuple(city for city in cities if far[city] == least)


def decision(table: Table, task: RelocateTask) -> Relocate:
    return Relocate(task.power, task.piece, targets(table, task))


def arrival_decision(table: Table, task: ArriveTask) -> Relocate:
    """Return the decision about the city in which a piece arrives. If the piece may be put into `task.city`, this is
    the only city of the decision. Otherwise the decision offers the nearest cities of the home country where the piece
    may be put."""
    rules, field = table.rules.common, table.state.field
    if may_stand(table, task.piece, task.city):
        return Relocate(task.power, task.piece, (task.city,))
    home = [
        city.index
        for city in rules.board.cities
        if home_of(rules, field, city.index) == task.power and may_stand(table, task.piece, city.index)
    ]
    return Relocate(task.power, task.piece, nearest_cities(table, task.city, home))


def needs_no_choice(table: Table, asked: Relocate) -> bool:
    """True if a piece can go to only one city, and its power has no commander to choose there."""
    if len(asked.cities) != 1:
        return False
    rules, field = table.rules.common, table.state.field
    mates = [piece for piece in pieces_at(field, asked.cities[0]) if piece != asked.piece]
    return not needs_commander(rules, [*mates, asked.piece])


def check(table: Table, decision: Relocate, answer: GoTo) -> None:
    """Raise `IllegalOrder` if the decision does not offer the city, or if the piece would form a stack without a legal
    commander (§6)."""
    if answer.city not in decision.cities:
        cities = table.rules.common.board.names(decision.cities)
        raise IllegalOrder(wrong("E-RELOCATE-CITY", cities=cities), where=("city",))
    rules, field = table.rules.common, table.state.field
    mates = [other for other in pieces_at(field, answer.city) if other != decision.piece]
    if mates:
        check_commander(rules, field, [*mates, decision.piece], answer.commander)
    elif answer.commander is not None:
        raise IllegalOrder(wrong("E-COMMANDER.alone"), where=("commander",))


def put_piece(table: Table, piece: Piece, city: City, commander: Piece | None = None) -> list[Event]:
    """Put a piece into a city, and return the events. Hussars in the city are removed, and the piece joins a stack that
    stands there. The caller must have checked that all this is allowed."""
    rules, field = table.rules.common, table.state.field
    start = field.pieces[piece].city
    alter(field, piece, city=city, on_top=False)
    events: list[Event] = [Relocated(piece, start, city), *sweep_hussars(field, city)]
    if len(pieces_at(field, city)) > 1:
        events += stack_up(rules, field, city, commander)
    if start >= 0:
        release_command(rules, field, start)
    return events


def arrive(table: Table, task: ArriveTask, city: City, commander: Piece | None = None) -> list[Event]:
    """Put a piece into the city where it arrives, and return the events. If the piece is a general who comes back from
    an expedition, the first event is `CorpsReturned`. The caller must have checked that the piece may be put there."""
    events = put_piece(table, task.piece, city, commander)
    if task.corps:
        return [CorpsReturned(task.power, task.piece, city), *events[1:]]
    return events


def evacuate(table: Table, pieces: Iterable[Piece], also_home: dict[str, tuple[str, ...]]) -> None:
    """Add a task for each piece to move to the nearest city of its home countries (§19.1, §19.3). The dict `also_home`
    has, for some powers, countries that count as home countries in addition."""
    for piece in pieces:
        power = table.rules.common.pieces[piece].power
        homes = (power, *also_home.get(power, ()))
        table.state.tasks.append(RelocateTask(power, piece, homes))


def remove_stranded(table: Table, piece: Piece) -> list[Event]:
    """Remove a piece from the map, because there is no city where it could be put."""
    city = table.state.field.pieces[piece].city
    remove(table.state.field, piece)
    release_command(table.rules.common, table.state.field, city)
    return [GeneralRemoved(piece, city)]
