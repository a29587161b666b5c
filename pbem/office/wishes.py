"""What somebody wants of a new office, and the settings that say so."""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import Value, write

HEAD = "# Where letters come from and where mails go: docs/post-office.md. Secrets stand nowhere here.\n"

SERVER = re.compile(r"(?:[^\s:/]+@)?[^\s:/@]+(?::[0-9]{1,5})?")


class Wishes(Struct, frozen=True):
    """The options of `pbem mail setup`."""

    campaigns: str
    imap: str
    maildir: str
    mbox: str
    smtp: str
    sendmail: str
    into: str
    address: str
    language: str
    adjudicate: str | None
    key: str


def settings_text(wish: Wishes, seat: str) -> str:
    """The settings as a file that people go on writing."""
    inbox: dict[str, Value] = {
        "maildir": whole(wish.maildir),
        "mbox": whole(wish.mbox),
        "imap": server("imap", wish.imap),
    }
    outbox: dict[str, Value] = {"sendmail": wish.sendmail, "files": whole(wish.into), "smtp": server("smtp", wish.smtp)}
    found: dict[str, Value] = {
        "campaigns": whole(wish.campaigns),
        "as": seat,
        "in": said(inbox),
        "out": said(outbox),
        "address": wish.address,
        "language": wish.language,
        "key": whole(wish.key),
        "adjudicate": wish.adjudicate or "",
    }
    return HEAD + write(said(found))


def whole(path: str) -> str:
    """A path that is the same wherever the office is run."""
    return str(Path(path).expanduser().absolute()) if path else ""


def said(values: dict[str, Value]) -> dict[str, Value]:
    """What is not nothing."""
    return {key: value for key, value in values.items() if value}


def server(option: str, written: str) -> dict[str, Value]:
    """`max@example.org@mail.example.org` taken apart: the last @ is the one before the server."""
    if written and not SERVER.fullmatch(written):
        # What was written is not repeated: there may be a password in it.
        raise Refused(f"--{option}", [wrong("E-OFFICE-HOST")])
    user, _, host = written.rpartition("@")
    host, _, port = host.partition(":")
    found: dict[str, Value] = {"host": host, "user": user, "port": port}
    return said(found) | ({"password-command": f"pass show {host}"} if written else {})
