"""Position files of MARIA: the parts that all games have, hussars, tolls, politics, and the result
(docs/positions.md)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from pbem.engine.decisions import Claim
from pbem.engine.field import OFF, Alliances
from pbem.engine.nouns import City, Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words, wrong
from pbem.games.maria.rules import state
from pbem.games.maria.rules import state as maria
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.gambit import depart
from pbem.games.maria.rules.invariants_of_politics import WHOSE
from pbem.games.maria.rules.peace import alliances_due
from pbem.games.maria.rules.politics import OPEN_CARDS, card_facts
from pbem.games.maria.rules.politics_data import Political
from pbem.games.maria.rules.state import Affairs, Agreement, Cancellation, Contract, Gambit, new_field, shuffle_deck
from pbem.paper.documents.strict import Node
from pbem.paper.documents.writing import Value
from pbem.paper.positions import kinds as k
from pbem.paper.positions import shared
from pbem.paper.positions.kinds import Kind, PositionReader
from pbem.paper.positions.rows import (
    NOTHING,
    Row,
    by_rows,
    counts_alone,
    everybody,
    own_values_and_counts,
    read_part,
    task,
    write_rows,
)

ALLIANCES_ROWS = tuple(WHOSE)


def rules_of(rules: GameRules) -> MariaRules:
    assert isinstance(rules, MariaRules)
    return rules


def read_battle(reading: PositionReader, node: Node) -> dict[str, int]:
    """Read the number of markers in each power's battle box. A power that is not written has none."""
    return dict.fromkeys(rules_of(reading.rules).game.advanced.markers, 0) | k.read_numbers(reading, node)


def read_tracks(reading: PositionReader, node: Node) -> dict[str, int]:
    """Read the box of each track's marker. A file counts boxes from 1, the program from 0. Markers not in the file are
    on their stars."""
    facts, tracks = rules_of(reading.rules).politics.tracks, dict(reading.state.affairs.tracks)
    mapping = reading.reader.mapping(node, "tracks")
    for name, value in (reading.reader.known_entries(mapping, facts, "tracks") if mapping else {}).items():
        box = reading.reader.number(value, words("box-of", track=name), 1, len(facts[name].boxes))
        tracks |= {} if box is None else {name: box - 1}
    return tracks


def read_political(reading: PositionReader, node: Node) -> Political | None:
    known = {str(card.number): card.number for card in rules_of(reading.rules).politics.cards}
    return reading.reader.word(node, words("political-card"), known)


def read_numbers_for(reading: PositionReader, node: Node) -> dict[str, int]:
    """Read a mapping from names to numbers. Names are not checked; faulty numbers are left out."""
    mapping = reading.reader.mapping(node, words("numbers"))
    items = (mapping.items if mapping else {}).items()
    found = {key: reading.reader.number(value, key, -99, 99) for key, value in items}
    return {key: number for key, number in found.items() if number is not None}


