"""Options of some powers: their open decisions, and the cities that pieces can reach now, or could reach if they
marched."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from pbem.engine.decisions import ChooseRetreat, Decision, March
from pbem.engine.field import pieces_at
from pbem.engine.march import destinations
from pbem.engine.memory import Memory
from pbem.engine.nouns import Piece, Power, each_piece
from pbem.engine.rules import IllegalOrder, Rules
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import NameFault
from pbem.paper.lexicon import Lexicon
from pbem.paper.orders.files import form_of
from pbem.paper.orders.moves import marching_columns
from pbem.report import blocks
from pbem.report.blocks import Block, parsed_blocks
from pbem.report.language.templates import template
from pbem.report.maps import End, ends_of_march, ends_of_retreat, in_the_way, retreat_asked
from pbem.report.telling import question, told_data


def open_options(
    table: Table, powers: Collection[Power], names: Sequence[str] = (), memory: Memory | None = None
) -> list[dict[str, object]]:
    """Return each open decision of these powers as data, with the form of its answers and the cities in reach.
    Decisions that must be made come first.

    If `names` of pieces are given, return only the data that `open_decisions` returns for these pieces, without forms.
    """
    found = open_decisions(table, powers, names, memory)
    return [
        option if names or decision is None else option | {"form": msgspec.to_builtins(form_of(table, decision))}
        for decision, option in found
    ]


def open_decisions(
    table: Table,
    powers: Collection[Power],
    names: Sequence[str] = (),
    memory: Memory | None = None,
    with_ends: bool = True,
) -> list[tuple[Decision | None, dict[str, object]]]:
    """Return the open decisions of these powers, each with its data. If `names` of pieces are given, return only the
    decisions about these pieces. Without `with_ends`, the data only say which columns can march at all.

    If these pieces must retreat or have no decision, return only one pair: None, and data of the cities that they can
    reach.
    """
    game = game_of(table)
    wanted = asked_pieces(table, powers, names)
    if wanted and (asked := retreat_asked(table, wanted)):
        return [(None, retreat(table, asked))]
    if wanted and not are_asked(table, powers, wanted):
        return [(None, reach(table, powers, wanted, memory))]
    found: list[tuple[Decision | None, dict[str, object]]] = []
    for decision in (*game.decisions(table), *(() if wanted else game.anytime(table))):
        if decision.power not in powers or (wanted and is_partners(table, decision, wanted)):
            continue
        data = told_data(table.rules, decision)
        if isinstance(decision, March):
            columns = [wanted] if wanted else marching_columns(table, decision)
            data["marches"] = [marches(table, decision, column, with_ends) for column in columns]
            data["in_hand"] = cards_of(table, decision.power)
        found.append((decision, data))
    return found


def asked_pieces(table: Table, powers: Collection[Power], names: Sequence[str]) -> tuple[Piece, ...]:
    """Return the pieces with these names. If a train belongs to one of `powers`, its name need not begin with the
    power. Raises `Refused` if a name fits no piece or several pieces."""
    lexicon = Lexicon(table.rules)
    try:
        return tuple(asked_piece(lexicon, powers, name) for name in names)
    except NameFault as fault:
        raise Refused("pieces", [fault.wrong]) from None


def pieces_together(table: Table, powers: Collection[Power], names: Sequence[str]) -> tuple[Piece, ...]:
    """Return the pieces with these names. Raises `Refused` if a name fits no piece or several pieces, or if the pieces
    are in different cities."""
    pieces = asked_pieces(table, powers, names)
    check_together(table, pieces)
    return pieces


def asked_piece(lexicon: Lexicon, powers: Collection[Power], name: str) -> Piece:
    """Return the piece that has this name. Raises `NameFault` if no piece or several pieces fit.

    `train 1` is enough as a name if only one of `powers` has such a train.
    """
    try:
        return lexicon.piece(name)
    except NameFault as fault:
        own = [piece for power in powers if (piece := own_piece(lexicon, power, name)) is not None]
        if len(own) != 1:
            raise fault
        return own[0]


def own_piece(lexicon: Lexicon, power: Power, name: str) -> Piece | None:
    """Return the piece of a power that has this name. Return None if there is none."""
    try:
        return lexicon.piece(name, power)
    except NameFault:
        return None


def are_asked(table: Table, powers: Collection[Power], pieces: Sequence[Piece]) -> bool:
    """True if the pieces belong to one of these powers, and this power has to march now."""
    marching_now = {asked.power for asked in game_of(table).decisions(table) if isinstance(asked, March)}
    return table.rules.common.pieces[pieces[0]].power in marching_now.intersection(powers)


def reach(table: Table, powers: Collection[Power], pieces: Sequence[Piece], memory: Memory | None) -> dict[str, object]:
    """Return data of the cities that pieces could reach if they marched now. Raises `Refused` in the same cases as
    `check_together`.

    If the pieces belong to `powers`, the data have the cards in hand. If they are generals of other powers, the data
    have the strengths that they have stated.
    """
    rules, power = table.rules.common, table.rules.common.pieces[pieces[0]].power
    check_together(table, pieces)
    found: dict[str, object] = {"type": "Reach", "power": power, "marches": [ways_of(table, pieces)]}
    if power in powers:
        return found | {"in_hand": cards_of(table, power)}
    return found | {"declared": declared_strengths(rules, pieces, memory)} if rules.is_general(pieces[0]) else found


def check_together(table: Table, pieces: Sequence[Piece]) -> None:
    """Raise `Refused` if the pieces are off the map or in different cities."""
    rules, field = table.rules.common, table.state.field
    if off := [piece for piece in pieces if field.pieces[piece].city < 0]:
        raise Refused("pieces", [wrong("E-MARCH-OFF", piece=rules.pieces[off[0]].name)])
    if len({field.pieces[piece].city for piece in pieces}) > 1:
        raise Refused("pieces", [wrong("E-MARCH-APART", pieces=rules.names(pieces))])


def retreat(table: Table, asked: ChooseRetreat) -> dict[str, object]:
    """Return data of the cities where a beaten stack can end its retreat. Everybody may see these data."""
    rules, power = table.rules.common, table.rules.common.pieces[asked.pieces[0]].power
    told = {
        "pieces": blocks.pieces(rules, asked.pieces),
        "from": blocks.city(rules, asked.start),
        "to": [end_data(table, end) for end in ends_of_retreat(table)],
    }
    return {"type": "Retreat", "power": power, "marches": [told]}


def cards_of(table: Table, power: Power) -> list[str]:
    return blocks.notations(table.state.cards.hands.get(power, ()), with_deck=True)


def declared_strengths(rules: Rules, pieces: Sequence[Piece], memory: Memory | None) -> list[dict[str, object]]:
    """Return the strengths that these generals have stated, either alone or together with others."""
    return [
        {"generals": blocks.pieces(rules, each.generals), "troops": each.strength, "sure": each.is_exact}
        for each in (memory.declared if memory else ())
        if not {*pieces}.isdisjoint(each.generals)
    ]


def is_partners(table: Table, decision: Decision, column: Sequence[int]) -> bool:
    """True if the pieces of `column` belong to another power than the one that makes `decision`, and this other power
    must now decide something itself."""
    power = table.rules.common.pieces[column[0]].power
    return power != decision.power and any(power == other.power for other in game_of(table).decisions(table))


def marches(table: Table, decision: March, movers: Sequence[Piece], with_ends: bool) -> dict[str, object]:
    """Return data of a column that may march, and with `with_ends` of the cities where its march can end. Raises
    `Refused` if the pieces may not march together."""
    try:
        game_of(table).check_movers(table, decision, movers)
    except IllegalOrder as refusal:
        raise Refused("pieces", [refusal.wrong]) from None
    return ways_of(table, movers) if with_ends else column_data(table, movers)


def column_data(table: Table, movers: Sequence[Piece]) -> dict[str, object]:
    """Return data of a column: its pieces, their city, and if they can march at all."""
    rules, column = table.rules.common, game_of(table).column_of(table, movers)
    return {
        "pieces": blocks.pieces(rules, movers),
        "from": blocks.city(rules, column.start),
        "can_march": any(city != column.start for city in destinations(column)),
    }


def ways_of(table: Table, movers: Sequence[Piece]) -> dict[str, object]:
    """Return data of a column with the cities where its march can end, each with a shortest path to it. Also return the
    cities that block other paths."""
    rules, field = table.rules.common, table.state.field
    told: dict[str, object] = {
        "pieces": blocks.pieces(rules, movers),
        "from": blocks.city(rules, field.pieces[movers[0]].city),
        "to": [end_data(table, end) for end in ends_of_march(table, movers)],
        "blocked": {
            blocks.city(rules, city): blocks.pieces(rules, pieces_at(field, city)) for city in in_the_way(table, movers)
        },
    }
    down = [piece for piece in movers if field.pieces[piece].down]
    return told | {"face_down": blocks.pieces(rules, down)} if down else told


def end_data(table: Table, end: End) -> dict[str, object]:
    rules = table.rules.common
    return {
        "city": blocks.city(rules, end.city),
        "suit": blocks.city_suit(rules, end.city),
        "path": blocks.cities(rules, end.path),
        "forced": end.forced,
        "meets": bool(end.foes),
        "foes": blocks.cities(rules, end.foes),
        "aim": end.aim,
        "conquers": blocks.cities(rules, end.conquers),
        "questions": blocks.cities(rules, end.questions),
        "starves": end.starves,
    }


def options_blocks(
    table: Table,
    powers: Collection[Power],
    names: Sequence[str] = (),
    language: str = "en",
    memory: Memory | None = None,
) -> list[Block]:
    places = {index: piece.city for index, piece in each_piece(table.state.field.pieces) if piece.city >= 0}
    told = [
        option | {"question": question(table.rules, decision, places, language) if decision else ""}
        for decision, option in open_decisions(blocks.table_in_words(table, language), powers, names, memory)
    ]
    return parsed_blocks(template(language, table.rules.terms.game, "options.txt.j2").render(options=told))
