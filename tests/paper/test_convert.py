"""From nodes to typed structs, with the place of every fault."""

from __future__ import annotations

import datetime
import enum
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta, Struct

from pbem.paper.documents.convert import attempt, convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import MappingNode, Node, read_yaml


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class March(Struct, frozen=True, tag="march", tag_field="do"):
    piece: str
    to: tuple[str, ...]
    troops: Annotated[int, Meta(ge=1, le=8)] = 1


class Stay(Struct, frozen=True, tag="stay", tag_field="do"):
    piece: str


class Even(Struct, frozen=True):
    number: int = 0

    def __post_init__(self) -> None:
        if self.number % 2:
            raise ValueError("the number must be even")


class Paper(Struct, frozen=True, rename="kebab"):
    title: str
    suit: Literal["hearts", "spades"] = "hearts"
    ready: bool = False
    count: int | None = None
    either: int | str = 0
    one_or_many: str | tuple[str, ...] = ""
    moves: tuple[March | Stay, ...] = ()
    table: dict[str, int] = {}
    by_rank: dict[int, str] = {}
    pair: tuple[str, int] | None = None
    colour: Colour = Colour.RED
    tags: frozenset[str] = frozenset()
    short: Annotated[str, Meta(min_length=2, max_length=4, pattern="^[a-z]+$")] = "ab"
    few: Annotated[list[int], Meta(max_length=2)] = []
    even: Even = Even()
    anything: Any = None
    kept: Node | None = None
    when: datetime.date | None = None


def load(text: str) -> Paper:
    return convert(read_yaml(text.encode(), "p.yaml"), Paper, "p.yaml")


ACCEPTED: list[tuple[str, str, object]] = [
    ("title: no", "title", "no"),
    ("title: 010", "title", "010"),
    ("suit: Spades", "suit", "spades"),
    ("ready: yes", "ready", True),
    ("ready: False", "ready", False),
    ("count: 010", "count", 10),
    ("count: -3", "count", -3),
    ("count:", "count", None),
    ("ready:", "ready", False),
    ("either: 7", "either", 7),
    ("either: seven", "either", "seven"),
    ("one-or-many: a", "one_or_many", "a"),
    ("one-or-many: [a, b]", "one_or_many", ("a", "b")),
    ("moves: [{do: march, piece: A, to: [B]}]", "moves", (March("A", ("B",)),)),
    ("moves: [{do: stay, piece: A}]", "moves", (Stay("A"),)),
    ("moves:", "moves", ()),
    ("table: {a: 1}", "table", {"a": 1}),
    ("table:", "table", {}),
    ("by-rank: {1: a}", "by_rank", {1: "a"}),
    ("pair: [a, 1]", "pair", ("a", 1)),
    ("colour: BLUE", "colour", Colour.BLUE),
    ("tags: [a, b, a]", "tags", frozenset({"a", "b"})),
    ("even: {number: 2}", "even", Even(2)),
    ("even:", "even", Even(0)),
    ("anything: [a, {b: 1}]", "anything", ["a", {"b": "1"}]),
    ("when: 1741-05-01", "when", datetime.date(1741, 5, 1)),
]


@pytest.mark.parametrize(("text", "name", "value"), ACCEPTED)
def test_accepted(text: str, name: str, value: object) -> None:
    paper = load(text if name == "title" else f"title: x\n{text}")
    assert getattr(paper, name) == value


def test_a_node_may_be_kept_as_written() -> None:
    kept = load("title: x\nkept: {a: b}").kept
    assert isinstance(kept, MappingNode)
    assert kept.places == {"a": (2, 8)}


