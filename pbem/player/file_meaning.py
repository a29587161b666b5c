"""Meaning of any file that a player has got, and the commands that the player may run next."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct

from pbem.campaign.bundles import ZIP, ReadBundle, read_bundle
from pbem.campaign.letters.provable import is_messages, read_messages
from pbem.campaign.letters.reminding import quoted_line
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.finding_notes import find_notes, has_notes, noted_campaigns, notes_with
from pbem.campaign.players.guidance import KINDS, Guidance, guidance_of
from pbem.campaign.players.offers import offer_of
from pbem.campaign.players.standing import SEAT_LOST, standing_of_seat
from pbem.faults.wrong import Gap, Words, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import MappingNode, read_yaml
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import Letter, check_signature
from pbem.paper.library import game_of_terms
from pbem.player.files import GivenFile, saved_kind
from pbem.player.letters import letter_at
from pbem.player.notes import present_notes, seat_lost, standing_lines
from pbem.player.receipts import letter_word, receipt_words, wants_another
from pbem.post.boxes import boxes_in
from pbem.report.language.templates import GameNames
from pbem.seal.keys import PublicKey


class FileMeaning(Struct, frozen=True):
    """Kind of a file, sentences that explain the file, and the commands that the player may run next."""

    kind: str
    says: tuple[Words, ...]
    next: tuple[str, ...] = ()
    """Commands to run next. The word FILE in them stands for the file's name."""


class Reader(Struct, frozen=True):
    """Person who asks about a file: the path of the key, the time, and the language."""

    place: Path
    now: datetime
    language: str


def meaning_of(file: GivenFile, reader: Reader) -> FileMeaning:
    """Find out the kind of a file, and the commands that can follow. A report is also added to the notes on its
    campaign, if there are such notes. Raises `Refused` if the kind is unknown, and `SealFault` if the moderator is
    known and the signature is not by this moderator."""
    if file.data.startswith(ZIP):
        return meaning_of_bundle(read_bundle(file.data, file.source))
    if letter := letter_of(file, of_moderator=True):
        return meaning_of_moderators(letter, file.source, reader)
    if letter := letter_of(file, of_moderator=False):
        return meaning_of_players(letter)
    if is_messages(file.data):
        campaign, shown = read_messages(file.data, file.source)
        told = words("file-messages", campaign=campaign, count=len(shown))
        return FileMeaning("messages", (told,), ("verify FOLDER --message FILE",))
    if boxes_in(file.data, file.source):
        return FileMeaning("sealed", (words("file-sealed"),), ("open FILE --into .",))
    match saved_kind(file.data):
        case "game":
            return FileMeaning("game", (words("file-game"),), ("play FILE", "record FILE"))
        case "branch":
            return FileMeaning("branch", (words("file-branch"),), ("play FILE",))
    try:
        found = read_yaml(file.data, file.source)
    except Refused:
        found = None
    if isinstance(found, MappingNode) and "orders" in found.items:
        return FileMeaning("orders", (words("file-orders"),), ("try POSITION FILE",))
    if not isinstance(found, MappingNode) or not {"pieces", "turn", "stage"} & set(found.items):
        raise Refused(file.source, [wrong("E-FILE-UNKNOWN")])
    return FileMeaning("position", (words("file-position"),), ("show FILE", "map FILE -o map.png", "legal FILE"))


def meaning_of_bundle(bundle: ReadBundle) -> FileMeaning:
    first, last = bundle.entries[0], bundle.entries[-1]
    told = words("file-bundle", campaign=last.campaign, first=first.number, last=last.number)
    follow = ("key moderator FILE",) if first.number == 1 else ()
    return FileMeaning("bundle", (told,), (*follow, "entrust FILE --report report.yaml --to KEY"))


def letter_of(file: GivenFile, of_moderator: bool) -> Letter | None:
    """Return the letter in a file: the moderator's if `of_moderator`, else the player's. Return None if the file has no
    such letter."""
    try:
        found = letter_at(file.data, file.source, of_moderator=of_moderator, may_lack=True)
    except Refused:
        return None
    return found if (found.kind in MODERATORS) == of_moderator else None


