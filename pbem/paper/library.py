"""Documents of each game: the functions that read and write them, the files that they name, such as boards, and their
terms, rulings and presets."""

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
    """Disputed points of a game whose rules have none."""


def empty_hands(table: Table) -> dict[str, int]:
    return dict.fromkeys(table.rules.powers, 0)


class GamePaper(Struct, Generic[TermsT, RulesT], frozen=True, kw_only=True):
    """Functions and tables by which the documents of one game are read and written."""

    terms: tuple[str, ...] = ()
    """Keys of a document, besides `game`, that tell with which board and rules the game is played."""
    read_terms: Callable[[Reader, Mapping[str, Node]], TermsT]
    """Function that reads the terms. It gets the values of a document, keyed as in the document."""
    points: type[Struct] = NoPoints
    """Struct with a field for each disputed point of the rules. The default of a field is the usual ruling on the
    point, and its type has the possible rulings."""
    terms_document: Callable[[TermsT], dict[str, Value]]
    """Function that returns terms as a mapping for a document. The name of the game is not in it."""
    load_rules: Callable[[TermsT, Path | None], RulesT]
    """Function that loads the rules for these terms. The folder, if it is given, has files that the terms name."""
    positions: tuple[Row, ...]
    """Rows for the values of a position; the terms are not among them. Values are written and read in the sequence of
    the rows. Only cards are read after all others."""
    keys_of_rules: Mapping[str, tuple[str, ...]] = {}
    """Dict from each § of the rules to the keys of a position to which it applies. A breach of this § is reported at
    these keys."""
    order_of_play: Callable[[], tuple[Power, ...]] = tuple
    """Function that returns all powers of the game, in the order in which they act."""
    last_turn: Callable[[GameRules], int]
    """Function that returns the number of the last turn."""
    hands: Callable[[Table], dict[str, int]] = empty_hands
    """Function that returns the usual size of each hand, in the sequence of dealing. A hand that a position does not
    give gets this number of cards."""
    sections: tuple[AnySection, ...]
    """All sections of the game's order files, including those that all games have. Descriptions of order files have the
    same sequence."""
    plans: Mapping[str, WishForm] = {}
    """Forms of the plans for choices that only this game has."""


AnyGamePaper: TypeAlias = "GamePaper[Any, Any]"
"""Functions and tables of any game, with unchecked types, for code that treats all games alike."""


def game_paper_named(name: str) -> AnyGamePaper:
    return part(name, "paper", GamePaper)


def game_paper(table: Table) -> AnyGamePaper:
    return game_paper_named(table.rules.terms.game)


def readers_of(rules: GameRules) -> dict[str, OneSection]:
    """Return a dict from the name of each section in the game's order files to the function that reads it."""
    return {row.name: row.read_into for row in game_paper_named(rules.terms.game).sections}


T = TypeVar("T")

BEFORE = "before.yaml"


class Misnamed(Refused):
    """Raised for a file that is missing or unfit. The reader of the document that names the file adds the place."""

    def __init__(self, key: str, name: str, wrong: Wrong) -> None:
        """Make the error about the file `name`, which a document names under the key `key`. `wrong` tells what is wrong
        with the file."""
        self.key = key
        super().__init__(name, [wrong])


def load_rules(terms: GameTerms, folder: Path | None = None) -> GameRules:
    """Load the rules of a game. Files that the terms name are shipped, or are in `folder`. Raises `Misnamed` if such a
    file is missing or unfit."""
    rules: GameRules = game_paper_named(terms.game).load_rules(terms, folder)
    return rules


def load_data(game: str, name: str, kind: type[T]) -> T:
    """Load a data file of a game, such as the file of its cards."""
    source, data = f"rules/{game}/{name}", (data_of(game) / name).read_bytes()
    return load_or_make(f"data-{name}", data, kind, lambda: convert(read_yaml(data, source), kind, source))


def rulings_before(game: str) -> dict[int, dict[str, str]]:
    """Return the rulings that a game had under earlier protocols, keyed by the last protocol with these rulings. Return
    an empty dict if they never changed, or if the game is unknown."""
    if game not in games() or not (data_of(game) / BEFORE).is_file():
        return {}
    found = {int(last): its for last, its in load_data(game, BEFORE, dict[str, dict[str, str]]).items()}
    return {last: found[last] for last in sorted(found)}


