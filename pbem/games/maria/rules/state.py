"""Position of a game of MARIA as plain typed data, the table at which the game is played, and the start of a game
(§4)."""

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
    """Wish of a power to cancel its subsidy contract with a partner (§20). Positions store the wish as text."""

    power: Power
    partner: Power

    def __str__(self) -> str:
        return f"{self.power}/{self.partner}"

    @classmethod
    def read(cls, written: str) -> Self:
        """Parse the text `power/partner`. If the text names no partner, the partner is empty."""
        power, _, partner = written.partition("/")
        return cls(Power(power), Power(partner))


class Contract(Struct):
    """Subsidy contract: for `turns` turns the receiver gets, each turn, one card of the giver's income (§20)."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool = False
    """True if the contract cannot be cancelled."""
    by: Power = NO_POWER
    """Power that has offered the contract. It is empty once the contract is made."""


class Agreement(Struct, frozen=True):
    """Agreement between powers, worded by their players (§21)."""

    powers: tuple[Power, ...]
    words: str
    turn: int


class Task(Struct, frozen=True, tag=True):
    """Task of a power: a decision that the power must take before play goes on. The position has a list of tasks; the
    first task in it is decided next."""

    power: Power


class CorpsTask(Task, frozen=True):
    """Task to send a general to his power's off-map box (§17.5)."""

    lasting: bool = False
    """True if the general stays in the box until the end of the game."""


class ReinforceTask(Task, frozen=True):
    """Task to give free troops to generals (§17.5)."""

    troops: int


class RelocateTask(Task, frozen=True):
    """Task to move a piece to the nearest city where it may be put (§17.5, §19). If `homes` is not empty, the city must
    be in one of these home countries. If `empty` is true, the city must be empty."""

    piece: Piece
    homes: tuple[str, ...] = ()
    """Powers in whose home countries the city may be. The field is empty if the piece only has to leave its city."""
    empty: bool = False


class ArriveTask(Task, frozen=True):
    """Task to put a piece into a city, after other pieces that must leave the city have left it (§17.5, §19.3)."""

    piece: Piece
    city: City
    corps: bool = False
    """True if the piece comes back from an off-map box."""


class PlaceTrainTask(Task, frozen=True):
    """Task to put a train on a major fortress at no cost (§19.1)."""

    piece: Piece


class ShiftTask(Task, frozen=True):
    """Task to decide whether the victory points that an enemy has lost move Saxony's marker (§19.3)."""

    steps: int


class RecruitTask(Task, frozen=True):
    """Task of a power that has changed sides: it may recruit at once, by the rules for winter (§19.3)."""


Tasks = CorpsTask | ReinforceTask | RelocateTask | ArriveTask | PlaceTrainTask | ShiftTask | RecruitTask


class Affairs(Struct):
    """State that only an advanced game has: victory boxes, the political display, and changes by politics."""

    battle: dict[Power, int]
    """Number of markers in the battle boxes of each major power (§16)."""
    special: dict[str, Power] = {}
    """Dict from each victory box with a marker in it to the power of the marker. Battle boxes are not included. The
    boxes are `electors`, `emperor`, `italy` and `silesia` (§16)."""
    set_aside: dict[Power, int] = {}
    """Number of each power's markers that are set aside for some time (§19). They do not count as markers in the
    pool."""
    scores: list[dict[Power, int]] = []
    """Scores of the powers in each winter so far (§13). They are revealed only at the end of the game."""
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
    """Face-down tactical cards of each power on the political display: cards placed in this turn, and cards used to
    bluff (§17.3, §25)."""
    order: list[Power] = []
    """Powers that may still select a political card. The power with the most influence comes first (§17.4)."""
    shifts: dict[str, int] = {}
    """Number of steps by which each track's marker will move: the sum of the shifts that powers have announced
    (§17.5)."""
    executed: list[str] = []
    """Players who have executed a political card in the present turn (§24)."""
    income: dict[Power, int] = {}
    """Number of cards by which each power's income changes in the present turn only."""
    lasting: dict[Power, int] = {}
    """Number of cards by which each power's income changes until the end of the game."""
    corps: dict[Power, list[Piece]] = {}
    """Generals in each power's off-map box who come back when their expedition ends (§17.5)."""
    drawn: list[Power] = []
    """Powers that have already drawn cards in the present turn (§19.3)."""
    annexed: int = 0
    """Turn in which Silesia was annexed; 0 if it was not (§19.1)."""
    offered: bool = False
    """True if peace has been offered and not answered yet."""
    reduced: bool = False
    """True if objectives have been reduced (§19.2)."""
    votes: dict[Power, int] = {}
    """Number of votes that each power has given to Charles Albert in the election."""
    contracts: list[Contract] = []
    offers: list[Contract] = []
    cancelling: list[str] = []
    """Wishes of powers to cancel a contract, each a `Cancellation` as text (§20)."""
    agreements: list[Agreement] = []


