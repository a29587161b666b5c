"""Winter: new troops, and generals who come back (§13)."""

from __future__ import annotations

from pbem.engine import march
from pbem.engine.cards import discard, points
from pbem.engine.conquest import controller, friendly
from pbem.engine.decisions import Recruit, Recruitment
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event, GeneralEntered, Recruited
from pbem.engine.field import ASIDE, OFF, by_command, enemies, home_of, may_stack, partners, pieces_at, stack_at
from pbem.engine.march import needs_commander
from pbem.engine.supply import check_in_hand
from pbem.games.maria.rules.decisions import Reinforce
from pbem.games.maria.rules.table import Table, active, aside


def begin(table: Table) -> list[Event]:
    """The powers of this part of winter may recruit."""
    table.state.owing = list(active(table, winter_stage(table.state.stage)))
    return []


def winter_stage(stage: str) -> str:
    """The action stage whose powers recruit together (§5)."""
    return stage.removeprefix("winter-")


def decision(table: Table, power: str) -> Recruit:
    """Who may receive troops, and where generals may come back."""
    return Recruit(power, tuple(table.state.cards.hands[power]), *receivers(table, power))


def receivers(table: Table, power: str) -> tuple[dict[int, int], dict[int, tuple[int, ...]]]:
    """The generals who may receive troops with the room each has, and where those off the map may re-enter."""
    rules, state = table.rules.common, table.state
    room, entries = {}, {}
    for general in rules.generals(power):
        cities = tuple(entry_cities(table, general))
        piece = state.field.pieces[general]
        if piece.city >= 0:
            room[general] = rules.limits.troops - piece.troops
        elif piece.city == OFF and cities:
            room[general] = rules.limits.troops
            entries[general] = cities
    return room, entries


def entry_cities(table: Table, general: int) -> list[int]:
    """The major fortresses where a general may re-enter now (§13, §14, §22)."""
    rules, field = table.rules.common, table.state.field
    facts = rules.pieces[general]
    power = facts.power
    return [
        city
        for city in rules.board.major_fortresses
        if (is_entry_land(table, power, city) or rules.board.land[city] in facts.enters_in)
        and friendly(rules, field, city, power)
        and has_room(table, power, city)
    ]


def is_entry_land(table: Table, power: str, city: int) -> bool:
    """Whether generals of a power may re-enter here: at home, or in older editions where it rules abroad (§13)."""
    rules, field = table.rules.common, table.state.field
    home = home_of(rules, field, city)
    if home in entry_homes(table, power):
        return True
    held = table.rules.edition.entry == "held" and controller(rules, field, city) == power
    return held and (home is None or not partners(field, home, power))


def entry_homes(table: Table, power: str) -> set[str]:
    """The powers in whose home country generals of a power may re-enter: its own, or what §14 adds to it."""
    return {power, *table.rules.scenario.general_entry.get(power, ())}


def has_room(table: Table, power: str, city: int) -> bool:
    """Whether one more general of the power may stand in the city: empty, a lone partner, or an enemy train (§13)."""
    rules, field = table.rules.common, table.state.field
    there = pieces_at(field, city)
    generals = [piece for piece in there if rules.is_general(piece)]
    if not generals:
        return all(enemies(field, rules.pieces[train].power, power) for train in there)
    return len(generals) < rules.limits.stack and all(may_stack(field, rules.pieces[g].power, power) for g in generals)


def check(table: Table, decision: Recruit, answer: Recruitment) -> None:
    """Refuse recruits that are not paid for, or that find no general or no place (§13)."""
    check_payment(table, decision, answer)
    for general, count in answer.troops.items():
        check_recruits(table, decision, answer, general, count)
    for general, city in answer.entries.items():
        check_entry(table, decision, answer, general, city)
    check_crowding(table, answer)


def check_payment(table: Table, decision: Recruit, answer: Recruitment) -> None:
    """Refuse cards that are not in hand, or worth less than the troops cost, or paid for nothing."""
    rules = table.rules.common
    check_in_hand(decision.hand, answer.cards)
    paid = points(rules.decks, answer.cards)
    troops = sum(answer.troops.values())
    price = troops * rules.limits.troop_price
    if paid < price:
        raise IllegalOrder(
            "§13", "E-RECRUIT-PRICE", f"{troops} troops cost {price}, the cards are worth {paid}",
            f"at most {paid // rules.limits.troop_price} troops", ("cards",),
        )  # fmt: skip
    if answer.cards and not troops:
        lacking = next(iter(answer.entries), None)
        if lacking is not None:
            message = f"{rules.pieces[lacking].name} re-enters with at least one new troop, and none is given to him"
            raise IllegalOrder("§13", "E-RECRUIT-NOTHING", message, "under `troops`", ("entries", lacking))
        raise IllegalOrder("§13", "E-RECRUIT-NOTHING", "cards are paid, but no troops recruited", where=("cards",))


def check_recruits(table: Table, decision: Recruit | Reinforce, answer: Recruitment, general: int, count: int) -> None:
    """Refuse troops for a general who cannot take them."""
    name = table.rules.common.pieces[general].name
    where = ("troops", general)
    if general not in decision.room:
        raise no_recruits(table, decision.power, general, where)
    room = decision.room[general]
    if not 1 <= count <= room:
        most = table.rules.common.limits.troops
        hint = f"1 to {room}" if room else f"none: he has {most} troops already"
        raise IllegalOrder("§6", "E-TROOPS-RANGE", f"{name} cannot receive {count} new troops", hint, where)
    if general in decision.entries and general not in answer.entries:
        raise IllegalOrder(
            "§13", "E-RECRUIT-PLACE", f"{name} is off the map: say where he re-enters",
            table.rules.common.board.names_of(decision.entries[general]), where,
        )  # fmt: skip


