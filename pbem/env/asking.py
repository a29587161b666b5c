"""Small numbered choices that make up the answer to one decision, and a seat's knowledge as a row of numbers of fixed
length."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import TypeAlias
from zlib import crc32

import numpy as np

from pbem.bots.plain import hold
from pbem.engine.cards import deck_cards, is_reserve
from pbem.engine.decisions import Answer, Decision
from pbem.engine.events import Event
from pbem.engine.nouns import each_piece
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, Table
from pbem.env.filling import PASS, fill
from pbem.kit import AnyView, game_of
from pbem.paper.documents.reader import node_of
from pbem.paper.library import game_paper_named
from pbem.paper.orders.files import OrderSource, form_of, read_orders
from pbem.paper.orders.forms import Form
from pbem.paper.orders.names import SectionWriter
from pbem.report.telling import game_report, told_data
from pbem.seal.canonical import Tree

HASHED = 4096
"""Number of elements of a row for two kinds of facts: facts of the position that not every game has, and facts of the
decision. The hash of a fact's name decides its element, so that two facts may have the same element."""

FULL = 50.0
"""Divisor of troops, numbers of cards and the like, which brings them near the range from -1 to 1."""

Fact = tuple[str, float]

Row: TypeAlias = "np.typing.NDArray[np.float32]"


class Sight:
    """Encoder of views as rows of numbers from -1 to 1."""

    def __init__(self, rules: GameRules, vocabulary: Vocabulary) -> None:
        self.rules = rules
        common, powers = rules.common, len(rules.powers)
        cities, decks = len(common.board.cities), common.decks.decks
        self.powers = {power: place for place, power in enumerate(rules.powers)}
        cards = [card for deck in range(decks) for card in deck_cards(common.decks, deck)]
        self.cards = {card: place for place, card in enumerate(cards)}
        self.last_turn = game_paper_named(rules.terms.game).last_turn(rules)
        self.far = float(max(max(abs(city.x), abs(city.y)) for city in common.board.cities))
        self.layout: dict[str, slice] = {}
        self.size = 0
        for name, size in {
            "turn": 1,
            "asked": powers,
            "powers": powers * 4,
            "pieces": len(common.pieces) * 6,
            "standing": powers * cities,
            "markers": powers * cities,
            "hand": len(cards),
            "decks": 2 + decks,
            "duel": 1 + powers * 3,
            "others": HASHED,
            "question": HASHED,
            "taken": vocabulary.size,
        }.items():
            self.layout[name] = slice(self.size, self.size + size)
            self.size += size

    def position(self, view: AnyView) -> Row:
        """Encode a view as a row. The parts for the open decision stay zero."""
        row: Row = np.zeros(self.size, dtype=np.float32)
        for name, values in (
            ("turn", [view.turn / self.last_turn]),
            ("powers", self.of_powers(view)),
            ("pieces", self.of_pieces(view)),
            ("decks", [count / FULL for count in (view.draw_deck, view.unused_decks, *view.set_aside)]),
            ("duel", self.of_duel(view)),
        ):
            found = list(values)
            start = self.layout[name].start
            row[start : start + len(found)] = found
        self.on_map(view, row)
        hand = row[self.layout["hand"]]
        for card in (card for cards in view.hands.values() for card in cards):
            hand[self.cards[card]] = 1.0
        own = {"stage": view.stage, "phase": view.phase, **game_report(view.terms.game).view_data(self.rules, view)}
        self.hash_into(row[self.layout["others"]], facts_of("", own))
        clipped: Row = np.clip(row, -1.0, 1.0)
        return clipped

    def of_powers(self, view: AnyView) -> Iterator[float]:
        """Yield four numbers for each power: its troops and its cards, both divided by `FULL`; 1 if the seat plays the
        power, else 0; 1 if the power has to decide, else 0."""
        for power in self.powers:
            yield view.troops.get(power, 0) / FULL
            yield view.hand_sizes.get(power, 0) / FULL
            yield float(power in view.powers)
            yield float(power in view.owing)

    def of_pieces(self, view: AnyView) -> Iterator[float]:
        """Yield six numbers for each piece: on the map, x, y, face-down, troops, moved in this stage. Coordinates and
        troops are fractions of their greatest value. Yes is 1; no and unknown are 0."""
        cities, moved = self.rules.common.board.cities, set(view.moved)
        for number, piece in each_piece(view.pieces):
            on_map = piece.city >= 0
            yield float(on_map)
            yield cities[piece.city].x / self.far if on_map else 0.0
            yield cities[piece.city].y / self.far if on_map else 0.0
            yield float(piece.down)
            yield (piece.troops or 0) / self.rules.common.limits.troops
            yield float(number in moved)

    def on_map(self, view: AnyView, row: Row) -> None:
        """Write the pieces and markers of each power into the row. Each city has two numbers for each power: 0.25 for
        each of its pieces there, and 1 for its marker or 0.5 for its question mark."""
        powers = len(self.powers)
        standing, markers = row[self.layout["standing"]], row[self.layout["markers"]]
        for piece in view.pieces:
            if piece.city >= 0 and piece.power in self.powers:
                standing[piece.city * powers + self.powers[piece.power]] += 0.25
        for places, weight in ((view.markers, 1.0), (view.questions, 0.5)):
            for city, power in places.items():
                if power in self.powers:
                    markers[city * powers + self.powers[power]] = weight

    def of_duel(self, view: AnyView) -> Iterator[float]:
        """Yield the score of a combat divided by `FULL`. Then mark the attacker, the defender, and the power to play,
        each by a 1 among zeros for all powers. If there is no combat, yield nothing."""
        if (duel := view.duel) is None:
            return
        yield duel.score / FULL
        for who in (duel.attacker, duel.defender, duel.to_play):
            yield from (float(power == who) for power in self.powers)

    def ask(self, row: Row, decision: Decision) -> None:
        """Add a decision to the row of a position."""
        row[self.layout["asked"].start + self.powers[decision.power]] = 1.0
        places = row[self.layout["question"]]
        self.hash_into(places, facts_of("", told_data(self.rules, decision)))
        np.clip(places, -1.0, 1.0, out=places)

    def tick(self, row: Row, taken: Iterable[int]) -> None:
        """Mark the chosen words of the answer in the row by 1. `taken` has their numbers in the vocabulary."""
        row[[self.layout["taken"].start + number for number in taken]] = 1.0

    def hash_into(self, places: Row, facts: Iterable[Fact]) -> None:
        """Add facts to `places`, which is a part of a row. The hash of a fact's name decides to which element its
        number is added."""
        for name, value in facts:
            places[crc32(name.encode()) % len(places)] += value


