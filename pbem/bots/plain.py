"""Type of all bots of one game, and the two simplest policies: one answers at random, the other stands in for an absent
player and orders as little as possible."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from random import Random
from typing import TypeAlias, TypeVar

from msgspec import Struct

from pbem.engine import decisions as d
from pbem.engine.cards import is_reserve, points, value_of
from pbem.engine.combat import retreat_ground
from pbem.engine.decisions import Answer, Decision, Move, Pairing
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.table import Table
from pbem.faults.wrong import Words
from pbem.kit import AnyDecision, AnyTable, part

Policy = Callable[[AnyTable, Decision, Random], Answer]
"""Function that answers a decision at a table."""

SeenT = TypeVar("SeenT")

OneAnswer: TypeAlias = Callable[[SeenT, AnyDecision, Random], Answer]
"""Function that answers decisions of one kind. It is given a table of one game, or a view of such a table."""


class Aim(Struct, frozen=True):
    """Greatest gain of a march."""

    worth: float
    key: str
    """Key of the wording for the aim. The wording has gaps for the power and the cities."""
    cities: tuple[City, ...] = ()


class GameBots(Struct, frozen=True):
    """Bots of one game, and facts about this game that the common code of all bots needs. Each game has such a value
    under the name `PART` in its `bots` module."""

    hold: Callable[[AnyTable, Decision], Answer]
    """Function that answers for an absent player. It is called for decisions that only this game has."""
    uniform: Mapping[type[Decision], OneAnswer[AnyTable]]
    """Dict from a kind of decision to the function that answers it at random. It has the kinds that only this game has,
    or that this game asks in its own way."""
    sensible: Policy
    strong: Policy | None = None
    """Policy that plays better than the sensible bot; None if there is none. This policy also answers in imagined
    combats."""
    why: Callable[[AnyTable, Decision, Answer], tuple[Words, ...]] = lambda table, decision, answer: ()
    """Function that gives reasons in words for an answer of the game's best bot."""
    aims: Mapping[str, Callable[[AnyTable, Power, Move], Aim | None]] = {}
    """Dict from a level of bots to a function. The function returns the aim of a march that a bot of this level has
    chosen for a power, or None if no gain decided the march. Levels that answer by chance have no function."""
    unasked: Callable[[AnyTable, Collection[Power]], Sequence[tuple[Power, Answer]]] = lambda table, powers: ()
    """Function that returns answers for decisions that the game does not wait for. It is called before a bot of the
    given powers answers any decision. Each answer comes with its power."""
    unseen: Callable[[AnyTable, Collection[Power]], Sequence[list[Card]]] = lambda table, strangers: ()
    """Function that returns lists of tactical cards that are neither in a hand nor in the draw deck. The lists have
    only cards that nobody has seen, or that only powers in `strangers` have seen."""
    redraw: Callable[[AnyTable, Collection[Power], Random], None] = lambda table, own, chance: None
    """Function that draws again, by chance, the secrets that only this game has and that the given powers do not know,
    such as the order of a deck. The tactical cards have been dealt anew before the call."""
    attack_worth: Callable[[AnyTable, Power, Pairing, int], float] = lambda table, power, battle, gained: 0.0
    """Function that returns the worth of an attack to the power that plays the attacker's cards. The scale is that of
    marches. The function uses only facts that the power's player knows. Its last argument is the number of points by
    which cards have raised the attacker's score."""
    keeping: float = 0.0
    """Weight for guessing which cards a power has kept. It was fitted to hands in games of bots. It is multiplied by
    the number of the power's generals in the suit of a card. The exponential of the product is a factor of the odds
    that the card is in the power's hand, and not in the draw deck."""
    card_point: float = 0.1
    """Worth of one point of a card in hand, on the bots' scale. On this scale a won game counts 100 points."""
    nearness: Callable[[AnyTable], Mapping[str, float]] = lambda table: {}
    """Function that returns the nearness of each player to victory, from 0 to 1. A player who is not in the mapping
    counts as 0."""


@cache
def game_bots(game: str) -> GameBots:
    return part(game, "bots", GameBots)


