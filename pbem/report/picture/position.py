"""Position that a picture shows, as far as the reader may know it; and the words in the picture."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec
from msgspec import Struct

from pbem.engine.nouns import Piece
from pbem.report.language.templates import macros_of

TEMPLATE = "picture_words.txt.j2"
THEATRE = "picture_theatre.txt.j2"
"""Template with words that were added in a later version of the program. Own templates of a campaign need not have
it."""


def words_in(language: str = "en") -> PictureWords:
    """Return all words that a picture needs in one language. Raises an error if the language's template does not have
    one of the words, or has an unknown word."""
    found, also = macros_of(language, "", TEMPLATE), macros_of(language, "", THEATRE)
    tables = {name.lower(): getattr(found, name) for name in ("POWERS", "LANDS", "MARKS", "BOXES", "NOTES")}
    return msgspec.convert(found.SIGNS | also.SIGNS | tables | {"language": language}, PictureWords)


Place = str | int
"""City, given by its name or by its index on the board."""


class DrawnPiece(Struct, frozen=True, omit_defaults=True):
    """General or supply train on the board. The label of a general is his rank."""

    power: str
    kind: Literal["general", "train"]
    label: str
    city: Place
    face_down: bool = False
    name: str = ""
    """Name of the general. Empty if the picture shows no names."""
    troops: int = 0
    """Number of the general's troops. 0 if the reader does not know it, or if the picture does not show it."""


class AbsentPiece(Struct, frozen=True, omit_defaults=True):
    """Piece off the map. `where` is its place in the reader's language. It is empty for a lost piece."""

    power: str
    kind: Literal["general", "train"]
    label: str
    where: str = ""
    face_down: bool = False


class DrawnMarch(Struct, frozen=True, omit_defaults=True):
    """March or retreat of a power's pieces: all cities on the way, from the first to the last."""

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
    """True if the pieces can reach the city only with a forced march."""
    meets: bool = False
    """True if an enemy general is beside the city."""
    aim: bool = False
    """True if the power could conquer the city."""
    retreat: bool = False
    """True if a retreat ends here, False if a march does."""


class Overlay(Struct, frozen=True):
    """Signs that a player has asked for and that are drawn over the board, with words for the legend."""

    words: dict[str, str]
    ends: tuple[DrawnEnd, ...] = ()
    trails: tuple[DrawnMarch, ...] = ()
    """Paths on which pieces came to their cities."""
    declared: dict[Place, str] = {}
    """Strength that the stack in each city has stated, as text."""


class Tallies(Struct, frozen=True):
    """Title, and a number for each power, as texts in the reader's language."""

    title: str
    powers: dict[str, str]


class Track(Struct, frozen=True):
    """Title and a row of boxes. A marker is in the box with the number `at`, counted from 1."""

    title: str
    boxes: tuple[str, ...]
    """Text of each box. It may be empty."""
    at: int


class Fact(Struct, frozen=True):
    """Public fact that is told beside the map, in the reader's language."""

    title: str
    words: str


class MapMargin(Struct, frozen=True, omit_defaults=True):
    """Things that a picture shows beside the map: a caption, numbers for each power, political tracks, and facts."""

    caption: str = ""
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[Fact, ...] = ()
    kept: dict[Piece, str] = {}
    """Place of each piece that is neither on the map nor lost, in the reader's language."""


class Position(Struct, frozen=True, omit_defaults=True):
    """All that a picture shows on the board and beside it. Pieces in the same city are in the order of their stack, the
    commander first."""

    pieces: tuple[DrawnPiece, ...] = ()
    control: dict[Place, str] = {}
    """Power that holds each conquered city."""
    questions: dict[Place, str] = {}
    """Power whose question mark is on each city."""
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
    """Maps of the board that are in play. If this is empty, all maps are."""


class PictureWords(Struct, frozen=True):
    """All words of a picture that are not taken from its board. Names of powers, lands and boxes are given under their
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
    """Words in the legend that explain the number behind a general's name."""
    absent: str
    north: str
    train_mark: str
    """Character on a supply train."""
    powers: dict[str, str]
    lands: dict[str, str]
    marks: dict[str, str]
    """Marks of powers. A mark has one or two characters."""
    boxes: dict[str, str]
    """Names of the off-map boxes. The keys are the names that the board has for them."""
    notes: dict[str, str]
    """Notes for the boards that come with the program. The keys are the names of the boards."""
    language: str
    """Language of the words, and of the names of cities."""

    def power(self, key: str) -> str:
        return self.powers.get(key) or _plain(key)

    def land(self, key: str) -> str:
        return self.lands.get(key) or _plain(key)

    def box(self, title: str) -> str:
        return self.boxes.get(title) or title


def _plain(key: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in key.replace("_", "-").split("-"))


def power_marks(powers: list[str], words: PictureWords) -> dict[str, str]:
    """Return a mark for each power, different for each: the mark in `words`, or one made from the power's name."""
    marks = {power: words.marks[power] for power in powers if words.marks.get(power)}
    for power in powers:
        if power not in marks:
            marks[power] = free_mark(words.power(power).upper(), marks.values())
    return marks


def free_mark(name: str, taken: Collection[str]) -> str:
    """Return a mark that is not in `taken`. It is a letter or the initials of the name, or else any letter. If all are
    taken, it is `?`."""
    letters = [letter for letter in name if letter.isalpha()]
    initials = "".join(word[0] for word in name.split() if word[0].isalpha())[:2]
    wanted = [*letters[:1], initials, *letters[1:], *"XYZQWVKJUOCDEFGHILMNTAPRSB"]
    return next((mark for mark in wanted if mark and mark not in taken), "?")
