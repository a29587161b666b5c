"""Game of MARIA as the rest of the program uses it: open decisions, answers that take the game further, and the view of
a player or an observer. Every fact that may be shown is a field of the view."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.cards import Dealer
from pbem.engine.conquest import control_of
from pbem.engine.decisions import (
    Allot,
    Allotment,
    Answer,
    Arrange,
    ChooseBattle,
    ChooseRetreat,
    Decision,
    Done,
    Fight,
    March,
    Move,
    Play,
    PlayCard,
    Recruit,
    Recruitment,
    Reenter,
    RetreatAlong,
    Stop,
    Transfer,
)
from pbem.engine.events import Event
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import DuelView, PieceView, duel_view, seen_pieces
from pbem.engine.troops import arrangements, transfer
from pbem.faults.wrong import wrong
from pbem.games.maria.rules import (
    affairs,
    combat,
    contracts,
    gambit,
    hussars,
    movement,
    peace,
    politics,
    state,
    tasks,
    winter,
)
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.affairs import AffairsView, affairs_shown, numbers_in_order
from pbem.games.maria.rules.data import MariaRules, Terms
from pbem.games.maria.rules.sequence import advance, held_count, is_ceded
from pbem.games.maria.rules.state import Phase, Result, Table, new_state, tasks_due


def start(rules: MariaRules, dealer: Dealer) -> tuple[Table, list[Event]]:
    """Start a new game and deal the first hands. Return the table and the first events."""
    table = Table(rules, new_state(rules), dealer)
    return table, advance(table)


ASK: dict[str, Callable[[Table, Power], Decision]] = {
    "allotment": state.decision,
    "hussars": hussars.decision,
    "cards": contracts.decision,
    "supply": hussars.toll_decision,
    "movement": movement.decision,
    "recruiting": winter.decision,
    "trump": lambda table, power: d.ChooseTrump(power),
    "placing": politics.placing_decision,
    "selecting": politics.selecting_decision,
    "aftermath": peace.decision,
    "election": affairs.decision,
    "cession": gambit.decision,
}
"""Dict from each phase in which powers owe answers to the function that returns a power's decision."""


def decisions(table: Table) -> tuple[Decision, ...]:
    """Return the decisions that the game waits for. Several powers may owe answers at once."""
    if tasks_due(table):
        return (tasks.decision(table, table.state.tasks[0]),)
    if table.state.phase == "combat":
        choice = combat.choice(table)
        return (choice,) if choice else ()
    if table.state.phase == "movement":
        return movement.decisions(table)
    return tuple([ASK[table.state.phase](table, power) for power in table.state.owing])


def decision_of(table: Table, power: Power) -> Decision:
    """Return the decision that the power has to take now. Raises `IllegalOrder` if it has none."""
    if tasks_due(table) or table.state.phase == "combat":
        for decision in decisions(table):
            if decision.power == power:
                return decision
    elif power in table.state.owing:
        return ASK[table.state.phase](table, power)
    raise IllegalOrder(wrong("E-ANSWER-NOW", power=power))


def decision_to_judge(table: Table, power: Power) -> Decision:
    """Return the decision by which a power's answer is judged. Lists that are not needed for judging are empty in
    it."""
    if table.state.phase == "movement" and power in table.state.owing and not tasks_due(table):
        return movement.march_to_judge(table, power)
    return decision_of(table, power)


def anytime(table: Table) -> tuple[Arrange, ...]:
    """Return the decisions to move troops within a stack (§6). Powers may answer them at any time, so they are not
    among the decisions that the game waits for. There are none during the allotment and after the end of the game."""
    state = table.state
    if state.phase in ("allotment", "over"):
        return ()
    return arrangements(table.rules.common, state.field, table.rules.powers)


