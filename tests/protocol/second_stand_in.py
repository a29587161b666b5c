"""Bots that stand in for who is away, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from tests.protocol.second_clock import local_day
from tests.protocol.second_entries import Entry, need

if TYPE_CHECKING:
    from tests.protocol.second import Campaign


class StandIn(NamedTuple):
    """Days on which a bot stands in."""

    player: str
    first: str
    last: str
    bot: str
    key: str


def agreed(campaign: Campaign, body: dict[str, Any]) -> None:
    """A bot is put in nobody's place on which not all have agreed."""
    if "bot" in body:
        on = campaign.settings["conduct"].get("stand_in") if not campaign.host_seat else None
        need(body["bot"] == on, "nobody has agreed on this bot")
        need(body["player"] not in campaign.bots, "this seat is a bot's already")
        need(campaign.phase == "running", "a bot stands in only while the game runs")


def writing(campaign: Campaign, entry: Entry) -> str:
    """The key of the bot that has written a letter, which it may have."""
    player, kind = entry.body["player"], entry.body["kind"]
    over = campaign.stood_in if kind == "reveal" else []
    keys = [each.key for each in (*campaign.stand_ins, *over) if (each.player, each.bot) == (player, entry.body["bot"])]
    need(bool(keys) and "acted" not in entry.body, "no such bot stands in")
    pending = campaign.pending.get(player)
    if kind == "orders":
        need(pending is None, "its player has ordered")
        campaign.by_bots[player] = entry.number
    else:
        is_own = pending is not None and int(pending["entry"]) == campaign.by_bots.get(player)
        need(kind == "reveal" and is_own, "a bot that stands in shows what it has sealed, and nothing else")
    return keys[0]


def come_back(campaign: Campaign, player: str, now: str) -> None:
    """End the standing in for a player who writes, or loses the seat."""
    mine = [each for each in campaign.stand_ins if each.player == player]
    day = local_day(campaign.settings["clock"], now) if now and mine else "9999-12-31"
    over = [each for each in mine if each.first <= day]
    campaign.stood_in += over
    campaign.stand_ins = [each for each in campaign.stand_ins if each not in over]
