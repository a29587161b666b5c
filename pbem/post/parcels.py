"""Parcels. A parcel is a letter of the moderator for one reader, with text, files and picture, before it is written."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.briefing import briefing_for
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.deadlines import Reminder
from pbem.campaign.disk.vault import FormerAddress
from pbem.campaign.ledger.records import SubstituteRecord
from pbem.campaign.letters.arrived import Reply
from pbem.campaign.news import News
from pbem.campaign.play.tokens import open_token, token_of
from pbem.campaign.settings import MODERATOR
from pbem.faults.wrong import Gap, printable, words
from pbem.post.calendar import Appointment
from pbem.post.outgoing import TO_FORMER, Enclosure
from pbem.report.blocks import Block, Paragraph, TextSpan, complete_blocks, short_blocks
from pbem.report.formats.pages import letter_blocks, page, subject, text
from pbem.report.language.templates import TemplateData, begin_letter
from pbem.report.letters.agreed import offers_data
from pbem.report.letters.entries import fingerprint, report_language
from pbem.report.letters.invitations import invitation_data, reminder_data
from pbem.report.letters.receipts import receipt_data
from pbem.report.letters.sheet import sheet_texts
from pbem.report.letters.signed import invitation_letter, lost_letter, offer_letter, receipt_letter
from pbem.seal.keys import PublicKey

YAML = "application/yaml"
PNG = "image/png"
AGE = "application/age-encryption"
NOWHERE = "pbem.invalid"
"""Domain in message-ids. It is used if the moderator has no address."""

MAP = "map.png"

EVERYBODY = "everybody"
"""Beginning of the names of those files that are for everybody."""

NOBODY = "unknown"
"""Beginning of the names of those files that answer a writer without a seat."""

OFFER = "-offer-"
"""Part of the names of those files that offer an agreement."""

RECEIPT = "-receipt-"
"""Part of the names of those files that answer a letter."""


class Parcel(Struct, frozen=True, dict=True):
    """Letter of the moderator for one reader, with its text, files and picture."""

    stem: str
    """Beginning of the names of all files of the parcel."""
    data: TemplateData
    """Data for the templates of the text. If the parcel is sealed, its covering text is made from the public part of
    these data."""
    subject: str
    blocks: tuple[Block, ...]
    """Text of the parcel, as blocks."""
    files: tuple[Enclosure, ...] = ()
    picture: bytes = b""
    """Map as a PNG."""
    map_file: str = MAP
    """Name of the file with the map, if it is kept beside the mails in an outbox. Readers who get the same map share
    this file. No other reader gets it."""
    name: str = ""
    address: str = ""
    answers: str = ""
    """Message-id of the mail that the parcel answers."""
    seal_to: PublicKey | None = None
    about: str = ""
    """Text from which the mail's message-id is made. If it is empty, the message-id is made from the number and hash of
    the entry."""
    appointment: Appointment | None = None
    """Deadline for the orders that the reader must still send, for the reader's calendar."""

    @property
    def in_full(self) -> str:
        """Name of the file that has all that the parcel tells. It is the complete web page, or the signed report if the
        mail is short."""
        return "report.yaml" if self.data.get("is_short") else f"{self.data['kind']}.html"

    @cached_property
    def body(self) -> list[Block]:
        return short_blocks(self.blocks, self.in_full)

    @cached_property
    def whole(self) -> list[Block]:
        return complete_blocks(self.blocks)

    @property
    def has_page(self) -> bool:
        """True if the web page shows more than the short text does."""
        return bool(self.picture) or self.body != self.whole

    @cached_property
    def text(self) -> str:
        """Short text without any formatting."""
        return text(self.body)

    def page(self, blocks: Sequence[Block], picture: str) -> str:
        """Return blocks of text as a web page (HTML). It shows the picture that has the name `picture`."""
        return page(blocks, self.subject, self.data["language"], picture if self.picture else "")


def parcel_of(
    stem: str, data: dict[str, object], files: tuple[Enclosure, ...] = (), picture: bytes = b"", answers: str = ""
) -> Parcel:
    """Return a parcel that has no address yet. `stem` is the name of its files without ending. `data` has the kind of
    the letter and the facts that it tells. `answers` is the message-id of the mail that the parcel answers."""
    return Parcel(stem, data, subject(data), tuple(letter_blocks(data)), files, picture, answers=answers)


