"""Recruiting between or after the marches: new troops, generals and trains that re-enter, and their price (§10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from pbem.engine.cards import discard, points
from pbem.engine.conquest import control_of, dealings
from pbem.engine.decisions import Recruitment
from pbem.engine.events import Event, GeneralEntered, Recruited, TrainReentered
from pbem.engine.field import ASIDE, OFF, alter, pieces_at, pieces_by_city, stack_at, troops_of
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder, refuse
from pbem.engine.supply import check_in_hand
from pbem.engine.troops import stack_up
from pbem.faults.wrong import Words, words, wrong
from pbem.games.friedrich.rules import effects
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.decisions import Levy
from pbem.games.friedrich.rules.state import Table, active


def begin(table: Table) -> list[Event]:
    """Ask the active power to recruit, if it has cards and can recruit anything. Return no events."""
    power, state = active(table), table.state
    able = state.cards.hands[power] and (troops_left(table, power) or entries(table, power, open_cities(table, power)))
    state.owing = [power] if able else []
    return []


def offers_anything(levy: Levy) -> bool:
    """True if the power has cards to pay with and anything to recruit."""
    return bool(levy.hand and (levy.most or levy.entries))


def may_be_early(table: Table, power: Power) -> bool:
    """True if a power may recruit now, between its marches (§2, §10)."""
    state = table.state
    return table.rules.points.recruiting == "during the moves" and state.phase == "movement" and power in state.owing


def early_levies(table: Table) -> tuple[Levy, ...]:
    """Return the decisions to recruit between marches, for the power that moves, if it has cards and anything to
    recruit."""
    levies = [decision(table, power) for power in table.state.owing if may_be_early(table, power)]
    return tuple(replace(levy, early=True) for levy in levies if offers_anything(levy))


def decision(table: Table, power: Power) -> Levy:
    cut_off = is_cut_off(table, power)
    return Levy(
        power,
        tuple(table.state.cards.hands[power]),
        price_of(table, cut_off),
        troops_left(table, power),
        room(table, power),
        entries(table, power, open_cities(table, power)),
        cut_off,
    )


def troops_left(table: Table, power: Power) -> int:
    """Return the number of troops that a power may still get (§6)."""
    return table.rules.troops(power) - troops_of(table.rules.common, table.state.field, power)


def open_cities(table: Table, power: Power) -> tuple[City, ...]:
    """Return the cities where pieces of a power re-enter. They are the power's depots, or the substitute cities if
    enemies stand in all depots of the power (§10)."""
    return substitutes(table, power) if is_cut_off(table, power) else table.rules.depots(power)


def price(table: Table, power: Power) -> int:
    """Return the present price of a troop or a train (§10)."""
    return price_of(table, is_cut_off(table, power))


def price_of(table: Table, cut_off: bool) -> int:
    """Return the price of a troop or a train. `cut_off` is true for a power with enemies in all its depots."""
    return table.rules.game.cut_off_price if cut_off else table.rules.common.limits.troop_price


def substitutes(table: Table, power: Power) -> tuple[City, ...]:
    """Return the substitute cities, where pieces of a power re-enter while enemies stand in all its depots (§10). Once
    pieces have used one of these cities in the present stage, return only that city."""
    used = table.state.substitute
    return table.rules.areas[power] if used is None else (used,)


def all_cut_off(table: Table) -> tuple[Power, ...]:
    """Return the powers with enemy pieces in all of their depots (§10). The result is cached until the pieces in depots
    change."""
    rules, field = table.rules.common, table.state.field
    at = pieces_by_city(rules, field).at
    there = tuple([tuple(at.get(city, ())) for depots in rules.depots.values() for city in depots])
    return control_of(rules, field).stance.once(("cut off", there), find_cut_off, table)


def find_cut_off(table: Table) -> tuple[Power, ...]:
    """Return the powers with enemies in all their depots. `all_cut_off` caches the result."""
    rules, field = table.rules.common, table.state.field
    at = pieces_by_city(rules, field).at
    hostile = {power: dealings(rules, field, power).hostile for power in table.rules.powers}
    return tuple(
        power
        for power, foes in hostile.items()
        if not any(foes.isdisjoint(at.get(city, ())) for city in rules.depots[power])
    )


def is_cut_off(table: Table, power: Power) -> bool:
    return power in all_cut_off(table)


def room(table: Table, power: Power) -> dict[Piece, int]:
    """Return the number of troops that each general may still receive, on the map or off it (§6). Generals who take no
    part, and generals to whom a Card of Fate gives no new troops, are left out."""
    rules, field = table.rules.common, table.state.field
    held = bool(table.state.fate.in_force)
    return {
        general: rules.limits.troops - field.pieces[general].troops
        for general in rules.generals(power)
        if field.pieces[general].city != ASIDE and not (held and not effects.may_receive_troops(table, general))
    }


def entries(table: Table, power: Power, cities: Sequence[City]) -> dict[Piece, tuple[City, ...]]:
    """Return those of `cities` where a piece may re-enter, keyed by piece. Only pieces off the map that have such a
    city are in the dict."""
    rules, field = table.rules.common, table.state.field
    lost = [p for p in (*rules.generals(power), *rules.trains(power)) if field.pieces[p].city == OFF]
    found = {piece: tuple(city for city in cities if is_open(table, piece, city)) for piece in lost}
    return {piece: there for piece, there in found.items() if there}


def is_open(table: Table, piece: Piece, city: City) -> bool:
    """True if the city has room for the piece to re-enter, and no Card of Fate forbids it (§4, §11)."""
    rules, state = table.rules.common, table.state
    there = pieces_by_city(rules, state.field).at.get(city, ())
    if not rules.is_general(piece):
        return not there
    own = all(rules.is_general(p) and rules.pieces[p].power == rules.pieces[piece].power for p in there)
    if not own or len(there) >= rules.limits.stack:
        return False
    # He re-enters with new troops, so the Card of Fate must allow these as well.
    return not state.fate.in_force or (
        effects.may_stop(table, (piece,), city) and effects.may_receive_troops(table, piece, city)
    )


def check(table: Table, decision: Levy, answer: Recruitment) -> None:
    """Raise `IllegalOrder` for recruits that are wrongly paid or that §10 forbids, and for an answer that names a
    commander. All reasons are told together."""
    check_in_hand(decision.hand, answer.cards)
    refuse(refusals(table, decision, answer))


def refusals(table: Table, decision: Levy, answer: Recruitment) -> Iterator[IllegalOrder]:
    yield from payment_refusals(table, decision, answer)
    for general, count in answer.troops.items():
        yield from recruits_refusals(table, decision, answer, general, count)
    for piece, city in answer.entries.items():
        yield from entry_refusals(table, decision, answer, piece, city)
    yield from crowding_refusals(table, decision, answer)
    if answer.commanders:
        yield IllegalOrder(wrong("E-COMMANDER.fixed"), where=("commanders",))


def trains_bought(table: Table, answer: Recruitment) -> int:
    return sum(not table.rules.common.is_general(piece) for piece in answer.entries)


def bill(troops: int, trains: int) -> tuple[Words, ...]:
    """Return the parts of a purchase in words, such as `1 troop` and `2 trains`. Parts with the number 0 are left
    out."""
    counted = ((troops, "one-troop", "troops-counted"), (trains, "one-train", "trains-counted"))
    return tuple(words(one) if number == 1 else words(more, count=number) for number, one, more in counted if number)


def payment_refusals(table: Table, decision: Levy, answer: Recruitment) -> Iterator[IllegalOrder]:
    """Yield the refusals of too many troops, and of cards that are worth less than the price, or pay for nothing."""
    troops, trains = sum(answer.troops.values()), trains_bought(table, answer)
    if troops > decision.most:
        fault = wrong("E-RECRUIT-MOST", troops=troops, power=decision.power, most=decision.most)
        yield IllegalOrder(fault, where=("troops",))
    paid, cost = points(table.rules.common.decks, answer.cards), (troops + trains) * decision.price
    if paid < cost:
        fault = wrong("E-RECRUIT-PRICE.bill", bill=bill(troops, trains), cost=cost, paid=paid, price=decision.price)
        yield IllegalOrder(fault, where=("cards",))
    if answer.cards and not cost:
        yield IllegalOrder(wrong("E-RECRUIT-NOTHING.at-all"), where=("cards",))


def recruits_refusals(
    table: Table, decision: Levy, answer: Recruitment, general: Piece, count: int
) -> Iterator[IllegalOrder]:
    """Yield the refusals unless the general may recruit, has room for `count` troops, and is on the map or re-enters
    with this answer."""
    rules, where = table.rules.common, ("troops", general)
    name = rules.pieces[general].name
    if general not in decision.room:
        yield no_recruits(table, decision, general)
        return
    room = decision.room[general]
    if not 1 <= count <= room:
        wording, most = ("E-TROOPS-RANGE.new", room) if room else ("E-TROOPS-RANGE.full", rules.limits.troops)
        yield IllegalOrder(wrong(wording, general=name, count=count, most=most), where=where)
    if table.state.field.pieces[general].city == OFF and general not in answer.entries:
        cities = rules.board.names(decision.entries.get(general, ())) or words("no-city-open")
        yield IllegalOrder(wrong("E-RECRUIT-PLACE", rule="§10", general=name, cities=cities), where=where)


def no_recruits(table: Table, decision: Levy, general: Piece) -> IllegalOrder:
    """Return the refusal of new troops for a general, with the reason."""
    facts = table.rules.common.pieces[general]
    if facts.kind != "general" or facts.power != decision.power:
        fault = wrong("E-RECRUIT-GENERAL", rule="§10", general=facts.name, power=decision.power)
    elif table.state.field.pieces[general].city == ASIDE:
        fault = wrong("E-RECRUIT-GENERAL.aside", rule="§10", why=words("no-part", piece=facts.name))
    else:
        fault = wrong("E-RECRUIT-GENERAL.fate", general=facts.name)
    return IllegalOrder(fault, where=("troops", general))


def entry_refusals(
    table: Table, decision: Levy, answer: Recruitment, piece: Piece, city: City
) -> Iterator[IllegalOrder]:
    """Yield the refusals of a piece whose re-entry §10 does not allow."""
    facts, now = table.rules.common.pieces[piece], table.state.field.pieces[piece]
    board, where = table.rules.common.board, ("entries", piece)
    if facts.power != decision.power:
        yield IllegalOrder(wrong("E-RECRUIT-PIECE", piece=facts.name, power=decision.power), where=where)
        return
    if now.city != OFF:
        wording = "E-RECRUIT-PIECE.map" if now.city >= 0 else "E-RECRUIT-PIECE.aside"
        # Of a general who takes no part in the game, the refusal of his troops says so.
        if now.city != ASIDE or piece not in answer.troops:
            yield IllegalOrder(wrong(wording, piece=facts.name), where=where)
        return
    open_to = decision.entries.get(piece, ())
    if city not in open_to:
        cities = board.names(open_to) or words("no-city-open")
        standing = pieces_at(table.state.field, city) if city in open_cities(table, decision.power) else []
        wording = "E-RECRUIT-CITY.taken" if standing else "E-RECRUIT-CITY.closed"
        pieces, name = table.rules.common.names(standing), board.cities[city].name
        fault = wrong(wording, piece=facts.name, city=name, cities=cities, pieces=pieces)
        yield IllegalOrder(fault, where=where)
    if facts.kind == "general" and not answer.troops.get(piece):
        yield IllegalOrder(wrong("E-RECRUIT-FIRST", rule="§10", general=facts.name), where=where)


def crowding_refusals(table: Table, decision: Levy, answer: Recruitment) -> Iterator[IllegalOrder]:
    """Yield the refusals of too many pieces that re-enter in a city, and of pieces that re-enter in two substitute
    cities (§4, §10). A piece that may not re-enter in its city at all is left out."""
    rules, field = table.rules.common, table.state.field
    entries = {piece: city for piece, city in answer.entries.items() if city in decision.entries.get(piece, ())}
    cities = sorted(set(entries.values()))
    if decision.one_city and len(cities) > 1:
        yield IllegalOrder(wrong("E-RECRUIT-CITIES", cities=rules.board.names(cities)), where=("entries",))
    for city in cities:
        entering = [piece for piece, place in entries.items() if place == city]
        trains = [piece for piece in entering if not rules.is_general(piece)]
        crowd = len(entering) + len(pieces_at(field, city))
        if crowd > (1 if trains else rules.limits.stack):
            wording, name = "E-STACK-FULL.train" if trains else "E-STACK-FULL.entering", rules.board.cities[city].name
            fault = wrong(wording, count=crowd, city=name, most=rules.limits.stack)
            yield IllegalOrder(fault, where=("entries", entering[-1]))


def later_parts(rules: FriedrichRules) -> tuple[str, ...]:
    """Return the names of the state's fields that a campaign lacks because its protocol is older."""
    by_protocol = rules.points.recruiting == "after the moves" and "recruiting" not in dict(rules.terms.rulings)
    return ("reinforced", "substitute") if by_protocol else ()


