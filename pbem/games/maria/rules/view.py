"""What one player, or somebody who only watches, may know of a position: built by naming what is shown, no more."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.conquest import Control, control_of, controller
from pbem.engine.copying import copied
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.showing import DuelView, PieceView, duel_view, shown
from pbem.engine.standing import standing_of
from pbem.games.maria.rules import gambit
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.election import votes_of
from pbem.games.maria.rules.game import decisions
from pbem.games.maria.rules.income import cut_off_from_income, income_of
from pbem.games.maria.rules.points import on_fortresses, pool
from pbem.games.maria.rules.politics import card_facts, influence
from pbem.games.maria.rules.politics_data import Political
from pbem.games.maria.rules.state import Affairs, Agreement, ArriveTask, Cancellation, Phase, Result, Tasks
from pbem.games.maria.rules.table import Table, affairs_of
from pbem.games.maria.rules.victory import held, is_ceded


class Allegiance(Struct, frozen=True):
    """Who plays a power, when it acts, and on whose side it stands."""

    player: str
    stage: str
    """The action stage in which it acts; empty once it has left the game."""
    side: str
    """Powers of one side are allied; empty for a neutral one."""
    group: str
    """Powers of one group co-operate."""


class ContractView(Struct, frozen=True):
    """A subsidy contract, or the offer of one."""

    giver: Power
    receiver: Power
    turns: int
    fixed: bool


class DisplayView(Struct, frozen=True):
    """What one power has on the political display."""

    cards: tuple[Card, ...]
    """The face-up ones."""
    influence: int
    covered: int
    """How many lie face-down."""
    own_covered: tuple[Card, ...] | None
    """Which they are, if they are one's own."""


class MarkersView(Struct, frozen=True):
    """Where the victory markers of one power are."""

    total: int
    pool: int
    fortresses: int
    battle: int
    boxes: tuple[str, ...]
    set_aside: int


class AffairsView(Struct, frozen=True):
    """What everybody may know of the affairs of an advanced game."""

    markers: dict[Power, MarkersView]
    electors: dict[City, Power | None]
    """The fortresses with an electoral vote, and who controls them."""
    votes: dict[Power, int]
    """The electoral votes each power has now."""
    votes_cast: dict[Power, tuple[int, int]]
    """The votes cast so far in an election that is being held: for Francis Stephen, for Charles Albert."""
    election: bool
    """Whether the emperor is elected at the end of this turn."""
    tracks: dict[str, int]
    """The box in which the marker of each track stands, counted from 1."""
    open: tuple[Political, ...]
    deck: dict[int, int]
    """How many political cards of each year are still to come."""
    victor: str | None
    """The player who won the latest combat."""
    trump: Suit | None
    display: dict[Power, DisplayView]
    order: tuple[Power, ...]
    """The powers that may still select a political card, the most influential first."""
    shifts: dict[str, int]
    """Announced shifts."""
    income: dict[Power, int]
    """What each power draws in a tactical cards phase as things stand, subsidies not counted."""
    drawn: tuple[Power, ...]
    """The powers that have drawn this turn."""
    contracts: tuple[ContractView, ...]
    offers: tuple[ContractView, ...]
    cancelling: tuple[tuple[str, str], ...]
    """Who wants to cancel a contract with whom, as far as it concerns one's own powers."""
    agreements: tuple[Agreement, ...]
    corps: dict[Power, tuple[Piece, ...]]
    """The generals in off-map boxes."""
    annexed: int
    """The turn in which Silesia was annexed, 0 if it was not."""
    offered: bool
    """Whether an offer of peace waits for its answer."""
    reduced: bool
    winters: int
    """How many winters have been scored."""
    scores: tuple[dict[Power, int], ...]
    """The winter scores, once the game is over."""


class GoalView(Struct, frozen=True):
    """A goal after peace in the Silesia Gambit."""

    power: Power
    needed: int
    held: int
    lands: tuple[str, ...]


class GambitView(Struct, frozen=True):
    """What everybody may know of a Silesia Gambit."""

    ceded: bool
    laid_aside: dict[Power, int]
    """How many cards each power has laid aside."""
    goals: tuple[GoalView, ...]
    """The goals that peace has brought."""


class View(Struct, frozen=True):
    """A position as seen with the knowledge of some powers."""

    terms: Terms
    powers: tuple[Power, ...]
    """The powers whose secrets are in here; none for an observer."""
    turn: int
    last_turn: int
    """The last turn of the game as things stand."""
    stage: str
    phase: Phase
    allegiances: dict[Power, Allegiance]
    stacking: tuple[Power, ...]
    """The powers that let generals of another player's power stack with theirs."""
    pieces: tuple[PieceView, ...]
    troops: dict[Power, int]
    """The total of every power, which is public (§6)."""
    markers: Mapping[City, Power]
    questions: dict[City, Power]
    hussars: tuple[City, ...]
    hand_sizes: dict[Power, int]
    hands: dict[Power, tuple[Card, ...]]
    draw_deck: int
    unused_decks: int
    set_aside: tuple[int, ...]
    moved: tuple[Piece, ...]
    owing: tuple[Power, ...]
    goals: dict[Power, tuple[int, int]]
    """The powers that can win by fortresses: how many of their goal they control, and how many they need (§14)."""
    duel: DuelView | None
    decisions: tuple[Decision, ...]
    """What these powers have to decide now."""
    result: Result | None
    affairs: AffairsView | None
    gambit: GambitView | None


