"""The cards of a position file: what is named is where it is said to be, the rest is dealt from the seed (§4, §8)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.cards import Cards, deck_cards, deck_of, set_aside
from pbem.kit import AnyTable, game_of
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import Node, Text
from pbem.paper.lexicon import Lexicon, WrittenCard

MOST_CARDS = 999
"""More cards than any game has."""


class CardReader:
    """Puts the cards of a position in their places."""

    def __init__(self, reader: Reader, table: AnyTable, lexicon: Lexicon, entries: dict[str, Node]) -> None:
        """Take the faults' reader, the table to fill, and the entries of the file."""
        self.reader = reader
        self.table = table
        self.lexicon = lexicon
        self.entries = entries
        self.facts = table.rules.common.decks
        self.cited = game_of(table).cited
        self.placed: set[int] = set()
        self.unnamed: list[tuple[list[int], int]] = []
        """Places of which only the number of cards is known."""

    def read(self, usual: Mapping[str, int]) -> None:
        """Read hands, draw deck and piles; before set-up begins all decks are still untouched.

        `usual` has the sizes of the hands that are dealt where the file does not say.
        """
        state = self.table.state
        if state.stage == "setup" and not state.begun and not set(self.entries) & {"hands", "draw"}:
            return
        hands = self.read_hands()
        draw = self.read_draw()
        piles = self.read_piles()
        unused = self.read_unused()
        rest = [card for deck in self.decks_in_use(unused) for card in deck_cards(self.facts, deck)]
        rest = [card for card in rest if card not in self.placed]
        cards = Cards(draw=[], unused=unused, discards=piles, hands={}, shuffles=0)
        if draw is None:
            # Deck by deck, where every other shuffle has its cards in ascending order (docs/protocol.md, The deal).
            rest = self.fill_piles(piles, list(self.table.dealer.shuffle(0, rest)))
            rest = self.fill_unnamed(rest)
            cards.draw = rest[::-1]
            cards.shuffles = len(self.decks_in_use(unused))
        else:
            cards.draw = draw
            cards.shuffles = len(self.decks_in_use(unused))
            for card in self.fill_unnamed(rest):
                set_aside(cards, card)
        if "shuffles" in self.entries:
            cards.shuffles = self.reader.number(self.entries["shuffles"], "shuffles", 0, 10_000) or 0
        self.deal_missing(cards, hands, usual)
        state.cards = cards

    def deal_missing(self, cards: Cards, hands: dict[str, list[int]], usual: Mapping[str, int]) -> None:
        """Hands that are not given are dealt from the draw deck, as large as is said, or as at the start (§4)."""
        sizes = self.read_sizes()
        for power, size in {**usual, **sizes}.items():
            if power not in hands:
                hands[power] = sorted(cards.draw.pop() for _ in range(min(size, len(cards.draw))))
        cards.hands = {power: hands[power] for power in self.table.rules.powers}

    def read_sizes(self) -> dict[str, int]:
        """How many cards powers have whose hands are not given."""
        sizes: dict[str, int] = {}
        if "hand sizes" not in self.entries:
            return sizes
        for name, value in self.reader.pairs(self.entries["hand sizes"], "hand sizes"):
            power = self.reader.name(name, "a power", self.lexicon.power)
            size = self.reader.number(value, f"the hand of {name.value}", 0, MOST_CARDS)
            if power is not None and power in self.table.rules.powers and size is not None:
                sizes[power] = size
        return sizes

    def read_hands(self) -> dict[str, list[int]]:
        """Hands as the file has them, sorted; who is not named in it is not in here."""
        hands: dict[str, list[int]] = {}
        if "hands" not in self.entries:
            return hands
        for place, value in self.reader.pairs(self.entries["hands"], "hands"):
            power = self.reader.name(place, "a power", self.lexicon.power)
            cards = self.place_cards(value)
            if power is not None and power in self.table.rules.powers:
                if self.reader.is_first(place, power, hands, f"the hand of {power} stands here twice"):
                    hands[power] = sorted(cards)
            elif power is not None:
                rule = self.cited.powers
                self.reader.note(place, "E-POSITION", f"{power} takes no part in this game", rule=rule)
        return hands

    def read_draw(self) -> list[int] | None:
        """The draw deck, written from its top."""
        return self.place_cards(self.entries["draw"])[::-1] if "draw" in self.entries else None

    def read_piles(self) -> list[list[int]]:
        """The cards set aside, each on the pile of its deck."""
        piles: list[list[int]] = [[] for _ in range(self.facts.decks)]
        if "set aside" in self.entries:
            for card in sorted(self.place_cards(self.entries["set aside"])):
                piles[deck_of(card)].append(card)
        return piles

    def fill_piles(self, piles: list[list[int]], rest: list[int]) -> list[int]:
        """Piles of which only the sizes are given get cards of their decks out of the rest; gives what is left."""
        if "pile sizes" not in self.entries:
            return rest
        nodes = self.reader.items(self.entries["pile sizes"], "pile sizes")
        if len(nodes) > len(piles):
            message = f"there are only {len(piles)} decks"
            self.reader.note(nodes[-1], "E-POSITION", message, rule=self.cited.cards)
        for deck, (pile, node) in enumerate(zip(piles, nodes, strict=False)):
            size = self.reader.number(node, "the size of a pile", 0, MOST_CARDS) or 0
            found = [card for card in rest if deck_of(card) == deck][: max(0, size - len(pile))]
            rest = [card for card in rest if card not in found]
            pile += found
            pile.sort()
        return rest

    def fill_unnamed(self, rest: list[int]) -> list[int]:
        """Places of which only the number of cards is known get that many of the rest; gives what is left."""
        for cards, count in self.unnamed:
            cards += rest[:count]
            rest = rest[count:]
        return rest

    def read_unused(self) -> list[int]:
        """The decks that are still unused: as given, or those of which no card is named, but not the first."""
        if "unused" in self.entries:
            nodes = self.reader.items(self.entries["unused"], "unused decks")
            numbers = [self.reader.number(node, "a deck", 1, self.facts.decks) for node in nodes]
            for node, number in zip(nodes, numbers, strict=True):
                if any(deck_of(card) + 1 == number for card in self.placed):
                    self.reader.note(node, "E-POSITION", f"a card of deck {number} is in play", rule=self.cited.cards)
            return [number - 1 for number in numbers if number]
        return [d for d in range(1, self.facts.decks) if all(deck_of(card) != d for card in self.placed)]

    def decks_in_use(self, unused: list[int]) -> list[int]:
        """The decks that have been shuffled into the draw deck."""
        return [deck for deck in range(self.facts.decks) if deck not in unused]

    def place_some(self, node: Node) -> list[int]:
        """Written cards; or a number, for as many that nobody names."""
        if not (isinstance(node, Text) and node.value.isdecimal()):
            return self.place_cards(node)
        cards: list[int] = []
        self.unnamed.append((cards, self.reader.number(node, "the number of cards", 0, MOST_CARDS) or 0))
        return cards

    def place_cards(self, node: Node) -> list[int]:
        """Written cards, each taken from the first deck that still has it."""
        cards = []
        for item in self.reader.items(node, "cards"):
            written = self.reader.name(item, "a card", self.lexicon.card)
            if written is not None:
                card = self.first_free(written)
                if card is None:
                    self.reader.note(item, "E-POSITION", "there are not so many of this card", rule=self.cited.cards)
                else:
                    self.placed.add(card)
                    cards.append(card)
        return cards

    def first_free(self, written: WrittenCard) -> int | None:
        """The first copy of a card that has no place yet."""
        return next((card for card in self.lexicon.copies(written) if card not in self.placed), None)
