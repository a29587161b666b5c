"""Reports that wait until the hour of deadlines, so that their reader gets only one mail a day. Only reports to seats
with `news: daily` wait, and only if they ask for no letter."""

from __future__ import annotations

from datetime import datetime

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import next_hour
from pbem.campaign.clock.timing import CampaignTime, orders_now
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.letters.letterbox import Request, request_behind, state_of
from pbem.campaign.settings import Settings


def seat_since(public: PublicState, seat: str) -> int:
    """Return the number of the entry by which the present player got the seat. Return 0 for a free seat."""
    player = public.players.get(seat)
    return max(player.since, public.drawn_at) if player else 0


def daily_seats(settings: Settings) -> set[str]:
    """Return the seats whose players want at most one mail a day."""
    return {seat for seat, each in settings.seats.items() if each.news == "daily"}


ASKING: tuple[Request, ...] = ("orders", "reveal")
"""Requests of a report that ask the player for a letter. Each request has the same name as the kind of that letter."""


def requests(campaign: Campaign | CampaignTime) -> dict[str, Request]:
    """Return a dict from each seat to the request that a report written now would make. Only seats from which the stage
    requires orders are included. The requests `orders` and `reveal` ask for a letter; all others do not."""
    locked = campaign.public.locked
    return {owed.player: request_behind(state_of(owed), is_locked=locked) for owed in orders_now(campaign.public)}


def is_unanswered(campaign: Campaign, seat: str) -> bool:
    """True if the last report to a seat asked for a letter, and the player has sent no final letter of this kind
    since."""
    told = campaign.vault.told_to(seat).public
    asked = requests(CampaignTime(told, campaign.now)).get(seat)
    if asked not in ASKING:
        return False
    records = map(record_in, campaign.ledger.entries(told.entry + 1))
    letters = [each for each in records if isinstance(each, LetterRecord) and (each.player, each.kind) == (seat, asked)]
    # A letter that somebody else wrote for the player does not count, because the player learns of it only from the
    # next report.
    own = [each for each in letters if not each.acted and not each.bot]
    return not own or own[-1].status != "final"


def hours_of_mails(campaign: Campaign) -> dict[str, datetime]:
    """Return the hour of the daily mail for each seat whose reports wait for it. A report does not wait if it is the
    first to this player, if it asks for a letter, or if the report before it asked for a letter that has not come."""
    found: dict[str, datetime] = {}
    if campaign.public.phase != "running":
        return found
    asked = requests(campaign)
    for seat in daily_seats(campaign.settings):
        told = campaign.vault.told_to(seat).public
        # The first report after a game began, or after a new player or an heir came, has everything that is needed to
        # play.
        is_first = told.phase == "joining" or told.entry < max(
            seat_since(campaign.public, seat), campaign.public.heir_since
        )
        # A player who was asked for a letter and sent none must learn at once that the letter is not needed any more.
        if is_first or asked.get(seat) in ASKING or is_unanswered(campaign, seat):
            continue
        first = next((entry.time for entry in campaign.ledger.entries(told.entry + 1)), campaign.now)
        if (hour := next_hour(first, campaign.settings.clock)) > campaign.now:
            found[seat] = hour
    return found


def readers_behind(campaign: Campaign) -> list[str]:
    """Return the readers who have not got the last reports, because their reports wait for the daily mail."""
    posted = campaign.vault.posted.public.entry
    return [reader for reader, told in campaign.vault.told.items() if told.public.entry < posted]


def readers_due(campaign: Campaign) -> list[str]:
    waiting = hours_of_mails(campaign)
    return [reader for reader in readers_behind(campaign) if reader not in waiting]


def next_mail(campaign: Campaign) -> datetime | None:
    """Return the moment at which the first waiting report is to be sent. Return the present time if it should have been
    sent before, and None if no report waits."""
    waiting = hours_of_mails(campaign)
    return min((waiting.get(reader, campaign.now) for reader in readers_behind(campaign)), default=None)
