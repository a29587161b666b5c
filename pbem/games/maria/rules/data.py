"""Types of MARIA's data files, and the rules of one game made from the data."""

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
"""Methods of placing influence on the political display: one power after the other, or all at once."""


class PowerFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of one power in the rules and on its army sheet (§2, §4, §8)."""

    major: bool
    side: str
    """Side in the war. Powers of one side are allied, powers of different sides are enemies."""
    group: str
    """Group of partners: they may stack, and they protect each other's fortresses."""
    principal: Power
    """The major power whose markers this power uses (§10.3)."""
    troops: int
    hand: int
    """Number of cards in the hand at the start."""
    income: int


class HussarFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the hussars (§7): the power that moves them, their number, and the one map of the board on which they
    may stand."""

    power: Power
    count: int
    map: str


class SubsidyFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the subsidy of the game's start (§8): giver, receiver, and number of cards. It must be given for
    `fixed_turns` turns, then the giver decides in each turn."""

    giver: Power
    receiver: Power
    cards: int
    fixed_turns: int


class SpecialGeneral(Struct, frozen=True, forbid_unknown_fields=True):
    """Special abilities of one general, who is named by power and rank (§22)."""

    power: Power
    rank: int
    supplied_in: tuple[str, ...] = ()
    """Lands, besides his home country, in which he is always in supply."""
    supplied_by: tuple[Power, ...] = ()
    """Further powers whose trains supply him."""
    enters_in: tuple[str, ...] = ()
    """Further lands in which he may re-enter."""


