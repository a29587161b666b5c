"""Counts what a command does to a disk: files opened, bytes read, names listed. It is the same on every machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import median

from msgspec import Struct


class Work(Struct):
    """Cost of one command."""

    command: str
    letters: int
    """Number of letters that had come in before."""
    opened: int = 0
    read: int = 0
    """Bytes of the files that were opened, however they were used."""
    listed: int = 0
    """Number of times that a folder was listed."""


_counting: list[tuple[str, Work]] = []
"""Counters at work with their folders. A hook of the interpreter can never be taken away, so it looks here."""


@cache
def _listen() -> None:
    """Begin to hear of what the interpreter does, which costs everything that is done from now on."""
    sys.addaudithook(_hook)


def _hook(event: str, arguments: tuple[object, ...]) -> None:
    """Count what the interpreter is about to do."""
    if not _counting or event not in ("open", "os.scandir", "os.listdir"):
        return
    root, work = _counting[-1]
    path = arguments[0]
    if not isinstance(path, str | os.PathLike) or not os.fspath(path).startswith(root):
        return
    if event == "open":
        work.opened += 1
        work.read += os.stat(path).st_size if os.path.isfile(path) else 0
    else:
        work.listed += 1


@contextmanager
def counting(root: Path, work: Work) -> Iterator[Work]:
    """Count everything that is done below a folder."""
    _listen()
    _counting.append((str(root), work))
    try:
        yield work
    finally:
        _counting.pop()


def fifths(works: list[Work]) -> tuple[list[Work], list[Work]]:
    """The first and the last fifth of what was done, by the letters that had come in."""
    length = max(1, len(works) // 5)
    ordered = sorted(works, key=lambda work: work.letters)
    return ordered[:length], ordered[-length:]


def typical(works: list[Work], key: str) -> float:
    """Typical cost of a command."""
    return float(median(getattr(work, key) for work in works))