def apply(table: Table, power: Power, answer: Answer) -> list[Event]:
    """Carry out a power's answer, go on to the next decision, and return the events. Raises `IllegalOrder` if the
    answer is refused; then nothing is changed."""
    d.check_own_names(table.rules.common, answer)
    if isinstance(answer, Transfer):
        if table.state.phase in ("allotment", "over"):
            raise IllegalOrder(wrong("E-TROOPS-NOW"))
        return transfer(table.rules.common, table.state.field, power, answer.troops)
    if isinstance(answer, d.Settlement):
        return settle(table, power, answer)
    asked = decision_to_judge(table, power)
    if tasks_due(table):
        events = tasks.answer(table, asked, answer)
        if events is None:
            raise wrong_kind(asked, answer)
    else:
        events = carry_out(table, asked, answer)
    return advance(table, events)


def settle(table: Table, power: Power, answer: d.Settlement) -> list[Event]:
    """Carry out an agreement that powers may make at any time (§10.1, §20, §21). In a game without politics only the
    permission to stack is possible. Raises `IllegalOrder` for any other agreement in such a game, and for every
    agreement after the end of the game."""
    if table.state.phase == "over" or power not in table.rules.powers:
        raise IllegalOrder(wrong("E-ANSWER-NOW.over"))
    if table.state.affairs is None and not isinstance(answer, d.AllowStacking):
        raise IllegalOrder(wrong("E-ANSWER-NOW.simple"))
    match answer:
        case d.OfferSubsidy():
            return contracts.offer(table, power, answer)
        case d.CancelSubsidy():
            return contracts.cancel(table, power, answer)
        case d.AllowStacking():
            return contracts.allow_stacking(table, power, answer)
        case d.MakeAgreement():
            return contracts.agree(table, power, answer)


def carry_out(table: Table, decision: Decision, answer: Answer) -> list[Event]:
    """Carry out an answer by the rules for this kind of decision. Raises `IllegalOrder` for an answer that does not fit
    the decision."""
    match decision, answer:
        case March(), Move() | Reenter() | Done():
            return movement.answer(table, decision, answer)
        case PlayCard(), Play() | Stop():
            return combat.play(table, decision, answer)
        case ChooseBattle(), Fight():
            return combat.fight(table, decision, answer)
        case ChooseRetreat(), RetreatAlong():
            return combat.retreat(table, decision, answer)
        case d.PlaceHussars(), d.HussarPlacement():
            return hussars.place(table, decision, answer)
        case d.Subsidy(), d.GiveSubsidy():
            return contracts.decide(table, decision, answer)
        case d.Toll(), d.PayToll():
            return hussars.pay(table, decision, answer)
        case Recruit(), Recruitment():
            return winter.recruit(table, decision, answer)
        case Allot(), Allotment():
            return state.allot(table, decision, answer)
        case d.ChooseTrump(), d.NameTrump():
            return politics.name_trump(table, decision, answer)
        case d.PlaceInfluence(), d.Influence():
            return politics.place(table, decision, answer)
        case d.SelectPolitics(), d.Politics():
            return politics.select(table, decision, answer)
        case d.OfferPeace(), d.Consent():
            return peace.offer(table, decision, answer)
        case d.AcceptPeace(), d.Consent():
            return peace.accept(table, decision, answer)
        case d.ReduceObjectives(), d.Consent():
            return peace.reduce(table, decision, answer)
        case d.Vote(), d.Votes():
            return affairs.vote(table, decision, answer)
        case d.CedeSilesia(), d.Consent():
            return gambit.decide(table, decision, answer)
    raise wrong_kind(decision, answer)


def wrong_kind(decision: Decision, answer: Answer) -> IllegalOrder:
    """Return the refusal of an answer whose type does not belong to the decision."""
    return IllegalOrder(wrong("E-ANSWER-KIND", answer=type(answer).__name__, decision=type(decision).__name__))


class Allegiance(Struct, frozen=True):
    """Player, action stage and side of a power."""

    player: str
    stage: str
    """Action stage in which the power acts; empty if the power has left the game."""
    side: str
    """Side of the power; empty for a neutral power. Powers with the same side are allied."""
    group: str
    """Group of the power. Powers with the same group co-operate."""


