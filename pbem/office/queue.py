"""Queue of an office's mails and posts, as rows of the office's memory."""

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
from pbem.office.store import COPIED, MOVED, OFFERED, REFUSED, REPLIED, SAID, STRANGE, WORDLESS, Store
from pbem.post.outgoing import TO_FORMER, MailName, name_and_recipient
from pbem.post.parcels import OFFER

OLD = 3 * 10**9
"""Nanoseconds after which a folder's time of change is exact. If the change is more recent, the folder is searched
again."""

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)

DAY = timedelta(days=1)

AT_ONCE = timedelta(hours=1)
"""Time in which an answer is still sent if the game has gone on since: a round may be killed and held again."""

REFUSED_MAIL = "W-OFFICE-FAILED"
"""Code of the notice that mails to an address were refused and are tried again, and of the doubt that they were given
up."""

AGAIN, GIVEN_UP = "again", "given up"
"""Beginnings of the subjects of the notice and of the doubt with the code `REFUSED_MAIL`. The address follows."""

CUT_OFF_FACT = "cut off"
"""Beginning of the key under which the store keeps the number of `count_cut_off`."""

HELD = "state = 'held'"
CAUSED = f"{REFUSED}, {COPIED}, {MOVED}, {WORDLESS}"
"""Ranks, as a list for SQL, of mails that are not counted among failed mails: mails that anybody can make the office
send, and mails to a former address."""

UNDELIVERED = f"state IN ('failed', 'returned') AND rank NOT IN ({CAUSED})"
"""SQL condition for mails that were refused for good or came back, as far as a person can do something about it. Mails
that anybody can cause, and mails to a former address, do not count."""

MOST_OF_RANK = {REFUSED: 3, COPIED: 3, STRANGE: 3}
"""Largest number of mails to one address in a day, for each rank of mails that anybody can cause."""

MOST_OF_SHARE = {REPLIED: 4, SAID: 2, STRANGE: 1}
"""Largest number of mails in a day with the words of one share, for each rank of such mails. So nobody who writes in a
player's name can hold up the words of other players, or the player's own answers to mails of the office."""

OFFERERS = 5
"""Divisor of the largest number of mails to one address in a day. The quotient is the largest number of offers by one
player among these mails, so that no player can hold up the offers of others."""

ORDER = f"tries, CASE WHEN rank IN ({REPLIED}, {OFFERED}) THEN {REFUSED} ELSE rank END, number"
"""Order, for SQL, in which mails are sent. Mails with the fewest tries go first: a mail that breaks off the sending
does not hold up all others for ever."""

OUTBOX = "outbox"
"""Subject of the doubt about a mail in a campaign's outbox that cannot be read."""

LOST = "lost"
"""Word in place of an entry's hash for mails of an entry that the ledger does not have any more."""

FORUM = "forum"
"""Word in place of an address for posts to a forum."""

POST = "forum.md"