def hold(table: Table, decision: d.Decision, chance: Random) -> d.Answer:
    """Return the answer for an absent player."""
    match decision:
        case d.Allot():
            return d.Allotment(level_troops(decision.least, decision.troops, decision.most))
        case d.ChooseBattle():
            return d.Fight(decision.battles[0])
        case d.PlayCard(must=False):
            return d.Stop()
        case d.PlayCard() if suited := [card for card in decision.cards if not is_reserve(card)]:
            return d.Play(min(suited, key=value_of))
        case d.ChooseRetreat():
            ways = retreat_ways(table)
            return d.RetreatAlong(ways[first_named(table, list(ways))])
    return game_bots(table.rules.terms.game).hold(table, decision)


def level_troops(troops: Mapping[Piece, int], total: int, most: int) -> dict[Piece, int]:
    """Share `total` troops as evenly as possible, and return the troops of each general. Each gets at least the number
    in `troops`, and at most `most`."""
    level = dict(troops)
    for _ in range(total - sum(troops.values())):
        level[min((g for g in level if level[g] < most), key=lambda g: (level[g], g))] += 1
    return level


def retreat_ways(table: Table) -> dict[City, Road]:
    """Return the farthest cities to which the beaten stack may retreat, each with a path."""
    state = table.state
    assert state.retreat is not None
    return retreat_ground(table.rules.common, state.field, state.retreat).ends


def first_named(table: Table, cities: Sequence[City]) -> City:
    return min(cities, key=lambda city: (table.rules.common.board.cities[city].name, city))


T = TypeVar("T")


def choose(table: Table, decision: d.Decision, chance: Random) -> d.Answer:
    """Return a random answer to any decision."""
    own = game_bots(table.rules.terms.game).uniform
    return (own.get(type(decision)) or CHOICES[type(decision)])(table, decision, chance)


def pick(chance: Random, options: Sequence[T]) -> T:
    """Return one of the options, each equally likely. This takes exactly one random number from `chance`."""
    return options[int(chance.random() * len(options))]


def allot(table: Table, decision: d.Allot, chance: Random) -> d.Answer:
    """Give every general the least troops that he may have, and each further troop to a random general with room for
    it."""
    troops = dict(decision.least)
    for _ in range(decision.troops - sum(troops.values())):
        general = pick(chance, [g for g, count in troops.items() if count < decision.most])
        troops[general] += 1
    return d.Allotment(troops)


def pay(table: Table, hand: Sequence[Card], price: int, chance: Random) -> tuple[Card, ...]:
    cards: list[Card] = []
    rest = list(hand)
    chance.shuffle(rest)
    while price > 0:
        cards.append(rest.pop())
        price -= points(table.rules.common.decks, cards[-1:])
    return tuple(cards)


def choose_battle(table: Table, decision: d.ChooseBattle, chance: Random) -> d.Answer:
    return d.Fight(pick(chance, decision.battles))


def pick_card(decision: d.PlayCard, chance: Random) -> Card | None:
    """Return a random choice among the cards that may be played. If a stop is allowed, it is one of the choices, as
    None."""
    return pick(chance, [*decision.cards, *([] if decision.must else [None])])


def play_card(table: Table, decision: d.PlayCard, chance: Random) -> d.Answer:
    """Play a random card that may be played, or stop, if a stop is allowed."""
    card = pick_card(decision, chance)
    if card is None:
        return d.Stop()
    most = table.rules.common.decks.reserve_most
    return d.Play(card, chance.randint(1, most) if is_reserve(card) else 0)


def choose_retreat(table: Table, decision: d.ChooseRetreat, chance: Random) -> d.Answer:
    """Retreat to a random one of the farthest cities."""
    ways = retreat_ways(table)
    return d.RetreatAlong(ways[pick(chance, sorted(ways))])


CHOICES: dict[type[d.Decision], OneAnswer[Table]] = {
    d.Allot: allot,
    d.ChooseBattle: choose_battle,
    d.PlayCard: play_card,
    d.ChooseRetreat: choose_retreat,
}
"""Dict from a kind of decision to the function that answers it at random. It has the kinds that all games ask in the
same way."""
