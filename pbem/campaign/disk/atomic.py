"""Files that are there whole or not at all, whatever happens while they are written.

The bytes go to a temporary file beside the target, are forced to the disk, and only then take the target's name. A
command killed at any instant leaves the old file or the new one, and at worst a temporary file that `sweep` removes.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from pathlib import Path

from pbem.faults.wrong import Words, WrongError, reason_of, words, wrong

PUBLIC = 0o644
PRIVATE = 0o600
"""Only its owner may read a file with this mode."""

TEMPORARY = re.compile(r"\.pbem-[0-9a-f]{16}\.tmp")

# O_NONBLOCK: to open a pipe that lies in an archive would wait for somebody who writes into it.
_READING = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""How files are opened to be read; an archive can also be checked on systems that lack some of these."""

_MEANINGS = {
    errno.ENOSPC: "E-DISK-FULL",
    errno.EDQUOT: "E-DISK-FULL.user",
    errno.EACCES: "E-DISK-DENIED",
    errno.EPERM: "E-DISK-DENIED.system",
    errno.EROFS: "E-DISK-DENIED.write",
    errno.EEXIST: "E-DISK-EXISTS",
    errno.ENOENT: "E-DISK-MISSING",
    errno.ENOTDIR: "E-DISK-MISSING.folder",
    errno.EISDIR: "E-DISK-KIND",
    errno.ELOOP: "E-DISK-LINK",
}

_CANNOT = {
    "create": "cannot-create",
    "lock": "cannot-lock",
    "make": "cannot-make",
    "read": "cannot-read",
    "tidy": "cannot-tidy",
    "write": "cannot-write",
}


class StorageFault(WrongError):
    """Something that could not be stored or fetched."""


class Disk:
    """Every change that a command makes to a disk, so that a test can put a failing one in its place."""

    def write(self, path: Path, data: bytes, mode: int) -> None:
        """Make a new file with these bytes."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with open(handle, "wb") as file:
            file.write(data)

    def sync(self, path: Path) -> None:
        """Force a file, or the names in a folder, to the disk."""
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, path: Path, target: Path) -> None:
        """Give a file another name, in place of the file that bore it."""
        os.replace(path, target)

    def link(self, path: Path, target: Path) -> None:
        """Give a file a second name that no file bears yet."""
        os.link(path, target, follow_symlinks=False)

    def unlink(self, path: Path) -> None:
        """Take a name from a file."""
        os.unlink(path)

    def make_folder(self, path: Path) -> None:
        """Make a folder; its parent must be there."""
        os.mkdir(path)


DISK = Disk()


def write_whole(path: Path, data: bytes, disk: Disk = DISK, mode: int = PUBLIC, aside: Path | None = None) -> None:
    """Write a file, in place of the one of this name; raises `StorageFault` and then leaves the old one.

    The temporary file lies in the folder `aside` where that of the target is none that `sweep` is called for.
    """
    temporary = _temporary(aside / path.name if aside else path)
    try:
        disk.write(temporary, data, mode)
        disk.sync(temporary)
        # The bytes are forced to the disk before they get the name, and the name by forcing the folder that has it.
        disk.rename(temporary, path)
        disk.sync(path.parent)
    except OSError as error:
        _remove(temporary, disk)
        raise fault_of(error, path, "write") from None


def write_new(path: Path, data: bytes, disk: Disk = DISK, mode: int = PUBLIC) -> None:
    """Write a file of a name that is free; raises `StorageFault` (`E-DISK-EXISTS` if it is not)."""
    temporary = _temporary(path)
    try:
        disk.write(temporary, data, mode)
        disk.sync(temporary)
        # A link fails where the name is taken; a rename would put the new file in the place of the old.
        disk.link(temporary, path)
        disk.unlink(temporary)
        disk.sync(path.parent)
    except OSError as error:
        _remove(temporary, disk)
        raise fault_of(error, path, "write") from None


def read_whole(path: Path, most: int) -> bytes:
    """The bytes of an ordinary file of at most this size; links are not followed. Raises `StorageFault`."""
    try:
        handle = os.open(path, _READING)
        try:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise StorageFault(wrong("E-DISK-KIND.file", cannot=cannot("read", path)))
            with open(handle, "rb", closefd=False) as file:
                # Room is made for as much as is asked for: for a small file no more than it needs.
                data = file.read(min(about.st_size, most) + 1)
                if about.st_size < len(data) <= most:
                    data += file.read(most + 1 - len(data))
        finally:
            os.close(handle)
    except OSError as error:
        raise fault_of(error, path, "read") from None
    if len(data) > most:
        raise StorageFault(wrong("E-DISK-SIZE", cannot=cannot("read", path), most=most))
    return data


def sweep(folder: Path, disk: Disk = DISK) -> list[str]:
    """Remove the temporary files that a killed command has left; only for who holds the lock. Tells their names."""
    try:
        left = sorted(name for name in os.listdir(folder) if TEMPORARY.fullmatch(name))
        for name in left:
            disk.unlink(folder / name)
    except OSError as error:
        raise fault_of(error, folder, "tidy") from None
    return left


def fault_of(error: OSError, path: Path, verb: str) -> StorageFault:
    """What an error of the system means."""
    known = _MEANINGS.get(error.errno or 0)
    if known:
        return StorageFault(wrong(known, cannot=cannot(verb, path)))
    return StorageFault(wrong("E-DISK-FAILED", cannot=cannot(verb, path), why=reason_of(error)))


def cannot(verb: str, path: Path) -> Words:
    """That this cannot be done to a file."""
    return words(_CANNOT[verb], path=short_path(path))


def short_path(path: Path) -> str:
    """The end of a path, which is all that a message should tell of it."""
    return "/".join(path.parts[-2:])


def _temporary(path: Path) -> Path:
    """A name beside the target that no file bears; a new one each time, since an old one may be linked to an entry."""
    return path.with_name(f".pbem-{secrets.token_hex(8)}.tmp")


def _remove(temporary: Path, disk: Disk) -> None:
    """Clear away after a failure, as far as that is possible; `sweep` does the rest."""
    try:
        disk.unlink(temporary)
    except OSError:
        return