class GoalView(Struct, frozen=True):
    """Goal of a power once peace has been made in the scenario Silesia Gambit."""

    power: Power
    needed: int
    held: int
    lands: tuple[str, ...]


class GambitView(Struct, frozen=True):
    """Public facts of a Silesia Gambit."""

    ceded: bool
    laid_aside: dict[Power, int]
    """Number of cards that each power has laid aside."""
    goals: tuple[GoalView, ...]
    """Goals after peace; empty before peace."""


class View(Struct, frozen=True):
    """Position as the players of some powers may know it."""

    terms: Terms
    powers: tuple[Power, ...]
    """Powers whose secrets the view includes; empty for an observer."""
    turn: int
    last_turn: int
    """Last turn of the game; in the Silesia Gambit a peace changes it."""
    stage: str
    phase: Phase
    allegiances: dict[Power, Allegiance]
    stacking: tuple[Power, ...]
    """Powers that let their generals stand in one stack with generals of another player's power."""
    pieces: tuple[PieceView, ...]
    troops: dict[Power, int]
    """Number of all troops of each power. It is public (§6)."""
    markers: Mapping[City, Power]
    """Dict from each city with a marker to the power of the marker."""
    questions: dict[City, Power]
    """Dict from each city with a question mark to the power of the question mark."""
    hussars: tuple[City, ...]
    hand_sizes: dict[Power, int]
    hands: dict[Power, tuple[Card, ...]]
    """Cards in the hands of `powers`."""
    draw_deck: int
    """Number of cards in the draw deck."""
    unused_decks: int
    """Number of decks that have not come into play yet."""
    set_aside: tuple[int, ...]
    """Number of the cards of each deck that are set aside."""
    moved: tuple[Piece, ...]
    """Pieces that may not move any more in the present stage."""
    owing: tuple[Power, ...]
    """Powers that must decide something now."""
    goals: dict[Power, tuple[int, int]]
    """Two numbers for each power that can win by fortresses: the number of fortresses that it holds for its goal, and
    the number that it needs (§14). The dict is empty after a peace in the Silesia Gambit, because the peace sets other
    goals."""
    duel: DuelView | None
    decisions: tuple[Decision, ...]
    """Decisions that the powers in `powers` have to take now."""
    result: Result | None
    affairs: AffairsView | None
    """State of the advanced game; None in other games."""
    gambit: GambitView | None
    """State of the Silesia Gambit; None in other games."""


def view(table: Table, powers: Collection[Power]) -> View:
    """Return the position as the players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple([power for power in rules.powers if power in powers])
    open_now = decisions(table)
    control = control_of(rules.common, state.field)
    seen = seen_pieces(rules.common, state.field, own, rules.powers)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        last_turn=gambit.last_turn(table),
        stage=state.stage,
        phase=state.phase,
        allegiances=control.once("allegiances", allegiances, table),
        stacking=state.field.alliances.stacking,
        pieces=seen.views,
        troops=seen.troops,
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
        result=replace(state.result, held=numbers_in_order(table, state.result.held)) if state.result else None,
        affairs=affairs_shown(table, own) if state.affairs else None,
        gambit=gambit_view(table) if state.gambit else None,
    )


def goals(table: Table) -> dict[Power, tuple[int, int]]:
    """Return two numbers for each power that has a goal in the scenario: the number of fortresses that it holds for the
    goal, and the number that it needs."""
    return {power: (held_count(table, power), goal.fortresses) for power, goal in table.rules.scenario.goals.items()}


def allegiances(table: Table) -> dict[Power, Allegiance]:
    now = table.state.field.alliances
    return {p: Allegiance(now.player[p], now.stage[p], now.side[p], now.group[p]) for p in table.rules.powers}


def gambit_view(table: Table) -> GambitView:
    """Return the public facts of a Silesia Gambit. Only the number of cards that a power has laid aside is public, not
    the cards."""
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
