"""What only positions of FRIEDRICH have: the Clock of Fate, powers that changed hands, and how a game ends."""

from __future__ import annotations

from collections.abc import Collection

from pbem.engine.field import Alliances, alliances_with
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.words import words
from pbem.games.friedrich.paper import fate
from pbem.games.friedrich.rules import state, tasks
from pbem.games.friedrich.rules import table as friedrich
from pbem.games.friedrich.rules.fate_decisions import GiveCard
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.positions import kinds as k
from pbem.paper.positions import shared
from pbem.paper.positions.kinds import Kind
from pbem.paper.positions.reader import PositionReader
from pbem.paper.positions.rows import NOTHING, Row, by_rows, everybody, who_acts
from pbem.paper.positions.tasks import task

LAST_TURN = 99
"""More turns than the strokes of fate leave to any game."""


def last_turn(rules: GameRules) -> int:
    """The rule book knows no last turn; this is the last that a position may name."""
    return LAST_TURN


def read_players(reading: PositionReader, node: Node) -> Alliances:
    """Who plays which power now."""
    alliances: Alliances = reading.state.field.alliances
    players: dict[Power, str] = {}
    for place, value in reading.reader.pairs(node, words("who-plays-now")):
        power = reading.reader.name(place, words("a-power"), reading.lexicon.power)
        player = k.PLAYER.read(reading, value)
        players |= {} if power is None or player is None else {power: player}
    return alliances_with(alliances, player=players)


def write_players(rules: GameRules, alliances: Alliances) -> Value:
    """The powers that have changed hands."""
    start = {power: player for player, powers in rules.seats.items() for power in powers}
    return {power: player for power, player in alliances.player.items() if player != start.get(power)}


def known_tasks(table: Table, powers: Collection[Power], value: Value) -> Value:
    """Everybody what must be decided; a card that is laid out only who has to give it."""
    assert isinstance(table, friedrich.Table)
    assert isinstance(value, list)
    asked = [tasks.decision(table, each) for each in table.state.tasks]
    giving = [isinstance(each, GiveCard) and each.partner in powers for each in asked]
    return [told if gives else without_card(told) for gives, told in zip(giving, value, strict=True)]


def without_card(told: dict[str, Value]) -> Value:
    return {key: value for key, value in told.items() if key != "laid"}


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
        "card": fate.CARD,
        "suit": k.SUIT,
        "step": k.if_any(k.number("step", 0, 1)),
        "laid": k.optional(k.CARD),
        "city": k.CITY,
    },
    needed=("task",),
    lacks="E-FORM-MISSING.fate-task",
)
GENERALS = k.gathered(words("reinforced-general"), k.piece(words("reinforced-general")))
RESULT = k.record(state.Result, "result", shared.RESULT_FIELDS | {"others": k.tupled(words("players"), k.PLAYER)})
PLAYERS = Kind(read_players, write_players)
FATE = Kind(fate.read_fate, fate.write_fate)

POSITIONS = (
    *shared.MOMENT,
    Row("reinforced", GENERALS, who_acts),
    Row("substitute", k.optional(k.CITY), everybody),
    Row("drawn", k.listed(words("a-card"), k.CARD), who_acts),
    *shared.FIELD,
    *shared.CARDS,
    *shared.COMBAT,
    Row("result", k.optional(RESULT), everybody),
    Row("fate", FATE, by_rows(fate.FATE), left_out=NOTHING, dealt=True),
    Row("handed over", PLAYERS, everybody, field="field.alliances"),
    Row("tasks", k.listed("tasks", TASK), known_tasks),
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
