"""What the player of a power knows of a game of FRIEDRICH: the map and the cards as in any game, and its objectives.

What the Clock of Fate has struck, and what it changes for now, lies open before everybody (§11).
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
from pbem.games.friedrich.rules.victory import contenders, needed

USUAL = FriedrichWeights()
"""What the sensible bot weighs by."""


class FriedrichSight(Struct, frozen=True):
    """The position as one player knows it."""

    rules: FriedrichRules
    sight: Sight
    weights: FriedrichWeights
    turn: int
    wanted: dict[Power, tuple[City, ...]]
    """The objectives that each power needs that can win by them; Prussia's own while it may conquer them."""
    declares: Callable[[int, int], bool]
    """Whether a card of one's own may be played now, declared so."""


def see(table: Table, power: Power, weights: FriedrichWeights = USUAL) -> FriedrichSight:
    """The position as the player of this power knows it."""
    marches = Marches(partial(movement.column_of, table), partial(movement.check_move, table))
    wanted = {other: needed(table, other) for other in contenders(table)}
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