def sorted_cards(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the cards of the deck sorted, because their sequence is secret."""
    assert isinstance(written, list)
    return [*sorted(written)]


def wishes_of_powers(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the wishes to cancel a contract that concern at least one of these powers."""
    assert isinstance(written, list)
    return [wish for wish in written if not set(powers).isdisjoint(Cancellation.read(str(wish)))]


def scores_at_end(table: Table, powers: Collection[Power], written: Value) -> Value:
    """Return the winter scores once the game is over. Until then each score is empty, because only their number is
    public (§13)."""
    assert isinstance(written, list)
    return [each if table.state.phase == "over" else {} for each in written]


POWERS = k.list_kind(words("a-power"), k.POWER)
POLITICAL = k.list_kind(words("cards"), Kind(read_political, k.as_is))
TURN = Kind(
    lambda reading, node: reading.reader.number(node, words("a-turn"), 0, rules_of(reading.rules).scenario.turns) or 0,
    k.as_is,
)
CONTRACT = k.record(
    Contract,
    words("a-contract"),
    {
        "giver": k.POWER,
        "receiver": k.POWER,
        "turns": k.number("turns", 1, 99),
        "fixed": k.flag("this"),
        "by": k.POWER,
    },
    "E-FORM-MISSING.contract",
)
AGREEMENT = k.record(
    Agreement,
    words("an-agreement"),
    {"powers": k.tuple_kind(words("a-power"), k.POWER), "words": k.text("words"), "turn": TURN},
    "E-FORM-MISSING.agreement",
)
CORPS = k.by_power("corps", k.list_kind(words("a-general"), k.piece(words("a-general"))))

AFFAIRS_ROWS = (
    Row("battle", Kind(read_battle, k.write_numbers), everybody),
    Row("boxes", k.by_word("boxes", k.POWER), everybody, field="special"),
    Row("markers set aside", k.NUMBERS, everybody, field="set_aside"),
    Row("scores", k.list_kind("scores", k.NUMBERS), scores_at_end),
    Row("tracks", Kind(read_tracks, lambda rules, tracks: {name: box + 1 for name, box in tracks.items()}), everybody),
    Row("election", k.flag("this"), everybody),
    Row("victor", k.optional(k.PLAYER), everybody),
    Row("trump", k.optional(k.SUIT), everybody),
    Row("display", k.by_power(words("cards"), k.SOME_CARDS), everybody),
    Row("covered", k.by_power(words("cards"), k.SOME_CARDS), own_values_and_counts),
    Row("order", POWERS, everybody),
    Row("shifts", Kind(read_numbers_for, k.write_numbers), everybody),
    Row("executed", k.list_kind(words("players"), k.PLAYER), everybody),
    Row("income", k.NUMBERS, everybody),
    Row("lasting", k.NUMBERS, everybody),
    Row("drawn", POWERS, everybody),
    Row("annexed", k.nonzero(TURN), everybody),
    Row("offered", k.flag("this"), everybody),
    Row("reduced", k.flag("this"), everybody),
    Row("votes", k.NUMBERS, everybody),
    Row("offers", k.list_kind(words("contracts"), CONTRACT), everybody),
    Row("cancelling", k.list_kind("words", k.text(words("a-word"))), wishes_of_powers),
    Row("agreements", k.list_kind("agreements", AGREEMENT), everybody),
    Row("deck", k.from_top(POLITICAL), sorted_cards, always=True),
    Row("open", POLITICAL, everybody, always=True),
    Row("corps", CORPS, everybody, always=True),
    Row("contracts", k.list_kind(words("contracts"), CONTRACT), everybody, always=True),
)
GAMBIT_ROWS = (
    Row("laid aside", k.by_power(words("cards"), k.SOME_CARDS), counts_alone),
    Row("ceded", k.truth("ceded"), everybody),
    Row("lacking", k.NUMBERS, everybody),
    Row("held", k.NUMBERS, everybody),
)


def read_affairs(reading: PositionReader, node: Node) -> Affairs | None:
    """Read the state of the advanced game. A missing part is as at the start of a game, except that a missing deck is
    made without the political cards of past turns. Return None in a game without politics, where this part of the file
    is a fault."""
    table: maria.Table = reading.table
    affairs = table.state.affairs
    if affairs is None:
        if node is not NOTHING:
            reading.reader.note(node, wrong("E-POSITION.affairs"))
        return None
    written = read_part(reading, "affairs", AFFAIRS_ROWS, node)
    if table.state.stage != "setup":
        shuffle_deck(table)
        # Political cards of past turns leave the deck (§17.1): those that lie face-up, and others from the top. If the
        # file names a deck, that deck replaces this one below.
        face_up, state = written.get("open", []), table.state
        affairs.deck = [number for number in affairs.deck if number not in face_up]
        begun = state.stage != "politics" or state.begun or state.phase != "trump" or bool(face_up)
        count = OPEN_CARDS * (state.turn - (0 if begun else 1)) - len(face_up)
        while count > 0 and affairs.deck:
            if not card_facts(table, affairs.deck.pop()).election:
                count -= 1
    for field, value in written.items():
        setattr(affairs, field, value)
    return affairs


def read_gambit(reading: PositionReader, node: Node) -> Gambit | None:
    """Read the state of the Silesia Gambit, or None in another game. If Silesia is ceded, the powers that peace takes
    out of the game are removed."""
    gambit: Gambit | None = reading.state.gambit
    if gambit is not None:
        for field, value in read_part(reading, "gambit", GAMBIT_ROWS, node).items():
            setattr(gambit, field, value)
        if gambit.ceded:
            reading.state.field.half_active = ""
            depart(reading.table)
    return gambit


def read_alliances(reading: PositionReader, node: Node) -> Alliances:
    """Read the alliances. The file has only entries that do not follow from the tracks, the peace and the cession. The
    word `none` removes an entry; `neutral` leaves a power without a side. The part `stacking` lists powers with which
    others may stack."""
    alliances = alliances_due(reading.table)
    mapping = reading.reader.mapping(node, "alliances")
    entries = reading.reader.known_entries(mapping, (*ALLIANCES_ROWS, "stacking"), "alliances") if mapping else {}
    for name, value in entries.items():
        if name == "stacking":
            alliances = replace(alliances, stacking=tuple(POWERS.read(reading, value) or ()))
            continue
        changes = reading.reader.mapping(value, name)
        now: dict[str, str] = dict(getattr(alliances, name))
        for key, written in (changes.items if changes else {}).items():
            word = reading.reader.text(written, name) or ""
            if word == "none":
                now.pop(key, None)
            else:
                now[key] = "" if word == "neutral" else word
        alliances = replace(alliances, **{name: now})
    return alliances


def write_alliances(rules: GameRules, now: Alliances) -> Value:
    """Return the alliances that have changed since the start of the game, in the words that `read_alliances` reads."""
    start = new_field(rules_of(rules)).alliances
    document: dict[str, Value] = {}
    for name in ALLIANCES_ROWS:
        before, after = getattr(start, name), getattr(now, name)
        changes: dict[str, Value] = {key: word or "neutral" for key, word in after.items() if before.get(key) != word}
        changes |= {key: "none" for key in before if key not in after}
        if changes:
            document[name] = changes
    return document | ({"stacking": list(now.stacking)} if now.stacking else {})


def last_turn(rules: GameRules) -> int:
    assert isinstance(rules, MariaRules)
    return rules.scenario.turns


def hands(table: Table) -> dict[str, int]:
    """Return the size of each power's first hand, in the order of dealing (§4). A power that has left gets none."""
    rules = table.rules
    assert isinstance(rules, MariaRules)
    acts_in = table.state.field.alliances.stage
    powers = [power for power in rules.game.initial_draw if power in rules.powers]
    return {power: rules.game.powers[power].hand if acts_in[power] else 0 for power in powers}


def read_hussars(reading: PositionReader, node: Node) -> list[City]:
    """Read the cities of the hussars. Hussars that are not named are off the map. More hussars than the game has are a
    fault."""
    count: int = reading.rules.game.hussars.count
    places = PLACES.read(reading, node) or []
    if len(places) > count:
        reading.reader.note(node, wrong("E-POSITION.hussars", count=count))
    return [*places, *[OFF] * count][:count]


def read_tolls(reading: PositionReader, node: Node) -> dict[str, list[Claim]]:
    """Read the supply paths that each power still has to pay for, each with its general. A power that is named twice is
    a fault."""
    tolls: dict[str, list[Claim]] = {}
    for place, power, value in reading.powers(node, "tolls"):
        pairs = reading.reader.pairs(value, "tolls")
        if reading.reader.check_first(place, power, tolls, words("tolls-twice", power=power)):
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


PLACES = k.list_kind(
    words("hussar-place"),
    Kind(lambda reading, node: shared.read_place(reading, node, words("hussar-place")), shared.place_text),
)
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
        "homes": k.tuple_kind(words("a-power"), k.POWER),
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
AFFAIRS = Kind(read_affairs, lambda rules, affairs: write_rows(rules, AFFAIRS_ROWS, affairs) if affairs else {})
GAMBIT = Kind(read_gambit, lambda rules, gambit: write_rows(rules, GAMBIT_ROWS, gambit) if gambit else {})
ALLIANCES = Kind(read_alliances, write_alliances)

POSITIONS = (
    *shared.MOMENT,
    *shared.FIELD,
    Row("hussars", Kind(read_hussars, PLACES.write), everybody, field="field.hussars"),
    *shared.CARDS,
    Row("tolls", Kind(read_tolls, write_tolls), everybody),
    *shared.COMBAT,
    Row("result", k.optional(RESULT), everybody),
    Row("affairs", AFFAIRS, by_rows(AFFAIRS_ROWS), left_out=NOTHING),
    Row("gambit", GAMBIT, by_rows(GAMBIT_ROWS)),
    Row("alliances", ALLIANCES, everybody, field="field.alliances", left_out=NOTHING),
    Row("tasks", k.list_kind("tasks", TASK), everybody),
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
