"""Sight of the sensible bot: what the player of a power knows of a game of MARIA, and by how much each thing counts."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from pbem.bots.sensible.sight import Marches, Sight, own_powers
from pbem.bots.sensible.sight import see as see_map
from pbem.bots.weights import Weights
from pbem.engine.nouns import Power
from pbem.games.maria.rules import movement
from pbem.games.maria.rules.affairs import AffairsView, affairs_shown
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.gambit import last_turn
from pbem.games.maria.rules.state import Table


class MariaWeights(Weights, frozen=True):
    """Weights in MARIA; the first ones differ from those of other games."""

    protected_target: float = 0.8
    guard: float = 7.4
    exposed: float = 3.2
    major: float = 0.4
    """A major fortress that is in nobody's goal."""
    minor: float = 0.15
    """A minor fortress that is in nobody's goal."""
    sated: float = 0.2
    """Factor of further conquests once the goal is reached."""
    marker_on_map: float = 0.9
    """Any fortress, where every marker counts."""
    held: float = 0.2
    """A fortress to be kept, where every marker counts."""
    spent_in_winter: float = 0.5
    """Part of the hand's points that may go into new troops; the rest is kept for combat."""
    partner: float = 0.6
    """Gain of another power of the same player."""
    rival: float = -0.1
    """Gain of another player's ally, who wants to win, too."""
    enemy: float = -0.6
    """Gain of an enemy."""
    lasting: float = 0.4
    """A card of income a turn, for every turn left: it may not last."""
    troop: float = 0.7
    """A new troop."""
    general: float = 3.0
    """A general who is away from the map."""
    marker: float = 4.0
    """A victory marker in a box."""
    defector: float = 3.0
    """The help of the power that changes sides."""
    worth_a_card: float = 1.0
    """Least stake for which a card is placed, in cards of income."""
    price: float = 0.1
    """Cost of a point of influence, in cards of income."""
    denied: float = 0.5
    """Gain that is kept from an enemy, as a factor."""
    covered: int = 6
    """Influence counted for a face-down card."""
    safe_pool: float = 4.5
    """Least markers that the enemy must still have to place for peace to be accepted."""


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
