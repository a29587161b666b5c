"""Plans as a source of answers: the first plan of a power that fits a decision answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Decision, PlayCard
from pbem.engine.field import OFF, stack_at
from pbem.engine.nouns import City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, StageName, Table, stage_of
from pbem.faults.wrong import wrong
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.orders.files import Orders, OrderSource, section_of
from pbem.paper.orders.names import PowerOrders
from pbem.paper.orders.section import GivenAnswer, Unusable, fault_of
from pbem.paper.plans import data as p
from pbem.plans.choices import allot, attack, game_plans, left_away, recruit, retreat
from pbem.plans.fighting import fight, give_up
from pbem.plans.numbers import facts
from pbem.plans.sight import PlanSight, Tally, see


def topic_of(table: Table, decision: Decision) -> str:
    """Return the name of the topic under which plans answer a decision: `battle`, `retreat`, `attack-order`, or the
    name of a section of orders."""
    match decision:
        case PlayCard():
            return "battle"
        case ChooseRetreat():
            return "retreat"
        case ChooseBattle():
            return "attack-order"
    return section_of(table, decision)


def is_about(plan: p.Plan, topic: str) -> bool:
    """True if a plan is for decisions on this topic (see `topic_of`)."""
    if isinstance(plan.wish, p.WrittenAnswer):
        return topic in plan.wish.sections
    if isinstance(plan.wish, p.GoWish):
        return topic.startswith(f"{plan.kind} ")
    return plan.kind == topic


def fits(plan: p.Plan, sight: PlanSight, decision: Decision, stage: str) -> bool:
    """True if a plan now applies to this decision. `stage` is the stage for which the plan was written."""
    now = StageName(sight.turn, sight.stage)
    in_bounds = is_in_time(plan, sight.rules, now, stage) and is_bound_to(plan.bound, sight, decision)
    return in_bounds and meets_conditions(plan, sight, decision)


def is_in_time(plan: p.Plan, rules: GameRules, now: StageName, stage: str) -> bool:
    """True if a plan applies in the stage `now`. `stage` is the stage for which the plan was written."""
    if not plan.standing and str(now) != stage:
        return False
    return plan.until is None or is_before_end(rules, now, plan.until)


def meets_conditions(plan: p.Plan, sight: PlanSight, decision: Decision) -> bool:
    """True if all conditions of a plan hold: on numbers, places of pieces, and conquests."""
    numbers = facts(sight, decision)
    return (
        all(within.holds(numbers[name]) for name, within in plan.when)
        and all(is_where_wanted(sight, wanted) for wanted in plan.where)
        and all((wanted.city in sight.field.markers) == wanted.is_conquered for wanted in plan.conquered)
    )


def is_where_wanted(sight: PlanSight, wanted: p.Whereabouts) -> bool:
    """True if a piece stands where the condition `wanted` demands it."""
    city = sight.field.pieces[wanted.piece].city
    return (max(city, OFF) in wanted.cities) == wanted.is_there


def is_before_end(rules: GameRules, now: StageName, until: p.PlanEnd) -> bool:
    """True if a plan is not over yet. `until` is the last turn or stage in which the plan holds."""
    if now.turn != until.turn or not until.stage:
        return now.turn <= until.turn
    stages = game_named(rules.terms.game).stages(rules, now.turn)
    return stages.index(now.stage) <= stages.index(until.stage)


def is_bound_to(bound: p.PlanBounds, sight: PlanSight, decision: Decision) -> bool:
    """True if a plan with these bounds may answer the decision, because its combat, retreat or piece is within the
    bounds. A plan that is only for the attacker or only for the defender answers no retreats."""
    match decision:
        case PlayCard():
            assert sight.battle is not None
            seen = sight.battle
            fits_role = not bound.role or bound.role == seen.role
            return fits_role and is_between(bound, seen.own, seen.enemy, (seen.city, seen.enemy_city))
        case ChooseRetreat(_, losers, start):
            assert sight.retreat is not None
            winners = tuple(stack_at(sight.rules.common, sight.field, sight.retreat.from_city))
            return not bound.role and is_between(bound, winners, losers, (sight.retreat.from_city, start))
    piece = getattr(decision, "piece", None)
    return piece is None or not bound.of or piece in bound.of


def is_between(
    bound: p.PlanBounds, own: tuple[Piece, ...], enemy: tuple[Piece, ...], cities: tuple[City, City]
) -> bool:
    """True if a combat is within a plan's bounds. The bounds may name own generals, enemy generals and cities. Of each
    kind that they name, at least one must take part in the combat."""
    named = ((bound.of, own), (bound.against, enemy), (bound.at, cities))
    return all(not wanted or set(wanted) & set(there) for wanted, there in named)


SCRIPT = "plan "
"""Prefix of the keys under which `PlanSource.used` counts the lines of scripts."""


class WantedAnswers(Struct, frozen=True):
    """Answers that a plan wants, with the most wanted first, and the place in the file where the plan asks for them."""

    answers: tuple[d.Answer, ...]
    node: Node
    uses_line: bool = False
    """True if the answer uses up a line of the plan's script."""


