"""What comes in, and what is said of it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.campaign.play.adjudicating import Receipt
from pbem.faults.wrong import Wrong
from pbem.paper.found import FoundLetter

UNFINISHED = ("E-TEXT-MANY", "E-TEXT-SIZE")
"""What says of a text or page that there may be letters in it that were not read."""


class Arrival(Struct, frozen=True):
    """A message that came in, and what was found in it."""

    where: str
    data: bytes
    letters: tuple[FoundLetter, ...] = ()
    unread: tuple[FoundLetter, ...] = ()
    """What looks like a letter and could not be read."""
    faults: tuple[Wrong, ...] = ()
    """What is wrong with the message as a whole."""
    sender: str = ""
    """The address that it gives as its sender's; nothing if others may read what goes there."""
    message_id: str = ""
    """How it is called, if it is a mail."""
    answers: bool = False
    """Whether it answers a mail of ours."""
    is_automatic: bool = False
    """Whether a program wrote it, so that an answer might be answered for ever."""

    @property
    def errors(self) -> list[Wrong]:
        """What of it could not be read."""
        return [fault for fault in self.faults if not fault.is_warning]

    @property
    def warnings(self) -> list[Wrong]:
        """What of it was not read, though a letter was."""
        return [fault for fault in self.faults if fault.is_warning]

    @property
    def unfinished(self) -> Wrong | None:
        """Why letters may stand in it that were not read."""
        return next((fault for fault in self.faults if fault.code in UNFINISHED), None)


class LetterAnswer(Struct, frozen=True):
    """A receipt as the moderator is told of it: `discreet`, with the files in which it lies."""

    where: str
    receipt: Receipt
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    sender: str = ""
    """The address from which it came, if it did."""
    is_theirs: bool = False
    """True for an answer to no copy, but to a letter that is from whom it says: nobody else can cause it."""


class Reply(Struct, frozen=True):
    """A receipt on its way back."""

    receipt: Receipt
    sender: str = ""
    """The address to which it goes if it can be laid to no seat."""
    message_id: str = ""
    """The mail that it answers."""
    copy: int = 1
    """Which of several receipts under one entry this is."""


class LeftAlone(Struct, frozen=True):
    """A message in which there is no letter of this campaign."""

    where: str
    sender: str
    codes: tuple[str, ...]


class PassedOver(Struct, frozen=True):
    """A letter that stood beside one that counts, and was neither taken nor refused."""

    where: str
    line: int
    player: str
    why: str


class Unfinished(Struct, frozen=True):
    """A message that was not read to its end."""

    where: str
    fault: Wrong
