"""Functions that write a player's letters: messages, agreements, proposals, votes, letters that join a campaign, and
letters that change the key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.ledger.proposals import SUBJECTS
from pbem.campaign.letters.joining import NOBODYS, wrong_with_language, wrong_with_name
from pbem.campaign.letters.proposing import unknown_proposal
from pbem.campaign.players import campaign_notes
from pbem.campaign.players.campaign_notes import CampaignNotes, NextKey
from pbem.campaign.players.finding_notes import noted_campaigns, notes_with
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.known_position import known_table, rules_of
from pbem.campaign.players.letters import Invitation, join_letter, key_change_letter
from pbem.campaign.players.motions import motion_faults, resigning_key
from pbem.campaign.settings import Newcomer
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.agreements import BindingTerms, read_binding_terms
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.reader import Reader, node_of
from pbem.paper.letters import letter_id, read_letter, sign_letter, write_letter
from pbem.player.files import GivenFile
from pbem.player.keyring import key_bytes
from pbem.player.letters import Pen, guide, notes_of, write_noted
from pbem.player.names import preset_meant
from pbem.seal.canonical import Tree
from pbem.seal.keys import PrivateKey, PublicKey, Signer


class SeatChoice(Struct, frozen=True):
    """Campaign and seat of the letter's writer, and the newest report or invitation."""

    campaign: str | None
    seat: str | None
    came: GivenFile | None

    def notes(self, place: Path) -> CampaignNotes:
        """Return the notes on this campaign and seat that are beside the key at `place`."""
        return notes_of(place, self.campaign, self.seat, self.came)


class WrittenLetter(Struct, frozen=True):
    """File and number of a written letter, and the seats of its readers in `whom`, which may be empty."""

    file: Path
    seq: int
    whom: tuple[str, ...]
    people: tuple[str, ...]
    """Seats in `whom`, each with the name of its player."""
    follows: str = ""
    """Key of the sentence that tells the effect of a letter such as a resignation, which takes effect without a vote.
    Empty for most letters."""


def write_message(readers: str, text: str, whose: SeatChoice, pen: Pen) -> WrittenLetter:
    """Write a signed message to other players, and note it beside the key."""
    return write_to_others({"kind": "message"}, "to", {"to": readers, "text": text}, whose, pen)


def write_agreement(partners: str, text: str, bound: BindingTerms, whose: SeatChoice, pen: Pen) -> WrittenLetter:
    """Write an agreement for the stage of the last report. `partners` has the names of the seats that must sign it, and
    `bound` its binding terms. Raises `Refused` for unknown names, and if the writer is the only partner."""
    assert whose.came
    seen, body = guide(whose.came), bound.tree
    if body:
        reader = Reader("agreement")
        rules = known_table(seen, whose.came.source, whose.came.folder).rules
        read_binding_terms(reader, node_of(body), rules, seen.stage)
        reader.refuse()
    head: dict[str, str | int] = {"kind": "agreement", "stage": seen.stage, "basis": seen.basis}
    return write_to_others(head, "with", {"with": partners, "words": text, **body}, whose, pen)


def write_to_others(
    head: Mapping[str, str | int], key: str, body: Mapping[str, Tree], whose: SeatChoice, pen: Pen
) -> WrittenLetter:
    """Write a letter to other players, and note it beside the key. `head` has the first fields of the letter's head.
    The readers are named under `key` in `body`. Raises `Refused` for unknown readers, and if the writer is the only
    reader."""
    notes, signer = whose.notes(pen.place), pen.key()
    kind, is_message = head["kind"], head["kind"] == "message"
    whom = campaign_notes.addressed_seats(notes, str(body[key]), ("moderator", "all") if is_message else ())
    if not whom or (not is_message and set(whom) == {notes.seat}):
        raise Refused(key, [wrong("E-MESSAGE-EMPTY" if is_message else "E-AGREEMENT-EMPTY")])
    seq = notes.seq + 1
    head = {**head, "campaign": notes.campaign, "from": notes.seat, "seq": seq}
    text = sign_letter(write_letter(head, {**body, key: ", ".join(whom)}), signer)
    path = write_noted(pen.out, f"{kind}-{notes.campaign}-{notes.seat}-{seq}.yaml", text, pen.place, notes)
    return WrittenLetter(path, notes.seq, whom, tuple(campaign_notes.seat_and_name(notes, seat) for seat in whom))


