"""Weights of the strong bot for every power, fitted from games of bots (`python -m tests.fit_weights`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TypeVar

import msgspec

from pbem.bots.weights import Weights
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.resources import data_of

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
