"""The folder of a campaign: the places of its files, settings for git, and the lock that admits one command at a
time."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.disk.atomic import (
    DISK,
    PRIVATE,
    TEMPORARY,
    Disk,
    StorageFault,
    cannot_words,
    fault_of,
    read_whole,
    short_path,
    sweep,
    write_new,
)
from pbem.faults.wrong import Words, Wrong, words, wrong

LARGEST_FILE = 8 * 1024 * 1024
"""Most bytes of a board, politics or position file, or of the state file."""

NUMBER = re.compile(r"[0-9]{4}")
"""Pattern for the names of the folders in an outbox; there is one folder for each entry."""

try:
    import fcntl
except ImportError:  # the module exists only on systems of the Unix family
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"
_MOST = 200
_HOLDER = re.compile(r"[\x20-\x7e]{1,200}")


@contextmanager
def hold_lock(folder: Path, command: str, now: datetime) -> Iterator[None]:
    """Hold the lock of this folder. Raises `StorageFault` at once if another command holds the lock, or if the system
    has no such locks. `command` names the holder in such faults."""
    if fcntl is None:
        raise StorageFault(wrong("E-LOCK-SYSTEM"))
    path = folder / LOCK
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, PRIVATE)
    except OSError as error:
        raise fault_of(error, path, "lock") from None
    try:
        _take_lock(handle, path)
        _note_holder(handle, command, now)
        yield
    finally:
        # The lock file stays. If it were removed, two commands could hold locks on two files of this name.
        os.close(handle)


def _take_lock(handle: int, path: Path) -> None:
    """Lock the open lock file until it is closed. Raises `StorageFault` if another command holds the lock, or if the
    lock file is no ordinary file."""
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        raise StorageFault(wrong("E-DISK-KIND.file", cannot=cannot_words("lock", path)))
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise StorageFault(wrong("E-LOCK-HELD", holder=_holder(handle))) from None
    except OSError as error:
        raise fault_of(error, path, "lock") from None


def _note_holder(handle: int, command: str, now: datetime) -> None:
    """Write the name of the running command into the lock file, for messages. Errors are ignored."""
    since = f"{now:%Y-%m-%d %H:%M:%S %Z}".strip()
    note = f"`{command}`, since {since} (process {os.getpid()})"
    try:
        os.ftruncate(handle, 0)
        os.pwrite(handle, note.encode("ascii", "replace")[:_MOST], 0)
    except OSError:  # for example a full disk
        return


def _holder(handle: int) -> str | Words:
    """Return the name that the holder wrote into the lock file, or words for an unnamed holder."""
    note = os.pread(handle, _MOST, 0).decode("ascii", "replace")
    return note if _HOLDER.fullmatch(note) else words("lock-unnamed")


FOLDERS = ("ledger", "letters", "raw", "rules", "outbox")
LARGEST_RAW = 16 * 1024 * 1024
"""Most bytes of one received mail, page or file, once it is sealed."""

GITIGNORE = """\
# What must not be published, or is of no use to others.
outbox/
.lock
.pbem-*.tmp
# Private keys.
id_*
*.key
*.pem
!*.pub
"""
GITATTRIBUTES = "* -text\n"
"""Settings for git, which must not change line ends."""
FOR_GIT = {".gitignore": GITIGNORE, ".gitattributes": GITATTRIBUTES}
"""Files with settings for git. With other settings git might leave out entries, or change their bytes."""

_MOST_FOR_GIT = 1_000_000
_SHA256 = re.compile("[0-9a-f]{64}")


class Folder(Struct, frozen=True):
    """Paths of the files and folders in the folder of one campaign."""

    root: Path

    @property
    def campaign(self) -> Path:
        """Return the path of the file with the agreed settings."""
        return self.root / "campaign.yaml"

    @property
    def ledger(self) -> Path:
        return self.root / "ledger"

    @property
    def state(self) -> Path:
        """Return the path of the file with the public state after the last entry."""
        return self.root / "state.yaml"

    @property
    def secret(self) -> Path:
        """Return the path of the file with the moderator's sealed vault."""
        return self.root / "secret.age"

    @property
    def raw(self) -> Path:
        """Return the path of the folder in which everything received is stored, sealed to the moderator."""
        return self.root / "raw"

    @property
    def letters(self) -> Path:
        """Return the path of the folder in which accepted letters are stored, sealed to the moderator."""
        return self.root / "letters"

    def letter(self, entry: int) -> Path:
        """Return the path of the sealed letter that this entry of the ledger accepts."""
        return self.letters / f"{entry:04d}.age"

    @property
    def rules(self) -> Path:
        """Return the path of the folder with the campaign's own boards and positions."""
        return self.root / "rules"

    @property
    def opened(self) -> Path:
        """Return the path of the file of opened letters, which is published when the campaign closes."""
        return self.root / "opened.json"

    @property
    def outbox(self) -> Path:
        """Return the path of the folder with letters that are ready to be sent."""
        return self.root / "outbox"


