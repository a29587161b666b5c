"""Import of boards from JavaScript literals, such as Rally the Troops uses. Single roads are joined into chains of
cities."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from pbem.engine.board import SUITS, BoardData
from pbem.faults.wrong import wrong
from pbem.paper.boards.imports.shaping import ImportedCity, lay_out, slug, tidy
from pbem.paper.documents.faults import Fault, Refused

Literal: TypeAlias = "bool | int | float | str | list[Literal] | dict[str, Literal] | None"

LARGEST = 1024 * 1024
"""Largest number of characters in a file."""

_DEEPEST = 40
_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<text>"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\$]|\\.)*+`?)
      | (?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))
      | (?P<name>[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*)
      | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
"""Pattern of one token of JavaScript. A text or comment that is never closed matches up to the end of the file. So no
part of the file is read twice."""

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS: dict[str, Literal] = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
_OPENING = ("{", "[")


class _Token(Struct, frozen=True):
    """Token of JavaScript: its kind, its text, and its index in the file."""

    kind: str
    text: str
    at: int


class _NotALiteral(Exception):
    """Raised for code where a literal was expected. `at` is the index of the code in the text."""

    def __init__(self, position: int) -> None:
        self.at = position
        super().__init__(position)


def literals(text: str, source: str) -> dict[str, Literal]:
    """Return the objects and arrays in a JavaScript file, by name. The name is the last part of the name to which the
    value is assigned, or empty if there is none. Values that contain code are left out. Raises `Refused` if all values
    contain code, or if the file is too long."""
    if len(text) > LARGEST:
        raise Refused(source, [wrong("E-IMPORT-SIZE.characters", count=len(text), most=LARGEST)])
    reader = _Reader(_tokens(text.removeprefix("\ufeff")))
    reader.run()
    if not reader.found and reader.failed is not None:
        line = text.count("\n", 0, reader.failed) + 1
        column = reader.failed - text.rfind("\n", 0, reader.failed)
        raise Refused(source, [Fault.at(line, column, wrong("E-IMPORT-SYNTAX.value"))])
    return reader.found


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind != "blank":
            yield _Token(kind, match.group(), match.start())


class _Reader:
    """Reader of the literals in a file. It goes from one assignment to the next."""

    def __init__(self, tokens: Iterator[_Token]) -> None:
        self.tokens = tokens
        self.ahead = next(tokens, None)
        self.at = 0
        self.found: dict[str, Literal] = {}
        self.failed: int | None = None

    def run(self) -> None:
        if self.peek() in _OPENING:
            self.try_literal("")
        while self.ahead is not None:
            token = self.take()
            if token.kind == "name" and self.peek() == "=":
                self.take()
                self.assignment(token.text.split(".")[-1].strip())

    def assignment(self, name: str) -> None:
        if self.peek() in _OPENING:
            self.try_literal(name)
        elif (same := self.peek()) in self.found:
            self.found[name] = self.found[same]

    def try_literal(self, name: str) -> None:
        """Read the literal that is assigned to `name`. If the value contains code, leave it out, and go on where the
        code begins."""
        try:
            self.found[name] = self.value(0)
        except _NotALiteral as stop:
            self.failed = stop.at if self.failed is None else self.failed

    def peek(self) -> str:
        return self.ahead.text if self.ahead is not None else ""

    def take(self) -> _Token:
        token, self.ahead = self.ahead, next(self.tokens, None)
        if token is None:
            raise _NotALiteral(self.at)
        self.at = token.at
        return token

    def value(self, depth: int) -> Literal:
        token = self.take()
        if depth > _DEEPEST:
            raise _NotALiteral(token.at)
        match token.kind:
            case "text" if len(token.text) > 1 and token.text[0] == token.text[-1]:
                return _unquoted_text(token.text)
            case "number":
                return _number(token.text)
            case "name" if token.text in _WORDS:
                return _WORDS[token.text]
            case "name" if token.text in self.found:
                return self.found[token.text]
        if token.text == "[":
            return self.array(depth)
        if token.text == "{":
            return self.object(depth)
        raise _NotALiteral(token.at)

    def array(self, depth: int) -> list[Literal]:
        items: list[Literal] = []
        while self.peek() != "]":
            if self.peek() == ",":
                items.append(None)
            else:
                items.append(self.value(depth + 1))
            self.comma("]")
        self.take()
        return items

    def object(self, depth: int) -> dict[str, Literal]:
        entries: dict[str, Literal] = {}
        while self.peek() != "}":
            key = self.take()
            if key.kind == "sign":
                raise _NotALiteral(key.at)
            name = _unquoted_text(key.text) if key.kind == "text" else key.text
            if self.peek() == ":":
                self.take()
                entries[name] = self.value(depth + 1)
            elif name in self.found:
                entries[name] = self.found[name]
            else:
                raise _NotALiteral(key.at)
            self.comma("}")
        self.take()
        return entries

    def comma(self, closing: str) -> None:
        """Read the comma between two items. Before `closing` the comma may be missing. Raises `_NotALiteral` for
        anything else."""
        if self.peek() == ",":
            self.take()
        elif self.peek() != closing:
            raise _NotALiteral(self.take().at)


def _number(text: str) -> int | float:
    if text.lstrip("-")[:2].lower() == "0x":
        return int(text, 16)
    number = float(text)
    return int(number) if number.is_integer() else number if abs(number) < 1e300 else 0


def _unquoted_text(text: str) -> str:
    return _ESCAPE.sub(_unescaped_text, text[1:-1])


def _unescaped_text(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _ESCAPED.get(match[4], match[4])
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


class Spot(Struct, frozen=True):
    """Centre of a city on the canvas, in pixels."""

    x: int
    y: int


def chains(roads: Iterable[tuple[int, int]], spots: Sequence[Spot]) -> list[tuple[int, ...]]:
    """Join roads into chains of cities, as few and as straight as possible, and return the chains. Every road is in
    exactly one chain. A chain begins at a city where an odd number of roads meet. The roads that are left then form
    circles."""
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
    """Return a chain of cities from `start`, as straight as possible, to a city that has no more roads. The roads of
    the chain are removed from `near`."""
    walk = [start]
    while near[walk[-1]]:
        here = walk[-1]
        before = walk[-2] if len(walk) > 1 else None
        following = min(sorted(near[here]), key=lambda city: _turn(before, here, city, spots))
        near[here].remove(following)
        near[following].remove(here)
        walk.append(following)
    return tuple(walk)


def _turn(before: int | None, city: int, after: int, spots: Sequence[Spot]) -> float:
    """Return the angle by which a way bends at `city`, from 0 (straight on) to π. The way comes from the city `before`
    and goes on to the city `after`. The angle is rounded, so that every computer finds the same."""
    if before is None:
        return 0.0
    a, b, c = spots[before], spots[city], spots[after]
    turn = math.atan2(c.y - b.y, c.x - b.x) - math.atan2(b.y - a.y, b.x - a.x)
    return round(abs(math.remainder(turn, math.tau)), 6)


_NOTE = """Imported from a data file of another program. Powers and their home countries, sectors and set-up
are not in such a file: add them by hand, then run `pbem board check`.
"""
_SIGNS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}
_MOST_CITIES = 20_000
_LISTS = {"suit": "suits", "country": "countries", "type": "types"}


def import_rtt(text: str, source: str = "data.js", name: str = "imported") -> BoardData:
    """Return the board in a JavaScript or JSON text. It has no powers and no set-up. Raises `Refused` if there are no
    cities, if all values contain code, or if the text is too large."""
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
    """Tables of one imported file: the cities, the roads, and some lists of words. In some columns of the cities a
    number stands for the word that has this index in a list."""

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

    def word(self, column: str, literal: Literal) -> str:
        """Return the word for which a literal stands in this column. A text stands for itself. A number is the index of
        a word in the file's list for the column. If there is no such word, a number in the column of suits is that of a
        suit. In other columns it stands for a word made of the column's name and the number. Any other literal stands
        for an empty text."""
        if isinstance(literal, int) and not isinstance(literal, bool):
            for each in self.everything:
                words = each.get(_LISTS[column])
                if isinstance(words, list) and 0 <= literal < len(words) and isinstance(words[literal], str):
                    return tidy(str(words[literal]))
            is_suit = column == "suit" and 0 <= literal < len(SUITS)
            return SUITS[literal] if is_suit else f"{column} {literal}"
        return tidy(literal) if isinstance(literal, str) else ""

    def roads(self, column: str, position: dict[int, int]) -> set[tuple[int, int]]:
        """Return the roads as pairs of cities. The file has them as lists of neighbours, or as a list of pairs.
        `position` has the index of each city, keyed by the city's number in the file. Roads with an unknown city are
        left out."""
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
    """Return all objects in the file. Objects under the key `cities` come first. Outer objects come before the objects
    in them."""
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
    """Return the suit that a sign, a name or a first letter stands for. Return clubs for any other word."""
    word = word.casefold()
    return _SIGNS.get(word[:1]) or next((suit for suit in SUITS if word and suit.startswith(word[:1])), "clubs")
