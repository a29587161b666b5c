"""Reads a position field by field into a table that is set up as at the start; a game reads its own part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar, get_args

from msgspec import Struct

from pbem.engine.decisions import Pairing
from pbem.engine.duel import Duel
from pbem.engine.events import Ending
from pbem.engine.field import ASIDE, OFF, Piece
from pbem.engine.retreat import Retreat
from pbem.engine.table import GameRules, Table
from pbem.kit import AnyTable, game_named
from pbem.paper.documents.reader import Reader, split
from pbem.paper.documents.strict import Node, Sequence, Text
from pbem.paper.lexicon import Lexicon
from pbem.paper.positions.cards import CardReader

PLACES = {"off": OFF, "aside": ASIDE}


class OwnPart(Protocol):
    """What a game reads of positions in its own way; its `forms.Forms` has it."""

    @property
    def last_turn(self) -> Callable[[GameRules], int]: ...
    @property
    def hands(self) -> Callable[[Table], dict[str, int]]: ...
    @property
    def read_position(self) -> Callable[[PositionReader, CardReader], None]: ...
    @property
    def read_result(self) -> Callable[[PositionReader, Node], object]: ...


class PositionReader:
    """Writes what a position file says over the position at the start of its scenario."""

    def __init__(self, reader: Reader, table: AnyTable, entries: dict[str, Node], own: OwnPart) -> None:
        """Take the faults' reader, the table of any game to fill, the entries of the file, and the game's own part."""
        self.reader = reader
        self.table = table
        self.rules = table.rules
        self.state = table.state
        self.game = game_named(table.rules.terms.game)
        self.own = own
        self.entries = entries
        self.lexicon = Lexicon(table.rules)
        self.written: set[int] = set()
        self.marked: set[int] = set()

    def read(self) -> None:
        """Read everything, pieces before what depends on where they stand."""
        self.read_moment()
        self.each("pieces", "pieces", self.read_piece)
        self.default_troops()
        self.each("troops", "troops", self.read_total)
        self.each("markers", "markers", self.read_markers)
        self.each("questions", "question marks", self.read_questions)
        cards = CardReader(self.reader, self.table, self.lexicon, self.entries)
        self.own.read_position(self, cards)
        cards.read(self.own.hands(self.table))
        self.read_combat()
        if self.state.result:
            self.state.phase, self.state.begun = "over", True

    def each(self, key: str, what: str, take: Callable[[str, Node, Node], None]) -> None:
        """Read every entry of a mapping; `take` gets its key, the place of the key, and its value."""
        if key not in self.entries:
            return
        for name, value in self.reader.pairs(self.entries[key], what):
            take(name.value, name, value)

    def read_moment(self) -> None:
        """Turn, stage and phase, and what of the phase is done."""
        reader, state, entries = self.reader, self.state, self.entries
        if "turn" in entries:
            state.turn = reader.number(entries["turn"], "turn", 1, self.own.last_turn(self.rules)) or 1
        stages = self.game.stages(self.rules, state.turn)
        if "turn" in entries or "stage" in entries:
            state.stage = next(name for name in stages if name != "setup")
        if "stage" in entries:
            names = {name: name for name in stages}
            state.stage = reader.word(entries["stage"], f"the stage of turn {state.turn}", names) or state.stage
        here = self.game.phases_of(self.rules, state.stage)
        state.phase = here[0]
        if "phase" in entries:
            phases = {phase: phase for phase in (*here, "over")}
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
            least = 1 if piece.city >= 0 and self.state.stage != "setup" else 0
            piece.troops = self.reader.number(node, "troops", least, self.rules.common.limits.troops) or 0

    def default_troops(self) -> None:
        """Generals whose troops are not given have their set-up minimum, unless they are said to be away (§4)."""
        if self.state.stage == "setup":
            return
        for index, piece in enumerate(self.state.field.pieces):
            taking_part = piece.city >= 0 or (piece.city != OFF and index not in self.written)
            if self.rules.common.is_general(index) and taking_part and not piece.troops:
                piece.troops = self.rules.common.pieces[index].least

    def read_total(self, name: str, place: Node, node: Node) -> None:
        """The troops of a power as a total: they are spread evenly over its generals on the map."""
        power = self.reader.name(place, "a power", self.lexicon.power)
        if power is None:
            return
        common, pieces = self.rules.common, self.state.field.pieces
        generals = [general for general in common.generals(power) if pieces[general].city >= 0]
        most = len(generals) * common.limits.troops
        total = self.reader.number(node, f"the troops of {power}", 0, most) or 0
        for general in generals:
            pieces[general].troops = 0
        for number in range(total):
            pieces[generals[number % len(generals)]].troops += 1

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
        for key, kind, fields in RECORDS:
            if key in self.entries:
                setattr(self.state, key, record(self, self.entries[key], key, fields, kind))
        if "result" in self.entries:
            self.state.result = self.own.read_result(self, self.entries["result"])


Take = Callable[[PositionReader, Node], object]

T = TypeVar("T")


def record(self: PositionReader, node: Node, key: str, fields: dict[str, Take], kind: Callable[..., T]) -> T | None:
    """A small record whose fields are cities, powers, numbers and words, in their order."""
    mapping = self.reader.mapping(node, key)
    entries = self.reader.known(mapping, fields, key) if mapping else {}
    missing = [name for name in fields if name not in entries]
    if missing:
        self.reader.note(node, "E-FORM-MISSING", f"{key} lacks {', '.join(missing)}")
    values = [take(self, entries[name]) for name, take in fields.items() if name in entries]
    return kind(*values) if mapping and not missing else None


def arrow(node: Node) -> Node:
    """`A > B` as a list of two."""
    if isinstance(node, Text) and ">" in node.value:
        return Sequence(tuple(split(node, ">")), node.line, node.column)
    return node


def take_city(self: PositionReader, node: Node) -> object:
    return self.reader.name(node, "a city", self.lexicon.city)


def take_power(self: PositionReader, node: Node) -> object:
    return self.reader.name(node, "a power", self.lexicon.power)


def take_number(self: PositionReader, node: Node) -> object:
    """A whole number."""
    return self.reader.number(node, "the number", -999, 999)


def take_side(self: PositionReader, node: Node) -> object:
    """Attacker or defender."""
    return self.reader.word(node, "turn", {"attacker": "attacker", "defender": "defender"})


def take_winner(self: PositionReader, node: Node) -> object:
    """A player, or nobody."""
    players = {player: player for player in self.rules.seats}
    return self.reader.word(node, "winner", {**players, "nobody": ""}) or None


def take_ending(self: PositionReader, node: Node) -> object:
    """How a game ended."""
    return self.reader.word(node, "how", {ending: ending for ending in get_args(Ending)})


def take_held(self: PositionReader, node: Node) -> object:
    """The figures that decided, by power: fortresses, scores, or markers left, which may be fewer than none."""
    mapping = self.reader.mapping(node, "held")
    counts = mapping.items if mapping else {}
    return {power: self.reader.number(value, "the figure", -999, 999) or 0 for power, value in counts.items()}


RECORDS: tuple[tuple[str, type[Struct], dict[str, Take]], ...] = (
    (
        "duel",
        Duel,
        {
            "attacking city": take_city,
            "defending city": take_city,
            "attacker": take_power,
            "defender": take_power,
            "score": take_number,
            "turn": take_side,
        },
    ),
    ("retreat", Retreat, {"start": take_city, "length": take_number, "winner": take_power, "from city": take_city}),
)
"""The small records of a combat: their keys, their types, and how each field is read, in the order of the type."""
