"""Count of the drawn cards, and public memory of past moves, both from the events of a ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct, field

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, events_in
from pbem.engine.cards import OTHER_DECKS, cards_of, deck_cards
from pbem.engine.decisions import Allot
from pbem.engine.events import DeckShuffled, Event, TroopsAllotted
from pbem.engine.memory import Declaration, Memory, map_state_of, most_on_entry, note_allotment, remember
from pbem.engine.nouns import NO_POWER, Power
from pbem.engine.strengths import strengths_counted
from pbem.engine.table import GameRules, Table, deep_copy
from pbem.kit import game_named, game_of
from pbem.seal.canonical import AnyTree
from pbem.seal.deal import ProvableDealer

SetUp = Callable[[GameRules, ProvableDealer], Table]
"""Function that sets the game up at a table, with its first decision open."""


def first_table(set_up: SetUp, rules: GameRules) -> Table:
    """Return a table at the start of a game, with made-up cards."""
    return set_up(rules, ProvableDealer(bytes(32)))


def first_memory(set_up: SetUp, rules: GameRules) -> Memory:
    """Return the memory at the start of a game, which has no moves yet."""
    return Memory(map_state_of(first_table(set_up, rules).state.field))


def follow(
    memory: Memory, rules: GameRules, written: Iterable[Mapping[str, AnyTree]], before: Table | None = None
) -> None:
    """Add the public events of one adjudication, `written` as in its entry, to a memory. If the table `before` the
    adjudication is given, also add the troops that everybody can count."""
    game, events = rules.terms.game, list(events_in(rules.terms.game, written))
    on_map = game_named(game).on_map
    counted = list(counted_before(memory, before)) if before else []
    beside = Memory(deep_copy(memory.on_map), counted)
    remember(memory, on_map, rules.common, events)
    remember(beside, on_map, rules.common, events, most_on_entry(rules.common, events))
    allotted = {event.power for event in events if isinstance(event, TroopsAllotted)}
    for asked in game_of(before).decisions(before) if before and allotted else ():
        if isinstance(asked, Allot) and asked.power in allotted:
            note_allotment(beside, rules.common, asked.least, asked.most)
    memory.counted = beside.declared if before else []


def counted_before(memory: Memory, before: Table) -> Iterator[Declaration]:
    """Yield the troops that everybody can count before an adjudication."""
    if before.state.stage == "setup":
        # In this stage the counted troops are not yet those of whole powers.
        yield from memory.counted
    else:
        rules = before.rules
        yield from strengths_counted(rules.common, before.state.field, rules.powers, memory.strengths)


def memory_after(entries: Sequence[tuple[Entry, r.Record]], set_up: SetUp, rules: GameRules) -> Memory:
    """Return the public memory after these entries, which begin with entry 1."""
    memory = first_memory(set_up, rules)
    for each in adjudications(entries):
        follow(memory, rules, each.events)
    return memory


def adjudications(entries: Sequence[tuple[Entry, r.Record]]) -> list[r.AdjudicationRecord]:
    """Return the adjudications among these entries that no rollback has undone. The entries begin with entry 1."""
    found: list[tuple[int, r.AdjudicationRecord]] = []
    for entry, record in entries:
        if isinstance(record, r.AdjudicationRecord):
            found.append((entry.number, record))
        elif r.goes_back(record):
            found = [(number, each) for number, each in found if number <= record.to]
    return [each for _, each in found]


Place = tuple[int, int]
"""A place of the deal: the number of the shuffle, and the position in it, the top being 0."""

ANYWHERE = -1
"""Position of a card if nobody can tell its place in the shuffle (`draws_of`)."""


class Draws(Struct):
    """Count of the cards in draw deck and hands, as everybody can keep it by watching."""

    deck: list[Place] = field(default_factory=list)
    """Places of the cards left in the draw deck, the top first."""
    drawn: dict[Power, list[Place]] = field(default_factory=dict)
    """Places of the cards that each power has drawn, including those that it has spent since. Cards of powers that have
    left the game are under `NO_POWER`."""
    aside: dict[Power, list[Place]] = field(default_factory=dict)
    """Places of the cards that each power has drawn and set aside without looking at them. A card that the power takes
    back is removed."""
    laid_out: dict[Power, list[int]] = field(default_factory=dict)
    """Dict from each power to the cards that may be in its hand without a draw, because a position file names them."""
    uncounted: dict[Power, int] = field(default_factory=dict)
    """Number of cards that came into each hand from another hand."""
    shuffles: int = 0
    """Number of the latest shuffle of a draw deck. Shuffles are counted from 1 over the whole game."""
    spent: dict[int, int] = field(default_factory=dict)
    """Dict from each card that everybody has seen leave a hand to the number of the latest shuffle at that moment."""

    def follow(self, events: Iterable[Event]) -> None:
        for event in events:
            self.see(event)

    def see(self, event: Event) -> None:
        """Change the count according to one event."""
        power: Power = getattr(event, "power", NO_POWER)
        if isinstance(event, DeckShuffled):
            self.shuffles = event.number
            self.deck += [(event.number - 1, position) for position in range(event.cards)]
        match event.goes:
            case "drawn":
                self.drawn.setdefault(power, []).extend(self.take_from_deck(event))
            case "revealed":
                self.take_from_deck(event)
            case "aside":
                self.aside.setdefault(power, []).extend(self.take_from_deck(event))
            case "regained":
                self.drawn.setdefault(power, []).extend(self.aside.pop(power, []))
            case "spent":
                self.spend(cards_of(event))
            case "received":
                self.uncounted[power] = self.uncounted.get(power, 0) + 1
                for card in cards_of(event):
                    self.spent.pop(card, None)
            case "emptied":
                self.drawn.setdefault(NO_POWER, []).extend(self.drawn.pop(power, []))

    def spend(self, cards: Sequence[int]) -> None:
        """Note that everybody has seen these cards leave a hand."""
        self.spent |= dict.fromkeys(cards, self.shuffles)
        self.laid_out = {power: [c for c in hand if c not in cards] for power, hand in self.laid_out.items()}

    def take_from_deck(self, event: Any) -> list[Place]:
        """Remove as many cards from the draw deck as the event says, and return their places."""
        count = event.count if hasattr(event, "count") else len(event.cards)
        taken, self.deck = self.deck[:count], self.deck[count:]
        return taken

    def is_spent(self, card: int, shuffle: int | None) -> bool:
        """True if everybody has seen a card leave a hand since the shuffle `shuffle` dealt it. If `shuffle` is None,
        true if the card has left a hand and no deck was shuffled since then."""
        return card in self.spent and (
            self.shuffles == self.spent[card] if shuffle is None else shuffle < self.spent[card]
        )

    def has_drawn(self, power: Power, place: Place) -> bool:
        """True if a power has drawn, or may have drawn, the card at this place of the deal. It may have drawn it if it
        has drawn a card of that shuffle from an unknown place."""
        found = self.drawn.get(power, ())
        return place in found or (place[0], ANYWHERE) in found

    def drawers(self, place: Place) -> Iterator[Power]:
        """Yield the powers that have drawn, or may have drawn, the card at this place of the deal."""
        return (power for power in self.drawn if self.has_drawn(power, place))


def draws_at_start(set_up: Callable[[GameRules, ProvableDealer], Table], rules: GameRules) -> Draws:
    """Set up the position with which a campaign begins. Return the cards that each deck and hand may have then."""
    dealer = ProvableDealer(bytes(32))
    return draws_of(set_up(rules, dealer), dealer)


def draws_of(table: Table, dealer: ProvableDealer) -> Draws:
    """Return the count of cards at a table that this dealer has just set up. Cards in a hand that were not dealt come
    from a position file: they are noted in `laid_out` of this hand. A card that the position leaves out may be in any
    hand: it is noted in `laid_out` of every hand."""
    dealt = {card for number, order in dealer.made if number < OTHER_DECKS for card in order}
    cards, anywhere = table.state.cards, (0, ANYWHERE)
    draws = Draws(deck=[anywhere] * len(cards.draw), shuffles=cards.shuffles)
    lying = {*dealt, *cards.draw, *chain(*cards.discards), *chain(*cards.hands.values())}
    facts = table.rules.common.decks
    elsewhere = [card for deck in range(facts.decks) for card in deck_cards(facts, deck) if card not in lying]
    for power, hand in cards.hands.items():
        draws.drawn[power] = [anywhere]
        draws.laid_out[power] = [*(card for card in hand if card not in dealt), *elsewhere]
    return draws
