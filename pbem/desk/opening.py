"""Opening of files that a player gives to the desk. Faults say which file to give instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.campaign.players import campaign_notes
from pbem.campaign.players.guidance import KINDS, Guidance
from pbem.campaign.players.known_position import rules_of
from pbem.desk.desk import Desk
from pbem.desk.draft import Draft
from pbem.desk.drafts import AGREEMENT, ORDERS, PLANS
from pbem.desk.moderators import Stranger
from pbem.desk.opened import LoadedDraft, Offer, OpenedTable, SealedFile, Sitting
from pbem.desk.practice import Practice
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.letter_kinds import LETTERS
from pbem.paper.letters import Letter, check_signature
from pbem.player.files import SAVED_GAME, GivenFile
from pbem.player.letters import letter_at
from pbem.player.receipts import letter_word, receipt_faults, receipt_words, wants_another
from pbem.player.tables import kind_of, reported_table, trusted_guide
from pbem.player.writing import check_offer
from pbem.post.boxes import only_boxes, unsealed_content
from pbem.seal.canonical import AnyTree
from pbem.seal.faults import BoxFault
from pbem.site.archive import SiteWords

SECRET = re.compile(rb"^-----BEGIN [A-Z ]*PRIVATE KEY-----|^AGE-SECRET-KEY-", re.MULTILINE)
PUBLIC = re.compile(rb"ssh-[a-z0-9-]+ |age1")
SAVED = re.compile(rb'\s*\{\s*"kind":\s*"' + SAVED_GAME.encode())
PAGE = re.compile(rb"\s*<(!doctype html|html\b)", re.IGNORECASE)
PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|%PDF|\s*(<\?xml[^>]*>\s*)?<svg\b", re.DOTALL)
OURS = re.compile(rb"(\xef\xbb\xbf)?([ \t\r]*(#[^\n]*|---)?\n)*[a-z]+[ \t]*:(?![^\n]*\n=+\s)")
"""Pattern of the beginning of a YAML document; the rest of the document may be faulty. A title that is underlined with
`=` does not match, because it begins a letter as text."""


def open_file(desk: Desk, data: bytes, name: str) -> Sitting | Offer | SealedFile | Stranger | LoadedDraft:
    """Open a player's file: a report or invitation (also in its mail), a position, a saved game, or a letter for the
    open table. Return `SealedFile` if the loaded key does not open the file, and `Stranger` if the moderator's key is
    not accepted yet. Raises `Refused` for any other file."""
    if boxes := only_boxes(data):
        if desk.key is None:
            return SealedFile()
        try:
            documents = [unsealed_content(box, desk.key) for box in boxes]
        except BoxFault as fault:
            return SealedFile(fault.wrong)
        data = next((each for each in documents if kind_of(each) in KINDS), documents[-1])
    if receipt := receipt_in(data, name):
        raise Refused(name, told_by_receipt(desk, receipt))
    if kind_of(data) not in KINDS:
        return open_other(desk, data, name)
    seen, desk.given = trusted_guide(GivenFile(name, data)), data
    desk.came_sealed = bool(boxes)
    if seen.kind == "invitation":
        check_offer(seen, seen.seat, name)
    # Taking a seat accepts the invitation's key. So an invitation waits only if another key of its moderator is known.
    is_new_invitation = seen.kind == "invitation" and seen.campaign not in desk.moderators.met
    if desk.moderators.is_met(seen) or is_new_invitation:
        return welcome(desk, seen)
    return desk.moderators.keep_waiting(seen)


def accept(desk: Desk) -> Sitting | Offer:
    """Accept the key of the waiting letter as the moderator's, and open the letter. Raises `Refused` if the key may not
    be accepted."""
    return welcome(desk, desk.moderators.accept())


def welcome(desk: Desk, seen: Guidance) -> Sitting | Offer:
    """Open a report or an invitation without checking who signed it. Raises `Refused` for a faulty report."""
    if seen.kind == "invitation":
        desk.invited = seen
        who = SiteWords(desk.language, rules_of(seen.terms).terms.game)
        met = desk.moderators.met.get(seen.campaign)
        key = seen.moderator.fingerprint
        return Offer(
            label=".".join((seen.campaign, seen.seat, "join", seen.token)),
            campaign=seen.campaign,
            seat=seen.seat,
            name=who.player(seen.seat),
            open=seen.is_open,
            choice=seen.is_choice,
            lot=seen.has_lot,
            host=seen.host,
            address=seen.address,
            moderator=key,
            met=met,
        )
    opened, desk.report = OpenedTable(reported_table(seen, seen.kind), seen, None, desk.language), desk.given
    return desk.lay_out(opened, Draft.of_report(seen))


def open_other(desk: Desk, data: bytes, name: str) -> Sitting | LoadedDraft:
    """Open a file without a moderator's signature: a saved game, a position, or a letter for the open table. Raises
    `Refused` for other files."""
    if SAVED.match(data):
        return desk.lay_out_practice(Practice.from_file(data, name))
    if draft := draft_meant(desk, document_in(data)):
        desk.drafts.lay(draft, data.decode())
        return LoadedDraft()
    if mistake := mistake_in(data):
        raise Refused(name, [mistake])
    return desk.open_position(data, name)


def receipt_in(data: bytes, name: str) -> Letter | None:
    """Return the receipt in a file or a mail; None if there is none."""
    if kind_of(data) not in ("receipt", "report"):
        return None
    try:
        found = letter_at(data, name, of_moderator=True)
    except Refused:
        return None
    return found if found.kind == "receipt" else None


def told_by_receipt(desk: Desk, receipt: Letter) -> list[Wrong]:
    """Return faults that tell the player what became of the answered letter. If the letter was refused, wholly or in
    part, the receipt's own faults follow. Raises `BadSignature` if the known moderator has not signed the receipt."""
    if met := desk.moderators.met.get(receipt.campaign):
        check_signature(receipt, met.public)
    match letter_word(receipt, "status"):
        case "refused" | "partial":
            faults = receipt_faults(receipt)
            is_mended_here = wants_another(receipt) and letter_word(receipt, "letter-kind") != "join"
            is_number_used = any(fault.code in ("E-LETTER-SEQ", "E-LETTER-OLD") for fault in faults)
            key = "E-DESK-FILE.number" if is_number_used else "E-DESK-FILE.refused"
            return [wrong(key if is_mended_here else "E-DESK-FILE.told", told=receipt_words(receipt)), *faults]
        case "asked" | "declined":
            return [wrong("E-DESK-FILE.told", told=receipt_words(receipt))]
    return [wrong("E-DESK-FILE.receipt")]


