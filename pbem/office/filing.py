"""Files of a player's office: the parts of mails, with the reports among them, and the signed letters that are to be
sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.campaign.ledger.public_state import ORDERS_SLOT
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.players.guidance import KINDS, Guidance, OwedPowers, guidance_of
from pbem.campaign.players.letters import LetterContext, orders_letter
from pbem.campaign.players.notebook import LastSigned
from pbem.campaign.players.standing import SEAT_LOST, Standing
from pbem.faults.wrong import PbemError, Words, printable, shell_word, words, wrong
from pbem.moderator.refused_letters import ENDED, OLD
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import Text, bare
from pbem.paper.letters import LETTER, MODERATORS, Letter, check_signature, file_digest, letter_id, read_letter
from pbem.post.boxes import SEALED, boxes_in, boxes_in_text, unsealed_content
from pbem.post.extract import extract
from pbem.post.mailbox import RawMessage
from pbem.post.mime import Envelope, files_in
from pbem.post.outgoing import Correspondent, Enclosure, OutgoingMail, eml, message_id
from pbem.post.parcels import YAML
from pbem.seal.faults import BadSignature, BoxFault
from pbem.seal.keys import PrivateKey, PublicKey
from pbem.seal.signature import signer_of

SHEET = "orders.yaml"

BUNDLE = re.compile(r"succession-(\d{4})-\d{4}\.zip")
"""Name of a bundle for an heir."""

TEXT = "mail.txt"
"""Name of the file with the text of a mail."""

_BARE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")

LETTER_ENDINGS = ("", ".yaml", ".yml", ".txt")
"""Endings of the names of files in which players sign letters."""

CALENDAR = "deadline.ics"
"""Name of the file that a reminder has."""


class MailFile(Struct, frozen=True):
    """File that came in a mail. If it came encrypted, this is its decrypted content."""

    name: str
    data: bytes
    letter: Letter | None = None
    """The moderator's letter for the player's seat, if the file is nothing but this letter."""


class Filing(Struct, frozen=True):
    """Files of a mail that are to be stored in the player's folder."""

    files: dict[str, bytes]
    guide: Guidance | None = None
    """Guidance that stands in the report or invitation among the files."""
    unsigned: tuple[str, ...] = ()
    """Names of the files that are not stored, because no signature covers them."""


def filing_of(came: Sequence[MailFile]) -> Filing:
    """Return the files of a mail that are to be stored. A sheet that no signature covers is written anew from the
    report."""
    guide = next(
        (guidance_of(each.letter, each.name) for each in came if each.letter and each.letter.kind in KINDS), None
    )
    files: dict[str, bytes] = {}
    unsigned = []
    for each in came:
        if each.letter:
            name = f"{each.letter.kind}.yaml"
            # Letters that were answered at once have a receipt each.
            is_further = each.letter.kind == "receipt" and name in files
            files.setdefault(further_name(name, each.data) if is_further else name, each.data)
        elif not is_for_programs(each.name) or (guide and guide.sheets.get(each.name) == file_digest(each.data)):
            files.setdefault(each.name, each.data)
        else:
            unsigned.append(each.name)
    if guide and guide.request in ("orders", "in") and not guide.locked and SHEET not in files:
        occasion = LetterContext(guide.campaign, guide.seat, guide.stage, guide.basis)
        files[SHEET] = orders_letter(occasion, guide.next_seq, {}).encode()
    return Filing(files, guide, tuple(unsigned))


def further_name(name: str, data: bytes) -> str:
    """Return another name for a file whose name is taken."""
    return f"{file_digest(data)[:8]}-{name}"


def is_for_programs(name: str) -> bool:
    """Return whether a file may have letters for programs, by the ending of its name."""
    return name.casefold().endswith((".yaml", ".yml", ".json"))


def letters_in(data: bytes, name: str, campaign: str = "") -> list[Letter]:
    """Return all letters of moderators in a file: those for this campaign, or for any if none is given."""
    found = [each.letter for each in extract(data, name).letters] if is_for_programs(name) else []
    return [each for each in found if each and each.kind in MODERATORS and campaign in ("", each.campaign)]