def facts_of(name: str, tree: object) -> Iterator[Fact]:
    """Yield the facts of a tree, each as a name that begins with `name`, and a number. None and False are no facts."""
    match tree:
        case None | False:
            return
        case True:
            yield name, 1.0
        case int() | float():
            yield name, tree / FULL
        case str():
            yield f"{name}={tree}", 1.0
        case dict():
            for key, part in tree.items():
                yield from facts_of(f"{name}/{key}", part)
        case list() | tuple():
            for place, part in enumerate(tree):
                yield from facts_of(name if isinstance(part, str) else f"{name}/{place}", part)


NUMBERS = 101
"""Count of the whole numbers that are words of the vocabulary: 0, 1, 2 and so on."""

OTHERS = 64
"""Count of spare numbers: the most words without a number of their own that can be offered together."""


class Vocabulary:
    """Words of one game, numbered from 0: the word for nothing, whole numbers, cities, pieces, powers and cards. Other
    words get spare numbers behind these while they are offered."""

    def __init__(self, rules: GameRules) -> None:
        common = rules.common
        pen = SectionWriter(common, rules.powers[0])
        cards = [card for deck in range(common.decks.decks) for card in deck_cards(common.decks, deck)]
        values = range(1, common.decks.reserve_most + 1)
        played = [pen.card(card, value) for card in cards for value in (0, *(values if is_reserve(card) else ()))]
        words = [
            PASS,
            *map(str, range(NUMBERS)),
            *(city.name for city in common.board.cities),
            *(pen.piece(piece) for piece, _ in each_piece(common.pieces)),
            *rules.powers,
            *played,
        ]
        self.words = tuple(dict.fromkeys(words))
        self.numbers = {word: number for number, word in enumerate(self.words)}
        self.size = len(self.words) + OTHERS

    def offered_words(self, words: Iterable[str]) -> dict[int, str]:
        """Return the offered words by number. Words outside of the vocabulary get the spare numbers, in alphabetical
        order. If there are too few spare numbers, the last words are left out."""
        others = sorted(word for word in words if word not in self.numbers)
        known = {self.numbers[word]: word for word in words if word in self.numbers}
        return known | {len(self.words) + place: word for place, word in enumerate(others[:OTHERS])}


