"""Commands `pbem board` and `pbem map`: checking, drawing and importing boards, and drawing positions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.language import language_wanted
from pbem.console.options import FileToWrite, gather_options, json_option, language_option, picture_out, reader_option
from pbem.console.printing import print_json, say_words
from pbem.console.refusals import fault_data, refusals, refuse
from pbem.console.surroundings import given_file, read_bytes
from pbem.faults.wrong import WrongUse, printable, wrong
from pbem.paper.documents.faults import Fault, Refused
from pbem.player.files import MOST_OF_LARGE, is_drawn, write_file, write_unnamed
from pbem.player.tables import powers_shown, table_in

if TYPE_CHECKING:
    from pbem.report.picture.theme import ThemeName


@click.group()
def board_command() -> None:
    """Check, draw and import boards."""


@board_command.command("list")
@json_option
def list_boards(json_wanted: bool) -> None:
    """List the boards that ship with the program."""
    from pbem.paper.library import boards, load_board_file

    found = [(name, load_board_file(path)) for name, path in boards().items()]
    if json_wanted:
        print_json([{"name": name, "title": board.title, "cities": len(board.cities)} for name, board in found])
        return
    for name, board in found:
        say_words("board-listed", name=name, title=printable(board.title), cities=len(board.cities))


@board_command.command()
@click.argument("board")
@json_option
def check(board: str, json_wanted: bool) -> None:
    """Check a board file (or a board that ships with the program) and say every fault with its place."""
    from pbem.paper.boards.files import BOARD_LIMITS, inspect_board, load_board
    from pbem.paper.library import find_board, read_beginning

    with refusals(json_wanted):
        data = read_beginning(find_board(board), BOARD_LIMITS)
        faults = inspect_board(data, board)
        refuse(board, faults, json_wanted)
        read = load_board(data, board)
        roads = sum(len(chain) - 1 for chain in (*read.main_roads, *read.roads))
        if json_wanted:
            summary = {"board": read.name, "title": read.title, "cities": len(read.cities), "roads": roads}
            print_json({**summary, "warnings": [fault_data(board, fault) for fault in faults]})
            return
        say_words("board-fine", title=printable(read.title), cities=len(read.cities), roads=roads)


@board_command.command()
@click.argument("board")
@picture_out
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="By day or by night."
)
@click.option("--width", type=click.IntRange(200, 8000), help="The width of a PNG in pixels.")
def draw(board: str, out: Path | None, theme: ThemeName, width: int | None) -> None:
    """Draw a board with its set-up places, as SVG or, by the name of the file, as PNG."""
    from pbem.paper.library import find_board
    from pbem.report.maps import Request, picture_file

    with refusals(False):
        name = out or Path(f"{Path(board).stem}.svg")
        picture = picture_file(name, Request(find_board(board), theme=theme, width=width))
        write_file(name, picture) if out else write_unnamed(name, picture, is_drawn)
        click.echo(str(name))


@board_command.command("import")
@click.argument("source")
@click.option("-o", "--out", type=FileToWrite(), help="The file to write.")
@click.option("--format", "form", type=click.Choice(["rtt", "vassal"]), help="Left out: judged by the file's name.")
@json_option
def import_board(source: str, out: Path | None, form: str | None, json_wanted: bool) -> None:
    """Convert a board of another program to a board file of this program.

    Of a Rally-the-Troops module the `data.js` is read. Of a VASSAL module, or its `buildFile.xml`, only cities and
    coordinates are read.
    """
    from pbem.paper.boards.files import inspect_board, write_board
    from pbem.paper.boards.imports import import_rtt, import_vassal

    with refusals(json_wanted):
        data = read_bytes(source, MOST_OF_LARGE)
        is_rtt = form == "rtt" or (form is None and source.endswith((".js", ".json", ".mjs")))
        stem = out.stem if out else Path(source).stem
        board = import_rtt(utf8_text(data, source), source, stem) if is_rtt else import_vassal(data, source, stem)
        text = write_board(board)
        name = out or Path(f"{board.name}.yaml")
        faults = inspect_board(text.encode(), str(name))
        write_file(name, text.encode())
        if json_wanted:
            notes = [fault_data(str(name), fault) for fault in faults]
            print_json({"file": str(name), "cities": len(board.cities), "notes": notes})
            return
        say_words("board-imported", file=str(name), cities=len(board.cities))
        for fault in faults:
            click.echo(fault.message_line(str(name), language_wanted()), err=True)


def utf8_text(content: bytes, source: str) -> str:
    """Return the text of a file; raises `Refused` if it is not in UTF-8."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise Refused(source, [Fault.at(line, 1, wrong("E-FILE-UTF8"))]) from None


@dataclass(frozen=True)
class Look:
    """Options for the look of a picture."""

    theme: ThemeName
    width: int | None
    around: tuple[str, ...]


@click.command("map")
@click.argument("position")
@picture_out
@reader_option
@click.option(
    "--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="By day or by night."
)
@click.option("--width", type=click.IntRange(200, 8000), help="The width in pixels for which the picture is drawn.")
@click.option("--around", multiple=True, metavar="CITY", help="Show only the part around these cities.")
@click.option(
    "--reach", "pieces", multiple=True, metavar="PIECE", help="Mark where this piece can get to; several: together."
)
@partial(language_option, is_passed=False)
@gather_options("look", Look)
def map_command(position: str, out: Path | None, reader: str | None, pieces: tuple[str, ...], look: Look) -> None:
    """Draw a position file, a report, or a board by its name. The picture is SVG, or PNG if the file to write is named
    so.

    Of a report, the picture also shows from where pieces came, and what their stacks last declared in battle.
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
            file = given_file(position)
            found = table_in(file)
            table = found.table
            board = find_board(table.rules.terms.board, file.folder)
            powers = powers_shown(found, reader)
            movers = pieces_together(table, powers, pieces)
            overlay = overlay_of(table, found.memory, movers, language_wanted())
            wanted = Request(board, game_of(table).view(table, powers), folder=file.folder, overlay=overlay)
        wanted = replace(wanted, **asdict(look), language=language_wanted())
        picture = picture_file(name, wanted)
        write_file(name, picture) if out else write_unnamed(name, picture, is_drawn)
        click.echo(str(name))
