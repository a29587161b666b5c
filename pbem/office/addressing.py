"""Rules by which a player's office knows the moderator's letters that are for the player."""

from __future__ import annotations

from collections.abc import Callable

from pbem.campaign.news import MODERATOR, OBSERVER
from pbem.campaign.players.guidance import guidance_of
from pbem.office.filed_reports import FiledReports
from pbem.office.filing import TO_JOIN, addressee, guidance_in, is_letter_of, is_of_another, is_sound
from pbem.paper.letters import Letter
from pbem.seal.keys import PublicKey


class Addressing:
    """Addressees of the moderators' letters, as a player's filed reports and notes tell them."""

    def __init__(self, reports: FiledReports) -> None:
        self.reports = reports

    def is_for_me(self, letter: Letter) -> bool:
        """Return whether a moderator's letter is for a seat of the player. Other players may pass their letters on."""
        seat = addressee(letter)
        if letter.kind == "invitation":
            # Who plays already may be invited to a second seat.
            return bool(seat) and (
                self.reports.has_joined(letter.campaign, seat) or not self.has_begun(letter.campaign)
            )
        if letter.kind == "report" and letter.campaign not in self.reports.seats():
            # A substitute gets no invitation: the first report says that the seat is the player's.
            return seat not in ("", OBSERVER, MODERATOR) and is_letter_of(letter, None, "report")
        if letter.kind == "ruling" and not self.reports.has_joined(letter.campaign, seat):
            return self.may_be_farewell(letter, seat)
        # Receipts of what bears no seat bear none either.
        is_for_mine = self.reports.is_mine(letter.campaign, seat) or (letter.kind == "receipt" and not seat)
        return letter.campaign in self.reports.seats() and (is_for_mine or self.is_of_further_seat(letter))

    def has_begun(self, campaign: str) -> bool:
        """Return whether a filed report shows that the game has begun. From then on nobody is invited to the
        campaign."""
        reports = (self.reports.root / campaign).glob("[0-9]*/report.yaml")
        return any(is_sound(path, campaign) and guidance_in(path).stage for path in reports)

    def may_be_farewell(self, letter: Letter, seat: str) -> bool:
        """Return whether a ruling may be about a seat that the player was offered, and has not taken over."""
        if letter.campaign not in self.reports.seats():
            # The report may come in the same round. The ruling counts only if the same key has signed both.
            return bool(seat) and is_of_another(letter, None)
        reports = (self.reports.root / letter.campaign).glob(f"{TO_JOIN}*/report.yaml")
        return any(guidance_in(path).seat == seat for path in reports if is_sound(path, letter.campaign))

    def is_of_further_seat(self, letter: Letter) -> bool:
        """Return whether a report is for another seat that the player may take over. It must say that the other seat
        has the player's key."""
        if letter.kind != "report" or not is_letter_of(letter, self.reports.moderator_of(letter.campaign), "report"):
            return False
        return guidance_of(letter, "report").key in {key.public.fingerprint for key in self.reports.keys.opening}

    def own_letter(self, letter: Letter | None, moderator: PublicKey | None, source: str) -> Letter | None:
        """Return a letter if the moderator has signed it for the player's seat, else None."""
        is_mine = letter and self.is_for_me(letter) and is_letter_of(letter, moderator, source)
        return letter if is_mine else None

    def own_of(self, campaign: str, seat: str) -> Callable[[Letter | None, str], Letter | None]:
        """Return a function that takes a letter, and returns it if the campaign's moderator has sent it to this seat,
        else None."""
        known, has_several = self.reports.moderator_of(campaign), self.reports.has_several(campaign)

        def own(letter: Letter | None, source: str) -> Letter | None:
            found = self.own_letter(letter, known, source)
            is_of_seat = found and (not has_several or addressee(found) in ("", seat))
            # A farewell to a seat that was offered, and not taken over, says nothing of this one.
            is_offered = found and found.kind == "ruling" and not self.reports.has_joined(campaign, addressee(found))
            return found if is_of_seat and not is_offered else None

        return own
