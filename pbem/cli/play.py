"""`pbem try`, `legal` and `show`: what orders lead to, what may be done, how things stand."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import (
    FileToWrite,
    as_json,
    fault_data,
    folder_of,
    load_table,
    powers_of,
    print_json,
    read_bytes,
    refusals,
    refuse,
    seen_as,
    write_file,
)


@click.command("try")
@click.argument("position")
@click.argument("orders", nargs=-1, required=True)
@seen_as
@click.option("--save", type=FileToWrite(), help="Write the position that is reached.")
@as_json
def try_command(
    position: str, orders: tuple[str, ...], reader: str | None, save: Path | None, json_wanted: bool
) -> None:
    """Carry out order files on a position, one after the other, and tell what comes of it.

    Nothing is kept but what --save writes. One of the files may be `-`, the standard input.
    """
    from pbem.engine.events import all_seen_by
    from pbem.games import game_of
    from pbem.paper.orders import load_orders
    from pbem.paper.position_writing import position_document, write_position
    from pbem.paper.positions import load_position
    from pbem.paper.trial import begin, run
    from pbem.report.account import account
    from pbem.report.position import position_text, view_data
    from pbem.report.telling import event_data

    with refusals(json_wanted):
        table = load_position(read_bytes(position), position, folder_of(position))
        powers = powers_of(table.rules, reader)
        events, warnings = begin(table), []
        for path in orders:
            result = run(table, load_orders(read_bytes(path), path, table.rules))
            refuse(path, tuple(result.faults), json_wanted)
            table = result.table
            events += result.events
            warnings += [fault_data(path, fault) for fault in result.faults]
        told = all_seen_by(events, powers)
        seen = game_of(table).view(table, powers)
        if save:
            write_file(save, write_position(table).encode())
        if json_wanted:
            reached = position_document(table) if reader is None else view_data(table.rules, seen)
            happened = [event_data(table.rules, event) for event in told]
            print_json({"events": happened, "position": reached, "warnings": warnings})
            return
        click.echo(account(table.rules, told))
        click.echo(position_text(table.rules, seen))


@click.command("show")
@click.argument("position")
@seen_as
@as_json
def show_command(position: str, reader: str | None, json_wanted: bool) -> None:
    """Tell a position in words: who stands where, who holds what, who owes what."""
    from pbem.games import game_of
    from pbem.report.position import position_text, view_data

    with refusals(json_wanted):
        table = load_table(position)
        seen = game_of(table).view(table, powers_of(table.rules, reader))
        if json_wanted:
            print_json(view_data(table.rules, seen))
        else:
            click.echo(position_text(table.rules, seen))


@click.command("legal")
@click.argument("position")
@click.argument("pieces", nargs=-1)
@seen_as
@as_json
def legal_command(position: str, pieces: tuple[str, ...], reader: str | None, json_wanted: bool) -> None:
    """List what may be done now: every open decision with its options, marches with a shortest path each.

    What may be decided at any time, and never has to be, comes last: the stacks in which troops may pass.

    With PIECES, only where these pieces may march (several names: together, as a stack).
    """
    from pbem.report.options import open_options, options_text

    with refusals(json_wanted):
        table = load_table(position)
        powers = powers_of(table.rules, reader)
        if json_wanted:
            print_json(open_options(table, powers, pieces))
        else:
            click.echo(options_text(table, powers, pieces))
