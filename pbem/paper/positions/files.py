"""Positions as documents. A position of any game is read or written in full, or as far as a reader may know it.

A value that a document leaves out is as at the start of the scenario."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.engine.cards import Cards, Dealer, SeededDealer, deck_cards, deck_of, put_on_pile
from pbem.engine.field import troops_of
from pbem.engine.invariants import Problem
from pbem.engine.memory import Declaration, MapState, Memory, map_state_of
from pbem.engine.nouns import Card, City, Deck, Power, each_piece
from pbem.engine.rules import Rules
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words, wrong
from pbem.kit import game_named, game_of
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import (
    game_paper,
    game_paper_named,
    named_rules,
    read_game,
    term_keys,
    terms_document,
)
from pbem.paper.positions import kinds as k
from pbem.paper.positions.kinds import MOST_CARDS, PositionReader
from pbem.paper.positions.rows import Row, known_rows, read_rows, write_rows
from pbem.paper.positions.shared import CARDS, DRAW, HANDS, PILES, SHUFFLES, UNUSED
from pbem.seal.canonical import AnyTree


def write_position(table: Table) -> str:
    """Return a position as the text of a YAML file. Empty values are left out."""
    return write(position_document(table))


def position_document(table: Table) -> dict[str, Value]:
    """Return a position as a document. Empty values are left out."""
    return head_of(table) | rows_document(table)


def head_of(table: Table) -> dict[str, Value]:
    """Return the first entries of a position: the terms, and the seed from which the shuffles follow, if there is
    one."""
    head: dict[str, Value] = {"pbem": 1, "kind": "position", **terms_document(table.rules.terms)}
    if isinstance(table.dealer, SeededDealer):
        head["seed"] = table.dealer.seed
    return head


def rows_document(table: Table) -> dict[str, Value]:
    """Return the values of a position as its rows write them. Before the cards are dealt, some rows have no value yet
    (`Row.dealt`), and are left out."""
    state = table.state
    is_dealt = state.stage != "setup" or state.begun
    rows = [row for row in game_paper(table).positions if is_dealt or not row.dealt]
    return write_rows(table.rules, rows, state)


KIND = "knowledge"
"""Value of the key `kind` in documents that have only what some players know."""


def known_document(table: Table, powers: Collection[Power]) -> dict[str, Value]:
    """Return as a document the part of a position that the players of these powers may know. If `powers` is empty, this
    is the part that everybody may know."""
    own: list[Value] = [power for power in table.rules.powers if power in powers]
    head: dict[str, Value] = {"pbem": 1, "kind": KIND, "powers": own, **terms_document(table.rules.terms)}
    told = known_rows(table, powers, game_paper(table).positions, rows_document(table))
    return {**head, **told, **totals(table, powers)}


def totals(table: Table, powers: Collection[Power]) -> dict[str, Value]:
    """Return totals that everybody knows although the single values are hidden: the troops and the size of the hand of
    each power outside `powers`, and the sizes of the piles."""
    rules, state = table.rules, table.state
    others = [power for power in rules.powers if power not in powers]
    troops = {power: troops_of(rules.common, state.field, power) for power in others}
    return {
        "troops": {power: count for power, count in troops.items() if count},
        "hand sizes": {power: len(state.cards.hands[power]) for power in others},
        "pile sizes": [len(pile) for pile in state.cards.discards],
    }


def load_known(content: bytes, source: str, folder: Path | None = None) -> Table:
    """Return the table in a document that has only what some players know. Values that are hidden from them are
    invented. `folder` has the files that the document names. Raises `Refused` with all faults. It is not checked that
    the values fit each other."""
    return load_knowledge(content, source, folder).table


class Knowledge(Struct, frozen=True):
    """Table as some players know it, and the tactical cards whose places are in the document. The places of all other
    cards are invented."""

    table: Table
    placed: frozenset[Card]


def load_knowledge(content: bytes, source: str, folder: Path | None = None) -> Knowledge:
    """Read a document as `load_known` does. Return the table, and the tactical cards whose places are in the
    document."""
    reader = Reader(source)
    kind = DocumentKind(KIND, ("powers", "remembered"))
    reading = read_table(reader, read_yaml(content, source), kind, folder, None)
    return Knowledge(reading.table, frozenset(reading.placed))


PIECE = k.piece(words("a-piece"))
WAY = k.tuple_kind("came", k.CITY)
DECLARED = k.list_kind(
    "declared",
    k.record(
        Declaration,
        "declared",
        {"generals": k.tuple_kind("generals", PIECE), "troops": k.number("troops", 1, 999), "sure": k.truth("sure")},
    ),
)


def nothing_remembered(table: Table) -> Memory:
    """Return an empty memory, for a position whose past is unknown."""
    return Memory(map_state_of(table.state.field))


def remembered_document(rules: Rules, memory: Memory) -> dict[str, Value]:
    """Return a memory as a document: the way by which each piece has come, and the troops that generals have
    declared."""
    cities, pieces = rules.board.cities, rules.pieces
    return {
        "came": {pieces[piece].name: [cities[city].name for city in way] for piece, way in sorted(memory.ways.items())},
        "declared": [
            {
                "generals": [pieces[general].name for general in each.generals],
                "troops": each.strength,
                "sure": "yes" if each.sure else "no",
            }
            for each in memory.declared
        ],
    }


def read_remembered(table: Table, node: Node, source: str) -> Memory:
    """Return the memory in a document, for a table. Raises `Refused` with all faults."""
    reading = PositionReader(Reader(source), table, {}, game_paper(table))
    mapping = reading.reader.mapping(node, "remembered")
    entries = reading.reader.known_entries(mapping, ("came", "declared"), "remembered") if mapping else {}
    memory = nothing_remembered(table)
    if "came" in entries:
        for name, value in reading.reader.pairs(entries["came"], "came"):
            piece, way = PIECE.read(reading, name), WAY.read(reading, value)
            if piece is not None and way:
                memory.ways[piece] = way
    if "declared" in entries:
        memory.declared = DECLARED.read(reading, entries["declared"]) or []
    reading.reader.refuse()
    return memory


def read_cards(reading: PositionReader, usual: Mapping[str, int]) -> None:
    """Read hands, draw deck and piles, and deal all cards to which the file gives no place. If the file does not give
    the size of a hand, the size is taken from `usual`. Before the set-up has begun, nothing is dealt, unless the file
    has hands or a draw deck."""
    state = reading.state
    if state.stage == "setup" and not state.begun and not set(reading.entries) & {"hands", "draw"}:
        return
    facts = reading.rules.common.decks
    hands, draw = given_value(reading, HANDS) or {}, given_value(reading, DRAW)
    piles = given_value(reading, PILES) or [[] for _ in range(facts.decks)]
    unused = given_value(reading, UNUSED)
    if unused is None:
        unused = [Deck(deck) for deck in range(1, facts.decks) if all(deck_of(card) != deck for card in reading.placed)]
    in_use = [deck for deck in range(facts.decks) if deck not in unused]
    rest = [card for deck in in_use for card in deck_cards(facts, deck) if card not in reading.placed]
    cards = Cards(draw or [], unused, piles, hands={}, shuffles=len(in_use))
    if draw is None:
        rest = fill_piles(reading, piles, list(reading.table.dealer.shuffle(0, rest)))
        cards.draw = fill_unnamed(reading, rest)[::-1]
    else:
        for card in fill_unnamed(reading, rest):
            put_on_pile(cards, card)
    if SHUFFLES.key in reading.entries:
        cards.shuffles = given_value(reading, SHUFFLES) or 0
    deal_missing(reading, cards, hands, usual)
    state.cards = cards


def given_value(reading: PositionReader, row: Row) -> Any:
    return row.kind.read(reading, reading.entries[row.key]) if row.key in reading.entries else None


def deal_missing(reading: PositionReader, cards: Cards, hands: dict[str, list[Card]], usual: Mapping[str, int]) -> None:
    """Deal each hand whose cards the file does not list. If the file gives the size of the hand, deal so many cards; if
    not, deal as many as `usual` says. If the draw deck is used up, a hand gets fewer cards."""
    for power, size in {**usual, **read_sizes(reading)}.items():
        if power not in hands:
            hands[power] = sorted(cards.draw.pop() for _ in range(min(size, len(cards.draw))))
    cards.hands = {power: hands[power] for power in reading.rules.powers}


def read_sizes(reading: PositionReader) -> dict[str, int]:
    """Return the sizes of hands that the file gives, keyed by power."""
    sizes: dict[str, int] = {}
    if "hand sizes" in reading.entries:
        for name, power, value in reading.powers(reading.entries["hand sizes"], "hand sizes"):
            size = reading.reader.number(value, words("hand-of", power=name.value), 0, MOST_CARDS)
            if power in reading.rules.powers and size is not None:
                sizes[power] = size
    return sizes


def fill_piles(reading: PositionReader, piles: list[list[Card]], rest: list[Card]) -> list[Card]:
    """Put cards of `rest` on the piles for which the file gives only a size. Return the cards that are left. It is a
    fault if there are more sizes than decks."""
    if "pile sizes" not in reading.entries:
        return rest
    nodes = reading.reader.items(reading.entries["pile sizes"], "pile sizes")
    if len(nodes) > len(piles):
        reading.reader.note(nodes[-1], wrong("E-POSITION.decks", rule=reading.game.cited.cards, count=len(piles)))
    for deck, (pile, node) in enumerate(zip(piles, nodes, strict=False)):
        size = reading.reader.number(node, words("pile-size"), 0, MOST_CARDS) or 0
        found = [card for card in rest if deck_of(card) == deck][: max(0, size - len(pile))]
        rest = [card for card in rest if card not in found]
        pile += found
        pile.sort()
    return rest


def fill_unnamed(reading: PositionReader, rest: list[Card]) -> list[Card]:
    """Put cards of `rest` into the lists for which the file gives only a length (`unnamed`). Return the cards that are
    left."""
    for cards, count in reading.unnamed:
        cards += rest[:count]
        rest = rest[count:]
    return rest


TOTALS = ("troops", "hand sizes", "pile sizes")
"""Keys of totals whose single values are hidden: the troops of each power, the sizes of the hands, and the sizes of the
piles."""


class DocumentKind(Struct, frozen=True):
    """Kind of documents about a table: a position, or what some players know of it."""

    name: str
    """Value of the key `kind` in these documents."""
    more: tuple[str, ...] = ()
    """Keys that documents of this kind have and positions do not."""


POSITION = DocumentKind("position")


def load_position(
    content: bytes, source: str, folder: Path | None = None, dealer: Dealer | None = None, *, names_paths: bool = False
) -> Table:
    """Return the table in a position file, as `read_position` does. `folder` has the files that the position names.
    Raises `Refused` with all faults."""
    return read_position(read_yaml(content, source), source, folder, dealer, names_paths=names_paths)


def read_position(
    node: Node, source: str, folder: Path | None = None, dealer: Dealer | None = None, *, names_paths: bool = False
) -> Table:
    """Return the table in a document, and check that its values fit each other. Cards to which the document gives no
    place are dealt. The `dealer` deals them, or, if there is none, the seed of the document decides. Raises `Refused`
    with all faults."""
    reader = Reader(source, names_paths=names_paths)
    reading = read_table(reader, node, POSITION, folder, dealer)
    table: Table = reading.table
    entries = reading.entries
    for problem in game_of(table).problems(table):
        reader.note(place_of(problem, entries, node, table.rules), problem.wrong)
    reader.refuse()
    return table


def read_table(
    reader: Reader, node: Node, kind: DocumentKind, folder: Path | None, dealer: Dealer | None
) -> PositionReader:
    """Read the table in a document, and return the reader, which has the table. It is not checked that the values fit
    each other. Raises `Refused` for faulty values."""
    document = reader.mapping(node, words("a-position"))
    game = game_named(read_game(reader, document.items if document else {}))
    forms = game_paper_named(game.name)
    keys = ("pbem", "kind", *kind.more, *term_keys(game.name), "seed", *(row.key for row in forms.positions), *TOTALS)
    entries = reader.known_entries(document, keys, words("a-position")) if document else {}
    read_kind(reader, entries, kind.name)
    terms = forms.read_terms(reader, entries)
    reader.refuse()
    rules = named_rules(reader, terms, folder, entries, node)
    seed = reader.text(entries["seed"], words("the-seed")) if "seed" in entries else "pbem"
    table = game.table(rules, game.new_state(rules), dealer or SeededDealer(seed or ""))
    reading = PositionReader(reader, table, entries, forms)
    fill(reading, forms.positions)
    reader.refuse()
    return reading


def fill(reading: PositionReader, rows: Sequence[Row]) -> None:
    """Read all rows of a position; the rows of cards come last. If the file has a result, the game is over."""
    read_rows(reading, [row for row in rows if row not in CARDS], reading.entries, reading.state)
    read_cards(reading, reading.own.hands(reading.table))
    if reading.state.result:
        reading.state.phase, reading.state.begun = "over", True


def read_kind(reader: Reader, entries: dict[str, Node], kind: str) -> None:
    """Add a fault if the format (`pbem`) is not 1, or if the kind is not `kind`. Both keys may be missing."""
    if "pbem" in entries:
        reader.number(entries["pbem"], words("the-format"), 1, 1)
    if "kind" in entries:
        reader.word(entries["kind"], "kind", {kind: kind})


def place_of(problem: Problem, entries: dict[str, Node], document: Node, rules: GameRules) -> Node:
    """Return the place in a position file at which a problem is shown. If the problem names a piece, this is the piece.
    Otherwise it is the first key to which the broken rule applies. If the file has neither, it is the list of pieces,
    or the whole document."""
    pieces = entries.get("pieces")
    if problem.piece is not None and isinstance(pieces, MappingNode):
        lexicon = Lexicon(rules)
        for key, value in pieces.items.items():
            if lexicon.piece(key) == problem.piece:
                return value
    suspects = game_paper_named(rules.terms.game).keys_of_rules.get(problem.rule, ())
    return next((entries[key] for key in suspects if key in entries), pieces or document)


def map_document(on_map: MapState) -> dict[str, str | dict[str, str]]:
    """Return a public map as texts. Cities and pieces are written as their numbers, as in the events of the ledger."""
    return {
        "places": line_of_numbers(on_map.places),
        "down": line_of_numbers(piece for piece, is_down in each_piece(on_map.down) if is_down),
        "on-top": line_of_numbers(piece for piece, is_on_top in each_piece(on_map.on_top) if is_on_top),
        "hussars": line_of_numbers(on_map.hussars),
        "markers": {str(city): power for city, power in sorted(on_map.markers.items())},
        "questions": {str(city): power for city, power in sorted(on_map.questions.items())},
    }


def line_of_numbers(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def map_in(document: Mapping[str, AnyTree]) -> MapState:
    """Return the public map in a document that `map_document` has returned. The numbers are not checked against the
    board. Raises `LookupError`, `TypeError`, `ValueError` or `AttributeError` if the document has another form."""
    places = [City(int(place)) for place in document["places"].split()]
    down, on_top = ({int(piece) for piece in document[key].split()} for key in ("down", "on-top"))
    return MapState(
        places=places,
        down=[piece in down for piece in range(len(places))],
        on_top=[piece in on_top for piece in range(len(places))],
        hussars=[City(int(place)) for place in document["hussars"].split()],
        markers={City(int(city)): str(power) for city, power in (document["markers"] or {}).items()},
        questions={City(int(city)): str(power) for city, power in (document["questions"] or {}).items()},
    )
