"""Why the strong bot answers so: whatever it says can be told in every language, and tells no secret."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pbem.bots.game_bots import game_bots
from pbem.bots.table import bot_named
from pbem.engine.decisions import Done, March, Move, PlayCard
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.kit import game_of
from pbem.report.language.templates import languages

from .friedrich import random_play
from .play import start
from .twins import with_other_secrets

OF_MARCHES = {"why-falls", "why-goal", "why-guard", "why-fight", "why-safe", "why-supply", "why-stay", "why-haul"}
OF_CARDS = {"why-fight-on", "why-give-up", "why-spend"}
OF_POLITICS = {"why-influence", "why-no-influence", "why-politics"}


MOST_GAMES = 6
"""In so many games everything must have happened that is looked for, whatever the strong bot weighs by."""


def decided(game: str, scenario: str, seed: str) -> Iterator[tuple[Any, Any, Any, Random]]:
    """Every decision of strong bots in the first nine turns of games, one after the other, with its answer."""
    policy, chance = bot_named("strong", game), Random(seed)
    for number in range(MOST_GAMES):
        table = (
            start(Terms(scenario), f"{seed} {number}")
            if game == "maria"
            else random_play.start(FriedrichTerms(scenario), f"{seed} {number}")
        )[0]
        while table.state.phase != "over" and table.state.turn < 9:
            decision = game_of(table).decisions(table)[0]
            answer = policy(table, decision, chance)
            yield table, decision, answer, chance
            game_of(table).apply(table, decision.power, answer)


@pytest.mark.parametrize(
    ("game", "scenario", "expected"),
    [("maria", "advanced", OF_MARCHES | OF_CARDS | OF_POLITICS), ("friedrich", "four", OF_MARCHES | OF_CARDS)],
    ids=["maria", "friedrich"],
)
def test_every_kind_of_answer_has_its_reasons(game: str, scenario: str, expected: set[str]) -> None:
    why, told = game_bots(game).why, set[str]()
    for table, decision, answer, _ in decided(game, scenario, "why"):
        reasons = why(table, decision, answer)
        assert reasons or not isinstance(decision, March | PlayCard) or not isinstance(answer, Done | Move), answer
        told.update(reason.key for reason in reasons)
        assert all(reason.told(language) for reason in reasons for language in languages())
        if expected <= told:
            return
    raise AssertionError(expected - told)


def test_reasons_tell_no_secret() -> None:
    """They are the same when all that the player may not know is different."""
    why, looks = game_bots("maria").why, 0
    for table, decision, answer, chance in decided("maria", "advanced", "secrets of reasons"):
        if chance.random() < 0.15:
            player = table.state.field.alliances.player
            own = tuple(power for power in table.rules.powers if player[power] == player[decision.power])
            assert why(with_other_secrets(table, own, chance), decision, answer) == why(table, decision, answer)
            looks += 1
        if looks == 20:
            return
    raise AssertionError(looks)
