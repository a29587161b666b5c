"""A player for the tests who goes for objectives and for battle, so that games show more than random ones do."""

from __future__ import annotations

from random import Random

from pbem.bots.plain import choose, pick
from pbem.engine import march
from pbem.engine.conquest import is_held_by_enemy
from pbem.engine.decisions import Answer, Decision, March, Move, PlayCard
from pbem.engine.field import are_enemies, stack_at
from pbem.engine.rules import IllegalOrder
from pbem.games.friedrich.bots.strong import make_march, play_card
from pbem.games.friedrich.rules import movement
from pbem.games.friedrich.rules.state import Table


def strive(table: Table, decision: Decision, chance: Random) -> Answer:
    """March to objectives and enemies, fight on; anything else at random."""
    match decision:
        case March():
            return march_on(table, decision, chance)
        case PlayCard(cards=cards) if cards and not decision.must and chance.random() < 0.6:
            return play_card(table, PlayCard(decision.power, decision.score, decision.suit, cards, True), chance)
    return choose(table, decision, chance)


def march_on(table: Table, decision: March, chance: Random) -> Answer:
    """Lead a general over an objective or towards one, or a train after its generals."""
    rules, field = table.rules.common, table.state.field
    if not decision.pieces or chance.random() < 0.1:
        return make_march(table, decision, chance)
    piece = pick(chance, decision.pieces)
    if not rules.is_general(piece):
        return follow(table, decision, piece, chance)
    mates = [g for g in stack_at(rules, field, field.pieces[piece].city) if g in decision.pieces]
    movers = mates if chance.random() < 0.5 else [piece]
    column = movement.column_of(table, movers)
    ways = list(march.destinations(column).values())
    if not ways:
        return make_march(table, decision, chance)
    power = decision.power
    wanted = [city for city in rules.objectives if is_held_by_enemy(rules, field, city, power)]
    foes = [
        p.city for i, p in enumerate(field.pieces) if p.city >= 0 and are_enemies(field, rules.pieces[i].power, power)
    ]
    goals = wanted if wanted and chance.random() < 0.8 else foes
    if not goals:
        return make_march(table, decision, chance)
    goal = min(goals, key=lambda city: (rules.board.distance(column.start)[city], city))
    far = rules.board.distance(goal)
    through = [way for way in ways if goal in (column.start, *way[:-1])]
    best = pick(chance, through) if through else min(ways, key=lambda way: (far[way[-1]], way))
    try:
        movement.check_move(table, decision, Move(tuple(movers), best))
    except IllegalOrder:
        return make_march(table, decision, chance)
    return Move(tuple(movers), best)


def follow(table: Table, decision: March, train: int, chance: Random) -> Answer:
    """Bring a train nearer to a general of its power."""
    rules, field = table.rules.common, table.state.field
    generals = [g for g in rules.generals(decision.power) if field.pieces[g].city >= 0]
    ways = list(march.destinations(movement.column_of(table, [train])).values())
    if not generals or not ways:
        return make_march(table, decision, chance)
    far = rules.board.distance(field.pieces[pick(chance, generals)].city)
    return Move((train,), min(ways, key=lambda way: (far[way[-1]], way)))
