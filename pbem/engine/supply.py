"""Supply: paths from generals to their trains, the toll that hussars levy, and the effects of shortage (MARIA §9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.conquest import control_of, dealings
from pbem.engine.decisions import Claim, toll_of
from pbem.engine.events import Event, SupplyLost, SupplyRestored
from pbem.engine.field import Field, PieceState, alter, are_enemies, at_home, by_command
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.roads import Obstacles, Road, Ways, search
from pbem.engine.rules import IllegalOrder, Rules
from pbem.engine.troops import lose
from pbem.faults.wrong import wrong


class SupplyObstacles(Struct, frozen=True):
    """Cities that block a power's supply paths, or on which a supply path costs a toll."""

    barred: set[City]
    """Cities of enemy pieces and of foreign neutral land."""
    raiders: set[City]
    """Cities with hussars that levy a toll."""


def obstacles_of(rules: Rules, field: Field, power: Power) -> SupplyObstacles:
    # No supply runs through foreign neutral land (§19.4).
    barred = enemy_cities(rules, field, power) | control_of(rules, field).stance.closed_cities(rules, field, (power,))
    return SupplyObstacles(barred, raiding_hussars(rules, field, power))


def trace(rules: Rules, field: Field, general: Piece, obstacles: SupplyObstacles | None = None) -> Road | None:
    """Return the supply path of a general outside home: the shortest path without toll or, if there is none, the
    shortest path with a toll. Return None if there is no path, or if none of his trains is on the map."""
    pieces, start = field.pieces, field.pieces[general].city
    trains = {city for train in rules.wagons[general] if (city := pieces[train].city) >= 0}
    if not trains:
        return None
    obstacles = obstacles or obstacles_of(rules, field, rules.pieces[general].power)
    # A longer path is taken if it is in reach and free of toll (docs/rulings.md, §9).
    free = shortest(rules, start, trains, obstacles.barred | obstacles.raiders) if obstacles.raiders else None
    return free or shortest(rules, start, trains, obstacles.barred)


def enemy_cities(rules: Rules, field: Field, power: Power) -> set[City]:
    """Return the cities with an enemy piece; no supply runs through them."""
    pieces = field.pieces
    return {city for foe in dealings(rules, field, power).hostile if (city := pieces[foe].city) >= 0}


def raiding_hussars(rules: Rules, field: Field, power: Power) -> set[City]:
    """Return the cities with hussars that levy a toll on this power."""
    if not rules.raiders or not are_enemies(field, rules.raiders, power):
        return set()
    return {city for city in field.hussars if city >= 0}


def shortest(rules: Rules, start: City, goals: Collection[City], barred: Set[City]) -> Road | None:
    """Return the shortest path within the supply range to a city of `goals`, empty if the start is a goal; None if
    there is no path."""
    free = rules.board.free(start, rules.limits.supply, main_only=False, cross_maps=True).ways
    ways = sorted([free[goal] for goal in goals if goal in free], key=len)
    if start in goals:
        return ()
    if not ways:
        return None
    if barred.isdisjoint(ways[0]) and (len(ways) == 1 or len(ways[0]) < len(ways[1])):
        return ways[0]
    return search_path(rules, start, goals, barred)


def search_path(rules: Rules, start: City, goals: Collection[City], barred: Set[City]) -> Road | None:
    """Search for the shortest path within the supply range to a city of `goals`, and return it; None if there is none.
    Cities of `barred` are not entered."""
    # The start may be barred: supply may leave neutral ground by its first step (docs/rulings.md, §19.4).
    found = search(start, rules.limits.supply, rules.board.near, Obstacles(barred))
    return next((Ways(start, [found])[city] for city in found if city in goals), None)


def toll(rules: Rules, field: Field, power: Power, path: Road) -> int:
    """Return the toll of a supply path, in points of cards (§9). It is 0 if no hussar levies a toll on the path."""
    return toll_of(path) if raiding_hussars(rules, field, power) & set(path) else 0


class Supply(NamedTuple):
    """Supply of a power's generals outside home: supply paths without toll, supply paths with a toll, and generals out
    of supply."""

    free: list[Claim]
    tolled: list[Claim]
    cut_off: list[Piece]


