"""Whether a plan is for the decision at hand: its kind, its time, its battle, its conditions."""

from __future__ import annotations

from pbem.engine.cards import DeckFacts
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Decision, PlayCard
from pbem.engine.field import OFF, stack_at
from pbem.engine.nouns import Card, City, Piece
from pbem.engine.stages import StageName
from pbem.engine.table import Table
from pbem.kit import game_named
from pbem.paper.orders.answers import section_of
from pbem.paper.plans.data import Bound, GoWish, Plan, Until, Whereabouts, WrittenAnswer
from pbem.plans.sight import BattleSeen, PlanSight


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
