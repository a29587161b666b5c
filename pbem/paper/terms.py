"""The terms of a game, as positions and campaigns write them: which game is played, by which of its rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pbem.engine.table import GameRules, GameTerms
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.game_paper import game_paper_named
from pbem.paper.library import Misnamed, load_rules
from pbem.resources import OURS, games

STANDARD_GAME = next(iter(OURS))
"""The game that is meant where a document names none."""

FILES = ("board", "politics", "fate file")
"""The terms that may name a file beside the document; names of ours have no dot in them."""


def read_game(reader: Reader, entries: Mapping[str, Node]) -> str:
    """The name of the game that a document is about."""
    found = None
    if "game" in entries:
        found = reader.word(entries["game"], "game", {name: name for name in games()})
    return found or STANDARD_GAME


def game_of_terms(terms: Mapping[str, object]) -> str:
    """The game that a campaign plays."""
    return str(terms.get("game", STANDARD_GAME))


def term_keys(game: str) -> tuple[str, ...]:
    """The keys with which a document says which game is played."""
    return ("game", *game_paper_named(game).terms)


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> GameTerms:
    """Which game is played, by the entries of any document that says so; what is left out is as usual."""
    terms: GameTerms = game_paper_named(read_game(reader, entries)).read_terms(reader, entries)
    return terms


def terms_document(terms: GameTerms) -> dict[str, Value]:
    """The terms as a document has them; reading them gives the same terms."""
    return {"game": terms.game, **game_paper_named(terms.game).terms_document(terms)}


def named_rules(
    reader: Reader, terms: GameTerms, folder: Path | None, entries: Mapping[str, Node], document: Node
) -> GameRules:
    """The rules of the game; what is not there, or not fit, is refused where the document names it."""
    try:
        return load_rules(terms, folder)
    except Misnamed as refused:
        for fault in refused.faults:
            reader.note(entries.get(refused.key, document), fault)
        raise Refused(reader.source, reader.faults) from None
