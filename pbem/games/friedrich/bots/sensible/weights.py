"""Weights of the sensible bot of FRIEDRICH."""

from __future__ import annotations

from pbem.bots.weights import Weights


class FriedrichWeights(Weights, frozen=True):
    """Weights in FRIEDRICH; the first ones differ from those of other games."""

    shared_target: float = 0.45
    fight_cost: float = 0.2
    threat: float = 10.0
    company: float = -0.5
    seized: float = 6.0
    trains: int = 2
    kept: float = 2.0
    """Sum over all objectives that one enemy still lacks: the fewer they are, the more each one counts."""
    urgency: float = 3.0
    """Additional sum over all objectives that the power still lacks: the last ones have to be taken, too."""
    reconquest: float = 0.5
    """Objective that an enemy has conquered and that can be taken back."""
    spared: float = 0.1
    """Objective that is not needed any more."""
    own: float = 0.3
    """Conquered objective that can be lost again."""
    spent: float = 0.25
    """Part of the hand's points that may go into recruits while hardly any troops are missing."""
    spent_in_need: float = 0.75
    """Part when no troops are left."""
