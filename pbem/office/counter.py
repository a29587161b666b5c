"""Common part of both offices: a mailbox, doubts, and a queue of mails. Each mail is tried until a carrier takes it."""

from __future__ import annotations

import os
import stat
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct, field

from pbem.campaign.clock.clock import stamp
from pbem.faults.wrong import PbemError, Words, Wrong, reason_of, wrong
from pbem.office.carriers import (
    HANGS,
    Carrier,
    FileCarrier,
    Files,
    ForumCarrier,
    Maildir,
    NotNow,
    NotTaken,
    NotThere,
    ProgramCarrier,
    QueuedMail,
    Source,
    Unreachable,
)
from pbem.office.doubts import BROKEN, CARRIER, Doubts, forward, is_unforeseen, mail_names, unforeseen_fault
from pbem.office.fetching import FetchCounts, Fetcher, Look
from pbem.office.incoming import IncomingMail, mark_of
from pbem.office.settings import Inbox, OfficeSettings, Outbox, secret_from, user_path
from pbem.office.store import COPIED, REFUSED, SAID, STRANGE, Store
from pbem.paper.documents.faults import Refused
from pbem.player.keyring import key_bytes, place_of
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage
from pbem.post.mime import head_of
from pbem.post.outgoing import name_and_recipient, put_together
from pbem.seal.keys import PrivateKey, load_private

OLD = 3 * 10**9
"""Age in nanoseconds up to which a folder's time of change may be inexact. A younger folder is looked into once
more."""

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)

DAY = timedelta(days=1)

LONGEST_TRYING = timedelta(days=5)
"""Time after which a mail that a program refuses is given up, as mail servers do."""

MOST_ALIKE = 3
"""Number of different addresses in a row, refused in the same way, from which on it is not about their mails."""

REFUSED_MAIL = "W-OFFICE-FAILED"
"""Code of the notice of a mail that was refused and is tried again, and of the doubt about a mail that was given up."""

MOST_OF_RANK = {REFUSED: 3, SAID: 10, COPIED: 3, STRANGE: 3}
"""Largest number of mails that one address gets in a day, for each rank of mails that anybody can cause."""

FORUM = "forum"
"""Address of posts to a forum."""

POST = "forum.md"


class SendCounts(Struct):
    """Numbers of mails that one round has sent, has left waiting, and has given up."""

    sent: int = 0
    waiting: int = 0
    failed: int = 0


