"""Standing of a seat in a report: the things that its player is asked for, and the orders that the moderator has."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from pbem.campaign.briefing import Briefing
from pbem.campaign.letters.letterbox import OrderState
from pbem.campaign.players.guidance import request_behind
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.table import Table
from pbem.kit import game_of

ASKING = ("orders", "partly", "draft", "reveal", "former reveal")
"""Standings of a seat from which a letter is awaited (see `standing_of`)."""


class MailStanding(Struct, frozen=True):
    """Standing of the reader's seat, as templates of mails use it."""

    standing: str
    is_asked: bool
    """True if the reader is asked for something."""
    is_short: bool
    """True if the mail has only the short letter."""
    is_vote_asked: bool
    marches_follow: bool
    """True if the reader is asked for something before the marches of the same stage."""


def standing_for_mail(briefing: Briefing) -> MailStanding:
    standing = standing_of(briefing)
    is_asked, seat = standing in ASKING, briefing.settings.seats.get(briefing.reader)
    is_running = briefing.phase == "running"
    return MailStanding(
        standing,
        is_asked,
        is_short=is_running and not is_asked and seat is not None and seat.news != "full",
        is_vote_asked=is_running and is_vote_awaited(briefing),
        marches_follow=bool(briefing.table and is_asked and marches_follow(briefing.table, briefing.powers)),
    )


def marches_follow(table: Table, powers: Collection[str]) -> bool:
    """True if the present stage is that of some of these powers, and its marches are still to come. The defaults that
    answer for a late player then answer for the marches, too."""
    state, game = table.state, game_of(table)
    phases = list(game.phases_of(table.rules, state.stage))
    if not any(power in powers and own == state.stage for power, own in state.field.alliances.stage.items()):
        return False
    return "movement" in phases and state.phase in phases and phases.index(state.phase) < phases.index("movement")


def is_picture_wanted(briefing: Briefing) -> bool:
    """True if a reader's report has a picture. While the game runs, a player who gets short mails has one only for a
    decision that the map helps to make."""
    seat = briefing.settings.seats.get(briefing.reader)
    if briefing.phase != "running" or seat is None or seat.news == "full":
        return True
    return standing_for_mail(briefing).is_asked and any(asked.is_on_map for asked in briefing.orders.asked)


def standing_of(briefing: Briefing) -> str:
    """Return a word for what the reader's seat owes, or what the moderator has from it. After the game, return the
    phase of the campaign. Return an empty text before the game, and for readers without a seat."""
    if briefing.phase != "running" or briefing.reader in (OBSERVER, MODERATOR):
        return briefing.phase if briefing.phase in ("over", "closed") else ""
    states = (owed.state for owed in briefing.owed if owed.player == briefing.reader)
    standing = request_behind(next(states, "nothing required"), is_locked=briefing.locked)
    if standing == "reveal" and briefing.orders.is_pending_formers:
        return "former reveal"
    if briefing.orders.pending and standing == "orders":
        return "partly" if briefing.orders.pending.status == "partial" else "draft"
    if standing == "nothing" and is_vote_awaited(briefing):
        return "vote"
    if briefing.orders.is_pending_now or briefing.locked or standing != "in":
        return standing
    return "ahead" if all(each.ahead for each in briefing.orders.planned) else "planned"


def is_vote_awaited(briefing: Briefing) -> bool:
    """True if the reader has not voted yet on an open proposal."""
    awaited = (each["awaited"] for each in briefing.proposals)
    return any(isinstance(seats, list) and briefing.reader in seats for seats in awaited)


def owing_data(briefing: Briefing) -> list[dict[str, object]]:
    """Return the players from whom something is asked, with their powers and the state of their orders."""
    powers: dict[str, list[str]] = {}
    states: dict[str, OrderState] = {}
    for owed in briefing.owed:
        powers.setdefault(owed.player, []).append(owed.power)
        states[owed.player] = owed.state
    return [{"player": player, "powers": powers[player], "state": states[player]} for player in powers]
