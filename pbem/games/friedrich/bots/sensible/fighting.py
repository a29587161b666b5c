"""Cards in combat: the usual choice, as far as the Card of Fate in force allows it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from pbem.bots.sensible.fighting import play_card as play_usually
from pbem.engine.cards import is_reserve, value_of
from pbem.engine.decisions import Answer, Play, PlayCard, Stop
from pbem.games.friedrich.bots.sensible.sight import FriedrichSight


def play_card(outlook: FriedrichSight, decision: PlayCard, chance: Random) -> Answer:
    """Play the usual card, for twice its value where that may be declared; if it is barred, the next best one."""
    answer = play_usually(outlook.sight, decision, chance)
    if isinstance(answer, Stop):
        if not decision.must:
            return answer
        answer = Play(decision.cards[0], 1 if is_reserve(decision.cards[0]) else 0)
    if not is_reserve(answer.card) and outlook.declares(answer.card, 2 * value_of(answer.card)):
        return Play(answer.card, 2 * value_of(answer.card))
    if outlook.declares(answer.card, answer.value):
        return answer
    wanted = worth_of_play(answer)
    return min(options(outlook, decision), key=lambda play: abs(worth_of_play(play) - wanted), default=Stop())


def options(outlook: FriedrichSight, decision: PlayCard) -> Iterator[Play]:
    """Everything that may be played."""
    most = outlook.sight.common.decks.reserve_most
    for card in decision.cards:
        for value in range(1, most + 1) if is_reserve(card) else (0,):
            if outlook.declares(card, value):
                yield Play(card, value)


def worth_of_play(play: Play) -> int:
    """Worth of a card as it is declared."""
    return play.value if is_reserve(play.card) else value_of(play.card)
