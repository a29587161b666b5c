"""`pbem key`: make a key, show it, take over one that exists, and change to another during a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.letters import Whose, Writing, write_noted, writing_whole
from pbem.console.options import as_json, line
from pbem.console.printing import print_json
from pbem.console.refusals import misuse, refusing_in_words
from pbem.console.surroundings import (
    KeyFile,
    key_option,
    key_options,
    passphrase_option,
    private_key,
    typed_secret,
    unlocked,
)
from pbem.player.keyring import keep, key_bytes, place_of, public_half, refuse_taken, written_passphrase

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
@as_json
def new(
    key_path: Path | None, comment: str, no_passphrase: bool, passphrase_file: Path | None, json_wanted: bool
) -> None:
    """Make a new key; nothing is ever overwritten."""
    from pbem.seal.keys import new_key, save_private

    if no_passphrase and passphrase_file:
        raise click.UsageError(misuse("use-one-of", options=("--no-passphrase", "--passphrase-file")))
    with refusing_in_words(json_wanted):
        path = place_of(key_path)
        refuse_taken(path)
        passphrase = None if no_passphrase else new_passphrase(passphrase_file)
        pair = new_key(comment)
        keep(path, save_private(pair, passphrase), pair.public)
        tell(path, pair.public, json_wanted)


def new_passphrase(passphrase_file: Path | None) -> str:
    """The passphrase for a new key, asked for twice."""
    if passphrase_file is not None:
        return written_passphrase(passphrase_file)
    return typed_secret(misuse("passphrase-new"), misuse("passphrase-again"))


@key_command.command()
@key_options
@as_json
def show(key_path: Path | None, passphrase_file: Path | None, json_wanted: bool) -> None:
    """Show the public half of a key and its fingerprint; the private half is shown to nobody."""
    with refusing_in_words(json_wanted):
        path = place_of(key_path)
        key_bytes(path)
        tell(path, public_half(path) or private_key(key_path, passphrase_file).public, json_wanted)


@key_command.command("import")
@click.argument("source", type=KeyFile())
@key_options
@as_json
def import_key(source: Path, key_path: Path | None, passphrase_file: Path | None, json_wanted: bool) -> None:
    """Take over a key that ssh-keygen has made (Ed25519), with the passphrase it has."""
    from pbem.seal.keys import PublicKey

    with refusing_in_words(json_wanted):
        path = place_of(key_path)
        refuse_taken(path)
        data = key_bytes(source)
        pair = unlocked(data, source, passphrase_file)
        beside = public_half(source)
        public = beside if beside == pair.public and beside else PublicKey(pair.public.raw, "pbem")
        keep(path, data, public)
        tell(path, public, json_wanted)


@key_command.command()
@click.argument("new_path", metavar="NEW", type=KeyFile())
@click.option(
    "--new-passphrase-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The same for the key NEW.",
)
@writing_whole
def change(new_path: Path, new_passphrase_file: Path | None, whose: Whose, pen: Writing) -> None:
    """Write the letter that says you will sign with the key NEW; both keys sign it, so that nobody names another's.

    Sign with the old key until the receipt for this letter has come.
    """
    from pbem.campaign.players import notebook
    from pbem.campaign.players.letters import key_change_letter

    with refusing_in_words(pen.json_wanted):
        notes = whose.notes(pen.place)
        key_bytes(new_path)
        old, new = pen.key(), private_key(new_path, new_passphrase_file)
        public = new.public
        letter = key_change_letter(notes.campaign, notes.seat, notes.seq + 1, new, old)
        name = write_noted(pen.out, f"key-change-{notes.campaign}-{notes.seat}.yaml", letter, pen.place, notes)
        notebook.store(new_path, notes)
        if pen.json_wanted:
            print_json({"file": str(name), "key": public.text, "fingerprint": public.fingerprint, "seq": notes.seq})
            return
        click.echo(f"{name}: send it. When its receipt has come, sign with --key {new_path}.")


def tell(path: Path, public: PublicKey, json_wanted: bool) -> None:
    """Say where a key lies and what its public half is."""
    if json_wanted:
        print_json({"file": str(path), "key": public.text, "fingerprint": public.fingerprint})
        return
    click.echo(f"key:         {path}")
    click.echo(f"fingerprint: {public.fingerprint}")
    click.echo(public.text)
