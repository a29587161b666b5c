"""Answers of plans outside of combat: attacks, retreats, cards, new troops, and decisions of one game alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from pbem.engine import decisions as d
from pbem.engine.board import UNREACHABLE
from pbem.engine.cards import DeckFacts, cheapest, is_reserve, least_missed, points, suit_of, value_of
from pbem.engine.field import are_enemies, home_of, troops_at
from pbem.engine.nouns import Card, City, Piece, Power, Suit, each_piece
from pbem.engine.table import Table
from pbem.engine.troops import RetreatGround
from pbem.kit import AnyDecision, part
from pbem.paper.lexicon import from_hand
from pbem.paper.plans.data import AttackWish, CardsWish, CardWish, MusterWish, Preference, RetreatGoal, RetreatWish
from pbem.plans.fighting import cards_kept_back
from pbem.plans.sight import FindPlayable, PlanSight, playable_cards

AnyWish: TypeAlias = Any
"""Wish of any type. Each function in `GamePlans.choices` gets only wishes for its own choice, and so may assume their
type."""


class GamePlans(Struct, frozen=True):
    """Functions and tables that one game adds to `pbem/plans`. They stand in the game's module `plans`, under the name
    `PART`."""

    playable_cards: FindPlayable = playable_cards
    muster: Callable[[PlanSight, d.Decision], Muster | None] = lambda sight, decision: None
    """Function that returns which new troops a decision offers. It returns None for a decision that offers no
    troops."""
    choices: Mapping[str, Callable[[PlanSight, AnyDecision, AnyWish], tuple[d.Answer, ...]]] = {}
    """Function for each choice that only this game has. It returns the answers that fit a wish, the most wanted
    first."""
    nothing: Mapping[str, d.Answer] = {}
    """Answer for each choice that only this game has. It is given by a plan with `else: stop` if no answer fits the
    plan's wish."""
    rules: Mapping[str, str] = {}
    """Paragraph (§) of the rule that a fault is about, for each code of the faults in notes on plans."""


def game_plans(table: Table) -> GamePlans:
    return part(table.rules.terms.game, "plans", GamePlans)


def attack(sight: PlanSight, decision: d.ChooseBattle, wish: AttackWish) -> tuple[d.Fight, ...]:
    """Return the attacks that a plan wants, in their order. Attacks that the plan lists come first. If `wish.by` is
    set, all other attacks follow, sorted by the attackers' troops."""
    listed = [battle for order in wish.order if (battle := order.pairing(sight.field)) in decision.battles]
    rest = [battle for battle in decision.battles if battle not in listed] if wish.by else []
    sign = -1 if wish.by == "strongest" else 1
    rest.sort(key=lambda battle: sign * troops_at(sight.rules.common, sight.field, battle.attacker))
    return tuple(d.Fight(battle) for battle in [*listed, *rest])


def retreat(sight: PlanSight, decision: d.ChooseRetreat, wish: RetreatWish) -> tuple[d.RetreatAlong, ...]:
    """Return the retreats that the wish permits, the most wanted first. Equally wanted retreats are sorted by the names
    of the cities where they end."""
    assert sight.retreat is not None
    ways = RetreatGround(sight.rules.common, sight.field, sight.retreat, decision.pieces).ends
    cities = sight.rules.common.board.cities
    shunned = [one for one in wish.preferences if one.kind == "never-next-to"]
    wanted = [one for one in wish.preferences if one.kind != "never-next-to"]
    left = [end for end in ways if not any(is_near(sight, decision, one, end) for one in shunned)]
    ranks = {end: [cost(sight, decision, one, end) for one in wanted] for end in left}
    return tuple(d.RetreatAlong(ways[end]) for end in sorted(left, key=lambda end: (ranks[end], cities[end].name, end)))


def loser_of(sight: PlanSight, decision: d.ChooseRetreat) -> Power:
    return sight.rules.common.pieces[decision.pieces[0]].power


def places(sight: PlanSight, power: Power, goals: Sequence[RetreatGoal]) -> set[City]:
    """Return the cities that the goals of a plan stand for. A goal that is a piece stands for the city where it is. A
    piece off the map stands for no city."""
    rules, field = sight.rules.common, sight.field
    found: set[City] = set()
    for goal in goals:
        if goal.word == "trains":
            found |= {field.pieces[train].city for train in rules.trains(power)}
        elif goal.word == "home":
            found |= {c.index for c in rules.board.cities if home_of(rules, field, c.index) == power}
        else:
            found.add(field.pieces[goal.piece].city if goal.piece >= 0 else goal.city)
    return {city for city in found if city >= 0}


def is_near(sight: PlanSight, decision: d.ChooseRetreat, wish: Preference, end: City) -> bool:
    """True if `end`, or a neighbour of it, is a city that the wish names as a goal."""
    near = {end, *sight.rules.common.board.near[end]}
    return bool(near & places(sight, loser_of(sight, decision), wish.goals))


