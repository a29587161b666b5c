"""Documents of each game: the functions that read and write them; the files that they name, such as boards; terms,
rulings and presets."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, lru_cache, reduce
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar, cast

from msgspec import Struct, inspect
from msgspec.structs import replace

from pbem.cache import load_or_make
from pbem.engine.board import BoardData
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, GameTerms, Table
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.kit import part
from pbem.paper.boards.files import BOARD_LIMITS, load_board
from pbem.paper.documents import strict
from pbem.paper.documents.convert import attempt, convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted, is_bare
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.strict import STANDARD, DocumentLimits, MappingNode, Node, Text, bare, read_yaml
from pbem.paper.documents.writing import Value
from pbem.paper.orders.names import OneSection
from pbem.paper.orders.section import AnySection
from pbem.paper.plans.wishes import WishForm
from pbem.paper.positions.rows import Row
from pbem.resources import OURS, data_of, games
from pbem.seal.canonical import AnyTree, Tree

TermsT = TypeVar("TermsT")
RulesT = TypeVar("RulesT")


class NoPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of a game whose rules have no disputed points."""


def empty_hands(table: Table) -> dict[str, int]:
    return dict.fromkeys(table.rules.powers, 0)


class GamePaper(Struct, Generic[TermsT, RulesT], frozen=True, kw_only=True):
    """Functions and tables with which one game reads and writes its documents."""

    terms: tuple[str, ...] = ()
    """Keys of a document, besides `game`, that say with which board and rules the game is played."""
    read_terms: Callable[[Reader, Mapping[str, Node]], TermsT]
    """Function that reads the terms from a document's values, which it gets keyed as in the document."""
    points: type[Struct] = NoPoints
    """Struct of the disputed points of the rules. The default of a field is the usual ruling on the point, and its type
    gives the possible rulings."""
    terms_document: Callable[[TermsT], dict[str, Value]]
    """Function that writes the terms as a mapping, without the name of the game."""
    load_rules: Callable[[TermsT, Path | None], RulesT]
    """Function that loads the rules for these terms. The folder, if one is given, has files that the terms name."""
    positions: tuple[Row, ...]
    """Rows of a position, except the terms. Values are written and read in the order of the rows; only cards are read
    last."""
    keys_of_rules: Mapping[str, tuple[str, ...]] = {}
    """For each § of the rules, the keys of a position to which the § applies. A breach of the rule is reported at these
    keys."""
    last_turn: Callable[[GameRules], int]
    """Function that returns the number of the last turn."""
    hands: Callable[[Table], dict[str, int]] = empty_hands
    """Function that returns the usual size of each hand, in the order of dealing. A hand that a position does not give
    gets so many cards."""
    sections: tuple[AnySection, ...]
    """All sections of the game's order files, with the sections that all games have. Descriptions of order files keep
    this order."""
    plans: Mapping[str, WishForm] = {}
    """Forms of the plans for choices that only this game has."""


AnyGamePaper: TypeAlias = "GamePaper[Any, Any]"
"""Functions and tables of any game, for code that treats all games alike."""


def game_paper_named(name: str) -> AnyGamePaper:
    return part(name, "paper", GamePaper)


def game_paper(table: Table) -> AnyGamePaper:
    return game_paper_named(table.rules.terms.game)


def readers_of(rules: GameRules) -> dict[str, OneSection]:
    """Return the functions that read the sections of a game's order files, keyed by section."""
    return {row.name: row.read_into for row in game_paper_named(rules.terms.game).sections}


T = TypeVar("T")

BEFORE = "before.yaml"


class Misnamed(Refused):
    """Refusal of a file that is missing or unfit. The reader of the document that names it adds the place."""

    def __init__(self, key: str, name: str, wrong: Wrong) -> None:
        """Refuse the file `name`, which a document names under `key`."""
        self.key = key
        super().__init__(name, [wrong])


def load_rules(terms: GameTerms, folder: Path | None = None) -> GameRules:
    """Load the rules of a game. Files that the terms name are shipped, or lie in `folder`. Raises `Misnamed` for a
    missing or unfit file."""
    rules: GameRules = game_paper_named(terms.game).load_rules(terms, folder)
    return rules


def load_data(game: str, name: str, kind: type[T]) -> T:
    """Load a data file of a game, such as its cards."""
    source, data = f"rules/{game}/{name}", (data_of(game) / name).read_bytes()
    return load_or_make(f"data-{name}", data, kind, lambda: convert(read_yaml(data, source), kind, source))


def rulings_before(game: str) -> dict[int, dict[str, str]]:
    """Return the rulings that a game had under earlier protocols, keyed by the last protocol with them; empty if they
    never changed, or for an unknown game."""
    if game not in games() or not (data_of(game) / BEFORE).is_file():
        return {}
    found = {int(last): its for last, its in load_data(game, BEFORE, dict[str, dict[str, str]]).items()}
    return {last: found[last] for last in sorted(found)}


class FileKind(Struct, frozen=True):
    """Kind of files that documents name, such as boards."""

    key: str
    """Key under which documents name a file of this kind."""
    missing: str
    """Wording of the fault for a name without a file."""


