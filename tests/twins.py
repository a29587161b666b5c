"""Positions of either game that differ only in what some players may not know."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from pbem.engine.cards import SeededDealer
from pbem.engine.field import ASIDE, alter
from pbem.engine.table import Table, player_of
from pbem.games.friedrich.rules import instants
from pbem.games.friedrich.rules.fate_data import Swap
from pbem.games.friedrich.rules.state import VersionTask
from pbem.kit import copy_of
from tests.properties.test_secrecy import allot_anew


def players(table: Table) -> Iterator[tuple[str, ...]]:
    """Everybody who looks: somebody who only watches, and each player with the powers he plays now."""
    yield ()
    for player in table.rules.seats:
        yield tuple(power for power in table.rules.powers if player_of(table, power) == player)


def with_other_secrets(table: Any, powers: Collection[str], chance: Random) -> Any:
    """The same position as far as these powers know."""
    other = copy_of(table, SeededDealer(f"other {chance.random()}"))
    hidden = [power for power in table.rules.powers if power not in powers]
    deal_anew(other, hidden, chance)
    for power in hidden:
        allot_anew(other, power, chance)
        for general in table.rules.common.generals(power):
            piece = other.state.field.pieces[general]
            if piece.city == ASIDE and piece.troops:
                alter(other.state.field, general, troops=chance.randint(1, table.rules.common.limits.troops))
    ELSEWHERE[table.rules.terms.game](other, powers, chance)
    return other


def deal_anew(other: Any, hidden: Collection[str], chance: Random) -> None:
    """Mix everything that is hidden, and deal as many to each place as before.

    Cards on the political display lie hidden while they are placed; those left face-down later have been seen (§25.5).
    """
    state = other.state
    places = [state.cards.hands[power] for power in hidden]
    if getattr(state, "affairs", None) and state.phase == "placing":
        places += [cards for power, cards in state.affairs.covered.items() if power in hidden]
    if getattr(state, "gambit", None):
        places += state.gambit.laid_aside.values()
    pool = [card for place in [*places, state.cards.draw] for card in place]
    chance.shuffle(pool)
    for place in places:
        place[:] = sorted(pool.pop() for _ in place)
    state.cards.draw[:] = pool


def politics_otherwise(other: Any, powers: Collection[str], chance: Random) -> None:
    """Another political deck, other winter scores, and nothing that others want to cancel among themselves."""
    affairs = other.state.affairs
    if affairs is None:
        return
    chance.shuffle(affairs.deck)
    affairs.cancelling = [wish for wish in affairs.cancelling if not set(powers).isdisjoint(wish.split("/"))]
    if other.state.phase != "over":
        affairs.scores = [{power: chance.randint(0, 30) for power in scores} for scores in affairs.scores]


def fate_otherwise(other: Any, powers: Collection[str], chance: Random) -> None:
    """Another order of the Cards of Fate, and other cards laid out or drawn by others."""
    state = other.state
    chance.shuffle(state.fate.deck)
    if state.drawn and state.stage not in powers:
        state.drawn = chance.sample(state.cards.hands[state.stage], len(state.drawn))
    for place, task in enumerate(state.tasks):
        if isinstance(task, VersionTask) and task.laid is not None:
            effect = instants.effect_of(other, task)
            assert isinstance(effect, Swap)
            if effect.powers[0] not in powers:
                state.tasks[place] = replace(task, laid=chance.choice(state.cards.hands[effect.powers[0]]))


ELSEWHERE: dict[str, Callable[[Any, Collection[str], Random], None]] = {
    "maria": politics_otherwise,
    "friedrich": fate_otherwise,
}
"""Secrets that only one game has, by game."""
