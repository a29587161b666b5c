"""What the files of one game have that those of another have not: its terms, its part of positions and of orders.

Everything that games write alike stands once in this room; what is a game's own stands in a folder of its own, which
gives one `GamePaper`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules, Table
from pbem.kit import part
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.orders.given import Given
from pbem.paper.orders.sections import OneSection, PowerOrders, RecruitOrder
from pbem.paper.plans.wishes import WishForm
from pbem.paper.positions.cards import CardReader
from pbem.paper.positions.reader import PositionReader
from pbem.seal.canonical import Tree

TermsT = TypeVar("TermsT")
RulesT = TypeVar("RulesT")
TableT = TypeVar("TableT")
ResultT = TypeVar("ResultT")


class PlanForms(Struct, frozen=True):
    """What plans of one game may speak of besides what all games ask."""

    wishes: Mapping[str, WishForm] = {}
    settled: frozenset[str] = frozenset()
    """The sections of its order files that answer no question."""


class NoPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules that nobody reads in two ways."""


def empty_hands(table: Table) -> dict[str, int]:
    """Nobody has a card at the start."""
    return dict.fromkeys(table.rules.powers, 0)


def nothing_settled(orders: PowerOrders) -> Iterator[Given]:
    """Everything is asked for."""
    return iter(())


class GamePaper(Struct, Generic[TermsT, RulesT, TableT, ResultT], frozen=True, kw_only=True):
    """How the files of one game are read and written; tables, terms and rules are that game's own."""

    terms: tuple[str, ...] = ()
    """The keys that say which game is played."""
    read_terms: Callable[[Reader, Mapping[str, Node]], TermsT]
    points: type[Struct] = NoPoints
    """The points on which a table may rule otherwise, with their values; as they stand, they are the usual ones."""
    terms_document: Callable[[TermsT], dict[str, Value]]
    """The terms as they are written, without the name of the game."""
    load_rules: Callable[[TermsT, Path | None], RulesT]
    positions: tuple[str, ...]
    """The keys of a position besides those of the terms, in the order in which they are written."""
    keys_of_rules: Mapping[str, tuple[str, ...]] = {}
    """Where in a position to look for what offends a rule."""
    last_turn: Callable[[GameRules], int]
    hands: Callable[[Table], dict[str, int]] = empty_hands
    """The cards of each hand that a position does not give, in the order in which they are dealt."""
    read_position: Callable[[PositionReader, CardReader], None]
    """Reads the game's own part of a position, before the cards that are left over are dealt."""
    position_document: Callable[[TableT], dict[str, Value]]
    """The game's own part of a position, as it is written."""
    known: Mapping[str, Callable[[TableT, Collection[str], Value], Value]] = {}
    """The keys that only this game's positions have and that players may know of, each with what they may know."""
    read_result: Callable[[PositionReader, Node], ResultT | None]
    result_document: Callable[[ResultT], dict[str, Value]]
    sections: Mapping[str, OneSection]
    """The sections of an order file that other games do not have, and how each is read."""
    section_of: Callable[[GameRules, Decision], str]
    """The section that answers a decision that only this game asks."""
    settled: Callable[[PowerOrders], Iterator[Given]] = nothing_settled
    """What is settled without being asked for, taken from the orders."""
    answer: Callable[[TableT, PowerOrders, Decision], Given | None]
    """What a power's orders say to a decision that only this game asks; each order is used once."""
    sections_of: Callable[[TableT, str, Decision | None, Answer], dict[str, Tree]]
    """The sections of a power's orders that lead to an answer which only this game knows."""
    plans: PlanForms = PlanForms()
    levy: Callable[[TableT, RecruitOrder, str], Given] | None = None
    """What a power's recruits are as an answer, where they may stand among its moves."""


AnyGamePaper: TypeAlias = "GamePaper[Any, Any, Any, Any]"
"""What a game brings to the papers, to whoever treats all alike."""


def game_paper_named(name: str) -> AnyGamePaper:
    return part(name, "paper", GamePaper)


def game_paper(table: Table) -> AnyGamePaper:
    """What the game that is played at a table brings to the papers."""
    return game_paper_named(table.rules.terms.game)
