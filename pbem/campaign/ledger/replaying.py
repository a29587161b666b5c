"""Plays a ledger again from its first entry, rollbacks included: for a rollback, and for whoever verifies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.records import Adjudicated, Opened, Record, goes_back, record_of
from pbem.campaign.ledger.register import Register, enter, opened
from pbem.campaign.play.course import Course, Kept
from pbem.paper.documents.faults import Fault, Refused

MALFORMED = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError)
"""What false entries make of careful code."""


@contextmanager
def making_sense(name: str) -> Iterator[None]:
    """Refuse an entry of this name with which the work within cannot go on: nobody need have checked it before."""
    try:
        yield
    except MALFORMED as error:
        message = f"the entry makes no sense ({type(error).__name__}); `pbem verify` tells more"
        raise Refused(name, [Fault("E-LEDGER-SENSE", message, 1, 1)]) from None


class Played(Struct, frozen=True):
    """An entry that is about to be carried out, and the course so far."""

    entry: Entry
    record: Record
    course: Course


def replay(
    entries: Iterable[Entry],
    course_from: Callable[[Kept], Course],
    secret: str,
    before: Callable[[Played], None] = lambda _: None,
) -> Iterator[Played]:
    """Carry entries out one by one; each is given after it was, `before` is called with it when it is about to be.

    Raises `Disagreement` at the first entry that does not say what follows from the letters and the secret.
    """
    course: Course | None = None
    moments: dict[int, bytes] = {}
    for entry in entries:
        record = record_in(entry)
        time = stamp(entry.time)
        if course is None:
            course = course_from(Kept(first_register(entry, record), secret))
            continue
        before(Played(entry, record, course))
        if goes_back(record):
            course.turn_back(entry.number, time, record, moment_of(moments, record.to), entry.hash)
        else:
            course.take(entry.number, time, record, entry.hash)
        if isinstance(record, Adjudicated) or goes_back(record):
            moments[entry.number] = msgspec.json.encode(course.kept())
        yield Played(entry, record, course)


def first_register(entry: Entry, record: Record) -> Register:
    """The register after the first entry."""
    if not isinstance(record, Opened):
        raise Refused(name_of(entry), [Fault("E-LEDGER-FORM", "a ledger begins with the entry `new`", 1, 1)])
    register = opened(record)
    enter(register, entry.number, stamp(entry.time), record, entry.hash)
    return register


def register_until(entries: Sequence[Entry]) -> Register:
    """The register as some entries, from the first on, lead to it."""
    register = first_register(entries[0], record_in(entries[0]))
    for entry in entries[1:]:
        enter(register, entry.number, stamp(entry.time), record_in(entry), entry.hash)
    return register


def moment_of(moments: dict[int, bytes], number: int) -> Kept:
    """The course as it was after an entry: as the last adjudication up to it had left it."""
    earlier = [each for each in moments if each <= number]
    if not earlier:
        raise Refused("rollback", [Fault("E-ROLLBACK-START", f"at entry {number} the game had not begun", 1, 1)])
    return msgspec.json.decode(moments[max(earlier)], type=Kept)


def record_in(entry: Entry) -> Record:
    """The typed body of an entry; raises `Refused` if it is none."""
    try:
        return record_of(entry.kind, entry.body)
    except KeyError:
        message = f"there are no entries of kind {entry.kind}"
        raise Refused(name_of(entry), [Fault("E-LEDGER-KIND", message, 1, 1)]) from None
    except msgspec.ValidationError as error:
        raise Refused(name_of(entry), [Fault("E-LEDGER-BODY", f"the entry is malformed: {error}", 1, 1)]) from None


def name_of(entry: Entry) -> str:
    """The file of an entry."""
    return f"{entry.number:04d}-{entry.kind}.yaml"
