"""Queue of mails and posts that an office sends. They are rows in the office's memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Row

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import StorageFault, fault_of
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.ledger.chain import Ledger
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import LetterRecord
from pbem.faults.wrong import PbemError
from pbem.office.doubts import Doubts
from pbem.office.store import COPIED, MOVED, OFFERED, REFUSED, REPLIED, WORDLESS, Store
from pbem.post.outgoing import TO_FORMER, MailName, name_and_recipient
from pbem.post.parcels import OFFER, RECEIPT

OLD = 3 * 10**9
"""Nanoseconds since the last change of a folder after which the time of this change is reliable. After a more recent
change, the folder is searched again in the next round."""

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)

DAY = timedelta(days=1)

AT_ONCE = timedelta(hours=1)
"""Time for which an answer is still sent although the game has gone on meanwhile. A round may have been killed and
repeated."""

REFUSED_MAIL = "W-OFFICE-FAILED"
"""Code of the notice that mails to an address were refused and are tried again. The doubt that they were given up has
the same code."""

AGAIN, GIVEN_UP = "again", "given up"
"""Beginnings of two subjects, for the notice and for the doubt with the code `REFUSED_MAIL`. The address follows."""

CUT_OFF_FACT = "cut off"
"""Beginning of the key under which the store keeps the number that `count_cut_off` returns. The mail's name follows."""

HELD = "state = 'held'"
CAUSED = f"{REFUSED}, {COPIED}, {MOVED}, {WORDLESS}"
"""Ranks of mails that do not count as failed, as a list for SQL: mails that anybody can make the office send, and mails
to a former address."""

UNDELIVERED = f"state IN ('failed', 'returned') AND rank NOT IN ({CAUSED})"
"""SQL condition for mails that were given up or came back. Mails with a rank in `CAUSED` are not included, because a
person can do nothing about them."""

ORDER = f"""tries, CASE WHEN rank IN ({REPLIED}, {OFFERED}) THEN {REFUSED} ELSE rank END,
  path GLOB '*{RECEIPT}*', number"""
"""Sequence in which mails are sent, as an SQL expression. The mails with the fewest attempts come first, so that a mail
at which the sending breaks off cannot hold up all others for ever. Receipts come after reports, which may ask for
orders."""

OUTBOX = "outbox"
"""Subject of the doubt about a mail in a campaign's outbox that cannot be read."""

LOST = "lost"
"""Word that replaces the hash of an entry, for mails about an entry that the ledger has lost."""

FORUM = "forum"
"""Word that replaces the address, for posts to a forum."""

POST = "forum.md"


