"""Garrison in the expert game: a power must keep a general in a region that it has conquered (§13)."""

from __future__ import annotations

from pbem.engine.events import Event
from pbem.engine.field import unmark
from pbem.engine.nouns import City, Power
from pbem.games.friedrich.rules.fate_decisions import ChooseCities, NamedCities
from pbem.games.friedrich.rules.fate_events import GarrisonMissing
from pbem.games.friedrich.rules.instants import check_cities
from pbem.games.friedrich.rules.state import GarrisonTask
from pbem.games.friedrich.rules.table import Table, active, plays_on


def end_of_stage(table: Table) -> None:
    """Ask for objectives to fall back if the power holds all of the region and has no general in it."""
    facts = table.rules.fate.garrison
    if not table.rules.has_garrison_rule or active(table) != facts.power or not plays_on(table, facts.to):
        return
    cities = region_objectives(table)
    markers = table.state.field.markers
    if all(markers.get(city) == facts.power for city in cities) and not is_garrisoned(table):
        table.state.tasks.append(GarrisonTask(facts.to))


def region(table: Table) -> set[City]:
    """Cities of the region."""
    board = table.rules.common.board
    return {board.index[name] for name in board.data.regions[table.rules.fate.garrison.region]}


def region_objectives(table: Table) -> tuple[City, ...]:
    """Objectives of the power in the region."""
    inside = region(table)
    return tuple(city for city in table.rules.objectives[table.rules.fate.garrison.power] if city in inside)


def is_garrisoned(table: Table) -> bool:
    """True if a general of the power stands in the region."""
    generals = table.rules.common.generals(table.rules.fate.garrison.power)
    inside = region(table)
    return any(table.state.field.pieces[general].city in inside for general in generals)


def decision(table: Table, power: Power) -> ChooseCities:
    """Decision on the objectives that fall back."""
    cities = region_objectives(table)
    return ChooseCities(power, "garrison", cities, min(table.rules.fate.garrison.count, len(cities)))


def fall_back(table: Table, decision: ChooseCities, answer: NamedCities) -> list[Event]:
    """Take the conqueror's markers off the cities that were named."""
    check_cities(table, decision, answer)
    unmark(table.state.field, answer.cities)
    return [GarrisonMissing(table.rules.fate.garrison.power, decision.power, answer.cities)]
