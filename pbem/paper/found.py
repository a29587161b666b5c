"""Letters as they are found in a mail, a page or a text: what they say, or why they cannot be read, and where."""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.faults.wrong import Words, Wrong
from pbem.paper.letters import Letter, letter_id

_CLAIM = re.compile(
    r"\b(campaign|from|seq)[\"']?[ \u00a0]*:[ \u00a0]*[\"']?([A-Za-z0-9][A-Za-z0-9-]{0,39})\b", re.IGNORECASE
)
_MOST_OF_CLAIM = 20_000
"""In so much of a damaged letter its head is looked for."""


class ClaimedHead(Struct, frozen=True):
    """For which campaign and from whom a letter says that it is, however damaged; nothing of it is certain."""

    campaign: str = ""
    sender: str = ""
    seq: int = 0


class FoundLetter(Struct, frozen=True):
    """One letter, freed from its surroundings."""

    text: str
    part: Words | str
    """Which part of the message held it; nothing where there is only one."""
    line: int
    """The line of that part on which the letter begins."""
    is_quoted: bool = False
    """Whether it stands in a quotation: perhaps only repeated, perhaps filled in there."""
    is_signed: bool = False
    is_of_page: bool = False
    """Whether it comes out of a page (HTML), where nobody can know what was lost."""
    notes: tuple[str, ...] = ()
    """What was done to the copy on the way to this text."""
    letter: Letter | None = None
    """What it says, with the places of the part that held it."""
    faults: tuple[Wrong, ...] = ()
    """Why it cannot be read."""

    @property
    def identity(self) -> str:
        """What all copies of one letter have in common."""
        return letter_id(self.letter) if self.letter else self.text

    @property
    def claim(self) -> ClaimedHead:
        """What it says of itself, as far as that can be made out."""
        if self.letter:
            return ClaimedHead(self.letter.campaign, self.letter.sender, self.letter.seq)
        said: dict[str, str] = {}
        for key, value in _CLAIM.findall(self.text[:_MOST_OF_CLAIM]):
            said.setdefault(key.casefold(), value.casefold())
        seq = said.get("seq", "")
        return ClaimedHead(
            said.get("campaign", ""), said.get("from", ""), int(seq) if seq.isdecimal() and len(seq) < 11 else 0
        )
