"""Decisions that a power may have to take, and the answers to them. Everything that a person can choose is one of these
decisions.

A decision belongs to one power, and lists the legal answers if there are not too many. It may hold secrets of its
power, and so is shown to nobody else. Cities, pieces and cards are given by their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct

from pbem.engine.nouns import Card, City, Piece, Power, Suit


class Decision(Struct, frozen=True, tag=True):
    """Question that the game asks of one power."""

    is_on_map: ClassVar[bool] = True
    """True if the decision depends on the places of pieces, so that a map helps to take it."""
    power: Power


class Allot(Decision, frozen=True):
    """Decision on the number of troops that each general of a power gets, before the first turn (§4)."""

    troops: int
    """Troops that all generals of the power get together."""
    least: dict[Piece, int]
    """Fewest troops that each general may get."""
    most: int
    """Most troops that a general may get."""


class Arrange(Decision, frozen=True):
    """Decision to move troops between stacked generals of one power. It is open at any time and never required (§6)."""

    stacks: tuple[tuple[Piece, ...], ...]


def toll_of(path: Sequence[int]) -> int:
    """Return the toll for a supply path on which hussars stand: the number of cities on the path (§9)."""
    return len(path)


class Claim(Struct, frozen=True):
    """General outside his home country, and the path by which he gets supply."""

    piece: Piece
    path: tuple[City, ...]

    @property
    def toll(self) -> int:
        return toll_of(self.path)


class March(Decision, frozen=True):
    """Decision of a power on its next move: the march of a piece or a stack, the return of a train, or the end of all
    its moves (§10)."""

    pieces: tuple[Piece, ...]
    """Pieces that have not moved yet."""
    trains: dict[Piece, tuple[City, ...]]
    """Trains that may re-enter, with the fortresses open to them."""
    leaving: tuple[Piece, ...] = ()
    """Pieces that must march out of neutral land before the moves may end (§19.3)."""


class Pairing(Struct, frozen=True):
    """Attack: the cities of two adjacent enemy stacks that must fight."""

    attacker: City
    defender: City


class ChooseBattle(Decision, frozen=True):
    """Decision on the attack that is resolved next (§11.1)."""

    battles: tuple[Pairing, ...]


class PlayCard(Decision, frozen=True):
    """Decision to play a card in combat, or to stop (§11.1)."""

    score: int
    """Present score of the power that decides."""
    suit: Suit
    cards: tuple[Card, ...]
    must: bool
    """True if a card of the suit has to be played: the score is zero, and such a card is in hand."""


class ChooseRetreat(Decision, frozen=True):
    """Decision on the path on which the beaten stack retreats (§11.2)."""

    pieces: tuple[Piece, ...]
    start: City
    length: int
    """Number of cities that the stack has to go back."""
    ends: tuple[City, ...]
    """Cities in which the retreat may end."""


class Recruit(Decision, frozen=True):
    """Decision in winter on new troops to pay for, and on generals who come back (§13)."""

    hand: tuple[Card, ...]
    room: dict[Piece, int]
    """Generals who may receive troops, and how many more each can take."""
    entries: dict[Piece, tuple[City, ...]]
    """Generals off the map, with the fortresses where they may re-enter."""


class Answer(Struct, frozen=True, tag=True):
    """Answer to a decision. It may come from an order file, a plan, a bot or the moderator."""


class Allotment(Answer, frozen=True):
    """Answer to `Allot`: number of troops of every general."""

    troops: dict[Piece, int]


class Transfer(Answer, frozen=True):
    """Answer to `Arrange`: new number of troops for each general of one power in one stack."""

    troops: dict[Piece, int]


class Move(Answer, frozen=True):
    """Answer to `March`: march of a piece or a stack along a path of cities. `commander` is the general chosen to
    command if the stack at the end has equal ranks."""

    pieces: tuple[Piece, ...]
    path: tuple[City, ...]
    commander: Piece | None = None


class Reenter(Answer, frozen=True):
    """Answer to `March`: return of a train to the map at a fortress, paid with cards. A train that is still on the map
    is first taken off."""

    train: Piece
    city: City
    cards: tuple[Card, ...]


class Done(Answer, frozen=True):
    """Answer to `March`: end of the power's moves."""


class Fight(Answer, frozen=True):
    """Answer to `ChooseBattle`: the attack that is resolved next."""

    battle: Pairing


class Play(Answer, frozen=True):
    """Answer to `PlayCard`: the card to play. `value` is the declared value of a Reserve."""

    card: Card
    value: int = 0


class Stop(Answer, frozen=True):
    """Answer to `PlayCard`: the power plays no more cards, and the combat ends."""


class RetreatAlong(Answer, frozen=True):
    """Answer to `ChooseRetreat`: path along which the beaten stack retreats."""

    path: tuple[City, ...]


class Recruitment(Answer, frozen=True):
    """Answer to a decision to recruit: cards paid, new troops of each general, cities where generals or trains
    re-enter, and the generals chosen to command stacks of equal ranks."""

    cards: tuple[Card, ...] = ()
    troops: dict[Piece, int] = {}
    entries: dict[Piece, City] = {}
    commanders: tuple[Piece, ...] = ()
