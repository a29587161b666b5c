"""File of a game against bots: terms, players, and all answers so far. To go on, the program carries the answers out
again.

Everybody with the file can learn all secrets, because the deal is computed from the seed (docs/play.md).
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
"""Endings of the names of map files."""

ONLY_OWN = 0o600
"""Mode of a file that only its owner may read and write."""


class ImaginedWorld(Struct, frozen=True, forbid_unknown_fields=True):
    """World from which a branch begins: the report, and all that its player knows. All else is dealt from the branch's
    seed."""

    label: str
    """Identity of the branch."""
    report: str
    """Identity of the report: campaign, seat, stage and basis."""
    position: str
    """Document of the position, with nothing that the player may not know."""
    facts: str
    """Facts that the player's reports tell for sure, as JSON."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Facts of a game set before the first answer."""

    terms: dict[str, str]
    """Names of the game and its terms, as in documents."""
    seed: str
    """Seed of the cards and of the bots."""
    seat: str
    bots: dict[str, str]
    """Level of the bot on each seat that a bot plays. The person plays all other seats."""
    world: ImaginedWorld | None = None
    """Origin of a branch; None for a game that begins with its scenario."""


class Entry(Struct, frozen=True):
    """An answer of the person or of a bot."""

    power: Power
    answer: Answer
    starts: bool = False
    """True for the first answer of a step of a branch."""
    is_later: bool = False
    """True for an answer of a branch that comes after the present step."""


class KeptEntry(Struct, frozen=True, omit_defaults=True):
    """An answer in the file, not decoded yet."""

    power: Power
    answer: Raw
    starts: bool = False
    is_later: bool = False


class SavedGame(Struct, frozen=True, forbid_unknown_fields=True):
    kind: str
    setup: Setup
    answers: list[KeptEntry]
    digest: str
    """Fingerprint of the position to which the answers lead."""


@cache
def answers_of(game: str) -> msgspec.json.Decoder[Answer]:
    """Return the decoder for all types of answers in a game."""
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
    """Setup, answers, and digest of the final position of a saved game."""

    setup: Setup
    entries: list[Entry]
    digest: str


def saved_parts(content: bytes, source: str) -> SavedParts:
    """Read a saved game. Raises `Refused` for any other file."""
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
    """File of a saved game, with the content last read or written."""

    def __init__(self, path: Path) -> None:
        """Set the path, without reading. Raises `Refused` if the path ends like that of a picture, such as `.svg`."""
        if path.suffix.casefold() in PICTURES:
            raise Refused(str(path), [wrong("E-PLAY-PICTURE", file=str(path))])
        self.path = path
        self.last: bytes | None = None

    def load(self) -> SavedParts:
        self.last = read_file(str(self.path))
        return saved_parts(self.last, str(self.path))

    def save(self, setup: Setup, entries: list[Entry], digest: str) -> None:
        """Save the game, whole or not at all. Raises `Refused` if the file has changed since it was last read or
        written."""
        data = saved_data(setup, entries, digest)
        self.check_unchanged()
        write_file(self.path, data, ONLY_OWN)
        self.last = data

    def check_unchanged(self) -> None:
        """Raise `Refused` if somebody else has written the file, or if it cannot be read. A file that existed before
        the game was saved for the first time counts as somebody else's."""
        try:
            if not self.path.exists():
                return
            wording = "E-PLAY-CHANGED" if self.last else "E-PLAY-EXISTS.save"
            is_changed = self.last is None or read_file(str(self.path)) != self.last
        except OSError as error:
            raise Refused(str(self.path), [wrong("E-FILE.read", why=reason_of(error))]) from None
        if is_changed:
            raise Refused(str(self.path), [wrong(wording, file=str(self.path))])
