"""`pbem position`: save and check position files."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from pbem.cli.common import (
    FileToWrite,
    as_json,
    load_table,
    new_game,
    new_table,
    print_json,
    read_bytes,
    refusals,
    refuse,
    terms_given,
    write_file,
)


@click.group()
def position_command() -> None:
    """Save and check position files."""


@position_command.command()
@click.argument("out", type=FileToWrite())
@click.option("--from", "source", metavar="POSITION", help="The position to write out in full.")
@click.option("--orders", multiple=True, metavar="ORDERS", help="Order files to carry out first.")
@new_game
@click.option("--seed", default="pbem", show_default=True, help="What shuffles follow from.")
@as_json
@click.pass_context
def save(
    context: click.Context,
    /,
    out: Path,
    source: str | None,
    orders: tuple[str, ...],
    json_wanted: bool,
    **terms: str | None,
) -> None:
    """Write a position in full: a new game, or one from a file, with orders carried out if wanted."""
    from pbem.games import game_of
    from pbem.paper.orders import load_orders
    from pbem.paper.position_writing import write_position
    from pbem.paper.trial import begin, run

    given = [name for name in terms if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if source is not None and given:
        raise click.UsageError(f"--from brings its own --{given[0].replace('_', '-')}")
    with refusals(json_wanted):
        if source is None:
            table = new_table(terms_given(terms))
            begin(table)
        else:
            table = load_table(source)
        for path in orders:
            result = run(table, load_orders(read_bytes(path), path, table.rules))
            refuse(path, tuple(result.faults), json_wanted)
            table = result.table
        write_file(out, write_position(table).encode())
        if json_wanted:
            print_json({"file": str(out), "digest": game_of(table).digest(table.state)})
        else:
            click.echo(f"{out}: digest {game_of(table).digest(table.state)[:12]}")


@position_command.command()
@click.argument("position")
@as_json
def load(position: str, json_wanted: bool) -> None:
    """Read a position file, say every fault in it, or where it stands and its digest."""
    from pbem.games import game_of

    with refusals(json_wanted):
        table = load_table(position)
        state, game = table.state, game_of(table)
        waiting = [decision.power for decision in game.decisions(table)]
        if json_wanted:
            print_json(
                {
                    "turn": state.turn,
                    "stage": state.stage,
                    "phase": state.phase,
                    "owing": waiting,
                    "digest": game.digest(state),
                }
            )
            return
        owing = f"; to decide: {', '.join(waiting)}" if waiting else ""
        click.echo(f"turn {state.turn}, {state.stage}, {state.phase}{owing}; digest {game.digest(state)[:12]}")
