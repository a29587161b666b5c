"""Fetching of mails. Each mail is judged once, and its letters are kept until their campaign takes them. The dates of
mails are used to check whether the clock is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from itertools import groupby
from typing import TypeAlias

from msgspec import Struct, json

from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.faults.wrong import Words, Wrong, wrong
from pbem.office.carriers import NotMarked, Source
from pbem.office.incoming import IncomingMail, mark_of
from pbem.office.store import Store
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage

SEEN = "seen"
"""Key under which the store keeps the latest time that mails have shown. For the mails of one campaign, `/` and the
name of the campaign are added."""

TELLER = "seen by"
"""Key under which the store keeps sender and subject of the mail that shows that the clock is slow."""

LONE = "ahead"
"""Key under which the store keeps the dates of single mails that were later than the clock. One mail alone proves
nothing, so it is counted again with the next mails."""

LONGEST_PAUSE = timedelta(days=10)
"""Longest time without a round or a mail after which the clock is still trusted. Later a person must vouch for it."""

MOST_AHEAD = timedelta(days=1)
"""Time by which a mail may be later than the clock without a doubt."""


class MailDates(Struct, frozen=True):
    """Dates of a mail: from its sender, and from the last server on its way."""

    written: datetime | None
    received: datetime | None
    campaign: str = ""
    """The campaign of the mail. Without a campaign a date proves nothing."""
    sender: str = ""
    subject: str = ""

    def is_ahead(self, now: datetime) -> bool:
        """Return whether the server's date is later than the clock by more than `MOST_AHEAD`."""
        return bool(self.received and self.received > now + MOST_AHEAD)


def newest_time(mails: Iterable[MailDates], now: datetime) -> datetime | None:
    """Return the latest time that new mails show; None if no mail has a date. A date slightly ahead of the clock counts
    as the clock's time. A date ahead by more than `MOST_AHEAD` is ignored."""
    dates = [date for each in mails if (date := each.received or each.written)]
    return max((min(date, now) for date in dates if date <= now + MOST_AHEAD), default=None)


def witnesses(mails: Iterable[MailDates], now: datetime) -> list[MailDates]:
    """Return the mails that have a date of a server, sorted by this date. A mail ahead of the clock (`is_ahead`) is
    left out if it belongs to no campaign. If a sender has several mails ahead of the clock in one campaign, only the
    last of them is returned."""
    found = {
        (each.campaign, each.sender.casefold()) if each.is_ahead(now) else at: each
        for at, each in enumerate(mails)
        if each.received and (each.campaign or not each.is_ahead(now))
    }
    return sorted(found.values(), key=lambda each: each.received or now)


