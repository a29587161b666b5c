"""Outbox of a campaign: the parcels for each reader as mails and plain texts, and posts for a forum.

If a seat's reports are sealed, its parcels are written as boxes for the seat's key. The boxes are padded, so that their
length tells nothing. Without the key, only a covering text can be read. Every file is written whole. If a command is
killed, the same command can be given again, and completes the work.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.disk.atomic import DISK, PRIVATE, PUBLIC, Disk, StorageFault, fault_of, write_whole
from pbem.campaign.settings import OBSERVER
from pbem.faults.unforeseen import places_of
from pbem.faults.wrong import Words, Wrong, WrongError, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.post import outgoing
from pbem.post.calendar import bbcode_block, calendar, markdown_block
from pbem.post.parcels import AGE, MAP, NOWHERE, PNG, YAML, Parcel
from pbem.report.formats.pages import bbcode, cover_blocks, markdown
from pbem.report.language.own_templates import is_of_templates
from pbem.report.language.templates import begin_letter
from pbem.seal.box import pad, seal

OFFICE = ".office"
"""Name of a file in an outbox. It names the office that sends the mails of this outbox."""


class Posting(Struct, frozen=True):
    """One writing of parcels: the entry on which the parcels report, their sender, the time, and the parcels that could
    not be written."""

    number: int
    """Number of the entry on which the parcels report."""
    sender: outgoing.Correspondent
    now: datetime
    entry_hash: str = ""
    """SHA-256 of the entry, which becomes a part of message-ids. If the end of the ledger is lost, later entries get
    the same numbers again. Because of the hash, mails about these entries are still sent and shown as new mails."""
    is_apart: bool = False
    """True if large files are written beside the mails, and an office joins them with the mails when it sends them. A
    large file is then written only once."""
    left_out: list[Wrong] = field(default_factory=list)
    """Failures in writing the parcels of single readers. These parcels are left out."""


@contextmanager
def leaving_out(name: str, left_out: list[Wrong]) -> Iterator[None]:
    """Return a context for work on the parcel of one reader. If the work fails, the failure is noted in `left_out`, and
    not raised. Errors that concern all readers (a full disk, broken templates of the campaign) are raised."""
    try:
        yield
    except Exception as error:
        if isinstance(error, StorageFault) or is_of_templates(error):
            raise
        left_out.append(wrong("E-POST-LEFT", name=name, why=stumble_of(error)))


def stumble_of(error: Exception) -> Words:
    """Return the reason of a failure, in words that tell no secrets. The message of an unforeseen error could tell
    some, so it is left out."""
    if isinstance(error, Refused):
        return error.faults[0].message
    if isinstance(error, WrongError):
        return error.message
    return words("post-stumble", error=type(error).__name__, place=next(iter(places_of(error)), ""))


def parcels_of(makers: Iterable[tuple[str, Callable[[], Parcel]]], left_out: list[Wrong]) -> list[Parcel]:
    """Call each function in `makers`, and return the parcels that they make. If one fails, its parcel is left out, and
    the failure is noted in `left_out` with the reader's name."""
    found = []
    for name, make_one in makers:
        with leaving_out(name, left_out):
            found.append(make_one())
    return found


def write_outbox(outbox: Path, parcels: Iterable[Parcel], posting: Posting, disk: Disk = DISK) -> list[Path]:
    """Write parcels into the outbox, and return the files. The observer's report is also written as forum posts. A
    parcel without an address is not written as a mail. A parcel that fails is left out, and noted in the posting."""
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
    """Write a parcel only as a mail, and return the mail's file. The file has the suffix `JOINT`. An office sends such
    a mail only when it is told to."""
    folder = outbox / f"{posting.number:04d}"
    make_if_missing(folder, disk)
    data = mail(sealed_parcel(parcel) if parcel.seal_to else parcel, replace(posting, is_apart=False))
    path = folder / f"{parcel.stem}{JOINT}"
    write_whole(path, data, disk, PRIVATE, outbox)
    return path


