"""Movement of the sensible bot: one piece after the other goes to the place of greatest worth."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from msgspec import Struct

from pbem.bots.sensible.fighting import cards_in
from pbem.bots.sensible.sight import Sight
from pbem.bots.sensible.valuing import Goals, MarchValues, PlaceValues, march_options, train_worth
from pbem.engine.decisions import March, Move, Pairing
from pbem.engine.field import home_of, pieces_at, stack_at
from pbem.engine.march import CityEntry, Column
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.roads import Road
from pbem.engine.supply import assess
from pbem.engine.troops import needs_commander


def next_move(judge: PlaceValues, decision: March, chance: Random) -> Move | None:
    """Return the next move; None if no piece gains by moving. Trains move after the generals."""
    sight = judge.sight
    for movers in columns(sight, decision):
        march = best_of_stack(judge, movers, chance)
        if march and sight.marches.allows(decision, march.move):
            return march.move
    for train in (piece for piece in decision.pieces if not sight.common.is_general(piece)):
        move = best_haul(judge, train)
        if move and sight.marches.allows(decision, move):
            return move
    return None


def columns(sight: Sight, decision: March) -> Iterator[tuple[Piece, ...]]:
    """Yield each group of generals who may march together. For each stack the first group has all its generals; then
    each general is a group alone."""
    seen: set[City] = set()
    for piece in decision.pieces:
        if not sight.common.is_general(piece):
            continue
        city = sight.place(piece)
        mates = tuple(m for m in pieces_at(sight.field, city) if m not in sight.moved and may_move(sight, m))
        if len(mates) > 1 and city not in seen:
            yield mates
        seen.add(city)
        yield (piece,)


def may_move(sight: Sight, piece: Piece) -> bool:
    """True if the piece belongs to the player who decides, and its power still has to move."""
    return sight.is_mine(piece) and sight.power_of(piece) in sight.owing


class Improvement(Struct, frozen=True):
    """March, with the worth that it gains over staying."""

    move: Move
    gain: float


def best_of_stack(judge: PlaceValues, movers: tuple[Piece, ...], chance: Random) -> Improvement | None:
    """Return the best march for a stack. All generals march together, or one general marches alone if his gain times
    the weight `apart` is greater. Return None if the generals together gain nothing."""
    together, apart = best_march(judge, movers, chance), judge.weights.apart
    if together is None or not apart or len(movers) == 1:
        return together
    alone = [march for mover in movers if (march := best_march(judge, (mover,), chance))]
    best = max(alone, key=lambda march: march.gain, default=together)
    return best if best.gain * apart > together.gain else together


FIRST_TURN = 1

ALIKE = 1e-9
"""Greatest difference of two worths that count as equal."""


def best_march(judge: PlaceValues, movers: tuple[Piece, ...], chance: Random) -> Improvement | None:
    """Return the march with the greatest worth. A random number of at most the weight `whim` is added to each worth. Of
    marches with equal worth the one with the best supply counts. Return None if no march gains more than the weight
    `inertia`."""
    sight = judge.sight
    whim = judge.weights.whim + (judge.weights.opening if sight.turn <= FIRST_TURN else 0.0)
    column = sight.marches.column(movers)
    mission = MarchValues(judge, movers)
    stay = mission.place(column.start)
    best, most = None, stay + sight.weights.inertia
    for outing in march_options(sight, column, judge.prizes):
        end = outing.path[-1]
        # Protected fortresses fall only after a fight at the end of the march: without a fight their worth is 0.
        worth = mission.place(end) + judge.gains(outing, mission.winning(end) or 0.0) + whim * chance.random()
        if worth <= most - ALIKE:
            continue
        if column.entry(end) is CityEntry.JOIN:
            there = column.taken[end]
            if not all(sight.is_mine(general) for general in there):
                continue
            worth -= sight.weights.still_to_move * sum(g not in sight.moved and may_move(sight, g) for g in there)
        if best and abs(worth - most) <= ALIKE:
            is_better = upkeep(sight, movers, outing.path) < upkeep(sight, movers, best)
        else:
            is_better = worth > most
        if is_better:
            best, most = outing.path, worth
    return Improvement(Move(movers, best, commander(sight, column, best[-1])), most - stay) if best else None


def upkeep(sight: Sight, movers: tuple[Piece, ...], path: Road) -> tuple[int, int]:
    """Return how many generals of the movers' powers are out of supply after a march, and the toll for the supply of
    the others in points of cards. Trains and enemies are assumed to stay where they stand."""
    after = sight.field_after(movers, path[-1])
    found = [assess(sight.common, after, power) for power in sorted({sight.power_of(mover) for mover in movers})]
    return sum(len(each.cut_off) for each in found), sum(claim.toll for each in found for claim in each.tolled)


def commander(sight: Sight, column: Column, city: City) -> Piece | None:
    """Return the general who should command the stack that a march would form in `city`: the one whose power has the
    strongest hand there. Return None if the march forms no stack, or if the ranks of the generals leave no choice."""
    if column.entry(city) is not CityEntry.JOIN:
        return None
    stack = [*column.movers, *column.taken[city]]
    if not needs_commander(sight.common, stack):
        return None
    suit = sight.common.board.suit[city]
    return max(stack, key=lambda general: cards_in(sight, sight.power_of(general), suit))


def best_haul(judge: PlaceValues, train: Piece) -> Move | None:
    """Return the best move of a train; None if no move gains more than the weight `inertia`."""
    sight = judge.sight
    column = sight.marches.column((train,))
    best, most = None, train_worth(judge, train, column.start) + sight.weights.inertia
    for outing in march_options(sight, column, judge.prizes):
        worth = train_worth(judge, train, outing.path[-1])
        if worth > most:
            best, most = outing.path, worth
    return Move((train,), best) if best else None


def needs_train(sight: Sight, power: Power, attacks: bool) -> bool:
    """True if a power wants one more train on the map: it has fewer trains than the weight `trains`, and it attacks or
    has a general abroad."""
    if sum(sight.place(train) >= 0 for train in sight.common.trains(power)) >= sight.weights.trains:
        return False
    places = [sight.place(general) for general in sight.common.generals(power) if sight.place(general) >= 0]
    abroad = any(home_of(sight.common, sight.field, place) != power for place in places)
    return bool(places) and (abroad or attacks)


def attack_worth(sight: Sight, battle: Pairing, gained: int) -> float:
    """Return the worth of a fight to the attacker, as the sensible bot values it before it marches. `gained` is the
    number of points that the attacker has gained by cards since the fight began."""
    movers = stack_at(sight.common, sight.field, battle.attacker)
    return MarchValues(PlaceValues(sight, Goals({}, {}, {})), movers).fight(battle.attacker, gained)
