"""Other offices of the same player. All must be started with the same `--as NAME`, or each sends the same letters."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from pbem.faults.wrong import wrong
from pbem.office.doubts import Doubts
from pbem.office.store import NAME, Store

OWNER = "owner"
"""Key under which the store keeps the player's key and the folder of the player's files."""

NAMESAKES = "namesakes"
"""Subject of the doubt about another office."""


def doubt_namesakes(store: Store, doubts: Doubts, owner: str) -> None:
    """Note a doubt if an office with another name has served the same owner since this office began."""
    if store.fact(OWNER) != owner:
        with store.step():
            store.note(OWNER, owner)
    others = [path for path in sorted(store.folder.parent.glob(f"as-*/{NAME}")) if path != store.path]
    names = tuple(path.parent.name.removeprefix("as-") for path in others if is_namesake(path, owner, store))
    doubts.settle("", about=NAMESAKES)
    if names:
        doubts.notice("", wrong("W-OFFICE-NAMES", names=names), NAMESAKES)


def is_namesake(path: Path, owner: str, store: Store) -> bool:
    """Return whether the memory of another office has the same owner, and was used since this office began."""
    found: dict[str, str] = {}
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as base:
        found = dict(base.execute("SELECT name, value FROM facts WHERE name IN (?, 'last')", (OWNER,)))
    return found.get(OWNER) == owner and found.get("last", "") >= store.fact("begun")
