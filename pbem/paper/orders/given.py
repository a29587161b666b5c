"""An answer as it was written: with its place, the places of its parts, and the cards it means."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.engine.cards import as_held, is_needless
from pbem.engine.decisions import Answer
from pbem.engine.errors import IllegalOrder
from pbem.engine.nouns import Card, Power
from pbem.engine.table import Table
from pbem.faults.words import Hint, words
from pbem.faults.wrong import Wrong, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node, Text
from pbem.paper.lexicon import card_text, from_hand
from pbem.paper.orders.names import NamedCard, Places


class Given(Struct, frozen=True):
    """An answer, where it was written, and where each part of it stands."""

    answer: Answer
    node: Node
    places: Places = {}
    price: int = 0
    """What the answer's cards have to pay for, if they are a payment."""
    warnings: tuple[Fault, ...] = ()
    """What is strange, but not wrong, about how it was written."""
    is_ahead: bool = False
    """Whether it was ordered ahead, so that its places may be those of an earlier letter."""
    is_of_stage: bool = False
    """Whether it stands among the orders of the present stage, and neither in plans nor in orders ahead."""

    def node_of(self, where: tuple[str | int, ...]) -> Node:
        """The place of the part that a refusal speaks of, or of the nearest whole."""
        while where:
            if where in self.places:
                return self.places[where]
            where = where[:-1]
        return self.node


def pick_cards(
    table: Table, power: Power, written: Sequence[NamedCard], places: Places, first: Sequence[Card] = ()
) -> tuple[Card, ...]:
    """Written cards as cards of the power's hand; of several alike one of those is meant that are named first."""
    left = [*first, *(card for card in table.state.cards.hands[power] if card not in first)]
    cards: list[Card] = []
    for place, order in enumerate(written):
        card = from_hand(left, order.card)
        if card is None:
            raise NotInHand(table, power, order.node, first or table.state.cards.hands[power])
        left.remove(card)
        cards.append(card)
        places["cards", place] = order.node
    return tuple(cards)


class Unusable(IllegalOrder):
    """Something was written from which no answer can be made."""

    def __init__(self, node: Node, wrong: Wrong) -> None:
        """Remember where it was written."""
        super().__init__(wrong)
        self.node = node


class NotInHand(Unusable):
    """A card that was written is not in the hand of its power."""

    def __init__(self, table: Table, power: Power, node: Node, offered: Sequence[Card]) -> None:
        """Say which card, whose hand, and what could be given: only who plays this power orders for it."""
        rule, card = game_of(table).cited.cards, node.value if isinstance(node, Text) else words("this-card")
        cards = tuple(dict.fromkeys(card_text(each) for each in sorted(offered, key=as_held)))
        hint: Hint | None = None if cards else ""
        super().__init__(node, wrong("E-CARD-HAND.often", rule, hint, power=power, card=card, cards=cards))


def is_overpaid(table: Table, given: Given) -> bool:
    """Whether a payment contains a card that was not needed."""
    cards = getattr(given.answer, "cards", ())
    return bool(given.price) and is_needless(table.rules.common.decks, cards, given.price)
