"""Fetching of mails. Each mail is judged once, and its letters are stored until their campaign takes them. The dates of
mails show whether the clock is right."""

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
campaign's name are added to the key."""

TELLER = "seen by"
"""Key under which the store keeps sender and subject of the mail that shows that the clock is slow."""

LONE = "ahead"
"""Key under which the store keeps the dates of mails that came alone and were later than the clock. A single mail
proves nothing, so its date is looked at again together with the next mails."""

LONGEST_PAUSE = timedelta(days=10)
"""Longest time without a round or a mail after which the clock is trusted. After a longer time a person must say that
it is right."""

MOST_AHEAD = timedelta(days=1)
"""Time by which the date of a mail may be later than the clock without causing a doubt."""


class MailDates(Struct, frozen=True):
    """Dates of a mail: the sender's date, and the date of the last server that the mail has passed."""

    written: datetime | None
    received: datetime | None
    campaign: str = ""
    """Campaign to which the mail belongs. If it belongs to no campaign, its dates prove nothing."""
    sender: str = ""
    subject: str = ""

    def is_ahead(self, now: datetime) -> bool:
        """Return True if the server's date is more than `MOST_AHEAD` later than the clock."""
        return bool(self.received and self.received > now + MOST_AHEAD)


def newest_time(mails: Iterable[MailDates], now: datetime) -> datetime | None:
    """Return the latest time that new mails show; None if no mail shows a time. A date that is up to `MOST_AHEAD` later
    than the clock counts as the clock's time. Mails with later dates are ignored."""
    dates = [date for each in mails if (date := each.received or each.written)]
    return max((min(date, now) for date in dates if date <= now + MOST_AHEAD), default=None)


def witnesses(mails: Iterable[MailDates], now: datetime) -> list[MailDates]:
    """Return the mails with a server's date, sorted by this date. Mails that are ahead of the clock (`is_ahead`) are
    left out if they belong to no campaign. Of several such mails by one sender in one campaign, only the last is
    returned."""
    found = {
        (each.campaign, each.sender.casefold()) if each.is_ahead(now) else at: each
        for at, each in enumerate(mails)
        if each.received and (each.campaign or not each.is_ahead(now))
    }
    return sorted(found.values(), key=lambda each: each.received or now)


