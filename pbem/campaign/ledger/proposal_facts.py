"""Open proposals, settled proposals, and moved deadlines in the public state."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.campaign.ledger import records as r


class Proposal(Struct, frozen=True):
    """An open proposal, on which the seats vote."""

    entry: int
    name: str
    """Name of the proposal in votes: the number of its entry, and the beginning of the entry's hash."""
    player: str
    subject: str
    """Key of `proposals.SUBJECTS`."""
    about: str
    """Seat, number of days or span of time that is proposed; empty if the subject needs none."""
    until: str
    """Moment at which the proposal lapses."""
    votes: dict[str, r.Says]
    """Vote of each seat that has voted. The proposal itself counts as a `yes` of its own seat."""


class MovedDeadline(Struct, frozen=True, omit_defaults=True):
    """A deadline that was moved to a later moment."""

    until: str
    why: str
    player: str = ""
    """Seat whose proposal has moved the deadline; empty if no proposal did."""


Settlement = Literal["carried", "failed", "lapsed", "dropped"]


class SettledProposal(Struct, frozen=True):
    """A proposal on which nobody can vote any more."""

    name: str
    player: str
    subject: r.SubjectName
    about: str
    how: Settlement
    """`failed` if votes have ended the proposal, `lapsed` if its time was over, `dropped` if anything else has ended
    it, such as a newer proposal of the same seat."""
    entry: int
    """Entry that settled the proposal."""
    by: str = ""
    """Seat whose vote made the proposal fail; empty unless `how` is `failed`."""
