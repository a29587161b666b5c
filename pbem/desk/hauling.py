"""Advice on marches of trains: the supply that they bring, the risk for the train, and a safer place that serves as
well."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.desk.hunger import supply_words
from pbem.desk.trains import takers
from pbem.engine.decisions import Answer, Decision, Move
from pbem.engine.field import OFF, alter
from pbem.engine.march import destinations
from pbem.engine.nouns import Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import assess
from pbem.engine.table import Table
from pbem.faults.wrong import Words, words
from pbem.kit import copy_of, game_of
from pbem.report import blocks
from pbem.report.consequences import Prospects


def is_haul(table: Table, answer: Answer) -> bool:
    """Return whether an answer is the march of a train."""
    return isinstance(answer, Move) and not table.rules.common.is_general(answer.pieces[0])


def haul_words(named: Table, decision: Decision, move: Move, reasons: Collection[Words]) -> Iterator[Words]:
    """Yield words on the generals whom a train supplies after its march, and on those who are out of supply then. Then
    yield the reasons or, if enemies could take the train, words on that risk."""
    train, rules, tried = move.pieces[0], named.rules.common, copy_of(named)
    game_of(tried).apply(tried, decision.power, move)
    yield from supply_words(tried, decision.power, train)
    fed = fed_generals(tried, decision.power)
    if not is_in_reach(tried, train):
        # A train that takes supply away from generals does not stay near its generals.
        takes = not fed_generals(named, decision.power) <= fed
        yield from (each for each in reasons if not (takes and each.key == "why-haul"))
        return
    alter(tried.state.field, train, city=OFF)
    served = tuple(blocks.pieces(rules, sorted(fed - fed_generals(tried, decision.power))))
    yield words("why-haul-risk", pieces=served) if served else words("why-haul-risk.alone")


def toll_words(named: Table, power: Power, move: Move) -> Iterator[Words]:
    """Yield words on the marching generals who are in supply after a march only because a toll is paid."""
    tried = copy_of(named)
    game_of(tried).apply(tried, power, move)
    claims = [each for each in assess(named.rules.common, tried.state.field, power).tolled if each.piece in move.pieces]
    if claims:
        pieces = tuple(blocks.pieces(named.rules.common, [each.piece for each in claims]))
        yield words("why-tolled", pieces=pieces, points=sum(each.toll for each in claims))


def safer_haul(table: Table, power: Power, move: Move) -> Move:
    """Return a march that takes the train of `move` out of the enemies' reach, to the place nearest to the end of
    `move`. No general may be out of supply who is in supply after `move`, and no more toll may be paid. Return `move`
    itself if its end is out of reach, or if there is no such march."""
    train, rules = move.pieces[0], table.rules.common
    ways = destinations(game_of(table).column_of(table, move.pieces))
    far, tried = rules.board.distance(move.path[-1]), tried_march(table, power, move)
    if tried is None or not is_in_reach(tried, train):
        return move
    wanted, price = fed_generals(tried, power), toll_of_all(tried, power)
    for city in sorted(ways, key=lambda end: (far[end], end)):
        other = Move(move.pieces, ways[city])
        tried = tried_march(table, power, other)
        serves = tried and fed_generals(tried, power) >= wanted and toll_of_all(tried, power) <= price
        if tried and serves and not is_in_reach(tried, train):
            return other
    return move


def tried_march(table: Table, power: Power, move: Move) -> Table | None:
    """Return a copy of the table after a march; None if the march is illegal."""
    tried = copy_of(table)
    try:
        game_of(tried).apply(tried, power, move)
    except IllegalOrder:
        return None
    return tried


def is_in_reach(table: Table, train: Piece) -> bool:
    """Return whether enemies could take a train on their next march."""
    power = table.rules.common.pieces[train].power
    return table.state.field.pieces[train].city >= 0 and bool(takers(Prospects(table, [power], [power]), train))


def fed_generals(table: Table, power: Power) -> set[Piece]:
    """Return a power's generals away from home who are in supply, with a toll or without."""
    free, tolled, _ = assess(table.rules.common, table.state.field, power)
    return {claim.piece for claim in (*free, *tolled)}


def toll_of_all(table: Table, power: Power) -> int:
    """Return the toll for a power's supply, in points of cards."""
    return sum(claim.toll for claim in assess(table.rules.common, table.state.field, power).tolled)
