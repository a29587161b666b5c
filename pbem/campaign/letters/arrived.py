"""Arrivals, and the answers to them."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from pbem.campaign.play.adjudicating import Receipt
from pbem.faults.wrong import Wrong
from pbem.paper.found import FoundLetter

UNFINISHED = ("E-TEXT-MANY", "E-TEXT-SIZE")
"""Codes of faults that say that a text or page may contain letters that were not read."""


class Arrival(Struct, frozen=True):
    """A message that came in, with everything that was found in it."""

    where: str
    data: bytes
    letters: tuple[FoundLetter, ...] = ()
    unread: tuple[FoundLetter, ...] = ()
    """Texts that look like letters and could not be read."""
    faults: tuple[Wrong, ...] = ()
    """Faults of the message as a whole."""
    sender: str = ""
    """Address that it gives as its sender's; empty if others may read mail to it."""
    message_id: str = ""
    """Its message-id, if it is a mail."""
    answers: bool = False
    """True if it answers a mail of ours."""
    is_automatic: bool = False
    """True if a program wrote it, so that answers might go back and forth for ever."""

    @property
    def errors(self) -> list[Wrong]:
        """Faults of parts that could not be read."""
        return [fault for fault in self.faults if not fault.is_warning]

    @property
    def warnings(self) -> list[Wrong]:
        """Warnings about parts that were not read, though a letter was."""
        return [fault for fault in self.faults if fault.is_warning]

    @property
    def unfinished(self) -> Wrong | None:
        """Reason why it may contain letters that were not read; None if it has none."""
        return next((fault for fault in self.faults if fault.code in UNFINISHED), None)


class LetterAnswer(Struct, frozen=True):
    """A receipt in the form that the moderator may see, with its files."""

    where: str
    receipt: Receipt
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    sender: str = ""
    """Address from which the letter came, if it came by mail."""
    is_theirs: bool = False
    """True if the answer is to a letter from its stated sender, and not to a copy: nobody else can cause it."""


class Reply(Struct, frozen=True):
    """A receipt to be sent."""

    receipt: Receipt
    sender: str = ""
    """Address for a receipt that belongs to no seat."""
    message_id: str = ""
    """Message-id of the mail that it answers."""
    copy: int = 1
    """Number among several receipts under one entry."""


class LeftAlone(Struct, frozen=True):
    """A message without a letter of this campaign."""

    where: str
    sender: str
    codes: tuple[str, ...]


class PassedOver(Struct, frozen=True):
    """A letter beside one that counts, which was neither taken nor refused."""

    where: str
    line: int
    player: str
    why: str


class Unfinished(Struct, frozen=True):
    """A message that was not read to its end."""

    where: str
    fault: Wrong
