"""`pbem log`: the entries of a campaign's ledger in words, as anybody may read them, without any key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.options import as_json, folder_argument, gathered, language_option
from pbem.console.printing import on_terminal, print_json
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import time_now
from pbem.moderator.public_view import EntryFilter, account_of, entries_told, entries_wanted, entry_data

if TYPE_CHECKING:
    from pbem.campaign.ledger.entries import Entry
    from pbem.report.blocks import Block


MOST = 2000
"""What people wrote is cut behind so many characters; `--json` has all of it."""


@click.command("log")
@folder_argument
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first entry to tell.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only entries of this kind.")
@click.option("--player", "players", multiple=True, metavar="SEAT", help="Only entries of or about this player.")
@click.option("--turn", "turns", type=click.IntRange(1), multiple=True, help="Only entries of this turn.")
@click.option("--events", is_flag=True, help="Also tell what happened in the game, as everybody may know it.")
@language_option
@as_json
@gathered("choice", EntryFilter)
def log_command(folder: Path, choice: EntryFilter, events: bool, language: str, json_wanted: bool) -> None:
    """Tell the entries of the ledger, one in a line."""
    from pbem.campaign.ledger.replaying import read_folder

    with refusing_in_words(json_wanted):
        reading = read_folder(folder, time_now())
        chosen = entries_wanted(reading, choice)
        words = entries_told(reading, [record for _, record in chosen], language)
        if json_wanted:
            print_json([entry_data(reading, *each, said, events) for each, said in zip(chosen, words, strict=True)])
            return
        for (entry, record), said in zip(chosen, words, strict=True):
            tell_entry(entry, said, account_of(reading, entry, record, language) if events else [])


def tell_entry(entry: Entry, said: str, happened: list[Block]) -> None:
    """Say what an entry is about, and what happened; words of people stay in their line, whatever they hold."""
    from pbem.report.formats.escaping import one_line

    time, words = f"{entry.time:%Y-%m-%d %H:%M}", one_line(said, MOST)
    if on_terminal():
        from pbem.console.terminal import show_entry

        show_entry(entry.number, time, entry.kind, words, happened)
        return
    click.echo(f"{entry.number:4} {time} {entry.kind:<12} {words}".rstrip())
    if happened:
        from pbem.report.formats.pages import text

        click.echo("\n".join(f"     {each}".rstrip() for each in text(happened).splitlines()))
