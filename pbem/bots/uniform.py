"""Bot that plays at random: every option it considers is equally likely.

Decisions that all games ask are answered here; decisions of one game, or asked in its own way, in that game's folder.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from pbem.bots.game_bots import OneAnswer, game_bots
from pbem.engine import decisions as d
from pbem.engine.cards import is_reserve, points
from pbem.engine.nouns import Card
from pbem.engine.table import Table

T = TypeVar("T")


def choose(table: Table, decision: d.Decision, chance: Random) -> d.Answer:
    """An answer at random."""
    own = game_bots(table.rules.terms.game).uniform
    return (own.get(type(decision)) or CHOICES[type(decision)])(table, decision, chance)


def pick(chance: Random, options: Sequence[T]) -> T:
    """Return one of the options, each equally likely. It takes one number of `chance`, whatever the options are."""
    return options[int(chance.random() * len(options))]


def allot(table: Table, decision: d.Allot, chance: Random) -> d.Answer:
    """Give every general the minimum, and every further troop to some general with room."""
    troops = dict(decision.least)
    for _ in range(decision.troops - sum(troops.values())):
        general = pick(chance, [g for g, count in troops.items() if count < decision.most])
        troops[general] += 1
    return d.Allotment(troops)


def pay(table: Table, hand: Sequence[Card], price: int, chance: Random) -> tuple[Card, ...]:
    """Cards picked at random until the price is paid."""
    cards: list[Card] = []
    rest = list(hand)
    chance.shuffle(rest)
    while price > 0:
        cards.append(rest.pop())
        price -= points(table.rules.common.decks, cards[-1:])
    return tuple(cards)


def choose_battle(table: Table, decision: d.ChooseBattle, chance: Random) -> d.Answer:
    return d.Fight(pick(chance, decision.battles))


def pick_card(decision: d.PlayCard, chance: Random) -> Card | None:
    """Any card that fits, or None where a stop is allowed."""
    return pick(chance, [*decision.cards, *([] if decision.must else [None])])


def play_card(table: Table, decision: d.PlayCard, chance: Random) -> d.Answer:
    """Play any card that fits, or stop where that is allowed."""
    card = pick_card(decision, chance)
    if card is None:
        return d.Stop()
    most = table.rules.common.decks.reserve_most
    return d.Play(card, chance.randint(1, most) if is_reserve(card) else 0)


CHOICES: dict[type[d.Decision], OneAnswer[Table]] = {
    d.Allot: allot,
    d.ChooseBattle: choose_battle,
    d.PlayCard: play_card,
}
"""Random answer to each kind of decision that all games ask alike."""
