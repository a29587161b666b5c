"""Messages as a campaign takes them in: the letters that are in them, and whether they answer a mail of ours."""

from __future__ import annotations

import re

from pbem.campaign.letters.arrived import Arrival
from pbem.post.extract import Extraction, extract
from pbem.post.mailbox import RawMessage
from pbem.post.outgoing import is_of

_QUOTED = re.compile(r"(?m)^[ \t]*[>|].*$")


def arrival_of(message: RawMessage, campaign: str, found: Extraction | None = None) -> Arrival:
    """A message, taken apart for a campaign, unless it was taken apart before."""
    found = found or extract(message.data, message.where)
    envelope = found.envelope
    return Arrival(
        where=message.where,
        data=message.data,
        letters=found.letters,
        unread=found.unread,
        faults=found.faults,
        sender=envelope.sender,
        message_id=envelope.message_id,
        answers=answers(found, campaign),
        is_automatic=envelope.is_automatic,
    )


def answers(found: Extraction, campaign: str) -> bool:
    """Whether a mail answers one of this campaign's: by its thread, its subject, or what it quotes."""
    named = re.compile(rf"(?<![a-z0-9-]){re.escape(campaign)}(?![a-z0-9-])", re.IGNORECASE)
    envelope = found.envelope
    if any(is_of(campaign, each) for each in envelope.answers) or named.search(envelope.subject):
        return True
    return any(named.search(line) for line in _QUOTED.findall(found.text))
