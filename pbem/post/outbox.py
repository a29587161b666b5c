"""The outbox: everything to be sent to each reader, as mails, as plain texts, and as posts for a forum thread.

A seat whose reports are sealed gets everything in boxes for its key, padded so that their length says nothing; only a
cover can be read. Files are written whole, so that running a command again completes the work of one that was killed.
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
    Outgoing,
    answered_in,
    eml,
    mail_apart,
    message_id,
    name_and_recipient,
    readdressed,
    renamed,
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
"""The domain of message-ids where the moderator has no address."""

MAP = "map.png"

OFFICE = ".office"
"""File of an outbox that names the office which sends its mails."""

EVERYBODY = "everybody"
"""Stem of files that are for no seat in particular."""

NOBODY = "unknown"
"""Stem of files that answer somebody who plays no seat."""


class Parcel(Struct, frozen=True, dict=True):
    """A letter for one reader, with its files and picture."""

    stem: str
    """Stem of the names of its files."""
    data: TemplateData
    """Data that it was made of. The cover of a sealed parcel uses the public part."""
    subject: str
    blocks: tuple[Block, ...]
    """Its text."""
    files: tuple[Enclosure, ...] = ()
    picture: bytes = b""
    """The map as a PNG."""
    map_file: str = MAP
    """Name of the map where mails are put together on sending: readers of the same map share it, and nobody else has
    it."""
    name: str = ""
    address: str = ""
    answers: str = ""
    """Message-id of the mail that it answers."""
    seal_to: PublicKey | None = None
    about: str = ""
    """Identity for the message-id of its mail; by default the entry under which the parcel lies."""
    appointment: Appointment | None = None
    """Time until which its reader owes orders."""

    @property
    def in_full(self) -> str:
        """Name of the page with everything that the letter leaves out."""
        return f"{self.data['kind']}.html"

    @cached_property
    def body(self) -> list[Block]:
        """The short text."""
        return short_blocks(self.blocks, self.in_full)

    @cached_property
    def whole(self) -> list[Block]:
        """The complete text."""
        return complete_blocks(self.blocks)

    @property
    def has_page(self) -> bool:
        """True if its full page says or shows more than the short text."""
        return bool(self.picture) or self.body != self.whole

    @cached_property
    def text(self) -> str:
        """The short text without formatting."""
        return text(self.body)

    def page(self, blocks: Sequence[Block], picture: str) -> str:
        """Part of the text as a page that shows the picture of this name."""
        return page(blocks, self.subject, self.data["language"], picture if self.picture else "")


def parcel_of(
    stem: str, data: dict[str, object], files: tuple[Enclosure, ...] = (), picture: bytes = b"", answers: str = ""
) -> Parcel:
    """A report, a receipt, an invitation or a reminder, not yet addressed."""
    return Parcel(stem, data, subject(data), tuple(letter_blocks(data)), files, picture, answers=answers)


def receipt_parcel(campaign: Campaign, reply: Reply, addresses: Mapping[str, str]) -> Parcel:
    """The answer to a letter, or to a message without one.

    `addresses` has the address of somebody who plays no seat under the empty name. Letters that are answered under the
    same entry, such as copies, have receipts of their own.
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
    """The invitation to a seat, with the sheet that takes it."""
    begin_letter()
    data = invitation_data(campaign.public, seat, powers, campaign.state.token(seat) if seat else "")
    texts = {"invitation.yaml": invitation_letter(data, campaign.key), "join.yaml": data["sheet"]}
    parcel = parcel_of(f"{seat or EVERYBODY}-invitation", data, enclosures_of(texts))
    return with_address(campaign, parcel, seat, addresses)


def reminder_parcel(campaign: Campaign, reminder: Reminder, addresses: Mapping[str, str]) -> Parcel:
    """A reminder. It holds nothing secret and is never sealed."""
    begin_letter()
    data = reminder_data(campaign, reminder)
    parcel = parcel_of(f"{reminder.player}-reminder", data)
    owed = appointment(campaign, reminder.player, parcel.subject)
    found = replace(with_address(campaign, parcel, reminder.player, addresses), seal_to=None, appointment=owed)
    # Written before its entry, it may be written again under a later one by a command that was killed.
    return replace(found, about=f"{campaign.public.since}-{stamp(reminder.mark)}")