class LetterParts(Struct, frozen=True):
    """First fields of a letter's head, and its body. The letter names no readers; a vote is such a letter."""

    head: Mapping[str, str | int]
    body: Mapping[str, Tree]

    def text(self, campaign: str, seat: str, seq: int) -> str:
        return write_letter({**self.head, "campaign": campaign, "from": seat, "seq": seq}, self.body)


def proposal_parts(seen: Guidance, subject: str, about: str, days: int) -> LetterParts:
    """Return the parts of a proposal for the stage of the report `seen`. `about` is a word that some subjects need,
    such as the name of a seat. `days` is the time for voting; 0 means the usual time."""
    said = {"subject": subject, "about": about, "days": str(days) if days else ""}
    head: dict[str, str | int] = {"kind": "proposal", "stage": seen.stage, "basis": seen.basis}
    return LetterParts(head, {key: value for key, value in said.items() if value})


def vote_parts(seen: Guidance, called: str, says: str, source: str) -> LetterParts:
    """Return the parts of a vote on a proposal. `called` is the name of the proposal, or the number of its entry.
    `says` is the vote; it is not checked here. Raises `Refused` if this proposal is not open in the report `seen`,
    which was read from the file `source`."""
    open_now = [each.name for each in seen.proposals]
    names = [*open_now, *(each.name for each in seen.settled)]
    name = next((name for name in names if called in (name, name.partition("-")[0])), called)
    if name not in open_now:
        raise Refused(source, [unknown_proposal(name, open_now, seen.settled)])
    return LetterParts({"kind": "vote"}, {"proposal": name, "says": says})


def write_proposal(subject: str, about: str, days: int, whose: SeatChoice, pen: Pen) -> WrittenLetter:
    """Write a proposal for the stage of the last report. `about` is what the subject needs, such as a seat (see
    `proposal_parts`). `days` is the number of days for votes. Raises `Refused` if the moderator would not accept the
    proposal."""
    assert whose.came
    seen, notes, signer = guide(whose.came), whose.notes(pen.place), pen.key()
    named = (
        campaign_notes.addressed_seats(notes, about, ()) if about and "seat" in SUBJECTS[subject].about else (about,)
    )
    parts = checked_motion(proposal_parts(seen, subject, ", ".join(named), days), seen, notes)
    sent = write_alone(parts, notes, signer, pen)
    return replace(sent, follows=resigning_key(seen) if subject == "resign" else "")


def write_vote(called: str, says: str, whose: SeatChoice, pen: Pen) -> WrittenLetter:
    """Write a vote on the proposal `called`. `says` is the vote. Raises `Refused` if this proposal is not open in the
    last report."""
    assert whose.came
    seen, notes, signer = guide(whose.came), whose.notes(pen.place), pen.key()
    parts = checked_motion(vote_parts(seen, called, says, whose.came.source), seen, notes)
    return write_alone(parts, notes, signer, pen)


def checked_motion(parts: LetterParts, seen: Guidance, notes: CampaignNotes) -> LetterParts:
    """Return the given parts of a proposal or a vote, after a check. Raises `Refused` if the moderator would not accept
    the letter."""
    letter = read_letter(parts.text(notes.campaign, notes.seat, notes.seq + 1).encode(), "letter")
    if faults := motion_faults(seen, letter):
        # The letter is not in a file yet. Its writer could do nothing with line numbers, so they are left out.
        raise Refused(letter.kind, [Wrong(each.code, each.message, rule=each.rule, hint=each.hint) for each in faults])
    return parts


def write_alone(parts: LetterParts, notes: CampaignNotes, signer: Signer, pen: Pen) -> WrittenLetter:
    """Write a signed letter that names no readers, and note it beside the key."""
    seq = notes.seq + 1
    text, name = sign_letter(parts.text(notes.campaign, notes.seat, seq), signer), parts.head["kind"]
    path = write_noted(pen.out, f"{name}-{notes.campaign}-{notes.seat}-{seq}.yaml", text, pen.place, notes)
    return WrittenLetter(path, notes.seq, (), ())


class JoinWish(Struct, frozen=True):
    """Seat, name, language and preset plans that the player wishes."""

    seat: str
    name: str
    language: str
    preset: str


class WrittenJoin(Struct, frozen=True):
    """Letter that joins a campaign, with the campaign, the seat, and the moderator's key."""

    file: Path
    campaign: str
    seat: str
    seq: int
    moderator: PublicKey
    warnings: tuple[Wrong, ...] = ()