def view(table: Table, powers: Collection[Power]) -> View:
    """The position as players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple([power for power in rules.powers if power in powers])
    open_now = decisions(table)
    control = control_of(rules.common, state.field)
    seen = shown(rules.common, state.field, own, rules.powers)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        last_turn=gambit.last_turn(table),
        stage=state.stage,
        phase=state.phase,
        allegiances=control.once("allegiances", allegiances, table),
        stacking=state.field.alliances.stacking,
        pieces=tuple(seen.views),
        troops=dict(seen.troops),
        markers=state.field.markers,
        questions=dict(state.field.questions),
        hussars=tuple(state.field.hussars),
        hand_sizes={power: len(hand) for power, hand in state.cards.hands.items()},
        hands={power: tuple(state.cards.hands[power]) for power in own},
        draw_deck=len(state.cards.draw),
        unused_decks=len(state.cards.unused),
        set_aside=tuple(map(len, state.cards.discards)),
        moved=tuple(state.moved),
        owing=tuple(dict.fromkeys([decision.power for decision in open_now])),
        goals={} if is_ceded(table) else control.once("goals", goals, table),
        duel=duel_view(state.duel),
        decisions=tuple([decision for decision in open_now if decision.power in own]),
        result=replace(state.result, held=in_order(table, state.result.held)) if state.result else None,
        affairs=affairs_shown(table, own) if state.affairs else None,
        gambit=gambit_view(table) if state.gambit else None,
    )


def in_order(table: Table, numbers: dict[Power, int]) -> dict[Power, int]:
    """Numbers by power, in the order in which the powers act."""
    return {power: numbers[power] for power in table.rules.powers if power in numbers}


def goals(table: Table) -> dict[Power, tuple[int, int]]:
    """The goals by fortresses, as long as peace has not put others in their place."""
    return {power: (held(table, power), goal.fortresses) for power, goal in table.rules.scenario.goals.items()}


def allegiances(table: Table) -> dict[Power, Allegiance]:
    """Who plays each power, and where it stands."""
    now = table.state.field.alliances
    return {p: Allegiance(now.player[p], now.stage[p], now.side[p], now.group[p]) for p in table.rules.powers}


class AffairsShown(Struct, frozen=True):
    """The latest view of affairs, and all that it depends on."""

    view: AffairsView
    control: Control
    affairs: Affairs
    questions: dict[City, Power]
    aside: list[Piece]
    tasks: list[Tasks]
    over: bool
    by_player: dict[tuple[Power, ...], AffairsView]
    """What those know besides who play these powers, as far as they have asked."""

    def is_of(self, table: Table, control: Control) -> bool:
        """Whether it shows a position as it is."""
        state = table.state
        return (
            self.control is control
            and self.questions == state.field.questions
            and self.affairs == state.affairs
            and self.aside is standing_of(table.rules.common, state.field).aside
            and self.tasks == state.tasks
            and self.over == (state.phase == "over")
        )


def affairs_shown(table: Table, own: tuple[Power, ...]) -> AffairsView:
    """The affairs of an advanced game; they are shown as last time, while nothing has changed below them."""
    kept, state = table.rules.common.worked_out, table.state
    latest, control = kept.get("affairs"), control_of(table.rules.common, state.field)
    if not isinstance(latest, AffairsShown) or not latest.is_of(table, control):
        affairs, questions, over = copied(affairs_of(table)), dict(state.field.questions), state.phase == "over"
        view, aside = affairs_view(table), standing_of(table.rules.common, state.field).aside
        latest = AffairsShown(view, control, affairs, questions, aside, list(state.tasks), over, {(): view})
        kept["affairs"] = latest
    found = latest.by_player.get(own) or affairs_of_player(table, own, latest.view)
    return latest.by_player.setdefault(own, found)


def affairs_of_player(table: Table, own: Collection[Power], public: AffairsView) -> AffairsView:
    """What everybody may know, and what only who plays these powers."""
    wishes = map(Cancellation.read, affairs_of(table).cancelling)
    return replace(
        public,
        display={p: display_view(table, p, own) if p in own else shown for p, shown in public.display.items()},
        cancelling=tuple(wish for wish in wishes if wish.power in own or wish.partner in own),
    )


def affairs_view(table: Table) -> AffairsView:
    """The affairs of an advanced game, as everybody may know them."""
    rules, state, affairs = table.rules, table.state, affairs_of(table)
    common = rules.common
    control = control_of(common, state.field)
    votes = control.once(("votes", status(table)), votes_of, table)
    tracks, changes = tuple(affairs.tracks.items()), (*affairs.income.items(), None, *affairs.lasting.items())
    boxes = tuple(tuple(box.items()) for box in (affairs.battle, affairs.special, affairs.set_aside))
    laid = ("laid", *boxes, *state.field.questions.items())
    return AffairsView(
        markers=control.once(laid, markers_views, table),
        electors=control.once("electors", electors, table),
        votes={power: votes[power] for power in rules.powers if power in votes},
        votes_cast={
            power: (votes[power] - affairs.votes[power], affairs.votes[power])
            for power in rules.game.advanced.voting_order
            if power in affairs.votes
        },
        election=affairs.election,
        tracks={track: affairs.tracks[track] + 1 for track in rules.politics.tracks},
        open=tuple(affairs.open),
        deck=control.once(("deck", *affairs.deck), cards_to_come, table),
        victor=affairs.victor,
        trump=affairs.trump,
        display={power: display_view(table, power, ()) for power in rules.game.advanced.markers},
        order=tuple(affairs.order),
        shifts={track: affairs.shifts[track] for track in rules.politics.tracks if track in affairs.shifts},
        income=control.once(("income", tracks, changes), incomes, table),
        drawn=tuple(affairs.drawn),
        contracts=tuple(ContractView(c.giver, c.receiver, c.turns, c.fixed) for c in affairs.contracts),
        offers=tuple(ContractView(c.giver, c.receiver, c.turns, c.fixed) for c in affairs.offers),
        cancelling=(),
        agreements=tuple(affairs.agreements),
        corps=corps_view(table),
        annexed=affairs.annexed,
        offered=affairs.offered,
        reduced=affairs.reduced,
        winters=len(affairs.scores),
        scores=tuple(in_order(table, scores) for scores in affairs.scores) if state.phase == "over" else (),
    )


def electors(table: Table) -> dict[City, Power | None]:
    """The fortresses with an electoral vote, and who controls them."""
    rules, field = table.rules.common, table.state.field
    cities = [city for city in rules.board.fortresses if rules.board.cities[city].elector]
    return {city: controller(rules, field, city) for city in cities}


def incomes(table: Table) -> dict[Power, int]:
    """What each power draws as things stand."""
    powers = table.rules.powers
    return {power: 0 if cut_off_from_income(table, power) else income_of(table, power) for power in powers}


def markers_views(table: Table) -> dict[Power, MarkersView]:
    """Where the victory markers of every major power are."""
    return {power: markers_view(table, power) for power in table.rules.game.advanced.markers}


def markers_view(table: Table, power: Power) -> MarkersView:
    """Where a power's victory markers are."""
    affairs = affairs_of(table)
    return MarkersView(
        total=table.rules.game.advanced.markers[power],
        pool=pool(table, power),
        fortresses=on_fortresses(table, power),
        battle=affairs.battle.get(power, 0),
        boxes=tuple(sorted(box for box, holder in affairs.special.items() if holder == power)),
        set_aside=affairs.set_aside.get(power, 0),
    )


