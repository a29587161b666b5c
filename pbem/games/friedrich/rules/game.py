"""A game of FRIEDRICH for all other rooms: open decisions, and answers that take it further."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine import decisions as d
from pbem.engine.cards import Dealer
from pbem.engine.events import Event
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder, check_names
from pbem.engine.troops import arrangements, transfer
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules import combat, fate, income, movement, opening, recruiting
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.decisions import CardsBack, Levy, ReturnCards
from pbem.games.friedrich.rules.invariants import cite_own_book
from pbem.games.friedrich.rules.opening import new_state
from pbem.games.friedrich.rules.sequence import advance
from pbem.games.friedrich.rules.state import Table, plays_on


def start(rules: FriedrichRules, dealer: Dealer) -> tuple[Table, list[Event]]:
    """A new game."""
    table = Table(rules, new_state(rules), dealer)
    return table, advance(table)


ASK: dict[str, Callable[[Table, Power], d.Decision]] = {
    "allotment": opening.decision,
    "cards": income.decision,
    "movement": movement.decision,
    "recruiting": recruiting.decision,
}
"""Decision of a power in each phase in which it may owe an answer."""


def decisions(table: Table) -> tuple[d.Decision, ...]:
    """Decisions that the game waits for; before the first turn several powers may owe answers at once."""
    state = table.state
    if state.tasks:
        return (fate.decision(table, state.tasks[0]),)
    if state.phase == "combat":
        choice = combat.choice(table)
        return (choice,) if choice else ()
    return tuple([ASK[state.phase](table, power) for power in state.owing])


def decision_of(table: Table, power: Power) -> d.Decision:
    """Decision that the power is asked now; raises IllegalOrder if there is none."""
    state = table.state
    if state.tasks or state.phase == "combat":
        for decision in decisions(table):
            if decision.power == power:
                return decision
    elif power in state.owing:
        return ASK[state.phase](table, power)
    raise IllegalOrder(wrong("E-ANSWER-NOW", rule="§2", power=power))


def question_of(table: Table, power: Power) -> d.Decision:
    """Decision against which a power's answer is judged; without lists that judging does not need."""
    state = table.state
    if state.phase == "movement" and power in state.owing and not state.tasks:
        return movement.question(power)
    return decision_of(table, power)


def anytime(table: Table) -> tuple[d.Arrange | Levy, ...]:
    """Decisions open now and not required: recruits among marches (§10), troops within a stack (§6)."""
    state = table.state
    if state.phase in ("allotment", "over"):
        return ()
    return (*recruiting.early(table), *arrangements(table.rules.common, state.field, table.rules.powers))


def apply(table: Table, power: Power, answer: d.Answer) -> list[Event]:
    """Carry out a power's answer and go on until the next decision. A refusal changes nothing."""
    try:
        check_names(table.rules.common, answer)
        if isinstance(answer, d.Transfer):
            return arrange(table, power, answer)
        asked = question_of(table, power)
        events = fate.answer(table, asked, answer) if table.state.tasks else carry_out(table, asked, answer)
    except IllegalOrder as refusal:
        raise cite_own_book(refusal) from None
    return advance(table, events)


def arrange(table: Table, power: Power, answer: d.Transfer) -> list[Event]:
    """Move troops within a stack, at any time (§6)."""
    if table.state.phase in ("allotment", "over") or not plays_on(table, power):
        raise IllegalOrder(wrong("E-TROOPS-NOW.going"))
    return transfer(table.rules.common, table.state.field, power, answer.troops)


def carry_out(table: Table, decision: d.Decision, answer: d.Answer) -> list[Event]:
    """Carry out the answer itself."""
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
            return income.give_back(table, decision, answer)
        case d.Allot(), d.Allotment():
            return opening.allot(table, decision, answer)
    asked = type(decision).__name__
    raise IllegalOrder(wrong("E-ANSWER-KIND", rule="§2", answer=type(answer).__name__, decision=asked))