def whole_letter(data: bytes, name: str, campaign: str) -> Letter | None:
    """Return the moderator's letter in a file; None if the file has anything besides this letter."""
    try:
        letter = read_letter(data, name)
    except Refused:
        return None
    return letter if letter.kind in MODERATORS and letter.campaign == campaign else None


def is_letter_of(letter: Letter, moderator: PublicKey | None, source: str) -> bool:
    """Return whether the moderator has signed a letter. If the moderator's key is unknown, the key that the letter
    names counts."""
    try:
        if moderator:
            check_signature(letter, moderator)
        elif letter.kind in KINDS:
            guidance_of(letter, source)
    except PbemError:
        return False
    return True


def is_of_another(letter: Letter, moderator: PublicKey | None) -> bool:
    """Return whether somebody other than the moderator has signed a letter."""
    try:
        signer = signer_of(letter.signature)
        check_signature(letter, signer)
    except PbemError:
        return False
    return signer != moderator


def addressee(letter: Letter) -> str:
    """Return the seat to which a letter of the moderator is addressed; empty if it names none."""
    node = entry_of(letter.body, "seat" if letter.kind == "invitation" else "to")
    return node.value if isinstance(node, Text) else ""


class SignedLetter(Struct, frozen=True):
    """Letter in a file, signed with the player's key."""

    path: Path
    letter: Letter
    data: bytes
    is_sound: bool = True
    """False if the file was changed after it was signed, or if another key has signed it."""
    is_own: bool = True
    """False if another key has signed the letter."""
    key: PublicKey | None = None
    """The key that the signature names."""

    @property
    def name(self) -> str:
        """Digest of the letter."""
        return letter_id(self.letter)


def signed_letters(
    root: Path, is_mine: Callable[[str, str], bool], keys: Collection[PublicKey]
) -> Iterator[SignedLetter]:
    """Yield the signed letters under a folder for seats of the player. Letters that were changed after signing, or
    signed with another key than these, are yielded too, as not sound."""
    for path in sorted(root.rglob("*")):
        is_text = path.suffix.casefold() in LETTER_ENDINGS and not path.is_symlink() and path.is_file()
        if not is_text or path.stat().st_size > LETTER.size:
            continue
        data = path.read_bytes()
        try:
            letter = read_letter(data, path.name)
            if letter.signature and letter.kind not in MODERATORS and is_mine(letter.campaign, letter.sender):
                key = signer_of(letter.signature)
                is_own = key in keys
                yield SignedLetter(path, letter, data, is_own and is_as_signed(letter, key), is_own, key)
        except PbemError:
            continue


def is_as_signed(letter: Letter, key: PublicKey) -> bool:
    """Return whether the letter is unchanged since this key has signed it. Raises `BadSignature` if another key has
    signed it."""
    try:
        check_signature(letter, key)
    except BadSignature as error:
        if error.code != "E-SIGNATURE-WRONG":
            raise
        return False
    return True


class FiledReceipt(Struct, frozen=True):
    """Receipt that the player's office has filed."""

    letter: str
    """Digest of the answered letter; empty if the moderator could read no letter."""
    status: str
    """Status of the answered letter: `refused`, `known` (it is a copy), or that of its orders: `final`, `draft`,
    `partial`."""
    entry: int
    kind: str
    """Kind of the answered letter; empty if the receipt does not say it."""
    missing: tuple[str, ...] = ()
    """Powers of which orders are missing."""
    codes: tuple[str, ...] = ()
    """Codes of the faults of the answered letter."""

    @property
    def is_over(self) -> bool:
        """Return whether no other letter can take the place of the refused one."""
        return not ENDED.isdisjoint(self.codes)

    @property
    def is_refused(self) -> bool:
        return self.status.startswith("refused")


def filed_receipts(root: Path, own: Callable[[Letter | None, str], Letter | None]) -> Iterator[FiledReceipt]:
    """Yield the receipts under a folder. `own` returns the letter if the moderator has sent it to the player, else
    None."""
    for path in sorted(root.rglob("*receipt*.yaml")):
        try:
            letter = own(read_letter(path.read_bytes(), path.name), path.name)
        except (PbemError, OSError):
            continue
        if letter and letter.kind == "receipt":
            body = bare(letter.body)
            said = body if isinstance(body, dict) else {}
            entry, missing, faults = str(said.get("entry")), said.get("missing"), said.get("faults")
            yield FiledReceipt(
                letter=str(said.get("letter", "")),
                status=str(said.get("status", "")),
                entry=int(entry) if entry.isascii() and entry.isdigit() else 0,
                kind=str(said.get("letter-kind") or ("orders" if has_orders(said) else "")),
                missing=tuple(map(str, missing)) if isinstance(missing, list) else (),
                codes=tuple(str(each.get("code")) for each in faults if isinstance(each, dict))
                if isinstance(faults, list)
                else (),
            )


