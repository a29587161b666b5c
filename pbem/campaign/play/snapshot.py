"""Snapshots of a campaign's secret state, and the disagreement of a ledger with what follows from it."""

from __future__ import annotations

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.play.ahead import AheadInUse
from pbem.campaign.proof.drawing import Draws
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.faults.wrong import PbemError, Words, wrong
from pbem.plans.sight import Tally


class Disagreement(PbemError):
    """Entry of the ledger that does not say what the letters and the secret lead to."""

    def __init__(self, entry: int, what: Words | str) -> None:
        self.entry = entry
        self.what = what
        self.faults = (wrong("E-LEDGER-DISAGREES", entry=entry, what=what),)
        super().__init__(entry, what)


def difference(expected: object, found: object, at: str = "it") -> str:
    """The first place at which two bare trees differ."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted({*expected, *found}):
            if expected.get(key) != found.get(key):
                return difference(expected.get(key), found.get(key), f"{at}.{key}" if at != "it" else key)
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            if one != other:
                return difference(one, other, f"{at}.{place}")
    return f"`{at}`"


class LetterInForce(Struct):
    """A letter with orders or plans that is in force, and what of it is not used up."""

    entry: int
    remains: dict[str, dict[str, int]] | None = None
    reveals: tuple[int, ...] = ()
    """The entries of letters that reveal what was committed to."""


class AheadInForce(Struct):
    """A player's orders ahead that are in force."""

    letters: list[LetterInForce] = field(default_factory=list)
    """Letters that were carried out as far as they are for the stage in which they came, the newest first."""
    in_use: dict[Power, AheadInUse] = field(default_factory=dict)
    """What has become of those that are for the present stage."""


class Snapshot(Struct):
    """A secret state at one moment, as it is written down."""

    # As `secret.age` of earlier versions has it; likewise `force` below.
    public: PublicState = field(name="register")
    secret: str
    root: str = ""
    state: msgspec.Raw = msgspec.Raw(b"null")
    made: dict[int, list[int]] = field(default_factory=dict)
    """The order of the cards in every shuffle, by its number."""
    orders_in_force: dict[str, LetterInForce] = field(default_factory=dict, name="force")
    plans: dict[str, LetterInForce] = field(default_factory=dict)
    """The letters with standing plans that are in force."""
    ahead: dict[str, AheadInForce] = field(default_factory=dict)
    """The orders ahead that are in force, by player."""
    tally: Tally = field(default_factory=Tally)
    draws: Draws | None = None
    """Who has drawn which card; nothing before the game has begun, and in what an older version has kept."""
    memory: Memory | None = None
    """What everybody remembers; likewise."""


def with_reveal(force: LetterInForce, number: int) -> LetterInForce:
    """A letter in force of which another letter, the entry's of this number, shows sealed parts."""
    return replace(force, reveals=(*force.reveals, number))
