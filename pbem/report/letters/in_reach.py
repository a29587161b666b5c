"""What matters of where pieces can march: what falls to them, whom they meet, and how near the rest is.

All of it follows from where pieces stand and who holds what, which everybody sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pbem.engine.board import UNREACHABLE
from pbem.engine.conquest import is_held_by_enemy, is_protected
from pbem.engine.decisions import March, Move
from pbem.engine.field import alter, at_home
from pbem.engine.march import CityEntry, Column, destinations, is_forced
from pbem.engine.nouns import City, Piece, each_city
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder, TrainName
from pbem.engine.supply import trace
from pbem.engine.table import Table, deep_copy
from pbem.engine.ways import is_open
from pbem.kit import game_of
from pbem.paper.documents.writing import on_one_line
from pbem.paper.orders.moves import marching
from pbem.report import blocks
from pbem.report.language.templates import WIDTH

LONGEST = WIDTH - 12
"""How long a line of a march may be: sheets indent it and begin it with `# - `."""

MOST_TRIED = 12
"""How many goals are tried of a march that is in the way of others."""

MOST = 4
"""No more of a kind are named, the nearest first."""


class Course(Struct, frozen=True):
    """A march as it can be ordered: the cities that are named, and all that it enters."""

    named: tuple[City, ...]
    path: Road


class Meeting(Struct, frozen=True):
    """An enemy general beside whom a march can end, and the nearest city to do so."""

    name: str
    city: str
    end: str


class InReach(Struct, frozen=True):
    """What a march of these pieces can come to."""

    pieces: list[str]
    written: str
    """The pieces as orders name them."""
    start: str
    goal: str
    """Where the example goes: to what matters most, or towards it."""
    line: str
    """The march as it is ordered."""
    open: list[str]
    """Enemy cities that fall to them if they march through or away, for nobody protects them."""
    guarded: list[str]
    trains: list[str]
    """Cities of enemy trains that they may take."""
    meets: list[Meeting]
    towards: str
    """What the goal is nearer to, if nothing can be conquered or taken."""
    left: int
    """How many cities are left from the goal to there."""
    is_hungry: bool
    """Whether no supply reaches the goal, as trains stand."""
    is_down: bool
    """Whether they are out of supply now."""


def in_reach(table: Table, decision: March, done: Table) -> list[InReach]:
    """What every piece and every whole stack can come to that may march and need not: who must has orders already.

    Each example is carried out on the table `done`, so that all of them may be ordered together.
    """
    columns = [column for column in marching(table, decision) if set(decision.leaving).isdisjoint(column)]
    stacked: set[Piece] = set()
    found: list[InReach] = []
    for movers in sorted(columns, key=len, reverse=True):
        if stacked.isdisjoint(movers) and (each := reached(game_of(table).column_of(table, movers), done)):
            stacked.update(movers)
            found.append(each)
    return found


def reached(column: Column, done: Table) -> InReach | None:
    """What one march can come to; nothing if it can go nowhere that needs no more words than its name."""
    rules, field = column.rules, column.field
    ways = {city: way for city, way in destinations(column).items() if city != column.start}
    ends = sorted((city for city in ways if may_be_shown(column, city, ways[city])), key=lambda c: (len(ways[c]), c))
    trains = [city for city in ends if column.entry(city) is CityEntry.TRAIN]
    through = courses_through(column, ways)
    free, guarded = prizes_of(column, through)
    best = [*free, *trains, *guarded]
    aim = best[0] if best else nearest_aim(column)
    straight = {city: Course((city,), ways[city]) for city in ends}
    wanted = [*map(through.__getitem__, free), *map(straight.__getitem__, trains), *map(through.__getitem__, guarded)]
    course = carried_out(done, column, [*wanted, *map(straight.__getitem__, nearer(column, ends, aim))])
    if course is None:
        return None
    goal = course.named[-1]
    is_short = aim is not None and not best and goal != aim
    return InReach(
        pieces=blocks.pieces(rules, column.movers),
        written=written_pieces(column),
        start=blocks.city(rules, column.start),
        goal=written_way(column, course),
        line=written_march(column, course),
        open=blocks.cities(rules, free[:MOST]),
        guarded=blocks.cities(rules, guarded[:MOST]),
        trains=blocks.cities(rules, trains[:MOST]),
        meets=[] if column.is_train else meetings(column, ends)[:MOST],
        towards=blocks.city(rules, aim) if is_short and aim is not None else "",
        left=rules.board.distance(goal)[aim] if aim is not None else 0,
        is_hungry=not column.is_train and is_hungry(column, goal),
        is_down=any(field.pieces[mover].down for mover in column.movers),
    )


def nearer(column: Column, ends: Sequence[City], aim: City | None) -> Sequence[City]:
    """The ends of a march, the nearest to its aim first."""
    if aim is None:
        return ends
    far = column.rules.board.distance(aim)
    return sorted(ends, key=lambda city: (far[city], city))


def carried_out(done: Table, column: Column, wanted: Sequence[Course]) -> Course | None:
    """The first of the marches on which these pieces can still go behind those that have, and join nobody."""
    after = game_of(done).column_of(done, column.movers)
    ways = destinations(after)
    for course in wanted[:MOST_TRIED]:
        goal = course.named[-1]
        path = ways.get(goal, ()) if len(course.named) == 1 else course.path
        if path and after.entry(goal) is not CityEntry.JOIN:
            try:
                game_of(done).apply(done, column.power, Move(column.movers, path))
            except IllegalOrder:
                continue
            return Course(course.named, path)
    return None


def may_be_shown(column: Column, city: City, way: Road) -> bool:
    """Whether a march there is a short line by itself, and joins nobody."""
    return is_short_line(column, Course((city,), way))


def is_short_line(column: Column, course: Course) -> bool:
    """Whether a march is a short line by itself, and joins nobody."""
    return len(written_march(column, course)) <= LONGEST and column.entry(course.named[-1]) is not CityEntry.JOIN


def courses_through(column: Column, ways: Mapping[City, Road]) -> dict[City, Course]:
    """For each enemy city that can be left in this march, a way on from it: only who leaves a fortress takes it."""
    pieces, able = column.field.pieces, column.rules.down_conquer
    if column.is_train or not any(able or not pieces[mover].down for mover in column.movers):
        return {}
    found: dict[City, Course] = {}
    for city in sorted(ways, key=lambda city: (len(ways[city]), city)):
        if is_prize(column, city) and (course := way_on(column, city, ways[city])):
            found[city] = course
    if is_prize(column, column.start):
        ends = [city for city in ways if city != column.start and not is_forced(column, ways[city])]
        straight = (Course((city,), ways[city]) for city in nearer(column, ends, nearest_aim(column)))
        if course := next((each for each in straight if is_short_line(column, each)), None):
            found = {column.start: course, **found}
    return found


def way_on(column: Column, city: City, way: Road) -> Course | None:
    """A march through a city to the next one."""
    for goal in column.rules.board.near[city]:
        course = Course((city, goal), (*way, goal))
        is_new = goal != column.start and goal not in way and not is_forced(column, course.path)
        if is_new and is_short_line(column, course) and is_open(column, course.path):
            return course
    return None


def written_pieces(column: Column) -> str:
    """The pieces as the orders of their power name them, a train by its number alone."""
    trains = map(TrainName.read, names := blocks.pieces(column.rules, column.movers))
    return " + ".join(train.own if train else name for name, train in zip(names, trains, strict=True))


def written_march(column: Column, course: Course) -> str:
    """A march as it stands in orders; the names of some cities are quoted there."""
    return f"{written_pieces(column)}: {on_one_line(written_way(column, course))}"


def written_way(column: Column, course: Course) -> str:
    """What has to be named, or every city where each has to be written."""
    return ", ".join(blocks.cities(column.rules, course.named if column.rules.ways == "found" else course.path))


def prizes_of(column: Column, prizes: Iterable[City]) -> tuple[list[City], list[City]]:
    """Those of the cities that these pieces may conquer where nobody protects them, and the others."""
    reach = column.circumstances.reach
    guarded = [city for city in prizes if is_protected(column.rules, column.field, city, reach)]
    return [city for city in prizes if city not in guarded], guarded


def is_prize(column: Column, city: City) -> bool:
    """Whether an enemy holds a city that these pieces may conquer."""
    if city in column.circumstances.closed:
        return False
    return city in column.rules.conquerable and is_held_by_enemy(column.rules, column.field, city, column.power)


def nearest_aim(column: Column) -> City | None:
    """What these pieces would go for: the nearest prize, or else enemy; a train goes after whom it is to supply."""
    rules, field = column.rules, column.field
    far = rules.board.distance(column.start)
    if column.is_train:
        return max(needing(column), key=lambda city: (far[city], city), default=None)
    foes = [field.pieces[foe].city for foe in column.dealings.rivals]
    prizes = [city for city, _ in each_city(rules.board.cities) if is_prize(column, city)]
    aims = prizes or [city for city in foes if city >= 0]
    return min((city for city in aims if far[city] < UNREACHABLE), key=lambda city: (far[city], city), default=None)


def needing(column: Column) -> list[City]:
    """Where the generals stand outside home to whom no other train is nearer."""
    rules, field = column.rules, column.field
    trains = [field.pieces[train].city for train in rules.trains(column.power) if field.pieces[train].city >= 0]
    generals = [general for general in rules.generals(column.power) if field.pieces[general].city >= 0]
    cities = [field.pieces[general].city for general in generals if not at_home(rules, field, general)]
    return [city for city in cities if is_nearest(rules.board.distance(city), column.start, trains)]


def is_nearest(far: Sequence[int], one: City, others: Sequence[City]) -> bool:
    """Whether no other of these cities is nearer."""
    return far[one] < UNREACHABLE and all(far[one] <= far[other] for other in others)


def meetings(column: Column, ends: Sequence[City]) -> list[Meeting]:
    """The enemy generals beside whom the march can end, those whom it meets first before the others."""
    rules, field = column.rules, column.field
    foes = {field.pieces[foe].city: foe for foe in sorted(column.dealings.rivals) if field.pieces[foe].city >= 0}
    found: dict[Piece, City] = {}
    for end in ends:
        for near in rules.board.near[end]:
            if near in foes:
                found.setdefault(foes[near], end)
    return [
        Meeting(blocks.piece(rules, foe), blocks.city(rules, field.pieces[foe].city), blocks.city(rules, end))
        for foe, end in found.items()
    ]


def is_hungry(column: Column, goal: City) -> bool:
    """Whether one of the generals would find no supply there, hussars or not, as trains stand now."""
    rules, field = column.rules, deep_copy(column.field)
    for mover in column.movers:
        alter(field, mover, city=goal)
    return any(not at_home(rules, field, mover) and trace(rules, field, mover) is None for mover in column.movers)
