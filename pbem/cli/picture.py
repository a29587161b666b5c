"""`pbem map`: a position or a board as a picture."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.common import folder_of, in_language, picture_out, refusals, seen_as, write_file
from pbem.cli.tables import find_table, seen_by


@click.command("map")
@click.argument("position")
@picture_out
@seen_as
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="By day or by night."
)
@click.option("--width", type=click.IntRange(200, 8000), help="The width in pixels for which the picture is drawn.")
@click.option("--around", "cities", multiple=True, metavar="CITY", help="Show only the part around these cities.")
@in_language
def map_command(
    position: str,
    out: Path | None,
    reader: str | None,
    theme: str,
    width: int | None,
    language: str,
    cities: tuple[str, ...],
) -> None:
    """Draw a position file or a report as SVG or, by the name of the file written, as PNG.

    A name of a board draws the board with its set-up places.
    """
    from pbem.kit import game_of
    from pbem.paper.library import boards, find_board
    from pbem.report.maps import picture_file

    with refusals(False):
        name = out or Path(f"{'map' if position == '-' else Path(position).stem}.svg")
        if position in boards():
            data = picture_file(name, find_board(position), None, (), theme, width, cities, language)
        else:
            found = find_table(position)
            table = found.table
            folder = folder_of(position)
            board = find_board(table.rules.terms.board, folder)
            seen = game_of(table).view(table, seen_by(found, reader))
            data = picture_file(name, board, seen, (), theme, width, cities, language, folder)
        write_file(name, data)
        click.echo(str(name))
