"""The document of a position that a player may know has no secret, and the player's own decisions are the same on
it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.bots.plain import choose
from pbem.engine.table import Table
from pbem.games.friedrich.rules.state import VersionTask
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.positions.files import known_document, load_known, load_position, position_document
from tests import play
from tests.friedrich import random_play
from tests.friedrich.striving import strive
from tests.play import name_of as name_in_maria
from tests.raider import raid
from tests.twins import players, with_other_secrets

GAMES: list[Any] = [
    *(pytest.param(play, raid, terms, id=f"maria-{name_in_maria(terms)}") for terms in play.EVERY),
    *(
        pytest.param(random_play, strive, terms, id=f"friedrich-{random_play.name_of(terms)}")
        for terms in random_play.EVERY
    ),
]
"""Manners of playing every variant of either game."""


OF_EACH = 1000 if os.environ.get("PBEM_TESTS") == "long" else 4
"""So many moments of a game are looked at in which something of a kind has to be done before play goes on."""


def check(table: Table, chance: Random) -> int:
    """Check every player's document: no secret, the same questions. Return the number of positions with a secret."""
    game = game_of(table)
    different = 0
    for powers in players(table):
        known = known_document(table, powers)
        other = with_other_secrets(table, powers, chance)
        assert known_document(other, powers) == known
        different += position_document(other) != position_document(table)
        loaded = load_known(write(known).encode(), "known")
        asked = [decision for decision in game.decisions(table) if decision.power in powers]
        assert [decision for decision in game.decisions(loaded) if decision.power in powers] == asked
        mine = [decision for decision in game.anytime(table) if decision.power in powers]
        assert [decision for decision in game.anytime(loaded) if decision.power in powers] == mine
        seen, there = game.view(table, powers), game.view(loaded, powers)
        assert replace(seen, decisions=()) == replace(there, decisions=())
    return different


@pytest.mark.parametrize(("games", "player", "terms"), GAMES)
def test_players_know_their_own_and_no_secret(games: Any, player: Callable[..., Any], terms: Any) -> None:
    table, _ = games.start(terms, "known")
    chance = games.chance_of(terms, "known")
    different = check(table, chance)
    tasks: Counter[str] = Counter()
    for count, (power, answer) in enumerate(games.answers(table, chance, player)):
        kinds = {type(task).__name__ for task in table.state.tasks}
        tasks.update(kinds)
        if count % 101 == 0 or any(tasks[kind] <= OF_EACH for kind in kinds):
            different += check(table, chance)
        game_of(table).apply(table, power, answer)
    check(table, chance)
    assert different > 5


def friedrich(text: str) -> Any:
    """A position of FRIEDRICH as somebody writes it."""
    return load_position(f"game: friedrich\n{text}".encode(), "position")


def test_a_card_laid_out_for_an_exchange_is_known_to_its_giver_only() -> None:
    table = friedrich(
        "turn: 9\nstage: fate\nphase: clock\nbegun: yes\nhands: {austria: [♠7], russia: [♥3]}\n"
        "tasks: [{task: version, power: russia, card: 1, suit: hearts, step: 1, laid: ♠7}]\n"
    )
    (task,) = table.state.tasks
    assert isinstance(task, VersionTask)
    assert "laid" in str(known_document(table, ("austria", "imperial")))
    for powers in (("russia", "sweden"), ()):
        assert "laid" not in str(known_document(table, powers))


def test_the_offensive_card_lies_open_and_the_order_of_fate_does_not() -> None:
    table = friedrich("expert: yes\nturn: 8\nfate: {out: [poems], deck: [bute], offensive: {declared: yes, card: ♠12}}")
    known = known_document(table, ())
    assert known["fate"] == {"out": ["poems"], "offensive": {"declared": "yes", "card": "♠12/1"}}
    assert not {"draw", "set aside", "seed"} & set(known)


def test_the_document_says_for_whom_it_is() -> None:
    table = friedrich("turn: 2")
    known = known_document(table, ("france",))
    assert (known["kind"], known["powers"]) == ("knowledge", ["france"])
    with pytest.raises(Refused, match="kind"):
        load_position(write(known).encode(), "known")
    with pytest.raises(Refused, match="kind"):
        load_known(b"kind: position\n", "position")


def test_its_reader_can_try_moves_on_it() -> None:
    table = friedrich("turn: 2\nstage: france\nphase: movement\nbegun: yes\nowing: [france]\n")
    loaded = load_known(write(known_document(table, ("france",))).encode(), "known")
    (asked,) = game_of(loaded).decisions(loaded)
    assert game_of(loaded).apply(loaded, "france", choose(loaded, asked, Random(1)))
