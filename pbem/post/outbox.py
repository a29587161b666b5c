"""Outbox of a campaign: parcels for each reader as mails, as plain texts, and as posts for a forum.

The parcels of a seat with sealed reports are in boxes for the seat's key, padded so that their length says nothing.
Only a cover can be read. Files are written whole, so that a command that runs again completes the work of a killed
command.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.briefing import MODERATOR, OBSERVER
from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.deadlines import Reminder
from pbem.campaign.disk.atomic import DISK, PRIVATE, PUBLIC, Disk, StorageFault, fault_of, write_whole
from pbem.campaign.letters.arrived import Reply
from pbem.faults.wrong import Words, Wrong, WrongError, places_of, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.post.calendar import Appointment, bbcode_block, calendar, markdown_block
from pbem.post.outgoing import (
    Correspondent,
    Enclosure,
    OutgoingMail,
    answered_in,
    eml,
    message_id,
    name_and_recipient,
    split_mail,
    with_message_id,
    with_reader,
)
from pbem.report.blocks import Block, Paragraph, TextSpan, complete_blocks, short_blocks
from pbem.report.formats.pages import bbcode, cover_blocks, letter_blocks, markdown, page, subject, text
from pbem.report.language.own_templates import is_of_templates
from pbem.report.language.templates import TemplateData, begin_letter
from pbem.report.letters.entries import invitation_data, receipt_data, reminder_data, report_language
from pbem.report.letters.signed import invitation_letter, receipt_letter
from pbem.seal.box import pad, seal
from pbem.seal.keys import PublicKey

YAML = "application/yaml"
PNG = "image/png"
AGE = "application/age-encryption"
NOWHERE = "pbem.invalid"
"""Domain of message-ids of a moderator without an address."""

MAP = "map.png"

OFFICE = ".office"
"""Name of the file in an outbox that names the office which sends its mails."""

EVERYBODY = "everybody"
"""Stem of the names of files that are for everybody."""

NOBODY = "unknown"
"""Stem of the names of files that answer a writer without a seat."""


class Parcel(Struct, frozen=True, dict=True):
    """Letter of the moderator for one reader, with its text, its files and its picture."""

    stem: str
    """Stem of the names of the parcel's files."""
    data: TemplateData
    """Data of which the text was made. The cover of a sealed parcel uses the public part."""
    subject: str
    blocks: tuple[Block, ...]
    """Text of the parcel."""
    files: tuple[Enclosure, ...] = ()
    picture: bytes = b""
    """The map as a PNG."""
    map_file: str = MAP
    """File name of the map in an outbox whose mails are put together on sending. Readers of the same map share one
    file, and no other reader has it."""
    name: str = ""
    address: str = ""
    answers: str = ""
    """Message-id of the mail that is answered."""
    seal_to: PublicKey | None = None
    about: str = ""
    """Text from which the mail's message-id follows; empty: the number of the entry."""
    appointment: Appointment | None = None
    """Time until which the reader owes orders."""

    @property
    def in_full(self) -> str:
        """Name of the page that has the complete text."""
        return f"{self.data['kind']}.html"

    @cached_property
    def body(self) -> list[Block]:
        return short_blocks(self.blocks, self.in_full)

    @cached_property
    def whole(self) -> list[Block]:
        return complete_blocks(self.blocks)

    @property
    def has_page(self) -> bool:
        """Return whether the full page says or shows more than the short text."""
        return bool(self.picture) or self.body != self.whole

    @cached_property
    def text(self) -> str:
        """Return the short text without formatting."""
        return text(self.body)

    def page(self, blocks: Sequence[Block], picture: str) -> str:
        """Return blocks of the text as a page that shows the picture of this name."""
        return page(blocks, self.subject, self.data["language"], picture if self.picture else "")


def parcel_of(
    stem: str, data: dict[str, object], files: tuple[Enclosure, ...] = (), picture: bytes = b"", answers: str = ""
) -> Parcel:
    """Return a parcel without an address, of a report, a receipt, an invitation or a reminder."""
    return Parcel(stem, data, subject(data), tuple(letter_blocks(data)), files, picture, answers=answers)


