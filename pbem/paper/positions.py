"""Position files: any position of a game, as people write and keep it. What is left out is as at the scenario's start.

The format is documented in docs/positions.md.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, get_args

from pbem.engine.decisions import Claim, Pairing
from pbem.engine.duel import Duel
from pbem.engine.events import Ending
from pbem.engine.field import ASIDE, OFF, Piece
from pbem.engine.invariants import Problem
from pbem.engine.retreat import Retreat
from pbem.engine.stream import SeededDealer
from pbem.maria.data import Edition, MariaRules, Placing, Terms
from pbem.maria.invariants import problems
from pbem.maria.opening import new_state
from pbem.maria.sequence import first_phase, phases_of, stages
from pbem.maria.state import Phase, Result, State
from pbem.maria.table import Table
from pbem.paper.convert import attempt
from pbem.paper.faults import Refused
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import Misnamed, edition_names, load_rules, scenario_names
from pbem.paper.position_affairs import AffairsReader
from pbem.paper.position_cards import CardReader
from pbem.paper.reader import Reader, split
from pbem.paper.strict import Mapping, Node, Sequence, Text, plain, read

T = TypeVar("T")

TERMS = (
    "pbem", "kind", "game", "scenario", "players", "edition", "board", "politics", "bluffing", "placing",
    "rulings", "seed",
)  # fmt: skip
MOMENT = ("turn", "stage", "phase", "begun", "owing", "moved")
FIELD = ("pieces", "markers", "questions", "hussars")
CARDS = ("hands", "draw", "unused", "set aside", "shuffles")
COMBAT = ("tolls", "battles", "duel", "retreat", "result")
ADVANCED = ("affairs", "gambit", "alliances", "tasks")
KEYS = (*TERMS, *MOMENT, *FIELD, *CARDS, *COMBAT, *ADVANCED)

PLACES = {"off": OFF, "aside": ASIDE}
PLACING: dict[str, Placing] = {placing: placing for placing in get_args(Placing)}

KEYS_OF_RULES = {
    "§5": ("owing", "begun", "phase", "stage", "turn"),
    "§7": ("hussars",),
    "§8": CARDS,
    "§9": ("tolls", "owing", "hussars"),
    "§10.1": ("moved",),
    "§10.3": ("questions", "markers"),
    "§11.1": ("duel", "battles"),
    "§11.2": ("retreat",),
    "§14": ("result",),
}
"""Where in a file to look for what offends a rule."""


def load_position(data: bytes, source: str, folder: Path | None = None) -> Table:
    """The table that a position file describes; raises `Refused` with every fault."""
    return read_position(read(data, source), source, folder)


def read_position(node: Node, source: str, folder: Path | None = None) -> Table:
    """The table that a document describes."""
    reader = Reader(source)
    document = reader.mapping(node, "a position")
    entries = reader.known(document, KEYS, "a position") if document else {}
    terms = read_terms(reader, entries)
    reader.refuse()
    rules = named_rules(reader, terms, folder, entries)
    if terms.players not in rules.scenario.players:
        message = f"{terms.scenario} is no game for {terms.players} players"
        reader.note(entries.get("players", node), "E-VALUE-RANGE", message)
        reader.refuse()
    seed = reader.text(entries["seed"], "the seed") if "seed" in entries else "pbem"
    table = Table(rules, new_state(rules), SeededDealer(seed or ""))
    PositionReader(reader, table, entries).read()
    reader.refuse()
    for problem in problems(table):
        node_of = place_of(problem, entries, node, rules)
        reader.note(node_of, "E-POSITION", problem.message, rule=problem.rule)
    reader.refuse()
    return table


def named_rules(reader: Reader, terms: Terms, folder: Path | None, entries: dict[str, Node]) -> MariaRules:
    """The rules of the game; a board that is not there, or not fit, is refused where the file names it."""
    try:
        return load_rules(terms, folder)
    except Misnamed as refused:
        if refused.key not in entries:
            raise
        for fault in refused.faults:
            reader.note(entries[refused.key], fault.code, fault.message, fault.hint)
        raise Refused(reader.source, reader.faults) from None


def place_of(problem: Problem, entries: dict[str, Node], document: Node, rules: MariaRules) -> Node:
    """The line of a position file that comes closest to a problem."""
    pieces = entries.get("pieces")
    if problem.piece is not None and isinstance(pieces, Mapping):
        lexicon = Lexicon(rules)
        for key, value in pieces.items.items():
            if lexicon.piece(key) == problem.piece:
                return value
    suspects = [entries[key] for key in KEYS_OF_RULES.get(problem.rule, ()) if key in entries]
    return next(iter(suspects), pieces or document)


def read_terms(reader: Reader, entries: dict[str, Node]) -> Terms:
    """Which game is played."""
    if "pbem" in entries:
        reader.number(entries["pbem"], "the format", 1, 1)
    if "kind" in entries:
        reader.word(entries["kind"], "kind", {"position": "position"})
    if "game" in entries:
        reader.word(entries["game"], "game", {"maria": "maria"})
    standard = Terms()
    scenarios = {name: name for name in scenario_names()}
    editions = {name: name for name in edition_names()}

    def take(key: str, read_it: Callable[[Node], T | None], otherwise: T) -> T:
        found = read_it(entries[key]) if key in entries else None
        return otherwise if found is None else found

    return Terms(
        scenario=take("scenario", lambda n: reader.word(n, "scenario", scenarios), standard.scenario),
        players=take("players", lambda n: reader.number(n, "players", 2, 3), standard.players),
        edition=take("edition", lambda n: reader.word(n, "edition", editions), standard.edition),
        board=take("board", lambda n: reader.text(n, "board"), standard.board),
        politics=take("politics", lambda n: reader.text(n, "politics"), standard.politics),
        bluffing=take("bluffing", lambda n: reader.truth(n, "bluffing"), standard.bluffing),
        placing=take("placing", lambda n: reader.word(n, "placing", PLACING), standard.placing),
        rulings=read_rulings(reader, entries["rulings"]) if "rulings" in entries else (),
    )


def read_rulings(reader: Reader, node: Node) -> tuple[tuple[str, str], ...]:
    """What this table has ruled otherwise than the edition, by name."""
    _, faults = attempt(node, Edition)
    reader.faults += faults
    if faults or not isinstance(node, Mapping):
        return ()
    return tuple(sorted((name, str(plain(value))) for name, value in node.items.items()))


class PositionReader:
    """Writes what a position file says over the position at the start of its scenario."""

    def __init__(self, reader: Reader, table: Table, entries: dict[str, Node]) -> None:
        """Take the faults' reader, the table to fill, and the entries of the file."""
        self.reader = reader
        self.table = table
        self.rules = table.rules
        self.state: State = table.state
        self.entries = entries
        self.lexicon = Lexicon(table.rules)
        self.written: set[int] = set()
        self.marked: set[int] = set()

    def read(self) -> None:
        """Read everything."""
        self.read_moment()
        self.each("pieces", "pieces", self.read_piece)
        self.default_troops()
        self.each("markers", "markers", self.read_markers)
        self.each("questions", "question marks", self.read_questions)
        if "hussars" in self.entries:
            self.read_hussars(self.entries["hussars"])
        cards = CardReader(self.reader, self.table, self.lexicon, self.entries)
        AffairsReader(cards).read()
        cards.read()
        self.each("tolls", "tolls", self.read_tolls)
        self.read_combat()
        if self.state.result:
            self.state.phase, self.state.begun = "over", True

    def each(self, key: str, what: str, take: Callable[[str, Node, Node], None]) -> None:
        """Read every entry of a mapping; `take` gets its key, the place of the key, and its value."""
        if key not in self.entries:
            return
        mapping = self.reader.mapping(self.entries[key], what)
        for name, value in (mapping.items if mapping else {}).items():
            assert mapping is not None
            take(name, Text(name, *mapping.places[name]), value)

    def read_moment(self) -> None:
        """Turn, stage and phase, and what of the phase is done."""
        reader, state, entries = self.reader, self.state, self.entries
        if "turn" in entries:
            state.turn = reader.number(entries["turn"], "turn", 1, self.rules.scenario.turns) or 1
        if "turn" in entries or "stage" in entries:
            state.stage = next(name for name in stages(self.rules, state.turn) if name != "setup")
        if "stage" in entries:
            names = {name: name for name in stages(self.rules, state.turn)}
            state.stage = reader.word(entries["stage"], f"the stage of turn {state.turn}", names) or state.stage
        state.phase = first_phase(state.stage)
        if "phase" in entries:
            here = phases_of(self.rules, state.stage)
            phases: dict[str, Phase] = {phase: phase for phase in (*here, "over")}
            state.phase = reader.word(entries["phase"], f"the phase of the stage {state.stage}", phases) or state.phase
        if "begun" in entries:
            state.begun = reader.truth(entries["begun"], "begun") or False
        if "owing" in entries:
            state.owing = reader.names(entries["owing"], "a power that owes", self.lexicon.power)
        if "moved" in entries:
            state.moved = sorted(reader.names(entries["moved"], "a piece that has moved", self.lexicon.piece))

    def read_piece(self, name: str, place: Node, node: Node) -> None:
        """One piece: `city, troops, face-down, supreme`, in this order as far as needed."""
        piece = self.reader.name(place, "a piece", lambda written: self.lexicon.piece(written))
        if piece is None or not self.reader.is_first(place, piece, self.written, f"{name} is placed twice"):
            return
        parts = self.reader.items(node, f"the place of {name}")
        if not parts:
            self.reader.note(node, "E-FORM-TEXT", f"where is {name}?", "a city, off, or aside")
            return
        where = self.reader.name(parts[0], "a city", self.place_named)
        now = Piece(OFF if where is None else where)
        for part in parts[1:]:
            self.read_detail(now, part)
        self.state.field.pieces[piece] = now
        self.written.add(piece)

    def place_named(self, written: str) -> int:
        """A city, or the place of a piece that is not on the map."""
        found = PLACES.get(written.casefold())
        return self.lexicon.city(written) if found is None else found

    def read_detail(self, piece: Piece, node: Node) -> None:
        """The troops of a general, or how it lies."""
        if isinstance(node, Text) and not node.value.isdecimal():
            word = self.reader.word(node, "the state of a piece", {"face-down": "down", "supreme": "on_top"})
            if word:
                setattr(piece, word, True)
        elif self.reader.is_first(node, True, [piece.troops > 0], "a general has one number of troops"):
            piece.troops = self.reader.number(node, "troops", 0, self.rules.common.limits.troops) or 0

    def default_troops(self) -> None:
        """Generals whose troops are not given have their set-up minimum, unless they are said to be away (§4)."""
        if self.state.stage == "setup":
            return
        for index, piece in enumerate(self.state.field.pieces):
            taking_part = piece.city >= 0 or (piece.city != OFF and index not in self.written)
            if self.rules.common.is_general(index) and taking_part and not piece.troops:
                piece.troops = self.rules.common.pieces[index].least

    def read_markers(self, name: str, place: Node, node: Node) -> None:
        """The fortresses with a power's marker, or with none."""
        power = None
        if name.casefold() != "none":
            power = self.reader.name(place, "a power", self.lexicon.power)
            if power is None:
                return
        for city in self.reader.names(node, "a fortress", self.lexicon.city):
            marked = f"the marker of {self.rules.common.board.cities[city].name} stands here twice"
            if not self.reader.is_first(node, city, self.marked, marked):
                continue
            self.marked.add(city)
            if power is None:
                self.state.field.markers.pop(city, None)
            else:
                self.state.field.markers[city] = power

    def read_questions(self, name: str, place: Node, node: Node) -> None:
        """The fortresses that a power has put in question."""
        power = self.reader.name(place, "a power", self.lexicon.power)
        if power is not None:
            for city in self.reader.names(node, "a fortress", self.lexicon.city):
                self.state.field.questions[city] = power

    def read_hussars(self, node: Node) -> None:
        """Where the hussars are."""
        count = self.rules.game.hussars.count
        places = self.reader.names(node, "the place of a hussar", self.place_named)
        if len(places) > count:
            self.reader.note(node, "E-POSITION", f"there are only {count} hussars", rule="§7")
        self.state.field.hussars = [*places, *[OFF] * count][:count]

    def read_tolls(self, name: str, place: Node, node: Node) -> None:
        """The supply paths that a power has still to pay for."""
        power = self.reader.name(place, "a power", self.lexicon.power)
        mapping = self.reader.mapping(node, "tolls")
        if power is None or mapping is None:
            return
        if not self.reader.is_first(place, power, self.state.tolls, f"the tolls of {power} stand here twice"):
            return
        claims = []
        for general, path in mapping.items.items():
            piece = self.reader.name(Text(general, *mapping.places[general]), "a general", self.lexicon.piece)
            cities = self.reader.names(path, "a city", self.lexicon.city)
            if piece is not None:
                claims.append(Claim(piece, tuple(cities)))
        self.state.tolls[power] = claims

    def read_combat(self) -> None:
        """Attacks still due, a duel or a retreat in progress, and the result of a finished game."""
        if "battles" in self.entries:
            for node in self.reader.items(self.entries["battles"], "battles"):
                pair = self.reader.items(arrow(node), "an attack")
                cities = [self.reader.name(city, "a city", self.lexicon.city) for city in pair]
                match cities:
                    case [int(attacker), int(defender)]:
                        self.state.battles.append(Pairing(attacker, defender))
                    case _ if len(cities) != 2:
                        self.reader.note(node, "E-FORM-BATTLE", "an attack is `city > city`")
        self.state.duel = self.struct("duel", Duel)
        self.state.retreat = self.struct("retreat", Retreat)
        self.state.result = self.struct("result", Result)

    def struct(self, key: str, kind: type[T]) -> T | None:
        """A small record whose fields are cities, powers, numbers and words."""
        if key not in self.entries:
            return None
        readers = RECORDS[kind]
        mapping = self.reader.mapping(self.entries[key], key)
        entries = self.reader.known(mapping, readers, key) if mapping else {}
        missing = [name for name in readers if name not in entries]
        if missing:
            self.reader.note(self.entries[key], "E-FORM-MISSING", f"{key} lacks {', '.join(missing)}")
        values = [take(self, entries[name]) for name, take in readers.items() if name in entries]
        return kind(*values) if mapping and not missing else None


