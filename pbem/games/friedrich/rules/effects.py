"""Effects of the Card of Fate in force this turn on marches, recruits and objectives.

Only one card is in force at a time: it holds in the turn after it is read, and each turn reads one (§2, §11).
`effects_in_combat` has its effects in combat.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.engine.conquest import dealings
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.pieces_by_city import pieces_by_city
from pbem.engine.rules import Rules
from pbem.games.friedrich.rules.fate_data import (
    Cover,
    Differ,
    Inseparable,
    Lasting,
    Pinned,
    Range,
    Restrained,
    Truce,
    Unreinforced,
    Untrained,
)
from pbem.games.friedrich.rules.state import InForce
from pbem.games.friedrich.rules.table import Table


def entry_now(table: Table) -> InForce | None:
    """Entry of the card whose version holds in this turn and is not used up; None if there is none."""
    state = table.state
    for entry in state.fate.in_force:
        if entry.until == state.turn and not entry.used:
            return entry
    return None


def effect_now(table: Table) -> Lasting | None:
    """Effect that holds in this turn; None if there is none."""
    if not table.state.fate.in_force:
        return None
    entry = entry_now(table)
    return None if entry is None else table.rules.fate.lasting[entry.card, entry.suit]


def general_named(rules: Rules, name: str) -> Piece | None:
    """General of this name, if he is among the pieces of this scenario."""
    return rules.generals_by_name.get(name)


def on_map(table: Table, name: str) -> Piece | None:
    """General of this name, if he is on the map."""
    general = general_named(table.rules.common, name)
    return general if general is not None and table.state.field.pieces[general].city >= 0 else None


def is_among(table: Table, name: str, pieces: Collection[Piece]) -> bool:
    """True if the general of this name is one of these pieces."""
    return general_named(table.rules.common, name) in pieces


def faces_enemy(table: Table, power: Power, city: City, only_in: int | None = None) -> bool:
    """True if an enemy general stands adjacent to the city; with `only_in` in that neighbour."""
    rules, field = table.rules.common, table.state.field
    near, at = rules.board.adjacent[city], pieces_by_city(rules, field).at
    foes = dealings(rules, field, power).rivals
    places = near if only_in is None else near & {only_in}
    return not all(foes.isdisjoint(at.get(place, ())) for place in places)


def concerns_march(table: Table, effect: Lasting | None, pieces: Sequence[Piece]) -> bool:
    """True if an effect can change a march of these generals."""
    match effect:
        case Range(general) | Restrained(general) | Differ(_, general):
            return is_among(table, general, pieces)
        case Untrained(power):
            return not set(table.rules.common.generals(power)).isdisjoint(pieces)
        case Truce() | Cover():
            return True
    return False


def general_range(table: Table, pieces: Sequence[Piece], plain: int, plain_main: int) -> tuple[int, int]:
    """Ranges of these generals together, by any road and by main roads only (§4, cards 2, 5, 9, 12)."""
    match effect_now(table):
        case Range(general, any_road, main_road) if is_among(table, general, pieces):
            return any_road, main_road
    return plain, plain_main


def may_move(table: Table, piece: Piece) -> bool:
    """True if a piece may begin a move where it stands (card 2)."""
    match effect_now(table):
        case Pinned(general, city) if is_among(table, general, [piece]):
            place = table.rules.common.board.index[city]
            return table.state.field.pieces[piece].city not in table.rules.common.board.within(place, 1)
    return True


def may_stop(table: Table, pieces: Sequence[Piece], city: City) -> bool:
    """True if generals may end a march or re-enter there: without a right to attack not beside an enemy
    (§11).
    """
    effect = effect_now(table)
    if not isinstance(effect, Restrained | Truce | Differ | Untrained):
        return True
    power = table.rules.common.pieces[pieces[0]].power
    match effect:
        case Restrained(general):
            return not (is_among(table, general, pieces) and faces_enemy(table, power, city))
        case Truce(name):
            place = table.rules.common.board.index[name]
            return not faces_enemy(table, power, city, only_in=None if city == place else place)
        case Untrained(raw):
            recruited = power == raw and not set(pieces).isdisjoint(table.state.reinforced)
            return not (recruited and faces_enemy(table, power, city))
        case Differ(_, second):
            entry = entry_now(table)
            same = entry is not None and table.rules.common.board.suit[city] in entry.suits
            return not (same and is_among(table, second, pieces) and faces_enemy(table, power, city))


def may_take_train(table: Table, pieces: Sequence[Piece], city: City) -> bool:
    """True if generals may eliminate an enemy train in a city (cards 3, 4, 5, 7)."""
    match effect_now(table):
        case Restrained(general):
            return not is_among(table, general, pieces)
        case Truce(name):
            return city != table.rules.common.board.index[name]
    return True


def may_leave_stack(table: Table, leaving: Sequence[Piece], staying: Sequence[Piece]) -> bool:
    """True if a stack may part like this (card 5)."""
    match effect_now(table):
        case Inseparable(general):
            parted = bool(leaving) and bool(staying)
            return not parted or not any(len(s) == 1 and is_among(table, general, s) for s in (leaving, staying))
    return True


def may_receive_troops(table: Table, general: Piece, city: City | None = None) -> bool:
    """True if a general may get new troops; `city` is the city of his return, if he comes back (cards 7, 10)."""
    rules, field = table.rules.common, table.state.field
    place = field.pieces[general].city if city is None else city
    match effect_now(table):
        case Unreinforced(name):
            barred = general_named(rules, name)
            if barred is None or table.rules.points.no_new_troops == "general":
                return general != barred
            return general != barred and (place < 0 or field.pieces[barred].city != place)
        case Untrained(power) if rules.pieces[general].power == power:
            return place < 0 or not faces_enemy(table, power, place)
    return True


def may_enter(table: Table, general: Piece, city: City) -> bool:
    """True if a general may come back in a city, with the new troops that this requires (§10, §11)."""
    return may_stop(table, (general,), city) and may_receive_troops(table, general, city)


def protection_reach(table: Table, general: Piece) -> int:
    """Distance up to which a general protects objectives (§5, card 11)."""
    match effect_now(table):
        case Cover(name, cities) if is_among(table, name, [general]):
            return cities
    return table.rules.common.limits.protection