def receipt_parcel(campaign: Campaign, reply: Reply, addresses: Mapping[str, str]) -> Parcel:
    """Return the receipt of a letter, or the answer to a mail without a letter.

    The empty name in `addresses` has the address of a writer without a seat. Copies of a letter get receipts of their
    own.
    """
    begin_letter()
    receipt = reply.receipt
    data = receipt_data(campaign, receipt)
    files = enclosures_of({"receipt.yaml": receipt_letter(data, campaign.key)})
    about = f"{receipt.entry:04d}" if receipt.entry else receipt.raw[:12]
    stem = f"{receipt.player or NOBODY}-receipt-{about}" + (f"-{reply.copy}" if reply.copy > 1 else "")
    parcel = parcel_of(stem, data, files, answers=reply.message_id)
    return with_address(campaign, parcel, receipt.player, addresses)


def invitation_parcel(
    campaign: Campaign, seat: str, powers: Mapping[str, tuple[str, ...]], addresses: Mapping[str, str]
) -> Parcel:
    """Return the invitation to a seat, or to everybody, with the sheet by which a player joins."""
    begin_letter()
    data = invitation_data(campaign.public, seat, powers, campaign.state.token(seat) if seat else "")
    texts = {"invitation.yaml": invitation_letter(data, campaign.key), "join.yaml": data["sheet"]}
    parcel = parcel_of(f"{seat or EVERYBODY}-invitation", data, enclosures_of(texts))
    return with_address(campaign, parcel, seat, addresses)


def reminder_parcel(campaign: Campaign, reminder: Reminder, addresses: Mapping[str, str]) -> Parcel:
    """Return a reminder. A reminder holds nothing secret and is never sealed."""
    begin_letter()
    data = reminder_data(campaign, reminder)
    parcel = parcel_of(f"{reminder.player}-reminder", data)
    owed = appointment(campaign, reminder.player, parcel.subject)
    found = replace(with_address(campaign, parcel, reminder.player, addresses), seal_to=None, appointment=owed)
    # Written before its entry, it may be written again under a later one by a command that was killed.
    return replace(found, about=f"{campaign.public.since}-{stamp(reminder.mark)}")


def joint_parcel(campaign: Campaign, parcels: Sequence[Parcel], refused: int, waits: bool) -> Parcel:
    """Return several receipts of one player as one parcel, refusals first. `waits` says that more letters are
    expected."""
    first = parcels[0]
    counts: dict[str, str | int] = {"refused": refused, "taken": len(parcels) - refused}
    keys = ("receipts-subject", "receipts-waits" if waits else "receipts")
    subject, text = (words(key, **counts).text(str(first.data["language"])) for key in keys)
    files = [replace(each, name=f"{number}-{each.name}") for number, one in enumerate(parcels, 1) for each in one.files]
    return replace(
        first,
        stem=f"{first.stem}+{len(parcels) - 1}",
        subject=f"[{campaign.settings.campaign}] {subject}",
        blocks=(Paragraph(((TextSpan(text),),)), *(block for each in parcels for block in each.blocks)),
        files=tuple(files),
    )


def moved_parcel(campaign: Campaign, seat: str, before: str, now: str) -> Parcel:
    """Return a note to a seat's former address that letters now go elsewhere. It does not name the new address."""
    player = campaign.public.players.get(seat)
    language = report_language(player.language or "en" if player else "en")
    name = campaign.settings.campaign
    subject, text = (words(key, campaign=name, seat=seat).text(language) for key in ("moved-subject", "moved"))
    mark = hashlib.sha256(f"{campaign.vault.entry} {before} {now}".encode()).hexdigest()[:8]
    data: TemplateData = {"kind": "moved", "campaign": name, "language": language}
    block = Paragraph(((TextSpan(text),),))
    return Parcel(f"{seat}-moved-{mark}", data, f"[{name}] {subject}", (block,), address=before)


