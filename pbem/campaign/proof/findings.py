"""What a verification has found, and what it knows while it walks through the ledger."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct, field

from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.chain import Finding
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import (
    CloseRecord,
)
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter

DERIVED = "E-VERIFY-DERIVED"
"""The code where a file beside the ledger says otherwise."""


class Figures(Struct):
    """What was looked at, for people who want to know what "verified" means."""

    entries: int = 0
    letters: int = 0
    """Letters whose signature and content were checked."""
    sealed: int = 0
    """Letters that nobody can read yet, or ever: their entries were checked, not what they say."""
    shuffles: int = 0
    cards: int = 0
    """Cards that were shown and proved to be the ones dealt."""
    adjudications: int = 0
    """Adjudications that were carried out again."""
    seconds: float = 0.0


class Verification(Struct):
    """What verifying a folder has found."""

    campaign: str = ""
    phase: str = ""
    findings: list[Finding] = field(default_factory=list)
    figures: Figures = field(default_factory=Figures)

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong."""
        return not any(not finding.fault.is_warning for finding in self.findings)

    @property
    def has_sound_ledger(self) -> bool:
        """Whether nothing is wrong but files that follow from the ledger, so that reports can be held against it."""
        return all(f.fault.is_warning or f.fault.code == DERIVED for f in self.findings)

    def note(self, file: str, fault: Wrong) -> None:
        """Note what is wrong, or should be known though it is nobody's fault."""
        self.findings.append(Finding(file, fault))


def sound(root: Path, found: Verification) -> Verification:
    """The verification of a folder, in which nothing may be wrong; raises `Refused`."""
    if not found.is_good:
        first = next(finding for finding in found.findings if not finding.fault.is_warning)
        raise Refused(root.name, [wrong("E-EXPORT-UNSOUND", why=first.told())])
    return found


class VerifierState:
    """What one verification of one folder knows so far."""

    def __init__(self, folder: Folder, verification: Verification) -> None:
        """Know nothing yet."""
        self.folder = folder
        self.found = verification
        self.public: PublicState | None = None
        self.letters: dict[int, Letter] = {}
        self.closed: CloseRecord | None = None
        self.published: dict[int, tuple[str, ...]] = {}
        """The hashes published of every shuffle."""
        self.tables: dict[int, dict[int, tuple[str, ...]]] = {}
        """The hashes as they were after every entry to which the game can be turned back."""
        self.deadlines: dict[int, str] = {}
        """The deadlines as they were behind every entry."""
        self.times: list[str] = []
        """Of all entries so far, by every clock."""

    def note(self, entry: Entry, fault: Wrong) -> None:
        """Note something that is wrong with an entry."""
        self.found.note(f"{entry.number:04d}-{entry.kind}.yaml", fault)