def assess(rules: Rules, field: Field, power: Power) -> Supply:
    free, tolled, cut_off = found = Supply([], [], [])
    away = [g for g in rules.generals(power) if field.pieces[g].city >= 0 and not at_home(rules, field, g)]
    if not away:
        return found
    obstacles = obstacles_of(rules, field, power)
    for general in away:
        path = trace(rules, field, general, obstacles)
        if path is None:
            cut_off.append(general)
        # Every general pays for his own path: two generals of one stack pay twice (docs/rulings.md, §9).
        elif not obstacles.raiders.isdisjoint(path):
            tolled.append(Claim(general, path))
        else:
            free.append(Claim(general, path))
    return found


def cut_off_in(rules: Rules, field: Field, general: Piece, ways: Mapping[City, Road]) -> Iterator[City]:
    """Yield the cities in which a general would be out of supply after his march. `ways` has his path to each city;
    enemy trains on this path are taken."""
    power, trial = rules.pieces[general].power, replace(field, pieces=[*field.pieces])
    foes, raiders = enemy_cities(rules, field, power), raiding_hussars(rules, field, power)
    closed = control_of(rules, field).stance.closed_cities(rules, field, (power,))
    for city, way in ways.items():
        obstacles = SupplyObstacles(foes.difference(way) | closed, raiders)  # trains on the way are taken
        alter(trial, general, city=city)
        if not at_home(rules, trial, general) and trace(rules, trial, general, obstacles) is None:
            yield city


def feeding_cities(rules: Rules, field: Field, power: Power, city: City, way: Road) -> set[City]:
    """Return the cities from which a train would supply a power's general in `city` after his march along `way`. Enemy
    trains on this path are taken."""
    barred = obstacles_of(rules, field, power).barred.difference(way)
    return {city, *search(city, rules.limits.supply, rules.board.near, Obstacles(barred))}


def fed_cities(rules: Rules, field: Field, train: Piece) -> set[City]:
    """Return the cities in which a general of the train's power would be in supply by this train, at a toll or without,
    if the train stays where it is."""
    power, start = rules.pieces[train].power, field.pieces[train].city
    fed = feeding_cities(rules, field, power, start, ())
    # Supply may leave foreign neutral land by its first step, so not every path is the same both ways.
    closed = control_of(rules, field).stance.closed_cities(rules, field, (power,)) - enemy_cities(rules, field, power)
    edge = [city for city in closed if not fed.isdisjoint(rules.board.near[city])]
    return fed.union(city for city in edge if start in feeding_cities(rules, field, power, city, ()))


def check_in_hand(hand: Sequence[Card], cards: Sequence[Card]) -> None:
    """Raise `IllegalOrder` for cards that the power does not hold."""
    left = list(hand)
    for place, card in enumerate(cards):
        if card not in left:
            raise IllegalOrder(wrong("E-CARD-HAND"), where=("cards", place))
        left.remove(card)


def restore(field: Field, generals: Iterable[Piece]) -> list[Event]:
    """Turn face-down generals who are back in supply face-up (§9)."""
    events: list[Event] = []
    for general in generals:
        if field.pieces[general].down:
            alter(field, general, down=False)
            events.append(SupplyRestored(general))
    return events


def loss_of(general: PieceState) -> int:
    """Return how many troops an unsupplied general loses: one, or two if he is face-down already (§9)."""
    return 2 if general.down else 1


def starve(rules: Rules, field: Field, power: Power, generals: Collection[Piece]) -> list[Event]:
    """Turn unsupplied generals face-down, and take their losses from the power's generals in the same city (§9).
    Generals without troops are removed."""
    events: list[Event] = []
    for city in sorted({field.pieces[general].city for general in generals}):
        hit = [general for general in generals if field.pieces[general].city == city]
        losses = 0
        for general in by_command(rules, field, hit):
            loss = loss_of(field.pieces[general])
            alter(field, general, down=True)
            losses += loss
            events.append(SupplyLost(general, loss))
        mates = [g for g in rules.generals(power) if field.pieces[g].city == city]
        events += lose(rules, field, mates, losses, hit)
    return events
