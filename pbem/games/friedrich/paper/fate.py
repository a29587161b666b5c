"""The Clock of Fate in a position file: its deck, what it has struck, and what holds for now (docs/positions.md)."""

from __future__ import annotations

from pbem.engine.field import ASIDE, alter
from pbem.engine.nouns import each_piece
from pbem.engine.table import GameRules
from pbem.faults.words import words
from pbem.games.friedrich.rules import fate as clock
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.effects import general_named
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.games.friedrich.rules.state import Fate, InForce, Offensive
from pbem.games.friedrich.rules.strokes import ease, hand_over
from pbem.paper.documents.strict import Node, Text
from pbem.paper.documents.writing import Value
from pbem.paper.positions import kinds as k
from pbem.paper.positions.kinds import Kind
from pbem.paper.positions.reader import PositionReader
from pbem.paper.positions.rows import Row, everybody, nobody, read_part, write_rows


def rules_of(rules: GameRules) -> FriedrichRules:
    assert isinstance(rules, FriedrichRules)
    return rules


def card_names(fate: FateData) -> dict[str, int]:
    """The Cards of Fate as they may be written: by number, strokes also by name."""
    numbers = {str(number): number for number in fate.numbers()}
    return numbers | {stroke.name: stroke.number for stroke in fate.strokes}


def card_name(fate: FateData, number: int) -> str:
    """A Card of Fate as it is written: a stroke by its name, any other by its number."""
    return {stroke.number: stroke.name for stroke in fate.strokes}.get(number, str(number))


def read_card(reading: PositionReader, node: Node) -> int | None:
    return reading.reader.word(node, words("card-of-fate"), card_names(rules_of(reading.rules).fate))


def write_card(rules: GameRules, card: int) -> Value:
    return card_name(rules_of(rules).fate, card)


def read_cards(reading: PositionReader, node: Node) -> list[int]:
    """Several Cards of Fate, none of them twice."""
    found: list[int] = []
    for item in reading.reader.items(node, words("cards-of-fate")):
        card = read_card(reading, item)
        if card is not None and reading.reader.is_first(item, card, found, words("fate-twice")):
            found.append(card)
    return found


def read_open_card(reading: PositionReader, node: Node) -> int | None:
    """The tactical card that is set aside face-up."""
    return next(iter(reading.place_cards(node)), None)


def read_offensive(reading: PositionReader, node: Node) -> Offensive | None:
    """What has become of the Offensive Option; `none` once it is given up."""
    is_none = isinstance(node, Text) and node.value.casefold() == "none"
    return None if is_none else OPTION.read(reading, node)


def write_offensive(rules: GameRules, option: Offensive | None) -> Value:
    """Nothing while it is open, or where there is none."""
    if option is None:
        return "none" if rules_of(rules).expert else ""
    return OPTION.write(rules, option)


CARD = Kind(read_card, write_card)
CARDS = Kind(read_cards, k.listed(words("cards-of-fate"), CARD).write)
POWERS = k.listed(words("a-power"), k.POWER)
GENERAL = k.piece(words("a-general"))
IN_FORCE = k.record(
    InForce,
    words("card-in-force"),
    {
        "card": CARD,
        "suit": k.SUIT,
        "until": k.number(words("last-turn"), 1, 99),
        "used": k.flag("used"),
        "suits": k.listed(words("suits"), k.SUIT),
        "settled": k.listed(words("combats"), k.pairing(words("a-combat"))),
    },
    "E-FORM-MISSING.in-force",
)
OPTION = k.record(
    Offensive,
    words("offensive-option"),
    {
        "declared": k.flag("declared"),
        "taken": k.flag("taken"),
        "failed": k.flag("failed"),
        "card": k.optional(Kind(read_open_card, k.write_card)),
    },
)

FATE = (
    Row("deck", k.from_top(CARDS), nobody),
    Row("out", CARDS, everybody),
    Row("in force", k.listed(words("cards-in-force"), IN_FORCE), everybody),
    Row("quit", POWERS, everybody),
    Row("eased", POWERS, everybody),
    Row("victor", k.optional(GENERAL), everybody, field="winner"),
    Row("drawn", k.optional(CARD), everybody),
    Row("version", k.optional(k.SUIT), everybody),
    Row("beaten", k.gathered(words("a-general"), GENERAL), everybody),
    Row("offensive", Kind(read_offensive, write_offensive), everybody),
)


def read_fate(reading: PositionReader, node: Node) -> Fate:
    """Everything about the clock; what follows from the strokes that are out need not be written."""
    state, written = reading.state, read_part(reading, "fate", FATE, node)
    fate: Fate = state.fate
    if state.stage != "setup" or state.begun:
        clock.shuffle(reading.table)
    fate.out, on_top = written.pop("out", fate.out), written.pop("deck", [])
    fate.deck = [*(number for number in fate.deck if number not in (*fate.out, *on_top)), *on_top]
    follow(reading)
    for field, value in written.items():
        setattr(fate, field, value)
    for number, piece in each_piece(state.field.pieces):
        if piece.city == ASIDE:
            alter(state.field, number, troops=0)
    return fate


def write_fate(rules: GameRules, fate: Fate) -> Value:
    return write_rows(rules, FATE, fate)


def follow(reading: PositionReader) -> None:
    """What the strokes that are out have brought with them: who has left, who plays what, whose victory is easier."""
    table, fate = reading.table, reading.state.fate
    for departure in table.rules.fate.departures:
        if not set(departure.strokes) <= set(fate.out):
            continue
        fate.quit.append(departure.power)
        retired = general_named(table.rules.common, departure.removal.general)
        army = (*table.rules.common.generals(departure.power), *table.rules.common.trains(departure.power))
        for piece in (*army, *([] if retired is None else [retired])):
            if piece not in reading.written:
                alter(reading.state.field, piece, city=ASIDE, troops=0)
    hand_over(table)
    ease(table)
