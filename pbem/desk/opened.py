"""Descriptions of opened files, as the page gets them."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.moderators import Met
from pbem.desk.steps import Step
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong


class Sitting(Struct, frozen=True):
    """Description of an opened table that stays the same while orders are written."""

    kind: str
    campaign: str
    seat: str
    name: str
    """Name of the seat."""
    powers: tuple[Power, ...]
    power_names: dict[Power, str]
    called: dict[str, str]
    """Names of the pieces that are called otherwise than in orders."""
    stage: str
    deadline: str
    """The moment until which orders are taken, in universal time; nothing if there is none."""
    owing: tuple[str, ...]
    """The seats whose orders are waited for, as they are called."""
    mine: bool
    """True if this reader plays it."""
    steps: list[Step]
    """Passages of the account, as far as they are known here."""
    over: bool
    """True if such a game is over."""
    moderator: str
    """The fingerprint of the moderator's key; nothing where nobody has signed what was opened."""
    met: Met | None
    """Acquaintance with that key."""
    sealing: str
    """The one who may open sealed parts: the moderator, or nobody before they are revealed."""
    locked: bool
    """True if sealed parts are to be revealed now, and a key has to be opened for it."""


class Invited(Struct, frozen=True):
    """Offer of an invitation."""

    campaign: str
    name: str
    """Name of the seat."""
    host: str
    """Name of the moderator, if the invitation gives one."""
    moderator: str
    """The fingerprint of the moderator's key."""
    met: Met | None
    """Acquaintance with that key; nothing if the campaign is new."""


class Written(Struct, frozen=True):
    """Letter that was given as a file, and lies on top as the draft."""


class Closed(Struct, frozen=True):
    """Sealed file without the key that opens it."""

    why: Wrong | None = None
    """Reason for which the key that is here does not open it."""
