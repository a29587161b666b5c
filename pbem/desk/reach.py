"""Enemies who could attack the end of an advised march, or pieces that the march leaves behind. Only stronger enemies
are named, but if the hand has no card for a battle there, all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from pbem.engine.board import SUITS
from pbem.engine.decisions import Move
from pbem.engine.memory import Declaration
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import Rules
from pbem.engine.table import Table
from pbem.faults.wrong import words
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.letters.unsettled import has_card_for
from pbem.report.maps import foes_beside
from pbem.report.stacks import Stack


class Warned(Struct, frozen=True):
    """Reader of warnings: powers, known strengths, and language."""

    powers: Collection[Power]
    declared: Sequence[Declaration]
    language: str


def warnings_of(table: Table, move: Move, later: Collection[Piece], reader: Warned) -> Iterator[str]:
    """Yield warnings about the city where a march ends, and about the generals whom it leaves behind. Generals in
    `later` are left out, because they march later. The march is tried on a copy of the table."""
    rules, tried, general = table.rules.common, copy_of(table), move.pieces[0]
    if not rules.is_general(general):
        return
    start, end = table.state.field.pieces[general].city, move.path[-1]
    game_of(tried).apply(tried, rules.pieces[general].power, move)
    yield from stronger_at(tried, end, reader)
    pieces = tried.state.field.pieces
    own = [each for power in reader.powers for each in rules.generals(power)]
    left = [each for each in own if pieces[each].city == start and each not in later]
    if not left:
        return
    if foes_beside(tried, general, end):
        troops = sum(pieces[each].troops for each in own if pieces[each].city in (start, end) and each not in later)
        names, city = tuple(blocks.pieces(rules, left)), blocks.city(rules, start)
        yield words("fight-apart", pieces=names, city=city, troops=troops).text(reader.language)
    yield from stronger_at(tried, start, reader, left)


def stronger_near(table: Table, pieces: Sequence[Piece], reader: Warned) -> Iterator[str]:
    """Yield warnings about the enemies who could attack the generals among these pieces where they stand."""
    generals = filter(table.rules.common.is_general, pieces)
    for city in dict.fromkeys(table.state.field.pieces[each].city for each in generals):
        if city >= 0:
            yield from stronger_at(table, city, reader)


def stronger_at(table: Table, city: City, reader: Warned, left: Sequence[Piece] = ()) -> Iterator[str]:
    """Yield a warning about the enemy stacks that could attack the reader's generals in a city, the strongest first. It
    is given if they are stronger together, or if the hand has no card for a battle there. If a strength is known only
    within limits, the mean of the limits is used.

    Enemies in neighbouring cities are left out, unless a march leaves the generals `left` behind in the city: the
    advice gives the chances of a march's own combats elsewhere.
    """
    rules = table.rules.common
    prospects = Prospects(table, reader.powers, reader.powers, reader.declared)
    own = prospects.stack(city)
    stacks = [comer.stack for comer in prospects.comers(city, own.generals[0])]
    foes = [stack for stack in stacks if left or stack.city not in rules.board.near[city]]
    foes.sort(key=lambda each: -each.least - each.most)
    has_card = own.power not in prospects.view.hands or has_card_for(prospects, own.power, own.city)
    if foes and (sum(foe.least + foe.most for foe in foes) > own.least + own.most or not has_card):
        keys = ("left-in-reach.no-card", "left-in-reach") if left else ("in-reach.no-card", "in-reach")
        told = words(
            keys[has_card],
            pieces=tuple(blocks.pieces(rules, left)),
            city=blocks.city(rules, city),
            foes=tuple(with_troops(rules, foe) for foe in foes),
            own=own.most,
            suit=SUITS[rules.board.suit[city]],
        )
        yield told.text(reader.language)


LEAD = 3
"""Number of troops that an enemy stack has more than another if it counts as clearly stronger."""


def is_exposed(prospects: Prospects, city: City) -> bool:
    """True if a clearly stronger enemy stack could attack the generals in a city. If its strength is known only within
    limits, the mean of the limits is used."""
    own = prospects.stack(city)
    foes = (comer.stack for comer in prospects.comers(city, own.generals[0]))
    return any(foe.least + foe.most >= own.least + own.most + 2 * LEAD for foe in foes)


def with_troops(rules: Rules, stack: Stack) -> str:
    """Return the names of a stack's generals with its troops, as far as the reader knows."""
    troops = str(stack.most) if stack.least == stack.most else f"{stack.least}\N{EN DASH}{stack.most}"
    return f"{' + '.join(blocks.pieces(rules, stack.generals))} ({troops})"