class Sender:
    """Sender of an office's mails: it queues them, hands them to the carrier, and tries again later."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime]) -> None:
        self.has_forum = bool(doubts.settings.post_command)
        self.store = store
        self.doubts = doubts
        self.now = now

    def queue(self, campaign: str, outbox: Path, state: str) -> None:
        """Queue or hold the mails in a campaign's outbox, as `state` says, and its posts to the forum.

        Posts are dropped that were written before the office had a forum.
        """
        post_state = state if self.store.fact(f"{FORUM} {campaign}") else "dropped"
        for folder, changed in self.changed_folders(outbox):
            with self.store.step():
                for path in sorted(folder.glob("*.eml")):
                    self.enter(campaign, path, state)
                for path in sorted(folder.glob("*.mail")):
                    if self.rows_of(path):
                        self.enter(campaign, path, state)
                if self.has_forum and (post := folder / POST).exists():
                    self.insert(f"{campaign} {folder.name}", campaign, post, FORUM, post_state)
                self.store.do("INSERT OR REPLACE INTO outboxes VALUES (?, ?)", str(folder), changed)
        if self.is_new_forum(campaign):
            with self.store.step():
                self.store.note(f"{FORUM} {campaign}", "yes")

    def is_new_forum(self, campaign: str) -> bool:
        """Return whether a forum is set up and no post of this campaign was queued for it yet."""
        return self.has_forum and not self.store.fact(f"{FORUM} {campaign}")

    def changed_folders(self, outbox: Path) -> Iterator[tuple[Path, int]]:
        """Yield each folder of an outbox that has changed since the last look, with its time of change in nanoseconds.

        For a very recent change the time is 0, so that the next look yields the folder again.
        """
        known = {
            str(row["path"]): int(row["changed"])
            for row in self.store.rows("SELECT * FROM outboxes WHERE path GLOB ?", f"{glob_literal(str(outbox))}/*")
        }
        settled = time.time_ns() - OLD
        try:
            found = sorted((item.path, item.stat().st_mtime_ns) for item in os.scandir(outbox) if item.is_dir())
        except FileNotFoundError:
            return
        for path, changed in found:
            if known.get(path) != changed:
                yield Path(path), changed if changed < settled else 0

    def enter(self, campaign: str, path: Path, state: str, rank: int = 0) -> None:
        """Queue one mail under its message-id; a mail with a known message-id is not queued again."""
        name, address = head_of_file(path)
        if self.is_readdressed(name, path, address, state):
            return
        for row in self.rows_of(path)[:1]:
            # What anybody can cause stays so at another address, and is not told there if it was not here.
            rank, state = row["rank"], "dropped" if row["rank"] and row["state"] == "dropped" else state
        self.insert(name, campaign, path, address, state, rank)

    def rows_of(self, path: Path) -> list[Row]:
        """Return the rows of all mails that a file has held, the newest first."""
        return self.store.rows("SELECT * FROM mails WHERE path = ? ORDER BY number DESC", str(path))

    def is_readdressed(self, name: str, path: Path, address: str, state: str) -> bool:
        """Redirect the waiting mail of a file to `address`. Return False if a mail must still be queued for that
        address."""
        known = self.store.rows("SELECT address FROM mails WHERE id = ?", name)
        if known and known[0]["address"] == address:
            return True
        rows = self.rows_of(path)
        has_gone_there = any(row["address"] == address and row["state"] in ("sent", "queued", "held") for row in rows)
        waiting = [row for row in rows if row["address"] != address and row["state"] in ("queued", "held")]
        for row in waiting if has_gone_there else waiting[1:]:
            self.store.do("DELETE FROM mails WHERE id = ?", row["id"])
        if has_gone_there:
            return True
        for row in waiting[:1]:
            # Under its old name it is nothing that an address is owed, and a person may have sent it by hand.
            self.store.do(
                "UPDATE mails SET id = ?, address = ?, state = ?, tries = 0, after = '', why = '' WHERE id = ?",
                *(name, address, row["state"] if row["id"] == name else state, row["id"]),
            )
        return bool(waiting or known)

    def enter_once(self, campaign: str, path: Path) -> None:
        """Queue a refusal to a writer without a seat, or drop it if the writer has had a mail in this campaign
        already."""
        name, address = head_of_file(path)
        query = "SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND state != 'dropped'"
        is_told = bool(self.store.rows(query, campaign, address, name))
        self.insert(name, campaign, path, address, "dropped" if is_told else "queued", REFUSED)

    def enter_copy(self, campaign: str, path: Path) -> None:
        """Queue an answer to a copy of a letter, or drop it if such an answer is queued or went out in the last day.

        Anybody can send further copies.
        """
        name, address = head_of_file(path)
        query = """SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND path GLOB ? AND rank = ?
          AND (state = 'queued' OR state IN ('sent', 'returned') AND since > ?)"""
        like, since = f"*/{glob_literal(path.name)}", stamp(self.now() - DAY)
        is_told = bool(self.store.rows(query, campaign, address, name, like, COPIED, since))
        self.insert(name, campaign, path, address, "dropped" if is_told else "queued", COPIED)

    def insert(self, name: str, campaign: str, path: Path, address: str, state: str, rank: int = 0) -> None:
        """Insert a mail or a post into the table of mails, unless its name is there."""
        self.store.do(
            "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since, rank)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(name, campaign, str(path), address, state, stamp(self.now()), rank),
        )

    def release(self, is_wanted: bool) -> int:
        """Queue all held mails, or drop them if they are not wanted; return their number."""
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = ?, since = ? WHERE state = 'held'",
                *("queued" if is_wanted else "dropped", stamp(self.now())),
            )
            return self.store.count("SELECT changes()")

    def send(self, carriers: Callable[[str], Carrier], per_day: int, hurry: bool = True) -> SendCounts:
        """Send the queued mails, at most `per_day` to one address. With `hurry`, retry failed mails before their
        time."""
        done = SendCounts()
        now = stamp(self.now())
        # The least tried go first, so that mails which break off the sending hold up no others for ever.
        rows = self.store.rows("SELECT * FROM mails WHERE state = 'queued' ORDER BY tries, rank, number")
        alike: list[tuple[Row, NotTaken]] = []
        has_sent, hanging = False, set[str]()
        for row in rows:
            is_post = row["address"] == FORUM
            is_late = row["after"] > now and not hurry
            if (
                is_late
                or row["address"] in hanging
                or (not is_post and self.has_enough(row["address"], row["rank"], per_day))
            ):
                continue
            try:
                if not self.send_one(carriers(row["address"]), row):
                    continue
                done.sent += 1
                has_sent |= not is_post
                self.refuse(alike, done)
                self.doubts.settle_one(row["campaign"], REFUSED_MAIL, row["id"])
                self.doubts.settle_one(row["campaign"], BROKEN, f"sending {row['id']}")
                self.doubts.settle(row["campaign"] if is_post else "", about=FORUM if is_post else CARRIER)
            except NotNow as reason:
                self.put_off(row["id"], row["tries"], str(reason))
                if is_post:
                    self.doubts.note(row["campaign"], wrong("W-OFFICE-FORUM", why=str(reason)), FORUM)
            except NotTaken as reason:
                self.put_off(row["id"], row["tries"], str(reason))
                if reason.way == HANGS:  # the next mail to the address would cost as long
                    hanging.add(row["address"])
                if alike and alike[-1][1].way != reason.way:
                    self.refuse(alike, done)
                alike.append((row, reason))
                # A carrier that has just taken another mail is not down.
                if not has_sent and len({each["address"] for each, _ in alike}) == MOST_ALIKE:
                    alike.clear()
                    self.doubts.note("", wrong("W-OFFICE-CARRIER", why=str(reason)), CARRIER)
                    break
            except NotThere as reason:
                done.failed += 1
                self.fail(row["id"], row["campaign"], row["address"], str(reason))
            except (Unreachable, PbemError, OSError) as reason:
                why = reason_of_failure(reason)
                self.put_off(row["id"], row["tries"], str(why))
                self.doubts.note("", wrong("W-OFFICE-CARRIER", why=why), CARRIER)
                break
            except Exception as error:
                if not is_unforeseen(error):
                    raise
                fault = unforeseen_fault(error, "E-OFFICE-BROKEN.sending", address=row["address"])
                self.put_off(row["id"], row["tries"], fault.sentence())
                self.doubts.fail(row["campaign"], fault, f"sending {row['id']}")
        self.refuse(alike, done)
        done.waiting = self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")
        return done

    def send_one(self, carrier: Carrier, row: Row) -> bool:
        """Hand one mail to the carrier, and note that it was sent. Return False, unsent, if its file has another
        address now."""
        path, address = Path(row["path"]), row["address"]
        try:
            data = put_together(path.read_bytes(), path.parent)
        except (FileNotFoundError, Refused):
            raise NotThere(f"{path} is gone") from None
        if address != FORUM and row["campaign"] and name_and_recipient(data)[1] != address:
            return False
        carrier.carry(QueuedMail(row["id"], address, data, path))
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'sent', since = ?, why = '' WHERE id = ?", stamp(self.now()), row["id"]
            )
        return True

    def has_enough(self, address: str, rank: int, per_day: int) -> bool:
        """Return whether an address has had as many mails of this rank in the last day as it may get."""
        query = """SELECT count(*) FROM mails WHERE address = ? AND state IN ('sent', 'returned') AND since > ?
          AND rank = ?"""
        count = self.store.count(query, address, stamp(self.now() - DAY), rank)
        return count >= min(MOST_OF_RANK.get(rank, per_day), per_day)

    def put_off(self, name: str, tries: int, why: str) -> None:
        """Put off the next try, for twice as long after each failure."""
        wait = min(FIRST_WAIT * 2 ** min(tries, 10), LONGEST_WAIT)
        with self.store.step():
            self.store.do(
                "UPDATE mails SET tries = tries + 1, after = ?, why = ? WHERE id = ?",
                *(stamp(self.now() + wait), why, name),
            )

    def refuse(self, mails: list[tuple[Row, NotTaken]], done: SendCounts) -> None:
        """Note each of these mails as refused, or as failed if it has waited for long, and empty the list."""
        long_ago = stamp(self.now() - LONGEST_TRYING)
        for row, reason in mails:
            if row["since"] < long_ago:
                done.failed += 1
                self.fail(row["id"], row["campaign"], row["address"], str(reason))
            else:
                refused = wrong("W-OFFICE-FAILED.again", address=row["address"], why=str(reason))
                self.doubts.notice(row["campaign"], refused, row["id"])
        mails.clear()

    def fail(self, name: str, campaign: str, address: str, why: str) -> None:
        """Mark a mail as failed, and note a doubt about it in place of a notice."""
        self.doubts.settle_one(campaign, REFUSED_MAIL, name)
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'failed', since = ?, why = ? WHERE id = ?", stamp(self.now()), why, name
            )
        self.doubts.note(campaign, wrong("W-OFFICE-FAILED", address=address, why=why), name)


def reason_of_failure(error: Unreachable | PbemError | OSError) -> Words | str:
    """Return the reason why no mail can be sent, as words."""
    if isinstance(error, PbemError):
        return error.faults[0].message
    return reason_of(error) if isinstance(error, OSError) else str(error)


def head_of_file(path: Path) -> tuple[str, str]:
    """Return the message-id of a mail in a file, and the address under To."""
    with path.open("rb") as file:
        return name_and_recipient(file.read(8192))


def glob_literal(text: str) -> str:
    """Return a pattern of SQL's GLOB that matches only the given text."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in text)