class MailQueue:
    """Queue of an office's mails. Each waits until it is sent, refused for good, or dropped."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime]) -> None:
        self.has_forum = bool(doubts.settings.post_command)
        self.store = store
        self.doubts = doubts
        self.now = now
        self.unsound: set[str] = set()
        """Campaigns whose ledger contradicts what the office knows. Their mails wait."""

    def waiting(self) -> list[Row]:
        return self.store.rows(f"SELECT * FROM mails WHERE state = 'queued' ORDER BY {ORDER}")  # noqa: S608

    def count_waiting(self) -> int:
        return self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")

    def take_outbox(self, campaign: str, outbox: Path, state: str) -> None:
        """Queue the mails and posts in a campaign's outbox with this state. A mail that cannot be read becomes a
        doubt."""
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
        """Queue the mails in a folder, and return the faults of unreadable mails."""
        unread = []
        joint = [path for path in sorted(folder.glob("*.mail")) if self.rows_of(path)]
        for path in [*sorted(folder.glob("*.eml")), *joint]:
            try:
                self.enter(campaign, path, state)
            except OSError as error:
                unread.append(fault_of(error, path, "read"))
        return unread

    def enter_post(self, campaign: str, post: Path, state: str) -> None:
        """Queue a post to the forum. A post from before the campaign had a forum is dropped."""
        if self.has_forum and post.exists():
            state = state if self.store.fact(f"{FORUM} {campaign}") else "dropped"
            self.insert((self.name_of_post(campaign, post), FORUM), campaign, post, state)

    def drop_taken_back(self, folder: Path) -> None:
        """Drop waiting mails whose files were deleted, if they are notes to former addresses."""
        # Such a note is not true any more.
        like = f"{glob_literal(str(folder))}/*{TO_FORMER}*"
        query = "SELECT id, path FROM mails WHERE path GLOB ? AND state IN ('queued', 'held')"
        for row in self.store.rows(query, like):
            if not Path(row["path"]).exists():
                self.store.do("UPDATE mails SET state = 'dropped' WHERE id = ?", row["id"])

    def name_of_post(self, campaign: str, post: Path) -> str:
        """Return the name of a post: campaign and entry, with the hash if a post of a lost entry has this name."""
        name = f"{campaign} {post.parent.name}"
        is_taken = self.store.rows("SELECT 1 FROM mails WHERE id = ? AND entry = ?", name, LOST)
        return f"{name} {entry_hash(campaign, post)}" if is_taken else name

    def is_new_forum(self, campaign: str) -> bool:
        """True if the office has a forum, and has queued no post of this campaign yet."""
        return self.has_forum and not self.store.fact(f"{FORUM} {campaign}")

    def changed_folders(self, outbox: Path) -> Iterator[tuple[Path, int]]:
        """Yield each folder of an outbox that has changed, and the time of its change in nanoseconds, which the caller
        stores. If the change was just now, yield 0 as time, so that the folder is yielded again in the next round."""
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
        """Queue the mail in a file, or send the file's waiting mail to another address (`readdress`). A mail with a
        known message-id is not queued again."""
        name, address = head_of_file(path)
        if self.readdress(name, path, address, state):
            return
        if TO_FORMER in path.name:
            rank = MOVED
        elif OFFER in path.name:
            rank = OFFERED
        for row in self.rows_of(path)[:1]:
            # A mail that anybody can cause keeps its rank at another address. If it was dropped here, it is dropped
            # there.
            rank, state = row["rank"], "dropped" if row["rank"] and row["state"] == "dropped" else state
        self.insert((name, address), campaign, path, state, rank)
        if rank == OFFERED and (record := offering_letter(campaign, path)):
            share = f"{campaign} {record.player}"
            self.store.do("UPDATE mails SET share = ?, asked = ? WHERE id = ?", share, record.stage, name)

    def rows_of(self, path: Path) -> list[Row]:
        """Return the rows of all mails that were ever stored in this file, the newest first, without mails whose entry
        in the ledger was lost."""
        query = "SELECT * FROM mails WHERE path = ? AND entry != ? ORDER BY number DESC"
        return self.store.rows(query, str(path), LOST)

    def readdress(self, name: str, path: Path, address: str, state: str) -> bool:
        """Send the waiting mail of a file to another address, under the new message-id `name` and with this state. If a
        mail of the file goes or went to this address already, no other is sent. All other waiting mails of the file are
        forgotten. Return False if the caller must queue a new mail."""
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
            # Under its former message-id the mail is owed to nobody, and a person may have sent it by hand.
            self.store.do(
                "UPDATE mails SET id = ?, address = ?, state = ?, tries = 0, after = '', why = '' WHERE id = ?",
                *(name, address, row["state"] if row["id"] == name else state, row["id"]),
            )
        return bool(waiting or known)

    def enter_once(self, campaign: str, path: Path) -> None:
        """Queue a refusal to a writer without a seat, or drop it if the writer has got a mail of this campaign
        before."""
        name, address = head_of_file(path)
        query = "SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND state != 'dropped'"
        is_told = bool(self.store.rows(query, campaign, address, name))
        self.insert((name, address), campaign, path, "dropped" if is_told else "queued", REFUSED)

    def enter_copy(self, campaign: str, path: Path) -> None:
        """Queue an answer to a copy of a letter, or drop it if such an answer is queued, or was sent within a day."""
        # Anybody can send more copies.
        name, address = head_of_file(path)
        query = """SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND path GLOB ? AND rank = ?
          AND (state = 'queued' OR state IN ('sent', 'returned') AND since > ?)"""
        like, since = f"*/{glob_literal(path.name)}", stamp(self.now() - DAY)
        is_told = bool(self.store.rows(query, campaign, address, name, like, COPIED, since))
        self.insert((name, address), campaign, path, "dropped" if is_told else "queued", COPIED)

    def insert(self, head: tuple[str, str], campaign: str, path: Path, state: str, rank: int = 0) -> None:
        """Add a mail or a post to the table of mails, unless it is there already. `head` has the name (the message-id
        of a mail) and the address."""
        name, address = head
        self.store.do(
            "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since, rank, entry)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(name, campaign, str(path), address, state, stamp(self.now()), rank, entry_hash(campaign, path)),
        )

    def note_asked(self, path: Path, asked: str) -> None:
        """Note the deadline and the stage (`asked`) that the mail in a file names, unless the deadline is over."""
        if asked > stamp(self.now()):
            self.store.do("UPDATE mails SET asked = ? WHERE path = ? AND state = 'queued'", asked, str(path))

    def release(self, is_wanted: bool, which: str = HELD) -> int:
        """Queue all mails that the SQL condition `which` selects, or drop them unless `is_wanted`, and return their
        number. End the doubts about addresses to which no given-up mails remain."""
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
        """End the doubt about an address if no mail to the address is given up any more. End the notice about the
        address if no refused mail to it will be tried again."""
        if not self.count_given_up(campaign, address):
            self.doubts.settle_one(campaign, REFUSED_MAIL, f"{GIVEN_UP} {address}")
        if not self.count_refused(campaign, address):
            self.doubts.settle_one(campaign, REFUSED_MAIL, f"{AGAIN} {address}")

    def forget_former(self, campaign: str, addresses: Collection[str]) -> None:
        """Drop the campaign's undelivered mails to addresses that are not in `addresses`, and end the doubts about
        these mails."""
        # `mails.write_owed` writes the owed mails to the new addresses.
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
        """Return whether a mail may be tried now. With `hurry`, a mail may be tried before its time, unless the
        connection was cut off at it twice. Mails of campaigns in `unsound` may not be tried."""
        return row["campaign"] not in self.unsound and self.is_time_for(row, hurry)

    def is_time_for(self, row: Row, hurry: bool) -> bool:
        return row["after"] <= stamp(self.now()) or (hurry and self.count_cut_off(row["id"]) <= 1)

    def has_enough(self, row: Row, per_day: int) -> bool:
        """Return whether an address has got as many mails of this mail's rank as are allowed in a day, or the mail's
        daily share is used up. Posts to a forum have no such limit."""
        if row["address"] == FORUM:
            return False
        most = max(1, per_day // OFFERERS) if row["rank"] == OFFERED else MOST_OF_SHARE.get(row["rank"], per_day)
        if row["share"] and self.count_of_share(row) >= most:
            return True
        query = """SELECT count(*) FROM mails WHERE address = ? AND state IN ('sent', 'returned') AND since > ?
          AND rank = ?"""
        count = self.store.count(query, row["address"], stamp(self.now() - DAY), row["rank"])
        return count >= min(MOST_OF_RANK.get(row["rank"], per_day), per_day)

    def count_of_share(self, row: Row) -> int:
        """Return the number of mails sent within a day with this mail's share and address."""
        query = """SELECT count(*) FROM mails WHERE rank = ? AND share = ? AND address = ? AND since > ?
          AND state IN ('sent', 'returned')"""
        return self.store.count(query, row["rank"], row["share"], row["address"], stamp(self.now() - DAY))

    def put_off(self, row: Row, why: str) -> None:
        """Put off the next try of a mail for the reason `why`. The wait doubles with each failure, up to
        `LONGEST_WAIT`."""
        wait = min(FIRST_WAIT * 2 ** min(row["tries"], 10), LONGEST_WAIT)
        with self.store.step():
            self.store.do(
                "UPDATE mails SET tries = tries + 1, after = ?, why = ? WHERE id = ?",
                *(stamp(self.now() + wait), why, row["id"]),
            )

    def count_cut_off(self, name: str) -> int:
        """Return how often the connection ended after this mail was sent, but before an answer."""
        return int(self.store.fact(f"{CUT_OFF_FACT} {name}") or 0)

    def note_cut_off(self, name: str) -> None:
        with self.store.step():
            self.store.note(f"{CUT_OFF_FACT} {name}", str(self.count_cut_off(name) + 1))

    def count_refused(self, campaign: str, address: str) -> int:
        """Count the mails to an address, and return the number of those that were refused and will be tried again.
        Mails that anybody can make the office send do not count."""
        query = f"""SELECT count(*) FROM mails WHERE campaign = ? AND address = ? AND state = 'queued' AND tries > 0
          AND rank NOT IN ({CAUSED})"""  # noqa: S608
        return self.store.count(query, campaign, address)

    def count_given_up(self, campaign: str, address: str) -> int:
        """Return the number of given-up mails to an address. Mails that anybody can make the office send do not
        count."""
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
    """Return the entry of the letter that made an offer, or None if it cannot be read. `path` is the file of the
    offer's mail."""
    number = path.name.partition(OFFER)[2][:4]
    try:
        record = record_in(Ledger(open_folder(path.parents[2]).ledger, campaign).read(int(number)))
    except (PbemError, OSError, ValueError):
        return None
    return record if isinstance(record, LetterRecord) else None


def entry_hash(campaign: str, path: Path) -> str:
    """Return the hash of the entry whose mails lie in this file's folder; empty outside of an outbox, or if the entry
    cannot be read."""
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
