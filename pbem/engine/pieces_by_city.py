"""Places of the pieces, city by city, kept as long as no piece changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from itertools import compress, count
from operator import is_not
from typing import Any, ParamSpec, TypeVar, cast

from pbem.engine.field import ASIDE, Field, PieceState, occupants
from pbem.engine.nouns import City, Piece, each_piece
from pbem.engine.rules import Rules

P = ParamSpec("P")
T = TypeVar("T")


class PositionCache:
    """Cache of values derived from one part of the position; replaced when that part changes."""

    def __init__(self) -> None:
        self.found: dict[Hashable, Any] = {}  # each key has a type of its own, that of what is made for it

    def once(self, key: Hashable, make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """Value under a key, made by `make` when it is first asked for. The key must name all that it depends on."""
        try:
            found: T = self.found[key]
        except KeyError:
            found = self.found[key] = make(*given, **named)
        return found


def changed_pieces(now: Sequence[PieceState], then: Sequence[PieceState]) -> list[Piece]:
    """Pieces with another state. States are values, so comparing identity is enough."""
    return cast("list[Piece]", list(compress(count(), map(is_not, now, then))))


def pieces_aside(field: Field) -> list[Piece]:
    """Pieces beside the map that take no part."""
    return [index for index, piece in each_piece(field.pieces) if piece.city == ASIDE]


class PiecesByCity(PositionCache):
    """Pieces of every occupied city (as `pieces_at` finds them for one), and pieces that take no part."""

    def __init__(self, field: Field, before: PiecesByCity | None) -> None:
        """Start from an earlier position if there is one: only pieces that changed are looked at."""
        super().__init__()
        self.pieces = list(field.pieces)
        if before is None or len(before.pieces) != len(self.pieces):
            self.at, self.aside = occupants(field), pieces_aside(field)
            return
        self.at, self.aside = dict(before.at), before.aside
        for index in changed_pieces(self.pieces, before.pieces):
            start, end = before.pieces[index].city, self.pieces[index].city
            if start != end:
                self.move(index, start, end)
                if ASIDE in (start, end):
                    self.aside = pieces_aside(field)

    def move(self, piece: Piece, start: City, end: City) -> None:
        """Move a piece to another city. Lists are replaced, not changed: others may hold them."""
        there = self.at.pop(start, ())
        if len(there) > 1:
            self.at[start] = [other for other in there if other != piece]
        if end >= 0:
            others = self.at.get(end)
            self.at[end] = sorted([*others, piece]) if others else [piece]


def pieces_by_city(rules: Rules, field: Field) -> PiecesByCity:
    """Places of the pieces in this position. The latest value is returned if no piece has changed."""
    latest = rules.cache.get("standing")
    before = latest if isinstance(latest, PiecesByCity) else None
    # Fast: states of pieces are shared values, so comparing lists mostly compares identity.
    if before is not None and before.pieces == field.pieces:
        return before
    found = rules.cache["standing"] = PiecesByCity(field, before)
    return found