MAIL, JOINT = ".eml", ".mail"
"""Suffix of mails that an office sends by itself, and suffix of mails that it sends only when it is told to
(`write_mail`)."""


def known_mail(path: Path, mail: bytes) -> bytes:
    """Return the mail `mail`, ready to replace the mail in the file `path`. It gets the message-id of the old mail, by
    which an office knows if the mail was sent already. If its address is another one, it gets a message-id that is
    derived from the old one. If the two mails answer different mails, the new mail is returned unchanged."""
    if not path.exists():
        return mail
    old = path.read_bytes()
    (known, before), (name, now) = outgoing.name_and_recipient(old), outgoing.name_and_recipient(mail)
    wanted = known if now == before else name_for(known, now)
    # A receipt that answers another copy of the same letter is a new mail.
    return (
        outgoing.with_message_id(mail, wanted)
        if name != wanted and outgoing.answered_in(old) == outgoing.answered_in(mail)
        else mail
    )


def name_for(name: str, address: str) -> str:
    """Return the message-id for a mail that is sent again to another address. `name` is the message-id that the mail
    had before."""
    named, _, domain = name.removeprefix("<").removesuffix(">").rpartition("@")
    return outgoing.message_id(domain, named.removeprefix("pbem.").partition(".")[0], name, address)


def redirect_mail(path: Path, addressee: outgoing.Correspondent, is_owed: bool, outbox: Path, disk: Disk) -> bool:
    """Change the address of a mail in an outbox. Return False if the mail already has this address, else True. With
    `is_owed`, the mail also gets a new message-id, so that an office sends it again."""
    with path.open("rb") as file:
        name, before = outgoing.name_and_recipient(file.read(8192))
    if before == addressee.address:
        return False
    mail = outgoing.with_reader(path.read_bytes(), addressee)
    if is_owed:
        mail = outgoing.with_message_id(mail, name_for(name, addressee.address))
    write_whole(path, mail, disk, PRIVATE, outbox)
    return True


MEDIA = {".yaml": YAML, ".age": AGE}
"""Media type of each kind of file in an outbox, keyed by the file's suffix."""


