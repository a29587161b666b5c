"""The entries of the ledger as the site lists them: what each says, whom it is of, where it leads."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from pbem.campaign.clock.clock import zone_named
from pbem.campaign.clock.timestamps import moment
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.reading import Reading
from pbem.report.letters.notes import fingerprint
from pbem.report.letters.times import day, when
from pbem.site.words import SiteWords


class Line(Struct, frozen=True):
    """An entry as the page of the log shows it."""

    number: int
    kind: str
    time: str
    """When it was made, as the clock of the campaign showed it."""
    utc: str
    players: tuple[str, ...]
    """The seats that it is of."""
    words: str
    hash: str
    stage: int | None
    """The stage of the story that it belongs to."""
    letter: str
    """The file with the letter, if it is public."""


def lines_of(reading: Reading, say: SiteWords, stage_of: dict[int, int], letters: dict[int, str]) -> list[Line]:
    """Every entry; the letters are the files of those that are public, by entry."""
    return [
        Line(
            number=entry.number,
            kind=r.NAMES[type(record)],
            time=clock_time(reading, entry.time),
            utc=f"{entry.time:%Y-%m-%dT%H:%M:%SZ}",
            players=players_of(record),
            words=words_of(reading, say, record, people),
            hash=entry.hash,
            stage=stage_of.get(entry.number),
            letter=letters.get(entry.number, ""),
        )
        for (entry, record), people in zip(reading.entries, reading.people, strict=True)
    ]


def clock_time(reading: Reading, time: datetime) -> str:
    """A moment as the clock of the campaign shows it."""
    return f"{time.astimezone(zone_named(reading.settings.clock.zone)):%Y-%m-%d %H:%M}"


def players_of(record: r.Record) -> tuple[str, ...]:
    """The seats that an entry is of."""
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


def words_of(reading: Reading, say: SiteWords, record: r.Record, people: dict[str, str]) -> str:
    """What an entry says, in words; `people` are those who sat in the seats then."""
    kind = r.NAMES[type(record)]
    return say.entry(kind, {"players": people, **facts_of(reading, record)})


def seats(reading: Reading) -> dict[str, str]:
    """The name of who sits in each taken seat; empty where none was given."""
    return {seat: who.name for seat, who in reading.public.players.items()}


def facts_of(reading: Reading, record: r.Record) -> dict[str, object]:
    """What the words of an entry need."""
    clock = reading.settings.clock
    match record:
        case r.NewRecord():
            return {"campaign": record.settings.campaign, "key": fingerprint(record.moderator)}
        case r.JoinRecord() | r.SubstituteRecord():
            why = record.why if isinstance(record, r.SubstituteRecord) else ""
            return {"player": record.player, "name": record.name, "key": fingerprint(record.key), "why": why}
        case r.LetterRecord():
            return {
                "player": record.player,
                "letter": record.kind,
                "stage": record.stage,
                "seq": record.seq,
                "status": record.status,
                "slots": sorted(record.slots),
                "why": record.acted,
            }
        case r.RefusedRecord():
            return {"player": record.player}
        case r.LockRecord():
            until = when(moment(record.deadline), clock) if record.deadline else None
            return {"stage": record.stage, "until": until, "forced": record.forced}
        case r.AdjudicationRecord():
            return adjudicated(record)
        case r.ExtensionRecord():
            return {"until": when(moment(record.until), clock), "why": record.why}
        case r.AbsenceRecord():
            first, last = (day(datetime.fromisoformat(written).date()) for written in (record.first, record.last))
            return {"player": record.player, "first": first, "last": last, "why": record.why}
    return more_facts_of(record)


def adjudicated(record: r.AdjudicationRecord) -> dict[str, object]:
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
        "cards": len(record.openings),
        "shuffles": len(record.dealt),
        "drawn": dict(record.drawn),
    }


def more_facts_of(record: r.Record) -> dict[str, object]:
    """What the words of the moderator's own entries need."""
    match record:
        case r.RulingRecord():
            return {"words": record.words, "rule": record.rule}
        case r.ReminderRecord():
            return {"seats": list(record.players)}
        case r.ClockRecord():
            is_locked = bool(record.deadline)
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "is_locked": is_locked}
        case r.RollbackRecord():
            return {"to": record.to, "stage": record.next.stage, "why": record.why}
        case r.KeyChangeRecord():
            key = fingerprint(record.key)
            return {"player": record.player, "key": key, "by_letter": bool(record.letter), "why": record.why}
        case r.AgreementRecord():
            return {"seats": list(record.powers), "words": record.words}
        case r.CloseRecord():
            return {"why": record.why}
    return {}
