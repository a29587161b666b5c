"""The typed form of FRIEDRICH's data files, and the rules that follow from them for one particular game."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.engine.board import Area, Board, BoardData, Objectives
from pbem.engine.cards import DeckFacts
from pbem.engine.nouns import City, Power
from pbem.engine.rules import Limits, PieceFacts, Rules, TrainName
from pbem.games.friedrich.rules.fate_data import FateData

FateOrder = Literal["shuffled", "strokes later"]
"""How the Cards of Fate are stacked: shuffled, or with some strokes kept out of the first cards."""

SHUFFLED: FateOrder = "shuffled"
"""As the rule book has it."""


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """What the rule book leaves open to two readings: ours first; a table may rule otherwise by name."""

    recruiting: Literal["during the moves", "after the moves"] = "during the moves"
    """When in the movement phase a power may recruit (§2, §10)."""
    first_cards: Literal["each combat", "each pair"] = "each combat"
    """Where first cards must come out above zero: in every combat, or once between two cities (card 7 of diamonds)."""
    no_new_troops: Literal["general", "stack"] = "general"
    """Who gets no new troops: the general alone, or his stack with him (card 7 of hearts)."""
    short_supply: Literal["everywhere", "away from home"] = "everywhere"
    """Where generals suffer who are far from their train (card 9 of spades, card 12 of clubs)."""
    push: Literal["rather west", "west", "step by step"] = "rather west"
    """What lies west: what is no less west than north or south, what is west at all, or each city west of the one
    before (card 12 of hearts)."""
    stade: Literal["sector", "north of Munster"] = "sector"
    """How far Hanover's substitute area reaches (§10)."""
    ways: Literal["found", "written"] = "found"
    """Whether orders may leave out cities of a march, and the program finds the way (docs/orders.md)."""


class PowerFacts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One power as the rules and its army sheet give it (§1, §3)."""

    side: str
    troops: int
    income: tuple[int, ...]
    """The cards of a turn: with none of the strokes of `cut_by` out, with one, with two."""
    cut_by: tuple[int, ...] = ()
    """The strokes of fate that change the income, by number."""
    returned: tuple[int, ...] = ()
    """How many of them are discarded unseen at once, in the same order."""


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file game.yaml: what every scenario has in common."""

    name: str
    board: str
    powers: dict[Power, PowerFacts]
    """The powers in the order in which they act (§2)."""
    decks: DeckFacts
    most_decks: int
    """How many decks of tactical cards a table may agree on."""
    limits: Limits
    cut_off_price: int
    """What a troop or a train costs while every depot of the power is occupied by enemy pieces (§10)."""
    guarding_trains: tuple[Power, ...]
    """The powers whose trains protect objectives as generals do (§5)."""
    first_fate: int
    """The turn at whose end the first Card of Fate is drawn (§2)."""


class ScenarioPower(Struct, frozen=True, forbid_unknown_fields=True):
    """What a power has in a scenario, where that is less than usual, or draws."""

    troops: int
    generals: tuple[int, ...]
    """The ranks of the generals who take part."""
    trains: tuple[int, ...]
    """The numbers of the trains that take part."""
    income: tuple[int, ...]
    cut_by: tuple[int, ...]
    returned: tuple[int, ...] = ()


