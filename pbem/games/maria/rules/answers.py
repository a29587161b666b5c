"""Answers that powers may give at any time in the advanced game, without being asked (§10.1, §20, §21)."""

from __future__ import annotations

from pbem.engine.decisions import Answer
from pbem.engine.nouns import Power


class OfferSubsidy(Answer, frozen=True):
    """Offer a subsidy contract, or accept one that was offered with the same duration (§20)."""

    giver: Power
    receiver: Power
    turns: int
    accept: bool = False


class CancelSubsidy(Answer, frozen=True):
    """Cancel the contract with a partner, if the partner wants it too (§20)."""

    partner: Power


class AllowStacking(Answer, frozen=True):
    """Let the generals of co-operating powers stack with one's own, or no longer (§10.1)."""

    yes: bool


class MakeAgreement(Answer, frozen=True):
    """Promise something in words (§21)."""

    powers: tuple[Power, ...]
    words: str


Settlement = OfferSubsidy | CancelSubsidy | AllowStacking | MakeAgreement
