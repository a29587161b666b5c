"""The data and the position of TOY, and the decisions and events that only this game has."""

from __future__ import annotations

from msgspec import Struct

from pbem.engine.board import Board, BoardData
from pbem.engine.cards import Cards, Dealer, DeckFacts
from pbem.engine.combat import Duel
from pbem.engine.decisions import Answer, Decision, Pairing
from pbem.engine.events import Ending, Event
from pbem.engine.field import Field
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import Limits, PieceFacts, Rules
from pbem.engine.troops import Retreat

PHASES = ("march", "bar")


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """The file game.yaml."""

    name: str
    title: str
    rule: str
    board: str
    turns: int
    seats: dict[str, tuple[Power, ...]]
    limits: Limits
    decks: DeckFacts


class Terms(Struct, frozen=True):
    """Terms of a table; every game has these three."""

    game: str
    scenario: str
    board: str


class ToyRules(Struct, frozen=True):
    """Rules and data that never change during a game."""

    terms: Terms
    scenario: Scenario
    common: Rules
    powers: tuple[Power, ...]

    @property
    def seats(self) -> dict[str, tuple[Power, ...]]:
        """The players and their powers."""
        return self.scenario.seats


def toy_rules(terms: Terms, scenario: Scenario, board: BoardData) -> ToyRules:
    """Put the data of one game together."""
    pieces = tuple(
        PieceFacts(start.name, power, "general", start.rank)
        for power, army in board.setup.items()
        for start in army.generals
    )
    common = Rules(Board(board), pieces, scenario.limits, scenario.decks, frozenset(), frozenset())
    return ToyRules(terms, scenario, common, tuple(board.setup))


class Result(Struct, frozen=True):
    """End of the game."""

    winner: str | None
    how: Ending


class State(Struct):
    """Everything that changes; `battles`, `duel` and `retreat` stand in the position files of every game."""

    terms: Terms
    turn: int
    stage: Power
    """The power that acts, or acted last."""
    phase: str
    field: Field
    cards: Cards
    begun: bool = False
    owing: list[Power] = []
    moved: list[Piece] = []
    barred: dict[Power, City] = {}
    """The city that each power has barred to the other."""
    battles: list[Pairing] = []
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None


class Table(Struct):
    """A game in progress."""

    rules: ToyRules
    state: State
    dealer: Dealer


class Bar(Decision, frozen=True):
    """Bar one of these cities to the other power, or none (§4)."""

    cities: tuple[City, ...]


class Barred(Answer, frozen=True):
    """The city to bar, if any."""

    city: City | None


class CityBarred(Event, frozen=True):
    """A power has barred a city; without one it has opened its last (§4)."""

    power: Power
    city: City | None
