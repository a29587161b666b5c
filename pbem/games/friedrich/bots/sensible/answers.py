"""The sensible bot of FRIEDRICH: the position that the bot sees, its weights, and its answers to decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.sensible.fighting import (
    best_of,
    cards_by_worth,
    distribute_troops,
    front,
    least_missed_payment,
    priority,
)
from pbem.bots.sensible.fighting import play_card as play_usually
from pbem.bots.sensible.marching import needs_train, next_move
from pbem.bots.sensible.sight import Marches, Sight
from pbem.bots.sensible.sight import see as see_map
from pbem.bots.sensible.valuing import Goals, MarchValues, PlaceValues
from pbem.bots.weights import Weights
from pbem.engine.cards import is_reserve, points, value_of
from pbem.engine.combat import pairings
from pbem.engine.conquest import control_of, is_claimed, opponents_of
from pbem.engine.decisions import Answer, Done, March, Play, PlayCard, Recruitment, Stop
from pbem.engine.field import OFF, alter, are_enemies, are_partners, pieces_at, remove, stack_at, troops_at
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.supply import assess
from pbem.games.friedrich.rules import decisions as d
from pbem.games.friedrich.rules import movement, offensive
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.effects import may_play
from pbem.games.friedrich.rules.offensive import contenders, needed_objectives
from pbem.games.friedrich.rules.state import Table


class FriedrichWeights(Weights, frozen=True):
    """Weights of a bot in FRIEDRICH. The first six fields change defaults of `Weights`."""

    shared_target: float = 0.45
    fight_cost: float = 0.2
    threat: float = 10.0
    company: float = -0.5
    seized: float = 6.0
    trains: int = 2
    kept: float = 2.0
    """Worth of protecting all objectives that an enemy still lacks. Each of them has an equal part of this worth."""
    urgency: float = 3.0
    """Additional worth of all objectives that the power still lacks. Each of them has an equal part of this worth."""
    reconquest: float = 0.5
    """Worth of taking back an objective that an enemy has conquered and needs."""
    spared: float = 0.1
    """Worth of an objective that no power needs any more."""
    own: float = 0.3
    """Worth of protecting an objective that the power itself has conquered."""
    spent: float = 0.25
    """Part of the hand's points that may be spent on recruits while hardly any troops are missing."""
    spent_in_need: float = 0.75
    """Part of the hand's points that may be spent on recruits when no troops are left."""


USUAL = FriedrichWeights()
"""Weights of the sensible bot."""


class FriedrichSight(Struct, frozen=True):
    """Position of FRIEDRICH as the player of one power knows it, with the weights of the bot."""

    rules: FriedrichRules
    sight: Sight
    weights: FriedrichWeights
    turn: int
    wanted: dict[Power, tuple[City, ...]]
    """Objectives that each power needs to win. Powers that can no longer win by objectives are left out. Prussia is
    left out while it may not conquer its own objectives."""
    declares: Callable[[int, int], bool]
    """Function that tests if the power in combat may play a card now, given the card and the value declared for it."""


def see(table: Table, power: Power, weights: FriedrichWeights = USUAL) -> FriedrichSight:
    """Return the position as the player of this power knows it."""
    marches = Marches(partial(movement.column_of, table), partial(movement.check_move, table))
    wanted = {other: needed_objectives(table, other) for other in contenders(table)}
    if offensive.may_conquer(table):
        option = table.rules.fate.offensive.power
        wanted[option] = table.rules.objectives[option]
    return FriedrichSight(
        table.rules,
        see_map(table, power, marches, last_turn=False, weights=weights),
        weights,
        table.state.turn,
        wanted,
        partial(may_play, table),
    )


def aims_of(outlook: FriedrichSight) -> Goals:
    """Return the cities that the power wants to conquer or to protect, with their weights."""
    return Goals(targets(outlook), guarded_cities(outlook), outlook.sight.common.objectives)