class FiledLoss(Struct, frozen=True):
    """A filed ruling of the moderator by which somebody else got the player's seat."""

    entry: int
    name: str
    why: str


def filed_losses(root: Path, own: Callable[[Letter | None, str], Letter | None]) -> Iterator[FiledLoss]:
    """Yield the rulings under a folder by which the player lost the seat. `own` returns the letter if the moderator has
    sent it to the player, else None."""
    for path in sorted(root.rglob("*ruling*.yaml")):
        try:
            letter = own(read_letter(path.read_bytes(), path.name), path.name)
        except (PbemError, OSError):
            continue
        said = bare(letter.body) if letter and letter.kind == "ruling" else None
        if letter and isinstance(said, dict) and said.get("ruling") == SEAT_LOST:
            yield FiledLoss(letter.seq, str(said.get("name", "")), str(said.get("why", "")))


def has_orders(receipt: Mapping[str, object]) -> bool:
    """Return whether an old receipt, which does not name the kind of its letter, answers a letter with orders. A
    receipt for a letter with plans differs from it only in the sections."""
    understood, sealed = receipt.get("understood"), receipt.get("sealed")
    powers = understood.get("orders") if isinstance(understood, dict) else None
    sections = powers.values() if isinstance(powers, dict) else ()
    parts = sealed if isinstance(sealed, list) else ()
    return any(isinstance(each, dict) and each.keys() - {"plans", "ahead"} for each in sections) or any(
        isinstance(part, dict) and part.get("slot") == ORDERS_SLOT for part in parts
    )


class OrdersTaken(Struct):
    """Orders of a seat for the present stage, as far as the moderator has taken them."""

    status: str = ""
    """Status of the newest letter with orders; empty if none was taken."""
    missing: tuple[str, ...] = ()
    has_plans: bool = False
    """True if plans answer all that is asked, without a letter with orders."""

    def take(self, receipt: FiledReceipt) -> None:
        """Take another letter into account, as the ledger does (`entry_effects.receive`)."""
        if receipt.kind == "orders":
            self.status, self.missing = receipt.status, receipt.missing
        elif not self.status:
            self.has_plans = receipt.status != "partial"
        elif (receipt.status == "partial") != (self.status == "partial"):
            self.status, self.missing = receipt.status, ()

    @property
    def standing(self) -> Standing:
        if not self.status:
            return "in" if self.has_plans else "orders"
        return "partly" if self.status == "partial" else "draft" if self.status == "draft" else "in"


def standing_after(
    found: Guidance,
    letters: Iterable[SignedLetter],
    receipts: Collection[FiledReceipt],
    newest: LastSigned | None = None,
) -> tuple[Standing, tuple[str, ...]]:
    """Return the standing of a seat after a report, and the powers whose orders are missing. It follows from the
    player's signed letters, of which `newest` was signed last, and the filed receipts."""
    if found.request not in ("orders", "reveal", "in"):
        return found.request, ()
    turned = {each.letter: each for each in receipts if each.is_refused}
    taken = {each.letter: each for each in receipts if not each.is_refused and each.status != "known"}
    known = {each.letter for each in receipts if each.status == "known"}
    head = (found.campaign, found.seat, found.stage, found.basis)
    # Behind a lock the sealed orders are in, and only what they hide is asked for.
    kinds = ("reveal",) if found.locked else ("orders", "plan")
    by_kind: dict[str, list[SignedLetter]] = {kind: [] for kind in kinds}
    for each in letters:
        letter = each.letter
        is_of_stage = head == (letter.campaign, letter.sender, letter.stage, letter.basis)
        if each.is_sound and is_of_stage and letter.kind in by_kind:
            by_kind[letter.kind].append(each)
    asked = sorted(by_kind[kinds[0]], key=lambda each: each.letter.seq)
    refused = [each.letter.seq for each in asked if each.name in turned.keys() - taken.keys() - known]
    answers = [each for each in asked if each.name in taken.keys() | known or each.letter.seq > max(refused, default=0)]
    if answers and answers[-1].name not in taken:
        return "in", ()
    own = {each.name for of_kind in by_kind.values() for each in of_kind}
    orders = orders_taken(found, [each for each in taken.values() if each.letter in own], taken.values())
    if orders.standing == "in":
        accepted = taken.keys() | known
        is_refused = any(
            awaits_correction(each, turned, accepted) or is_too_old(each, turned, accepted, newest)
            for each in by_kind.values()
        )
        return "refused change" if is_refused and not found.locked else "in", ()
    if orders.status:
        return orders.standing, orders.missing
    if found.locked:
        return "refused reveal" if refused else "reveal", ()
    return "refused" if refused else "orders", ()


