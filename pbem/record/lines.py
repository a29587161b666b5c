"""The lines of a record, in the order in which they may come (docs/record.md). Each is a JSON object with its type."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.paper.orders.inputs import Form
from pbem.seal.canonical import Tree

FORMAT = 1
"""The version of these lines: another one where a line no longer says what it did."""

Told: TypeAlias = dict[str, object]
"""An event or a decision as docs/events.md has it."""


By: TypeAlias = Literal["player", "default"]
"""Whether a player answered, by orders, plans or a bot, or the default orders for the absent."""


class RecordedSeat(Struct, frozen=True):
    """One player."""

    powers: tuple[str, ...]
    """Those with which the seat begins."""
    bot: str = ""
    """The level of its bot and the version by which it plays; nothing for a person."""


class Line(Struct, frozen=True, tag=True):
    """What all lines have in common."""


class Begins(Line, frozen=True):
    """The first line: which game it is, and what the others tell."""

    format: int
    program: str
    """The version of the program that began the game."""
    name: str
    terms: dict[str, object]
    """Game, scenario and options, by the keys of a position file."""
    seats: dict[str, RecordedSeat]
    tells: Literal["everything", "what everybody may know"]


class Happened(Line, frozen=True):
    """What came about without a decision that is told: the deal; of a game with secrets everything."""

    entry: int
    """The entry of the ledger; 0 where there is none."""
    stage: str
    """The turn and the stage in which it was adjudicated."""
    events: list[Told]
    digest: str
    """The fingerprint of what everybody may know of the position behind it."""


class Decided(Line, frozen=True, kw_only=True, omit_defaults=True):
    """One decision."""

    entry: int
    number: int
    """How many decisions there were with it since the game began, or since it went back."""
    stage: str
    power: str
    """Who was asked."""
    player: str
    """Who played that power then."""
    by: By
    bot: str = ""
    """Which bot answered, and the version by which it plays: it has the seat, or stood in; nothing for a person."""
    decision: Told | None
    """What was asked; nothing for what may be settled at any time."""
    form: Form | None
    """What could be filled in to answer it (docs/orders.md)."""
    answer: dict[str, Tree]
    """The section of an order file that gives this answer."""
    events: list[Told]
    """What came of it, with all that was secret."""
    digest: str
    """The fingerprint of the whole position behind it."""


class TurnedBack(Line, frozen=True):
    """A rollback: what was recorded behind that entry does not count any more."""

    entry: int
    to: int
    number: int
    """How many decisions there were up to the position that counts again."""
    digest: str
    """The fingerprint of what everybody may know of it."""


class Ends(Line, frozen=True):
    """The last line; a record without one is not whole."""

    over: bool
    """Whether the game was played to its end."""
    turn: int
    decisions: int = 0
    """How many there were that count."""
    winners: list[str] | None = None
    """Nothing where not everything is told: who has won stands among the events."""
    points: dict[str, float] | None = None
    """Everybody's, as the arena counts them (docs/bots.md)."""


AnyLine: TypeAlias = Begins | Happened | Decided | TurnedBack | Ends
