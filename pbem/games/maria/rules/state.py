"""Position of a game of MARIA as plain typed data, the table at which it is played, and the start of a game (§4)."""

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
    """Result of the game. If there is no winner, it is a tie."""

    winner: str | None
    how: Ending
    held: dict[Power, int]
    """Number of fortresses that each power holds for its goal."""


class Cancellation(NamedTuple):
    """Wish of a power to cancel the contract with a partner (§20). Positions store the wish as text."""

    power: Power
    partner: Power

    def __str__(self) -> str:
        return f"{self.power}/{self.partner}"

    @classmethod
    def read(cls, written: str) -> Self:
        """Parse the text `power/partner`. A missing partner is read as empty."""
        power, _, partner = written.partition("/")
        return cls(Power(power), Power(partner))


class Contract(Struct):
    """Subsidy contract: the receiver gets a card of the giver's income each turn, for `turns` turns (§20)."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool = False
    """True if the contract cannot be cancelled."""
    by: Power = NO_POWER
    """Power that has offered the contract; empty in a contract that is made."""


class Agreement(Struct, frozen=True):
    """Agreement between powers, in their own words (§21)."""

    powers: tuple[Power, ...]
    words: str
    turn: int


class Task(Struct, frozen=True, tag=True):
    """Task of a power: a decision that it must take before play goes on. The position has a list of tasks, of which the
    first is decided next."""

    power: Power


class CorpsTask(Task, frozen=True):
    """Task to send a general to the off-map box (§17.5)."""

    lasting: bool = False
    """True if the general stays in the box until the end of the game."""


class ReinforceTask(Task, frozen=True):
    """Task to give out free troops (§17.5)."""

    troops: int


class RelocateTask(Task, frozen=True):
    """Task to move a piece to the nearest allowed city (§17.5, §19). If `homes` names home countries, the city must be
    in one of them. If `empty` is true, the city must be empty."""

    piece: Piece
    homes: tuple[str, ...] = ()
    """Powers to whose home countries the piece may go. It is empty if the piece only has to leave its city."""
    empty: bool = False


class ArriveTask(Task, frozen=True):
    """Task to put a piece into a city, once the pieces that stand there have left (§17.5, §19.3)."""

    piece: Piece
    city: City
    corps: bool = False
    """True if the piece comes back from an off-map box."""


class PlaceTrainTask(Task, frozen=True):
    """Task to put a train on a major fortress at no cost (§19.1)."""

    piece: Piece


class ShiftTask(Task, frozen=True):
    """Task to decide if the victory points that an enemy has lost move Saxony's marker (§19.3)."""

    steps: int


class RecruitTask(Task, frozen=True):
    """Task to recruit at once, as in winter, for a power that has changed sides (§19.3)."""


Tasks = CorpsTask | ReinforceTask | RelocateTask | ArriveTask | PlaceTrainTask | ShiftTask | RecruitTask


