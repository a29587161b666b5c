"""Entries that say nothing, or of nobody, or otherwise than the program writes them: what anybody can see of one."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.faults.wrong import Wrong, wrong
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


def wrong_with_entry(public: PublicState, entry: Entry, record: r.Record) -> Iterator[Wrong]:
    """Yield what is wrong with an entry that follows the state `public` (docs/protocol.md, Verifying, 4, 8)."""
    if r.as_texts(record) != entry.body:
        yield wrong("E-VERIFY-ENTRY.written")
    match record:
        case r.RefusedRecord(_, player) if player and player not in public.settings.seats:
            yield wrong("E-VERIFY-NOBODY", seat=player)
        case r.KeyChangeRecord(_, key) | r.SubstituteRecord(_, key) if key or isinstance(record, r.KeyChangeRecord):
            try:
                PublicKey.parse(key)
            except SealFault as fault:
                yield fault.wrong
        case r.AbsenceRecord(player) if player not in public.players:
            yield wrong("E-VERIFY-NOBODY", seat=player)
        case r.ReminderRecord(players, occasion):
            for player in players:
                if player not in public.players:
                    yield wrong("E-VERIFY-NOBODY", seat=player)
            is_late = stamp(entry.time) >= public.deadline
            if public.phase != "running" or not players or is_late != (occasion != "before"):
                yield wrong("E-VERIFY-REMINDER")
        case r.RulingRecord(said) if not said.strip():
            yield wrong("E-VERIFY-ENTRY.empty")
