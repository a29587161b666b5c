"""Values of places on the map for a general or a train, and values of gains on a march.

Each term of a value stands for one piece of advice that a beginner would get.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from msgspec import Struct

from pbem.bots.sensible.fighting import cards_in, odds
from pbem.bots.sensible.sight import Sight
from pbem.bots.weights import FADE, attraction
from pbem.engine.conquest import is_protected, opponents_of
from pbem.engine.field import are_partners, by_command, troops_at
from pbem.engine.march import CityEntry, Column, destinations, spread
from pbem.engine.nouns import City, Piece, Power, Suit
from pbem.engine.roads import Road, Ways
from pbem.engine.supply import loss_of


class MarchOption(Struct, frozen=True):
    """Possible march: its path, the cities where it takes trains, and the cities whose fortresses it gains by leaving
    them (`left`). A protected fortress is gained only once a fight is won."""

    path: Road
    left: frozenset[City] = frozenset()
    trains: frozenset[City] = frozenset()


ReachedCity = tuple[City, bool, MarchOption]
"""City that a march has reached, True if it used main roads only, and the march itself."""


def march_options(sight: Sight, column: Column, open_to_conquest: frozenset[City]) -> list[MarchOption]:
    """Return the marches to choose from: one shortest march for each end and each set of gains on the way.
    `open_to_conquest` are the fortresses that may be gained."""
    prizes = open_to_conquest - set(column.circumstances.closed) if may_conquer(sight, column) else frozenset()
    found: dict[tuple[City, bool, Collection[City], Collection[City]], MarchOption] = {}
    edge: list[ReachedCity] = [(column.start, True, MarchOption(()))]
    while edge:
        beyond: list[ReachedCity] = []
        for leg in edge:
            for city, all_main, longer in steps(column, leg, prizes):
                key = (city, all_main, longer.left, longer.trains)
                if key in found:
                    continue
                found[key] = longer
                if not column.halts(column.entry(city)):
                    beyond.append((city, all_main, longer))
        edge = beyond
    forced = Ways(column.start, [spread(column, column.ranges.forced, main_only=True, forced=True)])
    reached = {city for city, *_ in found}
    every = [*found.values(), *(MarchOption(path) for city, path in forced.items() if city not in reached)]
    return [outing for outing in every if column.may_end(outing.path[-1])]


def may_conquer(sight: Sight, column: Column) -> bool:
    """True if a march of the column's pieces can conquer fortresses and objectives (§10.3; FRIEDRICH §5, §9)."""
    able = sight.common.down_conquer or any(not sight.field.pieces[mover].down for mover in column.movers)
    return able and not column.is_train


def steps(column: Column, leg: ReachedCity, prizes: Collection[City]) -> list[ReachedCity]:
    """Return the marches that continue `leg` by one city. If the city that is left is in `prizes`, the march gains
    it."""
    here, all_main, outing = leg
    any_road, main_road, _ = column.ranges
    board = column.rules.board
    left = outing.left | {here} if here in prizes else outing.left
    found: list[ReachedCity] = []
    for city in board.near[here]:
        on_main = all_main and city in board.on_main[here]
        if len(outing.path) >= (main_road if on_main else any_road) or column.step_closed(here, city):
            continue
        entry = column.entry(city)
        if entry is not CityEntry.BLOCKED:
            trains = outing.trains | {city} if entry is CityEntry.TRAIN else outing.trains
            found.append((city, on_main, MarchOption((*outing.path, city), left, trains)))
    return found


def enemy_fortresses(sight: Sight) -> frozenset[City]:
    """Return the enemy fortresses, or in some games objectives, that the power may conquer."""
    return opponents_of(sight.common, sight.field, sight.power).fortresses


LEAST_HUNGER, MOST_HUNGER = 2, 6
"""Limits of a general's hunger, in cities. Hunger is `LEAST_HUNGER` plus the number of cities by which he is out of the
supply range of his train, and at most `MOST_HUNGER`."""


class Goals(Struct, frozen=True):
    """Places on the map that a power wants to conquer or to protect."""

    targets: Mapping[City, float]
    """Weight of each city that the power may conquer."""
    guarded: Mapping[City, float]
    """Weight of each city that the power has to protect; the power or a partner holds the city."""
    claimants: Mapping[City, Power]
    """Dict from each place that only one enemy may conquer to this enemy."""