def arrow(node: Node) -> Node:
    """`A > B` as a list of two."""
    if isinstance(node, Text) and ">" in node.value:
        return Sequence(tuple(split(node, ">")), node.line, node.column)
    return node


def take_city(self: PositionReader, node: Node) -> Any:
    """A city."""
    return self.reader.name(node, "a city", self.lexicon.city)


def take_power(self: PositionReader, node: Node) -> Any:
    """A power."""
    return self.reader.name(node, "a power", self.lexicon.power)


def take_number(self: PositionReader, node: Node) -> Any:
    """A whole number."""
    return self.reader.number(node, "the number", -999, 999)


def take_side(self: PositionReader, node: Node) -> Any:
    """Attacker or defender."""
    return self.reader.word(node, "turn", {"attacker": "attacker", "defender": "defender"})


def take_winner(self: PositionReader, node: Node) -> Any:
    """A player, or nobody."""
    players = {player: player for player in self.rules.seats}
    return self.reader.word(node, "winner", {**players, "nobody": ""}) or None


def take_ending(self: PositionReader, node: Node) -> Any:
    """How a game ended."""
    return self.reader.word(node, "how", {ending: ending for ending in get_args(Ending)})


def take_held(self: PositionReader, node: Node) -> Any:
    """How many fortresses powers held."""
    mapping = self.reader.mapping(node, "held")
    counts = mapping.items if mapping else {}
    return {power: self.reader.number(value, "fortresses", 0, 99) or 0 for power, value in counts.items()}


RECORDS: dict[type, dict[str, Callable[[PositionReader, Node], Any]]] = {
    Duel: {
        "attacking city": take_city,
        "defending city": take_city,
        "attacker": take_power,
        "defender": take_power,
        "score": take_number,
        "turn": take_side,
    },
    Retreat: {"start": take_city, "length": take_number, "winner": take_power, "from city": take_city},
    Result: {"winner": take_winner, "how": take_ending, "held": take_held},
}
"""The fields of small records in the order of their types, and how each is read."""
