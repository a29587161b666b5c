"""Sheets that a campaign has sent. With them, the program recognizes letters that only quote a sheet."""

from __future__ import annotations

from glob import escape
from pathlib import Path

from pbem.paper.found import FoundLetter
from pbem.post.extract import extract

FILES = (
    "{}.orders.yaml",
    "{}.plan.yaml",
    "{}.txt",
    "{}-reminder.txt",
    "{}-invitation.join.yaml",
    "everybody-{}-invitation.join.yaml",
    "{}-offer-[0-9]*.agreement.yaml",
)
"""Patterns of the names of files in an outbox. Such a file has a sheet for the seat, or an agreement that is offered to
the seat."""

LAST = 3
"""Number of files that are read for each pattern. The newest files are read."""


class SentSheets:
    """Sheets in an outbox. Of the sheets for each seat, only the newest `LAST` files for each pattern in `FILES` are
    read. They are read when the first letter of the seat is checked. Sheets that are written later are not noticed."""

    def __init__(self, outbox: Path) -> None:
        self.outbox = outbox
        self.known: dict[str, frozenset[str]] = {}

    def has(self, found: FoundLetter) -> bool:
        """True if a letter is only a quoted or forwarded copy of a sheet for the letter's sender, and nothing is filled
        in."""
        if not found.letter or not (found.is_quoted or found.is_forwarded):
            return False
        seat = found.letter.sender
        if seat not in self.known:
            self.known[seat] = frozenset(self.identities(seat))
        return found.identity in self.known[seat]

    def identities(self, seat: str) -> list[str]:
        names = [name.format(escape(seat)) for name in FILES]
        paths = [path for name in names for path in sorted(self.outbox.glob(f"*/{name}"))[-LAST:]]
        return [each.identity for path in paths for each in extract(path.read_bytes(), path.name).letters]
