"""Addresses of the moderators, as a player's office has learned them."""

from __future__ import annotations

from pbem.faults.wrong import wrong
from pbem.office.doubts import Doubts
from pbem.office.filed_reports import FiledReports
from pbem.seal.keys import PublicKey


def address_fact(campaign: str, moderator: PublicKey | None = None) -> str:
    """Return the key under which the store keeps a moderator's address. Before the player has joined, each key that has
    signed for the campaign has an address of its own."""
    return f"moderator {campaign} {moderator.fingerprint}" if moderator else f"moderator {campaign}"


class ModeratorAddresses:
    """Addresses of the moderators, in the memory of a player's office and in its settings."""

    def __init__(self, doubts: Doubts, reports: FiledReports) -> None:
        self.settings, self.store, self.doubts = doubts.settings, doubts.store, doubts
        self.reports = reports

    def address_of(self, campaign: str) -> str:
        """Return the address of the campaign's moderator; empty if it is unknown."""
        return self.settings.moderators.get(campaign, self.store.fact(address_fact(campaign)))

    def meet(self, campaign: str, sender: str, moderator: PublicKey) -> None:
        """Note the moderator's address. If another address is known, note a doubt instead: anybody may pass on a signed
        letter of the moderator."""
        fact = address_fact(campaign, None if campaign in self.reports.seats() else moderator)
        # An heir writes from an address of its own.
        heirs, met = self.reports.heirs_of(campaign), f"heirs met {campaign}"
        known = self.store.fact(fact) if str(heirs or "") == self.store.fact(met) else ""
        if not sender:
            return
        if known and sender != known:
            self.doubts.note(campaign, wrong("W-OFFICE-MOVED", known=known, sender=sender), sender)
        elif not known:
            with self.store.step():
                self.store.note(fact, sender)
                self.store.note(met, str(heirs or ""))

    def address_for_joining(self, campaign: str, moderator: PublicKey) -> str:
        """Return the address to which a letter that joins is sent; empty if there is none, as in a shared folder, where
        the moderator's key is the address."""
        if self.settings.outbox.folder:
            return ""
        if campaign in self.settings.moderators or moderator == self.reports.moderator_of(campaign):
            return self.address_of(campaign)
        return self.store.fact(address_fact(campaign, moderator))

    def take_over_address(self, campaign: str) -> None:
        """Accept the address that came, before the player joined, with the key that is now known as the moderator's."""
        fact = address_fact(campaign)
        early = self.store.fact(address_fact(campaign, self.reports.moderator_of(campaign)))
        if early and not self.store.fact(fact):
            with self.store.step():
                self.store.note(fact, early)
