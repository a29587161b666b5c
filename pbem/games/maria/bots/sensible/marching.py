"""Marches of the sensible bot, and its other answers that move pieces or pay for them, such as hussars, new troops and
tolls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from msgspec.structs import replace

from pbem.bots.sensible.fighting import best_of, distribute_troops, front, least_missed_payment, priority
from pbem.bots.sensible.marching import needs_train, next_move
from pbem.bots.sensible.valuing import Goals, MarchValues, PlaceValues, enemy_fortresses, train_worth
from pbem.engine.cards import points
from pbem.engine.conquest import controller, held_by_partners
from pbem.engine.decisions import Answer, Done, March, Recruit, Recruitment, Reenter
from pbem.engine.field import OFF, Field, are_enemies, at_home, by_command, pieces_at
from pbem.engine.nouns import City, Piece, Power, each_piece
from pbem.engine.roads import Road
from pbem.engine.rules import Rules
from pbem.engine.supply import toll, trace
from pbem.engine.troops import needs_commander
from pbem.games.maria.bots.holding import toll_payment
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.hussars import unsupplied_groups


def aims_of(outlook: MariaSight) -> Goals:
    """Return the cities that the power wants to conquer, and those that it wants to protect, with their worth."""
    sight = outlook.sight
    held = held_by_partners(sight.common, sight.field, sight.power)
    if outlook.rules.scenario.victory == "pools":
        kept = dict.fromkeys(held, outlook.weights.held)
        return Goals(dict.fromkeys(enemy_fortresses(sight), outlook.weights.marker_on_map), kept, {})
    lands, hunger = goal_lands(outlook), appetite(outlook)
    targets = {city: hunger * rank(outlook, lands, city) for city in enemy_fortresses(sight)}
    return Goals(targets, {city: 1.0 for city in held if sight.common.board.land[city] in lands}, {})


def goal_lands(outlook: MariaSight) -> frozenset[str]:
    """Return the lands whose fortresses count for the power's goal, or for any goal if the power has none."""
    goals, sight = outlook.rules.scenario.goals, outlook.sight
    principal = sight.field.alliances.principal[sight.power]
    wanted = [goals[principal]] if principal in goals else goals.values()
    return frozenset(land for goal in wanted for land in goal.lands)


def appetite(outlook: MariaSight) -> float:
    """Return the factor by which the power values conquests: 1, or the weight `sated` once it controls enough
    fortresses for its goal."""
    sight = outlook.sight
    principal = sight.field.alliances.principal[sight.power]
    goal = outlook.rules.scenario.goals.get(principal)
    if goal is None:
        return 1.0
    rules, land = sight.common, sight.common.board.land
    mine = [city for city in rules.board.fortresses if controller(rules, sight.field, city) == principal]
    return 1.0 if sum(land[city] in goal.lands for city in mine) < goal.fortresses else outlook.weights.sated


def rank(outlook: MariaSight, lands: frozenset[str], city: City) -> float:
    """Return the factor of a fortress's worth: 1 in these lands, elsewhere the weight `major` or `minor`."""
    board = outlook.sight.common.board
    if board.land[city] in lands:
        return 1.0
    return outlook.weights.major if board.cities[city].fortress == "major" else outlook.weights.minor


def make_march(outlook: MariaSight, decision: March, chance: Random) -> Answer:
    """Return the next march. If no piece gains by marching, return the re-entry of a lost train that the power needs.
    If there is no such train, return the end of the marches."""
    judge = PlaceValues(outlook.sight, aims_of(outlook))
    return next_move(judge, decision, chance) or return_of_train(outlook, judge, decision) or Done()


def return_of_train(outlook: MariaSight, judge: PlaceValues, decision: March) -> Reenter | None:
    """Return the answer by which a lost train re-enters. Return None if the power has lost no train, does not need it,
    or cannot pay for it."""
    sight, power = outlook.sight, decision.power
    price = sight.common.limits.train_price
    attacks = sight.field.alliances.principal[power] in outlook.rules.scenario.goals
    if points(sight.common.decks, sight.hands[power]) < price or not needs_train(sight, power, attacks):
        return None
    for train, cities in decision.trains.items():
        if sight.place(train) == OFF:
            city = max(cities, key=lambda place: train_worth(judge, train, place))
            return Reenter(train, city, least_missed_payment(sight, power, price))
    return None


DETOUR = 0.2
"""Worth of every city of detour that hussars cause, in points of toll."""