def create(root: Path, disk: Disk = DISK) -> Folder:
    """Create the folder of a new campaign. Raises `StorageFault` if the folder has other files or cannot be made. An
    interrupted call can be repeated, as long as the caller has not written `campaign.yaml`."""
    folder = Folder(root)
    try:
        if root.is_symlink() or not root.is_dir():
            disk.make_folder(root)
        if strange := _strange_name(root):
            raise StorageFault(wrong("E-FOLDER-TAKEN", path=short_path(root), strange=strange))
        for name in FOLDERS:
            if not (root / name).is_dir():
                disk.make_folder(root / name)
    except OSError as error:
        raise fault_of(error, root, "create") from None
    sweep(root, disk)
    for name, text in FOR_GIT.items():
        if not (root / name).exists():
            write_new(root / name, text.encode(), disk)
    return folder


def open_folder(root: Path) -> Folder:
    """Return the folder of an existing campaign. Raises `StorageFault` if there is no campaign, or if a link or a file
    stands in the wrong place."""
    folder = Folder(root)
    if not os.path.lexists(folder.campaign):
        raise StorageFault(wrong("E-FOLDER-NONE", path=short_path(root)))
    for path in (folder.campaign, folder.state, folder.secret, folder.opened, *(root / name for name in FOLDERS)):
        if path.is_symlink():
            raise StorageFault(wrong("E-DISK-LINK.path", path=short_path(path)))
    for name in FOLDERS:
        if os.path.lexists(root / name) and not (root / name).is_dir():
            raise StorageFault(wrong("E-DISK-KIND.folder", path=short_path(root / name)))
    return folder


@contextmanager
def hold_folder(folder: Folder, command: str, now: datetime, disk: Disk = DISK) -> Iterator[Folder]:
    """Hold the folder's lock for one command that changes the campaign. First remove temporary files of killed
    commands, and make missing folders."""
    with hold_lock(folder.root, command, now):
        # Copies made by git lack the outbox and empty folders.
        for path in (folder.root / name for name in FOLDERS):
            if not os.path.lexists(path):
                make_folder(path, disk)
        for path in (folder.root, *(folder.root / name for name in FOLDERS)):
            if path.is_dir() and not path.is_symlink():
                sweep(path, disk)
        yield folder


def make_folder(path: Path, disk: Disk) -> None:
    """Make a folder. Raises `StorageFault` on failure."""
    try:
        disk.make_folder(path)
    except OSError as error:
        raise fault_of(error, path, "make") from None


def store_raw(folder: Folder, sealed: bytes, sha256: str, disk: Disk = DISK) -> Path:
    """Store the `sealed` bytes of something received under the name `sha256`, and return the path of the file. If the
    file exists already, it stays unchanged. Raises `StorageFault` for more than `LARGEST_RAW` bytes."""
    if not _SHA256.fullmatch(sha256):
        raise StorageFault(wrong("E-DISK-NAME", name=repr(sha256[:80])))
    path = folder.raw / f"{sha256}.age"
    if len(sealed) > LARGEST_RAW:
        raise StorageFault(wrong("E-DISK-SIZE.received", most=LARGEST_RAW))
    if not os.path.lexists(path):
        write_new(path, sealed, disk)
    return path


def _strange_name(root: Path) -> str:
    """Return the name of a file or folder that no interrupted `create` can have left. Return an empty text if there is
    none. Changed settings for git count as strange."""
    for name in sorted(os.listdir(root)):
        path = root / name
        if name in FOLDERS and path.is_dir() and not path.is_symlink() and not os.listdir(path):
            continue
        if name in FOR_GIT and read_whole(path, _MOST_FOR_GIT) == FOR_GIT[name].encode():
            continue
        if name not in (".git", LOCK) and not TEMPORARY.fullmatch(name):
            return name
    return ""


def sha256_of(path: Path, most: int) -> str:
    """Return the SHA-256 of a file of at most `most` bytes. Raises `StorageFault` like `read_whole`."""
    return hashlib.sha256(read_whole(path, most)).hexdigest()


def outbox_ahead(folder: Folder, last: int) -> Wrong | None:
    """Return a fault if the outbox has letters of entries after `last`, the last entry of the ledger, else None. Such
    letters show that the ledger was longer once."""
    with suppress(OSError):
        numbers = [int(name) for name in os.listdir(folder.outbox) if NUMBER.fullmatch(name)]
        if (newest := max(numbers, default=0)) > last:
            first, name = f"{last + 1:04d}", f"outbox/{newest:04d}"
            return wrong("E-LEDGER-SHORT.outbox", folder=name, first=first, entry=newest, last=last)
    return None
