"""The position of a game of MARIA: plain typed data, enough to go on from here."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.engine.cards import Cards
from pbem.engine.decisions import Claim, Pairing
from pbem.engine.duel import Duel
from pbem.engine.events import Ending
from pbem.engine.field import Field
from pbem.engine.retreat import Retreat

from .data import Terms

Phase = Literal["allotment", "hussars", "cards", "supply", "movement", "combat", "retroactive", "recruiting", "over"]


class Result(Struct, frozen=True):
    """How the game ended; no winner means a tie."""

    winner: str | None
    how: Ending
    held: dict[str, int]


class State(Struct):
    """Everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """setup, hussars, the leading power of an action stage, winter-<leading power>, or over (§5)."""
    phase: Phase
    field: Field
    cards: Cards
    begun: bool = False
    """Whether what the phase does by itself has been done, and only decisions are left."""
    owing: list[str] = []
    """The powers that still owe an answer in this phase."""
    moved: list[int] = []
    """The pieces that may not move any more in this stage."""
    tolls: dict[str, list[Claim]] = {}
    """Supply paths through hussars that are still to be paid for (§9)."""
    battles: list[Pairing] = []
    """The attacks of this combat phase that are still to be resolved (§11.1)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None


def canonical(state: State) -> bytes:
    """The one text of a position: JSON with sorted keys."""
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True), order="sorted")


def digest(state: State) -> str:
    """The fingerprint of a position."""
    return hashlib.sha256(canonical(state)).hexdigest()
