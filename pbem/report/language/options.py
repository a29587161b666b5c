"""What may be done now, listed: the open decisions of some powers, and where every piece may march, or could."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from pbem.engine.decisions import Decision, March
from pbem.engine.errors import IllegalOrder
from pbem.engine.march import destinations, is_forced
from pbem.engine.nouns import Piece, Power, each_piece
from pbem.engine.table import Table
from pbem.engine.ways import ways_to
from pbem.faults.wrong import wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import NameFault, fold
from pbem.paper.lexicon import Lexicon
from pbem.paper.orders.answers import form_of
from pbem.paper.orders.moves import marching
from pbem.report import naming
from pbem.report.blocks import Block, parsed
from pbem.report.language.templates import template
from pbem.report.questions import question
from pbem.report.telling import told_data


def open_options(table: Table, powers: Collection[Power], names: Sequence[str] = ()) -> list[dict[str, object]]:
    """Every open decision of these powers as data; a march with the destinations of every piece and stack.

    Unless it is asked for certain pieces, what may be decided at any time stands behind what has to be, and every
    decision has a form: what may be filled in to answer it.
    """
    found = decided(table, powers, names)
    return [
        option if names or decision is None else option | {"form": msgspec.to_builtins(form_of(table, decision))}
        for decision, option in found
    ]


def decided(
    table: Table, powers: Collection[Power], names: Sequence[str] = ()
) -> list[tuple[Decision | None, dict[str, object]]]:
    """The open decisions of these powers, each with its data; or how far pieces reach that are not asked now."""
    game = game_of(table)
    wanted = asked_pieces(table, powers, names)
    if wanted and not are_asked(table, powers, wanted):
        return [(None, reach(table, wanted))]
    found: list[tuple[Decision | None, dict[str, object]]] = []
    for decision in (*game.decisions(table), *(() if wanted else game.anytime(table))):
        if decision.power not in powers or (wanted and is_partners(table, decision, wanted)):
            continue
        data = told_data(table.rules, decision)
        if isinstance(decision, March):
            columns = [wanted] if wanted else marching(table, decision)
            data["marches"] = [marches(table, decision, column) for column in columns]
        found.append((decision, data))
    return found


def asked_pieces(table: Table, powers: Collection[Power], names: Sequence[str]) -> tuple[Piece, ...]:
    """The pieces that somebody who plays these powers asks about."""
    lexicon = Lexicon(table.rules)
    try:
        return tuple(asked_piece(lexicon, powers, name) for name in names)
    except NameFault as fault:
        raise Refused("pieces", [fault.wrong]) from None


def asked_piece(lexicon: Lexicon, powers: Collection[Power], name: str) -> Piece:
    """The piece that is meant; of a player's own trains `train 1` is enough if only one power has such a train."""
    try:
        return lexicon.piece(name)
    except NameFault as fault:
        own = [piece for power in powers if (piece := own_piece(lexicon, power, name)) is not None]
        if len(own) != 1:
            raise fault
        return own[0]


def own_piece(lexicon: Lexicon, power: Power, name: str) -> Piece | None:
    """The piece that a power may call so among its own, if there is one."""
    try:
        return lexicon.piece(name, power)
    except NameFault:
        return None


def are_asked(table: Table, powers: Collection[Power], pieces: Sequence[Piece]) -> bool:
    """Whether one of these powers is to march now, and it is its pieces that somebody asks about."""
    marching_now = {asked.power for asked in game_of(table).decisions(table) if isinstance(asked, March)}
    return table.rules.common.pieces[pieces[0]].power in marching_now.intersection(powers)


def reach(table: Table, pieces: Sequence[Piece]) -> dict[str, object]:
    """Where pieces could march if it were their turn, as things stand: what anybody sees on the board."""
    rules, field = table.rules.common, table.state.field
    if off := [piece for piece in pieces if field.pieces[piece].city < 0]:
        raise Refused("pieces", [wrong("E-MARCH-OFF", piece=rules.pieces[off[0]].name)])
    if len({field.pieces[piece].city for piece in pieces}) > 1:
        raise Refused("pieces", [wrong("E-MARCH-APART", pieces=rules.names(pieces))])
    return {"type": "Reach", "power": rules.pieces[pieces[0]].power, "marches": [ways_of(table, pieces)]}


def is_partners(table: Table, decision: Decision, column: Sequence[int]) -> bool:
    """Whether these pieces belong to another power that is asked to move as well."""
    power = table.rules.common.pieces[column[0]].power
    return power != decision.power and any(power == other.power for other in game_of(table).decisions(table))


def marches(table: Table, decision: March, movers: Sequence[Piece]) -> dict[str, object]:
    """Where these pieces may go now."""
    try:
        game_of(table).check_movers(table, decision, movers)
    except IllegalOrder as refusal:
        raise Refused("pieces", [refusal.wrong]) from None
    return ways_of(table, movers)


def ways_of(table: Table, movers: Sequence[Piece]) -> dict[str, object]:
    """Every other city that a march of these pieces can end in, with a shortest path."""
    rules, column = table.rules.common, game_of(table).column_of(table, movers)
    ways = destinations(column)
    if rules.ways == "found":  # the way that is gone where only the goal is written
        ways = {city: ways_to(column, (city,))[0].path if city != column.start else way for city, way in ways.items()}
    return {
        "pieces": naming.pieces(rules, movers),
        "from": naming.city(rules, column.start),
        "to": [
            {"city": naming.city(rules, city), "path": naming.cities(rules, path), "forced": is_forced(column, path)}
            for city, path in sorted(
                ways.items(), key=lambda item: (len(item[1]), fold(rules.board.cities[item[0]].name))
            )
            if city != column.start
        ],
    }


def options_blocks(
    table: Table, powers: Collection[Power], names: Sequence[str] = (), language: str = "en"
) -> list[Block]:
    """What may be done now, in the words of a language."""
    places = {index: piece.city for index, piece in each_piece(table.state.field.pieces) if piece.city >= 0}
    told = [
        {
            "question": question(table.rules, decision, places, language) if decision else "",
            "marches": option.get("marches", []),
        }
        for decision, option in decided(naming.table_in_words(table, language), powers, names)
    ]
    return parsed(template(language, table.rules.terms.game, "options.txt.j2").render(options=told))
