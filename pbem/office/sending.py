"""Queue of an office's mails and posts: each is tried until a carrier takes it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct

from pbem.campaign.clock.clock import stamp
from pbem.faults.wrong import PbemError, Words, reason_of, wrong
from pbem.office.carriers import HANGS, Carrier, NotNow, NotTaken, NotThere, QueuedMail, Unreachable
from pbem.office.doubts import BROKEN, CARRIER, Doubts, is_unforeseen, unforeseen_fault
from pbem.office.store import COPIED, REFUSED, SAID, STRANGE, Store
from pbem.paper.documents.faults import Refused
from pbem.post.outgoing import name_and_recipient, put_together

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
