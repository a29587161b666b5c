"""What the numbers and keys of the engine stand for; a field or a parameter that holds one of these has its type."""

from __future__ import annotations

from typing import Annotated, TypeAlias

City: TypeAlias = Annotated[int, "City"]
"""A city by its index on the board, or a place beside it (`OFF`, `ASIDE`), which is none."""

Piece: TypeAlias = Annotated[int, "Piece"]
"""A general or a supply train by its index in the rules."""

Hussar: TypeAlias = Annotated[int, "Hussar"]
"""A hussar by its index on the field."""

Suit: TypeAlias = Annotated[int, "Suit"]
"""One of the four suits, or that of a Reserve."""

Deck: TypeAlias = Annotated[int, "Deck"]
"""A deck of tactical cards, counted from 0."""

Card: TypeAlias = Annotated[int, "Card"]
"""A tactical card: suit, value and deck in one number."""

Power: TypeAlias = Annotated[str, "Power"]
"""A power by its key in the data files."""
