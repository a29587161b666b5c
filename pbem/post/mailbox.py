"""Mailboxes on disk, split into single mails. A mailbox is a single file, an mbox file, a maildir or any other
folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from msgspec import Struct

MOST_BYTES = (4096 - 64) * 1024
"""Largest number of bytes of a mail that is read. An answer that quotes a picture of the whole board has fewer.
Arrivals are stored in boxes; a mail that is cut at this length and padded still fits into a box."""

SUFFIXES = (".eml", ".mbox", ".txt", ".yaml", ".yml", ".md", ".html", ".htm")
"""Suffixes of files that are read as mails in a folder that is no maildir."""

_CHUNK = 64 * 1024
_HEADER = re.compile(rb">?[!-9;-~]+:|>From ")
# In mbox files, a line `From …` separates mails. If a mail itself has a line that begins with `From `, the sign `>` is
# put before it.
_ESCAPED = re.compile(rb"(?m)^>(>*From )")


class RawMessage(Struct, frozen=True):
    """Mail as it came, but no more than `MOST_BYTES` and one byte. Because of this extra byte, `extract` notices that a
    mail is too long, and refuses it."""

    data: bytes
    where: str
    """Name for the mail in faults."""


def split_mailbox(source: Path | bytes, name: str = "") -> Iterator[RawMessage]:
    """Yield every mail in a file, in a folder, or in given bytes. `name` is the name that the mails of bytes get.
    Raises `OSError` for files that cannot be read."""
    if isinstance(source, bytes):
        yield from _split(BytesIO(source), name)
    elif source.is_dir():
        for path in _files(source):
            yield from _split_file(path, path.relative_to(source).as_posix())
    else:
        yield from _split_file(source, name or source.name)


def _files(folder: Path) -> list[Path]:
    """Return the files in a folder that have mails, sorted by name. In a maildir, these are all files, and their names
    put them in order of arrival. In any other folder, these are the files with a suffix in `SUFFIXES`. Links are left
    out."""
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
    """Yield the mails in a file. An mbox file may have several, any other file has one."""
    first = stream.readline(_CHUNK)
    if not first.startswith(b"From "):
        yield RawMessage(first + stream.read(max(0, MOST_BYTES + 1 - len(first))), name)
        return
    place = f"{name}, message" if name else "message"
    for number, data in enumerate(_of_mbox(first, stream), 1):
        yield RawMessage(_ESCAPED.sub(rb"\1", data), f"{place} {number}")


def _of_mbox(postmark: bytes, stream: BinaryIO) -> Iterator[bytes]:
    """Yield the mails of an mbox file. A mail begins below a line `From …` that has an empty line above it and a header
    below it."""
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
