"""What a player who is not reached meanwhile orders for later stages of the turn, as bots foresee it."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec import Struct, field

from pbem.bots.game_bots import Policy
from pbem.bots.holding import hold
from pbem.campaign.players.letters import with_ahead
from pbem.engine.decisions import March
from pbem.engine.field import are_enemies
from pbem.engine.nouns import City, Power, each_piece
from pbem.engine.stages import stage_of
from pbem.engine.table import Table, player_of
from pbem.kit import game_of
from pbem.paper.orders.answer_writing import merged_orders, orders_tree
from pbem.plans.source import PlanSource
from pbem.seal.canonical import Tree

REACH = 6
"""Who is farther away than this is not met, however he marches."""


class Foreseen(Struct):
    """What a player orders for later stages, as far as it can be foreseen."""

    stages: dict[str, dict[str, Tree]] = field(default_factory=dict)
    """By stage, the orders of the powers."""
    is_all: bool = True
    """Whether nothing that the player will be asked in this turn has to wait."""

    def letter(self, orders: dict[str, Tree]) -> dict[str, Tree]:
        """Orders with all of it in blocks behind them."""
        for stage, later in self.stages.items():
            orders = with_ahead(orders, stage, later)
        return orders


class LookingAhead(Struct, frozen=True):
    """Who looks ahead, and by what."""

    name: str
    policy: Policy
    chance: Random
    plans: PlanSource | None
    stage: str
    """For which the letter is; a march in it is not ordered ahead."""


def foresee(table: Table, player: LookingAhead) -> Foreseen:
    """Play the turn on, the others staying where they are: every later march of whom none of them can reach till then.

    The table is played on, so it must be a copy that deals other cards.
    """
    game, found, parts = game_of(table), Foreseen(), dict[str, list[dict[str, Tree]]]()
    turn, movers = table.state.turn, set[Power]()
    while table.state.phase != "over" and table.state.turn == turn:
        decision = game.decisions(table)[0]
        is_march, stage = isinstance(decision, March), stage_of(table)
        is_later = is_march and stage != player.stage
        if player_of(table, decision.power) != player.name:
            movers |= {decision.power} if is_march else set()
            game.apply(table, decision.power, hold(table, decision, player.chance))
            continue
        if is_later and is_reached(table, decision.power, movers):
            found.is_all = False
            break
        given = player.plans.answer(decision) if player.plans else None
        answer = given.answer if given else player.policy(table, decision, player.chance)
        if is_later:
            parts.setdefault(stage, []).append(orders_tree(table, decision.power, decision, answer))
        game.apply(table, decision.power, answer)
    found.stages = {stage: merged_orders(table, each) for stage, each in parts.items()}
    return found


def is_reached(table: Table, power: Power, movers: set[Power]) -> bool:
    """Whether an enemy who may have marched meanwhile is near a piece of a power."""
    common, state = table.rules.common, table.state
    foes = {mover for mover in movers if are_enemies(state.field, mover, power)}
    places: Mapping[bool, list[City]] = {True: [], False: []}
    for number, piece in each_piece(state.field.pieces):
        owner = common.pieces[number].power
        if piece.city >= 0 and (owner == power or (owner in foes and common.is_general(number))):
            places[owner == power].append(piece.city)
    return any(common.board.distance(foe)[own] <= REACH for foe in places[False] for own in places[True])
