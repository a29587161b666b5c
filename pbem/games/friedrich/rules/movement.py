"""Movement phase: marches, stacks, and conquests on the way (§4, §5)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.engine import march, ways
from pbem.engine.conquest import NOBODY
from pbem.engine.decisions import Done, March, Move, Recruitment
from pbem.engine.events import Event
from pbem.engine.field import ASIDE, OFF, pieces_by_city, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import words, wrong
from pbem.games.friedrich.rules import effects, offensive, recruiting
from pbem.games.friedrich.rules import fate_data as f
from pbem.games.friedrich.rules.state import Table, active

KEEPING_AWAY = (f.Restrained, f.Truce, f.Differ, f.Untrained)
"""Effects that may forbid a march to end in a city, or to take a train."""


def begin(table: Table) -> list[Event]:
    """Begin the movement phase. The active power owes moves if any of its pieces can move."""
    state = table.state
    state.moved = []
    state.owing = [active(table)] if movable_pieces(table, active(table)) else []
    return []


def movable_pieces(table: Table, power: Power) -> tuple[Piece, ...]:
    """Return the pieces of a power that have not moved yet and may move."""
    rules, pieces, moved = table.rules.common, table.state.field.pieces, table.state.moved
    able = [piece for piece in rules.forces[power] if pieces[piece].city >= 0 and piece not in moved]
    pinned = isinstance(effects.effect_now(table), f.Pinned)
    return tuple([piece for piece in able if effects.may_move(table, piece)] if pinned else able)


def march_to_judge(power: Power) -> March:
    """Return the decision by which a march is judged. It lists no pieces that may move, because judging does not need
    them."""
    return March(power, (), {})


def decision(table: Table, power: Power) -> March:
    """Return the decision to march, with the pieces that may still move. The result is cached until the position
    changes."""
    key = ("march", power, effects.effect_now(table), *table.state.moved)
    return pieces_by_city(table.rules.common, table.state.field).once(
        key, lambda: March(power, movable_pieces(table, power), {})
    )


def circumstances(table: Table, movers: Sequence[Piece]) -> march.Circumstances:
    """Return the changes that Cards of Fate and the Offensive Option make to a march of these pieces."""
    rules = table.rules.common
    closed = closed_cities(table, rules.pieces[movers[0]].power)
    effect = effects.effect_now(table)
    if effect is None or not rules.is_general(movers[0]) or not effects.concerns_march(table, effect, movers):
        return march.Circumstances(closed=closed) if closed else march.USUAL
    limits, pieces = rules.limits, tuple(movers)
    usual, keeps_away = (limits.general_march, limits.general_march_main), isinstance(effect, KEEPING_AWAY)
    return march.Circumstances(
        ranges=effects.general_range(table, pieces, *usual) if isinstance(effect, f.Range) else None,
        may_stop=(lambda city: effects.may_stop(table, pieces, city)) if keeps_away else None,
        may_take=(lambda city: effects.may_take_train(table, pieces, city)) if keeps_away else None,
        closed=closed,
        reach=protection(table),
    )


def closed_cities(table: Table, power: Power) -> Collection[City]:
    """Return the objectives that the power may not conquer now. Prussia may not conquer its own objectives if its
    Offensive Option was given up or has failed (§13)."""
    if power in table.rules.scenario.goals or power not in table.rules.objectives:
        return ()
    return () if offensive.may_conquer(table) else table.rules.objectives[power]


def protection(table: Table) -> Mapping[Piece, int]:
    """Return the distance, in cities, at which a general protects objectives by the Card of Fate in force (card 11). If
    there is no such card, the dict is empty."""
    effect = effects.effect_now(table)
    if not isinstance(effect, f.Cover):
        return NOBODY
    general = effects.general_on_map(table, effect.general)
    return NOBODY if general is None else {general: effect.cities}


def column_of(table: Table, movers: Sequence[Piece]) -> march.Column:
    return march.column_of(table.rules.common, table.state.field, movers, circumstances(table, movers))


def check_movers(table: Table, decision: March, movers: Sequence[Piece]) -> None:
    """Raise `IllegalOrder` for pieces that cannot march together now."""
    rules, state = table.rules.common, table.state
    if not movers or len(set(movers)) != len(movers):
        raise IllegalOrder(wrong("E-MARCH-PIECES", rule="§4"), where=("pieces",))
    effect = effects.effect_now(table)
    for place, mover in enumerate(movers):
        check_mover(table, decision, mover, effect, ("pieces", place))
    if len({state.field.pieces[mover].city for mover in movers}) > 1:
        raise IllegalOrder(wrong("E-MARCH-APART", rule="§4", pieces=rules.names(movers)), where=("pieces",))
    if len(movers) > 1 and not rules.all_generals.issuperset(movers):
        raise IllegalOrder(wrong("E-MARCH-PIECES.train", rule="§4"), where=("pieces",))
    if not may_part(table, movers):
        raise IllegalOrder(wrong("E-MARCH-PARTING", pieces=rules.names(movers)), where=("pieces",))


def check_mover(
    table: Table, decision: March, mover: Piece, effect: f.Lasting | None, where: tuple[str | int, ...]
) -> None:
    facts, piece = table.rules.common.pieces[mover], table.state.field.pieces[mover]
    if facts.power != decision.power:
        fault = wrong("E-MARCH-POWER.active", piece=facts.name, power=facts.power, active=decision.power)
        raise IllegalOrder(fault, where=where)
    if piece.city == OFF:
        raise IllegalOrder(wrong("E-MARCH-OFF", rule="§4", piece=facts.name), where=where)
    if piece.city == ASIDE:
        raise IllegalOrder(wrong("E-MARCH-ASIDE", rule="§4", why=words("no-part", piece=facts.name)), where=where)
    if mover in table.state.moved:
        raise IllegalOrder(wrong("E-MARCH-TWICE", rule="§4", piece=facts.name), where=where)
    if isinstance(effect, f.Pinned) and not effects.may_move(table, mover):
        raise IllegalOrder(wrong("E-MARCH-HELD", piece=facts.name), where=where)


def may_part(table: Table, movers: Sequence[Piece]) -> bool:
    """True if no Card of Fate forbids these pieces to leave the rest of their stack."""
    rules, field = table.rules.common, table.state.field
    if not isinstance(effects.effect_now(table), f.Inseparable) or not rules.is_general(movers[0]):
        return True
    stack = stack_at(rules, field, field.pieces[movers[0]].city)
    staying = [general for general in stack if general not in movers]
    return effects.may_leave_stack(table, movers, staying)


def check_move(table: Table, decision: March, answer: Move) -> march.Column:
    """Raise `IllegalOrder` for a march that the rules forbid. Return the marching column of a legal march."""
    check_movers(table, decision, answer.pieces)
    column = column_of(table, answer.pieces)
    ways.check(column, answer.path, table.state.moved)
    if answer.commander is not None:
        raise IllegalOrder(wrong("E-COMMANDER.fixed"), where=("commander",))
    return column


def answer(table: Table, decision: March, answered: Move | Recruitment | Done) -> list[Event]:
    """Carry out a move, recruits between moves, or the end of the power's moves. Pieces that have moved, or that a move
    has joined, may not move any more. Raises `IllegalOrder` for an answer that the rules forbid."""
    state = table.state
    if isinstance(answered, Recruitment):
        return recruiting.recruit_early(table, decision.power, answered)
    if isinstance(answered, Done):
        state.owing = []
        return []
    column = check_move(table, decision, answered)
    end = answered.path[-1]
    joined = column.taken.get(end, []) if column.entry(end) is march.CityEntry.JOIN else []
    events = march.march(table.rules.common, state.field, column, answered.path, None)
    state.moved = sorted({*state.moved, *answered.pieces, *joined})
    return events