def source_of(inbox: Inbox) -> Source:
    """Open the mailbox that the settings name."""
    if inbox.imap:
        from pbem.office.servers import ImapSource

        return ImapSource(inbox.imap)
    if inbox.maildir:
        return Maildir(user_path(inbox.maildir))
    return Files(user_path(inbox.mbox or inbox.files))


def carrier_of(outbox: Outbox) -> Carrier:
    """Return the carrier that the settings name."""
    if outbox.smtp:
        from pbem.office.servers import SmtpCarrier

        return SmtpCarrier(outbox.smtp)
    if outbox.sendmail:
        return ProgramCarrier(outbox.sendmail)
    return FileCarrier(user_path(outbox.files))


class Round(Struct):
    """Result of one round of an office."""

    fetched: FetchCounts = field(default_factory=FetchCounts)
    sent: SendCounts = field(default_factory=SendCounts)
    failure: PbemError | OSError | None = None
    """The error that broke off sending. It is raised after the round is told."""

    @property
    def is_worth_telling(self) -> bool:
        return bool(self.fetched.read or self.sent.sent or self.sent.failed or self.failure)


class Counter(ABC):
    """Base of both offices. The program that makes an office must hold the office's lock."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        self.settings = settings
        self.store = store
        self.now = now
        self.doubts = Doubts(store, settings, now)
        self.sender = Sender(store, self.doubts, now)
        self.texts: dict[str, Extraction] = {}
        if not store.fact("begun"):
            with store.step():
                store.note("begun", stamp(now()))

    clock_is_right = False
    """True if a person vouches for the time of this computer."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Return the names of the campaigns that this office serves."""

    @abstractmethod
    def look(self) -> FetchCounts:
        """Fetch new mails, and keep their letters in the store."""

    @abstractmethod
    def collect(self) -> None:
        """Queue the mails that are ready to be sent."""

    @abstractmethod
    def round(self, hurry: bool = True) -> Round:
        """Fetch, work and send. With `hurry`, retry failed mails before their time."""

    @property
    def key_place(self) -> Path:
        return place_of(user_path(self.settings.key) if self.settings.key else None)

    @cached_property
    def key(self) -> PrivateKey:
        """Return the private key. Raises `Refused` if other users can read its file."""
        path = self.key_place
        data = key_bytes(path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise Refused(str(path), [wrong("E-OFFICE-KEY")])
        command = self.settings.passphrase_command
        return load_private(data, secret_from(command, "passphrase-command") if command else None)

    @contextmanager
    def doubting(self, campaign: str, about: str = "") -> Iterator[None]:
        """Turn an error in one campaign into a doubt, so that the other campaigns go on."""
        faults: Sequence[Wrong] = ()
        try:
            yield
        except PbemError as error:
            faults = error.faults
        except OSError as error:
            faults = [wrong("E-FILE.read", why=reason_of(error))]
        except Exception as error:
            self.doubts.fail(campaign, unforeseen_fault(error), about)
        for each in faults:
            if each.code.startswith("E-DISK-"):
                self.doubts.stopped.add(campaign)
            # A person works there just now: the next round does what this one leaves.
            if each.code != "E-LOCK-HELD":
                self.doubts.note(campaign, each, about)

    def doubt_subjects(self, campaign: str, code: str) -> list[str]:
        """Return the subjects of a campaign's doubts with this code."""
        rows = self.store.rows("SELECT about FROM doubts WHERE campaign = ? AND code = ?", campaign, code)
        return [row["about"] for row in rows]

    def waiting_for(self, campaign: str) -> list[Row]:
        """Return the rows of the letters that wait for a campaign."""
        query = "SELECT * FROM letters WHERE campaign = ? AND state = 'waiting' ORDER BY number"
        return self.store.rows(query, campaign)

    def set_state(self, rows: Sequence[Row], state: str) -> None:
        """Set the state of letters. The store deletes the data of letters that are taken."""
        with self.store.step():
            for row in rows:
                self.store.do("UPDATE letters SET state = ? WHERE number = ?", state, row["number"])
                if state == "taken":
                    self.store.do("UPDATE letters SET data = NULL WHERE number = ?", row["number"])

    def decide(self, numbers: Sequence[int], is_wanted: bool) -> int:
        """Release the letters with these numbers, which wait for a person, or drop them if they are not wanted. Return
        how many.

        Raises `Refused` for a number that no waiting letter has.
        """
        for number in numbers:
            query = "SELECT * FROM letters WHERE number = ? AND state IN ('doubtful', 'away', 'waiting')"
            rows = self.store.rows(query, number)
            if not rows:
                raise Refused("letters", [wrong("E-OFFICE-NUMBER", number=number)])
            self.set_state(rows, "waiting" if is_wanted else "taken")
            for about in (str(number), f"letter {number}"):
                self.doubts.settle(rows[0]["campaign"], about=about)
        return len(numbers)

    def look_into(self, look: Look) -> FetchCounts:
        """Fetch the new mails, judged by `look`. A mail whose judging fails is doubted, and judged again in the
        next round."""

        def look_safely(message: RawMessage) -> IncomingMail | None:
            try:
                return look(message)
            except Exception as error:
                if not is_unforeseen(error):
                    raise
                head = head_of(message.data)
                sender, subject = mail_names(head.sender, head.subject)
                fault = unforeseen_fault(error, "E-OFFICE-BROKEN.mail", sender=sender, subject=subject)
                self.doubts.fail("", fault, f"mail {mark_of(message.data, self.store.fact('key'))}")
                return None

        source = source_of(self.settings.inbox)
        try:
            fetcher = Fetcher(self.store, source, self.now, look_safely)
            found = fetcher.fetch()
            self.texts |= fetcher.texts
        finally:
            source.close()
        self.doubts.mend("", "mail")
        return found

    def send(self, hurry: bool = True) -> SendCounts:
        """Send the queued mails, the mail on new doubts, and forwarded words."""
        self.doubts.tell()
        forward(self.store, self.doubts, self.now)
        if not self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'"):
            return SendCounts()
        found: dict[bool, Carrier] = {}

        def carriers(address: str) -> Carrier:
            is_post = address == FORUM
            if is_post not in found:
                command = self.settings.post_command
                found[is_post] = ForumCarrier(command) if is_post else carrier_of(self.settings.outbox)
            return found[is_post]

        try:
            return self.sender.send(carriers, self.settings.per_day, hurry)
        finally:
            for carrier in found.values():
                carrier.close()

    def send_last(self, done: Round, hurry: bool) -> None:
        """Send the queued mails at the end of a round. An error is noted in `done`, so that the round's result is
        still told."""
        try:
            done.sent = self.send(hurry=hurry)
        except (PbemError, OSError) as error:
            done.failure = error
            done.sent.waiting = self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")

    def mail_count(self) -> int:
        """Return the number of messages in the mailbox. Raises `Refused` if the office cannot log in."""
        source = source_of(self.settings.inbox)
        try:
            return len(source.hints())
        finally:
            source.close()
