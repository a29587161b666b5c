"""The position of a game of MARIA as plain typed data, its table, and how a game starts (§4)."""

from __future__ import annotations

from typing import Literal, NamedTuple, Self

from msgspec import Struct

from pbem.engine.board import ArmyStart, GeneralStart, TrainStart
from pbem.engine.cards import Cards, Dealer, draw, fresh_cards
from pbem.engine.combat import Duel
from pbem.engine.decisions import Allot, Allotment, Claim, Pairing
from pbem.engine.events import CardsDrawn, Ending, Event, TroopsAllotted
from pbem.engine.field import ASIDE, OFF, Alliances, Field, PieceState, alter
from pbem.engine.nouns import NO_POWER, Card, City, Piece, Power, Suit
from pbem.engine.troops import Retreat, check_allotment
from pbem.faults.wrong import Words, words
from pbem.games.maria.rules.data import MariaRules, Terms
from pbem.games.maria.rules.politics_data import Political

Phase = Literal[
    "allotment", "trump", "placing", "selecting", "hussars", "cards", "supply", "movement", "combat", "retroactive",
    "aftermath", "cession", "election", "recruiting", "over",
]  # fmt: skip


class Result(Struct, frozen=True):
    """Result of the game; no winner means a tie."""

    winner: str | None
    how: Ending
    held: dict[Power, int]


class Cancellation(NamedTuple):
    """Wish of a power to cancel the contract with a partner (§20). Positions contain it as text."""

    power: Power
    partner: Power

    def __str__(self) -> str:
        return f"{self.power}/{self.partner}"

    @classmethod
    def read(cls, written: str) -> Self:
        """Parse the text; the partner is empty if none is named."""
        power, _, partner = written.partition("/")
        return cls(Power(power), Power(partner))


class Contract(Struct):
    """Subsidy contract: a card of the giver's income each turn, for so many turns (§20)."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool = False
    """True if it cannot be cancelled."""
    by: Power = NO_POWER
    """Power that offers it, while it is only an offer."""


class Agreement(Struct, frozen=True):
    """Promise between powers, in their own words (§21)."""

    powers: tuple[Power, ...]
    words: str
    turn: int


class Task(Struct, frozen=True, tag=True):
    """Decision that must be taken before play goes on; the first of the list is asked."""

    power: Power


class CorpsTask(Task, frozen=True):
    """A general has to go to the off-map box (§17.5)."""

    lasting: bool = False


class ReinforceTask(Task, frozen=True):
    """New troops are to be given out (§17.5)."""

    troops: int


class RelocateTask(Task, frozen=True):
    """A piece has to go to a nearest city: of some home countries, of all, or of the empty ones (§17.5, §19)."""

    piece: Piece
    homes: tuple[str, ...] = ()
    """Powers whose home countries it may go to; empty if it only has to give way."""
    empty: bool = False


class ArriveTask(Task, frozen=True):
    """A piece comes to a city once pieces there have given way (§17.5, §19.3)."""

    piece: Piece
    city: City
    corps: bool = False
    """True if it comes back from an off-map box."""


class PlaceTrainTask(Task, frozen=True):
    """A train enters at a major fortress at no cost (§19.1)."""

    piece: Piece


class ShiftTask(Task, frozen=True):
    """Losses of the patron may move the defector's marker (§19.3)."""

    steps: int


class RecruitTask(Task, frozen=True):
    """A power that has changed sides may recruit at once, as in winter (§19.3)."""


Tasks = CorpsTask | ReinforceTask | RelocateTask | ArriveTask | PlaceTrainTask | ShiftTask | RecruitTask