def teller(found: list[MailDates], now: datetime) -> MailDates | None:
    """Return a mail that proves that the clock is slow, or None. `found` must be sorted by date. The mail in its middle
    proves it if its date is ahead of the clock. A single mail proves nothing."""
    usual = found[(len(found) - 1) // 2] if len(found) > 1 else None
    return usual if usual and usual.is_ahead(now) else None


def told_apart(*moments: datetime) -> list[str]:
    """Return moments as texts. The texts have seconds only if they would be equal without seconds."""
    told = [f"{each:%Y-%m-%d %H:%M}" for each in moments]
    return told if len(set(told)) > 1 else [f"{each:%Y-%m-%d %H:%M:%S}" for each in moments]


def clock_doubt(then: datetime, now: datetime, longest: timedelta = LONGEST_PAUSE) -> Wrong | None:
    """Return a fault if `then`, a moment in the past, is later than the clock, or more than `longest` earlier. Return
    None if it is neither."""
    told, was = told_apart(now, then)
    if now < then:
        return wrong("W-OFFICE-CLOCK", now=told, then=was)
    if now - then > longest:
        return wrong("W-OFFICE-CLOCK.ahead", now=told, then=was)
    return None


def latest_moment(*moments: str) -> datetime | None:
    """Return the latest of these moments, which are texts. Empty texts are ignored; if all are empty, return None."""
    return max((parse_moment(each) for each in moments if each), default=None)


BATCH = 200
"""Number of mails after which no more files of the mailbox are added to a transaction."""

BATCH_BYTES = 4 * 1024 * 1024
"""Number of bytes of mails after which no more files of the mailbox are added to a transaction."""


MOST_UNMARKED = 10
"""Number of mails that the mailbox may refuse to mark in a round. After this number the round marks no more mails."""

Look: TypeAlias = "Callable[[RawMessage], IncomingMail | None]"
"""Function that judges a mail. It returns None if there was an error; then the mail is judged again in the next
round."""


WORDS = "words"
"""State of a mail without a letter until its words have been forwarded to a person."""

ANSWERED_WORDS, ANSWER = "words to answer", "answer"
"""Two states of a mail without a letter whose writer gets an answer. It has the first until its words have been
forwarded, and then the second until the answer is written."""


OF_CAMPAIGNS = ("letter", WORDS, "returned", "large")
"""Judgements of mails that belong to a campaign."""


class FetchCounts(Struct):
    """Counts of fetched mails by judgement."""

    read: int = 0
    """Number of all mails that were fetched."""
    letters: int = 0
    """Number of mails with letters for a campaign whose folder exists."""
    words: int = 0
    """Number of mails without a letter that answer mails of the office."""
    doubtful: int = 0
    """Number of mails for which a person must decide."""
    left: int = 0
    """Number of mails with which nothing is done."""
    returned: int = 0
    """Number of mails that say that a mail of the office could not be delivered."""
    twice: int = 0
    """Number of mails that had been judged before."""
    broken: int = 0
    """Number of mails that could not be judged because of an error."""


class JudgedMail(Struct, frozen=True):
    """Mail with its judgement, and with the digest by which the office recognizes it later."""

    mark: str
    message: RawMessage
    incoming: IncomingMail | None
    """Judgement of the mail. It is None if the mail was judged before, or could not be judged."""
    is_known: bool = False
    """True if the mail was judged before."""


class Fetcher:
    """Fetching of the new mails in a mailbox. An object of this class is used once."""

    def __init__(self, store: Store, source: Source, now: Callable[[], datetime], look: Look) -> None:
        self.store = store
        self.source = source
        self.now = now
        self.look_at = look
        self.key = store.fact("key")
        self.found = FetchCounts()
        self.dated: list[MailDates] = []
        self.texts: dict[str, Extraction] = {}
        """Dict from the digest of each fetched mail to the mail's content, so that the evening need not read the mail
        again."""
        self.unmarked: list[Words | str] = []
        """Reasons why the mailbox does not let mails be marked. The letters of these mails are stored nevertheless."""

    def fetch(self) -> FetchCounts:
        """Judge the new mails, store judgements and dates, and return the counts. Then mark mails in the mailbox, and
        delete the stored places of mails that are no longer there."""
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
        """Store the latest time that the fetched mails show. If mails of one campaign prove that the clock is slow,
        store this for the campaign. If mails of several campaigns prove it, store it for all campaigns. A single mail
        that is ahead of the clock proves nothing; it is stored, and looked at again together with the next mails."""
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
            # Mails of one campaign can stop only this campaign. Mails of several campaigns are needed to stop all,
            # because other people play in the others.
            for campaign, one in told.items():
                self.note_seen(f"/{campaign}", one.received, one)
            several = [*told.values()] if len(told) > 1 else []
            for each in several[:1]:
                self.note_seen("", each.received, each)
            if not several:
                self.note_seen("", newest_time(self.dated, now))
            self.store.note(LONE, json.encode(lone).decode())

    def note_seen(self, scope: str, seen: datetime | None, proof: MailDates | None = None) -> None:
        """Store the latest time that mails show, unless a later time is stored. `scope` is `/` with a campaign's name,
        or empty for all campaigns. If the mail `proof` shows that the clock is slow, store its sender and subject as
        well."""
        if seen and stamp(seen) > self.store.fact(SEEN + scope):
            self.store.note(SEEN + scope, stamp(seen))
            self.store.note(TELLER + scope, json.encode((proof.sender, proof.subject)).decode() if proof else "")

    def note(self, batch: list[tuple[str, list[RawMessage]]]) -> None:
        """Store the judgements and places of some mails in one transaction. A mail that could not be judged gets no
        place, so it is read again in the next round."""
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
        """Return True if the mail with this digest should be marked in the mailbox. This is so if it has a letter, has
        words for a person, or says that a mail of the office could not be delivered."""
        return bool(
            self.store.rows(
                "SELECT 1 FROM messages WHERE mark = ? AND verdict IN ('letter', 'words', 'returned')", mark
            )
        )

    def enter(self, seen: JudgedMail) -> None:
        """Count a mail. If it was judged now, also store its judgement and its letters or words. If it says that mails
        of the office came back, store this."""
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
        """Store a mail's letters for each campaign to which the mail belongs. Their state is `doubtful` if a letter
        changes a key. Otherwise it is `waiting`, or `away` if the folder of the campaign is missing."""
        self.texts[seen.mark] = incoming.found
        changes_key = incoming.changes_key
        self.found.letters += len(incoming.away) < len(incoming.campaigns)
        self.found.doubtful += changes_key
        for campaign in incoming.campaigns:
            state = "doubtful" if changes_key else "away" if campaign in incoming.away else "waiting"
            self.insert(seen, campaign, state)

    def insert(self, seen: JudgedMail, campaign: str, state: str) -> None:
        """Store a mail in this state until the campaign has taken it."""
        assert seen.incoming
        self.store.do(
            "INSERT INTO letters (mark, campaign, data, state, place) VALUES (?, ?, ?, ?, ?)",
            *(seen.mark, campaign, seen.message.data, state, seen.incoming.found.envelope.sender),
        )

    def note_returned(self, incoming: IncomingMail) -> None:
        """Store that mails of the office have come back."""
        self.found.returned += 1
        for name in incoming.ids:
            self.store.do(
                "UPDATE mails SET state = 'returned', why = ?, since = ? WHERE id = ? AND state = 'sent'",
                *(incoming.why, stamp(self.now()), name),
            )

    def settle(self) -> None:
        """Mark the mails for which `is_settled` is true in the mailbox. Mails whose campaign's folder is missing are
        not marked. Stop after the mailbox has refused `MOST_UNMARKED` times."""
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
        """Return the rows that a query finds. The only parameter of the query must be the name of the mailbox."""
        return [dict(row) for row in self.store.rows(query, self.source.name)]


def correspondents(store: Store) -> dict[str, list[str]]:
    """Return a dict from each address, in small letters, to the campaigns in which the office has written to it."""
    found: dict[str, list[str]] = {}
    for row in store.rows("SELECT DISTINCT lower(address) AS address, campaign FROM mails WHERE campaign != ''"):
        found.setdefault(row["address"], []).append(row["campaign"])
    return found


def batches(found: Iterator[tuple[str, list[RawMessage]]]) -> Iterator[list[tuple[str, list[RawMessage]]]]:
    """Gather files of mails into batches, and yield each batch. A batch ends when it has `BATCH` mails or `BATCH_BYTES`
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
