"""What only positions of MARIA have: hussars, tolls, politics, and how a game ends (docs/positions.md)."""

from __future__ import annotations

from pbem.engine.decisions import Claim
from pbem.engine.field import OFF
from pbem.engine.nouns import City
from pbem.engine.table import GameRules, Table
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.games.maria.paper import affairs
from pbem.games.maria.rules import state
from pbem.games.maria.rules.data import MariaRules
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.positions import kinds as k
from pbem.paper.positions import shared
from pbem.paper.positions.kinds import Kind
from pbem.paper.positions.reader import PositionReader
from pbem.paper.positions.rows import NOTHING, Row, by_rows, everybody
from pbem.paper.positions.tasks import task


def last_turn(rules: GameRules) -> int:
    """The last turn of the scenario."""
    assert isinstance(rules, MariaRules)
    return rules.scenario.turns


def hands(table: Table) -> dict[str, int]:
    """The first hand of every power, in the order in which they are dealt (§4); none of a power that has left."""
    rules = table.rules
    assert isinstance(rules, MariaRules)
    acts_in = table.state.field.alliances.stage
    powers = [power for power in rules.game.initial_draw if power in rules.powers]
    return {power: rules.game.powers[power].hand if acts_in[power] else 0 for power in powers}


def read_hussars(reading: PositionReader, node: Node) -> list[City]:
    """Where the hussars are."""
    count: int = reading.rules.game.hussars.count
    places = PLACES.read(reading, node) or []
    if len(places) > count:
        reading.reader.note(node, wrong("E-POSITION.hussars", count=count))
    return [*places, *[OFF] * count][:count]


def read_tolls(reading: PositionReader, node: Node) -> dict[str, list[Claim]]:
    """The supply paths that powers have still to pay for, by their generals."""
    tolls: dict[str, list[Claim]] = {}
    for place, power, value in reading.powers(node, "tolls"):
        pairs = reading.reader.pairs(value, "tolls")
        if reading.reader.is_first(place, power, tolls, words("tolls-twice", power=power)):
            tolls[power] = []
            for general, path in pairs:
                piece = reading.reader.name(general, words("a-general"), reading.lexicon.piece)
                cities = reading.reader.names(path, words("a-city"), reading.lexicon.city)
                tolls[power] += [] if piece is None else [Claim(piece, tuple(cities))]
    return tolls


def write_tolls(rules: GameRules, tolls: dict[str, list[Claim]]) -> Value:
    pieces = rules.common.pieces
    return {
        power: {pieces[claim.piece].name: [k.city_name(rules, city) for city in claim.path] for claim in claims}
        for power, claims in tolls.items()
    }


def read_hussar(reading: PositionReader, node: Node) -> City | None:
    return shared.read_place(reading, node, words("hussar-place"))


PLACES = k.listed(words("hussar-place"), Kind(read_hussar, shared.place_text))
TASK = task(
    {
        "corps": state.CorpsTask,
        "reinforce": state.ReinforceTask,
        "relocate": state.RelocateTask,
        "arrive": state.ArriveTask,
        "place train": state.PlaceTrainTask,
        "shift": state.ShiftTask,
        "recruit": state.RecruitTask,
    },
    {
        "power": k.POWER,
        "piece": k.piece("piece"),
        "city": k.city("city"),
        "homes": k.tupled(words("a-power"), k.POWER),
        "troops": k.number("troops", 0, 99),
        "steps": k.number("steps", 0, 99),
        "empty": k.flag("empty"),
        "lasting": k.flag("lasting"),
        "corps": k.flag("corps"),
    },
    needed=("task", "power"),
    lacks="E-FORM-MISSING.task",
)
RESULT = k.record(state.Result, "result", shared.RESULT_FIELDS)
AFFAIRS = Kind(affairs.read_affairs, affairs.write_affairs)
GAMBIT = Kind(affairs.read_gambit, affairs.write_gambit)
ALLIANCES = Kind(affairs.read_alliances, affairs.write_alliances)

POSITIONS = (
    *shared.MOMENT,
    *shared.FIELD,
    Row("hussars", Kind(read_hussars, PLACES.write), everybody, field="field.hussars"),
    *shared.CARDS,
    Row("tolls", Kind(read_tolls, write_tolls), everybody),
    *shared.COMBAT,
    Row("result", k.optional(RESULT), everybody),
    Row("affairs", AFFAIRS, by_rows(affairs.AFFAIRS), left_out=NOTHING),
    Row("gambit", GAMBIT, by_rows(affairs.GAMBIT)),
    Row("alliances", ALLIANCES, everybody, field="field.alliances", left_out=NOTHING),
    Row("tasks", k.listed("tasks", TASK), everybody),
)

CARDS = tuple(row.key for row in shared.CARDS)
KEYS_OF_RULES = {
    "§2": ("alliances",),
    "§5": ("owing", "begun", "phase", "stage", "turn"),
    "§7": ("hussars",),
    "§8": CARDS,
    "§9": ("tolls", "owing", "hussars"),
    "§10.1": ("moved",),
    "§10.3": ("questions", "markers"),
    "§11.1": ("duel", "battles"),
    "§11.2": ("retreat",),
    "§14": ("result",),
    "§19.1": ("alliances", "affairs"),
    "§19.3": ("alliances", "affairs"),
}