def appointment(campaign: Campaign, reader: str, title: str) -> Appointment | None:
    """Return the time until which a reader owes orders; None without a deadline."""
    public = campaign.public
    if not public.deadline:
        return None
    name = f"{public.settings.campaign}-{public.since}-{reader}@{NOWHERE}"
    return Appointment(name, title, parse_moment(public.deadline))


def with_address(campaign: Campaign, parcel: Parcel, reader: str, addresses: Mapping[str, str]) -> Parcel:
    """Return the parcel with its reader's name, address and sealing key."""
    settings, who = campaign.settings, campaign.public.players.get(reader)
    seat = settings.seats.get(reader)
    is_sealed = seat is not None and seat.reports == "sealed" and who is not None and bool(who.key)
    name = settings.moderator.name if reader == MODERATOR else who.name if who else seat.name if seat else ""
    return replace(
        parcel,
        name=name,
        address=addresses.get(reader, ""),
        seal_to=PublicKey.parse(who.key) if is_sealed and who else None,
    )


def enclosures_of(texts: Mapping[str, str]) -> tuple[Enclosure, ...]:
    """Return texts as enclosures. Empty texts are left out."""
    return tuple(Enclosure(name, YAML, text.encode()) for name, text in texts.items() if text)


class Posting(Struct, frozen=True):
    """Entry, sender and time of parcels that are posted together."""

    number: int
    """Number of the entry on which the parcels report."""
    sender: Correspondent
    now: datetime
    is_apart: bool = False
    """True if an office puts mails together on sending, so that a large file is written only once."""
    left_out: list[Wrong] = field(default_factory=list)


@contextmanager
def leaving_out(name: str, left_out: list[Wrong]) -> Iterator[None]:
    """Note a failure with one reader's parcel, so that the other readers get theirs.

    A full disk and broken templates of the campaign concern all readers, so their errors are raised.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, StorageFault) or is_of_templates(error):
            raise
        left_out.append(wrong("E-POST-LEFT", name=name, why=stumble_of(error)))


def stumble_of(error: Exception) -> Words:
    """Return the reason of a failure, without the words of the error, which may be a player's secret."""
    if isinstance(error, Refused):
        return error.faults[0].message
    if isinstance(error, WrongError):
        return error.message
    return words("post-stumble", error=type(error).__name__, place=places_of(error)[0])


def parcels_of(makers: Iterable[tuple[str, Callable[[], Parcel]]], left_out: list[Wrong]) -> list[Parcel]:
    """Return the parcels that could be made. A failure is noted in `left_out`, under its reader's name."""
    found = []
    for name, make_one in makers:
        with leaving_out(name, left_out):
            found.append(make_one())
    return found


def write_outbox(outbox: Path, parcels: Iterable[Parcel], posting: Posting, disk: Disk = DISK) -> list[Path]:
    """Write parcels to their folder, the observer's report also for a forum, and return the files.

    A parcel without an address becomes no mail. A parcel that fails is noted in the posting, and the others are
    written.
    """
    folder = outbox / f"{posting.number:04d}"
    files: dict[str, tuple[bytes, int]] = {}
    for parcel in parcels:
        begin_letter()
        if parcel.stem == OBSERVER:
            files |= {name: (data, PUBLIC) for name, data in forum_posts(parcel, posting).items()}
        with leaving_out(parcel.stem, posting.left_out):
            files |= {name: (data, PRIVATE) for name, data in files_of(parcel, posting).items()}
    make_if_missing(folder, disk)
    for name, (data, mode) in files.items():
        path = folder / name
        write_whole(path, known_mail(path, data) if path.suffix == MAIL else data, disk, mode, outbox)
    return [folder / name for name in files]


