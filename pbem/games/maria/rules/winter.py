"""Winter (§13): powers recruit, and generals re-enter. Effects of political cards and of tracks (§17.5)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import NamedTuple

from pbem.engine import march
from pbem.engine.cards import discard, points
from pbem.engine.conquest import controller, is_friendly
from pbem.engine.decisions import Recruit, Recruitment
from pbem.engine.events import Conquered, Event, GeneralEntered, Recruited
from pbem.engine.field import (
    ASIDE,
    OFF,
    alter,
    are_enemies,
    are_partners,
    by_command,
    home_of,
    mark,
    may_stack,
    pieces_at,
    stack_at,
)
from pbem.engine.nouns import NO_POWER, City, Piece, Power
from pbem.engine.rules import IllegalOrder, refuse
from pbem.engine.supply import check_in_hand
from pbem.engine.troops import needs_commander, stack_up
from pbem.faults.wrong import Words, words, wrong
from pbem.games.maria.rules import corps
from pbem.games.maria.rules.data import acting_in
from pbem.games.maria.rules.decisions import Reinforce
from pbem.games.maria.rules.defection import facts as defection_facts
from pbem.games.maria.rules.defection import move_to, shift_defector, shift_marker
from pbem.games.maria.rules.defection import status as defector_status
from pbem.games.maria.rules.events import IncomeChanged, TroopsGranted
from pbem.games.maria.rules.points import put_marker
from pbem.games.maria.rules.politics_data import Ally, Effects, Expedition, Grant, Income, Seize
from pbem.games.maria.rules.state import (
    CorpsTask,
    RecruitTask,
    ReinforceTask,
    Table,
    active,
    affairs_of,
    draw_cards,
    reason_aside,
)


def carry_out(table: Table, power: Power, effect: Effects, grantee: Power) -> list[Event]:
    """Carry out one instruction of a political card. `grantee` is the power that gets the granted cards or troops, if
    the card lets its player choose it."""
    affairs = affairs_of(table)
    match effect:
        case Grant(to, cards, troops):
            receiver = grantee if len(to) > 1 else to[0]
            return grant(table, power if receiver == "executing" else receiver, cards, troops)
        case Income(who, cards, lasting):
            changes = affairs.lasting if lasting else affairs.income
            changes[who] = changes.get(who, 0) + cards
            return [IncomeChanged(who, cards, lasting)]
        case Seize(city, who):
            return seize(table, table.rules.common.board.index[city], who)
        case Ally(status):
            if defector_status(table) == status:
                return []
            boxes = table.rules.politics.tracks[defection_facts(table).track].boxes
            return move_to(table, next(i for i, box in enumerate(boxes) if box.status == status))
        case Expedition(who):
            table.state.tasks.append(CorpsTask(who, lasting=True))
            return []


def grant(table: Table, power: Power, cards: int, troops: int) -> list[Event]:
    """Draw the cards that a political card grants, and add the task to give the granted troops to generals. With the
    ruling `free_troops: before paid` the power gives these troops before it recruits paid troops."""
    events = draw_cards(table, power, cards) if cards else []
    if troops:
        tasks, first = table.state.tasks, table.rules.edition.free_troops == "before paid"
        paid = [n for n, task in enumerate(tasks) if isinstance(task, RecruitTask) and task.power == power]
        tasks.insert(paid[0] if first and paid else len(tasks), ReinforceTask(power, troops))
    return events


def seize(table: Table, city: City, power: Power) -> list[Event]:
    rules, field = table.rules.common, table.state.field
    loser = controller(rules, field, city)
    if loser == power:
        return []
    mark(field, city, power)
    return [Conquered(city, power, loser or NO_POWER, power)]


def reinforce_decision(table: Table, task: ReinforceTask) -> Reinforce:
    """Return the decision to give free troops to generals who could recruit in winter (§17.5)."""
    room, entries = receivers(table, task.power)
    return Reinforce(task.power, min(task.troops, sum(room.values())), room, entries)


def reinforce(table: Table, decision: Reinforce, answer: Recruitment) -> list[Event]:
    """Carry out the answer that gives free troops to generals. Generals off the map who get troops re-enter. Troops
    that are not given to a general are lost. Raises `IllegalOrder` for an answer that is not allowed."""
    refuse(refusals(table, decision, answer))
    events: list[Event] = [TroopsGranted(decision.power, sum(answer.troops.values()), dict(answer.troops))]
    for general, city in answer.entries.items():
        events += enter(table, general, city, answer.commanders)
    for general, count in answer.troops.items():
        alter(table.state.field, general, troops=table.state.field.pieces[general].troops + count)
    return events


def apply_shifts(table: Table) -> list[Event]:
    """Move each track's marker by the sum of the announced shifts, and carry out the effects of the box that the marker
    reaches (§17.5)."""
    affairs = affairs_of(table)
    before = corps.powers_with_corps(table)
    shifts, affairs.shifts = affairs.shifts, {}
    events: list[Event] = []
    italy = table.rules.game.advanced.prizes.italy
    whole = table.rules.edition.beyond_end == "stay"
    for track, steps in sorted(shifts.items()):
        start = affairs.tracks[track]
        if track == defection_facts(table).track:
            events += shift_defector(table, steps, whole)
        else:
            events += shift_marker(table, track, steps, whole)
        if track == italy:
            events += settle_italy(table, start)
    corps.settle(table, before)
    return events


def settle_italy(table: Table, start: int) -> list[Event]:
    """Empty or fill the victory box "Italy" after its track's marker has moved (§16). `start` is the index of the box
    where the marker was. The victory box is emptied if the marker has come to the star. With the ruling `italy_marker:
    over star` it is also emptied if the marker has passed the star. It is filled if the marker's new box has a victory
    icon."""
    track = table.rules.game.advanced.prizes.italy
    boxes = table.rules.politics.tracks[track].boxes
    now = affairs_of(table).tracks[track]
    star = next(index for index, box in enumerate(boxes) if box.star)
    events: list[Event] = []
    passed = min(start, now) <= star <= max(start, now)
    if start != star and (now == star or (passed and table.rules.edition.italy_marker == "over star")):
        events += put_marker(table, "italy", None)
    gains = [icon.power for icon in boxes[now].icons if icon.kind == "victory"]
    return [*events, *put_marker(table, "italy", gains[0])] if gains else events


def income_change(table: Table, power: Power) -> int:
    """Return the number of cards by which tracks and political cards change a power's income now (§17.5). Return 0 in a
    game without politics."""
    if table.state.affairs is None:
        return 0
    affairs = affairs_of(table)
    boxes = [table.rules.politics.tracks[name].boxes[box] for name, box in affairs.tracks.items()]
    icons = sum(i.cards for box in boxes for i in box.icons if i.kind == "income" and i.power == power)
    return icons + affairs.income.get(power, 0) + affairs.lasting.get(power, 0)


def begin(table: Table) -> list[Event]:
    """Ask the powers that act in the present stage of winter for recruits."""
    table.state.owing = list(active(table, acting_in(table.state.stage)))
    return []


def decision(table: Table, power: Power) -> Recruit:
    return Recruit(power, tuple(table.state.cards.hands[power]), *receivers(table, power))


class Receivers(NamedTuple):
    """Generals of one power who may receive troops, and the cities where they may re-enter. Generals out of play are
    not included, and neither are generals off the map who have no open city."""

    room: dict[Piece, int]
    """Number of troops that each general may receive."""
    entries: dict[Piece, tuple[City, ...]]
    """Cities where each general off the map may re-enter."""


def receivers(table: Table, power: Power) -> Receivers:
    rules, state = table.rules.common, table.state
    room, entries = {}, {}
    for general in rules.generals(power):
        piece = state.field.pieces[general]
        if piece.city >= 0:
            room[general] = rules.limits.troops - piece.troops
        elif piece.city == OFF and (cities := tuple(entry_cities(table, general))):
            room[general] = rules.limits.troops
            entries[general] = cities
    return Receivers(room, entries)


def entry_cities(table: Table, general: Piece) -> list[City]:
    """Return the major fortresses where a general may re-enter now (§13, §14, §22)."""
    rules, field = table.rules.common, table.state.field
    facts = rules.pieces[general]
    power = facts.power
    return [
        city
        for city in rules.board.major_fortresses
        if (is_entry_land(table, power, city) or rules.board.land[city] in facts.enters_in)
        and is_friendly(rules, field, city, power)
        and has_room(table, power, city)
    ]


def is_entry_land(table: Table, power: Power, city: City) -> bool:
    """True if a power's generals may re-enter in the land of this city (§13). They may in the home country of each
    power in `entry_homes`. With the ruling `entry: held` they also may if the power controls the city, unless the land
    is a partner's home country. Lands that are open to single generals only (`enters_in`) are not considered."""
    rules, field = table.rules.common, table.state.field
    home = home_of(rules, field, city)
    if home in entry_homes(table, power):
        return True
    held = table.rules.edition.entry == "held" and controller(rules, field, city) == power
    return held and (home is None or not are_partners(field, home, power))


