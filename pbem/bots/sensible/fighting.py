"""Combat and cards: the chance to win a fight, the choice of cards and retreats, the sharing out of troops, and
payment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from math import exp, sqrt
from random import Random
from typing import NamedTuple, TypeVar

from pbem.bots.sensible.sight import Sight
from pbem.bots.weights import Weights
from pbem.engine import decisions as d
from pbem.engine.cards import DeckFacts, is_reserve, least_missed, suit_of, value_of
from pbem.engine.combat import falling_behind
from pbem.engine.conquest import held_by_partners, is_protected, opponents_of
from pbem.engine.decisions import Allot, Allotment, Answer
from pbem.engine.field import stack_at, troops_at
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.troops import RetreatGround


def worth(sight: Sight, power: Power, card: Card) -> float:
    """Return the worth of a card to a power. It is the card's value, plus an amount for each of the power's generals in
    a sector of the card's suit. Every Reserve has the same worth."""
    if is_reserve(card):
        return sight.weights.reserve_worth
    suits = [sight.common.board.suit[sight.place(g)] for g in sight.common.generals(power) if sight.place(g) >= 0]
    return value_of(card) + sight.weights.suit_worth * suits.count(suit_of(card))


def cards_by_worth(sight: Sight, power: Power, cards: Sequence[Card]) -> list[Card]:
    """Return the cards sorted by their worth to the power, the least first."""
    return sorted(cards, key=lambda card: (worth(sight, power, card), card))


def least_missed_payment(sight: Sight, power: Power, price: int) -> tuple[Card, ...]:
    """Return cards with which a power can pay the price, and which are worth least to this power. The power's hand must
    be enough for the price."""
    cards = least_missed(sight.common.decks, sight.hands[power], price, lambda card: worth(sight, power, card))
    assert cards is not None
    return cards


def allot(sight: Sight, decision: Allot, chance: Random) -> Answer:
    """Give each general his least troops, and share all other troops evenly among the generals on the map, high ranks
    first. If the weight `uneven` is not zero, the shares differ by chance."""
    troops = dict(decision.least)
    ranks, uneven = sight.common.pieces, sight.weights.uneven
    in_play = sorted((g for g in troops if sight.place(g) >= 0), key=lambda g: ranks[g].rank)
    share = {g: 1 + uneven * (2 * chance.random() - 1) if uneven else 1.0 for g in troops}
    for _ in range(decision.troops - sum(troops.values())):
        open_to = [g for g in in_play if troops[g] < decision.most] or [g for g in troops if troops[g] < decision.most]
        troops[min(open_to, key=lambda g: (troops[g] + 1) / share[g])] += 1
    return Allotment(troops)


T = TypeVar("T")


def best_of(sight: Sight, options: Iterable[T], worth: Callable[[T], float], chance: Random) -> T:
    """Return the option of greatest worth. A random number of at most the weight `variety` is added to each worth. The
    order of the options must not depend on anything hidden."""
    variety = sight.weights.variety
    return max(options, key=lambda each: worth(each) + (variety * chance.random() if variety else 0.0))


def distribute_troops(sight: Sight, room: Mapping[Piece, int], count: int) -> dict[Piece, int]:
    """Share out `count` new troops one by one: each goes to the general who needs it most and has room. Return the new
    troops of each general."""
    troops: dict[Piece, int] = {}
    for _ in range(min(count, sum(room.values()))):
        open_to = [general for general in room if room[general] > troops.get(general, 0)]
        general = max(open_to, key=lambda each: priority(sight, each, troops.get(each, 0)))
        troops[general] = troops.get(general, 0) + 1
    return troops


def priority(sight: Sight, general: Piece, new_troops: int) -> tuple[bool, int, int]:
    """Return the sort key of a general in the distribution of new troops. The general with the greatest key needs the
    next troop most. `new_troops` is the number that this general has already got."""
    piece = sight.field.pieces[general]
    troops = piece.troops + new_troops
    distance = front(sight, piece.city) if piece.city >= 0 else 0
    # The greatest key has a general below the weight `band`, then a general with few troops and a near enemy, then the
    # general with the lowest number.
    return troops < sight.weights.band, -troops - distance // 2, -general


def front(sight: Sight, city: City) -> int:
    """Return the distance of a city to the nearest enemy general; 0 if no enemy general is on the map."""
    far = sight.common.board.distance(city)
    return min((far[sight.place(g)] for g in sight.pieces_on_map("general") if sight.is_hostile(g)), default=0)


RESERVE_STRENGTH = 0.75
"""Fraction of a Reserve's highest value that counts as strength in each suit. It is below 1 because a Reserve can be
played only once."""

