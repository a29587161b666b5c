"""Reports that a player's office has filed: the player's seats, with the folders and the newest sound report of
each."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from pbem.campaign.players.campaign_notes import CampaignNotes
from pbem.campaign.players.finding_notes import keys_in_turn, noted_campaigns
from pbem.office.filing import guidance_in, is_sound
from pbem.office.own_keys import OwnKeys
from pbem.office.store import Store
from pbem.paper.letters import Letter
from pbem.seal.keys import PublicKey


class NewestReport(NamedTuple):
    """Newest readable report for a seat, and the damaged reports that came after it."""

    path: Path | None
    damaged: list[Path]


class FiledReports:
    """Filed reports of one player's office, found by campaign and seat."""

    def __init__(self, root: Path, keys: OwnKeys, first_seat: str, store: Store) -> None:
        """Store the folder of all campaigns, the player's keys with notes beside them, the seat that comes first, and
        the memory."""
        self.root = root
        self.keys = keys
        self.first_seat = first_seat
        self.store = store
        self.readers: dict[Path, tuple[str, str]] = {}
        self.settled: set[tuple[str, str]] = set()

    def notes(self, campaign: str, seat: str) -> CampaignNotes | None:
        """Return the notes on a seat beside its newest key; None without notes."""
        found = self.keys_in_turn(campaign, seat)
        return found[-1][1] if found else None

    def keys_in_turn(self, campaign: str, seat: str) -> list[tuple[Path, CampaignNotes]]:
        """Return the player's keys for a seat, each with its notes, the oldest first. If the player joined for another
        seat and got this seat by lot, the notes still lie under the other seat, and are found there."""
        noted = self.noted_seats().get(campaign, {}).get(seat, seat)
        found = keys_in_turn(self.keys.places, campaign, noted)
        return [(place, replace(notes, seat=seat)) for place, notes in found]

    def seats(self) -> dict[str, list[str]]:
        """Return the player's seats in each campaign. The seat in the settings comes first."""
        return {
            campaign: sorted(seats, key=lambda seat: seat != self.first_seat)
            for campaign, seats in self.noted_seats().items()
        }

    def noted_seats(self) -> dict[str, dict[str, str]]:
        """Return the player's seats in each campaign, each with the seat whose name the stored notes have. That is the
        former seat if the player got this one by lot, and has not signed a letter for it yet."""
        found: dict[str, dict[str, str]] = {}
        for campaign, seat in dict.fromkeys(each for key in self.keys.places for each in noted_campaigns(key)):
            found.setdefault(campaign, {})[seat] = seat
        for campaign, seats in found.items():
            free = [seat for seat in seats if self.is_free(campaign, seat)] if len(seats) > 1 else []
            told = self.seats_told(campaign) if free else set()
            # If a seat that the player joined is also one that the lot has given, its notes stay.
            moving = [seat for seat in free if seat not in told]
            for joined, drawn in zip(moving, sorted(told - seats.keys()), strict=False):
                del seats[joined]
                seats[drawn] = joined
        return found

    def is_free(self, campaign: str, seat: str) -> bool:
        """Return whether the notes on a seat may still be moved to another seat, because a lot decides which seat the
        player gets."""
        # Once the notes are settled, they remain so. They may be large, so they are not read again.
        if (campaign, seat) not in self.settled:
            if any(notes.is_free for _, notes in keys_in_turn(self.keys.places, campaign, seat)[-1:]):
                return True
            self.settled.add((campaign, seat))
        return False

    def seats_told(self, campaign: str) -> set[str]:
        """Return the seats for which reports to the player's keys have come since the game began."""
        for path in (self.root / campaign).glob("[0-9]*/report.yaml"):
            if path not in self.readers and is_sound(path, campaign) and (guide := guidance_in(path)).stage:
                self.readers[path] = (guide.seat, guide.key)
        own = {key.fingerprint for key in self.keys.public()}
        return {
            seat for path, (seat, key) in self.readers.items() if path.parent.parent.name == campaign and key in own
        }

    def is_mine(self, campaign: str, seat: str) -> bool:
        """Return whether a seat is the player's, or may still become so by lot."""
        return seat in self.seats().get(campaign, (seat,)) or self.awaits_lot(campaign)

    def awaits_lot(self, campaign: str) -> bool:
        """True if the player still waits for a seat by lot: no report and no signed letter shows the seat."""
        noted = [self.notes(campaign, seat) for seat in self.seats().get(campaign, ())]
        waiting = {notes.seat for notes in noted if notes and notes.awaits_lot and notes.signed is None}
        return bool(waiting) and not waiting <= self.seats_told(campaign)

    def has_joined(self, campaign: str, seat: str) -> bool:
        """Return whether the player has joined a campaign and has this seat, or may still get it by lot."""
        return campaign in self.seats() and self.is_mine(campaign, seat)

    def has_several(self, campaign: str) -> bool:
        return len(self.seats().get(campaign, ())) > 1

    def label(self, campaign: str, seat: str) -> str:
        """Return the name of a campaign for lines about a seat, with the seat if the player has several."""
        return f"{campaign}, {seat}" if self.has_several(campaign) else campaign

    def moderator_of(self, campaign: str) -> PublicKey | None:
        """Return the moderator's key; None before the player has joined the campaign."""
        notes = [self.notes(campaign, seat) for seat in self.seats().get(campaign, ())[:1]]
        return PublicKey.parse(notes[0].moderator) if notes and notes[0] else None

    def heirs_of(self, campaign: str) -> int:
        """Return the number of former moderators of a campaign; 0 without notes on it."""
        notes = [self.notes(campaign, seat) for seat in self.seats().get(campaign, ())[:1]]
        return len(notes[0].former) if notes and notes[0] else 0

    def last_report(self, campaign: str, seat: str) -> NewestReport:
        """Return the newest report for a seat. An heir's reports count as newer than all others."""
        damaged: list[Path] = []
        folder = self.root / campaign
        paths = set(folder.glob("[0-9]*/report.yaml"))
        # If the newest report was deleted, it is missed. If the campaign's whole folder was put away, no report is
        # missed.
        if (filed := self.store.fact(self.filed_fact(campaign, seat))) and folder.is_dir():
            paths.add(folder / filed / "report.yaml")
        moderator = self.moderator_of(campaign) if self.heirs_of(campaign) else None
        former: Path | None = None
        for path in sorted(paths, reverse=True):
            if not is_sound(path, campaign):
                # Only the folder's name can tell for which seat a damaged report was.
                damaged += [path] if self.is_folder_of(path.parent.name, campaign, seat) else []
            elif not self.has_several(campaign) or guidance_in(path).seat == seat:
                if moderator in (None, guidance_in(path).moderator):
                    return NewestReport(path, damaged)
                former = former or path
        return NewestReport(former, damaged)

    def is_folder_of(self, folder: str, campaign: str, seat: str) -> bool:
        """Return whether a folder may have mails for the seat, judged by the folder's name."""
        _, _, named = folder.partition("-")
        return named in ("", seat) or named not in self.seats().get(campaign, ())

    def folder_for(self, number: str, campaign: str, seat: str) -> str:
        """Return the name of the folder for a seat's mail: the number, with the seat if the player has several."""
        return f"{number}-{seat}" if seat and self.has_several(campaign) else number

    def filed_fact(self, campaign: str, seat: str) -> str:
        """Return the key under which the store keeps the folder of a seat's newest report."""
        return f"filed {campaign} {seat}" if self.has_several(campaign) else f"filed {campaign}"

    def report_of_sender(self, letter: Letter) -> Path | None:
        """Return the newest sound report for the seat that has sent a letter, or None."""
        return self.last_report(letter.campaign, letter.sender)[0]