def targets(outlook: FriedrichSight) -> dict[City, float]:
    """Return each objective that the power may conquer, with its weight."""
    sight = outlook.sight
    rules, weights = sight.common, outlook.weights
    lacking = [c for c in outlook.wanted.get(sight.power, ()) if sight.field.markers.get(c) != sight.power]
    found: dict[City, float] = {}
    held = opponents_of(rules, sight.field, sight.power).fortresses
    for city, owner in rules.objectives.items():
        if city in held:
            needed = city in outlook.wanted.get(owner, ())
            found[city] = weights.reconquest if needed and owner != sight.power else weights.spared
    return found | dict.fromkeys(lacking, 1 + weights.urgency / max(1, len(lacking)))


def guarded_cities(outlook: FriedrichSight) -> dict[City, float]:
    """Return each city that the power protects, with its weight. These are an enemy's objectives that the enemy lacks
    and that the power or a partner controls, and the power's own objectives that it has conquered."""
    sight = outlook.sight
    rules, field = sight.common, sight.field
    holder = control_of(rules, field).holder
    found: dict[City, float] = {}
    for enemy, cities in outlook.wanted.items():
        if are_enemies(field, enemy, sight.power):
            lacking = [city for city in cities if field.markers.get(city) != enemy]
            mine = [city for city in lacking if are_partners(field, holder[city] or enemy, sight.power)]
            found.update(dict.fromkeys(mine, outlook.weights.kept / max(1, len(lacking))))
    own = outlook.weights.own
    found.update({c: own for c in outlook.wanted.get(sight.power, ()) if field.markers.get(c) == sight.power})
    return found


def play_card(outlook: FriedrichSight, decision: PlayCard, chance: Random) -> Answer:
    """Return the play of the sensible bot, as far as the Card of Fate allows it. Twice a card's value is declared if
    allowed. A forbidden play is replaced by the allowed play of nearest worth, or by a stop if no play is allowed."""
    answer = play_usually(outlook.sight, decision, chance)
    if isinstance(answer, Stop):
        if not decision.must:
            return answer
        answer = Play(decision.cards[0], 1 if is_reserve(decision.cards[0]) else 0)
    if not is_reserve(answer.card) and outlook.declares(answer.card, 2 * value_of(answer.card)):
        return Play(answer.card, 2 * value_of(answer.card))
    if outlook.declares(answer.card, answer.value):
        return answer
    wanted = worth_of_play(answer)
    return min(allowed_plays(outlook, decision), key=lambda play: abs(worth_of_play(play) - wanted), default=Stop())


def allowed_plays(outlook: FriedrichSight, decision: PlayCard) -> Iterator[Play]:
    most = outlook.sight.common.decks.reserve_most
    for card in decision.cards:
        for value in range(1, most + 1) if is_reserve(card) else (0,):
            if outlook.declares(card, value):
                yield Play(card, value)


def worth_of_play(play: Play) -> int:
    """Return the value declared for a Reserve, or the printed value of any other card."""
    return play.value if is_reserve(play.card) else value_of(play.card)


def make_march(outlook: FriedrichSight, decision: March, chance: Random) -> Answer:
    """Return the next march, or the end of the marches if no piece gains by marching."""
    return next_move(PlaceValues(outlook.sight, aims_of(outlook)), decision, chance) or Done()


def give_back(outlook: FriedrichSight, decision: d.ReturnCards, chance: Random) -> Answer:
    """Set aside the cards of least worth among those just drawn."""
    return d.CardsBack(tuple(cards_by_worth(outlook.sight, decision.power, decision.cards)[: decision.count]))


