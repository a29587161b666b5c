"""`pbem check`: everything that is wrong with a letter, told before it is sent."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.console.options import Telling, telling_options
from pbem.console.printing import print_json, say
from pbem.console.refusals import fault_data, refuse, refusing_in_words
from pbem.console.surroundings import given, key_option
from pbem.player.keyring import place_of


@click.command("check")
@click.argument("letter")
@click.option(
    "--report", metavar="FILE", help="The report.yaml that it answers: is it for this stage, new, legal and whole?"
)
@click.option("--position", metavar="FILE", help="A position file: are the orders legal there, and whole?")
@key_option
@telling_options
def check_command(
    letter: str, report: str | None, position: str | None, key_path: Path | None, telling: Telling
) -> None:
    """Tell every fault of a LETTER at once, as the moderator's receipt would.

    Its head and signature are checked; the grammar of its orders if your notes of the campaign tell the rules; and with
    --report or --position whether they are legal and whole. By a report that is judged as far as its reader can know
    it, and told with what comes of it, as `pbem try` does. What is sealed is looked into if your notes have it.
    """
    from msgspec import to_builtins

    from pbem.player.checking import check

    with refusing_in_words(telling.json_wanted):
        files = [given(path) if path else None for path in (report, position)]
        checked = check(given(letter), place_of(key_path), telling.language, *files)
        refuse(letter, checked.faults, telling.json_wanted)
        found, outcome = checked.letter, checked.outcome
        if telling.json_wanted:
            from pbem.player.trying import outcome_data

            said = {"kind": found.kind, "seq": found.seq, "missing": checked.missing}
            warnings = [fault_data(letter, fault) for fault in checked.faults]
            more = outcome_data(outcome) if outcome else {}
            more |= {"ahead": to_builtins(checked.ahead)} if checked.ahead else {}
            print_json({**said, "warnings": warnings, **more})
            return
        say(f"{letter}: {found.kind} of {found.sender}, seq {found.seq}: nothing is wrong with it.")
        if checked.missing:
            say(f"Still to answer: {', '.join(checked.missing)}")
        for block in checked.ahead:
            many = f"; {block.blocks} blocks" if block.blocks > 1 else ""
            said_ahead = ", ".join(block.sections) or ("hold" if block.holds else "withdrawn")
            say(f"Ahead, for {block.stage}: {block.power} ({said_ahead}{many})")
        if outcome:
            from pbem.cli.play import tell_outcome

            tell_outcome(outcome, telling.language)