def joint_parcel(campaign: Campaign, parcels: Sequence[Parcel], refused: int, waits: bool) -> Parcel:
    """Several receipts of one player as one, refusals first; `waits` says that more letters are expected."""
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
    """Note to a seat's former address that letters now go elsewhere; it does not name the new address."""
    player = campaign.public.players.get(seat)
    language = report_language(player.language or "en" if player else "en")
    name = campaign.settings.campaign
    subject, text = (words(key, campaign=name, seat=seat).text(language) for key in ("moved-subject", "moved"))
    mark = hashlib.sha256(f"{campaign.vault.entry} {before} {now}".encode()).hexdigest()[:8]
    data: TemplateData = {"kind": "moved", "campaign": name, "language": language}
    block = Paragraph(((TextSpan(text),),))
    return Parcel(f"{seat}-moved-{mark}", data, f"[{name}] {subject}", (block,), address=before)


def appointment(campaign: Campaign, reader: str, title: str) -> Appointment | None:
    """Time until which a reader owes orders; None if there is no deadline."""
    public = campaign.public
    if not public.deadline:
        return None
    name = f"{public.settings.campaign}-{public.since}-{reader}@{NOWHERE}"
    return Appointment(name, title, parse_moment(public.deadline))


def with_address(campaign: Campaign, parcel: Parcel, reader: str, addresses: Mapping[str, str]) -> Parcel:
    """The parcel with the name, the address and the sealing key of its reader."""
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
    """Letters as files; empty ones are left out."""
    return tuple(Enclosure(name, YAML, text.encode()) for name, text in texts.items() if text)


class Posting(Struct, frozen=True):
    """Circumstances in which parcels are posted: the entry, the sender, the time."""

    number: int
    """The entry of the ledger that the parcels report."""
    sender: Correspondent
    now: datetime
    is_apart: bool = False
    """True if an office puts mails together on sending, so that large files are written only once."""
    left_out: list[Wrong] = field(default_factory=list)
    """Faults of parcels that could not be written."""


@contextmanager
def leaving_out(name: str, left_out: list[Wrong]) -> Iterator[None]:
    """Note any failure with one reader's post, so that the others still get theirs.

    A full disk and broken templates of the campaign concern all readers: their errors are raised.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, StorageFault) or is_of_templates(error):
            raise
        left_out.append(wrong("E-POST-LEFT", name=name, why=stumble_of(error)))


def stumble_of(error: Exception) -> Words:
    """Reason of a failure, without the words of the error: those may be a player's secret."""
    if isinstance(error, Refused):
        return error.faults[0].message
    if isinstance(error, WrongError):
        return error.message
    return words("post-stumble", error=type(error).__name__, place=places_of(error)[0])


def parcels_made(makers: Iterable[tuple[str, Callable[[], Parcel]]], left_out: list[Wrong]) -> list[Parcel]:
    """Make parcels; a failure is noted, and that reader has none."""
    found = []
    for name, make_one in makers:
        with leaving_out(name, left_out):
            found.append(make_one())
    return found


