"""Types of the numbers and keys by which the engine names cities, pieces, cards and powers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NewType, TypeVar

T = TypeVar("T")

City = NewType("City", int)
"""City by its index on the board, or a place off the map (`OFF`, `ASIDE`)."""

Piece = NewType("Piece", int)
"""General or supply train by its index in the rules."""

Hussar = NewType("Hussar", int)
"""Hussar by its index on the field."""

Suit = NewType("Suit", int)
"""Suit by its index: one of the four suits, or `RESERVE`."""

Deck = NewType("Deck", int)
"""Deck of tactical cards, counted from 0."""

Card = NewType("Card", int)
"""Tactical card: suit, value and deck in one number."""

Power = NewType("Power", str)
"""Power by its key in the data files."""

NO_POWER = Power("")
"""Empty key, for no power."""


if TYPE_CHECKING:

    def each_piece(items: Iterable[T]) -> Iterator[tuple[Piece, T]]:
        """Yield each piece with its item, as `enumerate` does. `items` has one item for each piece."""

    def each_city(items: Iterable[T]) -> Iterator[tuple[City, T]]:
        """Yield each city with its item, as `enumerate` does. `items` has one item for each city."""

else:
    # For speed: only the type checker needs to know that these numbers are pieces or cities.
    each_piece = each_city = enumerate
