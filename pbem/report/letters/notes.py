"""What entries of the ledger tell everybody besides what happened in the game, as data for reports."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from pbem.campaign.briefing import Note
from pbem.campaign.clock.clock import Clock
from pbem.campaign.clock.timestamps import moment
from pbem.campaign.ledger.records import (
    NAMES,
    AbsenceRecord,
    AdjudicationRecord,
    AgreementRecord,
    ClockRecord,
    CloseRecord,
    ExtensionRecord,
    JoinRecord,
    KeyChangeRecord,
    LetterRecord,
    LockRecord,
    Record,
    RollbackRecord,
    RulingRecord,
    SubstituteRecord,
)
from pbem.report.letters.times import day, when
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey


def notes_data(notes: Sequence[Note], clock: Clock, locked: bool) -> list[dict[str, object]]:
    """The notes that say something, in the order of the ledger; the last lock is on if the campaign is locked."""
    found = []
    lock = max((note.entry for note in notes if isinstance(note.record, LockRecord)), default=0) if locked else 0
    for note in notes:
        told = told_of(note.record, clock)
        if told is not None and isinstance(note.record, LockRecord):
            told["is_on"] = note.entry == lock
        if told is not None:
            head = {"kind": NAMES[type(note.record)], "entry": note.entry, "time": when(note.time, clock)}
            found.append(head | told)
    return found


def told_of(record: Record, clock: Clock) -> dict[str, object] | None:
    """What an entry tells; nothing for an adjudication in which everybody's own orders were carried out."""
    match record:
        case JoinRecord():
            return {"player": record.player, "name": record.name, "key": fingerprint(record.key)}
        case LetterRecord():
            return {"player": record.player, "letter": record.kind, "why": record.acted}
        case LockRecord():
            until = when(moment(record.deadline), clock) if record.deadline else None
            return {"stage": record.stage, "until": until, "forced": record.forced}
        case RulingRecord():
            return {"words": record.words, "rule": record.rule}
        case ExtensionRecord():
            return {"until": when(moment(record.until), clock), "why": record.why}
        case AbsenceRecord():
            first, last = (day(date.fromisoformat(written)) for written in (record.first, record.last))
            return {"player": record.player, "first": first, "last": last, "why": record.why}
        case ClockRecord():
            is_locked = bool(record.deadline)
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "is_locked": is_locked}
        case RollbackRecord():
            return {"to": record.to, "stage": record.next.stage, "why": record.why}
        case AgreementRecord():
            return {"players": list(record.powers), "words": record.words}
        case CloseRecord():
            return {"why": record.why}
        case AdjudicationRecord():
            return adjudicated(record)
    return of_players(record)


def of_players(record: Record) -> dict[str, object] | None:
    """Who plays, and with which key."""
    match record:
        case SubstituteRecord():
            return {
                "player": record.player,
                "name": record.name,
                "key": fingerprint(record.key),
                "why": record.why,
            }
        case KeyChangeRecord():
            return {
                "player": record.player,
                "key": fingerprint(record.key),
                "by_letter": bool(record.letter),
                "why": record.why,
            }
    return None


def adjudicated(record: AdjudicationRecord) -> dict[str, object] | None:
    """For whom defaults answered, whose orders came back, what was not revealed in time, and who drew which seat."""
    if not (record.absent or record.returned or record.forfeited or record.drawn):
        return None
    return {
        "stage": record.stage,
        "forced": record.forced,
        "absent": dict(record.absent),
        "returned": list(record.returned),
        "forfeited": {player: list(slots) for player, slots in record.forfeited.items()},
        **({"drawn": dict(record.drawn)} if record.drawn else {}),
    }


def fingerprint(key: str) -> str:
    """How a public key is known; nothing for a seat without one."""
    try:
        return PublicKey.parse(key).fingerprint if key else ""
    except SealFault:
        return ""