def orders_taken(found: Guidance, own: Iterable[FiledReceipt], taken: Iterable[FiledReceipt]) -> OrdersTaken:
    """Return the orders that were taken by a report and by receipts. `own` are the receipts for the present stage whose
    letters are known."""
    orders, since = OrdersTaken(), found.head.entry if found.head else 0
    kinds = ("reveal",) if found.locked else ("orders", "plan", "reveal")
    for each in sorted(own, key=lambda each: each.entry):
        if each.entry <= since:
            orders.take(each)
    # Of what came before it the report knows best: letters may be out of force since.
    if found.request == "in":
        orders = OrdersTaken("final" if orders.status else "", has_plans=True)
    elif found.owing.get(found.seat, OwedPowers()).state != "draft" or orders.status not in ("draft", "partial"):
        orders = OrdersTaken()
    # A letter that was sent by hand, from another folder, is known by its receipt alone.
    for each in sorted(taken, key=lambda each: each.entry):
        if each.entry > since and each.kind in kinds:
            orders.take(each)
    return orders


def awaits_correction(
    letters: Collection[SignedLetter], turned: Mapping[str, FiledReceipt], taken: Collection[str]
) -> bool:
    """Return whether the newest of some letters of one kind was refused, so that the moderator's office waits for
    another (`refused_letters.note_corrections`)."""
    refused = [each for each in letters if each.name in turned and each.name not in taken]
    newest = max((each.letter.seq for each in letters if each not in refused), default=0)
    return any(each.letter.seq >= newest and not turned[each.name].is_over for each in refused)


def is_too_old(
    letters: Iterable[SignedLetter],
    turned: Mapping[str, FiledReceipt],
    taken: Collection[str],
    newest: LastSigned | None,
) -> bool:
    """Return whether the letter that was signed last was refused because its number is older than that of another one.
    Nobody awaits its correction, but its writer may take it for the one that counts."""
    found = [each for each in letters if newest and (each.letter.kind, each.letter.seq) == (newest.kind, newest.seq)]
    return bool(found) and all(
        each.name in turned and each.name not in taken and OLD in turned[each.name].codes for each in found
    )


def contents(message: RawMessage, keys: Sequence[PrivateKey]) -> tuple[list[tuple[str, bytes]], bool]:
    """Return the files of a mail, with sealed files opened, and True if one of the keys opens every sealed file.

    A file whose name could lead into another folder is left out.
    """
    plain = [(name, data) for kind in (".yaml", ".ics") for name, data in files_in(message.data, kind)]
    plain += [(name, data) for name, data in files_in(message.data, ".zip") if BUNDLE.fullmatch(name)]
    text = extract(message.data, message.where).text.encode()
    sealed = [content.decode("ascii", "replace") for _, content in files_in(message.data, SEALED)]
    is_whole = all(boxes_in_text(content) for content in sealed)
    opened: list[tuple[str, bytes]] = []
    for name, box in boxes_in(message.data, "mail.eml"):
        content = opened_by(keys, box) if name else b""
        is_whole = is_whole and content is not None
        opened += [(name, content)] if name and content is not None else []
    found = [(TEXT, text), *(each for each in (*plain, *opened) if each[0].casefold() != TEXT)]
    return [(name, data) for name, data in found if _BARE.fullmatch(name)], is_whole


