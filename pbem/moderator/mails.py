"""Mails in the outbox of a campaign: invitations, reports, receipts and reminders. If an address changes, the mails for
the new address are written as well."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.briefing import briefings, in_language, readers_of
from pbem.campaign.bundles import note_sent
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock import timing
from pbem.campaign.clock.deadlines import Reminder
from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import MOVING, ReminderRecord
from pbem.campaign.play import rulings
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.campaign.succession import renew_heirloom, too_few_holders
from pbem.faults.wrong import Words, words, wrong
from pbem.moderator.addresses import (
    mail_addresses,
    name_at,
    note_address,
    posting_of,
    take_back_notes,
    tell_former,
    write,
)
from pbem.moderator.daily import hours_of_mails, readers_due, seat_since
from pbem.paper.documents.faults import Refused
from pbem.player.names import name_meant
from pbem.post.outbox import (
    JOINT,
    MAIL,
    late_mail,
    parcels_of,
    redirect_mail,
    standing_page,
)
from pbem.post.outgoing import Correspondent
from pbem.post.parcels import (
    EVERYBODY,
    OFFER,
    Parcel,
    invitation_parcel,
    reminder_parcel,
)
from pbem.report.formats.pages import bbcode, markdown, text
from pbem.report.language.own_templates import CODE as TEMPLATE_FAULT
from pbem.report.language.own_templates import with_own_templates

RECEIPT, INVITATION = "-receipt-", "-invitation"
"""Parts of file names in an outbox by which receipts and invitations are found."""


def invite(campaign: Campaign, addresses: Sequence[tuple[str, str]] = ()) -> list[Path]:
    """Note addresses of seats, and write the mails that this requires. If a seat is free, write the invitations as
    well. Return all files. Raises `Refused` if there is nothing to note or to write."""
    told = note_addresses(campaign, addresses)
    has_free_seat = any(seat not in campaign.public.players for seat in campaign.settings.seats)
    # After all players have joined, the command only notes addresses.
    return [*told, *(write_invitations(campaign) if has_free_seat or not addresses else ())]


def write_invitations(campaign: Campaign) -> list[Path]:
    """Write an invitation for each free seat, and one that anybody may have, and return the files. Raises `Refused` if
    no seat is free."""
    free = [seat for seat in campaign.settings.seats if seat not in campaign.public.players]
    if not free:
        raise Refused(campaign.settings.campaign, [wrong("E-INVITE-FULL")])
    powers, addresses = campaign.rules.seats, mail_addresses(campaign)
    with with_own_templates(campaign.folder.root):
        makers = [
            (seat or EVERYBODY, partial(invitation_parcel, campaign, seat, powers, addresses)) for seat in ("", *free)
        ]
        return write(campaign, parcels_of(makers, campaign.left_out))


def write_reports(campaign: Campaign, with_pictures: bool = True, only: Collection[str] = ()) -> list[Path]:
    """Write the reports of all readers, or only of those in `only`, and return the files. Without `with_pictures` they
    have no maps and charts. If a report cannot be written, write the others and then raise `Refused`."""
    files = write_what_can_be(campaign, with_pictures, only)
    if campaign.left_out:
        raise Refused(campaign.settings.campaign, campaign.left_out)
    return files


def write_what_can_be(campaign: Campaign, with_pictures: bool, only: Collection[str] = ()) -> list[Path]:
    """Write the reports of all readers, or only of those in `only`, and return the files. If a report cannot be
    written, add the fault to the campaign's `left_out`."""
    # Only reports have pictures. Receipts and reminders should not have to wait until the modules that draw are loaded.
    from pbem.post.reports import report_parcels

    with with_own_templates(campaign.folder.root):
        return write(campaign, report_parcels(campaign, mail_addresses(campaign), with_pictures, only))


def report_as_it_stands(campaign: Campaign, written: str, language: str = "", has_map: bool = False) -> Parcel:
    """Return the report that a reader would get now.

    `written` is the reader's name, which may be shortened. If `language` is given, it replaces the reader's language.
    If `has_map` is true, a map is added. Raises `Refused` if the map cannot be drawn, or if the moderator plays in the
    campaign and should not see this report."""
    from pbem.post.reports import NO_MAP, pictures_of, report_parcel

    every = briefings(campaign)
    reader, seat = name_meant(written, every, words("reader"), "READER"), campaign.settings.moderator.seat
    if seat and reader not in (seat, OBSERVER):
        raise Refused(campaign.settings.campaign, [wrong("E-REPORT-PLAYS", seat=seat)])
    told = in_language(every[reader], language) if language else every[reader]
    with with_own_templates(campaign.folder.root):
        rules, left_out = campaign.folder.rules, campaign.left_out
        maps = pictures_of({reader: told}, every[OBSERVER], rules, left_out) if has_map else {}
        if left_out:
            raise Refused(campaign.settings.campaign, left_out)
        return report_parcel(campaign, told, {}, maps.get(reader, NO_MAP))


