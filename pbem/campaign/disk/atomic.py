"""Files that are written whole or not at all, even if the command is killed.

The bytes go to a temporary file, are forced to the disk, and only then take the target's name. At worst a killed
command leaves a temporary file, which `sweep` removes.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from pathlib import Path

from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import Words, WrongError, words, wrong

PUBLIC = 0o644
PRIVATE = 0o600
"""Mode of files that only their owner may read."""

TEMPORARY = re.compile(r"\.pbem-[0-9a-f]{16}\.tmp")

# O_NONBLOCK: without it, opening a pipe that lies in an archive would wait until somebody writes into the pipe.
_READING = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))
"""Flags for opening a file to read. Flags that the system lacks are left out, so that an archive can be checked on any
system."""

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
    """Exception for a failure to read or write a file or folder."""


class Disk:
    """Functions with which commands change a disk. Tests replace them by functions that fail."""

    def write(self, path: Path, content: bytes, mode: int) -> None:
        """Write these bytes into a new file. Raises `FileExistsError` if the name is taken."""
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, mode)
        with open(handle, "wb") as file:
            file.write(content)

    def sync(self, path: Path) -> None:
        """Wait until a file, or the list of names in a folder, is stored on the disk."""
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def rename(self, path: Path, target: Path) -> None:
        """Rename a file, in place of any file that has the new name."""
        os.replace(path, target)

    def link(self, path: Path, target: Path) -> None:
        """Give a file a second name, which must be free."""
        os.link(path, target, follow_symlinks=False)

    def unlink(self, path: Path) -> None:
        os.unlink(path)

    def make_folder(self, path: Path) -> None:
        os.mkdir(path)


DISK = Disk()


def write_whole(path: Path, content: bytes, disk: Disk = DISK, mode: int = PUBLIC, aside: Path | None = None) -> None:
    """Write a file, in place of any old file of this name. If a `StorageFault` is raised, the file has either the old
    or the new content, complete. `mode` has the permissions. `aside` is a folder for the temporary file, by default the
    target's folder. The caller must give another folder if `sweep` never cleans the target's folder."""
    temporary = _temporary_path(aside / path.name if aside else path)
    try:
        disk.write(temporary, content, mode)
        disk.sync(temporary)
        # First the bytes of the file are forced to the disk, then the file gets its name, then the folder with this
        # name is forced to the disk.
        disk.rename(temporary, path)
        disk.sync(path.parent)
    except OSError as error:
        _remove_if_possible(temporary, disk)
        raise fault_of(error, path, "write") from None


def write_new(path: Path, content: bytes, disk: Disk = DISK, mode: int = PUBLIC) -> None:
    """Write a file under a free name. Raises `StorageFault`, with the code `E-DISK-EXISTS` if the name is taken."""
    temporary = _temporary_path(path)
    try:
        disk.write(temporary, content, mode)
        disk.sync(temporary)
        # A link fails where the name is taken; a rename would put the new file in the place of the old.
        disk.link(temporary, path)
        disk.unlink(temporary)
        disk.sync(path.parent)
    except OSError as error:
        _remove_if_possible(temporary, disk)
        raise fault_of(error, path, "write") from None


def read_whole(path: Path, most: int) -> bytes:
    """Return the bytes of an ordinary file. Raises `StorageFault` for a link or other kind of file, for more than
    `most` bytes, and for a file that cannot be read."""
    try:
        handle = os.open(path, _READING)
        try:
            about = os.fstat(handle)
            if not stat.S_ISREG(about.st_mode):
                raise StorageFault(wrong("E-DISK-KIND.file", cannot=cannot_words("read", path)))
            with open(handle, "rb", closefd=False) as file:
                # Python reserves memory for all bytes that are asked for. So at first no more bytes are asked for than
                # the file has.
                data = file.read(min(about.st_size, most) + 1)
                if about.st_size < len(data) <= most:
                    data += file.read(most + 1 - len(data))
        finally:
            os.close(handle)
    except OSError as error:
        raise fault_of(error, path, "read") from None
    if len(data) > most:
        raise StorageFault(wrong("E-DISK-SIZE", cannot=cannot_words("read", path), most=most))
    return data


def sweep(folder: Path, disk: Disk = DISK) -> list[str]:
    """Remove the temporary files that killed commands have left in a folder, and return their names. The caller must
    hold the lock. Raises `StorageFault` if a file cannot be removed."""
    try:
        left = sorted(name for name in os.listdir(folder) if TEMPORARY.fullmatch(name))
        for name in left:
            disk.unlink(folder / name)
    except OSError as error:
        raise fault_of(error, folder, "tidy") from None
    return left


def fault_of(error: OSError, path: Path, verb: str) -> StorageFault:
    """Return the fault for an error of the operating system. `verb` is the key in `_CANNOT` for the action that
    failed."""
    known = _MEANINGS.get(error.errno or 0)
    if known:
        return StorageFault(wrong(known, cannot=cannot_words(verb, path)))
    return StorageFault(wrong("E-DISK-FAILED", cannot=cannot_words(verb, path), why=reason_of(error)))


def cannot_words(verb: str, path: Path) -> Words:
    """Return words for a file and the action that failed. `verb` is the key in `_CANNOT` for this action."""
    return words(_CANNOT[verb], path=short_path(path))


def short_path(path: Path) -> str:
    """Return the last two names of a path, for messages."""
    return "/".join(path.parts[-2:])


def _temporary_path(path: Path) -> Path:
    """Return a new name for a temporary file beside the target."""
    # No name is used twice, because an old temporary file may be linked to an entry.
    return path.with_name(f".pbem-{secrets.token_hex(8)}.tmp")


def _remove_if_possible(temporary: Path, disk: Disk) -> None:
    """Remove a temporary file after a failure, or else leave it to `sweep`."""
    try:
        disk.unlink(temporary)
    except OSError:
        return
