"""Command `pbem export`: a campaign as a static site that anybody can read without the program."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from pbem.console.options import folder_option, json_option, language_option
from pbem.console.printing import print_json
from pbem.console.refusals import refusals
from pbem.console.surroundings import time_now
from pbem.faults.wrong import counted

if TYPE_CHECKING:
    from pbem.site.archive import Theme


@click.command("export")
@click.argument("site", type=click.Path(path_type=Path))
@folder_option
@language_option
@click.option(
    "--theme",
    type=click.Choice(["auto", "light", "dark"]),
    default="auto",
    show_default=True,
    help="The colours; `auto`: as each reader's system has them.",
)
@json_option
def export_command(site: Path, folder: Path, language: str, theme: str, json_wanted: bool) -> None:
    """Write a campaign as a static site: the map turn by turn, battles, the ledger, and once it is closed all hands.

    SITE is a folder of its own, which the next export replaces. The site of a running campaign shows only what
    everybody may know.
    """
    from pbem.site.export import check_target, site_of, write_site

    with refusals(json_wanted):
        check_target(site)
        made = site_of(folder, time_now(), language, cast("Theme", theme))
        write_site(site, made.files)
        if json_wanted:
            print_json({"site": str(site), **made.figures, "written": sorted(made.files)})
            return
        figures = made.figures
        click.echo(f"{site / 'index.html'}")
        click.echo(
            f"{figures['campaign']} ({figures['phase']}): {counted(int(figures['stages']), 'stage')}, "
            f"{counted(int(figures['battles']), 'battle')}, {counted(int(figures['entries']), 'entry', 'entries')}, "
            f"{counted(int(figures['letters']), 'letter')}; {counted(int(figures['files']), 'file')}, "
            f"{int(figures['bytes']) / 1e6:.1f} MB"
        )