def cost(sight: PlanSight, decision: d.ChooseRetreat, wish: Preference, end: City) -> int:
    """Return the cost of a retreat to `end` under one preference of the plan. The lowest cost is wanted most."""
    goals = places(sight, loser_of(sight, decision), wish.goals)
    if wish.kind == "cut-off-from":
        return -road_around(sight, decision, end, goals)
    return road(sight, wish, end, goals)


def road(sight: PlanSight, wish: Preference, end: City, goals: Collection[City]) -> int:
    """Return the distance from a retreat's end to the nearest goal. It is negative if the plan wants to be far from the
    goals."""
    far = sight.rules.common.board.distance(end)
    nearest = min((far[city] for city in goals), default=UNREACHABLE)
    return nearest if wish.kind == "towards" else -nearest


def road_around(sight: PlanSight, decision: d.ChooseRetreat, start: City, goals: Collection[City]) -> int:
    """Return the distance from `start` to the nearest goal, without entering cities of the beaten power's enemies.
    Return `UNREACHABLE` if there is no way."""
    rules, field = sight.rules.common, sight.field
    loser = loser_of(sight, decision)
    barred = {
        piece.city
        for number, piece in each_piece(field.pieces)
        if are_enemies(field, rules.pieces[number].power, loser)
    }
    steps, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        if here in goals:
            return steps[here]
        for city in rules.board.near[here]:
            if city not in steps and city not in barred:
                steps[city] = steps[here] + 1
                queue.append(city)
    return UNREACHABLE


RESERVE_NEED = 14
"""Worth of a Reserve when a plan decides which cards can be spared."""

SUIT_NEED = 2
"""Amount by which a card is worth more for each general of the power in a sector of the card's suit, in points."""


def spare_cards(sight: PlanSight, hand: Sequence[Card], price: int) -> tuple[Card, ...] | None:
    """Return the least valuable cards that together pay the price, or None if the hand cannot pay it. Reserves count as
    more valuable, and so do cards of a suit if generals of the power stand in its sectors."""
    common, pieces = sight.rules.common, sight.field.pieces
    stands = [pieces[general].city for general in common.generals(sight.power)]
    suits = [common.board.suit[city] for city in stands if city >= 0]

    def need(card: Card) -> int:
        return RESERVE_NEED if is_reserve(card) else value_of(card) + SUIT_NEED * suits.count(suit_of(card))

    return least_missed(common.decks, hand, price, need)


def highest(decks: DeckFacts, hand: Sequence[Card], price: int) -> tuple[Card, ...] | None:
    """Return the cards that pay the price if the highest are taken first, or None if the hand cannot pay it. Reserves
    are taken last."""
    chosen: list[Card] = []
    for card in sorted(hand, key=lambda card: (is_reserve(card), -points(decks, [card]), card)):
        if points(decks, chosen) < price:
            chosen.append(card)
    for card in sorted(chosen, key=lambda card: (points(decks, [card]), card)):
        if points(decks, chosen) - points(decks, [card]) >= price:
            chosen.remove(card)
    return tuple(chosen) if points(decks, chosen) >= price else None


BAND = 3
"""Number of troops that every general gets first, as far as possible, if the plan sends new troops to the front."""


class Muster(Struct, frozen=True):
    """New troops that a decision offers: the price of one troop, the most troops that may be bought, the number that
    each general can still take, and the cities where each piece off the map may enter."""

    price: int
    most: int
    room: dict[Piece, int]
    entries: dict[Piece, tuple[City, ...]]
    one_city: bool = False
    """True if all returning pieces must enter the same city (FRIEDRICH §10)."""


def allot(sight: PlanSight, decision: d.Allot, wish: MusterWish) -> tuple[d.Allotment, ...]:
    """Return the allotment that the wish leads to, as the only element of a tuple. Each general gets at least the
    allowed minimum."""
    room = {general: decision.most - least for general, least in decision.least.items()}
    new = shares(
        wish, room, troop_ranks(sight, wish, room, decision.least), decision.troops - sum(decision.least.values())
    )
    return (d.Allotment({general: least + new.get(general, 0) for general, least in decision.least.items()}),)


def recruit(sight: PlanSight, muster: Muster, wish: MusterWish) -> tuple[d.Recruitment, ...]:
    """Return the largest recruitment that the wish and the hand allow, as the only element of a tuple. Return an empty
    tuple if the hand cannot pay for the trains that shall return."""
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
        cards = spare_cards(sight, purse, price) if wish.pay == "spare" else cheapest(common.decks, purse, price)
        if cards is None or points(common.decks, cards) > max(0, budget):
            continue
        new = shares(wish, room, troop_ranks(sight, wish, room), count)
        back = {piece: city for piece, city in entries.items() if piece in trains or piece in new}
        return (d.Recruitment(cards, new, back),)
    return ()


