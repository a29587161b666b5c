"""How much everything counts that the sensible bot of FRIEDRICH weighs."""

from __future__ import annotations

from pbem.bots.weights import Weights


class FriedrichWeights(Weights, frozen=True):
    """What counts in FRIEDRICH; what stands first counts otherwise than in other games."""

    shared_target: float = 0.45
    fight_cost: float = 0.2
    threat: float = 10.0
    company: float = -0.5
    seized: float = 6.0
    trains: int = 2
    kept: float = 2.0
    """How much all the objectives together matter that one enemy still lacks: the fewer they are, the more each."""
    urgency: float = 3.0
    """How much more all the objectives together matter that are still lacking: the last ones have to be taken, too."""
    reconquest: float = 0.5
    """How much an objective matters that an enemy has conquered and can be taken back."""
    spared: float = 0.1
    """How much an objective matters that is not needed any more."""
    own: float = 0.3
    """How much a conquered objective matters that can be lost again."""
    spent: float = 0.25
    """The part of the hand's points that may go into recruits while hardly anybody is missing."""
    spent_in_need: float = 0.75
    """The same when nobody is left."""