def place_hussars(outlook: MariaSight, decision: d.PlaceHussars, chance: Random) -> Answer:
    """Place the hussars where the enemy's tolls become highest. If the weight `variety` is not zero, chance may choose
    cities where the tolls become nearly as high."""
    variety = outlook.sight.weights.variety
    luck = {city: variety * chance.random() for city in decision.cities} if variety else {}
    return raid(outlook.sight.common, outlook.sight.field, decision, luck)


NO_LUCK: Mapping[City, float] = {}


def raid(
    rules: Rules, field: Field, decision: d.PlaceHussars, luck: Mapping[City, float] = NO_LUCK
) -> d.HussarPlacement:
    """Place the hussars one after the other, each where it costs the enemy most, and return the placement. `luck` has
    numbers that are added to the costs of some cities.

    With an empty `luck` the results must stay the same in every version: the plan `raid: costliest` uses them, and
    archives are verified by computing them again.
    """
    hussars = [OFF] * len(decision.standing)
    tried = replace(field, hussars=hussars)
    for hussar, standing in enumerate(decision.standing):
        open_to = {standing, *decision.cities} - {OFF, *hussars[:hussar]}
        worth = {city: luck.get(city, 0.0) for city in open_to}
        hussars[hussar] = costliest_city(rules, tried, decision.power, hussar, worth)
    return d.HussarPlacement(tuple(hussars))


def costliest_city(rules: Rules, field: Field, power: Power, hussar: int, cities: Mapping[City, float]) -> City:
    """Return the city where a hussar raises the cost of the enemy's supply most. `cities` has a number for each city
    that is added to the cost there. Return OFF if the hussar costs the enemy nothing. The hussar is moved about in
    `field`, and ends off the board."""
    paths = supply_paths(rules, field, power)
    best, most = OFF, 0.0
    for city in sorted(cities.keys() & {city for path in paths.values() for city in path}):
        field.hussars[hussar] = city
        added = added_at(rules, field, paths, city)
        if added > 0 and added + cities[city] > most:
            best, most = city, added + cities[city]
    field.hussars[hussar] = OFF
    return best


def added_at(rules: Rules, field: Field, paths: Mapping[Piece, Road], city: City) -> float:
    """Return the additional cost of the enemy's supply that the hussar in this city causes. `paths` are the supply
    paths without this hussar."""
    return sum(burden(rules, field, general, path) for general, path in paths.items() if city in path)


def raid_worth(rules: Rules, field: Field, decision: d.PlaceHussars, placement: d.HussarPlacement) -> float:
    """Return the additional cost of the enemy's supply that all hussars of a placement cause, as `raid` adds it up."""
    tried, worth = replace(field, hussars=[OFF] * len(decision.standing)), 0.0
    for hussar, city in enumerate(placement.cities):
        if city != OFF:
            paths = supply_paths(rules, tried, decision.power)
            tried.hussars[hussar] = city
            worth += added_at(rules, tried, paths, city)
    return worth


def burden(rules: Rules, field: Field, general: Piece, before: Road) -> float:
    """Return how much a hussar costs a general's supply: the toll of his present path, less the toll of `before`, his
    path without this hussar. A little is added for the hussar and for each city of detour."""
    path = trace(rules, field, general) or before
    added = price(rules, field, general, path) - price(rules, field, general, before)
    return added + DETOUR * (1 + len(path) - len(before))


def supply_paths(rules: Rules, field: Field, power: Power) -> dict[Piece, Road]:
    """Return the supply path of each enemy general. Generals at home and generals without a path are left out."""
    found: dict[Piece, Road] = {}
    for general, piece in each_piece(field.pieces):
        if (
            piece.city < 0
            or not rules.is_general(general)
            or not are_enemies(field, rules.pieces[general].power, power)
        ):
            continue
        path = None if at_home(rules, field, general) else trace(rules, field, general)
        if path:
            found[general] = path
    return found


def price(rules: Rules, field: Field, general: Piece, path: Road) -> int:
    return toll(rules, field, rules.pieces[general].power, path)


def send_corps(outlook: MariaSight, decision: d.SendCorps, chance: Random) -> Answer:
    """Send the general on the map who is needed least. If none is on the map, send the first general off the map, and
    pay for his troops."""
    sight = outlook.sight
    at_hand = [general for general in decision.generals if general not in decision.recruits]
    if at_hand:
        return d.Corps(min(at_hand, key=lambda g: (sight.field.pieces[g].troops, priority(sight, g, 0))))
    return d.Corps(
        decision.recruits[0], least_missed_payment(sight, decision.power, outlook.rules.game.advanced.corps_price)
    )


