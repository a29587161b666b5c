"""`pbem report`: the moderator reads anybody's report as it stands; nothing is written into the campaign."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.at_work import Work, campaign_options, campaign_to_read
from pbem.console.options import gathered, known_language
from pbem.console.printing import on_terminal, print_json, show_text, tell
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import write_file
from pbem.player.names import meant

if TYPE_CHECKING:
    from pbem.campaign.briefing import Briefing
    from pbem.campaign.campaign import Campaign
    from pbem.post.outbox import Parcel
    from pbem.post.outgoing import Enclosure
    from pbem.report.blocks import Block

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
    from pbem.campaign.briefing import briefings, in_language
    from pbem.campaign.disk.atomic import PRIVATE
    from pbem.post.reports import NO_MAP, report_parcel
    from pbem.report.language.own_templates import with_own_templates

    with campaign_to_read("report", work) as campaign:
        every = briefings(campaign)
        told = every[reader_meant(campaign, every, reader)]
        told = in_language(told, wish.language) if wish.language else told
        chosen = "json" if work.json_wanted else wish.form
        with with_own_templates(campaign.folder.root):
            picture = map_of(campaign, told, every) if chosen == "html" and not wish.no_picture else NO_MAP
            parcel = report_parcel(campaign, told, {}, picture)
            text = formatted(parcel, chosen, wish.whole)
        if out is not None:
            write_file(out, text.encode(), PRIVATE)
            click.echo(str(out))
        elif chosen == "json":
            print_json(parcel.data)
        elif chosen == "text" and on_terminal():
            tell(shown(parcel, wish.whole), gap=False)
        else:
            show_text(text)


def reader_meant(campaign: Campaign, readers: Iterable[str], written: str) -> str:
    """The reader who is meant; what a moderator who plays should not see is refused."""
    from pbem.campaign.briefing import OBSERVER

    reader = meant(written, readers, words("reader"), "READER")
    seat = campaign.settings.moderator.seat
    if seat and reader not in (seat, OBSERVER):
        raise Refused(campaign.settings.campaign, [wrong("E-REPORT-PLAYS", seat=seat)])
    return reader


def map_of(campaign: Campaign, told: Briefing, every: Mapping[str, Briefing]) -> Enclosure:
    """The map that goes with a report."""
    from pbem.campaign.briefing import OBSERVER
    from pbem.post.reports import pictures_of

    maps = pictures_of({told.reader: told}, every[OBSERVER], campaign.folder.rules, campaign.left_out)
    if campaign.left_out:
        raise Refused(campaign.settings.campaign, campaign.left_out)
    return maps[told.reader]


def shown(parcel: Parcel, whole: bool) -> list[Block]:
    """What of a report is shown as text."""
    return parcel.whole if whole else parcel.body


def formatted(parcel: Parcel, form: str, whole: bool) -> str:
    """The report in one of its formats."""
    import json

    from pbem.post.outbox import standing_page
    from pbem.report.formats.pages import bbcode, markdown, text

    match form:
        case "html":
            return standing_page(parcel).decode()
        case "bbcode":
            return bbcode(parcel.blocks)
        case "markdown":
            return markdown(parcel.blocks)
        case "json":
            return json.dumps(parcel.data, ensure_ascii=False, indent=2) + "\n"
    return text(shown(parcel, whole))
