"""Doubts of a player's office about mails of the moderator that came damaged, or without the report that they should
contain."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from pbem.campaign.clock.clock import stamp
from pbem.campaign.players.guidance import Guidance
from pbem.faults.wrong import wrong
from pbem.office.doubts import LONGEST_NOTICE, NOTICE, UNTOLD, Doubts, mail_names
from pbem.office.filing import folder_of, is_to_hold_report
from pbem.office.store import Store
from pbem.post.envelope import Envelope
from pbem.post.extract import Extraction

CUT = "W-OFFICE-CUT"
"""Code of the doubt about a damaged mail. The doubt's subject consists of the number in the mail's subject line and the
message-id."""

MOST_CUT = 3
"""Largest number of damaged mails in a campaign of which the player is told by mail."""


class CutMails:
    """Doubts of a player's office about mails that came damaged."""

    def __init__(
        self,
        store: Store,
        doubts: Doubts,
        now: Callable[[], datetime],
        oldest_report: Callable[[str], Path | None],
    ) -> None:
        self.store = store
        self.doubts = doubts
        self.now = now
        self.oldest_report = oldest_report

    def lacks_report(self, campaign: str, found: Extraction, mail: bytes) -> bool:
        """Return True if a mail without letters should have had a report, and this report is still missing. It is
        missing if, for some seat of the player, no report with the mail's number or a higher one has been filed."""
        number = folder_of(found.envelope.subject, None)
        newest = self.oldest_report(campaign)
        if not number.isdigit() or (newest and number <= newest.parent.name):
            return False
        return is_to_hold_report(found.envelope, mail)

    def doubt_cut_mail(self, campaign: str, head: Envelope) -> None:
        """Note a doubt about a damaged mail, unless a report with the mail's number or a higher one has been filed for
        each seat. If there are already `MOST_CUT` such doubts, note only a notice, which is not told by mail."""
        number = folder_of(head.subject, None)
        newest = self.oldest_report(campaign)
        if newest is None or newest.parent.name < number:
            sender, subject = mail_names(head.sender, head.subject)
            # No signature proves that the mail is from the moderator. Somebody who sends many such mails must not be
            # able to fill the player's mailbox.
            told = UNTOLD if len(self.doubts.subjects(campaign, CUT)) < MOST_CUT else NOTICE
            about = f"{number} {head.message_id}"
            self.doubts.note(campaign, wrong(CUT, sender=sender, subject=subject), about, told)

    def settle_cut_mails(self, campaign: str, about: str, guide: Guidance | None) -> None:
        """End the doubt about a damaged mail if the same mail has now come undamaged. `about` consists of
        the number and the message-id of the undamaged mail. `guide` is the guidance that this mail contains.

        If it is a report, also end the doubts about mails with a lower number or no number, and all doubts that
        are older than `LONGEST_NOTICE`."""
        is_report = guide is not None and guide.kind == "report"
        number, _, name = about.partition(" ")
        long_ago = stamp(self.now() - LONGEST_NOTICE)
        query = "SELECT about, since FROM doubts WHERE campaign = ? AND code = ?"
        for row in self.store.rows(query, campaign, CUT):
            of_number, _, of_name = row["about"].partition(" ")
            # No mail of the moderator is missing for so long. So somebody has invented the higher number.
            is_older = of_number <= number or not of_number.isdigit() or row["since"] < long_ago
            if (name and of_name == name) or (is_report and is_older):
                self.doubts.settle_one(campaign, CUT, row["about"])