def recruit(outlook: FriedrichSight, decision: d.Levy, chance: Random) -> Answer:
    """Return the answer that buys the trains that the power needs, then troops for the generals who need them most.
    Lost generals re-enter with some of the troops."""
    sight = outlook.sight
    missing = decision.most / outlook.rules.troops(decision.power)
    weights = outlook.weights
    share = weights.spent + (weights.spent_in_need - weights.spent) * missing
    wanted = int(points(sight.common.decks, decision.hand) * share) // decision.price
    entries = returning_trains(outlook, decision, wanted)
    wanted = min(wanted - len(entries), decision.most)
    chosen = returning_generals(outlook, decision, wanted, entries, chance)
    lost = lost_to_supply(sight, decision, entries)
    open_to = {g: left for g, left in decision.room.items() if (sight.place(g) >= 0 and g not in lost) or g in chosen}
    troops = distribute_troops(sight, open_to, wanted)
    entries |= {general: city for general, city in chosen.items() if troops.get(general)}
    price = (sum(troops.values()) + sum(not sight.common.is_general(piece) for piece in entries)) * decision.price
    return Recruitment(least_missed_payment(sight, decision.power, price), troops, entries) if price else Recruitment()


def lost_to_supply(sight: Sight, decision: d.Levy, trains: dict[Piece, City]) -> set[Piece]:
    """Return the power's generals whom the supply phase of this stage certainly removes (§9). `trains` has the cities
    of returning trains. Generals with a battle ahead are left out, and enemies whom the power attacks bar no supply."""
    rules, field = sight.common, replace(sight.field, pieces=[*sight.field.pieces])
    if decision.early:  # Pieces may still march.
        return set()
    for train, city in trains.items():
        alter(field, train, city=city)
    battles = pairings(rules, field, [decision.power])
    for enemy in {general for battle in battles for general in stack_at(rules, field, battle.defender)}:
        remove(field, enemy)
    hungry = assess(rules, field, decision.power).cut_off
    starving = {field.pieces[general].city for general in hungry if field.pieces[general].down}
    starving -= {battle.attacker for battle in battles}
    return {general for city in starving for general in stack_at(rules, field, city)}


def returning_trains(outlook: FriedrichSight, decision: d.Levy, wanted: int) -> dict[Piece, City]:
    """Return the cities where lost trains re-enter: at most `wanted` trains, and no more than the power needs. Each
    train gets the open city nearest to the power's generals."""
    sight, power = outlook.sight, decision.power
    lost = [piece for piece in decision.entries if not sight.common.is_general(piece)]
    missing = outlook.weights.trains - sum(sight.place(train) >= 0 for train in sight.common.trains(power))
    chosen: dict[Piece, City] = {}
    if not lost or not needs_train(sight, power, power in outlook.wanted):
        return chosen
    for train in lost[: min(missing, wanted, 1 if decision.one_city else missing)]:
        free = [city for city in decision.entries[train] if city not in chosen.values()]
        if free:
            chosen[train] = min(free, key=lambda city: (distance_to_generals(outlook, power, city), city))
    return chosen


def distance_to_generals(outlook: FriedrichSight, power: Power, city: City) -> int:
    """Return the sum of the distances, in cities, between a city and the power's generals on the map."""
    sight = outlook.sight
    far = sight.common.board.distance(city)
    return sum(far[sight.place(general)] for general in sight.common.generals(power) if sight.place(general) >= 0)


def returning_generals(
    outlook: FriedrichSight, decision: d.Levy, troops: int, taken: dict[Piece, City], chance: Random
) -> dict[Piece, City]:
    """Return the city where each returning general re-enters: an open city as near to the enemy as possible. The first
    general needs one new troop, and each further general needs as many more troops as the weight `band` says. `taken`
    has the cities of returning trains."""
    sight, band = outlook.sight, outlook.weights.band
    chosen: dict[Piece, City] = {}
    for general, cities in decision.entries.items():
        if not sight.common.is_general(general) or general not in decision.room or troops < band * len(chosen) + 1:
            continue
        if decision.one_city and (chosen or taken):
            cities = tuple(city for city in cities if city in {*chosen.values(), *taken.values()})
        free = [city for city in cities if city not in taken.values() and has_room(outlook, city, chosen)]
        if free:
            chosen[general] = best_of(sight, sorted(free), lambda city: -front(sight, city), chance)
    return chosen


