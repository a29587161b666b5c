"""Letters and mail addresses that were found in a mail, a web page or a text."""

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
    """True if a text is nothing but one mail address in plain ASCII."""
    if len(text) > _LONGEST or text.find("@") > _LONGEST_LOCAL:
        return False
    # Python's library for mail would decode encoded words (`=?`) in an address, and then fail.
    return "=?" not in text and bool(_ADDRESS.fullmatch(text))


_CLAIM = re.compile(
    r"\b(kind|campaign|from|seq)[\"']?[ \u00a0]*:[ \u00a0]*[\"']?([A-Za-z0-9][A-Za-z0-9-]{0,39})\b", re.IGNORECASE
)
_MOST_OF_CLAIM = 20_000
"""Number of characters in which the head of a damaged letter is looked for, counted from the beginning."""


_SECRET_KIND = re.compile(
    r"\bkind[\"']?[ \u00a0]*:[ \u00a0]*[\"']?(join|key-change|reveal|succession)\b", re.IGNORECASE
)
"""Pattern of the key `kind` with a kind of letter whose body may contain secrets, such as tokens, salts or sealed
orders."""


class ClaimedHead(Struct, frozen=True):
    """Campaign, sender, number and kind that the head of a letter gives. The letter may be damaged, and the values may
    be false."""

    campaign: str = ""
    sender: str = ""
    seq: int = 0
    kind: str = ""


class FoundLetter(Struct, frozen=True):
    """Letter that was found in a mail, without the text around it."""

    text: str
    part: Words | str
    """Part of the mail in which the letter was found. It is empty if the mail has only one part."""
    line: int
    """Number of the line on which the letter begins, counted in its part of the mail."""
    is_quoted: bool = False
    """True if the letter was quoted. It may be an old letter that an answer repeats, or lines that the sender has
    filled in."""
    is_forwarded: bool = False
    """True if the letter was in another mail, which is attached to this mail."""
    is_signed: bool = False
    is_of_page: bool = False
    """True if the letter was in a web page (HTML). Parts of its text may be missing then."""
    notes: tuple[str, ...] = ()
    """Changes that were made to the text so that it could be read as a letter, each described in words."""
    letter: Letter | None = None
    """Letter itself. Its places are those in the part of the mail. It is None if the letter cannot be read."""
    faults: tuple[Wrong, ...] = ()
    """Reasons why the letter cannot be read."""

    @property
    def identity(self) -> str:
        """Text that is the same for all copies of one letter. Different letters have different texts."""
        return letter_id(self.letter) if self.letter else self.text

    def quoted(self, faults: Iterable[Wrong]) -> dict[int, str]:
        """Return those lines of the letter in which `faults` were found, keyed by line number. Return an empty dict if
        the body of the letter may contain secrets."""
        if _SECRET_KIND.search(self.text):
            return {}
        lines = self.text.split("\n")
        places = {fault.line for fault in faults if isinstance(fault, Fault) and fault.line}
        inside = {number: lines[number - self.line] for number in places if 0 <= number - self.line < len(lines)}
        return {number: printable(line.strip()) for number, line in inside.items() if line.strip()}

    @property
    def claim(self) -> ClaimedHead:
        """Campaign, sender, number and kind, as far as they can be read."""
        if self.letter:
            return ClaimedHead(self.letter.campaign, self.letter.sender, self.letter.seq, self.letter.kind)
        said: dict[str, str] = {}
        for key, value in _CLAIM.findall(self.text[:_MOST_OF_CLAIM]):
            said.setdefault(key.casefold(), value.casefold())
        seq = said.get("seq", "")
        number = int(seq) if seq.isdecimal() and len(seq) < 11 else 0
        return ClaimedHead(said.get("campaign", ""), said.get("from", ""), number, said.get("kind", ""))