# text behind "title: x" on line 1, then code, line, column and a part of what is told
REFUSED = [
    ("count: x", "E-VALUE-TYPE", 2, 8, "'x' is no whole number"),
    ("count: 1.5", "E-VALUE-TYPE", 2, 8, "'1.5'"),
    (f"moves: {'x' * 40}", "E-VALUE-TYPE", 2, 8, f"'{'x' * 40}'"),
    (f"moves: {'x' * 41}", "E-VALUE-TYPE", 2, 8, f"'{'x' * 39}…'"),
    ("count: ''", "E-VALUE-TYPE", 2, 8, "''"),
    ("count: [1]", "E-VALUE-TYPE", 2, 8, "a list stands where a whole number belongs"),
    ("one-or-many: {a: b}", "E-VALUE-TYPE", 2, 14, "write a list or a word"),
    ("ready: maybe", "E-VALUE-TYPE", 2, 8, "write true or false"),
    ("suit: spads", "E-VALUE-CHOICE", 2, 7, "did you mean spades?"),
    ("suit: x", "E-VALUE-CHOICE", 2, 7, "possible here: hearts, spades"),
    ("colour: gren", "E-VALUE-CHOICE", 2, 9, "possible here: red, blue"),
    ("sut: spades", "E-FORM-KEY", 2, 1, "did you mean suit?"),
    ("moves: march", "E-VALUE-TYPE", 2, 8, "write [march]"),
    (f"moves: {'x' * 40}", "E-VALUE-TYPE", 2, 8, f"write [{'x' * 40}]"),
    (f"moves: {'x' * 41}", "E-VALUE-TYPE", 2, 8, "write [one, two]"),
    ("moves: [{do: march, to: [B]}]", "E-KEY-MISSING", 2, 9, "'piece' is missing"),
    ("moves: [{do: march, piece: , to: [B]}]", "E-KEY-MISSING", 2, 21, "nothing is written behind 'piece'"),
    ("moves: [{do: jump, piece: A}]", "E-VALUE-CHOICE", 2, 14, "do cannot be 'jump'"),
    ("moves: [{piece: A}]", "E-KEY-MISSING", 2, 9, "write do: march or stay"),
    ("moves: [{do: march, piece: A, to: [B], troops: 9}]", "E-VALUE-RANGE", 2, 48, "at least 1 and at most 8"),
    ("moves: [{do: march, piece: A, to: B}]", "E-VALUE-TYPE", 2, 35, "write [B]"),
    ("table: {a: x}", "E-VALUE-TYPE", 2, 12, "'x' is no whole number"),
    ("table: [a]", "E-VALUE-TYPE", 2, 8, "write `key: value`"),
    ("by-rank: {x: a}", "E-VALUE-TYPE", 2, 11, "'x' is no whole number"),
    ("pair: [a]", "E-VALUE-RANGE", 2, 7, "it takes 2"),
    ("pair: a", "E-VALUE-TYPE", 2, 7, "a list of 2"),
    ("short: abcde", "E-VALUE-RANGE", 2, 8, "5 characters"),
    ("short: a", "E-VALUE-RANGE", 2, 8, "too short"),
    ("short: A1", "E-VALUE-RANGE", 2, 8, "right form"),
    ("few: [1, 2, 3]", "E-VALUE-RANGE", 2, 6, "3 items"),
    ("few: [1, ]\ntags: [a, '']\nready: {a: b}", "E-VALUE-TYPE", 4, 8, "a mapping"),
    ("even: {number: 3}", "E-VALUE-RANGE", 2, 7, "must be even"),
    ("even: 3", "E-VALUE-TYPE", 2, 7, "write {number: …}"),
    ("when: soon", "E-VALUE-TYPE", 2, 7, "'soon' cannot be read"),
    ("tags: [a, ~, '', [b]]", "E-VALUE-TYPE", 2, 18, "a list stands where a word belongs"),
]


@pytest.mark.parametrize(("text", "code", "line", "column", "part"), REFUSED)
def test_refused_with_code_and_place(text: str, code: str, line: int, column: int, part: str) -> None:
    with pytest.raises(Refused) as refused:
        load(f"title: x\n{text}")
    assert [(fault.code, fault.line, fault.column) for fault in refused.value.faults] == [(code, line, column)]
    assert part in str(refused.value)


def test_the_whole_document_may_be_of_the_wrong_shape() -> None:
    for text in ("a word", "[a, b]"):
        with pytest.raises(Refused) as refused:
            load(text)
        assert refused.value.faults[0].code == "E-VALUE-TYPE"


def test_a_forgotten_space_behind_the_colon() -> None:
    with pytest.raises(Refused) as refused:
        load("{title: x, ready:yes}")
    assert str(refused.value.faults[0].hint) == "put a space behind the colon: ready: yes"


def test_every_fault_is_told() -> None:
    text = """suit: clubs
moves:
  - {do: march, piece: A, to: [B], troops: x}
  - {do: march, to: [B], troops: 0}
  - go
table: {a: 1, b: c, d: e}
colr: red
"""
    value, faults = attempt(read_yaml(text.encode(), "p"), Paper)
    assert value is None
    assert sorted((fault.line, fault.column, fault.code) for fault in faults) == [
        (1, 1, "E-KEY-MISSING"),
        (1, 7, "E-VALUE-CHOICE"),
        (3, 44, "E-VALUE-TYPE"),
        (4, 5, "E-KEY-MISSING"),
        (4, 34, "E-VALUE-RANGE"),
        (5, 5, "E-VALUE-TYPE"),
        (6, 18, "E-VALUE-TYPE"),
        (6, 24, "E-VALUE-TYPE"),
        (7, 1, "E-FORM-KEY"),
    ]
