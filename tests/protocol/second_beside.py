"""Files beside a ledger that follow from it, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.protocol import second_bots, second_masks
from tests.protocol.second_entries import Entry, Finding
from tests.protocol.second_letters import digest_of
from tests.protocol.second_text import Unreadable, ordered, read, write

if TYPE_CHECKING:
    from tests.protocol.second import Campaign

FILES = ("board", "politics", "fate file")
"""Terms that may name a file."""


FOR_GIT = {
    ".gitignore": (
        b"# What must not be published, or is of no use to others.\noutbox/\n.lock\n.pbem-*.tmp\n"
        b"# Private keys.\nid_*\n*.key\n*.pem\n!*.pub\n"
    ),
    ".gitattributes": b"* -text\n",
}
FOLDERS = ("letters", "raw", "rules", "outbox")


def beside(root: Path, campaign: Campaign, entries: list[Entry]) -> list[Finding]:
    """Files beside the ledger that follow from it."""
    found = [*second_bots.seats(campaign.settings), *second_masks.seats(campaign.settings)]
    words = b"# What was agreed; the ledger's first entry says the same, signed.\n"
    expected = {
        "state.yaml": state_file(campaign, entries[-1]),
        "campaign.yaml": words + write(ordered(campaign.founding), 66),
    }
    for name, data in expected.items():
        if not (root / name).is_file() or (root / name).read_bytes() != data:
            found.append(Finding(name, "this does not follow from the ledger"))
    found += [Finding("ledger/0001-new.yaml", f"{name} was not agreed on") for name in unagreed(root, entries[0].body)]
    agreed = entries[0].body.get("files", {})
    there = sorted((root / "rules").iterdir()) if (root / "rules").is_dir() else []
    odd = [path.name for path in there if path.is_symlink() or not path.is_file()]
    found += [Finding(f"rules/{name}", "this is no file") for name in odd if name not in agreed]
    for name, digest in agreed.items():
        path = root / "rules" / Path(name).name
        if Path(name).name != name or not path.is_file() or digest_of(path.read_bytes()) != digest:
            found.append(Finding(f"rules/{name}", "this is not the file that was agreed on"))
    return [*found, *for_git(root)]


def for_git(root: Path) -> list[Finding]:
    """Files that tell git to leave out or change more than it should."""
    found = []
    if os.path.lexists(root / ".gitmodules"):
        found.append(Finding(".gitmodules", "git may put something else in the place of a folder"))
    for name, data in FOR_GIT.items():
        for folder in ("", *FOLDERS):
            path = root / folder / name
            is_ours = path.is_file() and path.read_bytes() == (b"" if folder else data)
            if os.path.lexists(path) and not is_ours:
                found.append(Finding(str(path.relative_to(root)), "git may leave files out by it, or change them"))
    return found


def unagreed(root: Path, begun: dict[str, Any]) -> list[str]:
    """Files that terms, or the position, name and that entry 1 does not; names of the program's own have no dot."""
    settings, files = begun["settings"], begun.get("files", {})
    position = settings["position"]
    found = [position] if position and position not in files else []
    documents = [settings["terms"]]
    if position in files:
        path = root / "rules" / Path(position).name
        try:
            documents.append(read(path.read_bytes() if path.is_file() else b""))
        except (Unreadable, OSError):
            return [position]
    for document in documents:
        named = document if isinstance(document, dict) else {}
        names = [str(named[key]) for key in FILES if key in named]
        found += [name for name in names if name not in files and is_file(root / "rules", name)]
    return found


def is_file(folder: Path, name: str) -> bool:
    """True if a name is that of a file, by its form or because it exists."""
    return "." in name or Path(name).name != name or (folder / name).exists()


def state_file(campaign: Campaign, last: Entry) -> bytes:
    """Required content of `state.yaml`."""
    document: dict[str, Any] = {"pbem": "1", "kind": "state", "format": "1", "campaign": campaign.name}
    document["version"] = str(campaign.version)
    document["head"] = {"entry": str(last.number), "hash": last.hash}
    document["phase"] = campaign.phase
    document["players"] = campaign.players
    if campaign.next:
        order = ("stage", "phase", "digest", "owing", "answered", "deadline", "over")
        document["next"] = {key: campaign.next[key] for key in order if key in campaign.next}
        document["deadline"], document["letters"] = campaign.deadline, campaign.pending
    return write(document, 66)
