"""Every field of the states of both games is a row, or said not to be, and a view shows what its row lets it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache
from operator import attrgetter
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import fields

from pbem.engine.cards import Cards
from pbem.engine.field import Alliances, Field, PieceState
from pbem.games.friedrich.paper import position as friedrich
from pbem.games.friedrich.paper.position import FATE_ROWS
from pbem.games.friedrich.rules import data as friedrich_data
from pbem.games.friedrich.rules import state as friedrich_state
from pbem.games.maria.paper import position as maria
from pbem.games.maria.paper.position import AFFAIRS_ROWS, ALLIANCES_ROWS, GAMBIT_ROWS
from pbem.games.maria.rules import data as maria_data
from pbem.games.maria.rules import state as maria_state
from pbem.kit import copy_of, game_of
from pbem.paper.positions.files import known_document
from pbem.paper.positions.kinds import CITY
from pbem.paper.positions.rows import Row
from tests import play
from tests.friedrich import random_play
from tests.friedrich.striving import strive
from tests.raider import raid
from tests.twins import players

ROWS: dict[str, tuple[type[Struct], tuple[Row, ...]]] = {
    "maria": (maria_state.State, maria.POSITIONS),
    "friedrich": (friedrich_state.State, friedrich.POSITIONS),
    "affairs": (maria_state.Affairs, AFFAIRS_ROWS),
    "gambit": (maria_state.Gambit, GAMBIT_ROWS),
    "fate": (friedrich_state.Fate, FATE_ROWS),
}
"""The parts of states that have a table, and the tables."""

UNWRITTEN = {
    "terms": "the head of every file",
    "field.half_active": "follows from the scenario, and from the cession",
    "field.hussars": "FRIEDRICH has none",
    **{f"field.alliances.{name}": "does not change in FRIEDRICH" for name in Alliances.__struct_fields__},
}
"""Fields of the state without a row, with reasons."""

SHARED: dict[str, type[Struct]] = {"field": Field, "cards": Cards, "field.alliances": Alliances}
"""The parts of states whose fields are rows of the position itself."""


def paths(struct: type[Struct], rows: set[str], before: str = "") -> Iterator[str]:
    """The fields of a state, those of its parts among them unless a part is one row."""
    for field in fields(struct):
        path = before + field.name
        if path in SHARED and path not in rows:
            yield from paths(SHARED[path], rows, f"{path}.")
        else:
            yield path


@pytest.mark.parametrize("part", ROWS)
def test_every_field_is_a_row_or_said_not_to_be(part: str) -> None:
    struct, table = ROWS[part]
    rows = {row.path for row in table}
    assert len(rows) == len(table)
    there = set(paths(struct, rows))
    assert rows <= there
    assert there - rows <= set(UNWRITTEN)


def test_alliances_are_written_whole() -> None:
    assert {*ALLIANCES_ROWS, "stacking"} == set(Alliances.__struct_fields__)


def test_a_row_has_to_say_who_may_know() -> None:
    make: Any = Row
    with pytest.raises(TypeError, match="known"):
        make("start", CITY)


def all_paths(table: Any) -> list[str]:
    """Every row of a position and of its parts, by where it stands in the state."""
    parts = {"maria": ("affairs", "gambit"), "friedrich": ("fate",)}[table.rules.terms.game]
    there = [part for part in parts if getattr(table.state, part) is not None]
    own = [row.path for row in ROWS[table.rules.terms.game][1] if row.path not in parts]
    return own + [f"{part}.{row.path}" for part in there for row in ROWS[part][1]]


def with_value(table: Any, path: str, value: object) -> Any:
    """The position with another value in one place."""
    other = copy_of(table)
    before, _, name = path.rpartition(".")
    setattr(attrgetter(before)(other.state) if before else other.state, name, value)
    return other


def tells(table: Any, path: str, value: object, powers: Collection[str]) -> tuple[object, object] | None:
    """Documents and views of a position with this value; None if there can be no such position."""
    try:
        other = with_value(table, path, value)
        return known_document(other, powers), game_of(other).view(other, powers)
    except Exception:
        return None


def told_apart(table: Any, path: str, one: object, other: object, powers: Collection[str]) -> tuple[bool, bool] | None:
    """True if documents and views differ for two values, to players of some powers."""
    first, second = (tells(table, path, value, powers) for value in (one, other))
    return (first[0] != second[0], first[1] != second[1]) if first and second else None


GAMES: dict[str, tuple[Any, Any, list[Any]]] = {
    "maria": (play, raid, [maria_data.Terms("advanced", bluffing=True), maria_data.Terms("silesia-gambit")]),
    "friedrich": (random_play, strive, [friedrich_data.Terms("four", expert=True)]),
}


@cache
def found_in(game: str) -> list[dict[str, dict[str, Any]]]:
    """Positions of some games: by field, by the values that it has in them, a few for each."""
    games, player, variants = GAMES[game]
    found: list[dict[str, dict[str, Any]]] = []
    for terms in variants:
        found.append({})
        for seed in "abc":
            table, _ = games.start(terms, seed)
            for power, answer in games.answers(table, games.chance_of(terms, seed), player):
                collect(table, found[-1])
                game_of(table).apply(table, power, answer)
            collect(table, found[-1])
    return found


def collect(table: Any, found: dict[str, dict[str, Any]]) -> None:
    """Keep a position if a field has a value of which there are not enough yet."""
    copy: Any = None
    for path in all_paths(table):
        values, value = found.setdefault(path, {}), repr(attrgetter(path)(table.state))
        if value not in values and (len(values) < 4 or path == "result"):
            values[value] = copy = copy or copy_of(table)


RARE: dict[str, list[object]] = {
    "begun": [False],
    "substitute": [7],
    "affairs.set_aside": [{"prussia": 1}],
    "affairs.income": [{"austria": 1}],
    "affairs.lasting": [{"austria": -1}],
    "affairs.annexed": [2],
    "affairs.reduced": [True],
    "affairs.offers": [[maria_state.Contract("france", "prussia", 2)]],
    "affairs.cancelling": [["france/prussia"]],
    "affairs.agreements": [[maria_state.Agreement(("france", "austria"), "Peace.", 1)]],
    "gambit.held": [dict.fromkeys(("prussia", "austria", "france", "pragmatic"), 9)],
}
"""Values that hardly come about at random."""

ONLY_ORDER = ("cards.draw", "fate.deck")
"""Sets of which everybody may know the size, which follows from the rest, and nobody the order."""

UNSEEN = {
    "begun": "what a view is of has begun",
    "cards.shuffles": "counts for proofs, and changes nothing",
    "substitute": "told by the pieces that stand there",
    "reinforced": "told when they are",
    "affairs.executed": "told when they do it",
    "affairs.corps": "shown by where the generals are",
    "fate.beaten": "told when they are",
}
"""Fields that documents tell and no view shows, with reasons."""


@pytest.mark.parametrize("game", GAMES)
def test_a_view_shows_what_is_a_row_and_no_more_than_it_lets(game: str) -> None:
    apart: dict[str, list[tuple[bool, bool]]] = {}
    for found in found_in(game):
        for path, tables in found.items():
            values = [attrgetter(path)(table.state) for table in tables.values()] + RARE.get(path, [])
            for table in [*tables.values()][:2]:
                now = attrgetter(path)(table.state)
                others = [now[::-1]] if path in ONLY_ORDER else [value for value in values if value != now]
                both = [told_apart(table, path, now, other, who) for other in others for who in players(table)]
                apart.setdefault(path, []).extend(each for each in both if each is not None)
    for path, pairs in apart.items():
        assert pairs, f"{path} has the same value everywhere: name another under RARE"
        told, shown = (any(column) for column in zip(*pairs, strict=True))
        assert told == (path not in ONLY_ORDER), path
        assert shown == (told and path not in UNSEEN), path
        assert not any(shown and not told for told, shown in pairs), path


def hands(table: Any, one: str, other: str) -> tuple[object, object]:
    """The hands of two powers, and the same with a card of each in the place of the other."""
    now = dict(table.state.cards.hands) | {one: [4, 5], other: [8, 9]}
    return now, now | {one: [5, 8], other: [4, 9]}


def troops(table: Any, one: str, other: str) -> tuple[object, object]:
    """The pieces, with troops of two generals of one power the one way and the other."""
    first, second = table.rules.common.generals(one)[:2]
    both = []
    for few, many in ((2, 3), (3, 2)):
        pieces = [PieceState(piece.city, piece.troops) for piece in table.state.field.pieces]
        pieces[first], pieces[second] = PieceState(pieces[first].city, few), PieceState(pieces[second].city, many)
        both.append(pieces)
    return both[0], both[1]


def backwards(path: str) -> Callable[[Any, str, str], tuple[object, object]]:
    """A deck, and the same turned round."""
    return lambda table, one, other: (attrgetter(path)(table.state), attrgetter(path)(table.state)[::-1])


SECRETS: dict[str, list[tuple[str, Callable[[Any, str, str], tuple[object, object]], str]]] = {
    "maria": [
        ("cards.hands", hands, "both"),
        ("cards.draw", backwards("cards.draw"), "none"),
        ("field.pieces", troops, "one"),
        ("affairs.deck", backwards("affairs.deck"), "none"),
        ("affairs.covered", lambda table, one, other: ({one: [4], other: [8]}, {one: [5], other: [8]}), "one"),
        ("affairs.cancelling", lambda table, one, other: ([], [f"{one}/{other}"]), "both"),
        ("affairs.scores", lambda table, one, other: ([{one: 3}], [{one: 4}]), "none"),
        ("gambit.laid_aside", lambda table, one, other: ({one: [4]}, {one: [5]}), "none"),
    ],
    "friedrich": [
        ("cards.hands", hands, "both"),
        ("cards.draw", backwards("cards.draw"), "none"),
        ("field.pieces", troops, "one"),
        ("fate.deck", backwards("fate.deck"), "none"),
        ("drawn", lambda table, one, other: ([4], [5]), "acting"),
        ("reinforced", lambda table, one, other: ([], [table.rules.common.generals(one)[0]]), "acting"),
    ],
}
"""Secrets: each with its place, two values for two powers, and those who may tell them apart."""

CASES = [pytest.param(game, *secret, id=f"{game}-{secret[0]}") for game in SECRETS for secret in SECRETS[game]]


@pytest.mark.parametrize(("game", "path", "make", "who"), CASES)
def test_a_secret_is_told_to_whom_its_row_says(game: str, path: str, make: Any, who: str) -> None:
    tables = next(found for found in found_in(game) if path in found)["stage"].values()
    tried = 0
    for table in tables:
        one, other = "prussia", "austria"
        first, second = make(table, one, other)
        let = {"both": {one, other}, "one": {one}, "none": set(), "acting": {table.state.stage}}[who]
        for powers in players(table):
            told, shown = told_apart(table, path, first, second, powers) or (None, None)
            if told is None:
                continue
            tried += 1
            assert told == (not let.isdisjoint(powers)), (powers, table.state.stage)
            assert shown in ((False, told) if who == "acting" else (told,)), (powers, table.state.stage)
    assert tried > 5
