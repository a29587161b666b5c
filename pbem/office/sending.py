"""Mails go out: what lies in the outboxes is queued once, and sent until somebody has taken it."""

from __future__ import annotations

import email
import os
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email.message import Message
from pathlib import Path

from msgspec import Struct

from pbem.campaign.clock.timestamps import stamp
from pbem.faults.wrong import wrong
from pbem.office.carriers import Carrier, Letter, NotNow, NotThere, Unreachable
from pbem.office.doubts import BROKEN, CARRIER, Doubts
from pbem.office.store import Store
from pbem.office.unforeseen import is_unforeseen, unforeseen_fault
from pbem.paper.documents.faults import Refused
from pbem.post.parts import put_together

OLD = 3 * 10**9
"""A folder that changed later than this is looked into once more: times of files are not exact."""

FIRST_WAIT = timedelta(minutes=5)
LONGEST_WAIT = timedelta(hours=4)

DAY = timedelta(days=1)

MOST_REFUSALS = 3
"""So many refusals of what nobody has signed go to one address in a day: anybody can write in its name."""

REFUSALS = "path IN (SELECT path FROM refusals)"

FORUM = "forum"
"""What stands in place of an address where something goes into a thread."""

POST = "forum.md"


class Sent(Struct):
    """What one round of sending has done."""

    sent: int = 0
    waiting: int = 0
    failed: int = 0


