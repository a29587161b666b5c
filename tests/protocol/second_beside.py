"""What lies beside a ledger and follows from it, as `docs/protocol.md` says: nothing of `pbem`, for `second.py`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.protocol import second_bots
from tests.protocol.second_entries import Entry, Finding
from tests.protocol.second_letters import digest_of
from tests.protocol.second_text import ordered, write

if TYPE_CHECKING:
    from tests.protocol.second import Campaign


def beside(root: Path, campaign: Campaign, entries: list[Entry]) -> list[Finding]:
    """What lies beside the ledger and follows from it."""
    found = second_bots.seats(campaign.settings)
    words = b"# What was agreed; the ledger's first entry says the same, signed.\n"
    expected = {
        "state.yaml": state_file(campaign, entries[-1]),
        "campaign.yaml": words + write(ordered(campaign.settings), 66),
    }
    for name, data in expected.items():
        if not (root / name).is_file() or (root / name).read_bytes() != data:
            found.append(Finding(name, "this does not follow from the ledger"))
    for name, digest in entries[0].body.get("files", {}).items():
        path = root / "rules" / Path(name).name
        if Path(name).name != name or not path.is_file() or digest_of(path.read_bytes()) != digest:
            found.append(Finding(f"rules/{name}", "this is not the file that was agreed on"))
    return found


def state_file(campaign: Campaign, last: Entry) -> bytes:
    """What `state.yaml` must say."""
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
