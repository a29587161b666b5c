"""Keys of a player: the key that the settings name, the keys before it, and the keys that have replaced it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pbem.campaign.players.finding_notes import key_places
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.office.counter import Counter
from pbem.player.keyring import public_half
from pbem.seal.keys import PrivateKey, PublicKey


class OwnKeys:
    """Keys of one player, found by the paths of their files."""

    def __init__(self, office: Counter) -> None:
        self.office = office
        self.first_place = office.key_place
        self.places: Sequence[Path] = [self.first_place]
        self.opened: dict[Path, PrivateKey] = {}
        self.closed: dict[Path, Wrong] = {}
        self.look()

    @property
    def opening(self) -> Sequence[PrivateKey]:
        """Private keys with which sealed files in incoming mails are opened."""
        return [self.office.key, *self.opened.values()]

    def look(self) -> None:
        """Open the player's earlier and later keys, which are named in the notes beside the known keys. If a key cannot
        be opened, store the reason in `closed`."""
        self.places = key_places(self.first_place)
        self.opened.clear()
        self.closed.clear()
        for path in self.places:
            if path != self.first_place.absolute():
                try:
                    self.opened[path] = self.office.key_at(path)
                except (PbemError, OSError) as error:
                    why = error.faults[0].message if isinstance(error, PbemError) else reason_of(error)
                    self.closed[path] = wrong("W-OFFICE-NEXT-KEY", file=str(path), why=why)

    def doubt_closed(self) -> None:
        """Note a doubt about each key that could not be opened. End the doubts about all other keys."""
        doubts = self.office.doubts
        for about in doubts.subjects("", "W-OFFICE-NEXT-KEY"):
            if Path(about) not in self.closed:
                doubts.settle("", about=about)
        for path, doubt in self.closed.items():
            doubts.note("", doubt, str(path))

    def public_of(self, place: Path) -> PublicKey | None:
        """Return the public half of a player's key. Return None if the key could not be opened and no file has its
        public half."""
        if place == self.first_place.absolute():
            return self.office.key.public
        return self.opened[place].public if place in self.opened else public_half(place)

    def public(self) -> list[PublicKey]:
        """Return the public halves of the player's keys, as far as they are known."""
        return [key for place in self.places if (key := self.public_of(place))]
