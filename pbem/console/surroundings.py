"""Surroundings of one call of the program: time, files, standard input, and the key with its passphrase."""

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

from pbem.console.language import came
from pbem.console.printing import warn
from pbem.console.refusals import misuse
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.player import keyring
from pbem.player.files import MOST_BYTES, GivenFile, read_file, read_sized
from pbem.player.keyring import key_bytes, place_of

if TYPE_CHECKING:
    from pbem.seal.keys import PrivateKey, Signer


def real_time() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Surroundings:
    """The program's clock. A caller in Python may replace it by passing another object (`main(obj=…)`)."""

    now: Callable[[], datetime] = real_time


def time_now() -> datetime:
    """Return the present time by the clock in `Surroundings`."""
    given = click.get_current_context().find_object(Surroundings)
    return (given or Surroundings()).now()


def read_bytes(path: str, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file, or of the standard input for `-`. Raises `UsageError` if the standard input was
    already read."""
    if path == "-":
        said = click.get_current_context().find_root().meta
        if said.setdefault("pbem.stdin", False):
            raise click.UsageError(misuse("use-one-input"))
        said["pbem.stdin"] = True
        return read_sized(sys.stdin.buffer, path, most)
    return read_file(path, most)


Command = TypeVar("Command", bound=Callable[..., object])


def given_file(path: str, most: int = MOST_BYTES) -> GivenFile:
    """Return a named file, or the standard input for `-`. From now on, the language of messages also depends on its
    content."""
    data = read_bytes(path, most)
    came.set((*came.get(), data))
    return GivenFile(path, data, None if path == "-" else Path(path).parent)


class KeyFile(click.Path):
    """Type of an option that names a private key's file. Other files that belong to the key have the same name with a
    suffix."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> str | bytes | PathLike[str]:
        """Return the path. Raises `BadParameter` for a path without a file name."""
        if not Path(value).name:
            self.fail(misuse("use-name-key"), param, ctx)
        return super().convert(value, param, ctx)


def key_options(command: Command) -> Command:
    """Add the options of the private key and its passphrase."""
    return key_option(passphrase_option(command))


def key_option(command: Command) -> Command:
    """Add the option `--key`. The command gets it as `key_path`; None stands for the standard place."""
    text = "The private key. Left out: $XDG_CONFIG_HOME/pbem/key, which is ~/.config/pbem/key."
    kind = KeyFile()
    return click.option("--key", "key_path", type=kind, metavar="FILE", help=text)(command)


def passphrase_option(command: Command) -> Command:
    """Add the option `--passphrase-file`. The command gets it as `passphrase_file`."""
    text = "A file whose first line is the passphrase. Left out: you are asked."
    kind = click.Path(path_type=Path, dir_okay=False)
    return click.option("--passphrase-file", type=kind, metavar="FILE", help=text)(command)


def private_key(key_path: Path | None, passphrase_file: Path | None) -> PrivateKey:
    """Return the private key at a path, by default at the standard place. Warn if other users can read the file. A
    passphrase is read from `passphrase_file`, or else asked for."""
    path = place_of(key_path)
    data = key_bytes(path)
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        warn(wrong("W-KEY-MODE", path=str(path)))
    return unlocked_key(data, path, passphrase_file)


def signing_key(key_path: Path | None, passphrase_file: Path | None) -> Signer:
    """Return the key for signing. Without `passphrase_file`, a key in ssh-agent is preferred."""
    held = keyring.agent_key_at(place_of(key_path)) if passphrase_file is None else None
    return held or private_key(key_path, passphrase_file)


def unlocked_key(content: bytes, path: Path, passphrase_file: Path | None) -> PrivateKey:
    """Return the private key in `content`, read from the file `path`. A passphrase is read from `passphrase_file`, or
    else asked for."""
    return keyring.unlocked_key(content, passphrase_file, lambda: typed_secret(misuse("passphrase-of", path=str(path))))


def typed_secret(question: str, again: str | bool = False) -> str:
    """Ask for a secret and return it. A second question `again`, if not empty, asks for the secret once more. Raises
    `Refused` if the terminal would show the secret."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            typed: str = click.prompt(question, hide_input=True, confirmation_prompt=again, err=True)
        except GetPassWarning:
            raise Refused("key", [wrong("E-KEY-PASSPHRASE-MISSING.terminal")]) from None
    return typed
