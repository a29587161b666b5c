"""Events that reveal something: before the first of them, nothing depends on what the acting player cannot know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import takewhile
from random import Random
from typing import Any

import pytest

from pbem.engine.events import Event, GeneralRemoved, all_seen_by
from pbem.engine.table import player_of
from pbem.games.friedrich.rules import events
from pbem.games.friedrich.rules.events import Starved
from pbem.games.maria.rules import events as of_maria
from pbem.kit import game_of
from tests import play
from tests.friedrich import random_play
from tests.friedrich.striving import strive
from tests.raider import raid
from tests.twins import with_other_secrets

GAMES: list[Any] = [
    *(pytest.param(play, raid, terms, id=f"maria-{play.name_of(terms)}") for terms in play.EVERY[::3]),
    *(
        pytest.param(random_play, strive, terms, id=f"friedrich-{random_play.name_of(terms)}")
        for terms in random_play.EVERY
    ),
]
"""Manners of playing some variants of MARIA and all of FRIEDRICH."""


def foreseen(events: Iterable[Event], powers: Collection[str]) -> list[Event]:
    """Things that the players of these powers see before anything new is shown; who leaves the map shows his troops."""
    leaving = (GeneralRemoved, Starved)
    return all_seen_by(takewhile(lambda event: not (event.reveals or isinstance(event, leaving)), events), powers)


@pytest.mark.parametrize(("games", "player", "terms"), GAMES)
def test_what_comes_before_anything_new_can_be_foreseen(games: Any, player: Callable[..., Any], terms: Any) -> None:
    table, _ = games.start(terms, "foreseen")
    chance = games.chance_of(terms, "foreseen")
    secrets = Random(1)
    shown = 0
    for count, (power, answer) in enumerate(games.answers(table, chance, player)):
        other = None
        if count % 2 == 0:
            who = player_of(table, power)
            powers = tuple(each for each in table.rules.powers if player_of(table, each) == who)
            other = with_other_secrets(table, powers, secrets)
        events = game_of(table).apply(table, power, answer)
        if other is not None:
            there = game_of(other).apply(other, power, answer)
            assert foreseen(events, powers) == foreseen(there, powers)
            shown += any(event.reveals for event in events)
    assert shown > 1


@pytest.mark.parametrize("module", [of_maria, events])
def test_each_game_has_events_that_show_something_new(module: Any) -> None:
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Event)]
    assert {kind.reveals for kind in kinds} == {True, False}