def left_away(sight: PlanSight, muster: Muster, wish: MusterWish, entries: Collection[Piece]) -> list[Piece]:
    """Return the pieces that could enter and that the plan wants to bring back, without those in `entries`. If the plan
    only says `enter_all`, it means generals alone."""
    wanted = {piece for piece, _ in wish.enter} | {
        piece for piece in muster.entries if wish.enter_all and sight.rules.common.is_general(piece)
    }
    return [piece for piece in muster.entries if piece in wanted and piece not in entries]


def budget_of(sight: PlanSight, wish: MusterWish) -> int:
    """Return how many points of cards in hand the plan may spend on new troops."""
    whole = points(sight.rules.common.decks, sight.hand)
    return whole // 2 if wish.keep_half else whole - wish.keep_points


def returns(sight: PlanSight, muster: Muster, wish: MusterWish) -> dict[Piece, City]:
    """Return each piece that returns, with the city where it enters. This is the first open city that the wish names. A
    piece without an open city is left out."""
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
    """Return the pieces that a plan with `enter_all` brings back, each with the cities open to it, the best first. If
    the power has no train on the map, a train comes first. Then come as many generals as can get `BAND` troops each."""
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
    """Return the city of each enemy general on the map. A city with several generals comes several times."""
    common, field = sight.rules.common, sight.field
    return [
        piece.city
        for number, piece in each_piece(field.pieces)
        if piece.city >= 0
        and common.is_general(number)
        and are_enemies(field, common.pieces[number].power, sight.power)
    ]


def troop_ranks(
    sight: PlanSight, wish: MusterWish, room: Mapping[Piece, int], least: Mapping[Piece, int] | None = None
) -> dict[Piece, int]:
    """Return the rank of each general in `room`. The general with the lowest rank gets the next troop. The rank is the
    number of the general's troops: as given in `least`, else as on the map. If the plan sends troops to the front, the
    rank of generals far from the enemy is higher, and generals with fewer than `BAND` troops have the lowest ranks."""
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
    """Share out `count` new troops, and return the number for each general who gets any. Generals on the plan's list
    come first, then those with the lowest rank. `had` has each general's rank before."""
    new = dict.fromkeys(room, 0)
    for _ in range(count):
        open_to = [general for general in room if new[general] < room[general]]
        if not open_to:
            break
        new[next_general(wish.give, open_to, {general: had[general] + new[general] for general in open_to})] += 1
    return {general: troops for general, troops in new.items() if troops}


def next_general(order: Sequence[Piece], open_to: Sequence[Piece], troops: Mapping[Piece, int]) -> Piece:
    """Return the general in `open_to` who gets the next troop: the first on the plan's list `order`, else the one with
    the fewest troops."""
    listed = [general for general in order if general in open_to]
    return listed[0] if listed else min(open_to, key=lambda general: (troops[general], general))


def cards_for(
    wish: CardsWish, cards: Sequence[Card], trump: Suit | None = None, lead: int = 0
) -> tuple[Card | None, ...]:
    """Return the cards that fit a wish, the most wanted first. None in their place means that no card is played.
    `trump` is the suit of the combat. A card takes the lead if its value is above `lead`."""
    held = cards_kept_back(cards, wish.keep)
    free = [card for card in cards if card not in held]
    found: list[Card | None] = []
    for choice in wish.choices:
        if choice.card is None and not choice.pick:
            found.append(None)
            continue
        card = from_hand(free, choice.card) if choice.card else card_by_wish(choice, free, trump, lead)
        if card is not None and card not in found:
            found.append(card)
    return tuple(found)


def card_by_wish(choice: CardWish, cards: Sequence[Card], trump: Suit | None, lead: int) -> Card | None:
    """Return the highest or lowest card that fits a wish, or None if no card fits. Of cards with equal values, the one
    of the lowest deck is taken. `trump` is the suit of the combat, `lead` the value that a leading card must exceed."""
    fit = [
        card
        for card in cards
        if not is_reserve(card) and fits(choice, card, trump, lead) and choice.values.holds(value_of(card))
    ]
    if choice.pick == "highest":
        return max(fit, key=lambda card: (value_of(card), -card), default=None)
    return min(fit, key=lambda card: (value_of(card), card), default=None)


def fits(choice: CardWish, card: Card, trump: Suit | None, lead: int) -> bool:
    """True if the card's suit fits the wish. `trump` is the suit of the combat, `lead` the value that a leading card
    must exceed."""
    match choice.suit:
        case "card":
            return True
        case "trump":
            return suit_of(card) == trump
        case "leading":
            return suit_of(card) == trump and value_of(card) > lead
        case "other":
            return suit_of(card) != trump
        case suit:
            return suit_of(card) == suit