def draft_meant(desk: Desk, document: Mapping[str, AnyTree]) -> str:
    """Return the name of the draft that a letter for the open table replaces; empty for all other documents."""
    drafts = {"orders": ORDERS, "plan": PLANS, "agreement": AGREEMENT}
    draft, laid = drafts.get(str(document.get("kind")), ""), desk.laid
    if not draft or laid is None or (draft == PLANS and laid.practice):
        return ""
    meant = (document.get("campaign"), document.get("from"))
    here = (laid.seen.campaign, laid.seen.seat) if laid.seen else (None, None)
    return draft if meant == here else ""


def document_in(data: bytes) -> Mapping[str, AnyTree]:
    """Return the values of a YAML document; empty if it is unreadable or no mapping."""
    try:
        found = bare(read_yaml(data, "document"))
    except Refused:
        return {}
    return found if isinstance(found, Mapping) else {}


def mistake_in(data: bytes) -> Wrong | None:
    """Return the fault that names the kind of a file that the desk never opens; None for other files."""
    if SECRET.search(data):
        return wrong("E-DESK-FILE.key")
    if PUBLIC.match(data):
        return wrong("E-DESK-FILE.public")
    if PICTURE.match(data):
        return wrong("E-DESK-FILE.picture")
    if PAGE.match(data):
        return wrong("E-DESK-FILE.page")
    if data.lstrip().startswith(b"{") and is_notes(data):
        return wrong("E-DESK-FILE.notes")
    document = document_in(data)
    if "conduct" in document or "entry" in document or document.get("kind") == "state":
        return wrong("E-DESK-FILE.archive")
    kind = str(document.get("kind", ""))
    if kind in ("orders", "plan", "agreement"):
        return wrong("E-DESK-FILE.orders")
    if kind in LETTERS:
        return wrong("E-DESK-FILE.letter")
    return None if OURS.match(data) else wrong("E-DESK-FILE.text")


def is_notes(data: bytes) -> bool:
    """Return whether a file holds the notes that `pbem` keeps beside a key."""
    try:
        campaign_notes.read(data, "notes")
    except PbemError:
        return False
    return True
