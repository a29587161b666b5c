"""Enemies whom the pieces of a sheet would have to attack after other marches than its examples."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import partial

from msgspec import Struct

from pbem.engine.combat import pairings
from pbem.engine.field import alter, stack_at
from pbem.engine.march import Column
from pbem.engine.nouns import City, Piece
from pbem.engine.table import deep_copy
from pbem.report import blocks
from pbem.report.consequences import Prospects
from pbem.report.letters.routes import Route, hungry_at, names_of_some
from pbem.report.letters.supply_ahead import may_be_fed
from pbem.report.letters.unsettled import has_card_for


class Meeting(Struct, frozen=True):
    """Enemy stack that the pieces would have to attack, and the end of a march that leads to this attack."""

    name: str
    city: str
    suit: str
    """Suit of the enemy's city. `own_suit` is that of the march's end."""
    end: str
    own_suit: str
    has_card: bool
    """True if the pieces' power has a card of `own_suit` or a Reserve in hand."""
    is_hungry: bool
    hungry: list[str]
    """Generals out of supply, as in `MarchResults`, at the end of this march."""
    may_be_fed: bool
    """True if a train could come in this stage and supply one of the `hungry` generals."""


def meetings(
    prospects: Prospects, column: Column, routes: Mapping[City, Route], attacked: Collection[str]
) -> list[Meeting]:
    """Return the enemy stacks that the pieces would have to attack after certain marches. For each enemy stack outside
    the cities `attacked`, one march of `routes` that ends beside the stack is chosen: the first with the fewest pieces
    out of supply. The result has all enemies beside the ends of the chosen marches."""
    rules, after, city = column.rules, deep_copy(column.field), partial(blocks.city, column.rules)
    foes = {after.pieces[foe].city for foe in column.dealings.rivals}
    name = {foe: " + ".join(blocks.pieces(rules, stack_at(rules, column.field, foe))) for foe in foes}
    found: dict[City, City] = {}
    beside: dict[City, list[City]] = {}
    hungry: dict[City, list[Piece]] = {}
    for end, route in routes.items():
        if foes.isdisjoint(rules.board.near[end]):
            continue
        for mover in column.movers:
            alter(after, mover, city=end)
        hungry[end] = hungry_at(column, end, route.path)
        beside[end] = [battle.defender for battle in pairings(rules, after, [column.power]) if battle.attacker == end]
        for foe in beside[end]:
            if city(foe) not in attacked and (foe not in found or len(hungry[found[foe]]) > len(hungry[end])):
                found[foe] = end
    fed = {end: may_be_fed(prospects.table, column, end, routes[end].path, hungry[end]) for end in found.values()}
    told = {end: (bool(hungry[end]), names_of_some(column, hungry[end]), is_fed) for end, is_fed in fed.items()}
    suit, has_card = partial(blocks.city_suit, rules), partial(has_card_for, prospects, column.power)
    return [
        Meeting(name[foe], city(foe), suit(foe), city(end), suit(end), has_card(end), *told[end])
        for end in told
        for foe in beside[end]
    ]