class Affairs(Struct):
    """State that only an advanced game has: victory boxes, the political display, and changes by politics."""

    battle: dict[Power, int]
    """Number of markers in the battle boxes of each major power (§16)."""
    special: dict[str, Power] = {}
    """Dict from each victory box in which a marker lies, battle boxes excepted, to the power of the marker. The boxes
    are `electors`, `emperor`, `italy` and `silesia` (§16)."""
    set_aside: dict[Power, int] = {}
    """Number of markers of each power that are set aside, in no pool, for some time (§19)."""
    scores: list[dict[Power, int]] = []
    """Scores of the powers in each winter so far, revealed only at the end of the game (§13)."""
    tracks: dict[str, int] = {}
    """Box of each track's marker, counted from 0."""
    deck: list[Political] = []
    """Political cards in the deck; the last card is the top."""
    open: list[Political] = []
    """Political cards that lie face-up."""
    election: bool = False
    """True if the emperor is elected at the end of the present turn (§18)."""
    victor: str | None = None
    """Player who won the latest combat (§17.2)."""
    trump: Suit | None = None
    display: dict[Power, list[Card]] = {}
    """Face-up tactical cards of each power on the political display."""
    covered: dict[Power, list[Card]] = {}
    """Face-down tactical cards of each power on the political display, just placed or used to bluff (§17.3, §25)."""
    order: list[Power] = []
    """Powers that may still select a political card, the most influential first (§17.4)."""
    shifts: dict[str, int] = {}
    """Sum of the announced shifts of each track, in steps (§17.5)."""
    executed: list[str] = []
    """Players who have executed a political card in the present turn (§24)."""
    income: dict[Power, int] = {}
    """Changes of each power's income for the present turn only, in cards."""
    lasting: dict[Power, int] = {}
    """Changes of each power's income until the end of the game, in cards."""
    corps: dict[Power, list[Piece]] = {}
    """Generals of each power in its off-map box who come back when the expedition ends (§17.5)."""
    drawn: list[Power] = []
    """Powers that have drawn cards in the present turn (§19.3)."""
    annexed: int = 0
    """Turn in which Silesia was annexed; 0 if it was not (§19.1)."""
    offered: bool = False
    """True if peace has been offered and not answered yet."""
    reduced: bool = False
    """True if objectives have been reduced (§19.2)."""
    votes: dict[Power, int] = {}
    """Number of votes that each power has given to Charles Albert."""
    contracts: list[Contract] = []
    offers: list[Contract] = []
    cancelling: list[str] = []
    """Wishes to cancel a contract, each a `Cancellation` as text (§20)."""
    agreements: list[Agreement] = []


class Gambit(Struct):
    """State that only the Silesia Gambit has."""

    laid_aside: dict[Power, list[Card]] = {}
    """Cards of its income that each power has laid aside unseen until peace is made."""
    ceded: bool = False
    lacking: dict[Power, int] = {}
    """Number of fortresses that each power lacked for its goal when peace was made."""
    held: dict[Power, int] = {}
    """Number of fortresses in the ceded land that each power held when peace was made."""


class State(Struct):
    """Position of a game: everything that changes during the game."""

    terms: Terms
    turn: int
    stage: str
    """Stage of the turn (§5): `setup`, `politics`, `hussars`, the leading power of an action stage, `election`,
    `cession`, or `winter-` with a leading power. The end of the game does not change it."""
    phase: Phase
    field: Field
    cards: Cards
    begun: bool = False
    """True once the automatic part of the phase has been carried out."""
    owing: list[Power] = []
    """Powers that still owe an answer in the present phase."""
    moved: list[Piece] = []
    """Pieces that may not move any more in the present stage."""
    tolls: dict[Power, list[Claim]] = {}
    """Supply paths through hussars for which each power still has to pay (§9)."""
    battles: list[Pairing] = []
    """Attacks of the present combat phase that are still to be resolved (§11.1)."""
    duel: Duel | None = None
    retreat: Retreat | None = None
    result: Result | None = None
    tasks: list[Tasks] = []
    """Tasks of powers, which must be decided before play goes on."""
    affairs: Affairs | None = None
    """State of the advanced game; None in other games."""
    gambit: Gambit | None = None
    """State of the Silesia Gambit; None in other games."""


class Table(Struct):
    """Game in progress: its rules, its position, and the dealer of its shuffles."""

    rules: MariaRules
    state: State
    dealer: Dealer


def active(table: Table, stage: str | None = None) -> tuple[Power, ...]:
    """Return the powers that act in an action stage, by default in the present stage (§5, §19.3)."""
    acts_in, wanted = table.state.field.alliances.stage, stage or table.state.stage
    return tuple([power for power in table.rules.powers if acts_in[power] == wanted])


def reason_aside(table: Table, piece: Piece) -> tuple[str, Words]:
    """Return the § by which a piece that stands aside cannot re-enter the game, and the reason in words."""
    rules = table.rules.common
    facts = rules.pieces[piece]
    boxes = table.rules.scenario.politics and facts.power in table.rules.powers
    if boxes and facts.kind == "general":
        return "§17.5", words("in-box", piece=facts.name, box=rules.board.data.off_map[facts.power].box)
    if boxes:
        return "§19.1", words("in-victory-box", piece=facts.name)
    return "§14", words("no-part", piece=facts.name)