def entry_homes(table: Table, power: Power) -> set[str]:
    """Return the powers in whose home countries a power's generals re-enter: the power itself, and others in some
    scenarios."""
    return {power, *table.rules.scenario.general_entry.get(power, ())}


def has_room(table: Table, power: Power, city: City) -> bool:
    """True if a general of the power may enter the city (§13): it is empty or has only enemy trains, or he may join the
    stack there."""
    rules, field = table.rules.common, table.state.field
    there = pieces_at(field, city)
    generals = [piece for piece in there if rules.is_general(piece)]
    if not generals:
        return all(are_enemies(field, rules.pieces[train].power, power) for train in there)
    return len(generals) < rules.limits.stack and all(may_stack(field, rules.pieces[g].power, power) for g in generals)


def refusals(table: Table, decision: Recruit | Reinforce, answer: Recruitment) -> Iterator[IllegalOrder]:
    """Yield the refusals of a wrong payment, of generals who may not receive the troops or re-enter in the named city,
    and of stacks that become illegal (§13)."""
    yield from payment_refusals(table, decision, answer)
    for general, count in answer.troops.items():
        yield from recruits_refusals(table, decision, answer, general, count)
    for general, city in answer.entries.items():
        yield from entry_refusals(table, decision, answer, general, city)
    yield from crowding_refusals(table, decision, answer)


