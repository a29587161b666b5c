"""Bots of TOY: the default of the absent, one that plays at random, and one that runs."""

from __future__ import annotations

from random import Random

from pbem.bots.plain import GameBots, pick
from pbem.engine.decisions import Answer, Decision, Done, March, Move
from pbem.engine.field import home_of
from pbem.engine.march import destinations
from toy_game.rules.game import column_of
from toy_game.rules.state import Bar, Barred, Table


def hold(table: Table, decision: Decision) -> Answer:
    """The absent stay where they are, and bar nothing."""
    return Done() if isinstance(decision, March) else Barred(None)


def march(table: Table, decision: March, chance: Random) -> Answer:
    """Any way, or none."""
    return pick(chance, [Done(), *moves(table, decision)])


def bar(table: Table, decision: Bar, chance: Random) -> Answer:
    """Any city, or none."""
    return Barred(pick(chance, [None, *decision.cities]))


def run(table: Table, decision: Decision, chance: Random) -> Answer:
    """Into the other's home where the way is open, else onwards, and bar what can be barred."""
    if isinstance(decision, March):
        found = moves(table, decision)
        home = [move for move in found if home_of(table.rules.common, table.state.field, move.path[-1])]
        return pick(chance, home or found or [Done()])
    assert isinstance(decision, Bar)
    return Barred(pick(chance, decision.cities or (None,)))


def moves(table: Table, decision: March) -> list[Move]:
    """Every march that is open to the couriers."""
    return [
        Move((courier,), path)
        for courier in decision.pieces
        for path in destinations(column_of(table, [courier])).values()
    ]


PART = GameBots(hold=hold, uniform={March: march, Bar: bar}, sensible=run)
