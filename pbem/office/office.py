"""The office of a moderator: one mailbox and a folder of campaigns, served in rounds that may be killed anywhere."""

from __future__ import annotations

import stat
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path
from sqlite3 import Row

from msgspec import Struct, field

from pbem.campaign import campaign as campaigns
from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.clock.timing import CampaignTime
from pbem.campaign.disk.folder import open_folder
from pbem.campaign.disk.lock import locked
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.reading import first_of
from pbem.cli.keyring import key_bytes, place_of
from pbem.cli.read import standing
from pbem.cli.surroundings import fault_of
from pbem.faults.wrong import Wrong, wrong
from pbem.office.carriers import Carrier
from pbem.office.doubts import Doubts
from pbem.office.evening import Agreed, Evening, Waiting, clock_doubt, evening_of, has_work
from pbem.office.fetching import Fetched, Fetcher
from pbem.office.secrets import told_by
from pbem.office.sending import Sender, Sent
from pbem.office.settings import OfficeSettings, placed
from pbem.office.store import Store
from pbem.office.ways import carrier_of, source_of
from pbem.paper.documents.faults import Refused
from pbem.post.extract import Extraction
from pbem.post.mailbox import RawMessage
from pbem.seal.keys import PrivateKey, load_private

SETTINGS = "campaign.yaml"

OWNER = ".office"
"""The file of an outbox that says which office sends from it."""

MOST_REFUSED = 2
"""Of so many letters of one player that are refused one after the other a person is told."""


class Served(Struct, frozen=True):
    """A campaign of the office."""

    path: Path
    public: PublicState
    entry: int


class Round(Struct):
    """What one round has done."""

    fetched: Fetched = field(default_factory=Fetched)
    evenings: dict[str, Evening] = field(default_factory=dict)
    sent: Sent = field(default_factory=Sent)

    @property
    def is_worth_telling(self) -> bool:
        """Whether anything was done."""
        return bool(self.fetched.read or self.evenings or self.sent.sent or self.sent.failed)


