"""Look-up of pieces, cities, powers and cards by the names that people give them. Cards are also written as text
here."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from pbem.cache import load_or_make
from pbem.engine.board import SUITS, Board
from pbem.engine.cards import RESERVE, card_of, deck_of, suit_of, value_of
from pbem.engine.nouns import Card, City, Piece, Power, Suit, each_city, each_piece
from pbem.engine.rules import PieceFacts
from pbem.engine.table import GameRules
from pbem.faults.nouns import noun_languages, nouns
from pbem.faults.wrong import Words, words, wrong
from pbem.paper.boards.files import aliases, city_names
from pbem.paper.documents.names import NameFault, Names, as_quoted, did_you_mean, expand, fold
from pbem.paper.documents.strict import bare, read_yaml
from pbem.resources import data_of
from pbem.seal.canonical import AnyTree

TRAIN = "T"
"""Letter for a supply train in its label on the map. The label of a general has the general's rank in this place."""


@cache
def marks_of(game: str) -> Mapping[str, tuple[str, ...]]:
    """Return the characters by which labels on the map name each power, in all languages. Return an empty dict if the
    game has no labels."""
    path = data_of(game) / "marks.yaml"
    if not path.is_file():
        return {}
    data = path.read_bytes()

    def marks() -> dict[str, tuple[str, ...]]:
        tree: AnyTree = bare(read_yaml(data, path.name))
        return {power: tuple(letters) for power, letters in tree.items()}

    return load_or_make(f"file-{game}-{path.name}", data, dict[str, tuple[str, ...]], marks)


@lru_cache(maxsize=8)
def labels_of(pieces: tuple[PieceFacts, ...], game: str) -> Mapping[str, list[Piece]]:
    """Return the pieces for each label on the map, such as `P1`. Labels are written without capitals and accents. A
    train is also found under its label with a number: `PT1` is the first train of Prussia."""
    found: dict[str, list[Piece]] = {}
    for piece, facts in each_piece(pieces):
        for mark in marks_of(game).get(facts.power, ()):
            label = fold(f"{mark}{facts.rank or TRAIN}")
            found.setdefault(label, []).append(piece)
            if not facts.rank:
                # On the map the label of a train has no number, but reports number the trains.
                found[f"{label}{len(found[label])}"] = [piece]
    return found


def alike(labels: Mapping[str, list[Piece]], written: str) -> list[Piece]:
    """Return the pieces whose labels differ from an unknown label only in the number. For `P9`, these are all generals
    of Prussia."""
    letters = fold(written).rstrip("0123456789")
    found = (pieces for label, pieces in labels.items() if label.rstrip("0123456789") == letters != label)
    return [piece for pieces in found for piece in pieces]


SUIT_NAMES = {name: Suit(suit) for suit, name in enumerate(SUITS)}

SIGNS = {sign: Suit(suit) for signs in ("♣♦♥♠", "cdhs") for suit, sign in enumerate(signs)}
SIGNS |= SUIT_NAMES | {name[:-1]: suit for name, suit in SUIT_NAMES.items()}
"""Dict from each name and sign of a suit, in small letters, to the suit."""

SUIT_SIGNS = "♣♦♥♠"

_DECK = r"(?:/(\d)(b)?)?"
_AS = r"(?: as (\d{1,2}))?"
_SUITED = re.compile(r"([^\W\d_]+|[♣♦♥♠])\ufe0f? ?(\d{1,2})" + _DECK + _AS)
_TURNED = re.compile(r"(\d{1,2}) ?([^\W\d_]+|[♣♦♥♠])\ufe0f?" + _DECK + _AS)
_RESERVE = re.compile(r"(?:r|res|reserve)(?: ?(?:as )?([^\W\d_]+|[♣♦♥♠])?\ufe0f? ?(\d{1,2}))?" + _DECK)


class WrittenCard(Struct, frozen=True):
    """Card as somebody has written it. Its deck may be missing, and a value may be declared with it."""

    suit: Suit
    value: int
    deck: int | None = None
    second: bool = False
    """True if the second Reserve of a deck is meant, which is written `R/1b`."""
    worth: int = 0
    """Value that the player declares for a card with a suit, written `♠11 as 22`. It is 0 if no value is declared."""
    has_value: bool = False
    """True if the player declares a value for a Reserve, even if the value is 0."""

    @property
    def declared_value(self) -> int:
        """Value that the player declares for the card, or 0."""
        return self.value if self.is_reserve else self.worth

    @property
    def is_reserve(self) -> bool:
        """True for a Reserve. In this case `value` is the value that the player declares; it is 0 if none is
        declared."""
        return self.suit == RESERVE

    def fits(self, card: Card) -> bool:
        """True if `card` may be meant. It must have the suit, and the deck if a deck is written. Unless it is a
        Reserve, it must also have the value."""
        if self.deck not in (None, deck_of(card)) or suit_of(card) != self.suit:
            return False
        return value_of(card) == self.value if not self.is_reserve else not self.second or value_of(card) > 1


