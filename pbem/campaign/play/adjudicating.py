"""The moderator's desk: letters are taken or refused, and orders carried out; each step is one entry."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.clock.timing import Moment, deadline_for, permission
from pbem.campaign.ledger.drawn_seats import asked_where_joined
from pbem.campaign.ledger.records import Adjudicated, Locked, Received, Turned
from pbem.campaign.ledger.register import BINDING, held_by_lock, hidden_orders, is_beyond, unrevealed
from pbem.campaign.ledger.replaying import record_in
from pbem.campaign.letters.judging import agreed, judge
from pbem.campaign.letters.letterbox import Held
from pbem.campaign.letters.verdicts import Verdict
from pbem.campaign.play.course import Course
from pbem.campaign.play.resolving import Outcome
from pbem.engine.table import player_of
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.letters import Letter, letter_id

NO_ORDERS = "no orders by the deadline"
NOT_REVEALED = "not revealed in time"
NO_ANSWER = "what was revealed does not answer"
WENT_ON = "the moderator went on"
WENT_ON_HIDDEN = "the moderator went on before it was revealed"
REASONS = (NO_ORDERS, NOT_REVEALED, NO_ANSWER, WENT_ON, WENT_ON_HIDDEN)
"""Why defaults answer for somebody, as the ledger has it; templates of other languages have a table of these texts."""


class Receipt(Struct, frozen=True):
    """What the moderator answers to a letter."""

    player: str
    """Whose letter it was, as far as that can be told."""
    letter: str
    """The fingerprint of the letter; empty if none could be read."""
    entry: int
    """The entry that says so; of a copy, the entry of the first; 0 for what was answered without one."""
    verdict: Verdict
    raw: str = ""
    status: str = ""


class Came(Struct, frozen=True):
    """How a letter came in."""

    raw: str = ""
    """The SHA-256 of the message that held it."""
    content: str = ""
    """What it is known by if it is refused; left out: what it says."""
    warnings: tuple[Fault, ...] = ()
    """What else its receipt tells."""


BY_ITSELF = Came()
"""A letter that came in no message."""


class CarriedOut(Struct, frozen=True):
    """An adjudication as the ledger has it."""

    entry: int
    record: Adjudicated


class Adjudication(CarriedOut, frozen=True):
    """What an adjudication led to."""

    outcome: Outcome


class Lock(Struct, frozen=True):
    """Everything that was committed to is fixed, and now all reveal."""

    entry: int
    forced: bool = False


def take_letter(campaign: Campaign, letter: Letter, came: Came = BY_ITSELF, acted: str = "") -> Receipt:
    """Take a letter, or refuse it, and say which."""
    verdict = judge(campaign.course, letter, campaign.open_box, acted)
    verdict.faults += came.warnings
    player = letter.sender if letter.sender in campaign.settings.seats else ""
    raw, identity = came.raw, letter_id(letter)
    if verdict.known:
        complete_known(campaign, verdict.known)
        return Receipt(player, identity, verdict.known, verdict, raw, "known")
    if verdict.is_refused or verdict.record is None:
        number = 0 if acted else turned(campaign, came.content or identity, player)
        return Receipt(player, identity, number, verdict, raw, "refused")
    entry = campaign.add(verdict.record, verdict.held)
    status = verdict.record.status if isinstance(verdict.record, Received) else "final"
    if isinstance(verdict.record, Received) and verdict.record.kind == "agreement":
        complete(campaign, verdict.record, verdict.held)
    return Receipt(player, identity, entry.number, verdict, raw, status)


def turned(campaign: Campaign, content: str, player: str) -> int:
    """Enter that something was refused, once; gives the entry that says so.

    A closed campaign is never added to, and one with too many such entries gets no more: it is the last entry then.
    """
    if campaign.register.phase == "closed":
        return campaign.register.entry
    record = Turned(campaign.course.keyed(content.encode()), player)
    if known := campaign.register.turned.get(record.mark):
        return known
    return campaign.register.entry if is_beyond(campaign.register, record) else campaign.add(record).number


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


def refuse_raw(campaign: Campaign, raw: str, faults: list[Fault], player: str = "", content: str = "") -> Receipt:
    """Refuse what claims to be a letter; `content` is what of the message is meant, where it is not all."""
    return Receipt(player, "", turned(campaign, content or raw, player), Verdict(faults=list(faults)), raw, "refused")


def discreet(campaign: Campaign, receipt: Receipt) -> Receipt:
    """The receipt as the moderator is shown it: who plays sees of rivals' letters codes and places, and no more."""
    if not campaign.settings.is_rival(receipt.player):
        return receipt
    words = "what is wrong is told to its writer alone"
    faults = [replace(fault, message=words, hint="") for fault in receipt.verdict.faults]
    return replace(receipt, verdict=replace(receipt.verdict, faults=faults, missing=[]))


def found_done(campaign: Campaign) -> CarriedOut | Lock | None:
    """What the same command carried out before it was killed, if it did; the next stage is another command's."""
    if number := campaign.done("lock"):
        return Lock(number)
    if number := campaign.done("adjudication"):
        record = record_in(campaign.ledger.read(number))
        assert isinstance(record, Adjudicated)
        return CarriedOut(number, record)
    return None


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
    record = replace(record, next=replace(record.next, deadline=deadline_for(campaign, asked_where_joined(record))))
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
    for player in silent(course, forfeited if register.binds else ()):
        if player in forfeited:
            absent[player] = WENT_ON_HIDDEN if forced and register.binds else NOT_REVEALED
        elif register.locked and player in course.force:
            absent[player] = NO_ANSWER
        else:
            absent[player] = WENT_ON if forced or (register.binds and register.hurried) else NO_ORDERS
    return absent, forfeited


def silent(course: Course, mute: Collection[str] = ()) -> list[str]:
    """The players whose letters do not answer everything that they are asked now; those of who is mute do not."""
    assert course.table is not None
    sources = course.sources(course.table, course.tally, mute)
    found = []
    for decision in game_of(course.table).decisions(course.table):
        player = player_of(course.table, decision.power)
        source = sources.get(player)
        if player not in found and (source is None or not source.speaks_of(decision)):
            found.append(player)
    return found


def must_lock(campaign: Campaign | Moment) -> bool:
    """Whether sealed parts wait to be revealed, and nobody may change theirs any more."""
    register = campaign.register
    if register.settings.conduct.sealing != "reveal" or register.locked:
        return False
    if register.protocol >= BINDING:
        return any(hidden_orders(register, player) for player in register.pending)
    return any(pending.slots for pending in register.pending.values())


def lock(campaign: Campaign, forced: bool) -> Lock:
    """Fix what was committed to, and ask everybody to reveal."""
    return Lock(campaign.add(locked_now(campaign, forced)).number, forced)


def locked_now(campaign: Campaign | Moment, forced: bool) -> Locked:
    """What an entry says that fixes what was committed to."""
    register = campaign.register
    assert register.next is not None
    orders = [letter.entry for letter in register.pending.values()]
    plans = [letter.entry for letter in register.unshown.values()]
    until = deadline_for(campaign, held_by_lock(register))
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
