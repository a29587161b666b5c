"""A player for the tests who looks for trouble: the bot that plays at random seldom fights, conquers or starves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from random import Random

from pbem.bots import plain
from pbem.engine import march
from pbem.engine.conquest import opponents_of
from pbem.engine.decisions import Answer, Decision, Done, March, Move, Reenter
from pbem.engine.field import OFF, are_enemies, pieces_at
from pbem.engine.march import Column
from pbem.engine.roads import Road
from pbem.engine.table import player_of
from pbem.engine.troops import needs_commander
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars
from pbem.games.maria.rules.state import Table


def raid(table: Table, decision: Decision, chance: Random) -> Answer:
    """March with nearly everything, towards enemies; put hussars on the enemy's roads; otherwise play at random."""
    match decision:
        case March():
            return make_march(table, decision, chance)
        case PlaceHussars():
            return place_hussars(table, decision, chance)
    return plain.choose(table, decision, chance)


def make_march(table: Table, decision: March, chance: Random) -> Answer:
    """Bring back lost trains, then march what has not marched yet; now and then leave the rest where it is."""
    pieces = table.state.field.pieces
    lost = [train for train in decision.trains if pieces[train].city == OFF]
    if lost or chance.random() < 0.02:
        answer = plain.choose(table, March(decision.power, (), decision.trains), chance)
        if isinstance(answer, Reenter):
            return answer
    if not decision.pieces or chance.random() < 0.04:
        return Done()
    return move_of(table, chance.choice(decision.pieces), chance) or Done()


def move_of(table: Table, piece: int, chance: Random) -> Move | None:
    """A march of the piece, or of its whole stack."""
    rules, state = table.rules.common, table.state
    city, power = state.field.pieces[piece].city, rules.pieces[piece].power
    mates = [
        mate
        for mate in pieces_at(state.field, city)
        if mate not in state.moved
        and rules.pieces[mate].power in state.owing
        and player_of(table, rules.pieces[mate].power) == player_of(table, power)
    ]
    movers = tuple(mates) if chance.random() < 0.6 else (piece,)
    column = Column(rules, state.field, movers)
    ways = list(march.destinations(column).values())
    if not ways:
        return None
    goals = cities_of(table, column.power, own=column.is_train)
    fortresses = opponents_of(rules, state.field, column.power).fortresses
    beside = Counter(city for goal in goals for city in rules.board.adjacent[goal])
    path = max((score(column, way, goals, fortresses, beside, chance), way) for way in ways)[1]
    commander = None
    if column.entry(path[-1]) is march.CityEntry.JOIN:
        stack = [*movers, *column.taken[path[-1]]]
        if needs_commander(rules, stack):
            commander = chance.choice(stack)
    return Move(movers, path, commander)


def score(
    column: Column,
    path: Road,
    goals: Sequence[int],
    fortresses: Collection[int],
    beside: Mapping[int, int],
    chance: Random,
) -> float:
    """Score of a march: fortresses of enemies, fights with those who stand in `goals` (`beside` has the number of them
    beside each city), or for a train to be near them."""
    value = chance.random() * 3
    if column.is_train:
        far = column.rules.board.distance(path[-1])
        return value - sum(far[city] for city in goals) / 6
    value += 3 * sum(city in fortresses for city in (column.start, *path[:-1]))
    value += path[-1] in fortresses
    value += beside.get(path[-1], 0)
    return value + (column.entry(path[-1]) is march.CityEntry.TRAIN)


def place_hussars(table: Table, decision: PlaceHussars, chance: Random) -> Answer:
    """Put the hussars beside enemies."""
    beside = {
        city
        for place in cities_of(table, decision.power, own=False)
        for city in table.rules.common.board.near[place]
        if city in decision.cities
    }
    if not beside:
        return plain.choose(table, decision, chance)
    return HussarPlacement(tuple(chance.choice(sorted(beside)) for _ in decision.standing))


def cities_of(table: Table, power: str, own: bool) -> Sequence[int]:
    """Cities of the generals of a power, or of its enemies."""
    rules, field = table.rules.common, table.state.field
    return [
        piece.city
        for index, piece in enumerate(field.pieces)
        if piece.city >= 0
        and rules.is_general(index)
        and (rules.pieces[index].power == power if own else are_enemies(field, rules.pieces[index].power, power))
    ]
