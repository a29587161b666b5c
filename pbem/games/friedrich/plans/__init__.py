"""Choices for which only FRIEDRICH has plans, and the cards that may be played under the Card of Fate in force
(§11)."""

from __future__ import annotations

from pbem.engine.cards import is_reserve, value_of
from pbem.engine.decisions import Decision, PlayCard
from pbem.engine.nouns import Card
from pbem.games.friedrich.paper.sections import GIVEN_CARDS
from pbem.games.friedrich.rules.decisions import CardsBack, GiveCard, GivenCard, Levy, ReturnCards
from pbem.games.friedrich.rules.effects import card_worth, may_play
from pbem.games.friedrich.rules.state import Table
from pbem.paper.plans.data import CardsWish
from pbem.plans.choices import GamePlans, Muster, cards_for
from pbem.plans.sight import PlanSight, PlayableCard


def playable_cards(table: Table, decision: PlayCard) -> tuple[PlayableCard, ...]:
    """Return every allowed play of a card, with its worth: a Reserve at each declared value, any other card plainly and
    at twice its value."""
    most = table.rules.common.decks.reserve_most
    found: list[PlayableCard] = []
    for card in decision.cards:
        values = range(1, most + 1) if is_reserve(card) else (0, 2 * value_of(card))
        found += [
            PlayableCard(card, value, worth(table, card, value)) for value in values if may_play(table, card, value)
        ]
    return tuple(found)


def worth(table: Table, card: Card, declared: int) -> int:
    """Return the worth that a card would have in the present combat, if it were declared at this value."""
    if table.state.fate.in_force:
        return card_worth(table, card, declared)
    return declared if is_reserve(card) else value_of(card)


def muster(sight: PlanSight, decision: Decision) -> Muster | None:
    """Return the facts of a decision to recruit troops and trains (§10), or None for any other decision."""
    match decision:
        case Levy(_, _, price, most, room, entries, one_city):
            return Muster(price, most, room, entries, one_city)
    return None


def set_aside(sight: PlanSight, decision: ReturnCards, wish: CardsWish) -> tuple[CardsBack, ...]:
    """Return the answer that sets aside the cards most wanted by the wish (§3). Return an empty tuple if the wish fits
    too few cards."""
    left = list(decision.cards)
    gone: list[Card] = []
    while len(gone) < decision.count:
        card = next((card for card in cards_for(wish, left) if card is not None), None)
        if card is None:
            return ()
        left.remove(card)
        gone.append(card)
    return (CardsBack(tuple(gone)),)


def give(sight: PlanSight, decision: GiveCard, wish: CardsWish) -> tuple[GivenCard, ...]:
    """Return an answer for each card that the wish would give, the most wanted first. An answer without a card is among
    them only if the player may decline (§11, §13)."""
    found = cards_for(wish, decision.cards)
    return tuple(GivenCard(card) for card in found if card is not None or decision.may_decline)


PART = GamePlans(
    playable_cards=playable_cards,
    muster=muster,
    choices={"set aside": set_aside, **dict.fromkeys(GIVEN_CARDS, give)},
    nothing=dict.fromkeys(GIVEN_CARDS, GivenCard(None)),
    rules={"W-PLAN-HAND": "§3", "W-PLAN-SUIT": "§7", "W-PLAN-MUST": "§7", "W-PLAN-LIMIT": "§7", "W-PLAN-REACH": "§7"},
)
