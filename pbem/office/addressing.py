"""A player's office: it chooses the moderators' letters that are for the player, and stores the moderators'
addresses."""

from __future__ import annotations

from collections.abc import Callable

from pbem.campaign.players.guidance import guidance_of
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.faults.wrong import wrong
from pbem.office.doubts import Doubts
from pbem.office.filed_reports import FiledReports
from pbem.office.filing import TO_JOIN, addressee, guidance_in, is_letter_of, is_of_another, is_sound
from pbem.paper.letters import Letter
from pbem.seal.keys import PublicKey


class Addressing:
    """Judge of letters by moderators. It tells which of them are for the player."""

    def __init__(self, reports: FiledReports) -> None:
        self.reports = reports

    def is_for_me(self, letter: Letter) -> bool:
        """Return True if a moderator's letter may be for the player. The signature is checked elsewhere, by
        `own_letter`."""
        seat = addressee(letter)
        if letter.kind == "invitation":
            # The player may be invited to a second seat in a campaign.
            return bool(seat) and (
                self.reports.has_joined(letter.campaign, seat) or not self.has_begun(letter.campaign)
            )
        if letter.kind == "report" and letter.campaign not in self.reports.seats():
            # A substitute gets no invitation. The first report shows that the seat is the player's.
            return seat not in ("", OBSERVER, MODERATOR) and is_letter_of(letter, None, "report")
        if letter.kind == "ruling" and not self.reports.has_joined(letter.campaign, seat):
            return self.may_be_farewell(letter, seat)
        # The receipt for a letter that names no seat does not name a seat either.
        is_for_mine = self.reports.is_mine(letter.campaign, seat) or (letter.kind == "receipt" and not seat)
        return letter.campaign in self.reports.seats() and (is_for_mine or self.is_of_further_seat(letter))

    def has_begun(self, campaign: str) -> bool:
        """Return True if a filed report of the campaign shows that the game has begun."""
        reports = (self.reports.root / campaign).glob("[0-9]*/report.yaml")
        return any(is_sound(path, campaign) and guidance_in(path).stage for path in reports)

    def may_be_farewell(self, letter: Letter, seat: str) -> bool:
        """Return True if a ruling may be about a seat that was offered to the player and that somebody else got. As
        long as the player has not joined the campaign, this may be any signed ruling that is addressed to a seat."""
        if letter.campaign not in self.reports.seats():
            # The report that offered the seat may come in the same round as the ruling. The ruling counts only if both
            # are signed by the same key.
            return bool(seat) and is_of_another(letter, None)
        reports = (self.reports.root / letter.campaign).glob(f"{TO_JOIN}*/report.yaml")
        return any(guidance_in(path).seat == seat for path in reports if is_sound(path, letter.campaign))

    def is_of_further_seat(self, letter: Letter) -> bool:
        """Return True if a letter is a report for another seat that the player may take over. Such a report names the
        player's key."""
        if letter.kind != "report" or not is_letter_of(letter, self.reports.moderator_of(letter.campaign), "report"):
            return False
        return guidance_of(letter, "report").key in {key.public.fingerprint for key in self.reports.keys.opening}

    def own_letter(self, letter: Letter | None, moderator: PublicKey | None, source: str) -> Letter | None:
        """Return the letter if it is for a seat of the player and signed by the moderator. Return None if not."""
        is_mine = letter and self.is_for_me(letter) and is_letter_of(letter, moderator, source)
        return letter if is_mine else None

    def own_of(self, campaign: str, seat: str) -> Callable[[Letter | None, str], Letter | None]:
        """Return a function that filters letters. The function returns a letter if it is signed by the moderator and
        addressed to this seat, or to no seat. For any other letter it returns None."""
        known, has_several = self.reports.moderator_of(campaign), self.reports.has_several(campaign)

        def own(letter: Letter | None, source: str) -> Letter | None:
            found = self.own_letter(letter, known, source)
            is_of_seat = found and (not has_several or addressee(found) in ("", seat))
            # The ruling may be about another seat, which was offered to the player and not taken over. It tells nothing
            # about this seat.
            is_offered = found and found.kind == "ruling" and not self.reports.has_joined(campaign, addressee(found))
            return found if is_of_seat and not is_offered else None

        return own


def address_fact(campaign: str, moderator: PublicKey | None = None) -> str:
    """Return the key under which the store keeps a moderator's address. Before the player has joined the campaign, the
    key must contain `moderator`, the public key that signed the letters."""
    return f"moderator {campaign} {moderator.fingerprint}" if moderator else f"moderator {campaign}"


class ModeratorAddresses:
    """Addresses of moderators, from the memory of a player's office and from its settings."""

    def __init__(self, doubts: Doubts, reports: FiledReports) -> None:
        self.settings, self.store, self.doubts = doubts.settings, doubts.store, doubts
        self.reports = reports

    def address_of(self, campaign: str) -> str:
        """Return the address of the campaign's moderator. The settings come before the memory. Return an empty text if
        the address is unknown."""
        return self.settings.moderators.get(campaign, self.store.fact(address_fact(campaign)))

    def meet(self, campaign: str, sender: str, moderator: PublicKey) -> None:
        """Store `sender` as the moderator's address. If another address is stored already, note a doubt instead. But
        the first address of an heir replaces that of the former moderator. If `sender` is empty, do nothing."""
        fact = address_fact(campaign, None if campaign in self.reports.seats() else moderator)
        # An heir has another address than the former moderator.
        heirs, met = self.reports.heirs_of(campaign), f"heirs met {campaign}"
        known = self.store.fact(fact) if str(heirs or "") == self.store.fact(met) else ""
        if not sender:
            return
        # Another address proves nothing, because anybody can send on a letter that the moderator has signed.
        if known and sender != known:
            self.doubts.note(campaign, wrong("W-OFFICE-MOVED", known=known, sender=sender), sender)
        elif not known:
            with self.store.step():
                self.store.note(fact, sender)
                self.store.note(met, str(heirs or ""))

    def address_for_joining(self, campaign: str, moderator: PublicKey) -> str:
        """Return the address to which the letter `join` is sent. Before the player has joined, this is the address from
        which letters signed by `moderator` came. Return an empty text if the address is unknown, or if the office
        writes mails into a shared folder."""
        if self.settings.outbox.folder:
            return ""
        if campaign in self.settings.moderators or moderator == self.reports.moderator_of(campaign):
            return self.address_of(campaign)
        return self.store.fact(address_fact(campaign, moderator))

    def take_over_address(self, campaign: str) -> None:
        """Store the address from which letters signed by the moderator's key came before the player joined. If an
        address is stored already, do nothing."""
        fact = address_fact(campaign)
        early = self.store.fact(address_fact(campaign, self.reports.moderator_of(campaign)))
        if early and not self.store.fact(fact):
            with self.store.step():
                self.store.note(fact, early)
