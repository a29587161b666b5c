"""Acts of a moderator: adjudicating, moving the deadline, and entering absences, new players and new keys in the
ledger."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import (
    FIRST_YEAR,
    LAST_YEAR,
    is_in_calendar,
    parse_moment,
    span,
    time_of_day,
    zone_named,
)
from pbem.campaign.clock.deadlines import Absence
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.entry_checks import bot_agreed
from pbem.campaign.ledger.records import SubstituteRecord
from pbem.campaign.letters.joining import sharing_warnings
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.adjudicating import EnteredAdjudication, Lock
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.settings import NOBODY, Newcomer
from pbem.faults.wrong import wrong
from pbem.moderator.mails import note_addresses
from pbem.moderator.open_seats import settle_seats
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import fold


class SeatEntry(Struct, frozen=True):
    """Full name of a seat, and the number of the ledger entry that was made about it. If an earlier run of the command
    was interrupted, the entry may be from that run."""

    entry: int
    seat: str


class Successor(Struct, frozen=True):
    """Person who takes over a seat, and the person's key if it is known."""

    key: str = ""
    who: Newcomer = NOBODY


def adjudicate(campaign: Campaign, force: bool = False) -> EnteredAdjudication | Lock:
    """Carry out orders as far as possible, and return the entry that was made. The entry is an adjudication, or the
    lock of sealed orders. If an earlier run of this command was interrupted after its entry, return that entry.

    If `force` is true, defaults replace missing orders even before the deadline. Bots with seats write their letters
    before the entry is made, and again after it."""
    let_bots_play(campaign)
    done = adjudicating.work_done_before(campaign) or adjudicating.adjudicate(campaign, force)
    let_bots_play(campaign)
    return done


def let_bots_play(campaign: Campaign) -> None:
    """Write the letters of the bots that have seats. If a letter is faulty, add a warning to the campaign."""
    campaign.warnings += [("", fault) for fault in play_bots(campaign)]


def extend(campaign: Campaign, until: str, why: str) -> int:
    """Move the deadline to the moment `until`, which is read by `moment_meant`, and return the number of the new
    entry."""
    return rulings.extend(campaign, moment_meant(campaign, until), why)


def moment_meant(campaign: Campaign, written: str) -> datetime:
    """Return the moment, in UTC, that a person has typed. A typed day means the hour of deadlines on that day. A typed
    span is added to the deadline, or to the present time if there is no deadline. Raises `Refused` for any other
    text."""
    clock, written = campaign.settings.clock, span_meant(written)
    is_span = written[-1:] in "mhdw"
    try:
        if is_span:
            deadline = campaign.public.deadline
            found = (parse_moment(deadline) if deadline else campaign.now) + span(written)
        else:
            found = datetime.fromisoformat(written)
    except ValueError as error:
        what = wrong("E-CLOCK-FORM.until", written=written)
        if is_span:
            what = wrong("E-CLOCK-FORM.until-span", why=str(error))
        raise Refused("UNTIL", [what]) from None
    if len(written) == len("2026-12-01"):
        found = datetime.combine(found.date(), time_of_day(clock.at))
    found = found if found.tzinfo else found.replace(tzinfo=zone_named(clock.zone))
    if not is_in_calendar(found):
        raise Refused("UNTIL", [wrong("E-CLOCK-FORM.year", written=written, first=FIRST_YEAR, last=LAST_YEAR)])
    return found.astimezone(UTC)


UNITS = {"h": ("h", "stunde", "std", "ora", "ore"), "d": ("d", "tag", "giorn"), "w": ("w", "seman", "settiman")}
"""Dict from each unit (`h`, `d`, `w`) to the beginnings of its words, such as hours or days, in all languages. The
beginnings are written without accents."""


