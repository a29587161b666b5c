"""Open seats: seats for which the moderator has published an invitation, before the game or while it runs."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.disk.vault import Asker, Offer
from pbem.campaign.ledger.records import JoinRecord, SubstituteRecord
from pbem.campaign.ledger.seats import newcomer_in
from pbem.campaign.letters.heads import ExpectedHead, head_faults
from pbem.campaign.letters.joining import LetterVerdict, check_own_key, judge_newcomer, text_of
from pbem.campaign.play.tokens import offer_meant, open_token
from pbem.campaign.settings import Newcomer
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter, letter_id
from pbem.seal.keys import without_comment

MOST_ASKERS = 50


def offer_seat(campaign: Campaign, seat: str, why: str, is_choice: bool = False) -> None:
    """Offer a seat to the first person who takes it. If `is_choice` is true, the moderator will choose one of those who
    ask. Raises `Refused` if the seat cannot be offered in this way, or if the game runs and `why` is empty."""
    public = campaign.public
    if seat == campaign.settings.moderator.seat:
        raise Refused(seat, [wrong("E-INVITE-OPEN.moderator", seat=seat)])
    if public.phase == "joining" and seat in public.players:
        raise Refused(seat, [wrong("E-JOIN-TAKEN", seat=seat)])
    if public.phase != "joining" and not why:
        raise Refused(seat, [wrong("E-INVITE-OPEN.why", seat=seat)])
    offer = campaign.vault.offers.get(seat)
    if offer and offer.is_choice != is_choice:
        # The terms of an open offer cannot be changed, because people may have relied on them.
        raise Refused(seat, [wrong("E-INVITE-OPEN.otherwise", seat=seat)])
    if not offer:
        campaign.vault.offers[seat] = Offer(public.entry, why, is_choice)
        campaign.write()


def withdraw_seat(campaign: Campaign, seat: str) -> None:
    """Take the offer of a seat back. All who have asked for the seat will get an answer. Raises `Refused` if the seat
    is not offered."""
    if seat not in campaign.vault.offers:
        raise Refused(seat, [wrong("E-INVITE-OPEN.none", seat=seat)])
    campaign.vault.answers += campaign.vault.offers.pop(seat).ended()
    campaign.write()


def offer_of(campaign: Campaign, letter: Letter) -> int:
    """Return the entry at which a seat was offered with a letter's token, even if the offer is over. Return 0 if no
    offer had this token."""
    if letter.campaign != campaign.state.name:
        return 0
    return offer_meant(campaign.state, letter.sender, text_of(LetterVerdict(), letter.body, "token"))


def check_offer(campaign: Campaign, letter: Letter, verdict: LetterVerdict) -> None:
    """Refuse a letter with the token of an offer if the offer is over, or if the player of another seat has the
    letter's key. Other letters are not judged."""
    seat = letter.sender
    if not (entry := offer_of(campaign, letter)):
        return
    offer = campaign.vault.offers.get(seat)
    if offer is None or offer.entry != entry:
        verdict.refuse(wrong("E-JOIN-OPEN", seat=seat))
        return
    key = text_of(LetterVerdict(), letter.body, "key")
    others = {other: player.key for other, player in campaign.public.players.items() if other != seat}
    shared = [other for other, held in others.items() if key and without_comment(held) == without_comment(key)]
    if shared:
        verdict.refuse(wrong("E-JOIN-OPEN.key", seat=seat, other=shared[0]))


def taken_since(campaign: Campaign, letter: Letter) -> int:
    """Return the entry by which this letter took an open seat of the running game. Return 0 if it took none."""
    key, player = text_of(LetterVerdict(), letter.body, "key"), campaign.public.players.get(letter.sender)
    # Comments of keys are ignored, because entries may leave them out.
    is_theirs = bool(key) and player is not None and without_comment(player.key) == without_comment(key)
    if player is None or not is_theirs or not offer_of(campaign, letter):
        return 0
    verdict = LetterVerdict(letter=letter)
    check_own_key(letter, key, verdict)
    return 0 if verdict.is_refused or campaign.ledger.read(player.since).kind != "substitute" else player.since