class PlaceValues:
    """Worth of places for the power that decides."""

    def __init__(self, sight: Sight, aims: Goals) -> None:
        self.sight = sight
        self.weights = sight.weights
        self.aims = aims
        self.board = sight.common.board
        self.generals = sight.pieces_on_map("general")
        self.trains = sight.pieces_on_map("train")
        self.cards: dict[tuple[Power, Suit], float] = {}

    @cached_property
    def prizes(self) -> frozenset[City]:
        """All places that the power may conquer, even if `aims` does not name them."""
        return enemy_fortresses(self.sight)

    def cards_in(self, power: Power, suit: Suit) -> float:
        """Return the strength of a power's hand in a suit."""
        if (power, suit) not in self.cards:
            self.cards[power, suit] = cards_in(self.sight, power, suit)
        return self.cards[power, suit]

    @cached_property
    def targets(self) -> dict[City, float]:
        """Attraction of each city that the power may conquer, less if the city is protected."""
        rules, field, shielded = self.sight.common, self.sight.field, self.weights.protected_target
        return {
            city: weight * (shielded if is_protected(rules, field, city) else 1.0)
            for city, weight in self.aims.targets.items()
        }  # fmt: skip

    @cached_property
    def guarded(self) -> dict[City, float]:
        """Weight of each place to protect, greater if an enemy is near. Places of weight 0 are left out."""
        found = {city: w * danger(self.nearest_enemy(city)) for city, w in self.aims.guarded.items()}
        return {city: weight for city, weight in found.items() if weight}

    @cached_property
    def enemy_troops(self) -> dict[City, int]:
        """Guess of the troops in each city with an enemy stack."""
        sight = self.sight
        cities = {sight.place(g) for g in self.generals if sight.is_hostile(g)}
        return {city: troops_at(sight.common, sight.field, city) for city in sorted(cities)}

    @cached_property
    def leaders(self) -> dict[City, Power]:
        """Dict from each city with an enemy stack to the power whose cards this stack would play."""
        sight = self.sight
        found: dict[City, Power] = {}
        for general in by_command(sight.common, sight.field, self.generals):
            found.setdefault(sight.place(general), sight.power_of(general))
        return {city: found[city] for city in self.enemy_troops}

    @cached_property
    def enemy_trains(self) -> list[City]:
        return [self.sight.place(train) for train in self.trains if self.sight.is_hostile(train)]

    @cached_property
    def open_to_enemies(self) -> frozenset[City]:
        """Cities in which enemy generals can end their next march, if all other pieces stay where they are."""
        sight, hostile = self.sight, filter(self.sight.is_hostile, self.generals)
        return frozenset(city for enemy in hostile for city in destinations(sight.marches.column((enemy,))))

    def nearest_enemy(self, city: City) -> int:
        """Return the distance of the nearest enemy general who could conquer the city; 99 if there is none."""
        far, only = self.board.distance(city), self.aims.claimants.get(city)
        return min((far[e] for e in self.enemy_troops if only is None or self.leaders[e] == only), default=99)

    def gains(self, outing: MarchOption, winning: float) -> float:
        """Return the worth of all that a march gains on its way. `winning` is the chance to win the fight at its end;
        protected fortresses fall only if this fight is won."""
        rules, field = self.sight.common, self.sight.field
        total = self.weights.train * len(outing.trains)
        for city in outing.left:
            sure = 0.5 * winning if is_protected(rules, field, city) else 1.0
            total += self.weights.conquest * self.aims.targets.get(city, 0.0) * sure
        return total


def danger(distance: int) -> float:
    """Return the danger to a place whose nearest enemy is this many cities away: 1 nearby, less far away."""
    if distance <= 3:
        return 1.0
    return 0.7 if distance <= 7 else 0.3 if distance <= 11 else 0.08