class Survival(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wins by lasting: once all these powers have left, or all these strokes are out (§12)."""

    power: Power
    quit: tuple[Power, ...] = ()
    strokes: tuple[int, ...] = ()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One game of the file scenarios.yaml."""

    title: str
    rule: str
    seats: dict[str, tuple[Power, ...]]
    goals: tuple[Power, ...]
    """The powers that win by holding their objectives (§12)."""
    survival: Survival
    absent: tuple[Power, ...] = ()
    forces: dict[Power, ScenarioPower] = {}
    eases: bool = True
    """Whether the conditions of victory can become easier (§11)."""
    expert: bool = True
    """Whether the expert game can be played (§13)."""
    thrown: int = 0
    """How many tactical cards are set aside unseen at each Clock of Fate."""
    wins_in_stage: tuple[str, ...] = ()
    """The powers that have won as soon as their own stage ends with all objectives."""


class Terms(Struct, frozen=True, omit_defaults=True):
    """Which game is played: enough to find all of its rules again.

    The fields with a factory are in every text of the terms; those that came later only where they are not as usual,
    so that the fingerprints of older campaigns stay what they were.
    """

    scenario: str = field(default_factory=lambda: "four")
    expert: bool = field(default_factory=lambda: False)
    """The expert game (§13)."""
    fate_order: FateOrder = field(default_factory=lambda: SHUFFLED)
    board: str = field(default_factory=lambda: "friedrich")
    fate: str = field(default_factory=lambda: "standard")
    """The file of the Cards of Fate."""
    decks: int = 4
    """How many decks of tactical cards are used (§3)."""
    east_prussia: bool = True
    """Whether the expert game has the rule of Russia's garrison (§13)."""
    rulings: tuple[tuple[str, str], ...] = ()
    """Points that this table has ruled otherwise, sorted by name."""

    @property
    def game(self) -> str:
        """The game these are the terms of."""
        return "friedrich"


class FriedrichRules(Struct, frozen=True):
    """Everything that stays the same during one game of FRIEDRICH."""

    terms: Terms
    common: Rules
    game: GameData
    scenario: Scenario
    fate: FateData
    points: Points
    powers: tuple[Power, ...]
    """The powers that take part, in the order in which they act."""
    objectives: dict[Power, tuple[City, ...]]
    """The objectives of every power, both orders."""
    first_order: dict[Power, tuple[City, ...]]
    """Those of the first order; all of them where the rules know only one order."""
    areas: dict[Power, tuple[City, ...]]
    """The substitute cities of re-entry (§10)."""

    @property
    def seats(self) -> dict[str, tuple[Power, ...]]:
        """The players and the powers they play at first."""
        return self.scenario.seats

    @property
    def expert(self) -> bool:
        """Whether the expert game is played."""
        return self.terms.expert and self.scenario.expert

    @property
    def garrisoned(self) -> bool:
        """Whether a power has to keep a general in the region that it has conquered (§13)."""
        return self.expert and self.terms.east_prussia

    def player_of(self, power: Power) -> str:
        """The player who plays a power at first."""
        return next(player for player, powers in self.seats.items() if power in powers)

    def depots(self, power: Power) -> tuple[City, ...]:
        return self.common.depots[power]

    def troops(self, power: Power) -> int:
        """The troops with which a power begins, and the most it can have (§6)."""
        force = self.scenario.forces.get(power)
        return force.troops if force else self.game.powers[power].troops

    def income(self, power: Power) -> ScenarioPower | PowerFacts:
        """What decides about the cards that a power draws (§3)."""
        return self.scenario.forces.get(power) or self.game.powers[power]


def friedrich_rules(
    terms: Terms, game: GameData, scenario: Scenario, fate: FateData, points: Points, board: BoardData
) -> FriedrichRules:
    """Put the data of one game together."""
    built = Board(board)
    taking_part = tuple(power for power in game.powers if power not in scenario.absent)
    claiming = [*scenario.goals, *([fate.offensive.power] if terms.expert and scenario.expert else [])]
    orders = {power: cities_of(built, board.objectives[power]) for power in claiming}
    common = Rules(
        board=built,
        pieces=pieces_of(game, board),
        limits=game.limits,
        decks=replace(game.decks, decks=terms.decks),
        crossing=frozenset(),
        always_marked=frozenset(),
        objectives={city: power for power, (first, second) in orders.items() for city in (*first, *second)},
        guards={land: power for power, lands in board.occupied.items() for land in lands},
        guarding_trains=frozenset(game.guarding_trains),
        depots={power: tuple(built.index[city] for city in cities) for power, cities in board.depots.items()},
        trains_stop=True,
        down_conquer=True,
        facing_spreads=True,
        ways=points.ways,
    )
    return FriedrichRules(
        terms,
        common,
        game,
        scenario,
        fate,
        points,
        taking_part,
        objectives={power: tuple(sorted((*first, *second))) for power, (first, second) in orders.items()},
        first_order={power: first for power, (first, _) in orders.items()},
        areas={power: tuple(sorted(built.area(area))) for power, area in areas_of(board, points).items()},
    )


def areas_of(board: BoardData, points: Points) -> dict[Power, Area]:
    """The substitute areas as this table reads §10."""
    return board.re_entry | board.re_entry_narrow if points.stade == "north of Munster" else board.re_entry


def cities_of(board: Board, objectives: Objectives) -> tuple[tuple[City, ...], tuple[City, ...]]:
    """The objectives of a power by their numbers, of the first and of the second order."""
    first = tuple(sorted(board.index[city] for city in objectives.first))
    return first, tuple(sorted(board.index[city] for city in objectives.second))


def pieces_of(game: GameData, board: BoardData) -> tuple[PieceFacts, ...]:
    """All pieces, named as on the board's set-up; trains are numbered within their power."""
    pieces: list[PieceFacts] = []
    for power in game.powers:
        army = board.setup[power]
        pieces += [PieceFacts(start.name, power, "general", start.rank) for start in army.generals]
        pieces += [PieceFacts(str(TrainName(power, n + 1)), power, "train") for n in range(len(army.trains))]
    return tuple(pieces)
