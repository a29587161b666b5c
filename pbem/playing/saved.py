"""File of a game against bots: its terms, its players, and all answers so far. To continue the game, the program
carries out the answers again.

Everybody who has the file can find out all secrets, because the cards are dealt from the seed (docs/play.md).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple, Union

import msgspec
from msgspec import Raw, Struct

from pbem.engine.decisions import Answer
from pbem.engine.nouns import Power
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.library import game_paper_named
from pbem.player.files import SAVED_GAME, read_file, write_file

PICTURES = (".svg", ".png")
"""Endings of the names of files with a map."""

ONLY_OWN = 0o600
"""Permissions of a file that only its owner may read and write."""


class ImaginedWorld(Struct, frozen=True, forbid_unknown_fields=True):
    """World in which a branch begins: the report, and all that the report's player knows. Everything else is made up
    from the seed of the branch."""

    label: str
    """Text that identifies the branch."""
    report: str
    """Text that identifies the report: campaign, seat, stage and basis."""
    position: str
    """Text of a document of the position. It has nothing that the player may not know."""
    facts: str
    """Facts that are certain from the player's reports, as JSON."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings of a game that were made before the first answer."""

    terms: dict[str, str]
    """Name of the game and its terms, as in documents."""
    seed: str
    """Seed for the cards and for the bots' random choices."""
    seat: str
    bots: dict[str, str]
    """Level of the bot on each seat that a bot plays. The person plays the other seats."""
    world: ImaginedWorld | None = None
    """World in which a branch begins. None for a game that begins with its scenario."""


class Entry(Struct, frozen=True):
    """Answer of the person or of a bot."""

    power: Power
    answer: Answer
    starts: bool = False
    """True if a step of a branch begins with this answer."""
    is_later: bool = False
    """True if the answer belongs to a branch, and comes after the present step."""


class KeptEntry(Struct, frozen=True, omit_defaults=True):
    """Answer as it was read from the file. It is decoded later."""

    power: Power
    answer: Raw
    starts: bool = False
    is_later: bool = False


class SavedGame(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    setup: Setup
    answers: list[KeptEntry]
    digest: str
    """Digest of the position after all answers."""


@cache
def answers_of(game: str) -> msgspec.json.Decoder[Answer]:
    """Return a decoder for answers of every type that a game has."""
    rows = game_paper_named(game).sections
    kinds = {kind for row in rows for kind in (row.gives if isinstance(row.gives, tuple) else (row.gives,))}
    return msgspec.json.Decoder(Union[tuple(sorted(kinds, key=lambda kind: kind.__name__))])  # noqa: UP007 - at run time


def saved_data(setup: Setup, entries: list[Entry], digest: str) -> bytes:
    """Return the content of a game's file, as JSON."""
    kept = [
        KeptEntry(each.power, Raw(msgspec.json.encode(each.answer)), each.starts, each.is_later) for each in entries
    ]
    return msgspec.json.encode(SavedGame(SAVED_GAME, setup, kept, digest), order="deterministic") + b"\n"


class SavedParts(NamedTuple):
    """Parts of a saved game: the setup, the answers, and the digest of the final position."""

    setup: Setup
    entries: list[Entry]
    digest: str


def saved_parts(content: bytes, source: str) -> SavedParts:
    """Return the parts of a saved game. Raises `Refused` if the content is no saved game."""
    try:
        saved = msgspec.json.decode(content, type=SavedGame)
        decoder = answers_of(saved.setup.terms["game"])
        entries = [Entry(kept.power, decoder.decode(kept.answer), kept.starts, kept.is_later) for kept in saved.answers]
    except (msgspec.MsgspecError, UnicodeDecodeError, LookupError):
        raise Refused(source, [wrong("E-PLAY-FILE")]) from None
    if saved.kind != SAVED_GAME:
        raise Refused(source, [wrong("E-PLAY-FILE")])
    return SavedParts(saved.setup, entries, saved.digest)


class GameFile:
    """File of a saved game, with the content that was last read or written."""

    def __init__(self, path: Path) -> None:
        """Set the path. The file is not read yet. Raises `Refused` if the path has the ending of a picture, such as
        `.svg`."""
        if path.suffix.casefold() in PICTURES:
            raise Refused(str(path), [wrong("E-PLAY-PICTURE", file=str(path))])
        self.path = path
        self.last: bytes | None = None

    def load(self) -> SavedParts:
        self.last = read_file(str(self.path))
        return saved_parts(self.last, str(self.path))

    def save(self, setup: Setup, entries: list[Entry], digest: str) -> None:
        """Save the game. The file is written whole or not at all. Raises `Refused` if the file has changed since it was
        last read or written."""
        data = saved_data(setup, entries, digest)
        self.check_unchanged()
        write_file(self.path, data, ONLY_OWN)
        self.last = data

    def check_unchanged(self) -> None:
        """Raise `Refused` if another program has changed the file, or if it cannot be read. Also raise it if the game
        was never saved, but the file exists."""
        try:
            if not self.path.exists():
                return
            wording = "E-PLAY-CHANGED" if self.last else "E-PLAY-EXISTS.save"
            is_changed = self.last is None or read_file(str(self.path)) != self.last
        except OSError as error:
            raise Refused(str(self.path), [wrong("E-FILE.read", why=reason_of(error))]) from None
        if is_changed:
            raise Refused(str(self.path), [wrong(wording, file=str(self.path))])
