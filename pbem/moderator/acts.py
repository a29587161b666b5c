"""Acts of a moderator that carry the game on and rule on it, with what people mean by days, seats and bots."""

from __future__ import annotations

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
from pbem.campaign.ledger.entry_checks import bot_agreed
from pbem.campaign.letters.joining import sharing_told
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.adjudicating import CarriedOut, Lock
from pbem.campaign.play.seated_bots import play_bots
from pbem.campaign.settings import NOBODY, Newcomer
from pbem.faults.wrong import wrong
from pbem.moderator.mails import note_address
from pbem.paper.documents.faults import Refused


class Entered(Struct, frozen=True):
    """An entry, and the seat that it is about."""

    entry: int
    seat: str


class Successor(Struct, frozen=True):
    """A person who takes over a seat."""

    key: str = ""
    who: Newcomer = NOBODY
    address: str = ""


def adjudicate(campaign: Campaign, force: bool = False) -> CarriedOut | Lock:
    """Carry orders out as far as they reach, those of seated bots too; the first time, deal."""
    let_bots_play(campaign)
    done = adjudicating.work_done_before(campaign) or adjudicating.adjudicate(campaign, force)
    let_bots_play(campaign)
    return done


def let_bots_play(campaign: Campaign) -> None:
    """Let bots write; the moderator is warned of what kept one from it."""
    campaign.warnings += [("", fault) for fault in play_bots(campaign)]


def extend(campaign: Campaign, until: str, why: str) -> int:
    """Give more time, until a day, a moment, or by a span; gives the entry."""
    return rulings.extend(campaign, moment_meant(campaign, until), why)


def moment_meant(campaign: Campaign, written: str) -> datetime:
    """The moment that is meant, in the campaign's time zone."""
    clock = campaign.settings.clock
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


def day_meant(written: str) -> date:
    """A day as people write it for programs."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        raise Refused("DAY", [wrong("E-CLOCK-FORM.day", written=written)]) from None


def note_absence(
    campaign: Campaign, player: str, days: tuple[str, str], why: str, level: str | None
) -> tuple[int, Absence]:
    """Note that a player is away from the first to the last of some days; a bot of a level orders meanwhile."""
    seat = rulings.known_player(campaign, player)
    first, last = map(day_meant, days)
    away = Absence(seat, first, last, why, "" if level is None else bot_meant(campaign, seat, level))
    entry = rulings.absence(campaign, away)
    if away.bot:
        let_bots_play(campaign)
    return entry, away


def bot_meant(campaign: Campaign, seat: str, level: str) -> str:
    """The bot of a level by the version that was agreed; raises `Refused` where it may not stand in for a seat."""
    agreed = bot_agreed(campaign.settings)
    bot = agreed if level and level == agreed.partition("/")[0] else level
    rulings.stand_in_key(campaign, seat, bot)  # also an empty level is one that nobody agreed to
    return bot


def substitute(campaign: Campaign, player: str, successor: Successor, why: str) -> Entered:
    """Give a seat to somebody else."""
    if not successor.key and campaign.settings.conduct.signing == "on":
        raise Refused(player, [wrong("E-KEY-MISSING.substitute")])
    seat = rulings.known_player(campaign, player)
    warn_of_sharing(campaign, seat, successor.key)
    entry = rulings.substitute(campaign, seat, successor.key, why, successor.who)
    note_address(campaign, seat, successor.address)
    return Entered(entry, seat)


def substitute_bot(campaign: Campaign, player: str, level: str, why: str) -> Entered:
    """Give a seat to a bot of a level."""
    seat = rulings.known_player(campaign, player)
    entry = rulings.substitute_bot(campaign, seat, bot_meant(campaign, seat, level), why)
    note_address(campaign, seat, "")
    let_bots_play(campaign)
    return Entered(entry, seat)


def rekey(campaign: Campaign, player: str, key: str, why: str) -> Entered:
    """Let a player sign with another key."""
    seat = rulings.known_player(campaign, player)
    warn_of_sharing(campaign, seat, key)
    return Entered(rulings.rekey(campaign, seat, key, why), seat)


def warn_of_sharing(campaign: Campaign, seat: str, key: str) -> None:
    """Warn of another seat that signs with this key."""
    found = sharing_told(campaign.public.players, seat, key) if key else []
    campaign.warnings += [("", fault) for fault in found]
