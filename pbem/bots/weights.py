"""Weights of the sensible and the strong bot: by how much each thing counts."""

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
"""Distance in cities from which a place attracts nobody."""

FADE = 0.86
"""Part of an attraction that is left one city farther away."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """Weights that count in every game."""

    conquest: float = 40.0
    """Conquest of a fortress or objective of the goal."""
    train: float = 18.0
    """Taking an enemy train."""
    approach: float = 12.0
    """Standing at a place to be conquered; fades with every city of distance."""
    direction: float = 14.0
    """Same, fading so slowly that it shows the way from afar."""
    protected_target: float = 0.5
    """Part of an attraction that is left for a protected place."""
    shared_target: float = 0.6
    """Part of an attraction that is left if a comrade is nearer to it."""
    guard: float = 11.0
    """Protecting a place of the goal that the enemy can reach at once."""
    chase: float = 4.0
    """Standing at an enemy train; it fades with distance."""
    fight: float = 16.0
    """A fight that is sure to be won, or lost."""
    fight_cost: float = 1.0
    """Cost of any fight, however it ends."""
    threat: float = 14.0
    """Being attacked without hope."""
    stakes: float = 0.0
    """Additional factor of a fight or a threat for every troop at stake beyond half a general's most."""
    company: float = 0.0
    """A comrade within a march."""
    apart: float = 0.0
    """Factor of the march of one general out of a stack, compared with that of the whole stack. 0: never alone."""
    hunger: float = 8.0
    """Every city that a general is too far from its trains."""
    ruin: float = 150.0
    """A general who is out of supply once more."""
    behind: float = 0.3
    """Every city that a train is behind a general."""
    far_behind: float = 2.0
    """Same from half the supply range on, because generals are quicker than trains."""
    exposed: float = 2.0
    """Every city that an enemy general is too near to a train."""
    seized: float = 0.0
    """A train that an enemy general can reach at once."""
    fed_already: float = 0.4
    """Factor of a general for a train while another train is near him."""
    trains: int = 1
    """Wanted number of trains: a lost one comes back while there are fewer."""
    inertia: float = 0.7
    """Improvement that makes a march worth while."""
    whim: float = 0.6
    """Largest random addition to the worth of a march."""
    still_to_move: float = 2.0
    """Cost of joining a general who then moves no more."""
    small_loss: float = 2.4
    """Largest loss of troops that is accepted, rather than to pay cards that would turn a fight with no hope."""
    hope: float = 0.44
    """Least chance of victory with which a fight is fought to be won."""
    abundance: float = 0.004
    """Reduction of that chance for every card in the hand."""
    thrift: float = 0.78
    """Worth of a point of a card against a point of the troops that it spares."""
    spread: float = 2.5
    """Growth, by the root of the enemy's hand size, of the lead that wins about three fights in four."""
    least_spread: float = 2.0
    """That lead against an empty hand, because the troops of others are a guess, too."""
    band: int = 3
    """Troops that a general who comes back is given if possible."""
    reserve_worth: float = 14.0
    """Worth of a Reserve; it is paid out last."""
    suit_worth: float = 2.0
    """Additional worth of a card for every general whose sector has its suit."""


@cache
def attraction(approach: float, direction: float) -> tuple[float, ...]:
    """Attraction of a target for a general, by the distance in cities."""
    return tuple(
        approach * FADE**distance + direction * max(0.0, 1 - distance / FAR) for distance in range(UNREACHABLE + 1)
    )


FILE = "weights.json"
"""File of weights among the data of a game. A missing weight counts as for the sensible bot."""

WeightsT = TypeVar("WeightsT", bound=Weights)


def fitted_weights(table: Table, power: Power, kind: type[WeightsT]) -> WeightsT:
    """Weights of a power. A scenario without its own uses those of the first scenario in the file."""
    found = of_game(table.rules.terms.game, kind)
    scenario = table.rules.terms.scenario
    return found[scenario if scenario in found else next(iter(found))].get(power) or kind()


@cache
def of_game(game: str, kind: type[WeightsT]) -> Mapping[str, Mapping[Power, WeightsT]]:
    """Weights of every power in every scenario of the file."""
    return msgspec.json.decode((data_of(game) / FILE).read_bytes(), type=dict[str, dict[Power, kind]])  # type: ignore[valid-type]