def write_mail(outbox: Path, parcel: Parcel, posting: Posting, disk: Disk = DISK) -> Path:
    """Write a parcel only as a mail, under a suffix that no office queues by itself. Return its file."""
    folder = outbox / f"{posting.number:04d}"
    make_if_missing(folder, disk)
    data = mail(sealed_parcel(parcel) if parcel.seal_to else parcel, replace(posting, is_apart=False))
    path = folder / f"{parcel.stem}{JOINT}"
    write_whole(path, data, disk, PRIVATE, outbox)
    return path


MAIL, JOINT = ".eml", ".mail"
"""Suffix of mails, and suffix of mails that no office queues by itself (`write_mail`)."""


def known_mail(path: Path, data: bytes) -> bytes:
    """Return a mail with the message-id that it needs in the file `path`.

    For the same address it keeps the message-id of the mail there, so that an office knows whether it was sent. For
    another address it gets another one.
    """
    if not path.exists():
        return data
    old = path.read_bytes()
    (known, before), (name, now) = name_and_recipient(old), name_and_recipient(data)
    wanted = known if now == before else name_for(known, now)
    # A receipt that answers another copy of its letter is another mail, too.
    return with_message_id(data, wanted) if name != wanted and answered_in(old) == answered_in(data) else data


def name_for(name: str, address: str) -> str:
    """Return the message-id of a mail that goes to another address than before."""
    named, _, domain = name.removeprefix("<").removesuffix(">").rpartition("@")
    return message_id(domain, named.removeprefix("pbem.").partition(".")[0], name, address)


def redirect_mail(path: Path, to: Correspondent, is_owed: bool, outbox: Path, disk: Disk) -> bool:
    """Readdress a mail of an outbox. An owed mail gets a new message-id, so that it is sent even if it was sent to
    another address.

    Return False if the mail has that address already.
    """
    with path.open("rb") as file:
        name, before = name_and_recipient(file.read(8192))
    if before == to.address:
        return False
    data = with_reader(path.read_bytes(), to)
    write_whole(path, with_message_id(data, name_for(name, to.address)) if is_owed else data, disk, PRIVATE, outbox)
    return True


MEDIA = {".yaml": YAML, ".age": AGE}
"""Media types of an outbox's files by suffix."""


def late_mail(path: Path, campaign: str, reader: Correspondent, posting: Posting) -> bytes:
    """Return a mail with a receipt of an outbox and its files, for a reader who had no address when it was written."""
    text = path.read_text("utf-8")
    title = text.partition("\n")[0].removeprefix(f"{campaign}: ")
    files = [each for each in sorted(path.parent.glob(f"{path.stem}.*")) if each.suffix in MEDIA]
    domain = posting.sender.address.partition("@")[2] or NOWHERE
    return eml(
        OutgoingMail(
            sender=posting.sender,
            to=reader,
            subject=sorted_subject(f"[{campaign}] {title}", campaign, posting.number),
            date=posting.now,
            # Whatever moment it is written at, it is the same mail to whoever sends it.
            message_id=message_id(domain, campaign, path.parent.name, path.stem, "late"),
            text=text,
            attachments=tuple(
                Enclosure(each.name.removeprefix(f"{path.stem}."), MEDIA[each.suffix], each.read_bytes())
                for each in files
            ),
            thread=message_id(domain, campaign, "thread"),
            kind="receipt",
            list_id=f"<{campaign}.pbem.{domain}>",
            is_draft=True,
        )
    )


