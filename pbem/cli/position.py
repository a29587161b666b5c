"""Commands `pbem position`: saving and checking position files."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from pbem.console.language import language_wanted
from pbem.console.options import FileToWrite, json_option, new_game_options, terms_given
from pbem.console.printing import print_json, say_words
from pbem.console.refusals import misuse, refusals, refuse
from pbem.console.surroundings import given_file, read_bytes
from pbem.faults.nouns import turn_noun
from pbem.faults.wrong import words
from pbem.player.files import names_beside, write_file
from pbem.player.names import new_table
from pbem.player.tables import moment_of, table_in


@click.group()
def position_command() -> None:
    """Save and check position files."""


@position_command.command()
@click.argument("out", type=FileToWrite())
@click.option("--from", "source", metavar="POSITION", help="The position to write out in full.")
@click.option("--orders", multiple=True, metavar="ORDERS", help="Order files to carry out first.")
@new_game_options
@click.option("--seed", default="pbem", show_default=True, help="What shuffles follow from.")
@json_option
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
    """Write a position in full: that of a new game or of a file, with orders carried out if wanted.

    For a report, write the position as the report's reader may know it.
    """
    from pbem.engine.table import digest
    from pbem.paper.documents.writing import write
    from pbem.paper.orders.files import load_orders
    from pbem.paper.orders.trial import begin, run
    from pbem.paper.positions.files import write_position
    from pbem.player.trying import remembered_position

    typed = [name for name in terms if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if source is not None and typed:
        raise click.UsageError(misuse("use-one-of", options=("--from", f"--{typed[0].replace('_', '-')}")))
    with refusals(json_wanted):
        if source is None:
            table = new_table(names_beside(terms_given(terms), out.parent), out.parent)
            begin(table)
        else:
            found = table_in(given_file(source))
            table = found.table
            if found.known_to is not None:
                # Only a part of the position is known, so secrets may decide the outcome of orders.
                if orders:
                    raise click.UsageError(misuse("use-try"))
                write_file(out, write(remembered_position(found)).encode())
                tell_written(out, "", json_wanted)
                return
        for path in orders:
            result = run(table, load_orders(read_bytes(path), path, table.rules))
            refuse(path, tuple(result.faults), json_wanted)
            table = result.table
        write_file(out, write_position(table).encode())
        tell_written(out, digest(table.state), json_wanted)


def tell_written(out: Path, digest: str, json_wanted: bool) -> None:
    """Print the path of a written position file; for a whole position, also the digest."""
    if json_wanted:
        print_json({"file": str(out), "digest": digest})
    else:
        say_words("position-saved" if digest else "position-saved.known", file=str(out), digest=digest[:12])


@position_command.command()
@click.argument("position")
@json_option
def load(position: str, json_wanted: bool) -> None:
    """Read a position file or a report, and tell every fault in it, or else its stage and its digest.

    A report has no digest, since only the moderator knows the whole position.
    """
    with refusals(json_wanted):
        data = moment_of(table_in(given_file(position)))
        if json_wanted:
            print_json(data)
            return
        at = turn_noun(f"{data['turn']}/{data['stage']}", language_wanted(), "alone")
        owing = tuple(dict.fromkeys(data["owing"]))
        say_words(
            "position-read",
            at=at,
            phase=data["phase"],
            owing=words("position-owing", powers=owing) if owing else "",
            digest=words("position-digest", digest=data["digest"][:12]) if data["digest"] else "",
        )
