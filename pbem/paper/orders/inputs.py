"""What a person may fill in to answer a decision, for whoever makes a form of it without knowing the game.

An `Input` says what can be written in one place of an order file: `Tree`s to choose from, numbers with their range,
parts under their keys. What it costs is said where it is chosen; a `Payment` beside it names the cards that pay.
`docs/orders.md` has all kinds with an example.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pbem.seal.canonical import Tree


class Option(Struct, frozen=True, omit_defaults=True):
    """One of several things to write."""

    write: Tree
    price: int = 0
    """What it costs, in points of cards."""
    worth: int = 0
    """What it pays, if it is a card."""


class Choice(Struct, frozen=True, tag_field="kind", tag="choice"):
    """One of these."""

    options: tuple[Option, ...]


class Several(Struct, frozen=True, tag_field="kind", tag="several"):
    """A list of some of these, each once."""

    options: tuple[Option, ...]
    least: int
    most: int


class Number(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="number"):
    """A whole number."""

    least: int
    most: int
    price: int = 0
    """What each one of it costs."""


class Numbers(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="numbers"):
    """A number under each of these names, within a total."""

    of: dict[str, Number]
    least: int
    most: int
    all: bool = False
    """Whether no name may be left out."""


class Path(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="path"):
    """A list of cities, each beside the one before it: to every end that is open one way; there may be others."""

    start: str
    ways: tuple[Option, ...]


class Payment(Struct, frozen=True, tag_field="kind", tag="payment"):
    """Cards worth at least the price of everything else in the record; left out where that is nothing."""

    options: tuple[Option, ...]


class Part(Struct, frozen=True, omit_defaults=True):
    """What stands under one key."""

    input: Input
    optional: bool = False
    price: int = 0
    """What it costs if it is there."""


class Record(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="record"):
    """Several parts, each under its key."""

    parts: dict[str, Part]
    together: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Places, by their keys, of which both are filled in or neither."""


class Each(Struct, frozen=True, tag_field="kind", tag="each"):
    """A list with one entry for each of these."""

    inputs: tuple[Input, ...]


class Either(Struct, frozen=True, tag_field="kind", tag="either"):
    """In one of several ways."""

    ways: tuple[Input, ...]


class Lines(Struct, frozen=True, tag_field="kind", tag="lines"):
    """A list of such: each line answers once, and the next is written for the position that it leads to."""

    of: Input
    least: int = 1
    """0 where an empty list is an answer as well: nothing more."""


Input: TypeAlias = (
    Choice | Several | Number | Numbers | Path | Payment | Record | Each | Either | Lines
)  # fmt: skip
"""Every kind of input."""


class Form(Struct, frozen=True):
    """What may be written in answer to one decision."""

    section: str
    rule: str
    """Where the rule book has it."""
    input: Input
    beyond: tuple[str, ...]
    """The codes of what may still be refused: what these inputs cannot say of each other."""


def choice(*written: Tree) -> Choice:
    """One of several that cost nothing."""
    return Choice(tuple(Option(one) for one in written))


YES_OR_NO = choice("yes", "no")
