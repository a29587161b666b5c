"""Why the strong bot answers so: whatever it says can be told in every language, and tells no secret."""

from __future__ import annotations

from collections import Counter
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


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (start(Terms("advanced"), "why")[0], OF_MARCHES | OF_CARDS | OF_POLITICS),
        (random_play.start(FriedrichTerms("four"), "why")[0], OF_MARCHES | OF_CARDS),
    ],
    ids=["maria", "friedrich"],
)
def test_every_kind_of_answer_has_its_reasons(table: Any, expected: set[str]) -> None:
    policy, why = bot_named("strong", table.rules.terms.game), game_bots(table.rules.terms.game).why
    chance, told = Random("why"), Counter[str]()
    while table.state.phase != "over" and table.state.turn < 9:
        decision = game_of(table).decisions(table)[0]
        answer = policy(table, decision, chance)
        reasons = why(table, decision, answer)
        assert reasons or not isinstance(decision, March | PlayCard) or not isinstance(answer, Done | Move), answer
        told.update(reason.key for reason in reasons)
        assert all(reason.told(language) for reason in reasons for language in languages())
        game_of(table).apply(table, decision.power, answer)
    assert expected <= told.keys()


def test_reasons_tell_no_secret() -> None:
    """They are the same when all that the player may not know is different."""
    table, _ = start(Terms("advanced"), "secrets of reasons")
    policy, why, chance, looks = bot_named("strong", "maria"), game_bots("maria").why, Random(1), 0
    while table.state.phase != "over" and looks < 20:
        decision = game_of(table).decisions(table)[0]
        answer = policy(table, decision, chance)
        if chance.random() < 0.15:
            player = table.state.field.alliances.player
            own = tuple(power for power in table.rules.powers if player[power] == player[decision.power])
            assert why(with_other_secrets(table, own, chance), decision, answer) == why(table, decision, answer)
            looks += 1
        game_of(table).apply(table, decision.power, answer)
    assert looks == 20
