"""Game of FRIEDRICH as the rest of the program uses it: open decisions, answers that take the game further, and the
view of a player or an observer. Every fact that may be shown is a field of the view."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from msgspec import Struct

from pbem.engine import decisions as d
from pbem.engine.cards import Dealer
from pbem.engine.conquest import Control, control_of
from pbem.engine.decisions import Decision
from pbem.engine.events import Event
from pbem.engine.nouns import Card, City, Piece, Power, Suit
from pbem.engine.rules import IllegalOrder, check_names
from pbem.engine.table import DuelView, PieceView, deep_copy, duel_view, player_of, seen_pieces
from pbem.engine.troops import arrangements, transfer
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import combat, fate, movement, offensive, opening, recruiting, sequence
from pbem.games.friedrich.rules.data import FriedrichRules, Terms
from pbem.games.friedrich.rules.decisions import CardsBack, Levy, ReturnCards
from pbem.games.friedrich.rules.invariants import cite_own_book
from pbem.games.friedrich.rules.offensive import contenders, held_count, needed_objectives
from pbem.games.friedrich.rules.opening import new_state
from pbem.games.friedrich.rules.recruiting import all_cut_off
from pbem.games.friedrich.rules.sequence import advance, income_of, returned_of
from pbem.games.friedrich.rules.state import Fate, InForce, Phase, Result, Table, plays_on


def start(rules: FriedrichRules, dealer: Dealer) -> tuple[Table, list[Event]]:
    """Start a new game: return its table and the first events."""
    table = Table(rules, new_state(rules), dealer)
    return table, advance(table)


ASK: dict[str, Callable[[Table, Power], d.Decision]] = {
    "allotment": opening.decision,
    "cards": sequence.return_decision,
    "movement": movement.decision,
    "recruiting": recruiting.decision,
}
"""Functions that return a power's decision, keyed by phase. Only phases in which powers owe answers are in the dict."""


def decisions(table: Table) -> tuple[d.Decision, ...]:
    """Return the decisions that the game waits for. Before the first turn several powers may owe answers at once."""
    state = table.state
    if state.tasks:
        return (fate.decision(table, state.tasks[0]),)
    if state.phase == "combat":
        choice = combat.choice(table)
        return (choice,) if choice else ()
    return tuple([ASK[state.phase](table, power) for power in state.owing])


def decision_of(table: Table, power: Power) -> d.Decision:
    """Return the decision that the power has to take now. Raises `IllegalOrder` if it has none."""
    state = table.state
    if state.tasks or state.phase == "combat":
        for decision in decisions(table):
            if decision.power == power:
                return decision
    elif power in state.owing:
        return ASK[state.phase](table, power)
    raise IllegalOrder(wrong("E-ANSWER-NOW", rule="§2", power=power))


def decision_to_judge(table: Table, power: Power) -> d.Decision:
    """Return the decision by which a power's answer is judged, without the lists that judging does not need."""
    state = table.state
    if state.phase == "movement" and power in state.owing and not state.tasks:
        return movement.march_to_judge(power)
    return decision_of(table, power)


def anytime(table: Table) -> tuple[d.Arrange | Levy, ...]:
    """Return the decisions that powers may answer now but need not, such as recruits between marches (§10), or moving
    troops within a stack (§6)."""
    state = table.state
    if state.phase in ("allotment", "over"):
        return ()
    return (*recruiting.early_levies(table), *arrangements(table.rules.common, state.field, table.rules.powers))


def apply(table: Table, power: Power, answer: d.Answer) -> list[Event]:
    """Carry out a power's answer, and go on to the next decision. Return the events. Raises `IllegalOrder`, and changes
    nothing, for an answer that is refused."""
    try:
        check_names(table.rules.common, answer)
        if isinstance(answer, d.Transfer):
            if table.state.phase in ("allotment", "over") or not plays_on(table, power):
                raise IllegalOrder(wrong("E-TROOPS-NOW.going"))
            return transfer(table.rules.common, table.state.field, power, answer.troops)
        asked = decision_to_judge(table, power)
        events = fate.answer(table, asked, answer) if table.state.tasks else carry_out(table, asked, answer)
    except IllegalOrder as refusal:
        raise cite_own_book(refusal) from None
    return advance(table, events)


