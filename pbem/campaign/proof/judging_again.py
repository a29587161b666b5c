"""Plays a closed campaign again: every entry must say what its moderator had to enter at that moment."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.campaign.campaign import opener_of, rules_of
from pbem.campaign.clock.repairs import last_right
from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.clock.timing import Moment, deadline_again, deadline_for, permission
from pbem.campaign.ledger.drawn_seats import asked_where_joined
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.records import (
    Adjudicated,
    Agreed,
    Closed,
    Joined,
    Locked,
    Next,
    Received,
    Record,
    Rekeyed,
    Repaired,
    RolledBack,
    goes_back,
    told,
)
from pbem.campaign.ledger.register import Register, held_by_lock, seq_key
from pbem.campaign.ledger.replaying import MALFORMED, Played, replay
from pbem.campaign.letters.judging import agreed, judge
from pbem.campaign.letters.letterbox import Held, parts_of
from pbem.campaign.play.adjudicating import defaults_for, locked_now, must_lock
from pbem.campaign.play.course import Course, Disagreement, difference
from pbem.campaign.proof.findings import Walked
from pbem.campaign.proof.opened_letters import PRIVATE_KINDS
from pbem.paper.documents.writing import write


class Again:
    """A campaign whose secrets are published, carried out once more."""

    def __init__(self, walk: Walked, letters: Mapping[int, Held]) -> None:
        """Take what the public entries have told, where to note what is wrong, and the letters that were opened."""
        self.walk = walk
        self.letters = letters
        self.received: dict[int, Received] = {}
        """What the ledger says of accepted letters, by entry."""

    def play(self, entries: list[Entry], closed: Closed) -> None:
        """Carry every entry out again, from the letters and the secret."""
        register = self.walk.register
        assert register is not None
        settings = register.settings
        rules, set_up = rules_of(self.walk.folder, settings, register.protocol), opener_of(self.walk.folder, settings)
        at = entries[0]

        def before(next_one: Played) -> None:
            nonlocal at
            at = next_one.entry
            self.judge(next_one)

        try:
            for played in replay(
                entries, lambda kept: Course(kept, rules, self.letters.__getitem__, set_up), closed.secret, before
            ):
                self.walk.found.figures.adjudications += isinstance(played.record, Adjudicated)
        except Disagreement as error:
            self.walk.note(at, "E-VERIFY-GAME", f"{error.what} is not what the letters and the deal lead to")
        except MALFORMED as error:
            self.walk.note(at, "E-VERIFY-GAME", f"this cannot be carried out: {type(error).__name__} {error}")

    def judge(self, played: Played) -> None:
        """Before an entry is carried out: it must say what the moderator had to enter at that moment."""
        entry, record, course = played.entry, played.record, played.course
        match record:
            case Received() if record.kind not in PRIVATE_KINDS:
                held = self.letters[entry.number]
                self.received[entry.number] = record
                self.same(entry, record, self.rejudged(course, held, record.acted))
                self.walk.found.figures.letters += 1
                self.walk.found.figures.sealed -= 1
            case Joined():
                self.same(entry, record, self.rejudged(course, Held(record.letter)))
            case Rekeyed() if record.letter:
                self.same(entry, record, self.rejudged(course, Held(record.letter)))
            case Agreed():
                last = max(record.letters)
                self.same(entry, record, agreed(course, self.received[last], self.letters[last]))
            case Received() if record.slots or record.status != "final" or record.seq <= last_seq(course, record):
                self.walk.note(entry, "E-VERIFY-LETTER", "an entry of a message says more than a message does")
            case Rekeyed() if record.seq or record.mark or not record.why:
                self.walk.note(entry, "E-VERIFY-LETTER", "a ruling on a key says why, and is no letter")
            case Locked():
                at = Moment(course.register, entry.time)
                self.timely(entry, at, record.forced)
                self.same(entry, record, locked_now(at, record.forced) if must_lock(at) else None)
            case Repaired() if not goes_back(record):
                if record.deadline:
                    self.stays_locked(entry, record, course.register)
            case RolledBack():
                before = self.promised(record, stamp(entry.time)) if isinstance(record, Repaired) else ""
                at = Moment(course.register, entry.time)
                self.until(entry, record.next, deadline_again(at, record.next.owing, before))
            case Closed() if course.register.phase != "over" and not record.why:
                self.walk.note(entry, "E-VERIFY-ORDER", "closing before the end needs a reason")
            case Adjudicated():
                self.defaults(entry, record, course)

    def stays_locked(self, entry: Entry, record: Repaired, register: Register) -> None:
        """Behind a lock that stays there is the time that the clock gives, not less than a right one had promised."""
        before = self.walk.deadlines.get(last_right(self.walk.times[: entry.number - 1], stamp(entry.time)), "")
        deadline = deadline_again(Moment(register, entry.time), held_by_lock(register), before)
        if record.deadline != deadline:
            self.walk.note(entry, "E-VERIFY-DEADLINE", f"the clock says {deadline}, not {record.deadline}")

    def promised(self, record: Repaired, now: str) -> str:
        """The deadline that the clock had set in the position that counts again, if its time was right."""
        position = max(number for number in self.walk.tables if number <= record.to)
        return self.walk.deadlines[position] if self.walk.times[position - 1] <= now else ""

    def rejudged(self, course: Course, held: Held, acted: str = "") -> Record | None:
        """What the entry of a letter had to say; nothing if the letter had to be refused."""
        letter = held.letter
        boxes = {part.get("box", ""): slot for slot, part in parts_of(letter).items() if isinstance(part, dict)}
        if course.register.settings.conduct.sealing == "moderator" and set(held.opened) != set(parts_of(letter)):
            return None

        def opener(box: str) -> bytes:
            part = held.opened[boxes[box]]
            return write({"salt": part.salt, "body": part.body}).encode()

        verdict = judge(course, letter, opener, acted)
        return None if verdict.is_refused else verdict.record

    def timely(self, entry: Entry, at: Moment, forced: bool) -> None:
        """The moderator goes on when the clock allows it, or says openly that it did not."""
        if permission(at).may == forced:
            what = "the clock allowed it, and needed no force" if forced else "the clock did not allow it yet"
            self.walk.note(entry, "E-VERIFY-EARLY", what)

    def until(self, entry: Entry, following: Next, deadline: str) -> None:
        """Those who are asked must have the time that was agreed."""
        if following.deadline != deadline:
            self.walk.note(
                entry, "E-VERIFY-DEADLINE", f"the clock says {deadline or 'no deadline'}, not {following.deadline}"
            )

    def same(self, entry: Entry, found: Record, expected: Record | None) -> None:
        """Note an entry that says something else than it had to."""
        if expected is None:
            self.walk.note(entry, "E-VERIFY-LETTER", "what this entry is about had to be refused at that moment")
        elif told(expected) != told(found):
            what = difference(told(expected), told(found))
            self.walk.note(entry, "E-VERIFY-LETTER", f"{what} is not what the letter says")

    def defaults(self, entry: Entry, record: Adjudicated, course: Course) -> None:
        """Nobody may have been passed over before their time, unless the entry says that the moderator went on."""
        at = Moment(course.register, entry.time)
        if must_lock(at):
            self.walk.note(entry, "E-VERIFY-ORDER", "what was sealed was not locked first")
        if record.version > 1:
            self.timely(entry, at, record.forced)
        self.until(entry, record.next, deadline_for(at, asked_where_joined(record)))
        absent, forfeited = defaults_for(course, entry.time, record.forced)
        if (absent, forfeited) != (record.absent, record.forfeited):
            self.walk.note(entry, "E-VERIFY-ABSENT", "defaults answered for others than those who had not ordered")


def last_seq(course: Course, record: Received) -> int:
    """The number of the last letter of this kind from a player."""
    return course.register.seqs.get(seq_key(record.player, record.kind), 0)
