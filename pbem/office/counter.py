"""What the offices of moderators and of players have in common: a mailbox, a queue of mails, and doubts."""

from __future__ import annotations

import stat
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct, field

from pbem.campaign.clock.timestamps import stamp
from pbem.cli.keyring import key_bytes, place_of
from pbem.cli.surroundings import fault_of
from pbem.faults.system import reason_of
from pbem.faults.wrong import Wrong, wrong
from pbem.office.carriers import Carrier, ForumCarrier
from pbem.office.doubts import Doubts, named
from pbem.office.fetching import Fetched, Fetcher, Look
from pbem.office.forwarding import forward
from pbem.office.incoming import Incoming, mark_of
from pbem.office.secrets import told_by
from pbem.office.sending import FORUM, Sender, Sent
from pbem.office.settings import OfficeSettings, placed
from pbem.office.store import Store
from pbem.office.unforeseen import is_unforeseen, unforeseen_fault
from pbem.office.ways import carrier_of, source_of
from pbem.paper.documents.faults import Refused
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage
from pbem.post.mime import head_of
from pbem.seal.keys import PrivateKey, load_private


class Round(Struct):
    """What one round has done."""

    fetched: Fetched = field(default_factory=Fetched)
    sent: Sent = field(default_factory=Sent)

    @property
    def is_worth_telling(self) -> bool:
        """Whether anything was done."""
        return bool(self.fetched.read or self.sent.sent or self.sent.failed)


class Counter(ABC):
    """An office at work; who makes it holds its lock."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        """Nothing is asked of anybody yet."""
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
    """Whether somebody vouches for the time."""

    @abstractmethod
    def names(self) -> Sequence[str]:
        """The campaigns of this office."""

    @abstractmethod
    def look(self) -> Fetched:
        """Look into the mailbox; letters are kept."""

    @abstractmethod
    def collect(self) -> None:
        """Queue what is to be sent."""

    @abstractmethod
    def round(self, hurry: bool = True) -> Round:
        """Do everything that there is to do; in a hurry also send again what could not be sent lately."""

    @property
    def key_place(self) -> Path:
        """Where the key lies."""
        return place_of(placed(self.settings.key) if self.settings.key else None)

    @cached_property
    def key(self) -> PrivateKey:
        """The key, opened when it is needed; nobody else may be able to read its file."""
        path = self.key_place
        data = key_bytes(path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise Refused(str(path), [wrong("E-OFFICE-KEY")])
        command = self.settings.passphrase_command
        return load_private(data, told_by(command, "passphrase-command") if command else None)

    @contextmanager
    def doubting(self, campaign: str, about: str = "") -> Iterator[None]:
        """What goes wrong with one campaign is told, and the others go on."""
        faults: Sequence[Wrong] = ()
        try:
            yield
        except Refused as refused:
            faults = refused.faults
        except OSError as error:
            faults = [wrong("E-FILE.read", why=reason_of(error))]
        except Exception as error:
            if fault := fault_of(error):
                faults = [fault]
            else:
                self.doubts.fail(campaign, unforeseen_fault(error), about)
        for each in faults:
            # A person works there just now: the next round does what this one leaves.
            if each.code != "E-LOCK-HELD":
                self.doubts.note(campaign, each, about)

    def waiting_for(self, campaign: str) -> list[Row]:
        """The letters that wait for a campaign."""
        query = "SELECT * FROM letters WHERE campaign = ? AND state = 'waiting' ORDER BY number"
        return self.store.rows(query, campaign)

    def now_are(self, rows: Sequence[Row], state: str) -> None:
        """Letters that were taken, of which nothing is kept here, or that wait for a person."""
        with self.store.step():
            for row in rows:
                self.store.do("UPDATE letters SET state = ? WHERE number = ?", state, row["number"])
                if state == "taken":
                    self.store.do("UPDATE letters SET data = NULL WHERE number = ?", row["number"])

    def decided(self, numbers: Sequence[int], is_wanted: bool) -> int:
        """Let letters that wait for a person go on, or forget them."""
        for number in numbers:
            query = "SELECT * FROM letters WHERE number = ? AND state IN ('doubtful', 'away', 'waiting')"
            rows = self.store.rows(query, number)
            if not rows:
                raise Refused("letters", [wrong("E-OFFICE-NUMBER", number=number)])
            self.now_are(rows, "waiting" if is_wanted else "taken")
            for about in (str(number), f"letter {number}"):
                self.doubts.settle(rows[0]["campaign"], about=about)
        return len(numbers)

    def look_into(self, look: Look) -> Fetched:
        """Look into the mailbox; a mail that cannot be looked at is told, and looked at again in the next round."""

        def look_safely(message: RawMessage) -> Incoming | None:
            try:
                return look(message)
            except Exception as error:
                if not is_unforeseen(error):
                    raise
                head = head_of(message.data)
                sender, subject = named(head.sender, head.subject)
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

    def send(self, hurry: bool = True) -> Sent:
        """Send what is queued, and what a person is to be told."""
        self.doubts.tell()
        forward(self.store, self.doubts, self.now)
        if not self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'"):
            return Sent()
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

    def tried(self) -> int:
        """How many messages there are; raises `Refused` where the office is not let in."""
        source = source_of(self.settings.inbox)
        try:
            return len(source.hints())
        finally:
            source.close()
