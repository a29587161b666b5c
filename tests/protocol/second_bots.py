"""Bots that have seats or stand in, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`.

A bot has to write what it owes, once, with its own key and its own salts. Only a program that knows the rules can tell
whether it chose what its version chooses.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.protocol.second_clock import local_day
from tests.protocol.second_entries import Entry, Finding, Wrong, need
from tests.protocol.second_keys import Unsound, key_of
from tests.protocol.second_letters import Letter
from tests.seal.second import fields

if TYPE_CHECKING:
    from tests.protocol.second import Campaign


def seats(settings: dict[str, Any]) -> list[Finding]:
    """Bots sit nowhere where somebody could foresee, or choose, what they do."""
    conduct, own = settings["conduct"], settings["moderator"].get("seat", "")
    taken = [seat for seat, planned in settings["seats"].items() if planned.get("bot")]
    is_wrong = (bool(taken) and conduct.get("seats") == "drawn") or own in taken or (own and conduct.get("stand_in"))
    return [Finding("ledger/0001-new.yaml", "a bot cannot sit there")] if is_wrong else []


def owed(campaign: Campaign, entry: Entry) -> None:
    """A letter of a bot is the one that it owes: the next of its number, all of it sealed, without hesitation."""
    body, player = entry.body, entry.body["player"]
    stands_in = "bot" in body
    need(bool(campaign.next) and campaign.phase == "running", "a bot owes nothing now")
    pending, asked = campaign.pending.get(player), campaign.next.get("owing", {})
    if campaign.locked:
        own = 0 if stands_in else campaign.bots[player]
        is_own = pending is not None and int(pending["entry"]) > own and not pending["revealed"]
        need(body["kind"] == "reveal" and is_own, "a bot has nothing to show now")
    else:
        need(body["kind"] == "orders" and player in asked and pending is None, "a bot owes no such letter now")
        need(not stands_in or player not in campaign.next.get("answered", []), "its player has left an answer behind")
        today = local_day(campaign.settings["clock"], entry.tree["time"])
        days = [each for each in campaign.stand_ins if each.player == player and each.first <= today <= each.last]
        need(not stands_in or bool(days), "no bot stands in on this day")
    counted = f"{player}/stand-in" if stands_in else player
    need(int(body["seq"]) == campaign.seqs.get(counted, 0) + 1, "a bot leaves out no number")
    need("wait" not in body and body.get("status") != "draft", "a bot does not hesitate")
    need(list(body.get("slots", {})) == ["orders"], "a bot seals what it orders, as one")


def closed(campaign: Campaign, entries: list[Entry], secret: bytes) -> list[Finding]:
    """Keys and chance of bots follow from the secret, and nobody else has such a key."""
    found = []
    for entry in entries:
        body = entry.body
        try:
            if entry.kind == "join" and campaign.settings["seats"][body["player"]].get("bot"):
                need(is_key(campaign, secret, body), "the key is not that of the bot")
                need(
                    body["entropy"] == drawn(campaign, secret, body["player"], "entropy").hex(), "this is other chance"
                )
            if entry.kind in ("absence", "substitute"):
                need(("bot" in body) == is_key(campaign, secret, body), "the key is or is not that of a bot")
        except (Wrong, Unsound) as wrong:
            found.append(Finding(f"ledger/{entry.file}", str(wrong)))
    return found


def wrote(campaign: Campaign, secret: bytes, entry: Entry, letter: Letter, parts: dict[str, Any]) -> None:
    """A letter of a bot holds what it seals, with the salt that follows from the secret, and not a word more."""
    if entry.number not in campaign.by_bot:
        return
    need(letter.kind != "orders" or list(letter.body) == ["sealed"], "a bot seals all that it orders")
    salt = drawn(campaign, secret, entry.body["player"], "salt", campaign.by_bot[entry.number])
    need(all(part["salt"] == salt.hex() for part in parts.values()), "a bot has taken another salt")


def is_key(campaign: Campaign, secret: bytes, body: dict[str, Any]) -> bool:
    """True if a key is the one that the bot of a seat has."""
    seed = drawn(campaign, secret, body["player"], "key")
    own = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    return bool(body.get("key")) and key_of(body["key"]) == own


def drawn(campaign: Campaign, secret: bytes, seat: str, what: str, which: str = "") -> bytes:
    """Random bytes of a bot."""
    texts = (each.encode() for each in (campaign.name, seat, what, which))
    return hashlib.sha256(fields(b"pbem/bot/1", secret, *texts)).digest()