def affairs_of(table: Table) -> Affairs:
    """Return the state that only an advanced game has. The game must be an advanced game."""
    affairs = table.state.affairs
    assert affairs is not None
    return affairs


def tasks_due(table: Table) -> list[Tasks]:
    """Return the tasks that must be decided before play goes on. None is due while tolls are to be paid (§9). In some
    editions none is due while a beaten stack has to retreat (§19.3). The result may be the list in the position itself,
    and not a copy."""
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
    """Return the position before cards are drawn and troops allotted."""
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
    """Return the state of an advanced game at the start: empty victory boxes, markers on their stars, the first
    subsidy, and some generals in off-map boxes (§4, §8)."""
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
    """Return the general of each power who begins in an off-map box (§4, §17.5)."""
    found: dict[Power, Piece] = {}
    for power, army in rules.common.board.data.setup.items():
        for general, start in zip(rules.common.generals(power), army.generals, strict=True):
            if start.box is not None:
                found[power] = general
    return found


def new_field(rules: MariaRules) -> Field:
    """Return the map with all pieces where the board's set-up has them. Pieces on a map that is not used take no part
    (§14)."""
    powers = rules.game.powers
    pieces: list[PieceState] = []
    for power in powers:
        army = rules.common.board.data.setup[power]
        pieces += [PieceState(start_city(rules, power, start)) for start in start_places(army)]
    alliances = Alliances(
        side={power: facts.side for power, facts in powers.items()},
        group={power: facts.group for power, facts in powers.items()},
        principal={power: facts.principal for power, facts in powers.items()},
        home={land: power for power, lands in rules.common.board.data.powers.items() for land in lands},
        # Powers that take no part are included, because positions of all versions have them.
        player={
            power: player
            for player, mine in rules.scenario.players[rules.terms.players].seats.items()
            for power in mine
        },
        stage={power: stage for stage, mine in rules.game.action_stages.items() for power in mine},
    )
    index = rules.common.board.index
    markers = {index[name]: power for power, names in rules.game.markers.items() for name in names if name in index}
    quiet = rules.scenario.gambit.half_active if rules.scenario.gambit else ""
    hussars = [OFF] * rules.game.hussars.count
    return Field(pieces, alliances, markers, questions={}, hussars=hussars, half_active=quiet)


def start_places(army: ArmyStart) -> list[GeneralStart | TrainStart]:
    return [*army.generals, *army.trains]


def start_city(rules: MariaRules, power: Power, start: GeneralStart | TrainStart) -> City:
    """Return the city of a piece at the start, or ASIDE for a piece that is not on a map in use."""
    if start.city is None or power in rules.scenario.absent:
        return ASIDE
    city = rules.common.board.index[start.city]
    return city if rules.common.board.in_play(city) else ASIDE


def begin(table: Table) -> list[Event]:
    """Deal the first hands and, in a game with politics, stack the political deck. Every power must then allot its
    troops."""
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
    """Shuffle the political cards of each year, and stack them with the first year on top (§4)."""
    politics = table.rules.politics
    stacked: list[Political] = []
    for year in sorted(politics.years):
        cards = [card.number for card in politics.cards if card.year == year]
        stacked += table.dealer.shuffle(year, cards)
    affairs = table.state.affairs
    assert affairs is not None
    affairs.deck = stacked[::-1]


def decision(table: Table, power: Power) -> Allot:
    """Return the decision to allot a power's troops. Generals who take no part get troops as well (§14)."""
    rules = table.rules
    least = {general: rules.common.pieces[general].least for general in rules.common.generals(power)}
    return Allot(power, rules.game.powers[power].troops, least, rules.common.limits.troops)


def allot(table: Table, decision: Allot, answer: Allotment) -> list[Event]:
    check_allotment(table.rules.common, decision, answer, "§4")
    for general, count in answer.troops.items():
        alter(table.state.field, general, troops=count)
    table.state.owing.remove(decision.power)
    return [TroopsAllotted(decision.power, dict(answer.troops))]