class MailQueue:
    """Queue of an office's mails. A mail waits in it until it is sent, given up, or dropped."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime]) -> None:
        self.has_forum = bool(doubts.settings.post_command)
        self.store = store
        self.doubts = doubts
        self.now = now
        self.unsound: set[str] = set()
        """Campaigns whose ledger contradicts what the office knows. Their mails are not sent."""

    def waiting(self) -> list[Row]:
        return self.store.rows(f"SELECT * FROM mails WHERE state = 'queued' ORDER BY {ORDER}")  # noqa: S608

    def count_waiting(self) -> int:
        return self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")

    def take_outbox(self, campaign: str, outbox: Path, state: str) -> None:
        """Queue the mails and posts in a campaign's outbox, in this state. Note a doubt if a mail cannot be read."""
        unread: list[StorageFault] = []
        for folder, changed in self.changed_folders(outbox):
            with self.store.step():
                unread += self.enter_mails(campaign, folder, state)
                self.enter_post(campaign, folder / POST, state)
                self.drop_taken_back(folder)
                looked = 0 if unread else changed
                self.store.do("INSERT OR REPLACE INTO outboxes VALUES (?, ?)", str(folder), looked)
        if self.is_new_forum(campaign):
            with self.store.step():
                self.store.note(f"{FORUM} {campaign}", "yes")
        self.doubts.settle(campaign, about=OUTBOX)
        for fault in unread[:1]:
            self.doubts.note(campaign, fault.wrong, OUTBOX)

    def enter_mails(self, campaign: str, folder: Path, state: str) -> list[StorageFault]:
        """Queue the mails in a folder. Return a fault for each mail that cannot be read."""
        unread = []
        joint = [path for path in sorted(folder.glob("*.mail")) if self.rows_of(path)]
        for path in [*sorted(folder.glob("*.eml")), *joint]:
            try:
                self.enter(campaign, path, state)
            except OSError as error:
                unread.append(fault_of(error, path, "read"))
        return unread

    def enter_post(self, campaign: str, post: Path, state: str) -> None:
        """Queue a post to the forum. A post is dropped if it was written before the settings named a forum."""
        if self.has_forum and post.exists():
            state = state if self.store.fact(f"{FORUM} {campaign}") else "dropped"
            self.insert((self.name_of_post(campaign, post), FORUM), campaign, post, state)

    def drop_taken_back(self, folder: Path) -> None:
        """Drop waiting notes to former addresses whose files were deleted."""
        # If the file of such a note was deleted, the note is not true any more.
        like = f"{glob_literal(str(folder))}/*{TO_FORMER}*"
        query = "SELECT id, path FROM mails WHERE path GLOB ? AND state IN ('queued', 'held')"
        for row in self.store.rows(query, like):
            if not Path(row["path"]).exists():
                self.store.do("UPDATE mails SET state = 'dropped' WHERE id = ?", row["id"])

    def name_of_post(self, campaign: str, post: Path) -> str:
        """Return the name of a post, which consists of campaign and entry. If a post about a lost entry has this name,
        the hash of the entry is added."""
        name = f"{campaign} {post.parent.name}"
        is_taken = self.store.rows("SELECT 1 FROM mails WHERE id = ? AND entry = ?", name, LOST)
        return f"{name} {entry_hash(campaign, post)}" if is_taken else name

    def is_new_forum(self, campaign: str) -> bool:
        """True if the settings name a forum, and no post of this campaign has been queued yet."""
        return self.has_forum and not self.store.fact(f"{FORUM} {campaign}")

    def changed_folders(self, outbox: Path) -> Iterator[tuple[Path, int]]:
        """Yield each folder of an outbox that has changed, with the time of the change in nanoseconds. The caller must
        store this time. If the change is very recent, the time is 0, so that the folder is yielded again in the next
        round."""
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
        """Queue the mail in a file. If the file's mail is already waiting for another address, change the address
        instead (`readdress`). A mail with a message-id that the queue knows is not queued again."""
        name, address = head_of_file(path)
        if self.readdress(name, path, address, state):
            return
        if TO_FORMER in path.name:
            rank = MOVED
        elif OFFER in path.name:
            rank = OFFERED
        for row in self.rows_of(path)[:1]:
            # A mail that anybody can cause has the same rank at the new address. If it was dropped at the old address,
            # it is dropped.
            rank, state = row["rank"], "dropped" if row["rank"] and row["state"] == "dropped" else state
        self.insert((name, address), campaign, path, state, rank)
        if rank == OFFERED and (record := offering_letter(campaign, path)):
            share = f"{campaign} {record.player}"
            self.store.do("UPDATE mails SET share = ?, asked = ? WHERE id = ?", share, record.stage, name)

    def rows_of(self, path: Path) -> list[Row]:
        """Return the rows of all mails that this file has ever had, the newest first. Mails about an entry that the
        ledger has lost are left out."""
        query = "SELECT * FROM mails WHERE path = ? AND entry != ? ORDER BY number DESC"
        return self.store.rows(query, str(path), LOST)

    def readdress(self, name: str, path: Path, address: str, state: str) -> bool:
        """Change the address of the waiting mail in a file. Its message-id becomes `name`, and its state becomes
        `state`.

        If a mail of the file was sent to this address or waits for it, no other mail is needed. All further waiting
        mails of the file are deleted. Return False if the caller must queue a new mail."""
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
            # Nobody expects the mail under its former message-id, and a person may have sent it by hand.
            self.store.do(
                "UPDATE mails SET id = ?, address = ?, state = ?, tries = 0, after = '', why = '' WHERE id = ?",
                *(name, address, row["state"] if row["id"] == name else state, row["id"]),
            )
        return bool(waiting or known)

    def enter_once(self, campaign: str, path: Path) -> None:
        """Queue a refusal to a writer without a seat. Drop it if the writer has already got a mail of this campaign."""
        name, address = head_of_file(path)
        query = "SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND state != 'dropped'"
        is_told = bool(self.store.rows(query, campaign, address, name))
        self.insert((name, address), campaign, path, "dropped" if is_told else "queued", REFUSED)

    def enter_copy(self, campaign: str, path: Path) -> None:
        """Queue an answer to a copy of a letter. Drop it if such an answer is waiting, or was sent within a day."""
        # Anybody can send copies, as many as he likes.
        name, address = head_of_file(path)
        query = """SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND path GLOB ? AND rank = ?
          AND (state = 'queued' OR state IN ('sent', 'returned') AND since > ?)"""
        like, since = f"*/{glob_literal(path.name)}", stamp(self.now() - DAY)
        is_told = bool(self.store.rows(query, campaign, address, name, like, COPIED, since))
        self.insert((name, address), campaign, path, "dropped" if is_told else "queued", COPIED)

    def insert(self, head: tuple[str, str], campaign: str, path: Path, state: str, rank: int = 0) -> None:
        """Add a mail or a post to the table of mails, unless it is in the table already. `head` has the name of the
        mail, which is its message-id or the name of the post, and its address."""
        name, address = head
        self.store.do(
            "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since, rank, entry)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(name, campaign, str(path), address, state, stamp(self.now()), rank, entry_hash(campaign, path)),
        )

    def note_asked(self, path: Path, asked: str) -> None:
        """Store `asked`, the deadline and the stage that the mail in a file names. Do nothing if the deadline is
        over."""
        if asked > stamp(self.now()):
            self.store.do("UPDATE mails SET asked = ? WHERE path = ? AND state = 'queued'", asked, str(path))

    def release(self, is_wanted: bool, which: str = HELD) -> int:
        """Queue the mails that the SQL condition `which` selects if `is_wanted` is true, or drop them if not. Return
        their number. End the doubts about addresses to which no mail is given up any more."""
        rows = self.store.rows(f"SELECT DISTINCT campaign, address FROM mails WHERE {which}")  # noqa: S608
        with self.store.step():
            self.store.do(
                f"UPDATE mails SET state = ?, since = ?, tries = 0, after = '', why = '' WHERE {which}",  # noqa: S608
                *("queued" if is_wanted else "dropped", stamp(self.now())),
            )
            count = self.store.count("SELECT changes()")
        for row in rows:
            self.settle_address(row["campaign"], row["address"])
        return count

    def settle_address(self, campaign: str, address: str) -> None:
        """End the doubt about an address if no mail to it is given up. End the notice about the address if no refused
        mail to it will be tried again."""
        if not self.count_given_up(campaign, address):
            self.doubts.settle_one(campaign, REFUSED_MAIL, f"{GIVEN_UP} {address}")
        if not self.count_refused(campaign, address):
            self.doubts.settle_one(campaign, REFUSED_MAIL, f"{AGAIN} {address}")

    def forget_former(self, campaign: str, addresses: Collection[str]) -> None:
        """Drop the undelivered mails of a campaign to addresses that are not in `addresses`. End the doubts about these
        mails."""
        # The mails that are owed to new addresses are written by `mails.write_owed`.
        present = {FORUM, *(each.casefold() for each in addresses)}
        query = f"SELECT DISTINCT address FROM mails WHERE campaign = ? AND {UNDELIVERED}"  # noqa: S608
        for row in self.store.rows(query, campaign):
            if row["address"].casefold() not in present:
                with self.store.step():
                    self.store.do(
                        f"UPDATE mails SET state = 'dropped' WHERE campaign = ? AND address = ? AND {UNDELIVERED}",  # noqa: S608
                        *(campaign, row["address"]),
                    )
        for row in self.store.rows("SELECT about FROM doubts WHERE campaign = ? AND code = ?", campaign, REFUSED_MAIL):
            if row["about"].removeprefix(AGAIN).removeprefix(GIVEN_UP).strip().casefold() not in present:
                self.doubts.settle_one(campaign, REFUSED_MAIL, row["about"])

    def is_due(self, row: Row, hurry: bool) -> bool:
        """Return True if a mail may be tried now. If `hurry` is true, a mail need not wait for its time, unless the
        connection was cut off at it twice. Mails of the campaigns in `unsound` may not be tried."""
        return row["campaign"] not in self.unsound and self.is_time_for(row, hurry)

    def is_time_for(self, row: Row, hurry: bool) -> bool:
        return row["after"] <= stamp(self.now()) or (hurry and self.count_cut_off(row["id"]) <= 1)

    def put_off(self, row: Row, why: str) -> None:
        """Put off the next attempt to send a mail, for the reason `why`. The time doubles with each failure, up to
        `LONGEST_WAIT`."""
        wait = min(FIRST_WAIT * 2 ** min(row["tries"], 10), LONGEST_WAIT)
        with self.store.step():
            self.store.do(
                "UPDATE mails SET tries = tries + 1, after = ?, why = ? WHERE id = ?",
                *(stamp(self.now() + wait), why, row["id"]),
            )

    def count_cut_off(self, name: str) -> int:
        """Return how often the connection ended after this mail was transferred and before the server answered."""
        return int(self.store.fact(f"{CUT_OFF_FACT} {name}") or 0)

    def note_cut_off(self, name: str) -> None:
        with self.store.step():
            self.store.note(f"{CUT_OFF_FACT} {name}", str(self.count_cut_off(name) + 1))

    def count_refused(self, campaign: str, address: str) -> int:
        """Return the number of mails to an address that were refused and will be tried again. Mails that anybody can
        make the office send do not count."""
        query = f"""SELECT count(*) FROM mails WHERE campaign = ? AND address = ? AND state = 'queued' AND tries > 0
          AND rank NOT IN ({CAUSED})"""  # noqa: S608
        return self.store.count(query, campaign, address)

    def count_given_up(self, campaign: str, address: str) -> int:
        """Return the number of mails to an address that were given up. Mails that anybody can make the office send do
        not count."""
        query = f"SELECT count(*) FROM mails WHERE campaign = ? AND address = ? AND state = 'failed' AND {UNDELIVERED}"  # noqa: S608
        return self.store.count(query, campaign, address)

    def mark_sent(self, row: Row) -> None:
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'sent', since = ?, why = '' WHERE id = ?", stamp(self.now()), row["id"]
            )
            self.store.do("DELETE FROM facts WHERE name = ?", f"{CUT_OFF_FACT} {row['id']}")

    def mark_failed(self, row: Row, why: str) -> None:
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'failed', since = ?, why = ? WHERE id = ?", stamp(self.now()), why, row["id"]
            )

    def drop(self, row: Row) -> None:
        with self.store.step():
            self.store.do("UPDATE mails SET state = 'dropped' WHERE id = ?", row["id"])


def head_of_file(path: Path) -> MailName:
    """Return message-id and recipient of the mail in a file."""
    with path.open("rb") as file:
        return name_and_recipient(file.read(8192))


def offering_letter(campaign: str, path: Path) -> LetterRecord | None:
    """Return the entry of the letter by which a player offered an agreement. `path` is the file of the mail with the
    offer. Return None if the entry cannot be read."""
    number = path.name.partition(OFFER)[2][:4]
    try:
        record = record_in(Ledger(open_folder(path.parents[2]).ledger, campaign).read(int(number)))
    except (PbemError, OSError, ValueError):
        return None
    return record if isinstance(record, LetterRecord) else None


def entry_hash(campaign: str, path: Path) -> str:
    """Return the hash of the entry to which the folder of a mail's file belongs. Return an empty text if the file is
    not in an outbox, or if the entry cannot be read."""
    folder = path.parent
    if folder.parent.name != "outbox" or not folder.name.isdigit():
        return ""
    try:
        return Ledger(open_folder(folder.parent.parent).ledger, campaign).hash_of(int(folder.name))
    except (PbemError, OSError):
        return ""


def glob_literal(text: str) -> str:
    """Return a pattern for GLOB in SQL that matches only this text."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in text)
