"""Acts of the moderator on open seats: offering and withdrawing them, choosing among the people who ask for them, and
answering these people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.disk.vault import Asker, Offer
from pbem.campaign.letters.arrived import Reply
from pbem.campaign.letters.joining import LetterVerdict, text_of
from pbem.campaign.letters.judging import judge
from pbem.campaign.letters.letterbox import HeldLetter
from pbem.campaign.play import adjudicating, rulings
from pbem.campaign.play.adjudicating import Delivery, Receipt, enter_refusal
from pbem.campaign.play.open_seats import (
    check_offer,
    is_taking_over,
    judged_newcomer,
    note_choice,
    offer_seat,
    withdraw_seat,
)
from pbem.faults.wrong import words, wrong
from pbem.moderator.addresses import note_address, tell_former, write
from pbem.moderator.receipts import write_receipt
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.letters import Letter, read_letter
from pbem.player.names import name_meant
from pbem.post.outbox import parcels_of
from pbem.post.parcels import open_parcel
from pbem.report.language.own_templates import with_own_templates
from pbem.seal.keys import PublicKey

_NUMBER = re.compile("#?([0-9]+)[.]?")
_FINGERPRINT = re.compile("(?:SHA256:)?([A-Za-z0-9+/]{43})")


class AskerNotice(Struct, frozen=True):
    """Facts about a person who asks for a seat, as the moderator gets them."""

    number: int
    name: str
    since: str
    language: str
    key: str
    """Fingerprint of the person's key. It is empty if the person has no key."""


class SeatGiven(Struct, frozen=True):
    """Seat that was given to a person who had asked for it, with the new player's name and the entry."""

    seat: str
    name: str
    entry: int
    answers: int
    """Number of people who had asked for the seat and are answered now."""
    files: tuple[Path, ...]


def write_offers(campaign: Campaign, called: Sequence[str], why: str, is_choice: bool) -> list[Path]:
    """Offer the seats in `called` to anybody, write an invitation for each seat, and return the files. The invitations
    may be published, and give the reason `why`. If `is_choice` is true, the moderator chooses among the people who
    ask."""
    seats = [name_meant(each, campaign.settings.seats, words("player"), "--open") for each in called]
    rulings.need_open(campaign)
    for seat in seats:
        offer_seat(campaign, seat, why, is_choice)
    powers = campaign.rules.seats
    with with_own_templates(campaign.folder.root):
        makers = [(seat, partial(open_parcel, campaign, seat, powers)) for seat in seats]
        return write(campaign, parcels_of(makers, campaign.left_out))


def withdraw_offers(campaign: Campaign, called: Sequence[str]) -> list[str]:
    """Withdraw the offers of seats, answer the people who asked for them, and return the seats."""
    answer_askers(campaign)
    seats = [name_meant(each, campaign.settings.seats, words("player"), "--withdraw") for each in called]
    for seat in seats:
        withdraw_seat(campaign, seat)
    answer_askers(campaign)
    return seats


def seat_meant(campaign: Campaign, called: str) -> str:
    return name_meant(called, campaign.settings.seats, words("player"), "SEAT")


def offer_to_choose(campaign: Campaign, seat: str) -> Offer:
    """Return the offer of a seat for which the moderator chooses the player. Raises `Refused` if there is no such
    offer."""
    offer = campaign.vault.offers.get(seat)
    if offer is None or not offer.is_choice:
        raise Refused(seat, [wrong("E-CHOOSE-SEAT", seat=seat)])
    return offer


def askers_of(campaign: Campaign, called: str) -> list[AskerNotice]:
    """Return the people who ask for the seat `called`, in the sequence in which they asked. Raises `Refused` as
    `offer_to_choose` does."""
    return [asker_notice(campaign, each) for each in offer_to_choose(campaign, seat_meant(campaign, called)).askers]


def asker_notice(campaign: Campaign, asker: Asker) -> AskerNotice:
    letter = letter_of(asker)
    name, language = (text_of(LetterVerdict(), letter.body, key) for key in ("name", "language"))
    key = PublicKey.parse(asker.key).fingerprint if asker.key else ""
    seat = campaign.settings.seats[letter.sender]
    return AskerNotice(asker.number, name, asker.since, language or seat.language, key)