class Annexation(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the annexation: the power that annexes a land, its victim, the land, and the consequences (§19.1)."""

    by: Power
    victim: Power
    land: str
    moved_out_of: tuple[str, ...]
    """Lands that pieces of the victim must leave."""
    neutral_turns: int
    """Turns after which the neutrality of the annexing power ends."""


class Reduction(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the reduction of military objectives: the power that may reduce its objectives, and the land and the map
    where it does so (§19.2)."""

    power: Power
    land: str
    map: str


class Defection(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the defection: the power that may change sides, its old ally (the patron), its new ally (the suitor),
    and its track (§19.3)."""

    power: Power
    patron: Power
    suitor: Power
    track: str
    also_home: dict[str, tuple[str, ...]]
    """Other powers in whose home countries a power's displaced pieces may be put, keyed by power."""


class Prizes(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the victory boxes other than battle boxes (§16)."""

    electors_least: int
    """Number of fortresses with elector markers that must be held for the box of the electors."""
    electors: tuple[Power, Power]
    """Powers that may win the box of the electors. If both could, the first gets it."""
    emperor: dict[str, Power]
    """Power that profits from the election of a candidate, keyed by candidate."""
    italy: str
    """Name of the track that fills the box "Italy"."""


class Advanced(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts that only the advanced game has (§15–§23)."""

    markers: dict[Power, int]
    """Number of victory markers of each major power (§4)."""
    battle_boxes: int
    eliminated_for_point: int
    """Number of eliminated troops that give one victory point."""
    corps_price: int
    corps_troops: int
    annexation: Annexation
    reduction: Reduction
    defection: Defection
    prizes: Prizes
    votes_to_win: int
    loyal: tuple[Power, ...]
    """Powers whose votes all go to Francis Stephen (§18)."""
    voting_order: tuple[Power, ...]
    generals: tuple[SpecialGeneral, ...]


class GameData(Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of the file game.yaml: facts common to all scenarios."""

    name: str
    board: str
    powers: dict[Power, PowerFacts]
    least_troops: dict[Power, dict[int, int]]
    """Least number of troops that a general must get at the start, keyed by power and by the general's rank. Generals
    who are not in it must get one troop."""
    initial_draw: tuple[Power, ...]
    """Powers in the sequence in which the first hands are dealt."""
    action_stages: dict[str, tuple[Power, ...]]
    """Powers that act together in an action stage, keyed by stage, in the sequence of play."""
    decks: DeckFacts
    limits: Limits
    crossing: tuple[Power, ...]
    """Powers that may march from one map to another (§10.1)."""
    hussars: HussarFacts
    subsidy: SubsidyFacts
    always_marked: tuple[Power, ...]
    """Lands whose fortresses always bear a marker (§10.3)."""
    markers: dict[Power, tuple[str, ...]]
    advanced: Advanced


WINTER = "winter-"
"""Prefix of a stage of winter, such as `winter-prussia`. Powers that act together in an action stage recruit together
(§5)."""


def is_winter(stage: str) -> bool:
    return stage.startswith(WINTER)


def winter_of(stage: str) -> str:
    return f"{WINTER}{stage}"


def acting_in(stage: str) -> str:
    """Return the action stage whose powers recruit in this stage of winter. Return any other stage unchanged."""
    return stage.removeprefix(WINTER)


class Seats(Struct, frozen=True, forbid_unknown_fields=True):
    """Seats for one number of players, and the rules that depend on that number."""

    seats: dict[str, tuple[Power, ...]]
    rule: str
    ties: tuple[str, ...] = ()
    """Players in the sequence that decides ties: of tied players the first one in this list wins (§23, §24)."""
    subsidies_to_minors_only: bool = False
    one_execution: bool = False
    """True if each player may execute only one political card in a turn (§24)."""
    shifts_by: tuple[Power, ...] = ()
    """Powers whose losses can move the marker of the power that may change sides (§19.3, §24)."""
    shifts_on: str = ""
    """Map on which the losses of the powers in `shifts_by` count. If it is empty, losses on all maps count (§24)."""


class Goal(Struct, frozen=True, forbid_unknown_fields=True):
    """Goal of a power: the number of fortresses that it must control to win, and the lands in which they count
    (§14)."""

    fortresses: int
    lands: tuple[str, ...]


class GambitFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Facts of the Silesia Gambit: the possible cession of Silesia, and the goals after it (Silesia Gambit §2)."""

    half_active: str
    """Map on which no power fights until peace is made."""
    laid_aside: dict[Power, int]
    """Number of cards that each power lays aside from its income each turn."""
    turn: int
    """Turn at whose end peace may be made."""
    last_turn: int
    """Last turn if no peace is made. After a peace, the scenario's last turn holds."""
    by: Power
    leaving: tuple[Power, ...]
    """Powers that leave the game by the peace."""
    land: str
    goals: tuple[GambitGoal, ...]
    survivor: Power
    """Power whose player wins if no player has won by the last turn after the peace."""


class GambitGoal(Struct, frozen=True, forbid_unknown_fields=True):
    """Goal of a power after peace: a number of fortresses, to which numbers counted at the peace are added, or from
    which they are subtracted."""

    power: Power
    fortresses: int
    lands: tuple[str, ...]
    plus_lacking: Power = NO_POWER
    """Power whose missing fortresses count. The number that it still lacked for its goal of the scenario, when peace
    was made, is added to `fortresses`."""
    minus_held_by: Power = NO_POWER
    """Power whose fortresses in the ceded land, counted when peace was made, are subtracted from `fortresses`."""


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario of the file scenarios.yaml."""

    title: str
    rule: str
    maps: tuple[str, ...]
    turns: int
    winter_every: int
    """Number of turns from one winter to the next."""
    players: dict[int, Seats]
    absent: tuple[Power, ...] = ()
    income: dict[Power, int] = {}
    general_entry: dict[Power, tuple[str, ...]] = {}
    """Other powers in whose home countries a power's generals may re-enter, keyed by power."""
    goals: dict[Power, Goal] = {}
    victory: Literal["goals", "pools"] = "goals"
    politics: bool = False
    gambit: GambitFacts | None = None
    last_winter: bool = False
    """True if a winter follows the last turn."""
    survivor: Power = NO_POWER
    """Power whose player wins if no player has won by the last turn."""


class Edition(Struct, frozen=True, forbid_unknown_fields=True):
    """Differences between editions, and points that can be read in several ways. The players of a game may replace each
    value; docs/rulings.md explains the names and values."""

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
    """Rule for foreign pieces in neutral land if they are not moved at once: they `must` march out, or they `may` march
    out (§19.3)."""
    peace_homes: Literal["as from saxony", "own"] = "as from saxony"
    """Home countries to which pieces go when they must leave the annexing power's land: a ruling on §19.1."""
    free_troops: Literal["before paid", "after paid"] = "before paid"
    """Sequence of free and paid troops if a power gets both: a ruling on §17.5, §19.3."""
    neutral_contracts: Literal["stand", "fall"] = "stand"
    """Contracts of a power that becomes neutral for some time: they `stand` or `fall`. A ruling on §19.4, §20."""
    beyond_end: Literal["stop", "stay"] = "stop"
    """Effect of a shift that would go beyond the end of a track: the marker goes as far as it can (`stop`), or does not
    move (`stay`). A ruling on §17.5."""
    zero_reserve: Literal["allowed", "refused"] = "allowed"
    """Use of a Reserve instead of the card that must be played at score zero: a ruling on §11.1."""
    italy_marker: Literal["on star", "over star"] = "on star"
    """Position of the track's marker at which the victory box "Italy" is emptied: on the star only, or also beyond it.
    A ruling on §17.5."""
    moved_trains: Literal["stay", "re-enter"] = "stay"
    """Rule for a train that has already moved: it must `stay`, or may be withdrawn and `re-enter`. A ruling on
    §10.2."""
    ways: Literal["found", "written"] = "found"
    """Treatment of a march whose order leaves cities out: the program finds the path (`found`), or the order must name
    every city (`written`, docs/orders.md)."""
    sequence: Literal["any", "of play"] = "any"
    """Sequence of the orders of powers that act together: any sequence in which all are legal (`any`), or the sequence
    of play (`of play`, §10.1)."""


class Terms(Struct, frozen=True):
    """Terms of a game: choices from which its rules can be loaded again."""

    scenario: str = "introductory"
    players: int = 3
    edition: str = "2.1"
    board: str = "theatrum-belli"
    politics: str = "standard"
    """Name of the file of tracks and political cards."""
    bluffing: bool = False
    """True if the optional political rule is played (§25)."""
    placing: Placing = "in order"
    """Method of placing influence: one power after the other as in §17.3, or all powers at the same time."""
    rulings: tuple[tuple[str, str], ...] = ()
    """Values of `Edition` that the players have replaced, as pairs of name and value, sorted by name."""

    @property
    def game(self) -> str:
        return "maria"


class MariaRules(Struct, frozen=True):
    """Rules of one game of MARIA, which never change during the game."""

    terms: Terms
    common: Rules
    game: GameData
    scenario: Scenario
    edition: Edition
    politics: PoliticsData
    powers: tuple[Power, ...]
    """Powers that take part, in the sequence of the action stages."""
    seats: dict[str, tuple[Power, ...]]
    """Powers with which each player begins, keyed by player. Powers that take no part are left out."""

    def player_of(self, power: Power) -> str:
        """Return the player who has the power at the start."""
        return next(player for player, powers in self.seats.items() if power in powers)


def maria_rules(
    terms: Terms,
    game: GameData,
    scenario: Scenario,
    edition: Edition,
    board: BoardData,
    politics: PoliticsData,
) -> MariaRules:
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
    seats = {
        player: tuple(power for power in powers if power in taking_part)
        for player, powers in scenario.players[terms.players].seats.items()
    }
    return MariaRules(terms, common, game, scenario, edition, politics, taking_part, seats)


def pieces_of(game: GameData, board: BoardData, gifted: bool) -> tuple[PieceFacts, ...]:
    """Return all pieces: generals named in the board's set-up, and trains numbered within their power. With `gifted`,
    generals have special abilities (§22)."""
    specials = game.advanced.generals if gifted else ()
    pieces: list[PieceFacts] = []
    for power in game.powers:
        least: Mapping[int, int] = game.least_troops.get(power, {})
        army = board.setup[power]
        pieces += [general_of(specials, power, start, least.get(start.rank, 1)) for start in army.generals]
        pieces += [PieceFacts(str(TrainName(power, n + 1)), power, "train") for n in range(len(army.trains))]
    return tuple(pieces)


def general_of(specials: Sequence[SpecialGeneral], power: Power, start: GeneralStart, least: int) -> PieceFacts:
    """Return the facts of a general, with special abilities if he has any (§22). `least` is his smallest number of
    troops at the start."""
    special = next((g for g in specials if (g.power, g.rank) == (power, start.rank)), None)
    if special is None:
        return PieceFacts(start.name, power, "general", start.rank, least)
    gifts = (special.supplied_in, special.supplied_by, special.enters_in)
    return PieceFacts(start.name, power, "general", start.rank, least, *gifts)
