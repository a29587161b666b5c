"""Whole games at random to their end, in every variant; and the same games again in other processes."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from pbem.bots import plain
from pbem.engine import events as happenings
from pbem.engine.events import CardsDrawn, Event, GameEnded
from pbem.engine.table import digest
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.events import HandShown, SubsidyDecided, TollPaid
from pbem.games.maria.rules.state import Table
from tests.long import fingerprint
from tests.play import EVERY, VARIANTS, Player, name_of, play
from tests.raider import raid

ROOT = Path(__file__).resolve().parents[1]
SEEDS = range(int(os.environ.get("PBEM_GAMES", "1")))
KINDS = {kind for kind in vars(happenings).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
KINDS |= {SubsidyDecided, TollPaid, HandShown}


@cache
def raided(terms: Terms, seed: int) -> tuple[Table, list[Event]]:
    """A whole game of raiders, at which several tests look."""
    return play(terms, seed, raid)


@pytest.mark.parametrize("player", [plain.choose, raid], ids=["uniform", "raider"])
@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_every_game_comes_to_an_end(terms: Terms, player: Player) -> None:
    for seed in SEEDS:
        table, events = raided(terms, seed) if player is raid else play(terms, seed, player)
        assert isinstance(events[-1], GameEnded)
        assert table.state.result is not None
        assert table.state.turn == table.rules.scenario.turns or table.state.result.winner is not None


def test_between_them_the_games_show_every_event() -> None:
    """All but the rarest, a hand shown because it cannot pay a toll: the tests of tolls show that one."""
    missing = set(KINDS)
    for seed, terms in product(range(12), VARIANTS):
        missing -= {type(event) for event in raided(terms, seed)[1]}
        if missing == {HandShown}:
            break
    assert missing == {HandShown}


@pytest.mark.parametrize("terms", VARIANTS, ids=name_of)
def test_incomes_are_those_of_the_introductory_game(terms: Terms) -> None:
    """France 2 cards with the subsidy and 3 without, Bavaria 2 and 1, Prussia 3, Saxony 1, Austria 5 (§8, §14)."""
    _, events = raided(terms, 1)
    drawn: dict[str, list[int]] = {}
    for event in events:
        if isinstance(event, CardsDrawn):
            drawn.setdefault(event.power, []).append(event.count)
    assert {power: counts[0] for power, counts in drawn.items()} == {
        "prussia": 9, "saxony": 3, "france": 2, "bavaria": 5, "austria": 5,
    }  # fmt: skip
    assert drawn["france"][1:4] == [2, 2, 2]
    assert set(drawn["france"][4:]) <= {2, 3}
    assert [drawn["bavaria"][1:4], drawn["prussia"][1:4]] == [[2, 2, 2], [3, 3, 3]]
    assert set(drawn["bavaria"][4:]) <= {1, 2}
    assert set(drawn["saxony"][1:]) == {1}
    assert set(drawn["austria"][1:]) == {5}


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_the_same_choices_give_the_same_game(terms: Terms) -> None:
    (one, events), (other, again) = raided(terms, 1), play(terms, 1, raid)
    assert events == again
    assert digest(one.state) == digest(other.state)
    assert digest(raided(terms, 0)[0].state) != digest(one.state)


def test_another_process_plays_the_same_games() -> None:
    here = [fingerprint(*raided(terms, 1)) for terms in EVERY]
    command = [sys.executable, "-m", "tests.long", "--fingerprints", "1"]
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == here
