"""The typed form of MARIA's data files, and the rules that follow from them for one particular game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from pbem.engine.board import Board, BoardData
from pbem.engine.cards import DeckFacts
from pbem.engine.rules import Limits, PieceFacts, Rules


class PowerFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """One power as the rules and its army sheet give it (§2, §4, §8)."""

    major: bool
    side: str
    group: str
    principal: str
    troops: int
    hand: int
    income: int


class HussarFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Who has hussars, how many, and on which map (§7)."""

    power: str
    count: int
    map: str


class SubsidyFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The subsidy that stands at the start: fixed for some turns, then the giver's choice (§8)."""

    giver: str
    receiver: str
    cards: int
    fixed_turns: int


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file game.yaml: what every variant has in common."""

    name: str
    board: str
    powers: dict[str, PowerFacts]
    least_troops: dict[str, dict[int, int]]
    initial_draw: tuple[str, ...]
    action_stages: dict[str, tuple[str, ...]]
    decks: DeckFacts
    limits: Limits
    crossing: tuple[str, ...]
    hussars: HussarFacts
    subsidy: SubsidyFacts
    always_marked: tuple[str, ...]
    markers: dict[str, tuple[str, ...]]


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays what with this number of players."""

    seats: dict[str, tuple[str, ...]]
    rule: str


class Goal(Struct, frozen=True, forbid_unknown_fields=True):
    """Fortresses that a power must control to win (§14)."""

    fortresses: int
    lands: tuple[str, ...]


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One game of the file scenarios.yaml."""

    title: str
    rule: str
    maps: tuple[str, ...]
    turns: int
    winter_every: int
    players: dict[int, Seats]
    absent: tuple[str, ...] = ()
    income: dict[str, int] = {}
    general_entry: dict[str, tuple[str, ...]] = {}
    goals: dict[str, Goal] = {}
    survivor: str = ""
    """The power whose player wins if nobody has won by the end."""


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition does differently; a name left out is as in the newest edition."""

    unpaid: Literal["pay all", "keep"] = "pay all"
    retreated_fight: Literal["neither", "attack"] = "neither"


class Terms(Struct, frozen=True):
    """Which game is played: enough to find all of its rules again."""

    scenario: str = "introductory"
    players: int = 3
    edition: str = "2.1"
    board: str = "theatrum-belli"


class MariaRules(Struct, frozen=True):
    """Everything that stays the same during one game of MARIA."""

    terms: Terms
    common: Rules
    game: GameData
    scenario: Scenario
    powers: tuple[str, ...]
    """The powers that take part, in the order of the action stages."""

    @property
    def seats(self) -> dict[str, tuple[str, ...]]:
        """The players and the powers they play."""
        return self.scenario.players[self.terms.players].seats

    def player_of(self, power: str) -> str:
        """The player who plays a power."""
        return next(player for player, powers in self.seats.items() if power in powers)

    def active(self, stage: str) -> tuple[str, ...]:
        """The powers that take part in an action stage (§5)."""
        return tuple(power for power in self.game.action_stages[stage] if power in self.powers)


def maria_rules(
    terms: Terms,
    game: GameData,
    scenario: Scenario,
    edition: Edition,
    board: BoardData,
) -> MariaRules:
    """Put the data of one game together."""
    common = Rules(
        board=Board(board, scenario.maps),
        pieces=pieces_of(game, board),
        limits=game.limits,
        decks=game.decks,
        crossing=frozenset(game.crossing),
        always_marked=frozenset(game.always_marked),
        raiders=game.hussars.power,
        retreated_fight=edition.retreated_fight,
        unpaid=edition.unpaid,
    )
    order = [power for stage in game.action_stages.values() for power in stage]
    taking_part = tuple(power for power in order if power not in scenario.absent)
    return MariaRules(terms, common, game, scenario, taking_part)


def pieces_of(game: GameData, board: BoardData) -> tuple[PieceFacts, ...]:
    """All pieces, named as on the board's set-up; trains are numbered within their power."""
    pieces: list[PieceFacts] = []
    for power in game.powers:
        least: Mapping[int, int] = game.least_troops.get(power, {})
        army = board.setup[power]
        pieces += [PieceFacts(g.name, power, "general", g.rank, least.get(g.rank, 1)) for g in army.generals]
        pieces += [PieceFacts(f"{power} train {n + 1}", power, "train") for n in range(len(army.trains))]
    return tuple(pieces)