def carry_out(table: Table, decision: d.Decision, answer: d.Answer) -> list[Event]:
    """Carry out an answer with the module that has the rules for this kind of decision. Raises `IllegalOrder` for an
    answer that does not fit the decision."""
    match decision, answer:
        case d.March(), d.Move() | d.Recruitment() | d.Done():
            return movement.answer(table, decision, answer)
        case Levy(), d.Recruitment():
            return recruiting.recruit(table, decision, answer)
        case d.PlayCard(), d.Play() | d.Stop():
            return combat.play(table, decision, answer)
        case d.ChooseBattle(), d.Fight():
            return combat.fight(table, decision, answer)
        case d.ChooseRetreat(), d.RetreatAlong():
            return combat.retreat(table, decision, answer)
        case ReturnCards(), CardsBack():
            return sequence.give_back(table, decision, answer)
        case d.Allot(), d.Allotment():
            return opening.allot(table, decision, answer)
    asked = type(decision).__name__
    raise IllegalOrder(wrong("E-ANSWER-KIND", rule="§2", answer=type(answer).__name__, decision=asked))


class Allegiance(Struct, frozen=True):
    """Player and side of a power."""

    player: str
    side: str
    has_quit: bool


class OffensiveView(Struct, frozen=True):
    """Public facts of the Offensive Option (§13)."""

    declared: bool
    card: Card | None
    taken: bool
    failed: bool
    held: int
    """Number of objectives that the power of the option holds."""
    needed: int
    """Number of objectives that the power of the option needs to win."""
    claimed: int
    """Number of objectives that the opponent may count without holding them."""


class FateView(Struct, frozen=True):
    """Public facts of the Clock of Fate. The sequence of its cards stays secret."""

    left: int
    """Number of cards in the deck."""
    out: tuple[int, ...]
    """Strokes of fate that have been drawn."""
    in_force: tuple[InForce, ...]
    quit: tuple[Power, ...]
    eased: tuple[Power, ...]
    winner: Piece | None
    """General who commanded the winners of the latest decided combat."""
    drawn: int | None
    """Number of the latest card that was read."""
    version: Suit | None
    """Suit whose version of the latest card was read; None if that card is a stroke."""
    offensive: OffensiveView | None


class SettledParts(Struct, frozen=True):
    """Cached parts of a view, which marches rarely change. They are valid as long as `control` and `fate` are the
    present ones."""

    control: Control
    fate: Fate
    allegiances: dict[Power, Allegiance]
    most_troops: dict[Power, int]
    income: dict[Power, tuple[int, int]]
    goals: dict[Power, tuple[int, int]]
    view: FateView


class View(Struct, frozen=True):
    """Position as the players of some powers may know it."""

    terms: Terms
    powers: tuple[Power, ...]
    """Powers whose secrets are included; none for an observer."""
    turn: int
    stage: str
    phase: Phase
    allegiances: dict[Power, Allegiance]
    pieces: tuple[PieceView, ...]
    troops: dict[Power, int]
    """Number of all troops of each power. It is public (§6)."""
    most_troops: dict[Power, int]
    """Greatest number of troops that each power can have (§6)."""
    markers: Mapping[City, Power]
    """Power of the marker on each city with a marker, keyed by city."""
    questions: dict[City, Power]
    """Power of the question mark on each city with a question mark, keyed by city."""
    hand_sizes: dict[Power, int]
    hands: dict[Power, tuple[Card, ...]]
    """Cards in the hands of `powers`."""
    income: dict[Power, tuple[int, int]]
    """Dict from each power to two numbers: the cards that it draws in a turn, and how many of them it then sets
    aside."""
    cut_off: tuple[Power, ...]
    """Powers with enemies in all of their depots."""
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
    """Two numbers for each power that can win by objectives (§12): the number of objectives that it holds, and the
    number that it needs."""
    duel: DuelView | None
    decisions: tuple[Decision, ...]
    """Decisions that the powers in `powers` have to take now."""
    result: Result | None
    fate: FateView


