"""Supply at the end of marches in a sheet: trains that can bring it, and generals who are lost without it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from pbem.engine.decisions import March
from pbem.engine.field import alter
from pbem.engine.march import Column, destinations
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.supply import assess, feeding_cities
from pbem.engine.table import Table, deep_copy
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.letters.routes import Route, hungry_at, names_of_some


class UnfedMarch(Struct, frozen=True):
    """March that takes a city, or the train in it, and after which a general would be out of supply."""

    city: str
    end: str
    hungry: list[str]
    """Generals out of supply, as in `MarchResults`, at the end of this march."""
    may_be_fed: bool
    """True if a train could come in this stage and supply one of the `hungry` generals."""


def unfed_marches(table: Table, column: Column, marches: Iterable[tuple[City, Route]]) -> Iterator[UnfedMarch]:
    """Yield those marches of generals after which one of them would be out of supply. `marches` has each city that can
    be taken, and a march that takes it."""
    for city, route in marches:
        end = route.named[-1]
        if hungry := [] if column.is_train else hungry_at(column, end, route.path):
            is_fed, names = may_be_fed(table, column, end, route.path, hungry), names_of_some(column, hungry)
            yield UnfedMarch(blocks.city(column.rules, city), blocks.city(column.rules, end), names, is_fed)


def feeding(done: Table, column: Column, wanted: Iterable[Route]) -> Iterator[Route]:
    """Yield the marches of a train after which no more pieces are out of supply on the table `done` than before."""
    rules, after = column.rules, deep_copy(done.state.field)
    (train,) = column.movers
    hungry = set(assess(rules, after, column.power).cut_off)
    for route in wanted:
        alter(after, train, city=route.named[-1])
        if hungry.issuperset(assess(rules, after, column.power).cut_off):
            yield route


def may_be_fed(table: Table, column: Column, city: City, way: Road, hungry: Collection[Piece]) -> bool:
    """True if a train could bring a general of `hungry` into supply in this stage, after the column has marched along
    `way` to `city`. It is assumed that all pieces but enemies leave the train's way."""
    fed = feeding_cities(column.rules, column.field, column.power, city, way)
    trains = {train for general in hungry for train in column.rules.wagons[general]}
    return any(not fed.isdisjoint(cities_open_to(table, column, train)) for train in trains)


def cities_open_to(table: Table, column: Column, train: Piece) -> Iterator[City]:
    """Yield the cities in which a train of the column's power can be later in this stage."""
    for asked in game_of(table).decisions(table):
        if isinstance(asked, March) and asked.power == column.power:
            if train in asked.pieces:
                others = {*range(len(column.field.pieces))} - (column.dealings.hostile - column.dealings.prey)
                yield from destinations(game_of(table).column_of(table, (train,)).without(others))
            yield from asked.trains.get(train, ())
    if column.field.pieces[train].city < 0:
        yield from column.rules.depots.get(column.power, ())


def lost_ones_last(table: Table, column: Column, routes: Iterable[Route]) -> Iterator[Route]:
    """Yield these marches of generals. Those after which one of them is sure to be lost at the next test of supply come
    last."""
    fatal: list[Route] = []
    for route in routes:
        city, way = route.named[-1], route.path
        hungry = hungry_at(column, city, way)
        if hungry and lost_at_next_test(table, hungry, city) and not may_be_fed(table, column, city, way, hungry):
            fatal.append(route)
        else:
            yield route
    yield from fatal


def lost_at_next_test(table: Table, generals: Sequence[Piece], city: City) -> list[Piece]:
    """Return those of one power's generals who leave the map at the next test of supply if they are in the city, and
    out of supply."""
    tried = copy_of(table)
    for general in generals:
        alter(tried.state.field, general, city=city)
    game_of(table).shortage(tried, table.rules.common.pieces[generals[0]].power, generals)
    return [general for general in generals if tried.state.field.pieces[general].city < 0]


def is_starving(table: Table, column: Column) -> bool:
    """True if one of the generals leaves the map at the next test of supply if nothing changes."""
    hungry = [] if column.is_train else hungry_at(column, column.start, ())
    return bool(hungry and lost_at_next_test(table, hungry, column.start))


def is_test_to_come(table: Table, power: Power) -> bool:
    """True if the supply of a power will still be tested in the present stage. While tolls are awaited, it has been
    tested already."""
    game, state = game_of(table), table.state
    phases = list(game.phases_of(table.rules, state.stage))
    if state.field.alliances.stage.get(power) != state.stage or not {state.phase, "supply"} <= {*phases}:
        return False
    is_awaited = state.phase == "supply" and state.begun
    return not is_awaited and phases.index(state.phase) <= phases.index("supply")


def next_test(table: Table, power: Power) -> str:
    """Return the key of the words on the time of a power's next test of supply; empty in a game without a supply
    phase."""
    game, state = game_of(table), table.state
    stages = (game.phases_of(table.rules, stage) for stage in game.stages(table.rules, state.turn))
    phases = next((each for each in stages if "supply" in each and "movement" in each), None)
    if phases is None:
        return ""
    if phases.index("supply") > phases.index("movement"):
        return "hunger-end"
    return "hunger-now" if is_test_to_come(table, power) else "hunger-begin"
