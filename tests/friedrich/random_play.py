"""Whole games of FRIEDRICH at random: every option of every question is equally likely."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec

from pbem.engine import march
from pbem.engine.battle import way_of
from pbem.engine.cards import is_reserve, points, value_of
from pbem.engine.decisions import (
    Allot,
    Allotment,
    Answer,
    Arrange,
    ChooseBattle,
    ChooseRetreat,
    Decision,
    Done,
    Fight,
    March,
    Move,
    Play,
    PlayCard,
    Recruitment,
    RetreatAlong,
    Stop,
    Transfer,
)
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event
from pbem.engine.field import stack_at
from pbem.engine.retreat import best_ends
from pbem.engine.stream import SeededDealer
from pbem.friedrich import effects_in_combat, game, movement
from pbem.friedrich.data import FriedrichRules, Terms
from pbem.friedrich.decisions import CardsBack, Levy, ReturnCards
from pbem.friedrich.fate_decisions import (
    ChooseCities,
    ChooseGeneral,
    GiveCard,
    GivenCard,
    NamedCities,
    NamedGeneral,
    Shift,
    ShiftPieces,
)
from pbem.friedrich.state import State, canonical
from pbem.friedrich.table import Table
from pbem.paper.friedrich_library import load_friedrich

T = TypeVar("T")

EVERY = [
    Terms("four"),
    Terms("four", expert=True),
    Terms("four", expert=True, fate_order="strokes later"),
    Terms("three"),
    Terms("three", expert=True),
    Terms("west"),
    Terms("austria"),
]
"""Every variant there is a test for."""

STOPS_MOVING = 0.05
LONGEST = 20000
"""More answers than any game takes: beyond it something goes round in circles."""

Player = Callable[[Table, Decision, Random], Answer]


def name_of(terms: Terms) -> str:
    """A variant in the name of a test."""
    return f"{terms.scenario}{'-expert' if terms.expert else ''}{'-later' if terms.fate_order != 'shuffled' else ''}"


def pick(chance: Random, options: Sequence[T]) -> T:
    """One of the options."""
    return options[int(chance.random() * len(options))]


def choose(table: Table, decision: Decision, chance: Random) -> Answer:
    """An answer at random."""
    return CHOICES[type(decision)](table, decision, chance)


def allot(table: Table, decision: Allot, chance: Random) -> Answer:
    """The minimums, and every further troop to some general with room."""
    troops = dict(decision.least)
    for _ in range(decision.troops - sum(troops.values())):
        general = pick(chance, [g for g, count in troops.items() if count < decision.most])
        troops[general] += 1
    return Allotment(troops)


def give_back(table: Table, decision: ReturnCards, chance: Random) -> Answer:
    """Any of the cards drawn."""
    return CardsBack(tuple(chance.sample(decision.cards, decision.count)))


def make_march(table: Table, decision: March, chance: Random) -> Answer:
    """A move of some piece or its stack, or now and then nothing more."""
    if not decision.pieces or chance.random() < STOPS_MOVING:
        return Done()
    rules, state = table.rules.common, table.state
    piece = pick(chance, decision.pieces)
    movers = [piece]
    if rules.is_general(piece):
        mates = [g for g in stack_at(rules, state.field, state.field.pieces[piece].city) if g in decision.pieces]
        if len(mates) > 1 and chance.random() < 0.6:
            movers = mates if chance.random() < 0.7 else chance.sample(mates, 2)
    try:
        movement.check_movers(table, decision, movers)
    except IllegalOrder:
        return Done()
    ways = list(march.destinations(movement.column_of(table, movers)).values())
    return Move(tuple(movers), pick(chance, ways)) if ways else Done()


def pay(table: Table, hand: Sequence[int], price: int, chance: Random) -> tuple[int, ...]:
    """Cards at random until the price is paid."""
    cards: list[int] = []
    rest = list(hand)
    chance.shuffle(rest)
    while points(table.rules.common.decks, cards) < price:
        cards.append(rest.pop())
    return tuple(cards)


def recruit(table: Table, decision: Levy, chance: Random) -> Answer:
    """Some troops for some generals, some pieces that come back."""
    affordable = points(table.rules.common.decks, decision.hand) // decision.price
    wanted = chance.randint(0, affordable)
    room = dict(decision.room)
    troops: dict[int, int] = {}
    entries: dict[int, int] = {}
    taken: set[int] = set()
    options = [*room, *(piece for piece in decision.entries if not table.rules.common.is_general(piece))]
    chance.shuffle(options)
    for piece in options * 3:
        if not wanted:
            break
        is_train = piece not in room
        off = table.state.field.pieces[piece].city < 0 and piece not in entries
        full = not is_train and (not room[piece] or sum(troops.values()) >= decision.most)
        if full or (is_train and piece in entries):
            continue
        if off:
            free = [city for city in decision.entries.get(piece, ()) if city not in taken]
            if not free or (decision.one_city and taken):
                continue
            entries[piece] = pick(chance, free)
            taken.add(entries[piece])
        if not is_train:
            room[piece] -= 1
            troops[piece] = troops.get(piece, 0) + 1
        wanted -= 1
    trains = sum(not table.rules.common.is_general(piece) for piece in entries)
    price = (sum(troops.values()) + trains) * decision.price
    return Recruitment(pay(table, decision.hand, price, chance), troops, entries) if price else Recruitment()


def choose_battle(table: Table, decision: ChooseBattle, chance: Random) -> Answer:
    """Any of the attacks."""
    return Fight(pick(chance, decision.battles))


def play_card(table: Table, decision: PlayCard, chance: Random) -> Answer:
    """Any card that fits, or stop where that is allowed."""
    options: list[int | None] = [*decision.cards]
    if not decision.must:
        options.append(None)
    card = pick(chance, options)
    if card is None:
        return Stop()
    most = table.rules.common.decks.reserve_most
    values = [value for value in range(1, most + 1) if is_playable(table, card, value)] if is_reserve(card) else [0]
    if not is_reserve(card) and table.state.fate.in_force and is_playable(table, card, 2 * value_of(card)):
        values.append(2 * value_of(card))
    return Play(card, pick(chance, values))


def is_playable(table: Table, card: int, value: int) -> bool:
    """Whether a card in force lets this value be declared."""
    if not table.state.fate.in_force:
        return True
    try:
        effects_in_combat.check_play(table, card, value)
    except IllegalOrder:
        return False
    return True


def choose_retreat(table: Table, decision: ChooseRetreat, chance: Random) -> Answer:
    """Any of the farthest cities."""
    assert table.state.retreat is not None
    ways = best_ends(way_of(table.rules.common, table.state.field, table.state.retreat))
    return RetreatAlong(ways[pick(chance, sorted(ways))])


def name_general(table: Table, decision: ChooseGeneral, chance: Random) -> Answer:
    """Any of the generals."""
    return NamedGeneral(pick(chance, decision.generals))


def give_card(table: Table, decision: GiveCard, chance: Random) -> Answer:
    """Any card, or none where that is allowed."""
    return GivenCard(pick(chance, [*decision.cards, *([None] if decision.may_decline else [])]))


def shift_pieces(table: Table, decision: ShiftPieces, chance: Random) -> Answer:
    """Any of the cities, or stay."""
    return Shift(pick(chance, [None, *decision.cities]))


def choose_cities(table: Table, decision: ChooseCities, chance: Random) -> Answer:
    """Any of the cities."""
    return NamedCities(tuple(chance.sample(decision.cities, decision.count)))


CHOICES: dict[type[Decision], Callable[[Table, Any, Random], Answer]] = {
    Allot: allot,
    ReturnCards: give_back,
    March: make_march,
    Levy: recruit,
    ChooseBattle: choose_battle,
    PlayCard: play_card,
    ChooseRetreat: choose_retreat,
    ChooseGeneral: name_general,
    GiveCard: give_card,
    ShiftPieces: shift_pieces,
    ChooseCities: choose_cities,
}
"""How each kind of decision is answered."""


def start(terms: Terms, seed: int | str) -> tuple[Table, list[Event]]:
    """A new game."""
    rules: FriedrichRules = load_friedrich(terms)
    return game.start(rules, SeededDealer(str(seed)))


def chance_of(terms: Terms, seed: int | str) -> Random:
    """What the players of a game throw."""
    return Random(f"{name_of(terms)} {seed}")


def twin(table: Table) -> Table:
    """The same position once more, by way of its text."""
    return Table(table.rules, msgspec.json.decode(canonical(table.state), type=State), table.dealer)


def transfer(arrange: Arrange, table: Table, chance: Random) -> Transfer:
    """A new allotment of troops in some stack, at random."""
    stack = pick(chance, arrange.stacks)
    left = sum(table.state.field.pieces[general].troops for general in stack)
    most = table.rules.common.limits.troops
    troops: dict[int, int] = {}
    for place, general in enumerate(stack):
        others = len(stack) - place - 1
        troops[general] = chance.randint(max(1, left - others * most), min(most, left - others))
        left -= troops[general]
    return Transfer(troops)


def answers(table: Table, chance: Random, player: Player, transfers: float = 0.05) -> Iterator[tuple[str, Answer]]:
    """What happens next at the table, until the game is over: power and answer, to be applied before the next."""
    for _ in range(LONGEST):
        if table.state.phase == "over":
            return
        if transfers and chance.random() < transfers:
            standing = game.standing(table)
            if standing:
                arrange = pick(chance, standing)
                yield arrange.power, transfer(arrange, table, chance)
        decision = pick(chance, game.decisions(table))
        yield decision.power, player(table, decision, chance)
    raise AssertionError(f"no end after {LONGEST} answers")


def play(terms: Terms, seed: int | str, player: Player = choose, transfers: float = 0.05) -> tuple[Table, list[Event]]:
    """A whole game."""
    table, events = start(terms, seed)
    for power, answer in answers(table, chance_of(terms, seed), player, transfers):
        events += game.apply(table, power, answer)
    return table, events
