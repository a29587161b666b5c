"""Command `pbem FILE`: the meaning of a file, and the commands to run next."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.console.options import Telling, telling_options
from pbem.console.printing import print_json, say
from pbem.console.refusals import refusals
from pbem.console.surroundings import given_file, key_option, time_now
from pbem.faults.wrong import printable, shell_word
from pbem.player.file_meaning import Reader, meaning_of
from pbem.player.files import MOST_OF_LARGE
from pbem.player.keyring import place_of


@click.command("FILE")
@click.argument("file")
@key_option
@telling_options
def file_command(file: str, key_path: Path | None, telling: Telling) -> None:
    """Tell what a FILE is (a report, an invitation, a receipt, a letter, a mail with one), and what to do next.

    A report's requests to you are noted beside your key, for `pbem status`.
    """
    with refusals(telling.json_wanted):
        told = meaning_of(given_file(file, MOST_OF_LARGE), Reader(place_of(key_path), time_now(), telling.language))
        said = [each.text(telling.language) for each in told.says]
        commands = [command.replace("FILE", shell_word(file)) for command in told.next]
        if telling.json_wanted:
            print_json({"file": file, "kind": told.kind, "says": said, "next": commands})
            return
        say(f"{printable(file)}: {said[0]}")
        for line in said[1:]:
            say(f"  {line}")
        for command in commands:
            click.echo(f"  $ pbem {printable(command)}")
