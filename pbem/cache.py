"""Cache in the user's own folder: values that later commands would have to compute again (ADR 20).

Any file of the cache may be deleted at any time. It holds nothing secret. Altered files, and a folder that others can
write to, are not used. Environment variables choose the folder or turn the cache off.
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
"""Environment variable that turns the cache off if it is not empty."""

MOST = 1000
"""Number of values of one kind at which all values of that kind are deleted. It is well above the number of compiled
templates, which is nearly 500 in all languages."""

PIXELS = "pixels"
"""Kind of cached values that are parts of pictures, and large."""

MOST_PIXELS = 64
"""Number of cached parts of pictures at which all of them are deleted."""

MOST_UNLISTED = 50
"""Number of values that a process stores before it lists the folder again, because other processes store values in the
same folder."""

LARGEST = 16 * 1024 * 1024
"""Largest file of the cache, in bytes."""

_DIGEST = 32
_READING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
_ASIDE = ".tmp"


def load_or_make(category: str, about: bytes, kind: type[T], make: Callable[[], T]) -> T:
    """Return the cached value of this category and of the type `kind`; make and cache a missing value. `about` is
    everything on which the value depends."""
    name = name_of(category, about)
    found = load_value(name, kind)
    if found is None:
        found = make()
        keep(name, found)
    return found


def load_value(name: str, kind: type[T]) -> T | None:
    """Return the value that is cached under a name; None if no value of this type is cached there."""
    if (data := fetch(name)) is not None:
        with suppress(msgspec.MsgspecError):
            return msgspec.msgpack.decode(data, type=kind)
    return None


def keep(name: str, value: object) -> None:
    store(name, msgspec.msgpack.encode(value))


def name_of(category: str, about: bytes) -> str:
    """Return the file name of a cached value that depends on `about`."""
    return f"{category}-{sha256(sources() + sha256(about).digest()).hexdigest()}"


@cache
def sources() -> bytes:
    """Return a digest of the program's version and of the sizes and times of its modules."""
    found = sorted(_modules(Path(__file__).parent))
    return sha256(repr((__version__, found)).encode()).digest()


def _modules(folder: Path) -> Iterator[tuple[str, int, int]]:
    """Yield the path, the time of change in nanoseconds and the size in bytes of each module in a folder and its
    subfolders."""
    with os.scandir(folder) as items:
        for item in items:
            if item.name.endswith(".py"):
                about = item.stat()
                yield item.path, about.st_mtime_ns, about.st_size
            elif item.is_dir() and not item.name.startswith("__"):
                yield from _modules(Path(item.path))


def fetch(name: str) -> bytes | None:
    """Return the bytes that are cached under a name; None if they are missing, altered or too large."""
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


def _digest(name: str, content: bytes) -> bytes:
    digest = sha256(name.encode())
    digest.update(content)
    return digest.digest()


def store(name: str, content: bytes) -> None:
    """Cache bytes under a name. A failure is ignored."""
    place = folder(make=True) if _DIGEST + len(content) <= LARGEST else None
    if place is None:
        return
    aside = place / f"{os.urandom(8).hex()}{_ASIDE}"
    kind = f"{name.partition('-')[0]}-"
    room = _room.pop((place, kind), 0)
    with suppress(OSError), removing_file(aside):
        room = room or make_room(place, kind)
        with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_digest(name, content))
            file.write(content)
        os.replace(aside, place / name)
        _room[place, kind] = room - 1


_room: dict[tuple[Path, str], int] = {}
"""Numbers of values that this process may store, by folder and kind, before it lists the folder again."""


def make_room(place: Path, kind: str) -> int:
    """Delete all values of a kind if there are too many. Also delete the temporary files of killed commands. Return how
    many values may be stored before the next call."""
    there = os.listdir(place)
    most = MOST_PIXELS if kind == f"{PIXELS}-" else MOST
    alike = [old for old in there if old.startswith(kind)]
    crowd = alike if len(alike) >= most else []
    # This may delete the temporary file of a running command, which then has to compute its value again later.
    for old in {*crowd, *(old for old in there if old.endswith(_ASIDE))}:
        os.unlink(place / old)
    return min(MOST_UNLISTED, most - len(alike) + len(crowd))


@contextmanager
def removing_file(aside: Path) -> Iterator[None]:
    """Return a context that deletes a temporary file at its end, even after a failure."""
    try:
        yield
    finally:
        with suppress(OSError):
            os.unlink(aside)


def folder(make: bool = False) -> Path | None:
    """Return the folder of the cache; None if it is off, missing or open to other users. With `make` a missing folder
    is made."""
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
