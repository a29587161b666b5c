"""Everything of a campaign that reaches a reader, as named parts of bytes: private mail, and what is public."""

from __future__ import annotations

import email
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from pbem.seal.box import unpad, unseal
from pbem.seal.keys import PrivateKey
from pbem.site.export import site_of
from tests.campaign.simulated import SimulatedTable
from tests.office.post import READING

PUBLIC = ("observer", "forum", "everybody", "unknown")
"""Beginnings of names in the outbox that belong to no single reader."""

NOW = datetime(2027, 12, 1, tzinfo=UTC)
"""Time at which sites are made."""


class Artefact(Struct, frozen=True):
    """One thing that somebody gets."""

    data: bytes
    mode: int = 0
    """The rights of its file."""


Artefacts = dict[str, Artefact]


def private(table: SimulatedTable, reader: str, key: PrivateKey | None = None) -> Artefacts:
    """Artefacts for a player: every file of the outbox, mails taken apart, and boxes opened."""
    found: Artefacts = {}
    for path in sorted((table.root / "outbox").rglob("*")):
        if path.is_file() and reader_of(path, table) == reader:
            found |= parts_of(path, f"outbox/{path.parent.name}/{path.name}", key)
    return found


def public(table: SimulatedTable, with_site: bool = True) -> Artefacts:
    """Artefacts for everybody: the published folder of the campaign, the site, and posts for a thread."""
    found: Artefacts = {}
    for path in sorted(table.root.rglob("*")):
        where = path.relative_to(table.root)
        if path.is_file() and where.parts[0] != "outbox":
            found[str(where)] = Artefact(path.read_bytes(), path.stat().st_mode)
        elif path.is_file() and path.name.startswith(PUBLIC):
            found |= parts_of(path, str(where), None)
    if with_site:
        found |= {f"site/{name}": Artefact(data) for name, data in site_of(table.root, NOW).files.items()}
    return found


def reader_of(path: Path, table: SimulatedTable) -> str:
    """Reader of this file of the outbox."""
    seats = (*table.players, "moderator")
    return next((seat for seat in seats if path.name.startswith((f"{seat}.", f"{seat}-"))), "")


def parts_of(path: Path, name: str, key: PrivateKey | None) -> Artefacts:
    """A file, and what is in it."""
    data, mode = path.read_bytes(), path.stat().st_mode
    if path.suffix == ".eml":
        return {f"{name}!{part}": Artefact(content, mode) for part, content in mail_parts(data)}
    found = {name: Artefact(data, mode)}
    if path.suffix == ".age" and key is not None:
        found[f"{name}!opened"] = Artefact(unpad(unseal(key, data.decode())), mode)
    return found


@lru_cache(maxsize=1024)
def mail_parts(data: bytes) -> tuple[tuple[str, bytes], ...]:
    """The head of a mail, and every part of it with its own head; a mail is looked at for many readers."""
    return tuple(each_part(data))


def each_part(data: bytes) -> Iterator[tuple[str, bytes]]:
    mail = email.message_from_bytes(data, policy=READING)
    for number, part in enumerate(mail.walk()):
        assert isinstance(part, EmailMessage)
        yield f"{number}.head", "\n".join(f"{name}: {value}" for name, value in part.items()).encode()
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            yield f"{number}.body", content


def text_of(artefact: Artefact) -> str:
    """An artefact as text; a picture in letters of one byte."""
    try:
        return artefact.data.decode("utf-8")
    except UnicodeDecodeError:
        return artefact.data.decode("latin-1")
