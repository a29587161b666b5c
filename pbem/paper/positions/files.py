"""Position files: any position of a game, as people write and keep it. What is left out is as at the scenario's start.

The format is documented in docs/positions.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from pbem.engine.cards import Dealer
from pbem.engine.invariants import Problem
from pbem.engine.stream import SeededDealer
from pbem.engine.table import GameRules, Table
from pbem.faults.words import words
from pbem.kit import game_named, game_of
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, read_yaml
from pbem.paper.game_paper import game_paper_named
from pbem.paper.lexicon import Lexicon
from pbem.paper.positions.cards import read_cards
from pbem.paper.positions.reader import PositionReader
from pbem.paper.positions.rows import Row, read_rows
from pbem.paper.positions.shared import CARDS
from pbem.paper.terms import named_rules, read_game, term_keys

TOTALS = ("troops", "hand sizes", "pile sizes")
"""Keys for totals of what is not given one by one: generals, hands, the cards set aside."""


class Kind(Struct, frozen=True):
    """A kind of documents that describe a table."""

    name: str
    more: tuple[str, ...] = ()
    """The keys that they have besides those of a position."""


POSITION = Kind("position")


def load_position(
    data: bytes, source: str, folder: Path | None = None, dealer: Dealer | None = None, *, names_paths: bool = False
) -> Table:
    """Return the table that a position file describes; raises `Refused` with every fault."""
    return read_position(read_yaml(data, source), source, folder, dealer, names_paths=names_paths)


def read_position(
    node: Node, source: str, folder: Path | None = None, dealer: Dealer | None = None, *, names_paths: bool = False
) -> Table:
    """Return the table that a document describes, of the game that it names.

    What it leaves to chance is dealt by `dealer`, or by the seed that the document may give. `names_paths` is for
    options of the command line alone (`Reader`).
    """
    reader = Reader(source, names_paths=names_paths)
    table, entries = read_table(reader, node, POSITION, folder, dealer)
    for problem in game_of(table).problems(table):
        reader.note(place_of(problem, entries, node, table.rules), problem.wrong)
    reader.refuse()
    return table


def read_table(
    reader: Reader, node: Node, kind: Kind, folder: Path | None, dealer: Dealer | None
) -> tuple[Table, dict[str, Node]]:
    """The table that a document of some kind describes, and its entries; whether it is possible is not judged."""
    document = reader.mapping(node, words("a-position"))
    game = game_named(read_game(reader, document.items if document else {}))
    forms = game_paper_named(game.name)
    keys = ("pbem", "kind", *kind.more, *term_keys(game.name), "seed", *(row.key for row in forms.positions), *TOTALS)
    entries = reader.known(document, keys, words("a-position")) if document else {}
    read_kind(reader, entries, kind.name)
    terms = forms.read_terms(reader, entries)
    reader.refuse()
    rules = named_rules(reader, terms, folder, entries, node)
    seed = reader.text(entries["seed"], words("the-seed")) if "seed" in entries else "pbem"
    table = game.table(rules, game.new_state(rules), dealer or SeededDealer(seed or ""))
    fill(PositionReader(reader, table, entries, forms), forms.positions)
    reader.refuse()
    return table, entries


def fill(reading: PositionReader, rows: Sequence[Row]) -> None:
    """Read everything; the cards last of all, for what is left of them is dealt then."""
    read_rows(reading, [row for row in rows if row not in CARDS], reading.entries, reading.state)
    read_cards(reading, reading.own.hands(reading.table))
    if reading.state.result:
        reading.state.phase, reading.state.begun = "over", True


def read_kind(reader: Reader, entries: dict[str, Node], kind: str) -> None:
    """Refuse another format, or another kind of document."""
    if "pbem" in entries:
        reader.number(entries["pbem"], words("the-format"), 1, 1)
    if "kind" in entries:
        reader.word(entries["kind"], "kind", {kind: kind})


def place_of(problem: Problem, entries: dict[str, Node], document: Node, rules: GameRules) -> Node:
    """The line of a position file that comes closest to a problem."""
    pieces = entries.get("pieces")
    if problem.piece is not None and isinstance(pieces, MappingNode):
        lexicon = Lexicon(rules)
        for key, value in pieces.items.items():
            if lexicon.piece(key) == problem.piece:
                return value
    suspects = game_paper_named(rules.terms.game).keys_of_rules.get(problem.rule, ())
    return next((entries[key] for key in suspects if key in entries), pieces or document)
