"""The end of a campaign: the secret and everything that was sealed are published, for anybody to verify."""

from __future__ import annotations

import hashlib

import msgspec
from msgspec import Struct

from pbem.paper.faults import Fault, Refused

from .campaign import Campaign
from .joining import tidy
from .letterbox import Held
from .records import Closed, Received
from .replaying import record_in

PRIVATE_KINDS = ("message",)
"""Letters that stay private for ever: nothing in the game follows from them."""


class OpenedFile(Struct, frozen=True):
    """The file of everything that was sealed."""

    campaign: str
    letters: dict[int, Held]
    """The letters that were accepted, by the entry that says so."""


def close(campaign: Campaign, why: str = "") -> int:
    """Publish the secrets; nothing can be played any more."""
    if done := campaign.done("close"):
        return done
    if campaign.register.phase == "closed":
        raise Refused(campaign.settings.campaign, [Fault("E-CAMPAIGN-PHASE", "the campaign is closed", 1, 1)])
    if campaign.register.phase != "over" and not why:
        hint = "say why with --why, and it is closed all the same"
        raise Refused(
            campaign.settings.campaign, [Fault("E-CAMPAIGN-PHASE", "the game is not over yet", 1, 1, hint=hint)]
        )
    digest = hashlib.sha256(opened_data(campaign)).hexdigest()
    number = campaign.add(Closed(campaign.course.secret, digest, why)).number
    campaign.publish()
    return number


def opened_data(campaign: Campaign) -> bytes:
    """The bytes of the file of opened letters, the same whenever they are written."""
    return msgspec.json.format(msgspec.json.encode(opened_file(campaign)), indent=1)


def opened_file(campaign: Campaign) -> OpenedFile:
    """Every letter that something follows from."""
    letters: dict[int, Held] = {}
    for entry in campaign.ledger.entries():
        if entry.kind == "letter":
            record = record_in(entry)
            assert isinstance(record, Received)
            if record.kind not in PRIVATE_KINDS:
                held = campaign.held(entry.number)
                letters[entry.number] = Held(tidy(held.letter), held.opened)
    return OpenedFile(campaign.settings.campaign, letters)