class Sender:
    """The mails of an office."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime]) -> None:
        """Everything stands in the store."""
        self.has_forum = bool(doubts.settings.post_command)
        self.store = store
        self.doubts = doubts
        self.now = now

    def queue(self, campaign: str, outbox: Path, state: str) -> None:
        """Queue the mails in the outbox of a campaign, or hold them; and its posts, but not those of before."""
        post_state = state if self.store.fact(f"{FORUM} {campaign}") else "dropped"
        for folder, changed in self.changed(outbox):
            with self.store.step():
                for path in sorted(folder.glob("*.eml")):
                    self.enter(campaign, path, state)
                if self.has_forum and (post := folder / POST).exists():
                    self.insert(f"{campaign} {folder.name}", campaign, post, FORUM, post_state)
                self.store.do("INSERT OR REPLACE INTO outboxes VALUES (?, ?)", str(folder), changed)
        if self.is_new_forum(campaign):
            with self.store.step():
                self.store.note(f"{FORUM} {campaign}", "yes")

    def is_new_forum(self, campaign: str) -> bool:
        """Whether posts of a campaign are to go into a forum, and none has yet."""
        return self.has_forum and not self.store.fact(f"{FORUM} {campaign}")

    def changed(self, outbox: Path) -> Iterator[tuple[Path, int]]:
        """The folders of an outbox into which something was written since they were looked into."""
        known = {
            str(row["path"]): int(row["changed"])
            for row in self.store.rows("SELECT * FROM outboxes WHERE path GLOB ?", f"{escaped(str(outbox))}/*")
        }
        settled = time.time_ns() - OLD
        try:
            found = sorted((item.path, item.stat().st_mtime_ns) for item in os.scandir(outbox) if item.is_dir())
        except FileNotFoundError:
            return
        for path, changed in found:
            if known.get(path) != changed:
                yield Path(path), changed if changed < settled else 0

    def enter(self, campaign: str, path: Path, state: str) -> None:
        """Queue one mail under its own name, by which it is known if it was sent before."""
        name, address = named_in(path)
        self.insert(name, campaign, path, address, state)

    def enter_once(self, campaign: str, path: Path) -> None:
        """Queue a mail, unless its reader has had one in this campaign: who plays no seat is answered once."""
        name, address = named_in(path)
        query = "SELECT 1 FROM mails WHERE campaign = ? AND address = ? AND id != ? AND state != 'dropped'"
        self.insert(
            name, campaign, path, address, "dropped" if self.store.rows(query, campaign, address, name) else "queued"
        )

    def insert(self, name: str, campaign: str, path: Path, address: str, state: str) -> None:
        """Note something to send, unless it is known."""
        self.store.do(
            "INSERT OR IGNORE INTO mails (id, campaign, path, address, state, since) VALUES (?, ?, ?, ?, ?, ?)",
            *(name, campaign, str(path), address, state, stamp(self.now())),
        )

    def release(self, is_wanted: bool) -> int:
        """Send what was held, or forget it."""
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = ?, since = ? WHERE state = 'held'",
                *("queued" if is_wanted else "dropped", stamp(self.now())),
            )
            return self.store.count("SELECT changes()")

    def send(self, carriers: Callable[[str], Carrier], per_day: int, hurry: bool = True) -> Sent:
        """Send what is queued; in a hurry also what is to be tried again later."""
        done = Sent()
        now = stamp(self.now())
        rows = self.store.rows(f"SELECT * FROM mails WHERE state = 'queued' ORDER BY {REFUSALS}, number")  # noqa: S608
        for row in rows:
            is_post = row["address"] == FORUM
            is_late = row["after"] > now and not hurry
            if is_late or (not is_post and self.has_enough(row["address"], row["path"], per_day)):
                continue
            try:
                self.send_one(carriers(row["address"]), row["id"], row["path"], row["address"])
                done.sent += 1
                self.doubts.settle_one(row["campaign"], BROKEN, f"sending {row['id']}")
                self.doubts.settle(row["campaign"] if is_post else "", about=FORUM if is_post else CARRIER)
            except NotNow as reason:
                self.put_off(row["id"], row["tries"], str(reason))
                if is_post:
                    self.doubts.note(row["campaign"], wrong("W-OFFICE-FORUM", why=str(reason)), FORUM)
            except NotThere as reason:
                done.failed += 1
                self.fail(row["id"], row["campaign"], row["address"], str(reason))
            except Unreachable as reason:
                self.put_off(row["id"], row["tries"], str(reason))
                self.doubts.note("", wrong("W-OFFICE-CARRIER", why=str(reason)), CARRIER)
                break
            except Exception as error:
                if not is_unforeseen(error):
                    raise
                fault = unforeseen_fault(error, "E-OFFICE-BROKEN.sending", address=row["address"])
                self.put_off(row["id"], row["tries"], fault.said())
                self.doubts.fail(row["campaign"], fault, f"sending {row['id']}")
        done.waiting = self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")
        return done

    def send_one(self, carrier: Carrier, name: str, path: str, address: str) -> None:
        """Hand one mail over; it counts as sent behind the word of whoever has taken it."""
        try:
            data = put_together(Path(path).read_bytes(), Path(path).parent)
        except (FileNotFoundError, Refused):
            raise NotThere(f"{path} is gone") from None
        carrier.carry(Letter(name, address, data, Path(path)))
        with self.store.step():
            self.store.do("UPDATE mails SET state = 'sent', since = ?, why = '' WHERE id = ?", stamp(self.now()), name)

    def has_enough(self, address: str, path: str, per_day: int) -> bool:
        """Whether an address has had as many mails of this kind as it gets in a day; what is over waits."""
        is_refusal = bool(self.store.rows("SELECT 1 FROM refusals WHERE path = ?", path))
        query = f"""SELECT count(*) FROM mails WHERE address = ? AND state IN ('sent', 'returned') AND since > ?
          AND ({REFUSALS}) = ?"""  # noqa: S608
        count = self.store.count(query, address, stamp(self.now() - DAY), is_refusal)
        return count >= (min(MOST_REFUSALS, per_day) if is_refusal else per_day)

    def put_off(self, name: str, tries: int, why: str) -> None:
        """Try again later, and later still."""
        wait = min(FIRST_WAIT * 2 ** min(tries, 10), LONGEST_WAIT)
        with self.store.step():
            self.store.do(
                "UPDATE mails SET tries = tries + 1, after = ?, why = ? WHERE id = ?",
                *(stamp(self.now() + wait), why, name),
            )

    def fail(self, name: str, campaign: str, address: str, why: str) -> None:
        """Give up, and say so."""
        with self.store.step():
            self.store.do(
                "UPDATE mails SET state = 'failed', since = ?, why = ? WHERE id = ?", stamp(self.now()), why, name
            )
        self.doubts.note(campaign, wrong("W-OFFICE-FAILED", address=address, why=why), name)


def named_in(path: Path) -> tuple[str, str]:
    """The name of a mail, and where it goes."""
    with path.open("rb") as file:
        head: Message = email.message_from_bytes(file.read(8192).replace(b"\r\n", b"\n").partition(b"\n\n")[0])
    return str(head["Message-ID"]), str(head["To"]).rpartition("<")[2].rstrip(">")


def escaped(text: str) -> str:
    """A text in which no character stands for others."""
    return "".join(f"[{each}]" if each in "*?[" else each for each in text)