class FileKind(Struct, frozen=True):
    """Kind of files that documents may name, such as boards."""

    key: str
    """Key under which a document names a file of this kind."""
    missing: str
    """Wording of the fault for a name that has no file."""


BOARD = FileKind("board", "E-BOARD-MISSING")


def find_file(kind: FileKind, name: str, shipped: Mapping[str, Path], folder: Path | None) -> Path:
    """Return the path of the shipped file with this name. If there is none, return that of the file in `folder`. Raises
    `Misnamed` if there is no file, or if it is a link."""
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
    """Return the paths of the boards that are shipped with these games, keyed by the name of the board."""
    found = sorted(path for game in games for path in (data_of(game) / "boards").glob("*.yaml"))
    return {path.stem: path for path in found if "." not in path.stem}


def find_board(name: str, folder: Path | None = None) -> Path:
    return find_file(BOARD, name, boards(), folder)


def check_fitness(name: str, game: str, usual: str, needed: Mapping[str, tuple[Iterable[str], Container[str]]]) -> None:
    """Raise `Misnamed` if a board lacks names that the game needs. `usual` is the board with which the game is usually
    played. `needed` has an entry for each kind of names: the wording for missing names, the names that the game needs,
    and the names on the board."""
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
    """Load the shipped board with this name. If there is none, load it from the file in `folder`."""
    return load_board_file(find_board(name, folder))


@lru_cache(maxsize=8)
def load_board_file(path: Path) -> BoardData:
    data = read_beginning(path, BOARD_LIMITS)
    return load_shipped(path, data, BoardData, lambda: load_board(data, str(path)))


def load_shipped(path: Path, content: bytes, kind: type[T], make: Callable[[], T]) -> T:
    """Return the value that the function `make` makes from the file's content, `content`. If the file is shipped, the
    value is cached."""
    is_ours = any(path.is_relative_to(data_of(game)) for game in games())
    return load_or_make(f"file-{path.name}", content, kind, make) if is_ours else make()


def read_beginning(path: Path, limits: DocumentLimits = STANDARD) -> bytes:
    """Return the content of a file. If it exceeds the limit of size, return only its beginning, which is one byte
    longer than the limit."""
    with path.open("rb") as file:
        return file.read(limits.size + 1)


STANDARD_GAME = next(iter(OURS))
"""Game of a document that has no key `game`."""

FILES = ("board", "politics", "fate file")
"""Terms that may name a file in the folder of the document. A name without a dot is that of a shipped file."""


def read_game(reader: Reader, entries: Mapping[str, Node]) -> str:
    """Return the name of a document's game. Return `STANDARD_GAME` if the key `game` is missing or faulty."""
    found = None
    if "game" in entries:
        found = reader.word(entries["game"], "game", {name: name for name in games()})
    return found or STANDARD_GAME


def game_of_terms(terms: Mapping[str, object]) -> str:
    """Return the name of the game that a campaign's terms give. Raises `Refused` if this game is not installed."""
    reader = Reader("terms")
    game = read_game(reader, {"game": node_of(cast(Tree, terms["game"]))} if "game" in terms else {})
    reader.refuse()
    return game


def term_keys(game: str) -> tuple[str, ...]:
    """Return those keys of a document that name the game and its options."""
    return ("game", *game_paper_named(game).terms)


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> GameTerms:
    """Return the terms of a document's game. A term that is missing has its usual value."""
    terms: GameTerms = game_paper_named(read_game(reader, entries)).read_terms(reader, entries)
    return terms


def term_in(entries: Mapping[str, Node], key: str, read_it: Callable[[Node], T | None], usual: T) -> T:
    """Return the term that the function `read_it` reads under a key. Return `usual` if the key is missing, or if
    `read_it` returns None."""
    found = read_it(entries[key]) if key in entries else None
    return usual if found is None else found


def terms_document(terms: GameTerms) -> dict[str, Value]:
    """Return terms as a mapping, in the form that `read_terms` reads."""
    return {"game": terms.game, **game_paper_named(terms.game).terms_document(terms)}


