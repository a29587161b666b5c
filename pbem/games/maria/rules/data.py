"""The typed form of MARIA's data files, and the rules that follow from them for one particular game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from pbem.engine.board import Board, BoardData, GeneralStart
from pbem.engine.cards import DeckFacts
from pbem.engine.nouns import NO_POWER, Power
from pbem.engine.rules import Limits, PieceFacts, Rules, TrainName
from pbem.games.maria.rules.politics_data import PoliticsData

Placing = Literal["in order", "simultaneous"]
"""How influence is placed on the political display."""


class PowerFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """One power as the rules and its army sheet give it (§2, §4, §8)."""

    major: bool
    side: str
    group: str
    principal: Power
    troops: int
    hand: int
    income: int


class HussarFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Who has hussars, how many, and on which map (§7)."""

    power: Power
    count: int
    map: str


class SubsidyFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The subsidy that stands at the start: fixed for some turns, then the giver's choice (§8)."""

    giver: Power
    receiver: Power
    cards: int
    fixed_turns: int


class SpecialGeneral(Struct, frozen=True, forbid_unknown_fields=True):
    """What a general can do besides what all can (§22)."""

    power: Power
    rank: int
    supplied_in: tuple[str, ...] = ()
    supplied_by: tuple[Power, ...] = ()
    enters_in: tuple[str, ...] = ()


