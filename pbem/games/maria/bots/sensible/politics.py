"""Political stage: the trump suit, influence on the display, and political cards worth their price (§17)."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pbem.engine.cards import is_reserve, suit_of, value_of
from pbem.engine.decisions import Answer
from pbem.engine.field import are_enemies
from pbem.engine.nouns import Card, Power, Suit
from pbem.games.maria.bots.sensible.interests import best_execution
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.affairs import AffairsView
from pbem.games.maria.rules.politics_data import PoliticalCard


def affairs_of(outlook: MariaSight) -> AffairsView:
    """Public affairs; only in an advanced game."""
    assert outlook.affairs is not None
    return outlook.affairs


def card_facts(outlook: MariaSight, number: int) -> PoliticalCard:
    """Facts printed on a political card."""
    return next(card for card in outlook.rules.politics.cards if card.number == number)


def name_trump(outlook: MariaSight, decision: d.ChooseTrump, chance: Random) -> Answer:
    """Name the suit of which the player's powers hold most."""
    hands = [card for hand in outlook.sight.hands.values() for card in hand if not is_reserve(card)]
    return d.NameTrump(
        max(map(Suit, range(4)), key=lambda suit: sum(value_of(card) for card in hands if suit_of(card) == suit))
    )


def place_influence(outlook: MariaSight, decision: d.PlaceInfluence, chance: Random) -> Answer:
    """Place the smallest suited card that brings more influence than others have, if enough is at stake."""
    affairs, power = affairs_of(outlook), decision.power
    at_stake = max((stake(outlook, power, number) for number in affairs.open), default=0.0)
    if at_stake < outlook.weights.worth_a_card:
        return d.Influence(None)
    needed = most_influence(outlook, power) - affairs.display[power].influence
    fitting = sorted((influence_of(outlook, card), card) for card in decision.hand if counts(affairs, card))
    enough = [
        (points, card) for points, card in fitting if points > needed and points * outlook.weights.price <= at_stake
    ]
    return d.Influence(enough[0][1] if enough else None)


def counts(affairs: AffairsView, card: Card) -> bool:
    """True if a card would stay on the display: cards of other suits only go back (§17.4)."""
    return is_reserve(card) or suit_of(card) == affairs.trump


def influence_of(outlook: MariaSight, card: Card) -> int:
    """Influence of a card on the display."""
    return outlook.rules.politics.reserve if is_reserve(card) else value_of(card)


def most_influence(outlook: MariaSight, power: Power) -> int:
    """Most influence that a power of another player has, or may have."""
    displays, own = affairs_of(outlook).display, outlook.sight.hands
    others = (display for other, display in displays.items() if other not in own)
    return max((display.influence + outlook.weights.covered * display.covered for display in others), default=0)


def stake(outlook: MariaSight, power: Power, number: int) -> float:
    """Worth of a political card to a power that might select it: its own gain, and a rival's gain that it denies."""
    card = card_facts(outlook, number)
    if power not in card.arms:
        return 0.0
    rivals = [other for other in card.arms if other in outlook.rules.powers]
    return max(0.0, best_execution(outlook, power, card)[0]) + denial_worth(outlook, power, card, rivals)


def denial_worth(outlook: MariaSight, power: Power, card: PoliticalCard, rivals: Sequence[Power]) -> float:
    """Worth of keeping the card from these rivals."""
    field, own = outlook.sight.field, outlook.sight.hands
    gains = (
        best_execution(outlook, other, card)[0]
        for other in rivals
        if other in card.arms and other not in own and are_enemies(field, other, power)
    )
    return outlook.weights.denied * max(0.0, max(gains, default=0.0))


def select(outlook: MariaSight, decision: d.SelectPolitics, chance: Random) -> Answer:
    """Select the card worth most, if it is worth its influence; one that helps only others is discarded."""
    affairs, power = affairs_of(outlook), decision.power
    best, most = d.Politics(None), outlook.weights.price * affairs.display[power].influence
    for number in decision.cards:
        card = card_facts(outlook, number)
        gain, answer = best_execution(outlook, power, card) if decision.may_execute else (0.0, d.Politics(number))
        worth = gain + denial_worth(outlook, power, card, affairs.order[1:])
        if worth > most:
            best, most = answer, worth
    return best