class PlanVerdict(Struct, frozen=True):
    """Plan that fits a decision, and the plan's answer. If there is no answer, the player decides."""

    plan: p.Plan
    given: GivenAnswer | None
    uses_line: bool = False
    notes: tuple[Fault, ...] = ()
    """Faults that say why the plan has no answer."""


class PlanSource:
    """Source of answers from plans."""

    def __init__(
        self,
        table: Table,
        plans: Mapping[Power, Sequence[p.Plan]],
        tally: Tally,
        used: Mapping[str, Mapping[str, int]] | None = None,
        stage: str = "",
    ) -> None:
        """Store the plans of each power. `used` has the number of lines that each script has used so far, by power and
        script. Plans that are not standing plans answer only at `stage`; by default this is the table's stage."""
        self.table = table
        self.plans = {
            power: [replace(plan, number=number) for number, plan in enumerate(listed, 1)]
            for power, listed in plans.items()
        }
        self.tally = tally
        # `used` also has counts of orders, which belong to other sources.
        self.used = {
            power: {name: count for name, count in (used or {}).get(power, {}).items() if name.startswith(SCRIPT)}
            for power in plans
        }
        self.stage = stage or stage_of(table)

    def powers(self) -> list[Power]:
        return list(self.plans)

    def speaks_of(self, decision: d.Decision) -> bool:
        """True if a plan answers this decision. Unlike `answer`, this uses up no line of a script."""
        verdict = self.judge(decision)
        return verdict is not None and verdict.given is not None

    def answer(self, decision: d.Decision) -> GivenAnswer | None:
        """Return the answer of the first plan that fits. Return None if no plan fits, or if this plan has no answer. If
        the answer comes from a line of a script, the line is used up."""
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
        """True if a plan fits this decision, even if the plan has no answer."""
        return self.fitting_plan(decision) is not None

    def is_in_force(self) -> bool:
        """True if a plan of any power applies in the present stage, and may give answers in it or later."""
        rules, now = self.table.rules, StageName(self.table.state.turn, self.table.state.stage)
        return any(is_in_time(plan, rules, now, self.stage) for listed in self.plans.values() for plan in listed)

    def why_not(self, decision: d.Decision) -> tuple[Fault, ...]:
        """Return the reasons why the plan that fits has no answer. Only the plan's player may read them."""
        verdict = self.judge(decision)
        return () if verdict is None or verdict.given is not None else verdict.notes

    def used_lines(self) -> dict[str, dict[str, int]]:
        """Return the number of lines that each script has used in the latest combat, by power and script. A later
        source of answers can be made with these numbers."""
        return {power: dict(lines) for power, lines in self.used.items()}

    @property
    def name_of_battle(self) -> str:
        """Ending of the names under which used lines of scripts are counted. It has the number of the latest combat."""
        return f" in battle {self.tally.battle}"

    def name(self, plan: p.Plan) -> str:
        """Return the name under which the used lines of the plan's script are counted."""
        return f"{SCRIPT}{plan.number}{self.name_of_battle}"

    def judge(self, decision: d.Decision) -> PlanVerdict | None:
        """Return the verdict of the first plan that fits a decision; None if no plan fits."""
        found = self.fitting_plan(decision)
        return None if found is None else self.verdict(found[0], decision, found[1])

    def fitting_plan(self, decision: d.Decision) -> tuple[PlanSight, p.Plan] | None:
        """Return the position as far as the deciding player knows it, and the first plan that fits the decision. Return
        None if no plan fits."""
        topic = topic_of(self.table, decision)
        plans = [plan for plan in self.plans.get(decision.power, ()) if is_about(plan, topic)]
        if not plans:
            return None
        sight = see(self.table, decision, self.tally, game_plans(self.table).playable_cards)
        plan = next((plan for plan in plans if fits(plan, sight, decision, self.stage)), None)
        return None if plan is None else (sight, plan)

    def verdict(self, sight: PlanSight, decision: d.Decision, plan: p.Plan) -> PlanVerdict:
        """Return the verdict of one plan. It has the first legal answer of the plan. If the plan has no legal answer,
        the verdict has a note with the reason, and the answer for `else: stop` if that is legal."""
        try:
            wanted = self.wanted_answers(sight, decision, plan)
            given = self.legal(decision, wanted)
            away = self.notes_on_absent(sight, decision, plan, given.answer)
            return PlanVerdict(plan, replace(given, warnings=away), wanted.uses_line)
        except IllegalOrder as refusal:
            note = self.note_of(plan, refusal)
        if plan.otherwise == "stop":
            try:
                given = self.legal(decision, WantedAnswers(self.nothing(sight, decision, plan), plan.node))
            except IllegalOrder:
                return PlanVerdict(plan, None, notes=(note,))
            return PlanVerdict(plan, replace(given, warnings=(note,)))
        return PlanVerdict(plan, None, notes=(note,))

    def notes_on_absent(
        self, sight: PlanSight, decision: d.Decision, plan: p.Plan, answer: d.Answer
    ) -> tuple[Fault, ...]:
        """Return a warning with the pieces that a plan wants to bring back, but does not bring back with its answer."""
        if not isinstance(plan.wish, p.MusterWish) or not isinstance(answer, d.Recruitment):
            return ()
        muster = game_plans(self.table).muster(sight, decision)
        away = left_away(sight, muster, plan.wish, answer.entries) if muster else []
        names = tuple(self.table.rules.common.pieces[piece].name for piece in away)
        return (Fault.at(plan.node.line, plan.node.column, wrong("W-PLAN-AWAY", pieces=names)),) if names else ()

    def note_of(self, plan: p.Plan, refusal: IllegalOrder) -> Fault:
        """Return a refusal as a warning about the line of the plan."""
        node = refusal.node if isinstance(refusal, Unusable) else plan.node
        code = refusal.code if refusal.code.startswith("W-") else "W-PLAN-ILLEGAL"
        rule = refusal.rule or game_plans(self.table).rules.get(code, "")
        found = fault_of(refusal, node, self.table.rules)
        return replace(found, code=code, rule=rule)

    def legal(self, decision: d.Decision, wanted: WantedAnswers) -> GivenAnswer:
        """Return the first wanted answer that the rules allow. If the rules allow none of the answers, raise the last
        refusal. If no answer is wanted, raise `Unusable`."""
        refusal: IllegalOrder | None = None
        for answer in wanted.answers:
            # The copy has a dealer of its own. The campaign's dealer would reveal cards that nobody knows yet.
            table = copy_of(self.table, SeededDealer(""))
            try:
                game_of(table).apply(table, decision.power, answer)
            except IllegalOrder as refused:
                refusal = refused
            else:
                return GivenAnswer(answer, wanted.node)
        raise refusal or Unusable(wanted.node, wrong("W-PLAN-NONE"))

    def wanted_answers(self, sight: PlanSight, decision: d.Decision, plan: p.Plan) -> WantedAnswers:
        """Return the answers that a plan wants, with the most wanted first. They need not be legal."""
        used = self.used[decision.power].get(self.name(plan), 0)
        match decision, plan.wish:
            case d.PlayCard(), p.BattleWish() as wish:
                choice = fight(sight, decision, plan, wish, used)
                node = wish.play[used].node if choice.uses_line else plan.node
                return WantedAnswers((choice.answer,), node, choice.uses_line)
            case d.ChooseRetreat(), p.RetreatWish() as wish:
                return WantedAnswers(retreat(sight, decision, wish), plan.node)
            case d.ChooseBattle(), p.AttackWish() as wish:
                return WantedAnswers(attack(sight, decision, wish), plan.node)
            case d.Allot(), p.MusterWish() as wish:
                return WantedAnswers(allot(sight, decision, wish), plan.node)
            case _, p.MusterWish() as wish:
                muster = game_plans(self.table).muster(sight, decision)
                return WantedAnswers(recruit(sight, muster, wish) if muster else (), plan.node)
            case _, p.WrittenAnswer() as wish:
                sections: dict[str, list[object]] = {section: list(said) for section, said in wish.sections.items()}
                orders = Orders("plan", None, {decision.power: PowerOrders(decision.power, plan.node, sections)})
                given = OrderSource(self.table, orders).answer(decision)
                return WantedAnswers((given.answer,) if given else (), given.node if given else plan.node)
        return WantedAnswers(game_plans(self.table).choices[plan.kind](sight, decision, plan.wish), plan.node)

    def nothing(self, sight: PlanSight, decision: d.Decision, plan: p.Plan) -> tuple[d.Answer, ...]:
        """Return the answer of a plan with `else: stop`, as the only element of a tuple. This answer does as little as
        possible."""
        if isinstance(decision, d.PlayCard) and isinstance(plan.wish, p.BattleWish):
            return give_up(sight, decision, plan.wish)
        if plan.kind == "recruit":
            return (d.Recruitment(),)
        return (game_plans(self.table).nothing[plan.kind],)


def take_plans(orders: Orders) -> dict[Power, list[p.Plan]]:
    """Remove all plans from the orders of all powers. Return the plans by power."""
    found = {power: written.sections.pop("plans", []) for power, written in orders.powers.items()}
    return {power: plans for power, plans in found.items() if plans}
