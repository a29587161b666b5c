"""Answers of plans in combat. A plan's limits are applied first, then its script, then its tactic (docs/plans.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from pbem.engine.board import SUITS
from pbem.engine.decisions import Play, PlayCard, Stop
from pbem.engine.nouns import Card
from pbem.faults.wrong import wrong
from pbem.paper.lexicon import WrittenCard, from_hand
from pbem.paper.orders.section import Unusable
from pbem.paper.plans.data import BattleWish, Plan, Script, Tactic
from pbem.plans.sight import BattleSeen, PlanSight, PlayableCard


class Stand(Struct, frozen=True):
    """Situation of one side in a combat."""

    score: int
    must: bool
    """True if the rules demand that a card is played (MARIA §11.1)."""
    troops: int
    chances: tuple[PlayableCard, ...]
    """Cards that the rules and the plan's limits allow the side to play."""
    cards: int | None
    """Number of cards that the plan may still spend. `points` is the number of points that these cards may have in all.
    None if the plan sets no limit."""
    points: int | None
    troop_price: int = 0
    """Price of a new troop, in points of cards."""

    @property
    def loss(self) -> int:
        """Number of troops that the side loses if it stops playing now."""
        return min(-self.score, self.troops)

    @property
    def suit_plays(self) -> list[PlayableCard]:
        return [chance for chance in self.chances if not chance.is_reserve]

    @property
    def reserves(self) -> list[PlayableCard]:
        """Plays of a Reserve: one for each value that each Reserve can have."""
        return [chance for chance in self.chances if chance.is_reserve]


def play_of(chance: PlayableCard) -> Play:
    return Play(chance.card, chance.value)


def least(chances: Iterable[PlayableCard]) -> PlayableCard | None:
    """Return the play of lowest value, or None if there are no plays. Of plays with the same value, take the card of
    the lowest deck."""
    return min(chances, key=lambda chance: (chance.worth, chance.card), default=None)


def most(chances: Iterable[PlayableCard]) -> PlayableCard | None:
    """Return the play of highest value, or None if there are no plays. Of plays with the same value, take the card of
    the lowest deck."""
    return max(chances, key=lambda chance: (chance.worth, -chance.card), default=None)


def stop(stand: Stand) -> Play | Stop | None:
    """Return a stop, or the lowest card if the rules demand a card (MARIA §11.1). Return None if the rules demand a
    card and the plan allows none."""
    if not stand.must:
        return Stop()
    chance = least(stand.suit_plays) or least(stand.reserves)
    return play_of(chance) if chance else None


def play_towards(stand: Stand, goal: int, full_reserves: bool) -> Play | Stop | None:
    """Return the lowest card that reaches the score `goal`. If none reaches it, return the highest card, or the result
    of `stop` if there are no cards at all. Reserves are played only if there is no card of the suit. With
    `full_reserves`, they are played at their highest value."""
    chances = stand.suit_plays or stand.reserves
    enough = [chance for chance in chances if stand.score + chance.worth >= goal]
    if full_reserves and not stand.suit_plays:
        enough = []
    chance = least(enough) or most(chances)
    return play_of(chance) if chance else stop(stand)


def reach(stand: Stand) -> int:
    """Return the highest score that can be reached with the cards that may be spent."""
    best: dict[int, int] = {}
    for chance in stand.chances:
        best[chance.card] = max(best.get(chance.card, 0), chance.worth)
    worths = sorted(best.values(), reverse=True)[: stand.cards]
    points = sum(worths)
    return stand.score + (points if stand.points is None else min(points, stand.points))


def win(stand: Stand) -> Play | Stop | None:
    """Return the next play on the way to a score above zero, even if this needs the last card. Reserves are played at
    their highest value."""
    return play_towards(stand, 1, full_reserves=True)


def win_cheaply(stand: Stand) -> Play | Stop | None:
    """Return the next play of the cheapest way to a score above zero. If the cards cannot reach such a score, return
    the result of `stop`."""
    return stop(stand) if reach(stand) <= 0 else play_towards(stand, 1, full_reserves=False)


def hold(stand: Stand) -> Play | Stop | None:
    """Return the next play on the way to a score of at least zero. At zero, or if the cards cannot reach zero, return
    the result of `stop`."""
    return stop(stand) if stand.score == 0 or reach(stand) < 0 else play_towards(stand, 0, full_reserves=False)


def tie(stand: Stand) -> Play | Stop | None:
    """Return the next play on the way to a score of exactly zero, with as few Reserves and cards as possible. Return
    None if the cards cannot reach zero exactly. At zero, return the result of `stop`."""
    if stand.score == 0:
        return stop(stand)
    return next_of(sums(stand.chances, stand).get(-stand.score, ()))