def card_text(card: Card, deck: bool = False) -> str:
    """Return a card as text, such as `♠7` or `R`. If `deck` is true, the deck is added: `♠7/2`, `R/2`, or `R/2b` for
    the second Reserve of the deck."""
    text = "R" if suit_of(card) == RESERVE else f"{SUIT_SIGNS[suit_of(card)]}{value_of(card)}"
    if not deck:
        return text
    return f"{text}/{deck_of(card) + 1}" + ("b" if suit_of(card) == RESERVE and value_of(card) > 1 else "")


@lru_cache(maxsize=24)
def prepared_names(names: tuple[str, ...], noun: Words) -> Names:
    """Return a table of names for look-up. It is cached, because all files of a game use the same names."""
    return Names(names, noun)


class Cities(Struct, frozen=True):
    """Table of a board's cities, in which they are found by their names in all languages."""

    own: Names
    """Names of the cities in the board's own language."""
    names: Names
    """Names of the cities in all languages."""
    city_of: tuple[City, ...]
    """City to which each name in `names` belongs, in the same sequence."""
    forms: dict[str, City]
    """Dict from the names in other languages, written without capitals and accents, to their cities."""

    def find(self, written: str, likely: Container[str] = ()) -> City:
        """Return the city with this name, which may be in any language. Raises `NameFault` if no city has it, or if
        several may be meant. The fault offers only the `likely` ones of several cities, if there are any."""
        own = self.own.matches(written)
        if len(own) == 1:
            return City(own[0])
        if (found := self.forms.get(fold(written))) is not None:
            return found
        if own:
            return City(self.own.find(written, likely))
        fitting = {self.city_of[index] for index in self.names.matches(written)}
        return fitting.pop() if len(fitting) == 1 else self.city_of[self.names.find(written, likely)]


@lru_cache(maxsize=8)
def cities_on(board: Board) -> Cities:
    return cities_of(tuple(city.name for city in board.cities), board.name)


@lru_cache(maxsize=8)
def cities_of(own: tuple[str, ...], board: str) -> Cities:
    """Return the table of cities for the names `own`. `board` is the name of their board."""
    index = {name: city for city, name in each_city(own)}
    others = {other: index[name] for other, name in aliases(board).items() if name in index}
    forms = {form: city for name, city in others.items() for form in (fold(name), expand(name))}
    names = Names((*own, *others), words("city"), called=(*own, *(own[city] for city in others.values())))
    return Cities(prepared_names(own, words("city")), names, (*map(City, range(len(own))), *others.values()), forms)


OWN_TRAIN = re.compile(r"(?:train|(?:tross|treno|tren)(?=\d*$))(.*)")
"""Pattern of the words by which reports call the player's own train, in all languages."""