def relocate(outlook: MariaSight, decision: d.Relocate, chance: Random) -> Answer:
    """Move the piece to the city where it is worth most. In a stack of equal ranks the present commander stays in
    command."""
    sight, piece = outlook.sight, decision.piece
    judge = PlaceValues(sight, aims_of(outlook))
    if not sight.common.is_general(piece):
        return d.GoTo(max(decision.cities, key=lambda city: train_worth(judge, piece, city)))
    mission = MarchValues(judge, (piece,))
    city = max(decision.cities, key=mission.place)
    mates = by_command(sight.common, sight.field, (mate for mate in pieces_at(sight.field, city) if mate != piece))
    stack = by_command(sight.common, sight.field, [*mates, piece])
    return d.GoTo(city, mates[0] if mates and needs_commander(sight.common, stack) else None)


def recruit(outlook: MariaSight, decision: Recruit, chance: Random) -> Answer:
    """Recruit troops for the generals who need them most, and pay with the cards of least worth. Generals re-enter near
    the enemy."""
    sight = outlook.sight
    price = sight.common.limits.troop_price
    wanted = int(points(sight.common.decks, decision.hand) * outlook.weights.spent_in_winter) // price
    muster = muster_of(outlook, decision.room, returning_generals(outlook, decision.entries, wanted, chance), wanted)
    if not muster.troops:
        return Recruitment()
    cards = least_missed_payment(sight, decision.power, sum(muster.troops.values()) * price)
    return Recruitment(cards, muster.troops, muster.entries)


def reinforce(outlook: MariaSight, decision: d.Reinforce, chance: Random) -> Answer:
    """Bring as many generals back as the free troops can fill, and give the troops to the generals who need them most
    (§17.5)."""
    chosen = returning_generals(outlook, decision.entries, decision.troops, chance)
    return muster_of(outlook, decision.room, chosen, decision.troops)


def muster_of(outlook: MariaSight, room: Mapping[Piece, int], chosen: Mapping[Piece, City], wanted: int) -> Recruitment:
    """Return the answer, without payment, that gives up to `wanted` troops to the generals who need them most. `chosen`
    has the cities where generals re-enter if they get troops."""
    open_to = {g: left for g, left in room.items() if outlook.sight.place(g) >= 0 or g in chosen}
    troops = distribute_troops(outlook.sight, open_to, wanted)
    return Recruitment((), troops, {general: city for general, city in chosen.items() if troops.get(general)})


def returning_generals(
    outlook: MariaSight, entries: Mapping[Piece, tuple[City, ...]], troops: int, chance: Random
) -> dict[Piece, City]:
    """Return the city where each returning general re-enters: an empty fortress as near to the enemy as possible. The
    weight `band` is the number of new `troops` that there must be for every general who returns."""
    sight = outlook.sight
    chosen: dict[Piece, City] = {}
    for general, cities in entries.items():
        free = [city for city in cities if city not in chosen.values() and not pieces_at(sight.field, city)]
        if free and troops >= outlook.weights.band * (len(chosen) + 1):
            chosen[general] = best_of(sight, sorted(free), lambda city: -front(sight, city), chance)
    return chosen


def give_subsidy(outlook: MariaSight, decision: d.Subsidy, chance: Random) -> Answer:
    """Give the subsidy if the receiver has a general on the map and less than half as many cards as the giver."""
    sight = outlook.sight
    in_the_field = any(sight.place(general) >= 0 for general in sight.common.generals(decision.receiver))
    sizes = sight.hand_sizes
    return d.GiveSubsidy(in_the_field and 2 * sizes[decision.receiver] < sizes[decision.power])


def pay_toll(outlook: MariaSight, decision: d.Toll, chance: Random) -> Answer:
    """Pay a toll with the cards of least worth. If the hand is worth too little, the generals with fewest troops go
    unsupplied."""
    sight = outlook.sight
    rules = sight.common

    def lost(group: Sequence[Piece]) -> int:
        return sum(2 * sight.field.pieces[g].troops + len(group) for g in group)

    unsupplied = min(unsupplied_groups(rules, decision.claims, decision.hand), key=lost)
    return toll_payment(rules, decision, unsupplied, lambda price: least_missed_payment(sight, decision.power, price))