class Office:
    """An office at work; who makes it holds its lock (`opened`)."""

    def __init__(self, settings: OfficeSettings, store: Store, now: Callable[[], datetime]) -> None:
        """Nothing is asked of anybody yet."""
        self.settings = settings
        self.store = store
        self.now = now
        self.doubts = Doubts(store, settings, now)
        self.sender = Sender(store, self.doubts, now)
        self.texts: dict[str, Extraction] = {}
        self.clock_is_right = False
        """Whether somebody vouches for the time."""
        with store.step():
            if not store.fact("begun"):
                store.note("begun", stamp(now()))

    @cached_property
    def key(self) -> PrivateKey:
        """The moderator's key, opened when something is to be signed; nobody else may be able to read its file."""
        path = place_of(placed(self.settings.key) if self.settings.key else None)
        data = key_bytes(path)
        if stat.S_IMODE(path.stat().st_mode) & 0o077:
            raise Refused(str(path), [wrong("E-OFFICE-KEY")])
        command = self.settings.passphrase_command
        return load_private(data, told_by(command, "passphrase-command") if command else None)

    def served(self) -> dict[str, Served]:
        """The campaigns, by name; two folders of one name are served by nobody."""
        root = placed(self.settings.campaigns)
        if not root.is_dir():
            raise Refused(str(root), [wrong("E-OFFICE-FOLDER")])
        paths = [root] if (root / SETTINGS).exists() else sorted(path.parent for path in root.glob(f"*/{SETTINGS}"))
        found: dict[str, list[Served]] = {}
        for path in paths:
            if campaign := self.looked_at(path):
                found.setdefault(campaign.public.settings.campaign, []).append(campaign)
        for name in [name for name, each in found.items() if len(each) > 1]:
            folders = tuple(each.path.name for each in found.pop(name))
            self.doubts.note(name, wrong("W-OFFICE-TWICE", folders=folders))
        return {name: each for name, (each,) in found.items()}

    def looked_at(self, path: Path) -> Served | None:
        """How a campaign stands, as everybody may know it; a doubt if that cannot be told."""
        with self.doubting(path.name):
            public, head = standing(open_folder(path), self.now())
            return Served(path, public, head.number)
        return None

    @contextmanager
    def doubting(self, campaign: str) -> Iterator[None]:
        """What goes wrong with one campaign is told, and the others go on."""
        faults: Sequence[Wrong] = ()
        try:
            yield
        except Refused as refused:
            faults = refused.faults
        except OSError as error:
            faults = [wrong("E-FILE.read", why=str(error.strerror))]
        except Exception as error:
            if (fault := fault_of(error)) is None:
                raise
            faults = [fault]
        for each in faults:
            # A person works there just now: the next round does what this one leaves.
            if each.code != "E-LOCK-HELD":
                self.doubts.note(campaign, each)

    def fetch(self, names: Collection[str]) -> Fetched:
        """Look into the mailbox."""
        source = source_of(self.settings.inbox)
        try:
            fetcher = Fetcher(self.store, source, self.now, names)
            found = fetcher.fetch()
            self.texts |= fetcher.texts
        finally:
            source.close()
        for row in self.store.rows("SELECT number, campaign, place FROM letters WHERE state = 'doubtful'"):
            about = str(row["number"])
            self.doubts.note(row["campaign"], wrong("W-OFFICE-KEY", number=about, sender=row["place"]), about)
        return found

    def evenings(self, served: Mapping[str, Served]) -> dict[str, Evening]:
        """The evening of every campaign that needs one."""
        done: dict[str, Evening] = {}
        if doubt := self.time_doubt(self.store.fact("last")):
            self.doubts.note("", doubt)
            return done
        self.doubts.settle("")
        for name, campaign in served.items():
            with self.doubting(name):
                self.meet(name, campaign)
                if evening := self.evening(name, campaign):
                    done[name] = evening
                self.sender.queue(name, campaign.path / "outbox", "queued")
        with self.store.step():
            self.store.note("last", stamp(self.now()))
        self.texts.clear()
        return done

    def time_doubt(self, last: str) -> Wrong | None:
        """What is wrong with the time, if nobody vouches for it."""
        return None if self.clock_is_right else clock_doubt(last, self.now())

    def collect(self, served: Mapping[str, Served]) -> None:
        """Queue what lies in the outboxes."""
        for name, campaign in served.items():
            with self.doubting(name):
                self.meet(name, campaign)
                self.sender.queue(name, campaign.path / "outbox", "queued")

    def decided(self, numbers: Sequence[int], is_wanted: bool) -> int:
        """Let letters that wait for a person go on, or forget them."""
        for number in numbers:
            rows = self.store.rows("SELECT * FROM letters WHERE number = ? AND state = 'doubtful'", number)
            if not rows:
                raise Refused("letters", [wrong("E-OFFICE-NUMBER", number=number)])
            self.now_are(rows, "waiting" if is_wanted else "taken")
            self.doubts.settle(rows[0]["campaign"], about=str(number))
        return len(numbers)

    def meet(self, name: str, served: Served) -> None:
        """See a campaign for the first time: what lay in the outbox of one that was there before the office is held."""
        if self.store.rows("SELECT 1 FROM campaigns WHERE name = ?", name):
            return
        self.own(served)
        first, _ = first_of(open_folder(served.path))
        is_young = stamp(first.time) >= self.store.fact("begun")
        self.sender.queue(name, served.path / "outbox", "queued" if is_young else "held")
        with self.store.step():
            self.store.do("INSERT INTO campaigns VALUES (?, ?, 0)", name, str(served.path))

    def evening(self, name: str, served: Served) -> Evening | None:
        """One campaign's evening, if it needs one."""
        policy = self.settings.policy(name)
        rows = self.store.rows("SELECT * FROM letters WHERE campaign = ? AND state = 'waiting' ORDER BY number", name)
        known = self.store.rows("SELECT entry FROM campaigns WHERE name = ?", name)
        is_known = bool(known) and known[0]["entry"] == served.entry
        if not rows and is_known and not has_work(CampaignTime(served.public, self.now()), policy):
            return None
        if doubt := self.time_doubt(served.public.time):
            self.doubts.note(name, doubt)
            return None
        if served.public.phase == "closed" and rows:
            self.doubts.note(name, wrong("W-OFFICE-CLOSED", number=len(rows)))
            self.now_are(rows, "doubtful")
            rows = []
        letters = [Waiting(RawMessage(row["data"], row["place"]), self.texts.get(row["mark"])) for row in rows]
        with campaigns.opened_by_moderator(served.path, self.key, "pbem mail", self.now()) as campaign:
            campaign.clock_is_right = self.clock_is_right
            evening = evening_of(
                campaign, letters, Agreed(policy, self.settings.pictures), lambda: self.now_are(rows, "taken")
            )
            entry = campaign.vault.entry
        self.conclude(name, served, evening, entry)
        return evening

    def now_are(self, rows: Sequence[Row], state: str) -> None:
        """Letters that were taken, of which nothing is kept here, or that wait for a person."""
        with self.store.step():
            for row in rows:
                self.store.do("UPDATE letters SET state = ? WHERE number = ?", state, row["number"])
                if state == "taken":
                    self.store.do("UPDATE letters SET data = NULL WHERE number = ?", row["number"])

    def conclude(self, name: str, served: Served, evening: Evening, entry: int) -> None:
        """Note how far the campaign is, and what waits for a person."""
        for fault in evening.doubts:
            self.doubts.note(name, fault)
        codes = {fault.code for fault in evening.doubts}
        for player, refused in evening.turned.items():
            fact = f"refused {name} {player}"
            count = refused + int(self.store.fact(fact) or 0) if refused else 0
            with self.store.step():
                self.store.note(fact, str(count))
            if count >= MOST_REFUSED:
                self.doubts.note(name, wrong("W-OFFICE-REFUSED", player=player), player)
            else:
                self.doubts.settle(name, about=player)
        self.doubts.settle(name, codes)
        with self.store.step():
            self.store.do("INSERT OR REPLACE INTO campaigns VALUES (?, ?, ?)", name, str(served.path), entry)

    def own(self, served: Served) -> None:
        """Be the office that sends for a campaign: two would send everything twice."""
        path, name = served.path / "outbox" / OWNER, self.store.fact("office")
        try:
            with path.open("x") as file:
                file.write(name)
        except FileNotFoundError:
            path.parent.mkdir()
            self.own(served)
        except FileExistsError:
            if path.read_text() != name:
                raise Refused(str(path), [wrong("E-OFFICE-OTHER")]) from None

    def send(self, carrier: Carrier | None = None, hurry: bool = True) -> Sent:
        """Send what is queued, and what a person is to be told."""
        self.doubts.tell()
        if not self.store.count("SELECT count(*) FROM mails WHERE state = 'queued'"):
            return Sent()
        carrier = carrier or carrier_of(self.settings.outbox)
        try:
            return self.sender.send(carrier, self.settings.per_day, hurry)
        finally:
            carrier.close()

    def tried(self) -> dict[str, int]:
        """How many campaigns and messages there are; raises `Refused` where the office is not let in."""
        source = source_of(self.settings.inbox)
        try:
            messages = len(source.hints())
        finally:
            source.close()
        carrier_of(self.settings.outbox).close()
        return {"campaigns": len(self.served()), "messages": messages}

    def round(self, hurry: bool = True) -> Round:
        """Fetch, every campaign's evening, send."""
        done = Round()
        served = self.served()
        done.fetched = self.fetch(served)
        done.evenings = self.evenings(served)
        done.sent = self.send(hurry=hurry)
        return done


@contextmanager
def opened(settings: OfficeSettings, now: Callable[[], datetime]) -> Iterator[Office]:
    """The office, which nobody else can open meanwhile."""
    folder = settings.state_folder
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with locked(folder, "pbem mail", now()):
        store = Store(folder)
        try:
            yield Office(settings, store, now)
        finally:
            store.close()
