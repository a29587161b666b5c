"""Base of a moderator's and a player's office: a mailbox, doubts, and a queue of mails that are to be sent."""

from __future__ import annotations

import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct, field

from pbem.campaign.clock.clock import stamp
from pbem.faults.unforeseen import is_unforeseen, reason_of, unforeseen_fault
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.office.carriers import Carrier, FileCarrier, Files, ForumCarrier, Maildir, ProgramCarrier, Source
from pbem.office.daily_limits import DailyLimits
from pbem.office.doubts import BROKEN, MAILBOX, MARKS, Doubts, mail_names
from pbem.office.fetching import ANSWER, FetchCounts, Fetcher, Look
from pbem.office.forwarding import forward
from pbem.office.incoming import IncomingMail, mark_of
from pbem.office.notifying import DueLine, Notifier
from pbem.office.queue import FORUM, MailQueue
from pbem.office.sending import SendCounts, Sender
from pbem.office.settings import Inbox, OfficeSettings, Outbox, secret_from, user_path
from pbem.office.shared_folder import MOST_FILES, FolderCarrier, FolderSource, ReaderOf, campaign_in, mail_in
from pbem.office.store import Store
from pbem.paper.documents.faults import Refused
from pbem.player.keyring import key_bytes, place_of
from pbem.post.envelope import head_of
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage
from pbem.seal.keys import PrivateKey, load_private


def mailbox_of(inbox: Inbox) -> Source:
    """Open the mailbox that the settings name. Shared folders are opened elsewhere."""
    if inbox.imap:
        from pbem.office.servers import ImapSource

        return ImapSource(inbox.imap)
    if inbox.maildir:
        return Maildir(user_path(inbox.maildir))
    return Files(user_path(inbox.mbox or inbox.files))


def carrier_of(outbox: Outbox) -> Carrier:
    """Make the carrier that the settings name. Carriers for shared folders are made elsewhere."""
    if outbox.smtp:
        from pbem.office.servers import SmtpCarrier

        return SmtpCarrier(outbox.smtp)
    if outbox.sendmail:
        return ProgramCarrier(outbox.sendmail)
    return FileCarrier(user_path(outbox.files))


UNREAD = "unread"
"""Subject of the notices about files in a shared folder that cannot be read."""

HALF, SWAPPED = "W-OFFICE-HALF", "W-OFFICE-SWAPPED"
"""Codes of notices with the subject `UNREAD`: some files are incomplete, or some were replaced by something else."""


UNLIMITED = 10**6
"""Number of mails to one address in a day that means: no limit. No office sends so many."""


def mailbox_away(refused: Refused) -> Wrong:
    """Return the doubt about a mailbox that cannot be read. `refused` is the error that ended the round."""
    return wrong("W-OFFICE-MAILBOX", why=refused.faults[0].message)


class Round(Struct):
    """Result of one round of an office."""

    fetched: FetchCounts = field(default_factory=FetchCounts)
    sent: SendCounts = field(default_factory=SendCounts)
    failure: PbemError | OSError | None = None
    """Error that stopped the sending of mails. It is raised after the round's result was printed."""

    @property
    def is_worth_telling(self) -> bool:
        return bool(self.fetched.read or self.sent.sent or self.sent.failed or self.failure)


