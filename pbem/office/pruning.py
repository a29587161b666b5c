"""Deletion of old reports that have been sent. They can be made again from the ledger."""

from __future__ import annotations

import email
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import msgspec
from msgspec import Struct

from pbem.campaign import campaign as campaigns
from pbem.campaign.briefing import readers_of
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.disk.atomic import write_whole
from pbem.campaign.play.rulings import campaign_at
from pbem.faults.wrong import wrong
from pbem.moderator.daily import daily_seats
from pbem.moderator.mails import RECEIPT, write_reports
from pbem.office.evenings import ServedCampaign
from pbem.office.moderator_office import Office
from pbem.office.queue import glob_literal
from pbem.paper.documents.faults import Refused
from pbem.post.parcels import OFFER

NOTE = ".pruned"
"""Name of the file that is left in a folder. It tells how the deleted reports can be made again."""

OTHERS = (RECEIPT, OFFER, "-invitation", "-reminder", "-moved-")
"""Parts of the names of those files in an outbox that are not reports."""

UNSURE = 2
"""Number of the newest entries whose receipts are not deleted, because `Tray.is_answered` needs them."""

LAST = 2
"""Number of the newest sets of reports that are not deleted."""


class PruningNote(Struct, frozen=True):
    """Note that replaces deleted reports. It has all facts that are needed to make them again."""

    since: int
    """Number of the entry for which the previous reports were written."""
    time: str
    """Moment at which the deleted reports were written."""
    pictures: bool
    """True if the deleted reports had pictures."""


class Pruned(Struct):
    """Numbers of the deleted files and of their bytes."""

    files: int = 0
    size: int = 0

    def delete(self, files: Iterable[Path]) -> None:
        for path in files:
            self.size += path.stat().st_size
            path.unlink()
            self.files += 1


def prune(office: Office, days: int) -> Pruned:
    """Delete mails that were sent at least `days` ago. The newest mails of each campaign are not deleted, and neither
    are the reports for readers who get one mail a day."""
    pruned = Pruned()
    for served in office.served_campaigns().values():
        posts = posts_of(served.path / "outbox")
        for before, folder in list(zip([None, *posts], posts, strict=False))[:-LAST]:
            if may_go(office, folder, days):
                since, but = int(before.name) if before else 1, daily_seats(served.public.settings)
                pruned.delete(reports_noted(folder, since, but))
        # Receipts for the last entries are not deleted, because players may still ask for them.
        folders = sorted((served.path / "outbox").glob("[0-9]*"))
        for folder in [each for each in folders if int(each.name) < served.head.number - UNSURE]:
            if may_go(office, folder, days):
                pruned.delete([path for part in (RECEIPT, OFFER) for path in folder.glob(f"*{part}*")])
    pruned.delete(old_notes(office, days))
    return pruned


def old_notes(office: Office, days: int) -> list[Path]:
    """Return the files of mails to the moderator that were sent at least `days` ago."""
    query = "SELECT path FROM mails WHERE campaign = '' AND state = 'sent' AND since < ?"
    rows = office.store.rows(query, stamp(office.now() - timedelta(days=days)))
    return [path for row in rows if (path := Path(row["path"])).exists()]


def posts_of(outbox: Path) -> list[Path]:
    """Return those folders of an outbox that have reports, or had reports before these were deleted."""
    return sorted(each for each in outbox.glob("[0-9]*") if (each / "observer.txt").exists() or (each / NOTE).exists())


def may_go(office: Office, folder: Path, days: int) -> bool:
    """Return True if the mails in a folder may be deleted: the office knows them, none is still queued or has failed,
    and all were sent at least `days` ago."""
    since = stamp(office.now() - timedelta(days=days))
    query = "SELECT count(*) FROM mails WHERE path GLOB ? AND (state IN ('queued', 'held', 'failed') OR since > ?)"
    within = f"{glob_literal(str(folder))}/*"
    known = office.store.count("SELECT count(*) FROM mails WHERE path GLOB ?", within)
    return bool(known) and not office.store.count(query, within, since)


def reports_in(folder: Path) -> list[Path]:
    found = [path for path in folder.iterdir() if path.is_file() and path.name != NOTE]
    return [path for path in found if not any(each in path.name for each in OTHERS)]


def reports_noted(folder: Path, since: int, but: Collection[str]) -> list[Path]:
    """Write a note into a folder on how to make its reports again, and return the reports that may now be deleted.
    Reports of the seats in `but` are not returned. `since` is the entry for which the previous reports were written."""
    # The reports of the seats in `but` tell of the events since another entry: that of the seat's own last report.
    reports = [path for path in reports_in(folder) if path.name.partition(".")[0] not in but]
    mails = [path for path in reports if path.suffix == ".eml"]
    if not mails:
        return []
    head = email.message_from_bytes(mails[0].read_bytes()[:8192])
    time = stamp(parsedate_to_datetime(str(head["Date"])))
    has_pictures = any(path.suffix == ".png" for path in reports)
    write_whole(folder / NOTE, msgspec.json.encode(PruningNote(since, time, has_pictures)))
    return reports


def restored_reports(office: Office, served: ServedCampaign, entry: int, now: datetime) -> list[Path]:
    """Write the deleted reports of an entry again, and return their paths. They differ from the deleted ones only in
    encrypted parts. Raises `Refused` if no reports of this entry were deleted."""
    note = served.path / "outbox" / f"{entry:04d}" / NOTE
    if not note.exists():
        raise Refused(str(note), [wrong("E-OFFICE-PRUNED", entry=entry)])
    pruned = msgspec.json.decode(note.read_bytes(), type=PruningNote)
    opened = campaigns.opened_by_moderator(served.path, office.key, "pbem mail again", now)
    with opened as campaign, campaign_at(campaign, entry, pruned.since, parse_moment(pruned.time)) as then:
        then.language = office.settings.language
        steady = set(readers_of(then.state)) - daily_seats(then.settings)
        return write_reports(then, pruned.pictures, steady)
