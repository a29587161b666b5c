"""Limits of a board. Drawing a larger board would take too long."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise

from pbem.engine.board import BoardData, GeneralStart, TrainStart
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.strict import KeyPath

MOST_PIXELS = 20_000
MOST_CITIES, MOST_ROADS, MOST_FROM_A_CITY = 1_000, 2_000, 16
MOST_MAPS, MOST_LANDS, MOST_POWERS, MOST_SECTORS, MOST_PIECES = 16, 100, 24, 500, 200
LONGEST_NAME, LONGEST_TITLE, LONGEST_NOTE = 40, 200, 10_000
"""Greatest lengths, in characters, of a name, a title and a note of a board."""

CROWD, SQUARES = 6, 32
"""Two numbers for a grid over the canvas: the largest number of cities in one square (`CROWD`), and the number of
squares along the longer side of the canvas (`SQUARES`)."""

ROADS_LONG = 60
"""Greatest length of all roads together, measured in lengths of the longer side of the canvas."""


def excesses(board: BoardData) -> Iterator[tuple[Wrong, KeyPath]]:
    """Yield a fault for everything on a board that is too large, too long, too crowded, or too many. Each fault comes
    with the path of its value."""
    canvas = board.canvas
    if not (0 < canvas.w <= MOST_PIXELS and 0 < canvas.h <= MOST_PIXELS):
        yield wrong("E-BOARD-CANVAS", w=canvas.w, h=canvas.h, most=MOST_PIXELS), ("canvas",)
    for names, most, path in (
        (board.cities, MOST_CITIES, "cities"),
        (board.maps, MOST_MAPS, "maps"),
        (board.powers, MOST_POWERS, "powers"),
        (board.sectors, MOST_SECTORS, "sectors"),
        (board.lines, MOST_LANDS, "lines"),
        (board.regions, MOST_LANDS, "regions"),
    ):
        if len(names) > most:
            yield (
                wrong("E-BOARD-MANY", what=path, most=most),
                (path, str(next(islice(names, most, None))) if isinstance(names, Mapping) else most),
            )
    if sum(map(len, board.powers.values())) + len(board.other_lands) > MOST_LANDS:
        yield wrong("E-BOARD-MANY", what="powers, other_lands", most=MOST_LANDS), ("powers",)
    if sum(len(army.generals) + len(army.trains) for army in board.setup.values()) > MOST_PIECES:
        yield wrong("E-BOARD-MANY", what="setup", most=MOST_PIECES), ("setup",)
    yield from long_texts(board)
    yield from many_roads(board)
    # There is no room for the names of cities that are very close together.
    side = max(board.canvas.w, board.canvas.h, SQUARES) / SQUARES
    found = Counter[tuple[int, int]]()
    for number, city in enumerate(board.cities):
        square = (int(city.x // side), int(city.y // side))
        found[square] += 1
        if found[square] > CROWD:
            yield wrong("E-BOARD-CROWD", city=city.name, most=CROWD, side=round(side)), ("cities", number, "x")


def long_texts(board: BoardData) -> Iterator[tuple[Wrong, KeyPath]]:
    """Yield a fault for each name or text that is too long to be drawn. Each fault comes with the path of its value."""
    named: list[tuple[str, KeyPath]] = [(city.name, ("cities", i, "name")) for i, city in enumerate(board.cities)]
    named += [(name, ("maps", name)) for name in board.maps]
    for power, mine in board.powers.items():
        named += [(power, ("powers", power)), *((land, ("powers", power, i)) for i, land in enumerate(mine))]
    named += [(land, ("other_lands", i)) for i, land in enumerate(board.other_lands)]
    for power, army in board.setup.items():
        named += [(power, ("setup", power))]
        named += [(each.name, ("setup", power, "generals", i, "name")) for i, each in enumerate(army.generals)]
        named += [(each.box or "", path) for path, each in pieces_of(board, power)]
    named += [(arrow.box, ("off_map", power, "box")) for power, arrow in board.off_map.items()]
    texts = [(board.title, ("title",), LONGEST_TITLE), (board.note, ("note",), LONGEST_NOTE)]
    for text, path, most in (*((name, path, LONGEST_NAME) for name, path in named), *texts):
        if len(text) > most:
            yield wrong("E-BOARD-LONG", most=most, length=len(text)), path


def many_roads(board: BoardData) -> Iterator[tuple[Wrong, KeyPath]]:
    """Yield a fault for each road with which a limit is exceeded: the number of roads, the number of roads of one city,
    or the length of all roads together. Each fault comes with the path of the road."""
    cities = {city.name: city for city in board.cities}
    count, length, at = 0, 0.0, Counter[str]()
    most = ROADS_LONG * max(board.canvas.w, board.canvas.h)
    for kind, chains in (("main_roads", board.main_roads), ("roads", board.roads)):
        for number, chain in enumerate(chains):
            for i, (one, other) in enumerate(pairwise(chain)):
                count += 1
                at.update((one, other))
                path: KeyPath = (kind, number, i + 1)
                if one in cities and other in cities:
                    length += math.dist(*((cities[name].x, cities[name].y) for name in (one, other)))
                if length > most:
                    yield wrong("E-BOARD-MANY.long", most=most), path
                if count > MOST_ROADS:
                    yield wrong("E-BOARD-MANY", what="main_roads, roads", most=MOST_ROADS), path
                if at[other] > MOST_FROM_A_CITY or at[one] > MOST_FROM_A_CITY:
                    city = other if at[other] > MOST_FROM_A_CITY else one
                    yield wrong("E-BOARD-MANY.from", city=city, most=MOST_FROM_A_CITY), path


def pieces_of(board: BoardData, power: Power) -> Iterator[tuple[KeyPath, GeneralStart | TrainStart]]:
    """Yield each general and train with which a power begins the game. Each piece comes with its path in the board's
    file."""
    army = board.setup[power]
    for i, general in enumerate(army.generals):
        yield ("setup", power, "generals", i), general
    for i, train in enumerate(army.trains):
        yield ("setup", power, "trains", i), train
