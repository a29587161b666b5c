"""What a power may be asked to decide, and the answers to it. Everything a person can choose is one of these.

A decision belongs to one power and holds what is legal, as far as that fits on a page; it may hold secrets of its
power and is shown to nobody else. Cities, pieces and cards are the numbers of the board, the rules and the decks.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.engine.nouns import Card, City, Piece, Power, Suit


class Decision(Struct, frozen=True, tag=True):
    """A question that the game waits for."""

    power: Power


class Allot(Decision, frozen=True):
    """Deal out the troops of a power to its generals before the first turn (§4)."""

    troops: int
    least: dict[Piece, int]
    """The fewest troops each general may get."""
    most: int


class Arrange(Decision, frozen=True):
    """Move troops between stacked generals of one power; open at any time, and never has to be answered (§6)."""

    stacks: tuple[tuple[Piece, ...], ...]


def toll_of(path: Sequence[int]) -> int:
    """What a supply path through hussars costs: its length (§9)."""
    return len(path)


class Claim(Struct, frozen=True):
    """A general whose supply path runs through a hussar, and what the path costs."""

    piece: Piece
    path: tuple[City, ...]

    @property
    def toll(self) -> int:
        """What the path costs."""
        return toll_of(self.path)


class March(Decision, frozen=True):
    """Move pieces one after the other, bring trains back, and say when it is enough (§10)."""

    pieces: tuple[Piece, ...]
    """The pieces that have not moved yet."""
    trains: dict[Piece, tuple[City, ...]]
    """Trains that may re-enter, and the fortresses open to them."""
    leaving: tuple[Piece, ...] = ()
    """The pieces that have to march out of neutral land before the moves may end (§19.3)."""


class Pairing(Struct, frozen=True):
    """Two adjacent enemy stacks, named by their cities, that must fight."""

    attacker: City
    defender: City


class ChooseBattle(Decision, frozen=True):
    """Say which of several attacks is resolved next (§11.1)."""

    battles: tuple[Pairing, ...]


class PlayCard(Decision, frozen=True):
    """Play a card in combat, or stop (§11.1)."""

    score: int
    suit: Suit
    cards: tuple[Card, ...]
    """The cards that may be played now."""
    must: bool
    """At zero a card of the suit has to be played if there is one."""


class ChooseRetreat(Decision, frozen=True):
    """Choose the path on which the beaten stack retreats (§11.2)."""

    pieces: tuple[Piece, ...]
    start: City
    length: int
    ends: tuple[City, ...]


class Recruit(Decision, frozen=True):
    """Pay for new troops and bring generals back in winter (§13)."""

    hand: tuple[Card, ...]
    room: dict[Piece, int]
    """The generals who may receive troops, and how many each has room for."""
    entries: dict[Piece, tuple[City, ...]]
    """Generals off the map, and the fortresses where they may re-enter."""


class Answer(Struct, frozen=True, tag=True):
    """A choice, made by anybody: an order file, a plan, a bot, a moderator."""


class Allotment(Answer, frozen=True):
    """Troops for every general of a power."""

    troops: dict[Piece, int]


class Transfer(Answer, frozen=True):
    """The new allotment of troops within one stack of one power."""

    troops: dict[Piece, int]


class Move(Answer, frozen=True):
    """A piece or a stack goes along a path of cities; `commander` settles who leads a stack of equal ranks."""

    pieces: tuple[Piece, ...]
    path: tuple[City, ...]
    commander: Piece | None = None


class Reenter(Answer, frozen=True):
    """A train comes back, or is withdrawn and comes back, at a fortress, for cards."""

    train: Piece
    city: City
    cards: tuple[Card, ...]


class Done(Answer, frozen=True):
    """Nothing more in this phase."""


class Fight(Answer, frozen=True):
    """The attack to resolve next."""

    battle: Pairing


class Play(Answer, frozen=True):
    """A card played in combat; `value` is what a Reserve is declared to be."""

    card: Card
    value: int = 0


class Stop(Answer, frozen=True):
    """No further card in this combat."""


class RetreatAlong(Answer, frozen=True):
    """The path of the beaten stack."""

    path: tuple[City, ...]


class Recruitment(Answer, frozen=True):
    """Cards paid, new troops for each general, the cities of those who re-enter, and who leads equal ranks."""

    cards: tuple[Card, ...] = ()
    troops: dict[Piece, int] = {}
    entries: dict[Piece, City] = {}
    commanders: tuple[Piece, ...] = ()
