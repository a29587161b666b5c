"""Files that ship with the program or that players bring, and what one game's files have that those of another have
not.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, lru_cache, reduce
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from pbem.cache import load_or_make
from pbem.engine.board import BoardData
from pbem.engine.table import GameRules, GameTerms, Table
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.kit import part
from pbem.paper.boards.files import BOARD_LIMITS, load_board
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted, is_bare
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import STANDARD, DocumentLimits, Node, read_yaml
from pbem.paper.documents.writing import Value
from pbem.paper.orders.names import OneSection
from pbem.paper.orders.section import AnySection
from pbem.paper.plans.wishes import WishForm
from pbem.paper.positions.rows import Row
from pbem.resources import data_of, games

TermsT = TypeVar("TermsT")
RulesT = TypeVar("RulesT")


class NoPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that nobody reads in two ways."""


def empty_hands(table: Table) -> dict[str, int]:
    """Nobody has a card at the start."""
    return dict.fromkeys(table.rules.powers, 0)


class GamePaper(Struct, Generic[TermsT, RulesT], frozen=True, kw_only=True):
    """How the files of one game are read and written; terms and rules are that game's own."""

    terms: tuple[str, ...] = ()
    """The keys that say which game is played."""
    read_terms: Callable[[Reader, Mapping[str, Node]], TermsT]
    points: type[Struct] = NoPoints
    """The points on which a table may rule otherwise, with their values; as they stand, they are the usual ones."""
    terms_document: Callable[[TermsT], dict[str, Value]]
    """The terms as they are written, without the name of the game."""
    load_rules: Callable[[TermsT, Path | None], RulesT]
    positions: tuple[Row, ...]
    """What a position says besides the terms, in the order in which it is written and, but for the cards, read."""
    keys_of_rules: Mapping[str, tuple[str, ...]] = {}
    """Where in a position to look for what offends a rule."""
    last_turn: Callable[[GameRules], int]
    hands: Callable[[Table], dict[str, int]] = empty_hands
    """The cards of each hand that a position does not give, in the order in which they are dealt."""
    sections: tuple[AnySection, ...]
    """Every section of its order files, those of every game among them, in the order in which they are told."""
    plans: Mapping[str, WishForm] = {}
    """What plans may speak of besides what all games ask."""


AnyGamePaper: TypeAlias = "GamePaper[Any, Any]"
"""What a game brings to the papers, to whoever treats all alike."""


def game_paper_named(name: str) -> AnyGamePaper:
    return part(name, "paper", GamePaper)


def game_paper(table: Table) -> AnyGamePaper:
    """What the game that is played at a table brings to the papers."""
    return game_paper_named(table.rules.terms.game)


def readers_of(rules: GameRules) -> dict[str, OneSection]:
    """How each section is read of the order files of one game."""
    return {row.name: row.read_into for row in game_paper_named(rules.terms.game).sections}


T = TypeVar("T")

BEFORE = "before.yaml"


class Misnamed(Refused):
    """What a document names under `key` is not there, or not fit for the game; the place is that of the name."""

    def __init__(self, key: str, name: str, wrong: Wrong) -> None:
        """Refuse what is called `name`; whoever reads the document that names it knows the place."""
        self.key = key
        super().__init__(name, [wrong])


def load_rules(terms: GameTerms, folder: Path | None = None) -> GameRules:
    """The rules of the game that is played; files are looked for beside the file that names them."""
    rules: GameRules = game_paper_named(terms.game).load_rules(terms, folder)
    return rules


def load_data(game: str, name: str, kind: type[T]) -> T:
    """One of the data files of a game's rules."""
    source, data = f"rules/{game}/{name}", (data_of(game) / name).read_bytes()
    return load_or_make(f"data-{name}", data, kind, lambda: convert(read_yaml(data, source), kind, source))


def rulings_before(game: str) -> dict[int, dict[str, str]]:
    """How a game was played, by the last protocol under which it was so; a game that came later has no such file."""
    if game not in games() or not (data_of(game) / BEFORE).is_file():
        return {}
    found = {int(last): its for last, its in load_data(game, BEFORE, dict[str, dict[str, str]]).items()}
    return {last: found[last] for last in sorted(found)}


class Kind(Struct, frozen=True):
    """A kind of data files."""

    key: str
    """Under which documents name one."""
    missing: str
    """What is said where there is none of a name."""


BOARD = Kind("board", "E-BOARD-MISSING")


def find_file(kind: Kind, name: str, shipped: Mapping[str, Path], folder: Path | None) -> Path:
    """Return a file that ships with the program, or one seen from the folder of the document that names it.

    Whether the name may be a path has been decided where it was read (`Reader.file_name`). A link beside a document
    could still lead anywhere, so none is followed there.
    """
    if name in shipped:
        return shipped[name]
    path = (folder or Path()) / name
    if is_bare(name) and path.is_symlink():
        raise Misnamed(kind.key, name, wrong("E-FILE-NAME.link", name=as_quoted(name)))
    if path.is_file():
        return path
    raise Misnamed(kind.key, name, wrong(kind.missing, name=as_quoted(name), names=tuple(shipped)))


def boards() -> Mapping[str, Path]:
    """The boards that ship with the games."""
    return boards_of(tuple(games()))


@cache
def boards_of(games: tuple[str, ...]) -> Mapping[str, Path]:
    """The boards that ship with these games."""
    found = sorted(path for game in games for path in (data_of(game) / "boards").glob("*.yaml"))
    return {path.stem: path for path in found if "." not in path.stem}


def find_board(name: str, folder: Path | None = None) -> Path:
    """The file of a board: one that ships with the program, or a path, seen from the folder of who names it."""
    return find_file(BOARD, name, boards(), folder)


def check_fitness(name: str, game: str, usual: str, needed: Mapping[str, tuple[Iterable[str], Container[str]]]) -> None:
    """Refuse a board on which a game lacks anything of what it needs: by what it is, the names, and those there are."""
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
    """A board by its name or file."""
    return load_board_file(find_board(name, folder))


@lru_cache(maxsize=8)
def load_board_file(path: Path) -> BoardData:
    data = beginning(path, BOARD_LIMITS)
    return shipped(path, data, BoardData, lambda: load_board(data, str(path)))


def shipped(path: Path, data: bytes, kind: type[T], make: Callable[[], T]) -> T:
    """What is made of a file's bytes; of one that ships with the program it is kept for the next command."""
    is_ours = any(path.is_relative_to(data_of(game)) for game in games())
    return load_or_make(f"file-{path.name}", data, kind, make) if is_ours else make()


def beginning(path: Path, limits: DocumentLimits = STANDARD) -> bytes:
    """The bytes of a file: all of them, or one more than its reader takes, so that no file fills the memory."""
    with path.open("rb") as file:
        return file.read(limits.size + 1)