def report_text(campaign: Campaign, parcel: Parcel, form: str, whole: bool) -> str:
    """Return a report as a text in the format `form`, made with the campaign's own templates. For plain text, this is
    the body of the mail, or the complete report if `whole` is true."""
    with with_own_templates(campaign.folder.root):
        match form:
            case "html":
                return standing_page(parcel).decode()
            case "bbcode":
                return bbcode(parcel.blocks)
            case "markdown":
                return markdown(parcel.blocks)
            case "json":
                return json.dumps(parcel.data, ensure_ascii=False, indent=2) + "\n"
        return text(parcel.whole if whole else parcel.body)


def post_news(campaign: Campaign, with_pictures: bool = True) -> list[Path]:
    """Write all reports if there is a new entry. If there is none, write the waiting reports whose time has come.
    Return the files. Raises `Refused` if there is nothing to write."""
    last = campaign.vault.posted.public.entry
    if last == campaign.vault.entry:
        if files := post_due(campaign, with_pictures):
            return files
        what = wrong("E-POST-NOTHING", entry=last, path=str(campaign.folder.outbox / f"{last:04d}"))
        raise Refused(campaign.settings.campaign, [what])
    return post_reports(campaign, with_pictures)


def has_moved(campaign: Campaign) -> bool:
    """Return True if the game has moved since the last reports. A rollback also counts as a move."""
    return any(entry.kind in MOVING for entry in campaign.ledger.entries(campaign.vault.posted.public.entry + 1))


def is_post_begun(campaign: Campaign) -> bool:
    """Return True if the outbox already has a report on the last entry."""
    folder = campaign.folder.outbox / f"{campaign.vault.entry:04d}"
    return any((folder / f"{reader}.txt").exists() for reader in readers_of(campaign.state))


def post_reports(campaign: Campaign, with_pictures: bool = True) -> list[Path]:
    """Write the reports of all readers, and store that the readers have been told of the events. Return the files.
    Reports that wait for the daily mail are not written. Before all this, enter the parts of the heirloom that must be
    renewed."""
    renew_heirloom(campaign)
    if few := too_few_holders(campaign.public):
        campaign.warnings.append(("", few))
    waiting = {reader: campaign.vault.told_to(reader) for reader in hours_of_mails(campaign)}
    files = write_what_can_be(
        campaign, with_pictures, [each for each in readers_of(campaign.state) if each not in waiting]
    )
    if (heirloom := campaign.public.heirloom) and not heirloom.numbers.keys() & waiting.keys():
        note_sent(campaign)
    # This is stored after the files are written. If the command is killed before that, the next command writes the same
    # reports again.
    campaign.vault.posted, campaign.vault.told = campaign.state.snapshot(), waiting
    return files


def post_due(campaign: Campaign, with_pictures: bool = True) -> list[Path]:
    """Write the waiting reports whose time has come, store that their readers have been told, and return the files."""
    if not (due := readers_due(campaign)):
        return []
    files = write_what_can_be(campaign, with_pictures, due)
    campaign.vault.told |= dict.fromkeys(due, campaign.state.snapshot())
    return files


def write_reminders(campaign: Campaign, due: Iterable[Reminder]) -> list[Path]:
    """Write the reminders `due` into the outbox folder of the last entry, and return the files. The caller must enter
    them in the ledger afterwards."""
    addresses = mail_addresses(campaign)

    def parcels() -> list[Parcel]:
        makers = ((each.player, partial(reminder_parcel, campaign, each, addresses)) for each in due)
        return parcels_of(makers, campaign.left_out)

    return write_answers(campaign, parcels)


def remind_now(campaign: Campaign) -> tuple[list[Reminder], list[Path]]:
    """Write the reminders that are due, enter them in the ledger, and return the reminders and their files."""
    due = timing.due_reminders(campaign)
    files = write_reminders(campaign, due) if due else []
    rulings.remind(campaign)
    return due, files


class ReminderNotice(Struct, frozen=True, omit_defaults=True):
    """Reminder as the moderator's command prints it."""

    player: str
    occasion: str
    why: str = ""
    """Reason for the reminder. It is empty for a reminder that an earlier run of the command has entered."""


def remind(campaign: Campaign) -> tuple[list[ReminderNotice], list[Path]]:
    """Write the reminders that are due, and enter them in the ledger. If an earlier run was interrupted, find the
    reminders that it entered. Return the reminders and their files."""
    check_templates_of(campaign)
    if not (entry := campaign.entry_done("reminder")):
        due, files = remind_now(campaign)
        return [ReminderNotice(each.player, each.occasion, each.why) for each in due], files
    record = record_in(campaign.ledger.read(entry))
    assert isinstance(record, ReminderRecord)
    files = sorted((campaign.folder.outbox / f"{entry - 1:04d}").glob("*-reminder*"))
    return [ReminderNotice(player, record.kind) for player in record.players], files


def check_templates_of(campaign: Campaign) -> None:
    """Raise `Refused` if the campaign's own templates are broken. Commands call this function before they make an
    entry."""
    with with_own_templates(campaign.folder.root):
        pass


