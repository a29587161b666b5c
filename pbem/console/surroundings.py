"""Surroundings of one call of the program: the time, files and the standard input, the key and its passphrase."""

from __future__ import annotations

import stat
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from getpass import GetPassWarning
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.console.printing import warn
from pbem.console.refusals import misuse
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.player import keyring
from pbem.player.files import MOST_BYTES, Given, read_file, read_sized
from pbem.player.keyring import key_bytes, place_of

if TYPE_CHECKING:
    from pbem.seal.keys import PrivateKey, Signer


def real_time() -> datetime:
    """The time of this computer."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Surroundings:
    """Surroundings of the program; a caller in Python may give others (`main(obj=…)`)."""

    now: Callable[[], datetime] = real_time


def time_now() -> datetime:
    """The time, as this call of the program has it."""
    given = click.get_current_context().find_object(Surroundings)
    return (given or Surroundings()).now()


def read_bytes(path: str, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file, or of the standard input for `-`, which can be read once."""
    if path == "-":
        said = click.get_current_context().find_root().meta
        if said.setdefault("pbem.stdin", False):
            raise click.UsageError(misuse("use-one-input"))
        said["pbem.stdin"] = True
        return read_sized(sys.stdin.buffer, path, most)
    return read_file(path, most)


Command = TypeVar("Command", bound=Callable[..., object])


def given(path: str, most: int = MOST_BYTES) -> Given:
    """A file as somebody gave it; the standard input lies in no folder."""
    return Given(path, read_bytes(path, most), None if path == "-" else Path(path).parent)


class KeyFile(click.Path):
    """The file of a private key, beside which other files have their names from it."""

    def __init__(self) -> None:
        """No folder is a key."""
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """Refuse what has no name."""
        if not Path(value).name:
            self.fail(misuse("use-name-key"), param, ctx)
        return super().convert(value, param, ctx)


def key_options(command: Command) -> Command:
    """The options that say which private key is used, and where its passphrase stands."""
    return key_option(passphrase_option(command))


def key_option(command: Command) -> Command:
    """The option `--key`."""
    text = "The private key. Left out: $XDG_CONFIG_HOME/pbem/key, which is ~/.config/pbem/key."
    kind = KeyFile()
    return click.option("--key", "key_path", type=kind, metavar="FILE", help=text)(command)


def passphrase_option(command: Command) -> Command:
    """The option `--passphrase-file`."""
    text = "A file whose first line is the passphrase. Left out: you are asked."
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--passphrase-file", type=kind, metavar="FILE", help=text)(command)


def private_key(key_path: Path | None, passphrase_file: Path | None) -> PrivateKey:
    """The private key that is meant; its passphrase is asked for if it has one."""
    path = place_of(key_path)
    data = key_bytes(path)
    warn_of_readers(path)
    return unlocked_key(data, path, passphrase_file)


def signing_key(key_path: Path | None, passphrase_file: Path | None) -> Signer:
    """The key that is meant, to sign with; if ssh-agent has it, no passphrase is asked for."""
    held = keyring.agent_key_at(place_of(key_path)) if passphrase_file is None else None
    return held or private_key(key_path, passphrase_file)


def unlocked_key(data: bytes, path: Path, passphrase_file: Path | None) -> PrivateKey:
    """The key in these bytes, with its passphrase if it has one."""
    return keyring.unlocked_key(data, passphrase_file, lambda: typed_secret(misuse("passphrase-of", path=str(path))))


def typed_secret(question: str, again: str | bool = False) -> str:
    """A secret that somebody types; where nobody can, or everybody could read it, it is not asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            typed: str = click.prompt(question, hide_input=True, confirmation_prompt=again, err=True)
        except GetPassWarning:
            raise Refused("key", [wrong("E-KEY-PASSPHRASE-MISSING.terminal")]) from None
    return typed


def warn_of_readers(path: Path) -> None:
    """Say so if others can read a private key."""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        warn(wrong("W-KEY-MODE", path=str(path)))