HOPE_AT_LAST = 0.3
"""Least chance to win at which the bot fights to win in the last turn. Cards are of no use after that turn."""


@cache
def unknown_card(decks: DeckFacts) -> float:
    """Return the strength that an unknown card of these decks has in one suit on average. The card may also be a
    Reserve."""
    values = range(decks.lowest, decks.highest + 1)
    reserves = decks.reserves * decks.reserve_most * RESERVE_STRENGTH
    return (sum(values) + reserves) / (4 * len(values) + decks.reserves)


def cards_in(sight: Sight, power: Power, suit: Suit) -> float:
    """Return the strength of a power's hand in a suit. Unknown cards count as average."""
    decks = sight.common.decks
    if power not in sight.hands:
        return unknown_card(decks) * sight.hand_sizes.get(power, 0)
    return sum(
        RESERVE_STRENGTH * decks.reserve_most if is_reserve(card) else value_of(card)
        for card in sight.hands[power]
        if suit_of(card) == suit or is_reserve(card)
    )


def odds(weights: Weights, lead: float, unknown: int) -> float:
    """Return the chance to win a fight. `lead` is the advantage in troops and known cards together. `unknown` is the
    number of the enemy's unknown cards."""
    return 1 / (1 + exp(-lead / max(weights.least_spread, weights.spread * sqrt(unknown))))


def choose_battle(sight: Sight, decision: d.ChooseBattle, chance: Random) -> d.Answer:
    """Choose the attack with the greatest lead."""
    return d.Fight(best_of(sight, decision.battles, lambda battle: lead(sight, battle), chance))


def lead(sight: Sight, battle: d.Pairing) -> float:
    """Return the strength of the attacker less the strength of the defender, in troops and cards."""
    sides = []
    for city in (battle.attacker, battle.defender):
        power = sight.power_of(stack_at(sight.common, sight.field, city)[0])
        sides.append(troops_at(sight.common, sight.field, city) + cards_in(sight, power, sight.common.board.suit[city]))
    return sides[0] - sides[1]


class ChosenCard(NamedTuple):
    """Answer of the bot in combat, with the key of the wording that gives its reason."""

    answer: d.Play | d.Stop
    why: str


def play_card(sight: Sight, decision: d.PlayCard, chance: Random) -> d.Play | d.Stop:
    """If the chance to win is good, return a card to win with. Otherwise return the card or stop with which the bot
    loses few troops."""
    return chosen_card(sight, decision).answer if decision.cards else d.Stop()


def chosen_card(sight: Sight, decision: d.PlayCard) -> ChosenCard:
    """Return the card or stop of `play_card` for a decision with at least one card."""
    is_hopeful = chance_to_win(sight, decision) >= least_chance(sight, decision.power)
    return play_to_win(sight, decision) if is_hopeful else play_to_lose_little(sight, decision)


def least_chance(sight: Sight, power: Power) -> float:
    """Return the smallest chance to win, from 0 to 1, at which the bot still fights to win."""
    return HOPE_AT_LAST if sight.last_turn else sight.weights.hope - sight.weights.abundance * sight.hand_sizes[power]


def chance_to_win(sight: Sight, decision: d.PlayCard) -> float:
    """Return the chance to win the combat in progress."""
    enemy = sight.hand_sizes[enemy_in_duel(sight, decision.power)]
    mine = cards_in(sight, decision.power, decision.suit) + decision.score
    return odds(sight.weights, mine - unknown_card(sight.common.decks) * enemy, enemy)


def enemy_in_duel(sight: Sight, own: Power) -> Power:
    """Return the power that plays cards against `own` in the present combat. Both powers may belong to one player."""
    leaders = [sight.power_of(stack_at(sight.common, sight.field, city)[0]) for city in sight.duel_cities]
    strangers = [power for power in leaders if power not in sight.hands]
    return strangers[0] if strangers else next(power for power in leaders if power != own)


def play_to_win(sight: Sight, decision: d.PlayCard) -> ChosenCard:
    """Return the play that serves best to win: the lowest card of the suit that brings the score above zero. If there
    is none, return a Reserve or the highest card of the suit."""
    plain = sorted((card for card in decision.cards if not is_reserve(card)), key=value_of)
    turning = [card for card in plain if value_of(card) + decision.score > 0]
    if turning:
        return ChosenCard(d.Play(turning[0]), "why-card.ahead")
    if plain and (decision.must or len(plain) == len(decision.cards)):
        return ChosenCard(d.Play(plain[-1]), "why-card.highest")
    reserves = [card for card in decision.cards if is_reserve(card)]
    most = sight.common.decks.reserve_most
    if decision.score == 0 or most + decision.score > 0 or not plain:
        is_ahead = most + decision.score > 0
        return ChosenCard(d.Play(reserves[0], most), "why-card.reserve" if is_ahead else "why-card.reserve-alone")
    return ChosenCard(d.Play(plain[-1]), "why-card.highest")


