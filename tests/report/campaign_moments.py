"""Moments of whole games as a campaign would tell them, without a campaign: sampled wherever somebody is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.campaign.briefing import Briefing, briefings, decisions_of
from pbem.engine.board import SUITS
from pbem.engine.memory import map_state_of
from pbem.engine.table import Table, stage_of
from pbem.games.friedrich.rules.data import Terms
from pbem.kit import game_of
from tests import play
from tests.friedrich import fate_table, random_play
from tests.friedrich.striving import strive
from tests.play import name_of as name_in_maria
from tests.raider import raid
from tests.trying import IS_LONG
from tests.twins import players

from .campaign_table import OpenTable

GAMES: list[Any] = [
    *(pytest.param(play, raid, terms, id=f"maria-{name_in_maria(terms)}") for terms in play.EVERY),
    *(
        pytest.param(random_play, strive, terms, id=f"friedrich-{random_play.name_of(terms)}")
        for terms in random_play.EVERY
    ),
]
"""Manners of playing every variant of either game."""


def of_editions(*editions: str) -> list[Any]:
    """The variants of these editions and of games that have only one; of all editions in the long run."""
    return [each for each in GAMES if IS_LONG or getattr(each.values[-1], "edition", editions[0]) in editions]


def with_an_older_edition() -> list[Any]:
    """The variants of the newest edition, and of the oldest those of the advanced game."""
    older = [each for each in of_editions("1.0") if getattr(each.values[-1], "scenario", "") == "advanced"]
    return GAMES if IS_LONG else [*of_editions("2.1"), *older]


OFTEN, TIMES = (20, 3) if IS_LONG else (160, 1)
"""Of so many ordinary moments one is looked at, and of every kind of decision these first ones."""


def pattern(table: OpenTable) -> Briefing:
    """Briefing of a campaign in which everything but the game stays the same."""
    with table.open() as campaign:
        return next(iter(briefings(campaign).values()))


def told_at(like: Briefing, table: Table, powers: tuple[str, ...], reader: str) -> Briefing:
    """Briefing of a player of some powers at a moment."""
    return replace(
        like,
        settings=replace(like.settings, terms={**like.settings.terms, "game": table.rules.terms.game}),
        reader=reader,
        powers=powers,
        phase="running",
        stage=stage_of(table),
        basis="0123456789abcdef01234567",
        orders=replace(like.orders, asked=decisions_of(table, powers)),
        table=table,
        view=game_of(table).view(table, powers),
        news=replace(like.news, events=(), before=map_state_of(table.state.field), notes=(), proofs=()),
    )


def moments(games: Any, player: Callable[..., Any], terms: Any, seed: str) -> Iterator[tuple[Table, Random]]:
    """The table at moments of a game: some of the ordinary ones, most of the rare ones."""
    table, _ = games.start(terms, seed)
    chance = games.chance_of(terms, seed)
    seen: dict[str, int] = {}
    for count, (power, answer) in enumerate(games.answers(table, chance, player)):
        kinds = [kind_of(decision) for decision in game_of(table).decisions(table)]
        rare = any(seen.get(kind, 0) < TIMES for kind in kinds)
        for kind in kinds:
            seen[kind] = seen.get(kind, 0) + 1
        if rare or count % OFTEN == 0:
            yield table, chance
        game_of(table).apply(table, power, answer)


def fated(terms: Terms) -> Iterator[Any]:
    """A game of FRIEDRICH in each turn, with what each version of each Card of Fate asks there at once."""
    table, _ = random_play.start(terms, "fated")
    turn = 2
    for power, answer in random_play.answers(table, random_play.chance_of(terms, "fated"), strive):
        if table.state.turn > turn:
            turn = table.state.turn
            yield from read_by_the_clock(table)
        game_of(table).apply(table, power, answer)


def read_by_the_clock(table: Any) -> Iterator[Any]:
    """The table at the end of a turn, whenever a card asks somebody something; in the suite another suit each turn."""
    for card in table.rules.fate.cards:
        for suit in SUITS if IS_LONG else (SUITS[(card.number + table.state.turn) % len(SUITS)],):
            other = random_play.twin(table)
            state = other.state
            state.stage, state.phase, state.begun, state.owing, state.moved = "fate", "clock", True, [], []
            state.battles, state.duel, state.retreat, state.drawn, state.tasks = [], None, None, [], []
            fate_table.read(other, card.number, suit)
            if state.tasks:
                yield other


def kind_of(decision: Any) -> str:
    """Kind of a decision, and its reason."""
    return f"{type(decision).__name__} {getattr(decision, 'reason', '')}"


def askers(table: Table) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every player who is asked something, with the powers played."""
    owing = {decision.power for decision in game_of(table).decisions(table)}
    for seat, powers in zip(("", *table.rules.seats), players(table), strict=True):
        if owing & set(powers):
            yield seat, powers
