"""What the files of one game have that those of another have not: its terms, its part of positions and of orders.

Everything that games write alike stands once in this room; what is a game's own stands in a folder of its own, which
gives one `GamePaper`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.table import GameRules, Table
from pbem.kit import part
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.orders.names import OneSection
from pbem.paper.orders.section import AnySection
from pbem.paper.plans.wishes import WishForm
from pbem.paper.positions.rows import Row

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
