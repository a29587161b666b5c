"""Bot for an absent player: it begins nothing, pays only debts, and gives up only what it must.

The same position always gives the same answer. Decisions of one game alone are answered in its folder. `docs/absent.md`
tells players what they can rely on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from pbem.bots.game_bots import game_bots
from pbem.engine import decisions as d
from pbem.engine.battle import way_of
from pbem.engine.cards import is_reserve, value_of
from pbem.engine.nouns import City, Piece
from pbem.engine.retreat import best_ends
from pbem.engine.table import Table


def hold(table: Table, decision: d.Decision, chance: Random) -> d.Answer:
    """Answer of an absent player; `chance` is not used."""
    match decision:
        case d.Allot():
            return d.Allotment(level_troops(decision.least, decision.troops, decision.most))
        case d.ChooseBattle():
            return d.Fight(decision.battles[0])
        case d.PlayCard(must=False):
            return d.Stop()
        case d.PlayCard() if any(not is_reserve(card) for card in decision.cards):
            return lowest(decision)
        case d.ChooseRetreat():
            return choose_retreat(table)
    return game_bots(table.rules.terms.game).hold(table, decision)


def level_troops(troops: Mapping[Piece, int], total: int, most: int) -> dict[Piece, int]:
    """Troops as even as possible: each further one goes to a general with the fewest."""
    level = dict(troops)
    for _ in range(total - sum(troops.values())):
        level[min((g for g in level if level[g] < most), key=lambda g: (level[g], g))] += 1
    return level


def lowest(decision: d.PlayCard) -> d.Play:
    """Lowest suited card, which has to be played at score zero with the suit in hand."""
    return d.Play(min((card for card in decision.cards if not is_reserve(card)), key=value_of))


def choose_retreat(table: Table) -> d.RetreatAlong:
    """Path to the farthest city whose name comes first in the alphabet."""
    state = table.state
    assert state.retreat is not None
    ways = best_ends(way_of(table.rules.common, state.field, state.retreat))
    return d.RetreatAlong(ways[first_named(table, list(ways))])


def first_named(table: Table, cities: Sequence[City]) -> City:
    return min(cities, key=lambda city: (table.rules.common.board.cities[city].name, city))
