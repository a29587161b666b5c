"""Offers of agreements, as `docs/protocol.md` says: nothing of `pbem`, held against the ledger of an archive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.protocol import second_close
from tests.protocol.second import Campaign
from tests.protocol.second_entries import Entry, Wrong, entries_of, need
from tests.protocol.second_keys import Unsound, check, key_of
from tests.protocol.second_letters import Letter, letter_of
from tests.protocol.second_text import write

KEYS = {"format", "to", "moderator", "signing", "head", "next-seq", "offered"}
OPTIONAL = {"deadline"}


def offered(root: Path, text: str) -> Letter:
    """The letter that an offer passes on; raises `Wrong` if it does not hold, or the ledger tells something else."""
    try:
        offer = letter_of(text)
        entries, _ = entries_of(root / "ledger")
        return held_against(entries, offer)
    except (Unsound, KeyError) as fault:
        raise Wrong(str(fault)) from None


def held_against(entries: list[Entry], offer: Letter) -> Letter:
    """The letter that an offer passes on, as these entries tell it."""
    body, number = offer.body, offer.seq
    need((offer.kind, offer.sender) == ("offer", "moderator"), "this is no offer")
    need(set(body) - OPTIONAL == KEYS, "an offer says more or less")
    need(body["head"] == {"entry": str(number), "hash": body["head"]["hash"]}, "the offer names two entries")
    need(1 < number <= len(entries) and entries[number - 1].hash == body["head"]["hash"], "there is no such entry")
    entry, campaign = entries[number - 1], Campaign(entries[0])
    for each in entries[1:number]:
        campaign.take(each)
    inner = enclosed(body)
    agreed = (campaign.name, campaign.next.get("stage"), campaign.basis, campaign.settings["conduct"]["signing"])
    need((offer.campaign, offer.stage, offer.basis, body["signing"]) == agreed, "it is another campaign or position")
    need(entry.kind == "letter" and entry.body["kind"] == "agreement", "nothing was offered there")
    told = (inner.kind, inner.campaign, inner.sender, inner.seq, inner.stage, inner.basis[:24])
    said = (entry.body["player"], int(entry.body["seq"]), entry.body["stage"], offer.basis)
    need(told == ("agreement", campaign.name, *said), "another letter was taken there")
    named = {each.strip() for each in inner.body["with"].split(",")}
    need(body["to"] in named & set(campaign.players), "this player is not asked")
    campaign.signed(inner, campaign.keys[number])
    by_whom(entries[number:], campaign, offer)
    if campaign.closed:
        second_close.marked(bytes.fromhex(campaign.closed.body["secret"]), entry, inner)
    return inner


def enclosed(body: dict[str, Any]) -> Letter:
    """The letter that an offer encloses."""
    return letter_of(write({key: body["offered"][key] for key in sorted(body["offered"])}, 66).decode())


def by_whom(later: list[Entry], campaign: Campaign, offer: Letter) -> None:
    """Check that the moderator of the entry has signed the offer, or one who came later."""
    moderators = [campaign.moderator]
    for each in later:
        campaign.take(each)
        moderators.append(campaign.moderator)
    named = key_of(offer.body["moderator"])
    need(named in moderators, "the moderator is another one")
    check(named, offer.signed, offer.signature)
