"""Keys of a player: the key in the settings, the keys before it, and the keys that have replaced it."""

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
    """Keys of one player by the paths of their files."""

    def __init__(self, office: Counter) -> None:
        self.office = office
        self.first_place = office.key_place
        self.places: Sequence[Path] = [self.first_place]
        self.opened: dict[Path, PrivateKey] = {}
        self.closed: dict[Path, Wrong] = {}
        self.look()

    @property
    def opening(self) -> Sequence[PrivateKey]:
        """Private keys that open sealed files in incoming mails."""
        return [self.office.key, *self.opened.values()]

    def look(self) -> None:
        """Find the player's earlier and later keys in the notes beside the keys, and open them. A key that cannot be
        opened is kept in `closed`, with the reason."""
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
        """Note a doubt about each key that cannot be opened, and end all other such doubts."""
        doubts = self.office.doubts
        for about in doubts.subjects("", "W-OFFICE-NEXT-KEY"):
            if Path(about) not in self.closed:
                doubts.settle("", about=about)
        for path, doubt in self.closed.items():
            doubts.note("", doubt, str(path))

    def public_of(self, place: Path) -> PublicKey | None:
        """Return the public half of a key of the player; None if the key cannot be opened and no file has the public
        half."""
        if place == self.first_place.absolute():
            return self.office.key.public
        return self.opened[place].public if place in self.opened else public_half(place)

    def public(self) -> list[PublicKey]:
        """Return the known public halves of all keys."""
        return [key for place in self.places if (key := self.public_of(place))]
