"""Knowledge of one player about a game of MARIA: the map and the cards as in any game, and the public affairs."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from pbem.bots.sensible.sight import Marches, Sight, own_powers
from pbem.bots.sensible.sight import see as see_map
from pbem.engine.nouns import Power
from pbem.games.maria.bots.sensible.weights import MariaWeights
from pbem.games.maria.rules import movement
from pbem.games.maria.rules.affairs import AffairsView, affairs_shown
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.gambit import last_turn
from pbem.games.maria.rules.table import Table

USUAL = MariaWeights()
"""Weights of the sensible bot."""


class MariaSight(Struct, frozen=True):
    """Position as one player knows it."""

    rules: MariaRules
    sight: Sight
    weights: MariaWeights
    turn: int
    affairs: AffairsView | None
    """Affairs, in the advanced game only."""


def see(table: Table, power: Power, weights: MariaWeights = USUAL) -> MariaSight:
    """Position as the player of this power knows it."""
    marches = Marches(partial(movement.column_of, table), partial(movement.check_move, table))
    sight = see_map(table, power, marches, table.state.turn == last_turn(table), weights)
    affairs = affairs_shown(table, own_powers(table, power)) if table.state.affairs else None
    return MariaSight(table.rules, sight, weights, table.state.turn, affairs)
