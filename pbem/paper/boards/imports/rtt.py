"""Boards from a data file in the style of Rally the Troops: parallel lists indexed by the number of the city.

Read are `cities.name`, `x`, `y`, `suit`, `country`, `type`, and the roads as lists of neighbours: `main_roads` and
`roads`, or all of them in `adjacent`. Numbers in `suit`, `country` and `type` refer to lists `suits`, `countries` and
`types` if the file has them. The order of the cities is kept.
"""

from __future__ import annotations

from pbem.engine.board import SUITS, BoardData
from pbem.faults.wrong import wrong
from pbem.paper.boards.chains import Spot, chains
from pbem.paper.boards.imports.javascript import Literal, literals
from pbem.paper.boards.imports.shaping import ImportedCity, lay_out, slug, tidy
from pbem.paper.documents.faults import Refused

_NOTE = """Imported from a data file of another program. Powers and their home countries, sectors and set-up
are not in such a file: add them by hand, then run `pbem board check`.
"""
_SIGNS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_MOST_CITIES = 20_000
_LISTS = {"suit": "suits", "country": "countries", "type": "types"}


def import_rtt(text: str, source: str = "data.js", name: str = "imported") -> BoardData:
    """The board in a JavaScript (or JSON) text; raises `Refused` if there are no cities in it."""
    tables = _Tables(literals(text, source), source)
    kept = [number for number, written in enumerate(tables.names) if isinstance(written, str)]
    position = {number: index for index, number in enumerate(kept)}
    layout = lay_out([tables.city(number, slug(name)) for number in kept])
    main = tables.roads("main_roads", position)
    others = (tables.roads("roads", position) or tables.roads("adjacent", position)) - main
    spots = [Spot(city.x, city.y) for city in layout.cities]
    main_roads, roads = (
        tuple(tuple(layout.cities[i].name for i in chain) for chain in chains(sorted(each), spots))
        for each in (main, others)
    )
    return BoardData(
        name=slug(name),
        title=tidy(name),
        canvas=layout.canvas,
        maps=layout.maps,
        powers={},
        cities=layout.cities,
        main_roads=main_roads,
        roads=roads,
        note=_NOTE,
        other_lands=tuple(dict.fromkeys(city.land for city in layout.cities)),
    )


class _Tables:
    """The lists of one file."""

    def __init__(self, found: dict[str, Literal], source: str) -> None:
        self.everything = _all_objects(found)
        self.source = source
        self.cities = next((each for each in self.everything if _is_cities(each)), None)
        if self.cities is None:
            raise Refused(source, [wrong("E-IMPORT-NOTHING.cities")])
        names = self.cities["name"]
        self.names: list[Literal] = names if isinstance(names, list) else []
        if len(self.names) > _MOST_CITIES:
            raise Refused(source, [wrong("E-IMPORT-SIZE.cities", count=len(self.names), most=_MOST_CITIES)])

    def city(self, number: int, map_name: str) -> ImportedCity:
        kinds = self.entry("type", number)
        traits = [self.word("type", kind) for kind in (kinds if isinstance(kinds, list) else [kinds])]
        return ImportedCity(
            name=tidy(str(self.names[number])),
            map=map_name,
            x=self.number("x", number),
            y=self.number("y", number),
            suit=_suit(self.word("suit", self.entry("suit", number))),
            land=slug(self.word("country", self.entry("country", number))),
            traits=tuple(filter(None, traits)),
        )

    def entry(self, column: str, number: int) -> Literal:
        rows = self.cities.get(column) if self.cities else None
        return rows[number] if isinstance(rows, list) and number < len(rows) else None

    def number(self, column: str, number: int) -> float:
        value = self.entry(column, number)
        return value if isinstance(value, int | float) and abs(value) < 1e6 else 0

    def word(self, column: str, value: Literal) -> str:
        """A word, or the word that a number stands for in a list of the file."""
        if isinstance(value, int) and not isinstance(value, bool):
            for each in self.everything:
                words = each.get(_LISTS[column])
                if isinstance(words, list) and 0 <= value < len(words) and isinstance(words[value], str):
                    return tidy(str(words[value]))
            is_suit = column == "suit" and 0 <= value < len(SUITS)
            return SUITS[value] if is_suit else f"{column} {value}"
        return tidy(value) if isinstance(value, str) else ""

    def roads(self, column: str, position: dict[int, int]) -> set[tuple[int, int]]:
        """Single roads as pairs of our own city numbers, from lists of neighbours or from a list of pairs."""
        rows = self.cities.get(column) if self.cities else None
        if not isinstance(rows, list):
            rows = next((each[column] for each in self.everything if isinstance(each.get(column), list)), [])
        assert isinstance(rows, list)
        is_by_city = len(rows) == len(self.names)
        found: set[tuple[int, int]] = set()
        for number, row in enumerate(rows):
            ends = [end for end in row if isinstance(end, int)] if isinstance(row, list) else []
            pairs = [(number, end) for end in ends] if is_by_city else [(ends[0], ends[1])] if len(ends) == 2 else []
            for one, other in pairs:
                if one in position and other in position and one != other:
                    a, b = position[one], position[other]
                    found.add((min(a, b), max(a, b)))
        return found


def _all_objects(found: dict[str, Literal]) -> list[dict[str, Literal]]:
    """Every object of the file once, the outer before the inner, and those called `cities` first."""
    objects: list[dict[str, Literal]] = [found]
    first: list[dict[str, Literal]] = []
    seen = {id(found)}
    for each in objects:
        for key, value in each.items():
            if isinstance(value, dict) and id(value) not in seen:
                seen.add(id(value))
                objects.append(value)
                if key == "cities":
                    first.append(value)
    return [*first, *objects]


def _is_cities(table: dict[str, Literal]) -> bool:
    rows = [table.get(column) for column in ("name", "x", "y")]
    lengths = {len(row) for row in rows if isinstance(row, list)}
    return all(isinstance(row, list) for row in rows) and len(lengths) == 1 and lengths != {0}


def _suit(word: str) -> str:
    """One of the four suits, from its sign, its name in the singular or plural, or its first letter."""
    word = word.casefold()
    return _SIGNS.get(word[:1]) or next((suit for suit in SUITS if word and suit.startswith(word[:1])), "clubs")
