"""What any board must be, whatever game it is for: names, lands, roads, sectors and set-up that fit together.

Errors (`E-BOARD-…`) make a board unusable. Warnings (`W-BOARD-…`) tell of what is possible, but seldom meant.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

from pbem.engine.board import Area, BoardData, Frame, GeneralStart, Sector, TrainStart, sector_of
from pbem.faults.words import Words
from pbem.paper.documents.faults import MOST_FAULTS, Fault
from pbem.paper.documents.names import Names, as_quoted, fold, listed
from pbem.paper.documents.strict import Node, Path, place_of

_MOST_IN_A_STACK = 3
_MOST_PIXELS = 20_000
_MOST_SECTORS = 2_000


def check_board(board: BoardData, node: Node | None = None) -> list[Fault]:
    """Everything that is wrong or strange about a board; `node` is the document it was read from, for the places."""
    check = _Check(board, node)
    with suppress(_Enough):
        check.maps()
        check.lands()
        check.cities()
        check.roads()
        check.sectors()
        check.setup()
        check.off_map()
        check.occupied()
        check.objectives()
        check.depots()
        check.re_entry()
        check.regions()
        check.lines()
    return check.faults


class _Enough(Exception):
    """So much is wrong that looking further serves nobody."""


class _Check:
    """One pass over a board, noting faults as it goes."""

    def __init__(self, board: BoardData, node: Node | None) -> None:
        self.board = board
        self.node = node
        self.faults: list[Fault] = []
        self.city = {city.name: city for city in board.cities}
        self.city_names = Names(self.city, "city")
        self.map_names = Names(board.maps, "map")
        self.power_names = Names(board.powers, "power")
        lands = [*(land for mine in board.powers.values() for land in mine), *board.other_lands]
        self.land_names = Names(lands, "land")

    def fault(self, code: str, message: str, path: Path, hint: Words | str = "") -> None:
        self.faults.append(Fault(code, message, *self.place(path), hint=hint))
        if len(self.faults) >= MOST_FAULTS and not self.faults[-1].is_warning:
            raise _Enough

    def place(self, path: Path) -> tuple[int, int]:
        """Where the value at this path stands, or the nearest thing that is written."""
        return place_of(self.node, path)

    def line(self, path: Path) -> str:
        """The line of a path as part of a message, if the board came from a file."""
        return f" (line {self.place(path)[0]})" if self.node is not None else ""

    def known(self, word: str, names: Names, path: Path, code: str) -> bool:
        """Whether a word is one of those defined elsewhere in the file."""
        if word in names:
            return True
        self.fault(code, f"there is no {names.what} {as_quoted(word)}", path, names.suggestion(word))
        return False

    def maps(self) -> None:
        """The maps lie on the canvas and beside one another."""
        canvas = Frame(0, 0, self.board.canvas.w, self.board.canvas.h)
        if not (0 < canvas.w <= _MOST_PIXELS and 0 < canvas.h <= _MOST_PIXELS):
            hint = f"1 to {_MOST_PIXELS} pixels each way"
            self.fault("E-BOARD-CANVAS", f"a canvas of {canvas.w} by {canvas.h} cannot be drawn", ("canvas",), hint)
        frames = list(self.board.maps.items())
        for number, (name, frame) in enumerate(frames):
            if frame.w <= 0 or frame.h <= 0:
                self.fault("E-BOARD-MAP", f"the map {name} has no size", ("maps", name))
            elif _shared(frame, canvas) != frame.w * frame.h:
                self.fault("E-BOARD-MAP", f"the map {name} reaches beyond the canvas", ("maps", name))
            for other, beside in frames[:number]:
                if _shared(frame, beside):
                    self.fault("W-BOARD-MAP", f"the maps {other} and {name} overlap", ("maps", name))

    def lands(self) -> None:
        """Every land belongs to one power at most, and has a city."""
        homes = [
            (land, ("powers", power, i)) for power, mine in self.board.powers.items() for i, land in enumerate(mine)
        ]
        others = [(land, ("other_lands", i)) for i, land in enumerate(self.board.other_lands)]
        first: dict[str, Path] = {}
        used = {city.land for city in self.board.cities}
        for land, path in [*homes, *others]:
            if land in first:
                self.fault("E-BOARD-LAND", f"the land {land} is given to two owners{self.line(first[land])}", path)
            first.setdefault(land, path)
            if land not in used:
                self.fault("W-BOARD-LAND", f"the land {land} has no city", path)

    def cities(self) -> None:
        """Every city has a name of its own, on a map and in a land that exist."""
        for number, city in enumerate(self.board.cities):
            path: Path = ("cities", number)
            self.known(city.land, self.land_names, (*path, "land"), "E-BOARD-LAND")
            if self.known(city.map, self.map_names, (*path, "map"), "E-BOARD-MAP"):
                frame = self.board.maps[city.map]
                if not _holds(frame, city.x, city.y):
                    message = f"{city.name} at {city.x}, {city.y} lies outside the map {city.map}"
                    hint = f"x {frame.x} to {frame.x + frame.w}, y {frame.y} to {frame.y + frame.h}"
                    self.fault("E-BOARD-OUTSIDE", message, (*path, "x"), hint)
        self.unlike_names()
        self.unlike_spots()

    def unlike_names(self) -> None:
        exact: dict[str, int] = {}
        alike: dict[str, int] = {}
        for number, city in enumerate(self.board.cities):
            path: Path = ("cities", number, "name")
            folded = fold(city.name)
            if not folded:
                self.fault("E-BOARD-NAME", f"{as_quoted(city.name)} is no name: it has no letters", path)
            elif "\n" in city.name:
                self.fault("E-BOARD-NAME", f"the name {as_quoted(city.name)} must stand on one line", path)
            elif city.name in exact:
                where = self.line(("cities", exact[city.name]))
                message = f"there is already a city {city.name}{where}"
                self.fault("E-BOARD-NAME", message, path, f"write something like {city.name} (Saxony)")
            elif folded in alike:
                other = self.board.cities[alike[folded]].name
                self.fault("W-BOARD-NAME", f"{city.name} and {other} differ only in accents, case or signs", path)
            exact.setdefault(city.name, number)
            alike.setdefault(folded, number)

    def unlike_spots(self) -> None:
        spots: dict[tuple[int, int], int] = {}
        for number, city in enumerate(self.board.cities):
            first = spots.setdefault((city.x, city.y), number)
            if first != number:
                message = f"{city.name} and {self.board.cities[first].name} lie on the same spot"
                self.fault("W-BOARD-SPOT", message, ("cities", number, "x"))

    def roads(self) -> None:
        """Every road joins two cities, once; every city can be reached."""
        first: dict[frozenset[str], tuple[str, Path]] = {}
        for kind, chains in (("main_roads", self.board.main_roads), ("roads", self.board.roads)):
            for number, chain in enumerate(chains):
                self.chain(kind, number, chain, first)
        near: dict[str, set[str]] = {name: set() for name in self.city}
        for road in first:
            one, other = road
            near[one].add(other)
            near[other].add(one)
        self.reachable(near)

    def chain(
        self, kind: str, number: int, chain: tuple[str, ...], first: dict[frozenset[str], tuple[str, Path]]
    ) -> None:
        """The roads of one chain; `first` remembers where each road was met."""
        path: Path = (kind, number)
        if len(chain) < 2:
            self.fault("E-BOARD-CHAIN", "a chain of roads needs two cities at least", path)
        exists = [self.known(name, self.city_names, (*path, i), "E-BOARD-ROAD-CITY") for i, name in enumerate(chain)]
        for i, (one, other) in enumerate(pairwise(chain)):
            if not (exists[i] and exists[i + 1]):
                continue
            here: Path = (*path, i + 1)
            road = frozenset((one, other))
            if one == other:
                self.fault("E-BOARD-LOOP", f"a road leads from {one} to itself", here)
            elif road in first:
                before, where = first[road]
                twice = "stands twice" if before == kind else "is both a main road and another"
                self.fault("E-BOARD-ROAD", f"the road {one} – {other} {twice}{self.line(where)}", here)
            else:
                first[road] = (kind, here)

    def reachable(self, near: dict[str, set[str]]) -> None:
        index = {city.name: number for number, city in reversed(list(enumerate(self.board.cities)))}
        for name, others in near.items():
            if not others:
                self.fault("W-BOARD-LONELY", f"no road leads to {name}", ("cities", index[name]))
        parts = sorted((part for part in _parts(near) if len(part) > 1), key=len, reverse=True)
        for part in parts[1:]:
            cities = sorted(part, key=index.__getitem__)
            message = f"no road joins {listed(cities).replace(' or ', ' and ')} to the rest of the board"
            self.fault("W-BOARD-PARTS", message, ("cities", index[cities[0]]))

    def sectors(self) -> None:
        """The sectors cover their map without overlapping, and every city has the suit of its sector."""
        sectors = self.board.sectors
        if not sectors:
            return
        if len(sectors) > _MOST_SECTORS:
            self.fault("E-BOARD-SECTOR", f"there are more than {_MOST_SECTORS} sectors", ("sectors",))
            return
        for number, sector in enumerate(sectors):
            path: Path = ("sectors", number)
            if not self.known(sector.map, self.map_names, (*path, "map"), "E-BOARD-MAP"):
                continue
            if sector.w <= 0 or sector.h <= 0:
                self.fault("E-BOARD-SECTOR", "the sector has no size", path)
            for before, other in enumerate(sectors[:number]):
                if other.map == sector.map and _shared(sector, other):
                    where = self.line(("sectors", before))
                    self.fault("W-BOARD-SECTOR", f"the sector overlaps an earlier one{where}", path)
        for name, frame in self.board.maps.items():
            mine = [sector for sector in sectors if sector.map == name]
            if mine and sum(_shared(sector, frame) for sector in mine) < frame.w * frame.h:
                self.fault("W-BOARD-SECTOR", f"the sectors leave gaps on the map {name}", ("maps", name))
        self.suits()

    def suits(self) -> None:
        for number, city in enumerate(self.board.cities):
            here = [each for each in self.board.sectors if each.map == city.map and _holds(each, city.x, city.y)]
            path: Path = ("cities", number, "suit")
            if not here and city.map in self.map_names:
                self.fault("W-BOARD-SUIT", f"{city.name} lies in no sector", path)
            elif here and city.suit not in [sector.suit for sector in here]:
                message = f"{city.name} has {city.suit}, but its sector has {here[0].suit}"
                self.fault("E-BOARD-SUIT", message, path)

    def setup(self) -> None:
        """Every piece begins in one place that exists, and none where another may not be."""
        taken: dict[str, list[tuple[str, bool]]] = {}
        named: dict[str, Path] = {}
        for power in self.board.setup:
            self.known(power, self.power_names, ("setup", power), "E-BOARD-POWER")
            ranks: set[int] = set()
            for path, piece in self.pieces(power):
                if isinstance(piece, GeneralStart):
                    if piece.name in named:
                        message = f"the general {piece.name} begins twice{self.line(named[piece.name])}"
                        self.fault("E-BOARD-GENERAL", message, path)
                    named.setdefault(piece.name, path)
                    if piece.rank in ranks:
                        message = f"{power} has two generals of rank {piece.rank}"
                        self.fault("E-BOARD-GENERAL", message, (*path, "rank"))
                    ranks.add(piece.rank)
                self.start(power, piece, path, taken)

    def pieces(self, power: str) -> Iterator[tuple[Path, GeneralStart | TrainStart]]:
        army = self.board.setup[power]
        for i, general in enumerate(army.generals):
            yield ("setup", power, "generals", i), general
        for i, train in enumerate(army.trains):
            yield ("setup", power, "trains", i), train

    def start(
        self, power: str, piece: GeneralStart | TrainStart, path: Path, taken: dict[str, list[tuple[str, bool]]]
    ) -> None:
        """One piece's place; `taken` remembers who stands where."""
        if (piece.city is None) == (piece.box is None):
            self.fault("E-BOARD-START", "a piece begins in a city or in a box, and only one of them", path)
        if piece.city is None or not self.known(piece.city, self.city_names, (*path, "city"), "E-BOARD-START"):
            return
        is_general = isinstance(piece, GeneralStart)
        here = taken.setdefault(piece.city, [])
        if here and not (is_general and all(each == (power, True) for each in here)):
            self.fault("E-BOARD-START", f"another piece already begins in {piece.city}", (*path, "city"))
        elif len(here) == _MOST_IN_A_STACK:
            message = f"more than {_MOST_IN_A_STACK} generals begin in {piece.city}"
            self.fault("E-BOARD-START", message, (*path, "city"))
        here.append((power, is_general))

    def off_map(self) -> None:
        for power, arrow in self.board.off_map.items():
            self.known(power, self.power_names, ("off_map", power), "E-BOARD-POWER")
            self.known(arrow.city, self.city_names, ("off_map", power, "city"), "E-BOARD-OFF-MAP")

    def occupied(self) -> None:
        """A power occupies lands that are not its home country."""
        for power, lands in self.board.occupied.items():
            self.known(power, self.power_names, ("occupied", power), "E-BOARD-POWER")
            for i, land in enumerate(lands):
                path: Path = ("occupied", power, i)
                self.known(land, self.land_names, path, "E-BOARD-LAND")
                if land in self.board.powers.get(power, ()):
                    self.fault("E-BOARD-LAND", f"{land} is the home country of {power}, not a land it occupies", path)

    def objectives(self) -> None:
        """Every objective is a city, and one power's only."""
        first: dict[str, Path] = {}
        for power, mine in self.board.objectives.items():
            self.known(power, self.power_names, ("objectives", power), "E-BOARD-POWER")
            for order, cities in (("first", mine.first), ("second", mine.second)):
                self.listed_cities(cities, ("objectives", power, order), "E-BOARD-OBJECTIVE", first)

    def depots(self) -> None:
        """Every depot is a city, and one power's only."""
        first: dict[str, Path] = {}
        for power, cities in self.board.depots.items():
            self.known(power, self.power_names, ("depots", power), "E-BOARD-POWER")
            self.listed_cities(cities, ("depots", power), "E-BOARD-DEPOT", first)

    def listed_cities(self, cities: tuple[str, ...], path: Path, code: str, first: dict[str, Path]) -> None:
        """The cities of one list; `first` remembers where each was met."""
        for i, city in enumerate(cities):
            here: Path = (*path, i)
            if not self.known(city, self.city_names, here, code):
                continue
            if city in first:
                self.fault(code, f"{city} already stands in such a list{self.line(first[city])}", here)
            first.setdefault(city, here)

    def re_entry(self) -> None:
        """Every area of re-entry holds a city at least."""
        for key, areas in (("re_entry", self.board.re_entry), ("re_entry_narrow", self.board.re_entry_narrow)):
            for power, area in areas.items():
                self.area_of(power, area, (key, power))

    def area_of(self, power: str, area: Area, path: Path) -> None:
        """Where pieces of a power may come back must be said, and must hold a city."""
        self.known(power, self.power_names, path, "E-BOARD-POWER")
        if area.around is None and area.land is None:
            hint = "write `around` with a city, `land`, or both"
            self.fault("E-BOARD-AREA", f"the area of {power} says nothing of where it lies", path, hint)
        elif self.area_known(area, path) and not self.area_holds(area):
            self.fault("E-BOARD-AREA", f"no city lies in the area of {power}", path)

    def area_known(self, area: Area, path: Path) -> bool:
        """Whether the city and the land of an area exist, and the city lies in a sector."""
        city, land = area.around, area.land
        has_land = land is None or self.known(land, self.land_names, (*path, "land"), "E-BOARD-LAND")
        north = area.north_of
        has_land &= north is None or self.known(north, self.city_names, (*path, "north_of"), "E-BOARD-AREA")
        if city is None or not self.known(city, self.city_names, (*path, "around"), "E-BOARD-AREA"):
            return city is None and has_land
        has_sector = sector_of(self.board.sectors, self.city[city]) >= 0
        if not has_sector:
            self.fault("E-BOARD-AREA", f"{city} lies in no sector", (*path, "around"))
        return has_land and has_sector

    def area_holds(self, area: Area) -> bool:
        """Whether any city is of the area."""
        sectors = self.board.sectors
        middle = None if area.around is None else sector_of(sectors, self.city[area.around])
        limit = None if area.north_of is None else self.city[area.north_of].y
        return any(
            (area.land is None or city.land == area.land)
            and (middle is None or sector_of(sectors, city) == middle)
            and (limit is None or city.y < limit)
            for city in self.board.cities
        )

    def regions(self) -> None:
        """Every region is made of cities, each of them once."""
        for name, cities in self.board.regions.items():
            self.listed_cities(cities, ("regions", name), "E-BOARD-REGION", {})

    def lines(self) -> None:
        """Every line runs across the canvas."""
        for name, y in self.board.lines.items():
            if not 0 < y < self.board.canvas.h:
                hint = f"y between 0 and {self.board.canvas.h}"
                self.fault("E-BOARD-LINE", f"the line {name} lies outside the canvas", ("lines", name), hint)


def _shared(one: Frame | Sector, other: Frame | Sector) -> int:
    """The area that two rectangles have in common."""
    wide = min(one.x + one.w, other.x + other.w) - max(one.x, other.x)
    high = min(one.y + one.h, other.y + other.h) - max(one.y, other.y)
    return max(wide, 0) * max(high, 0)


def _holds(frame: Frame | Sector, x: int, y: int) -> bool:
    return frame.x <= x <= frame.x + frame.w and frame.y <= y <= frame.y + frame.h


def _parts(near: dict[str, set[str]]) -> Iterator[set[str]]:
    """The sets of cities that roads join."""
    left = set(near)
    for start in near:
        if start not in left:
            continue
        part, edge = {start}, [start]
        while edge:
            beyond = near[edge.pop()] - part
            part |= beyond
            edge.extend(beyond)
        left -= part
        yield part
