"""Queue of an office's mails and posts: each is tried until a carrier takes it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import StorageFault, fault_of, short_path
from pbem.faults.wrong import PbemError, Words, Wrong, is_unforeseen, reason_of, unforeseen_fault, wrong
from pbem.office.carriers import (
    CUT_OFF,
    HANGS,
    PATIENCE,
    Carrier,
    NotNow,
    NotShared,
    NotTaken,
    NotThere,
    QueuedMail,
    Unreachable,
)
from pbem.office.doubts import BROKEN, CARRIER, Doubts
from pbem.office.shared_folder import MOST_FILES, FolderCarrier
from pbem.office.store import COPIED, MOVED, REFUSED, SAID, STRANGE, Store
from pbem.paper.documents.faults import Refused
from pbem.post.outgoing import TO_FORMER, name_and_recipient, put_together

OLD = 3 * 10**9
"""Nanoseconds after which a folder's time of change is exact. If the change is more recent, the folder is searched
again."""

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)

DAY = timedelta(days=1)

LONGEST_TRYING = timedelta(days=5)
"""Time after which a mail that is refused again and again is given up, as mail servers do."""

MOST_ALIKE = 3
"""Number of addresses, all refused in the same way, at which the cause must be the program, and not the mails. If the
refusals go on for as many tries and for `LONGEST_TRYING`, the mails are given up like any others."""

LONGEST_REFUSALS = PATIENCE
"""Seconds that a program may take to refuse `MOST_ALIKE` addresses. If it takes longer, it gets no more mails in this
round."""

UNREADABLE = -2
"""Number that stands in place of an exit code if the file of a mail cannot be read."""

REFUSED_MAIL = "W-OFFICE-FAILED"
"""Code of two faults about an address: a notice that its mails were refused and are tried again, and a doubt that they
were given up."""

AGAIN, GIVEN_UP = "again", "given up"
"""Beginnings of the subjects of the two faults with the code `REFUSED_MAIL`. The address follows."""

CUT_OFF_FACT = "cut off"
"""Beginning of the key under which the store keeps the number of `count_cut_off`."""

BY_HAND = "by hand"
"""Beginning of the subject of a notice about a mail that must not lie in a shared folder. The address follows."""

HELD = "state = 'held'"
UNDELIVERED = f"state IN ('failed', 'returned') AND rank NOT IN ({REFUSED}, {COPIED}, {MOVED})"
"""SQL condition for mails that were refused for good or came back, as far as a person can do something about it. Mails
that anybody can cause, and mails to a former address, do not count."""

MOST_OF_RANK = {REFUSED: 3, SAID: 10, COPIED: 3, STRANGE: 3}
"""Largest number of mails to one address in a day, for each rank of mails that anybody can cause."""

OUTBOX = "outbox"
"""Subject of the doubt about a mail in a campaign's outbox that cannot be read."""

SHARED = "shared folder"
"""Key under which the store keeps the moment from which on mails go to a shared folder, and the subject of the notice
about mails whose files there were changed."""

FORUM = "forum"
"""Word in place of an address for posts to a forum."""

POST = "forum.md"


class SendCounts(Struct):
    """Numbers of mails that one round has sent, left waiting, and given up."""

    sent: int = 0
    waiting: int = 0
    failed: int = 0


