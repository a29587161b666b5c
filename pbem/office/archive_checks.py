"""Comparison of filed reports with the public folders of their campaigns."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager, suppress
from datetime import datetime
from pathlib import Path

from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.verifying import verify
from pbem.faults.wrong import Words, words
from pbem.office.doubts import Doubts
from pbem.office.settings import user_path
from pbem.office.store import Store

ARCHIVE = "archive"
"""First words of the subject of each doubt about a public folder."""

Doubting = Callable[[str, str], AbstractContextManager[None]]
"""Function that returns a context. An error in this context becomes a doubt about a subject, in a campaign
(`Counter.doubting`)."""


class ArchiveChecks:
    """Checks of a player's reports against the public folders that the settings name."""

    def __init__(self, store: Store, doubts: Doubts, now: Callable[[], datetime], doubting: Doubting) -> None:
        self.settings = doubts.settings
        self.store = store
        self.doubts = doubts
        self.now = now
        self.doubting = doubting

    def verify_report(self, campaign: str, found: Guidance, path: Path) -> list[Words]:
        """Compare a report with the campaign's public folder, if the settings name one. Note differences as doubts, and
        return lines on the result."""
        before = self.archive_doubts(campaign)
        if not (archive := self.settings.archives.get(campaign)):
            self.settle_all(campaign, before)
            return []
        seen = archive_mark(user_path(archive), path)
        with self.doubting(campaign, ARCHIVE):
            folder = user_path(archive)
            result = verify(folder)
            if result.has_sound_ledger:
                check_report(read_folder(folder, self.now()), found, str(path), result)
            for finding in result.findings:
                self.doubts.note(campaign, finding.fault, f"{ARCHIVE} {finding.file}")
            again = {(each.fault.code, f"{ARCHIVE} {each.file}") for each in result.findings}
            self.settle_all(campaign, before - again)
            with self.store.step():
                self.store.note(f"{ARCHIVE} {campaign}", seen)
            if result.is_good:
                return [words("office-verified", campaign=campaign, entry=found.head.entry if found.head else 0)]
            return [words("office-not-verified", campaign=campaign, number=len(result.findings))]
        return []

    def is_unchanged(self, campaign: str, report: Path) -> bool:
        """Return whether the public folder and the report are unchanged since they were last compared; False if the
        settings name no folder."""
        if not (archive := self.settings.archives.get(campaign)):
            return False
        return self.store.fact(f"{ARCHIVE} {campaign}") == archive_mark(user_path(archive), report)

    def archive_doubts(self, campaign: str) -> set[tuple[str, str]]:
        """Return code and subject of each present doubt about the campaign's public folder."""
        query = "SELECT code, about FROM doubts WHERE campaign = ? AND (about = ? OR about GLOB ?)"
        return {(row["code"], row["about"]) for row in self.store.rows(query, campaign, ARCHIVE, f"{ARCHIVE} *")}

    def settle_all(self, campaign: str, doubts: Collection[tuple[str, str]]) -> None:
        for code, about in doubts:
            self.doubts.settle_one(campaign, code, about)


def archive_mark(folder: Path, report: Path) -> str:
    """Return a digest that changes with the name, size or time of any file of a public folder, or of the report."""
    found = []
    with suppress(OSError):
        for path in sorted([*folder.rglob("*"), report]):
            told = path.stat()
            found.append(f"{path} {told.st_size} {told.st_mtime_ns}")
    return hashlib.sha256("\n".join(found).encode("utf-8", "surrogateescape")).hexdigest()
