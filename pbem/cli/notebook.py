"""Command `pbem notebook`: what the reports of a seat tell for sure, and the player's own notes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from pbem.console.options import Telling, gather_options, line, telling_options
from pbem.console.printing import print_json, say_words, tell
from pbem.console.refusals import refusals
from pbem.console.surroundings import key_option
from pbem.player.keyring import place_of


@dataclass(frozen=True)
class NotebookWanted:
    """Options of the notebook: campaign, seat, key, and notes to write."""

    campaign: str | None
    seat: str | None
    key_path: Path | None
    said: tuple[tuple[str, str], ...]


@click.command("notebook")
@click.argument("reports", nargs=-1)
@click.option("--campaign", type=line, help="Which campaign; left out: the only one of these reports.")
@click.option("--seat", type=line, help="Which seat of it; left out: the only one of these reports.")
@click.option(
    "--note",
    "said",
    type=(line, line),
    multiple=True,
    metavar="WHAT TEXT",
    help="Write a note on a city, a power or a turn (`3`); an empty text removes it.",
)
@key_option
@gather_options("wanted", NotebookWanted)
@telling_options
def notebook_command(reports: tuple[str, ...], wanted: NotebookWanted, telling: Telling) -> None:
    """Tell all that your reports tell for sure.

    The notebook counts the cards that were set aside and by whom, and the cards that nobody has seen since their deck
    was shuffled; what each power has drawn; the troops that others stated or must have; and every battle.

    REPORTS are report.yaml files, and folders in which they lie, such as your folder of the post office. Without
    REPORTS the present folder is searched. If a report is missing, the notebook says so, and tells no more than is
    sure.

    Your own notes lie in a file beside your key, and go into no letter.
    """
    from pbem.player.notebook import counted, notebook_of
    from pbem.player.own_notes import note, own_notes, path_of_notes, subject_of
    from pbem.player.report_files import SeatMeant, find_reports
    from pbem.player.telling_notebook import notebook_blocks, notebook_data

    with refusals(telling.json_wanted):
        place = place_of(wanted.key_path)
        found = find_reports(reports or (".",), SeatMeant(place, wanted.campaign or "", wanted.seat or ""))
        rules = found.reports[-1].table.rules
        path = path_of_notes(place, found.newest.campaign, found.newest.seat)
        said = {subject_of(about, rules): text for about, text in wanted.said}
        notes = note(path, said) if said else own_notes(path)
        told = notebook_of(counted(found.reports))
        for source, fault in found.unread:
            say_words("notebook-unread", err=True, file=source, why=fault.sentence(telling.language))
    if telling.json_wanted:
        print_json(notebook_data(rules, told, notes))
        return
    if said:
        for about, text in said.items():
            say_words("notebook-note" if text else "notebook-note-gone", about=about, text=text)
        return
    tell(notebook_blocks(rules, told, notes, telling.language))
