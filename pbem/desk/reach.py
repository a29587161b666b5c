"""Enemies who could attack the city where an advised march ends, if they are stronger or the hand has no card for a
battle there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pbem.engine.board import SUITS
from pbem.engine.decisions import Move
from pbem.engine.memory import Declaration
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import words
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.letters.unsettled import has_card_for


def stronger_near(
    table: Table, move: Move, powers: Collection[Power], declared: Sequence[Declaration], language: str
) -> Iterator[str]:
    """Yield the warning of `stronger_at` for a march that is not ordered yet. The march is tried on a copy of the
    table."""
    tried = copy_of(table)
    game_of(tried).apply(tried, table.rules.common.pieces[move.pieces[0]].power, move)
    yield from stronger_at(tried, move, powers, declared, language)


def stronger_at(
    table: Table, move: Move, powers: Collection[Power], declared: Sequence[Declaration], language: str
) -> Iterator[str]:
    """Yield a warning about the strongest enemy stack that could attack the city where a march ends. The warning is
    given if the stack is stronger than the generals there, or if the hand has no card for a battle there. If a strength
    is known only within limits, the mean of the limits is used. Enemies in neighbouring cities are left out."""
    rules, city, general = table.rules.common, move.path[-1], move.pieces[0]
    if not rules.is_general(general):
        return
    prospects = Prospects(table, powers, powers, declared)
    own, comers = prospects.stack(city), [comer.stack for comer in prospects.comers(city, general)]
    # The advice gives the chances of combats with enemies in neighbouring cities elsewhere.
    stacks = [stack for stack in comers if stack.city not in rules.board.near[city]]
    foe = max(stacks, key=lambda each: each.least + each.most, default=None)
    has_card = own.power not in prospects.view.hands or has_card_for(prospects, own)
    if foe and (foe.least + foe.most > own.least + own.most or not has_card):
        troops = str(foe.most) if foe.least == foe.most else f"{foe.least}\N{EN DASH}{foe.most}"
        foes = tuple(blocks.pieces(rules, foe.generals))
        key = "in-reach" if has_card else "in-reach.no-card"
        yield words(key, foes=foes, troops=troops, own=own.most, suit=SUITS[rules.board.suit[city]]).text(language)
