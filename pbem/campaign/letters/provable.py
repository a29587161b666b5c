"""Messages that can be proved after the close: their commitments, and the file in which sender and reader get them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from pbem.campaign.ledger.entries import as_texts
from pbem.campaign.ledger.records import Digest
from pbem.campaign.settings import Settings
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import DocumentLimits, bare, read_yaml
from pbem.paper.documents.writing import write
from pbem.seal.canonical import Tree, canonical
from pbem.seal.deal import Slot, commit

MESSAGE = "message"
"""Name of the sealed part under which an entry has the commitment to a message."""

KIND = "messages"
"""Kind of the file of messages that senders and readers get."""

LIMITS = DocumentLimits(size=8 * 1024 * 1024, nodes=20_000)
"""Limits of a file of messages. Messages from the reports of many turns may be put together into one file."""


class ShownMessage(Struct, frozen=True, forbid_unknown_fields=True):
    """Message with the salt that proves it after the close."""

    entry: int
    sender: str = msgspec.field(name="from")
    to: str
    """Addressees: seats, `moderator` or `all`, separated by commas."""
    text: str
    salt: Digest
    """Salt of the message's commitment."""

    def commitment(self, campaign: str) -> bytes:
        """Return the commitment to the message. The ledger has only a keyed hash of the commitment."""
        said: dict[str, Tree] = {"to": self.to, "text": self.text}
        return commit(Slot(campaign, "", self.sender, MESSAGE), bytes.fromhex(self.salt), canonical(said)).encode()


def can_be_proved(settings: Settings) -> bool:
    return settings.conduct.messages == "at the close"


def write_messages(campaign: str, messages: Iterable[ShownMessage]) -> str:
    """Return the file of the messages, or an empty text without messages."""
    shown = [as_texts(each) for each in messages]
    return write({"pbem": 1, "kind": KIND, "campaign": campaign, KIND: shown}) if shown else ""


def messages_name(entry: int) -> str:
    """Return the file name of the messages that come with a report on all entries up to `entry`."""
    return f"messages-{entry:04d}.yaml"


def is_messages(content: bytes) -> bool:
    """True if a file begins like the files of `write_messages`."""
    return content[:200].decode("utf-8", "replace").split()[:4] == ["pbem:", "1", "kind:", KIND]


def read_messages(content: bytes, source: str) -> tuple[str, tuple[ShownMessage, ...]]:
    """Return the campaign that a file of messages names, and its messages. Raises `Refused` if this is no file of
    messages."""
    tree: object = bare(read_yaml(content, source, LIMITS))
    try:
        if not isinstance(tree, dict) or set(tree) != {"pbem", "kind", "campaign", KIND}:
            raise ValueError(tree)
        if (tree["pbem"], tree["kind"]) != ("1", KIND):
            raise ValueError(tree)
        campaign = msgspec.convert(tree["campaign"], str)
        return campaign, msgspec.convert(tree[KIND], tuple[ShownMessage, ...], strict=False)
    except ValueError:
        raise Refused(source, [wrong("E-VERIFY-MESSAGE.form")]) from None
