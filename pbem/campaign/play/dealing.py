"""Proofs of cards: the place in the deal of each card that an event shows, without revealing any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.campaign.ledger.records import CardProof
from pbem.engine.cards import OTHER_DECKS, PICKS, cards_of
from pbem.engine.events import DeckShuffled, Event
from pbem.seal.deal import opening


def openings(root: bytes, made: dict[int, list[int]], events: Sequence[Event]) -> tuple[CardProof, ...]:
    """Proofs for every card that events show to everybody."""
    others = dict.fromkeys(card for event in events for card in others_of(event))
    later = {number: order for number, order in made.items() if OTHER_DECKS <= number < PICKS}
    return (*proofs(root, made, events, cards_of), *(proof for card in others for proof in proof_of(root, later, card)))


def proofs(
    root: bytes, made: dict[int, list[int]], events: Sequence[Event], cards: Callable[[Event], Iterable[int]]
) -> tuple[CardProof, ...]:
    """Proofs of the tactical cards of events, each in the latest shuffle before its event.

    A card that was played may be part of a later shuffle; its place there must stay secret.
    """
    announced = {event.number - 1 for event in events if isinstance(event, DeckShuffled)}
    before = {number: order for number, order in made.items() if number < OTHER_DECKS and number not in announced}
    found: dict[CardProof, None] = {}
    for event in events:
        if isinstance(event, DeckShuffled):
            before[event.number - 1] = made[event.number - 1]
        for card in cards(event):
            found |= dict.fromkeys(proof_of(root, before, card))
    return tuple(found)


def proof_of(root: bytes, made: dict[int, list[int]], card: int) -> Iterable[CardProof]:
    """Proof of a card; none for a card that was given by a position instead of dealt."""
    numbers = [number for number, order in made.items() if card in order]
    if numbers:
        number = max(numbers)
        position = made[number].index(card)
        yield CardProof(number, position, card, opening(root, number, position, card).hex())


def others_of(event: Event) -> tuple[int, ...]:
    """Political cards or Cards of Fate that an event shows: they are in its fields `politics` and `fate`."""
    fate: object = getattr(event, "fate", None)
    return (fate,) if isinstance(fate, int) else tuple(getattr(event, "politics", None) or ())
