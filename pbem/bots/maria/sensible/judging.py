"""What a place on the map is worth to a general or a train; every term is one line of a beginner's advice."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pbem.engine.conquest import controller, protected
from pbem.engine.field import by_command, home_of, partners, troops_at

from .fighting import cards_in, odds
from .outings import Outing, enemy_fortresses
from .sight import Sight

CONQUEST = 40.0
"""A fortress of the goal, conquered."""

TRAIN = 18.0
"""An enemy train taken."""

APPROACH = 12.0
"""Standing at a fortress of the goal; it fades with every city of distance."""

GUARD = 9.0
"""Protecting a fortress of the goal that the enemy can reach at once."""

CHASE = 6.0
"""Standing at an enemy train; it fades with distance."""

FIGHT = 20.0
"""A fight that is sure to be won, or lost."""

THREAT = 14.0
"""Being attacked with no hope."""

HUNGER = 8.0
"""Every city that a general is too far from its trains."""

FADE = 0.86
"""How much of an attraction is left one city farther away."""

SATED = 0.2
"""What is left of the wish to conquer once the goal is reached."""


class Judge:
    """The worth of places to the power that decides; what every place has in common is found out once."""

    def __init__(self, sight: Sight) -> None:
        """Judge by what this player knows."""
        self.sight = sight
        self.board = sight.common.board
        self.generals = sight.on_map("general")
        self.trains = sight.on_map("train")

    @cached_property
    def lands(self) -> frozenset[str]:
        """The lands whose fortresses decide the game for this power: its own goal's, or all that it must deny."""
        goals = self.sight.rules.scenario.goals
        principal = self.sight.field.alliances.principal[self.sight.power]
        wanted = [goals[principal]] if principal in goals else goals.values()
        return frozenset(land for goal in wanted for land in goal.lands)

    @cached_property
    def appetite(self) -> float:
        """How much further conquests are worth: little once the goal is reached and only a partner still lacks his."""
        sight = self.sight
        principal = sight.field.alliances.principal[sight.power]
        goal = sight.rules.scenario.goals.get(principal)
        if goal is None:
            return 1.0
        mine = [c for c in self.board.fortresses if controller(sight.common, sight.field, c) == principal]
        return 1.0 if sum(self.board.land[city] in goal.lands for city in mine) < goal.fortresses else SATED

    def rank(self, city: int) -> float:
        """How much a fortress matters."""
        if self.board.land[city] in self.lands:
            return 1.0
        return 0.4 if self.board.cities[city].fortress == "major" else 0.15

    @cached_property
    def targets(self) -> dict[int, float]:
        """Enemy fortresses and how attractive they are: more so where nobody protects them."""
        rules, field = self.sight.common, self.sight.field
        return {
            city: self.appetite * self.rank(city) * (0.5 if protected(rules, field, city) else 1.0)
            for city in enemy_fortresses(self.sight)
        }

    @cached_property
    def guarded(self) -> dict[int, float]:
        """Fortresses of the power and its partners that matter, and how near the enemy is to them."""
        rules, field = self.sight.common, self.sight.field
        found: dict[int, float] = {}
        for city in self.board.fortresses:
            holder = controller(rules, field, city)
            if holder and partners(field, holder, self.sight.power) and self.board.land[city] in self.lands:
                found[city] = self.rank(city) * danger(self.nearest_enemy(city))
        return {city: weight for city, weight in found.items() if weight}

    @cached_property
    def hostile(self) -> dict[int, int]:
        """The cities of enemy stacks, and their troops as far as they can be guessed."""
        sight = self.sight
        cities = {sight.place(g) for g in self.generals if sight.hostile(g)}
        return {city: troops_at(sight.common, sight.field, city) for city in sorted(cities)}

    @cached_property
    def leaders(self) -> dict[int, str]:
        """The powers whose cards the enemy stacks would play."""
        sight = self.sight
        found: dict[int, str] = {}
        for general in by_command(sight.common, sight.field, self.generals):
            found.setdefault(sight.place(general), sight.power_of(general))
        return {city: found[city] for city in self.hostile}

    @cached_property
    def prey(self) -> list[int]:
        """The cities of enemy trains."""
        return [self.sight.place(train) for train in self.trains if self.sight.hostile(train)]

    def nearest_enemy(self, city: int) -> int:
        """How far the nearest enemy general is."""
        far = self.board.distance(city)
        return min((far[enemy] for enemy in self.hostile), default=99)

    def gains(self, outing: Outing, winning: float) -> float:
        """What a march brings at once: fortresses that fall, trains, and fortresses that a victory would bring."""
        rules, field = self.sight.common, self.sight.field
        total = TRAIN * len(outing.trains)
        for city in outing.left:
            sure = 0.5 * winning if protected(rules, field, city) else 1.0
            total += CONQUEST * self.appetite * self.rank(city) * sure
        return total


def danger(distance: int) -> float:
    """How threatened a fortress is by an enemy at this distance."""
    if distance <= 3:
        return 1.0
    if distance <= 7:
        return 0.7
    return 0.3 if distance <= 11 else 0.08


