"""Types of the political display and its cards (§17).

The standard politics file is partly guessed from pictures of the game. So each part of the file says how certain it is,
and a campaign may use a file of its own."""

from __future__ import annotations

from functools import cached_property
from typing import Literal, NewType

from msgspec import Struct

from pbem.engine.nouns import Power

Political = NewType("Political", int)
"""Number of a political card, as printed on the card."""

Provenance = Literal["certain", "likely", "inferred", "reconstruction"]
"""Certainty of a fact: a text of the rules says it (`certain`), another good source says it (`likely`), it follows from
texts (`inferred`), or it is a guess without a source (`reconstruction`)."""


class Icon(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Effect on a power, which lasts as long as the track's marker stands in a certain box (§17.5)."""

    kind: Literal["income", "expedition", "victory"]
    power: Power
    cards: int = 0
    """Number of cards by which the power's income changes; only for the kind `income`."""


class TrackBox(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One box of a track. Only boxes of Saxony's track have a status."""

    icons: tuple[Icon, ...] = ()
    star: bool = False
    """True for the box in which the marker stands at the start of the game."""
    status: Literal["", "prussian ally", "neutral", "austrian ally"] = ""
    mark: str = ""
    """Sign printed in the box. The sign `S` marks the box to which Saxony's marker goes when Silesia is annexed
    (§19.1)."""


class TrackFacts(Struct, frozen=True, forbid_unknown_fields=True):
    """Track of the political display. The boxes are in order from left to right."""

    title: str
    boxes: tuple[TrackBox, ...]
    provenance: Provenance
    note: str = ""


class CardShift(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Arrow on a political card: it moves a track's marker by exactly `steps` boxes, to the right if the number is
    positive (§17.5)."""

    track: str
    steps: int
    either: bool = False
    """True if the power that executes the card chooses the direction."""
    while_status: str = ""
    """Status that Saxony must have for this shift; empty if any status will do."""


class CardEffect(Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """Instruction on a card."""


class Grant(CardEffect, frozen=True):
    """Instruction to give cards and new troops to a power at once. If `to` names several powers, the power that
    executes the card chooses one of them (§17.5). The word `executing` stands for the power that executes the card."""

    to: tuple[Power, ...]
    cards: int = 0
    troops: int = 0


class Income(CardEffect, frozen=True):
    """Instruction that changes the number of cards that a power draws each turn. The change counts for this turn, or
    until the end of the game."""

    power: Power
    cards: int
    lasting: bool = False


class Seize(CardEffect, frozen=True):
    """Instruction by which a fortress comes under a power's control."""

    city: str
    power: Power


class Ally(CardEffect, frozen=True):
    """Instruction to move Saxony's marker to the first box with this status."""

    status: Literal["austrian ally"]


class Expedition(CardEffect, frozen=True):
    """Instruction by which a power must keep one general in its off-map box until the end of the game."""

    power: Power


Effects = Grant | Income | Seize | Ally | Expedition


class PoliticalCard(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Political card: the powers that may select it, its arrows, which move markers, and its instructions."""

    number: Political
    year: int
    title: str
    arms: tuple[Power, ...] = ()
    """Major powers that may select the card."""
    shifts: tuple[CardShift, ...] = ()
    effects: tuple[Effects, ...] = ()
    election: bool = False
    """True for the Imperial Election, which is not a real political card (§18)."""
    arms_provenance: Provenance = "reconstruction"
    shifts_provenance: Provenance = "reconstruction"
    effects_provenance: Provenance = "certain"
    note: str = ""


class PoliticsData(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Contents of a politics file."""

    name: str
    note: str
    squares: tuple[Power, ...]
    """Powers with a square on the display, from left to right (§17.3)."""
    squares_provenance: Provenance
    reserve: int
    """Points of influence that a Reserve counts on the display (§17.4)."""
    years: dict[int, tuple[int, ...]]
    """Dict from each year to the turns in which the political cards of this year are revealed, two cards a turn."""
    tracks: dict[str, TrackFacts]
    cards: tuple[PoliticalCard, ...]

    @cached_property
    def card_by_number(self) -> dict[int, PoliticalCard]:
        return {card.number: card for card in self.cards}
