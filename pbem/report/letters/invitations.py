"""Invitations and reminders as data, and the sheet with which a seat is taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.reminders import Reminder
from pbem.campaign.clock.timestamps import parse_moment
from pbem.campaign.ledger.public_state import PublicState
from pbem.paper.terms import game_of_terms
from pbem.report.language.templates import TemplateData, template
from pbem.report.letters.heads import FORMAT, moderator_data, plain_data, spoken
from pbem.report.letters.times import when


def invitation_data(
    public: PublicState, seat: str = "", powers: Mapping[str, Sequence[str]] | None = None, token: str = ""
) -> TemplateData:
    """What somebody who may take a seat is told; without a seat, what everybody is told.

    `powers` tells what each seat begins with, if the caller knows the rules; `token` shows who was invited.
    """
    settings = public.settings
    chosen = settings.seats.get(seat)
    return {
        "format": FORMAT,
        "kind": "invitation",
        "language": spoken(chosen.language if chosen else "en"),
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
        "sheet": join_sheet(public, seat, token) if seat else "",
    }


def join_sheet(public: PublicState, seat: str, token: str, seq: int = 1) -> str:
    """The letter that takes a seat, with what its writer has to fill in."""
    settings = public.settings
    language = spoken(settings.seats[seat].language)
    data = {
        "campaign": settings.campaign,
        "seat": seat,
        "seq": seq,
        "signing": "on" if settings.seats[seat].reports == "sealed" else settings.conduct.signing,
        "deal": public.secret,
        "token": token,
        "language": settings.seats[seat].language,
    }
    return template(language, game_of_terms(settings.terms), "campaign_join.txt.j2").render(data)


def reminder_data(campaign: Campaign, reminder: Reminder) -> dict[str, object]:
    """What somebody who owes orders is reminded of."""
    public = campaign.public
    settings = public.settings
    who = public.players.get(reminder.player)
    return {
        "format": FORMAT,
        "kind": "reminder",
        "language": spoken(who.language or "en" if who else "en"),
        "campaign": settings.campaign,
        "game": game_of_terms(settings.terms),
        "player": reminder.player,
        "name": who.name if who else "",
        "moderator": moderator_data(settings, public.moderator),
        "stage": public.next.stage if public.next else "",
        "locked": public.locked,
        "occasion": reminder.occasion,
        "why": reminder.why,
        "powers": list(reminder.powers),
        "deadline": when(parse_moment(public.deadline), settings.clock),
        "grace": settings.clock.grace,
        "at_deadline": settings.clock.at_deadline,
    }