def display_view(table: Table, power: Power, own: Collection[Power]) -> DisplayView:
    """A power's cards on the political display."""
    affairs = affairs_of(table)
    covered = affairs.covered.get(power, [])
    return DisplayView(
        cards=tuple(affairs.display.get(power, [])),
        influence=influence(table, power),
        covered=len(covered),
        own_covered=tuple(covered) if power in own else None,
    )


def cards_to_come(table: Table) -> dict[int, int]:
    """How many political cards of each year have not been turned up: everybody can count them."""
    counts = dict.fromkeys(table.rules.politics.years, 0)
    for number in affairs_of(table).deck:
        counts[card_facts(table, number).year] += 1
    return counts


def corps_view(table: Table) -> dict[Power, tuple[Piece, ...]]:
    """The generals in off-map boxes by power, whether they may come back or not."""
    rules, aside = table.rules, generals_aside(table)
    if not aside:
        return {}
    away = {power: tuple(g for g in rules.common.generals(power) if g in aside) for power in rules.powers}
    return {power: generals for power, generals in away.items() if generals}


def generals_aside(table: Table) -> list[Piece]:
    """The generals in off-map boxes, and others who take no part."""
    state, rules = table.state, table.rules.common
    coming = [task.piece for task in state.tasks if isinstance(task, ArriveTask)]
    aside = standing_of(rules, state.field).aside
    return [piece for piece in aside if piece in rules.all_generals and piece not in coming]


def gambit_view(table: Table) -> GambitView:
    """The open facts of a Silesia Gambit: how many cards lie aside, never which."""
    facts, now = gambit.facts(table), gambit.gambit_of(table)
    numbers = gambit.goal_numbers(table) if now.ceded else []
    return GambitView(
        ceded=now.ceded,
        laid_aside={power: len(now.laid_aside[power]) for power in table.rules.powers if power in now.laid_aside},
        goals=tuple(
            GoalView(power, needed, count, goal.lands)
            for goal, (power, needed, count) in zip(facts.goals, numbers, strict=False)
        ),
    )
