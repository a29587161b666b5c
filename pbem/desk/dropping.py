"""Recognition of files that are given to the desk by mistake, so that one line says what to give instead."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.campaign.players import campaign_notes
from pbem.faults.wrong import PbemError, Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import bare, read_yaml
from pbem.paper.letters import LETTERS
from pbem.playing.saved import KIND
from pbem.seal.canonical import AnyTree

SECRET = re.compile(rb"^-----BEGIN [A-Z ]*PRIVATE KEY-----|^AGE-SECRET-KEY-", re.MULTILINE)
PUBLIC = re.compile(rb"ssh-[a-z0-9-]+ |age1")
SAVED = re.compile(rb'\s*\{\s*"kind":\s*"' + KIND.encode())
PAGE = re.compile(rb"\s*<(!doctype html|html\b)", re.IGNORECASE)
PICTURE = re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|RIFF....WEBP|%PDF|\s*(<\?xml[^>]*>\s*)?<svg\b", re.DOTALL)
OURS = re.compile(rb"(\xef\xbb\xbf)?([ \t\r]*(#[^\n]*|---)?\n)*[a-z]+[ \t]*:(?![^\n]*\n=+\s)")
"""Pattern of the beginning of a YAML document, however faulty the rest is. A title underlined with `=` does not match,
because it begins a letter as text."""


def is_saved_game(data: bytes) -> bool:
    """Return whether a file is a game against bots as `pbem play` saves it."""
    return bool(SAVED.match(data))


def document_in(data: bytes) -> Mapping[str, AnyTree]:
    """Return the values of a YAML document; an empty mapping if the file is no mapping or cannot be read."""
    try:
        found = bare(read_yaml(data, "document"))
    except Refused:
        return {}
    return found if isinstance(found, Mapping) else {}


def mistake_in(data: bytes) -> Wrong | None:
    """Return the fault that names the kind of a file that the desk cannot open; None for a file that it may open."""
    if SECRET.search(data):
        return wrong("E-DESK-FILE.key")
    if PUBLIC.match(data):
        return wrong("E-DESK-FILE.public")
    if PICTURE.match(data):
        return wrong("E-DESK-FILE.picture")
    if PAGE.match(data):
        return wrong("E-DESK-FILE.page")
    if data.lstrip().startswith(b"{") and is_notes(data):
        return wrong("E-DESK-FILE.notes")
    document = document_in(data)
    if "conduct" in document or "entry" in document or document.get("kind") == "state":
        return wrong("E-DESK-FILE.archive")
    kind = str(document.get("kind", ""))
    if kind == "receipt":
        return wrong("E-DESK-FILE.receipt")
    if kind in ("orders", "plan"):
        return wrong("E-DESK-FILE.orders")
    if kind in LETTERS:
        return wrong("E-DESK-FILE.letter")
    return None if OURS.match(data) else wrong("E-DESK-FILE.text")


def is_notes(data: bytes) -> bool:
    """Return whether a file holds the notes that `pbem` keeps beside a key."""
    try:
        campaign_notes.read(data, "notes")
    except PbemError:
        return False
    return True
