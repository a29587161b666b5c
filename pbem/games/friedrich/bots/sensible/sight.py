"""Knowledge of one player about a game of FRIEDRICH: the map and the cards as in any game, and the objectives.

The Clock of Fate and its effects are public (§11).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from pbem.bots.sensible.sight import Marches, Sight
from pbem.bots.sensible.sight import see as see_map
from pbem.engine.nouns import City, Power
from pbem.games.friedrich.bots.sensible.weights import FriedrichWeights
from pbem.games.friedrich.rules import movement, offensive
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.effects_in_combat import may_play
from pbem.games.friedrich.rules.table import Table
from pbem.games.friedrich.rules.victory import contenders, needed_objectives

USUAL = FriedrichWeights()
"""Weights of the sensible bot."""


class FriedrichSight(Struct, frozen=True):
    """Position as one player knows it."""

    rules: FriedrichRules
    sight: Sight
    weights: FriedrichWeights
    turn: int
    wanted: dict[Power, tuple[City, ...]]
    """Objectives that each power needs that can win by them; Prussia's own while it may conquer them."""
    declares: Callable[[int, int], bool]
    """Test whether one's own card may be played now, declared at a value."""


def see(table: Table, power: Power, weights: FriedrichWeights = USUAL) -> FriedrichSight:
    """Position as the player of this power knows it."""
    marches = Marches(partial(movement.column_of, table), partial(movement.check_move, table))
    wanted = {other: needed_objectives(table, other) for other in contenders(table)}
    if offensive.may_conquer(table):
        option = table.rules.fate.offensive.power
        wanted[option] = table.rules.objectives[option]
    return FriedrichSight(
        table.rules,
        see_map(table, power, marches, last_turn=False, weights=weights),
        weights,
        table.state.turn,
        wanted,
        partial(may_play, table),
    )
