"""Letters and addresses as they are found in a mail, a page or a text: their content or their faults, and their
places.
"""

from __future__ import annotations

import re

from msgspec import Struct

from pbem.faults.wrong import Words, Wrong
from pbem.paper.letters import Letter, letter_id

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
_ADDRESS = re.compile(rf"{_LOCAL}@{_DOMAIN}")
_LONGEST = 254
_LONGEST_LOCAL = 64


def is_address(text: str) -> bool:
    """True if a mail can be sent there: one address, plain ASCII, without a name or anything else."""
    if len(text) > _LONGEST or text.find("@") > _LONGEST_LOCAL:
        return False
    # Words that are encoded for headers are decoded in addresses as well by the library for mail, which then fails.
    return "=?" not in text and bool(_ADDRESS.fullmatch(text))


_CLAIM = re.compile(
    r"\b(campaign|from|seq)[\"']?[ \u00a0]*:[ \u00a0]*[\"']?([A-Za-z0-9][A-Za-z0-9-]{0,39})\b", re.IGNORECASE
)
_MOST_OF_CLAIM = 20_000
"""Characters of a damaged letter that are searched for its head."""


class ClaimedHead(Struct, frozen=True):
    """Campaign and sender that a letter names, however damaged it is; nothing of this is certain."""

    campaign: str = ""
    sender: str = ""
    seq: int = 0


class FoundLetter(Struct, frozen=True):
    """One letter without the text around it."""

    text: str
    part: Words | str
    """Part of the message that contained it; empty if there is only one."""
    line: int
    """Line of that part on which the letter begins."""
    is_quoted: bool = False
    """True if it stands in a quotation: perhaps only repeated, perhaps filled in there."""
    is_forwarded: bool = False
    """True if it stands in a mail that is attached to the message."""
    is_signed: bool = False
    is_of_page: bool = False
    """True if it comes from a page (HTML), where nobody can know what was lost."""
    notes: tuple[str, ...] = ()
    """Changes that were made to the copy on the way to this text."""
    letter: Letter | None = None
    """Its content, with the places in the part that contained it."""
    faults: tuple[Wrong, ...] = ()
    """Reasons why it cannot be read."""

    @property
    def identity(self) -> str:
        """Key that all copies of one letter share."""
        return letter_id(self.letter) if self.letter else self.text

    @property
    def claim(self) -> ClaimedHead:
        """The head that it claims, as far as it can be read."""
        if self.letter:
            return ClaimedHead(self.letter.campaign, self.letter.sender, self.letter.seq)
        said: dict[str, str] = {}
        for key, value in _CLAIM.findall(self.text[:_MOST_OF_CLAIM]):
            said.setdefault(key.casefold(), value.casefold())
        seq = said.get("seq", "")
        return ClaimedHead(
            said.get("campaign", ""), said.get("from", ""), int(seq) if seq.isdecimal() and len(seq) < 11 else 0
        )
