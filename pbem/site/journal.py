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
from pbem.site.words import Sayings


class Line(Struct, frozen=True):
    """One entry."""

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


def lines_of(reading: Reading, say: Sayings, stage_of: dict[int, int], letters: dict[int, str]) -> list[Line]:
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
        case r.Adjudicated():
            return tuple(sorted({*record.absent, *record.returned, *record.forfeited}))
        case r.Agreed():
            return record.powers
        case r.Reminded():
            return record.players
        case r.Joined() | r.Received() | r.Turned() | r.Absent() | r.Replaced() | r.Rekeyed():
            return (record.player,) if record.player else ()
    return ()


def words_of(reading: Reading, say: Sayings, record: r.Record, people: dict[str, str]) -> str:
    """What an entry says, in words; `people` are those who sat in the seats then."""
    kind = r.NAMES[type(record)]
    return say.entry(kind, {"players": people, **facts_of(reading, record)})


def seats(reading: Reading) -> dict[str, str]:
    """Who sits in each seat."""
    return {seat: who.name for seat, who in reading.register.players.items()}


def facts_of(reading: Reading, record: r.Record) -> dict[str, object]:
    """What the words of an entry need."""
    clock = reading.settings.clock
    match record:
        case r.Opened():
            return {"campaign": record.settings.campaign, "key": fingerprint(record.moderator)}
        case r.Joined() | r.Replaced():
            why = record.why if isinstance(record, r.Replaced) else ""
            return {"player": record.player, "name": record.name, "key": fingerprint(record.key), "why": why}
        case r.Received():
            return {
                "player": record.player,
                "letter": record.kind,
                "stage": record.stage,
                "seq": record.seq,
                "status": record.status,
                "slots": sorted(record.slots),
                "why": record.acted,
            }
        case r.Turned():
            return {"player": record.player}
        case r.Locked():
            until = when(moment(record.deadline), clock) if record.deadline else None
            return {"stage": record.stage, "until": until, "forced": record.forced}
        case r.Adjudicated():
            return adjudicated(record)
        case r.Extended():
            return {"until": when(moment(record.until), clock), "why": record.why}
        case r.Absent():
            first, last = (day(datetime.fromisoformat(written).date()) for written in (record.first, record.last))
            return {"player": record.player, "first": first, "last": last, "why": record.why}
    return more_facts_of(record)


def adjudicated(record: r.Adjudicated) -> dict[str, object]:
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
        case r.Ruled():
            return {"words": record.words, "rule": record.rule}
        case r.Reminded():
            return {"seats": list(record.players)}
        case r.Repaired():
            is_locked = bool(record.deadline)
            return {"to": record.to, "stage": record.next.stage, "why": record.why, "is_locked": is_locked}
        case r.RolledBack():
            return {"to": record.to, "stage": record.next.stage, "why": record.why}
        case r.Rekeyed():
            key = fingerprint(record.key)
            return {"player": record.player, "key": key, "by_letter": bool(record.letter), "why": record.why}
        case r.Agreed():
            return {"seats": list(record.powers), "words": record.words}
        case r.Closed():
            return {"why": record.why}
    return {}
