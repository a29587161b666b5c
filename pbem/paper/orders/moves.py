"""Section `move` of an order file: marches, trains that return, and transfers between them, in sequence
(docs/orders.md)."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as ManyOf

from msgspec.structs import replace

from pbem.engine import decisions as d
from pbem.engine.board import Board
from pbem.engine.cards import points
from pbem.engine.field import by_command, pieces_at
from pbem.engine.march import CityEntry, Column, destinations
from pbem.engine.nouns import City, Piece
from pbem.engine.refused_ways import refused_way, returning_way, way_but_for
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table
from pbem.engine.troops import highest_of, needs_commander
from pbem.engine.ways import Way, has_gaps, ways_to
from pbem.faults.wrong import Wrong, words, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.reader import split
from pbem.paper.documents.strict import MappingNode, Node, SequenceNode, Text
from pbem.paper.orders.forms import Either, Input, Lines, Option, Part, Path, Record, choice
from pbem.paper.orders.names import NamedThing, Places, SectionReader, SectionWriter, WrittenOrder, numbers, places_of
from pbem.paper.orders.section import (
    AnswerDraft,
    AnySection,
    ReadOne,
    Section,
    TableT,
    Unusable,
    in_readers_words,
    payment,
)
from pbem.paper.orders.sections import paid_recruits, read_transfer, write_recruits
from pbem.seal.canonical import Tree

Line = WrittenOrder[d.Answer]


def read_moves(self: SectionReader, node: Node, recruits: ReadOne[d.Recruitment] | None = None) -> list[Line]:
    """Return the lines of the moves, followed by the end of the moves. If a line is faulty, it is left out, and so is
    the end, because moves may be missing. `recruits` is the function that reads a recruitment, in a game in which one
    may be a line of the moves."""
    if isinstance(node, Text) and node.is_nothing:
        return [WrittenOrder(d.Done(), node)]
    if not isinstance(node, SequenceNode):
        self.reader.note(node, wrong("E-FORM-LIST.move"))
        return []
    lines: list[Line] = []
    before = self.reader.gaps
    for item in node.items:
        gaps = self.reader.gaps
        line = read_line(self, item, recruits)
        lines += [line] if line is not None and self.reader.gaps == gaps else []
    return [*lines, WrittenOrder(d.Done(), node)] if self.reader.gaps == before else lines


def read_line(self: SectionReader, node: Node, recruits: ReadOne[d.Recruitment] | None) -> Line | None:
    """Return one line of the moves, or None after a fault. `recruits` is the function that reads a recruitment, in a
    game in which one may be a line of the moves."""
    if not isinstance(node, MappingNode):
        self.reader.note(node, wrong("E-FORM-MOVE"))
        return None
    if "re-enter" in node.items:
        return read_return(self, node)
    if "recruit" in node.items and recruits:
        return move_line(
            recruits(self, self.reader.known_entries(node, ("recruit",), words("recruits-between"))["recruit"])
        )
    if "transfer" in node.items:
        return move_line(read_transfer(self, node.items["transfer"]))
    if "march" in node.items:
        entries = self.reader.known_entries(node, ("march", "to", "via", "commander"), words("a-march"))
        if "to" not in entries:
            self.reader.note(node, wrong("E-FORM-MISSING.march"))
            return None
        commander = self.piece(entries["commander"]) if "commander" in entries else None
        way = [entries[key] for key in ("via", "to") if key in entries]
        return read_march(self, entries["march"], way, commander, node)
    if len(node.items) != 1:
        self.reader.note(node, several_moves(self, node))
        return None
    ((pieces, path),) = self.reader.pairs(node, words("a-move"))
    return read_march(self, pieces, [path], None, node)


def several_moves(self: SectionReader, node: MappingNode) -> Wrong:
    """Return the fault of a line that is not one move. If commas inside braces have divided a way, so that cities are
    keys without a value, the fault has the line as it should be."""
    written, rules = self.reader.pairs(node, words("a-move")), self.lexicon.rules.common
    first = [goal.value for _, goal in written[:1] if isinstance(goal, Text)]
    further = [key.value for key, value in written[1:] if isinstance(value, Text) and value.is_nothing]
    way = [*filter(self.lexicon.is_city, (*first, *further))]
    if not further or len(way) < len(written):
        return wrong("E-FORM-MOVE.line")
    movers = [piece for part in split(written[0][0], "+") if (piece := self.piece(part))]
    cities = rules.board.names([self.lexicon.city(name) for name in way])
    fault = wrong("E-FORM-MOVE.braces", movers=" + ".join(rules.names(numbers(movers))), cities=cities)
    return in_readers_words(fault, rules.board)


def move_line(written: WrittenOrder[d.Transfer] | WrittenOrder[d.Recruitment] | None) -> Line | None:
    """Return a transfer or recruitment as a line of the moves. Return None if `written` is None."""
    return None if written is None else WrittenOrder(written.said, written.node, written.places, written.cards)


def read_march(
    self: SectionReader, pieces: Node, way: ManyOf[Node], commander: NamedThing[Piece] | None, node: Node
) -> Line | None:
    """Return a march that consists of these pieces, cities and commander. `node` is the whole line. Return None if
    there are no pieces."""
    written = split(pieces, "+") if isinstance(pieces, Text) else self.reader.items(pieces, "march")
    movers = tuple(named for part in written if (named := self.piece(part)) is not None)
    near = names_in_reach(self.table, numbers(movers))
    cities = tuple(city for part in way for city in self.cities(part, words("a-path"), near))
    places = places_of("pieces", movers) | places_of("path", cities)
    if commander:
        places["commander",] = commander.node
    leader = commander.number if commander else None
    return WrittenOrder(d.Move(numbers(movers), numbers(cities), leader), node, places) if movers else None


def names_in_reach(table: Table | None, movers: ManyOf[Piece]) -> ManyOf[str]:
    """Return the names of the cities that these pieces would reach by a march if nothing stood in the way. Return none
    without a table, and for pieces that are not on the map."""
    if table is None or not movers or table.state.field.pieces[movers[0]].city < 0:
        return ()
    return table.rules.common.board.names(game_of(table).column_of(table, movers).ground.cities)


def read_return(self: SectionReader, node: MappingNode) -> Line | None:
    """Return the line by which a train returns, with the keys `re-enter`, `at` and `pay`. Return None after a fault."""
    entries = self.reader.known_entries(node, ("re-enter", "at", "pay"), words("a-return"))
    missing = tuple(key for key in ("at", "pay") if key not in entries)
    if missing:
        self.reader.note(node, wrong("E-FORM-MISSING.return", keys=missing))
        return None
    train, city = self.piece(entries["re-enter"]), self.city(entries["at"])
    pay = self.cards(entries["pay"])
    if train is None or city is None:
        return None
    places: Places = {("train",): train.node, ("city",): city.node}
    return WrittenOrder(d.Reenter(train.number, city.number, ()), node, places, pay)


def move(asked: AnswerDraft[TableT, d.March, d.Answer]) -> d.Answer:
    """Return the answer that is made of a line of the moves. It has the cities that the line leaves out, and the cards
    with which the power pays."""
    said = asked.said
    if isinstance(said, d.Move):
        return with_way(asked, said)
    if isinstance(said, d.Recruitment):
        return paid_recruits(asked, said)
    return replace(said, cards=asked.cards()) if isinstance(said, d.Reenter) else said


def with_way(asked: AnswerDraft[TableT, d.March, d.Answer], said: d.Move) -> d.Move:
    """Return a march in which the cities are filled in that the player left out, and add warnings to `asked`. If every
    way is closed, a closed one is filled in, so that the refusal can tell what blocks it. If there is no way at all,
    return the march unchanged. Raises `Unusable` with the way to write if the march must enter a city twice."""
    rules, field = asked.table.rules.common, asked.table.state.field
    start = field.pieces[said.pieces[0]].city
    is_known = all(rules.board.in_play(city) for city in said.path)
    if rules.ways == "written" or start < 0 or not is_known or not has_gaps(rules.board, start, said.path):
        return said
    if not can_go(asked.table, asked.decision, said.pieces):
        return said
    column = game_of(asked.table).column_of(asked.table, said.pieces)
    ways = ways_to(column, said.path)
    path = ways[0].path if ways else way_but_for(column, said.path, asked.table.state.moved)
    rule = game_of(asked.table).cited.marches
    if path is None and (back := returning_way(column, said.path)):
        told = wrong("E-MARCH-ROAD.twice", rule=rule, way=rules.board.names(back))
        raise Unusable(asked.places["path", len(said.path) - 1], told)
    path = path or refused_way(column, said.path)
    if path is None:
        return said
    place_cities(asked.places, said.path, path)
    node = asked.places["path", len(path) - 1]
    asked.warnings.extend(
        Fault.at(node.line, node.column, told) for told in difference_warnings(rules.board, ways, rule)
    )
    return replace(said, path=path)


def place_cities(places: Places, stops: ManyOf[City], path: ManyOf[City]) -> None:
    """Give each city in the path of a march a place in the file. A city in `stops`, which the player wrote, has its own
    place. A city that was filled in gets the place of the next written city."""
    nodes = [places["path", place] for place in range(len(stops))]
    passed = 0
    for place, city in enumerate(path):
        places["path", place] = nodes[passed]
        passed += passed < len(stops) - 1 and city == stops[passed]


DIFFERENCES = ("W-MARCH-WAY.conquers", "W-MARCH-WAY.questions", "W-MARCH-WAY.train", "W-MARCH-WAY.hussar")
"""Wordings of the warnings that another way would have more effects. There is one for each kind of effect in
`Way.effects`."""


def difference_warnings(board: Board, ways: ManyOf[Way], rule: str) -> Iterator[Wrong]:
    """Compare the first of the `ways` with the others, and yield at most one warning for each kind of effect. A warning
    names cities in which another way has this effect, and the first way does not. `rule` is the § that the warnings
    name."""
    for number, wording in enumerate(DIFFERENCES):
        other = max(ways, key=lambda way: len(way.effects[number] - ways[0].effects[number]), default=None)
        if other and (more := other.effects[number] - ways[0].effects[number]):
            cities, way, instead = board.names(sorted(more)), board.names(ways[0].path), board.names(other.path)
            yield in_readers_words(wrong(wording, rule=rule, way=way, other=instead, cities=cities), board)


def write_move(pen: SectionWriter, answer: d.Answer) -> Tree:
    """Return a move as a list with one line. Return an empty list for the end of the moves."""
    match answer:
        case d.Move(pieces, path, None):
            return [{" + ".join(pen.rules.names(pieces)): pen.cities(path)}]
        case d.Move(pieces, path, int(commander)):
            return [{"march": pen.pieces(pieces), "to": pen.cities(path), "commander": pen.piece(commander)}]
        case d.Reenter(train, city, cards):
            return [{"re-enter": pen.piece(train), "at": pen.city(city), "pay": pen.cards(cards)}]
        case d.Recruitment():
            return [{"recruit": write_recruits(pen, answer)}]
    return []


def move_form(pen: SectionWriter, table: Table, decision: d.March, others: ManyOf[Input] = ()) -> Input:
    """Return the form of one line of the moves: a march, the return of a train, one of the `others`, or the end."""
    marches = [way for column in marching_columns(table, decision) for way in march_forms(pen, table, column)]
    ways = (*marches, *return_forms(pen, table, decision), *others)
    return Lines(Either(ways), least=1 if decision.leaving else 0)


def march_forms(pen: SectionWriter, table: Table, movers: ManyOf[Piece]) -> list[Record]:
    """Return the forms for a march of the pieces in `movers`. One form is for all cities where no supreme commander
    must be chosen (§6). Each other city has a form of its own."""
    column = game_of(table).column_of(table, movers)
    free: list[Option] = []
    found: list[Record] = []
    for city, path in destinations(column).items():
        way, leaders = Option(pen.cities(path)), leaders_in(column, city)
        if leaders:
            found.append(march_record(pen, column, (way,), leaders))
        elif city != column.start:
            free.append(way)
    return [march_record(pen, column, tuple(free)), *found] if free else found


def march_record(pen: SectionWriter, column: Column, ways: tuple[Option, ...], leaders: ManyOf[Piece] = ()) -> Record:
    """Return the form of a march along one of the `ways`. If there are `leaders`, one of them must be chosen as
    commander."""
    parts = {
        "march": Part(choice(pen.pieces(column.movers))),
        "to": Part(Path(pen.city(column.start), ways)),
    }
    return Record(parts | ({"commander": Part(choice(*pen.pieces(leaders)))} if leaders else {}))


def leaders_in(column: Column, city: City) -> list[Piece]:
    """Return the generals among whom a commander must be chosen if the march ends in this city. Return an empty list if
    it is clear who commands."""
    if column.entry(city) is not CityEntry.JOIN:
        return []
    stack = by_command(column.rules, column.field, [*column.movers, *column.taken[city]])
    return highest_of(column.rules, stack) if needs_commander(column.rules, stack) else []


def return_forms(pen: SectionWriter, table: Table, decision: d.March) -> list[Input]:
    """Return a form for the return of each train. Return no forms if the hand cannot pay."""
    hand, price = table.state.cards.hands[decision.power], table.rules.common.limits.train_price
    if points(pen.rules.decks, hand) < price:
        return []
    return [
        Record(
            {
                "re-enter": Part(choice(pen.piece(train)), price=price),
                "at": Part(choice(*pen.cities(cities))),
                "pay": Part(payment(pen, hand)),
            }
        )
        for train, cities in decision.trains.items()
    ]


def marching_columns(table: Table, decision: d.March) -> list[tuple[Piece, ...]]:
    """Return the groups of pieces that may march: each single piece, and each whole stack that may march together."""
    columns: list[tuple[Piece, ...]] = [(piece,) for piece in decision.pieces]
    for piece in decision.pieces:
        mates = tuple(pieces_at(table.state.field, table.state.field.pieces[piece].city))
        if len(mates) > 1 and mates[0] == piece and can_go(table, decision, mates):
            columns.append(mates)
    return columns


def can_go(table: Table, decision: d.March, movers: ManyOf[Piece]) -> bool:
    try:
        game_of(table).check_movers(table, decision, movers)
    except IllegalOrder:
        return False
    return True


def move_price(table: Table, decision: d.March, answer: d.Answer) -> int:
    """Return the price of a move, in points of cards. Only the return of a train has a price; for all other moves
    return 0."""
    return table.rules.common.limits.train_price if isinstance(answer, d.Reenter) else 0


MOVE: AnySection = Section(
    "move", "§10", d.March, (d.Move, d.Reenter, d.Done), read_moves, move, write_move, move_form, price=move_price,
    joins="lines", is_before_battles=True,
)  # fmt: skip
