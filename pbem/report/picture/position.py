"""The position that a picture shows, limited to the knowledge of its reader, and the words of the picture."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec import Struct

from pbem.engine.nouns import Piece
from pbem.report.language.templates import macros_of

TEMPLATE = "picture_words.txt.j2"
THEATRE = "picture_theatre.txt.j2"
"""Template of words that were added later, which own templates need not have."""


def words_in(language: str = "en") -> PictureWords:
    """All words of a picture in one language. Raises an error if a template lacks a word or has an unknown word."""
    found, also = macros_of(language, "", TEMPLATE), macros_of(language, "", THEATRE)
    tables = {name.lower(): getattr(found, name) for name in ("POWERS", "LANDS", "MARKS", "BOXES", "NOTES")}
    return msgspec.convert(found.SIGNS | also.SIGNS | tables | {"language": language}, PictureWords)


Place = str | int
"""City by its name or by its index on the board."""


class DrawnPiece(Struct, frozen=True, omit_defaults=True):
    """A general or a supply train; the label of a general is his rank."""

    power: str
    kind: Literal["general", "train"]
    label: str
    city: Place
    face_down: bool = False
    name: str = ""
    """Name of a general, if the picture has room for it."""
    troops: int = 0
    """Troops, if the reader knows them and the picture shows them; else 0."""


class AbsentPiece(Struct, frozen=True, omit_defaults=True):
    """Piece that is not on the map, with its place in a reader's words; the place of a lost piece is empty."""

    power: str
    kind: Literal["general", "train"]
    label: str
    where: str = ""
    face_down: bool = False


class DrawnMarch(Struct, frozen=True, omit_defaults=True):
    """Way of a power's pieces, from the first city to the last."""

    power: str
    path: tuple[Place, ...]
    kind: Literal["march", "retreat"] = "march"


class DrawnFight(Struct, frozen=True):
    """Cities of a combat."""

    attacking: Place
    defending: Place


class DrawnEnd(Struct, frozen=True):
    """City where a march or a retreat of a power's pieces can end."""

    power: str
    city: Place
    forced: bool = False
    meets: bool = False
    """True if an enemy general stands beside the city."""
    aim: bool = False
    """True if the power could conquer the city."""
    retreat: bool = False


class Overlay(Struct, frozen=True):
    """Things that a reader has looked up, with the words for their legend."""

    words: dict[str, str]
    ends: tuple[DrawnEnd, ...] = ()
    trails: tuple[DrawnMarch, ...] = ()
    """Ways on which pieces came."""
    declared: dict[Place, str] = {}
    """Strength that the stack in each city has declared."""


class Tallies(Struct, frozen=True):
    """Amount of something for every power, in the words of the reader's language."""

    title: str
    powers: dict[str, str]


class Track(Struct, frozen=True):
    """Row of boxes with a marker in one of them: in box `at`, counted from 1."""

    title: str
    boxes: tuple[str, ...]
    """Text of each box, which may be empty."""
    at: int


class Fact(Struct, frozen=True):
    """Public fact beside the map: heading and text in the reader's language."""

    title: str
    words: str


class MapMargin(Struct, frozen=True, omit_defaults=True):
    """Things beside the map: a caption, numbers of the powers, tracks, facts."""

    caption: str = ""
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[Fact, ...] = ()
    kept: dict[Piece, str] = {}
    """Places of pieces, by their numbers, that are neither on the map nor lost."""


class Position(Struct, frozen=True, omit_defaults=True):
    """Things on and beside the board. The pieces of one city are in the order of their stack, the commander first."""

    pieces: tuple[DrawnPiece, ...] = ()
    control: dict[Place, str] = {}
    questions: dict[Place, str] = {}
    hussars: tuple[Place, ...] = ()
    moves: tuple[DrawnMarch, ...] = ()
    fights: tuple[DrawnFight, ...] = ()
    overlay: Overlay | None = None
    absent: tuple[AbsentPiece, ...] = ()
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[Fact, ...] = ()
    caption: str = ""
    maps: tuple[str, ...] = ()
    """Maps in play; empty for all maps of the board."""


class PictureWords(Struct, frozen=True):
    """All words of a picture that do not come from its board; names of powers, lands and boxes by key.

    `words_in` reads them from the template of a language.
    """

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
    """Meaning of the number behind a general's name."""
    absent: str
    north: str
    train_mark: str
    """Character that stands for a supply train."""
    powers: dict[str, str]
    lands: dict[str, str]
    marks: dict[str, str]
    boxes: dict[str, str]
    """Names of off-map boxes, by the names that the board has for them."""
    notes: dict[str, str]
    """Notes of the boards that come with the program, by their names."""
    language: str
    """Language, which also decides the names of cities."""

    def power(self, key: str) -> str:
        return self.powers.get(key) or _plain(key)

    def land(self, key: str) -> str:
        return self.lands.get(key) or _plain(key)

    def box(self, title: str) -> str:
        return self.boxes.get(title) or title


def _plain(key: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in key.replace("_", "-").split("-"))


def power_marks(powers: list[str], words: PictureWords) -> dict[str, str]:
    """Characters for every power, all different: the first of its name, else its initials, else any that are free."""
    marks = {power: words.marks[power] for power in powers if words.marks.get(power)}
    for power in powers:
        if power in marks:
            continue
        name = words.power(power).upper()
        letters = [letter for letter in name if letter.isalpha()]
        initials = "".join(word[0] for word in name.split() if word[0].isalpha())[:2]
        wanted = [*letters[:1], initials, *letters[1:], *"XYZQWVKJUOCDEFGHILMNTAPRSB"]
        free = [mark for mark in wanted if mark and mark not in marks.values()]
        marks[power] = free[0] if free else "?"
    return marks
