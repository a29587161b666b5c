"""How much everything counts that the sensible bot of MARIA weighs; politics is counted in cards of income."""

from __future__ import annotations

from pbem.bots.weights import Weights


class MariaWeights(Weights, frozen=True):
    """What counts in MARIA; what stands first counts otherwise than in other games."""

    protected_target: float = 0.8
    guard: float = 7.4
    exposed: float = 3.2
    major: float = 0.4
    """How much a major fortress matters that is in nobody's goal."""
    minor: float = 0.15
    """The same of a minor one."""
    sated: float = 0.2
    """What is left of the wish to conquer once the goal is reached."""
    marker_on_map: float = 0.9
    """How much any fortress matters where every marker counts."""
    held: float = 0.2
    """The same of a fortress that is to be kept."""
    spent_in_winter: float = 0.5
    """The part of the hand's points that may go into new troops; the rest is kept for combat."""
    partner: float = 0.6
    """What a gain of another power of the same player is worth."""
    rival: float = -0.1
    """The same of an ally that somebody else plays, who wants to win, too."""
    enemy: float = -0.6
    """The same of an enemy."""
    lasting: float = 0.4
    """How much a card of income a turn is worth for every turn that is left: it may not last."""
    troop: float = 0.7
    """A new troop."""
    general: float = 3.0
    """A general who is away from the map."""
    marker: float = 4.0
    """A victory marker in a box."""
    defector: float = 3.0
    """The help of the power that changes sides."""
    worth_a_card: float = 1.0
    """What must be at stake for a card to be placed, in cards of income."""
    price: float = 0.1
    """What a point of influence costs its power, in cards of income."""
    denied: float = 0.5
    """What it is worth to keep from an enemy what he would gain."""
    covered: int = 6
    """What a card that lies face-down is reckoned to be worth."""
    safe_pool: float = 4.5
    """So many markers the enemy must still have to place for peace to be accepted."""
