"""Whole letters of a bot: all that its player is asked, answered as far as can be seen from here."""

from __future__ import annotations

from random import Random

from pbem.bots.game_bots import Policy, game_bots
from pbem.engine.decisions import Decision
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.kit import copy_of, game_of
from pbem.paper.orders.answer_writing import merged_orders, orders_tree
from pbem.plans.source import PlanSource
from pbem.seal.canonical import Tree


def unshuffled(table: Table) -> Table:
    """A copy of a table to look ahead at; what it deals has nothing to do with what will be dealt."""
    copied: Table = copy_of(table, SeededDealer("nothing is dealt here"))
    return copied


def decided(
    table: Table, player: str, policy: Policy, chance: Random, plans: PlanSource | None = None
) -> dict[str, Tree]:
    """Orders for all that a player is asked and has no plan for, until something shows that nobody can foresee.

    The table is played on, so it must be a copy.
    """
    game, first = game_of(table), asked_of(table, player)
    before = copy_of(table) if len(first) > 1 else table
    parts: list[dict[str, Tree]] = []
    for power, unasked in game_bots(table.rules.terms.game).unasked(table, powers_of_player(table, player)):
        parts.append(orders_tree(table, power, None, unasked))
        game.apply(table, power, unasked)
    while mine := asked_of(table, player):
        decision = mine[0]
        given = plans.answer(decision) if plans else None
        answer = given.answer if given else policy(table, decision, chance)
        if given is None:
            part = orders_tree(table, decision.power, decision, answer)
            if not fits(table, [*parts, part]):
                break
            parts.append(part)
        events = game.apply(table, decision.power, answer)
        if any(event.reveals for event in events):
            break
    if not game.decisions(table):
        # What would have been asked is answered too: nobody who writes a letter ends it because the game will be over.
        answered = {power for part in parts for power in part}
        for decision in first:
            if decision.power not in answered and (plans is None or plans.answer(decision) is None):
                parts.append(orders_tree(before, decision.power, decision, policy(before, decision, chance)))
    return merged_orders(table, parts)


def asked_of(table: Table, player: str) -> list[Decision]:
    """What a player is asked now."""
    return [decision for decision in game_of(table).decisions(table) if player_of(table, decision.power) == player]


def fits(table: Table, parts: list[dict[str, Tree]]) -> bool:
    """Whether one letter can say all this; a section that answers once cannot be asked twice."""
    try:
        merged_orders(table, parts)
    except ValueError:
        return False
    return True