def meaning_of_moderators(letter: Letter, source: str, reader: Reader) -> FileMeaning:
    """Return the meaning of a letter of the moderator: an invitation, a report, an offer, a receipt or a ruling."""
    if letter.kind == "offer":
        return meaning_of_offer(letter, source, reader.place)
    if letter.kind not in KINDS:
        check_known_moderator(letter, reader.place)
        if letter_word(letter, "ruling") == SEAT_LOST:
            return FileMeaning(letter.kind, (seat_lost(letter_word(letter, "name"), letter_word(letter, "why")),))
        advice = ("sign orders.yaml --renumber",) if wants_another(letter) else ()
        return FileMeaning(letter.kind, (receipt_words(letter),), advice)
    found = guidance_of(letter, source)
    signed = words("file-signer", key=found.moderator.fingerprint)
    names = GameNames(reader.language, game_of_terms(found.terms))
    if found.kind == "invitation":
        seat = names.player(found.seat) if found.seat else words("file-any-seat")
        told = words("file-invitation", campaign=found.campaign, seat=seat)
        return FileMeaning("invitation", (told, signed), ("join FILE --name NAME",) if found.seat else ())
    return meaning_of_report(found, reader, signed, names)


def check_known_moderator(letter: Letter, place: Path) -> None:
    """Raise `SealFault` if a letter is not signed by the moderator of its campaign. The moderator's key is taken from
    the notes on the campaign. If there are no notes, nothing is checked."""
    for campaign, seat in noted_campaigns(place):
        if campaign == letter.campaign:
            check_signature(letter, PublicKey.parse(find_notes(place, campaign, seat).moderator))


def meaning_of_offer(letter: Letter, source: str, place: Path) -> FileMeaning:
    """Return the meaning of an offer: an agreement that another player proposes. Raises `SealFault` or `Refused` if the
    signature of the known moderator or of the offering player is false."""
    check_known_moderator(letter, place)
    found = offer_of(letter, source)
    about: dict[str, Gap] = {"campaign": found.campaign, "party": found.letter.sender, "entry": found.head.entry}
    told = words("file-offer", words=quoted_line(letter_word(found.letter, "words")), **about)
    return FileMeaning("offer", (told, words("file-signer", key=found.moderator.fingerprint)), ("sign agreement.yaml",))


def meaning_of_report(found: Guidance, reader: Reader, signed: Words, names: GameNames) -> FileMeaning:
    """Return the meaning of a report. If there are notes on the campaign, the report is also added to them."""
    entry = found.head.entry if found.head else 0
    told = words("file-report", campaign=found.campaign, seat=names.player(found.seat), entry=entry)
    if not has_notes(reader.place, found.campaign, found.seat):
        commands = ("show FILE", "join FILE") if found.seat in found.players else ("show FILE",)
        return FileMeaning("report", (told, signed), commands)
    notes = notes_with(reader.place, found)
    campaign_notes.store(reader.place, notes)
    place, notes = present_notes(reader.place, notes.campaign, notes.seat)
    *standing, _ = standing_lines(notes, standing_of_seat(place, notes), reader.now, names)
    return FileMeaning(
        "report", (told, words("file-signer-known"), *standing), ("show FILE", *answering_commands(found))
    )


def answering_commands(found: Guidance) -> tuple[str, ...]:
    if found.request == "reveal":
        return ("reveal orders.sealed.yaml --report FILE",)
    is_open = found.seat in found.owing and not found.locked
    return ("check orders.yaml --report FILE", "sign orders.yaml") if is_open else ()


def meaning_of_players(letter: Letter) -> FileMeaning:
    """Return the meaning of a player's letter. The next command depends on whether the letter is signed, and whether it
    gives a campaign to an heir."""
    if letter.kind == "succession":
        told = words("file-letter-heir", campaign=letter.campaign, seat=letter.sender)
        return FileMeaning(letter.kind, (told,), (f"succeed {letter.campaign} succession-*.zip succession-*.yaml",))
    key = "file-letter-signed" if letter.signature else "file-letter"
    told = words(key, kind=letter.kind, campaign=letter.campaign, seat=letter.sender, seq=letter.seq)
    return FileMeaning(
        letter.kind, (told,), () if letter.signature else ("check FILE --report report.yaml", "sign FILE")
    )
