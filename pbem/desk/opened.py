"""Descriptions of opened files, as the page gets them."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.moderators import Acquaintance
from pbem.desk.motions import Motions
from pbem.desk.steps import Step
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong


class Sitting(Struct, frozen=True):
    """Description of an opened table. The description stays the same while orders are written."""

    kind: str
    campaign: str
    seat: str
    name: str
    """Name of the seat."""
    powers: tuple[Power, ...]
    power_names: dict[Power, str]
    called: dict[str, str]
    """Names of pieces in the reader's language, where they differ, by their names in orders."""
    stage: str
    motions: Motions | None
    """Open proposals, and what the reader may propose; None where nobody can propose anything."""
    bank: str
    """Time that the reader has in the bank, in words; empty without a bank."""
    deadline: str
    """The moment until which orders are taken, in universal time; empty if there is none."""
    owing: tuple[str, ...]
    """Names of the seats whose orders are awaited."""
    mine: bool
    """True if there is no report, or if the report awaits orders of the reader's seat."""
    steps: list[Step]
    """Passages of the account, as far as the opened file tells them."""
    over: bool
    """True for a game against bots that is over."""
    won: bool | None
    """True if the reader has won, perhaps with others; None without a winner, or as long as the game goes on."""
    address: str
    """Address of the moderator; empty if the report names none."""
    moderator: str
    """The fingerprint of the moderator's key; empty for an unsigned file."""
    met: Acquaintance | None
    """The moderator's key as the player has accepted it; None if it is unknown."""
    signing: str
    """`on` if letters have to be signed; empty without a report."""
    sealing: str
    """The one who may open sealed parts: the moderator, or nobody before they are revealed."""
    locked: bool
    """True if the player has to reveal sealed parts now."""


class Offer(Struct, frozen=True):
    """Seat that an invitation offers."""

    campaign: str
    name: str
    """Name of the seat."""
    open: bool
    """True if anybody may take the seat."""
    host: str
    """Name of the moderator, if the invitation gives one."""
    address: str
    """Address to which the letter that takes the seat is sent; empty if the invitation names none."""
    moderator: str
    """The fingerprint of the moderator's key."""
    met: Acquaintance | None
    """The moderator's key as the player has accepted it; None for a new campaign."""


class LoadedDraft(Struct, frozen=True):
    """Result of opening a letter of orders or plans: the letter has become the draft on top."""


class SealedFile(Struct, frozen=True):
    """Result of opening a sealed file whose key is missing."""

    why: Wrong | None = None
    """Reason for which the loaded key does not open the file; None if no key is loaded."""