class Gambit(Struct):
    """State that only the Silesia Gambit has."""

    laid_aside: dict[Power, list[Card]] = {}
    """Cards of each power's income that it laid aside without seeing them, until peace is made."""
    ceded: bool = False
    lacking: dict[Power, int] = {}
    """Number of fortresses that each power, when peace was made, still lacked for its goal."""
    held: dict[Power, int] = {}
    """Number of fortresses in the ceded land that each power held at the time of the peace."""


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
    """Tasks of powers, the next one first. They must be decided before play goes on."""
    affairs: Affairs | None = None
    """State of the advanced game; None in other games."""
    gambit: Gambit | None = None
    """State of the Silesia Gambit; None in other games."""


class Table(Struct):
    """Game in progress: its rules, its position, and the dealer that shuffles its decks."""

    rules: MariaRules
    state: State
    dealer: Dealer


def active(table: Table, stage: str | None = None) -> tuple[Power, ...]:
    """Return the powers that act in an action stage, by default in the present stage (§5, §19.3)."""
    acts_in, wanted = table.state.field.alliances.stage, stage or table.state.stage
    return tuple([power for power in table.rules.powers if acts_in[power] == wanted])


def reason_aside(table: Table, piece: Piece) -> tuple[str, Words]:
    """Return the § by which a piece out of play cannot re-enter the game, and the reason in words."""
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
    """Return the tasks that must be decided before play goes on. The result is empty while tolls must be paid (§9), and
    in some editions also while a beaten stack must retreat (§19.3). Callers must not change the result, because it may
    be the list of the position itself."""
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
    """Return the state of an advanced game at its start (§4, §8): victory boxes are empty, each track's marker is on
    its star, the first subsidy is agreed, and some generals are in off-map boxes."""
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
    """Return the general in the off-map box at the start of the game, for each power that has one (§4, §17.5)."""
    found: dict[Power, Piece] = {}
    for power, army in rules.common.board.data.setup.items():
        for general, start in zip(rules.common.generals(power), army.generals, strict=True):
            if start.box is not None:
                found[power] = general
    return found


def new_field(rules: MariaRules) -> Field:
    """Return the map with all pieces at the places that the board's set-up gives them. Pieces on a map that this game
    does not use take no part (§14)."""
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
        # Powers that take no part are included because stored positions have always had them.
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
    """Return the city of a piece at the start of the game; ASIDE if the piece is not on a map that this game uses."""
    if start.city is None or power in rules.scenario.absent:
        return ASIDE
    city = rules.common.board.index[start.city]
    return city if rules.common.board.in_play(city) else ASIDE


def begin(table: Table) -> list[Event]:
    """Deal the first hands, and stack the political deck if there is one. Then every power must give out its troops."""
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
    """Return the decision to give a power's troops to its generals. Generals who take no part get troops as well
    (§14)."""
    rules = table.rules
    least = {general: rules.common.pieces[general].least for general in rules.common.generals(power)}
    return Allot(power, rules.game.powers[power].troops, least, rules.common.limits.troops)


def allot(table: Table, decision: Allot, answer: Allotment) -> list[Event]:
    check_allotment(table.rules.common, decision, answer, "§4")
    for general, count in answer.troops.items():
        alter(table.state.field, general, troops=count)
    table.state.owing.remove(decision.power)
    return [TroopsAllotted(decision.power, dict(answer.troops))]
