"""Functions that the page calls about branches from a report."""

from __future__ import annotations

from pbem.desk.branching import copy_branch, go_back, go_forth, play_on
from pbem.desk.desk import Desk
from pbem.desk.opened import Offer, Sitting


class BranchBridge:
    """Part of the bridge for branches."""

    desk: Desk

    def opened_data(self, found: Sitting | Offer) -> object:
        """Return the data of an opened table or of an invitation (`Bridge`)."""
        raise NotImplementedError

    def do_play_on(self, level: str) -> object:
        """Begin a branch from the report and the drafts."""
        return self.opened_data(play_on(self.desk, level))

    def do_branch_back(self) -> object:
        """Go back by a step of the branch."""
        return {"sitting": go_back(self.desk), "state": self.desk.settle()}

    def do_branch_forth(self) -> object:
        """Go forth by a step that was taken back in the branch."""
        return {"sitting": go_forth(self.desk), "state": self.desk.settle()}

    def do_branch_copy(self) -> object:
        """Lay a copy of the branch on the desk."""
        return self.opened_data(copy_branch(self.desk))