def teller(found: list[MailDates], now: datetime) -> MailDates | None:
    """Return a mail that shows that the clock is slow, or None. `found` must be sorted by date. If its middle mail has
    a date ahead of the clock, this mail is returned. If `found` has only one mail, return None, because a single mail
    proves nothing."""
    usual = found[(len(found) - 1) // 2] if len(found) > 1 else None
    return usual if usual and usual.is_ahead(now) else None


def told_apart(*moments: datetime) -> list[str]:
    """Return moments as texts, with seconds only if the texts would be equal without."""
    told = [f"{each:%Y-%m-%d %H:%M}" for each in moments]
    return told if len(set(told)) > 1 else [f"{each:%Y-%m-%d %H:%M:%S}" for each in moments]


def clock_doubt(then: datetime, now: datetime, longest: timedelta = LONGEST_PAUSE) -> Wrong | None:
    """Return a fault if the past moment `then` is later than the clock, or longer ago than `longest`; else None."""
    told, was = told_apart(now, then)
    if now < then:
        return wrong("W-OFFICE-CLOCK", now=told, then=was)
    if now - then > longest:
        return wrong("W-OFFICE-CLOCK.ahead", now=told, then=was)
    return None


def latest_moment(*moments: str) -> datetime | None:
    """Return the latest of these moments; None if all texts are empty."""
    return max((parse_moment(each) for each in moments if each), default=None)


BATCH = 200
"""Number of mails after which a transaction takes no more files of the mailbox."""

BATCH_BYTES = 4 * 1024 * 1024
"""Number of bytes of mails after which a transaction takes no more files of the mailbox."""


MOST_UNMARKED = 10
"""Number of mails that a mailbox refuses to mark, after which a round tries to mark no more mails."""

Look: TypeAlias = "Callable[[RawMessage], IncomingMail | None]"
"""Function that judges a mail. After an error it returns None, and the mail is judged again in the next round."""


WORDS = "words"
"""State of a mail without a letter, until its words are forwarded to a person."""

ANSWERED_WORDS, ANSWER = "words to answer", "answer"
"""States of a mail without a letter whose writer gets an answer: until its words are forwarded, and then until the
answer is written."""


OF_CAMPAIGNS = ("letter", WORDS, "returned", "large")
"""Judgements of mails that belong to a campaign."""


class FetchCounts(Struct):
    """Counts of fetched mails by judgement."""

    read: int = 0
    """Count of all mails that were fetched."""
    letters: int = 0
    """Count of mails with letters for a campaign whose folder is there."""
    words: int = 0
    """Count of mails that answer mails of the office and have no letter."""
    doubtful: int = 0
    """Count of mails that wait for a person."""
    left: int = 0
    """Count of mails with which nothing is done."""
    returned: int = 0
    """Count of mails with which a mail of the office came back."""
    twice: int = 0
    """Count of mails that were judged before."""
    broken: int = 0
    """Count of mails that could not be judged because of an error."""


class JudgedMail(Struct, frozen=True):
    """A mail, its judgement, and the digest by which it is known again."""

    mark: str
    message: RawMessage
    incoming: IncomingMail | None
    """The judgement; None if the mail was judged before, or could not be judged."""
    is_known: bool = False
    """True if the mail was judged before."""


class Fetcher:
    """One fetching of the new mails in a mailbox."""

    def __init__(self, store: Store, source: Source, now: Callable[[], datetime], look: Look) -> None:
        self.store = store
        self.source = source
        self.now = now
        self.look_at = look
        self.key = store.fact("key")
        self.found = FetchCounts()
        self.dated: list[MailDates] = []
        self.texts: dict[str, Extraction] = {}
        """Content of each fetched mail, under the digest of the mail. The evening need not read the mail again."""
        self.unmarked: list[Words | str] = []
        """Reason for each mail that the mailbox does not let be marked. The letters of such a mail are kept like those
        of any other mail."""

    def fetch(self) -> FetchCounts:
        """Judge the new mails, note judgements and dates, and return the counts. Mark mails in the mailbox, and forget
        the places of mails that are gone."""
        known = {str(row["hint"]) for row in self.rows("SELECT hint FROM places WHERE source = ?")}
        hints = self.source.hints()
        new = [hint for hint in hints if hint not in known]
        behind = groupby(self.source.read(new), key=lambda each: each[0])
        for batch in batches((hint, [message for _, message in each]) for hint, each in behind):
            self.note(batch)
        gone = known.difference(hints)
        with self.store.step():
            for hint in gone:
                self.store.do("DELETE FROM places WHERE source = ? AND hint = ?", self.source.name, hint)
        self.settle()
        self.note_time(self.now())
        return self.found

    def note_time(self, now: datetime) -> None:
        """Note the latest time that the fetched mails show. If mails of one campaign show that the clock is slow, note
        this for the campaign; if mails of several campaigns do, note it for all. A single mail with a date ahead of the
        clock proves nothing yet: it is kept, and compared with the next mails."""
        before = json.decode(self.store.fact(LONE) or "[]", type=list[MailDates])
        found = witnesses([*before, *self.dated], now)
        told: dict[str, MailDates] = {}
        lone = []
        for campaign in sorted({each.campaign for each in found if each.is_ahead(now)}):
            heard = [each for each in found if each.campaign == campaign or not each.is_ahead(now)]
            if one := teller(heard, now):
                told[campaign] = one
            lone += heard if len(heard) == 1 else []
        with self.store.step():
            # Mails of one campaign stop only this campaign. To stop all, mails of several are needed, since other
            # people play there.
            for campaign, one in told.items():
                self.note_seen(f"/{campaign}", one.received, one)
            several = [*told.values()] if len(told) > 1 else []
            for each in several[:1]:
                self.note_seen("", each.received, each)
            if not several:
                self.note_seen("", newest_time(self.dated, now))
            self.store.note(LONE, json.encode(lone).decode())

    def note_seen(self, scope: str, seen: datetime | None, proof: MailDates | None = None) -> None:
        """Store the latest time that mails show, unless a later time is stored. `scope` is `/` and a campaign's name,
        or empty for all campaigns. If a mail shows that the clock is slow, store this mail, too (`proof`)."""
        if seen and stamp(seen) > self.store.fact(SEEN + scope):
            self.store.note(SEEN + scope, stamp(seen))
            self.store.note(TELLER + scope, json.encode((proof.sender, proof.subject)).decode() if proof else "")

    def note(self, batch: list[tuple[str, list[RawMessage]]]) -> None:
        """Note the judgements and places of some mails in one transaction. A mail that could not be judged gets no
        place, and is read again."""
        seen = [(hint, [self.look(message) for message in messages]) for hint, messages in batch]
        with self.store.step():
            for hint, messages in seen:
                for each in messages:
                    self.enter(each)
                if any(each.incoming is None and not each.is_known for each in messages):
                    continue
                has_letter = any(self.is_settled(each.mark) for each in messages)
                mark = messages[-1].mark if messages else ""
                self.store.do(
                    "INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)",
                    self.source.name,
                    hint,
                    mark,
                    int(not has_letter),
                )

    def look(self, message: RawMessage) -> JudgedMail:
        """Judge a mail, unless it was judged before."""
        mark = mark_of(message.data, self.key)
        if self.store.rows("SELECT 1 FROM messages WHERE mark = ?", mark):
            return JudgedMail(mark, message, None, is_known=True)
        return JudgedMail(mark, message, self.look_at(message))

    def is_settled(self, mark: str) -> bool:
        """Return whether the mail with this digest is to be marked in the mailbox. A mail is marked if it has a letter,
        has words for a person, or tells that a mail of the office could not be delivered."""
        return bool(
            self.store.rows(
                "SELECT 1 FROM messages WHERE mark = ? AND verdict IN ('letter', 'words', 'returned')", mark
            )
        )

    def enter(self, seen: JudgedMail) -> None:
        """Count a mail. If it was judged now, note the judgement, keep its letters or words, and note the mails of the
        office that came back."""
        self.found.read += 1
        incoming = seen.incoming
        if incoming is None and not seen.is_known:
            self.found.broken += 1
            return
        if incoming is None or self.store.rows("SELECT 1 FROM messages WHERE mark = ?", seen.mark):
            self.found.twice += 1
            return
        envelope = incoming.found.envelope
        campaign = next(iter(incoming.campaigns), "") if incoming.verdict in OF_CAMPAIGNS else ""
        self.dated.append(MailDates(envelope.date, envelope.received, campaign, envelope.sender, envelope.subject))
        self.store.do(
            "INSERT INTO messages VALUES (?, ?, ?, ?, ?)",
            *(seen.mark, incoming.verdict, envelope.sender, envelope.subject, stamp(self.now())),
        )
        if incoming.verdict == "letter":
            self.keep(seen, incoming)
        elif incoming.verdict == WORDS:
            self.found.words += 1
            self.insert(seen, incoming.campaigns[0], ANSWERED_WORDS if incoming.is_answered else WORDS)
        elif incoming.verdict == "returned":
            self.note_returned(incoming)
        elif incoming.verdict == "large":
            self.found.doubtful += 1
        elif incoming.verdict != "own":
            self.found.left += 1
            if incoming.is_answered:
                self.insert(seen, incoming.campaigns[0], ANSWER)

    def keep(self, seen: JudgedMail, incoming: IncomingMail) -> None:
        """Keep a mail's letters for each campaign to which the mail belongs. Their state is `doubtful` if a letter
        changes a key. Otherwise it is `waiting`, or `away` if the campaign's folder is missing."""
        self.texts[seen.mark] = incoming.found
        changes_key = incoming.changes_key
        self.found.letters += len(incoming.away) < len(incoming.campaigns)
        self.found.doubtful += changes_key
        for campaign in incoming.campaigns:
            state = "doubtful" if changes_key else "away" if campaign in incoming.away else "waiting"
            self.insert(seen, campaign, state)

    def insert(self, seen: JudgedMail, campaign: str, state: str) -> None:
        """Keep a mail in this state until the campaign has taken it."""
        assert seen.incoming
        self.store.do(
            "INSERT INTO letters (mark, campaign, data, state, place) VALUES (?, ?, ?, ?, ?)",
            *(seen.mark, campaign, seen.message.data, state, seen.incoming.found.envelope.sender),
        )

    def note_returned(self, incoming: IncomingMail) -> None:
        """Note that mails of the office have come back."""
        self.found.returned += 1
        for name in incoming.ids:
            self.store.do(
                "UPDATE mails SET state = 'returned', why = ?, since = ? WHERE id = ? AND state = 'sent'",
                *(incoming.why, stamp(self.now()), name),
            )

    def settle(self) -> None:
        """Mark in the mailbox the mails of which `is_settled` is true, unless their campaign's folder is missing. Stop
        after `MOST_UNMARKED` refusals."""
        away = "SELECT mark FROM letters WHERE state = 'away'"
        for row in self.rows(f"SELECT hint FROM places WHERE source = ? AND settled = 0 AND mark NOT IN ({away})"):  # noqa: S608
            try:
                self.source.settle(row["hint"])
            except NotMarked as error:
                self.unmarked.append(error.why)
                if len(self.unmarked) == MOST_UNMARKED:
                    break
                continue
            with self.store.step():
                self.store.do(
                    "UPDATE places SET settled = 1 WHERE source = ? AND hint = ?", self.source.name, row["hint"]
                )

    def rows(self, query: str) -> list[Mapping[str, str]]:
        """Return the rows of a query, whose only parameter is the name of the mailbox."""
        return [dict(row) for row in self.store.rows(query, self.source.name)]


def correspondents(store: Store) -> dict[str, list[str]]:
    """Return for each address, in small letters, the campaigns in which the office has written to it."""
    found: dict[str, list[str]] = {}
    for row in store.rows("SELECT DISTINCT lower(address) AS address, campaign FROM mails WHERE campaign != ''"):
        found.setdefault(row["address"], []).append(row["campaign"])
    return found


def batches(found: Iterator[tuple[str, list[RawMessage]]]) -> Iterator[list[tuple[str, list[RawMessage]]]]:
    """Gather mails into batches, and yield each batch. A batch ends once it has `BATCH` mails or `BATCH_BYTES`
    bytes."""
    batch: list[tuple[str, list[RawMessage]]] = []
    count = size = 0
    for each in found:
        batch.append(each)
        count += len(each[1])
        size += sum(len(message.data) for message in each[1])
        if count >= BATCH or size >= BATCH_BYTES:
            yield batch
            batch, count, size = [], 0, 0
    if batch:
        yield batch
