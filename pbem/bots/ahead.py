"""Card play of the strong bot: combats are fought out in imagined worlds before a card is played.

The number of worlds is fixed and does not depend on the speed of the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.bots.game_bots import Policy, game_bots
from pbem.bots.imagining import imagine_world
from pbem.engine.cards import is_reserve, points, value_of
from pbem.engine.decisions import Answer, Play, PlayCard, Stop
from pbem.engine.errors import IllegalOrder
from pbem.engine.field import are_enemies, troops_of
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.kit import game_of

WORLDS = 4
"""Usual number of imagined worlds for each candidate."""

MOST_WORLDS = 64
"""Largest number of worlds, so that nobody waits for long."""

CLEAR = 0.3
"""Points for each world by which a candidate must be better than the first."""

TROOP = 0.7
"""Worth of a troop in points of the game; close to the value fitted from games of bots."""

FOE = 0.6
"""Part of that worth for a troop or a card that an enemy loses."""

NEAR, OTHERS_NEAR = 50.0, 20.0
"""Worth of being at one's goal, and of another player not being at his."""


def seeds_of(chance: Random, worlds: int) -> list[str]:
    return [f"world {chance.random()}" for _ in range(worlds)]


def best_card(table: Table, decision: PlayCard, first: Answer, policy: Policy, seeds: Sequence[str]) -> Answer:
    """Return the best of the likeliest cards, each tried by fighting the combat out in these worlds."""
    tried = [first, *(answer for answer in likely_answers(decision) if answer != first)]
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


def likely_answers(decision: PlayCard) -> list[Answer]:
    """Candidates: stop, the lowest card, the lowest that turns the score, the highest."""
    plain = sorted((card for card in decision.cards if not is_reserve(card)), key=value_of)
    turning = [card for card in plain if value_of(card) + decision.score > 0]
    cards = dict.fromkeys([*plain[:1], *turning[:1], *plain[-1:]])
    return [*([] if decision.must else [Stop()]), *map(Play, cards)]


def worth(table: Table, decision: PlayCard, answer: Answer, policy: Policy, seeds: Sequence[str]) -> float | None:
    """Total worth of the worlds that an answer leads to; None if the rules refuse it."""
    player = player_of(table, decision.power)
    total = 0.0
    for seed in seeds:
        world = imagine_world(table, powers_of_player(table, player), seed)
        try:
            fight_out(world, decision, answer, policy, Random(seed))  # noqa: S311
        except IllegalOrder:
            return None
        total += position_worth(world, player)
    return round(total, 6)


def fight_out(world: Table, decision: PlayCard, answer: Answer, policy: Policy, chance: Random) -> None:
    """Let a policy answer for everybody until the combat phase is over."""
    game, stage = game_of(world), world.state.stage
    game.apply(world, decision.power, answer)
    while world.state.phase == "combat" and world.state.stage == stage:
        asked = game.decisions(world)[0]
        game.apply(world, asked.power, policy(world, asked, chance))


def position_worth(world: Table, player: str) -> float:
    """Worth of a position for a player, in points: nearness to victory, troops and cards, few of them for enemies."""
    bots, rules, state = game_bots(world.rules.terms.game), world.rules, world.state
    near = bots.nearness(world)
    total = NEAR * near.get(player, 0.0) - OTHERS_NEAR * sum(part for other, part in near.items() if other != player)
    own = powers_of_player(world, player)
    for power in rules.powers:
        hand = points(rules.common.decks, state.cards.hands[power])
        might = TROOP * troops_of(rules.common, state.field, power) + bots.card_point * hand
        if power in own:
            total += might
        elif any(are_enemies(state.field, power, mine) for mine in own):
            total -= FOE * might
    return total
