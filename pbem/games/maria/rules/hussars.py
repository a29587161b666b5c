"""Hussars stage: Austria places its hussars (§7)."""

from __future__ import annotations

from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event, HussarPlaced, HussarRemoved
from pbem.engine.field import OFF, occupants
from pbem.engine.nouns import City, Hussar, Power
from pbem.engine.pieces_by_city import pieces_by_city
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.decisions import HussarPlacement, PlaceHussars
from pbem.games.maria.rules.table import Table


def begin(table: Table) -> list[Event]:
    """Ask the power with hussars for their places."""
    table.state.owing = [table.rules.game.hussars.power]
    return []


def decision(table: Table, power: Power) -> PlaceHussars:
    """Decision on the hussars' places."""
    return PlaceHussars(power, tuple(table.state.field.hussars), tuple(open_cities(table)))


def open_cities(table: Table) -> list[City]:
    """Cities where a hussar may be placed: on the right map, unoccupied, near a general of its power (§7)."""
    rules, field = table.rules.common, table.state.field
    taken = pieces_by_city(rules, field).at
    facts, board = table.rules.game.hussars, rules.board
    places = [field.pieces[general].city for general in rules.generals(facts.power)]
    near = set[City]().union(*[board.within(city, rules.limits.raid) for city in places if city >= 0])
    return sorted(near & board.of_map[facts.map] - taken.keys())


def check(table: Table, decision: PlaceHussars, answer: HussarPlacement) -> None:
    """Refuse a placement that §7 does not allow; a hussar may always stay where it is."""
    if len(answer.cities) != len(decision.standing):
        raise IllegalOrder(wrong("E-HUSSAR-COUNT", hussars=len(decision.standing), count=len(answer.cities)))
    for hussar, city in enumerate(answer.cities):
        if city not in (OFF, decision.standing[hussar]) and city not in decision.cities:
            raise refusal(table, hussar, city)


def refusal(table: Table, hussar: int, city: City) -> IllegalOrder:
    """Refusal of a hussar on this city, with the reason."""
    rules = table.rules
    board = rules.common.board
    name, where = board.cities[city].name, ("cities", hussar)
    if board.map[city] != rules.game.hussars.map:
        return IllegalOrder(wrong("E-HUSSAR-MAP", city=name, map=rules.game.hussars.map), where=where)
    there = occupants(table.state.field).get(city)
    if there:
        return IllegalOrder(wrong("E-HUSSAR-TAKEN", pieces=rules.common.names(there), city=name), where=where)
    fault = wrong("E-HUSSAR-FAR", city=name, power=rules.game.hussars.power, most=rules.common.limits.raid)
    return IllegalOrder(fault, where=where)


def place(table: Table, decision: PlaceHussars, answer: HussarPlacement) -> list[Event]:
    """Put the hussars on their cities, after a check."""
    check(table, decision, answer)
    events: list[Event] = []
    hussars = table.state.field.hussars
    for hussar, city in enumerate(answer.cities):
        if city != hussars[hussar]:
            if city == OFF:
                events.append(HussarRemoved(Hussar(hussar), hussars[hussar]))
            else:
                events.append(HussarPlaced(Hussar(hussar), city))
            hussars[hussar] = city
    table.state.owing = []
    return events
