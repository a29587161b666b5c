"""Mailboxes on disk (single files, mbox files, maildirs, folders), split into the bytes of each mail."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

MOST_BYTES = (4096 - 64) * 1024
"""Largest number of bytes of a mail that is read; an answer that quotes a picture of the whole board is shorter. A mail
that is cut at this length and padded still fits into one of the boxes in which arrivals are stored."""

SUFFIXES = (".eml", ".mbox", ".txt", ".yaml", ".yml", ".md", ".html", ".htm")
"""Suffixes of the files that are mails in a folder other than a maildir."""

_CHUNK = 64 * 1024
_HEADER = re.compile(rb">?[!-9;-~]+:|>From ")
# Mbox files put this sign before each line of a mail that begins with `From `, because the line would end the mail.
_ESCAPED = re.compile(rb"(?m)^>(>*From )")


class RawMessage(Struct, frozen=True):
    """Mail as it came, but cut one byte after `MOST_BYTES`, so that `extract` refuses a longer mail."""

    data: bytes
    where: str
    """Name of the mail in faults."""


def split_mailbox(source: Path | bytes, name: str = "") -> Iterator[RawMessage]:
    """Yield every mail in a file, a folder, or given bytes. Raises `OSError` for unreadable files."""
    if isinstance(source, bytes):
        yield from _split(BytesIO(source), name)
    elif source.is_dir():
        for path in _files(source):
            yield from _split_file(path, path.relative_to(source).as_posix())
    else:
        yield from _split_file(source, name or source.name)


def _files(folder: Path) -> list[Path]:
    """Return the files with mails in a folder: the files of a maildir in order of arrival, or else all files with a
    suffix of mails. Links are left out."""
    boxes = [folder / "new", folder / "cur"]
    if any(box.is_dir() for box in boxes):
        found = [path for box in boxes if box.is_dir() for path in box.iterdir() if not path.name.startswith(".")]
    else:
        found = [path for path in folder.iterdir() if path.suffix.casefold() in SUFFIXES]
    return sorted((path for path in found if path.is_file() and not path.is_symlink()), key=lambda path: path.name)


def _split_file(path: Path, name: str) -> Iterator[RawMessage]:
    with path.open("rb") as stream:
        yield from _split(stream, name)


def _split(stream: BinaryIO, name: str) -> Iterator[RawMessage]:
    """Yield the mails of a file: several of an mbox file, one of any other."""
    first = stream.readline(_CHUNK)
    if not first.startswith(b"From "):
        yield RawMessage(first + stream.read(max(0, MOST_BYTES + 1 - len(first))), name)
        return
    place = f"{name}, message" if name else "message"
    for number, data in enumerate(_of_mbox(first, stream), 1):
        yield RawMessage(_ESCAPED.sub(rb"\1", data), f"{place} {number}")


def _of_mbox(postmark: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """Yield the mails of an mbox file. Each begins below a line `From …` between an empty line and a header."""
    taken, size, is_empty = list[bytes](), 0, False
    for line in iter(partial(stream.readline, _CHUNK), b""):
        if postmark and _HEADER.match(line):
            if taken:
                yield b"".join(taken)
            taken, size = [], 0
        elif postmark:
            taken.append(postmark)
        postmark = line if is_empty and line.startswith(b"From ") else b""
        is_empty = not line.strip(b"\r\n")
        if not postmark and size <= MOST_BYTES:
            taken.append(line[: MOST_BYTES + 1 - size])
            size += len(line)
    taken.append(postmark)
    yield b"".join(taken)
