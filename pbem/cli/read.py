"""Commands that read a campaign: `pbem status` and `pbem log` without a key, `pbem report` with the moderator's."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.campaign.players.finding_notes import noted_campaigns
from pbem.cli.at_work import FolderOptions, campaign_options, campaign_to_read
from pbem.console.language import language_wanted
from pbem.console.options import (
    Telling,
    folder_argument,
    gather_options,
    json_option,
    known_language,
    language_option,
    telling_options,
)
from pbem.console.printing import on_terminal, print_json, say, show_text, tell
from pbem.console.refusals import REFUSED, end_with_fault, refusals
from pbem.console.surroundings import key_option, time_now
from pbem.faults.nouns import nouns, power_noun, turn_noun
from pbem.faults.wrong import words, words_in_language, wrong
from pbem.moderator.public_view import (
    CampaignStatus,
    Cell,
    EntryFilter,
    account_of,
    entries_wanted,
    entry_data,
    entry_lines,
    shortened,
    status_data,
    status_of,
)
from pbem.paper.library import game_of_terms
from pbem.player.files import write_file
from pbem.player.keyring import place_of
from pbem.player.verifying import PHASES

if TYPE_CHECKING:
    from pbem.campaign.ledger.entries import Entry
    from pbem.report.blocks import Block


def tell_mine(key: Path, now: datetime, telling: Telling) -> None:
    """Print the player's standing in each campaign noted beside a key. Campaigns in which the player must still send
    orders come first, by deadline."""
    from pbem.player.notes import notes_data, notes_with_standings, standing_lines
    from pbem.report.language.templates import GameNames

    found = notes_with_standings(key)
    if telling.json_wanted:
        print_json([notes_data(*each) for each in found])
        return
    for notes, standing in found:
        language = language_wanted(notes.campaign, key)
        names = GameNames(language, game_of_terms(notes.terms))
        click.echo(f"{notes.campaign}, {names.player(notes.seat)}:")
        for line in standing_lines(notes, standing, now, names):
            say(f"  {line.text(language)}")


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@key_option
@telling_options
def status_command(folder: Path | None, key_path: Path | None, telling: Telling) -> None:
    """Tell which player owes which orders until when, and what the moderator can do next.

    Without a FOLDER, outside of a campaign's folder: tell the orders that you owe, the reports that came and the
    letters that you signed, in all campaigns, by the notes beside your key. `pbem report.yaml` notes a report.

    The files in rules/, state.yaml and opened.json are compared with the ledger; all else is checked by `pbem verify`
    alone.
    """
    from pbem.campaign.disk.folder import Folder, open_folder

    with refusals(telling.json_wanted):
        now, place = time_now(), place_of(key_path)
        here = Folder(folder or Path())
        if folder is None and not here.campaign.exists() and noted_campaigns(place):
            tell_mine(place, now, telling)
            return
        if folder is None and not here.campaign.exists():
            end_with_fault(wrong("E-FOLDER-NONE.player"), telling.json_wanted)
        status = status_of(open_folder(here.root), now)
        if telling.json_wanted:
            print_json(status_data(status, telling.language))
        else:
            tell_status(status, telling.language)
    if any(not each.fault.is_warning for each in status.findings):
        sys.exit(REFUSED)


def tell_status(status: CampaignStatus, language: str) -> None:
    """Print a campaign's stage, the orders that each player owes, and the faults found."""
    stage = (turn_noun(status.stage, language, "alone"),) if status.stage else ()
    at = (words(PHASES[status.phase]), *stage)
    say(words("status-at", campaign=status.campaign, at=at, entry=status.entry).text(language))
    tell_progress(status, language)
    for finding in status.findings:
        say(finding.message_line(language), err=True)
    say(words("status-quick").text(language))


