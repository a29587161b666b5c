"""What the numbers and keys of the engine stand for; a field or a parameter that holds one of these has its type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NewType, TypeVar

T = TypeVar("T")

City = NewType("City", int)
"""A city by its index on the board, or a place beside it (`OFF`, `ASIDE`), which is none."""

Piece = NewType("Piece", int)
"""A general or a supply train by its index in the rules."""

Hussar = NewType("Hussar", int)
"""A hussar by its index on the field."""

Suit = NewType("Suit", int)
"""One of the four suits, or that of a Reserve."""

Deck = NewType("Deck", int)
"""A deck of tactical cards, counted from 0."""

Card = NewType("Card", int)
"""A tactical card: suit, value and deck in one number."""

Power = NewType("Power", str)
"""A power by its key in the data files."""

NO_POWER = Power("")
"""None, where a text has to stand."""


if TYPE_CHECKING:

    def each_piece(items: Iterable[T]) -> Iterator[tuple[Piece, T]]:
        """Something of every piece, in their order, each with its piece."""

    def each_city(items: Iterable[T]) -> Iterator[tuple[City, T]]:
        """Something of every city, in their order, each with its city."""

else:
    # Only types are told what the numbers are: going over all pieces has to stay as quick as this.
    each_piece = each_city = enumerate
