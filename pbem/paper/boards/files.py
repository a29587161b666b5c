"""Board files: `BoardData` is read from them and written to them. The module also has the names of cities in other
languages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import groupby

from msgspec import Struct
from msgspec.structs import fields

from pbem.cache import load_or_make
from pbem.engine.board import Area, BoardData, Frame, OffMap
from pbem.engine.nouns import Power
from pbem.faults.wrong import CityName, Wrong
from pbem.paper.boards.checks import check_board
from pbem.paper.documents.convert import attempt
from pbem.paper.documents.faults import Fault, Refused, by_place
from pbem.paper.documents.names import fold
from pbem.paper.documents.strict import DocumentLimits, bare, read_yaml
from pbem.paper.documents.writing import Value, in_brackets
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree

BOARD_LIMITS = DocumentLimits(size=512 * 1024, nodes=60_000)
"""Limits of a board file. They are wider than the limits of a letter, because boards do not come by mail but from the
moderator's own disk."""

_WIDTH = 128


def load_board(content: bytes, source: str) -> BoardData:
    """Return the board in a file. Raises `Refused` with all errors of the board. Warnings are ignored here; see
    `inspect_board`."""
    board, faults = _board_and_faults(content, source)
    errors = [fault for fault in faults if not fault.is_warning]
    if board is None or errors:
        raise Refused(source, errors)
    return board


def inspect_board(content: bytes, source: str) -> tuple[Wrong, ...]:
    """Return all errors and warnings of a board file, sorted by line."""
    try:
        return by_place(_board_and_faults(content, source)[1])
    except Refused as refused:
        return refused.faults


def _board_and_faults(content: bytes, source: str) -> tuple[BoardData | None, list[Fault]]:
    node = read_yaml(content, source, BOARD_LIMITS)
    board, faults = attempt(node, BoardData)
    return board, faults if board is None else check_board(board, node)


def write_board(board: BoardData) -> str:
    """Return the text of a board's file. Each city has a line of its own, and long chains of roads are broken into
    several lines."""
    return "\n".join(_file(board)) + "\n"


def _file(board: BoardData) -> Iterator[str]:
    yield f"name: {in_brackets(board.name)}"
    yield f"title: {in_brackets(board.title)}"
    yield from _note(board.note)
    yield ""
    yield f"canvas: {_flow(board.canvas)}"
    yield "maps:  # the rectangle of each map on the canvas"
    yield from _table(board.maps)
    yield ""
    yield from _lands(board)
    yield ""
    yield "cities:" if board.cities else "cities: []"
    groups = [(key, list(group)) for key, group in groupby(board.cities, key=lambda city: (city.map, city.land))]
    are_grouped = len(groups) <= 2 * len({key for key, _ in groups})
    for (name, land), group in groups:
        if are_grouped:
            yield f"  # {name}, {land}: {len(group)}"
        yield from (f"  - {_flow(city)}" for city in group)
    yield ""
    yield from _chains("main_roads", "main roads, as chains of cities", board.main_roads)
    yield ""
    yield from _chains("roads", "other roads", board.roads)
    if board.sectors:
        yield "\nsectors:"
        yield from (f"  - {_flow(sector)}" for sector in board.sectors)
    if board.setup:
        yield "\nsetup:  # a box is off the map"
        for power, army in board.setup.items():
            yield f"  {in_brackets(power)}:"
            yield "    generals:" if army.generals else "    generals: []"
            yield from (f"      - {_flow(general)}" for general in army.generals)
            yield f"    trains: [{', '.join(_flow(train) for train in army.trains)}]"
    if board.off_map:
        yield "\noff_map:  # pieces come back on the city of the arrow"
        yield from _table(board.off_map)
    yield from _places(board)


def _places(board: BoardData) -> Iterator[str]:
    """Yield those lines of a board's file that only some games need, such as objectives and depots."""
    yield from _lists("occupied", "lands that a power holds besides its home country", board.occupied)
    if board.objectives:
        yield "\nobjectives:  # the cities a power must conquer, by order"
        for power, objectives in board.objectives.items():
            yield f"  {in_brackets(power)}:"
            yield from _row_of("    first", objectives.first)
            yield from _row_of("    second", objectives.second) if objectives.second else ()
    yield from _lists("depots", "where pieces come back", board.depots)
    if board.re_entry:
        yield "\nre_entry:  # where they come back while the enemy stands in every depot"
        yield from _table(board.re_entry)
    if board.re_entry_narrow:
        yield "\nre_entry_narrow:  # such areas as other editions draw them, narrower"
        yield from _table(board.re_entry_narrow)
    yield from _lists("regions", "parts of lands that rules name", board.regions)
    if board.lines:
        yield "\nlines:  # lines across the board that rules name, by their y"
        yield from (f"  {in_brackets(name)}: {y}" for name, y in board.lines.items())


def _lists(key: str, comment: str, lists: dict[str, tuple[str, ...]] | dict[Power, tuple[str, ...]]) -> Iterator[str]:
    if lists:
        yield f"\n{key}:  # {comment}"
        for name, words in lists.items():
            yield from _row_of(f"  {in_brackets(name)}", words)


