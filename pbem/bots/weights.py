"""How much everything counts that the sensible bot weighs: its own figures, and what others can set in their place."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from pbem.engine.board import UNREACHABLE

FAR = 40
"""How many cities away a place must be to attract nobody."""

FADE = 0.86
"""How much of an attraction is left one city farther away."""


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """What counts in every game."""

    conquest: float = 40.0
    """A fortress or objective of the goal, conquered."""
    train: float = 18.0
    """An enemy train taken."""
    approach: float = 12.0
    """Standing at a place that is to be conquered; it fades with every city of distance."""
    direction: float = 14.0
    """The same, fading so slowly that it shows the way from afar."""
    protected_target: float = 0.5
    """What is left of an attraction that somebody protects."""
    shared_target: float = 0.6
    """What is left of an attraction that a comrade is nearer to."""
    guard: float = 11.0
    """Protecting a place of the goal that the enemy can reach at once."""
    chase: float = 4.0
    """Standing at an enemy train; it fades with distance."""
    fight: float = 16.0
    """A fight that is sure to be won, or lost."""
    fight_cost: float = 1.0
    """What any fight costs, however it ends."""
    threat: float = 14.0
    """Being attacked with no hope."""
    stakes: float = 0.0
    """How much more a fight or a threat counts for every troop that is at stake beyond half a general's most."""
    company: float = 0.0
    """A comrade within a march."""
    apart: float = 0.0
    """How much the march of one general out of a stack counts against that of all of them."""
    hunger: float = 8.0
    """Every city that a general is too far from its trains."""
    ruin: float = 150.0
    """A general who is out of supply once more."""
    behind: float = 0.3
    """Every city that a train is behind a general."""
    far_behind: float = 2.0
    """The same from half the supply range on, for generals are quicker than trains."""
    exposed: float = 2.0
    """Every city that an enemy general is too near to a train."""
    seized: float = 0.0
    """A train that an enemy general can reach at once."""
    fed_already: float = 0.4
    """How much a general counts for a train while another train is near him."""
    trains: int = 1
    """How many trains there should be: a lost one comes back while there are fewer."""
    inertia: float = 0.7
    """How much better a place must be to be worth the march."""
    whim: float = 0.6
    """How far chance may tip the scales between marches."""
    still_to_move: float = 2.0
    """What it costs to join a general who then moves no more."""
    small_loss: float = 2.4
    """Troops that are rather lost than cards that would turn a fight which cannot be won."""
    hope: float = 0.44
    """The chance of victory from which on a fight is fought to be won."""
    abundance: float = 0.004
    """How much less hope is enough for every card in the hand."""
    thrift: float = 0.78
    """What a point of a card is worth against a point of the troops that it spares."""
    spread: float = 2.5
    """How much the lead that wins about three fights in four grows with the enemy's hand: by the root of its size."""
    least_spread: float = 2.0
    """The same against an empty hand, for what others have in troops is a guess, too."""
    band: int = 3
    """How many troops a general who comes back is given if possible."""
    reserve_worth: float = 14.0
    """How dear a Reserve is; it is paid out last of all."""
    suit_worth: float = 2.0
    """How much dearer a card is for every general whose sector has its suit."""


@cache
def attraction(approach: float, direction: float) -> tuple[float, ...]:
    """How strongly a target draws a general, by how many cities he is away from it."""
    return tuple(
        approach * FADE**distance + direction * max(0.0, 1 - distance / FAR) for distance in range(UNREACHABLE + 1)
    )
