"""Movement phase: marches, stacks, and trains that re-enter (§10)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine import march, ways
from pbem.engine.cards import discard, points
from pbem.engine.conquest import control_of, is_friendly, sweep_hussars
from pbem.engine.decisions import Done, March, Move, Reenter
from pbem.engine.events import Event, TrainReentered
from pbem.engine.field import ASIDE, OFF, alter, home_of, is_neutral, pieces_by_city
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import check_in_hand
from pbem.engine.table import player_of
from pbem.engine.troops import check_commander
from pbem.faults.wrong import Words, words, wrong
from pbem.games.maria.rules.state import Table, active, reason_aside


def begin(table: Table) -> list[Event]:
    """Begin the movement phase. All active powers owe moves, and they may move in any sequence."""
    state = table.state
    state.moved = []
    state.owing = list(active(table))
    return []


def march_to_judge(table: Table, power: Power) -> March:
    """Return the decision by which a march is judged. Its lists of pieces that may move and trains that may re-enter
    are empty, because judging does not need them."""
    return March(power, (), {}, tuple(pieces_to_leave(table, power)))


def decision(table: Table, power: Power) -> March:
    """Return the decision to march. It lists the pieces that may still move, the trains that may re-enter, and the
    pieces that must leave neutral lands."""
    rules, pieces, moved = table.rules.common, table.state.field.pieces, table.state.moved
    trains = rules.trains(power)
    can_move = [p for p in rules.forces[power] if pieces[p].city >= 0 and p not in moved]
    can_enter = [t for t in trains if pieces[t].city != ASIDE and may_still_enter(table, t)]
    return March(power, tuple(can_move), train_entries(table, power, can_enter), tuple(pieces_to_leave(table, power)))


def decisions(table: Table) -> tuple[March, ...]:
    """Return the decisions to march of all powers that still owe moves. The result is cached until the position
    changes."""
    rules, state = table.rules.common, table.state
    key = ("marches", *state.owing, *state.moved, control_of(rules, state.field), state.field.half_active)
    return pieces_by_city(rules, state.field).once(
        key, lambda: tuple([decision(table, power) for power in state.owing])
    )


def pieces_to_leave(table: Table, power: Power) -> list[Piece]:
    """Return the pieces that stand in a neutral land of another power and must march out of it, trains first (§19.3).
    Pieces that cannot move are left out. The result is empty in all editions that do not have this rule."""
    rules, state, edition = table.rules.common, table.state, table.rules.edition
    if edition.displaced != "march out" or edition.march_out == "may":
        return []
    found = []
    for piece in (*rules.trains(power), *rules.generals(power)):
        city = state.field.pieces[piece].city
        home = home_of(rules, state.field, city) if city >= 0 else None
        foreign = home is not None and home != power and is_neutral(state.field, home)
        if foreign and piece not in state.moved and march.destinations(column_of(table, [piece])):
            found.append(piece)
    return found


def check_leaving(table: Table, decision: March) -> None:
    """Raise `IllegalOrder` if a power ends its moves although one of its pieces must leave a neutral land and still can
    (§19.3)."""
    if not decision.leaving:
        return
    rules, field = table.rules.common, table.state.field
    piece = decision.leaving[0]
    name, city = rules.pieces[piece].name, rules.board.cities[field.pieces[piece].city].name
    ways = march.destinations(column_of(table, [piece]))
    shortest = min(len(way) for way in ways.values())
    ends = rules.board.names(end for end, way in ways.items() if len(way) == shortest)
    raise IllegalOrder(wrong("E-MARCH-OUT.stays", piece=name, city=city, cities=ends), where=("pieces",))


def may_still_enter(table: Table, train: Piece) -> bool:
    """True if a train has not moved in this stage, or the ruling `moved_trains` lets it re-enter although it has moved
    (§10.2)."""
    return train not in table.state.moved or table.rules.edition.moved_trains == "re-enter"


def train_cities(table: Table, train: Piece) -> tuple[City, ...]:
    return train_entries(table, table.rules.common.pieces[train].power, [train]).get(train, ())


def train_entries(table: Table, power: Power, trains: Sequence[Piece]) -> dict[Piece, tuple[City, ...]]:
    """Return the major fortresses where each train may re-enter (§10.2). Such a fortress is empty, or only the train
    itself stands there. A train that can re-enter nowhere is left out."""
    if not trains:
        return {}
    rules, field = table.rules.common, table.state.field
    cities = control_of(rules, field).once(("trains", power), train_fortresses, table, power)
    taken = pieces_by_city(rules, field).at
    empty = tuple([city for city in cities if city not in taken])
    found = {}
    for train in trains:
        here = field.pieces[train].city
        leaves = here in cities and taken[here] == [train]
        if leaves or empty:
            found[train] = tuple([c for c in cities if c == here or c in empty]) if leaves else empty
    return found


def train_fortresses(table: Table, power: Power) -> list[City]:
    """Return the major fortresses that are friendly to a power and lie in a home country where its trains may re-enter
    (§10.2)."""
    rules, field, homes = table.rules.common, table.state.field, train_homes(table, power)
    majors = [city for city in rules.board.major_fortresses if home_of(rules, field, city) in homes]
    return [city for city in majors if is_friendly(rules, field, city, power)]


def train_homes(table: Table, power: Power) -> list[str]:
    """Return the powers in whose home countries a power's trains may re-enter: the power itself, and the minor powers
    that belong to it."""
    rules, alliances = table.rules.game, table.state.field.alliances
    if not rules.powers[power].major:
        return [power]
    minors = [p for p, facts in rules.powers.items() if not facts.major and alliances.principal[p] == power]
    return [power, *minors]


def check_movers(table: Table, decision: March, movers: Sequence[Piece]) -> None:
    """Raise `IllegalOrder` for pieces that cannot march together now."""
    rules, state = table.rules.common, table.state
    if not movers or len(set(movers)) != len(movers):
        raise IllegalOrder(wrong("E-MARCH-PIECES"), where=("pieces",))
    for place, mover in enumerate(movers):
        check_mover(table, decision, mover, ("pieces", place))
    if len({state.field.pieces[mover].city for mover in movers}) > 1:
        raise IllegalOrder(wrong("E-MARCH-APART", pieces=rules.names(movers)), where=("pieces",))
    if len(movers) > 1 and not rules.all_generals.issuperset(movers):
        raise IllegalOrder(wrong("E-MARCH-PIECES.train"), where=("pieces",))
    if all(rules.pieces[mover].power != decision.power for mover in movers):
        owner = rules.pieces[movers[0]].power
        raise IllegalOrder(wrong("E-MARCH-POWER", power=decision.power, owner=owner), where=("pieces",))


def check_mover(table: Table, decision: March, mover: Piece, where: tuple[str | int, ...]) -> None:
    rules, state = table.rules, table.state
    facts, piece = rules.common.pieces[mover], state.field.pieces[mover]
    if state.field.alliances.stage[facts.power] != state.stage:
        fault = wrong("E-MARCH-POWER.stage", piece=facts.name, power=facts.power, powers=tuple(active(table)))
        raise IllegalOrder(fault, where=where)
    if facts.power not in state.owing:
        raise IllegalOrder(wrong("E-MARCH-FINISHED", power=facts.power), where=where)
    if player_of(table, facts.power) != player_of(table, decision.power):
        raise IllegalOrder(wrong("E-MARCH-CONSENT", piece=facts.name), where=where)
    if piece.city == OFF:
        raise IllegalOrder(wrong("E-MARCH-OFF", piece=facts.name), where=where)
    if piece.city == ASIDE:
        rule, why = reason_aside(table, mover)
        raise IllegalOrder(wrong("E-MARCH-ASIDE", rule=rule, why=why), where=where)
    if mover in state.moved:
        if facts.kind == "train":
            raise IllegalOrder(wrong("E-MARCH-TWICE.train", piece=facts.name), where=where)
        raise IllegalOrder(wrong("E-MARCH-TWICE", hint=joined_first(table, mover), piece=facts.name), where=where)


def joined_first(table: Table, general: Piece) -> Words | None:
    """Return a hint that the marches of other powers go first. It is for a general who has moved or stacked already
    because pieces of other powers have joined his stack. Return None for any other general."""
    rules, field = table.rules.common, table.state.field
    stack = pieces_by_city(rules, field).at[field.pieces[general].city]
    powers = {rules.pieces[each].power for each in stack if each != general and each in table.state.moved}
    is_own = not powers or rules.pieces[general].power in powers
    return None if is_own else words("march-stacked-first", powers=tuple(sorted(powers)))


def column_of(table: Table, movers: Sequence[Piece]) -> march.Column:
    return march.column_of(table.rules.common, table.state.field, movers)


def check_move(table: Table, decision: March, answer: Move) -> march.Column:
    """Raise `IllegalOrder` for a march that the rules forbid. Return the marching column of a legal march."""
    rules, field = table.rules.common, table.state.field
    check_movers(table, decision, answer.pieces)
    column = column_of(table, answer.pieces)
    ways.check(column, answer.path, table.state.moved)
    end = answer.path[-1]
    joins = column.entry(end) is march.CityEntry.JOIN
    stack = [*answer.pieces, *column.taken[end]] if joins else []
    if joins:
        check_commander(rules, field, stack, answer.commander)
    elif answer.commander is not None:
        raise IllegalOrder(wrong("E-COMMANDER.alone"), where=("commander",))
    return column


def check_reentry(table: Table, decision: March, answer: Reenter) -> None:
    """Raise `IllegalOrder` for a train whose re-entry §10.2 does not allow."""
    rules, state = table.rules.common, table.state
    facts, place = rules.pieces[answer.train], state.field.pieces[answer.train]
    if facts.kind != "train" or facts.power != decision.power:
        raise IllegalOrder(wrong("E-ENTER-TRAIN", piece=facts.name, power=decision.power), where=("train",))
    if place.city == ASIDE:
        raise IllegalOrder(wrong("E-ENTER-ASIDE", why=reason_aside(table, answer.train)[1]), where=("train",))
    if not may_still_enter(table, answer.train):
        raise IllegalOrder(wrong("E-ENTER-MOVED", train=facts.name), where=("train",))
    if answer.city not in train_cities(table, answer.train):
        raise entry_refusal(table, answer.train, answer.city)
    check_in_hand(state.cards.hands[decision.power], answer.cards)
    paid = points(rules.decks, answer.cards)
    if paid < rules.limits.train_price:
        raise IllegalOrder(wrong("E-ENTER-PRICE", paid=paid, price=rules.limits.train_price), where=("cards",))


def entry_refusal(table: Table, train: Piece, city: City) -> IllegalOrder:
    """Return the refusal for a train that may not re-enter in this city, with the reason."""
    rules, field = table.rules.common, table.state.field
    power = rules.pieces[train].power
    name = rules.board.cities[city].name
    open_cities = rules.board.names(train_cities(table, train)) or words("none-open")
    if not rules.board.in_play(city):
        why = words("closed-map", city=name)
    elif city not in rules.board.major_fortresses:
        why = words("closed-fortress", city=name)
    elif home_of(rules, field, city) not in train_homes(table, power):
        why = words("closed-home", city=name, power=power)
    elif not is_friendly(rules, field, city, power):
        why = words("closed-enemy", city=name)
    else:
        why = words("closed-taken", city=name)
    return IllegalOrder(wrong("E-ENTER-CITY", why=why, cities=open_cities), where=("city",))


def reenter(table: Table, decision: March, answer: Reenter) -> list[Event]:
    """Carry out the re-entry of a train: pay for it, and put the train into its city. A train that is on the map is
    first taken off. Raises `IllegalOrder` for a re-entry that is not allowed."""
    check_reentry(table, decision, answer)
    state = table.state
    event = TrainReentered(answer.train, answer.city, state.field.pieces[answer.train].city, answer.cards)
    discard(state.cards, decision.power, answer.cards)
    alter(state.field, answer.train, city=answer.city)
    state.moved = sorted({*state.moved, answer.train})
    return [event, *sweep_hussars(state.field, answer.city)]


def answer(table: Table, decision: March, answered: Move | Reenter | Done) -> list[Event]:
    """Carry out one answer in the movement phase: a march, the re-entry of a train, or the end of the power's moves.
    The pieces that have moved, and the pieces in their new stack, may not move any more."""
    match answered:
        case Move():
            column, end = check_move(table, decision, answered), answered.path[-1]
            joined = column.taken.get(end, []) if column.entry(end) is march.CityEntry.JOIN else []
            events = march.march(table.rules.common, table.state.field, column, answered.path, answered.commander)
            table.state.moved = sorted({*table.state.moved, *answered.pieces, *joined})
            return events
        case Reenter():
            return reenter(table, decision, answered)
        case Done():
            check_leaving(table, decision)
            table.state.owing.remove(decision.power)
            return []