def letter_of(asker: Asker) -> Letter:
    return read_letter(asker.letter.encode(), f"letter {asker.number}")


def choose(campaign: Campaign, called: str, who: str) -> SeatGiven:
    """Give an open seat to the person `who`, and answer all who asked for it. `who` is a number, fingerprint or name.
    If the command was interrupted and is run again, nothing is entered twice. Raises `Refused` if there is no offer, if
    no person fits `who`, or if the person's letter would be refused now."""
    done, seat = campaign.entry_done("join") or campaign.entry_done("substitute"), seat_meant(campaign, called)
    if not done:
        asker = asker_meant(campaign, seat, offer_to_choose(campaign, seat), who)
        letter = letter_of(asker)
        if faults := [each for each in verdict_on(campaign, letter).faults if not each.is_warning]:
            raise Refused(seat, faults)
        note_choice(campaign, seat, asker)
        came = Delivery(asker.raw, asker.content, sender=asker.address, message_id=asker.message_id)
        done = adjudicating.take_letter(campaign, letter, came).entry
    count = len(campaign.vault.answers)
    files = settle_seats(campaign)
    return SeatGiven(seat, campaign.person(seat).name, done, count, tuple(files))


def verdict_on(campaign: Campaign, letter: Letter) -> LetterVerdict:
    """Return the verdict on the letter of a person who asks for a seat, as it would be now."""
    if is_taking_over(campaign, letter):
        return judged_newcomer(campaign, letter)
    verdict = judge(campaign.state, letter, campaign.open_box)
    check_offer(campaign, letter, verdict)
    return verdict


def asker_meant(campaign: Campaign, seat: str, offer: Offer, who: str) -> Asker:
    """Return the person whose number, fingerprint or name is `who`. A text that looks like a number or a fingerprint is
    never taken as a name. Raises `Refused` unless exactly one person fits."""
    number, digest = _NUMBER.fullmatch(who), _FINGERPRINT.fullmatch(who)
    known = [(each, asker_notice(campaign, each)) for each in offer.askers]
    if number:
        found = [each for each, _ in known if str(each.number) == number[1]]
    elif digest:
        found = [each for each, notice in known if notice.key == f"SHA256:{digest[1]}"]
    else:
        found = [each for each, notice in known if notice.name.casefold() == who.casefold()]
    if len(found) == 1:
        return found[0]
    raise Refused(seat, [wrong("E-CHOOSE-NAME.several" if found else "E-CHOOSE-NAME", seat=seat, name=as_quoted(who))])


def settle_seats(campaign: Campaign) -> list[Path]:
    """Write to all who have lost a seat, and to all who have asked for a seat that is not offered any more. Return the
    files."""
    return [*answer_askers(campaign), *tell_former(campaign)]


def answer_askers(campaign: Campaign) -> list[Path]:
    """Answer each person who has asked for a seat that is not offered any more, and return the files. If an earlier run
    was interrupted, nobody is answered twice."""
    files: list[Path] = []
    while campaign.vault.answers:
        asker = campaign.vault.answers[0]
        receipt = receipt_of(campaign, asker)
        files += write_receipt(campaign, Reply(receipt, asker.address, asker.message_id))
        del campaign.vault.answers[0]
        campaign.write()
    return files


def receipt_of(campaign: Campaign, asker: Asker) -> Receipt:
    """Return the receipt for a person who has asked for a seat. If the person has got the seat, note the person's
    address. If not, enter a refusal in the ledger."""
    letter = letter_of(asker)
    if asker.entry:
        # The address replaces that of a person who was invited to the seat, because the reports must go to the chosen
        # person.
        note_address(campaign, letter.sender, asker.address)
        verdict = LetterVerdict(letter=letter, held=HeldLetter(letter.text))
        return Receipt(letter.sender, asker.identity, asker.entry, verdict, asker.raw, "final")
    # The refusal is entered so that the same letter is not answered again if it is still in the mailbox.
    enter_refusal(campaign, asker.content, "")
    entry = campaign.public.turned.get(campaign.state.keyed_fingerprint(asker.content.encode()), 0)
    return Receipt("", asker.identity, entry, LetterVerdict(letter=letter), asker.raw, "declined")