def check_entry(table: Table, decision: Recruit | Reinforce, answer: Recruitment, general: int, city: int) -> None:
    """Refuse a return that §13 does not allow."""
    name = table.rules.common.pieces[general].name
    where = ("entries", general)
    if table.state.field.pieces[general].city >= 0:
        raise IllegalOrder("§13", "E-RECRUIT-GENERAL", f"{name} is on the map and does not re-enter", where=where)
    if general not in decision.entries:
        raise no_recruits(table, decision.power, general, where)
    if city not in decision.entries[general]:
        raise IllegalOrder(
            "§13", "E-RECRUIT-CITY", f"{why_closed(table, decision.power, city)}: {name} cannot re-enter there",
            table.rules.common.board.names_of(decision.entries[general]), where,
        )  # fmt: skip
    if not answer.troops.get(general):
        raise IllegalOrder("§13", "E-RECRUIT-FIRST", f"{name} re-enters with at least one new troop", where=where)


def no_recruits(table: Table, power: str, general: int, where: tuple[str | int, ...]) -> IllegalOrder:
    """Why a general can have no new troops at all: not of this power, out of the game, or nowhere to re-enter."""
    rules, hint = table.rules.common, ""
    facts = rules.pieces[general]
    if facts.kind != "general" or facts.power != power:
        why = f"{facts.name} is no general of {power}"
    elif table.state.field.pieces[general].city == ASIDE:
        why = aside(table, general)[1]
    else:
        homes = entry_homes(table, power)
        why = f"{facts.name} is off the map, and no fortress is open to him"
        hint = "; ".join(
            why_closed(table, power, city)
            for city in rules.board.major_fortresses
            if home_of(rules, table.state.field, city) in homes
        )
    return IllegalOrder("§13", "E-RECRUIT-GENERAL", why, hint, where)


def why_closed(table: Table, power: str, city: int) -> str:
    """Why no general of the power may re-enter in a city (§13, §14)."""
    rules, field = table.rules.common, table.state.field
    name = rules.board.cities[city].name
    if not rules.board.in_play(city):
        return f"{name} lies on a map that this game does not use"
    if city not in rules.board.major_fortresses:
        return f"{name} is no major fortress"
    if not is_entry_land(table, power, city):
        return f"{name} is not in the home country of {power}"
    if not friendly(rules, field, city, power):
        return f"{name} is in enemy hands"
    return f"{rules.names_of(pieces_at(field, city))} in {name}"


def check_crowding(table: Table, answer: Recruitment) -> None:
    """Refuse returns that together would make an illegal stack, and equal ranks without one commander (§6)."""
    rules, field = table.rules.common, table.state.field
    commanding: set[int] = set()
    for city in set(answer.entries.values()):
        entering = [general for general, place in answer.entries.items() if place == city]
        stack = by_command(rules, field, [*stack_at(rules, field, city), *entering])
        name = rules.board.cities[city].name
        if len(stack) > rules.limits.stack:
            raise IllegalOrder(
                "§6", "E-STACK-FULL", f"{len(stack)} generals in {name}: a stack has at most {rules.limits.stack}",
                where=("entries", entering[-1]),
            )  # fmt: skip
        if needs_commander(rules, stack) and len(set(stack) & set(answer.commanders)) != 1:
            raise IllegalOrder(
                "§6", "E-COMMANDER", f"generals of equal rank stack in {name}: say who is supreme commander",
                rules.names_of(stack, " or "), ("commanders",),
            )  # fmt: skip
        commanding.update(stack if needs_commander(rules, stack) else stack[:1])
    for place, general in enumerate(answer.commanders):
        if general not in commanding:
            raise IllegalOrder(
                "§6", "E-COMMANDER", f"{rules.pieces[general].name} is not to choose as supreme commander",
                "name one only where generals of equal rank stack", ("commanders", place),
            )  # fmt: skip


def recruit(table: Table, decision: Recruit, answer: Recruitment) -> list[Event]:
    """Pay, put generals back on the map, and write the new troops on the army sheet."""
    check(table, decision, answer)
    state = table.state
    events: list[Event] = []
    if answer.cards:
        discard(state.cards, decision.power, answer.cards)
        troops = sum(answer.troops.values())
        events.append(Recruited(decision.power, troops, answer.cards, dict(answer.troops)))
    for general, city in answer.entries.items():
        events += enter(table, general, city, answer.commanders)
    for general, count in answer.troops.items():
        state.field.pieces[general].troops += count
    if decision.power in state.owing:
        state.owing.remove(decision.power)
    return events


def enter(table: Table, general: int, city: int, commanders: tuple[int, ...]) -> list[Event]:
    """Put a general on a fortress: an enemy train there is eliminated, a hussar swept away, a partner joined."""
    rules, field = table.rules.common, table.state.field
    events: list[Event] = [GeneralEntered(general, city)]
    events += march.enter(rules, field, city, general, pieces_at(field, city))
    piece = field.pieces[general]
    piece.city, piece.down = city, False
    stack = stack_at(rules, field, city)
    if len(stack) > 1:
        chosen = next((g for g in commanders if g in stack), None)
        events += march.stack_up(rules, field, city, chosen)
    return events
