"""Where keys lie and how they are opened: the options `--key` and `--passphrase-file`, and the question behind them."""

from __future__ import annotations

import os
import stat
import warnings
from collections.abc import Callable
from getpass import GetPassWarning
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.common import misuse, warn
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused

if TYPE_CHECKING:
    from pbem.seal.keys import PrivateKey, PublicKey, Signer

Command = TypeVar("Command", bound=Callable[..., object])

_LARGEST = 65_536


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


def standard_place() -> Path:
    """Where the key lies if nothing else is said."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".config") / "pbem" / "key"


def place_of(key_path: Path | None) -> Path:
    """The place of the key that is meant."""
    return key_path or standard_place()


def private_key(key_path: Path | None, passphrase_file: Path | None) -> PrivateKey:
    """The private key that is meant; its passphrase is asked for if it has one."""
    path = place_of(key_path)
    data = key_bytes(path)
    warn_of_readers(path)
    return unlocked(data, path, passphrase_file)


def signing_key(key_path: Path | None, passphrase_file: Path | None) -> Signer:
    """The key that is meant, to sign with; if ssh-agent has it, no passphrase is asked for."""
    from pbem.seal.agent import agent_key
    from pbem.seal.keys import locked_public

    path = place_of(key_path)
    if passphrase_file is None:
        public = locked_public(key_bytes(path)) if path.is_file() else public_half(path)
        if public and (held := agent_key(public)):
            return held
    return private_key(key_path, passphrase_file)


def unlocked(data: bytes, path: Path, passphrase_file: Path | None) -> PrivateKey:
    """The key in these bytes, with its passphrase if it has one."""
    from pbem.seal.faults import KeyFault
    from pbem.seal.keys import load_private

    if passphrase_file is not None:
        return load_private(data, written_passphrase(passphrase_file))
    try:
        return load_private(data, None)
    except KeyFault as fault:
        if fault.code != "E-KEY-PASSPHRASE-MISSING":
            raise
    return load_private(data, typed_secret(misuse("passphrase-of", path=str(path))))


def typed_secret(question: str, again: str | bool = False) -> str:
    """A secret that somebody types; where nobody can, or everybody could read it, it is not asked for."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            typed: str = click.prompt(question, hide_input=True, confirmation_prompt=again, err=True)
        except GetPassWarning:
            raise Refused("key", [wrong("E-KEY-PASSPHRASE-MISSING.terminal")]) from None
    return typed


def written_passphrase(path: Path) -> str:
    """The first line of a file."""
    line = bounded(path).decode("utf-8", "surrogateescape").partition("\n")[0].rstrip("\r")
    if not line:
        raise Refused(str(path), [wrong("E-KEY-PASSPHRASE-MISSING.file")])
    return line


def key_bytes(path: Path) -> bytes:
    """The bytes of a key file; where none is, what to do about it."""
    try:
        return bounded(path)
    except FileNotFoundError:
        raise Refused(str(path), [wrong("E-KEY-MISSING.file")]) from None


def bounded(path: Path) -> bytes:
    """The beginning of a file, which for keys is all of it."""
    with path.open("rb") as file:
        return file.read(_LARGEST)


def warn_of_readers(path: Path) -> None:
    """Say so if others can read a private key."""
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        warn(wrong("W-KEY-MODE", path=str(path)))


def public_place(path: Path) -> Path:
    """Where the public half of a key lies."""
    return path.with_name(f"{path.name}.pub")


def public_half(path: Path) -> PublicKey | None:
    """The public half as it lies beside a private key; none if it does not."""
    from pbem.seal.keys import PublicKey

    if not public_place(path).is_file():
        return None
    return PublicKey.parse(bounded(public_place(path)).decode("utf-8", "replace").strip())


def public_key(written: str) -> PublicKey:
    """A public key as an option gives it: the line itself, or the file that has it."""
    from pbem.seal.keys import PublicKey

    if written.startswith("ssh-"):
        return PublicKey.parse(written)
    return PublicKey.parse(bounded(Path(written)).decode("utf-8", "replace").strip())