def payment_refusals(table: Table, decision: Recruit | Reinforce, answer: Recruitment) -> Iterator[IllegalOrder]:
    """Yield the refusals of cards that are worth less than the troops cost, and of cards that pay for nothing. If the
    troops are free, yield the refusals of any cards, and of more troops than are granted."""
    rules, tasks = table.rules.common, table.state.tasks
    paid, troops = points(rules.decks, answer.cards), sum(answer.troops.values())
    price = troops * rules.limits.troop_price
    if isinstance(decision, Reinforce):
        if troops > decision.troops:
            yield IllegalOrder(wrong("E-GRANT-SUM", troops=decision.troops, total=troops), where=("troops",))
        if answer.cards:
            asked_later = any(isinstance(task, RecruitTask) and task.power == decision.power for task in tasks)
            yield IllegalOrder(wrong("E-GRANT-PRICE.later" if asked_later else "E-GRANT-PRICE"), where=("cards",))
    elif paid < price:
        most = paid // rules.limits.troop_price
        yield IllegalOrder(wrong("E-RECRUIT-PRICE", troops=troops, price=price, paid=paid, most=most), where=("cards",))
    elif answer.cards and not troops and not answer.entries:
        yield IllegalOrder(wrong("E-RECRUIT-NOTHING"), where=("cards",))


def recruits_refusals(
    table: Table, decision: Recruit | Reinforce, answer: Recruitment, general: Piece, count: int
) -> Iterator[IllegalOrder]:
    """Yield the refusals unless the general may recruit, has room for `count` troops, and is on the map or re-enters
    by this answer."""
    rules, where = table.rules.common, ("troops", general)
    name = rules.pieces[general].name
    if general not in decision.room:
        yield no_recruits(table, decision.power, general, where)
        return
    room = decision.room[general]
    if not 1 <= count <= room:
        wording, most = ("E-TROOPS-RANGE.new", room) if room else ("E-TROOPS-RANGE.full", rules.limits.troops)
        yield IllegalOrder(wrong(wording, general=name, count=count, most=most), where=where)
    if general in decision.entries and general not in answer.entries:
        cities = rules.board.names(decision.entries[general])
        yield IllegalOrder(wrong("E-RECRUIT-PLACE", general=name, cities=cities), where=where)


def entry_refusals(
    table: Table, decision: Recruit | Reinforce, answer: Recruitment, general: Piece, city: City
) -> Iterator[IllegalOrder]:
    """Yield the refusals of a general whose re-entry §13 does not allow. A general who may not receive the troops of
    the answer either is left out."""
    name, where = table.rules.common.pieces[general].name, ("entries", general)
    open_to, is_lost = decision.entries.get(general, ()), table.state.field.pieces[general].city < 0
    if not is_lost:
        yield IllegalOrder(wrong("E-RECRUIT-GENERAL.map", general=name), where=where)
    elif open_to and city not in open_to:
        why, cities = why_closed(table, decision.power, city), table.rules.common.board.names(open_to)
        yield IllegalOrder(wrong("E-RECRUIT-CITY", why=why, general=name, cities=cities), where=where)
    if is_lost and general not in answer.troops:
        first = IllegalOrder(wrong("E-RECRUIT-FIRST", general=name), where=where)
        yield first if open_to else no_recruits(table, decision.power, general, where)