class MarchValues:
    """Worth of places for generals who march together, or for a single general."""

    def __init__(self, judge: PlaceValues, movers: Sequence[Piece]) -> None:
        """Compute the facts that are the same for all cities."""
        self.judge = judge
        self.sight = judge.sight
        self.weights = judge.weights
        self.draws = attraction(self.weights.approach, self.weights.direction)
        self.board = judge.board
        self.movers = tuple(movers)
        sight = self.sight
        self.others = [g for g in judge.generals if g not in self.movers and sight.is_mine(g)]
        self.down = any(sight.field.pieces[mover].down for mover in movers)
        self.unguarded = {c: w for c, w in judge.guarded.items() if not self.is_covered_by_others(c)}
        self.goals = {city: weight * self.claim(city) for city, weight in judge.targets.items()}
        most, troops = sight.common.limits.troops, sum(sight.field.pieces[mover].troops for mover in movers)
        self.stake = max(0.0, 1 + self.weights.stakes * (troops - most / 2))
        self.worth: dict[City, float] = {}
        self.posts: dict[Piece, list[City]] = {}

    def is_covered_by_others(self, city: City) -> bool:
        """True if another general of the same player already protects the city."""
        ring = self.board.cities_within(city, self.sight.common.limits.protection)
        field, power = self.sight.field, self.sight.power
        return any(
            self.sight.place(g) in ring and are_partners(field, self.sight.power_of(g), power) for g in self.others
        )

    def claim(self, city: City) -> float:
        """Return the factor by which the worth of a target counts: less than 1 if another general of the player is
        nearer to it."""
        far = self.board.distance(city)
        here = far[self.sight.place(self.movers[0])]
        return self.weights.shared_target if any(far[self.sight.place(g)] < here for g in self.others) else 1.0

    def place(self, city: City) -> float:
        """Return the worth of standing in a city at the end of the movement phase."""
        if city not in self.worth:
            self.worth[city] = (
                # Threat and hunger are costs, and never negative; a fight may be either.
                self.approach(city) + self.guard(city) + self.chase(city) + self.comradeship(city)
                + self.fight(city) - self.threat(city) - self.hunger(city)
            )  # fmt: skip
        return self.worth[city]

    def approach(self, city: City) -> float:
        """Return the worth of being near to the most attractive target. Return 0 if the generals cannot conquer because
        one of them is face-down."""
        if self.down and not self.sight.common.down_conquer:
            return 0.0
        far = self.board.distance(city)
        return max((weight * self.draws[far[target]] for target, weight in self.goals.items()), default=0.0)

    def guard(self, city: City) -> float:
        """Return the worth of protecting, or being near to, places that no other general protects."""
        far, reach = self.board.distance(city), self.sight.common.limits.protection
        held = sum(weight for fortress, weight in self.unguarded.items() if far[fortress] <= reach)
        near = max((w * FADE ** max(0, far[c] - reach) for c, w in self.unguarded.items()), default=0.0)
        return self.weights.guard * (held + 0.5 * near)

    def chase(self, city: City) -> float:
        """Return the worth of being near to an enemy train."""
        far = self.board.distance(city)
        return self.weights.chase * max((FADE ** far[train] for train in self.judge.enemy_trains), default=0.0)

    def comradeship(self, city: City) -> float:
        """Return the worth of the player's other generals who are within one march of the city."""
        if not self.weights.company:
            return 0.0
        far, reach = self.board.distance(city), self.sight.common.limits.general_march
        return self.weights.company * sum(far[self.sight.place(g)] <= reach for g in self.others)

    def company(self, city: City) -> list[Piece]:
        """Return the generals who would be in the city together after the march, the commander first."""
        there = [g for g in self.others if self.sight.place(g) == city]
        return by_command(self.sight.common, self.sight.field, [*self.movers, *there])

    def strength(self, city: City) -> float:
        """Return the strength that the movers would have in a fight in a city, together with the player's generals
        there: the troops of all these generals, and the commander's cards of the city's suit."""
        company = self.company(city)
        troops = sum(self.sight.field.pieces[g].troops for g in company)
        return troops + self.judge.cards_in(self.sight.power_of(company[0]), self.board.suit[city])

    def enemy_strength(self, cities: Sequence[City]) -> float:
        """Return a guess of the strength of the enemy stacks in `cities`, in troops and cards. The cards of each power
        count once."""
        judge = self.judge
        powers = {judge.leaders[city] for city in cities}
        cards = sum(judge.cards_in(power, self.board.suit[cities[0]]) for power in sorted(powers))
        return sum(judge.enemy_troops[city] for city in cities) + cards

    def chance_against(self, city: City, enemies: Sequence[City], gained: int = 0) -> float:
        """Return the chance to win in a city against the stacks in the cities `enemies`. `gained` is the number of
        points that the movers have gained by cards."""
        powers = {self.judge.leaders[enemy] for enemy in enemies}
        unknown = sum(self.sight.hand_sizes[power] for power in powers if power not in self.sight.hands)
        return odds(self.weights, self.strength(city) + gained - self.enemy_strength(enemies), unknown)

    def winning(self, city: City, gained: int = 0) -> float | None:
        """Return the chance to win the fights in a city; None if there are none. `gained` is as in `chance_against`."""
        beside = [enemy for enemy in self.judge.enemy_troops if enemy in self.board.adjacent[city]]
        return self.chance_against(city, beside, gained) if beside else None

    def fight(self, city: City, gained: int = 0) -> float:
        """Return the worth of the fights that the movers will have in a city in the present stage. `gained` is as in
        `chance_against`."""
        winning = self.winning(city, gained)
        return 0.0 if winning is None else self.weights.fight * (winning - 0.5) * self.stake - self.weights.fight_cost

    def threat(self, city: City) -> float:
        """Return the cost of the worst attack on the movers before they move again."""
        worst = min((self.chance_against(city, [enemy]) for enemy in self.enemies_near(city)), default=1.0)
        return self.weights.threat * max(0.0, 0.5 - worst) * self.stake

    def enemies_near(self, city: City) -> list[City]:
        """Return the cities of the enemy stacks that may attack the movers in a city before they move again."""
        far, reach = self.board.distance(city), self.sight.common.limits.general_march + 1
        return [enemy for enemy in self.judge.enemy_troops if 1 < far[enemy] <= reach]

    def hunger(self, city: City) -> float:
        """Return the cost of missing supply in a city for all movers. Trains that can still move are assumed to follow
        them."""
        return sum(self.shortage(mover, city) for mover in self.movers)

    def shortage(self, mover: Piece, city: City) -> float:
        """Return the cost of missing supply for one general in a city."""
        sight, rules = self.sight, self.sight.common
        if sight.is_fed_in(mover, city):
            return 0.0
        weights = self.weights
        worst = weights.ruin if sight.field.pieces[mover].down else weights.hunger * 4
        powers = (sight.power_of(mover), *rules.pieces[mover].supplied_by)
        trains = [train for power in powers for train in rules.trains(power)]
        far = self.board.distance(city)
        away = min((far[post] for train in trains for post in self.posts_of(train)), default=99)
        return min(worst, weights.hunger * max(0, away - rules.limits.supply))

    def posts_of(self, train: Piece) -> list[City]:
        """Return the cities where a train can end the stage and supply all generals who have moved and need it. If
        there is no such city, or if the train cannot move any more, return its present city. If the train is off the
        map, return an empty list."""
        if train not in self.posts:
            self.posts[train] = self.find_posts(train)
        return self.posts[train]

    def find_posts(self, train: Piece) -> list[City]:
        """Compute the result of `posts_of`."""
        sight, limits = self.sight, self.sight.common.limits
        here = sight.place(train)
        if here < 0 or train in sight.moved or sight.power_of(train) not in sight.owing:
            return [here] if here >= 0 else []
        waiting = [
            self.board.distance(sight.place(general))
            for general in sight.common.generals(sight.power_of(train))
            if general in sight.moved and general not in self.movers and sight.place(general) >= 0
            and not sight.is_fed_in(general, sight.place(general))
            and not is_fed_by_other(self.judge, train, sight.place(general))
        ]  # fmt: skip
        shunned = self.judge.open_to_enemies if self.weights.captured else ()
        posts = [
            city
            for city in self.board.cities_within(here, limits.train_march)
            if all(far[city] <= limits.supply for far in waiting) and city not in shunned
        ]
        return sorted(posts) or [here]


