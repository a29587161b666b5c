"""Ends of marches as they are offered, held against marches that are carried out, at random stages of both games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count
from random import Random

import pytest

from pbem.bots.table import bot_named
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import March, Move
from pbem.engine.events import Conquered, Marched, Questioned
from pbem.engine.nouns import Piece
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.orders.moves import leaders_in, marching_columns
from pbem.player.names import new_table
from pbem.report.maps import End, ends_of_march, foes_beside

GAMES = {"maria": {}, "friedrich": {"scenario": "four"}}
STAGES = 45


def stages(game: str, chance: Random) -> Iterator[tuple[Table, March]]:
    """Tables at which a power is to march, on the way through games of bots."""
    rules, bot = new_table({"game": game, **GAMES[game]}).rules, bot_named("sensible", game)
    for seed in count():
        table, _ = game_named(game).start(rules, SeededDealer(f"{game} {seed}"))
        while open_now := game_of(table).decisions(table):
            decision = open_now[0]
            if isinstance(decision, March) and chance.random() < 0.25:
                yield table, decision
            game_of(table).apply(table, decision.power, bot(table, decision, chance))


def carried_out(table: Table, decision: March, movers: tuple[Piece, ...], end: End) -> None:
    """Carry a march out, and compare what happens with what its end has said."""
    column = game_of(table).column_of(table, movers)
    leaders = leaders_in(column, end.city)
    tried = copy_of(table)
    events = game_of(tried).apply(tried, decision.power, Move(movers, end.path, leaders[0] if leaders else None))
    (marched,) = [event for event in events if isinstance(event, Marched)]
    assert (marched.path, marched.forced) == (end.path, end.forced)
    assert {event.city for event in events if isinstance(event, Conquered)} == {*end.conquers}
    assert {event.city for event in events if isinstance(event, Questioned)} == {*end.questions}
    if not column.is_train:
        assert foes_beside(tried, movers[0], end.city) == end.foes
        starving = [assess(tried.rules.common, tried.state.field, power)[2] for power in column.powers]
        assert (not {*movers}.isdisjoint(chain.from_iterable(starving))) == end.starves


@pytest.mark.parametrize("game", GAMES)
def test_a_ring_says_what_carrying_the_march_out_does(game: str) -> None:
    chance, seen = (
        Random(f"reach {game}"),
        {"conquers": 0, "questions": 0, "foes": 0, "starves": 0, "onward": 0, "back": 0},
    )
    for number, (table, decision) in enumerate(stages(game, chance)):
        for movers in marching_columns(table, decision):
            ends = ends_of_march(table, movers)
            for end in chance.sample(ends, min(3, len(ends))) + [each for each in ends if each.conquers][:2]:
                carried_out(table, decision, movers, end)
            first = next((each for each in ends if each.aim), ends[0] if ends else None)
            onward = ends_of_march(table, movers, (first.city,)) if first else []
            further = ends_of_march(table, movers, (first.city, onward[0].city)) if first and onward else []
            back = [
                end
                for end in (*onward, *further)
                if end.city in (table.state.field.pieces[movers[0]].city, *end.path[:-1])
            ]
            for end in {*onward[:4], *back}:
                assert first
                assert first.city in end.path[:-1]
                carried_out(table, decision, movers, end)
            for key in ("conquers", "questions", "foes", "starves"):
                seen[key] += sum(bool(getattr(end, key)) for end in (*ends, *onward))
            assert all(end.conquers or end.questions for end in back)
            seen["onward"] += len(onward)
            seen["back"] += len(back)
        if number >= STAGES:
            break
    assert all(seen.values()), seen