def recruit(table: Table, decision: Levy, answer: Recruitment) -> list[Event]:
    """Recruit after all marches, for the last time in the stage. Raises `IllegalOrder` like `check`."""
    events = carry_out(table, decision, answer)
    table.state.owing = []
    return events


def recruit_early(table: Table, power: Power, answer: Recruitment) -> list[Event]:
    """Recruit between marches. Pieces that re-enter, and the stacks that they join, may not move any more in this phase
    (§4). Raises `IllegalOrder` if the power may not recruit now, and like `check`."""
    if not may_be_early(table, power):
        raise IllegalOrder(wrong("E-RECRUIT-NOW"))
    state = table.state
    events = carry_out(table, decision(table, power), answer)
    state.reinforced = sorted({*state.reinforced, *answer.troops})
    standing = [piece for city in answer.entries.values() for piece in pieces_at(state.field, city)]
    state.moved = sorted({*state.moved, *standing})
    return events


def carry_out(table: Table, decision: Levy, answer: Recruitment) -> list[Event]:
    """Carry out recruits: pay the cards, put pieces back on the map, and add the new troops. Raises `IllegalOrder` like
    `check`."""
    check(table, decision, answer)
    state = table.state
    events: list[Event] = []
    if answer.cards:
        discard(state.cards, decision.power, answer.cards)
        events.append(Recruited(decision.power, sum(answer.troops.values()), answer.cards, dict(answer.troops)))
    for piece, city in answer.entries.items():
        events += enter(table, piece, city)
    for general, count in answer.troops.items():
        alter(state.field, general, troops=state.field.pieces[general].troops + count)
    if decision.one_city and answer.entries:
        state.substitute = next(iter(answer.entries.values()))
    return events


def enter(table: Table, piece: Piece, city: City) -> list[Event]:
    """Put a piece back on the map, face-up unless it joins a face-down stack."""
    rules, field = table.rules.common, table.state.field
    alter(field, piece, city=city, down=False)
    if not rules.is_general(piece):
        return [TrainReentered(piece, city, OFF, ())]
    events: list[Event] = [GeneralEntered(piece, city)]
    return [*events, *stack_up(rules, field, city, None)] if len(stack_at(rules, field, city)) > 1 else events
