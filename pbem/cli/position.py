"""`pbem position`: save and check position files."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

import click
from click.core import ParameterSource

from pbem.cli.tables import FoundTable, find_table
from pbem.console.options import FileToWrite, as_json, new_game, terms_given
from pbem.console.printing import print_json
from pbem.console.refusals import misuse, refusals, refuse
from pbem.console.surroundings import read_bytes
from pbem.engine.nouns import Power
from pbem.player.files import named_beside, write_file
from pbem.player.names import new_table


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
    """Write a position in full: a new game, or one from a file, with orders carried out if wanted.

    From a report: the position as its reader may know it, which `pbem try`, `legal`, `show` and `map` take as well.
    """
    from pbem.engine.table import digest
    from pbem.paper.documents.writing import write
    from pbem.paper.orders.files import load_orders
    from pbem.paper.orders.trial import begin, run
    from pbem.paper.positions.knowledge import known_document, remembered_document, write_position

    given = [name for name in terms if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if source is not None and given:
        raise click.UsageError(misuse("use-one-of", options=("--from", f"--{given[0].replace('_', '-')}")))
    with refusals(json_wanted):
        if source is None:
            table = new_table(named_beside(terms_given(terms), out.parent), out.parent)
            begin(table)
        else:
            found = find_table(source)
            table = found.table
            if found.known_to is not None:
                no_orders(orders)
                known = known_document(table, found.known_to)
                if found.memory:
                    known["remembered"] = remembered_document(table.rules.common, found.memory)
                write_file(out, write(known).encode())
                tell_written(out, "", json_wanted)
                return
        for path in orders:
            result = run(table, load_orders(read_bytes(path), path, table.rules))
            refuse(path, tuple(result.faults), json_wanted)
            table = result.table
        write_file(out, write_position(table).encode())
        tell_written(out, digest(table.state), json_wanted)


def no_orders(orders: tuple[str, ...]) -> None:
    """Refuse orders on what only some may know: what comes of them may not be known."""
    if orders:
        raise click.UsageError(misuse("use-try"))


def tell_written(out: Path, digest: str, json_wanted: bool) -> None:
    """Say what was written; the digest is that of a position of which nothing is made up."""
    if json_wanted:
        print_json({"file": str(out), "digest": digest})
    else:
        click.echo(f"{out}: {f'digest {digest[:12]}' if digest else 'what the report tells'}")


@position_command.command()
@click.argument("position")
@as_json
def load(position: str, json_wanted: bool) -> None:
    """Read a position file or a report, say every fault in it, or where it stands and its digest.

    What a report tells has no digest, for nobody but the moderator knows the whole position.
    """
    with refusals(json_wanted):
        data = moment_of(find_table(position))
        if json_wanted:
            print_json(data)
            return
        owing = f"; to decide: {', '.join(data['owing'])}" if data["owing"] else ""
        digest = f"; digest {data['digest'][:12]}" if data["digest"] else ""
        click.echo(f"turn {data['turn']}, {data['stage']}, {data['phase']}{owing}{digest}")


class Standing(TypedDict):
    """Where a position stands, and who has to decide."""

    turn: int
    stage: str
    phase: str
    owing: list[Power]
    digest: str


def moment_of(found: FoundTable) -> Standing:
    """Where a position stands, and who has to decide."""
    from pbem.engine.table import digest
    from pbem.kit import game_of

    state, game = found.table.state, game_of(found.table)
    return {
        "turn": state.turn,
        "stage": state.stage,
        "phase": state.phase,
        "owing": [decision.power for decision in game.decisions(found.table)],
        "digest": digest(state) if found.is_whole else "",
    }
