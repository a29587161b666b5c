"""`pbem report`: the moderator reads anybody's report as it stands; nothing is written into the campaign."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from pbem.cli.at_work import Work, campaign_options, campaign_to_read
from pbem.console.options import gathered, known_language
from pbem.console.printing import on_terminal, print_json, show_text, tell
from pbem.player.files import write_file

FORMATS = ("text", "html", "bbcode", "markdown", "json")


def language_or_own(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Refuse a language that there are no templates in; nothing means the reader's own."""
    return known_language(context, parameter, value) if value else ""


@dataclass(frozen=True)
class Wish:
    """How somebody wants to see a report."""

    form: str
    language: str
    no_picture: bool
    whole: bool


@click.command("report")
@click.argument("reader", default="observer")
@click.option("--as", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How it is dressed.")
@click.option(
    "--language",
    callback=language_or_own,
    default="",
    metavar="en|es|it|de",
    help="Another language than the reader's.",
)
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")
@click.option("--whole", is_flag=True, help="Text: the account, the position and the proofs too, not the news alone.")
@click.option("--no-picture", is_flag=True, help="HTML: leave the map out.")
@campaign_options
@gathered("wish", Wish)
def report_command(reader: str, wish: Wish, out: Path | None, work: Work) -> None:
    """Print the report that READER (a seat, `observer` or `moderator`) would get now: all since the last `post`.

    It shows what the campaign's own templates make of it, too.
    """
    from pbem.campaign.disk.atomic import PRIVATE
    from pbem.moderator.mails import formatted, report_as_it_stands

    with campaign_to_read("report", work) as campaign:
        chosen = "json" if work.json_wanted else wish.form
        parcel = report_as_it_stands(campaign, reader, wish.language, chosen == "html" and not wish.no_picture)
        report = formatted(campaign, parcel, chosen, wish.whole)
        if out is not None:
            write_file(out, report.encode(), PRIVATE)
            click.echo(str(out))
        elif chosen == "json":
            print_json(parcel.data)
        elif chosen == "text" and on_terminal():
            tell(parcel.whole if wish.whole else parcel.body, gap=False)
        else:
            show_text(report)
