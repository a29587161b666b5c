"""Functions that the page calls for known moderators and for an archive."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.desk.opening import accept
from pbem.desk.shared_bridge import SharedBridge
from pbem.player.files import GivenFile
from pbem.player.tables import trusted_guide
from pbem.seal.keys import PublicKey

if TYPE_CHECKING:
    from pbem.desk.archive import Shelf


class ArchiveBridge(SharedBridge):
    """Part of the bridge: functions for moderators and archives."""

    shelf: Shelf | None = None

    def do_noted(self) -> object:
        """Return the known moderators as a text for the browser to keep."""
        return self.desk.moderators.text()

    def do_remember(self, text: str) -> object:
        """Load the known moderators from the browser's text."""
        self.desk.moderators.load(text)
        return True

    def do_moderators(self) -> object:
        """Return the known moderators with their keys' fingerprints, keyed by campaign."""
        return {
            name: {"key": met.public.fingerprint, "met": met} for name, met in sorted(self.desk.moderators.met.items())
        }

    def do_moderators_in(self, text: str) -> object:
        """Return the campaigns in another browser's text whose moderators this desk does not know."""
        return sorted(self.desk.moderators.new_acquaintances(text))

    def do_take_moderators(self, text: str) -> object:
        """Add the moderators in a text, without replacing known ones. Return all known moderators for the browser to
        keep."""
        self.desk.moderators.met |= self.desk.moderators.new_acquaintances(text)
        return self.desk.moderators.text()

    def do_forget(self, campaign: str) -> object:
        """Forget the moderator of a campaign. Return the others for the browser to keep."""
        self.desk.moderators.forget(campaign)
        return self.desk.moderators.text()

    def do_stranger(self) -> object:
        """Return the moderator whose letter waits until the player accepts the key."""
        return self.stranger_data(self.desk.moderators.stranger())

    def do_compare(self, data: str, name: str) -> object:
        """Compare the waiting letter's key with the key in a file (in base 64). Return the letter's moderator with the
        result."""
        self.desk.moderators.compare(base64.b64decode(data), name)
        return self.do_stranger()

    def do_archive_keys(self) -> object:
        """Return the moderator's keys in the verified archive, for `do_compare_archive`."""
        return {
            "campaign": self.archive.verification.campaign,
            "keys": [each.text for each in self.archive.keys_of_moderator()],
        }

    def do_compare_archive(self, campaign: str, keys: list[str]) -> object:
        """Compare the waiting letter's key with a verified archive's keys."""
        self.desk.moderators.compare_ledger(campaign, [PublicKey.parse(each) for each in keys])
        return self.do_stranger()

    def do_accept(self) -> object:
        """Trust the key that signed the waiting letter. Return the opened letter, and the known moderators for the
        browser to store."""
        found = accept(self.desk)
        return {"moderators": self.desk.moderators.text(), "opened": self.opened_data(found)}

    def do_archive(self, names: list[str]) -> object:
        """Put a new archive on the desk. `names` are the names of the player's files; return those that the archive
        needs."""
        from pbem.desk.archive import Shelf  # imported here, because it loads much and only archives need it

        self.shelf = None
        self.shelf = Shelf(names)
        return self.shelf.wanted

    def do_give(self, name: str, place: str) -> object:
        """Take over the file of the archive that lies at the path `place`."""
        self.archive.give(name, Path(place))
        return True

    def do_verify(self) -> object:
        """Verify the archive for a moment; return the progress."""
        return self.archive.go_on()

    def do_told(self) -> object:
        """Return the findings of the verification. If there are none, also return the campaign."""
        return self.archive.campaign_data(self.desk.language)

    def do_stages(self, numbers: list[int]) -> object:
        """Return the data of consecutive stages of the archive, and the board after them."""
        return self.archive.stages(numbers)

    def do_report(self) -> object:
        """Return the report on the desk, in base 64."""
        return base64.b64encode(self.desk.report).decode()

    def do_hold(self, data: str, name: str) -> object:
        """Compare a report, given in base 64, with the archive (`Shelf.compare_report`)."""
        report = trusted_guide(GivenFile(name, base64.b64decode(data)))
        return self.archive.compare_report(report, name, self.desk.language)

    @property
    def archive(self) -> Shelf:
        assert self.shelf, "no archive lies on the desk"
        return self.shelf
