"""Position that a picture shows, as far as its reader may know it; and the words of the picture."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.engine.nouns import Piece
from pbem.report.language.templates import macros_of

TEMPLATE = "picture_words.txt.j2"
THEATRE = "picture_theatre.txt.j2"
"""Template with words that were added to the program later. A campaign's own templates need not have it."""


def words_in(language: str = "en") -> PictureWords:
    """Return all words of a picture in one language. Raises an error if the language's template lacks a word or has an
    unknown one."""
    found, also = macros_of(language, "", TEMPLATE), macros_of(language, "", THEATRE)
    tables = {name.lower(): getattr(found, name) for name in ("POWERS", "LANDS", "MARKS", "BOXES", "NOTES")}
    return msgspec.convert(found.SIGNS | also.SIGNS | tables | {"language": language}, PictureWords)


Place = str | int
"""A city by its name, or by its index on the board."""


class DrawnPiece(Struct, frozen=True, omit_defaults=True):
    """A general or a supply train on the board. The label of a general is his rank."""

    power: str
    kind: Literal["general", "train"]
    label: str
    city: Place
    face_down: bool = False
    name: str = ""
    """Name of a general; empty if the picture does not show names."""
    troops: int = 0
    """Troops of a general; 0 if the reader does not know them or the picture does not show them."""


class AbsentPiece(Struct, frozen=True, omit_defaults=True):
    """A piece off the map. `where` is its place in the reader's language, or empty for a lost piece."""

    power: str
    kind: Literal["general", "train"]
    label: str
    where: str = ""
    face_down: bool = False


class DrawnMarch(Struct, frozen=True, omit_defaults=True):
    """A march or a retreat of a power's pieces: the cities from the first to the last."""

    power: str
    path: tuple[Place, ...]
    kind: Literal["march", "retreat"] = "march"


class DrawnFight(Struct, frozen=True):
    attacking: Place
    defending: Place


class DrawnEnd(Struct, frozen=True):
    """City where a march or a retreat of a power's pieces can end."""

    power: str
    city: Place
    forced: bool = False
    """True if only a forced march reaches the city."""
    meets: bool = False
    """True if an enemy general stands next to the city."""
    aim: bool = False
    """True if the power could conquer the city."""
    retreat: bool = False
    """True for the end of a retreat, false for that of a march."""


class Overlay(Struct, frozen=True):
    """Signs that a player has asked for, to lie on top of the board, with words for the legend."""

    words: dict[str, str]
    ends: tuple[DrawnEnd, ...] = ()
    trails: tuple[DrawnMarch, ...] = ()
    """Paths on which pieces came to their cities."""
    declared: dict[Place, str] = {}
    """Strength that the stack in each city has declared, as text."""


class Tallies(Struct, frozen=True):
    """Title, and an amount of something for each power, as text in the reader's language."""

    title: str
    powers: dict[str, str]


class Track(Struct, frozen=True):
    """Title and row of boxes, with a marker in box number `at`, counted from 1."""

    title: str
    boxes: tuple[str, ...]
    """Text of each box, which may be empty."""
    at: int


class Fact(Struct, frozen=True):
    """A public fact that is told beside the map, in the reader's language."""

    title: str
    words: str


class MapMargin(Struct, frozen=True, omit_defaults=True):
    """Things that a picture shows beside the map: a caption, amounts of powers, tracks, facts."""

    caption: str = ""
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[Fact, ...] = ()
    kept: dict[Piece, str] = {}
    """For each piece that is neither on the map nor lost, the place where it is, in the reader's language."""


class Position(Struct, frozen=True, omit_defaults=True):
    """Everything that a picture shows on the board and beside it. Pieces in one city are in the order of their stack,
    the commander first."""

    pieces: tuple[DrawnPiece, ...] = ()
    control: dict[Place, str] = {}
    """Power that holds each conquered city."""
    questions: dict[Place, str] = {}
    """Power whose question marker lies on each city."""
    hussars: tuple[Place, ...] = ()
    moves: tuple[DrawnMarch, ...] = ()
    fights: tuple[DrawnFight, ...] = ()
    overlay: Overlay | None = None
    absent: tuple[AbsentPiece, ...] = ()
    """Pieces that are not on the map."""
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[Fact, ...] = ()
    caption: str = ""
    maps: tuple[str, ...] = ()
    """Maps of the board that are in play; empty if all are."""


class PictureWords(Struct, frozen=True):
    """All words of a picture that do not come from its board. Names of powers, lands and boxes stand under their
    keys."""

    city: str
    fortress: str
    major_fortress: str
    elector: str
    main_road: str
    road: str
    suits: str
    general: str
    train: str
    general_start: str
    train_start: str
    face_down: str
    goal: str
    second_goal: str
    depot: str
    held: str
    question: str
    hussar: str
    march: str
    retreat: str
    battle: str
    troops: str
    """Words with which the legend explains the number behind a general's name."""
    absent: str
    north: str
    train_mark: str
    """Character that marks a supply train."""
    powers: dict[str, str]
    lands: dict[str, str]
    marks: dict[str, str]
    """Signs of powers, of one or two characters."""
    boxes: dict[str, str]
    """Names of off-map boxes, under the names that the board has for them."""
    notes: dict[str, str]
    """Notes of the boards that come with the program, under the names of the boards."""
    language: str
    """Language of the words and of the names of cities."""

    def power(self, key: str) -> str:
        return self.powers.get(key) or _plain(key)

    def land(self, key: str) -> str:
        return self.lands.get(key) or _plain(key)

    def box(self, title: str) -> str:
        return self.boxes.get(title) or title


def _plain(key: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in key.replace("_", "-").split("-"))


def power_marks(powers: list[str], words: PictureWords) -> dict[str, str]:
    """Return a different mark for each power: its mark in `words`, or one made of its name."""
    marks = {power: words.marks[power] for power in powers if words.marks.get(power)}
    for power in powers:
        if power not in marks:
            marks[power] = free_mark(words.power(power).upper(), marks.values())
    return marks


def free_mark(name: str, taken: Collection[str]) -> str:
    """Return a mark that is not `taken`: a letter or the initials of a name, or else any letter; `?` if all are
    taken."""
    letters = [letter for letter in name if letter.isalpha()]
    initials = "".join(word[0] for word in name.split() if word[0].isalpha())[:2]
    wanted = [*letters[:1], initials, *letters[1:], *"XYZQWVKJUOCDEFGHILMNTAPRSB"]
    return next((mark for mark in wanted if mark and mark not in taken), "?")
