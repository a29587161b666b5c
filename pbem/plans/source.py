"""Plans as a source of answers: the first plan of a power that fits a decision answers it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.cards import DeckFacts, SeededDealer
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Decision, PlayCard
from pbem.engine.field import OFF, stack_at
from pbem.engine.nouns import Card, City, Piece, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import StageName, Table, stage_of
from pbem.faults.wrong import wrong
from pbem.kit import copy_of, game_named, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.orders.files import Orders, OrderSource, section_of
from pbem.paper.orders.names import PowerOrders
from pbem.paper.orders.section import Given, Unusable
from pbem.paper.plans.data import (
    AttackWish,
    BattleWish,
    Bound,
    GoWish,
    MusterWish,
    Plan,
    RetreatWish,
    Until,
    Whereabouts,
    WrittenAnswer,
)
from pbem.plans.choices import allot, attack, game_plans, recruit, retreat
from pbem.plans.fighting import fight, give_up
from pbem.plans.sight import BattleSeen, PlanSight, Tally, see


def topic_of(table: Table, decision: Decision) -> str:
    """What a decision is about, as plans call it; some are about one piece or city, named behind the word."""
    match decision:
        case PlayCard():
            return "battle"
        case ChooseRetreat():
            return "retreat"
        case ChooseBattle():
            return "attack-order"
    return section_of(table, decision)


def is_about(plan: Plan, topic: str) -> bool:
    """Whether a plan speaks of this."""
    if isinstance(plan.wish, WrittenAnswer):
        return topic in plan.wish.sections
    if isinstance(plan.wish, GoWish):
        return topic.startswith(f"{plan.kind} ")
    return plan.kind == topic


def fits(plan: Plan, sight: PlanSight, decision: Decision, stage: str) -> bool:
    """Whether a plan, written for this stage, holds now and for this decision."""
    if not plan.standing and str(StageName(sight.turn, sight.stage)) != stage:
        return False
    if plan.until is not None and not is_before_end(sight, plan.until):
        return False
    if not is_bound_to(plan.bound, sight, decision):
        return False
    return depends_on_this(plan, sight, decision)


def depends_on_this(plan: Plan, sight: PlanSight, decision: Decision) -> bool:
    """Whether all is so that a plan depends on: numbers, where pieces stand, what was conquered."""
    numbers = facts(sight, decision)
    return (
        all(within.holds(numbers[name]) for name, within in plan.when)
        and all(is_so(sight, wanted) for wanted in plan.where)
        and all((wanted.city in sight.field.markers) == wanted.is_conquered for wanted in plan.conquered)
    )


def is_so(sight: PlanSight, wanted: Whereabouts) -> bool:
    """Whether a piece stands where a plan wants it."""
    city = sight.field.pieces[wanted.piece].city
    return (max(city, OFF) in wanted.cities) == wanted.is_there


def is_before_end(sight: PlanSight, until: Until) -> bool:
    """Whether the last turn or stage of a plan is not over."""
    if sight.turn != until.turn or not until.stage:
        return sight.turn <= until.turn
    stages = game_named(sight.rules.terms.game).stages(sight.rules, sight.turn)
    return stages.index(sight.stage) <= stages.index(until.stage)


def is_bound_to(bound: Bound, sight: PlanSight, decision: Decision) -> bool:
    """Whether this is one of the battles or retreats, or about one of the pieces, that a plan is for."""
    match decision:
        case PlayCard():
            assert sight.battle is not None
            return is_battle_of(bound, sight.battle)
        case ChooseRetreat(_, losers, start):
            assert sight.retreat is not None
            winners = tuple(stack_at(sight.rules.common, sight.field, sight.retreat.from_city))
            return not bound.role and is_between(bound, winners, losers, (sight.retreat.from_city, start))
    piece = getattr(decision, "piece", None)
    return piece is None or not bound.of or piece in bound.of


def is_battle_of(bound: Bound, battle: BattleSeen) -> bool:
    """Whether a combat is one of those that a plan is for."""
    if bound.role and bound.role != battle.role:
        return False
    return is_between(bound, battle.own, battle.enemy, (battle.city, battle.enemy_city))


def is_between(bound: Bound, own: tuple[Piece, ...], enemy: tuple[Piece, ...], cities: tuple[City, City]) -> bool:
    """Whether the generals and cities named are among these."""
    named = ((bound.of, own), (bound.against, enemy), (bound.at, cities))
    return all(not wanted or set(wanted) & set(there) for wanted, there in named)


def facts(sight: PlanSight, decision: Decision) -> dict[str, int]:
    """The numbers that plans may depend on, by their names."""
    numbers = {"turn": sight.turn, "hand": len(sight.hand)}
    battle = sight.battle
    if battle is None or not isinstance(decision, PlayCard):
        return numbers
    cards = {chance.card: chance.is_reserve for chance in battle.chances}
    return numbers | {
        "score": decision.score,
        "start": battle.mine - battle.theirs,
        "mine": battle.mine,
        "theirs": battle.theirs,
        "shown": battle.shown,
        "held": battle.held,
        "suited": sum(not is_reserve for is_reserve in cards.values()),
        "reserves": sum(cards.values()),
        "lead": lead(sight.rules.common.decks, decision.score, battle),
    }


def lead(decks: DeckFacts, score: int, battle: BattleSeen) -> int:
    """How far ahead one is likely to be when all cards are played: as far as one's own lead, less what he may have.

    A Reserve counts three quarters of its most, for it serves one combat only; each of his cards what cards count on
    average in one suit. In whole numbers, rounded down, so that it is the same everywhere.
    """
    own: dict[Card, int] = {}
    for chance in battle.chances:
        quarters = 3 * decks.reserve_most if chance.is_reserve else 4 * chance.worth
        own[chance.card] = max(own.get(chance.card, 0), quarters)
    values = range(decks.lowest, decks.highest + 1)
    cards = 4 * len(values) + decks.reserves
    theirs = battle.held * (4 * sum(values) + 3 * decks.reserves * decks.reserve_most)
    return ((4 * score + sum(own.values())) * cards - theirs) // (4 * cards)


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
