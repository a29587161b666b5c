"""Sending of an office's queued mails and posts. The office tries to send each of them until it is taken or given
up."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from datetime import timedelta
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct, field

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import short_path
from pbem.faults.unforeseen import is_unforeseen, reason_of, unforeseen_fault
from pbem.faults.wrong import PbemError, Words, wrong
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
from pbem.office.daily_limits import DailyLimits
from pbem.office.doubts import BROKEN, CARRIER
from pbem.office.queue import AGAIN, FORUM, GIVEN_UP, LOST, REFUSED_MAIL, MailQueue
from pbem.office.shared_folder import MOST_FILES, FolderCarrier
from pbem.office.store import MOVED
from pbem.paper.documents.faults import Refused
from pbem.post.outgoing import name_and_recipient, put_together

LONGEST_TRYING = timedelta(days=5)
"""Time after which a mail is given up if it was refused again and again. Mail servers do the same."""

MOST_ALIKE = 3
"""Number of addresses that are needed to suspect the carrier: if mails to so many addresses are refused in the same
way, the carrier is the cause and not the mails. Then a mail is given up only after as many attempts, and after
`LONGEST_TRYING`."""

LONGEST_REFUSALS = PATIENCE
"""Seconds that a program may take to refuse mails to `MOST_ALIKE` addresses. If it takes longer, no more mails are
tried in this round."""

UNREADABLE = -2
"""Number used as an exit code if the file of a mail cannot be read."""

BY_HAND = "by hand"
"""Beginning of the subject of the notice that a mail must be brought to its reader by hand, because it may not be in a
shared folder. The address follows."""

SHARED = "shared folder"
"""Key under which the store keeps the moment since which mails are written into a shared folder. It is also the subject
of the notice about mails whose files in this folder were changed."""


class SendCounts(Struct):
    """Numbers of mails after one round of sending."""

    sent: int = 0
    waiting: int = 0
    failed: int = 0
    """Number of mails that were given up."""


class SendRound(Struct):
    """State of the sending in one round."""

    done: SendCounts = field(default_factory=SendCounts)
    refused: list[tuple[Row, NotTaken]] = []
    """Mails that were refused for an unknown reason, each with its refusal."""
    hanging: set[str] = set()
    """Addresses to which no more mails are tried in this round."""
    has_sent: bool = False
    """True if the carrier has taken a mail. Posts to a forum do not count."""
    spent: float = 0.0
    """Seconds that the carrier has taken to refuse mails in this round."""

    @property
    def is_carrier_down(self) -> bool:
        """True if the carrier has taken no mail in this round, and has refused mails to at least `MOST_ALIKE` addresses
        in the same way."""
        addresses = {row["address"] for row, _ in self.refused}
        ways = {reason.way for _, reason in self.refused}
        return not self.has_sent and len(ways) == 1 and len(addresses) >= MOST_ALIKE


class Sender:
    """Sender of an office's queued mails. If a mail is refused, it is tried again later."""

    def __init__(self, queue: MailQueue) -> None:
        self.queue = queue
        self.store = queue.store
        self.doubts = queue.doubts
        self.now = queue.now

    def send(self, carriers: Callable[[str], Carrier], limits: DailyLimits, hurry: bool = True) -> SendCounts:
        """Send the queued mails, as many as `limits` allow. If `hurry` is true, mails that were refused need not wait
        for their next time. Mails at which the connection was cut off twice must wait nevertheless, because the server
        may have taken them."""
        sending = SendRound()
        for row in self.queue.waiting():
            is_due = self.queue.is_due(row, hurry) and row["address"] not in sending.hanging
            if is_due and not limits.reached(row) and not self.try_to_send(carriers, row, sending):
                break
        self.tell_refused(sending)
        sending.done.waiting = self.queue.count_waiting()
        return sending.done

    def try_to_send(self, carriers: Callable[[str], Carrier], row: Row, sending: SendRound) -> bool:
        """Try to send one mail. If it is not sent, store the reason. Return False if no more mails should be tried in
        this round."""
        begun = time.monotonic()
        try:
            if self.send_one(carriers(row["address"]), row):
                self.note_sent(row, sending)
        except NotNow as reason:
            self.queue.put_off(row, str(reason))
            if row["address"] == FORUM:
                self.doubts.note(row["campaign"], wrong("W-OFFICE-FORUM", why=str(reason)), FORUM)
        except NotTaken as reason:
            return self.note_refused(row, reason, sending, time.monotonic() - begun)
        except NotShared as reason:
            # If anybody can cause such a mail, nobody is told of it. Otherwise a person may bring the mail to its
            # reader.
            self.queue.drop(row)
            if not row["rank"]:
                self.doubts.notice(row["campaign"], reason.why, f"{BY_HAND} {row['address']}")
        except NotThere as reason:
            self.fail(row, str(reason), sending)
        except (Unreachable, PbemError, OSError) as reason:
            why = reason_of_failure(reason)
            self.queue.put_off(row, str(why))
            self.doubts.note("", wrong("W-OFFICE-CARRIER", why=why), CARRIER)
            return False
        except Exception as error:
            if not is_unforeseen(error):
                raise
            fault = unforeseen_fault(error, "E-OFFICE-BROKEN.sending", address=row["address"])
            self.queue.put_off(row, fault.sentence())
            self.doubts.fail(row["campaign"], fault, f"sending {row['id']}")
        return True

    def send_one(self, carrier: Carrier, row: Row) -> bool:
        """Give one mail to the carrier, and mark it as sent. Return False if the mail in the file now has another
        address. Raises `NotThere` or `NotTaken` if the file cannot be read, and the exceptions of the carrier if it
        refuses the mail."""
        path, address = Path(row["path"]), row["address"]
        try:
            data = put_together(path.read_bytes(), path.parent)
        except (FileNotFoundError, Refused):
            raise NotThere(f"{path} is gone") from None
        except OSError as error:
            raise NotTaken(f"{short_path(path)}: {reason_of(error)}", UNREADABLE) from None
        if address != FORUM and row["campaign"] and name_and_recipient(data).recipient != address:
            return False
        carrier.carry(queued_mail(row, data))
        self.queue.mark_sent(row)
        return True

    def note_sent(self, row: Row, sending: SendRound) -> None:
        """Count a mail that was sent. End the moderator's notices about mails to this address that could not be
        sent."""
        is_post = row["address"] == FORUM
        sending.done.sent += 1
        sending.has_sent |= not is_post
        if not self.queue.count_refused(row["campaign"], row["address"]):
            self.doubts.settle_one(row["campaign"], REFUSED_MAIL, f"{AGAIN} {row['address']}")
        self.doubts.settle_one(row["campaign"], BROKEN, f"sending {row['id']}")
        self.doubts.settle(row["campaign"], about=f"{BY_HAND} {row['address']}")
        self.doubts.settle(row["campaign"] if is_post else "", about=FORUM if is_post else CARRIER)

    def note_refused(self, row: Row, reason: NotTaken, sending: SendRound, seconds: float) -> bool:
        """Put off a mail that the carrier has refused. `seconds` is the time that the carrier took for it. Return False
        if no more mails should be tried in this round. This is so if the carrier itself seems to be the cause, and
        further attempts would take too long or might send a mail twice."""
        self.queue.put_off(row, str(reason))
        if reason.way == CUT_OFF:
            self.queue.note_cut_off(row["id"])
        if reason.way in (HANGS, CUT_OFF):  # the next mail would be as slow, or sent twice
            sending.hanging.add(row["address"])
        sending.refused.append((row, reason))
        sending.spent += seconds
        is_costly = sending.spent > LONGEST_REFUSALS or reason.way == CUT_OFF
        return not (sending.is_carrier_down and is_costly)

    def tell_refused(self, sending: SendRound) -> None:
        """Give up mails that have been refused for longer than `LONGEST_TRYING`, and add a notice about the address of
        every other refused mail. If the carrier takes no mail at all, note one doubt about the carrier instead of these
        notices. In this case only mails that were tried at least `MOST_ALIKE` times are given up."""
        refused = sending.refused
        if sending.is_carrier_down:
            self.doubts.note("", wrong("W-OFFICE-CARRIER", why=str(refused[-1][1])), CARRIER)
            # After a pause of several days, it proves nothing if the program fails on one evening.
            refused = [each for each in refused if each[0]["tries"] >= MOST_ALIKE]
        long_ago = stamp(self.now() - LONGEST_TRYING)
        for row, reason in refused:
            if row["since"] < long_ago:
                self.fail(row, str(reason), sending)
        if not sending.is_carrier_down:
            self.note_addresses(refused)

    def note_addresses(self, mails: list[tuple[Row, NotTaken]]) -> None:
        """Add a notice about the address of each of these refused mails. It says how many mails to the address will be
        tried again. If there are none, end the notice about the address instead."""
        for row, reason in mails:
            campaign, address = row["campaign"], row["address"]
            if count := self.queue.count_refused(campaign, address):
                gaps = {"address": address, "number": count, "why": str(reason)}
                refused = wrong("W-OFFICE-FAILED.again", **gaps)
                if reason.way == CUT_OFF:
                    refused = wrong("W-OFFICE-FAILED.cut-off", file=short_path(Path(row["path"])), **gaps)
                self.doubts.notice(campaign, refused, f"{AGAIN} {address}")
            else:
                self.doubts.settle_one(campaign, REFUSED_MAIL, f"{AGAIN} {address}")

    def lay_again(self, carrier: FolderCarrier, unanswered: Collection[str]) -> None:
        """Queue mails again if their files in the shared folder were removed or replaced. A mail that was sent before
        the office used the folder is queued again only if it is in `unanswered`. First delete the files of pruned mails
        from the folder. If this fails, note a doubt, and queue nothing."""
        if not self.store.fact(SHARED):
            with self.store.step():
                self.store.note(SHARED, stamp(self.now()))
        # A mail that another carrier has sent is sent again only if perhaps nobody has received it.
        query = "SELECT * FROM mails WHERE state = 'sent' AND campaign != '' AND address != ? AND rank != ?"
        since = self.store.fact(SHARED)
        sent = self.store.rows(query, FORUM, MOVED)
        rows = [row for row in sent if row["since"] >= since or row["id"] in unanswered]
        gone = {row["id"] for row in rows if row["entry"] == LOST or not Path(row["path"]).exists()}
        try:
            carrier.tidy([*gone])
        except (PbemError, OSError) as reason:
            self.doubts.note("", wrong("W-OFFICE-CARRIER", why=reason_of_failure(reason)), CARRIER)
            return
        changed: dict[str, list[str]] = {}
        for row in rows:
            mail = queued_mail(row)
            if row["id"] not in gone and not carrier.is_laid(mail):
                if name := carrier.changed_file(mail):
                    changed.setdefault(row["campaign"], []).append(name)
                with self.store.step():
                    self.store.do("UPDATE mails SET state = 'queued', tries = 0, after = '' WHERE id = ?", row["id"])
        for campaign, names in changed.items():
            self.doubts.notice(campaign, wrong("W-OFFICE-CHANGED", files=tuple(names[:MOST_FILES])), SHARED)
        if not self.queue.count_waiting():
            self.doubts.settle("", about=CARRIER)

    def fail(self, row: Row, why: str, sending: SendRound) -> None:
        """Give up a mail, and note a doubt that tells how many mails to its address were given up
        (`count_given_up`)."""
        campaign, address = row["campaign"], row["address"]
        sending.done.failed += 1
        self.queue.mark_failed(row, why)
        if count := self.queue.count_given_up(campaign, address):
            given_up = wrong("W-OFFICE-FAILED", address=address, number=count, why=why)
            self.doubts.note(campaign, given_up, f"{GIVEN_UP} {address}")


def queued_mail(row: Row, content: bytes = b"") -> QueuedMail:
    return QueuedMail(row["id"], row["address"], content, Path(row["path"]), row["campaign"])


def reason_of_failure(error: Unreachable | PbemError | OSError) -> Words | str:
    if isinstance(error, PbemError):
        return error.faults[0].message
    return reason_of(error) if isinstance(error, OSError) else error.why
