"""Position files of FRIEDRICH: the parts that all games have, the Clock of Fate, powers that changed hands, and the
result."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.field import ASIDE, Alliances, alliances_with, alter
from pbem.engine.nouns import Power, each_piece
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words
from pbem.games.friedrich.rules import fate, state
from pbem.games.friedrich.rules import fate as clock
from pbem.games.friedrich.rules import state as friedrich
from pbem.games.friedrich.rules.data import FriedrichRules
from pbem.games.friedrich.rules.decisions import GiveCard
from pbem.games.friedrich.rules.effects import general_named
from pbem.games.friedrich.rules.fate import ease, hand_over
from pbem.games.friedrich.rules.fate_data import FateData
from pbem.games.friedrich.rules.state import Fate, InForce, Offensive
from pbem.paper.documents.strict import Node, Text
from pbem.paper.documents.writing import Value
from pbem.paper.positions import kinds as k
from pbem.paper.positions import shared
from pbem.paper.positions.kinds import Kind, PositionReader
from pbem.paper.positions.rows import (
    NOTHING,
    Row,
    by_rows,
    everybody,
    nobody,
    read_part,
    task,
    value_for_actor,
    write_rows,
)


def rules_of(rules: GameRules) -> FriedrichRules:
    assert isinstance(rules, FriedrichRules)
    return rules


def read_card(reading: PositionReader, node: Node) -> int | None:
    """Read the number of a Card of Fate. Files may name a stroke by its name instead. Return None after a fault."""
    fate = rules_of(reading.rules).fate
    numbers = {str(number): number for number in fate.numbers()}
    return reading.reader.word(
        node, words("card-of-fate"), numbers | {stroke.name: stroke.number for stroke in fate.strokes}
    )


def card_name(fate: FateData, number: int) -> str:
    """Return the name that a Card of Fate has in files. A stroke has its own name, any other card has its number."""
    return {stroke.number: stroke.name for stroke in fate.strokes}.get(number, str(number))


def write_card(rules: GameRules, card: int) -> Value:
    return card_name(rules_of(rules).fate, card)


def read_cards(reading: PositionReader, node: Node) -> list[int]:
    """Read several Cards of Fate. A card that is named twice is a fault."""
    found: list[int] = []
    for item in reading.reader.items(node, words("cards-of-fate")):
        card = read_card(reading, item)
        if card is not None and reading.reader.check_first(item, card, found, words("fate-twice")):
            found.append(card)
    return found


def read_offensive(reading: PositionReader, node: Node) -> Offensive | None:
    """Read the state of the Offensive Option. Return None for the word `none`, which means that the power gave the
    option up."""
    is_none = isinstance(node, Text) and node.value.casefold() == "none"
    return None if is_none else OPTION.read(reading, node)


def write_offensive(rules: GameRules, option: Offensive | None) -> Value:
    """Return the Offensive Option as files write it. The result is `none` if the option was given up, and an empty text
    in a game without the option."""
    if option is None:
        return "none" if rules_of(rules).expert else ""
    return OPTION.write(rules, option)


CARD = Kind(read_card, write_card)
CARDS = Kind(read_cards, k.list_kind(words("cards-of-fate"), CARD).write)
POWERS = k.list_kind(words("a-power"), k.POWER)
GENERAL = k.piece(words("a-general"))
IN_FORCE = k.record(
    InForce,
    words("card-in-force"),
    {
        "card": CARD,
        "suit": k.SUIT,
        "until": k.number(words("last-turn"), 1, 99),
        "used": k.flag("used"),
        "suits": k.list_kind(words("suits"), k.SUIT),
        "settled": k.list_kind(words("combats"), k.pairing(words("a-combat"))),
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
        "card": k.optional(Kind(lambda reading, node: next(iter(reading.place_cards(node)), None), k.write_card)),
    },
)

FATE_ROWS = (
    Row("deck", k.from_top(CARDS), nobody),
    Row("out", CARDS, everybody),
    Row("in force", k.list_kind(words("cards-in-force"), IN_FORCE), everybody),
    Row("quit", POWERS, everybody),
    Row("eased", POWERS, everybody),
    Row("victor", k.optional(GENERAL), everybody, field="winner"),
    Row("drawn", k.optional(CARD), everybody),
    Row("version", k.optional(k.SUIT), everybody),
    Row("beaten", k.unordered_kind(words("a-general"), GENERAL), everybody),
    Row("offensive", Kind(read_offensive, write_offensive), everybody),
)


def read_fate(reading: PositionReader, node: Node) -> Fate:
    """Read the Clock of Fate, and carry out the strokes of fate that have been drawn. Cards that the file lists under
    `deck` lie on top; below them lie all other cards not yet drawn. Values in the file replace the effects of the
    strokes."""
    state, written = reading.state, read_part(reading, "fate", FATE_ROWS, node)
    fate: Fate = state.fate
    if state.stage != "setup" or state.begun:
        clock.shuffle(reading.table)
    fate.out, on_top = written.pop("out", fate.out), written.pop("deck", [])
    fate.deck = [*(number for number in fate.deck if number not in (*fate.out, *on_top)), *on_top]
    carry_out_strokes(reading)
    for field, value in written.items():
        setattr(fate, field, value)
    for number, piece in each_piece(state.field.pieces):
        if piece.city == ASIDE:
            alter(state.field, number, troops=0)
    return fate


def carry_out_strokes(reading: PositionReader) -> None:
    """Carry out the strokes that have been drawn: powers leave, get a new player, or win more easily. A piece of a
    power that leaves stays where the file puts it."""
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


LAST_TURN = 99
"""Greatest turn that a position may name. Every game ends earlier, because its strokes of fate are drawn by then."""


def last_turn(rules: GameRules) -> int:
    """Return the greatest turn that a position may name. It is a limit of the program, because the rule book has no
    last turn."""
    return LAST_TURN


def read_players(reading: PositionReader, node: Node) -> Alliances:
    """Read the powers that have changed hands. Return the alliances with the present player of each power."""
    alliances: Alliances = reading.state.field.alliances
    players: dict[Power, str] = {}
    for place, value in reading.reader.pairs(node, words("who-plays-now")):
        power = reading.reader.name(place, words("a-power"), reading.lexicon.power)
        player = k.PLAYER.read(reading, value)
        players |= {} if power is None or player is None else {power: player}
    return alliances_with(alliances, player=players)


def write_players(rules: GameRules, alliances: Alliances) -> Value:
    """Return the present players of the powers that have changed hands, keyed by power, as files write them."""
    start = {power: player for player, powers in rules.seats.items() for power in powers}
    return {power: player for power, player in alliances.player.items() if player != start.get(power)}


def known_tasks(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the tasks of a position file without facts that the players of `powers` may not know. `written` has the
    tasks with all facts. A card laid out for an exchange is shown only to the power that has laid it out."""
    assert isinstance(table, friedrich.Table)
    assert isinstance(written, list)
    asked = [fate.decision(table, each) for each in table.state.tasks]
    giving = [isinstance(each, GiveCard) and each.partner in powers for each in asked]
    return [
        told if gives else {key: part for key, part in told.items() if key != "laid"}
        for gives, told in zip(giving, written, strict=True)
    ]