def receipt_parcel(
    campaign: Campaign, reply: Reply, addresses: Mapping[str, str], held_for: Collection[str] = ()
) -> Parcel:
    """Return the receipt of a letter, or the answer to a mail in which there was no letter. Each copy of a letter gets
    a receipt of its own. `addresses` has the address of each seat, and under the empty name that of a writer without a
    seat. `held_for` has the seats for whose corrected letters the office waits before it ends the stage."""
    begin_letter()
    receipt = reply.receipt
    data = receipt_data(campaign, receipt, reply.taken, held_for) | {"is_settled": reply.is_settled}
    files = enclosures_of({"receipt.yaml": receipt_letter(data, campaign.key)})
    about = f"{receipt.entry:04d}" if receipt.entry else receipt.raw[:12]
    stem = f"{receipt.player or NOBODY}{RECEIPT}{about}" + (f"-{reply.copy}" if reply.copy > 1 else "")
    # Anybody may have written the letter in the name of the seat. Its message-id shows where the letter came from, and
    # must not be shown to the seat's player if others are to stay unknown.
    is_theirs = reply.sender.casefold() == addresses.get(receipt.player, "").casefold()
    answers = reply.message_id if is_theirs or not campaign.settings.is_masked else ""
    return with_address(campaign, parcel_of(stem, data, files, answers=answers), receipt.player, addresses)


def offer_parcels(campaign: Campaign, addresses: Mapping[str, str]) -> list[Parcel]:
    """Return a parcel for each player who has not yet signed an offered agreement. Its files are the signed offer, and
    the letter with which the reader can agree. The text of the mail does not have this letter: whoever quotes the text
    should not agree by that."""
    found = []
    for data in offers_data(campaign):
        begin_letter()
        # A player who took over the seat after the offer gets the offer as well.
        entry, since = data["entry"], campaign.public.players[data["player"]].since
        stem = f"{data['player']}{OFFER}{entry:04d}" + (f"-{since:04d}" if since > entry else "")
        texts = {"offer.yaml": offer_letter(data, campaign.key), "agreement.yaml": data["letter"]}
        parcel = parcel_of(stem, data, enclosures_of(texts))
        about = f"{stem} {campaign.ledger.hash_of(entry)}"
        found.append(replace(with_address(campaign, parcel, data["player"], addresses), about=about))
    return found


def invitation_parcel(
    campaign: Campaign, seat: str, powers: Mapping[str, tuple[str, ...]], addresses: Mapping[str, str]
) -> Parcel:
    """Return the invitation to a seat, with the sheet for joining. If `seat` is empty, it is the invitation to
    everybody."""
    begin_letter()
    token = token_of(campaign.state, seat) if seat else ""
    data = invitation_data(campaign.public, seat, powers, token, campaign.language_of(seat))
    note_reply_address(data, campaign, seat, addresses)
    texts = {"invitation.yaml": invitation_letter(data, campaign.key), "join.yaml": data["sheet"]}
    parcel = parcel_of(f"{seat or EVERYBODY}-invitation", data, enclosures_of(texts))
    return with_address(campaign, parcel, seat, addresses)


def open_parcel(campaign: Campaign, seat: str, powers: Mapping[str, tuple[str, ...]]) -> Parcel:
    """Return the invitation with which anybody may take over an offered seat. It has no address, because it may be
    published."""
    begin_letter()
    offer, state = campaign.vault.offers[seat], campaign.state
    data = invitation_data(campaign.public, seat, powers, open_token(state, seat, offer.entry))
    data["open"] = {"stage": state.stage, "choice": offer.is_choice}
    texts = {"invitation.yaml": invitation_letter(data, campaign.key), "join.yaml": data["sheet"]}
    return parcel_of(f"{EVERYBODY}-{seat}-invitation", data, enclosures_of(texts))


def reminder_parcel(campaign: Campaign, reminder: Reminder, addresses: Mapping[str, str]) -> Parcel:
    """Return a reminder. It holds no secrets and so is never sealed. If a player's reports are sealed, it has no order
    sheet."""
    begin_letter()
    data = reminder_data(campaign, reminder, reminder_sheet(campaign, reminder))
    parcel = parcel_of(f"{reminder.player}-reminder", data)
    owed = appointment(campaign, reminder.player, parcel.subject) if reminder.why != "wait" else None
    found = replace(with_address(campaign, parcel, reminder.player, addresses), seal_to=None, appointment=owed)
    # If the command is killed, it may be run again when the ledger has more entries. The reminder must then stay the
    # same mail.
    since = campaign.public.since
    return replace(found, about=f"{since}-{campaign.ledger.hash_of(since)}-{stamp(reminder.mark)}")


def reminder_sheet(campaign: Campaign, reminder: Reminder) -> str:
    """Return the short sheet for the orders that a player must still send. Return an empty text if the reminder is only
    about a wish to wait. Also return one if the player's reports are sealed, because the sheet would show the cards in
    hand."""
    seat = campaign.settings.seats.get(reminder.player)
    if reminder.why == "wait" or (seat and seat.reports == "sealed"):
        return ""
    told = briefing_for(campaign, reminder.player, News())
    return sheet_texts(told, report_language(told.language), is_attached=False).short


