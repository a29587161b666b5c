"""Lines of a record, in the order in which they may come (docs/record.md). Each is a JSON object with its type."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from pbem.paper.orders.inputs import Form
from pbem.seal.canonical import Tree

FORMAT = 1
"""Version of these lines. It changes when a line changes its meaning."""

Told: TypeAlias = dict[str, object]
"""An event or a decision as in docs/events.md."""


By: TypeAlias = Literal["player", "default"]
"""Source of an answer: a player (by orders, plans or a bot), or the default orders for the absent."""


class RecordedSeat(Struct, frozen=True):
    """One player."""

    powers: tuple[str, ...]
    """Powers with which the seat begins."""
    bot: str = ""
    """Level of its bot and the version by which it plays; empty for a person."""


class Line(Struct, frozen=True, tag=True):
    """Base of all lines."""


class Begins(Line, frozen=True):
    """The first line: the game, and how much the other lines tell."""

    format: int
    program: str
    """Version of the program that began the game."""
    name: str
    terms: dict[str, object]
    """Game, scenario and options, by the keys of a position file."""
    seats: dict[str, RecordedSeat]
    tells: Literal["everything", "what everybody may know"]


class Happened(Line, frozen=True):
    """Events without a decision that is told: the deal; of a game with secrets, everything."""

    entry: int
    """Entry of the ledger; 0 if there is none."""
    stage: str
    """Turn and stage in which it was adjudicated."""
    events: list[Told]
    digest: str
    """Digest of the public part of the position afterwards."""


class Decided(Line, frozen=True, kw_only=True, omit_defaults=True):
    """One decision."""

    entry: int
    number: int
    """Number of decisions, with this one, since the game began; a rollback lowers it."""
    stage: str
    power: str
    """Power that was asked."""
    player: str
    """Player of that power at the time."""
    by: By
    bot: str = ""
    """Bot that answered, and the version by which it plays: it has the seat, or stood in; empty for a person."""
    decision: Told | None
    """The question; null for an answer given of the player's own accord."""
    form: Form | None
    """The form that could be filled in (docs/orders.md)."""
    answer: dict[str, Tree]
    """Section of an order file that gives this answer."""
    events: list[Told]
    """Events that followed, with all secrets."""
    digest: str
    """Digest of the whole position afterwards."""


class TurnedBack(Line, frozen=True):
    """A rollback: lines after that entry do not count any more."""

    entry: int
    to: int
    number: int
    """Number of decisions up to the position that counts again."""
    digest: str
    """Digest of the public part of that position."""


class Ends(Line, frozen=True):
    """The last line; a record without one is not complete."""

    over: bool
    """True if the game was played to its end."""
    turn: int
    decisions: int = 0
    """Number of decisions that count."""
    winners: list[str] | None = None
    """Winners; null if not everything is told: they stand among the events."""
    points: dict[str, float] | None = None
    """Points of every player, as the arena counts them (docs/bots.md)."""


AnyLine: TypeAlias = Begins | Happened | Decided | TurnedBack | Ends
