"""Possible results of marches: cities that are conquered, enemies beside the city where the march ends, and the
distance to the goals of the pieces.

All this follows from public facts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.combat import pairings
from pbem.engine.conquest import is_protected
from pbem.engine.decisions import ChooseBattle, March, Move
from pbem.engine.field import OFF, alter
from pbem.engine.march import CityEntry, Column, destinations, is_forced
from pbem.engine.memory import Declaration
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table, deep_copy, player_of, powers_of_player
from pbem.engine.ways import best_way
from pbem.kit import game_of
from pbem.paper.orders.moves import marching_columns
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.letters.meetings import Meeting, meetings
from pbem.report.letters.routes import (
    Route,
    aim_in_words,
    cities_left,
    hungry_at,
    is_idle_at,
    is_prize,
    is_short_line,
    names_of_some,
    nearest_aim,
    own_hussars_on,
    routes_through,
    sort_by_distance,
    written_march,
    written_pieces,
    written_way,
)
from pbem.report.letters.supply_ahead import (
    UnfedMarch,
    feeding,
    is_starving,
    lost_ones_last,
    may_be_fed,
    unfed_marches,
)
from pbem.report.letters.unsettled import (
    ForcedAttack,
    attack_in_words,
    cities_uncovered,
    comers_after,
    may_lose_protection,
    pieces_in_reach,
)
from pbem.report.stacks import Stack

MOST_TRIED = 12
"""Largest number of cities that are tried as the end of one march. Other marches may block some of them."""

NEAR = 2
"""Number of marches by main roads that may be left to a city that a sheet names as approached by generals."""


class MarchResults(Struct, frozen=True):
    """Possible results of marches of certain pieces, and one of these marches as an example."""

    pieces: list[str]
    written: str
    """Pieces as orders write them."""
    start: str
    """City where the pieces are now."""
    goal: str
    """City where the example ends: the most important city in reach of the pieces, or a city on the way to it."""
    line: str
    """Example as an order."""
    takes: list[str]
    """Cities that the example conquers, whatever the results of battles and supply are."""
    open: list[str]
    """Cities of enemies that some march of the pieces can conquer, because nobody protects them."""
    questions: list[str]
    """Protected cities of enemies that get a question mark from the example. Battles of the stage may end their
    protection."""
    guarded: list[str]
    """Protected cities of enemies that get a question mark from another march of the pieces. Battles of the stage may
    end their protection."""
    takes_train: str
    """City where the example ends if an enemy train is taken there; else empty."""
    trains: list[str]
    """Cities of enemy trains that some march of the pieces can take."""
    unfed: list[UnfedMarch]
    """Marches to these cities and trains after which a general would be out of supply."""
    meets: list[Meeting]
    """Enemies whom the pieces would have to attack after another march. Each has the city where this march ends."""
    enters: str
    """Enemy city where the example ends, and which the pieces conquer only when they leave it; else empty."""
    is_guarded: bool
    """True if enemies now protect the city `enters`."""
    is_idle: bool
    """True if all the pieces are face-down now, or would be so at the end of the example if trains stay where they are.
    Such pieces do not conquer the city `enters` when they leave it. Always False in games in which they do."""
    uncovers: list[str]
    """Own cities that only these pieces protect, and that enemies could conquer if the pieces marched to `goal`."""
    sweeps: list[str]
    """City of each hussar of the same power on the way of the example. The march removes them from the map."""
    is_forced: bool
    """True if the example is a forced march."""
    forced_goal: str
    """End of another example that is a forced march. Empty if `is_forced`, or if no forced march is possible."""
    forced_steps: int
    """Largest number of steps in a forced march of the pieces."""
    towards: str
    """City that the pieces approach, in words (`aim_in_words`). Empty if they can already conquer or take something,
    and if more than `NEAR` marches are left to generals."""
    of_own: bool
    """True if the pieces approach a general of their own power. He may march in the same stage."""
    left: int
    """Distance by road from the end of the example to the city that the pieces approach, in steps."""
    comers: list[str]
    """Enemy stacks that could attack the pieces at the end of the example, or take the train there, on their next
    march. Those whom the pieces must attack there themselves are left out."""
    new_comers: list[str]
    """Those of `comers` who could not attack the pieces where they are now."""
    is_hungry: bool
    """True if a general would be out of supply at the end of the example. Trains are assumed to stay where they are."""
    hungry: list[str]
    """Generals who would be out of supply there, unless all would. Likewise, `down` has the pieces face-down now."""
    may_be_fed: bool
    """True if a train could come in this stage and supply one of the `hungry` generals."""
    is_down: bool
    down: list[str]
    fights: list[ForcedAttack]
    """Attacks that the pieces must make at the end of the example, if all other pieces stay where they are."""
    is_threatened: bool
    """True if enemies could attack or take one of the pieces where it is now."""
    is_starving: bool
    """True if one of the pieces leaves the map at the next test of supply if nothing changes."""

    @property
    def is_weighty(self) -> bool:
        """True if the pieces can conquer, take or attack something."""
        return bool(self.open or self.trains or self.questions or self.guarded or self.meets or self.fights)


def in_reach(table: Table, decision: March, done: Table, declared: Sequence[Declaration] = ()) -> list[MarchResults]:
    """Return the possible results of a power's marches, each with an example. If the march of a whole stack has
    results, the stack marches as a whole, else each of its pieces marches alone. Pieces that must leave their city are
    left out.

    The examples are carried out on the table `done`, one after the other, so that all of them can be ordered together.
    `declared` has the strengths that generals have stated in combat.
    """
    prospects = prospects_of(table, decision.power, declared)
    columns = [column for column in marching_columns(table, decision) if set(decision.leaving).isdisjoint(column)]
    threatened = {*prospects.threatened_pieces()}
    reached = pieces_in_reach(table, decision.power)
    stacked: set[Piece] = set()
    found: list[MarchResults] = []
    # Trains come last, because they follow the generals.
    is_general = table.rules.common.is_general
    for movers in sorted(columns, key=lambda movers: (not is_general(movers[0]), -len(movers))):
        if stacked.isdisjoint(movers) and (
            each := march_results(game_of(table).column_of(table, movers), done, prospects, threatened, reached)
        ):
            stacked.update(movers)
            found.append(each)
    return found


def prospects_of(table: Table, power: Power, declared: Sequence[Declaration]) -> Prospects:
    return Prospects(table, powers_of_player(table, player_of(table, power)), (power,), declared)


def fights_now(table: Table, power: Power, declared: Sequence[Declaration] = ()) -> list[ForcedAttack]:
    """Return the attacks that a power must make if it moves no piece."""
    prospects = prospects_of(table, power, declared)
    return [attack_in_words(prospects, battle.attacker, battle.defender) for battle in prospects.battles()]


def attacks_asked(table: Table, decision: ChooseBattle, declared: Sequence[Declaration] = ()) -> list[ForcedAttack]:
    """Return the attacks from which a power must choose the next one."""
    prospects = prospects_of(table, decision.power, declared)
    stacks = ((prospects.stack(each.attacker), prospects.stack(each.defender)) for each in decision.battles)
    return [attack_in_words(prospects, own, enemy) for own, enemy in stacks]


class Targets(Struct, frozen=True):
    """Targets of the marches of certain pieces, and a march to each target. The text of each fits on a short line."""

    straight: dict[City, Route]
    """March to each city where a march can end, the nearest city first."""
    through: dict[City, Route]
    """March through each city that is conquered when pieces leave it."""
    free: list[City]
    """Cities that can be conquered because nobody protects them."""
    trains: list[City]
    """Cities of enemy trains that can be taken."""
    guarded: list[City]
    """Protected cities that can get a question mark. Battles of the stage may end their protection."""
    aim: City | None
    """Most important target, or, if there is none, the city of the nearest aim (`nearest_aim`)."""

    @property
    def cities(self) -> list[City]:
        """Return the cities of all targets, the most important first."""
        return [*self.free, *self.trains, *self.guarded]

    @property
    def routes(self) -> list[Route]:
        """Return a march to each target, in the same order as `cities`."""
        through, straight = self.through.__getitem__, self.straight.__getitem__
        return [*map(through, self.free), *map(straight, self.trains), *map(through, self.guarded)]


def targets_of(column: Column, reached: Mapping[Piece, Collection[Piece]]) -> Targets:
    """Return the targets of a column. `reached` has the enemy pieces that each general can attack or take."""
    ways = {city: way for city, way in destinations(column).items() if city != column.start}
    marches = {city: Route((city,), ways[city]) for city in sorted(ways, key=lambda city: (len(ways[city]), city))}
    straight = {city: route for city, route in marches.items() if is_short_line(column, route)}
    through = routes_through(column, ways)
    held = [city for city in through if is_protected(column.rules, column.field, city, column.circumstances.reach)]
    free = [city for city in through if city not in held]
    trains = [city for city in straight if column.entry(city) is CityEntry.TRAIN]
    guarded = [city for city in held if may_lose_protection(column, city, through[city].path[-1], reached)]
    targets = [*free, *trains, *guarded]
    return Targets(straight, through, free, trains, guarded, targets[0] if targets else nearest_aim(column))


def march_results(
    column: Column,
    done: Table,
    prospects: Prospects,
    threatened: Collection[Piece],
    reached: Mapping[Piece, Collection[Piece]],
) -> MarchResults | None:
    """Return the results of a column's marches, with an example, which is carried out on the table `done`. Return None
    if there is no possible example.

    `prospects` has the combats and threats before the march. `threatened` has the pieces that enemies could attack, and
    `reached` the enemy pieces that each general can attack or take.
    """
    to = targets_of(column, reached)
    route = example_of(column, to, done, prospects)
    return results_of(column, to, route, prospects, threatened) if route else None


def example_of(column: Column, to: Targets, done: Table, prospects: Prospects) -> Route | None:
    """Carry out the best possible march of a column on the table `done`, and return it. Return None if no march is
    possible."""
    ends = [to.straight[city] for city in refuges_last(column, sort_by_distance(column, [*to.straight], to.aim))]
    is_down = any(column.field.pieces[mover].down for mover in column.movers)
    wanted = chain(to.routes, sensible_first(column, ends if is_down else ends[:MOST_TRIED], prospects))
    offered = feeding(done, column, wanted) if column.is_train else lost_ones_last(prospects.table, column, wanted)
    return first_possible(done, column, offered)


def refuges_last(column: Column, cities: Iterable[City]) -> list[City]:
    """Return these cities, those last where a lost train of the column's power could come back: it cannot where another
    piece stands."""
    rules, pieces = column.rules, column.field.pieces
    is_lost = any(pieces[train].city == OFF for train in rules.trains(column.power))
    refuges = rules.depots.get(column.power, ()) if is_lost else ()
    return sorted(cities, key=lambda city: city in refuges)


def results_of(
    column: Column, to: Targets, route: Route, prospects: Prospects, threatened: Collection[Piece]
) -> MarchResults:
    """Return the results of a column's marches, with the march `route` as the example."""
    rules, field, aim = column.rules, column.field, to.aim

    def named(stack: Stack) -> str:
        return " + ".join(blocks.pieces(rules, stack.generals))

    down = [mover for mover in column.movers if field.pieces[mover].down]
    goal = route.named[-1]
    # The order names only some cities. The program chooses the path between them.
    path = (best_way(column, route.named) if rules.ways == "found" else None) or route.path
    left_behind, forced = {column.start, *path[:-1]}, is_forced(column, path)
    left = cities_left(column, goal, aim)
    fights = [] if column.is_train else fights_at(column, goal, prospects)
    attacked = {each.city for each in fights}
    meets = [] if column.is_train else meetings(prospects, column, to.straight, attacked)
    hungry = [] if column.is_train else hungry_at(column, goal, route.path)
    met = {*(each.city for each in fights), *chain.from_iterable((each.city, each.end) for each in meets)}
    comers = [each for each in comers_after(prospects, column, goal) if blocks.city(rules, each.city) not in attacked]
    known = {comer.stack.city for comer in prospects.comers(column.start, column.movers[0])} if comers else set()
    is_near = left > 0 and (column.is_train or left <= NEAR * column.ranges.main_roads)
    towards = aim_in_words(column, aim, met) if aim is not None and is_near and not to.cities else ""
    return MarchResults(
        pieces=blocks.pieces(rules, column.movers),
        written=written_pieces(column),
        start=blocks.city(rules, column.start),
        goal=written_way(column, route),
        line=written_march(column, route),
        takes=blocks.cities(rules, [city for city in to.free if city in left_behind]),
        open=blocks.cities(rules, to.free),
        questions=blocks.cities(rules, [city for city in to.guarded if city in left_behind]),
        guarded=blocks.cities(rules, [city for city in to.guarded if city not in left_behind]),
        takes_train=blocks.city(rules, goal) if goal in to.trains else "",
        trains=blocks.cities(rules, to.trains),
        unfed=[*unfed_marches(prospects.table, column, zip(to.cities, to.routes, strict=True))],
        meets=meets,
        enters=blocks.city(rules, goal) if not column.is_train and is_prize(column, goal) else "",
        is_guarded=is_protected(rules, field, goal, column.circumstances.reach),
        is_idle=not column.is_train and is_idle_at(column, goal, route.path),
        uncovers=blocks.cities(rules, cities_uncovered(prospects, column, goal)),
        sweeps=blocks.cities(rules, own_hussars_on(column, path)),
        is_forced=forced,
        forced_goal="" if forced else forced_goal(column, to.straight, prospects),
        forced_steps=column.ranges.forced,
        towards=towards,
        of_own=column.is_train,
        left=left,
        comers=[*map(named, comers)],
        new_comers=[named(stack) for stack in comers if stack.city not in known],
        is_hungry=bool(hungry),
        hungry=names_of_some(column, hungry),
        may_be_fed=may_be_fed(prospects.table, column, goal, route.path, hungry),
        is_down=bool(down),
        down=names_of_some(column, down),
        fights=fights,
        is_threatened=any(mover in threatened for mover in column.movers),
        is_starving=is_starving(prospects.table, column),
    )


