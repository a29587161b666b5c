"""Forgeries by a moderator in a finished archive: any entry written anew and signed, and all behind it adjusted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from datetime import datetime
from pathlib import Path
from typing import Any

from msgspec import Struct, ValidationError

from pbem.campaign.clock.clock import stamp
from pbem.campaign.ledger.chain import Head, state_text
from pbem.campaign.ledger.entries import EntryHead, build_entry, file_name, parse_entry, record_of
from pbem.campaign.ledger.entry_effects import add_entry, public_state_at_start
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.records import KINDS
from pbem.campaign.ledger.replaying import MALFORMED
from pbem.seal.keys import PrivateKey

Change = Callable[["Draft"], None]


class Draft(Struct):
    """An archive as it may be changed before it is signed again."""

    entries: list[tuple[str, datetime, Any]]
    """Kind, time and body."""
    opened: Any

    def body(self, kind: str, number: int = 0) -> Any:
        """The body of an entry, counted among those of its kind."""
        return [body for each, _, body in self.entries if each == kind][number]

    def letter(self, kind: str, number: int = 0) -> tuple[int, Any]:
        """The number and the body of an entry that accepts a letter of this kind."""
        found = [
            (place, body)
            for place, (each, _, body) in enumerate(self.entries, 1)
            if each == "letter" and body["kind"] == kind
        ]
        return found[number]


def rewritten(root: Path, key: PrivateKey, change: Change) -> None:
    """Change an archive, and sign and chain all of it again."""
    names = sorted((root / "ledger").iterdir())
    old = [parse_entry(path.read_bytes(), path.name) for path in names]
    path = root / "opened.json"
    draft = Draft([(each.kind, each.time, deepcopy(each.body)) for each in old], json.loads(path.read_bytes()))
    untouched = json.dumps(draft.opened)
    change(draft)
    if json.dumps(draft.opened) != untouched:
        path.write_text(json.dumps(draft.opened))
        draft.body("close")["opened"] = hashlib.sha256(path.read_bytes()).hexdigest()
    for name in names:
        name.unlink()
    before = "0" * 64
    for number, (kind, time, body) in enumerate(draft.entries, 1):
        data = build_entry(EntryHead(number, kind, old[0].campaign, time, before), body, key)
        (root / "ledger" / file_name(number, kind)).write_bytes(data)
        before = hashlib.sha256(data).hexdigest()
    with suppress(*MALFORMED, ValidationError):  # what makes no sense leads to no state
        write_state(root)


def write_state(root: Path) -> None:
    """Write `state.yaml` as it follows from the ledger, whatever that says."""
    public: PublicState | None = None
    head = Head(0, "")
    for path in sorted((root / "ledger").iterdir()):
        entry = parse_entry(path.read_bytes(), path.name)
        record = record_of(entry.kind, entry.body)
        if isinstance(record, KINDS["new"]):
            public = public_state_at_start(record)  # type: ignore[arg-type]
        assert public is not None
        add_entry(public, entry.number, stamp(entry.time), record, entry.hash)
        head = Head(entry.number, entry.hash)
    assert public is not None
    (root / "state.yaml").write_text(state_text(public, head), "utf-8")
