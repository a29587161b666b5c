"""Types of FRIEDRICH's data files, and the rules of one game made from the data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.engine.board import Board, BoardData
from pbem.engine.cards import DeckFacts
from pbem.engine.nouns import City, Power
from pbem.engine.rules import Limits, PieceFacts, Rules, TrainName
from pbem.games.friedrich.rules.fate_data import FateData

FateOrder = Literal["shuffled", "strokes later"]
"""Methods of stacking the Cards of Fate: all are shuffled, or some strokes are kept out of the first cards."""

SHUFFLED: FateOrder = "shuffled"
"""Method of stacking the Cards of Fate in the rule book."""


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """Points of the rule book that can be read in several ways. The players of a game may choose another reading than
    the default one."""

    recruiting: Literal["during the moves", "after the moves"] = "during the moves"
    """Time at which a power may recruit (§2, §10): between its marches and after them, or only after all of them."""
    first_cards: Literal["each combat", "each pair"] = "each combat"
    """Combats in which a power must bring its score above zero with its first cards: each combat, or only the first
    combat between the same two stacks (card 7 of diamonds)."""
    no_new_troops: Literal["general", "stack"] = "general"
    """Generals who get no new troops: only the named general (`general`), or all generals of his stack (`stack`; card 7
    of hearts)."""
    short_supply: Literal["everywhere", "away from home"] = "everywhere"
    """Places where a general far from his train is out of supply: `everywhere`, or `away from home` only (card 9 of
    spades, card 12 of clubs)."""
    push: Literal["rather west", "west", "step by step"] = "rather west"
    """Meaning of "west" (card 12 of hearts): the whole path leads at least as far west as north or south (`rather
    west`), the whole path leads west at all (`west`), or every step leads west (`step by step`)."""
    stade: Literal["sector", "north of Munster"] = "sector"
    """Extent of the area with Hanover's substitute cities (§10): the whole sector, or an area that ends north of
    Munster."""
    ways: Literal["found", "written"] = "found"
    """Treatment of a march whose order leaves cities out: the program finds the path (`found`), or the order must name
    every city (`written`, docs/orders.md)."""


class PowerFacts(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Facts about a power in the rules and on its army sheet (§1, §3)."""

    side: str
    """Side of the war on which the power fights."""
    troops: int
    """Number of troops at the start; a power never has more."""
    income: tuple[int, ...]
    """Number of cards drawn in a turn. The first number holds before any stroke of `cut_by` was drawn, the second after
    one such stroke, the third after two."""
    cut_by: tuple[int, ...] = ()
    """Numbers of the strokes of fate that change the income."""
    returned: tuple[int, ...] = ()
    """Number of drawn cards that are set aside unseen. The first number holds before any stroke of `cut_by` was drawn,
    the second after one such stroke, the third after two."""


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file game.yaml: facts common to all scenarios."""

    name: str
    board: str
    powers: dict[Power, PowerFacts]
    """Powers in the sequence in which they act (§2)."""
    decks: DeckFacts
    most_decks: int
    """Greatest number of decks of tactical cards that the players may agree on."""
    limits: Limits
    cut_off_price: int
    """Price of a troop or a train while enemy pieces occupy every depot of the power (§10)."""
    guarding_trains: tuple[Power, ...]
    """Powers whose trains protect objectives as generals do (§5)."""
    first_fate: int
    """Turn at whose end the first Card of Fate is drawn (§2)."""


class ScenarioPower(Struct, frozen=True, forbid_unknown_fields=True):
    """Forces and income of a power in a scenario that makes them smaller. The fields mean the same as in
    `PowerFacts`."""

    troops: int
    generals: tuple[int, ...]
    """Ranks of the generals who take part."""
    trains: tuple[int, ...]
    """Numbers of the trains that take part. Trains are numbered within their power."""
    income: tuple[int, ...]
    cut_by: tuple[int, ...]
    returned: tuple[int, ...] = ()


class Survival(Struct, frozen=True, forbid_unknown_fields=True):
    """Victory of a power by survival, once all the named powers have left, or all the named strokes have been drawn
    (§12)."""

    power: Power
    quit: tuple[Power, ...] = ()
    strokes: tuple[int, ...] = ()


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario of the file scenarios.yaml."""

    title: str
    rule: str
    """The § of the rule book that has the scenario."""
    seats: dict[str, tuple[Power, ...]]
    """Powers of each player at the start."""
    goals: tuple[Power, ...]
    """Powers that win by holding their objectives (§12)."""
    survival: Survival
    absent: tuple[Power, ...] = ()
    """Powers that take no part."""
    forces: dict[Power, ScenarioPower] = {}
    """Forces of powers that are smaller than usual."""
    eases: bool = True
    """True if victories can become easier in the scenario (§11)."""
    expert: bool = True
    """True if the expert game can be played (§13)."""
    thrown: int = 0
    """Number of tactical cards set aside unseen at each Clock of Fate."""
    wins_in_stage: tuple[str, ...] = ()
    """Powers that win at the end of their own stage if they hold all their objectives."""


