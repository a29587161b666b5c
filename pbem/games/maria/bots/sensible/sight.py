"""Sight of the sensible bot in MARIA: the position as the player of one power knows it, and the bot's weights."""

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
    """Weights of a bot in MARIA. The first three fields stand in `Weights`, too; here they have other defaults."""

    protected_target: float = 0.8
    guard: float = 7.4
    exposed: float = 3.2
    major: float = 0.4
    """Factor of the worth of a major fortress that does not count for the power's goal."""
    minor: float = 0.15
    """Factor of the worth of a minor fortress that does not count for the power's goal."""
    sated: float = 0.2
    """Factor of the worth of conquests once the power has reached its goal."""
    marker_on_map: float = 0.9
    """Factor of the worth of any fortress, in games where every marker counts."""
    held: float = 0.2
    """Weight of a fortress that the power holds, in games where every marker counts."""
    spent_in_winter: float = 0.5
    """Part of the hand's points that may be spent on new troops; the rest stays for combat."""
    partner: float = 0.6
    """Factor of the gain of another power of the same player."""
    rival: float = -0.1
    """Factor of the gain of a power that is neither partner nor enemy, but competes for victory."""
    enemy: float = -0.6
    """Factor of an enemy's gain."""
    lasting: float = 0.4
    """Worth, in cards, of a lasting income of one card a turn, for every turn that is left. It is less than 1, because
    the income may end."""
    troop: float = 0.7
    """Worth of a new troop, in cards."""
    general: float = 3.0
    """Cost, in cards, of a general who is away from the map for at least half of the game."""
    marker: float = 4.0
    """Worth, in cards, of a victory marker while half of the power's markers are still in its pool."""
    defector: float = 3.0
    """Worth, in cards, of the help of a power that changes sides, if it helps for at least half of the game."""
    worth_a_card: float = 1.0
    """Least worth of a political card, in tactical cards, for which the bot places a card for influence."""
    price: float = 0.1
    """Cost of a point of influence, in cards."""
    bluff: float = 0.0
    """Chance that a card without influence is placed instead of no card."""
    denied: float = 0.83
    """Worth of keeping a political card from a rival, as a factor of the loss that the rival would cause with it."""
    covered: int = 6
    """Influence that the bot assumes for a face-down card."""
    safe_pool: float = 4.5
    """Least number of markers that the enemy must still have to place before the bot accepts peace."""


USUAL = MariaWeights()
"""Weights of the sensible bot."""


class MariaSight(Struct, frozen=True):
    """Position of MARIA as the player of one power knows it."""

    rules: MariaRules
    sight: Sight
    weights: MariaWeights
    turn: int
    affairs: AffairsView | None
    """Public state that only an advanced game has; None in other games."""


def see(table: Table, power: Power, weights: MariaWeights = USUAL) -> MariaSight:
    """Return the position as the player of this power knows it."""
    marches = Marches(partial(movement.column_of, table), partial(movement.check_move, table))
    sight = see_map(table, power, marches, table.state.turn == last_turn(table), weights)
    affairs = affairs_shown(table, own_powers(table, power)) if table.state.affairs else None
    return MariaSight(table.rules, sight, weights, table.state.turn, affairs)
