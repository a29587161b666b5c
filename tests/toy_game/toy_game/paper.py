"""The files of TOY: its part of positions, and the section of orders that bars a city."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from pbem.engine.table import GameRules
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.library import GamePaper, load_data, load_named_board
from pbem.paper.orders.forms import Input, choice
from pbem.paper.orders.moves import MOVE
from pbem.paper.orders.names import NONE, SectionReader, SectionWriter, WrittenOrder, is_word
from pbem.paper.orders.section import AnySection, Section, as_said, single
from pbem.paper.positions import kinds as k
from pbem.paper.positions import shared
from pbem.paper.positions.rows import Row, everybody
from pbem.seal.canonical import Tree
from toy_game.rules.state import Bar, Barred, Result, Scenario, Table, Terms, ToyRules, toy_rules

BARRED = Row("barred", k.by_power("the barred cities", k.CITY), everybody)
RESULT = Row("result", k.optional(k.record(Result, "result", {"winner": k.WINNER, "how": k.ENDING})), everybody)


@cache
def scenario() -> Scenario:
    """The data of the game."""
    return load_data("toy", "game.yaml", Scenario)


def read_terms(reader: Reader, entries: Mapping[str, Node]) -> Terms:
    """A table has nothing to agree on; a game with options reads them here."""
    return Terms("toy", scenario().name, scenario().board)


def terms_document(terms: Terms) -> dict[str, Value]:
    """The terms as they are written, besides the name of the game."""
    return {}


@cache
def load_rules(terms: Terms, folder: Path | None = None) -> ToyRules:
    """The rules on these terms."""
    return toy_rules(terms, scenario(), load_named_board(terms.board, folder))


def last_turn(rules: GameRules) -> int:
    """The last turn that a position may name."""
    return scenario().turns


def read_bar(self: SectionReader, node: Node) -> WrittenOrder[Barred] | None:
    """`bar: City`, or `bar: none`."""
    if is_word(node, NONE):
        return WrittenOrder(Barred(None), node)
    city = self.city(node)
    return None if city is None else WrittenOrder(Barred(city.number), node)


def write_bar(pen: SectionWriter, answer: Barred) -> Tree:
    """The way back."""
    return NONE if answer.city is None else pen.city(answer.city)


def bar_form(pen: SectionWriter, table: Table, decision: Bar) -> Input:
    """Any of the cities, or none."""
    return choice(NONE, *pen.cities(decision.cities))


BAR: AnySection = Section("bar", "§4", Bar, Barred, single(read_bar), as_said, write_bar, bar_form)


PART = GamePaper(
    read_terms=read_terms,
    terms_document=terms_document,
    load_rules=load_rules,
    positions=(*shared.MOMENT, shared.PIECES, BARRED, RESULT),
    keys_of_rules={"§2": ("owing", "phase", "stage", "turn"), "§4": ("barred",)},
    last_turn=last_turn,
    sections=(replace(MOVE, rule="§2"), BAR),
)
