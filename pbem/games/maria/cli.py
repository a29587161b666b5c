"""Command line of MARIA: its options, and the commands that show or copy its political cards and tracks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.options import FileToWrite, GameCommands, Option, json_option
from pbem.console.printing import print_json
from pbem.console.refusals import misuse, refusals
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import write_file

if TYPE_CHECKING:
    from rich.table import Table as Grid

    from pbem.games.maria.rules.politics_data import PoliticsData

Command = TypeVar("Command", bound=Callable[..., object])

MOST_COLUMNS = 100
MOST_OF_A_CELL = 18
"""Greatest width, in characters, of each column before the column with the instruction."""


def file_option(command: Command) -> Command:
    text = "A politics file of your own, which is checked. Left out: the standard one."
    return click.option("--file", "name", metavar="FILE", default="standard", help=text)(command)


@click.command()
@click.option("--year", type=int, help="Only the cards of this year.")
@file_option
@json_option
def cards(year: int | None, name: str, json_wanted: bool) -> None:
    """Show the political cards: who may select them, which markers they shift, what they say."""
    from rich.console import Console

    from pbem.games.maria.paper.library import load_named_politics
    from pbem.games.maria.report.politics import cards_data, cards_text, closing, opening

    with refusals(json_wanted):
        politics = load_named_politics(name)
        years = list(politics.years)
        if year is not None and year not in years:
            raise click.BadParameter(misuse("use-years", years=tuple(map(str, years))), param_hint="--year")
        wanted = years if year is None else [year]
        console = Console()
        if json_wanted:
            print_json(cards_data(politics, wanted))
        elif console.is_terminal:
            click.echo(f"{opening(politics, 'cards')}\n")
            console.print(grid(politics, wanted), width=min(console.width, MOST_COLUMNS))
            click.echo(f"\n{closing(politics, 'cards')}")
        else:
            click.echo(cards_text(politics, wanted), nl=False)


def grid(politics: PoliticsData, years: list[int]) -> Grid:
    """Lay out the cards of these years in columns for a terminal."""
    from rich.table import Table as Grid
    from rich.text import Text

    from pbem.games.maria.report.politics import card_rows, headings, year_title
    from pbem.report.language.templates import NO_BREAK

    def cell(text: str, style: str = "") -> Text:
        return Text(text.replace(NO_BREAK, " "), style)

    found = Grid()
    number, *others, instruction = headings()
    found.add_column(number, justify="right", no_wrap=True)
    for heading in others:
        found.add_column(heading, max_width=MOST_OF_A_CELL)
    found.add_column(instruction)
    for year in years:
        found.add_section()
        found.add_row("", cell(year_title(politics, year), "bold"))
        for row in card_rows(politics, year):
            said = [text for text in (cell(row.instruction), cell(row.note, "dim")) if text]
            found.add_row(row.number, cell(row.title), cell(row.arms), cell(row.shifts), Text("\n").join(said))
    return found


@click.command()
@file_option
@json_option
def tracks(name: str, json_wanted: bool) -> None:
    """Draw the tracks of the political display, each as a row of boxes."""
    from pbem.games.maria.paper.library import load_named_politics
    from pbem.games.maria.report.politics import tracks_data, tracks_text

    with refusals(json_wanted):
        politics = load_named_politics(name)
        if json_wanted:
            print_json(tracks_data(politics))
        else:
            click.echo(tracks_text(politics), nl=False)


@click.command()
@click.option(
    "-o", "--out", type=FileToWrite(), default=Path("my-politics.yaml"), show_default=True, help="The file to write."
)
def copy(out: Path) -> None:
    """Write a copy of the standard politics file, in which you can correct what your printed game has otherwise."""
    from pbem.games.maria.paper.library import find_politics

    with refusals(False):
        if out.exists():
            raise Refused(str(out), [wrong("E-FILE.exists")])
        write_file(out, find_politics().read_bytes())
        click.echo(str(out))


PART = GameCommands(
    options=(
        Option("players", "MARIA: how many play.", ("2", "3")),
        Option("edition", "MARIA: the edition of the rules."),
        Option("politics", "MARIA: a file of tracks and political cards."),
        Option("placing", "MARIA, advanced game: how influence is placed.", ("in order", "simultaneous")),
    ),
    rules=(cards, copy, tracks),
)
