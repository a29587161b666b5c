"""Where a plan sends a beaten enemy: of the ends that the rule leaves open the one its wishes prefer (MARIA §11.2)."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence

from pbem.engine.board import UNREACHABLE
from pbem.engine.decisions import ChooseRetreat, RetreatAlong
from pbem.engine.field import are_enemies, home_of
from pbem.engine.nouns import City, Power, each_piece
from pbem.engine.retreat import Way, best_ends
from pbem.paper.plans.data import Preference, RetreatGoal, RetreatWish
from pbem.plans.sight import PlanSight


def retreat(sight: PlanSight, decision: ChooseRetreat, wish: RetreatWish) -> tuple[RetreatAlong, ...]:
    """The ends that the wishes leave, the one wanted most first; of equals the first in the alphabet."""
    assert sight.retreat is not None
    ways = best_ends(Way(sight.rules.common, sight.field, sight.retreat, decision.pieces))
    cities = sight.rules.common.board.cities
    shunned = [one for one in wish.preferences if one.kind == "never-next-to"]
    wanted = [one for one in wish.preferences if one.kind != "never-next-to"]
    left = [end for end in ways if not any(is_near(sight, decision, one, end) for one in shunned)]
    ranks = {end: [cost(sight, decision, one, end) for one in wanted] for end in left}
    return tuple(RetreatAlong(ways[end]) for end in sorted(left, key=lambda end: (ranks[end], cities[end].name, end)))


def loser_of(sight: PlanSight, decision: ChooseRetreat) -> Power:
    """The power that was beaten."""
    return sight.rules.common.pieces[decision.pieces[0]].power


def places(sight: PlanSight, power: Power, goals: Sequence[RetreatGoal]) -> set[City]:
    """The cities that goals stand for, with this power's trains and home; pieces off the map stand for none."""
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


def is_near(sight: PlanSight, decision: ChooseRetreat, wish: Preference, end: City) -> bool:
    """Whether an end lies at or beside a place that is shunned."""
    near = {end, *sight.rules.common.board.near[end]}
    return bool(near & places(sight, loser_of(sight, decision), wish.goals))


def cost(sight: PlanSight, decision: ChooseRetreat, wish: Preference, end: City) -> int:
    """How little an end answers to a wish."""
    goals = places(sight, loser_of(sight, decision), wish.goals)
    if wish.kind == "cut-off-from":
        return -road_around(sight, decision, end, goals)
    return road(sight, wish, end, goals)


def road(sight: PlanSight, wish: Preference, end: City, goals: Collection[City]) -> int:
    """How far an end is from the nearest of some places, counted against it: being near, or being far away."""
    far = sight.rules.common.board.distance(end)
    nearest = min((far[city] for city in goals), default=UNREACHABLE)
    return nearest if wish.kind == "towards" else -nearest


def road_around(sight: PlanSight, decision: ChooseRetreat, start: City, goals: Collection[City]) -> int:
    """How far the nearest place is by roads on which no enemy of the beaten stands."""
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
