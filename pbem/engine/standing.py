"""Where the pieces stand, city by city: worked out once for as long as no piece changes."""

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


class Kept:
    """What follows from a part of the position alone, and is asked again and again while that part stands."""

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self.found: dict[Hashable, Any] = {}  # each key has a type of its own, that of what is made for it

    def once(self, key: Hashable, make: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
        """What follows, made when it is asked for the first time; the key says what it is."""
        try:
            found: T = self.found[key]
        except KeyError:
            found = self.found[key] = make(*given, **named)
        return found


def changed(now: Sequence[PieceState], then: Sequence[PieceState]) -> list[Piece]:
    """The pieces of which something else is noted: they are values, and whoever has not changed is the same one."""
    return cast("list[Piece]", list(compress(count(), map(is_not, now, then))))


def taking_no_part(field: Field) -> list[Piece]:
    """The pieces beside the map that take no part."""
    return [index for index, piece in each_piece(field.pieces) if piece.city == ASIDE]


class Standing(Kept):
    """Who stands where: for every occupied city what `pieces_at` says of one, and who takes no part."""

    def __init__(self, field: Field, before: Standing | None) -> None:
        """Note the pieces; of a position known before, only those that have changed since are looked at."""
        super().__init__()
        self.pieces = list(field.pieces)
        if before is None or len(before.pieces) != len(self.pieces):
            self.at, self.aside = occupants(field), taking_no_part(field)
            return
        self.at, self.aside = dict(before.at), before.aside
        for index in changed(self.pieces, before.pieces):
            start, end = before.pieces[index].city, self.pieces[index].city
            if start != end:
                self.move(index, start, end)
                if ASIDE in (start, end):
                    self.aside = taking_no_part(field)

    def move(self, piece: Piece, start: City, end: City) -> None:
        """Note that a piece stands elsewhere; lists that others may hold stay as they are."""
        there = self.at.pop(start, ())
        if len(there) > 1:
            self.at[start] = [other for other in there if other != piece]
        if end >= 0:
            others = self.at.get(end)
            self.at[end] = sorted([*others, piece]) if others else [piece]


def standing_of(rules: Rules, field: Field) -> Standing:
    """Who stands where in a position: as last time, unless a piece has changed since then."""
    latest = rules.worked_out.get("standing")
    before = latest if isinstance(latest, Standing) else None
    # Pieces are values, so that lists of them are compared by looking whether they are the same.
    if before is not None and before.pieces == field.pieces:
        return before
    found = rules.worked_out["standing"] = Standing(field, before)
    return found
