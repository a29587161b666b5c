"""Data for invitations to a seat, for letters that join a campaign, and for reminders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.bank import accounts, time_parts
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.deadlines import Reminder, end_of_grace
from pbem.campaign.clock.timing import stage_clock
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.seats import common_language
from pbem.paper.library import game_of_terms
from pbem.report.blocks import plain_data
from pbem.report.language.templates import TemplateData, template
from pbem.report.letters.entries import FORMAT, fingerprint, local_time, moderator_data, report_language
from pbem.report.letters.reader import marches_follow, sections_asked


def invitation_data(
    public: PublicState,
    seat: str = "",
    powers: Mapping[str, Sequence[str]] | None = None,
    token: str = "",
    language: str = "",
) -> TemplateData:
    """Return the data of an invitation to a seat. If `seat` is empty, it is the public announcement.

    `powers` has the powers of each seat at the start. `token` is a secret that proves the invitation. If `language` is
    empty, the letter is in the seat's language, or in the language that all people share.
    """
    settings = public.settings
    language = language or (settings.seats[seat].language if seat else common_language(public))
    return {
        "format": FORMAT,
        "kind": "invitation",
        "language": report_language(language),
        "campaign": settings.campaign,
        "game": game_of_terms(settings.terms),
        "terms": dict(settings.terms),
        "position": settings.position,
        "seat": seat,
        "seats": {
            each: {
                "name": who.name,
                "taken": each in public.players,
                "powers": list((powers or {}).get(each, ())),
                "bot": who.bot,
            }
            for each, who in settings.seats.items()
        },
        "moderator": moderator_data(settings, public.moderator),
        "conduct": plain_data(settings.conduct),
        "clock": plain_data(settings.clock),
        "secret": public.secret,
        "files": dict(public.files),
        "token": token,
        "open": None,
        "sheet": join_sheet(public, seat, token, language=language) if seat else "",
    }


def join_sheet(public: PublicState, seat: str, token: str, seq: int = 1, language: str = "") -> str:
    """Return the letter with which a player joins on a seat, with gaps for the player to fill in. `token` is the secret
    word of the invitation. If `language` is empty, the letter is in the seat's language."""
    settings = public.settings
    language = language or settings.seats[seat].language
    data = {
        "campaign": settings.campaign,
        "seat": seat,
        "seq": seq,
        "signing": "on" if settings.seats[seat].reports == "sealed" else settings.conduct.signing,
        "deal": public.secret,
        "token": token,
        "language": language,
    }
    return template(report_language(language), game_of_terms(settings.terms), "campaign_join.txt.j2").render(data)


def bank_left(public: PublicState, reminder: Reminder, *, is_counted: bool) -> tuple[str, ...]:
    """Return the time that the player has in the bank at the moment of the reminder, split into parts such as days.
    Return nothing if the player loses no time from it: for example, because a draft counts at the deadline
    (`is_counted`)."""
    account = accounts(public).get(reminder.player)
    if account is None or public.locked or is_counted or reminder.why == "wait":
        return ()
    late = int((reminder.mark - parse_moment(public.deadline)).total_seconds())
    return time_parts(max(0, account.left - max(0, late)))


def late_until_of(campaign: Campaign) -> datetime | None:
    """Return the moment until which late orders are accepted. Return None if the game waits for them without end."""
    clock = campaign.settings.clock
    if clock.at_deadline == "wait" and not campaign.public.locked:
        return None
    return end_of_grace(clock, stage_clock(campaign))


def new_number(campaign: Campaign, player: str) -> int:
    """Return the number that the player must write into the order sheet of the last report, if later letters have
    already used the number in the sheet. Return 0 if they have not."""
    told, last = campaign.vault.told_to(player).public, campaign.public.seqs.get(player, 0)
    return last + 1 if told.next and told.seqs.get(player, 0) < last else 0


def reminder_data(campaign: Campaign, reminder: Reminder, sheet: str = "") -> dict[str, object]:
    """Return the data of a reminder. `sheet` is the order sheet in its text."""
    public = campaign.public
    settings = public.settings
    who, pending = public.players.get(reminder.player), public.pending.get(reminder.player)
    late_until = late_until_of(campaign)
    is_counted = bool(pending and pending.status == "draft" and reminder.why == "draft")
    person = campaign.person(reminder.player)
    return {
        "format": FORMAT,
        "kind": "reminder",
        "language": report_language(person.language or "en"),
        "campaign": settings.campaign,
        "game": game_of_terms(settings.terms),
        "player": reminder.player,
        "name": person.name,
        "moderator": moderator_data(settings, public.moderator),
        "stage": public.next.stage if public.next else "",
        "locked": public.locked,
        "is_formers": bool(who and pending and pending.entry < who.since),
        "occasion": reminder.occasion,
        "why": reminder.why,
        "powers": list(reminder.powers),
        "sections": sections_asked(campaign, reminder.player),
        "deadline": local_time(parse_moment(public.deadline), settings.clock),
        "is_counted": is_counted,
        "grace": settings.clock.grace,
        "late_until": local_time(late_until, settings.clock) if late_until else None,
        "at_deadline": settings.clock.at_deadline,
        "marches_follow": bool(campaign.state.table and marches_follow(campaign.state.table, reminder.powers)),
        "key": fingerprint(who.key) if who else "",
        "next_seq": new_number(campaign, reminder.player),
        "bank": bank_left(public, reminder, is_counted=is_counted),
        "sheet": sheet,
    }
