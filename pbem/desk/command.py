"""`pbem desk`: command that makes the page in which a player sees, orders and signs."""

from __future__ import annotations

import webbrowser
from dataclasses import dataclass
from pathlib import Path

import click

from pbem.console.options import FileToWrite, gather_options, language_option
from pbem.console.printing import say
from pbem.console.refusals import refusals
from pbem.console.surroundings import read_bytes
from pbem.faults.wrong import words
from pbem.player.files import write_file


@dataclass(frozen=True)
class Making:
    """Options for making the page."""

    out: Path | None
    site: Path | None
    runtime: Path | None
    language: str


@click.command("desk")
@click.argument("report", required=False)
@click.option(
    "-o", "--out", type=FileToWrite(".html"), help="The page to write; left out: `desk.html`, and it is opened."
)
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    help="A folder to write instead, for a web space: opened once there, the desk needs no network.",
)
@click.option(
    "--runtime",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder with what the page runs on; left out: it is fetched by npm and pip, once.",
)
@language_option
@gather_options("making", Making)
def desk_command(report: str | None, making: Making) -> None:
    """Write one page in which you see the board, click your orders, try them, and sign your letter.

    The page begins with a game against bots, or with a REPORT, or the mail it came in. It needs no installation, no
    server and no network. Building the page needs Node.js, which `pip install 'pbem[desk]'` brings.
    """
    from pbem.desk.page import Enclosed, desk_page

    if making.site:
        if report or making.out:
            raise click.UsageError("--site is for everybody: it takes no report, and no --out beside it")
        write_desk(making.site, making)
        return
    with refusals(False):
        enclosed = Enclosed(Path(report).name, read_bytes(report)) if report else None
        page = desk_page(making.language, enclosed, making.runtime)
        path = making.out or Path("desk.html")
        write_file(path, page)
        say(words("desk-made", file=str(path), size=f"{len(page) / 1_000_000:.1f}").text(making.language))
        if making.out is None:
            webbrowser.open(path.resolve().as_uri())


def write_desk(site: Path, making: Making) -> None:
    """Write the files of the desk into a folder for a web space."""
    from pbem.desk.web_space import desk_files
    from pbem.site.export import check_target, write_site

    with refusals(False):
        check_target(site, "desk")
        files = desk_files(making.language, making.runtime)
        write_site(site, files, "desk")
        size = f"{sum(map(len, files.values())) / 1_000_000:.1f}"
        say(words("desk-site-made", folder=str(site), size=size).text(making.language))
