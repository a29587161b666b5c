"""Lines that tell a player the standing of the seat, with the file or the command that answers."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pbem.campaign.letters.letterbox import parts_of
from pbem.campaign.players.standing import SeatStanding, Standing
from pbem.faults.wrong import Gap, Words, printable, shell_word, words
from pbem.office.filing import SHEET, SignedLetter

STANDINGS: dict[Standing, str] = {
    "orders": "office-owed",
    "refused": "office-owed.refused",
    "partly": "office-owed.partly",
    "draft": "office-draft",
    "refused change": "office-change-refused",
    "reveal": "office-reveal",
    "refused reveal": "office-reveal-refused",
    "reveal lost": "office-reveal-lost",
    "shut out": "office-shut-out",
    "in": "office-ordered",
    "nothing": "office-awaits",
    "closed": "office-closed",
    "seat lost": "office-seat-lost",
}
"""Wording of the line on each standing of a seat: the request of the newest report, or the state of the answer."""

ELSEWHERE = {
    "office-reveal": "office-reveal.elsewhere",
    "office-reveal-refused": "office-reveal-refused.elsewhere",
}
"""Wording of the line for a sealed letter that must be revealed, if the letter is not among the office's files."""


def standing_line(campaign: str, found: SeatStanding, report: Path, letters: Iterable[SignedLetter]) -> Words:
    """Return the line on the standing of the player's seat after a report. It names the file or the command that
    answers."""
    key = STANDINGS[found.standing]
    gaps: dict[str, Gap] = {"campaign": campaign, "stage": found.came.stage, "sheet": str(report.parent / SHEET)}
    if found.standing in ("reveal", "refused reveal"):
        # The newest letter with sealed parts is the one that the lock has fixed.
        sealed = [each for each in letters if parts_of(each.letter)]
        sealed = [each for each in sealed if each.letter.stage == found.came.stage and each.is_sound]
        path = max(sealed, key=lambda each: each.letter.seq).path if sealed else None
        files = {"sealed": path, "report": report, "letter": report.parent / "reveal.yaml"}
        gaps |= {name: shell_word(str(file)) for name, file in files.items()}
        key = key if path else ELSEWHERE[key]
    if found.standing == "seat lost":
        gaps |= {"name": printable(found.successor) or words("somebody-else"), "why": printable(found.why)}
    if found.missing:
        gaps["missing"] = found.missing
    return words(key, **gaps)