def lose_least(stand: Stand) -> Play | Stop | None:
    """Return the next card by which the side loses as few troops as possible. The score stays below zero, because at
    zero or above the enemy may play on. If the score is zero, or no card saves a troop, return the result of `stop`."""
    if stand.score == 0:
        return stop(stand)
    found = {total: way for total, way in sums(stand.suit_plays, stand).items() if total < -stand.score}
    total = max(found, default=0)
    if min(-stand.score - total, stand.troops) >= stand.loss:
        return stop(stand)
    return next_of(found[total])


SMALL_LOSS = 3
"""Largest loss, in troops, that `cut_losses` accepts. To avoid a greater loss, it plays a card that brings the score to
zero or more."""


def cut_losses(stand: Stand) -> Play | Stop | None:
    """Return the result of `spare_troops` if a loss of `SMALL_LOSS` troops is accepted."""
    return spare_troops(stand, SMALL_LOSS)


def save_troops(stand: Stand) -> Play | Stop | None:
    """Return the result of `spare_troops` if no loss is accepted."""
    return spare_troops(stand, 0)


def spare_troops(stand: Stand, accepted: int) -> Play | Stop | None:
    """Return the card of the suit that saves most troops for its points (`profit`) and leaves the score below zero. If
    no card saves troops, and at most `accepted` troops would be lost, return the result of `stop`. If more would be
    lost, play a card that brings the score to zero or more, or else a Reserve that saves troops."""
    if stand.score == 0:
        return stop(stand)
    below = [chance for chance in stand.suit_plays if chance.worth < -stand.score]
    saving = max(below, key=lambda chance: (profit(stand, chance), -chance.card), default=None)
    if saving is not None and profit(stand, saving) > 0:
        return play_of(saving)
    if stand.loss <= accepted:
        return stop(stand)
    turning = least(chance for chance in stand.suit_plays if chance.worth >= -stand.score)
    if turning is not None:
        return play_of(turning)
    reserve = most(chance for chance in stand.reserves if chance.worth < -stand.score)
    return play_of(reserve) if reserve is not None and profit(stand, reserve) > 0 else stop(stand)


def profit(stand: Stand, chance: PlayableCard) -> int:
    """Return the profit of a card in points: the price of the troops that the card saves, minus the points that the
    card adds."""
    return (stand.loss - min(-stand.score - chance.worth, stand.troops)) * stand.troop_price - chance.worth


def decline(stand: Stand) -> Play | Stop | None:
    return stop(stand)


def next_of(way: Sequence[PlayableCard]) -> Play | None:
    """Return the play to make first if all plays in `way` are made, or None if `way` is empty. The highest value comes
    first, and Reserves come last."""
    ordered = sorted(way, key=lambda chance: (chance.is_reserve, -chance.worth, chance.card))
    return play_of(ordered[0]) if ordered else None


def sums(chances: Sequence[PlayableCard], stand: Stand) -> dict[int, tuple[PlayableCard, ...]]:
    """Return the totals of points that can be played within the plan's limits, up to the deficit. Each total has the
    plays that make it: with the fewest Reserves, and then with the fewest cards."""
    limit = -stand.score if stand.points is None else min(-stand.score, stand.points)
    ways: dict[tuple[int, int], tuple[PlayableCard, ...]] = {(0, 0): ()}
    # Cards of the suit come before Reserves. The first plays found for a total then have the fewest Reserves.
    for card in dict.fromkeys(chance.card for chance in sorted(chances, key=lambda chance: chance.card)):
        plays = [chance for chance in chances if chance.card == card and chance.worth]
        for (total, count), way in list(ways.items()):
            if stand.cards is not None and count == stand.cards:
                continue
            for chance in plays:
                if total + chance.worth <= limit:
                    ways.setdefault((total + chance.worth, count + 1), (*way, chance))
    found: dict[int, tuple[PlayableCard, ...]] = {}
    for (total, _), way in sorted(ways.items(), key=lambda item: (sum(c.is_reserve for c in item[1]), item[0][1])):
        found.setdefault(total, way)
    return found


TACTICS: dict[Tactic, Callable[[Stand], Play | Stop | None]] = {
    "win": win,
    "win-cheaply": win_cheaply,
    "hold": hold,
    "tie": tie,
    "lose-least": lose_least,
    "cut-losses": cut_losses,
    "save-troops": save_troops,
    "decline": decline,
}
"""Function of each tactic. It returns the next play, or a stop. It returns None if the rules demand a card but the plan
may spend none, or if the tactic `tie` cannot reach a tie."""


class CombatChoice(NamedTuple):
    """Answer of a plan to a decision in combat."""

    answer: Play | Stop
    uses_line: bool = False
    """True if the answer uses up a line of the plan's script."""


