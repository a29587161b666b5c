"""Comparison of a campaign that came in a zip with the stored campaign of the same name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from msgspec import Struct

from pbem.campaign.ledger.entries import FILE_NAME
from pbem.campaign.ledger.replaying import moderator_of
from pbem.desk.archive import fill_folder
from pbem.faults.wrong import PbemError

LEDGER = "ledger"

Kinship = Literal["same", "newer", "older", "split", "other", "unreadable"]
"""Relation of the ledger in the zip to the stored ledger. The zip has the same ledger, more entries, fewer entries,
other entries after some common entries, or another campaign. `unreadable` if there is no stored ledger to compare."""


class ZipBesideKept(Struct, frozen=True):
    """Relation of a campaign that came in a zip to the stored campaign."""

    kind: Kinship
    entry: int
    """Number of the last entry in the zip."""
    here: int
    """Number of the last stored entry."""
    first: int = 0
    """Number of the first entry that differs, if the ledgers have different entries after some common entries."""
    theirs: str = ""
    """Fingerprint of the moderator's key in the zip, if the zip has another campaign."""
    ours: str = ""
    """Fingerprint of the moderator's key in the stored campaign, if the zip has another campaign."""


def compare_with_kept(root: Path, kept: Mapping[str, Path]) -> ZipBesideKept:
    """Compare the ledger in the folder `root` with the stored campaign of the same name, byte by byte. `kept` has the
    path of each stored file, keyed by its name in the campaign's folder."""
    theirs = hashes({f"{LEDGER}/{path.name}": path for path in (root / LEDGER).iterdir()})
    ours = hashes(kept)
    entry, here = max(theirs), max(ours, default=0)
    last = min(entry, here)
    if here and theirs.get(last) == ours[last]:
        return ZipBesideKept("same" if entry == here else "newer" if entry > here else "older", entry, here)
    if here and theirs[1] == ours.get(1):
        first = next(number for number in range(2, last + 1) if theirs.get(number) != ours.get(number))
        return ZipBesideKept("split", entry, here, first)
    with TemporaryDirectory() as place:
        folder = Path(place, "campaign")
        try:
            fill_folder(folder, kept.items())
            key = moderator_of(folder)
        except PbemError:
            return ZipBesideKept("unreadable", entry, here)
    return ZipBesideKept("other", entry, here, theirs=moderator_of(root).fingerprint, ours=key.fingerprint)


def hashes(files: Mapping[str, Path]) -> dict[int, str]:
    """Return the hashes of the entries among a campaign's files, keyed by entry number."""
    named = ((name.partition("/"), file) for name, file in files.items())
    return {
        int(found[1]): hashlib.sha256(file.read_bytes()).hexdigest()
        for (folder, _, name), file in named
        if folder == LEDGER and (found := FILE_NAME.fullmatch(name))
    }