def named_rules(
    reader: Reader, terms: GameTerms, folder: Path | None, entries: Mapping[str, Node], document: Node
) -> GameRules:
    """Load the rules of a document's game. `entries` has the values of the document. Raises `Refused` if a file that
    the document names is missing or unfit; the fault has the place of the name."""
    try:
        return load_rules(terms, folder)
    except Misnamed as refused:
        for fault in refused.faults:
            reader.note(entries.get(refused.key, document), fault)
        raise Refused(reader.source, reader.faults) from None


def rules_of_terms(
    terms: Mapping[str, str | Mapping[str, str]], reader: Reader, folder: Path | None = None
) -> GameRules:
    """Return the rules of the game with these terms. `folder` has the files of a campaign. Raises `Refused` if the
    terms do not fit."""
    document = node_of({key: value if isinstance(value, str) else dict(value) for key, value in terms.items()})
    assert isinstance(document, MappingNode)
    read = read_terms(reader, document.items)
    reader.refuse()
    return named_rules(reader, read, folder, document.items, document)


PointsT = TypeVar("PointsT", bound=Struct)

Rulings = tuple[tuple[str, str], ...]
"""Rulings on disputed points, sorted by the name of the point. Each is a pair of the point's name and the ruling, as
texts."""


def read_rulings(reader: Reader, node: Node, points: type[Struct]) -> Rulings:
    """Return the rulings in a document, sorted by point. After a fault return none. The fields of the struct `points`
    give the possible rulings."""
    _, faults = attempt(node, points)
    reader.faults += faults
    if faults or not isinstance(node, strict.MappingNode):
        return ()
    return tuple(sorted((name, str(bare(value))) for name, value in node.items.items()))


def choices(points: type[Struct]) -> dict[str, tuple[str, ...]]:
    """Return the possible rulings on every disputed point. The usual ruling comes first. `…` stands for any number."""
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
    """Return a copy of the struct `points` with these rulings. Raises `Refused` if a ruling is impossible."""
    if not rulings:
        return points
    nowhere = {name: (0, 0) for name, _ in rulings}
    written = MappingNode({name: Text(value, 0, 0) for name, value in rulings}, nowhere, 0, 0)
    ruled = convert(written, type(points), "rulings")
    return replace(points, **{name: getattr(ruled, name) for name, _ in rulings})


PRESETS = "presets.yaml"
"""Name of the file with a game's presets. A game may have no such file."""

FOR = ("powers", "beside", "scenarios", "options")
"""Keys that restrict a line of a preset. It may be only for some powers, for players who also have another power, for
some scenarios, or for games with an option of the rules, such as the expert game."""

USUAL = "careful"
"""Name of the preset that is offered to players without plans."""


class PresetFile(Struct, frozen=True):
    """Presets of a game, as in their file. `lines` has plans by name; a plan may have keys that restrict its use
    (`FOR`). `presets` has, for each preset, the names of its plans."""

    lines: dict[str, dict[str, AnyTree]] = {}
    presets: dict[str, tuple[str, ...]] = {}


class PresetLine(Struct, frozen=True):
    """Plan of a preset, with the key of the wording that describes it."""

    name: str
    """Key of the wording that describes the plan."""
    plan: dict[str, Tree]
    """Plan in the form in which letters have it."""


def preset_file(game: str) -> PresetFile:
    """Load the presets of a game. If the game has none, the result is empty."""
    has_file = game in games() and (data_of(game) / PRESETS).is_file()
    return load_data(game, PRESETS, PresetFile) if has_file else PresetFile()


def preset_names(game: str) -> tuple[str, ...]:
    return tuple(preset_file(game).presets)


def preset_lines(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> tuple[PresetLine, ...]:
    """Return the lines of a preset that fit the power, the scenario and the options of the game. `own` has all powers
    of the player."""
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
    """Return the plan of a line in the form in which letters have it."""
    return {key: value for key, value in line.items() if key not in FOR} | {"standing": "yes"}


def preset_plans(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> list[Tree]:
    """Return the plans of a preset for a power, in the form in which letters have them. `own` has all powers of the
    player."""
    return [line.plan for line in preset_lines(rules, preset, power, own)]
