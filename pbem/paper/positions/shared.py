"""Rows for positions of every game: turn and stage, map, cards, and combat."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pbem.engine.cards import deck_of
from pbem.engine.combat import Duel
from pbem.engine.field import ASIDE, OFF, Parts, PieceState, alter
from pbem.engine.nouns import Card, City, Deck, Piece, Power, each_piece
from pbem.engine.table import GameRules, Table
from pbem.engine.troops import Retreat
from pbem.faults.wrong import Words, words, wrong
from pbem.kit import game_named
from pbem.paper.documents.strict import Node, Text
from pbem.paper.documents.writing import Value
from pbem.paper.positions import kinds as k
from pbem.paper.positions.kinds import AnyKind, Kind, PositionReader
from pbem.paper.positions.rows import NOTHING, Row, everybody, nobody, own_values

PLACES = {"off": OFF, "aside": ASIDE}


def read_turn(reading: PositionReader, node: Node) -> int:
    return reading.reader.number(node, "turn", 1, reading.own.last_turn(reading.rules)) or 1


def read_stage(reading: PositionReader, node: Node) -> str:
    """Read the stage. If the file has only a turn, or a stage that this turn does not have, return the turn's first
    stage after set-up. If the file has neither turn nor stage, return the scenario's first stage."""
    state = reading.state
    stages = reading.game.stages(reading.rules, state.turn)
    if not {"turn", "stage"} & set(reading.entries):
        return str(state.stage)
    first = next(name for name in stages if name != "setup")
    names = {name: name for name in stages}
    if "stage" not in reading.entries:
        return first
    return reading.reader.word(node, words("stage-of-turn", turn=state.turn), names) or first


def read_phase(reading: PositionReader, node: Node) -> str:
    """Read the phase. If the file has none, return the first phase of the stage."""
    stage = reading.state.stage
    here = reading.game.phases_of(reading.rules, stage)
    if "phase" not in reading.entries:
        return here[0]
    phases = {phase: phase for phase in (*here, "over")}
    return reading.reader.word(node, words("phase-of-stage", stage=stage), phases) or here[0]


