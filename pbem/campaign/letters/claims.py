"""Claims of arrivals: the campaigns and seats that texts name, and the senders who must get an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.campaign.campaign import Campaign
from pbem.campaign.letters import arrived
from pbem.campaign.letters.arrived import Arrival
from pbem.campaign.settings import MODERATOR
from pbem.paper.found import FoundLetter
from pbem.paper.letters import Letter


def is_claimed(campaign: Campaign, found: FoundLetter) -> bool:
    """True if a text names this campaign. A text without the name of a campaign counts, too, if it names one of this
    campaign's seats."""
    claim = found.claim
    is_for_us = claim.campaign == campaign.settings.campaign
    return is_for_us or (not claim.campaign and claim.sender in campaign.settings.seats)


def claimed_seat(campaign: Campaign, found: FoundLetter, sender: str) -> str:
    """Return the seat that a text names as its sender, or else the seat with the mail address `sender`. Return an empty
    text if there is no such seat."""
    claim = found.claim.sender
    return claim if claim in campaign.settings.seats else campaign.seat_at(sender)


def letters_by_seat(campaign: Campaign, letters: Iterable[FoundLetter]) -> dict[str, list[FoundLetter]]:
    """Return a dict from each seat to the letters that name it as sender. Letters that name no seat of the campaign are
    under an empty text."""
    found: dict[str, list[FoundLetter]] = {}
    for each in letters:
        sender = each.claim.sender
        found.setdefault(sender if sender in campaign.settings.seats else "", []).append(each)
    return found


def letter_to_refuse(letters: list[FoundLetter]) -> FoundLetter:
    """Return the one of these letters that is to be refused: the last that is not quoted, or the last of all if all are
    quoted."""
    return ([each for each in letters if not each.is_quoted] or letters)[-1]


def stray_letter(campaign: Campaign, arrival: Arrival) -> Letter | None:
    """Return the first letter of an arrival that is not for this campaign, or None if there is no such letter."""
    return next((each.letter for each in arrival.letters if each.letter and not is_claimed(campaign, each)), None)


def signing_seat(campaign: Campaign, letter: Letter) -> str:
    """Return the seat whose key has signed a letter; empty if no seat's key has."""
    players = campaign.public.players.items()
    return next((seat for seat, who in players if who.key and arrived.is_signed_with(letter, who.key)), "")


def is_owed_an_answer(campaign: Campaign, arrival: Arrival) -> bool:
    """True if an arrival without a readable letter gets an answer. It gets one if it answers or quotes a mail of this
    campaign, or if it comes from a player and has something that looks like a letter. A letter for another campaign
    gets an answer, too, if a seat's key has signed it."""
    name, moderator = campaign.settings.campaign, campaign.vault.addresses.get(MODERATOR, "")
    if arrival.is_automatic or (moderator and arrival.sender == moderator):
        return False
    if (stray := stray_letter(campaign, arrival)) and signing_seat(campaign, stray):
        return True
    is_quoting = any(arrived.is_of_moderator(each) and each.claim.campaign == name for each in arrival.letters)
    if arrival.answers or is_quoting:
        return bool(arrival.sender)
    # A player may write to the moderator without a letter, and needs no receipt then.
    return bool(campaign.seat_at(arrival.sender)) and any(code != "E-TEXT-NONE" for code in codes_of(arrival))


def codes_of(arrival: Arrival) -> Iterator[str]:
    """Yield the codes of all faults of an arrival and of the unreadable texts in it."""
    yield from (fault.code for fault in arrival.faults)
    yield from (fault.code for each in arrival.unread for fault in each.faults)
