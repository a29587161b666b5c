"""Effects of political cards and tracks: instructions, shifts, icons (§17.5)."""

from __future__ import annotations

from pbem.engine.conquest import controller
from pbem.engine.decisions import Recruitment
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Conquered, Event
from pbem.engine.field import alter, mark
from pbem.engine.nouns import NO_POWER, City, Power
from pbem.faults.wrong import wrong
from pbem.games.maria.rules import corps
from pbem.games.maria.rules.decisions import Reinforce
from pbem.games.maria.rules.defection import facts as defection_facts
from pbem.games.maria.rules.defection import move_to, shift_defector, shift_marker
from pbem.games.maria.rules.defection import status as defector_status
from pbem.games.maria.rules.events import IncomeChanged, TroopsGranted
from pbem.games.maria.rules.points import put
from pbem.games.maria.rules.politics_data import Ally, Effects, Expedition, Grant, Income, PoliticalCard, Seize
from pbem.games.maria.rules.state import CorpsTask, RecruitTask, ReinforceTask
from pbem.games.maria.rules.table import Table, affairs_of, draw_cards
from pbem.games.maria.rules.winter import check_crowding, check_entry, check_recruits, enter, receivers


def carry_out(table: Table, power: Power, card: PoliticalCard, grantee: Power) -> list[Event]:
    """Carry out the instruction of a card."""
    events: list[Event] = []
    for effect in card.effects:
        events += follow(table, power, effect, grantee)
    return events


def follow(table: Table, power: Power, effect: Effects, grantee: Power) -> list[Event]:
    """Carry out one part of an instruction."""
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
    """Give cards at once, and troops as soon as their power has named the generals."""
    events = draw_cards(table, power, cards) if cards else []
    if troops:
        add_grant(table, ReinforceTask(power, troops))
    return events


def add_grant(table: Table, task: ReinforceTask) -> None:
    """Add the task of free troops. They are given before the same power is asked for paid ones (§17.5, §19.3)."""
    tasks = table.state.tasks
    first = table.rules.edition.free_troops == "before paid"
    paid = [place for place, other in enumerate(tasks) if isinstance(other, RecruitTask) and other.power == task.power]
    tasks.insert(paid[0] if first and paid else len(tasks), task)


def seize(table: Table, city: City, power: Power) -> list[Event]:
    """Change the control of a fortress with an elector marker."""
    rules, field = table.rules.common, table.state.field
    loser = controller(rules, field, city)
    if loser == power:
        return []
    mark(field, city, power)
    return [Conquered(city, power, loser or NO_POWER, power)]


def reinforce_decision(table: Table, task: ReinforceTask) -> Reinforce:
    """Decision on free new troops; the generals are those who may recruit in winter (§17.5)."""
    room, entries = receivers(table, task.power)
    return Reinforce(task.power, min(task.troops, sum(room.values())), room, entries)


def reinforce(table: Table, decision: Reinforce, answer: Recruitment) -> list[Event]:
    """Give the new troops out. Generals off the map re-enter with them; troops without room are lost."""
    total = sum(answer.troops.values())
    if total > decision.troops:
        raise IllegalOrder(wrong("E-GRANT-SUM", troops=decision.troops, total=total), where=("troops",))
    if answer.cards:
        asked_later = any(isinstance(task, RecruitTask) and task.power == decision.power for task in table.state.tasks)
        raise IllegalOrder(wrong("E-GRANT-PRICE.later" if asked_later else "E-GRANT-PRICE"), where=("cards",))
    for general, count in answer.troops.items():
        check_recruits(table, decision, answer, general, count)
    for general, city in answer.entries.items():
        check_entry(table, decision, answer, general, city)
    check_crowding(table, answer)
    events: list[Event] = [TroopsGranted(decision.power, total, dict(answer.troops))]
    for general, city in answer.entries.items():
        events += enter(table, general, city, answer.commanders)
    for general, count in answer.troops.items():
        alter(table.state.field, general, troops=table.state.field.pieces[general].troops + count)
    return events


def apply_shifts(table: Table) -> list[Event]:
    """Move each marker by the sum of its announced shifts, with the effects of its new box (§17.5)."""
    affairs = affairs_of(table)
    before = corps.asked_by_tracks(table)
    shifts, affairs.shifts = affairs.shifts, {}
    events: list[Event] = []
    italy = table.rules.game.advanced.prizes.italy
    whole = table.rules.edition.beyond_end == "stay"
    for track, steps in sorted(shifts.items()):
        start = affairs.tracks[track]
        if track == defection_facts(table).track:
            events += shift_defector(table, steps, whole)
        else:
            events += shift_marker(table, track, steps, whole=whole)
        if track == italy:
            events += settle_italy(table, start)
    corps.settle(table, before)
    return events


def settle_italy(table: Table, start: int) -> list[Event]:
    """Fill the box "Italy" where an icon says so; empty it when the marker comes back to its star (§16)."""
    track = table.rules.game.advanced.prizes.italy
    boxes = table.rules.politics.tracks[track].boxes
    now = affairs_of(table).tracks[track]
    star = next(index for index, box in enumerate(boxes) if box.star)
    events: list[Event] = []
    passed = min(start, now) <= star <= max(start, now)
    if start != star and (now == star or (passed and table.rules.edition.italy_marker == "over star")):
        events += put(table, "italy", None)
    gains = [icon.power for icon in boxes[now].icons if icon.kind == "victory"]
    return [*events, *put(table, "italy", gains[0])] if gains else events


def income_change(table: Table, power: Power) -> int:
    """Change of a power's income by tracks and cards now (§17.5)."""
    if table.state.affairs is None:
        return 0
    affairs = affairs_of(table)
    boxes = [table.rules.politics.tracks[name].boxes[box] for name, box in affairs.tracks.items()]
    icons = sum(i.cards for box in boxes for i in box.icons if i.kind == "income" and i.power == power)
    return icons + affairs.income.get(power, 0) + affairs.lasting.get(power, 0)