def make_if_missing(folder: Path, disk: Disk) -> None:
    try:
        disk.make_folder(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise fault_of(error, folder, "make") from None


def files_of(parcel: Parcel, posting: Posting) -> dict[str, bytes]:
    """Return the contents of a parcel's files, by name. The text is last: if it exists, all files do."""
    closed = sealed_parcel(parcel) if parcel.seal_to else parcel
    files = {f"{closed.stem}.{each.name}": each.data for each in closed.files}
    if closed.picture and posting.is_apart:
        files[closed.map_file] = closed.picture
        files[f"{closed.stem}.html"] = closed.page(closed.whole, closed.map_file).encode()
    elif closed.has_page:
        files[f"{closed.stem}.html"] = standing_page(closed)
    if closed.address:
        with leaving_out(f"{closed.stem}.eml", posting.left_out):
            files[f"{closed.stem}.eml"] = mail(closed, posting)
    # `Tray.is_answered` looks for it.
    files[f"{closed.stem}.txt"] = closed.text.encode()
    return files


def standing_page(parcel: Parcel) -> bytes:
    """Return the complete text as a page that contains its picture."""
    picture = f"data:image/png;base64,{base64.b64encode(parcel.picture).decode()}"
    return parcel.page(parcel.whole, picture).encode()


def sealed_parcel(parcel: Parcel) -> Parcel:
    """Return the parcel with all files and texts in boxes for its reader, under a cover."""
    assert parcel.seal_to is not None
    kind = parcel.data["kind"]
    inside = [Enclosure(f"{kind}.txt", "text/plain", parcel.text.encode()), *parcel.files]
    if parcel.has_page:
        inside.append(Enclosure(parcel.in_full, "text/html", standing_page(parcel)))
    boxes = tuple(
        Enclosure(f"{each.name}.age", AGE, seal([parcel.seal_to], pad(each.data)).encode()) for each in inside
    )
    cover = cover_blocks(parcel.data, [box.name for box in boxes])
    return replace(parcel, blocks=tuple(cover), files=boxes, picture=b"")


def mail(parcel: Parcel, posting: Posting) -> bytes:
    """Return the parcel as a mail: the short text, plain and as a page with the picture, the complete text and the
    files."""
    campaign = str(parcel.data["campaign"])
    domain = posting.sender.address.partition("@")[2] or NOWHERE
    facts = filter(None, (parcel.about or f"{posting.number}", parcel.stem, parcel.answers))
    page = parcel.page(parcel.whole, "") if parcel.body != parcel.whole else ""
    attached = [Enclosure(parcel.in_full, "text/html", page.encode())] if page else []
    letter = OutgoingMail(
        sender=posting.sender,
        to=Correspondent(parcel.address, parcel.name),
        subject=sorted_subject(parcel.subject, campaign, posting.number),
        date=posting.now,
        message_id=message_id(domain, campaign, *facts),
        text=parcel.text,
        html=parcel.page(parcel.body, f"cid:{MAP}"),
        pictures=(Enclosure(MAP, PNG, parcel.picture),) if parcel.picture else (),
        attachments=(
            *attached,
            *parcel.files,
            # It is public and therefore never sealed.
            *((calendar(parcel.appointment, posting.number, posting.now),) if parcel.appointment else ()),
        ),
        answers=parcel.answers,
        thread=message_id(domain, campaign, "thread"),
        kind=str(parcel.data["kind"]),
        list_id=f"<{campaign}.pbem.{domain}>",
        is_draft=True,
    )
    if not posting.is_apart:
        return eml(letter)
    return split_mail(
        letter, {MAP: parcel.map_file} | {each.name: f"{parcel.stem}.{each.name}" for each in parcel.files}
    )


def sorted_subject(subject: str, campaign: str, number: int) -> str:
    """Return a subject by which a campaign's mails can be sorted: the campaign's name, then the entry."""
    name = f"[{campaign}] "
    return f"{name}{number:04d} {subject.removeprefix(name)}" if subject.startswith(name) else subject


def forum_posts(parcel: Parcel, posting: Posting) -> dict[str, bytes]:
    """Return the observer's report as posts for a forum, by file name, with the signed letter below each, and the
    map."""
    letters = [each.data.decode() for each in parcel.files]
    dresses = {"forum.bbcode.txt": (bbcode, bbcode_block), "forum.md": (markdown, markdown_block)}
    posts: dict[str, bytes] = {}
    for name, (dressed, block) in dresses.items():
        with leaving_out(name, posting.left_out):
            posts[name] = "\n".join([dressed(parcel.blocks), *map(block, letters)]).encode()
    return posts | ({f"forum.{MAP}": parcel.picture} if parcel.picture and not posting.is_apart else {})
