"""Bots of FRIEDRICH."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from msgspec.structs import replace

from pbem.bots.plain import GameBots
from pbem.bots.sensible.marching import attack_worth
from pbem.engine.nouns import Power
from pbem.games.friedrich.bots import sensible, strong
from pbem.games.friedrich.bots.sensible.answers import see
from pbem.games.friedrich.rules.fate_data import Swap
from pbem.games.friedrich.rules.instants import effect_of
from pbem.games.friedrich.rules.offensive import nearness
from pbem.games.friedrich.rules.state import Table, VersionTask


def redraw(table: Table, own: Collection[Power], chance: Random) -> None:
    """Guess what the player of the powers in `own` does not know. The hands of all other powers must have been guessed
    before. Cards of Fate are shuffled. Cards that another power has just drawn or laid out are chosen at random from
    its hand."""
    state = table.state
    state.fate.deck.sort()
    chance.shuffle(state.fate.deck)
    if state.stage not in own:
        state.drawn = chance.sample(state.cards.hands[Power(state.stage)], len(state.drawn)) if state.drawn else []
    for place, task in enumerate(state.tasks):
        if isinstance(task, VersionTask) and task.laid is not None:
            effect = effect_of(table, task)
            if isinstance(effect, Swap) and effect.powers[0] not in own:
                state.tasks[place] = replace(task, laid=chance.choice(state.cards.hands[effect.powers[0]]))


PART = GameBots(
    hold=strong.hold,
    uniform=strong.CHOICES,
    sensible=sensible.choose,
    strong=strong.choose,
    why=strong.why,
    aims=strong.AIMS,
    redraw=redraw,
    attack_worth=lambda table, power, battle, gained: attack_worth(see(table, power).sight, battle, gained),
    keeping=0.13,
    card_point=0.04,
    nearness=nearness,
)
