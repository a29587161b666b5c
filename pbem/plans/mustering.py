"""How a plan gives out troops: the first ones of the game, recruits in winter, troops that cost nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.engine.cards import cheapest, points
from pbem.engine.decisions import Allot, Allotment, Recruitment
from pbem.engine.field import are_enemies
from pbem.engine.nouns import City, Piece, each_piece
from pbem.paper.plans.data import MusterWish
from pbem.plans.fighting import cards_kept_back
from pbem.plans.paying import spared
from pbem.plans.sight import PlanSight

BAND = 3
"""The troops that a general is given first, if possible, where they go to the front."""


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
    new = shares(wish, room, eager(sight, wish, room, decision.least), decision.troops - sum(decision.least.values()))
    return (Allotment({general: least + new.get(general, 0) for general, least in decision.least.items()}),)


def recruit(sight: PlanSight, muster: Muster, wish: MusterWish) -> tuple[Recruitment, ...]:
    """As many troops as may be had and paid for; trains that come back are paid for first."""
    common = sight.rules.common
    entries = returns(sight, muster, wish)
    trains = [piece for piece in entries if not common.is_general(piece)]
    room = {
        general: free
        for general, free in muster.room.items()
        if (general in entries or general not in muster.entries)
        and (not wish.give or general in wish.give)
        and (general in entries or not wish.enter_all or sight.field.pieces[general].city >= 0)
    }
    limit = muster.most if wish.troops is None else min(muster.most, wish.troops)
    held = cards_kept_back(sight.hand, wish.keep)
    purse = [card for card in sight.hand if card not in held]
    budget = budget_of(sight, wish)
    for count in range(min(limit, sum(room.values())), -1, -1):
        price = (count + len(trains)) * muster.price
        cards = spared(sight, purse, price) if wish.pay == "spare" else cheapest(common.decks, purse, price)
        if cards is None or points(common.decks, cards) > max(0, budget):
            continue
        new = shares(wish, room, eager(sight, wish, room), count)
        back = {piece: city for piece, city in entries.items() if piece in trains or piece in new}
        return (Recruitment(cards, new, back),)
    return ()


def budget_of(sight: PlanSight, wish: MusterWish) -> int:
    """The points that may be paid."""
    whole = points(sight.rules.common.decks, sight.hand)
    return whole // 2 if wish.keep_half else whole - wish.keep_points


def returns(sight: PlanSight, muster: Muster, wish: MusterWish) -> dict[Piece, City]:
    """Where pieces come back: each in the first of its cities that is open, no two in one."""
    found: dict[Piece, City] = {}
    for piece, cities in all_returns(sight, muster, wish) if wish.enter_all else wish.enter:
        is_open = [
            city
            for city in cities
            if city in muster.entries.get(piece, ()) and city not in found.values()
        ]  # fmt: skip
        if is_open and not (muster.one_city and found):
            found[piece] = is_open[0]
    return found


def all_returns(sight: PlanSight, muster: Muster, wish: MusterWish) -> list[tuple[Piece, tuple[City, ...]]]:
    """As many generals as a band can be had for, each in an empty city, the nearest to the enemy first.

    A train comes first if the power has none left, near its generals.
    """
    common, field = sight.rules.common, sight.field
    taken = {piece.city for _, piece in each_piece(field.pieces)}
    own = [field.pieces[general].city for general in common.generals(sight.power)]
    trains = [piece for piece in muster.entries if not common.is_general(piece)]
    if any(field.pieces[train].city >= 0 for train in common.trains(sight.power)):
        trains = []
    troops = muster.most if not muster.price else min(muster.most, budget_of(sight, wish) // muster.price)
    generals = [piece for piece in muster.entries if common.is_general(piece)][: max(troops // BAND, 0)]
    near = {True: enemy_cities(sight), False: [city for city in own if city >= 0]}

    def order(piece: Piece) -> tuple[City, ...]:
        goals = near[common.is_general(piece)]
        far = common.board.distance
        open_to = [city for city in muster.entries[piece] if city not in taken]
        return tuple(sorted(open_to, key=lambda city: (min((far(city)[goal] for goal in goals), default=0), city)))

    return [(piece, order(piece)) for piece in (*trains[:1], *generals)]


def enemy_cities(sight: PlanSight) -> list[City]:
    """Where enemy generals stand."""
    common, field = sight.rules.common, sight.field
    return [
        piece.city
        for number, piece in each_piece(field.pieces)
        if piece.city >= 0
        and common.is_general(number)
        and are_enemies(field, common.pieces[number].power, sight.power)
    ]


def eager(
    sight: PlanSight, wish: MusterWish, room: Mapping[Piece, int], least: Mapping[Piece, int] | None = None
) -> dict[Piece, int]:
    """What counts as the troops that each general has: whoever has fewest gets the next one.

    Where troops go to the front, two cities from the enemy are as good as one troop for whoever has a band.
    """
    common, field = sight.rules.common, sight.field
    had = {general: (least or {}).get(general, field.pieces[general].troops) for general in room}
    if not wish.to_front:
        return had
    foes = enemy_cities(sight)

    def away(general: Piece) -> int:
        city = field.pieces[general].city
        return min((common.board.distance(city)[foe] for foe in foes), default=0) // 2 if city >= 0 else 0

    return {general: troops + (away(general) if troops >= BAND else -BAND) for general, troops in had.items()}


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