class Sender:
    """Queue of an office's mails. It hands them to the carrier, and tries again later if they are refused."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime]) -> None:
        self.has_forum = bool(doubts.settings.post_command)
        self.store = store
        self.doubts = doubts
        self.now = now

    def queue(self, campaign: str, outbox: Path, state: str) -> None:
        """Put the mails in a campaign's outbox, and its posts to the forum, into the queue with this state.

        Posts that were written before the office had a forum are dropped. A mail that cannot be read is noted as a
        doubt.
        """
        post_state = state if self.store.fact(f"{FORUM} {campaign}") else "dropped"
        unread: list[StorageFault] = []
        for folder, changed in self.changed_folders(outbox):
            with self.store.step():
                joint = [path for path in sorted(folder.glob("*.mail")) if self.rows_of(path)]
                for path in [*sorted(folder.glob("*.eml")), *joint]:
                    try:
                        self.enter(campaign, path, state)
                    except OSError as error:
                        unread.append(fault_of(error, path, "read"))
                if self.has_forum and (post := folder / POST).exists():
                    self.insert(f"{campaign} {folder.name}", campaign, post, FORUM, post_state)
                self.drop_taken_back(folder)
                looked = 0 if unread else changed
                self.store.do("INSERT OR REPLACE INTO outboxes VALUES (?, ?)", str(folder), looked)
        if self.is_new_forum(campaign):
            with self.store.step():
                self.store.note(f"{FORUM} {campaign}", "yes")
        self.doubts.settle(campaign, about=OUTBOX)
        for fault in unread[:1]:
            self.doubts.note(campaign, fault.wrong, OUTBOX)

    def drop_taken_back(self, folder: Path) -> None:
        """Drop the waiting notes to former addresses whose files were deleted, because they are true no more."""
        like = f"{glob_literal(str(folder))}/*{TO_FORMER}*"
        query = "SELECT id, path FROM mails WHERE path GLOB ? AND state IN ('queued', 'held')"
        for row in self.store.rows(query, like):
            if not Path(row["path"]).exists():
                self.store.do("UPDATE mails SET state = 'dropped' WHERE id = ?", row["id"])

    def is_new_forum(self, campaign: str) -> bool:
        """Return whether the office has a forum, and no post of this campaign was queued for it yet."""
        return self.has_forum and not self.store.fact(f"{FORUM} {campaign}")

    def changed_folders(self, outbox: Path) -> Iterator[tuple[Path, int]]:
        """Yield each folder of an outbox that has changed since it was last searched, with its time of change in
        nanoseconds.

        If the change is very recent, the time is 0, so that the folder is yielded again next time.
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
        """Queue one mail under its message-id. A mail with a known message-id is not queued again."""
        name, address = head_of_file(path)
        if self.readdress(name, path, address, state):
            return
        if TO_FORMER in path.name:
            rank = MOVED
        for row in self.rows_of(path)[:1]:
            # What anybody can cause stays so at another address, and is not told there if it was not here.
            rank, state = row["rank"], "dropped" if row["rank"] and row["state"] == "dropped" else state
        self.insert(name, campaign, path, address, state, rank)

    def rows_of(self, path: Path) -> list[Row]:
        """Return the rows of all mails that this file has contained, the newest first."""
        return self.store.rows("SELECT * FROM mails WHERE path = ? ORDER BY number DESC", str(path))

    def readdress(self, name: str, path: Path, address: str, state: str) -> bool:
        """Send the waiting mail of a file to `address` instead of its old address. Return False if a mail to `address`
        still has to be queued."""
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
        """Queue a refusal to a writer without a seat. Drop it if the writer has got a mail of this campaign before."""
        name, address = head_of_file(path)
        query = "SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND state != 'dropped'"
        is_told = bool(self.store.rows(query, campaign, address, name))
        self.insert(name, campaign, path, address, "dropped" if is_told else "queued", REFUSED)

    def enter_copy(self, campaign: str, path: Path) -> None:
        """Queue an answer to a copy of a letter. Drop it if such an answer is queued, or was sent within a day: anybody
        can send more copies."""
        name, address = head_of_file(path)
        query = """SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND path GLOB ? AND rank = ?
          AND (state = 'queued' OR state IN ('sent', 'returned') AND since > ?)"""
        like, since = f"*/{glob_literal(path.name)}", stamp(self.now() - DAY)
        is_told = bool(self.store.rows(query, campaign, address, name, like, COPIED, since))
        self.insert(name, campaign, path, address, "dropped" if is_told else "queued", COPIED)

    def insert(self, name: str, campaign: str, path: Path, address: str, state: str, rank: int = 0) -> None:
        """Add a mail or a post to the table of mails, unless it is there already."""
        self.store.do(
            "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since, rank)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            *(name, campaign, str(path), address, state, stamp(self.now()), rank),
        )

    def release(self, is_wanted: bool, which: str = HELD) -> int:
        """Queue all mails that the SQL condition `which` selects, or drop them if they are not wanted. Return their
        number."""
        rows = self.store.rows(f"SELECT DISTINCT campaign, address FROM mails WHERE {which}")  # noqa: S608
        with self.store.step():
            self.store.do(
                f"UPDATE mails SET state = ?, since = ?, tries = 0, after = '', why = '' WHERE {which}",  # noqa: S608
                *("queued" if is_wanted else "dropped", stamp(self.now())),
            )
            count = self.store.count("SELECT changes()")
        for row in rows:
            if not self.count_given_up(row["campaign"], row["address"]):
                self.doubts.settle_one(row["campaign"], REFUSED_MAIL, f"{GIVEN_UP} {row['address']}")
        return count

    def forget_former(self, campaign: str, addresses: Collection[str]) -> None:
        """Drop the campaign's undelivered mails to addresses that are not among these, and end the doubts about these
        mails. The new addresses get the owed mails by `mails.write_owed`."""
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

    def send(self, carriers: Callable[[str], Carrier], per_day: int, hurry: bool = True) -> SendCounts:
        """Send the queued mails, at most `per_day` to one address. With `hurry`, failed mails are tried again before
        their time, unless the server may have taken them twice."""
        done = SendCounts()
        now = stamp(self.now())
        # The least tried go first, so that mails which break off the sending hold up no others for ever.
        rows = self.store.rows("SELECT * FROM mails WHERE state = 'queued' ORDER BY tries, rank, number")
        refused: list[tuple[Row, NotTaken]] = []
        has_sent, spent, hanging = False, 0.0, set[str]()
        for row in rows:
            is_post = row["address"] == FORUM
            is_late = row["after"] > now and (not hurry or self.count_cut_off(row["id"]) > 1)
            if (
                is_late
                or row["address"] in hanging
                or (not is_post and self.has_enough(row["address"], row["rank"], per_day))
            ):
                continue
            begun = time.monotonic()
            try:
                if not self.send_one(carriers(row["address"]), row):
                    continue
                done.sent += 1
                has_sent |= not is_post
                if not self.count_refused(row["campaign"], row["address"]):
                    self.doubts.settle_one(row["campaign"], REFUSED_MAIL, f"{AGAIN} {row['address']}")
                self.doubts.settle_one(row["campaign"], BROKEN, f"sending {row['id']}")
                self.doubts.settle(row["campaign"], about=f"{BY_HAND} {row['address']}")
                self.doubts.settle(row["campaign"] if is_post else "", about=FORUM if is_post else CARRIER)
            except NotNow as reason:
                self.put_off(row["id"], row["tries"], str(reason))
                if is_post:
                    self.doubts.note(row["campaign"], wrong("W-OFFICE-FORUM", why=str(reason)), FORUM)
            except NotTaken as reason:
                self.put_off(row["id"], row["tries"], str(reason))
                if reason.way == CUT_OFF:
                    self.note_cut_off(row["id"])
                if reason.way in (HANGS, CUT_OFF):  # the next mail to the address would cost as long, or come twice too
                    hanging.add(row["address"])
                refused.append((row, reason))
                spent += time.monotonic() - begun
                if not has_sent and are_alike(refused) and (spent > LONGEST_REFUSALS or reason.way == CUT_OFF):
                    break
            except NotShared as reason:
                self.keep_back(row, reason.why)
            except NotThere as reason:
                done.failed += 1
                self.fail(row, str(reason))
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
        # A carrier that has taken another mail is not down.
        if not has_sent and are_alike(refused):
            self.doubts.note("", wrong("W-OFFICE-CARRIER", why=str(refused[-1][1])), CARRIER)
            # Behind a pause of days one bad evening of the program says nothing.
            self.give_up([each for each in refused if each[0]["tries"] >= MOST_ALIKE], done)
        else:
            self.give_up(refused, done)
            self.refuse(refused)
        done.waiting = self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")
        return done

    def send_one(self, carrier: Carrier, row: Row) -> bool:
        """Hand one mail to the carrier, and note that it was sent. Return False without sending it if the file now has
        another address."""
        path, address = Path(row["path"]), row["address"]
        try:
            data = put_together(path.read_bytes(), path.parent)
        except (FileNotFoundError, Refused):
            raise NotThere(f"{path} is gone") from None
        except OSError as error:
            raise NotTaken(f"{short_path(path)}: {reason_of(error)}", UNREADABLE) from None
        if address != FORUM and row["campaign"] and name_and_recipient(data)[1] != address:
            return False
        carrier.carry(queued_mail(row, data))
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'sent', since = ?, why = '' WHERE id = ?", stamp(self.now()), row["id"]
            )
            self.store.do("DELETE FROM facts WHERE name = ?", f"{CUT_OFF_FACT} {row['id']}")
        return True

    def count_cut_off(self, name: str) -> int:
        """Return how often the connection ended after this mail was sent and before an answer came. Each time the
        server may have taken the mail."""
        return int(self.store.fact(f"{CUT_OFF_FACT} {name}") or 0)

    def note_cut_off(self, name: str) -> None:
        with self.store.step():
            self.store.note(f"{CUT_OFF_FACT} {name}", str(self.count_cut_off(name) + 1))

    def has_enough(self, address: str, rank: int, per_day: int) -> bool:
        """Return whether an address got the largest number of mails of this rank that may be sent to it in a day."""
        query = """SELECT count(*) FROM mails WHERE address = ? AND state IN ('sent', 'returned') AND since > ?
          AND rank = ?"""
        count = self.store.count(query, address, stamp(self.now() - DAY), rank)
        return count >= min(MOST_OF_RANK.get(rank, per_day), per_day)

    def put_off(self, name: str, tries: int, why: str) -> None:
        """Set the time of the next try. The wait doubles with each failure."""
        wait = min(FIRST_WAIT * 2 ** min(tries, 10), LONGEST_WAIT)
        with self.store.step():
            self.store.do(
                "UPDATE mails SET tries = tries + 1, after = ?, why = ? WHERE id = ?",
                *(stamp(self.now() + wait), why, name),
            )

    def give_up(self, mails: list[tuple[Row, NotTaken]], done: SendCounts) -> None:
        """Give up those of these refused mails that have waited for too long."""
        long_ago = stamp(self.now() - LONGEST_TRYING)
        for row, reason in mails:
            if row["since"] < long_ago:
                done.failed += 1
                self.fail(row, str(reason))

    def refuse(self, mails: list[tuple[Row, NotTaken]]) -> None:
        """Note for each address of these mails how many are refused and tried again."""
        for row, reason in mails:
            campaign, address = row["campaign"], row["address"]
            if count := self.count_refused(campaign, address):
                gaps = {"address": address, "number": count, "why": str(reason)}
                refused = wrong("W-OFFICE-FAILED.again", **gaps)
                if reason.way == CUT_OFF:
                    refused = wrong("W-OFFICE-FAILED.cut-off", file=short_path(Path(row["path"])), **gaps)
                self.doubts.notice(campaign, refused, f"{AGAIN} {address}")
            else:
                self.doubts.settle_one(campaign, REFUSED_MAIL, f"{AGAIN} {address}")

    def count_refused(self, campaign: str, address: str) -> int:
        """Return the number of mails to an address that were refused and are tried again. Mails that anybody can cause
        do not count."""
        query = f"""SELECT count(*) FROM mails WHERE campaign = ? AND address = ? AND state = 'queued' AND tries > 0
          AND rank NOT IN ({REFUSED}, {COPIED}, {MOVED})"""  # noqa: S608
        return self.store.count(query, campaign, address)

    def keep_back(self, row: Row, why: Wrong) -> None:
        """Drop a mail that must not lie in a shared folder, and note that a person may bring it to its reader."""
        with self.store.step():
            self.store.do("UPDATE mails SET state = 'dropped' WHERE id = ?", row["id"])
        if not row["rank"]:
            self.doubts.notice(row["campaign"], why, f"{BY_HAND} {row['address']}")

    def lay_again(self, carrier: FolderCarrier, unanswered: Collection[str]) -> None:
        """Queue those mails again whose files somebody has removed from the shared folder or replaced, as long as the
        office still has the mails. Remove the files of pruned mails from the folder.

        Of the mails that another carrier has sent before, only those with the message-ids in `unanswered` are
        queued."""
        if not self.store.fact(SHARED):
            with self.store.step():
                self.store.note(SHARED, stamp(self.now()))
        # What another carrier has sent before does not come once more, unless nobody may have fetched it there.
        query = "SELECT * FROM mails WHERE state = 'sent' AND campaign != '' AND address != ? AND rank != ?"
        since = self.store.fact(SHARED)
        sent = self.store.rows(query, FORUM, MOVED)
        rows = [row for row in sent if row["since"] >= since or row["id"] in unanswered]
        try:
            carrier.tidy([row["id"] for row in rows if not Path(row["path"]).exists()])
        except (PbemError, OSError) as reason:
            self.doubts.note("", wrong("W-OFFICE-CARRIER", why=reason_of_failure(reason)), CARRIER)
            return
        changed: dict[str, list[str]] = {}
        for row in rows:
            mail = queued_mail(row)
            if mail.path.exists() and not carrier.is_laid(mail):
                if name := carrier.changed_file(mail):
                    changed.setdefault(row["campaign"], []).append(name)
                with self.store.step():
                    self.store.do("UPDATE mails SET state = 'queued', tries = 0, after = '' WHERE id = ?", row["id"])
        for campaign, names in changed.items():
            self.doubts.notice(campaign, wrong("W-OFFICE-CHANGED", files=tuple(names[:MOST_FILES])), SHARED)
        if not self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'"):
            self.doubts.settle("", about=CARRIER)

    def fail(self, row: Row, why: str) -> None:
        """Give up a mail. Note a doubt with the number of mails to its address that were given up."""
        campaign, address = row["campaign"], row["address"]
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'failed', since = ?, why = ? WHERE id = ?", stamp(self.now()), why, row["id"]
            )
        if count := self.count_given_up(campaign, address):
            given_up = wrong("W-OFFICE-FAILED", address=address, number=count, why=why)
            self.doubts.note(campaign, given_up, f"{GIVEN_UP} {address}")

    def count_given_up(self, campaign: str, address: str) -> int:
        """Return the number of mails to an address that were given up. Mails that anybody can cause do not count."""
        query = f"SELECT count(*) FROM mails WHERE campaign = ? AND address = ? AND state = 'failed' AND {UNDELIVERED}"  # noqa: S608
        return self.store.count(query, campaign, address)


def queued_mail(row: Row, data: bytes = b"") -> QueuedMail:
    """Return the mail of a row of the queue, with these bytes."""
    return QueuedMail(row["id"], row["address"], data, Path(row["path"]), row["campaign"])


def are_alike(refused: list[tuple[Row, NotTaken]]) -> bool:
    """Return whether several addresses were refused, all of them in the same way."""
    addresses, ways = {row["address"] for row, _ in refused}, {reason.way for _, reason in refused}
    return len(ways) == 1 and len(addresses) >= MOST_ALIKE


def reason_of_failure(error: Unreachable | PbemError | OSError) -> Words | str:
    """Return the reason why no mail can be sent, as words."""
    if isinstance(error, PbemError):
        return error.faults[0].message
    return reason_of(error) if isinstance(error, OSError) else error.why


def head_of_file(path: Path) -> tuple[str, str]:
    """Return the message-id of the mail in a file, and the address in its header To."""
    with path.open("rb") as file:
        return name_and_recipient(file.read(8192))


def glob_literal(text: str) -> str:
    """Return a pattern for GLOB in SQL that matches only this text."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in text)