def no_recruits(table: Table, power: Power, general: Piece, where: tuple[str | int, ...]) -> IllegalOrder:
    """Return the refusal for new troops of a general who may not receive them, with the reason."""
    facts = table.rules.common.pieces[general]
    if facts.kind != "general" or facts.power != power:
        fault = wrong("E-RECRUIT-GENERAL", general=facts.name, power=power)
    elif table.state.field.pieces[general].city == ASIDE:
        fault = wrong("E-RECRUIT-GENERAL.aside", why=reason_aside(table, general)[1])
    else:
        fault = wrong("E-RECRUIT-GENERAL.closed", general=facts.name, why=why_all_closed(table, power))
    return IllegalOrder(fault, where=where)


def why_all_closed(table: Table, power: Power) -> Words | str:
    """Return the reasons why a power's generals cannot re-enter in any of their major fortresses at home. Return an
    empty text if they have no such fortress."""
    rules, homes = table.rules.common, entry_homes(table, power)
    at_home = (city for city in rules.board.major_fortresses if home_of(rules, table.state.field, city) in homes)
    whys = [why_closed(table, power, city) for city in at_home]
    return reduce(lambda one, other: words("closed-both", one=one, other=other), whys) if whys else ""


def why_closed(table: Table, power: Power, city: City) -> Words:
    """Return the reason why a power's generals cannot re-enter in this city. The city must be closed to them."""
    rules, field = table.rules.common, table.state.field
    name = rules.board.cities[city].name
    if not rules.board.in_play(city):
        return words("closed-map", city=name)
    if city not in rules.board.major_fortresses:
        return words("closed-fortress", city=name)
    if not is_entry_land(table, power, city):
        return words("closed-home", city=name, power=power)
    if not is_friendly(rules, field, city, power):
        return words("closed-enemy", city=name)
    return words("closed-pieces", pieces=rules.names(pieces_at(field, city)), city=name)


def crowding_refusals(table: Table, decision: Recruit | Reinforce, answer: Recruitment) -> Iterator[IllegalOrder]:
    """Yield the refusals of stacks that generals join and that become too large, or whose commander is named wrongly
    (§6). If several generals of a stack have its highest rank, the answer must name one of them. If only one has it,
    the answer may name him, but no other general. A general who may not re-enter in his city is left out."""
    rules, field = table.rules.common, table.state.field
    entries = {general: city for general, city in answer.entries.items() if city in decision.entries.get(general, ())}
    commanding: set[Piece] = set()
    for city in sorted(set(entries.values())):
        entering = [general for general, place in entries.items() if place == city]
        stack = by_command(rules, field, [*stack_at(rules, field, city), *entering])
        name = rules.board.cities[city].name
        if len(stack) > rules.limits.stack:
            fault = wrong("E-STACK-FULL.city", count=len(stack), city=name, most=rules.limits.stack)
            yield IllegalOrder(fault, where=("entries", entering[-1]))
        elif needs_commander(rules, stack) and len(set(stack) & set(answer.commanders)) != 1:
            fault = wrong("E-COMMANDER.city", city=name, generals=rules.names(stack))
            yield IllegalOrder(fault, where=("commanders",))
        commanding.update(stack if needs_commander(rules, stack) else stack[:1])
    # A general who may not re-enter might have been in one of these stacks.
    others = answer.commanders if len(entries) == len(answer.entries) else ()
    for place, general in enumerate(others):
        if general not in commanding:
            fault = wrong("E-COMMANDER.other", general=rules.pieces[general].name)
            yield IllegalOrder(fault, where=("commanders", place))


def recruit(table: Table, decision: Recruit, answer: Recruitment) -> list[Event]:
    """Carry out recruits: pay cards, place generals, and add troops. Raises `IllegalOrder` for all `refusals`."""
    check_in_hand(decision.hand, answer.cards)
    refuse(refusals(table, decision, answer))
    state = table.state
    events: list[Event] = []
    if answer.cards:
        discard(state.cards, decision.power, answer.cards)
        troops = sum(answer.troops.values())
        events.append(Recruited(decision.power, troops, answer.cards, dict(answer.troops)))
    for general, city in answer.entries.items():
        events += enter(table, general, city, answer.commanders)
    for general, count in answer.troops.items():
        alter(state.field, general, troops=state.field.pieces[general].troops + count)
    if decision.power in state.owing:
        state.owing.remove(decision.power)
    return events


def enter(table: Table, general: Piece, city: City, commanders: tuple[Piece, ...]) -> list[Event]:
    """Put a general who re-enters into a city. Enemy trains and hussars in the city are removed. If generals stand
    there, he joins their stack."""
    rules, field = table.rules.common, table.state.field
    events: list[Event] = [GeneralEntered(general, city)]
    events += march.enter(rules, field, city, general, pieces_at(field, city))
    alter(field, general, city=city, down=False)
    stack = stack_at(rules, field, city)
    if len(stack) > 1:
        chosen = next((g for g in commanders if g in stack), None)
        events += stack_up(rules, field, city, chosen)
    return events
