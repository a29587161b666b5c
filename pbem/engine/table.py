"""What every game's table has in common: its shape, its players, the fingerprint of its position."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Protocol

import msgspec

from pbem.engine.cards import Cards, Dealer
from pbem.engine.decisions import Pairing
from pbem.engine.duel import Duel
from pbem.engine.field import Field
from pbem.engine.nouns import Piece, Power
from pbem.engine.retreat import Retreat
from pbem.engine.rules import Rules


class GameScenario(Protocol):
    """One of the games that the rules of a game offer."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def rule(self) -> str:
        """The part of the rule book that has it."""


class GameTerms(Protocol):
    """Which game is played: enough to find all of its rules again."""

    @property
    def game(self) -> str:
        """Its name."""

    @property
    def scenario(self) -> str:
        """The name of one of its scenarios."""

    @property
    def board(self) -> str:
        """The name or the file of its board."""


class GameRules(Protocol):
    """The rules of one game: what never changes while it is played."""

    @property
    def terms(self) -> GameTerms:
        """Which game is played: enough to find all of its rules again."""

    @property
    def scenario(self) -> GameScenario:
        """The scenario that is played."""

    @property
    def common(self) -> Rules:
        """What the engine knows of it."""

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers that take part, in the order in which they act."""

    @property
    def seats(self) -> Mapping[str, tuple[Power, ...]]:
        """The players and the powers they begin with."""


class GameResult(Protocol):
    """How a game ended."""

    @property
    def winner(self) -> str | None:
        """The player who has won; nobody in a tie."""


class GameState(Protocol):
    """The position of one game: what changes."""

    @property
    def terms(self) -> GameTerms:
        """Which game is played."""

    @property
    def turn(self) -> int:
        """The turn, from 1."""

    @property
    def stage(self) -> str:
        """The stage of the turn."""

    @property
    def phase(self) -> str:
        """The phase of the stage; `over` once the game has ended."""

    @property
    def begun(self) -> bool:
        """Whether what the phase does by itself has been done, and only decisions are left."""

    @property
    def field(self) -> Field:
        """What lies on the map."""

    @property
    def cards(self) -> Cards:
        """Where the tactical cards are."""

    @property
    def owing(self) -> Sequence[Power]:
        """The powers that still owe an answer in this phase."""

    @property
    def moved(self) -> Sequence[Piece]:
        """The pieces that may not move any more in this stage."""

    @property
    def battles(self) -> Sequence[Pairing]:
        """The attacks that are still to be resolved."""

    @property
    def duel(self) -> Duel | None:
        """The combat in progress."""

    @property
    def retreat(self) -> Retreat | None:
        """A retreat still to be chosen."""

    @property
    def result(self) -> GameResult | None:
        """How the game ended."""


class Table(Protocol):
    """A game in progress: its rules, its position, and the source of its shuffles."""

    @property
    def rules(self) -> GameRules:
        """The rules."""

    @property
    def state(self) -> GameState:
        """The position."""

    @property
    def dealer(self) -> Dealer:
        """The source of all chance."""


def player_of(table: Table, power: Power) -> str:
    """Who plays a power now; politics and fate may change it."""
    return table.state.field.alliances.player[power]


def played_by(table: Table, player: str) -> tuple[Power, ...]:
    """The powers that somebody plays now."""
    return tuple(power for power in table.rules.powers if player_of(table, power) == player)


def canonical(state: GameState) -> bytes:
    """The one text of a position: JSON with sorted keys."""
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True), order="sorted")


def digest(state: GameState) -> str:
    """The fingerprint of a position."""
    return hashlib.sha256(canonical(state)).hexdigest()
