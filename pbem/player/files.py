"""Reading and writing of files that people name. Files are written whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec import Raw, Struct

from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import WrongUse, words, wrong
from pbem.paper.documents.faults import Refused

MOST_BYTES = 8 * 1024 * 1024
"""Largest size in bytes of a file. Some commands allow larger files."""

MOST_OF_LARGE = 64 * 1024 * 1024
"""Largest size in bytes of modules with pictures, and of files with mails."""

FILES = ("board", "politics", "fate file")


SAVED_GAME = "game against bots"
"""Text that a saved game's file has as its kind."""


class _Setup(Struct, frozen=True):
    """The field of a saved game's setup that only branches have."""

    world: Raw = Raw()


class _Saved(Struct, frozen=True):
    """Fields of a saved game that show the kind of the file."""

    kind: Literal["game against bots"]
    setup: _Setup


def saved_kind(content: bytes) -> Literal["game", "branch", ""]:
    """Return `game` if the file is a saved game, `branch` if it is a branch from a report, else an empty text."""
    try:
        saved = msgspec.json.decode(content, type=_Saved)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""
    return "branch" if saved.setup.world else "game"


def names_beside(terms: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the terms of a game, with paths of files shortened to the files' names. Such terms can be written into a
    file in `folder`. Raises `WrongUse` if one of these files lies in another folder."""
    found = dict(terms)
    for key, value in terms.items():
        if key in FILES and Path(value).is_file():
            if Path(value).resolve().parent != folder.resolve():
                raise WrongUse(wrong("use-file-beside", file=value, folder=str(folder)))
            found[key] = Path(value).name
    return found


def read_file(path: str, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file. Raises `Refused` if the file is larger than `most` bytes."""
    with Path(path).open("rb") as file:
        return read_sized(file, path, most)


def read_sized(file: BinaryIO, source: str, most: int) -> bytes:
    """Return the bytes of an open file. Raises `Refused` if it is larger than `most` bytes."""
    data = file.read(most + 1)
    if len(data) > most:
        raise Refused(source, [wrong("E-FILE-SIZE", most=most)])
    return data


class GivenFile(Struct, frozen=True):
    """File that a person named: its name and its bytes. If its content names other files, they are looked for in
    `folder`."""

    source: str
    data: bytes
    folder: Path | None = None


def write_file(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file whole or not at all. Missing folders are made. Raises `Refused` with the reason that the system
    gives."""
    draft = path.with_name(f".pbem-{os.urandom(8).hex()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
                file.write(content)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        is_path = isinstance(error, FileExistsError)
        raise Refused(
            str(path), [wrong("E-FILE.write", why=words("path-no-folder") if is_path else reason_of(error))]
        ) from None


def write_unnamed(path: Path, content: bytes, is_ours: Callable[[bytes], bool]) -> None:
    """Write a file under a name that the program has chosen. An existing file is replaced only if `is_ours` returns
    True for its content. If it returns False, raises `Refused`."""
    try:
        if os.path.lexists(path) and not is_ours(path.read_bytes()):
            raise Refused(str(path), [wrong("E-FILE-EXISTS")])
    except OSError as error:
        raise Refused(str(path), [wrong("E-FILE.write", why=reason_of(error))]) from None
    write_file(path, content)


def is_drawn(content: bytes) -> bool:
    """Return whether a file is a picture that this program has drawn. The program recognises its pictures by the fonts
    that they name."""
    return content.startswith(b"<svg ") and b"font-family=\"'PT Serif',Georgia" in content[:400]
