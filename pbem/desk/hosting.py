"""Campaign that the reader moderates in the page: its folder, letters and evenings. In an evening the moderator takes
letters and lets the game go on."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from pbem import __version__
from pbem.campaign.briefing import agreed_end_of
from pbem.campaign.campaign import Campaign, opened_by_moderator
from pbem.campaign.clock.clock import stamp
from pbem.campaign.clock.timing import CampaignTime, orders_now, permission
from pbem.campaign.disk.folder import LOCK, open_folder
from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import counted_votes
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.replaying import first_of
from pbem.campaign.letters.heads import highest_number
from pbem.campaign.letters.letterbox import state_of
from pbem.campaign.planning import complete_plan, read_plan
from pbem.campaign.play.tokens import token_of
from pbem.campaign.players.letters import Invitation, join_letter
from pbem.campaign.proof.judging_again import close
from pbem.campaign.settings import MODERATOR, Newcomer
from pbem.desk.archive import campaign_files, fill_folder, now, unzip
from pbem.desk.host_acts import AT_ONE_SCREEN, HOST_ACTS, Given, acts_open, turning_points
from pbem.desk.letters_out import LettersOut, LetterToSend, Memory, retell_unsent, retell_votes
from pbem.faults.unforeseen import unforeseen_fault
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.moderator import campaigns
from pbem.moderator.evening import Agreement, Evening, LetterFailed, WaitingLetter, evening_of
from pbem.moderator.mails import invite, post_reports, seat_of
from pbem.moderator.open_seats import AskerNotice, askers_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.post.mailbox import RawMessage
from pbem.report.letters.entries import Facts, ended_data
from pbem.seal.canonical import AnyTree
from pbem.seal.keys import PrivateKey, digest, key_of, length_prefixed

HOT_SEAT = "pbem/hot-seat/1"
"""Domain under which the keys of players who all sit at one screen are derived."""

STATES = ("none yet", "not revealed", "draft", "final")
"""States of a seat's orders. If the powers of a seat have different states, the seat gets the state that comes first in
this tuple."""

FileVersion = tuple[int, int, int]
"""Inode, size and time of a file. If they are the same as before, the file has not changed."""


class SeatView(Struct, frozen=True):
    """Seat of a campaign, as its moderator sees it."""

    name: str
    state: str
    """State of the seat's orders (`state_of`) while the game runs; empty if the seat owes no orders. Before and after
    the game `free` or `taken`."""
    owes_votes: tuple[Proposal, ...]
    """Open proposals on which the seat has not voted yet."""


class HostView(Struct, frozen=True):
    """State of a campaign, as its moderator sees it."""

    campaign: str
    game: str
    phase: str
    stage: str
    deadline: str
    earliest: str
    """Moment from which the game may go on, if all orders are in; otherwise empty."""
    seats: dict[str, SeatView]
    mine: str
    """Seat of a moderator who plays; otherwise empty."""
    is_hot_seat: bool
    """True if all players sit at this screen."""
    may_change: bool
    """True as long as only bots have joined, so that the campaign can be founded anew."""
    acts: dict[str, tuple[str, ...]]
    """Acts that are possible now, each with its fields."""
    unsaved: str
    """Time of the first entry that lies in no zip; empty if every entry lies in a zip."""
    askers: dict[str, list[AskerNotice]]
    """People who ask for a seat, keyed by seat. Only seats for which the moderator chooses a player have them."""
    letters: list[LetterToSend]
    ended: Facts | None
    """End of the game (`ended_data`); None while it goes on."""


def seats_seen(public: PublicState, names: Mapping[str, str]) -> dict[str, SeatView]:
    """Return the seats as the moderator sees them. `names` has the players' names, keyed by seat."""
    orders = orders_now(public) if public.phase == "running" else ()
    voting = [(each, counted_votes(public, each).awaited) for each in public.proposals]
    found = {}
    for seat in public.settings.seats:
        states = {state_of(each) for each in orders if each.player == seat}
        state = next((each for each in STATES if each in states), "")
        before = "taken" if public.players.get(seat) else "free"
        votes = tuple(each for each, awaited in voting if seat in awaited)
        found[seat] = SeatView(names[seat], state if public.phase == "running" else before, votes)
    return found


