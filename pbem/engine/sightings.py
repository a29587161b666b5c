"""Count of the tactical cards, as one reader can keep it: which cards are set aside, which cards other powers hold for
sure, and which cards nobody has seen since the latest shuffle."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct, field

from pbem.engine.cards import DeckFacts, cards_of, deck_cards, deck_of
from pbem.engine.events import DeckShuffled, Event, StageBegan
from pbem.engine.nouns import NO_POWER, Card, Deck, Power


class Sighting(Struct, frozen=True):
    """Card that the reader saw when it was set aside, with the power that spent it and the stage."""

    card: Card
    power: Power
    """Power that spent the card; empty for a card that was turned up from the draw deck."""
    stage: str
    """Turn and stage; empty if no event has named the stage."""


class CardSightings(Struct):
    """Places of tactical cards that a reader can know from events, his own secrets included."""

    facts: DeckFacts
    stage: str = ""
    aside: dict[Card, Sighting] = field(default_factory=dict)
    """Cards seen set aside since their deck was last shuffled."""
    held: dict[Card, Power] = field(default_factory=dict)
    """Cards that are surely in the hand of another power, because they were shown or given to it."""
    shuffled: DeckShuffled | None = None
    """Latest shuffle; None if no event has told of a shuffle."""
    fresh: set[Card] = field(default_factory=set)
    """Cards that surely were in the latest shuffle, and have not been seen since."""
    taken: dict[Power, int] = field(default_factory=dict)
    """Number of cards that each power has taken from the draw deck since the latest shuffle. Cards that no power took
    are counted under `NO_POWER`."""
    unseen: int = 0
    """Greatest possible number of cards that were taken since the latest shuffle without being seen by the reader."""
    left: int = 0
    """Number of cards in the draw deck."""
    older: int = 0
    """Number of cards that were left in the draw deck at the latest shuffle and are still there. They are taken first.
    """

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            self.see(event)

    def see(self, event: Event) -> None:
        """Update the known places of cards after one event."""
        power: Power = getattr(event, "power", NO_POWER)
        cards = cards_of(event)
        match event:
            case StageBegan(turn, stage):
                self.stage = f"{turn}/{stage}"
            case DeckShuffled():
                self.shuffle(event)
        match event.goes:
            case "drawn" | "aside":
                self.take(power, cards_taken(event), cards)
            case "revealed":
                self.take(NO_POWER, cards_taken(event), cards)
                self.lay(cards, NO_POWER)
            case "spent":
                self.lay(cards, power)
            case "unseen":
                self.pass_on(cards, power, getattr(event, "to", NO_POWER))
            case "received" | "shown":
                self.hold(cards, power)
            case "emptied":
                self.lay([card for card, holder in self.held.items() if holder == power], power)

    def shuffle(self, event: DeckShuffled) -> None:
        """Make a new draw deck of the event's decks. If it has as many cards as these decks, all their cards are surely
        in it. Otherwise only the cards that the reader has seen set aside are surely in it."""
        whole = [card for deck in event.decks for card in deck_cards(self.facts, deck)]
        self.shuffled, self.taken, self.unseen = event, {}, 0
        self.older, self.left = self.left, self.left + event.cards
        self.fresh = {card for card in whole if card in self.aside or len(whole) == event.cards}
        self.aside = {card: seen for card, seen in self.aside.items() if deck_of(card) not in event.decks}

    def take(self, power: Power, count: int, seen: Collection[Card]) -> None:
        """Count cards that a power has taken from the draw deck. `seen` has these cards; empty if the reader does not
        see them."""
        older = min(self.older, count)
        self.older, self.left = self.older - older, self.left - count
        self.taken[power] = self.taken.get(power, 0) + count - older
        self.unseen += 0 if seen else count - older
        self.fresh.difference_update(seen)

    def notice(self, cards: Iterable[Card]) -> None:
        """Note that the reader sees these cards now. Their earlier places are forgotten."""
        for card in cards:
            self.held.pop(card, None)
            self.aside.pop(card, None)
            if card in self.fresh:
                # A power has taken the card from the draw deck since the shuffle.
                self.fresh.remove(card)
                self.unseen -= 1

    def lay(self, cards: Collection[Card], power: Power) -> None:
        """Note that a power has set cards aside. If `power` is empty, the cards came from the draw deck."""
        self.notice(cards)
        self.aside |= {card: Sighting(card, power, self.stage) for card in cards}

    def hold(self, cards: Collection[Card], power: Power) -> None:
        self.notice(cards)
        self.held |= dict.fromkeys(cards, power)

    def pass_on(self, cards: Collection[Card], power: Power, receiver: Power) -> None:
        """Note that a power has given cards to `receiver`; if `receiver` is `NO_POWER`, the power has set them aside.
        If `cards` is empty, the cards are unknown, and any card of the power's hand may be gone."""
        if not cards:
            self.held = {card: holder for card, holder in self.held.items() if holder != power}
        elif receiver == NO_POWER:
            self.lay(cards, power)
        else:
            self.hold(cards, receiver)

    def miss_events(self) -> None:
        """Forget everything that missed events may have changed. No shuffle may be among these events."""
        self.stage, self.held, self.shuffled = "", {}, None
        self.fresh, self.taken, self.unseen = set(), {}, 0

    def aside_of(self, deck: Deck) -> list[Sighting]:
        return [seen for card, seen in sorted(self.aside.items()) if deck_of(card) == deck]


def cards_taken(event: Event) -> int:
    """Return the number of cards that an event takes from the draw deck; 0 if it takes none from there."""
    if event.goes not in ("drawn", "aside", "revealed"):
        return 0
    count: int = getattr(event, "count", len(cards_of(event)))
    return count
