"""The proofs of cards: where in the deal each was that an event shows, without telling of any other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from pbem.campaign.ledger.records import CardProof
from pbem.engine.cards import OTHER_DECKS, PICKS, cards_of
from pbem.engine.events import DeckShuffled, Event
from pbem.seal.deal import opening


def openings(root: bytes, made: dict[int, list[int]], events: Sequence[Event]) -> tuple[CardProof, ...]:
    """The proofs for every card that events show to everybody."""
    others = dict.fromkeys(card for event in events for card in others_of(event))
    later = {number: order for number, order in made.items() if OTHER_DECKS <= number < PICKS}
    return (*proofs(root, made, events, cards_of), *(proof for card in others for proof in proof_of(root, later, card)))


def proofs(
    root: bytes, made: dict[int, list[int]], events: Sequence[Event], cards: Callable[[Event], Iterable[int]]
) -> tuple[CardProof, ...]:
    """Where the tactical cards of events were dealt: each in the latest shuffle before its event.

    A card that was played can have gone into a shuffle since; where it lies there, nobody may know.
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
    """The proof of a card; one that was never dealt, but given by a position, has none."""
    numbers = [number for number, order in made.items() if card in order]
    if numbers:
        number = max(numbers)
        position = made[number].index(card)
        yield CardProof(number, position, card, opening(root, number, position, card).hex())


def others_of(event: Event) -> tuple[int, ...]:
    """The political cards or Cards of Fate that an event shows: they stand in its fields `politics` and `fate`."""
    fate: object = getattr(event, "fate", None)
    return (fate,) if isinstance(fate, int) else tuple(getattr(event, "politics", None) or ())
