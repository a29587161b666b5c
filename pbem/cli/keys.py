"""Commands `pbem key`: making, showing, changing and importing a key, and following the moderator's key."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.letters import LetterChoice, WritingOptions, whole_letter_options
from pbem.console.language import language_wanted
from pbem.console.options import json_option, line
from pbem.console.printing import print_json, say_words, warn
from pbem.console.refusals import misuse, refusals
from pbem.console.surroundings import (
    KeyFile,
    key_option,
    key_options,
    passphrase_option,
    private_key,
    typed_secret,
    unlocked_key,
)
from pbem.faults.wrong import words
from pbem.player.keyring import (
    key_bytes,
    new_pair,
    place_of,
    public_half,
    take_over,
    written_passphrase,
)

if TYPE_CHECKING:
    from pbem.seal.keys import PublicKey


@click.group()
def key_command() -> None:
    """Make, show and change the key that signs your letters."""


@key_command.command()
@key_option
@click.option("--comment", type=line, default="pbem", show_default=True, help="Stands in the public key.")
@click.option("--no-passphrase", is_flag=True, help="Do not protect the key: whoever has the file can sign.")
@passphrase_option
@json_option
def new(
    key_path: Path | None, comment: str, no_passphrase: bool, passphrase_file: Path | None, json_wanted: bool
) -> None:
    """Make a new key; nothing is ever overwritten."""
    if no_passphrase and passphrase_file:
        raise click.UsageError(misuse("use-one-of", options=("--no-passphrase", "--passphrase-file")))
    with refusals(json_wanted):
        path = place_of(key_path)
        tell(
            path,
            new_pair(path, comment, lambda: None if no_passphrase else new_passphrase(passphrase_file)),
            json_wanted,
        )


def new_passphrase(passphrase_file: Path | None) -> str:
    """Return the passphrase for a new key, from the file or typed twice by the user."""
    if passphrase_file is not None:
        return written_passphrase(passphrase_file)
    return typed_secret(misuse("passphrase-new"), misuse("passphrase-again"))


@key_command.command()
@key_options
@json_option
def show(key_path: Path | None, passphrase_file: Path | None, json_wanted: bool) -> None:
    """Show the public half of a key and its fingerprint; the private half is shown to nobody."""
    with refusals(json_wanted):
        path = place_of(key_path)
        key_bytes(path)
        tell(path, public_half(path) or private_key(key_path, passphrase_file).public, json_wanted)


@key_command.command("import")
@click.argument("source", type=KeyFile())
@key_options
@json_option
def import_key(source: Path, key_path: Path | None, passphrase_file: Path | None, json_wanted: bool) -> None:
    """Take over a key that ssh-keygen has made (Ed25519), with its passphrase."""
    with refusals(json_wanted):
        path = place_of(key_path)
        tell(path, take_over(source, path, lambda data: unlocked_key(data, source, passphrase_file)), json_wanted)


@key_command.command()
@click.argument("new_path", metavar="NEW", type=KeyFile())
@click.option(
    "--new-passphrase-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The same for the key NEW.",
)
@whole_letter_options
def change(new_path: Path, new_passphrase_file: Path | None, wanted: LetterChoice, how: WritingOptions) -> None:
    """Write the letter that says you will sign with the key NEW. Both keys sign it, so that nobody can name another
    person's key.

    Sign with the old key until the receipt for this letter has come.
    """
    from pbem.player.writing import write_key_change

    with refusals(how.json_wanted):
        changed = write_key_change(
            new_path, partial(private_key, new_path, new_passphrase_file), wanted.seat_choice, how.pen()
        )
        if how.json_wanted:
            key = changed.key
            said = {"file": str(changed.file), "key": key.text, "fingerprint": key.fingerprint}
            print_json({**said, "seq": changed.seq})
            return
        say_words("key-changed", file=str(changed.file), path=str(new_path))


@key_command.command()
@click.argument("archive", type=click.Path(path_type=Path, exists=True))
@click.option("--anyway", is_flag=True, help="Also to a history without your newest report, or back from an heir.")
@key_option
@json_option
def moderator(archive: Path, anyway: bool, key_path: Path | None, json_wanted: bool) -> None:
    """Note the key to which the moderator has changed, if the ledger in ARCHIVE says so: a folder, or the
    succession-0001-….zip of a report.

    The ledger is verified. Each key must be named by an entry that the key before it has signed, or by the letters of
    seats for an heir. A thief of the key can also make such an entry, so ask the moderator in another way. If an heir
    and a moderator who came back both go on, you follow the ARCHIVE that you name last.
    """
    from pbem.player.notes import follow_moderator

    with refusals(json_wanted):
        followed = follow_moderator(place_of(key_path), archive, anyway)
        for fault in followed.warnings:
            warn(fault)
        if json_wanted:
            key = followed.key
            told = {"campaign": followed.campaign, "key": key.text, "fingerprint": key.fingerprint}
            print_json(told | {"warnings": [fault.code for fault in followed.warnings]})
            return
        say_words("key-followed", campaign=followed.campaign, key=followed.key.fingerprint)


def tell(path: Path, public: PublicKey, json_wanted: bool) -> None:
    """Print the path, the fingerprint and the public half of a key."""
    if json_wanted:
        print_json({"file": str(path), "key": public.text, "fingerprint": public.fingerprint})
        return
    for label, said in (("key-file", str(path)), ("key-fingerprint", public.fingerprint)):
        # This line is not broken on a narrow terminal, because people copy it.
        click.echo(words(label, value=said).text(language_wanted()))
    click.echo(public.text)
