"""Letters and addresses found in a mail, a web page or a text."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct

from pbem.faults.wrong import Words, Wrong, printable
from pbem.paper.documents.faults import Fault
from pbem.paper.letters import Letter, letter_id

_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_DOMAIN = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
_ADDRESS = re.compile(rf"{_LOCAL}@{_DOMAIN}")
_LONGEST = 254
_LONGEST_LOCAL = 64


def is_address(text: str) -> bool:
    """True if the text is one mail address in plain ASCII, and nothing else."""
    if len(text) > _LONGEST or text.find("@") > _LONGEST_LOCAL:
        return False
    # Python's library for mail also decodes encoded words (`=?`) in addresses, and then fails.
    return "=?" not in text and bool(_ADDRESS.fullmatch(text))


_CLAIM = re.compile(
    r"\b(campaign|from|seq)[\"']?[ \u00a0]*:[ \u00a0]*[\"']?([A-Za-z0-9][A-Za-z0-9-]{0,39})\b", re.IGNORECASE
)
_MOST_OF_CLAIM = 20_000
"""Number of characters at the beginning of a damaged letter in which the letter's head is sought."""


_SECRET_KIND = re.compile(
    r"\bkind[\"']?[ \u00a0]*:[ \u00a0]*[\"']?(join|key-change|reveal|succession)\b", re.IGNORECASE
)
"""Pattern of the key `kind` with a kind of letter whose body may hold secrets: tokens, salts, sealed orders."""


class ClaimedHead(Struct, frozen=True):
    """Campaign, sender and number in the head of a letter, perhaps damaged. They may be false."""

    campaign: str = ""
    sender: str = ""
    seq: int = 0


class FoundLetter(Struct, frozen=True):
    """Letter found in a mail, without the text around it."""

    text: str
    part: Words | str
    """Part of the mail in which the letter was found; empty if the mail has only one part."""
    line: int
    """Number of the line on which the letter begins, in its part of the mail."""
    is_quoted: bool = False
    """True if the letter stands in a quotation. It may then be an old letter that an answer repeats, or a form that the
    sender has filled in."""
    is_forwarded: bool = False
    """True if the letter stands in another mail, which is attached to this mail."""
    is_signed: bool = False
    is_of_page: bool = False
    """True if the letter comes from a web page (HTML). Some of its text may then be missing."""
    notes: tuple[str, ...] = ()
    """Descriptions of the changes that were made to the text so that it could be read as a letter."""
    letter: Letter | None = None
    """The letter with its places in the part of the mail; None if it cannot be read."""
    faults: tuple[Wrong, ...] = ()
    """Reasons why the letter cannot be read."""

    @property
    def identity(self) -> str:
        """Text that is the same for all copies of one letter, and differs between letters."""
        return letter_id(self.letter) if self.letter else self.text

    def quoted(self, faults: Iterable[Wrong]) -> dict[int, str]:
        """Return the lines of the letter to which `faults` point, keyed by line number; none if the letter's body may
        hold secrets."""
        if _SECRET_KIND.search(self.text):
            return {}
        lines = self.text.split("\n")
        places = {fault.line for fault in faults if isinstance(fault, Fault) and fault.line}
        inside = {number: lines[number - self.line] for number in places if 0 <= number - self.line < len(lines)}
        return {number: printable(line.strip()) for number, line in inside.items() if line.strip()}

    @property
    def claim(self) -> ClaimedHead:
        """Campaign, sender and number as far as they can be read."""
        if self.letter:
            return ClaimedHead(self.letter.campaign, self.letter.sender, self.letter.seq)
        said: dict[str, str] = {}
        for key, value in _CLAIM.findall(self.text[:_MOST_OF_CLAIM]):
            said.setdefault(key.casefold(), value.casefold())
        seq = said.get("seq", "")
        return ClaimedHead(
            said.get("campaign", ""), said.get("from", ""), int(seq) if seq.isdecimal() and len(seq) < 11 else 0
        )
