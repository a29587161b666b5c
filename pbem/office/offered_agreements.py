"""Offers of agreements that a player's office has filed, and the lines that tell them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from pbem.campaign.clock.clock import stamp
from pbem.campaign.players.guidance import Guidance
from pbem.campaign.players.offers import OfferedAgreement, OfferState, offer_of
from pbem.faults.wrong import Gap, PbemError, Words, shell_word, words
from pbem.office.addressing import Addressing
from pbem.office.doubts import Doubts
from pbem.office.filing import AGREEMENT, guidance_in
from pbem.office.own_letters import OwnLetters
from pbem.office.signed_letters import SignedLetter
from pbem.paper.letters import read_letter

OFFERS: dict[OfferState, str] = {
    "open": "office-offer",
    "answered": "office-offer.answered",
    "lapsed": "office-offer.lapsed",
}
"""Wording of the line on an offer in each state."""


class FiledOffer(Struct, frozen=True):
    """Offer of an agreement in the player's folder."""

    path: Path
    told: OfferedAgreement

    @property
    def answer(self) -> Path:
        """Path of the file by which the player agrees."""
        return self.path.with_name(AGREEMENT)


class OfferedAgreements:
    """Offers of agreements to a player, by the filed mails."""

    def __init__(self, own_letters: OwnLetters, addressing: Addressing, doubts: Doubts) -> None:
        self.own_letters, self.addressing, self.doubts = own_letters, addressing, doubts
        self.reports = addressing.reports

    def filed(self, campaign: str, seat: str) -> Iterator[FiledOffer]:
        """Yield all filed offers of agreements to the player's seats, answered and lapsed ones included. A file is
        passed over if it is damaged, not signed by the campaign's moderator, or for another seat."""
        own = self.addressing.own_of(campaign, seat)
        for path in sorted((self.reports.root / campaign).glob("[0-9]*/*offer.yaml")):
            try:
                letter = own(read_letter(path.read_bytes(), path.name), path.name)
                if letter and letter.kind == "offer":
                    yield FiledOffer(path, offer_of(letter, path.name))
            except (PbemError, OSError):
                continue

    def lines(self, campaign: str, seat: str) -> list[Words]:
        """Return a line on each offer to a seat in the present position, and on each that has lapsed since the report
        before the newest one."""
        found, newest = [*self.filed(campaign, seat)], self.reports.last_report(campaign, seat)[0]
        if not found or newest is None:
            return []
        guide, letters = guidance_in(newest), self.own_letters.letters_for(campaign, seat)
        label, now = self.reports.label(campaign, seat), stamp(self.doubts.now())
        lines = []
        for each in found:
            state = state_of(each.told, guide, letters, now)
            if is_to_tell(each.told, guide, state):
                until = end_of(each.told, guide)
                key = OFFERS[state] if state != "open" or until else "office-offer.at-any-time"
                gaps: dict[str, Gap] = {"party": each.told.letter.sender, "entry": each.told.head.entry}
                gaps |= {"file": shell_word(str(each.answer)), "until": until}
                lines.append(words(key, campaign=label, **gaps))
        return lines


def end_of(offer: OfferedAgreement, guide: Guidance) -> str:
    """Return the moment until which an offer holds at the latest; empty without a deadline. A deadline that was moved
    is told by the newest report of the same position (`guide`)."""
    is_newer = guide.head is not None and guide.head.entry >= offer.head.entry
    return guide.deadline if is_newer and guide.basis == offer.basis else offer.until


def has_gone_on(offer: OfferedAgreement, guide: Guidance) -> bool:
    """Return whether the newest report (`guide`) is of a later position than an offer."""
    return guide.basis != offer.basis and guide.head is not None and guide.head.entry > offer.head.entry


def state_of(offer: OfferedAgreement, guide: Guidance, letters: Sequence[SignedLetter], now: str) -> OfferState:
    """Return the state of an offer, by the newest report and the player's signed letters."""
    if any(each.is_sound and offer.is_answered_by(each.letter) for each in letters):
        return "answered"
    until = end_of(offer, guide)
    return "lapsed" if has_gone_on(offer, guide) or guide.is_over or (until and until <= now) else "open"


def is_to_tell(offer: OfferedAgreement, guide: Guidance, state: OfferState) -> bool:
    """Return whether a line tells an offer. It does in the offer's own position. Later it does only for an offer that
    has lapsed since the previous report."""
    if not has_gone_on(offer, guide):
        return True
    return state == "lapsed" and guide.since is not None and offer.head.entry > guide.since
