"""`pbem seal`, `reveal` and `open`: what of a letter stays secret, and what comes sealed from the moderator."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from pbem.cli.letters import Writing, writing
from pbem.console.options import FileToWrite, line
from pbem.console.printing import print_json, show_text, warn
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import given, key_options, private_key
from pbem.faults.wrong import shell_word


@click.command("seal")
@click.argument("file")
@click.option("--only", type=line, help="Only these sections of the orders, with commas between them.")
@click.option("--report", metavar="FILE", help="A report.yaml or invitation.yaml; left out: your notes say whom to.")
@writing
def seal_command(file: str, only: str | None, report: str | None, how: Writing) -> None:
    """Seal the orders or plans of a letter, so that everybody may see it and only the moderator can read them.

    In a campaign with `sealing: reveal` not even the moderator can: the letter has the commitment alone, and your
    notes beside the key keep what `pbem reveal` shows later. The letter is not signed yet; sign it before you send it.
    """
    from pbem.player.sealing import seal

    with refusing_in_words(how.json_wanted):
        path, made = seal(given(file), only, given(report) if report else None, how.pen())
        if how.json_wanted:
            said = {"file": str(path), "commitment": made.part.commitment}
            print_json({**said, "sections": made.sections, "to": made.to})
            return
        whom = f"for {made.to}" if made.to else "for nobody; `pbem reveal` shows it later"
        sections = ", ".join(made.sections) or "nothing"
        click.echo(f"{path}: sealed {sections} {whom}. Now `pbem sign {shell_word(str(path))}`.")


@click.command("reveal")
@click.argument("letters", nargs=-1, required=True, metavar="LETTER...")
@click.option("--report", metavar="FILE", help="The last report.yaml: is it time? Plans of an earlier stage need it.")
@writing
def reveal_command(letters: tuple[str, ...], report: str | None, how: Writing) -> None:
    """Write the signed letter that shows what a sealed LETTER has committed to; several, if plans are sealed, too.

    Everybody is asked for it once all commitments are in; whoever sends it before shows the moderator their orders for
    nothing. What to show stands in the notes beside your key.
    """
    from pbem.player.sealing import parts_to_reveal, reveal

    with refusing_in_words(how.json_wanted):
        pen = how.pen()
        found = parts_to_reveal([given(letter) for letter in letters], given(report) if report else None, pen.place)
        if found.warning:
            warn(found.warning)
        path = reveal(found, pen)
        if how.json_wanted:
            print_json({"file": str(path), "seq": found.seq, "slots": sorted(found.parts)})
        else:
            click.echo(f"{path}: send it to the moderator.")


@click.command("open")
@click.argument("file")
@click.option("-o", "--out", type=FileToWrite(), help="The file to write; left out: it is printed.")
@click.option(
    "--into", type=click.Path(path_type=Path, file_okay=False), help="Write each file under its own name here."
)
@key_options
def open_command(
    file: str, out: Path | None, into: Path | None, key_path: Path | None, passphrase_file: Path | None
) -> None:
    """Open what is sealed to you: a report, or the mail that it came in.

    A mail brings several files: --into writes them all, without it their texts are printed, and no page (HTML).
    """
    from pbem.campaign.disk.atomic import PRIVATE, write_whole
    from pbem.player.sealing import opened, texts_of, write_all

    with refusing_in_words(False):
        files = opened(given(file), partial(private_key, key_path, passphrase_file))
        if into:
            for path in write_all(into, files):
                click.echo(str(path))
        elif out:
            write_whole(out, texts_of(files), mode=PRIVATE)
        else:
            show_text(texts_of(files).decode("utf-8", "replace") + "\n")