class Mission:
    """The worth of places to certain generals who march together, or to one that stays."""

    def __init__(self, judge: Judge, movers: Sequence[int]) -> None:
        """Leave the movers out of what the others already do."""
        self.judge = judge
        self.sight = judge.sight
        self.board = judge.board
        self.movers = tuple(movers)
        sight = self.sight
        self.others = [g for g in judge.generals if g not in self.movers and sight.mine(g)]
        self.down = any(sight.field.pieces[mover].down for mover in movers)
        self.unguarded = {c: w for c, w in judge.guarded.items() if not self.covered_by_others(c)}
        self.goals = {city: weight * self.claim(city) for city, weight in judge.targets.items()}
        self.worth: dict[int, float] = {}

    def covered_by_others(self, city: int) -> bool:
        """Whether somebody else protects a fortress already."""
        ring = self.board.within(city, self.sight.common.limits.protection)
        field, power = self.sight.field, self.sight.power
        return any(self.sight.place(g) in ring and partners(field, self.sight.power_of(g), power) for g in self.others)

    def claim(self, city: int) -> float:
        """A target that a comrade is nearer to is less attractive."""
        far = self.board.distance(city)
        here = far[self.sight.place(self.movers[0])]
        return 0.6 if any(far[self.sight.place(g)] < here for g in self.others) else 1.0

    def place(self, city: int) -> float:
        """What it is worth to stand in a city at the end of the movement phase."""
        if city not in self.worth:
            self.worth[city] = (
                self.approach(city) + self.guard(city) + self.chase(city)
                + self.fight(city) - self.threat(city) - self.hunger(city)
            )  # fmt: skip
        return self.worth[city]

    def approach(self, city: int) -> float:
        """How near the most attractive target is."""
        if self.down:
            return 0.0
        far = self.board.distance(city)
        return APPROACH * max((weight * FADE ** far[target] for target, weight in self.goals.items()), default=0.0)

    def guard(self, city: int) -> float:
        """The fortresses protected from here that nobody else protects, or how near the next one is."""
        far, reach = self.board.distance(city), self.sight.common.limits.protection
        held = sum(weight for fortress, weight in self.unguarded.items() if far[fortress] <= reach)
        near = max((w * FADE ** max(0, far[c] - reach) for c, w in self.unguarded.items()), default=0.0)
        return GUARD * (held + 0.5 * near)

    def chase(self, city: int) -> float:
        """How near the next enemy train is."""
        far = self.board.distance(city)
        return CHASE * max((FADE ** far[train] for train in self.judge.prey), default=0.0)

    def company(self, city: int) -> list[int]:
        """The generals who would stand in the city together, the commander first."""
        there = [g for g in self.others if self.sight.place(g) == city]
        return by_command(self.sight.common, self.sight.field, [*self.movers, *there])

    def strength(self, city: int) -> float:
        """Troops and cards of the suit with which the movers would fight in a city."""
        company = self.company(city)
        troops = sum(self.sight.field.pieces[g].troops for g in company)
        return troops + cards_in(self.sight, self.sight.power_of(company[0]), self.board.suit[city])

    def enemy_strength(self, cities: Sequence[int]) -> float:
        """Troops and cards of enemy stacks as far as they can be guessed, the cards of a power counted once."""
        judge = self.judge
        powers = {judge.leaders[city] for city in cities}
        cards = sum(cards_in(self.sight, power, self.board.suit[cities[0]]) for power in sorted(powers))
        return sum(judge.hostile[city] for city in cities) + cards

    def winning(self, city: int) -> float | None:
        """The chance to win the fights that standing in a city leads to; None where there are none."""
        beside = [enemy for enemy in self.judge.hostile if enemy in self.board.adjacent[city]]
        return odds(self.strength(city) - self.enemy_strength(beside)) if beside else None

    def fight(self, city: int) -> float:
        """What the fights of this combat phase promise."""
        winning = self.winning(city)
        return 0.0 if winning is None else FIGHT * (winning - 0.5) - 1.0

    def threat(self, city: int) -> float:
        """How badly the next enemy could beat the movers here before they move again."""
        far = self.board.distance(city)
        reach = self.sight.common.limits.general_march + 1
        near = [enemy for enemy in self.judge.hostile if 1 < far[enemy] <= reach]
        if not near:
            return 0.0
        strength = self.strength(city)
        worst = max(self.enemy_strength([enemy]) for enemy in near)
        return THREAT * max(0.0, 0.5 - odds(strength - worst))

    def hunger(self, city: int) -> float:
        """How far supply is out of reach, counting on trains that still follow."""
        return sum(self.shortage(mover, city) for mover in self.movers)

    def shortage(self, mover: int, city: int) -> float:
        """The same for one general."""
        sight, rules = self.sight, self.sight.common
        power = sight.power_of(mover)
        if home_of(rules, sight.field, city) == power:
            return 0.0
        far, limits = self.board.distance(city), rules.limits
        worst = HUNGER * (8 if sight.field.pieces[mover].down else 4)
        lacking = worst
        for train in rules.trains(power):
            if sight.place(train) >= 0:
                follows = 0 if train in sight.moved else limits.train_march
                lacking = min(lacking, HUNGER * max(0, far[sight.place(train)] - limits.supply - follows))
        return lacking


def train_worth(judge: Judge, train: int, city: int) -> float:
    """What it is worth to have a train in a city: near its generals abroad, and far from enemy generals."""
    sight, limits = judge.sight, judge.sight.common.limits
    far = judge.board.distance(city)
    power = sight.power_of(train)
    total = 0.0
    for general in sight.common.generals(power):
        if sight.place(general) >= 0:
            away = far[sight.place(general)]
            abroad = home_of(sight.common, sight.field, sight.place(general)) != power
            total -= 0.3 * away + (HUNGER * max(0, away - limits.supply + 1) if abroad else 0.0)
    for enemy in judge.hostile:
        total -= 3.0 * max(0, limits.general_march + 2 - far[enemy])
    return total