BOARD = FileKind("board", "E-BOARD-MISSING")


def find_file(kind: FileKind, name: str, shipped: Mapping[str, Path], folder: Path | None) -> Path:
    """Return the path of a shipped file, or else of a file in `folder`. Raises `Misnamed` for a missing file, and for a
    link."""
    if name in shipped:
        return shipped[name]
    path = (folder or Path()) / name
    if is_bare(name) and path.is_symlink():
        raise Misnamed(kind.key, name, wrong("E-FILE-NAME.link", name=as_quoted(name)))
    if path.is_file():
        return path
    raise Misnamed(kind.key, name, wrong(kind.missing, name=as_quoted(name), names=tuple(shipped)))


def boards() -> Mapping[str, Path]:
    return boards_of(tuple(games()))


@cache
def boards_of(games: tuple[str, ...]) -> Mapping[str, Path]:
    """Return the paths of the boards that ship with these games, keyed by name."""
    found = sorted(path for game in games for path in (data_of(game) / "boards").glob("*.yaml"))
    return {path.stem: path for path in found if "." not in path.stem}


def find_board(name: str, folder: Path | None = None) -> Path:
    return find_file(BOARD, name, boards(), folder)


def check_fitness(name: str, game: str, usual: str, needed: Mapping[str, tuple[Iterable[str], Container[str]]]) -> None:
    """Raise `Misnamed` if a board lacks names that the game needs. `needed` has an entry for each kind of names. Its
    key is the wording for missing names. Its value is a pair: the names that the game needs, and the names on the
    board. `usual` is the board with which the game is usually played."""
    lacking = [
        words(what, names=missing)
        for what, (names, there) in needed.items()
        if (missing := tuple(each for each in names if each not in there))
    ]
    if lacking:
        every = reduce(_and_no, lacking)
        what = wrong("E-BOARD-UNFIT", game=game, name=as_quoted(name), lacking=every, usual=usual)
        raise Misnamed("board", name, what)


def _and_no(before: Words, more: Words) -> Words:
    return words("no-more", before=before, more=more)


def load_named_board(name: str, folder: Path | None = None) -> BoardData:
    """Load the board with this name or path, shipped or from `folder`."""
    return load_board_file(find_board(name, folder))


@lru_cache(maxsize=8)
def load_board_file(path: Path) -> BoardData:
    data = read_beginning(path, BOARD_LIMITS)
    return load_shipped(path, data, BoardData, lambda: load_board(data, str(path)))


def load_shipped(path: Path, content: bytes, kind: type[T], make: Callable[[], T]) -> T:
    """Return the value that `make` makes of the file's `content`. For a shipped file, the value is kept in a cache."""
    is_ours = any(path.is_relative_to(data_of(game)) for game in games())
    return load_or_make(f"file-{path.name}", content, kind, make) if is_ours else make()


def read_beginning(path: Path, limits: DocumentLimits = STANDARD) -> bytes:
    """Return the beginning of a file, at most one byte longer than the limit."""
    with path.open("rb") as file:
        return file.read(limits.size + 1)


STANDARD_GAME = next(iter(OURS))
"""Game that is meant by a document without the key `game`."""

FILES = ("board", "politics", "fate file")
"""Terms that may name a file in the folder of the document. A name without a dot means a file that ships with the
program."""


def read_game(reader: Reader, entries: Mapping[str, Node]) -> str:
    """Return the name of a document's game; `STANDARD_GAME` if the key `game` is missing or faulty."""
    found = None
    if "game" in entries:
        found = reader.word(entries["game"], "game", {name: name for name in games()})
    return found or STANDARD_GAME


def game_of_terms(terms: Mapping[str, object]) -> str:
    """Return the name of the game in a campaign's terms. Raises `Refused` if the game is not installed."""
    reader = Reader("terms")
    game = read_game(reader, {"game": node_of(cast(Tree, terms["game"]))} if "game" in terms else {})
    reader.refuse()
    return game


def term_keys(game: str) -> tuple[str, ...]:
    """Return the keys of a document that tell the game and its options."""
    return ("game", *game_paper_named(game).terms)


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> GameTerms:
    """Read the terms of a document's game. Missing terms have their usual values."""
    terms: GameTerms = game_paper_named(read_game(reader, entries)).read_terms(reader, entries)
    return terms


def term_in(entries: Mapping[str, Node], key: str, read_it: Callable[[Node], T | None], usual: T) -> T:
    """Return the term that `read_it` reads under a key; `usual` if the key is missing or `read_it` returns None."""
    found = read_it(entries[key]) if key in entries else None
    return usual if found is None else found


def terms_document(terms: GameTerms) -> dict[str, Value]:
    """Return terms as a mapping that `read_terms` can read."""
    return {"game": terms.game, **game_paper_named(terms.game).terms_document(terms)}


