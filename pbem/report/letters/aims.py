"""Cities that pieces on the march approach: the nearest to conquer, else that of the nearest enemy; for a train that of
a general whom it has to supply."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.board import UNREACHABLE
from pbem.engine.conquest import is_held_by_enemy
from pbem.engine.field import at_home, stack_at
from pbem.engine.march import CityEntry, Column
from pbem.engine.nouns import City, each_city
from pbem.report import blocks


def is_prize(column: Column, city: City) -> bool:
    """True if an enemy holds a city, and these pieces may conquer it."""
    if city in column.circumstances.closed:
        return False
    return city in column.rules.conquerable and is_held_by_enemy(column.rules, column.field, city, column.power)


def nearest_aim(column: Column) -> City | None:
    """Return the city that the pieces of a column should approach: the nearest city to conquer, else the city of the
    nearest enemy. Cities that other pieces of their own side occupy are left out. A train approaches the farthest
    general whom it has to supply. Return None if there is no such city."""
    rules, field = column.rules, column.field
    if column.is_train:
        away = rules.board.distance(column.start)
        return max(cities_in_need(column), key=lambda city: (away[city], city), default=None)
    foes = {field.pieces[foe].city for foe in column.dealings.rivals}
    prizes = [city for city, _ in each_city(rules.board.cities) if is_prize(column, city)]
    free = [city for city in prizes if city in foes or column.entry(city) is not CityEntry.BLOCKED]
    far = distances_by_open_roads(column, column.start)
    return min((city for city in free or foes if city in far), key=lambda city: (far[city], city), default=None)


def distances_by_open_roads(column: Column, start: City) -> dict[City, int]:
    """Return the distance of each city from a city, in steps by the roads and lands that are open to these pieces.
    Pieces on the way do not matter."""
    near, found = column.rules.board.near, {start: 0}
    edge, steps = [start], 0
    while edge:
        steps += 1
        beside = ((here, city) for here in edge for city in near[here] if city not in found)
        ahead = (city for here, city in beside if not column.step_closed(here, city))
        edge = list(dict.fromkeys(city for city in ahead if not column.neutral_ground(city)))
        found.update(dict.fromkeys(edge, steps))
    return found


def aim_in_words(column: Column, aim: City, met: Collection[str]) -> str:
    """Return the city that a column approaches, in words (`MarchResults.towards`). Return an empty text if enemies in
    the cities `met`, whom the column can attack now, are all that it approaches."""
    named, there = blocks.city(column.rules, aim), stack_at(column.rules, column.field, aim)
    if not there:
        return named
    return "" if named in met else f"{blocks.piece(column.rules, there[0])} ({named})"


def cities_in_need(column: Column) -> list[City]:
    """Return the cities of generals outside their home country whom the train of the column can reach, and who have no
    nearer train."""
    rules, field = column.rules, column.field
    trains = [field.pieces[train].city for train in rules.trains(column.power) if field.pieces[train].city >= 0]
    generals = [general for general in rules.generals(column.power) if field.pieces[general].city >= 0]
    cities = [field.pieces[general].city for general in generals if not at_home(rules, field, general)]
    far = {city: rules.board.distance(city) for city in cities}
    reached = [city for city in cities if far[city][column.start] < UNREACHABLE]
    return [city for city in reached if all(far[city][column.start] <= far[city][train] for train in trains)]
