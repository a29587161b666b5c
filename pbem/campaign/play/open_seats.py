"""Open seats: seats that anybody may take with a public invitation, before the game and while it runs."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.vault import Offer
from pbem.campaign.ledger.records import JoinRecord, SubstituteRecord
from pbem.campaign.letters.heads import ExpectedHead, head_faults
from pbem.campaign.letters.joining import LetterVerdict, check_own_key, judge_newcomer, text_of
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter


def offer_seat(campaign: Campaign, seat: str, why: str) -> None:
    """Note that anybody may take a seat: a free one before the game, or any that a player has while it runs. Raises
    `Refused` for other seats, and in a running game without a reason."""
    public = campaign.public
    if seat == campaign.settings.moderator.seat:
        raise Refused(seat, [wrong("E-INVITE-OPEN.moderator", seat=seat)])
    if public.phase == "joining" and seat in public.players:
        raise Refused(seat, [wrong("E-JOIN-TAKEN", seat=seat)])
    if public.phase != "joining" and not why:
        raise Refused(seat, [wrong("E-INVITE-OPEN.why", seat=seat)])
    if seat not in campaign.vault.offers:
        campaign.vault.offers[seat] = Offer(public.entry, why)
        campaign.write()


def withdraw_seat(campaign: Campaign, seat: str) -> None:
    """Take the offer of a seat back. Raises `Refused` if the seat is not offered."""
    if seat not in campaign.vault.offers:
        raise Refused(seat, [wrong("E-INVITE-OPEN.none", seat=seat)])
    del campaign.vault.offers[seat]
    campaign.write()


def offer_of(campaign: Campaign, letter: Letter) -> int:
    """Return the entry behind which the seat of a letter was offered with the letter's token, or 0 without an offer."""
    if letter.campaign != campaign.state.name:
        return 0
    return campaign.state.offer_meant(letter.sender, text_of(LetterVerdict(), letter.body, "token"))


def check_offer(campaign: Campaign, letter: Letter, verdict: LetterVerdict) -> None:
    """Refuse a letter with the token of an offer that is over, or with a key that has another seat already."""
    seat = letter.sender
    if not (entry := offer_of(campaign, letter)):
        return
    offer = campaign.vault.offers.get(seat)
    if offer is None or offer.entry != entry:
        verdict.refuse(wrong("E-JOIN-OPEN", seat=seat))
        return
    key = text_of(LetterVerdict(), letter.body, "key")
    others = {other: player.key for other, player in campaign.public.players.items() if other != seat}
    shared = [other for other, held in others.items() if key and held.split()[:2] == key.split()[:2]]
    if shared:
        verdict.refuse(wrong("E-JOIN-OPEN.key", seat=seat, other=shared[0]))


def taken_since(campaign: Campaign, letter: Letter) -> int:
    """Return the entry by which a letter took an open seat of the running game, or 0 for a letter that took none. The
    ledger does not know these letters by their marks."""
    key, player = text_of(LetterVerdict(), letter.body, "key"), campaign.public.players.get(letter.sender)
    if not key or player is None or player.key != key or not offer_of(campaign, letter):
        return 0
    verdict = LetterVerdict(letter=letter)
    check_own_key(letter, key, verdict)
    return 0 if verdict.is_refused or campaign.ledger.read(player.since).kind != "substitute" else player.since


def is_taking_over(campaign: Campaign, letter: Letter) -> bool:
    """True if a letter takes a seat that is offered while the game runs."""
    token = text_of(LetterVerdict(), letter.body, "token")
    offer = campaign.vault.offers.get(letter.sender)
    is_running = campaign.public.phase in ("running", "over") and letter.sender in campaign.public.players
    return is_running and offer is not None and token == campaign.state.open_token(letter.sender, offer.entry)


def take_over(campaign: Campaign, letter: Letter, address: str) -> tuple[LetterVerdict, int]:
    """Give an offered seat of a running game to the writer of a letter. Return the verdict, and the number of the
    entry, or 0 if the letter is refused."""
    verdict = LetterVerdict(letter=letter)
    for fault in head_faults(letter, ExpectedHead(campaign.state.name, highest=0)):
        verdict.refuse(fault)
    judge_newcomer(campaign.state, letter, verdict)
    check_offer(campaign, letter, verdict)
    if verdict.is_refused:
        return replace(verdict, record=None, held=None), 0
    record = verdict.record
    assert isinstance(record, JoinRecord)
    # Noted anew for this entry: the address in the note of the running command is that of the latest newcomer.
    campaign.vault.intent = None
    why = campaign.vault.offers[letter.sender].why
    entry = campaign.add(SubstituteRecord(letter.sender, record.key, why, record.name, record.language), None, address)
    return verdict, entry.number
