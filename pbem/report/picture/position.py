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


class Position(Struct, frozen=True, omit_defaults=True):
    """What stands on the board; the pieces of one city in the order of their stack, the commander first."""

    pieces: tuple[Piece, ...] = ()
    control: dict[Place, str] = {}
    questions: dict[Place, str] = {}
    hussars: tuple[Place, ...] = ()
    moves: tuple[Move, ...] = ()
    absent: tuple[AbsentPiece, ...] = ()
    caption: str = ""


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
        return self.powers.get(key) or _plain(key)

    def land(self, key: str) -> str:
        """The name of a land."""
        return self.lands.get(key) or _plain(key)


def _plain(key: str) -> str:
    return " ".join(part[:1].upper() + part[1:] for part in key.replace("_", "-").split("-"))


def power_marks(powers: list[str], words: Words) -> dict[str, str]:
    """One letter for every power, none twice: the first of its name that is still free."""
    marks = {power: words.marks[power] for power in powers if words.marks.get(power)}
    for power in powers:
        if power in marks:
            continue
        letters = [letter for letter in words.power(power).upper() if letter.isalpha()]
        free = [letter for letter in (*letters, *"XYZQWVKJUOCDEFGHILMNTAPRSB") if letter not in marks.values()]
        marks[power] = free[0] if free else "?"
    return marks