def write_answers(campaign: Campaign, parcels: Callable[[], list[Parcel]], number: int = 0) -> list[Path]:
    """Write the receipts, offers or reminders that `parcels` returns, and return the files.

    They are written into the outbox folder of the entry with this number; 0 stands for the last entry. If one of the
    campaign's own templates fails, add a warning, and call `parcels` again with the program's templates. Any other
    `Refused` is raised."""
    try:
        with with_own_templates(campaign.folder.root):
            return write(campaign, parcels(), number)
    except Refused as refused:
        faults = [fault for fault in refused.faults if fault.code == TEMPLATE_FAULT]
        if not faults:
            raise
        for fault in faults:
            warning = replace(fault, code="W-TEMPLATE", hint=Words("W-TEMPLATE", part="hint"))
            campaign.warnings.append((refused.source, warning))
        return write(campaign, parcels(), number)


def note_addresses(campaign: Campaign, addresses: Sequence[tuple[str, str]]) -> list[Path]:
    """Note addresses of seats, write the mails that the changes require, and return the files."""
    seats = (*campaign.settings.seats, MODERATOR)
    found = [(name_meant(called, seats, words("player"), "--address"), address) for called, address in addresses]
    for seat, address in found:
        note_address(campaign, seat, address)
    if found:
        # The addresses are stored before any mail is written. If this command is killed then, any later command can
        # write the mails.
        campaign.write()
    return write_owed(campaign)


def write_owed(campaign: Campaign) -> list[Path]:
    """Write the mails that are required because addresses have changed, and return the files. The former address gets a
    note. The new address gets the newest report and the last receipts. In older mails only the address in the file is
    changed; they are not sent again. No mail is written twice."""
    told = tell_former(campaign)
    take_back_notes(campaign)
    outbox, addresses = campaign.folder.outbox, mail_addresses(campaign)
    posts = latest_posts(outbox)
    late: dict[tuple[int, int], list[str]] = {}
    files = []
    for path in sorted(outbox.glob("[0-9]*/*")):
        seat = seat_of(path)
        # Files that are older than the present player's time on the seat were written for the former player.
        if not (address := addresses.get(seat)) or int(path.parent.name) < seat_since(campaign.public, seat):
            continue
        before, newest = posts.get(seat, (1, 1))
        to, must_have = Correspondent(address, name_at(campaign, seat)), is_owed(campaign, path, before, newest)
        if path.suffix in (MAIL, JOINT):
            files += [path] if redirect_mail(path, to, must_have, outbox, campaign.disk) else []
        elif must_have and RECEIPT in path.name and has_no_mail(path):
            mail = path.with_suffix(MAIL)
            data = late_mail(path, campaign.settings.campaign, to, posting_of(campaign, int(path.parent.name)))
            write_whole(mail, data, campaign.disk, PRIVATE, campaign.folder.outbox)
            files.append(mail)
        elif must_have and INVITATION not in path.name and has_no_mail(path):
            late.setdefault((newest, before), []).append(seat)
    # Reports come last, because they take longest. If this command is killed, the next one writes only the missing
    # mails.
    for (newest, before), seats in late.items():
        files += write_late_reports(campaign, newest, before, seats)
    return told + files


def latest_posts(outbox: Path) -> dict[str, tuple[int, int]]:
    """Return two numbers for each seat: the entries for which its last two reports were written, the older one first.
    The number of a missing report is 1."""
    found: dict[str, tuple[int, int]] = {}
    for path in sorted(outbox.glob("[0-9]*/*.txt")):
        found[path.stem] = (found.get(path.stem, (1, 1))[1], int(path.parent.name))
    return found


def is_owed(campaign: Campaign, path: Path, before: int, newest: int) -> bool:
    """Return True if a file of the outbox must be sent to a seat's new address. `before` and `newest` are the entries
    of the seat's last two reports."""
    number = int(path.parent.name)
    if RECEIPT in path.name:
        return number >= before
    if INVITATION in path.name:
        # `write_invitations` writes new invitations after each entry.
        return number == campaign.vault.entry
    return number == newest and path.stem == seat_of(path)


def has_no_mail(path: Path) -> bool:
    """True if a file of the outbox has a letter, and there is no mail with this letter beside it."""
    return path.suffix == ".txt" and not path.with_suffix(MAIL).exists()


def seat_of(path: Path) -> str:
    """Return the beginning of the name of a file in the outbox. It is the name of the reader's seat, or another name if
    the reader has no seat."""
    stem = path.name.partition(".")[0]
    for part in (RECEIPT, INVITATION, OFFER, "-reminder"):
        stem = stem.partition(part)[0]
    return stem


def write_late_reports(campaign: Campaign, entry: int, since: int, seats: Collection[str]) -> list[Path]:
    """Write the reports on an entry once more for some seats, for example if an address became known too late. The
    reports tell of the events since the entry `since`. Return the mails."""
    from pbem.post.reports import report_parcels

    has_pictures = any((campaign.folder.outbox / f"{entry:04d}").glob("*.png"))
    time = campaign.ledger.read(entry).time
    with (
        rulings.campaign_at(campaign, entry, since, time) as then,
        with_own_templates(campaign.folder.root),
    ):
        files = write(then, report_parcels(then, mail_addresses(then), has_pictures, seats))
    return [path for path in files if path.suffix == ".eml"]