def joint_parcel(campaign: Campaign, parcels: Sequence[Parcel], refused: int) -> Parcel:
    """Join several receipts of one player into one parcel. Refusals come first; `refused` is their number."""
    first = parcels[0]
    counts: dict[str, str | int] = {"refused": refused, "taken": len(parcels) - refused}
    subject, text = (words(key, **counts).text(str(first.data["language"])) for key in ("receipts-subject", "receipts"))
    files = [replace(each, name=f"{number}-{each.name}") for number, one in enumerate(parcels, 1) for each in one.files]
    return replace(
        first,
        stem=f"{first.stem}+{len(parcels) - 1}",
        subject=f"[{campaign.settings.campaign}] {subject}",
        blocks=(Paragraph(((TextSpan(text),),)), *(block for each in parcels for block in each.blocks)),
        files=tuple(files),
    )


def moved_parcel(campaign: Campaign, former: FormerAddress) -> Parcel:
    """Return a note for the former address of a seat. It says that mails now go to another address, but not to
    which."""
    language = language_of(campaign, former.seat)
    gaps = {"campaign": campaign.settings.campaign, "seat": former.seat}
    subject, text = (words(key, **gaps).text(language) for key in ("moved-subject", "moved"))
    return note_parcel(campaign, former, language, subject, text)


def lost_parcel(campaign: Campaign, former: FormerAddress, record: SubstituteRecord) -> Parcel:
    """Return a note for the former player of a seat. It says that somebody else plays the seat now, and has a signed
    letter for the former player's program."""
    language = report_language(former.language or campaign.person(former.seat).language or "en")
    gaps: dict[str, Gap] = {"campaign": campaign.settings.campaign, "seat": former.seat, "entry": former.entry}
    gaps |= {"name": printable(record.name) or words("somebody-else"), "why": printable(record.why)}
    subject, text = (words(key, **gaps).text(language) for key in ("seat-lost-subject", "seat-lost"))
    ruling = lost_letter(campaign.settings.campaign, former, record, campaign.key)
    return replace(note_parcel(campaign, former, language, subject, text), files=enclosures_of({"ruling.yaml": ruling}))


def note_parcel(campaign: Campaign, former: FormerAddress, language: str, subject: str, text: str) -> Parcel:
    """Return a text as a parcel for the former address of a seat."""
    name = campaign.settings.campaign
    # The fingerprint is made with a secret key. Otherwise the player who lost the seat could find out the next player's
    # address by guessing.
    change = f"{former.entry} {former.address} {former.now}".encode()
    mark = digits_of(fingerprint(former.key) or campaign.state.keyed_fingerprint(change))
    data: TemplateData = {"kind": "moved", "campaign": name, "language": language}
    block = Paragraph(((TextSpan(text),),))
    return Parcel(f"{former.seat}{TO_FORMER}{mark}", data, f"[{name}] {subject}", (block,), address=former.address)


def digits_of(text: str) -> str:
    """Return the first eight hexadecimal digits of the SHA-256 of a text. They become part of a file's name."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def language_of(campaign: Campaign, seat: str) -> str:
    """Return the language of mails from the moderator to the player of a seat."""
    return report_language(campaign.person(seat).language or "en")


def appointment(campaign: Campaign, reader: str, title: str) -> Appointment | None:
    """Return the calendar entry for orders that a reader must still send. Return None if there is no deadline."""
    public = campaign.public
    if not public.deadline:
        return None
    name = f"{public.settings.campaign}-{public.since}-{reader}@{NOWHERE}"
    return Appointment(name, title, parse_moment(public.deadline))


def note_reply_address(data: TemplateData, campaign: Campaign, reader: str, addresses: Mapping[str, str]) -> None:
    """Add the moderator's address to the data of a letter, if the letter is for one seat. A letter for everybody does
    not get it, because such a letter may be published."""
    if reader in campaign.settings.seats:
        data["moderator"]["address"] = addresses.get(MODERATOR, "")


def with_address(campaign: Campaign, parcel: Parcel, reader: str, addresses: Mapping[str, str]) -> Parcel:
    """Return the parcel with the name and address of its reader. If the reader's reports are sealed, it also gets the
    key to which it is sealed."""
    settings, who = campaign.settings, campaign.public.players.get(reader)
    seat = settings.seats.get(reader)
    is_sealed = seat is not None and seat.reports == "sealed" and who is not None and bool(who.key)
    name = settings.moderator.name if reader == MODERATOR else campaign.person(reader).name
    return replace(
        parcel,
        name=name,
        address=addresses.get(reader, ""),
        seal_to=PublicKey.parse(who.key) if is_sealed and who else None,
    )


def enclosures_of(texts: Mapping[str, str]) -> tuple[Enclosure, ...]:
    return tuple(Enclosure(name, YAML, text.encode()) for name, text in texts.items() if text)