def present_offer(campaign: Campaign, letter: Letter) -> Offer | None:
    """Return the offer whose token a letter has. Return None if no offer has this token, or if the offer is over."""
    offer, token = campaign.vault.offers.get(letter.sender), text_of(LetterVerdict(), letter.body, "token")
    if offer is None or letter.campaign != campaign.state.name:
        return None
    return offer if token == open_token(campaign.state, letter.sender, offer.entry) else None


def is_taking_over(campaign: Campaign, letter: Letter) -> bool:
    """True if a letter takes, or asks for, a seat that is offered while the game runs."""
    is_running = campaign.public.phase in ("running", "over") and letter.sender in campaign.public.players
    return is_running and present_offer(campaign, letter) is not None


def judged_newcomer(campaign: Campaign, letter: Letter) -> LetterVerdict:
    """Return the verdict on a letter that takes, or asks for, an offered seat of the running game."""
    verdict = LetterVerdict(letter=letter)
    for fault in head_faults(letter, ExpectedHead(campaign.state.name, highest=0)):
        verdict.refuse(fault)
    judge_newcomer(campaign.state, letter, verdict)
    check_offer(campaign, letter, verdict)
    return replace(verdict, record=None, held=None) if verdict.is_refused else verdict


def take_over(campaign: Campaign, letter: Letter, record: JoinRecord, address: str) -> int:
    """Give an offered seat of a running game to the writer of a letter that has been judged. Return the number of the
    entry."""
    # The note is cleared so that it is written anew for this entry. Until now it has the address of another newcomer.
    campaign.vault.intent = None
    why, person = campaign.vault.offers[record.player].why, newcomer_in(letter, Newcomer(address=address))
    taking = SubstituteRecord(record.player, record.key, why, record.name, record.language)
    return campaign.add(taking, who=person).number


def asker_of(campaign: Campaign, letter: Letter) -> Asker | None:
    """Return the note about the person who asks for a seat with this letter. Return None for any other letter."""
    offer = present_offer(campaign, letter) if letter.kind == "join" else None
    identity = letter_id(letter)
    return next((each for each in offer.askers if each.identity == identity), None) if offer else None


def is_asking(campaign: Campaign, letter: Letter) -> bool:
    """True if a letter only asks for a seat: the moderator chooses the player, and has not chosen this writer."""
    offer, asker = present_offer(campaign, letter), asker_of(campaign, letter)
    return offer is not None and offer.is_choice and not (asker and asker.number == offer.chosen)


def ask(campaign: Campaign, verdict: LetterVerdict, asker: Asker) -> Asker | None:
    """Note that somebody asks for a seat, and return the note. If another letter with this key asked before, or too
    many people have asked, refuse the letter and return None."""
    letter, record = verdict.letter, verdict.record
    assert letter is not None
    assert isinstance(record, JoinRecord)
    seat = letter.sender
    offer = campaign.vault.offers[seat]
    if known := asker_of(campaign, letter):
        return known
    # The first letter with a key counts, so that nobody can send an old copy to replace a later letter.
    if record.key and any(without_comment(each.key) == without_comment(record.key) for each in offer.askers):
        verdict.refuse(wrong("E-JOIN-OPEN.asked", seat=seat))
        return None
    if len(offer.askers) >= MOST_ASKERS:
        verdict.refuse(wrong("E-JOIN-OPEN.many", seat=seat, most=MOST_ASKERS))
        return None
    number = max((each.number for each in offer.askers), default=0) + 1
    noted = replace(asker, number=number, since=stamp(campaign.now), key=record.key)
    campaign.vault.offers[seat] = replace(offer, askers=(*offer.askers, noted))
    # This is written before the receipt, which says that the request was noted.
    campaign.write_vault()
    return noted


def note_choice(campaign: Campaign, seat: str, asker: Asker) -> None:
    """Note which asker the moderator has chosen for a seat."""
    campaign.vault.offers[seat] = replace(campaign.vault.offers[seat], chosen=asker.number)
    campaign.write_vault()