def span_meant(written: str) -> str:
    """Return a typed span, such as `3 days` or `2 Wochen`, in its short form, such as `3d`. Return any other text
    unchanged."""
    found = re.fullmatch(r"(\d{1,4}) *([^\W\d]+)", written.strip())
    unit = next((unit for unit, words in UNITS.items() if fold(found[2]).startswith(words)), "") if found else ""
    return f"{found[1]}{unit}" if found and unit else written


def day_meant(written: str) -> date:
    """Return the day that a person has typed, such as 2026-12-01. Raises `Refused` for any other text."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise Refused("DAY", [wrong("E-CLOCK-FORM.day", written=written)]) from None


def note_absence(
    campaign: Campaign, player: str, days: tuple[str, str], why: str, level: str | None
) -> tuple[int, Absence]:
    """Enter a player's absence in the ledger, and return the entry's number and the absence. `days` has the first and
    the last day of the absence. If `level` is given, a bot of this level gives orders during the absence."""
    seat = rulings.known_player(campaign, player)
    first, last = map(day_meant, days)
    away = Absence(seat, first, last, why, "" if level is None else bot_meant(campaign, seat, level))
    entry = rulings.enter_absence(campaign, away)
    if away.bot:
        let_bots_play(campaign)
    return entry, away


def bot_meant(campaign: Campaign, seat: str, level: str) -> str:
    """Return the name of the bot of this level, in the version that the campaign has agreed on. Raises `Refused` if the
    bot may not stand in for the seat."""
    agreed = bot_agreed(campaign.settings)
    bot = agreed if level and level == agreed.partition("/")[0] else level
    rulings.stand_in_key(campaign, seat, bot)  # This also refuses an empty level.
    return bot


def substitute(campaign: Campaign, player: str, successor: Successor, why: str) -> SeatEntry:
    """Give a seat to another person, note the person's address, and return the seat and the entry. If the command was
    interrupted and is run again, nothing is entered twice. Raises `Refused` if letters must be signed and the person
    has no key."""
    if not successor.key and campaign.settings.conduct.signing == "on":
        raise Refused(player, [wrong("E-KEY-MISSING.substitute")])
    if done := substitution_done(campaign):
        seat, entry = done.seat, done.entry
    else:
        seat = rulings.known_player(campaign, player)
        warn_of_sharing(campaign, seat, successor.key)
        entry = rulings.substitute(campaign, seat, successor.key, why, successor.who)
    address = successor.who.address
    note_addresses(campaign, [(seat, address)] if address else ())
    settle_seats(campaign)
    return SeatEntry(entry, seat)


def substitution_done(campaign: Campaign) -> SeatEntry | None:
    """Return the seat and the entry of a substitution that an interrupted run of this command has made. Return None if
    there is no such entry."""
    if not (number := campaign.entry_done("substitute")):
        return None
    record = record_in(campaign.ledger.read(number))
    assert isinstance(record, SubstituteRecord)
    return SeatEntry(number, record.player)


def substitute_bot(campaign: Campaign, player: str, level: str, why: str) -> SeatEntry:
    if not (done := substitution_done(campaign)):
        seat = rulings.known_player(campaign, player)
        done = SeatEntry(rulings.substitute_bot(campaign, seat, bot_meant(campaign, seat, level), why), seat)
    settle_seats(campaign)
    let_bots_play(campaign)
    return done


def rekey(campaign: Campaign, player: str, key: str, why: str) -> SeatEntry:
    """Enter a new key for a player in the ledger, and return the seat and the entry. From then on the player must sign
    letters with this key."""
    seat = rulings.known_player(campaign, player)
    warn_of_sharing(campaign, seat, key)
    return SeatEntry(rulings.rekey(campaign, seat, key, why), seat)


def warn_of_sharing(campaign: Campaign, seat: str, key: str) -> None:
    """Add a warning to the campaign if another seat or the moderator has the same key."""
    found = sharing_warnings(campaign.public, seat, key) if key else []
    campaign.warnings += [("", fault) for fault in found]
