"""Whole games at random to their end, in every variant: sound after every answer, the same again, from saved text."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.bots.plain import choose
from pbem.engine import events as happenings
from pbem.engine.events import Event, GameEnded, seen_by
from pbem.engine.field import alter, troops_of
from pbem.engine.table import canonical, digest
from pbem.games.friedrich.rules import events as own_happenings
from pbem.games.friedrich.rules import game
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.game import view
from pbem.games.friedrich.rules.invariants import problems
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.random_play import EVERY, Player, answers, chance_of, name_of, play, start, twin
from tests.friedrich.striving import strive

GAMES = int(os.environ.get("PBEM_GAMES", "1"))
PLAYERS = {"random": choose, "striving": strive}

RARE = {"WonTogether", "BattleTied"}
"""Events that may be missing from so few games."""


@cache
def striven(terms: Terms, seed: int) -> tuple[Table, list[Event]]:
    """A whole game of striving players, at which several tests look."""
    return play(terms, seed, strive)


@pytest.mark.parametrize("player", PLAYERS.values(), ids=PLAYERS)
@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_every_position_of_every_game_is_sound(terms: Terms, player: Player) -> None:
    for seed in range(GAMES):
        table, events = start(terms, seed)
        for power, answer in answers(table, chance_of(terms, seed), player):
            events += game.apply(table, power, answer)
            assert problems(table) == []
            assert game.decisions(table) or table.state.phase == "over"
        assert isinstance(events[-1], GameEnded)
        assert table.state.result is not None


def test_between_them_the_games_show_every_event_of_the_turn() -> None:
    maria_only = {
        "Event", "HussarPlaced", "HussarRemoved", "SubsidyDecided", "IncomeLost", "TollPaid", "HandShown",
    }  # fmt: skip
    kinds = {
        name
        for module in (happenings, own_happenings)
        for name, kind in vars(module).items()
        if isinstance(kind, type) and issubclass(kind, happenings.Event)
    }
    missing = kinds - maria_only
    for seed, terms in product(range(6), EVERY):
        if missing <= RARE:
            break
        missing -= {type(event).__name__ for event in striven(terms, seed)[1]}
    assert missing <= RARE


@pytest.mark.parametrize("terms", EVERY, ids=name_of)
def test_the_same_choices_give_the_same_game(terms: Terms) -> None:
    (one, events), (other, again) = striven(terms, 1), play(terms, 1, strive)
    assert events == again
    assert digest(one.state) == digest(other.state)
    assert digest(striven(terms, 0)[0].state) != digest(one.state)


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 10**6), st.integers(1, 400))
def test_a_saved_position_goes_on_as_the_original(terms: Terms, seed: int, steps: int) -> None:
    table, _ = start(terms, seed)
    other = table
    for step, (power, answer) in enumerate(answers(table, chance_of(terms, seed), strive)):
        if step == steps:
            other = twin(table)
        if step >= steps:
            assert game.apply(table, power, answer) == game.apply(other, power, answer)
            assert canonical(table.state) == canonical(other.state)
        else:
            game.apply(table, power, answer)
        if step > steps + 30:
            break


@settings(max_examples=10, deadline=None)
@given(st.sampled_from(EVERY), st.integers(0, 10**6), st.integers(1, 400))
def test_views_do_not_depend_on_the_secrets_of_others(terms: Terms, seed: int, steps: int) -> None:
    """Another order of hidden cards and another allotment of the others' troops look the same to a power."""
    table, _ = start(terms, seed)
    for _, (power, answer) in zip(range(steps), answers(table, chance_of(terms, seed), strive), strict=False):
        game.apply(table, power, answer)
    for own in table.rules.powers:
        other = twin(table)
        state = other.state
        state.cards.draw.reverse()
        state.fate.deck.reverse()
        shown = {decision.power for decision in game.decisions(table)}
        for power in other.rules.powers:
            if power != own and power not in shown:
                generals = [g for g in other.rules.common.generals(power) if state.field.pieces[g].city >= 0]
                for one, two in zip(generals[::2], generals[1::2], strict=False):
                    ours, theirs = (state.field.pieces[general].troops for general in (one, two))
                    alter(state.field, one, troops=theirs)
                    alter(state.field, two, troops=ours)
        assert view(other, [own]) == view(table, [own])


def test_secret_fields_are_emptied_for_others() -> None:
    _, events = play(EVERY[0], 4)
    kinds = Counter(type(event).__name__ for event in events for field in event.secrets
                    if getattr(seen_by(event, ["sweden"]), field, None) is None)  # fmt: skip
    assert {"CardsDrawn", "CardsReturned", "Recruited", "TroopsAllotted"} <= set(kinds)


def test_no_power_ever_has_more_troops_than_it_began_with() -> None:
    for terms in EVERY:
        table, _ = start(terms, 8)
        for power, answer in answers(table, chance_of(terms, 8), choose):
            game.apply(table, power, answer)
            for each in table.rules.powers:
                assert troops_of(table.rules.common, table.state.field, each) <= table.rules.troops(each)
