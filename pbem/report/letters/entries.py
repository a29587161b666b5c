"""What entries of the ledger say: their facts, and the words for them, a line or a sentence long, in every language.

`pbem log`, reports and the site all ask here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any

from pbem.campaign.briefing import EntryNote
from pbem.campaign.clock.clock import Clock
from pbem.campaign.clock.timestamps import parse_moment
from pbem.campaign.ledger import records as r
from pbem.report.language.templates import template
from pbem.report.letters.times import day, when
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

TEMPLATE = "campaign_telling.txt.j2"

Facts = dict[str, object]


class Teller:
    """Tells entries in a language, with the program's own words."""

    def __init__(self, language: str, game: str) -> None:
        """Read the words."""
        self.words: Any = template(language, game, TEMPLATE).module

    def line(self, facts: Facts) -> str:
        """An entry in a few words; what people wrote stands in them as it is."""
        return str(self.words.short(facts, str))

    def sentence(self, facts: Facts, people: Mapping[str, str], guarded: Callable[..., str]) -> str:
        """An entry in whole sentences; `people` are those who sat in the seats then."""
        return str(self.words.sentence(facts, people, guarded))


def notes_data(notes: Sequence[EntryNote], clock: Clock, locked: bool) -> list[Facts]:
    """The notes that say something, in the order of the ledger; the last lock is on if the campaign is locked."""
    lock = max((note.entry for note in notes if isinstance(note.record, r.LockRecord)), default=0) if locked else 0
    found: list[Facts] = []
    for note in notes:
        if not is_silent(note.record):
            head: Facts = {"kind": r.NAMES[type(note.record)], "entry": note.entry, "time": when(note.time, clock)}
            is_on: Facts = {"is_on": note.entry == lock} if isinstance(note.record, r.LockRecord) else {}
            found.append(head | facts_of(note.record, clock) | is_on)
    return found


def is_silent(record: r.Record) -> bool:
    """Whether an entry has nothing to say in a report: an adjudication that carried everybody's own orders out."""
    told = isinstance(record, r.AdjudicationRecord) and (
        record.absent or record.returned or record.forfeited or record.drawn
    )
    return isinstance(record, r.AdjudicationRecord) and not told


def seats_of(record: r.Record) -> tuple[str, ...]:
    """The seats that an entry is of or about."""
    match record:
        case r.AdjudicationRecord():
            return tuple(sorted({*record.absent, *record.returned, *record.forfeited}))
        case r.AgreementRecord():
            return record.powers
        case r.ReminderRecord():
            return record.players
        case (
            r.JoinRecord()
            | r.LetterRecord()
            | r.RefusedRecord()
            | r.AbsenceRecord()
            | r.SubstituteRecord()
            | r.KeyChangeRecord()
        ):
            return (record.player,) if record.player else ()
    return ()


def facts_of(record: r.Record, clock: Clock) -> Facts:
    """What the words of an entry need, and its kind."""
    return {"kind": r.NAMES[type(record)], **(facts_of_players(record, clock) or facts_of_moderator(record, clock))}


def facts_of_players(record: r.Record, clock: Clock) -> Facts:
    """The facts of what players have written or done, and of who plays; none for other entries."""
    match record:
        case r.JoinRecord():
            return {"player": record.player, "name": record.name, "key": fingerprint(record.key)}
        case r.SubstituteRecord():
            key = fingerprint(record.key)
            return {"player": record.player, "name": record.name, "key": key, "why": record.why}
        case r.KeyChangeRecord():
            key = fingerprint(record.key)
            return {"player": record.player, "key": key, "by_letter": bool(record.letter), "why": record.why}
        case r.LetterRecord():
            return {
                "player": record.player,
                "letter": record.kind,
                "stage": record.stage,
                "seq": record.seq,
                "status": record.status,
                "slots": sorted(record.slots),
                "why": record.acted,
                "bot": record.bot.partition("/")[0],
            }
        case r.RefusedRecord():
            return {"player": record.player}
        case r.AbsenceRecord():
            first, last = (day(date.fromisoformat(written)) for written in (record.first, record.last))
            level = record.bot.partition("/")[0]
            return {"player": record.player, "first": first, "last": last, "why": record.why, "bot": level}
        case r.AgreementRecord():
            return {"players": list(record.powers), "words": record.words}
    return {}


def facts_of_moderator(record: r.Record, clock: Clock) -> Facts:
    """The facts of what the moderator has entered."""
    match record:
        case r.NewRecord():
            settings = record.settings
            return {
                "campaign": settings.campaign,
                "seats": list(settings.seats),
                "key": fingerprint(record.moderator),
            }
        case r.LockRecord():
            until = when(parse_moment(record.deadline), clock) if record.deadline else None
            return {"stage": record.stage, "until": until, "forced": record.forced}
        case r.AdjudicationRecord():
            return adjudicated(record)
        case r.RulingRecord():
            return {"words": record.words, "rule": record.rule}
        case r.ExtensionRecord():
            return {"until": when(parse_moment(record.until), clock), "why": record.why}
        case r.ReminderRecord():
            return {"players": list(record.players), "occasion": record.kind}
        case r.ClockRecord():
            is_locked = bool(record.deadline)
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "is_locked": is_locked}
        case r.RollbackRecord():
            return {"to": record.to, "stage": record.next.stage, "why": record.why}
        case r.CloseRecord():
            return {"why": record.why}
    return {}


def adjudicated(record: r.AdjudicationRecord) -> Facts:
    """What an adjudication says besides what happened."""
    return {
        "version": record.version,
        "stage": record.stage,
        "next": record.next.stage,
        "over": record.next.over,
        "absent": dict(record.absent),
        "returned": list(record.returned),
        "forfeited": {player: list(slots) for player, slots in record.forfeited.items()},
        "forced": record.forced,
        "happened": len(record.events),
        "cards": len(record.openings),
        "shuffles": len(record.dealt),
        "drawn": dict(record.drawn),
    }


def fingerprint(key: str) -> str:
    """How a public key is known; nothing for a seat without one."""
    try:
        return PublicKey.parse(key).fingerprint if key else ""
    except SealFault:
        return ""