def fight(sight: PlanSight, decision: PlayCard, plan: Plan, wish: BattleWish, used_lines: int) -> CombatChoice:
    """Return the answer of a plan to a decision in combat. Raises `Unusable` if the plan has no answer."""
    battle = sight.battle
    assert battle is not None
    stand = stand_of(sight, battle, decision, wish)
    if not decision.must and has_enough(stand, wish):
        return CombatChoice(Stop())
    if used_lines < len(wish.play):
        return CombatChoice(script_play(sight, battle, stand, wish, wish.play[used_lines]), uses_line=True)
    if wish.tactic is None:
        raise Unusable(plan.node, wrong("W-PLAN-END"))
    choice = TACTICS[wish.tactic](stand)
    if choice is None:
        raise no_answer_fault(plan, stand)
    return CombatChoice(choice)


def stand_of(sight: PlanSight, battle: BattleSeen, decision: PlayCard, wish: BattleWish) -> Stand:
    """Return the situation of the power that has to play. Its plays are only those that the plan's limits allow."""
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
    """Return the cards in hand that a plan keeps back. `written` has the cards that the plan wants to keep, some of
    which may not be in hand."""
    left = list(hand)
    held: list[Card] = []
    for card in written:
        found = from_hand(left, card)
        if found is not None:
            left.remove(found)
            held.append(found)
    return held


def has_enough(stand: Stand, wish: BattleWish) -> bool:
    """True if the plan's limits say that it should stop now: the loss is acceptable, or the enemy is too far ahead."""
    if wish.accept is not None and stand.loss <= wish.accept:
        return True
    return wish.behind is not None and -stand.score >= wish.behind


def script_play(sight: PlanSight, battle: BattleSeen, stand: Stand, wish: BattleWish, line: Script) -> Play | Stop:
    """Return the play that a line of the script asks for, or a stop if the plan's limits forbid it. Raises `Unusable`
    if neither is possible."""
    if line.what == "stop":
        if stand.must:
            raise Unusable(line.node, wrong("W-PLAN-MUST"))
        return Stop()
    chance = card_of(sight, battle, wish, line) if line.what == "card" else play_by_goal(stand, line)
    if chance in stand.chances:
        return play_of(chance)
    ending = stop(stand)
    if not isinstance(ending, Stop):
        raise Unusable(line.node, wrong("W-PLAN-LIMIT"))
    return ending


def card_of(sight: PlanSight, battle: BattleSeen, wish: BattleWish, line: Script) -> PlayableCard:
    """Return the play of the card that a line of the script names. Raises `Unusable` if the card is not in hand, may
    not be played here, or is kept back by the plan."""
    assert line.card is not None
    left = [card for card in sight.hand if card not in cards_kept_back(sight.hand, wish.keep)]
    card = from_hand(left, line.card)
    if card is None:
        raise Unusable(line.node, wrong("W-PLAN-HAND"))
    value = 0 if not line.card.is_reserve and line.card.worth == line.card.value else line.card.declared_value
    found = [chance for chance in battle.chances if chance.card == card and chance.value == value]
    if not found:
        suit = SUITS[sight.rules.common.board.suit[battle.city]]
        raise Unusable(line.node, wrong("W-PLAN-SUIT", suit=suit))
    return found[0]


def play_by_goal(stand: Stand, line: Script) -> PlayableCard:
    """Return the play that reaches the goal in a line of the script. Cards of the suit are tried before Reserves.
    Raises `Unusable` if no play reaches it."""
    suited, reserves = stand.suit_plays, stand.reserves
    groups = {"suit": [suited], "reserve": [reserves], "any": [suited, reserves]}[line.what]
    for group in groups:
        fit = [one for one in group if line.goal != "to" or stand.score + one.worth >= line.score]
        chance = most(fit) if line.goal == "most" else least(fit)
        if chance is not None:
            return chance
    raise Unusable(line.node, wrong("W-PLAN-REACH"))


def no_answer_fault(plan: Plan, stand: Stand) -> Unusable:
    """Return the exception that says why a tactic has no answer."""
    if stand.must:
        return Unusable(plan.node, wrong("W-PLAN-LIMIT.none"))
    return Unusable(plan.node, wrong("W-PLAN-REACH.exactly", score=-stand.score))


def give_up(sight: PlanSight, decision: PlayCard, wish: BattleWish) -> tuple[Play | Stop, ...]:
    """Return the answer of a plan with `else: stop`, in a tuple. The answer is a stop, or the lowest card if the rules
    demand a card. If the plan then allows no card, the tuple is empty."""
    assert sight.battle is not None
    ending = stop(stand_of(sight, sight.battle, decision, wish))
    return (ending,) if ending is not None else ()
