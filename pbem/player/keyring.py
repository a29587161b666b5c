"""Keys on their owner's disk: functions that find, read, decrypt and write key files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused

if TYPE_CHECKING:
    from pbem.seal.keys import PrivateKey, PublicKey, Signer


_LARGEST = 65_536


def standard_place() -> Path:
    """Return the path where the key is looked for if the option `--key` is missing."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".config") / "pbem" / "key"


def place_of(key_path: Path | None) -> Path:
    return key_path or standard_place()


def unlocked_key(key_file: bytes, passphrase_file: Path | None, asked: Callable[[], str]) -> PrivateKey:
    """Return the private key in the bytes of a file. If it has a passphrase, this is read from `passphrase_file`.
    Without this file, `asked` is called and returns the passphrase."""
    from pbem.seal.faults import KeyFault
    from pbem.seal.keys import load_private

    if passphrase_file is not None:
        return load_private(key_file, written_passphrase(passphrase_file))
    try:
        return load_private(key_file, None)
    except KeyFault as fault:
        if fault.code != "E-KEY-PASSPHRASE-MISSING":
            raise
    return load_private(key_file, asked())


def agent_key_at(path: Path) -> Signer | None:
    """Return a signer that signs with the key at a path, by way of ssh-agent. Return None if ssh-agent does not have
    the key."""
    from pbem.seal.agent import agent_key
    from pbem.seal.keys import locked_public

    public = locked_public(key_bytes(path)) if path.is_file() else public_half(path)
    return agent_key(public) if public else None


def written_passphrase(path: Path) -> str:
    """Return the first line of a file; raises `Refused` if the line is empty."""
    line = beginning_of(path).decode("utf-8", "surrogateescape").partition("\n")[0].rstrip("\r")
    if not line:
        raise Refused(str(path), [wrong("E-KEY-PASSPHRASE-MISSING.file")])
    return line


def key_bytes(path: Path) -> bytes:
    """Return the bytes of a key file. Raises `Refused` if the file is missing; the fault says what to do."""
    try:
        return beginning_of(path)
    except FileNotFoundError:
        raise Refused(str(path), [wrong("E-KEY-MISSING.file")]) from None


def beginning_of(path: Path) -> bytes:
    """Return the first `_LARGEST` bytes of a file. No key is larger."""
    with path.open("rb") as file:
        return file.read(_LARGEST)


def public_place(path: Path) -> Path:
    """Return the path of the public key that belongs to the private key at `path`."""
    return path.with_name(f"{path.name}.pub")


def public_half(path: Path) -> PublicKey | None:
    """Return the public key in the file beside a private key. Return None if there is no such file. Raises `KeyFault`
    if the file holds no key."""
    from pbem.seal.keys import PublicKey

    if not public_place(path).is_file():
        return None
    return PublicKey.parse(beginning_of(public_place(path)).decode("utf-8", "replace").strip())


def public_key(written: str) -> PublicKey:
    """Return the public key that the value of an option gives. The value is either the key itself, in one line, or the
    path of a file with this line."""
    from pbem.seal.keys import PublicKey

    if written.startswith("ssh-"):
        return PublicKey.parse(written)
    return PublicKey.parse(beginning_of(Path(written)).decode("utf-8", "replace").strip())


def refuse_taken(path: Path) -> None:
    """Raise `Refused` if a file exists at the path of the private key, or at the path of its public key."""
    for each in (path, public_place(path)):
        if os.path.lexists(each):
            raise Refused(str(each), [wrong("E-KEY-EXISTS")])


def new_pair(path: Path, comment: str, passphrase: Callable[[], str | None]) -> PublicKey:
    """Write a new private key into the file `path` and its public key beside it, and return the public key.
    `passphrase` is a function that asks for the passphrase. It is called only if neither file exists; otherwise
    `Refused` is raised."""
    from pbem.seal.keys import new_key, save_private

    refuse_taken(path)
    secret = passphrase()
    pair = new_key(comment)
    write_pair(path, save_private(pair, secret), pair.public)
    return pair.public


def take_over(source: Path, path: Path, opened: Callable[[bytes], PrivateKey]) -> PublicKey:
    """Copy another program's private key to `path`, and keep its passphrase. Return the public key. `opened` is a
    function that returns the private key in a file's bytes. Raises `Refused` if the file of either key exists."""
    from pbem.seal.keys import PublicKey

    refuse_taken(path)
    data = key_bytes(source)
    pair, beside = opened(data), public_half(source)
    public = beside if beside == pair.public and beside else PublicKey(pair.public.raw, "pbem")
    write_pair(path, data, public)
    return public


def write_pair(path: Path, private: bytes, public: PublicKey) -> None:
    """Write a private key, which only the owner may read, and its public key. Raises `StorageFault` if a file exists or
    cannot be written."""
    from pbem.campaign.disk.atomic import PRIVATE, fault_of, write_new

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise fault_of(error, path.parent, "make") from None
    write_new(path, private, mode=PRIVATE)
    write_new(public_place(path), f"{public.text}\n".encode())
