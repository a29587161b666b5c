"""Memory of the last entry of each campaign that an office has worked with, by which it notices an older ledger."""

from __future__ import annotations

from pathlib import Path

from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.chain import Head, Ledger
from pbem.faults.wrong import Wrong, wrong
from pbem.office.store import Store


class LedgerMemory:
    """Last entries that the office knows, each with its hash. They lie in the store, so that an older state of a
    campaign's folder, out of git or a backup, does not take them along."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def learn(self, name: str, path: Path, head: Head) -> None:
        """Note the last entry of a campaign, in place of the one that was noted before."""
        with self.store.step():
            self.store.do("INSERT OR REPLACE INTO campaigns VALUES (?, ?, ?)", name, str(path), head.number)
            self.store.note(f"head {name}", head.hash)

    def contradiction(self, name: str, folder: Folder, head: Head) -> Wrong | None:
        """Return a fault if the ledger, which ends with `head`, does not have the last entry that was noted. Memories
        of earlier versions have only its number."""
        rows = self.store.rows("SELECT entry FROM campaigns WHERE name = ?", name)
        number, known = int(rows[0]["entry"]) if rows else 0, self.store.fact(f"head {name}")
        if number > head.number:
            return wrong("E-LEDGER-SHORT.office", first=head.number + 1, entry=number, last=head.number)
        if not number:
            return None
        found = head.hash if number == head.number else Ledger(folder.ledger, name).read(number).hash
        if not known:
            with self.store.step():
                self.store.note(f"head {name}", found)
        return wrong("E-LEDGER-OTHER.office", entry=number) if known and known != found else None
