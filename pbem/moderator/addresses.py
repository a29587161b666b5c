"""Addresses of seats and of the moderator: noting them, writing to them, and writing to former addresses after a
change."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.vault import FormerAddress
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.records import SubstituteRecord
from pbem.campaign.settings import MODERATOR
from pbem.faults.wrong import Wrong, shell_word, wrong
from pbem.paper.documents.names import as_quoted
from pbem.paper.found import is_address
from pbem.post.outbox import (
    MAIL,
    OFFICE,
    Posting,
    write_outbox,
)
from pbem.post.outgoing import TO_FORMER, Correspondent, name_and_recipient
from pbem.post.parcels import (
    Parcel,
    digits_of,
    lost_parcel,
    moved_parcel,
)
from pbem.report.letters.entries import fingerprint


def mail_addresses(campaign: Campaign) -> dict[str, str]:
    """Return the mail address of each seat and of `MODERATOR`. Invalid addresses are left out. If the moderator has no
    address, return an empty dict."""
    # Versions before 0.2 stored anything that looked like an address.
    addresses = {seat: address for seat, address in campaign.vault.addresses.items() if is_address(address)}
    return addresses if MODERATOR in addresses else {}


def address_faults(campaign: Campaign) -> list[Wrong]:
    """Return faults for invalid addresses, and for a missing address of the moderator."""
    folder = shell_word(str(campaign.folder.root))
    kept = campaign.vault.addresses
    strange = tuple(
        f"{seat} {as_quoted(kept[seat])}" for seat in sorted(kept) if kept[seat] and not is_address(kept[seat])
    )
    faults = [wrong("W-MAIL-ADDRESS", addresses=strange, folder=folder)] if strange else []
    return faults if kept.get(MODERATOR) else [*faults, wrong("W-MAIL-SENDER", folder=folder)]


def note_address(campaign: Campaign, seat: str, address: str) -> None:
    """Note the address of a seat. An empty address means that the seat gets no mails. The former address gets a note
    later, written by `tell_former`."""
    before = campaign.vault.addresses.get(seat, "")
    if before and seat != MODERATOR and before != address:
        campaign.vault.former.append(FormerAddress(seat, before, address, campaign.vault.entry))
    campaign.vault.addresses[seat] = address


def posting_of(campaign: Campaign, number: int = 0) -> Posting:
    """Return the facts that all parcels for the entry with this number share, such as sender and time. The number 0
    stands for the last entry."""
    sender = Correspondent(mail_addresses(campaign).get(MODERATOR, ""), campaign.settings.moderator.name)
    is_apart, number = (campaign.folder.outbox / OFFICE).exists(), number or campaign.vault.entry
    return Posting(number, sender, campaign.now, campaign.ledger.hash_of(number), is_apart, campaign.left_out)


def write(campaign: Campaign, parcels: Iterable[Parcel], number: int = 0) -> list[Path]:
    """Write parcels into the outbox folder of the entry with this number, and return the files. The number 0 stands for
    the last entry."""
    return write_outbox(campaign.folder.outbox, parcels, posting_of(campaign, number), campaign.disk)


def name_at(campaign: Campaign, seat: str) -> str:
    """Return the name of the player on a seat, or of the person who is invited to it. If `seat` stands for the
    moderator, return the moderator's name."""
    settings = campaign.settings
    return campaign.person(seat).name if seat in settings.seats else settings.moderator.name


def tell_former(campaign: Campaign) -> list[Path]:
    """Write a note to each former address, and return the files. The note says that the address has changed, or that
    the seat has a new player. A former address that is in use again gets no note. The present addresses are stored
    before any note is written."""
    if not campaign.vault.former:
        return []
    # Store the present addresses first: no note may be sent before they are valid.
    campaign.write()
    files = []
    present = mail_addresses(campaign)
    for former in campaign.vault.former:
        is_present = former.address.casefold() == present.get(former.seat, "").casefold()
        if not present or is_present or not is_address(former.address):
            continue
        is_back = former.key != "" and fingerprint(former.key) == fingerprint_of(campaign, former.seat)
        record = record_in(campaign.ledger.read(former.entry)) if former.is_lost and not is_back else None
        made = lost_parcel(campaign, former, record) if isinstance(record, SubstituteRecord) else None
        files += write(campaign, [made or moved_parcel(campaign, former)], former.entry)
    campaign.vault.former = []
    return files


def fingerprint_of(campaign: Campaign, seat: str) -> str:
    """Return the fingerprint of the key of a seat's player. Return an empty text if the seat has no player."""
    player = campaign.public.players.get(seat)
    return fingerprint(player.key) if player else ""


def take_back_notes(campaign: Campaign) -> None:
    """Delete a note to a former address from the outbox if the former player has the seat again, or if the address is
    in use again."""
    for path in campaign.folder.outbox.glob(f"[0-9]*/*{TO_FORMER}*{MAIL}"):
        seat, _, mark = path.stem.rpartition(TO_FORMER)
        held, address = fingerprint_of(campaign, seat), campaign.vault.addresses.get(seat, "")
        is_back = held != "" and mark == digits_of(held)
        if is_back or name_and_recipient(path.read_bytes()).recipient.casefold() == address.casefold():
            # The mail is deleted last. If this command is killed before that, the next command finds the other files by
            # the mail's name.
            for each in sorted(path.parent.glob(f"{path.stem}.*"), reverse=True):
                campaign.disk.unlink(each)
