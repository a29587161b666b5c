"""Printed parts of a game that the page draws: political cards that lie face up, and the political tracks."""

from __future__ import annotations

from msgspec import Struct


class PrintedCard(Struct, frozen=True):
    """Political card that lies face up, with its text in a language."""

    write: str
    """Words for the card in orders."""
    title: str
    lines: tuple[str, ...]
    says: str
    told: str = ""
    """The whole card in sentences, without signs: who may select it, and what it does."""


class BoxEffect(Struct, frozen=True):
    """Effect of a box of a political track."""

    says: str
    short: str
    """The effect in few words, with the mark of its power on the board."""
    good: bool | None
    """True if the effect is good for the power that it names, False if it is bad for that power; None for neither."""


class DrawnBox(Struct, frozen=True):
    """Box of a political track."""

    effects: tuple[BoxEffect, ...]
    sign: str
    """Signs that are printed in the box, such as a star where the marker begins."""


class TrackMove(Struct, frozen=True):
    """Shift of a track's marker by a political card that lies face-up."""

    card: int
    title: str
    box: int
    """Number of the box to which the marker goes, counted from 1."""
    says: str


class DrawnTrack(Struct, frozen=True):
    """Political track as it is drawn, with its boxes from left to right."""

    title: str
    boxes: tuple[DrawnBox, ...]
    at: int
    """Number of the box in which the marker stands, counted from 1."""
    moves: tuple[TrackMove, ...]


class PoliticalDisplay(Struct, frozen=True):
    """Political tracks of a position; none in a game or scenario without politics."""

    tracks: tuple[DrawnTrack, ...] = ()
    legend: str = ""
    """Sentences that explain what boxes do."""


def no_display(*given: object) -> PoliticalDisplay:
    return PoliticalDisplay()