def view(table: Table, powers: Collection[Power]) -> View:
    """Return the position as the players of these powers may know it."""
    rules, state = table.rules, table.state
    own = tuple([power for power in rules.powers if power in powers])
    open_now, settled = decisions(table), settled_now(table)
    seen = seen_pieces(rules.common, state.field, own, rules.powers)
    return View(
        terms=state.terms,
        powers=own,
        turn=state.turn,
        stage=state.stage,
        phase=state.phase,
        allegiances=settled.allegiances,
        pieces=seen.views,
        troops=seen.troops,
        most_troops=settled.most_troops,
        markers=state.field.markers,
        questions=dict(state.field.questions),
        hand_sizes={power: len(state.cards.hands[power]) for power in rules.powers},
        hands={power: tuple(state.cards.hands[power]) for power in own},
        income=settled.income,
        cut_off=tuple([power for power in all_cut_off(table) if plays_on(table, power)]),
        draw_deck=len(state.cards.draw),
        unused_decks=len(state.cards.unused),
        set_aside=tuple(map(len, state.cards.discards)),
        moved=tuple(state.moved),
        owing=tuple(dict.fromkeys([decision.power for decision in open_now])),
        goals=settled.goals,
        duel=duel_view(state.duel),
        decisions=tuple([decision for decision in open_now if decision.power in own]),
        result=state.result,
        fate=settled.view,
    )


def settled_now(table: Table) -> SettledParts:
    """Return the cached parts of the view. They are computed anew only if the control of cities or the Clock of Fate
    has changed."""
    kept, fate = table.rules.common.cache, table.state.fate
    control = control_of(table.rules.common, table.state.field)
    latest = kept.get("settled")
    if not isinstance(latest, SettledParts) or latest.control is not control or latest.fate != fate:
        stands = control.once(("allegiances", *fate.quit), allegiances, table)
        most = {power: table.rules.troops(power) for power in table.rules.powers}
        income, eased = control.once(("income", *fate.out), incomes, table), (*fate.eased, None, *fate.quit)
        numbers = control.once(("goals", eased), goals, table)
        latest = kept["settled"] = SettledParts(
            control, deep_copy(fate), stands, most, income, numbers, fate_view(table)
        )
    return latest


def goals(table: Table) -> dict[Power, tuple[int, int]]:
    """Return two numbers for each power that can win by objectives: the number of objectives that it holds, and the
    number that it needs."""
    return {power: (held_count(table, power), len(needed_objectives(table, power))) for power in contenders(table)}


def incomes(table: Table) -> dict[Power, tuple[int, int]]:
    """Return two numbers for each power: the cards that it draws in a turn, and how many of them it then sets aside."""
    return {power: (income_of(table, power), returned_of(table, power)) for power in table.rules.powers}


def allegiances(table: Table) -> dict[Power, Allegiance]:
    side, gone = table.state.field.alliances.side, table.state.fate.quit
    return {power: Allegiance(player_of(table, power), side[power], power in gone) for power in table.rules.powers}


def fate_view(table: Table) -> FateView:
    fate = table.state.fate
    out, eased, in_force = tuple(fate.out), tuple(fate.eased), tuple(map(deep_copy, fate.in_force))
    gone, option = tuple([power for power in table.rules.powers if power in fate.quit]), offensive_view(table)
    return FateView(len(fate.deck), out, in_force, gone, eased, fate.winner, fate.drawn, fate.version, option)


def offensive_view(table: Table) -> OffensiveView | None:
    """Return the public facts of the Offensive Option. Return None if the game lacks the option, or if it was given
    up."""
    option, facts = table.state.fate.offensive, table.rules.fate.offensive
    if option is None:
        return None
    now, wanted = held_count(table, facts.power), len(needed_objectives(table, facts.power))
    claimed = offensive.claimed_count(table, facts.against)
    return OffensiveView(option.declared, option.card, option.taken, option.failed, now, wanted, claimed)
