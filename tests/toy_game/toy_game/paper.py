"""What people write of TOY: its part of positions, and the section of orders that bars a city."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pbem.engine.decisions import Answer, Decision
from pbem.engine.table import GameRules
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node, Text
from pbem.paper.documents.writing import Value
from pbem.paper.game_paper import GamePaper
from pbem.paper.library import load_data, load_named_board
from pbem.paper.orders.given import Given
from pbem.paper.orders.sections import PowerOrders, SectionReader, Written
from pbem.paper.plans.files import read_plans
from pbem.paper.positions import kinds as k
from pbem.paper.positions import shared
from pbem.paper.positions.rows import Row, everybody
from pbem.seal.canonical import Tree
from toy_game.rules.state import Barred, Result, Scenario, Table, Terms, ToyRules, toy_rules

BAR = "bar"
NONE = "none"
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


def read_bar(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """`bar: City`, or `bar: none`."""
    if isinstance(node, Text) and node.value.casefold() == NONE:
        orders.sections[BAR] = [Written(None, node)]
    elif (city := self.city(node)) is not None:
        orders.sections[BAR] = [Written(city.number, node)]


def section_of(rules: GameRules, decision: Decision) -> str:
    """The section that answers what only this game asks."""
    return BAR


def answer(table: Table, orders: PowerOrders, decision: Decision) -> Given | None:
    """What the orders say to it; each is used once."""
    written: Written | None = orders.take(BAR)
    return Given(Barred(written.value), written.node) if written else None


def sections_of(table: Table, power: str, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """The way back: the orders that lead to an answer."""
    assert isinstance(answer, Barred)
    return {BAR: NONE if answer.city is None else k.city_name(table.rules, answer.city)}


PART = GamePaper(
    read_terms=read_terms,
    terms_document=terms_document,
    load_rules=load_rules,
    positions=(*shared.MOMENT, shared.PIECES, BARRED, RESULT),
    keys_of_rules={"§2": ("owing", "phase", "stage", "turn"), "§4": ("barred",)},
    last_turn=last_turn,
    sections={BAR: read_bar, "plans": read_plans},
    section_of=section_of,
    answer=answer,
    sections_of=sections_of,
)
