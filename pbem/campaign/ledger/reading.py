"""A campaign as anybody may read it, without a key: its ledger added up. It is `verifying` that checks anything."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from pbem.campaign.clock.timestamps import stamp
from pbem.campaign.disk.atomic import read_whole
from pbem.campaign.disk.folder import Folder, open_folder
from pbem.campaign.ledger.adding_up import add_entry, public_state_at_start
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.campaign.ledger.entries import ENTRY, Entry, file_name, parse_entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import NewRecord, Record
from pbem.campaign.ledger.replaying import making_sense, name_of, record_in
from pbem.campaign.settings import Settings
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.seal.keys import PublicKey

FIRST = file_name(1, "new")
"""The file with which every ledger begins."""


class Reading:
    """What the ledger of a folder says now."""

    def __init__(self, folder: Folder, now: datetime, walked: Iterable[Entry] = ()) -> None:
        """Read every entry, or take those that somebody has read and verified just now."""
        self.folder = folder
        self.now = now
        self.walked = walked
        self.ledger = Ledger(folder.ledger, first_of(folder)[0].campaign)
        self.entries: list[tuple[Entry, Record]] = []
        self.people: list[dict[str, str]] = []
        """Who sat in each seat when an entry was made: that is whom it is of."""
        self.public = self.added_up()

    @property
    def settings(self) -> Settings:
        """What was agreed."""
        return self.public.settings

    @property
    def head(self) -> Head:
        """The last entry."""
        last, _ = self.entries[-1]
        return Head(last.number, last.hash)

    def added_up(self) -> PublicState:
        """The public state that the entries lead to."""
        _, first = first_of(self.folder)
        public = public_state_at_start(first)
        for entry in self.walked or self.ledger.entries():
            record = record_in(entry)
            with making_sense(name_of(entry)):
                add_entry(public, entry.number, stamp(entry.time), record, entry.hash)
            self.entries.append((entry, record))
            self.people.append({seat: who.name for seat, who in public.players.items()})
        return public


def first_of(folder: Folder) -> tuple[Entry, NewRecord]:
    """The entry with which the ledger begins."""
    entry = parse_entry(read_whole(folder.ledger / FIRST, ENTRY.size), FIRST)
    record = record_in(entry)
    if not isinstance(record, NewRecord):
        raise Refused(FIRST, [wrong("E-LEDGER-FORM.settings")])
    return entry, record


def founder_of(root: Path) -> PublicKey:
    """The key of the moderator who began the campaign in a folder."""
    _, record = first_of(open_folder(root))
    return PublicKey.parse(record.moderator)


def read_folder(root: Path, now: datetime) -> Reading:
    return Reading(open_folder(root), now)
