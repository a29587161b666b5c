"""Reports of one seat, found among files and folders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import Struct

from pbem.campaign.players.finding_notes import find_known_notes
from pbem.campaign.players.guidance import Guidance
from pbem.faults.wrong import PbemError, Wrong, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import GivenFile, read_file
from pbem.player.notebook import ReadReport, counted, facts_of, read_report
from pbem.player.tables import FoundTable, trusted_guide
from pbem.seal.keys import PublicKey

ENDING = "report.yaml"
"""Ending of the file names of reports. Files in folders are read only if they have it."""

MOST_REPORTS = 5000
"""Largest number of reports that are read."""


class SeatMeant(Struct, frozen=True):
    """Player's key, and the campaign and seat whose reports are wanted. If campaign or seat is empty, reports of all
    are wanted."""

    key: Path
    campaign: str = ""
    seat: str = ""


class FoundReports(Struct, frozen=True):
    """Reports of one seat, the oldest first, and warnings about files in folders that could not be read."""

    reports: tuple[ReadReport, ...]
    unread: tuple[tuple[str, Wrong], ...]

    @property
    def newest(self) -> Guidance:
        return self.reports[-1].guide


class Trusted(Struct, frozen=True):
    """File with a report whose signature is valid, and the guidance in this report."""

    file: GivenFile
    guide: Guidance

    @property
    def seat(self) -> tuple[str, str]:
        return self.guide.campaign, self.guide.seat


def report_paths(places: Iterable[str]) -> Iterator[tuple[Path, bool]]:
    """Yield the paths of reports. With each path, yield True if it was found in a folder, and False if it is itself one
    of `places`. Hidden files in folders are left out."""
    for each in places:
        path = Path(each)
        if not path.is_dir():
            yield path, False
            continue
        for found in sorted(path.rglob(f"*{ENDING}")):
            if found.is_file() and not any(part.startswith(".") for part in found.relative_to(path).parts):
                yield found, True


def find_reports(places: Sequence[str], meant: SeatMeant) -> FoundReports:
    """Return the reports of one seat among the files and folders in `places`. Raises `Refused` if there is no report,
    if there are too many, or if they are of several seats. Also raises it if a file that `places` itself names is no
    report."""
    found: list[Trusted] = []
    unread: list[tuple[str, Wrong]] = []
    for path, is_found in report_paths(places):
        try:
            file = GivenFile(str(path), read_file(str(path)), path.parent)
            guide = trusted_guide(file)
            if not guide.position:
                raise Refused(file.source, [wrong("E-GUIDE-POSITION", kind=guide.kind)])
        except PbemError as error:
            if not is_found:
                raise
            unread.append((str(path), error.faults[0]))
            continue
        if guide.campaign == (meant.campaign or guide.campaign) and guide.seat == (meant.seat or guide.seat):
            found.append(Trusted(file, guide))
        if len(found) > MOST_REPORTS:
            raise Refused(str(path), [wrong("E-NOTEBOOK-REPORTS.many", most=MOST_REPORTS)])
    seats = sorted({each.seat for each in found})
    if len(seats) != 1:
        there = tuple(words("campaign-as", campaign=campaign, seat=seat) for campaign, seat in seats)
        raise Refused("notebook", [wrong("E-NOTEBOOK-REPORTS.several" if there else "E-NOTEBOOK-REPORTS", there=there)])
    in_turn = in_order(found, moderators(meant.key, *seats[0]))
    return FoundReports(
        tuple(read_report(each.guide, each.file.source, each.file.folder) for each in in_turn), (*unread,)
    )


def with_facts(found: FoundTable, report: GivenFile, beside: Sequence[str], key: Path) -> FoundTable:
    """Return the table of a report, with facts added from this report and from earlier reports of its seat. The earlier
    ones are sought in the files and folders `beside`. Raises `Refused` in the same cases as `find_reports`."""
    guide = trusted_guide(report)
    newest = read_report(guide, report.source, report.folder)
    meant = SeatMeant(key, guide.campaign, guide.seat)
    earlier = find_reports(beside, meant).reports if beside else ()
    return replace(found, facts=facts_of(counted(reports_until(newest, earlier))))


def reports_until(newest: ReadReport, others: Iterable[ReadReport]) -> list[ReadReport]:
    """Return the report `newest`, and before it all earlier reports by the same moderator to the same seat. The oldest
    report is first."""
    guide = newest.guide
    of_seat = (guide.campaign, guide.seat, guide.moderator)
    before = [each for each in others if each.entry < newest.entry]
    same = [each for each in before if (each.guide.campaign, each.guide.seat, each.guide.moderator) == of_seat]
    return [*sorted(same, key=lambda each: each.entry), newest]


def moderators(key: Path, campaign: str, seat: str) -> list[PublicKey]:
    """Return the keys of the campaign's moderators in the player's notes, the first moderator first. Return an empty
    list if there are no notes."""
    notes = find_known_notes(key, campaign, seat)
    return [PublicKey.parse(each) for each in (*notes.former, notes.moderator)] if notes else []


def in_order(found: Sequence[Trusted], known: Sequence[PublicKey]) -> list[Trusted]:
    """Sort reports from the oldest to the newest. `known` has the keys of all moderators, the first moderator first. If
    it is empty, only the moderator of the first report in `found` is trusted. Raises `Refused` for a report by a
    moderator who is not trusted."""
    known = known or [found[0].guide.moderator]
    for each in found:
        if each.guide.moderator not in known:
            signer, met = each.guide.moderator.fingerprint, known[-1].fingerprint
            raise Refused(each.file.source, [wrong("E-GUIDE-MODERATOR.met", signer=signer, met=met)])
    return sorted(found, key=lambda each: (known.index(each.guide.moderator), entry_of(each.guide)))


def entry_of(guide: Guidance) -> int:
    return guide.head.entry if guide.head else 0