def train_worth(judge: PlaceValues, train: Piece, city: City) -> float:
    """Return the worth of a city for a train: great near generals who need supply, small near enemies."""
    sight, limits, weights = judge.sight, judge.sight.common.limits, judge.weights
    far = judge.board.distance(city)
    # All terms are costs: the best place has the sum nearest to zero.
    total = -sum(weights.exposed * max(0, limits.general_march + 2 - far[enemy]) for enemy in judge.enemy_troops)
    if weights.seized and any(far[enemy] <= limits.general_march for enemy in judge.enemy_troops):
        total -= weights.seized
    total -= weights.captured if weights.captured and city in judge.open_to_enemies else 0.0
    for general in sight.common.generals(sight.power_of(train)):
        place = sight.place(general)
        if place < 0:
            continue
        total -= weights.behind * far[place]
        if not sight.is_fed_in(general, place):
            needed = weights.fed_already if is_fed_by_other(judge, train, place) else 1.0
            total -= needed * (
                hunger(sight, general, far[place]) + weights.far_behind * max(0, far[place] - limits.supply // 2)
            )
    return total


def hunger(sight: Sight, general: Piece, distance: int) -> float:
    """Return the cost of a general's `distance` from his train, in cities; it grows up to `MOST_HUNGER`."""
    missing = distance - sight.common.limits.supply
    if missing <= 0:
        return 0.0
    return loss_of(sight.field.pieces[general]) * sight.weights.hunger * min(MOST_HUNGER, LEAST_HUNGER + missing)


def is_fed_by_other(judge: PlaceValues, train: Piece, city: City) -> bool:
    """True if another train of the power of `train` is near enough to supply a general in the city."""
    sight = judge.sight
    far = judge.board.distance(city)
    mates = (sight.place(other) for other in sight.common.trains(sight.power_of(train)) if other != train)
    return any(place >= 0 and far[place] <= sight.common.limits.supply for place in mates)