def named_rules(
    reader: Reader, terms: GameTerms, folder: Path | None, entries: Mapping[str, Node], document: Node
) -> GameRules:
    """Load the rules of a document's game; `entries` has the document's values. Raises `Refused`, with the place at
    which the document names a missing or unfit file."""
    try:
        return load_rules(terms, folder)
    except Misnamed as refused:
        for fault in refused.faults:
            reader.note(entries.get(refused.key, document), fault)
        raise Refused(reader.source, reader.faults) from None


def rules_of_terms(
    terms: Mapping[str, str | Mapping[str, str]], reader: Reader, folder: Path | None = None
) -> GameRules:
    """Return the rules of the game in these terms. `folder` has a campaign's own files. Raises `Refused` for terms that
    do not fit."""
    document = node_of({key: value if isinstance(value, str) else dict(value) for key, value in terms.items()})
    assert isinstance(document, MappingNode)
    read = read_terms(reader, document.items)
    reader.refuse()
    return named_rules(reader, read, folder, document.items, document)


PointsT = TypeVar("PointsT", bound=Struct)

Rulings = tuple[tuple[str, str], ...]
"""Disputed points, each with its ruling as text, sorted by the name of the point."""


def read_rulings(reader: Reader, node: Node, points: type[Struct]) -> Rulings:
    """Return the rulings of a document, sorted by point; none after a fault. The struct `points` has all possible
    rulings."""
    _, faults = attempt(node, points)
    reader.faults += faults
    if faults or not isinstance(node, strict.MappingNode):
        return ()
    return tuple(sorted((name, str(bare(value))) for name, value in node.items.items()))


def choices(points: type[Struct]) -> dict[str, tuple[str, ...]]:
    """Return the possible rulings on every disputed point, the usual ruling first; `…` is any number."""
    facts = inspect.type_info(points)
    assert isinstance(facts, inspect.StructType)
    found: dict[str, tuple[str, ...]] = {}
    for field in facts.fields:
        values: tuple[object, ...] = ("…",)
        if isinstance(field.type, inspect.LiteralType):
            values = tuple(field.type.values)
        elif isinstance(field.type, inspect.BoolType):
            values = (True, False)
        usual = value_text(field.default)
        found[field.name] = (usual, *(text for value in values if (text := value_text(value)) != usual))
    return found


def value_text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def ruled_points(points: PointsT, rulings: Rulings) -> PointsT:
    """Return the struct `points` with these rulings. Raises `Refused` for an impossible ruling."""
    if not rulings:
        return points
    nowhere = {name: (0, 0) for name, _ in rulings}
    written = MappingNode({name: Text(value, 0, 0) for name, value in rulings}, nowhere, 0, 0)
    ruled = convert(written, type(points), "rulings")
    return replace(points, **{name: getattr(ruled, name) for name, _ in rulings})


PRESETS = "presets.yaml"
"""Name of the file with a game's presets. A game may have no such file."""

FOR = ("powers", "beside", "scenarios", "options")
"""Keys of a preset's line that restrict the line: to some powers, to players who also have another power, to scenarios,
or to games with an option of the rules, such as the expert game."""

USUAL = "careful"
"""Name of the preset that players without plans are offered."""


class PresetFile(Struct, frozen=True):
    """Presets of a game as their file has them. `lines` has plans, each under its name, perhaps with keys that restrict
    its use (`FOR`). `presets` has, for each preset, the names of its plans."""

    lines: dict[str, dict[str, AnyTree]] = {}
    presets: dict[str, tuple[str, ...]] = {}


class PresetLine(Struct, frozen=True):
    """One plan of a preset, with the key of the wording that describes it."""

    name: str
    """Key of the wording that describes the line."""
    plan: dict[str, Tree]
    """The plan of the line, as it stands in a letter."""


def preset_file(game: str) -> PresetFile:
    """Load the presets of a game; empty if the game has none."""
    has_file = game in games() and (data_of(game) / PRESETS).is_file()
    return load_data(game, PRESETS, PresetFile) if has_file else PresetFile()


def preset_names(game: str) -> tuple[str, ...]:
    return tuple(preset_file(game).presets)


def preset_lines(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> tuple[PresetLine, ...]:
    """Return the lines of a preset that fit the power, the scenario and the game's options. `own` are all powers of the
    player."""
    found, scenario = preset_file(rules.terms.game), rules.terms.scenario
    named = {name for line in found.lines.values() for name in line.get("options", ())}
    options = {name for name in named if getattr(rules, name, False)}
    facts: dict[str, set[str]] = {"powers": {power}, "beside": set(own), "scenarios": {scenario}, "options": options}
    return tuple(
        PresetLine(name, plan_of(found.lines[name]))
        for name in found.presets.get(preset, ())
        if all(key not in (line := found.lines[name]) or set(line[key]) & names for key, names in facts.items())
    )


def plan_of(line: Mapping[str, Tree]) -> dict[str, Tree]:
    """Return the plan of a line, as it stands in a letter."""
    return {key: value for key, value in line.items() if key not in FOR} | {"standing": "yes"}


def preset_plans(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> list[Tree]:
    """Return a preset's plans for a power, as they stand in a letter. `own` are all powers of the player."""
    return [line.plan for line in preset_lines(rules, preset, power, own)]