def write_join(invitation: GivenFile, wish: JoinWish, pen: Pen) -> WrittenJoin:
    """Write the signed letter that joins a campaign on a seat. Raises `Refused` if the invitation does not offer the
    seat, or if the moderator would not accept the name or the language."""
    found = guide(invitation)
    seat = wish.seat or found.seat
    check_offer(found, seat, invitation.source)
    # A name that the moderator would refuse is refused here. The same is done for the language.
    host = () if seat == found.host_seat else (found.host,)
    others = (*NOBODYS, *host, *(other for other in found.seats if other != seat))
    if wish.name and (fault := wrong_with_name(wish.name, others)):
        raise Refused("--name", [fault])
    if wish.language and (fault := wrong_with_language(wish.language)):
        raise Refused("--language", [fault])
    notes = notes_with(pen.place, found, seat)
    # Later, preset plans are made from the terms alone. If the campaign uses files of its own, this is not possible,
    # and `rules_of` refuses it here.
    notes.preset = preset_meant(wish.preset, rules_of(found.terms).terms.game, "--preset") if wish.preset else ""
    notes.language = wish.language or notes.language
    offer = Invitation(found.campaign, seat, found.deal, found.token)
    text = join_letter(offer, pen.key(), notes.seq + 1, Newcomer(wish.name, wish.language))
    path = write_noted(pen.out, f"join-{found.campaign}-{seat}.yaml", text, pen.place, notes)
    return WrittenJoin(path, found.campaign, seat, notes.seq, found.moderator, mask_warnings(found, pen.place))


def mask_warnings(offer: Guidance, place: Path) -> tuple[Wrong, ...]:
    """Return a warning if the offered campaign hides who its players are, but the key at `place` is already used in
    other campaigns, as its notes show."""
    return mask_warning(offer, (name for name, _ in noted_campaigns(place)))


def mask_warning(offer: Guidance, campaigns: Iterable[str]) -> tuple[Wrong, ...]:
    """Return a warning if the offered campaign hides who its players are, but the player's key is known in other
    campaigns. `campaigns` has the names of all campaigns in which the key is known."""
    others = dict.fromkeys(name for name in campaigns if name != offer.campaign)
    return (wrong("W-JOIN-MASK", names=tuple(others)),) if offer.is_masked and others else ()


def take_over(report: GivenFile, seat: str, place: Path) -> CampaignNotes:
    """Begin the notes of a player who takes over a seat, write them to the file `place`, and return them. Campaign,
    seat and moderator are those in the report. Raises `Refused` if the report is for no seat, or for another seat than
    `seat`; an empty `seat` fits every report."""
    found = guide(report)
    if found.seat not in found.players or seat not in ("", found.seat):
        raise Refused(report.source, [wrong("E-JOIN-SEAT.offer", seat=seat or found.seat, seats=(found.seat,))])
    notes = notes_with(place, found)
    campaign_notes.store(place, notes)
    return notes


def check_offer(found: Guidance, seat: str, source: str) -> None:
    """Raise `Refused` if the invitation does not offer this seat."""
    if found.kind != "invitation" or (seat and seat not in found.seats):
        raise Refused(source, [wrong("E-JOIN-SEAT.offer", seat=seat, seats=tuple(found.seats))])
    if not found.token or seat != found.seat:
        whom = words("invitation-to", seat=found.seat) if found.seat else words("invitation-to-nobody")
        raise Refused(source, [wrong("E-JOIN-TOKEN.other", whom=whom)])


class KeyChange(Struct, frozen=True):
    """Letter that announces a player's new key, and the new key."""

    file: Path
    seq: int
    key: PublicKey


def write_key_change(new_place: Path, new: Callable[[], PrivateKey], whose: SeatChoice, pen: Pen) -> KeyChange:
    """Write the letter that announces a player's new key, and copy the notes to a file beside the new key. After that,
    the notes beside each of the two keys name the path of the other key."""
    notes = whose.notes(pen.place)
    key_bytes(new_place)
    old, key = pen.key(), new()
    letter = key_change_letter(notes.campaign, notes.seat, notes.seq + 1, key, old)
    name = letter_id(read_letter(letter.encode(), "letter"))
    notes.next_key = NextKey(str(new_place.absolute()), name)
    path = write_noted(pen.out, f"key-change-{notes.campaign}-{notes.seat}.yaml", letter, pen.place, notes)
    campaign_notes.store(new_place, replace(notes, next_key=None, key_before=str(pen.place.absolute())))
    return KeyChange(path, notes.seq, key.public)
