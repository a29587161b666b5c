"""Reports that a player's office has filed. They show the player's seats, and for each seat the folders and the newest
undamaged report."""

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
    """Reports that one player's office has filed, to be found by campaign and seat."""

    def __init__(self, root: Path, keys: OwnKeys, first_seat: str, store: Store) -> None:
        """Store the folder of all campaigns, the player's keys, which have notes on campaigns beside them, the seat
        that comes first, and the memory."""
        self.root = root
        self.keys = keys
        self.first_seat = first_seat
        self.store = store
        self.readers: dict[Path, tuple[str, str]] = {}
        self.settled: set[tuple[str, str]] = set()

    def notes(self, campaign: str, seat: str) -> CampaignNotes | None:
        """Return the notes on a seat that lie beside its newest key. Return None if there are none."""
        found = self.keys_in_turn(campaign, seat)
        return found[-1][1] if found else None

    def keys_in_turn(self, campaign: str, seat: str) -> list[tuple[Path, CampaignNotes]]:
        """Return the player's keys for a seat, each with its notes, the oldest key first. If the seats were drawn by
        lot after the player joined, the stored notes name the seat for which the player joined. The returned notes name
        `seat`."""
        noted = self.noted_seats().get(campaign, {}).get(seat, seat)
        found = keys_in_turn(self.keys.places, campaign, noted)
        return [(place, replace(notes, seat=seat)) for place, notes in found]

    def seats(self) -> dict[str, list[str]]:
        """Return a dict from each campaign to the player's seats in it. The seat that the settings name comes first."""
        return {
            campaign: sorted(seats, key=lambda seat: seat != self.first_seat)
            for campaign, seats in self.noted_seats().items()
        }

    def noted_seats(self) -> dict[str, dict[str, str]]:
        """Return the player's seats in each campaign, each with the name of the seat under which the notes are stored.
        This is another seat if the player got the seat when lots were drawn, and has not yet signed a letter for it."""
        found: dict[str, dict[str, str]] = {}
        for campaign, seat in dict.fromkeys(each for key in self.keys.places for each in noted_campaigns(key)):
            found.setdefault(campaign, {})[seat] = seat
        for campaign, seats in found.items():
            free = [seat for seat in seats if self.is_free(campaign, seat)] if len(seats) > 1 else []
            told = self.seats_told(campaign) if free else set()
            # If the lot gives the player a seat for which he had joined anyway, the notes on this seat are not moved.
            moving = [seat for seat in free if seat not in told]
            for joined, drawn in zip(moving, sorted(told - seats.keys()), strict=False):
                del seats[joined]
                seats[drawn] = joined
        return found

    def is_free(self, campaign: str, seat: str) -> bool:
        """Return True if notes on a seat may still be moved to another seat, because it depends on a lot which seat the
        player gets."""
        # Notes that cannot be moved any more remain so. They may be large, so they are not read again.
        if (campaign, seat) not in self.settled:
            if any(notes.is_free for _, notes in keys_in_turn(self.keys.places, campaign, seat)[-1:]):
                return True
            self.settled.add((campaign, seat))
        return False

    def seats_told(self, campaign: str) -> set[str]:
        """Return the seats for which reports have come to one of the player's keys since the game began."""
        for path in (self.root / campaign).glob("[0-9]*/report.yaml"):
            if path not in self.readers and is_sound(path, campaign) and (guide := guidance_in(path)).stage:
                self.readers[path] = (guide.seat, guide.key)
        own = {key.fingerprint for key in self.keys.public()}
        return {
            seat for path, (seat, key) in self.readers.items() if path.parent.parent.name == campaign and key in own
        }

    def is_mine(self, campaign: str, seat: str) -> bool:
        """Return True if a seat is the player's, or may still become his when lots are drawn."""
        return seat in self.seats().get(campaign, (seat,)) or self.awaits_lot(campaign)

    def awaits_lot(self, campaign: str) -> bool:
        """True if the player waits for the lot that decides his seat: no report and no signed letter shows the seat
        yet."""
        noted = [self.notes(campaign, seat) for seat in self.seats().get(campaign, ())]
        waiting = {notes.seat for notes in noted if notes and notes.awaits_lot and notes.signed is None}
        return bool(waiting) and not waiting <= self.seats_told(campaign)

    def has_joined(self, campaign: str, seat: str) -> bool:
        """Return True if the player has joined a campaign, and this seat is his or may still become his when lots are
        drawn."""
        return campaign in self.seats() and self.is_mine(campaign, seat)

    def has_several(self, campaign: str) -> bool:
        return len(self.seats().get(campaign, ())) > 1

    def label(self, campaign: str, seat: str) -> str:
        """Return the name of a campaign as lines about a seat have it. The seat is added if the player has several
        seats."""
        return f"{campaign}, {seat}" if self.has_several(campaign) else campaign

    def moderator_of(self, campaign: str) -> PublicKey | None:
        """Return the key of a campaign's moderator. Return None if the player has not joined the campaign yet."""
        notes = [self.notes(campaign, seat) for seat in self.seats().get(campaign, ())[:1]]
        return PublicKey.parse(notes[0].moderator) if notes and notes[0] else None

    def heirs_of(self, campaign: str) -> int:
        """Return the number of moderators that a campaign had before the present one. Return 0 if there are no notes on
        the campaign."""
        notes = [self.notes(campaign, seat) for seat in self.seats().get(campaign, ())[:1]]
        return len(notes[0].former) if notes and notes[0] else 0

    def last_report(self, campaign: str, seat: str) -> NewestReport:
        """Return the newest report for a seat. If an heir has taken over, reports of the heir count as newer than all
        earlier ones."""
        damaged: list[Path] = []
        folder = self.root / campaign
        paths = set(folder.glob("[0-9]*/report.yaml"))
        # If the newest report was deleted, it counts as missing. If the whole folder of the campaign was put away, no
        # report counts as missing.
        if (filed := self.store.fact(self.filed_fact(campaign, seat))) and folder.is_dir():
            paths.add(folder / filed / "report.yaml")
        moderator = self.moderator_of(campaign) if self.heirs_of(campaign) else None
        former: Path | None = None
        for path in sorted(paths, reverse=True):
            if not is_sound(path, campaign):
                # A damaged report can be matched with its seat only by the name of its folder.
                damaged += [path] if self.is_folder_of(path.parent.name, campaign, seat) else []
            elif not self.has_several(campaign) or guidance_in(path).seat == seat:
                if moderator in (None, guidance_in(path).moderator):
                    return NewestReport(path, damaged)
                former = former or path
        return NewestReport(former, damaged)

    def is_folder_of(self, folder: str, campaign: str, seat: str) -> bool:
        """Return True if a folder may have mails for this seat. Only the folder's name is looked at."""
        _, _, named = folder.partition("-")
        return named in ("", seat) or named not in self.seats().get(campaign, ())

    def folder_for(self, number: str, campaign: str, seat: str) -> str:
        """Return the name of the folder for a mail to a seat. It consists of the number, and of the seat if the player
        has several seats."""
        return f"{number}-{seat}" if seat and self.has_several(campaign) else number

    def filed_fact(self, campaign: str, seat: str) -> str:
        """Return the key under which the store keeps the folder of a seat's newest report."""
        return f"filed {campaign} {seat}" if self.has_several(campaign) else f"filed {campaign}"

    def report_of_sender(self, letter: Letter) -> Path | None:
        """Return the newest undamaged report for the seat that has sent a letter. Return None if there is no such
        report."""
        return self.last_report(letter.campaign, letter.sender)[0]
