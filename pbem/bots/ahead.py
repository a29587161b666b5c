"""Battles fought out in imagined worlds before a card is played, so many of them whatever the machine."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.bots.game_bots import Policy, game_bots
from pbem.bots.imagining import imagined
from pbem.engine.cards import is_reserve, points, value_of
from pbem.engine.decisions import Answer, Play, PlayCard, Stop
from pbem.engine.errors import IllegalOrder
from pbem.engine.field import enemies, troops_of
from pbem.engine.table import Table, played_by, player_of
from pbem.kit import game_of

WORLDS = 4
"""In so many worlds every candidate is tried if nothing else is said."""

MOST_WORLDS = 64
"""In no more of them, so that nobody waits for long."""

CLEAR = 0.3
"""By so many points a candidate must be better than the first."""

TROOP = 0.7
"""What a troop is worth in points of the game: about as much as games between bots say."""

FOE = 0.6
"""The part of that which a troop or a card of an enemy is worth to have gone."""

NEAR, OTHERS_NEAR = 50.0, 20.0
"""What it is worth to be at one's goal, and that another is not."""


def seeds_of(chance: Random, worlds: int) -> list[str]:
    """What so many imagined worlds are made from."""
    return [f"world {chance.random()}" for _ in range(worlds)]


def best_card(table: Table, decision: PlayCard, first: Answer, policy: Policy, seeds: Sequence[str]) -> Answer:
    """Of the likeliest cards the one that leads to most when the combat is fought out by a policy in these worlds."""
    tried = [first, *(answer for answer in likely(decision) if answer != first)]
    if len(tried) == 1:
        return first
    before = worth(table, decision, first, policy, seeds)
    assert before is not None
    best, most = first, before + CLEAR * len(seeds)
    for answer in tried[1:]:
        total = worth(table, decision, answer, policy, seeds)
        if total is not None and total > most:
            best, most = answer, total
    return best


def likely(decision: PlayCard) -> list[Answer]:
    """To stop, the lowest card, the highest, and the lowest that turns the score."""
    plain = sorted((card for card in decision.cards if not is_reserve(card)), key=value_of)
    turning = [card for card in plain if value_of(card) + decision.score > 0]
    cards = dict.fromkeys([*plain[:1], *turning[:1], *plain[-1:]])
    return [*([] if decision.must else [Stop()]), *map(Play, cards)]


def worth(table: Table, decision: PlayCard, answer: Answer, policy: Policy, seeds: Sequence[str]) -> float | None:
    """What an answer leads to in some worlds, together; nothing if the rules do not leave it open."""
    player = player_of(table, decision.power)
    total = 0.0
    for seed in seeds:
        world = imagined(table, played_by(table, player), seed)
        try:
            fight_out(world, decision, answer, policy, Random(seed))  # noqa: S311
        except IllegalOrder:
            return None
        total += standing(world, player)
    return round(total, 6)


def fight_out(world: Table, decision: PlayCard, answer: Answer, policy: Policy, chance: Random) -> None:
    """Everybody answers by a policy until the combat phase is over."""
    game, stage = game_of(world), world.state.stage
    game.apply(world, decision.power, answer)
    while world.state.phase == "combat" and world.state.stage == stage:
        asked = game.decisions(world)[0]
        game.apply(world, asked.power, policy(world, asked, chance))


def standing(world: Table, player: str) -> float:
    """How a player stands, in points: near to victory, with troops and cards, the enemy with few."""
    bots, rules, state = game_bots(world.rules.terms.game), world.rules, world.state
    near = bots.nearness(world)
    total = NEAR * near.get(player, 0.0) - OTHERS_NEAR * sum(part for other, part in near.items() if other != player)
    own = played_by(world, player)
    for power in rules.powers:
        hand = points(rules.common.decks, state.cards.hands[power])
        might = TROOP * troops_of(rules.common, state.field, power) + bots.card_point * hand
        if power in own:
            total += might
        elif any(enemies(state.field, power, mine) for mine in own):
            total -= FOE * might
    return total