TASK = task(
    {
        "version": state.VersionTask,
        "removal": state.RemovalTask,
        "garrison": state.GarrisonTask,
        "sidestep": state.SidestepTask,
        "declare": state.DeclareTask,
    },
    {
        "power": k.POWER,
        "card": CARD,
        "suit": k.SUIT,
        "step": k.nonzero(k.number("step", 0, 1)),
        "laid": k.optional(k.CARD),
        "city": k.CITY,
    },
    needed=("task",),
    lacks="E-FORM-MISSING.fate-task",
)
GENERALS = k.unordered_kind(words("reinforced-general"), k.piece(words("reinforced-general")))
RESULT = k.record(state.Result, "result", shared.RESULT_FIELDS | {"others": k.tuple_kind(words("players"), k.PLAYER)})
PLAYERS = Kind(read_players, write_players)
FATE = Kind(read_fate, lambda rules, fate: write_rows(rules, FATE_ROWS, fate))

POSITIONS = (
    *shared.MOMENT,
    Row("reinforced", GENERALS, value_for_actor),
    Row("substitute", k.optional(k.CITY), everybody),
    Row("drawn", k.list_kind(words("a-card"), k.CARD), value_for_actor),
    *shared.FIELD,
    *shared.CARDS,
    *shared.COMBAT,
    Row("result", k.optional(RESULT), everybody),
    Row("fate", FATE, by_rows(FATE_ROWS), left_out=NOTHING, dealt=True),
    Row("handed over", PLAYERS, everybody, field="field.alliances"),
    Row("tasks", k.list_kind("tasks", TASK), known_tasks),
)

KEYS_OF_RULES = {
    "§1": ("owing", "pieces"),
    "§2": ("owing", "begun", "phase", "stage", "turn"),
    "§3": ("drawn", *(row.key for row in shared.CARDS)),
    "§4": ("moved",),
    "§10": ("substitute", "reinforced"),
    "§5": ("questions", "markers"),
    "§7": ("duel", "battles"),
    "§8": ("retreat",),
    "§11": ("fate", "owing", "hands", "markers", "tasks"),
    "§12": ("result",),
}
