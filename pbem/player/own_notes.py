"""A player's own notes on cities, powers and turns. They are kept in a file beside the key, and never put into a
letter."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pbem.campaign.players.campaign_notes import folder_of
from pbem.campaign.players.finding_notes import key_places
from pbem.engine.table import GameRules
from pbem.faults.wrong import words, wrong
from pbem.paper.documents.characters import UNWANTED, advice, character_name
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import NameFault, as_quoted
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import read_yaml
from pbem.paper.documents.writing import write
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import game_paper_named
from pbem.player.files import read_file, write_file

KIND = "notes"

TURN = re.compile(r"(?:turn )?([1-9][0-9]?)")

LONGEST = 1000
"""Largest number of characters of a note."""

MOST = 500
"""Largest number of notes."""


def path_of_notes(key: Path, campaign: str, seat: str) -> Path:
    """Return the path of a seat's file of notes. It is beside the key, or beside another key that the player has
    had."""
    paths = [folder_of(place) / f"{campaign}.{seat}.notes.yaml" for place in key_places(key)]
    return next((path for path in reversed(paths) if path.is_file()), paths[0])


def own_notes(path: Path) -> dict[str, str]:
    """Return the notes in the file at `path`, keyed by subject; empty if there is no file. Raises `Refused` for a
    faulty file."""
    return notes_in(read_file(str(path)), path.name) if path.exists() else {}


def notes_in(content: bytes, source: str) -> dict[str, str]:
    """Return the notes in the content of a file, keyed by subject. Raises `Refused` if the content is faulty."""
    reader = Reader(source)
    document = reader.mapping(read_yaml(content, source), words("own-notes"))
    entries = reader.known_entries(document, ("pbem", "kind", "notes"), words("own-notes")) if document else {}
    if "kind" in entries:
        reader.word(entries["kind"], "kind", {KIND: KIND})
    pairs = reader.pairs(entries["notes"], "notes") if "notes" in entries else []
    found = {about.value: reader.text(node, words("own-notes")) or "" for about, node in pairs}
    reader.refuse()
    return found


def subject_of(written: str, rules: GameRules) -> str:
    """Return the subject of a note in standard form: the name of a city or a power, or a turn, such as `turn 3`. Raises
    `Refused` if it is none of these."""
    if match := TURN.fullmatch(written.strip().casefold()):
        last = game_paper_named(rules.terms.game).last_turn(rules)
        if int(match[1]) <= last:
            return f"turn {match[1]}"
    lexicon = Lexicon(rules)
    if written.strip().casefold() in rules.powers:
        return written.strip().casefold()
    try:
        return rules.common.board.cities[lexicon.city(written)].name
    except NameFault as fault:
        try:
            return lexicon.power(written)
        except NameFault:
            unknown = wrong("E-NOTEBOOK-ABOUT", written=as_quoted(written), hint=fault.wrong.hint)
            raise Refused("notebook", [unknown]) from None


def note(path: Path, said: Mapping[str, str]) -> dict[str, str]:
    """Add notes to a file, and return all notes in the file, keyed by subject. If `said` has an empty text for a
    subject, its note is removed. Raises `Refused` if the file is faulty or cannot be written."""
    found = {about: text for about, text in {**own_notes(path), **said}.items() if text}
    write_file(path, notes_file(found, path.name), 0o600)
    return found


def notes_file(found: Mapping[str, str], source: str) -> bytes:
    """Return the content of a file with these notes. Raises `Refused` if there are too many notes, or if a note is too
    long or has forbidden characters."""
    if len(found) > MOST or any(len(text) > LONGEST for text in found.values()):
        raise Refused(source, [wrong("E-NOTEBOOK-NOTES", longest=LONGEST, most=MOST)])
    if hidden := next(filter(None, map(UNWANTED.search, found.values())), None):
        sign = hidden.group()
        fault = wrong("E-YAML-CHARACTER", hint=advice(sign), character=character_name(sign), often="", line="")
        raise Refused(source, [fault])
    return write({"pbem": 1, "kind": KIND, "notes": dict(found)}).encode()
