"""Checks that apply to the boards of all games: names, lands, roads, sectors and set-up must fit together.

With an error (`E-BOARD-…`) a board cannot be used. A warning (`W-BOARD-…`) tells of something that is allowed but
rarely meant."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise

from pbem.engine.board import Area, BoardData, Frame, GeneralStart, Sector, TrainStart, sector_of
from pbem.engine.nouns import Power
from pbem.faults.wrong import Gap, Line, Wrong, words, wrong
from pbem.paper.boards.limits import excesses, pieces_of
from pbem.paper.documents.faults import MOST_FAULTS, Fault, Place
from pbem.paper.documents.names import Names, as_quoted, fold
from pbem.paper.documents.strict import KeyPath, Node, place_of

_MOST_IN_A_STACK = 3
_MOST_LISTED = 5

_OBJECTIVE = ("E-BOARD-OBJECTIVE.city", "E-BOARD-OBJECTIVE.twice")
_DEPOT = ("E-BOARD-DEPOT.city", "E-BOARD-DEPOT.twice")
_REGION = ("E-BOARD-REGION.city", "E-BOARD-REGION.twice")


def check_board(board: BoardData, node: Node | None = None) -> list[Fault]:
    """Return the errors and warnings of a board. `node` is the document with the board; without it, the faults have no
    places. If there are too many faults, the rest of the board is not checked."""
    check = _Check(board, node)
    with suppress(_Enough):
        check.check_limits()
        check.check_maps()
        check.check_lands()
        check.check_cities()
        check.check_roads()
        check.check_sectors()
        check.check_setup()
        check.check_off_map()
        check.check_occupied()
        check.check_objectives()
        check.check_depots()
        check.check_re_entry()
        check.check_regions()
        check.check_lines()
    return check.faults


class _Enough(Exception):
    """Raised to end the checks of a board that has too many faults."""


class _Check:
    """Checker of one board. It collects the faults."""

    def __init__(self, board: BoardData, node: Node | None) -> None:
        self.board = board
        self.node = node
        self.faults: list[Fault] = []
        self.city = {city.name: city for city in board.cities}
        self.city_names = Names(self.city)
        self.map_names = Names(board.maps)
        self.power_names = Names(board.powers)
        lands = [*(land for mine in board.powers.values() for land in mine), *board.other_lands]
        self.land_names = Names(lands)

    def fault(self, found: Wrong, path: KeyPath) -> None:
        self.faults.append(Fault.at(*self.place(path), found))
        if len(self.faults) >= MOST_FAULTS and not self.faults[-1].is_warning:
            raise _Enough

    def place(self, path: KeyPath) -> Place:
        """Return the place of the value at this path. If the value is not written, return that of the nearest value
        around it."""
        return place_of(self.node, path)

    def line(self, path: KeyPath) -> Gap:
        """Return words such as "line 12" for the value at this path. Return an empty text if there is no document."""
        return words("board-line", line=Line(self.place(path)[0])) if self.node is not None else ""

    def check_known(self, word: str, names: Names, path: KeyPath, wording: str) -> bool:
        """Return True if `word` is among the names. If not, add a fault at this path with this wording, and return
        False."""
        if word in names:
            return True
        self.fault(wrong(wording, hint=names.suggestion(word), name=as_quoted(word)), path)
        return False

    def check_limits(self) -> None:
        """If it would take too long to draw the board, add a fault and end all checks."""
        for found, path in excesses(self.board):
            self.fault(found, path)
            raise _Enough

    def check_maps(self) -> None:
        """Check that the maps are on the canvas and do not overlap."""
        canvas = Frame(0, 0, self.board.canvas.w, self.board.canvas.h)
        frames = list(self.board.maps.items())
        for number, (name, frame) in enumerate(frames):
            if frame.w <= 0 or frame.h <= 0:
                self.fault(wrong("E-BOARD-MAP.size", name=name), ("maps", name))
            elif _shared_area(frame, canvas) != frame.w * frame.h:
                self.fault(wrong("E-BOARD-MAP.beyond", name=name), ("maps", name))
            for other, beside in frames[:number]:
                if _shared_area(frame, beside):
                    self.fault(wrong("W-BOARD-MAP", other=other, name=name), ("maps", name))

    def check_lands(self) -> None:
        """Add an error for each land that is listed twice, and a warning for each land without a city."""
        homes = [
            (land, ("powers", power, i)) for power, mine in self.board.powers.items() for i, land in enumerate(mine)
        ]
        others = [(land, ("other_lands", i)) for i, land in enumerate(self.board.other_lands)]
        first: dict[str, KeyPath] = {}
        used = {city.land for city in self.board.cities}
        for land, path in [*homes, *others]:
            if land in first:
                self.fault(wrong("E-BOARD-LAND.twice", land=land, line=self.line(first[land])), path)
            first.setdefault(land, path)
            if land not in used:
                self.fault(wrong("W-BOARD-LAND", land=land), path)

    def check_cities(self) -> None:
        """Check that every city has a name and a spot of its own, and a known map and land."""
        for number, city in enumerate(self.board.cities):
            path: KeyPath = ("cities", number)
            self.check_known(city.land, self.land_names, (*path, "land"), "E-BOARD-LAND.unknown")
            if self.check_known(city.map, self.map_names, (*path, "map"), "E-BOARD-MAP.unknown"):
                frame = self.board.maps[city.map]
                if not _holds(frame, city.x, city.y):
                    across = words("from-to", least=frame.x, most=frame.x + frame.w)
                    down = words("from-to", least=frame.y, most=frame.y + frame.h)
                    spot = f"{city.x}, {city.y}"
                    what = wrong("E-BOARD-OUTSIDE", city=city.name, spot=spot, map=city.map, across=across, down=down)
                    self.fault(what, (*path, "x"))
        self.check_names()
        self.check_spots()

    def check_names(self) -> None:
        exact: dict[str, KeyPath] = {}
        alike: dict[str, int] = {}
        for number, city in enumerate(self.board.cities):
            path: KeyPath = ("cities", number, "name")
            folded = fold(city.name)
            if not folded:
                self.fault(wrong("E-BOARD-NAME.letters", name=as_quoted(city.name)), path)
            elif "\n" in city.name:
                self.fault(wrong("E-BOARD-NAME.lines", name=as_quoted(city.name)), path)
            elif city.name in exact:
                self.fault(wrong("E-BOARD-NAME.twice", city=city.name, line=self.line(exact[city.name])), path)
            elif folded in alike:
                other = self.board.cities[alike[folded]].name
                self.fault(wrong("W-BOARD-NAME", city=city.name, other=other), path)
            exact.setdefault(city.name, ("cities", number))
            alike.setdefault(folded, number)

    def check_spots(self) -> None:
        spots: dict[tuple[int, int], int] = {}
        for number, city in enumerate(self.board.cities):
            first = spots.setdefault((city.x, city.y), number)
            if first != number:
                what = wrong("W-BOARD-SPOT", city=city.name, other=self.board.cities[first].name)
                self.fault(what, ("cities", number, "x"))

    def check_roads(self) -> None:
        """Check that every road joins two cities and is given only once, and that every city can be reached by
        roads."""
        first: dict[frozenset[str], tuple[str, KeyPath]] = {}
        for kind, chains in (("main_roads", self.board.main_roads), ("roads", self.board.roads)):
            for number, chain in enumerate(chains):
                self.check_chain(kind, number, chain, first)
        near: dict[str, set[str]] = {name: set() for name in self.city}
        for road in first:
            one, other = road
            near[one].add(other)
            near[other].add(one)
        self.check_reachability(near)

    def check_chain(
        self, kind: str, number: int, chain: tuple[str, ...], first: dict[frozenset[str], tuple[str, KeyPath]]
    ) -> None:
        """Check the roads between the cities of one chain. `first` is a dict of all roads found so far; each road is
        added to it, with its kind and place."""
        path: KeyPath = (kind, number)
        if len(chain) < 2:
            self.fault(wrong("E-BOARD-CHAIN"), path)
        exists = [
            self.check_known(name, self.city_names, (*path, i), "E-BOARD-ROAD-CITY") for i, name in enumerate(chain)
        ]
        for i, (one, other) in enumerate(pairwise(chain)):
            if not (exists[i] and exists[i + 1]):
                continue
            here: KeyPath = (*path, i + 1)
            road = frozenset((one, other))
            if one == other:
                self.fault(wrong("E-BOARD-LOOP", city=one), here)
            elif road in first:
                before, where = first[road]
                wording = "E-BOARD-ROAD.twice" if before == kind else "E-BOARD-ROAD.both"
                self.fault(wrong(wording, one=one, other=other, line=self.line(where)), here)
            else:
                first[road] = (kind, here)

    def check_reachability(self, near: dict[str, set[str]]) -> None:
        index = {city.name: number for number, city in reversed(list(enumerate(self.board.cities)))}
        for name, others in near.items():
            if not others:
                self.fault(wrong("W-BOARD-LONELY", city=name), ("cities", index[name]))
        parts = sorted((part for part in _parts(near) if len(part) > 1), key=len, reverse=True)
        for part in parts[1:]:
            cities = sorted(part, key=index.__getitem__)
            said = words("board-cities", names=tuple(cities[:-1]), last=cities[-1])
            if (more := len(cities) - _MOST_LISTED) > 1:
                said = words("board-cities-others", names=tuple(cities[:_MOST_LISTED]), number=more)
            self.fault(wrong("W-BOARD-PARTS", cities=said), ("cities", index[cities[0]]))

    def check_sectors(self) -> None:
        """Check that the sectors of a map cover it without overlapping, and that each city has the suit of its sector.
        A map may also have no sectors."""
        sectors = self.board.sectors
        if not sectors:
            return
        for number, sector in enumerate(sectors):
            path: KeyPath = ("sectors", number)
            if not self.check_known(sector.map, self.map_names, (*path, "map"), "E-BOARD-MAP.unknown"):
                continue
            if sector.w <= 0 or sector.h <= 0:
                self.fault(wrong("E-BOARD-SECTOR.size"), path)
            for before, other in enumerate(sectors[:number]):
                if other.map == sector.map and _shared_area(sector, other):
                    self.fault(wrong("W-BOARD-SECTOR.overlap", line=self.line(("sectors", before))), path)
        for name, frame in self.board.maps.items():
            mine = [sector for sector in sectors if sector.map == name]
            if mine and sum(_shared_area(sector, frame) for sector in mine) < frame.w * frame.h:
                self.fault(wrong("W-BOARD-SECTOR.gaps", name=name), ("maps", name))
        self.check_suits()

    def check_suits(self) -> None:
        for number, city in enumerate(self.board.cities):
            here = [each for each in self.board.sectors if each.map == city.map and _holds(each, city.x, city.y)]
            path: KeyPath = ("cities", number, "suit")
            if not here and city.map in self.map_names:
                self.fault(wrong("W-BOARD-SUIT", city=city.name), path)
            elif here and city.suit not in [sector.suit for sector in here]:
                self.fault(wrong("E-BOARD-SUIT", city=city.name, suit=city.suit, other=here[0].suit), path)

    def check_setup(self) -> None:
        """Check the pieces with which each power begins: their names, ranks and places."""
        taken: dict[str, list[tuple[str, bool]]] = {}
        named: dict[str, KeyPath] = {}
        for power in self.board.setup:
            self.check_known(power, self.power_names, ("setup", power), "E-BOARD-POWER")
            ranks: set[int] = set()
            for path, piece in pieces_of(self.board, power):
                if isinstance(piece, GeneralStart):
                    if piece.name in named:
                        line = self.line(named[piece.name])
                        self.fault(wrong("E-BOARD-GENERAL.twice", general=piece.name, line=line), path)
                    named.setdefault(piece.name, path)
                    if piece.rank in ranks:
                        self.fault(wrong("E-BOARD-GENERAL.rank", power=power, rank=piece.rank), (*path, "rank"))
                    ranks.add(piece.rank)
                self.check_start(power, piece, path, taken)

    def check_start(
        self, power: Power, piece: GeneralStart | TrainStart, path: KeyPath, taken: dict[str, list[tuple[str, bool]]]
    ) -> None:
        """Check the place of one piece, and add the piece to `taken`. `taken` has the pieces found so far in each city.
        For each piece it has the power, and True if the piece is a general."""
        if (piece.city is None) == (piece.box is None):
            self.fault(wrong("E-BOARD-START.place"), path)
        if piece.city is None or not self.check_known(
            piece.city, self.city_names, (*path, "city"), "E-BOARD-START.city"
        ):
            return
        is_general = isinstance(piece, GeneralStart)
        here = taken.setdefault(piece.city, [])
        if here and not (is_general and all(each == (power, True) for each in here)):
            self.fault(wrong("E-BOARD-START.taken", city=piece.city), (*path, "city"))
        elif len(here) == _MOST_IN_A_STACK:
            self.fault(wrong("E-BOARD-START.stack", most=_MOST_IN_A_STACK, city=piece.city), (*path, "city"))
        here.append((power, is_general))

    def check_off_map(self) -> None:
        for power, arrow in self.board.off_map.items():
            self.check_known(power, self.power_names, ("off_map", power), "E-BOARD-POWER")
            self.check_known(arrow.city, self.city_names, ("off_map", power, "city"), "E-BOARD-OFF-MAP")

    def check_occupied(self) -> None:
        """Check that every power that occupies lands at the start exists, and that these lands exist. No power may
        occupy its own home country."""
        for power, lands in self.board.occupied.items():
            self.check_known(power, self.power_names, ("occupied", power), "E-BOARD-POWER")
            for i, land in enumerate(lands):
                path: KeyPath = ("occupied", power, i)
                self.check_known(land, self.land_names, path, "E-BOARD-LAND.unknown")
                if land in self.board.powers.get(power, ()):
                    self.fault(wrong("E-BOARD-LAND.home", land=land, power=power), path)

    def check_objectives(self) -> None:
        """Check that every objective is a known city, and that no city is an objective of two powers."""
        first: dict[str, KeyPath] = {}
        for power, mine in self.board.objectives.items():
            self.check_known(power, self.power_names, ("objectives", power), "E-BOARD-POWER")
            for order, cities in (("first", mine.first), ("second", mine.second)):
                self.check_city_list(cities, ("objectives", power, order), _OBJECTIVE, first)

    def check_depots(self) -> None:
        """Check that every depot is a known city, and that no city is a depot of two powers."""
        first: dict[str, KeyPath] = {}
        for power, cities in self.board.depots.items():
            self.check_known(power, self.power_names, ("depots", power), "E-BOARD-POWER")
            self.check_city_list(cities, ("depots", power), _DEPOT, first)

    def check_city_list(
        self, cities: tuple[str, ...], path: KeyPath, said: tuple[str, str], first: dict[str, KeyPath]
    ) -> None:
        """Add a fault for each unknown city in a list, and for each city that occurs twice. `said` has the wordings of
        these two faults. `path` is the place of the list. `first` maps each city to the place where it occurred first,
        and is filled by this function."""
        unknown, twice = said
        for i, city in enumerate(cities):
            here: KeyPath = (*path, i)
            if not self.check_known(city, self.city_names, here, unknown):
                continue
            if city in first:
                self.fault(wrong(twice, city=city, line=self.line(first[city])), here)
            first.setdefault(city, here)

    def check_re_entry(self) -> None:
        """Check that each area where pieces re-enter has a city, and that its powers, cities and lands exist."""
        for key, areas in (("re_entry", self.board.re_entry), ("re_entry_narrow", self.board.re_entry_narrow)):
            for power, area in areas.items():
                path = (key, power)
                self.check_known(power, self.power_names, path, "E-BOARD-POWER")
                if area.around is None and area.land is None:
                    self.fault(wrong("E-BOARD-AREA.nowhere", power=power), path)
                elif self.check_area(area, path) and not self.area_holds(area):
                    self.fault(wrong("E-BOARD-AREA.empty", power=power), path)

    def check_area(self, area: Area, path: KeyPath) -> bool:
        """Return True if the area's land and cities are known, and its middle is in a sector. If not, add a fault."""
        city, land = area.around, area.land
        has_land = land is None or self.check_known(land, self.land_names, (*path, "land"), "E-BOARD-LAND.unknown")
        north = area.north_of
        has_land &= north is None or self.check_known(north, self.city_names, (*path, "north_of"), "E-BOARD-AREA.city")
        if city is None or not self.check_known(city, self.city_names, (*path, "around"), "E-BOARD-AREA.city"):
            return city is None and has_land
        has_sector = sector_of(self.board.sectors, self.city[city]) >= 0
        if not has_sector:
            self.fault(wrong("E-BOARD-AREA.sector", city=city), (*path, "around"))
        return has_land and has_sector

    def area_holds(self, area: Area) -> bool:
        middle = None if area.around is None else sector_of(self.board.sectors, self.city[area.around])
        limit = None if area.north_of is None else self.city[area.north_of].y
        return any(
            (area.land is None or city.land == area.land)
            and (middle is None or sector_of(self.board.sectors, city) == middle)
            and (limit is None or city.y < limit)
            for city in self.board.cities
        )

    def check_regions(self) -> None:
        """Check that every region consists of known cities, and has no city twice."""
        for name, cities in self.board.regions.items():
            self.check_city_list(cities, ("regions", name), _REGION, {})

    def check_lines(self) -> None:
        """Check that each line that the rules name is between the upper and the lower edge of the canvas."""
        for name, y in self.board.lines.items():
            if not 0 < y < self.board.canvas.h:
                self.fault(wrong("E-BOARD-LINE", name=name, height=self.board.canvas.h), ("lines", name))


def _shared_area(first: Frame | Sector, second: Frame | Sector) -> int:
    """Return the area, in square pixels, that belongs to both rectangles."""
    wide = min(first.x + first.w, second.x + second.w) - max(first.x, second.x)
    high = min(first.y + first.h, second.y + second.h) - max(first.y, second.y)
    return max(wide, 0) * max(high, 0)


def _holds(frame: Frame | Sector, x: int, y: int) -> bool:
    return frame.x <= x <= frame.x + frame.w and frame.y <= y <= frame.y + frame.h


def _parts(near: dict[str, set[str]]) -> Iterator[set[str]]:
    """Yield the groups of cities that are not joined by any road to another group. `near` has the neighbours of each
    city."""
    left = dict.fromkeys(near)
    while left:
        edge = [next(iter(left))]
        part = set(edge)
        while edge:
            beyond = near[edge.pop()] - part
            part |= beyond
            edge.extend(beyond)
        left = {city: None for city in left if city not in part}
        yield part
