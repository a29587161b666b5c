"""A game of MARIA for all other rooms: open decisions, and answers that take it further."""

from __future__ import annotations

from collections.abc import Callable

from pbem.engine.cards import Dealer
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
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
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
    supplying,
    tasks,
    winter,
)
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.decisions import (
    AllowStacking,
    CancelSubsidy,
    MakeAgreement,
    OfferSubsidy,
    Settlement,
    check_own_names,
)
from pbem.games.maria.rules.sequence import advance
from pbem.games.maria.rules.state import Table, new_state, tasks_due


def start(rules: MariaRules, dealer: Dealer) -> tuple[Table, list[Event]]:
    """New game with its first hands dealt."""
    table = Table(rules, new_state(rules), dealer)
    return table, advance(table)


ASK: dict[str, Callable[[Table, Power], Decision]] = {
    "allotment": state.decision,
    "hussars": hussars.decision,
    "cards": contracts.decision,
    "supply": supplying.decision,
    "movement": movement.decision,
    "recruiting": winter.decision,
    "trump": politics.trump_decision,
    "placing": politics.placing_decision,
    "selecting": politics.selecting_decision,
    "aftermath": peace.decision,
    "election": affairs.decision,
    "cession": gambit.decision,
}
"""Decision of a power in each phase in which several may owe an answer."""


def decisions(table: Table) -> tuple[Decision, ...]:
    """Decisions that the game waits for; several powers may owe answers at once."""
    if tasks_due(table):
        return (tasks.decision(table, table.state.tasks[0]),)
    if table.state.phase == "combat":
        choice = combat.choice(table)
        return (choice,) if choice else ()
    if table.state.phase == "movement":
        return movement.decisions(table)
    return tuple([ASK[table.state.phase](table, power) for power in table.state.owing])


def decision_of(table: Table, power: Power) -> Decision:
    """Decision that the power is asked now; raises IllegalOrder if there is none."""
    if tasks_due(table) or table.state.phase == "combat":
        for decision in decisions(table):
            if decision.power == power:
                return decision
    elif power in table.state.owing:
        return ASK[table.state.phase](table, power)
    raise IllegalOrder(wrong("E-ANSWER-NOW", power=power))


def question_of(table: Table, power: Power) -> Decision:
    """Decision against which a power's answer is judged; without lists that judging does not need."""
    if table.state.phase == "movement" and power in table.state.owing and not tasks_due(table):
        return movement.question(table, power)
    return decision_of(table, power)


def anytime(table: Table) -> tuple[Arrange, ...]:
    """Decisions open at any time and never required: troops pass freely within a stack (§6)."""
    state = table.state
    if state.phase in ("allotment", "over"):
        return ()
    return arrangements(table.rules.common, state.field, table.rules.powers)


def apply(table: Table, power: Power, answer: Answer) -> list[Event]:
    """Carry out a power's answer and go on until the next decision. A refusal changes nothing."""
    check_own_names(table.rules.common, answer)
    if isinstance(answer, Transfer):
        return arrange(table, power, answer)
    if isinstance(answer, Settlement):
        return settle(table, power, answer)
    asked = question_of(table, power)
    if tasks_due(table):
        events = tasks.answer(table, asked, answer)
        if events is None:
            raise wrong_kind(asked, answer)
    else:
        events = carry_out(table, asked, answer)
    return advance(table, events)


def settle(table: Table, power: Power, answer: Settlement) -> list[Event]:
    """Carry out what powers settle between them at any time of the advanced game (§10.1, §20, §21)."""
    if table.state.phase == "over" or power not in table.rules.powers:
        raise IllegalOrder(wrong("E-ANSWER-NOW.over"))
    if table.state.affairs is None and not isinstance(answer, AllowStacking):
        raise IllegalOrder(wrong("E-ANSWER-NOW.simple"))
    match answer:
        case OfferSubsidy():
            return contracts.offer(table, power, answer)
        case CancelSubsidy():
            return contracts.cancel(table, power, answer)
        case AllowStacking():
            return contracts.allow_stacking(table, power, answer)
        case MakeAgreement():
            return contracts.agree(table, power, answer)


def arrange(table: Table, power: Power, answer: Transfer) -> list[Event]:
    """Move troops within a stack, at any time (§6)."""
    if table.state.phase in ("allotment", "over"):
        raise IllegalOrder(wrong("E-TROOPS-NOW"))
    return transfer(table.rules.common, table.state.field, power, answer.troops)


def carry_out(table: Table, decision: Decision, answer: Answer) -> list[Event]:
    """Carry out the answer itself."""
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
            return supplying.pay(table, decision, answer)
        case Recruit(), Recruitment():
            return winter.recruit(table, decision, answer)
        case Allot(), Allotment():
            return state.allot(table, decision, answer)
    return carry_out_politics(table, decision, answer)


def carry_out_politics(table: Table, decision: Decision, answer: Answer) -> list[Event]:
    """Carry out an answer of the advanced game."""
    match decision, answer:
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
    """Refusal of an answer to something that was not asked."""
    return IllegalOrder(wrong("E-ANSWER-KIND", answer=type(answer).__name__, decision=type(decision).__name__))