class HostedCampaign:
    """Campaign in a folder of the page, opened with its moderator's key."""

    def __init__(self, key: PrivateKey) -> None:
        self.key = key
        self.place = TemporaryDirectory()
        self.root = Path(self.place.name, "campaign")
        self.stored: dict[str, FileVersion] = {}
        """Version of each file that the browser has stored, keyed by name."""
        self.handed_out: dict[str, FileVersion] = {}
        """Versions of all files when `changes` was called last, keyed by name."""

    @classmethod
    def founded(cls, plan: Mapping[str, AnyTree], key: PrivateKey, is_hot_seat: bool = False) -> HostedCampaign:
        """Found a campaign, and write the invitations. `plan` has the same keys as the file of a plan. With
        `is_hot_seat` all players join at this screen. Raises `Refused` for a faulty plan."""
        whole = complete_plan(read_plan(b"", "table", Path(), plan), "table", __version__)
        found = cls(key)
        campaigns.found_campaign(found.root, whole, key, now())
        with opened_by_moderator(found.root, key, "pbem desk", now()) as campaign:
            invite(campaign)
            campaign.save()
            joins = [*found.joins(campaign)] if is_hot_seat else []
        if is_hot_seat:
            found.note(Memory(is_hot_seat=True))
            found.evening(joins)
        return found

    def joins(self, campaign: Campaign) -> Iterator[RawMessage]:
        """Yield the letters with which the players at this screen take their seats."""
        for seat, who in campaign.settings.seats.items():
            if not who.bot:
                offer = Invitation(
                    campaign.settings.campaign, seat, campaign.public.secret, token_of(campaign.state, seat)
                )
                text = join_letter(offer, self.seat_key(seat), 1, Newcomer(who.name, who.language))
                yield RawMessage(text.encode(), seat)

    def seat_key(self, seat: str) -> PrivateKey:
        """Return the key of a seat at this screen, derived from the moderator's key."""
        entry, _ = first_of(open_folder(self.root))
        return key_of(digest(HOT_SEAT, self.key.sign(length_prefixed(HOT_SEAT, entry.hash, seat))), "")

    @classmethod
    def opened(cls, files: Mapping[str, Path], key: PrivateKey) -> HostedCampaign:
        """Move the files into a folder, and open it as a campaign. Raises `Refused` if the campaign is damaged, or if a
        file does not belong to a campaign, and `KeyFault` if the key is not the moderator's."""
        found = cls(key)
        if strange := sorted(files.keys() - campaign_files(files, is_secret=True).keys()):
            raise Refused("table", [wrong("E-DESK-ARCHIVE.names", name=as_quoted(strange[0]))])
        fill_folder(found.root, files.items())
        with found.to_read():
            return found

    @classmethod
    def unzipped(cls, file: Path, key: PrivateKey) -> HostedCampaign:
        """Open a campaign from a zip of its folder. Raises as `opened` and `unzip` do."""
        found = cls(key)
        unzip("zip", file, found.root, is_secret=True)
        found.note_zipped()
        return found

    def evening(self, letters: list[RawMessage], language: str = "en") -> Evening:
        """Take letters, let the game go on, and return the result. If the program fails at a letter, the letter is
        removed from `letters`, and the result has a doubt about it. Reasons of refusals are stored in `language`."""
        memory, failures = self.memory(), list[Wrong]()
        agreed = Agreement("deadline", False, memory.numbers, memory.awaited, was_changed=True)
        while True:
            try:
                with opened_by_moderator(self.root, self.key, "pbem desk", now()) as campaign:
                    done = evening_of(campaign, [WaitingLetter(each, None) for each in letters], agreed, lambda _: None)
                    settings = campaign.settings
                    retell_votes(campaign, memory)
                    retell_unsent(campaign, memory)
                break
            except LetterFailed as failed:
                # The other letters are taken without this one. Opening the campaign again finishes the work that was
                # interrupted.
                file = letters.pop(failed.number).where
                failures.append(unforeseen_fault(failed.error, "E-OFFICE-BROKEN.given", file=file))
        memory.numbers, memory.awaited = done.numbers, done.awaited
        for answer in done.turned_down:
            memory.note_refusal(answer, settings, language)
        self.note(memory)
        done.doubts += failures
        return done

    def close(self, why: str) -> None:
        """End the campaign, and publish its secrets."""
        with opened_by_moderator(self.root, self.key, "pbem desk", now()) as campaign:
            close(campaign, why)
            post_reports(campaign, with_pictures=False)
            campaign.save()
            memory = self.memory()
            retell_unsent(campaign, memory)
        self.note(memory)

    def mark_sent(self, name: str, is_sent: bool) -> None:
        memory = self.memory()
        (memory.sent.add if is_sent else memory.sent.discard)(name)
        self.note(memory)

    @property
    def task(self) -> campaigns.Task:
        return campaigns.Task("desk", self.root, lambda: self.key, now)

    def to_read(self) -> AbstractContextManager[Campaign]:
        return campaigns.campaign_to_read(self.task)

    def memory(self) -> Memory:
        return Memory.read(self.root / "outbox")

    def note(self, memory: Memory) -> None:
        """Store what the desk remembers."""
        memory.write(self.root / "outbox")

    @property
    def game(self) -> str:
        return str(first_of(open_folder(self.root))[1].settings.terms["game"])

    def report_to(self, seat: str) -> bytes:
        """Return the newest report to a seat."""
        found = sorted((self.root / "outbox").glob(f"[0-9]*/{seat}.report.yaml*"))
        return found[-1].read_bytes()

    def last_number(self, seat: str) -> int:
        """Return the highest number of a seat's letters; 0 without a letter."""
        with self.to_read() as campaign:
            return highest_number(campaign.public, seat)

    def act(self, name: str, given: Given) -> list[Wrong]:
        """Carry out an act of the moderator (`HOST_ACTS`), and return its warnings. If the act gives a seat a new
        address, the seat's letters count as unsent again. Raises `Refused` for an impossible act or a faulty field."""
        said = f"desk {name} {sorted(given.items())}"
        with campaigns.campaign_to_change(self.task, said) as campaign:
            HOST_ACTS[name].run(campaign, given)
            memory = self.memory()
            retell_unsent(campaign, memory)
        self.note(memory)
        if seat := given.get("address") and given["seat"]:
            # A letter that was sent to an older address must still be sent to the new address.
            memory = self.memory()
            memory.sent = {each for each in memory.sent if seat_of(Path(each)) != seat}
            self.note(memory)
        return [fault for _, fault in campaign.warnings]

    def turning_points(self) -> list[tuple[int, str, str]]:
        """Return each entry to which the game can be turned back, the latest first: the entry's number, the stage that
        follows it, and its time."""
        with self.to_read() as campaign:
            return list(turning_points(campaign))

    def plan(self) -> dict[str, object]:
        """Return the settings and addresses of the campaign, keyed as in the form for a new campaign."""
        with self.to_read() as campaign:
            settings, addresses = campaign.settings, campaign.vault.addresses
        seats = {
            seat: {
                "bot": who.bot.partition("/")[0],
                "name": who.name,
                "address": addresses.get(seat, ""),
                "language": who.language,
            }
            for seat, who in settings.seats.items()
        }
        moderator = {"name": settings.moderator.name, "address": addresses.get(MODERATOR, "")}
        return {
            "campaign": settings.campaign,
            "scenario": f"{settings.terms['game']}/{settings.terms['scenario']}",
            "seats": seats,
            "moderator": moderator | {"seat": settings.moderator.seat},
            "pace": settings.clock.next,
            "delay": settings.clock.delay,
            "trust": settings.conduct.sealing,
            "stand": (settings.conduct.stand_in or "none").partition("/")[0],
        }

    def file(self, name: str) -> Path:
        return self.root / "outbox" / name

    def view(self) -> HostView:
        with self.to_read() as campaign:
            public = campaign.public
            names = {seat: campaign.person(seat).name for seat in public.settings.seats}
            offers, acts = campaign.vault.offers, acts_open(campaign)
            askers = {seat: askers_of(campaign, seat) for seat, offer in offers.items() if offer.askers}
            zipped = self.memory().zipped
            unsaved = stamp(campaign.ledger.read(zipped + 1).time) if zipped < campaign.vault.entry else ""
            letters = [*LettersOut(campaign).letters(offers)][::-1]
            ended = ended_data(public.phase, agreed_end_of(campaign), campaign.state.table)
        is_here, is_running = self.memory().is_hot_seat, public.phase == "running"
        allowed = permission(CampaignTime(public, now())) if is_running else None
        return HostView(
            campaign=public.settings.campaign,
            game=str(public.settings.terms["game"]),
            phase=public.phase,
            stage=public.next.stage if public.next and is_running else "",
            deadline=public.deadline if is_running else "",
            earliest=stamp(allowed.earliest) if allowed and allowed.earliest and not allowed.absent else "",
            seats=seats_seen(public, names),
            mine=public.settings.moderator.seat,
            is_hot_seat=is_here,
            may_change=public.phase == "joining" and all(public.settings.seats[each].bot for each in public.players),
            acts={name: each for name, each in acts.items() if not is_here or name in AT_ONE_SCREEN},
            unsaved=unsaved,
            askers=askers,
            letters=letters,
            ended=ended,
        )

    def changes(self) -> dict[str, Path | None]:
        """Return the path of each file that changed since the browser stored it, keyed by name; None for a deleted
        file."""
        self.handed_out = there = dict(self.files())
        changed: dict[str, Path | None] = {
            name: self.root / name for name, version in there.items() if self.stored.get(name) != version
        }
        return changed | dict.fromkeys(self.stored.keys() - there.keys())

    def note_stored(self) -> None:
        """Note that the browser has stored what `changes` returned last."""
        self.stored = self.handed_out

    def files(self) -> Iterator[tuple[str, FileVersion]]:
        """Yield the name and version of each file in the folder."""
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and path.name != LOCK:
                about = path.stat()
                yield path.relative_to(self.root).as_posix(), (about.st_ino, about.st_size, about.st_mtime_ns)

    def note_zipped(self) -> None:
        """Note that all entries lie in a zip outside the browser."""
        with self.to_read() as campaign:
            memory = self.memory()
            # Only the last entry is read: an earlier one may be damaged.
            memory.zipped = campaign.vault.entry
        self.note(memory)

    def zip_folder(self) -> Path:
        """Write a zip of the folder, note that all entries lie in a zip, and return the path of the zip."""
        self.note_zipped()
        campaign = first_of(open_folder(self.root))[0].campaign
        return write_zip(Path(self.place.name, "zip"), campaign, {name: self.root / name for name, _ in self.files()})

    def changed_entries(self) -> list[Wrong]:
        """Return a warning if entries of the ledger were changed after they were made. If a changed entry is needed but
        cannot be read, return its faults instead. Return an empty list if no entry was changed."""
        with self.to_read() as campaign:
            try:
                return campaigns.changed_entries(campaign)
            except PbemError as error:
                return list(error.faults)


def write_zip(place: Path, campaign: str, files: Mapping[str, Path]) -> Path:
    """Write a zip with `files`, keyed by name, in a folder named after the campaign. Return its path."""
    with zipfile.ZipFile(place, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, file in files.items():
            packed.writestr(f"{campaign}/{name}", file.read_bytes())
    return place