class Affairs(Struct):
    """State of the advanced game only: victory boxes, the political display, and political changes."""

    battle: dict[Power, int]
    """Markers in the battle boxes of each major power (§16)."""
    special: dict[str, Power] = {}
    """Other victory boxes with the power of the marker there: electors, emperor, italy, silesia (§16)."""
    set_aside: dict[Power, int] = {}
    """Markers that are in no pool for some time (§19)."""
    scores: list[dict[Power, int]] = []
    """Winter scores, revealed only at the end (§13)."""
    tracks: dict[str, int] = {}
    """Box of each track's marker."""
    deck: list[Political] = []
    """Political deck; its top is the last card."""
    open: list[Political] = []
    """Political cards that lie face-up."""
    election: bool = False
    """True if the emperor is elected at the end of this turn (§18)."""
    victor: str | None = None
    """Player who won the latest combat (§17.2)."""
    trump: Suit | None = None
    display: dict[Power, list[Card]] = {}
    """Face-up tactical cards on the display."""
    covered: dict[Power, list[Card]] = {}
    """Face-down ones: just placed, or used to bluff (§17.3, §25)."""
    order: list[Power] = []
    """Powers that may still select, the most influential first (§17.4)."""
    shifts: dict[str, int] = {}
    """Announced shifts, summed (§17.5)."""
    executed: list[str] = []
    """Players who have executed a card this turn (§24)."""
    income: dict[Power, int] = {}
    """Changes of income for this turn only."""
    lasting: dict[Power, int] = {}
    """Changes of income until the end of the game."""
    corps: dict[Power, list[Piece]] = {}
    """Generals in off-map boxes who come back when the expedition ends (§17.5)."""
    drawn: list[Power] = []
    """Powers that have drawn cards this turn (§19.3)."""
    annexed: int = 0
    """Turn in which Silesia was annexed; 0 if it was not (§19.1)."""
    offered: bool = False
    """True if peace has been offered and not answered yet."""
    reduced: bool = False
    """True if objectives have been reduced (§19.2)."""
    votes: dict[Power, int] = {}
    """Votes given for Charles Albert, by power."""
    contracts: list[Contract] = []
    offers: list[Contract] = []
    cancelling: list[str] = []
    """Every `Cancellation`, as text (§20)."""
    agreements: list[Agreement] = []


class Gambit(Struct):
    """State of the Silesia Gambit only."""

    laid_aside: dict[Power, list[Card]] = {}
    """Cards of the income that nobody has seen, until peace is made."""
    ceded: bool = False
    lacking: dict[Power, int] = {}
    """Fortresses that powers lacked for their goals when peace was made."""
    held: dict[Power, int] = {}
    """Fortresses of the ceded land that powers held then."""


class State(Struct):
    """Everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """setup, politics, hussars, the leading power of an action stage, election, cession, or winter-<leading power>
    (§5). After the end of the game it keeps its last value.
    """
    phase: Phase
    field: Field
    cards: Cards
    begun: bool = False
    """True if the automatic part of the phase is done, and only decisions are left."""
    owing: list[Power] = []
    """Powers that still owe an answer in this phase."""
    moved: list[Piece] = []
    """Pieces that may not move any more in this stage."""
    tolls: dict[Power, list[Claim]] = {}
    """Supply paths through hussars that are still to be paid for (§9)."""
    battles: list[Pairing] = []
    """Attacks of this combat phase that are still to be resolved (§11.1)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None
    tasks: list[Tasks] = []
    """Decisions that must be taken before anything else."""
    affairs: Affairs | None = None
    """Only in the advanced game."""
    gambit: Gambit | None = None
    """Only in the Silesia Gambit."""


class Table(Struct):
    """A game in progress, used by every part of the sequence of play."""

    rules: MariaRules
    state: State
    dealer: Dealer


def active(table: Table, stage: str | None = None) -> tuple[Power, ...]:
    """Powers that act in an action stage; by default the present one (§5, §19.3)."""
    acts_in, wanted = table.state.field.alliances.stage, stage or table.state.stage
    return tuple([power for power in table.rules.powers if acts_in[power] == wanted])


def aside(table: Table, piece: Piece) -> tuple[str, Words]:
    """§ and reason by which a piece beside the map may not come back like one that was removed."""
    rules = table.rules.common
    facts = rules.pieces[piece]
    boxes = table.rules.scenario.politics and facts.power in table.rules.powers
    if boxes and facts.kind == "general":
        return "§17.5", words("in-box", piece=facts.name, box=rules.board.data.off_map[facts.power].box)
    if boxes:
        return "§19.1", words("in-victory-box", piece=facts.name)
    return "§14", words("no-part", piece=facts.name)


def affairs_of(table: Table) -> Affairs:
    """Affairs of an advanced game; only to be called in one."""
    affairs = table.state.affairs
    assert affairs is not None
    return affairs


def tasks_due(table: Table) -> list[Tasks]:
    """Tasks that must be settled before play goes on.

    Tasks that follow from losses wait until tolls are paid (§9), and until the beaten have retreated (§19.3).
    """
    state = table.state
    if not state.tasks:
        return state.tasks
    retreat_first = state.retreat is not None and table.rules.edition.shift_when == "after retreat"
    return [] if retreat_first or state.tolls else state.tasks


def draw_cards(table: Table, power: Power, count: int) -> list[Event]:
    """Give a power cards from the draw deck (§8)."""
    drawn, events = draw(table.state.cards, table.rules.common.decks, table.dealer, power, count)
    return [*events, CardsDrawn(power, len(drawn), tuple(drawn))]


