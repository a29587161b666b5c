"""Single roads joined into chains of cities, as a road atlas would list them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct


class Spot(Struct, frozen=True):
    """The middle of a city on the canvas, in pixels."""

    x: int
    y: int


def chains(roads: Iterable[tuple[int, int]], spots: Sequence[Spot]) -> list[tuple[int, ...]]:
    """Chains of city indices that hold every road once; each goes on as straight as it can.

    They begin at the ends of roads, where an odd number of roads meet, so that few chains suffice; what is then left
    are circles. The same roads give the same chains.
    """
    near: list[set[int]] = [set() for _ in spots]
    for one, other in roads:
        near[one].add(other)
        near[other].add(one)
    found = [_walk(start, near, spots) for start in range(len(spots)) if len(near[start]) % 2]
    for start in range(len(spots)):
        while near[start]:
            found.append(_walk(start, near, spots))
    return found


def _walk(start: int, near: list[set[int]], spots: Sequence[Spot]) -> tuple[int, ...]:
    """One chain from here to where no road is left, taking its roads away."""
    walk = [start]
    while near[walk[-1]]:
        here = walk[-1]
        before = walk[-2] if len(walk) > 1 else None
        following = min(sorted(near[here]), key=lambda city: _turn(before, here, city, spots))
        near[here].remove(following)
        near[following].remove(here)
        walk.append(following)
    return tuple(walk)


def _turn(before: int | None, here: int, after: int, spots: Sequence[Spot]) -> float:
    """How far one must turn to go on, from 0 (straight on) to π; rounded, so that every machine agrees."""
    if before is None:
        return 0.0
    a, b, c = spots[before], spots[here], spots[after]
    turn = math.atan2(c.y - b.y, c.x - b.x) - math.atan2(b.y - a.y, b.x - a.x)
    return round(abs(math.remainder(turn, math.tau)), 6)
