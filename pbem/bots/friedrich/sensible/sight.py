"""What the player of a power knows of a game of FRIEDRICH: the map and the cards as in any game, and its objectives.

What the Clock of Fate has struck, and what it changes for now, lies open before everybody (§11).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec import Struct

from pbem.bots.sensible.sight import Marches, Sight
from pbem.bots.sensible.sight import see as see_map
from pbem.engine.decisions import March, Move
from pbem.engine.errors import IllegalOrder
from pbem.friedrich import effects_in_combat, movement, offensive
from pbem.friedrich.data import FriedrichRules
from pbem.friedrich.table import Table
from pbem.friedrich.victory import contenders, needed


class Outlook(Struct, frozen=True):
    """The position as one player knows it."""

    rules: FriedrichRules
    sight: Sight
    turn: int
    wanted: dict[str, tuple[int, ...]]
    """The objectives that each power needs that can win by them; Prussia's own while it may conquer them."""
    declares: Callable[[int, int], bool]
    """Whether a card of one's own may be played now, declared so."""


def see(table: Table, power: str) -> Outlook:
    """The position as the player of this power knows it."""
    marches = Marches(partial(movement.column_of, table), partial(allows, table))
    wanted = {other: needed(table, other) for other in contenders(table)}
    if offensive.may_conquer(table):
        option = table.rules.fate.offensive.power
        wanted[option] = table.rules.objectives[option]
    return Outlook(
        table.rules,
        see_map(table, power, marches, last_turn=False),
        table.state.turn,
        wanted,
        partial(may_declare, table),
    )


def allows(table: Table, decision: March, answer: Move) -> bool:
    """Whether Cards of Fate and everything else leave a march open."""
    try:
        movement.check_move(table, decision, answer)
    except IllegalOrder:
        return False
    return True


def may_declare(table: Table, card: int, value: int) -> bool:
    """Whether the Card of Fate in force lets this be declared in the combat in progress."""
    try:
        effects_in_combat.check_play(table, card, value)
    except IllegalOrder:
        return False
    return True
