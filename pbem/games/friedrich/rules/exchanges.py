"""Exchanges of tactical cards that a Card of Fate causes (§11, cards 1, 4, 9)."""

from __future__ import annotations

from bisect import insort

from pbem.engine.cards import PICKS, discard
from pbem.engine.events import Event
from pbem.engine.nouns import NO_POWER, Card, Power
from pbem.engine.rules import IllegalOrder
from pbem.faults.wrong import wrong
from pbem.games.friedrich.rules.decisions import GiveCard, GivenCard
from pbem.games.friedrich.rules.events import CardGiven, CardOffered, CardReceived, CardReplaced, NothingCame
from pbem.games.friedrich.rules.fate_data import Plunder, Redraw, Swap
from pbem.games.friedrich.rules.state import Table, VersionTask, draw_cards, plays_on


def is_possible(table: Table, effect: Swap | Plunder | Redraw) -> bool:
    """True if every power of the exchange is still in the game and holds a card."""
    match effect:
        case Swap(powers):
            return all(holds_cards(table, power) for power in powers)
        case Plunder(power, victim):
            return holds_cards(table, power) and holds_cards(table, victim)
        case Redraw(power):
            return holds_cards(table, power)


def holds_cards(table: Table, power: Power) -> bool:
    """True if a power is still in the game and has a card in hand."""
    return plays_on(table, power) and bool(table.state.cards.hands[power])


def decision(table: Table, task: VersionTask, effect: Swap | Plunder | Redraw) -> GiveCard:
    """Return the decision on the card that a power gives. The power may decline, except in a `Redraw`."""
    hand = tuple(table.state.cards.hands[task.power])
    match effect:
        case Swap(powers):
            return GiveCard(task.power, "swap", powers[1 - task.step], hand, may_decline=True)
        case Plunder(_, victim):
            return GiveCard(task.power, "plunder", victim, hand, may_decline=True)
        case Redraw():
            return GiveCard(task.power, "redraw", NO_POWER, hand, may_decline=False)


def check_card(decision: GiveCard, answer: GivenCard) -> None:
    """Raise `IllegalOrder` for a card that the decision does not offer, or for no card if the power may not decline."""
    if answer.card is None:
        if not decision.may_decline:
            raise IllegalOrder(wrong("E-FATE-CARD.none"), where=("card",))
    elif answer.card not in decision.cards:
        raise IllegalOrder(wrong("E-FATE-CARD"), where=("card",))


def give(table: Table, task: VersionTask, decision: GiveCard, answer: GivenCard) -> list[Event]:
    """Carry out an exchange with the chosen card: a swap, a plunder, or a new card from the deck in place of the chosen
    card. Raises `IllegalOrder` for a card that may not be chosen."""
    check_card(decision, answer)
    match decision.reason:
        case "swap":
            return swap(table, task, decision, answer)
        case "plunder":
            return plunder(table, task, decision, answer)
    assert answer.card is not None
    discard(table.state.cards, decision.power, [answer.card])
    return [CardReplaced(decision.power, answer.card), *draw_cards(table, decision.power, 1)[1]]


def swap(table: Table, task: VersionTask, decision: GiveCard, answer: GivenCard) -> list[Event]:
    """Carry out one half of a swap (card 1). The first power's card is laid out; later it is exchanged for the card of
    the second power. If either power declines, nothing is exchanged."""
    offer = CardOffered(decision.power, decision.partner, answer.card is not None, answer.card)
    if answer.card is None:
        return [offer, NothingCame(task.card, task.suit)]
    if task.laid is None:
        table.state.tasks.append(VersionTask(decision.partner, task.card, task.suit, 1, answer.card))
        return [offer]
    first, second = decision.partner, decision.power
    return [offer, *hand_to(table, first, second, task.laid), *hand_to(table, second, first, answer.card)]


def plunder(table: Table, task: VersionTask, decision: GiveCard, answer: GivenCard) -> list[Event]:
    """Give the chosen card to the other power, and take a random card from that power's hand, perhaps the card just
    given (card 9). If no card was chosen, nothing is exchanged."""
    if answer.card is None:
        return [NothingCame(task.card, task.suit)]
    power, victim, cards = decision.power, decision.partner, table.state.cards
    events = hand_to(table, power, victim, answer.card)
    taken = table.dealer.shuffle(PICKS + cards.shuffles, cards.hands[victim])[0]
    cards.shuffles += 1
    return [*events, *hand_to(table, victim, power, taken)]


def hand_to(table: Table, giver: Power, receiver: Power, card: Card) -> list[Event]:
    """Move a card from one hand to another. Only these two powers know the card."""
    hands = table.state.cards.hands
    hands[giver].remove(card)
    insort(hands[receiver], card)
    return [CardGiven(giver, receiver, card), CardReceived(receiver, giver, card)]
