"""Forms of answers. They give the values that each part of an answer may have, and how each value is written in
orders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from pbem.seal.canonical import Tree


class Option(Struct, frozen=True, omit_defaults=True):
    """Value that may be chosen in a form."""

    write: Tree
    price: int = 0
    """Points of cards that must be paid if this value is chosen."""
    worth: int = 0
    """Points that the value, a card, is worth in a payment."""


class Choice(Struct, frozen=True, tag_field="kind", tag="choice"):
    """Input of a form: one of several options."""

    options: tuple[Option, ...]


class Several(Struct, frozen=True, tag_field="kind", tag="several"):
    """Input of a form: a list of some of several options, each at most once."""

    options: tuple[Option, ...]
    least: int
    most: int


class Number(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="number"):
    """Input of a form: a whole number from `least` to `most`."""

    least: int
    most: int
    price: int = 0
    """Points of cards that must be paid for each unit of the number."""


class Numbers(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="numbers"):
    """Input of a form: a number under each of several names. The sum of the numbers is limited."""

    of: dict[str, Number]
    least: int
    most: int
    all: bool = False
    """True if every name must get a number."""


class Path(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="path"):
    """Input of a form: a path, which is a list of cities, each a neighbour of the city before. `ways` has one path to
    every possible end; other paths may be legal too."""

    start: str
    ways: tuple[Option, ...]
    only: bool = False
    """True if the path in `ways` is the only one that the rules allow."""


class Payment(Struct, frozen=True, tag_field="kind", tag="payment"):
    """Input of a form: cards worth at least the sum of all prices in the record. If nothing has a price, the key of the
    payment is left out."""

    options: tuple[Option, ...]


class Part(Struct, frozen=True, omit_defaults=True):
    """A key of a record, and the input under the key."""

    input: Input
    optional: bool = False
    price: int = 0
    """Points of cards that must be paid if this part is filled in."""


class Record(Struct, frozen=True, omit_defaults=True, tag_field="kind", tag="record"):
    """Input of a form: several parts, each under its key."""

    parts: dict[str, Part]
    together: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = ()
    """Pairs of parts. In each pair either both parts must be filled in, or none. A part is given as the path of keys
    that leads to it."""
    none: bool = False
    """True if the word `none` may be written in place of the record."""


class Each(Struct, frozen=True, tag_field="kind", tag="each"):
    """Input of a form: a list with one item for each of several inputs."""

    inputs: tuple[Input, ...]


class Either(Struct, frozen=True, tag_field="kind", tag="either"):
    """Input of a form: one of several inputs."""

    ways: tuple[Input, ...]


class Lines(Struct, frozen=True, tag_field="kind", tag="lines"):
    """Input of a form: a list of lines. Each line answers one decision, and is filled in with the input `of`. It is
    meant for the position after the line before it."""

    of: Input
    least: int = 1
    """Smallest number of lines. It is 0 if an empty list is allowed, which ends the orders."""


Input: TypeAlias = (
    Choice | Several | Number | Numbers | Path | Payment | Record | Each | Either | Lines
)  # fmt: skip


class Form(Struct, frozen=True):
    """Form of the answer to one decision. Programs that help to write orders fill it in."""

    section: str
    rule: str
    """The § of the rule that demands the decision."""
    input: Input
    beyond: tuple[str, ...]
    """Codes of refusals that are possible even if the form was filled in correctly, because they depend on several
    inputs together."""


def choice(*written: Tree) -> Choice:
    """Return the choice among these values, without prices."""
    return Choice(tuple(Option(one) for one in written))


YES_OR_NO = choice("yes", "no")


def prices_in(form: Input) -> Iterator[int]:
    """Yield the prices of everything that may be chosen in a form."""
    match form:
        case Choice(options) | Several(options) | Path(ways=options):
            yield from (option.price for option in options)
        case Number(most=most, price=price) if most:
            yield price
        case Numbers(of):
            yield from (price for number in of.values() for price in prices_in(number))
        case Record(parts):
            for part in parts.values():
                yield from (part.price, *prices_in(part.input))
        case Each(inputs) | Either(inputs):
            yield from (price for each in inputs for price in prices_in(each))
        case Lines(of):
            yield from prices_in(of)


def has_payable(form: Input) -> bool:
    """Return whether the cards that a form takes as payment are worth one of its prices."""
    if not isinstance(form, Record):
        return False
    payments = [part.input for part in form.parts.values() if isinstance(part.input, Payment)]
    worth = sum(option.worth for each in payments for option in each.options)
    return any(0 < price <= worth for price in prices_in(form))


def only_value(form: Input) -> Tree | None:
    """Return the only value that a form allows. Return None if there are several values, or if the only one is not
    easily found."""
    match form:
        case Choice((only,)):
            return only.write
        case Numbers(of, most=most, all=True) if len(of) == 1 and form.least == most:
            return {name: str(most) for name in of}
        case Numbers(of, most=most, all=True) if sum(number.least for number in of.values()) == most:
            return {name: str(number.least) for name, number in of.items()}
        case Lines(Either(()), least=0):
            return []
        case Lines(Choice((only,)), least=1):
            return [only.write]
        case Lines(Path(_, (way,), only=True)):
            return [way.write]
        case Record(parts, none=True) if all(is_bare(part.input) for part in parts.values()):
            return "none"
    return None


def is_bare(form: Input) -> bool:
    """True if an input leaves nothing to choose. A payment also counts as such, because it depends on the other
    inputs."""
    match form:
        case Numbers(of, most=most):
            return not of or not most
        case Record(parts):
            return not parts
    return isinstance(form, Payment)


def ending_value(form: Input) -> Tree | None:
    """Return the value by which the orders are ended (an empty list, or `none`). Return None if the form has no such
    value."""
    match form:
        case Lines(least=0):
            return []
        case Record(none=True):
            return "none"
    return None
