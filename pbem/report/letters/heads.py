"""What the heads of reports, receipts, invitations and reminders share."""

from __future__ import annotations

import msgspec

from pbem.campaign.letters.key_holders import Shared
from pbem.campaign.settings import Settings
from pbem.report.language.templates import languages
from pbem.report.letters.entries import fingerprint
from pbem.seal.canonical import AnyTree

FORMAT = 1
"""The format of this data, and of the letters that are made of it."""


def spoken(language: str) -> str:
    """The language of a report: the reader's, or English where there are no templates for that one yet."""
    return language if language in languages() else "en"


def plain_data(value: object) -> AnyTree:
    """A value as JSON has it: mappings, lists, texts, numbers."""
    return msgspec.json.decode(msgspec.json.encode(value))


def moderator_data(settings: Settings, key: str) -> dict[str, object]:
    """Who runs the campaign, and with which key."""
    who = settings.moderator
    return {"name": who.name, "seat": who.seat, "key": key, "fingerprint": fingerprint(key)}


def shared_data(shared: Shared) -> dict[str, object]:
    """Seats that sign with one and the same key."""
    return {"players": list(shared.players), "key": fingerprint(shared.key)}
