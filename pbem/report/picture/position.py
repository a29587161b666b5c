"""What a picture shows on a board, which is no more than its reader may know, and the words it is labelled with."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Place = str | int
"""A city by its name or by its index on the board."""


class Piece(Struct, frozen=True, omit_defaults=True):
    """A general or a supply train; the label of a general is his rank."""

    power: str
    kind: Literal["general", "train"]
    label: str
    city: Place
    face_down: bool = False


class AbsentPiece(Struct, frozen=True, omit_defaults=True):
    """A piece that is not on the map, and where it is instead, in a player's words."""

    power: str
    kind: Literal["general", "train"]
    label: str
    where: str = ""
    face_down: bool = False


class Move(Struct, frozen=True, omit_defaults=True):
    """The way that pieces of a power went, from the first city to the last."""

    power: str
    path: tuple[Place, ...]
    kind: Literal["march", "retreat"] = "march"


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


class Position(Struct, frozen=True, omit_defaults=True):
    """What stands on the board; the pieces of one city in the order of their stack, the commander first."""

    pieces: tuple[Piece, ...] = ()
    control: dict[Place, str] = {}
    questions: dict[Place, str] = {}
    hussars: tuple[Place, ...] = ()
    moves: tuple[Move, ...] = ()
    absent: tuple[AbsentPiece, ...] = ()
    tallies: tuple[Tallies, ...] = ()
    tracks: tuple[Track, ...] = ()
    facts: tuple[str, ...] = ()
    """What else all players should see at a glance, a line each."""
    caption: str = ""
    maps: tuple[str, ...] = ()
    """The maps in play; all of the board unless some are named."""


class Words(Struct, frozen=True):
    """Every word of a picture that does not come from its board; names of powers and lands by their keys."""

    city: str = "City"
    fortress: str = "Fortress"
    major_fortress: str = "Major fortress"
    elector: str = "Electoral vote"
    main_road: str = "Main road"
    road: str = "Road"
    suits: str = "Suits"
    general: str = "General"
    train: str = "Supply train"
    general_start: str = "General’s start"
    train_start: str = "Train’s start"
    face_down: str = "Out of supply"
    goal: str = "Objective"
    second_goal: str = "Objective, 2nd order"
    depot: str = "Depot"
    held: str = "Held by a power"
    question: str = "Question marker"
    hussar: str = "Hussars"
    march: str = "March"
    retreat: str = "Retreat"
    absent: str = "Off the map"
    north: str = "N"
    powers: dict[str, str] = {}
    lands: dict[str, str] = {}
    marks: dict[str, str] = {}

    def power(self, key: str) -> str:
        """The name of a power."""
        return self.powers.get(key) or _FULL.get(key) or _plain(key)

    def land(self, key: str) -> str:
        """The name of a land."""
        return self.lands.get(key) or _plain(key)


_FULL = {"pragmatic": "Pragmatic Army", "imperial": "Imperial Army"}
"""The names of powers whose keys are short for them."""


def _plain(key: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in key.replace("_", "-").split("-"))


def power_marks(powers: list[str], words: Words) -> dict[str, str]:
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
