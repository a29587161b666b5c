"""Numbers that the conditions of plans may use (docs/plans.md)."""

from __future__ import annotations

from bisect import bisect_right
from math import isqrt, log

from msgspec import Struct

from pbem.engine.cards import DeckFacts
from pbem.engine.decisions import Decision, PlayCard
from pbem.engine.nouns import Card
from pbem.plans.sight import BattleSeen, PlanSight


def facts(sight: PlanSight, decision: Decision) -> dict[str, int]:
    """Return the numbers that the conditions of plans may use, each under its name. Outside of combat these are only
    the turn and the size of the hand."""
    numbers = {"turn": sight.turn, "hand": len(sight.hand)}
    battle = sight.battle
    if battle is None or not isinstance(decision, PlayCard):
        return numbers
    cards = {chance.card: chance.is_reserve for chance in battle.chances}
    promise = Promise.of(sight.rules.common.decks, decision.score, battle)
    return numbers | {
        "score": decision.score,
        "start": battle.mine - battle.theirs,
        "mine": battle.mine,
        "theirs": battle.theirs,
        "shown": battle.shown,
        "held": battle.held,
        "suited": sum(not is_reserve for is_reserve in cards.values()),
        "reserves": sum(cards.values()),
        "loss": max(0, min(-decision.score, battle.mine)),
        "lead": promise.lead,
        "chance": promise.chance,
    }


class Promise(Struct, frozen=True):
    """Prospects of a combat: the score, plus the worth of the player's cards, minus the probable worth of the enemy's
    cards."""

    parts: int
    """Likely score when all cards are played, counted in fractions of a point."""
    point: int
    """Number of fractions, as counted by `parts`, in one point."""
    held: int
    """Number of cards that the enemy still holds."""

    @classmethod
    def of(cls, decks: DeckFacts, score: int, battle: BattleSeen) -> Promise:
        # Whole numbers are used because they are the same on every computer. A Reserve counts three quarters of its
        # greatest value, because it can be played only once.
        own: dict[Card, int] = {}
        for chance in battle.chances:
            quarters = 3 * decks.reserve_most if chance.is_reserve else 4 * chance.worth
            own[chance.card] = max(own.get(chance.card, 0), quarters)
        # A card of the enemy counts as the average of all cards. In this average, cards of the other three suits are 0.
        values = range(decks.lowest, decks.highest + 1)
        cards = 4 * len(values) + decks.reserves
        theirs = battle.held * (4 * sum(values) + 3 * decks.reserves * decks.reserve_most)
        return cls((4 * score + sum(own.values())) * cards - theirs, 4 * cards, battle.held)

    @property
    def lead(self) -> int:
        """Likely score when all cards are played, in points, rounded down."""
        return self.parts // self.point

    @property
    def chance(self) -> int:
        """Likely number of wins in 100 combats with these prospects. It is nearer to 50 if the enemy holds more
        cards."""
        spread = max(LEAST_SPREAD, isqrt(SPREAD * SPREAD * self.held))
        return bisect_right(LEADS, MILLE * MILLE * self.parts // (self.point * spread))


MILLE = 1000

SPREAD, LEAST_SPREAD = 2500, 2000
"""Leads with which about three of four combats are won, in thousandths of a point: `SPREAD` if the enemy holds one
unknown card, `LEAST_SPREAD` if he holds none. `SPREAD` is multiplied by the square root of the number of unknown
cards."""

LEADS = tuple(round(MILLE * log(won / (100 - won))) for won in range(1, 100))
"""Leads that are needed to win 1, 2, … 99 of 100 combats, in thousandths of the spread (`SPREAD`)."""
