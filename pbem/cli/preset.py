"""`pbem plan preset`: standing plans ready to be taken, as a file to be edited or as the letter that sends them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from pbem.cli.letters import out_option
from pbem.console.options import as_json, gathered, language_option, new_game, terms_given
from pbem.console.printing import print_json
from pbem.console.refusals import refusals
from pbem.console.surroundings import given
from pbem.player.files import write_file


@dataclass(frozen=True)
class PresetWanted:
    """Which preset, for whom, as a file or as a letter."""

    preset: str
    who: str | None
    report: str | None
    out: Path | None


@click.command("preset")
@click.argument("preset")
@click.option("--power", "who", metavar="WHO", help="A power or a seat; left out: all powers, or the report's.")
@click.option("--report", metavar="FILE", help="Your report.yaml, for the letter; or the invitation.yaml, for a file.")
@new_game
@language_option
@out_option
@as_json
@gathered("wanted", PresetWanted)
def preset_command(wanted: PresetWanted, language: str, json_wanted: bool, **terms: str | None) -> None:
    """Write standing plans that are ready to be taken: `careful`, `bold` or `away`.

    They answer battles, retreats, payments and politics, one line for each kind of question, with words above it that
    say what it does; change what you like. With a report.yaml they come as the letter that sends them: sign it.
    """
    from pbem.player.plans import preset_plans

    with refusals(json_wanted):
        report = given(wanted.report) if wanted.report else None
        found = preset_plans(wanted.preset, report, wanted.who, terms_given(terms), language)
        if wanted.out:
            write_file(wanted.out, found.text.encode())
    if json_wanted:
        said = {"preset": found.preset, "powers": list(found.powers)}
        print_json({**said, "file": str(wanted.out or ""), "text": found.text})
    elif wanted.out:
        click.echo(f"{wanted.out}: {found.preset}, for {', '.join(found.powers)}")
    else:
        click.echo(found.text, nl=False)
