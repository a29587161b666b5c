"""The nearest way, by which it is told why a march cannot be: found at once on a board that has millions of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from pbem.engine.board import Board, BoardData, Canvas, CityData, Frame
from pbem.engine.march import Column
from pbem.engine.nouns import City
from pbem.engine.refused_ways import nearest

SIDE = 14


@pytest.fixture(scope="module")
def lattice() -> Board:
    """A town of square blocks, every corner a city."""
    at = [[f"{chr(97 + x)}{chr(97 + y)}" for x in range(SIDE)] for y in range(SIDE)]
    cities = tuple(
        CityData(at[y][x], "town", 10 * x + 5, 10 * y + 5, "land", "clubs") for y in range(SIDE) for x in range(SIDE)
    )
    streets = (*(tuple(row) for row in at), *zip(*at, strict=True))
    frame = Frame(0, 0, 10 * SIDE, 10 * SIDE)
    return Board(BoardData("town", "Town", Canvas(frame.w, frame.h), {"town": frame}, {}, cities, (), streets))


def column(board: Board, start: str) -> Column:
    """As much of one as the nearest way asks for."""
    return cast(Any, SimpleNamespace(rules=SimpleNamespace(board=board), start=board.index[start]))


def stops(board: Board, *names: str) -> list[City]:
    return [board.index[name] for name in names]


def test_the_nearest_way_is_found_at_once(lattice: Board) -> None:
    way = nearest(column(lattice, "aa"), stops(lattice, "nn"))
    assert way is not None
    assert lattice.names(way) == (
        *(f"a{chr(97 + y)}" for y in range(1, SIDE)),
        *(f"{chr(97 + x)}n" for x in range(1, SIDE)),
    )
    over = nearest(column(lattice, "aa"), stops(lattice, "na", "nn"))
    assert over is not None
    assert (len(over), lattice.names(over)[12]) == (26, "na")
    back = nearest(column(lattice, "ba"), stops(lattice, "da", "aa"))
    assert back is not None
    assert lattice.names(back) == ("ca", "da", "ca", "ba", "aa")


@pytest.mark.parametrize("names", [("aa",), ("aa", "bb"), ("bb", "bb"), ("bb", "ab", "bb"), ("ac", "ab")])
def test_none_comes_to_a_named_city_twice(lattice: Board, names: tuple[str, ...]) -> None:
    assert nearest(column(lattice, "aa"), stops(lattice, *names)) is None
