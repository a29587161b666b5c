"""Plans as a source of answers, like an order file: the first plan of a power that fits a decision answers it.

A plan sees no more of the table than its player (`sight`), and its answer is tried on a copy before it is given: what
the rules refuse is noted and falls to the plan's `else`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.errors import IllegalOrder
from pbem.engine.nouns import Power
from pbem.engine.stages import stage_of
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.orders.answers import OrderSource
from pbem.paper.orders.files import Orders
from pbem.paper.orders.given import Given, Unusable
from pbem.paper.orders.names import PowerOrders
from pbem.paper.plans.data import AttackWish, BattleWish, MusterWish, Plan, RetreatWish, WrittenAnswer
from pbem.plans.attacking import attack
from pbem.plans.fighting import fight, give_up
from pbem.plans.fitting import fits, is_about, topic_of
from pbem.plans.game_plans import game_plans
from pbem.plans.mustering import allot, recruit
from pbem.plans.retreating import retreat
from pbem.plans.sight import PlanSight, see
from pbem.plans.tally import Tally

SCRIPT = "plan "
"""How the names of scripts begin among what is used up of a letter."""


class WantedAnswers(Struct, frozen=True):
    """What a plan leads to: answers, the one wanted most first."""

    answers: tuple[d.Answer, ...]
    node: Node
    uses_line: bool = False
    """Whether a line of its script is used up."""


class PlanVerdict(Struct, frozen=True):
    """The plan that fits a decision, and its answer; none leaves the decision to the player."""

    plan: Plan
    given: Given | None
    uses_line: bool = False
    notes: tuple[Fault, ...] = ()
    """Why there is no answer."""


class PlanSource:
    """Answers decisions from plans."""

    def __init__(
        self,
        table: Table,
        plans: Mapping[Power, Sequence[Plan]],
        tally: Tally,
        remains: Mapping[str, Mapping[str, int]] | None = None,
        stage: str = "",
    ) -> None:
        """Take the plans of each power, the tally of the combat in progress, and what an earlier source has used.

        `stage` is the one that plans are for which are not standing, such as `3/prussia`: if left out the table's own.
        """
        self.table = table
        self.plans = {
            power: [replace(plan, number=number) for number, plan in enumerate(listed, 1)]
            for power, listed in plans.items()
        }
        self.tally = tally
        self.used = {power: scripts_in((remains or {}).get(power, {})) for power in plans}
        self.stage = stage or stage_of(table)

    def powers(self) -> list[Power]:
        """The powers that have plans."""
        return list(self.plans)

    def speaks_of(self, decision: d.Decision) -> bool:
        """Whether a plan has an answer; nothing is used up."""
        verdict = self.judge(decision)
        return verdict is not None and verdict.given is not None

    def answer(self, decision: d.Decision) -> Given | None:
        """The answer of the first plan that fits; a line of its script is used up by it."""
        verdict = self.judge(decision)
        if verdict is None:
            return None
        if verdict.uses_line:
            lines, name = self.used[decision.power], self.name(verdict.plan)
            self.used[decision.power] = {name: lines.get(name, 0) + 1} | {
                other: count for other, count in lines.items() if other.endswith(self.name_of_battle) and other != name
            }
        return verdict.given

    def is_for(self, decision: d.Decision) -> bool:
        """Whether a plan is for a decision, with an answer or without."""
        return self.fitting(decision) is not None

    def why_not(self, decision: d.Decision) -> tuple[Fault, ...]:
        """Why the plan that is for a decision leaves it to the player; for the eyes of that player alone."""
        verdict = self.judge(decision)
        return () if verdict is None or verdict.given is not None else verdict.notes

    def remains(self) -> dict[str, dict[str, int]]:
        """How many lines of each script have been played in the latest combat: for a source that goes on here."""
        return {power: dict(lines) for power, lines in self.used.items()}

    @property
    def name_of_battle(self) -> str:
        """How the latest combat is called among what is used up."""
        return f" in battle {self.tally.battle}"

    def name(self, plan: Plan) -> str:
        """How the script of a plan is called among what is used up."""
        return f"{SCRIPT}{plan.number}{self.name_of_battle}"

    def judge(self, decision: d.Decision) -> PlanVerdict | None:
        """What the plans say to a decision, if one is for it."""
        found = self.fitting(decision)
        return None if found is None else self.verdict(found[0], decision, found[1])

    def fitting(self, decision: d.Decision) -> tuple[PlanSight, Plan] | None:
        """The first plan that is for a decision, and what it may go by."""
        topic = topic_of(self.table, decision)
        plans = [plan for plan in self.plans.get(decision.power, ()) if is_about(plan, topic)]
        if not plans:
            return None
        sight = see(self.table, decision, self.tally, game_plans(self.table).playable_cards)
        plan = next((plan for plan in plans if fits(plan, sight, decision, self.stage)), None)
        return None if plan is None else (sight, plan)

    def verdict(self, sight: PlanSight, decision: d.Decision, plan: Plan) -> PlanVerdict:
        """What one plan says: the first of its answers that is legal, or what its `else` says."""
        try:
            wanted = self.wanted(sight, decision, plan)
            return PlanVerdict(plan, self.legal(decision, wanted), wanted.uses_line)
        except IllegalOrder as refusal:
            note = self.noted(plan, refusal)
        if plan.otherwise == "stop":
            try:
                given = self.legal(decision, WantedAnswers(self.nothing(sight, decision, plan), plan.node))
            except IllegalOrder:
                return PlanVerdict(plan, None, notes=(note,))
            return PlanVerdict(plan, replace(given, warnings=(note,)))
        return PlanVerdict(plan, None, notes=(note,))

    def noted(self, plan: Plan, refusal: IllegalOrder) -> Fault:
        """What a plan could not do, at its place."""
        node = refusal.node if isinstance(refusal, Unusable) else plan.node
        code = refusal.code if refusal.code.startswith("W-") else "W-PLAN-ILLEGAL"
        rule = refusal.rule or game_plans(self.table).rules.get(code, "")
        return Fault.at(node.line, node.column, replace(refusal.wrong, code=code, rule=rule))

    def legal(self, decision: d.Decision, wanted: WantedAnswers) -> Given:
        """The first answer that the rules allow; raises the refusal of the last if they allow none."""
        refusal: IllegalOrder | None = None
        for answer in wanted.answers:
            # Another dealer: by that of the campaign a plan would be tried on cards that nobody knows yet.
            table = copy_of(self.table, SeededDealer(""))
            try:
                game_of(table).apply(table, decision.power, answer)
            except IllegalOrder as refused:
                refusal = refused
            else:
                return Given(answer, wanted.node)
        raise refusal or Unusable(wanted.node, wrong("W-PLAN-NONE"))

    def wanted(self, sight: PlanSight, decision: d.Decision, plan: Plan) -> WantedAnswers:
        """The answers that a plan would give, the one wanted most first; legal or not, that is tried afterwards."""
        used = self.used[decision.power].get(self.name(plan), 0)
        match decision, plan.wish:
            case d.PlayCard(), BattleWish() as wish:
                choice, uses_line = fight(sight, decision, plan, wish, used)
                node = wish.play[used].node if uses_line else plan.node
                return WantedAnswers((choice,), node, uses_line)
            case d.ChooseRetreat(), RetreatWish() as wish:
                return WantedAnswers(retreat(sight, decision, wish), plan.node)
            case d.ChooseBattle(), AttackWish() as wish:
                return WantedAnswers(attack(sight, decision, wish), plan.node)
            case d.Allot(), MusterWish() as wish:
                return WantedAnswers(allot(sight, decision, wish), plan.node)
            case _, MusterWish() as wish:
                muster = game_plans(self.table).muster(sight, decision)
                return WantedAnswers(recruit(sight, muster, wish) if muster else (), plan.node)
            case _, WrittenAnswer() as wish:
                return self.said(decision, plan, wish)
        return WantedAnswers(game_plans(self.table).choices[plan.kind](sight, decision, plan.wish), plan.node)

    def said(self, decision: d.Decision, plan: Plan, wish: WrittenAnswer) -> WantedAnswers:
        """The answer that a plan gives in the words of an order file."""
        sections: dict[str, list[object]] = {section: list(said) for section, said in wish.sections.items()}
        orders = Orders("plan", None, {decision.power: PowerOrders(decision.power, plan.node, sections)})
        given = OrderSource(self.table, orders).answer(decision)
        return WantedAnswers((given.answer,) if given else (), given.node if given else plan.node)

    def nothing(self, sight: PlanSight, decision: d.Decision, plan: Plan) -> tuple[d.Answer, ...]:
        """What `else: stop` answers."""
        if isinstance(decision, d.PlayCard) and isinstance(plan.wish, BattleWish):
            return give_up(sight, decision, plan.wish)
        if plan.kind == "recruit":
            return (d.Recruitment(),)
        return (game_plans(self.table).nothing[plan.kind],)


def scripts_in(remains: Mapping[str, int]) -> dict[str, int]:
    """What is used up of scripts, without what is left of the orders that stand beside them."""
    return {name: count for name, count in remains.items() if name.startswith(SCRIPT)}


def plans_in(orders: Orders) -> dict[Power, list[Plan]]:
    """The plans that stand in orders, taken out of them: orders are used up, plans are not."""
    found = {power: written.sections.pop("plans", []) for power, written in orders.powers.items()}
    return {power: plans for power, plans in found.items() if plans}
