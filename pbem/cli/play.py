"""`pbem try`, `legal` and `show`: what orders lead to, what may be done, how things stand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.tables import find_table, seen_by
from pbem.console.options import (
    FileToWrite,
    Telling,
    as_json,
    gathered,
    language_option,
    seen_as,
    telling_options,
)
from pbem.console.printing import print_json, tell
from pbem.console.refusals import fault_data, refusals, refuse
from pbem.console.surroundings import read_bytes
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.player.files import write_file

if TYPE_CHECKING:
    from pbem.cli.tables import FoundTable
    from pbem.engine.nouns import Power
    from pbem.paper.documents.writing import Value
    from pbem.paper.orders.trial import Trial


@dataclass(frozen=True)
class Wanted:
    """What is wanted of the position that is reached: a file of it, all of it told."""

    save: Path | None
    whole: bool


@click.command("try")
@click.argument("position")
@click.argument("orders", nargs=-1, required=True)
@seen_as
@click.option("--save", type=FileToWrite(), help="Write the position that is reached.")
@click.option("--position", "whole", is_flag=True, help="Also tell all of the position that is reached.")
@gathered("wanted", Wanted)
@telling_options
def try_command(position: str, orders: tuple[str, ...], reader: str | None, wanted: Wanted, telling: Telling) -> None:
    """Carry out order files on a position, one after the other, and tell what comes of it.

    That is what happens, and what it leads to for the powers that order: combats, supply, which enemies could come,
    what lies open. In place of a position a report.yaml will do: then orders are tried as far as its reader can know
    what comes of them. Nothing is kept but what --save writes. One of the files may be `-`, the standard input.
    """
    from pbem.cli.outcome import Outcome, outcome_data, tell_outcome
    from pbem.kit import game_of
    from pbem.paper.documents.writing import write
    from pbem.report.position import position_blocks, view_data

    with refusals(telling.json_wanted):
        found = find_table(position)
        outcome = Outcome(found.table, found.table, list(found.events), seen_by(found, reader))
        warnings = []
        for path in orders:
            result, ordering = tried(found, outcome.after, path)
            refuse(path, tuple(result.faults), telling.json_wanted)
            outcome.add(result, ordering)
            warnings += [fault_data(path, fault) for fault in result.faults]
        table = outcome.after
        seen = game_of(table).view(table, outcome.readers)
        if wanted.save:
            write_file(wanted.save, write(document_of(found, table)).encode())
        if telling.json_wanted:
            reached = document_of(found, table) if reader is None else view_data(table.rules, seen)
            more = {"position": reached} if wanted.whole else {}
            print_json({**outcome_data(outcome), "warnings": warnings, **more})
            return
        tell_outcome(outcome, telling.language)
        if wanted.whole:
            tell(position_blocks(table.rules, seen, telling.language))


def tried(found: FoundTable, table: Table, path: str) -> tuple[Trial, tuple[Power, ...]]:
    """What comes of an order file, and the powers that order in it.

    Of what is made up nothing may show, and nobody else's orders are judged.
    """
    from pbem.campaign.letters.foreseeing import run_through
    from pbem.paper.orders.files import load_orders

    orders = load_orders(read_bytes(path), path, table.rules)
    if found.known_to is None:
        return run_through(table, orders, is_whole=True), tuple(orders.powers)
    if strangers := [power for power in orders.powers if power not in found.known_to]:
        node = orders.powers[strangers[0]].node
        what = wrong("E-ORDER-FOREIGN.known", power=strangers[0])
        raise Refused(path, [Fault.at(node.line, node.column, what)])
    return run_through(table, orders, is_whole=False), tuple(orders.powers)


def document_of(found: FoundTable, table: Table) -> dict[str, Value]:
    """The position as a document, without anything that is made up."""
    from pbem.paper.positions.knowledge import known_document, position_document

    return position_document(table) if found.known_to is None else known_document(table, found.known_to)


@click.command("show")
@click.argument("position")
@seen_as
@telling_options
def show_command(position: str, reader: str | None, telling: Telling) -> None:
    """Tell a position or a report in words: who stands where, who holds what, who owes what."""
    from pbem.kit import game_of
    from pbem.report.position import position_blocks, view_data

    with refusals(telling.json_wanted):
        found = find_table(position)
        table = found.table
        seen = game_of(table).view(table, seen_by(found, reader))
        if telling.json_wanted:
            print_json(view_data(table.rules, seen, found.memory))
        else:
            tell(position_blocks(table.rules, seen, telling.language, found.memory))


@click.command("legal")
@click.argument("position")
@click.argument("pieces", nargs=-1)
@seen_as
@language_option
@as_json
def legal_command(position: str, pieces: tuple[str, ...], reader: str | None, language: str, json_wanted: bool) -> None:
    """List what may be done now: every open decision with its options, marches with a shortest path each.

    In place of a POSITION a report.yaml will do, for the powers of its reader.

    What may be decided at any time, and never has to be, comes last: the stacks in which troops may pass.

    With PIECES, only where these pieces may march (several names: together, as a stack); of pieces that are not asked
    now, an enemy's too, where they could march as things stand, or where they may be sent if they have to retreat. Of
    each city its suit is told, and whether an enemy stands beside it; of an enemy also what he last declared.

    With --json every decision also has a form: what may be written to answer it (docs/orders.md).
    """
    from pbem.report.language.options import open_options, options_blocks

    with refusals(json_wanted):
        found = find_table(position)
        table, powers = found.table, seen_by(found, reader)
        if json_wanted:
            print_json(open_options(table, powers, pieces, found.memory))
        else:
            tell(options_blocks(table, powers, pieces, language, found.memory))