def has_room(outlook: FriedrichSight, city: City, chosen: dict[Piece, City]) -> bool:
    """True if another general may enter a city in addition to the generals who enter it in `chosen`."""
    there = len(pieces_at(outlook.sight.field, city)) + list(chosen.values()).count(city)
    return there < outlook.sight.common.limits.stack


POOR_CARD = 6.0
"""Highest value of a card that the bot exchanges for an unknown card."""

WELL_ON_THE_WAY = 0.4
"""Part of its objectives that a power must hold before it sets a card aside for the Offensive Option."""


def name_general(outlook: FriedrichSight, decision: d.ChooseGeneral, chance: Random) -> Answer:
    """Return the general who needs a new troop most. If the decision takes a troop or a general away, return the
    general who will be missed least."""
    sight = outlook.sight
    pieces = sight.field.pieces
    match decision.reason:
        case "gain":
            return d.NamedGeneral(max(decision.generals, key=lambda g: priority(sight, g, 0)))
        case "loss":
            return d.NamedGeneral(min(decision.generals, key=lambda g: priority(sight, g, -1)))
        case "removal":
            return d.NamedGeneral(min(decision.generals, key=lambda g: (pieces[g].city != OFF, pieces[g].troops, -g)))


def give_card(outlook: FriedrichSight, decision: d.GiveCard, chance: Random) -> Answer:
    """Give the card of least worth if it is poor or must be given; else give none. Answer with the result of `stake` if
    the decision is about the Offensive Option."""
    sight, power = outlook.sight, decision.power
    if decision.reason == "offensive":
        return d.GivenCard(stake(outlook, decision))
    if not decision.cards:
        return d.GivenCard(None)
    card = cards_by_worth(sight, power, decision.cards)[0]
    poor = not is_reserve(card) and value_of(card) <= POOR_CARD
    return d.GivenCard(card if poor or not decision.may_decline else None)


def stake(outlook: FriedrichSight, decision: d.GiveCard) -> Card | None:
    """Return the card that the power sets aside to declare the Offensive Option. Return None if no card suffices, or if
    the power holds too few of its objectives."""
    cities = outlook.wanted.get(decision.power, ())
    held = sum(outlook.sight.field.markers.get(city) == decision.power for city in cities)
    if not decision.cards or held < WELL_ON_THE_WAY * len(cities):
        return None
    return cards_by_worth(outlook.sight, decision.power, decision.cards)[0]


def shift_pieces(outlook: FriedrichSight, decision: d.ShiftPieces, chance: Random) -> Answer:
    """Move the power's own pieces to the best city, or a beaten enemy to the city farthest from the objectives that he
    wants. If no city is better than the present city, leave the pieces there."""
    sight = outlook.sight
    if decision.reason == "rout":
        enemy = sight.power_of(decision.pieces[0])
        goals = [city for city in sight.common.objectives if is_claimed(sight.common, sight.field, city, enemy)]

        def remote(city: City) -> int:
            far = sight.common.board.distance(city)
            return min((far[goal] for goal in goals), default=0)

        best = max(decision.cities, key=lambda city: (remote(city), -city), default=decision.start)
        return d.Shift(best if remote(best) > remote(decision.start) else None)
    mission = MarchValues(PlaceValues(sight, aims_of(outlook)), decision.pieces)
    best = max((decision.start, *decision.cities), key=mission.place)
    return d.Shift(None if best == decision.start else best)


def choose_cities(outlook: FriedrichSight, decision: d.ChooseCities, chance: Random) -> Answer:
    """Name cities for a decision. For a blockade they are the cities with the most troops. For objectives that are
    given back for lack of a garrison they are the cities farthest from the enemy."""
    sight = outlook.sight

    def wish(city: City) -> tuple[int, int]:
        if decision.reason == "blockade":
            return troops_at(sight.common, sight.field, city), -city
        return front(sight, city), -city

    return d.NamedCities(tuple(sorted(decision.cities, key=wish, reverse=True)[: decision.count]))
