"""Verification of archives without any key, and its results in words and as data."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from pathlib import Path

from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.proof.kept_report import check_report
from pbem.campaign.proof.messages import ProvedMessage, check_messages
from pbem.campaign.proof.verification import Figures, Verification
from pbem.campaign.proof.verifying import verify
from pbem.faults.wrong import Words, printable, words
from pbem.player.files import GivenFile
from pbem.player.letters import guide


def verification_of(folder: Path, jobs: int) -> Verification:
    """Verify a campaign in `jobs` processes."""
    if jobs == 1:
        return verify(folder)
    from pbem.campaign.proof.sharing import verify_together  # not needed by a single process

    return verify_together(folder, jobs)


def compare(folder: Path, report: GivenFile, now: datetime, found: Verification) -> None:
    """Check a report against the ledger of its campaign. Faults are added to `found`. The caller must have checked that
    the ledger is sound."""
    check_report(read_folder(folder, now), guide(report), report.source, found)


def proved_messages(folder: Path, file: GivenFile, now: datetime, found: Verification) -> list[ProvedMessage]:
    """Return the messages in a file that are proved by the campaign's ledger. Faults are added to `found`. The caller
    must have checked that the ledger is sound."""
    return check_messages(read_folder(folder, now), file.data, file.source, found)


def message_line(proved: ProvedMessage) -> Words:
    """Return a line that tells of a proved message."""
    shown = proved.shown
    return words("verify-message", entry=shown.entry, time=stamp(proved.time), sender=shown.sender, to=shown.to)


def message_data(proved: ProvedMessage) -> dict[str, object]:
    """Return a proved message, for JSON."""
    shown = proved.shown
    told = {"entry": shown.entry, "from": shown.sender, "to": shown.to, "text": shown.text}
    return {**told, "time": stamp(proved.time)}


def campaigns_below(folder: Path) -> Iterator[str]:
    """Yield the path of each campaign below a folder, relative to the folder. No campaigns are sought inside
    campaigns."""
    for place, below, _ in os.walk(folder):
        for name in list(below):
            path = Path(place, name)
            if os.path.lexists(path / "campaign.yaml") or os.path.lexists(path / "ledger"):
                below.remove(name)
                yield path.relative_to(folder).as_posix()


def verifier_of(folder: str) -> Callable[[str], Verification]:
    """Return a function that takes the path of a campaign below the folder, and verifies the campaign. If the campaign
    cannot be read, the function returns a verification with a finding that says so."""

    def check(name: str) -> Verification:
        try:
            return verify(Path(folder, name))
        except StorageFault as fault:
            found = Verification()
            found.note(name, fault.wrong)
            return found

    return check


def verdict(found: Verification, name: str) -> Words:
    """Return a line that says whether a campaign is sound."""
    return words("verify-good" if found.is_good else "verify-bad", campaign=name, phase=words(PHASES[found.phase]))


def verification_line(name: str, found: Verification, language: str) -> str:
    """Return a line about one of several campaigns: its first fault, and the number of its other faults."""
    faults = [finding for finding in found.findings if not finding.fault.is_warning]
    told = [verdict(found, printable(name)).text(language), *(each.message_line(language) for each in faults[:1])]
    return ": ".join(told) + (f" (+{len(faults) - 1})" if faults[1:] else "")


def summary_of(every: Collection[Verification], seconds: float) -> list[Words]:
    """Return two sentences about several verifications. They tell how many campaigns are faulty, and how much was
    checked in all. `seconds` is the time that this took."""
    bad = sum(not each.is_good for each in every)
    counts = {each: sum(getattr(found.figures, each) for found in every) for each in Figures.__struct_fields__}
    total = Verification(phase="closed", figures=Figures(**counts | {"seconds": seconds}))
    return [words("verify-all", campaigns=len(every), bad=bad), checked_counts(total)]


def verification_data(found: Verification, language: str) -> dict[str, object]:
    """Return a verification for JSON: the campaign, its phase, the findings, and the numbers of what was checked."""
    figures = found.figures
    return {
        "campaign": found.campaign,
        "phase": found.phase,
        "good": found.is_good,
        "findings": [each.data(language) for each in found.findings],
        "figures": {
            "entries": figures.entries,
            "letters": figures.letters,
            "sealed": figures.sealed,
            "shuffles": figures.shuffles,
            "cards": figures.cards,
            "adjudications": figures.adjudications,
            "seconds": figures.seconds,
        },
    }


PHASES = {
    "": "phase-unread",
    "joining": "phase-joining",
    "running": "phase-running",
    "over": "phase-over",
    "closed": "phase-closed",
}
"""Wording for each phase of a campaign. The phase is empty if the ledger cannot be read to its end."""


def checked_counts(found: Verification) -> Words:
    """Return a sentence with the numbers of entries, letters, shuffles and cards that were checked. If the ledger
    cannot be read to its end, only the entries before that place are told."""
    figures, seconds = found.figures, f"{found.figures.seconds:.2f}"
    if not found.phase:
        far = "verify-unread" if figures.entries else "verify-unread.none"
        return words(far, entries=figures.entries, seconds=seconds)
    left = "verify-private" if found.phase == "closed" else "verify-sealed"
    return words(
        "verify-counts",
        entries=figures.entries,
        letters=figures.letters,
        sealed=words(left, sealed=figures.sealed) if figures.sealed else "",
        shuffles=figures.shuffles,
        cards=figures.cards,
        adjudications=figures.adjudications,
        seconds=seconds,
    )