class Counter(ABC):
    """Base class of both offices, the moderator's and the player's. A program must hold the office's lock to work with
    it, but not to read its memory."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        self.settings = settings
        self.store = store
        self.now = now
        self.doubts = Doubts(store, settings, now)
        self.queue = MailQueue(store, self.doubts, now)
        self.sender = Sender(self.queue)
        self.texts: dict[str, Extraction] = {}
        if not store.fact("begun"):
            with store.step():
                store.note("begun", stamp(now()))

    clock_is_right = False
    """True if a person says that the time of the computer is right."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """Return the names of the campaigns that the office serves."""

    @abstractmethod
    def look(self) -> FetchCounts:
        """Fetch new mails, and store their letters until they are taken by their campaigns."""

    @abstractmethod
    def collect(self) -> None:
        """Put the mails that are ready into the queue."""

    @abstractmethod
    def round(self, hurry: bool = True) -> Round:
        """Do one round: fetch mails, work on them, and send mails. If `hurry` is true, mails that could not be sent are
        tried again at once."""

    @property
    def key_place(self) -> Path:
        return place_of(user_path(self.settings.key) if self.settings.key else None)

    @cached_property
    def key(self) -> PrivateKey:
        """Return the private key that the settings name. Raises `Refused` if the key's file is missing, or if other
        users can read it."""
        return self.key_at(self.key_place)

    def key_at(self, path: Path) -> PrivateKey:
        """Return the private key in a file. Raises `Refused` if other users can read it."""
        data = key_bytes(path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise Refused(str(path), [wrong("E-OFFICE-KEY")])
        command = self.settings.passphrase_command
        return load_private(data, secret_from(command, "passphrase-command") if command else None)

    @property
    def keys(self) -> Sequence[PrivateKey]:
        """Private keys with which sealed files in incoming mails are opened."""
        return [self.key]

    @abstractmethod
    def readers(self) -> ReaderOf:
        """Return the function that finds out to whom a mail in a shared folder is addressed."""

    def source(self) -> Source:
        inbox = self.settings.inbox
        if inbox.folder:
            return FolderSource(user_path(inbox.folder), self.keys, is_moderators=not self.settings.seat)
        return mailbox_of(inbox)

    def carrier(self) -> Carrier:
        outbox = self.settings.outbox
        return self.folder_carrier() if outbox.folder else carrier_of(outbox)

    def folder_carrier(self) -> FolderCarrier:
        return FolderCarrier(user_path(self.settings.outbox.folder), self.readers(), self.store)

    @contextmanager
    def doubting(self, campaign: str, about: str = "") -> Iterator[None]:
        """Return a context for work on a campaign. An error in it is noted as doubts with the subject `about`. An error
        of the disk or the ledger also stops the campaign for this round. A campaign that another command has locked is
        only listed as busy."""
        faults: Sequence[Wrong] = ()
        try:
            yield
        except PbemError as error:
            faults = error.faults
        except OSError as error:
            faults = [wrong("E-FILE.read", why=reason_of(error))]
        except Exception as error:
            self.doubts.fail(campaign, unforeseen_fault(error, BROKEN), about)
        for each in faults:
            if each.code.startswith(("E-DISK-", "E-LEDGER-")):
                self.doubts.stopped.add(campaign)
            if each.code == "E-LOCK-HELD":
                # Another command is working on the campaign at this moment. What this round cannot do is done in the
                # next round.
                self.doubts.busy[campaign] = each
            else:
                self.doubts.note(campaign, each, about)

    def waiting_for(self, campaign: str) -> list[Row]:
        """Return the rows of a campaign's letters that wait to be taken, and of its mails without a letter that wait
        for an answer."""
        query = "SELECT * FROM letters WHERE campaign = ? AND state IN ('waiting', ?) ORDER BY number"
        return self.store.rows(query, campaign, ANSWER)

    def set_state(self, rows: Sequence[Row], state: str) -> None:
        """Set the state of the letters in these rows. If the new state is `taken`, delete their content."""
        with self.store.step():
            for row in rows:
                self.store.do("UPDATE letters SET state = ? WHERE number = ?", state, row["number"])
                if state == "taken":
                    self.store.do("UPDATE letters SET data = NULL WHERE number = ?", row["number"])

    def is_rivals(self, campaign: str, text: str) -> bool:
        """Return True if the office's owner may be playing in a campaign against the writer of this text."""
        return False

    def forget_mails(self, campaign: str) -> None:
        """Forget the mails of a campaign that were taken or filed, so that they may be taken again. Mails with a letter
        that still waits are not forgotten."""
        query = """SELECT mark FROM letters WHERE campaign = ?
          AND mark NOT IN (SELECT mark FROM letters WHERE state != 'taken')"""
        with self.store.step():
            for row in self.store.rows(query, campaign):
                self.store.do("DELETE FROM messages WHERE mark = ?", row["mark"])
                self.store.do("DELETE FROM letters WHERE mark = ?", row["mark"])

    def decide(self, numbers: Sequence[int], is_wanted: bool) -> int:
        """Release the letters with these numbers if `is_wanted` is true, or drop them if not. Return their number.
        Raises `Refused`, and changes nothing, if a number is unknown."""
        # A released letter does not wait for a person any more. As long as it was not taken, it can only be dropped.
        states = "'doubtful', 'away'" + ("" if is_wanted else ", 'waiting'")
        query = f"SELECT * FROM letters WHERE number = ? AND state IN ({states})"  # noqa: S608
        found = {number: self.store.rows(query, number) for number in numbers}
        if none := [number for number, rows in found.items() if not rows]:
            raise Refused("letters", [wrong("E-OFFICE-NUMBER", number=number) for number in none])
        for number, rows in found.items():
            self.set_state(rows, "waiting" if is_wanted else "taken")
            for about in (str(number), f"letter {number}"):
                self.doubts.settle(rows[0]["campaign"], about=about)
        return len(found)

    def look_into(self, look: Look) -> FetchCounts:
        """Fetch the new mails, call `look` to judge each of them, and return the counts. A mail that causes an error
        becomes a doubt, and is judged again in the next round. If the mailbox fails, note a doubt and raise
        `Refused`."""

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

        try:
            fetcher = self.fetcher(look_safely)
        except Refused as refused:
            self.doubts.note("", mailbox_away(refused), MAILBOX)
            raise
        self.texts |= fetcher.texts
        self.doubts.settle("", about=MAILBOX)
        if fetcher.unmarked:
            self.doubts.note("", wrong("W-OFFICE-MARKS", why=fetcher.unmarked[0]), MARKS)
        else:
            self.doubts.settle("", about=MARKS)
        self.doubts.mend("", "mail")
        return fetcher.found

    def fetcher(self, look: Look) -> Fetcher:
        """Fetch the new mails, and return the fetcher, which has the result. Note the files in a shared folder that
        cannot be read. Raises `Refused` if the mailbox cannot be read."""
        source = self.source()
        try:
            fetcher = Fetcher(self.store, source, self.now, look)
            fetcher.fetch()
            if isinstance(source, FolderSource):
                self.notice_files(source)
            return fetcher
        finally:
            source.close()

    def tell_by_mail(self, hurry: bool) -> None:
        """Send the queued mails and a mail about new doubts, after an error has ended the round. Errors while sending
        are not raised."""
        with suppress(PbemError, OSError):
            self.send(hurry=hurry)

    def notice_files(self, source: FolderSource) -> None:
        """Note the files in the shared folder that cannot be read. These notices replace those of the last round."""
        for row in self.store.rows("SELECT campaign FROM doubts WHERE about = ?", UNREAD):
            self.doubts.settle(row["campaign"], about=UNREAD)
        # If the whole mail has come in another file, nobody needs this one.
        rows = self.store.rows("SELECT hint FROM places WHERE source = ?", source.name)
        read = {mail_in(row["hint"].partition("/")[2]) for row in rows} - {""}
        for code, found in ((HALF, source.unfinished), (SWAPPED, source.swapped)):
            files: dict[str, list[str]] = {}
            for name in found:
                if mail_in(name) not in read:
                    files.setdefault(self.player_campaign(campaign_in(name)), []).append(name)
            for campaign, names in files.items():
                self.doubts.notice(campaign, wrong(code, files=tuple(names[:MOST_FILES])), UNREAD)

    def player_campaign(self, name: str) -> str:
        """Return `name` if this is the office of a player and serves this campaign. Return an empty text if not."""
        return name if self.settings.seat and name in self.names() else ""

    def send(self, hurry: bool = True) -> SendCounts:
        """Send the queued mails. Before that, queue a mail about new doubts, and mails that forward the words of
        players. An office with a shared folder queues neither of these, but queues files again that were lost from the
        folder. If `hurry` is true, mails that could not be sent are tried again at once."""
        if self.settings.address:
            self.queue.forget_former("", [self.settings.address])
        if self.settings.outbox.folder:
            # A shared folder brings no mails to the office's owner. The owner reads the printed result of a round, or
            # `status`.
            self.sender.lay_again(self.folder_carrier(), self.unanswered_mails())
        else:
            self.doubts.tell()
            forward(self.store, self.doubts, self.now, self.is_rivals)
        if not self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'"):
            return SendCounts()
        found: dict[bool, Carrier] = {}

        def carriers(address: str) -> Carrier:
            is_post = address == FORUM
            if is_post not in found:
                command = self.settings.post_command
                found[is_post] = ForumCarrier(command) if is_post else self.carrier()
            return found[is_post]

        try:
            return self.sender.send(carriers, self.daily_limits, hurry)
        finally:
            for carrier in found.values():
                carrier.close()

    @property
    def daily_limits(self) -> DailyLimits:
        # It costs the reader nothing if a file is written into the folder a second time.
        return DailyLimits(self.queue, UNLIMITED if self.settings.outbox.folder else self.settings.per_day)

    def unanswered_mails(self) -> Collection[str]:
        """Return the message-ids of sent mails for which no receipt has come. The result is empty in an office that
        expects no receipts."""
        return ()

    def send_last(self, done: Round, hurry: bool) -> None:
        """Send the queued mails at the end of a round. With `hurry`, refused mails need not wait for their next time.
        An error is not raised, but stored in `done`."""
        try:
            done.sent = self.send(hurry=hurry)
        # The result of the round must be printed before the error is raised.
        except (PbemError, OSError) as error:
            done.failure = error
            done.sent.waiting = self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'")

    @abstractmethod
    def due_lines(self) -> list[DueLine]:
        """Return the short lines that must be sent now."""

    def notify(self) -> None:
        """Send the short lines that must be sent now, and end the doubts about readers who are no longer in the
        settings."""
        self.notifier.forget_removed()
        if self.settings.notify:
            # An error here becomes a doubt, and must not stop the rest of the round.
            with self.doubting("", "notify"):
                self.notifier.tell(self.due_lines())
                self.doubts.settle("", about="notify")

    @property
    def notifier(self) -> Notifier:
        return Notifier(self.store, self.doubts, self.settings.notify, self.now)

    def mail_count(self) -> int:
        """Return the number of mails in the mailbox. Raises `Refused` if the office cannot log in there."""
        source = self.source()
        try:
            return source.count() if isinstance(source, Files) else len(source.hints())
        finally:
            source.close()
