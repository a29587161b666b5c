"""The folder of a campaign: what lies where, how a new one is laid out, and what of it is never published."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.disk.atomic import DISK, TEMPORARY, Disk, StorageFault, fault_of, short_path, sweep, write_new
from pbem.campaign.disk.lock import LOCK, locked
from pbem.faults.wrong import wrong

FOLDERS = ("ledger", "letters", "raw", "rules", "outbox")
LARGEST_RAW = 16 * 1024 * 1024
"""More bytes than this are not kept of anything that was received."""

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
"""Every byte counts: git must not change line ends."""
FOR_GIT = {".gitignore": GITIGNORE, ".gitattributes": GITATTRIBUTES}
"""The files that tell git what to do with a campaign: by others it may leave out entries, or change their bytes."""

_SHA256 = re.compile("[0-9a-f]{64}")


class Folder(Struct, frozen=True):
    """The places in the folder of one campaign."""

    root: Path

    @property
    def campaign(self) -> Path:
        """The settings that were agreed."""
        return self.root / "campaign.yaml"

    @property
    def ledger(self) -> Path:
        """The folder of the ledger's entries."""
        return self.root / "ledger"

    @property
    def state(self) -> Path:
        """What everybody may know of the present moment, as it follows from the ledger."""
        return self.root / "state.yaml"

    @property
    def secret(self) -> Path:
        """What only the moderator may read, sealed."""
        return self.root / "secret.age"

    @property
    def raw(self) -> Path:
        """The folder of everything that was received, sealed."""
        return self.root / "raw"

    @property
    def letters(self) -> Path:
        """The folder of the letters that were accepted, sealed."""
        return self.root / "letters"

    def letter(self, entry: int) -> Path:
        """The file of the letter that an entry of the ledger says was accepted."""
        return self.letters / f"{entry:04d}.age"

    @property
    def rules(self) -> Path:
        """The folder of boards and positions of the campaign's own."""
        return self.root / "rules"

    @property
    def opened(self) -> Path:
        """Everything that was sealed, published when the campaign closes."""
        return self.root / "opened.json"

    @property
    def outbox(self) -> Path:
        """The folder of letters that are ready to be sent."""
        return self.root / "outbox"


def create(root: Path, disk: Disk = DISK) -> Folder:
    """Lay out a new folder; raises `StorageFault` if anything of somebody else's is in it.

    The caller writes `campaign.yaml` last. Until that is there, the folder may be created again.
    """
    folder = Folder(root)
    try:
        if root.is_symlink() or not root.is_dir():
            disk.make_folder(root)
        if strange := _strange(root):
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
    """The folder of a campaign that is there; raises `StorageFault` if it is none, or leads elsewhere by a link."""
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
def working(folder: Folder, command: str, now: datetime, disk: Disk = DISK) -> Iterator[Folder]:
    """Hold the folder for one command that changes it, and first clear away what a killed command has left.

    Folders that are missing are made: git keeps none that are empty, and nothing of the outbox.
    """
    with locked(folder.root, command, now):
        for path in (folder.root / name for name in FOLDERS):
            if not os.path.lexists(path):
                made(path, disk)
        for path in (folder.root, *(folder.root / name for name in FOLDERS)):
            if path.is_dir() and not path.is_symlink():
                sweep(path, disk)
        yield folder


def made(path: Path, disk: Disk) -> None:
    """Make a folder; raises `StorageFault`."""
    try:
        disk.make_folder(path)
    except OSError as error:
        raise fault_of(error, path, "make") from None


def store_raw(folder: Folder, sealed: bytes, sha256: str, disk: Disk = DISK) -> Path:
    """Keep received bytes, sealed, under the hash of the plain ones; the same ones are kept once."""
    path = _raw_path(folder, sha256)
    if len(sealed) > LARGEST_RAW:
        raise StorageFault(wrong("E-DISK-SIZE.received", most=LARGEST_RAW))
    if not os.path.lexists(path):
        write_new(path, sealed, disk)
    return path


def _raw_path(folder: Folder, sha256: str) -> Path:
    if not _SHA256.fullmatch(sha256):
        raise StorageFault(wrong("E-DISK-NAME", name=repr(sha256[:80])))
    return folder.raw / f"{sha256}.age"


def _strange(root: Path) -> str:
    """The name of something that an interrupted `create` cannot have left, if there is any."""
    for name in sorted(os.listdir(root)):
        path = root / name
        if name in FOLDERS and path.is_dir() and not path.is_symlink() and not os.listdir(path):
            continue
        if name not in (".git", ".gitignore", ".gitattributes", LOCK) and not TEMPORARY.fullmatch(name):
            return name
    return ""
