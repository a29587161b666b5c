"""Printed parts of a game that the program draws: political cards that lie face up, and political tracks."""

from __future__ import annotations

from msgspec import Struct


class PrintedCard(Struct, frozen=True):
    """Political card that lies face up, with its text in one language."""

    write: str
    """Word that names the card in orders."""
    title: str
    lines: tuple[str, ...]
    says: str
    told: str = ""
    """Text of the whole card in sentences, without signs. It says who may select the card, and what the card does."""


class BoxEffect(Struct, frozen=True):
    """Effect that a box of a political track has."""

    says: str
    short: str
    """Effect in few words. The power is given by its mark on the board."""
    good: bool | None
    """True if the effect is good for the power that it names, False if it is bad for this power, None if it is
    neither."""


class DrawnBox(Struct, frozen=True):
    """Box of a political track."""

    effects: tuple[BoxEffect, ...]
    sign: str
    """Signs that are printed in the box. A star, for example, is printed where the marker begins."""


class TrackMove(Struct, frozen=True):
    """Move of a track's marker that a political card makes. The card lies face up."""

    card: int
    title: str
    box: int
    """Number of the box to which the marker moves, counted from 1."""
    says: str


class DrawnTrack(Struct, frozen=True):
    """Political track for a drawing. Its boxes are in order from left to right."""

    title: str
    boxes: tuple[DrawnBox, ...]
    at: int
    """Number of the box in which the marker is, counted from 1."""
    moves: tuple[TrackMove, ...]


class PoliticalDisplay(Struct, frozen=True):
    """Political tracks of a position. There are none in games and scenarios without politics."""

    tracks: tuple[DrawnTrack, ...] = ()
    legend: str = ""
    """Sentences that explain the effects of boxes."""


def no_display(*given: object) -> PoliticalDisplay:
    return PoliticalDisplay()