class Annexation(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may annex what from whom, and what follows (§19.1)."""

    by: Power
    victim: Power
    land: str
    moved_out_of: tuple[str, ...]
    neutral_turns: int


class Reduction(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may reduce its military objectives, and in which land (§19.2)."""

    power: Power
    land: str
    map: str


class Defection(Struct, frozen=True, forbid_unknown_fields=True):
    """The power that may change sides, between whom, by which track, and where its displaced pieces go (§19.3)."""

    power: Power
    patron: Power
    suitor: Power
    track: str
    also_home: dict[str, tuple[str, ...]]
    """Further powers in whose home country a power's displaced pieces may be put."""


class Prizes(Struct, frozen=True, forbid_unknown_fields=True):
    """The victory boxes beside the battle boxes (§16)."""

    electors_least: int
    electors: tuple[Power, Power]
    emperor: dict[str, Power]
    """The candidates, and the power that profits from each."""
    italy: str
    """The track that fills the box Italy."""


class Advanced(Struct, frozen=True, forbid_unknown_fields=True):
    """What only the advanced game has (§15–§23)."""

    markers: dict[Power, int]
    """The victory markers of each major power (§4)."""
    battle_boxes: int
    eliminated_for_point: int
    corps_price: int
    corps_troops: int
    annexation: Annexation
    reduction: Reduction
    defection: Defection
    prizes: Prizes
    votes_to_win: int
    loyal: tuple[Power, ...]
    """Powers whose votes all go to the first candidate (§18)."""
    voting_order: tuple[Power, ...]
    generals: tuple[SpecialGeneral, ...]


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """The file game.yaml: what every variant has in common."""

    name: str
    board: str
    powers: dict[Power, PowerFacts]
    least_troops: dict[Power, dict[int, int]]
    initial_draw: tuple[Power, ...]
    action_stages: dict[str, tuple[Power, ...]]
    decks: DeckFacts
    limits: Limits
    crossing: tuple[Power, ...]
    hussars: HussarFacts
    subsidy: SubsidyFacts
    always_marked: tuple[Power, ...]
    markers: dict[Power, tuple[str, ...]]
    advanced: Advanced


WINTER = "winter-"
"""How the winter of those who act together in a stage is called: by that stage, `winter-prussia` (§5)."""


def is_winter(stage: str) -> bool:
    """Whether a stage is a part of winter."""
    return stage.startswith(WINTER)


def winter_of(stage: str) -> str:
    """The winter of those who act in a stage."""
    return f"{WINTER}{stage}"


def acting_in(stage: str) -> str:
    """The action stage whose powers recruit together in a part of winter."""
    return stage.removeprefix(WINTER)


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """Who plays what with this number of players."""

    seats: dict[str, tuple[Power, ...]]
    rule: str
    ties: tuple[str, ...] = ()
    """The players in the order in which they win ties (§23, §24)."""
    subsidies_to_minors_only: bool = False
    one_execution: bool = False
    """Whether a player may execute only one political card a turn (§24)."""
    shifts_by: tuple[Power, ...] = ()
    """The powers whose losses move the marker of the defector (§19.3, §24)."""
    shifts_on: str = ""
    """The only map on which losses count for that (§24)."""


class Goal(Struct, frozen=True, forbid_unknown_fields=True):
    """Fortresses that a power must control to win (§14)."""

    fortresses: int
    lands: tuple[str, ...]


class GambitFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """The Silesia Gambit: who may cede what when, and what is won by afterwards (Silesia Gambit §2)."""

    half_active: str
    laid_aside: dict[Power, int]
    """How many cards of its income a power sets aside each turn."""
    turn: int
    """At the end of this turn peace may be made."""
    last_turn: int
    """The last turn if no peace is made; with peace it is the scenario's own."""
    by: Power
    leaving: tuple[Power, ...]
    """The powers that leave the game then."""
    land: str
    goals: tuple[GambitGoal, ...]
    survivor: Power
    """The power whose player wins if nobody has by the last turn after peace."""


class GambitGoal(Struct, frozen=True, forbid_unknown_fields=True):
    """A goal after peace: a number of fortresses, changed by what was lacking, or held, when peace was made."""

    power: Power
    fortresses: int
    lands: tuple[str, ...]
    plus_lacking: Power = NO_POWER
    """Add what this power lacked for its first goal."""
    minus_held_by: Power = NO_POWER
    """Subtract the fortresses of the ceded land that this power held."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One game of the file scenarios.yaml."""

    title: str
    rule: str
    maps: tuple[str, ...]
    turns: int
    winter_every: int
    players: dict[int, Seats]
    absent: tuple[Power, ...] = ()
    income: dict[Power, int] = {}
    general_entry: dict[Power, tuple[str, ...]] = {}
    goals: dict[Power, Goal] = {}
    victory: Literal["goals", "pools"] = "goals"
    politics: bool = False
    gambit: GambitFacts | None = None
    last_winter: bool = False
    """Whether there is a winter after the last turn."""
    survivor: Power = NO_POWER
    """The power whose player wins if nobody has won by the end."""


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """What an edition does differently, and rulings that a table may override by name (docs/rulings.md)."""

    unpaid: Literal["pay all", "keep"] = "pay all"
    retreated_fight: Literal["neither", "attack"] = "neither"
    entry: Literal["home", "held"] = "home"
    partial_execution: bool = True
    defector_votes: Literal["player", "francis"] = "player"
    dresden_at_start: Literal["saxony", "prussia"] = "saxony"
    annexer_moves: bool = True
    reduction_when: Literal["own stage", "any stage"] = "own stage"
    shift_when: Literal["after retreat", "before retreat"] = "after retreat"
    displaced: Literal["at once", "march out"] = "at once"
    neutral_played_by: Literal["suitor", "patron"] = "suitor"
    ally_income: int = 2
    victory_after_election: bool = True
    optional_needs_face_up: bool = True
    saxons_return: Literal["on map", "all"] = "on map"
    march_out: Literal["must", "may"] = "must"
    """Whether foreign pieces in neutral land have to leave it, where they are not moved out of it (§19.3)."""
    peace_homes: Literal["as from saxony", "own"] = "as from saxony"
    """Whose home countries take the foreign pieces that leave the annexer's land: a ruling on §19.1."""
    free_troops: Literal["before paid", "after paid"] = "before paid"
    """When granted troops are given out of which a power may also recruit some: a ruling on §17.5, §19.3."""
    neutral_contracts: Literal["stand", "fall"] = "stand"
    """Whether a power that is neutral for a time keeps and makes contracts: a ruling on §19.4, §20."""
    beyond_end: Literal["stop", "stay"] = "stop"
    """What a shift beyond the end of a track does: a ruling on §17.5."""
    zero_reserve: Literal["allowed", "refused"] = "allowed"
    """Whether a Reserve may take the place of the card that has to be played at zero: a ruling on §11.1."""
    italy_marker: Literal["on star", "over star"] = "on star"
    """When the box Italy is emptied: whether passing over the star is enough is a ruling on §17.5."""
    moved_trains: Literal["stay", "re-enter"] = "stay"
    """Whether a train that has moved may be withdrawn and re-enter: a ruling on §10.2."""
    ways: Literal["found", "written"] = "found"
    """Whether orders may leave out cities of a march, and the program finds the way (docs/orders.md)."""
    sequence: Literal["any", "of play"] = "any"
    """Whether orders of powers that act together may be carried out in any sequence that makes all legal (§10.1)."""


class Terms(Struct, frozen=True):
    """Which game is played: enough to find all of its rules again."""

    scenario: str = "introductory"
    players: int = 3
    edition: str = "2.1"
    board: str = "theatrum-belli"
    politics: str = "standard"
    """The file of tracks and political cards."""
    bluffing: bool = False
    """The optional political rule (§25)."""
    placing: Placing = "in order"
    """How influence is placed: as §17.3 has it, or all at once and sealed."""
    rulings: tuple[tuple[str, str], ...] = ()
    """Rulings and points of the edition that this table has overridden, sorted by name."""

    @property
    def game(self) -> str:
        """The game these are the terms of."""
        return "maria"


class MariaRules(Struct, frozen=True):
    """Everything that stays the same during one game of MARIA."""

    terms: Terms
    common: Rules
    game: GameData
    scenario: Scenario
    edition: Edition
    politics: PoliticsData
    powers: tuple[Power, ...]
    """The powers that take part, in the order of the action stages."""

    @property
    def seats(self) -> dict[str, tuple[Power, ...]]:
        """The players and the powers they play at first."""
        return self.scenario.players[self.terms.players].seats

    def player_of(self, power: Power) -> str:
        """The player who plays a power at first."""
        return next(player for player, powers in self.seats.items() if power in powers)


def maria_rules(
    terms: Terms,
    game: GameData,
    scenario: Scenario,
    edition: Edition,
    board: BoardData,
    politics: PoliticsData,
) -> MariaRules:
    """Put the data of one game together."""
    common = Rules(
        board=Board(board, scenario.maps),
        pieces=pieces_of(game, board, gifted=scenario.politics),
        limits=game.limits,
        decks=game.decks,
        crossing=frozenset(game.crossing),
        always_marked=frozenset(game.always_marked),
        raiders=game.hussars.power,
        retreated_fight=edition.retreated_fight,
        unpaid=edition.unpaid,
        reserve_for_suit=edition.zero_reserve == "allowed",
        ways=edition.ways,
        sequence=edition.sequence,
    )
    order = [power for stage in game.action_stages.values() for power in stage]
    taking_part = tuple(power for power in order if power not in scenario.absent)
    return MariaRules(terms, common, game, scenario, edition, politics, taking_part)


def pieces_of(game: GameData, board: BoardData, gifted: bool) -> tuple[PieceFacts, ...]:
    """All pieces, named as on the board's set-up; trains are numbered within their power.

    `gifted`: whether generals have the special abilities of the advanced game (§22).
    """
    specials = game.advanced.generals if gifted else ()
    pieces: list[PieceFacts] = []
    for power in game.powers:
        least: Mapping[int, int] = game.least_troops.get(power, {})
        army = board.setup[power]
        pieces += [general_of(specials, power, start, least.get(start.rank, 1)) for start in army.generals]
        pieces += [PieceFacts(str(TrainName(power, n + 1)), power, "train") for n in range(len(army.trains))]
    return tuple(pieces)


def general_of(specials: Sequence[SpecialGeneral], power: Power, start: GeneralStart, least: int) -> PieceFacts:
    """A general, with what only he can do (§22)."""
    special = next((g for g in specials if (g.power, g.rank) == (power, start.rank)), None)
    if special is None:
        return PieceFacts(start.name, power, "general", start.rank, least)
    gifts = (special.supplied_in, special.supplied_by, special.enters_in)
    return PieceFacts(start.name, power, "general", start.rank, least, *gifts)
