"""Entries of the ledger as the site lists them: words, seats and links of each."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from pbem.campaign.clock.clock import zone_named
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.reading import Reading
from pbem.report.letters.entries import facts_of, seats_of
from pbem.site.words import SiteWords


class Line(Struct, frozen=True):
    """An entry as the page of the log shows it."""

    number: int
    kind: str
    time: str
    """Time on the campaign's clock."""
    utc: str
    players: tuple[str, ...]
    """Seats that it concerns."""
    words: str
    hash: str
    stage: int | None
    """Number of its stage in the story."""
    letter: str
    """File of the letter, if it is public."""


def lines_of(reading: Reading, say: SiteWords, stage_of: dict[int, int], letters: dict[int, str]) -> list[Line]:
    """Every entry as a line; `letters` are the files of public letters, by entry."""
    return [
        Line(
            number=entry.number,
            kind=r.NAMES[type(record)],
            time=clock_time(reading, entry.time),
            utc=f"{entry.time:%Y-%m-%dT%H:%M:%SZ}",
            players=seats_of(record),
            words=words_of(reading, say, record, people),
            hash=entry.hash,
            stage=stage_of.get(entry.number),
            letter=letters.get(entry.number, ""),
        )
        for (entry, record), people in zip(reading.entries, reading.people, strict=True)
    ]


def clock_time(reading: Reading, time: datetime) -> str:
    """Time on the campaign's clock."""
    return f"{time.astimezone(zone_named(reading.settings.clock.zone)):%Y-%m-%d %H:%M}"


def words_of(reading: Reading, say: SiteWords, record: r.Record, people: dict[str, str]) -> str:
    """Text of an entry; `people` are those who sat in the seats then."""
    return say.entry(facts_of(record, reading.settings.clock), people)


def seats(reading: Reading) -> dict[str, str]:
    """Name of the player of each taken seat; empty if none was given."""
    return {seat: who.name for seat, who in reading.public.players.items()}
