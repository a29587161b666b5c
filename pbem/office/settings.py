"""Settings of an office: where letters come from and go, which campaigns it serves, what it may do, and its
passwords.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct, field
from msgspec.structs import asdict
from platformdirs import user_config_path, user_state_path

from pbem.campaign.clock.clock import span
from pbem.campaign.disk.atomic import read_whole
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import STANDARD, read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.found import is_address

PATIENCE = 120
"""So many seconds a command has."""


def secret_from(command: str, what: str) -> str:
    """The secret that a command prints on its first line."""
    try:
        words = shlex.split(command)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=PATIENCE, check=False)  # noqa: S603
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired) as error:
        raise untold(command, what, type(error).__name__) from None
    secret = done.stdout.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if done.returncode or not secret:
        raise untold(command, what, f"{done.returncode}")
    return secret


def untold(command: str, what: str, why: str) -> Refused:
    """Return the refusal that a command gave no secret; of the command only its program is told, for more might be
    secret."""
    program = command.split()[0] if command.split() else "-"
    return Refused(what, [wrong("E-OFFICE-COMMAND", command=program, why=why)])


Policy = Literal["all in", "deadline", "by hand"]
"""Rule of adjudicating: when all orders are in; also when the clock lets defaults answer; never."""

HOST = re.compile(r"[^\s/@]+")

Port = Annotated[int, Meta(ge=0, le=65535)]


def key_in_file(name: str) -> str:
    """Return a field's name as the settings' file writes it, with hyphens."""
    return name.replace("_", "-")


class Part(Struct, frozen=True, forbid_unknown_fields=True, rename=key_in_file):
    """Section of the settings' file."""


class Server(Part, frozen=True):
    """A server, and how to be let in."""

    host: str
    user: str = ""
    port: Port = 0
    """0: the usual one."""
    tls: Literal["tls", "starttls"] = "tls"
    authority: str = ""
    """A file with the certificate of whoever vouches for the server, where the system does not know them."""
    password_command: str = ""
    token_command: str = ""
    """Prints an access token (XOAUTH2) instead of a password."""
    timeout: Annotated[int, Meta(ge=1, le=600)] = 60


class Imap(Server, frozen=True):
    """A mailbox on a server."""

    folder: str = "INBOX"
    done: str = ""
    """The folder into which letters are moved that were taken; left out: they stay, marked as read."""
    idle: bool = False
    """True if `run` listens for new mail, where the server can report it, and need not ask again and again."""


class Inbox(Part, frozen=True):
    """Source of mails."""

    imap: Imap | None = None
    maildir: str = ""
    mbox: str = ""
    files: str = ""


class Outbox(Part, frozen=True):
    """Destination of mails."""

    smtp: Server | None = None
    sendmail: str = ""
    """A command that takes a mail, such as `sendmail -t -i` or `msmtp -t`."""
    files: str = ""
    """A folder into which they are written, for whoever sends them by hand."""


class OfficeSettings(Part, frozen=True):
    """The file."""

    inbox: Inbox = field(default_factory=Inbox, name="in")
    outbox: Outbox = field(default_factory=Outbox, name="out")
    campaigns: str = ""
    """A folder of campaigns, or one."""
    seat: str = field(default="", name="as")
    """Seat of the office's owner; empty for the moderator's office."""
    address: Annotated[str, Meta(max_length=254)] = ""
    """Address for news of everything that waits for a person."""
    language: Annotated[str, Meta(pattern="^[a-z]{2}\\Z")] = "en"
    key: str = ""
    passphrase_command: str = ""
    adjudicate: Policy = "all in"
    policies: dict[str, Policy] = field(default_factory=dict)
    """Campaigns that are treated otherwise."""
    pictures: bool = True
    post_command: str = ""
    """Puts the report for everybody into a forum: it gets the text, and in its environment what it is of."""
    poll: str = "5m"
    archives: dict[str, str] = {}
    """A player's: where the public folders of campaigns lie, against which reports are checked."""
    moderators: dict[str, str] = {}
    """A player's: where letters to the moderators of campaigns go, if not to where the first mail came from."""
    per_day: Annotated[int, Meta(ge=1, le=1000)] = 40
    """So many mails go to one address in a day."""
    state: str = ""
    """The folder of what the office remembers."""

    def policy(self, campaign: str) -> Policy:
        """Rule of adjudicating a campaign."""
        return self.policies.get(campaign, self.adjudicate)

    @property
    def state_folder(self) -> Path:
        """Folder of the office's memory."""
        folder = user_path(self.state) if self.state else user_state_path("pbem", appauthor=False)
        return folder / f"as-{self.seat}" if self.seat else folder


