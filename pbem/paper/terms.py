"""Terms of a game as positions and campaigns write them, and rulings by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar, cast

from msgspec import Struct, inspect
from msgspec.structs import replace

from pbem.engine.table import GameRules, GameTerms
from pbem.paper.documents import strict
from pbem.paper.documents.convert import attempt, convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.documents.strict import MappingNode, Node, Text, bare
from pbem.paper.documents.writing import Value
from pbem.paper.library import Misnamed, game_paper_named, load_rules
from pbem.resources import OURS, games
from pbem.seal.canonical import Tree

STANDARD_GAME = next(iter(OURS))
"""Game of documents that name none."""

FILES = ("board", "politics", "fate file")
"""Terms that may name a file beside the document; names of shipped files have no dot."""


def read_game(reader: Reader, entries: Mapping[str, Node]) -> str:
    """The name of the game that a document is about."""
    found = None
    if "game" in entries:
        found = reader.word(entries["game"], "game", {name: name for name in games()})
    return found or STANDARD_GAME


def game_of_terms(terms: Mapping[str, object]) -> str:
    """The game that a campaign plays. Raises `Refused` if it is not installed."""
    reader = Reader("terms")
    game = read_game(reader, {"game": node_of(cast(Tree, terms["game"]))} if "game" in terms else {})
    reader.refuse()
    return game


def term_keys(game: str) -> tuple[str, ...]:
    """Keys with which a document says which game is played."""
    return ("game", *game_paper_named(game).terms)


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> GameTerms:
    """Terms of the game that a document is about; missing ones have their usual values."""
    terms: GameTerms = game_paper_named(read_game(reader, entries)).read_terms(reader, entries)
    return terms


def terms_document(terms: GameTerms) -> dict[str, Value]:
    """The terms as a document has them; reading them gives the same terms."""
    return {"game": terms.game, **game_paper_named(terms.game).terms_document(terms)}


def named_rules(
    reader: Reader, terms: GameTerms, folder: Path | None, entries: Mapping[str, Node], document: Node
) -> GameRules:
    """The rules of the game; a missing or unfit file is refused at the place of its name."""
    try:
        return load_rules(terms, folder)
    except Misnamed as refused:
        for fault in refused.faults:
            reader.note(entries.get(refused.key, document), fault)
        raise Refused(reader.source, reader.faults) from None


T = TypeVar("T", bound=Struct)

Rulings = tuple[tuple[str, str], ...]
"""Points and their values as texts, sorted by name, in the form that terms keep."""


def read_rulings(reader: Reader, node: Node, points: type[Struct]) -> Rulings:
    """Rulings of this table, sorted by name; `points` is the struct of all points with their possible values."""
    _, faults = attempt(node, points)
    reader.faults += faults
    if faults or not isinstance(node, strict.MappingNode):
        return ()
    return tuple(sorted((name, str(bare(value))) for name, value in node.items.items()))


def choices(points: type[Struct]) -> dict[str, tuple[str, ...]]:
    """Values of every point, the usual one first; `…` for any number."""
    facts = inspect.type_info(points)
    assert isinstance(facts, inspect.StructType)
    found: dict[str, tuple[str, ...]] = {}
    for field in facts.fields:
        values: tuple[object, ...] = ("…",)
        if isinstance(field.type, inspect.LiteralType):
            values = tuple(field.type.values)
        elif isinstance(field.type, inspect.BoolType):
            values = (True, False)
        usual = as_written(field.default)
        found[field.name] = (usual, *(text for value in values if (text := as_written(value)) != usual))
    return found


def as_written(value: object) -> str:
    """A value of a point as a document has it."""
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def overridden(points: T, rulings: Rulings) -> T:
    """The points, with the values that a table has ruled instead of the usual ones."""
    if not rulings:
        return points
    nowhere = {name: (0, 0) for name, _ in rulings}
    written = MappingNode({name: Text(value, 0, 0) for name, value in rulings}, nowhere, 0, 0)
    ruled = convert(written, type(points), "rulings")
    return replace(points, **{name: getattr(ruled, name) for name, _ in rulings})
