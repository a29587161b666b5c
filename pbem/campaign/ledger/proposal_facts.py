"""Facts about proposals that the public state has: about open ones, and about those that are settled."""

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
    """Seat or other text that the subject is about."""
    until: str
    """Moment at which the proposal lapses."""
    votes: dict[str, r.Says]
    """Votes of the seats. The seat that proposes something votes for it."""


class MovedDeadline(Struct, frozen=True, omit_defaults=True):
    """A deadline that was moved to a later moment, as the public state and reports tell it."""

    until: str
    why: str
    player: str = ""
    """Seat whose proposal has moved it; empty without a vote."""


Settlement = Literal["carried", "failed", "lapsed", "dropped"]


class SettledProposal(Struct, frozen=True):
    """A proposal that is no longer open to votes, as the public state and reports tell it."""

    name: str
    player: str
    subject: r.SubjectName
    about: str
    how: Settlement
    """`failed` if votes have ended the proposal, `lapsed` if its time was over, `dropped` if anything else has ended
    it, such as a newer proposal of the same seat."""
    entry: int
    """Entry by which it was settled."""
    by: str = ""
    """Seat whose vote has ended it; empty unless it has failed."""