class Lexicon:
    """Look-up table for the cities, powers, pieces and cards that people name."""

    def __init__(self, rules: GameRules) -> None:
        self.rules = rules
        common = rules.common
        self._cities = cities_on(common.board)
        self._pieces = prepared_names(tuple(piece.name for piece in common.pieces), words("piece"))
        self._labels = labels_of(common.pieces, rules.terms.game)
        self._powers = prepared_names(tuple(dict.fromkeys(piece.power for piece in common.pieces)), words("power"))

    def city(self, written: str, likely: Container[str] = ()) -> City:
        """Return the city with this name, which may be in any language. Raises `NameFault` if no city has it, or if
        several may be meant. The exception names cities in all languages, and only the `likely` ones of several cities,
        if there are any."""
        try:
            return self._cities.find(written, likely)
        except NameFault as fault:
            if not (labelled := self.pieces_labelled(written)):
                board = self.rules.common.board
                named = fault.wrong.with_names(city_names(board.name, tuple(board.index)))
                raise NameFault(named, fault.guess) from None
            hint, quoted = words("is-a-piece", name=self._pieces.names[labelled[0]]), as_quoted(written)
        raise NameFault(wrong("E-NAME-UNKNOWN", hint=hint, what=words("city"), written=quoted))

    def is_city(self, written: str) -> bool:
        try:
            return self.city(written) >= 0
        except NameFault:
            return False

    def is_piece(self, written: str) -> bool:
        try:
            return self.piece(written) >= 0
        except NameFault:
            return False

    def power(self, written: str) -> Power:
        """Return the power with this name. Raises `NameFault` if no power has it, or if several may be meant."""
        return Power(self._powers.names[self._powers.find(written)])

    def piece(self, written: str, power: Power | None = None) -> Piece:
        """Return the piece with this name, or with this label on the map (`P1`). If `power` is given, `train 1` means
        its first train, and `train` its only train. Raises `NameFault` if no piece has the name, or if several may be
        meant."""
        if power is not None and (own := OWN_TRAIN.fullmatch(fold(written))):
            number = own[1]
            trains = self.rules.common.trains(power)
            if not number and len(trains) == 1:
                return trains[0]
            places = {str(place + 1): train for place, train in enumerate(trains)}
            if number in places:
                return places[number]
            names = tuple(f"train {place}" for place in places)
            raise NameFault(wrong("E-NAME-UNKNOWN.train", power=power, written=as_quoted(written), names=names))
        labelled = self.pieces_labelled(written)
        if self._pieces.matches(written) or not (labelled or alike(self._labels, written)):
            return Piece(self._pieces.find(written))
        if len(labelled) == 1:
            return labelled[0]
        raise self._no_label(written, labelled)

    def _no_label(self, written: str, labelled: Sequence[Piece]) -> NameFault:
        """Return the fault for a label that belongs to no piece, or to several pieces."""
        names = tuple(self._pieces.names[piece] for piece in labelled or alike(self._labels, written))
        if labelled:
            return NameFault(wrong("E-NAME-AMBIGUOUS", written=as_quoted(written), what=words("piece"), names=names))
        hint = did_you_mean(names)
        return NameFault(wrong("E-NAME-UNKNOWN", hint=hint, what=words("piece"), written=as_quoted(written)))

    def pieces_labelled(self, written: str) -> list[Piece]:
        """Return the pieces with this label on the map. `P1` is one general, `PT` means all trains of a power, and
        `PT1` its first train."""
        return self._labels.get(fold(written), [])

    def card(self, written: str) -> WrittenCard:
        """Parse a card, which may be written in many ways: `♠7`, `7s`, `spades 7`, `R`, `R♦5`, `♠11 as 22`. Raises
        `NameFault` for other texts, and for a value or a deck that the game does not have."""
        text = written.strip().casefold()
        if found := _RESERVE.fullmatch(text):
            declared = int(found[2] or 0)
            return WrittenCard(
                RESERVE, declared, self._deck(found[3], written), bool(found[4]), has_value=found[2] is not None
            )
        if found := _SUITED.fullmatch(text):
            sign, value, deck, worth = found[1], found[2], found[3], found[5]
        elif found := _TURNED.fullmatch(text):
            value, sign, deck, worth = found[1], found[2], found[3], found[5]
        else:
            raise unknown_card(written)
        facts = self.rules.common.decks
        if not facts.lowest <= int(value) <= facts.highest:
            raise unknown_card(written)
        if sign not in SIGNS:
            raise unknown_card(written, suit_called(sign), int(value))
        return WrittenCard(SIGNS[sign], int(value), self._deck(deck, written), worth=int(worth or 0))

    def _deck(self, written: str | None, card: str) -> int | None:
        if written is None:
            return None
        if not 1 <= int(written) <= self.rules.common.decks.decks:
            raise NameFault(wrong("E-CARD-DECK", card=as_quoted(card), most=self.rules.common.decks.decks))
        return int(written) - 1

    def copies(self, written: WrittenCard) -> list[Card]:
        """Return all cards that may be meant by a written card, sorted by deck."""
        facts = self.rules.common.decks
        decks = range(facts.decks) if written.deck is None else [written.deck]
        if written.is_reserve:
            first = 1 if written.second else 0
            return [card_of(RESERVE, copy + 1, deck) for deck in decks for copy in range(first, facts.reserves)]
        return [card_of(written.suit, written.value, deck) for deck in decks]


def from_hand(hand: Sequence[Card], written: WrittenCard) -> Card | None:
    """Return the first card in a hand that may be meant by a written card. Return None if there is none."""
    return next((card for card in hand if written.fits(card)), None)


def suit_called(written: str) -> Suit | None:
    """Return the suit with this name, which may be in any language of reports. Return None if there is none."""
    called = {
        name.casefold(): SIGNS[sign] for language in noun_languages() for sign, name in nouns(language)["suits"].items()
    }
    return called.get(written)


def unknown_card(written: str, suit: Suit | None = None, value: int = 0) -> NameFault:
    """Return the fault for a text that is not a card. If a suit and a value are given, the hint tells how a card with
    these is written."""
    if suit is None:
        return NameFault(wrong("E-CARD-UNKNOWN", card=as_quoted(written)))
    letter = SUITS[suit][0]
    names = (f"{SUIT_SIGNS[suit]}{value}", f"{letter.upper()}{value}", f"{value}{letter}")
    return NameFault(wrong("E-CARD-UNKNOWN", hint=words("write-one", names=names), card=as_quoted(written)))