def forced_goal(column: Column, straight: Mapping[City, Route], prospects: Prospects) -> str:
    """Return the city where a forced march ends nearest to the pieces' aim. It must have no piece in it. Return an
    empty text if there is no such city. Cities where the march would be reckless (`is_reckless`) are taken last.
    `straight` has a march to each end."""
    ends = [city for city, route in straight.items() if is_forced(column, route.path)]
    free = [city for city in ends if column.entry(city) is CityEntry.FREE]
    nearest = [straight[city] for city in sort_by_distance(column, free, nearest_aim(column))[:MOST_TRIED]]
    return next((blocks.city(column.rules, each.named[-1]) for each in sensible_first(column, nearest, prospects)), "")


def sensible_first(column: Column, routes: Sequence[Route], prospects: Prospects) -> Iterator[Route]:
    """Yield these marches. Those that are reckless (`is_reckless`) come last."""
    reckless: list[Route] = []
    for route in routes:
        if is_reckless(column, route.named[-1], route.path, prospects):
            reckless.append(route)
        else:
            yield route
    yield from reckless


def is_reckless(column: Column, city: City, way: Road, prospects: Prospects) -> bool:
    """True if a column would be out of supply in `city` after a march along `way`, or would have to attack at least
    twice as many troops as it has. A train is never reckless."""
    own = sum(prospects.strength(column.movers))
    return not column.is_train and (
        bool(hungry_at(column, city, way))
        or any(each.least + each.most >= 2 * own for each in fights_at(column, city, prospects))
    )


def fights_at(column: Column, goal: City, prospects: Prospects) -> list[ForcedAttack]:
    """Return the attacks that pieces must make if their march ends in the city `goal`."""
    after = deep_copy(column.field)
    for mover in column.movers:
        alter(after, mover, city=goal)
    foes = [battle.defender for battle in pairings(column.rules, after, [column.power]) if battle.attacker == goal]
    own = replace(prospects.stack(column.start), generals=tuple(column.movers), city=goal)
    return [attack_in_words(prospects, own, prospects.stack(foe)) for foe in foes]


def first_possible(done: Table, column: Column, wanted: Iterable[Route]) -> Route | None:
    """Return the first march in `wanted` that is possible and does not end at another stack. The march is carried out
    on the table `done`. Return None if none of the first `MOST_TRIED` marches is such a march."""
    after = game_of(done).column_of(done, column.movers)
    ways = destinations(after)
    for route in islice(wanted, MOST_TRIED):
        goal = route.named[-1]
        path = ways.get(goal, ()) if len(route.named) == 1 else route.path
        if path and after.entry(goal) is not CityEntry.JOIN:
            try:
                game_of(done).apply(done, column.power, Move(column.movers, path))
            except IllegalOrder:
                continue
            return Route(route.named, path)
    return None