def play_to_lose_little(sight: Sight, decision: d.PlayCard) -> ChosenCard:
    """Return the play that costs least in a combat that the bot does not hope to win: a card that saves more than it is
    worth, or a stop."""
    plain = sorted((card for card in decision.cards if not is_reserve(card)), key=value_of)
    if decision.score == 0:
        return (
            ChosenCard(d.Play(plain[0]), "why-card.must") if decision.must else ChosenCard(d.Stop(), "why-card.at-zero")
        )
    deficit, troops = -decision.score, own_troops(sight)
    sparing = [card for card in plain if value_of(card) < deficit and profit(sight, deficit, value_of(card)) > 0]
    if sparing:
        best = max(sparing, key=lambda card: profit(sight, deficit, value_of(card)))
        return ChosenCard(d.Play(best), "why-card.spares")
    turning = [card for card in plain if value_of(card) >= deficit]
    if min(deficit, troops) <= sight.weights.small_loss:
        return ChosenCard(d.Stop(), "why-card.small")
    if turning:
        return ChosenCard(d.Play(turning[0]), "why-card.level")
    value = min(sight.common.decks.reserve_most, deficit - 1)
    reserves = [card for card in decision.cards if is_reserve(card)]
    if reserves and profit(sight, deficit, value) > 0:
        return ChosenCard(d.Play(reserves[0], value), "why-card.spares")
    return ChosenCard(d.Stop(), "why-card.dear")


def profit(sight: Sight, deficit: int, value: int) -> float:
    """Return the profit of playing a card of this value when the score is `deficit` below zero. It is the price in
    winter of the troops that the card saves, less a part of the card's worth as payment (§13)."""
    troops = own_troops(sight)
    spared = min(deficit, troops) - min(deficit - value, troops)
    return spared * sight.common.limits.troop_price - sight.weights.thrift * value


def own_troops(sight: Sight) -> int:
    """Return the troops of the deciding player's side in the combat in progress."""
    return sum(
        troops_at(sight.common, sight.field, city)
        for city in sight.duel_cities
        if sight.is_mine(stack_at(sight.common, sight.field, city)[0])
    )


def choose_retreat(sight: Sight, decision: d.ChooseRetreat, chance: Random) -> d.Answer:
    """Choose the retreat that harms the beaten generals most."""
    assert sight.retreat is not None
    way = RetreatGround(sight.common, sight.field, sight.retreat, decision.pieces)
    ends = {end: way.ends[end] for end in decision.ends}
    # Sorted, so that the choice among equal ends does not depend on the order in which they were found.
    return d.RetreatAlong(ends[best_of(sight, sorted(ends), lambda end: harm(sight, decision.pieces, end), chance)])


def harm(sight: Sight, losers: Sequence[Piece], end: City) -> float:
    """Return the harm that a retreat to the city `end` does to the beaten generals: a long way to their nearest train,
    fortresses that fall, few fortresses that they protect, and few that they could conquer from there."""
    nearest, guarded = hold_at(sight, losers, end)
    falling = falling_behind(sight.common, sight.field, losers, [end])
    weights = sight.weights
    # A greater number is worse for the beaten generals.
    return (
        (nearest or 0)
        - 3.0 * len(guarded)
        + weights.falling * len(falling)
        - weights.laid_open * len(laid_open_at(sight, losers, end))
    )


def laid_open_at(sight: Sight, losers: Sequence[Piece], end: City) -> list[City]:
    """Return the unprotected enemy fortresses that beaten generals could conquer by one march from `end`, where their
    retreat ends."""
    rules, field = sight.common, sight.field
    far = rules.board.distance(end)
    prey = opponents_of(rules, field, sight.power_of(losers[0])).fortresses
    return [
        city
        for city in sorted(prey)
        if far[city] <= rules.limits.general_march and not is_protected(rules, field, city)
    ]


def hold_at(sight: Sight, losers: Sequence[Piece], end: City) -> tuple[int | None, list[City]]:
    """Return the distance from the city `end` to the losers' nearest train (None if there is no train), and the
    fortresses that the losers would protect in `end`."""
    rules = sight.common
    far = rules.board.distance(end)
    power = sight.power_of(losers[0])
    trains = [far[sight.place(train)] for train in rules.trains(power) if sight.place(train) >= 0]
    held = held_by_partners(rules, sight.field, power)
    guarded = [city for city in held if far[city] <= rules.limits.protection]
    return min(trains, default=None), guarded
