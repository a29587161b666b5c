"""The Clock of Fate in a position file: its deck, what it has struck, and what holds for now (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.engine.decisions import Pairing
from pbem.engine.field import ASIDE
from pbem.games.friedrich.rules import fate as clock
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.effects import general_named
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.games.friedrich.rules.state import InForce, Offensive
from pbem.games.friedrich.rules.strokes import ease, hand_over
from pbem.paper.documents.strict import Node, Text
from pbem.paper.lexicon import SUIT_NAMES
from pbem.paper.positions.cards import CardReader
from pbem.paper.positions.reader import PositionReader, arrow

FIELDS = ("deck", "out", "in force", "quit", "eased", "victor", "drawn", "version", "beaten", "offensive")
OFFENSIVE = ("declared", "card", "taken", "failed")
IN_FORCE = ("card", "suit", "until", "used", "suits", "settled")


def card_names(fate: FateData) -> dict[str, int]:
    """The Cards of Fate as they may be written: by number, strokes also by name."""
    numbers = {str(number): number for number in fate.numbers()}
    return numbers | {stroke.name: stroke.number for stroke in fate.strokes}


def card_name(fate: FateData, number: int) -> str:
    """A Card of Fate as it is written: a stroke by its name, any other by its number."""
    return {stroke.number: stroke.name for stroke in fate.strokes}.get(number, str(number))


def read_fate(reader: PositionReader, cards: CardReader) -> None:
    """Everything about the clock; what follows from the strokes that are out need not be written."""
    faults, state = reader.reader, reader.state
    node = reader.entries.get("fate")
    mapping = faults.mapping(node, "fate") if node else None
    entries = faults.known(mapping, FIELDS, "fate") if mapping else {}
    if state.stage != "setup" or state.begun:
        clock.shuffle(reader.table)
    if "out" in entries:
        state.fate.out = take_cards(cards, entries["out"])
    on_top = take_cards(cards, entries["deck"]) if "deck" in entries else []
    rest = [number for number in state.fate.deck if number not in (*state.fate.out, *on_top)]
    state.fate.deck = [*rest, *reversed(on_top)]
    follow(reader)
    for name, (field, take) in PLAIN.items():
        if name in entries:
            setattr(state.fate, field, take(cards, entries[name]))
    if "in force" in entries:
        found = [take_in_force(cards, item) for item in faults.items(entries["in force"], "cards in force")]
        state.fate.in_force = [entry for entry in found if entry is not None]
    if "offensive" in entries:
        state.fate.offensive = take_offensive(cards, entries["offensive"])


def follow(reader: PositionReader) -> None:
    """What the strokes that are out have brought with them: who has left, who plays what, whose victory is easier."""
    table, fate = reader.table, reader.state.fate
    for departure in table.rules.fate.departures:
        if not set(departure.strokes) <= set(fate.out):
            continue
        fate.quit.append(departure.power)
        retired = general_named(table.rules.common, departure.removal.general)
        army = (*table.rules.common.generals(departure.power), *table.rules.common.trains(departure.power))
        for piece in (*army, *([] if retired is None else [retired])):
            if piece not in reader.written:
                gone = reader.state.field.pieces[piece]
                gone.city, gone.troops = ASIDE, 0
    hand_over(table)
    ease(table)


def take_card(cards: CardReader, node: Node) -> int | None:
    """The number of a Card of Fate, written by its name."""
    rules = cards.table.rules
    assert isinstance(rules, FriedrichRules)
    return cards.reader.word(node, "a Card of Fate", card_names(rules.fate))


def take_cards(cards: CardReader, node: Node) -> list[int]:
    """Several Cards of Fate, none of them twice."""
    found: list[int] = []
    for item in cards.reader.items(node, "Cards of Fate"):
        card = take_card(cards, item)
        if card is not None and cards.reader.is_first(item, card, found, "this Card of Fate stands here twice"):
            found.append(card)
    return found


def take_powers(cards: CardReader, node: Node) -> list[str]:
    """Several powers."""
    return cards.reader.names(node, "a power", cards.lexicon.power)


def take_general(cards: CardReader, node: Node) -> int | None:
    return cards.reader.name(node, "a general", cards.lexicon.piece)


def take_generals(cards: CardReader, node: Node) -> list[int]:
    """Several generals."""
    return sorted(cards.reader.names(node, "a general", cards.lexicon.piece))


def take_suit(cards: CardReader, node: Node) -> int | None:
    return cards.reader.word(node, "a suit", SUIT_NAMES)


PLAIN: dict[str, tuple[str, Callable[[CardReader, Node], object]]] = {
    "quit": ("quit", take_powers),
    "eased": ("eased", take_powers),
    "victor": ("winner", take_general),
    "drawn": ("drawn", take_card),
    "version": ("version", take_suit),
    "beaten": ("beaten", take_generals),
}
"""The field of the state behind each plain key, and how it is read."""


def take_in_force(cards: CardReader, node: Node) -> InForce | None:
    """A version that holds for some time: card, suit and the last turn; and what of it is used up."""
    reader = cards.reader
    mapping = reader.mapping(node, "a card in force")
    entries = reader.known(mapping, IN_FORCE, "a card in force") if mapping else {}
    if not {"card", "suit", "until"} <= set(entries):
        reader.note(node, "E-FORM-MISSING", "a card in force has card, suit and until")
        return None
    card, suit = take_card(cards, entries["card"]), take_suit(cards, entries["suit"])
    until = reader.number(entries["until"], "the last turn", 1, 99)
    if card is None or suit is None or until is None:
        return None
    found = InForce(card, suit, until)
    if "used" in entries:
        found.used = reader.truth(entries["used"], "used") or False
    if "suits" in entries:
        suits = [take_suit(cards, item) for item in reader.items(entries["suits"], "suits")]
        found.suits = [each for each in suits if each is not None]
    if "settled" in entries:
        combats = [take_pairing(cards, item) for item in reader.items(entries["settled"], "combats")]
        found.settled = [combat for combat in combats if combat is not None]
    return found


def take_pairing(cards: CardReader, node: Node) -> Pairing | None:
    """A combat: `city > city`."""
    match cards.reader.names(arrow(node), "a city", cards.lexicon.city):
        case [attacker, defender]:
            return Pairing(attacker, defender)
    cards.reader.note(node, "E-FORM-BATTLE", "a combat is `city > city`")
    return None


def take_offensive(cards: CardReader, node: Node) -> Offensive | None:
    """What has become of the Offensive Option; `none` once it is given up."""
    reader = cards.reader
    if isinstance(node, Text) and node.value.casefold() == "none":
        return None
    mapping = reader.mapping(node, "the Offensive Option")
    entries: Mapping[str, Node] = reader.known(mapping, OFFENSIVE, "the Offensive Option") if mapping else {}
    option = Offensive()
    for name in ("declared", "taken", "failed"):
        if name in entries:
            setattr(option, name, reader.truth(entries[name], name) or False)
    if "card" in entries:
        option.card = next(iter(cards.place_cards(entries["card"])), None)
    return option
