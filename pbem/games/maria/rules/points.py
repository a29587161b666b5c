"""Victory markers, and the places where they lie: pools, battle boxes, other victory boxes, and fortresses (§15, §16,
§23)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from pbem.engine.conquest import control_of, controller
from pbem.engine.events import Event
from pbem.engine.field import unmark
from pbem.engine.nouns import City, Power
from pbem.games.maria.rules.events import MarkersLost, MarkersTaken, MarkersWon
from pbem.games.maria.rules.state import Table, affairs_of

BATTLE = "battle"


def pool(table: Table, power: Power) -> int:
    """Return the number of markers in a power's pool: all its markers that lie in no other place. The number can be
    negative (§23)."""
    affairs = affairs_of(table)
    boxes = affairs.battle.get(power, 0) + list(affairs.special.values()).count(power)
    elsewhere = markers_on_fortresses(table, power) + boxes + affairs.set_aside.get(power, 0)
    return table.rules.game.advanced.markers[power] - elsewhere


def pools(table: Table) -> dict[Power, int]:
    """Return the number of markers in the pool of each major power. The result is cached until a marker moves."""
    field, affairs, powers = table.state.field, affairs_of(table), table.rules.game.advanced.markers
    boxes = [tuple(box.items()) for box in (affairs.battle, affairs.special, affairs.set_aside, field.questions)]
    control = control_of(table.rules.common, field)
    return control.once(("pools", *boxes), lambda: {power: pool(table, power) for power in powers})


def markers_on_fortresses(table: Table, power: Power) -> int:
    """Return the number of a power's victory markers on fortresses. Question marks count as markers; elector markers do
    not (§23)."""
    field = table.state.field

    def count() -> Counter[Power]:
        return Counter(by for city, by in field.markers.items() if not is_elector_marked(table, city))

    laid = control_of(table.rules.common, field).once("laid", count)[power]
    return laid + question_marks(table, power)


def question_marks(table: Table, power: Power) -> int:
    """Return the number of question marks of a power and of the minor powers that belong to it."""
    field = table.state.field
    return [field.alliances.principal[by] for by in field.questions.values()].count(power)


def is_elector_marked(table: Table, city: City) -> bool:
    """True if a fortress carries an elector marker instead of a victory marker (§10.3)."""
    board = table.rules.common.board
    return board.cities[city].elector and board.land[city] not in table.state.field.alliances.home


def battle_points(table: Table, power: Power, won: int) -> list[Event]:
    """Move `won` markers from a power's pool into its battle boxes (§16). If `won` is negative, move markers back into
    the pool. At most all boxes are filled or emptied."""
    affairs = affairs_of(table)
    if power not in affairs.battle:
        return []
    now = affairs.battle[power]
    affairs.battle[power] = max(0, min(table.rules.game.advanced.battle_boxes, now + won))
    moved = affairs.battle[power] - now
    if moved > 0:
        return [MarkersWon(power, BATTLE, moved)]
    return [MarkersLost(power, BATTLE, -moved)] if moved else []


def put_marker(table: Table, box: str, power: Power | None) -> list[Event]:
    """Put a power's marker into a victory box, or empty the box if `power` is None (§16). A marker that was in the box
    goes back to the pool of its own power."""
    special = affairs_of(table).special
    now = special.get(box)
    if now == power:
        return []
    events: list[Event] = []
    if now is not None:
        del special[box]
        events.append(MarkersLost(now, box, 1))
    if power is not None:
        special[box] = power
        events.append(MarkersWon(power, box, 1))
    return events


def elector_holder(table: Table) -> Power | None:
    """Return the power that has the box of the electors, or None (§16). A power has it if the power and its partners
    hold enough fortresses with elector markers. If two powers hold enough, the first of them in `Prizes.electors` has
    the box."""
    rules, field = table.rules, table.state.field
    prizes = rules.game.advanced.prizes
    cities = [city for city in rules.common.board.fortresses if is_elector_marked(table, city)]
    group = field.alliances.group
    for power in prizes.electors:
        held = 0
        for city in cities:
            holder = controller(rules.common, field, city)
            held += holder is not None and group[holder] == group[power]
        if held >= prizes.electors_least:
            return power
    return None


def take_markers(table: Table, power: Power, cities: Iterable[City], half_aside: bool) -> list[Event]:
    """Take a power's markers off fortresses (§19). If `half_aside` is true, half of these markers, rounded up, are set
    aside. The others go back to the pool."""
    affairs, markers = affairs_of(table), table.state.field.markers
    taken = tuple(city for city in sorted(cities) if markers.get(city) == power)
    unmark(table.state.field, taken)
    aside = (len(taken) + 1) // 2 if half_aside else 0
    if aside:
        affairs.set_aside[power] = affairs.set_aside.get(power, 0) + aside
    return [MarkersTaken(power, taken, aside)] if taken else []