def new_state(rules: MariaRules) -> State:
    """The position before anything is drawn or allotted."""
    return State(
        terms=rules.terms,
        turn=1,
        stage="setup",
        phase="allotment",
        field=new_field(rules),
        cards=fresh_cards(rules.common.decks, rules.powers),
        affairs=new_affairs(rules) if rules.scenario.politics else None,
        gambit=Gambit() if rules.scenario.gambit else None,
    )


def new_affairs(rules: MariaRules) -> Affairs:
    """Empty victory boxes, every political marker on its star, and the subsidy that stands at the start (§4, §8)."""
    tracks = rules.politics.tracks
    subsidy = rules.game.subsidy
    corps = {power: [piece] for power, piece in boxed_generals(rules).items()}
    return Affairs(
        battle=dict.fromkeys(rules.game.advanced.markers, 0),
        tracks={name: next(i for i, box in enumerate(track.boxes) if box.star) for name, track in tracks.items()},
        contracts=[Contract(subsidy.giver, subsidy.receiver, subsidy.fixed_turns, fixed=True)],
        corps=corps,
    )


def boxed_generals(rules: MariaRules) -> dict[Power, Piece]:
    """The generals who begin in an off-map box, by power (§4, §17.5)."""
    found: dict[Power, Piece] = {}
    for power, army in rules.common.board.data.setup.items():
        for general, start in zip(rules.common.generals(power), army.generals, strict=True):
            if start.box is not None:
                found[power] = general
    return found


def new_field(rules: MariaRules) -> Field:
    """All pieces where the board's set-up has them; those on a map that is not used take no part (§14)."""
    powers = rules.game.powers
    pieces: list[PieceState] = []
    for power in powers:
        army = rules.common.board.data.setup[power]
        pieces += [PieceState(start_city(rules, power, start)) for start in starts(army)]
    alliances = Alliances(
        side={power: facts.side for power, facts in powers.items()},
        group={power: facts.group for power, facts in powers.items()},
        principal={power: facts.principal for power, facts in powers.items()},
        home={land: power for power, lands in rules.common.board.data.powers.items() for land in lands},
        player={power: player for player, mine in rules.seats.items() for power in mine},
        stage={power: stage for stage, mine in rules.game.action_stages.items() for power in mine},
    )
    index = rules.common.board.index
    markers = {index[name]: power for power, names in rules.game.markers.items() for name in names if name in index}
    quiet = rules.scenario.gambit.half_active if rules.scenario.gambit else ""
    hussars = [OFF] * rules.game.hussars.count
    return Field(pieces, alliances, markers, questions={}, hussars=hussars, half_active=quiet)


def starts(army: ArmyStart) -> list[GeneralStart | TrainStart]:
    """The starting places in the order of the pieces."""
    return [*army.generals, *army.trains]


def start_city(rules: MariaRules, power: Power, start: GeneralStart | TrainStart) -> City:
    """The city of a piece at the start; aside if it stands in a box, on an unused map, or its power is absent."""
    if start.city is None or power in rules.scenario.absent:
        return ASIDE
    city = rules.common.board.index[start.city]
    return city if rules.common.board.in_play(city) else ASIDE


def begin(table: Table) -> list[Event]:
    """Deal the first hands and stack the political deck; every power then owes its allotment of troops."""
    rules, state = table.rules, table.state
    events: list[Event] = []
    if state.affairs is not None:
        shuffle_deck(table)
    for power in rules.game.initial_draw:
        if power in rules.powers:
            events += draw_cards(table, power, rules.game.powers[power].hand)
    state.owing = list(rules.powers)
    return events


def shuffle_deck(table: Table) -> None:
    """Stack the shuffled cards of the years, the first year on top (§4)."""
    politics = table.rules.politics
    stacked: list[Political] = []
    for year in sorted(politics.years):
        cards = [card.number for card in politics.cards if card.year == year]
        stacked += table.dealer.shuffle(year, cards)
    affairs = table.state.affairs
    assert affairs is not None
    affairs.deck = stacked[::-1]


def decision(table: Table, power: Power) -> Allot:
    """The allotment a power owes. Generals who take no part get their share too (§14)."""
    rules = table.rules
    least = {general: rules.common.pieces[general].least for general in rules.common.generals(power)}
    return Allot(power, rules.game.powers[power].troops, least, rules.common.limits.troops)


def allot(table: Table, decision: Allot, answer: Allotment) -> list[Event]:
    """Write the troops on the army sheet."""
    check_allotment(table.rules.common, decision, answer, "§4")
    for general, count in answer.troops.items():
        alter(table.state.field, general, troops=count)
    table.state.owing.remove(decision.power)
    return [TroopsAllotted(decision.power, dict(answer.troops))]
