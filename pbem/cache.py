"""What could be made again, kept in the user's own folder for the next command.

Any of it may be deleted at any time, and nothing secret is ever in it: of a campaign only what its ledger tells all.
What is not as it was kept, or lies where others can write, counts as not kept. The environment can say where it lies,
and that there be none.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import msgspec

from pbem import __version__

T = TypeVar("T")

OFF = "PBEM_NO_CACHE"
"""The variable of the environment that turns this off, whatever it says."""

MOST = 400
"""How many things of a kind are kept; with more of them that kind is begun anew."""

PIXELS = "pixels"
"""What parts of pictures are called, which are large."""

MOST_PIXELS = 64
"""How many of them are kept."""

LARGEST = 16 * 1024 * 1024
"""How many bytes a kept thing has at most."""

_DIGEST = 32
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_ASIDE = ".tmp"


def remembered(what: str, about: bytes, kind: type[T], make: Callable[[], T]) -> T:
    """What is made of something, as it was made before by the same program, if it was."""
    name = name_of(what, about)
    found = recalled(name, kind)
    if found is None:
        found = make()
        keep(name, found)
    return found


def recalled(name: str, kind: type[T]) -> T | None:
    """The value that is kept under a name."""
    if (data := fetch(name)) is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(data, type=kind)
    return None


def keep(name: str, value: object) -> None:
    """Keep a value under a name."""
    store(name, msgspec.msgpack.encode(value))


def name_of(what: str, about: bytes) -> str:
    """Under which name something is kept that this program makes of these bytes."""
    return f"{what}-{sha256(sources() + sha256(about).digest()).hexdigest()}"


@cache
def sources() -> bytes:
    """A fingerprint of the program: what another version made, or one with a changed line, is not used."""
    found = sorted(_modules(Path(__file__).parent))
    return sha256(repr((__version__, found)).encode()).digest()


def _modules(folder: Path) -> Iterator[tuple[str, int, int]]:
    """The modules of the program, with their sizes and when they were written."""
    with os.scandir(folder) as items:
        for item in items:
            if item.name.endswith(".py"):
                about = item.stat()
                yield item.path, about.st_mtime_ns, about.st_size
            elif item.is_dir() and not item.name.startswith("__"):
                yield from _modules(Path(item.path))


def fetch(name: str) -> bytes | None:
    """What is kept under a name."""
    place = folder()
    if place is None:
        return None
    with suppress(OSError), open(os.open(place / name, _READING), "rb", buffering=0) as file:
        about = os.fstat(file.fileno())
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
            return None
        kept_as, data = file.read(_DIGEST), file.read()
        if _digest(name, data) == kept_as:
            return data
    return None


def _digest(name: str, data: bytes) -> bytes:
    digest = sha256(name.encode())
    digest.update(data)
    return digest.digest()


def store(name: str, data: bytes) -> None:
    """Keep something; where that cannot be, it is made again the next time."""
    place = folder(make=True) if _DIGEST + len(data) <= LARGEST else None
    if place is None:
        return
    aside = place / f"{os.urandom(8).hex()}{_ASIDE}"
    with suppress(OSError), cleared_away(aside):
        there = os.listdir(place)
        kind = f"{name.partition('-')[0]}-"
        alike = [old for old in there if old.startswith(kind)]
        crowd = alike if len(alike) >= (MOST_PIXELS if kind == f"{PIXELS}-" else MOST) else []
        # What a killed command has left aside goes too; if another is just writing it, that one makes it again.
        for old in {*crowd, *(old for old in there if old.endswith(_ASIDE))}:
            os.unlink(place / old)
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_digest(name, data))
            file.write(data)
        os.replace(aside, place / name)


@contextmanager
def cleared_away(aside: Path) -> Iterator[None]:
    """Leave nothing aside: on a disk that is full it would keep it so."""
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(aside)


def folder(make: bool = False) -> Path | None:
    """The folder of what is kept, if there is one and it is the user's alone."""
    if os.environ.get(OFF) or not hasattr(os, "getuid"):
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    parent = Path(base if os.path.isabs(base) else os.path.expanduser("~/.cache"))
    place = parent / "pbem"
    try:
        if make and not place.is_dir():
            for each in (parent, place):
                with suppress(FileExistsError):
                    os.mkdir(each, 0o700)
        about = os.lstat(place)
    except OSError:
        return None
    is_ours = stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077
    return place if is_ours else None