def read_pieces(reading: PositionReader, node: Node) -> list[PieceState]:
    """Read the pieces, each as `name: city, troops, face-down, supreme`. Only the city is necessary. If the file gives
    a power's total of troops, spread it over the power's generals on the map."""
    for name, value in reading.reader.pairs(node, "pieces"):
        read_piece(reading, name, value)
    default_troops(reading)
    if "troops" in reading.entries:
        for _, power, value in reading.powers(reading.entries["troops"], "troops"):
            common, field = reading.rules.common, reading.state.field
            # A total is spread evenly over the generals on the map.
            generals = [general for general in common.generals(power) if field.pieces[general].city >= 0]
            most = len(generals) * common.limits.troops
            total = reading.reader.number(value, words("troops-of", name=power), 0, most) or 0
            for place, general in enumerate(generals):
                alter(field, general, troops=(total + len(generals) - 1 - place) // len(generals))
    pieces: list[PieceState] = reading.state.field.pieces
    return pieces


def read_piece(reading: PositionReader, name: Text, node: Node) -> None:
    """Read one piece: first its place, then its details. A piece whose name is unknown or comes a second time is a
    fault, and is not read. A piece whose place is unknown is put off the map."""
    reader, piece = reading.reader, reading.reader.name(name, words("a-piece"), reading.lexicon.piece)
    if piece is None or not reader.check_first(name, piece, reading.written, words("placed-twice", piece=name.value)):
        return
    parts = reader.items(node, words("place-of", piece=name.value))
    if not parts:
        reader.note(node, wrong("E-FORM-TEXT.where", piece=name.value))
        return
    where = read_place(reading, parts[0])
    reading.state.field.pieces[piece] = PieceState(OFF if where is None else where)
    for part in parts[1:]:
        read_detail(reading, piece, part)
    reading.written.add(piece)


def read_place(reading: PositionReader, node: Node, label: Words = k.A_CITY) -> City | None:
    """Read the city of a piece, or the word for a place off the map. Return None if it is a fault."""

    def find(written: str) -> City:
        found = PLACES.get(written.casefold())
        return reading.lexicon.city(written) if found is None else found

    return reading.reader.name(node, label, find)


def place_text(rules: GameRules, city: City) -> str:
    """Return the city of a piece as text, or the word for its place off the map."""
    return {OFF: "off", ASIDE: "aside"}.get(city) or k.city_name(rules, city)


def read_detail(reading: PositionReader, piece: Piece, node: Node) -> None:
    """Read one detail of a piece: its troops if it is a general, or the word `face-down` or `supreme`. A second number
    of troops is a fault."""
    reader, field = reading.reader, reading.state.field
    now: PieceState = field.pieces[piece]
    if isinstance(node, Text) and not node.value.isdecimal():
        states: dict[str, Parts] = {"face-down": {"down": True}, "supreme": {"on_top": True}}
        alter(field, piece, **(reader.word(node, words("piece-state"), states) or {}))
    elif reader.check_first(node, True, [now.troops > 0], words("troops-twice")):
        least = 1 if now.city >= 0 and reading.state.stage != "setup" else 0
        most = reading.rules.common.limits.troops
        alter(field, piece, troops=reader.number(node, "troops", least, most) or 0)


def default_troops(reading: PositionReader) -> None:
    """Give the least number of troops (§4) to each general on the map for whom the file gives no troops. Before the end
    of set-up, do nothing."""
    if reading.state.stage == "setup":
        return
    common = reading.rules.common
    for index, piece in each_piece(reading.state.field.pieces):
        taking_part = piece.city >= 0 or (piece.city != OFF and index not in reading.written)
        if common.is_general(index) and taking_part and not piece.troops:
            alter(reading.state.field, index, troops=common.pieces[index].least)


def write_pieces(rules: GameRules, pieces: Iterable[PieceState]) -> Value:
    facts = rules.common.pieces
    return {each.name: piece_text(rules, piece) for each, piece in zip(facts, pieces, strict=True)}


def piece_text(rules: GameRules, piece: PieceState) -> str:
    """Return a piece as text for a file: its place, its troops, and the words `face-down` and `supreme` if they
    apply."""
    parts = [place_text(rules, piece.city)]
    if piece.troops:
        parts.append(str(piece.troops))
    if piece.down:
        parts.append("face-down")
    if piece.on_top:
        parts.append("supreme")
    return ", ".join(parts)


def own_troops(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return all pieces in the form in which files write them. Only the generals of `powers` have troops."""
    facts, pieces = table.rules.common.pieces, table.state.field.pieces
    others = [PieceState(piece.city, 0, piece.down, piece.on_top) for piece in pieces]
    seen = [own if each.power in powers else other for each, own, other in zip(facts, pieces, others, strict=True)]
    return write_pieces(table.rules, seen)


def read_markers(reading: PositionReader, node: Node) -> dict[City, str]:
    """Read the markers on fortresses: each power's name with the fortresses that have its marker, and `none` with
    fortresses that have no marker. Fortresses that the file does not name stay as at the scenario's start. A fortress
    named twice is a fault."""
    reader, markers = reading.reader, dict(reading.state.field.markers)
    marked: set[City] = set()
    for name, value in reader.pairs(node, "markers"):
        is_none = name.value.casefold() == "none"
        power = None if is_none else reader.name(name, words("a-power"), reading.lexicon.power)
        if power is None and not is_none:
            continue
        for city in reader.names(value, words("a-fortress"), reading.lexicon.city):
            twice = words("marker-twice", city=k.city_name(reading.rules, city))
            if reader.check_first(value, city, marked, twice):
                marked.add(city)
                if power is None:
                    markers.pop(city, None)
                else:
                    markers[city] = power
    return markers


def write_markers(rules: GameRules, markers: dict[City, str]) -> Value:
    start = game_named(rules.terms.game).new_state(rules).field.markers
    gone: list[Value] = [k.city_name(rules, city) for city in start if city not in markers]
    return gathered_by_power(rules, markers) | ({"none": gone} if gone else {})


def read_questions(reading: PositionReader, node: Node) -> dict[City, str]:
    """Read the fortresses with a question mark. Return each with the power that would conquer it (§10.3)."""
    by_power = reading.powers(node, words("question-marks"))
    cities = [
        (power, reading.reader.names(value, words("a-fortress"), reading.lexicon.city)) for _, power, value in by_power
    ]
    return {city: power for power, some in cities for city in some}


def gathered_by_power(rules: GameRules, cities: dict[City, str]) -> dict[str, Value]:
    """Return, for each power, the names of its cities. `cities` maps each city to its power."""
    powers = sorted(set(cities.values()))
    return {power: [k.city_name(rules, city) for city in sorted(cities) if cities[city] == power] for power in powers}


def read_hands(reading: PositionReader, node: Node) -> dict[str, list[Card]]:
    """Read the hands in the file, and sort the cards of each. It is a fault if a power takes no part in the game, or
    has two hands; such a hand is left out."""
    hands: dict[str, list[Card]] = {}
    for place, value in reading.reader.pairs(node, "hands"):
        power = reading.reader.name(place, words("a-power"), reading.lexicon.power)
        cards = reading.place_cards(value)
        if power is not None and power not in reading.rules.powers:
            rule = reading.game.cited.powers
            reading.reader.note(place, wrong("E-POSITION.power", rule=rule, power=power))
        elif power and reading.reader.check_first(place, power, hands, words("hand-twice", power=power)):
            hands[power] = sorted(cards)
    return hands


def read_unused(reading: PositionReader, node: Node) -> list[Deck]:
    """Read the list of unused decks. It is a fault if the file also places a card of such a deck somewhere."""
    nodes = reading.reader.items(node, words("unused-decks"))
    numbers = [reading.reader.number(each, words("a-deck"), 1, reading.rules.common.decks.decks) for each in nodes]
    for each, number in zip(nodes, numbers, strict=True):
        if number and any(deck_of(card) + 1 == number for card in reading.placed):
            rule = reading.game.cited.cards
            reading.reader.note(each, wrong("E-POSITION.unused", rule=rule, deck=number))
    return [Deck(number - 1) for number in numbers if number]


def write_unused(rules: GameRules, unused: Iterable[Deck]) -> Value:
    return [deck + 1 for deck in unused]


def read_piles(reading: PositionReader, node: Node) -> list[list[Card]]:
    """Read the cards that are set aside. Return a list with one pile for each deck."""
    cards = sorted(reading.place_cards(node))
    return [[card for card in cards if deck_of(card) == deck] for deck in range(reading.rules.common.decks.decks)]


def write_piles(rules: GameRules, piles: Iterable[Iterable[Card]]) -> Value:
    return k.write_cards(rules, (card for pile in piles for card in pile))


TURN = Row("turn", Kind(read_turn, k.as_is), everybody)
STAGE = Row("stage", Kind(read_stage, k.as_is), everybody, left_out=NOTHING)
PHASE = Row("phase", Kind(read_phase, k.as_is), everybody, left_out=NOTHING)
BEGUN = Row("begun", k.truth("begun"), everybody)
OWING = Row("owing", k.list_kind(words("power-owing"), k.power(words("power-owing"))), everybody)
MOVED = Row("moved", k.unordered_kind(words("piece-moved"), k.piece(words("piece-moved"))), everybody)
MOMENT = (TURN, STAGE, PHASE, BEGUN, OWING, MOVED)

PIECES = Row("pieces", Kind(read_pieces, write_pieces), own_troops, field="field.pieces", left_out=NOTHING)
MARKERS = Row("markers", Kind(read_markers, write_markers), everybody, field="field.markers")
QUESTIONS = Row("questions", Kind(read_questions, gathered_by_power), everybody, field="field.questions")
FIELD = (PIECES, MARKERS, QUESTIONS)

HANDS = Row("hands", Kind(read_hands, k.by_power("hands", k.CARDS).write), own_values, field="cards.hands", dealt=True)
DRAW = Row("draw", k.from_top(k.CARDS), nobody, field="cards.draw", always=True, dealt=True)
UNUSED = Row("unused", Kind(read_unused, write_unused), everybody, field="cards.unused", always=True, dealt=True)
PILES = Row("set aside", Kind(read_piles, write_piles), nobody, field="cards.discards", dealt=True)
SHUFFLES = Row("shuffles", k.number("shuffles", 0, 10_000), everybody, field="cards.shuffles", dealt=True)
CARDS = (HANDS, DRAW, UNUSED, PILES, SHUFFLES)
"""Rows for cards. Cards that a file does not mention are dealt by `read_cards`."""

NUMBER = k.number(words("the-number"), -999, 999)
SIDE = k.word("turn", {"attacker": "attacker", "defender": "defender"})
DUEL_FIELDS: dict[str, AnyKind] = {
    "attacking city": k.CITY,
    "defending city": k.CITY,
    "attacker": k.POWER,
    "defender": k.POWER,
    "score": NUMBER,
    "turn": SIDE,
}
RETREAT_FIELDS: dict[str, AnyKind] = {"start": k.CITY, "length": NUMBER, "winner": k.POWER, "from city": k.CITY}
RESULT_FIELDS: dict[str, AnyKind] = {"winner": k.WINNER, "how": k.ENDING, "held": k.HELD}
"""Kinds of the fields that a game's result has in every game."""

BATTLES = Row("battles", k.list_kind("battles", k.pairing(words("an-attack"))), everybody)
DUEL = Row("duel", k.optional(k.record(Duel, "duel", DUEL_FIELDS)), everybody)
RETREAT = Row("retreat", k.optional(k.record(Retreat, "retreat", RETREAT_FIELDS)), everybody)
COMBAT = (BATTLES, DUEL, RETREAT)
