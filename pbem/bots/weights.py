"""Weights of the sensible and the strong bot: numbers that say how much each consideration counts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import msgspec
from msgspec import Struct

from pbem.engine.board import UNREACHABLE
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.resources import data_of

FAR = 40
"""Distance in cities at which the slowly fading attraction of a place (`direction`) ends."""

FADE = 0.86
"""Factor by which an attraction shrinks with every city of distance."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of the sensible and the strong bot that count in every game."""

    conquest: float = 40.0
    """Worth of the conquest of a fortress or objective that the power wants."""
    train: float = 18.0
    """Worth of taking an enemy train."""
    approach: float = 12.0
    """Worth of standing at a place to be conquered. It fades with every city of distance."""
    direction: float = 14.0
    """Additional worth of nearness to a place to be conquered. It fades so slowly that it also attracts generals from
    afar."""
    protected_target: float = 0.5
    """Factor of the attraction of a place that an enemy protects."""
    shared_target: float = 0.6
    """Factor of the attraction of a place if another of the player's generals is nearer to it."""
    guard: float = 11.0
    """Worth of protecting a place that the enemy can reach at once."""
    chase: float = 4.0
    """Worth of standing at an enemy train. It fades with every city of distance."""
    fight: float = 16.0
    """Worth of a fight. It is multiplied by the chance of victory minus one half."""
    fight_cost: float = 1.0
    """Cost of any fight, however it ends."""
    threat: float = 14.0
    """Cost of an enemy's attack. It is multiplied by one half minus the chance of victory."""
    stakes: float = 0.0
    """Amount that each troop at stake adds to the factor of a fight or a threat. The factor is 1 if the troops at stake
    are half of the most troops of one general, and smaller with fewer troops."""
    company: float = 0.0
    """Worth of each other general of the player who is within one march of the place."""
    apart: float = 0.0
    """Factor for the worth of a march in which one general leaves his stack. With 0 stacks stay together."""
    hunger: float = 8.0
    """Cost of every city by which a general is too far from his trains."""
    ruin: float = 150.0
    """Greatest cost for a general who is face down already and would be out of supply again."""
    behind: float = 0.3
    """Cost of every city between a train and a general of its power."""
    far_behind: float = 2.0
    """Additional cost of every city between a train and a general abroad, beyond half the supply range."""
    exposed: float = 2.0
    """Cost of every city by which an enemy general is too near to a train."""
    seized: float = 0.0
    """Cost of a train's place that an enemy general can reach at once."""
    captured: float = 0.0
    """Cost of a train's place that an enemy general can enter by his next march, if all other pieces stay where they
    are."""
    fed_already: float = 0.4
    """Factor of the cost of a general's distance from a train, while another train supplies this general."""
    trains: int = 1
    """Number of trains that a power wants on the map. A lost train comes back while the power has fewer."""
    inertia: float = 0.7
    """Least gain for which a piece moves."""
    whim: float = 0.6
    """Largest random addition to the worth of a march."""
    opening: float = 0.0
    """Largest additional random number in the worth of a march in the first turn, so that not all games begin in the
    same way."""
    falling: float = 20.0
    """Worth of each fortress that falls because beaten enemies leave it without protection when they retreat."""
    laid_open: float = 3.0
    """Cost of each unprotected fortress that beaten enemies could enter by their next march after their retreat."""
    variety: float = 0.0
    """Largest random addition to the worth of a retreat, of an attack, or of a place for a piece that does not march.
    It has the same unit as this worth: cities, points of strength, or points of toll."""
    uneven: float = 0.0
    """Largest fraction by which chance makes the number of a general's first troops larger or smaller. With 0 all
    generals get the same."""
    still_to_move: float = 2.0
    """Cost of joining a general who has not moved yet, because that general cannot move afterwards."""
    small_loss: float = 2.4
    """Largest loss of troops that the bot accepts in a fight without hope. For a larger loss it plays cards that bring
    the score above zero."""
    hope: float = 0.44
    """Least chance of victory with which the bot fights to win."""
    abundance: float = 0.004
    """Reduction of the least chance, `hope`, for every card in the hand."""
    thrift: float = 0.78
    """Cost of one point of a card that is spent in a fight. The troops that the card saves count with their price in
    winter."""
    spread: float = 2.5
    """Lead with which three of four fights are won against one unknown card. It grows with the square root of the
    number of unknown cards."""
    least_spread: float = 2.0
    """Lead with which three of four fights are won against a known hand. It is not 0, because the troops of others are
    guessed."""
    band: int = 3
    """Number of troops up to which a general needs new troops most urgently. A lost general returns for about this many
    new troops."""
    reserve_worth: float = 14.0
    """Worth of a Reserve in a hand. The greater it is, the later a Reserve is used to pay."""
    suit_worth: float = 2.0
    """Additional worth of a card for every general who stands in a sector of the card's suit."""


@cache
def attraction(approach: float, direction: float) -> tuple[float, ...]:
    """Return the attraction of a target for a general, indexed by the general's distance from it in cities. It is a
    sum: `approach` is multiplied by `FADE` for each city, and `direction` falls evenly, down to 0 at the distance
    `FAR`."""
    return tuple(
        approach * FADE**distance + direction * max(0.0, 1 - distance / FAR) for distance in range(UNREACHABLE + 1)
    )


FILE = "weights.json"
"""Name of the file of weights among the data of a game. A weight that is not in the file has the default value, which
is the sensible bot's."""

WeightsT = TypeVar("WeightsT", bound=Weights)


def fitted_weights(table: Table, power: Power, kind: type[WeightsT]) -> WeightsT:
    """Return a power's weights, of the type `kind`, in the scenario of the table. If the game's file of weights lacks
    the scenario, the first scenario of the file is used. If it lacks the power, the default weights are returned."""
    found = weights_by_scenario(table.rules.terms.game, kind)
    scenario = table.rules.terms.scenario
    return found[scenario if scenario in found else next(iter(found))].get(power) or kind()


@cache
def weights_by_scenario(game: str, kind: type[WeightsT]) -> Mapping[str, Mapping[Power, WeightsT]]:
    return msgspec.json.decode((data_of(game) / FILE).read_bytes(), type=dict[str, dict[Power, kind]])  # type: ignore[valid-type]
