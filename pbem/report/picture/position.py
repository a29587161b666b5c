"""What a picture shows on a board, which is no more than its reader may know, and the words it is labelled with."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.engine.nouns import Piece

Place = str | int
"""A city by its name or by its index on the board."""


class DrawnPiece(Struct, frozen=True, omit_defaults=True):
    """A general or a supply train; the label of a general is his rank."""

    power: str
    kind: Literal["general", "train"]
    label: str
    city: Place
    face_down: bool = False
    name: str = ""
    """What a general is called, where the picture has room for it."""
    troops: int = 0
    """How many troops he has, where the reader knows it and the picture tells."""


class AbsentPiece(Struct, frozen=True, omit_defaults=True):
    """A piece that is not on the map, and where it is instead, in a player's words; simply off the map if not said."""

    power: str
    kind: Literal["general", "train"]
    label: str
    where: str = ""
    face_down: bool = False


class DrawnMarch(Struct, frozen=True, omit_defaults=True):
    """The way that pieces of a power went, from the first city to the last."""

    power: str
    path: tuple[Place, ...]
    kind: Literal["march", "retreat"] = "march"


class DrawnFight(Struct, frozen=True):
    """Where it was fought: the cities of those who attacked and of those who were attacked."""

    attacking: Place
    defending: Place


class DrawnEnd(Struct, frozen=True):
    """A city where a march or a retreat of a power's pieces can end."""

    power: str
    city: Place
    forced: bool = False
    meets: bool = False
    """Whether an enemy stands beside it."""
    aim: bool = False
    """Whether it is theirs to conquer."""
    retreat: bool = False


class Overlay(Struct, frozen=True):
    """What somebody has looked up, with the words by which a legend explains it."""

    words: dict[str, str]
    ends: tuple[DrawnEnd, ...] = ()
    trails: tuple[DrawnMarch, ...] = ()
    """The ways on which pieces came."""
    declared: dict[Place, str] = {}
    """What the stacks in cities have told of their strength."""


class Tallies(Struct, frozen=True):
    """How much every power has of something, or how far it is, in a player's words."""

    title: str
    powers: dict[str, str]


class Track(Struct, frozen=True):
    """A row of boxes in one of which, counted from 1, the marker of the track stands."""

    title: str
    boxes: tuple[str, ...]
    """What is written in each box, which may be nothing."""
    at: int


class Fact(Struct, frozen=True):
    """What all players should see at a glance: its heading and what it says, in a player's words."""

    title: str
    words: str


class Beside(Struct, frozen=True, omit_defaults=True):
    """What does not lie on the map: the moment, numbers of the powers, tracks, facts."""

    caption: str = ""
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[Fact, ...] = ()
    kept: dict[Piece, str] = {}
    """Where the pieces are, by their numbers, that are neither on the map nor lost."""


class Position(Struct, frozen=True, omit_defaults=True):
    """What stands on the board; the pieces of one city in the order of their stack, the commander first."""

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
    """The maps in play; all of the board unless some are named."""


class PictureWords(Struct, frozen=True):
    """Every word of a picture that does not come from its board; names of powers, lands and boxes by their keys.

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
    """What the number behind a general's name counts."""
    absent: str
    north: str
    train_mark: str
    """The letter that stands for a supply train."""
    powers: dict[str, str]
    lands: dict[str, str]
    marks: dict[str, str]
    boxes: dict[str, str]
    """The names of off-map boxes, by what the board calls them."""
    notes: dict[str, str]
    """What the boards that ship with the program say of themselves, by their names."""
    language: str
    """Whose words these are: cities are called as in it."""

    def power(self, key: str) -> str:
        """The name of a power."""
        return self.powers.get(key) or _plain(key)

    def land(self, key: str) -> str:
        """The name of a land."""
        return self.lands.get(key) or _plain(key)

    def box(self, title: str) -> str:
        """The name of an off-map box."""
        return self.boxes.get(title) or title


def _plain(key: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in key.replace("_", "-").split("-"))


def power_marks(powers: list[str], words: PictureWords) -> dict[str, str]:
    """The letters for every power, none twice: the first of its name; then the initials; then any that is free."""
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
