"""What only positions of FRIEDRICH have: the Clock of Fate, powers that changed hands, and how a game ends."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.field import ASIDE
from pbem.engine.table import GameRules
from pbem.games.friedrich.paper.fate import FIELDS, read_fate
from pbem.games.friedrich.paper.fate_writing import fate_document
from pbem.games.friedrich.paper.tasks import read_task, task_document
from pbem.games.friedrich.rules import table as friedrich
from pbem.games.friedrich.rules import tasks
from pbem.games.friedrich.rules.fate_decisions import GiveCard
from pbem.games.friedrich.rules.state import Result
from pbem.paper.documents.strict import Mapping, Node
from pbem.paper.documents.writing import Value
from pbem.paper.lexicon import card_text
from pbem.paper.positions.cards import CardReader
from pbem.paper.positions.knowledge import Share, as_it_is
from pbem.paper.positions.reader import PositionReader, Take, record, take_ending, take_held, take_winner

MOMENT = ("turn", "stage", "phase", "begun", "owing", "moved", "reinforced", "substitute", "drawn")
FIELD = ("pieces", "markers", "questions")
CARDS = ("hands", "draw", "unused", "set aside", "shuffles")
COMBAT = ("battles", "duel", "retreat", "result")
POSITIONS = (*MOMENT, *FIELD, *CARDS, *COMBAT, "fate", "handed over", "tasks")

KEYS_OF_RULES = {
    "§1": ("owing", "pieces"),
    "§2": ("owing", "begun", "phase", "stage", "turn"),
    "§3": ("drawn", *CARDS),
    "§4": ("moved",),
    "§10": ("substitute", "reinforced"),
    "§5": ("questions", "markers"),
    "§7": ("duel", "battles"),
    "§8": ("retreat",),
    "§11": ("fate", "owing", "hands", "markers", "tasks"),
    "§12": ("result",),
}

LAST_TURN = 99
"""More turns than the strokes of fate leave to any game."""


def last_turn(rules: GameRules) -> int:
    """The rule book knows no last turn; this is the last that a position may name."""
    return LAST_TURN


def read_position(reader: PositionReader, cards: CardReader) -> None:
    """Read what the clock has struck, who plays which power by now, and what must be decided first."""
    read_fate(reader, cards)
    for piece in reader.state.field.pieces:
        if piece.city == ASIDE:
            piece.troops = 0
    reader.each("handed over", "who plays powers now", lambda name, place, node: read_player(reader, place, node))
    if "reinforced" in reader.entries:
        named = reader.reader.names(reader.entries["reinforced"], "a general with new troops", reader.lexicon.piece)
        reader.state.reinforced = sorted(named)
    if "substitute" in reader.entries:
        reader.state.substitute = reader.reader.name(reader.entries["substitute"], "a city", reader.lexicon.city)
    if "drawn" in reader.entries:
        reader.state.drawn = read_drawn(reader, reader.entries["drawn"])
    if "tasks" in reader.entries:
        for node in reader.reader.items(reader.entries["tasks"], "tasks"):
            task = read_task(cards, node)
            if task is not None:
                reader.state.tasks.append(task)


def read_player(reader: PositionReader, place: Node, node: Node) -> None:
    """The player of a power that has changed hands."""
    power = reader.reader.name(place, "a power", reader.lexicon.power)
    player = reader.reader.word(node, "a player", {player: player for player in reader.rules.seats})
    if power is not None and player is not None:
        reader.state.field.alliances.player[power] = player


def read_drawn(reader: PositionReader, node: Node) -> list[int]:
    """The cards just drawn, in the order in which they were; they stand in the hand as well."""
    written = reader.reader.names(node, "a card", reader.lexicon.card)
    return [reader.lexicon.copies(card)[0] for card in written]


def position_document(table: friedrich.Table) -> dict[str, Value]:
    """The Clock of Fate and what follows from it."""
    state = table.state
    now, start = state.field.alliances.player, friedrich_start(table)
    handed_over: dict[str, Value] = {power: player for power, player in now.items() if player != start.get(power)}
    names = table.rules.common.pieces
    substitute = [] if state.substitute is None else table.rules.common.board.cities[state.substitute].name
    return {
        "reinforced": [names[general].name for general in state.reinforced],
        "substitute": substitute,
        "drawn": [card_text(card, deck=True) for card in state.drawn],
        "fate": fate_document(table),
        "handed over": handed_over,
        "tasks": [task_document(table.rules, task) for task in state.tasks],
    }


def own_drawn(table: friedrich.Table, powers: Collection[str], value: Value) -> Value:
    """The cards just drawn, if they are one's own."""
    return value if table.state.stage in powers else []


def own_reinforced(table: friedrich.Table, powers: Collection[str], value: Value) -> Value:
    """Who has got new troops, if they are one's own (§10)."""
    return value if table.state.stage in powers else []


def known_fate(table: friedrich.Table, powers: Collection[str], value: Value) -> Value:
    """The clock without the order of its cards."""
    assert isinstance(value, dict)
    return {key: value[key] for key in FIELDS if key in value and key != "deck"}


def known_tasks(table: friedrich.Table, powers: Collection[str], value: Value) -> Value:
    """What must be decided, without a card that others have laid out."""
    known: list[Value] = []
    for task in table.state.tasks:
        document = task_document(table.rules, task)
        laid = document.pop("laid", None)
        asked = tasks.decision(table, task)
        if laid is not None and isinstance(asked, GiveCard) and asked.partner in powers:
            document["laid"] = laid
        known.append(document)
    return known


KNOWN: dict[str, Share] = {
    "reinforced": own_reinforced,
    "substitute": as_it_is,
    "drawn": own_drawn,
    "fate": known_fate,
    "handed over": as_it_is,
    "tasks": known_tasks,
}
"""What players may know of each key that only FRIEDRICH has."""


def friedrich_start(table: friedrich.Table) -> dict[str, str]:
    """Who plays each power at first."""
    return {power: player for player, powers in table.rules.seats.items() for power in powers}


def read_result(reader: PositionReader, node: Node) -> Result | None:
    """How a game ended; players who win with the winner are only written if there are any."""
    fields: dict[str, Take] = {"winner": take_winner, "how": take_ending, "held": take_held}
    together = isinstance(node, Mapping) and "others" in node.items
    return record(reader, node, "result", {**fields, "others": take_players} if together else fields, Result)


def take_players(reader: PositionReader, node: Node) -> tuple[str, ...]:
    """Several players."""
    seats = {player: player for player in reader.rules.seats}
    found = [reader.reader.word(item, "a player", seats) for item in reader.reader.items(node, "players")]
    return tuple(player for player in found if player is not None)


def result_document(result: Result) -> dict[str, Value]:
    """How a game ended, as it is written."""
    document: dict[str, Value] = {"winner": result.winner or "nobody", "how": result.how, "held": dict(result.held)}
    return document | ({"others": list(result.others)} if result.others else {})
