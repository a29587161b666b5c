"""`pbem map`: a position or a board as a picture."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.options import gathered, language_option, picture_out, seen_as
from pbem.console.refusals import refusals
from pbem.console.surroundings import given
from pbem.faults.wrong import WrongUse, wrong
from pbem.player.files import is_drawn, write_file, write_unnamed
from pbem.player.tables import seen_by, table_in

if TYPE_CHECKING:
    from pbem.report.picture.theme import ThemeName


@dataclass(frozen=True)
class Look:
    """How a picture is drawn."""

    theme: ThemeName
    width: int | None
    around: tuple[str, ...]
    language: str


@click.command("map")
@click.argument("position")
@picture_out
@seen_as
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="By day or by night."
)
@click.option("--width", type=click.IntRange(200, 8000), help="The width in pixels for which the picture is drawn.")
@click.option("--around", multiple=True, metavar="CITY", help="Show only the part around these cities.")
@click.option(
    "--reach", "pieces", multiple=True, metavar="PIECE", help="Mark where this piece can get to; several: together."
)
@language_option
@gathered("look", Look)
def map_command(position: str, out: Path | None, reader: str | None, pieces: tuple[str, ...], look: Look) -> None:
    """Draw a position file or a report as SVG or, by the name of the file written, as PNG.

    A name of a board draws the board with its set-up places. A report also tells from where pieces came, and what
    their stacks last declared in battle.
    """
    from msgspec.structs import replace

    from pbem.kit import game_of
    from pbem.paper.library import boards, find_board
    from pbem.report.language.options import pieces_together
    from pbem.report.maps import Request, overlay_of, picture_file

    with refusals(False):
        name = out or Path(f"{'map' if position == '-' else Path(position).stem}.svg")
        if position in boards():
            if pieces:
                raise WrongUse(wrong("use-board-alone"), option="--reach")
            wanted = Request(find_board(position))
        else:
            file = given(position)
            found = table_in(file)
            table = found.table
            board = find_board(table.rules.terms.board, file.folder)
            powers = seen_by(found, reader)
            movers = pieces_together(table, powers, pieces)
            overlay = overlay_of(table, found.memory, movers, look.language)
            wanted = Request(board, game_of(table).view(table, powers), folder=file.folder, overlay=overlay)
        wanted = replace(wanted, **asdict(look))
        picture = picture_file(name, wanted)
        write_file(name, picture) if out else write_unnamed(name, picture, is_drawn)
        click.echo(str(name))