def tell_progress(status: CampaignStatus, language: str) -> None:
    """Print the deadline, banks of time, seats, shared keys, and the moderator's next step."""
    if status.deadline and status.left:
        say(words("status-deadline", deadline=status.deadline, left=status.left).text(language))
    if status.bank:
        left = tuple(f"{seat} {' '.join(parts)}" for seat, parts in status.bank.items())
        say(words("status-bank", left=left).text(language))
    rows = [[told_cell(key, cell, language) for key, cell in row.items()] for row in status.table]
    if on_terminal():
        from pbem.console.terminal import show_owed

        states = [str(row.get("orders") or row["state"]) for row in status.table]
        show_owed(rows, states, status.left is not None and status.left.key == "time-ago")
    else:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            click.echo(f"  {'  '.join(cells)}".rstrip())
    for shared in status.shared_keys:
        key = "status-shared.moderator" if shared.get("moderator") else "status-shared"
        say(words(key, players=tuple(shared["players"]), key=shared["key"]).text(language))
    say(words("status-next", next=status.next).text(language))


def told_cell(key: str, cell: Cell, language: str) -> str:
    """Return the text of a cell in the table of seats: powers, a state of orders, or other words."""
    if isinstance(cell, tuple):
        return ", ".join(power_noun(power, "", language) for power in cell)
    return (
        nouns(language)["states"].get(cell, cell)
        if isinstance(cell, str) and key == "orders"
        else words_in_language(cell, language)
    )


@click.command("log")
@folder_argument
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first entry to tell.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only entries of this kind.")
@click.option("--player", "players", multiple=True, metavar="SEAT", help="Only entries of or about this player.")
@click.option("--turn", "turns", type=click.IntRange(1), multiple=True, help="Only entries of this turn.")
@click.option("--events", is_flag=True, help="Also tell what happened in the game, as everybody may know it.")
@language_option
@json_option
@gather_options("choice", EntryFilter)
def log_command(folder: Path, choice: EntryFilter, events: bool, language: str, json_wanted: bool) -> None:
    """Tell the entries of the ledger, one on each line."""
    from pbem.campaign.ledger.replaying import read_folder

    with refusals(json_wanted):
        reading = read_folder(folder, time_now())
        chosen = entries_wanted(reading, choice)
        words = entry_lines(reading, [record for _, record in chosen], language)
        if json_wanted:
            print_json([entry_data(reading, *each, said, events) for each, said in zip(chosen, words, strict=True)])
            return
        for (entry, record), said in zip(chosen, words, strict=True):
            tell_entry(entry, said, account_of(reading, entry, record, language) if events else [])


def tell_entry(entry: Entry, said: str, happened: list[Block]) -> None:
    """Print an entry on one line, even if its text has line feeds, and the account of its events below."""
    time, words = f"{entry.time:%Y-%m-%d %H:%M}", shortened(said)
    if on_terminal():
        from pbem.console.terminal import show_entry

        show_entry(entry.number, time, entry.kind, words, happened)
        return
    click.echo(f"{entry.number:4} {time} {entry.kind:<12} {words}".rstrip())
    if happened:
        from pbem.report.formats.pages import text

        click.echo("\n".join(f"     {each}".rstrip() for each in text(happened).splitlines()))


FORMATS = ("text", "html", "bbcode", "markdown", "json")


def language_or_own(context: click.Context, parameter: click.Parameter, value: str) -> str:
    """Return the language of an option; an empty text stands for the reader's own language. Raises `BadParameter` for a
    language without templates."""
    return known_language(context, parameter, value) if value else ""


@dataclass(frozen=True)
class ReportOptions:
    """Options of `pbem report`: format, language, no map, and full text."""

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
@gather_options("wish", ReportOptions)
def report_command(reader: str, wish: ReportOptions, out: Path | None, options: FolderOptions) -> None:
    """Print the report that READER (a seat, `observer` or `moderator`) would get now, on the time since the last
    `post`.

    It is made with the campaign's own templates, if there are any.
    """
    from pbem.campaign.disk.atomic import PRIVATE
    from pbem.moderator.mails import report_as_it_stands, report_text

    with campaign_to_read("report", options) as campaign:
        chosen = "json" if options.json_wanted else wish.form
        parcel = report_as_it_stands(campaign, reader, wish.language, chosen == "html" and not wish.no_picture)
        report = report_text(campaign, parcel, chosen, wish.whole)
        if out is not None:
            write_file(out, report.encode(), PRIVATE)
            click.echo(str(out))
        elif chosen == "json":
            print_json(parcel.data)
        elif chosen == "text" and on_terminal():
            tell(parcel.whole if wish.whole else parcel.body, gap=False)
        else:
            show_text(report)
