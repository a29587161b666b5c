"""Common shape of every game's table, its players, and the digest of its position."""

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
    """One of the scenarios that the rules of a game offer."""

    @property
    def title(self) -> str:
        """Title for readers."""

    @property
    def rule(self) -> str:
        """Part of the rule book that describes it."""


class GameTerms(Protocol):
    """Identity of the rules in play: enough to load them again."""

    @property
    def game(self) -> str:
        """Name of the game."""

    @property
    def scenario(self) -> str:
        """Name of the scenario."""

    @property
    def board(self) -> str:
        """Name or file of the board."""


class GameRules(Protocol):
    """Rules of one game: everything that never changes while it is played."""

    @property
    def terms(self) -> GameTerms:
        """Identity of these rules."""

    @property
    def scenario(self) -> GameScenario:
        """Scenario in play."""

    @property
    def common(self) -> Rules:
        """Part of the rules that the engine knows."""

    @property
    def powers(self) -> tuple[Power, ...]:
        """Powers that take part, in the order in which they act."""

    @property
    def seats(self) -> Mapping[str, tuple[Power, ...]]:
        """Players and the powers they begin with."""


class GameResult(Protocol):
    """Result of a game."""

    @property
    def winner(self) -> str | None:
        """Player who has won; None in a tie."""


class GameState(Protocol):
    """Position of one game: everything that changes."""

    @property
    def terms(self) -> GameTerms:
        """Identity of the rules in play."""

    @property
    def turn(self) -> int:
        """Turn, from 1."""

    @property
    def stage(self) -> str:
        """Stage of the turn."""

    @property
    def phase(self) -> str:
        """Phase of the stage; `over` once the game has ended."""

    @property
    def begun(self) -> bool:
        """True if the automatic part of the phase is done, and only decisions are left."""

    @property
    def field(self) -> Field:
        """Everything on the map."""

    @property
    def cards(self) -> Cards:
        """Places of the tactical cards."""

    @property
    def owing(self) -> Sequence[Power]:
        """Powers that still owe an answer in this phase."""

    @property
    def moved(self) -> Sequence[Piece]:
        """Pieces that may not move any more in this stage."""

    @property
    def battles(self) -> Sequence[Pairing]:
        """Attacks that are still to be resolved."""

    @property
    def duel(self) -> Duel | None:
        """Combat in progress."""

    @property
    def retreat(self) -> Retreat | None:
        """Retreat still to be chosen."""

    @property
    def result(self) -> GameResult | None:
        """Result, once the game has ended."""


class Table(Protocol):
    """A game in progress: its rules, its position, and the source of its shuffles."""

    @property
    def rules(self) -> GameRules:
        """Rules of the game."""

    @property
    def state(self) -> GameState:
        """Position of the game."""

    @property
    def dealer(self) -> Dealer:
        """Source of all chance."""


def player_of(table: Table, power: Power) -> str:
    """Player of a power now; politics and fate may change it."""
    return table.state.field.alliances.player[power]


def powers_of_player(table: Table, player: str) -> tuple[Power, ...]:
    """Powers that the player has now."""
    return tuple(power for power in table.rules.powers if player_of(table, power) == player)


def canonical(state: GameState) -> bytes:
    """Canonical text of a position: JSON with sorted keys."""
    return msgspec.json.encode(msgspec.to_builtins(state, str_keys=True), order="sorted")


def digest(state: GameState) -> str:
    """SHA-256 of the canonical text of a position, in hex."""
    return hashlib.sha256(canonical(state)).hexdigest()
