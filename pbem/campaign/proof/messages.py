"""Check of messages after the close. A message is proved if the ledger has the commitment to it."""

from __future__ import annotations

import hmac
from datetime import datetime

from msgspec import Struct

from pbem.campaign.ledger.records import CloseRecord, LetterRecord
from pbem.campaign.ledger.replaying import Reading
from pbem.campaign.letters.provable import MESSAGE, ShownMessage, can_be_proved, read_messages
from pbem.campaign.proof.verification import Verification
from pbem.faults.wrong import wrong


class ProvedMessage(Struct, frozen=True):
    """Message that the ledger proves, and the time of its entry."""

    shown: ShownMessage
    time: datetime


def check_messages(reading: Reading, content: bytes, source: str, found: Verification) -> list[ProvedMessage]:
    """Return the messages in a file that the ledger proves, and note a fault in `found` for each other message. If no
    message of the campaign can be proved now, note only one fault. The caller must have verified the ledger."""
    campaign, messages = read_messages(content, source)
    proved = list[ProvedMessage]()
    closed = reading.entries[-1][1]
    if campaign != reading.settings.campaign:
        found.note(source, wrong("E-VERIFY-MESSAGE.campaign", theirs=campaign, ours=reading.settings.campaign))
    elif not can_be_proved(reading.settings):
        found.note(source, wrong("E-VERIFY-MESSAGE.agreed"))
    elif not isinstance(closed, CloseRecord):
        found.note(source, wrong("E-VERIFY-MESSAGE.early"))
    else:
        for each in messages:
            if is_proved(reading, each, bytes.fromhex(closed.secret)):
                proved.append(ProvedMessage(each, reading.entries[each.entry - 1][0].time))
            else:
                found.note(source, wrong("E-VERIFY-MESSAGE", entry=each.entry))
    return proved


def is_proved(reading: Reading, shown: ShownMessage, secret: bytes) -> bool:
    """True if the ledger has the commitment to exactly this message."""
    record = reading.entries[shown.entry - 1][1] if 1 <= shown.entry <= len(reading.entries) else None
    if not isinstance(record, LetterRecord) or (record.kind, record.player) != ("message", shown.sender):
        return False
    commitment = shown.commitment(reading.settings.campaign)
    return hmac.compare_digest(hmac.digest(secret, commitment, "sha256").hex(), record.slots.get(MESSAGE, ""))
