"""Functions that the page calls for the notebook, which is made from reports, and for the player's own notes beside it.

The notes stay in the page, and are never put into a letter.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from pbem.bots.imagining import facts_in
from pbem.campaign.players.guidance import KINDS
from pbem.desk.long_acts import ReportFile, ReportsQuestion
from pbem.desk.shared_bridge import SharedBridge
from pbem.paper.documents.faults import Refused
from pbem.player.files import GivenFile
from pbem.player.own_notes import notes_file, notes_in, subject_of
from pbem.player.report_files import entry_of
from pbem.player.tables import kind_of, trusted_guide
from pbem.post.boxes import only_boxes, unsealed_content
from pbem.seal.faults import BoxFault
from pbem.seal.keys import PrivateKey

NOTES = "notes"

MOST_BYTES = 4_000_000
"""Largest number of bytes that are unpacked from a stored report."""


class KeptReport(Struct, frozen=True):
    """Report in the form in which the browser stores it."""

    name: str
    packed: str
    """Content of the file as it came, compressed, in base 64."""


class NotebookBridge(SharedBridge):
    """Part of the bridge: functions for the notebook."""

    def do_report_name(self) -> object:
        """Return the campaign and seat of the opened report, the report's name in the browser, and whether it came
        sealed."""
        seen = self.desk.opened.seen
        assert seen
        seat = f"{seen.campaign}.{seen.seat}"
        return {"seat": seat, "name": f"{seat}.{entry_of(seen)}", "sealed": self.desk.came_sealed}

    def do_pack(self, data: str) -> object:
        """Return a file (in base 64) in the form in which the browser stores it: compressed, in base 64."""
        return base64.b64encode(zlib.compress(base64.b64decode(data), 9)).decode()

    def do_reports(self, newest: dict[str, str], others: Sequence[dict[str, str]]) -> object:
        """Return the question from which the notebook is made, and the names of the reports that could not be opened.
        The question is None if the newest report cannot be opened."""
        kept = [msgspec.convert(each, KeptReport) for each in (newest, *others)]
        opened = [opened_report(each, self.desk.key) for each in kept]
        first, *rest = opened
        question = ReportsQuestion(self.desk.language, first, tuple(each for each in rest if each)) if first else None
        closed = [each.name for each, found in zip(kept, opened, strict=True) if found is None]
        return {"question": question, "closed": closed}

    def do_count_from(self, entry: int, kept: dict[str, str]) -> object:
        """Show only events after an earlier report as new, and return the opened table's data. `kept` is the earlier
        report from the browser, and `entry` the number of its last entry. Return None if the opened report does not
        follow that report."""
        opened = self.desk.opened
        seen, report = opened.seen, msgspec.convert(kept, KeptReport)
        if seen is None or seen.since is None or seen.since >= entry:
            return None
        if (file := opened_report(report, self.desk.key)) is None:
            return None
        try:
            earlier = trusted_guide(GivenFile(file.name, base64.b64decode(file.data)))
        except Refused:
            return None
        is_same = (earlier.campaign, earlier.seat, earlier.moderator) == (seen.campaign, seen.seat, seen.moderator)
        return {"sitting": self.desk.sitting()} if is_same and opened.count_from(earlier) else None

    def do_take_facts(self, facts: str) -> object:
        """Store the facts that follow from all reports up to the opened report."""
        self.desk.opened.facts = facts_in(facts)
        return True

    def do_note_subject(self, written: str) -> object:
        """Return the city, power or turn that `written` names, as the file of notes spells it; raises `Refused` if it
        names none."""
        return subject_of(written, self.desk.table.rules)

    def do_notes_file(self, notes: Mapping[str, str]) -> object:
        """Return a file with the player's own `notes`."""
        return notes_file(notes, NOTES).decode()

    def do_notes_in(self, data: str, name: str) -> object:
        """Return the player's own notes in a file (in base 64)."""
        return notes_in(base64.b64decode(data), name)


def opened_report(kept: KeptReport, key: PrivateKey | None) -> ReportFile | None:
    """Return a report that the browser has stored. Return None if it is damaged, or if the key does not open it."""
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(kept.packed), MOST_BYTES)
        if boxes := only_boxes(data):
            documents = [unsealed_content(box, key) for box in boxes] if key else []
            data = next(each for each in documents if kind_of(each) in KINDS)
        return ReportFile(kept.name, base64.b64encode(data).decode())
    except (zlib.error, ValueError, BoxFault, StopIteration):
        return None
