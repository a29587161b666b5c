"""Keys in parts and heirs as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from tests.protocol.second_asked import deadline_is
from tests.protocol.second_entries import Entry, need
from tests.protocol.second_keys import check_any, key_of
from tests.protocol.second_letters import files_of, letter_of
from tests.seal.second import NEUTRAL, ORDER, PRIME, encoded, times, x_of

if TYPE_CHECKING:
    from tests.protocol.second import Campaign

AGREED = re.compile("([2-9]) after ([1-9][0-9]{0,2})d")


def agreed(campaign: Campaign) -> tuple[int, int]:
    """Number of seats that are needed, and of days that must pass."""
    found = AGREED.fullmatch(campaign.settings["conduct"].get("succession", ""))
    need(found is not None and campaign.protocol >= 5, "nobody has agreed on a succession")
    assert found
    return int(found[1]), int(found[2])


def holders(campaign: Campaign) -> dict[str, str]:
    """Seats that should have a part now, in alphabetical order, each with the key."""
    people = {seat: who["key"] for seat, who in sorted(campaign.players.items())}
    return {
        seat: key for seat, key in people.items() if key and seat != campaign.host_seat and seat not in campaign.bots
    }


def split(campaign: Campaign, entry: Entry) -> None:
    """A new key in parts."""
    wanted, _ = agreed(campaign)
    people, points = holders(campaign), entry.body["points"]
    need(campaign.phase in ("running", "over"), "the game has not begun")
    need(len(points) == wanted <= len(people), "these are not as many points as seats are needed")
    numbers = {seat: str(number) for number, seat in enumerate(people, 1)}
    need(entry.body["parts"] == numbers, "others should have parts")
    need(campaign.holders != people, "nothing has changed since the last key in parts")
    for written in points:
        point = point_of(written)
        need(times(ORDER, point) == NEUTRAL != point, "a point is not of the group")
    campaign.holders = people


def succeeded(campaign: Campaign, entry: Entry) -> None:
    """An heir carries on."""
    body = entry.body
    need(campaign.protocol >= 5 and campaign.phase in ("running", "over"), "nobody succeeds now")
    signers = {name: campaign.players[name]["key"] for name in campaign.holders}
    if [*body["letters"]] == ["moderator"]:
        signers = {"moderator": ""}
    else:
        wanted, days = agreed(campaign)
        need(bool(campaign.holders), "nobody has a part")
        need(len(body["letters"]) >= wanted, "too few seats want it")
        then = datetime.fromisoformat(campaign.time) + timedelta(days=days)
        need(datetime.fromisoformat(entry.tree["time"]) >= then, "the moderator has not been silent for long enough")
    heir, seat = key_of(body["key"]), body.get("seat", "")
    own = [name for name, who in campaign.players.items() if who["key"] and key_of(who["key"]) == heir]
    without_key = [name for name, who in campaign.players.items() if not who["key"]]
    need(seat in (own[:1] or ["", *without_key]), "the heir plays, or does not")
    if campaign.phase == "running":
        asked = {*campaign.pending, *campaign.unshown} if campaign.locked else {*campaign.next["owing"]}
        deadline_is(campaign, entry, {"owing": asked, "deadline": body.get("deadline", "")}, campaign.deadline)
    else:
        need("deadline" not in body, "nobody owes anything")
    for name, text in body["letters"].items():
        need(name in signers, "who writes has no part")
        letter = letter_of(text)
        told = (letter.kind, letter.campaign, letter.sender, letter.body.get("head"))
        need(told == ("succession", campaign.name, name, entry.tree["before"]), "the letter does not say this")
        need(letter.tidy == text, "the letter is not written in the one way")
        need(key_of(letter.body.get("to", "")) == heir, "the letter is for another heir")
        signer_of_letter = key_of(signers[name]) if signers[name] else campaign.moderator
        check_any(signer_of_letter, files_of(letter), letter.signature)
    campaign.deadline = body.get("deadline", "")
    campaign.moderator, campaign.holders, campaign.host_seat = heir, {}, seat


def signer(campaign: Campaign, entry: Entry) -> bytes:
    """The key that must sign an entry."""
    return key_of(entry.body["key"]) if entry.kind == "succession" else campaign.moderator


def point_of(written: str) -> tuple[int, int]:
    """A point of the curve, in the one way of writing it."""
    number = int.from_bytes(bytes.fromhex(written), "little")
    y = number & (1 << 255) - 1
    x = x_of(y, number >> 255) if y < PRIME else None
    need(x is not None and encoded((x or 0, y)).hex() == written, "a point is not of the curve")
    return (x or 0, y)
