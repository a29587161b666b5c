"""What was opened at the desk, as the page is told of it."""

from __future__ import annotations

from msgspec import Struct

from pbem.desk.moderators import Met
from pbem.engine.nouns import Power
from pbem.faults.wrong import Wrong


class Sitting(Struct, frozen=True):
    """What was opened, as far as it stays the same while orders are written."""

    kind: str
    campaign: str
    seat: str
    name: str
    """What the seat is called."""
    powers: tuple[Power, ...]
    power_names: dict[Power, str]
    stage: str
    deadline: str
    """The moment until which orders are taken, in universal time; nothing if there is none."""
    owing: tuple[str, ...]
    """The seats whose orders are waited for, as they are called."""
    mine: bool
    """Whether this reader is one of them."""
    news: list[dict[str, object]]
    """What has happened since orders were given last, in a game for practice."""
    over: bool
    """Whether such a game is over."""
    moderator: str
    """The fingerprint of the moderator's key; nothing where nobody has signed what was opened."""
    met: Met | None
    """What is known of that key."""
    sealing: str
    """Who may open what is sealed: the moderator, or nobody before it is revealed."""
    locked: bool
    """Whether what was sealed is to be shown now."""


class Invited(Struct, frozen=True):
    """What an invitation offers."""

    campaign: str
    name: str
    """What the seat is called."""
    host: str
    """What the moderator is called, if that is told."""
    moderator: str
    """The fingerprint of the moderator's key."""
    met: Met | None
    """What is known of that key; nothing if the campaign is new."""


class Closed(Struct, frozen=True):
    """What was opened is sealed, and the key that opens it is not here."""

    why: Wrong | None = None
    """Why the key that is here does not open it."""