def late_mail(path: Path, campaign: str, reader: outgoing.Correspondent, posting: Posting) -> bytes:
    """Return a mail with the text and the files of a receipt, whose text is the file `path` in an outbox. It is for a
    reader who had no address when the receipt was written."""
    text = path.read_text("utf-8")
    title = text.partition("\n")[0].removeprefix(f"{campaign}: ")
    files = [each for each in sorted(path.parent.glob(f"{path.stem}.*")) if each.suffix in MEDIA]
    domain = posting.sender.address.partition("@")[2] or NOWHERE
    return outgoing.eml(
        outgoing.OutgoingMail(
            sender=posting.sender,
            to=reader,
            subject=sorted_subject(f"[{campaign}] {title}", campaign, posting.number),
            date=posting.now,
            # The id does not depend on the time of writing, so an office takes all copies for the same mail.
            message_id=outgoing.message_id(domain, campaign, path.parent.name, posting.entry_hash, path.stem, "late"),
            text=text,
            attachments=tuple(
                outgoing.Enclosure(each.name.removeprefix(f"{path.stem}."), MEDIA[each.suffix], each.read_bytes())
                for each in files
            ),
            thread=outgoing.message_id(domain, campaign, "thread"),
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
    """Return the contents of a parcel's files by name, in the order in which they are written. The text is the last of
    them: if it exists, all other files exist."""
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
    # `Tray.is_answered` looks for this file.
    files[f"{closed.stem}.txt"] = closed.text.encode()
    return files


def standing_page(parcel: Parcel) -> bytes:
    """Return the complete text as a web page that has the picture in itself."""
    picture = f"data:image/png;base64,{base64.b64encode(parcel.picture).decode()}"
    return parcel.page(parcel.whole, picture).encode()


def sealed_parcel(parcel: Parcel) -> Parcel:
    """Return a parcel whose files and texts are in boxes, sealed to the reader's key. A public covering text takes the
    place of its text."""
    assert parcel.seal_to is not None
    kind = parcel.data["kind"]
    inside = [outgoing.Enclosure(f"{kind}.txt", "text/plain", parcel.text.encode()), *parcel.files]
    if parcel.has_page and not parcel.data.get("is_short"):
        inside.append(outgoing.Enclosure(parcel.in_full, "text/html", standing_page(parcel)))
    boxes = tuple(
        outgoing.Enclosure(f"{each.name}.age", AGE, seal([parcel.seal_to], pad(each.data)).encode()) for each in inside
    )
    cover = cover_blocks(parcel.data, [box.name for box in boxes])
    return replace(parcel, blocks=tuple(cover), files=boxes, picture=b"")


def mail(parcel: Parcel, posting: Posting) -> bytes:
    """Return the parcel as a mail with the short text, a web page with the picture, the complete text, and the
    files."""
    campaign = str(parcel.data["campaign"])
    domain = posting.sender.address.partition("@")[2] or NOWHERE
    about = (parcel.about,) if parcel.about else (f"{posting.number}", posting.entry_hash)
    facts = filter(None, (*about, parcel.stem, parcel.answers))
    has_more = parcel.body != parcel.whole and not parcel.data.get("is_short")
    page = parcel.page(parcel.whole, "") if has_more else ""
    attached = [outgoing.Enclosure(parcel.in_full, "text/html", page.encode())] if page else []
    letter = outgoing.OutgoingMail(
        sender=posting.sender,
        to=outgoing.Correspondent(parcel.address, parcel.name),
        subject=sorted_subject(parcel.subject, campaign, posting.number),
        date=posting.now,
        message_id=outgoing.message_id(domain, campaign, *facts),
        text=parcel.text,
        html=parcel.page(parcel.body, f"cid:{MAP}"),
        pictures=(outgoing.Enclosure(MAP, PNG, parcel.picture),) if parcel.picture else (),
        attachments=(
            *attached,
            *parcel.files,
            # The calendar file has only public facts, so it is never sealed.
            *((calendar(parcel.appointment, posting.number, posting.now),) if parcel.appointment else ()),
        ),
        answers=parcel.answers,
        thread=outgoing.message_id(domain, campaign, "thread"),
        kind=str(parcel.data["kind"]),
        list_id=f"<{campaign}.pbem.{domain}>",
        is_draft=True,
    )
    if not posting.is_apart:
        return outgoing.eml(letter)
    return outgoing.split_mail(
        letter, {MAP: parcel.map_file} | {each.name: f"{parcel.stem}.{each.name}" for each in parcel.files}
    )


def sorted_subject(subject: str, campaign: str, number: int) -> str:
    """Return a subject with the entry's number behind the campaign's name, so that mails can be sorted. A subject that
    does not begin with the campaign's name is returned unchanged."""
    name = f"[{campaign}] "
    return f"{name}{number:04d} {subject.removeprefix(name)}" if subject.startswith(name) else subject


def forum_posts(parcel: Parcel, posting: Posting) -> dict[str, bytes]:
    """Return the files of the observer's report for forums, keyed by name: for each format of forums the text with the
    letter, and the map. The map is left out if large files are kept apart (`Posting.is_apart`). A post that fails is
    left out too, and noted in the posting."""
    letters = [each.data.decode() for each in parcel.files]
    dresses = {"forum.bbcode.txt": (bbcode, bbcode_block), "forum.md": (markdown, markdown_block)}
    posts: dict[str, bytes] = {}
    for name, (dressed, block) in dresses.items():
        with leaving_out(name, posting.left_out):
            posts[name] = "\n".join([dressed(parcel.blocks), *map(block, letters)]).encode()
    return posts | ({f"forum.{MAP}": parcel.picture} if parcel.picture and not posting.is_apart else {})