TRIES = 3
"""Number of illegal answers after which the default orders answer the decision."""


class Asking:
    """Decision that is being answered by small choices."""

    def __init__(self, table: Table, decision: Decision, vocabulary: Vocabulary) -> None:
        self.table = table
        self.decision = decision
        self.vocabulary = vocabulary
        self.form = form_of(table, decision)
        self.tries = 0
        self.begin()

    def begin(self) -> None:
        """Forget the words that were chosen, and begin the answer anew."""
        self.taken: list[int] = []
        self.chosen: list[int] = []
        """Numbers in `taken` whose words were chosen among several."""
        self.offered: dict[int, str] = {}
        self.written: Tree | None = None
        """Complete answer as a tree. None while the answer is not complete, and if it cannot be completed."""
        self.filling = fill(self.form.input)
        self.go_on(None)

    @property
    def is_open(self) -> bool:
        """True if there is a word to choose."""
        return bool(self.offered)

    def take(self, number: int) -> None:
        """Choose an offered word by its number, and then every word that is offered alone."""
        word = self.offered[number]
        self.taken.append(number)
        self.chosen.append(number)
        self.go_on(word)

    def copy_at(self, table: Table) -> Asking:
        """Return a copy of this partial answer, to be completed at `table`, a copy of the game's table."""
        return resume_asking(table, self.decision, self.vocabulary, self.chosen, self.tries)

    def __reduce__(self) -> tuple[object, ...]:
        return resume_asking, (self.table, self.decision, self.vocabulary, self.chosen, self.tries)

    def go_on(self, word: str | None) -> None:
        """Fill in the form until several words can be chosen, or the form is complete. `word` is the last
        chosen word."""
        try:
            while True:
                offer = next(self.filling) if word is None else self.filling.send(word)
                self.offered = self.vocabulary.offered_words(offer)
                if len(offer) != 1:
                    return
                ((number, word),) = self.offered.items()
                self.taken.append(number)
        except StopIteration as stop:
            self.offered, self.written = {}, stop.value.write

    def answer(self) -> list[Event] | None:
        """Carry out the answer, and return its events. If the rules refuse the answer, begin it anew and return
        None."""
        game = game_of(self.table)
        try:
            return game.apply(self.table, self.decision.power, self.final_answer())
        except IllegalOrder:
            self.tries += 1
            self.begin()
        return None

    def final_answer(self) -> Answer:
        """Return the answer that was filled in. Return the default answer instead if the form cannot be completed, or
        after too many illegal answers."""
        if self.written is None or self.tries >= TRIES:
            return hold(self.table, self.decision, Random(0))  # noqa: S311 - never asked
        found = answer_in(self.table, self.decision, self.form, self.written)
        assert found is not None
        return found


def answer_in(table: Table, decision: Decision, form: Form, written: Tree) -> Answer | None:
    """Return the answer that `written`, the content of a form, gives to a decision; None if it gives none."""
    tree: Tree = {"orders": {decision.power: {form.section: written}}}
    found = OrderSource(table, read_orders(node_of(tree), "orders", table.rules)).answer(decision)
    return found.answer if found else None


def resume_asking(
    table: Table, decision: Decision, vocabulary: Vocabulary, chosen: Iterable[int], tries: int
) -> Asking:
    """Resume a partial answer to a decision with the chosen words. `tries` is the number of illegal answers before."""
    found = Asking(table, decision, vocabulary)
    for number in chosen:
        found.take(number)
    found.tries = tries
    return found
