"""Answers of several parts of the bridge: faults, opened tables, and moderators whose key is to be accepted."""

from __future__ import annotations

from pbem.desk.desk import Desk
from pbem.desk.faults_on_page import fault_on_page
from pbem.desk.moderators import Stranger
from pbem.desk.opened import Offer, Sitting
from pbem.faults.wrong import Wrong


class SharedBridge:
    """Base class of all parts of the bridge."""

    desk: Desk

    def fault_data(self, fault: Wrong) -> dict[str, str | int]:
        return fault_on_page(fault, self.desk.language)

    def stranger_data(self, stranger: Stranger) -> object:
        """Return the waiting letter's moderator. If another key is known for the campaign, also return a fault."""
        known = self.desk.moderators.other_known_key
        return {"stranger": stranger, "why": [self.fault_data(self.desk.moderators.objection(known))] if known else []}

    def opened_data(self, found: Sitting | Offer) -> object:
        """Return the data of an invitation, or of the opened table with its board and draft."""
        if isinstance(found, Offer):
            return {"invited": found}
        return {"sitting": found, "board": self.desk.opened.board().sheet(), "state": self.desk.settle()}
