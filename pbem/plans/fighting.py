"""A plan in combat: limits first, then the script, then the tactic; what cannot be done falls to its `else`."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.board import SUITS
from pbem.engine.decisions import Play, PlayCard, Stop
from pbem.engine.nouns import Card
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.lexicon import WrittenCard, from_hand
from pbem.paper.orders.given import Unusable
from pbem.paper.plans.data import BattleWish, Plan, Script
from pbem.plans.chances import PlayableCard
from pbem.plans.sight import BattleSeen, PlanSight
from pbem.plans.tactics import TACTICS, Stand, least, most, played, stop


def fight(sight: PlanSight, decision: PlayCard, plan: Plan, wish: BattleWish, used: int) -> tuple[Play | Stop, bool]:
    """The card that a plan plays, or its stop, and whether a line of the script is used up by it.

    Raises `Unusable` where the plan can say nothing: `used` lines of its script have been played in this combat.
    """
    battle = sight.battle
    assert battle is not None
    stand = stand_of(sight, battle, decision, wish)
    if not decision.must and has_enough(stand, wish):
        return Stop(), False
    if used < len(wish.play):
        return scripted(sight, battle, stand, wish, wish.play[used]), True
    if wish.tactic is None:
        raise Unusable(plan.node, wrong("W-PLAN-END"))
    choice = TACTICS[wish.tactic](stand)
    if choice is None:
        raise cannot(plan, stand)
    return choice, False


def stand_of(sight: PlanSight, battle: BattleSeen, decision: PlayCard, wish: BattleWish) -> Stand:
    """Where the power stands, with only those plays left that the plan's limits allow."""
    cards = None if wish.spend is None else max(0, wish.spend - battle.cards)
    points = None if wish.points is None else max(0, wish.points - battle.points)
    held = cards_kept_back(sight.hand, wish.keep)
    free = tuple(
        chance
        for chance in battle.chances
        if chance.card not in held
        and cards != 0
        and (points is None or chance.worth <= points)
        and (wish.ahead is None or decision.score + chance.worth <= wish.ahead)
    )
    price = sight.rules.common.limits.troop_price
    return Stand(decision.score, decision.must, battle.mine, free, cards, points, price)


def cards_kept_back(hand: Sequence[Card], written: Sequence[WrittenCard]) -> list[Card]:
    """The cards of a hand that a plan keeps: for every card written one, the first that it may mean."""
    left = list(hand)
    held: list[Card] = []
    for card in written:
        found = from_hand(left, card)
        if found is not None:
            left.remove(found)
            held.append(found)
    return held


def has_enough(stand: Stand, wish: BattleWish) -> bool:
    """Whether the plan gives up here: the loss is small enough to be accepted, or the enemy too far ahead."""
    if wish.accept is not None and stand.loss <= wish.accept:
        return True
    return wish.behind is not None and -stand.score >= wish.behind


def scripted(sight: PlanSight, battle: BattleSeen, stand: Stand, wish: BattleWish, line: Script) -> Play | Stop:
    """What one line of the script leads to; a card that the limits do not allow ends the play."""
    if line.what == "stop":
        if stand.must:
            raise Unusable(line.node, wrong("W-PLAN-MUST"))
        return Stop()
    chance = card_of(sight, battle, wish, line) if line.what == "card" else picked(stand, line)
    if chance in stand.chances:
        return played(chance)
    ending = stop(stand)
    if not isinstance(ending, Stop):
        raise Unusable(line.node, wrong("W-PLAN-LIMIT"))
    return ending


def card_of(sight: PlanSight, battle: BattleSeen, wish: BattleWish, line: Script) -> PlayableCard:
    """The card that the script names, unless it is kept, not in hand or of a wrong suit."""
    assert line.card is not None
    left = [card for card in sight.hand if card not in cards_kept_back(sight.hand, wish.keep)]
    card = from_hand(left, line.card)
    if card is None:
        raise Unusable(line.node, wrong("W-PLAN-HAND"))
    value = 0 if not line.card.is_reserve and line.card.worth == line.card.value else line.card.declared
    found = [chance for chance in battle.chances if chance.card == card and chance.value == value]
    if not found:
        suit = SUITS[sight.rules.common.board.suit[battle.city]]
        raise Unusable(line.node, wrong("W-PLAN-SUIT", suit=words(suit)))
    return found[0]


def picked(stand: Stand, line: Script) -> PlayableCard:
    """The card that fits a goal: where both would do, one of the suit before a Reserve."""
    suited, reserves = stand.suited, stand.reserves
    groups = {"suit": [suited], "reserve": [reserves], "any": [suited, reserves]}[line.what]
    for group in groups:
        fit = [one for one in group if line.goal != "to" or stand.score + one.worth >= line.score]
        chance = most(fit) if line.goal == "most" else least(fit)
        if chance is not None:
            return chance
    raise Unusable(line.node, wrong("W-PLAN-REACH"))


def cannot(plan: Plan, stand: Stand) -> Unusable:
    """Why a tactic has no answer."""
    if stand.must:
        return Unusable(plan.node, wrong("W-PLAN-LIMIT.none"))
    return Unusable(plan.node, wrong("W-PLAN-REACH.exactly", score=-stand.score))


def give_up(sight: PlanSight, decision: PlayCard, wish: BattleWish) -> tuple[Play | Stop, ...]:
    """What `else: stop` does: no more cards, or the least one where one must be played and may be spent."""
    assert sight.battle is not None
    ending = stop(stand_of(sight, sight.battle, decision, wish))
    return (ending,) if ending is not None else ()