class Terms(Struct, frozen=True, omit_defaults=True):
    """Terms of a game: the choices from which its rules can be loaded again. Fields with a plain default were added
    later; they are written only if they differ from it, so that digests of older campaigns stay the same."""

    scenario: str = field(default_factory=lambda: "four")
    expert: bool = field(default_factory=lambda: False)
    """True for the expert game (§13)."""
    fate_order: FateOrder = field(default_factory=lambda: SHUFFLED)
    board: str = field(default_factory=lambda: "friedrich")
    fate: str = field(default_factory=lambda: "standard")
    """Name of the file of the Cards of Fate."""
    decks: int = 4
    """Number of decks of tactical cards (§3)."""
    east_prussia: bool = True
    """True if the expert game has the rule of Russia's garrison (§13)."""
    rulings: tuple[tuple[str, str], ...] = ()
    """Readings of `Points` that the players have chosen instead of the defaults, as pairs of name and value, sorted by
    name."""

    @property
    def game(self) -> str:
        return "friedrich"


class FriedrichRules(Struct, frozen=True):
    """Rules of one game of FRIEDRICH, which never change during the game."""

    terms: Terms
    common: Rules
    game: GameData
    scenario: Scenario
    fate: FateData
    points: Points
    powers: tuple[Power, ...]
    """Powers that take part, in the sequence in which they act."""
    objectives: dict[Power, tuple[City, ...]]
    """Objectives of every power, of the first and of the second order."""
    first_order: dict[Power, tuple[City, ...]]
    """Objectives of the first order of every power. If the board has only one order, these are all objectives of the
    power."""
    areas: dict[Power, tuple[City, ...]]
    """Substitute cities in which a power's pieces re-enter (§10)."""

    @property
    def seats(self) -> dict[str, tuple[Power, ...]]:
        """Return the powers with which each player begins."""
        return self.scenario.seats

    @property
    def expert(self) -> bool:
        return self.terms.expert and self.scenario.expert

    @property
    def has_garrison_rule(self) -> bool:
        """True if the game has the rule that a power must keep a general in a region that it has conquered (§13)."""
        return self.expert and self.terms.east_prussia

    def player_of(self, power: Power) -> str:
        """Return the player who has the power at the start."""
        return next(player for player, powers in self.seats.items() if power in powers)

    def depots(self, power: Power) -> tuple[City, ...]:
        return self.common.depots[power]

    def troops(self, power: Power) -> int:
        """Return the number of troops with which a power begins. It can never have more (§6)."""
        force = self.scenario.forces.get(power)
        return force.troops if force else self.game.powers[power].troops

    def income(self, power: Power) -> ScenarioPower | PowerFacts:
        """Return the facts about a power's forces and income: those of the scenario if it changes them, else those of
        the game."""
        return self.scenario.forces.get(power) or self.game.powers[power]


def friedrich_rules(
    terms: Terms, game: GameData, scenario: Scenario, fate: FateData, points: Points, board: BoardData
) -> FriedrichRules:
    built = Board(board)
    taking_part = tuple(power for power in game.powers if power not in scenario.absent)
    claiming = [*scenario.goals, *([fate.offensive.power] if terms.expert and scenario.expert else [])]
    first = {power: cities_of(built, board.objectives[power].first) for power in claiming}
    second = {power: cities_of(built, board.objectives[power].second) for power in claiming}
    re_entry = board.re_entry | (board.re_entry_narrow if points.stade == "north of Munster" else {})
    common = Rules(
        board=built,
        pieces=pieces_of(game, board),
        limits=game.limits,
        decks=replace(game.decks, decks=terms.decks),
        crossing=frozenset(),
        always_marked=frozenset(),
        objectives={city: power for power in first for city in (*first[power], *second[power])},
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
        objectives={power: tuple(sorted((*first[power], *second[power]))) for power in first},
        first_order=first,
        areas={power: tuple(sorted(built.area(area))) for power, area in re_entry.items()},
    )


def cities_of(board: Board, names: Iterable[str]) -> tuple[City, ...]:
    return tuple(sorted(board.index[name] for name in names))


def pieces_of(game: GameData, board: BoardData) -> tuple[PieceFacts, ...]:
    """Return all pieces. The names of the generals come from the board's set-up, trains are numbered within their
    power."""
    pieces: list[PieceFacts] = []
    for power in game.powers:
        army = board.setup[power]
        pieces += [PieceFacts(start.name, power, "general", start.rank) for start in army.generals]
        pieces += [PieceFacts(str(TrainName(power, n + 1)), power, "train") for n in range(len(army.trains))]
    return tuple(pieces)
