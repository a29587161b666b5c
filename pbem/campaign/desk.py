"""The moderator's work: letters are taken or refused, orders carried out, rulings made; each step is one entry."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.table import player_of
from pbem.games import game_of
from pbem.paper.faults import Fault, Refused
from pbem.paper.letters import Letter, letter_id
from pbem.seal.keys import PublicKey

from .absences import Absence, check_absence, of_players
from .campaign import Campaign
from .course import Course
from .deadlines import deadline_after, extended, first_deadline, moved
from .intake import agreed, judge
from .letterbox import Held
from .moments import moment, stamp
from .order_states import Accepted, PowerOrders
from .reading import Reading
from .records import (
    Absent,
    Adjudicated,
    Extended,
    Locked,
    Received,
    Rekeyed,
    Reminded,
    Replaced,
    RolledBack,
    Ruled,
    Turned,
)
from .register import Register, hidden_plans, unrevealed
from .reminders import Reminder, reminders_due
from .replaying import record_in
from .resolving import Outcome
from .standing import StageClock, may_adjudicate
from .standing import Verdict as Permission
from .verdicts import Verdict

NO_ORDERS = "no orders by the deadline"
NOT_REVEALED = "not revealed in time"
NO_ANSWER = "what was revealed does not answer"
WENT_ON = "the moderator went on"
REASONS = (NO_ORDERS, NOT_REVEALED, NO_ANSWER, WENT_ON)
"""Why defaults answer for somebody, as the ledger has it; templates of other languages have a table of these texts."""


class Receipt(Struct, frozen=True):
    """What the moderator answers to a letter."""

    player: str
    """Whose letter it was, as far as that can be told."""
    letter: str
    """The fingerprint of the letter; empty if none could be read."""
    entry: int
    """The entry that says so; of a copy, the entry of the first."""
    verdict: Verdict
    raw: str = ""
    status: str = ""


class Adjudication(Struct, frozen=True):
    """What an adjudication led to."""

    entry: int
    record: Adjudicated
    outcome: Outcome


class Lock(Struct, frozen=True):
    """Everything that was committed to is fixed, and now all reveal."""

    entry: int


def take_letter(campaign: Campaign, letter: Letter, raw: str = "", acted: str = "") -> Receipt:
    """Take a letter, or refuse it, and say which."""
    verdict = judge(campaign.course, letter, campaign.open_box, acted)
    player = letter.sender if letter.sender in campaign.settings.seats else ""
    if verdict.known:
        complete_known(campaign, verdict.known)
        return Receipt(player, letter_id(letter), verdict.known, verdict, raw, "known")
    if verdict.is_refused or verdict.record is None:
        return Receipt(
            player, letter_id(letter), turned(campaign, raw or letter_id(letter), player), verdict, raw, "refused"
        )
    entry = campaign.add(verdict.record, verdict.held)
    status = verdict.record.status if isinstance(verdict.record, Received) else "final"
    if isinstance(verdict.record, Received) and verdict.record.kind == "agreement":
        complete(campaign, verdict.record, verdict.held)
    return Receipt(player, letter_id(letter), entry.number, verdict, raw, status)


def turned(campaign: Campaign, content: str, player: str) -> int:
    """Enter that something was refused, once; a closed campaign is never added to, and its last entry says why."""
    if campaign.register.phase == "closed":
        return campaign.register.entry
    mark = campaign.course.keyed(content.encode())
    return campaign.register.turned.get(mark) or campaign.add(Turned(mark, player)).number


def complete_known(campaign: Campaign, number: int) -> None:
    """Enter an agreement whose last letter came in with a command that was killed before it could."""
    record = record_in(campaign.ledger.read(number))
    if isinstance(record, Received) and record.kind == "agreement" and campaign.register.phase != "closed":
        complete(campaign, record, campaign.held(number))


def complete(campaign: Campaign, record: Received, held: Held | None) -> None:
    """Enter an agreement once everybody named in it has signed it."""
    done = agreed(campaign.course, record, held) if held else None
    if done is not None:
        campaign.add(done)


def refuse_raw(campaign: Campaign, raw: str, faults: list[Fault], player: str = "") -> Receipt:
    """Answer something in which no letter could be read."""
    return Receipt(player, "", turned(campaign, raw, player), Verdict(faults=list(faults)), raw, "refused")


class Moment(Struct, frozen=True):
    """A campaign at one moment, as far as the clock is concerned."""

    register: Register
    now: datetime


def orders_now(campaign: Campaign | Reading | Moment) -> list[PowerOrders]:
    """What every power owes, and what is in; behind a lock also who owes nothing but what they have sealed."""
    register = campaign.register
    found = []
    for player, powers in (register.next.owing if register.next else {}).items():
        pending = register.pending.get(player)
        accepted = None
        if player in (register.next.answered if register.next else ()):
            accepted = Accepted(("orders",), moment(register.last_needed or register.began))
        if pending:
            answers = ("orders",) if pending.status != "partial" else ("something",)
            since = moment(register.last_needed) if register.last_needed else moment(register.time)
            accepted = Accepted(answers, since, pending.status == "draft" and not register.locked)
        if register.locked and pending and set(pending.slots) - set(pending.revealed):
            accepted = None
        if register.locked and hidden_plans(register, player):
            accepted = None
        found += [PowerOrders(power, player, ("orders",), accepted) for power in powers]
    asked = register.next.owing if register.next else {}
    if register.locked:
        found += [PowerOrders(player, player, ("orders",)) for player in unrevealed(register) if player not in asked]
    return found


def stage_clock(campaign: Campaign | Reading | Moment) -> StageClock:
    """The clock of the present stage."""
    register = campaign.register
    began = moment(register.began) if register.began else campaign.now
    deadline = moment(register.deadline) if register.deadline else campaign.now + timedelta(days=3650)
    owing = register.next.owing if register.next else {}
    waiting = tuple(player for player, pending in register.pending.items() if pending.wait and player in owing)
    return StageClock(began, deadline, waiting)


def permission(campaign: Campaign | Reading | Moment) -> Permission:
    """Whether the clock lets the stage be adjudicated now; what is not revealed by the deadline is always forfeited."""
    clock = campaign.register.settings.clock
    if campaign.register.locked:
        clock = replace(clock, at_deadline="hold")
    return may_adjudicate(campaign.now, clock, stage_clock(campaign), orders_now(campaign))


def adjudicate(campaign: Campaign, force: bool = False) -> Adjudication | Lock:
    """Carry orders out as far as they reach; or, where sealed parts wait to be revealed, fix what was committed to.

    Raises `Refused` if the game waits for letters, or the clock says that it is too early. `force` carries out what
    is there, whatever the clock says, with defaults for those who have not ordered.
    """
    register = campaign.register
    if register.phase == "joining":
        return begin_game(campaign)
    if register.phase != "running":
        raise waiting_fault(campaign, "the game is over: `pbem close` ends the campaign")
    forced = not permission(campaign).may
    if forced and not force:
        raise waiting_fault(campaign)
    if must_lock(campaign):
        return lock(campaign, forced)
    return carry_out(campaign, forced)


def begin_game(campaign: Campaign) -> Adjudication:
    """Deal, once everybody has joined."""
    register = campaign.register
    if lacking := [seat for seat in register.settings.seats if seat not in register.players]:
        raise waiting_fault(campaign, f"nobody has joined as {', '.join(lacking)} yet")
    return carry_out(campaign)


def carry_out(campaign: Campaign, forced: bool = False) -> Adjudication:
    """Add an adjudication to the ledger."""
    course, register = campaign.course, campaign.register
    number = campaign.ledger.head.number + 1
    absent, forfeited = defaults_for(course, campaign.now, forced)
    record, outcome = course.adjudicated(number, absent, forfeited, forced)
    if register.version and not outcome.answers and not outcome.slips:
        raise waiting_fault(campaign, "the letters that are in do not answer what the game asks")
    record = replace(record, next=replace(record.next, deadline=deadline_for(campaign, record.next.owing)))
    entry = campaign.add(record)
    return Adjudication(entry.number, record, outcome)


def defaults_for(course: Course, now: datetime, forced: bool) -> tuple[dict[str, str], dict[str, tuple[str, ...]]]:
    """For whom defaults answer in an adjudication now, and why; and the sealed parts that are forfeited."""
    register = course.register
    if register.next is None or course.table is None:
        return {}, {}
    forfeited = unrevealed(register) if register.locked else {}
    allowed = permission(Moment(register, now))
    if not forced and not register.locked and allowed.basis == "orders":
        return {}, {}
    absent = {}
    for player in silent(course):
        if player in forfeited:
            absent[player] = NOT_REVEALED
        elif register.locked and player in course.force:
            absent[player] = NO_ANSWER
        else:
            absent[player] = WENT_ON if forced else NO_ORDERS
    return absent, forfeited


def silent(course: Course) -> list[str]:
    """The players whose letters do not answer everything that they are asked now."""
    assert course.table is not None
    sources = course.sources(course.table, course.tally)
    found = []
    for decision in game_of(course.table).decisions(course.table):
        player = player_of(course.table, decision.power)
        source = sources.get(player)
        if player not in found and (source is None or not source.speaks_of(decision)):
            found.append(player)
    return found


def deadline_for(campaign: Campaign | Moment, asked: Iterable[str]) -> str:
    """Until when those have time who are asked something from now on; nothing if nobody is."""
    asked = list(asked)
    if not asked:
        return ""
    clock, register = campaign.register.settings.clock, campaign.register
    away = of_players(absences_of(campaign), asked)
    if not register.deadline:
        return stamp(first_deadline(campaign.now, clock, away))
    return stamp(deadline_after(moment(register.deadline), campaign.now, clock, away))


def deadline_again(campaign: Campaign | Moment, asked: Iterable[str]) -> str:
    """The same after a rollback, which lets the clock begin anew."""
    asked = list(asked)
    away = of_players(absences_of(campaign), asked)
    return stamp(first_deadline(campaign.now, campaign.register.settings.clock, away)) if asked else ""


def absences_of(campaign: Campaign | Moment) -> list[Absence]:
    """The absences announced so far."""
    return [
        Absence(away.player, date.fromisoformat(away.first), date.fromisoformat(away.last), away.why)
        for away in campaign.register.absences
    ]


def must_lock(campaign: Campaign | Moment) -> bool:
    """Whether sealed parts wait to be revealed, and nobody may change theirs any more."""
    register = campaign.register
    if register.settings.conduct.sealing != "reveal" or register.locked:
        return False
    return any(pending.slots for pending in register.pending.values())


def lock(campaign: Campaign, forced: bool) -> Lock:
    """Fix what was committed to, and ask everybody to reveal."""
    return Lock(campaign.add(locked_now(campaign, forced)).number)


def locked_now(campaign: Campaign | Moment, forced: bool) -> Locked:
    """What an entry says that fixes what was committed to."""
    register = campaign.register
    assert register.next is not None
    orders = [letter.entry for letter in register.pending.values()]
    plans = [letter.entry for letter in register.unshown.values()]
    until = deadline_for(campaign, {*register.pending, *register.unshown})
    return Locked(register.next.stage, tuple(sorted([*orders, *plans])), until, forced)


def waiting_fault(campaign: Campaign, why: str = "") -> Refused:
    """Why nothing can be adjudicated now."""
    allowed = permission(campaign) if campaign.register.phase == "running" else None
    if not why and allowed:
        late = ", ".join(allowed.absent)
        why = f"orders of {late} are not in" if late else "players may still change their minds"
    hint = ""
    if allowed and allowed.earliest:
        hint = f"from {stamp(allowed.earliest)} on; --force goes on at once, and the ledger says so"
    return Refused(campaign.settings.campaign, [Fault("E-CAMPAIGN-WAITING", why, 1, 1, hint=hint)])


def due_now(campaign: Campaign) -> list[Reminder]:
    """The reminders that are due."""
    register = campaign.register
    if register.phase != "running":
        return []
    last = {player: moment(time) for time, _, player in register.reminded}
    return list(reminders_due(last, campaign.now, campaign.settings.clock, stage_clock(campaign), orders_now(campaign)))


def remind(campaign: Campaign) -> list[Reminder]:
    """The reminders that are due, entered so that nobody gets one twice; who writes them does so before."""
    due = due_now(campaign)
    for occasion in dict.fromkeys(reminder.occasion for reminder in due):
        players = tuple(reminder.player for reminder in due if reminder.occasion == occasion)
        campaign.add(Reminded(players, occasion))
    return due


def extend(campaign: Campaign, until: datetime, why: str) -> int:
    """Give more time."""
    need_running(campaign)
    later = extended(moment(campaign.register.deadline), until, campaign.now)
    return campaign.add(Extended(stamp(later), why)).number


def absence(campaign: Campaign, wish: Absence) -> int:
    """Note once that a player is away, even if told twice; a deadline that falls into that moves if they owe."""
    need_open(campaign)
    known_player(campaign, wish.player)
    record = Absent(wish.player, wish.first.isoformat(), wish.last.isoformat(), wish.reason)
    if wish in absences_of(campaign):
        number = entry_saying(campaign, record)
    else:
        check_absence(wish, absences_of(campaign), campaign.now, campaign.settings.clock)
        number = campaign.add(record).number
    register = campaign.register
    if register.phase == "running" and register.next and wish.player in register.next.owing:
        away = of_players(absences_of(campaign), register.next.owing)
        later = moved(moment(register.deadline), campaign.now, campaign.settings.clock, away)
        if stamp(later) != register.deadline:
            campaign.add(Extended(stamp(later), f"{wish.player} is away"))
    return number


def entry_saying(campaign: Campaign, record: Absent) -> int:
    """The entry that says this already."""
    entries = (entry for entry in campaign.ledger.entries() if entry.kind == "absence")
    return next(entry.number for entry in entries if record_in(entry) == record)


def rule(campaign: Campaign, words: str, cited: str = "") -> int:
    """Record a ruling."""
    need_open(campaign)
    return campaign.add(Ruled(words, cited)).number


def substitute(campaign: Campaign, player: str, key: str, why: str, name: str = "", language: str = "") -> int:
    """Give a seat to somebody else."""
    need_open(campaign)
    known_player(campaign, player)
    if key:
        PublicKey.parse(key)
    return campaign.add(Replaced(player, key, why, name, language)).number


def rekey(campaign: Campaign, player: str, key: str, why: str) -> int:
    """Let a player sign with another key, by a ruling."""
    need_open(campaign)
    known_player(campaign, player)
    PublicKey.parse(key)
    return campaign.add(Rekeyed(player, key, why=why)).number


def rollback(campaign: Campaign, to: int, why: str) -> int:
    """Go back to the position after an earlier entry; nothing is deleted."""
    need_open(campaign)
    course = campaign.course_from(campaign.kept_at(to))
    record = RolledBack(to, why, course.waiting())
    until = deadline_again(campaign, record.next.owing)
    return campaign.add(replace(record, next=replace(record.next, deadline=until))).number


def known_player(campaign: Campaign, player: str) -> None:
    """Refuse the name of nobody."""
    if player not in campaign.register.players:
        names = ", ".join(campaign.register.players) or "nobody has joined"
        raise Refused(player, [Fault("E-PLAYER-UNKNOWN", f"nobody plays {player}", 1, 1, hint=names)])


def need_open(campaign: Campaign) -> None:
    """Refuse to add anything to a closed campaign, whose secrets everybody knows."""
    if campaign.register.phase == "closed":
        raise Refused(campaign.settings.campaign, [Fault("E-CAMPAIGN-PHASE", "the campaign is closed", 1, 1)])


def need_running(campaign: Campaign) -> None:
    """Refuse what makes sense only while the game runs."""
    if campaign.register.phase != "running":
        raise Refused(campaign.settings.campaign, [Fault("E-CAMPAIGN-PHASE", "the game does not run", 1, 1)])
