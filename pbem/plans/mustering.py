"""How a plan gives out troops: the first ones of the game, recruits in winter, troops that cost nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.engine.cards import cheapest, points
from pbem.engine.decisions import Allot, Allotment, Recruitment
from pbem.engine.nouns import City, Piece
from pbem.paper.plans.data import MusterWish
from pbem.plans.fighting import cards_kept_back
from pbem.plans.sight import PlanSight


class Muster(Struct, frozen=True):
    """New troops of any kind: what one costs, how many there may be, and who may have them."""

    price: int
    most: int
    room: dict[Piece, int]
    entries: dict[Piece, tuple[City, ...]]
    one_city: bool = False
    """Whether all who re-enter must do so in the same city (FRIEDRICH §10)."""


def allot(sight: PlanSight, decision: Allot, wish: MusterWish) -> tuple[Allotment, ...]:
    """Everybody gets the least, and the others are given out as the wish says."""
    room = {general: decision.most - least for general, least in decision.least.items()}
    new = shares(wish, room, decision.least, decision.troops - sum(decision.least.values()))
    return (Allotment({general: least + new.get(general, 0) for general, least in decision.least.items()}),)


def recruit(sight: PlanSight, muster: Muster, wish: MusterWish) -> tuple[Recruitment, ...]:
    """As many troops as may be had and paid for; trains that come back are paid for first."""
    common = sight.rules.common
    entries = returns(sight, muster, wish)
    trains = [piece for piece in entries if not common.is_general(piece)]
    room = {
        general: free
        for general, free in muster.room.items()
        if (general in entries or general not in muster.entries) and (not wish.give or general in wish.give)
    }
    limit = muster.most if wish.troops is None else min(muster.most, wish.troops)
    held = cards_kept_back(sight.hand, wish.keep)
    purse = [card for card in sight.hand if card not in held]
    budget = points(common.decks, sight.hand) - wish.keep_points
    for count in range(min(limit, sum(room.values())), -1, -1):
        price = (count + len(trains)) * muster.price
        cards = cheapest(common.decks, purse, price)
        if cards is None or points(common.decks, cards) > max(0, budget):
            continue
        had = {general: sight.field.pieces[general].troops for general in room}
        new = shares(wish, room, had, count)
        back = {piece: city for piece, city in entries.items() if piece in trains or piece in new}
        return (Recruitment(cards, new, back),)
    return ()


def returns(sight: PlanSight, muster: Muster, wish: MusterWish) -> dict[Piece, City]:
    """Where pieces come back: each in the first of its cities that is open, no two in one."""
    found: dict[Piece, City] = {}
    for piece, cities in wish.enter:
        is_open = [
            city
            for city in cities
            if city in muster.entries.get(piece, ()) and city not in found.values()
        ]  # fmt: skip
        if is_open and not (muster.one_city and found):
            found[piece] = is_open[0]
    return found


def shares(wish: MusterWish, room: Mapping[Piece, int], had: Mapping[Piece, int], count: int) -> dict[Piece, int]:
    """So many new troops for generals: to those of the list in their order, or each to a general who has fewest."""
    new = dict.fromkeys(room, 0)
    for _ in range(count):
        open_to = [general for general in room if new[general] < room[general]]
        if not open_to:
            break
        new[next_general(wish.give, open_to, {general: had[general] + new[general] for general in open_to})] += 1
    return {general: troops for general, troops in new.items() if troops}


def next_general(order: Sequence[Piece], open_to: Sequence[Piece], troops: Mapping[Piece, int]) -> Piece:
    """Who gets the next troop: the first of the list, and those who are not on it as evenly as possible."""
    listed = [general for general in order if general in open_to]
    return listed[0] if listed else min(open_to, key=lambda general: (troops[general], general))