def _note(note: str) -> Iterator[str]:
    lines = note.removesuffix("\n").split("\n")
    if not note:
        return
    if note.endswith("\n") and all(line and not line[0].isspace() and line == line.rstrip() for line in lines):
        yield "note: |"
        yield from (f"  {line}" for line in lines)
    else:
        yield f"note: {in_brackets(note)}"


def _lands(board: BoardData) -> Iterator[str]:
    yield "powers:  # home countries" if board.powers else "powers: {}"
    for power, lands in board.powers.items():
        yield f"  {in_brackets(power)}: {_row(lands)}"
    if board.other_lands:
        yield f"other_lands: {_row(board.other_lands)}  # nobody's home country"


def _chains(key: str, comment: str, chains: tuple[tuple[str, ...], ...]) -> Iterator[str]:
    yield f"{key}:  # {comment}" if chains else f"{key}: []"
    for chain in chains:
        yield from _wrapped_list("  - [", [in_brackets(city) for city in chain])


def _row_of(key: str, words: tuple[str, ...]) -> Iterator[str]:
    """Yield the lines of one key whose value is a list in brackets."""
    yield from _wrapped_list(f"{key}: [", [in_brackets(word) for word in words]) if words else (f"{key}: []",)


def _wrapped_list(line: str, words: list[str]) -> Iterator[str]:
    """Yield the lines of a list in brackets. The first of them begins with the text `line`."""
    inside = " " * (len(line) - len(line.lstrip()) + 3)
    for number, word in enumerate(words):
        piece = word + ("]" if number == len(words) - 1 else ",")
        if line[-1] != "[" and len(line) + 1 + len(piece) > _WIDTH:
            yield line
            line = inside + piece
        else:
            line += piece if line[-1] == "[" else f" {piece}"
    yield line


def _table(rows: dict[str, Frame] | dict[Power, OffMap] | dict[Power, Area]) -> Iterator[str]:
    yield from (f"  {in_brackets(key)}: {_flow(row)}" for key, row in rows.items())


def _row(words: Iterable[str]) -> str:
    return f"[{', '.join(map(in_brackets, words))}]"


def _flow(row: Struct) -> str:
    """Return a struct as a mapping in braces, on one line. Fields with their default values are left out."""
    parts = []
    for name, default in _defaults(type(row)):
        value: Value | None = getattr(row, name)
        if value is None or value == default:
            continue
        parts.append(f"{name}: {_row(value) if isinstance(value, tuple) else in_brackets(value)}")
    return f"{{{', '.join(parts)}}}"


@cache
def _defaults(kind: type[Struct]) -> tuple[tuple[str, object], ...]:
    return tuple((each.name, each.default) for each in fields(kind))


EVERY = "every"
"""Key of the names that cities have in every language that has no name of its own for them."""

OLDER = "older"
"""Key of names that occur only in older books. They are understood when somebody writes them, but are never shown."""


@cache
def other_names(board: str) -> Mapping[str, Mapping[str, str]]:
    """Return the names of a shipped board's cities in other languages. They are keyed by language, and then by the
    board's own name of the city. Return an empty dict for any other board."""
    files = (data_of(game) / "boards" / f"{board}.names.yaml" for game in games())
    found = next((path for path in files if path.is_file()), None)
    if found is None:
        return {}
    data = found.read_bytes()

    def names() -> dict[str, dict[str, str]]:
        tree: AnyTree = bare(read_yaml(data, found.name))
        return {language: dict(names) for language, names in tree.items()}

    return load_or_make(f"file-{found.name}", data, dict[str, dict[str, str]], names)


def aliases(board: str) -> dict[str, str]:
    """Return a dict from each city's names in other languages to the board's own name of the city."""
    return {other: own for names in other_names(board).values() for own, other in names.items()}


@lru_cache(maxsize=16)
def city_names_in(board: str, own: tuple[str, ...], language: str) -> tuple[str, ...]:
    """Return the names of a board's cities in a language. A city has its own name there if it has no translation, or if
    the translation is the own name of another city on the board."""
    names, mine = other_names(board), {fold(name): name for name in own}
    others = {**names.get(EVERY, {}), **names.get(language, {})}
    words = ((name, others.get(name, name)) for name in own)
    return tuple(other if mine.get(fold(other), name) == name else name for name, other in words)


@lru_cache(maxsize=16)
def city_names(board: str, own: tuple[str, ...]) -> Mapping[str, CityName]:
    """Return the names of cities in all languages, keyed by the board's own name. A city whose name is the same in all
    languages is left out."""
    languages = [language for language in other_names(board) if language not in (EVERY, OLDER)]
    every = [city_names_in(board, own, language) for language in languages]
    called = ((name, tuple(zip(languages, others, strict=True))) for name, *others in zip(own, *every, strict=True))
    return {name: CityName(name, others) for name, others in called if any(other != name for _, other in others)}