def opened_by(keys: Iterable[PrivateKey], box: str) -> bytes | None:
    """Return the content of a box, or None if none of the keys opens it."""
    for key in keys:
        with suppress(BoxFault):
            return unsealed_content(box, key)
    return None


def write_beside(path: Path, data: bytes) -> Path:
    """Write a file, and return its path. No file is replaced: if the name is taken, the new file gets another name."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    names = (path.name, f"new-{path.name}", further_name(path.name, data))
    paths = [path.with_name(name) for name in names]
    free = next((each for each in paths if not each.exists() or each.read_bytes() == data), paths[-1])
    write_whole(free, data, mode=PRIVATE)
    return free


def letter_mail_id(signed: SignedLetter, sender: str, heirs: int = 0) -> str:
    """Return the message-id of the mail that carries a letter to a moderator, behind `heirs` others.
    It is always the same for the same letter and moderator."""
    later = (f"heir {heirs}",) if heirs else ()
    return message_id(sender.partition("@")[2], signed.letter.campaign, "letter", signed.name, *later)


def letter_mail(signed: SignedLetter, sender: str, to: str, now: datetime, heirs: int = 0) -> bytes:
    """Return the mail that carries a letter, with the message-id of `letter_mail_id`."""
    letter = signed.letter
    about = " ".join(filter(None, (letter.kind, letter.stage)))
    mail = OutgoingMail(
        sender=Correspondent(sender),
        to=Correspondent(to),
        subject=f"[{letter.campaign}] {about}",
        date=now,
        message_id=letter_mail_id(signed, sender, heirs),
        text=words("office-letter", kind=letter.kind, campaign=letter.campaign).text(),
        attachments=(Enclosure("letter.yaml", YAML, signed.data),),
        thread=message_id(to.partition("@")[2], letter.campaign, "thread"),
        is_automatic=False,
        is_draft=True,
    )
    return eml(mail)


def folder_of(subject: str, guide: Guidance | None) -> str:
    """Return the name of the folder for a mail: the entry of its report, else the number in its subject, else
    `mails`."""
    if guide and guide.head:
        return f"{guide.head.entry:04d}"
    found = re.search(r"\] (\d{4}) ", subject)
    return found[1] if found else "mails"


def guidance_in(path: Path) -> Guidance:
    """Return the guidance in a file: what a letter of the moderator asks of the player. Raises `Refused` unless the
    file has exactly one such letter."""
    return _guidance_within(path.read_bytes(), path.name)


@lru_cache(maxsize=32)
def _guidance_within(data: bytes, name: str) -> Guidance:
    """Return the guidance in the content of a file. It is cached, because a round asks for that of one report many
    times, and its signature is slow to check."""
    found = extract(data, name)
    letters = [each.letter for each in found.letters if each.letter and each.letter.kind in KINDS]
    if len(letters) == 1:
        return guidance_of(letters[0], name)
    raise Refused(name, [*found.faults, wrong("E-GUIDE-FORM", kind=Path(name).stem)])


def is_sound(path: Path, campaign: str) -> bool:
    """Return whether a file is a report or an invitation of a campaign, as its name says, and is not damaged."""
    try:
        found = guidance_in(path)
    except (PbemError, OSError):
        return False
    return (found.kind, found.campaign) == (path.stem, campaign)


def is_to_hold_report(head: Envelope, mail: bytes) -> bool:
    """Return whether a mail of the moderator should have a report."""
    if head.kind:
        return head.kind == "report"
    # Programs up to 0.2 tell no kind. Only their receipts name another mail than the first of the thread, and only
    # reminders bring nothing but a calendar.
    is_receipt = len(head.answers) > 1
    return not is_receipt and [name for name, _ in files_in(mail, "") if name] != [CALENDAR]


def advice_on(path: Path, address: str) -> Words:
    """Return a line on how to accept an invitation, or how to take over the seat of a report. It names the address for
    letters."""
    folder, file = path.parent.parent, shell_word(str(path))
    if path.name == "report.yaml":
        guide = guidance_in(path)
        key = guide.moderator.fingerprint
        to = printable(address)
        about = {"campaign": folder.name, "seat": guide.seat, "key": key, "file": file}
        return words("office-substitute", address=to, **about) if to else words("office-substitute.key", **about)
    return words("office-invited", campaign=folder.name, file=file, join=shell_word(str(path.parent / "join.yaml")))