def standard_settings() -> Path:
    """Path of the settings if nothing else is said."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    found = Path(base) / "pbem" if base.startswith("/") else user_config_path("pbem", appauthor=False)
    return found / "mail.yaml"


def user_path(written: str) -> Path:
    """A path as people write it."""
    return Path(written).expanduser()


def read_settings(path: Path) -> OfficeSettings:
    """The settings in a file; raises `Refused` with every fault."""
    if not path.exists():
        raise Refused(str(path), [wrong("E-OFFICE-NONE")])
    return settings_in(read_whole(path, STANDARD.size), str(path))


def settings_in(data: bytes, source: str) -> OfficeSettings:
    """The settings that are written so; raises `Refused` with every fault."""
    found = convert(read_yaml(data, source), OfficeSettings, source)
    faults = [*one_of("in", found.inbox), *one_of("out", found.outbox)]
    servers = {"imap": found.inbox.imap, "smtp": found.outbox.smtp}
    for key, each in servers.items():
        # What was written is not repeated: there may be a password in it.
        if each and not HOST.fullmatch(each.host):
            faults.append(wrong("E-OFFICE-HOST.file", key=key))
    if not found.campaigns:
        faults.append(wrong("E-OFFICE-CAMPAIGNS"))
    written_to = {"address": found.address} if found.address else {}
    written_to |= {f"moderators: {name}": address for name, address in found.moderators.items()}
    for what, address in written_to.items():
        if not is_address(address):
            faults.append(wrong("E-MAIL-ADDRESS", what=what, address=as_quoted(address)))
    try:
        span(found.poll)
    except ValueError as error:
        faults.append(wrong("E-OFFICE-POLL", why=str(error)))
    if faults:
        raise Refused(source, faults)
    return found


def one_of(key: str, part: Part) -> list[Wrong]:
    """Return a fault if not exactly one of a section's keys is given; else nothing."""
    ways = asdict(part)
    return [] if sum(map(bool, ways.values())) == 1 else [wrong("E-OFFICE-WAY", key=key, ways=tuple(ways))]


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
        "in": filled_values(inbox),
        "out": filled_values(outbox),
        "address": wish.address,
        "language": wish.language,
        "key": whole(wish.key),
        "adjudicate": wish.adjudicate or "",
    }
    return HEAD + write(filled_values(found))


def whole(path: str) -> str:
    """Return a path as an absolute path; an empty path stays empty."""
    return str(Path(path).expanduser().absolute()) if path else ""


def filled_values(values: dict[str, Value]) -> dict[str, Value]:
    """Values that are not empty."""
    return {key: value for key, value in values.items() if value}


def server(option: str, written: str) -> dict[str, Value]:
    """`max@example.org@mail.example.org` taken apart: the last @ is the one before the server."""
    if written and not SERVER.fullmatch(written):
        # What was written is not repeated: there may be a password in it.
        raise Refused(f"--{option}", [wrong("E-OFFICE-HOST")])
    user, _, host = written.rpartition("@")
    host, _, port = host.partition(":")
    found: dict[str, Value] = {"host": host, "user": user, "port": port}
    return filled_values(found) | ({"password-command": f"pass show {host}"} if written else {})