def write_outbox(outbox: Path, parcels: Iterable[Parcel], posting: Posting, disk: Disk = DISK) -> list[Path]:
    """Write parcels to their folder, the observer's report also for a forum, and return the files.

    A parcel without an address becomes no mail. Failures are noted in the posting, and the other parcels written.
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
    """Write a parcel only as a mail, under a name that no office queues by itself."""
    folder = outbox / f"{posting.number:04d}"
    make_if_missing(folder, disk)
    data = mail(sealed_parcel(parcel) if parcel.seal_to else parcel, replace(posting, is_apart=False))
    path = folder / f"{parcel.stem}{JOINT}"
    write_whole(path, data, disk, PRIVATE, outbox)
    return path


MAIL, JOINT = ".eml", ".mail"
"""Suffixes of mails, and of those that no office queues by itself (`write_mail`)."""


def known_mail(path: Path, data: bytes) -> bytes:
    """The mail that is to lie in a place: written again for the same address it keeps its name, by which whoever sends
    it knows that it is sent already; for another address it is another mail."""
    if not path.exists():
        return data
    old = path.read_bytes()
    (known, before), (name, now) = name_and_recipient(old), name_and_recipient(data)
    wanted = known if now == before else name_for(known, now)
    # A receipt that answers another copy of its letter is another mail, too.
    return renamed(data, wanted) if name != wanted and answered_in(old) == answered_in(data) else data


def name_for(name: str, address: str) -> str:
    """Message-id of a mail that goes to another address than before."""
    named, _, domain = name.removeprefix("<").removesuffix(">").rpartition("@")
    return message_id(domain, named.removeprefix("pbem.").partition(".")[0], name, address)


def redirect_mail(path: Path, to: Correspondent, is_owed: bool, outbox: Path, disk: Disk) -> bool:
    """Address a mail of an outbox to somebody else, under a new name if it is owed, even if it went elsewhere before.
    Return False if it is for that address already."""
    with path.open("rb") as file:
        name, before = name_and_recipient(file.read(8192))
    if before == to.address:
        return False
    data = readdressed(path.read_bytes(), to)
    write_whole(path, renamed(data, name_for(name, to.address)) if is_owed else data, disk, PRIVATE, outbox)
    return True


MEDIA = {".yaml": YAML, ".age": AGE}
"""Media types of files of an outbox by their suffix."""


def late_mail(path: Path, campaign: str, reader: Correspondent, posting: Posting) -> bytes:
    """Mail of a receipt in an outbox and of the files that go with it, for a reader who had no address until now."""
    text = path.read_text("utf-8")
    title = text.partition("\n")[0].removeprefix(f"{campaign}: ")
    files = [each for each in sorted(path.parent.glob(f"{path.stem}.*")) if each.suffix in MEDIA]
    domain = posting.sender.address.partition("@")[2] or NOWHERE
    return eml(
        Outgoing(
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
    """Make a folder, unless it exists."""
    try:
        disk.make_folder(folder)
    except FileExistsError:
        return
    except OSError as error:
        raise fault_of(error, folder, "make") from None


def files_of(parcel: Parcel, posting: Posting) -> dict[str, bytes]:
    """The files of one parcel, by name. The text comes last: if it exists, all files do."""
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
    """The complete text as a page in one file that contains the picture."""
    picture = f"data:image/png;base64,{base64.b64encode(parcel.picture).decode()}"
    return parcel.page(parcel.whole, picture).encode()


def sealed_parcel(parcel: Parcel) -> Parcel:
    """The parcel with everything in boxes for its reader, and a cover over them."""
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
    """The parcel as a mail: the short text, the same as a page with the picture, and the complete text attached."""
    campaign = str(parcel.data["campaign"])
    domain = posting.sender.address.partition("@")[2] or NOWHERE
    facts = filter(None, (parcel.about or f"{posting.number}", parcel.stem, parcel.answers))
    page = parcel.page(parcel.whole, "") if parcel.body != parcel.whole else ""
    attached = [Enclosure(parcel.in_full, "text/html", page.encode())] if page else []
    letter = Outgoing(
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
    return mail_apart(
        letter, {MAP: parcel.map_file} | {each.name: f"{parcel.stem}.{each.name}" for each in parcel.files}
    )


def sorted_subject(subject: str, campaign: str, number: int) -> str:
    """Subject by which the mails of a campaign can be sorted: the campaign's name, then the entry."""
    name = f"[{campaign}] "
    return f"{name}{number:04d} {subject.removeprefix(name)}" if subject.startswith(name) else subject


def forum_posts(parcel: Parcel, posting: Posting) -> dict[str, bytes]:
    """The observer's report for a thread, with the signed letter for programs below it, and the map to attach."""
    letters = [each.data.decode() for each in parcel.files]
    dresses = {"forum.bbcode.txt": (bbcode, bbcode_block), "forum.md": (markdown, markdown_block)}
    posts: dict[str, bytes] = {}
    for name, (dressed, block) in dresses.items():
        with leaving_out(name, posting.left_out):
            posts[name] = "\n".join([dressed(parcel.blocks), *map(block, letters)]).encode()
    return posts | ({f"forum.{MAP}": parcel.picture} if parcel.picture and not posting.is_apart else {})
