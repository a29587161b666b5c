"""Settings of an office: mailbox, carrier, campaigns, permissions, and commands that print passwords."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, ClassVar, Literal
from urllib.parse import urlsplit

from msgspec import Meta, Struct, field
from msgspec.structs import asdict
from platformdirs import user_config_path, user_state_path

from pbem.campaign.clock.clock import span
from pbem.campaign.clock.deadlines import Policy
from pbem.campaign.disk.atomic import read_whole
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.convert import convert
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import STANDARD, bare, read_yaml
from pbem.paper.documents.writing import Value, write
from pbem.paper.found import is_address

PATIENCE = 120
"""Seconds that a command for a password may take."""


def secret_from(command: str, setting: str) -> str:
    """Run a command, and return the first line that it prints, which is a secret. Raises `Refused` if the command fails
    or prints nothing. `setting` is the command's key in the settings."""
    try:
        words = shlex.split(command)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=PATIENCE, check=False)  # noqa: S603
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired) as error:
        raise no_secret(command, setting, type(error).__name__) from None
    secret = done.stdout.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if done.returncode or not secret:
        raise no_secret(command, setting, f"{done.returncode}")
    return secret


def no_secret(command: str, setting: str, why: str) -> Refused:
    """Return the refusal for a command that should have printed a secret and did not. `setting` is the command's key in
    the settings."""
    # The fault gives only the name of the program, because the program's arguments may be secret.
    program = command.split()[0] if command.split() else "-"
    return Refused(setting, [wrong("E-OFFICE-COMMAND", command=program, why=why)])


HOST = re.compile(r"[^\s/@]+")

Port = Annotated[int, Meta(ge=0, le=65535)]


def key_in_file(name: str) -> str:
    """Return the key that a field has in the settings' file: the name of the field with hyphens in place of
    underscores."""
    return name.replace("_", "-")


class Part(Struct, frozen=True, forbid_unknown_fields=True, rename=key_in_file):
    """Section of the settings' file."""


class Server(Part, frozen=True):
    """Mail server, and the data for logging in to it."""

    usual_ports: ClassVar[Mapping[str, int]] = {"tls": 465, "starttls": 587}
    """Dict from each kind of encryption to the port that is usual for it. These ports are those of SMTP; the class
    `Imap` has others."""
    host: str
    user: str = ""
    """Name with which the office logs in."""
    port: Port = 0
    """Number of the port. 0 means the usual port of the protocol."""
    tls: Literal["tls", "starttls"] = "tls"
    """Kind of encryption: `tls` from the first byte on, or `starttls`, which begins with an unencrypted request."""
    authority: str = ""
    """File with certificates of an authority that the operating system does not trust."""
    password_command: str = ""
    token_command: str = ""
    """Command that prints an access token (XOAUTH2). It is used instead of a password."""
    timeout: Annotated[int, Meta(ge=1, le=600)] = 60
    """Seconds that the server may take for one answer."""

    @property
    def port_used(self) -> int:
        """Port that is used: that of the settings, or the usual port of the protocol."""
        return self.port or self.usual_ports[self.tls]


class Imap(Server, frozen=True):
    """Mailbox on an IMAP server."""

    usual_ports: ClassVar[Mapping[str, int]] = {"tls": 993, "starttls": 143}
    folder: str = "INBOX"
    """Folder on the server that has the mails."""
    done: str = ""
    """Folder on the server to which a mail is moved after its letter was taken. If it is empty, such a mail is only
    marked as read."""
    idle: bool = False
    """True if `pbem mail run` should wait until the server announces new mail. For this the server must support
    IDLE."""


class Inbox(Part, frozen=True):
    """Section about the mailbox from which the office fetches mails."""

    imap: Imap | None = None
    maildir: str = ""
    mbox: str = ""
    files: str = ""
    """Folder on this computer with one file for each mail."""
    folder: str = ""
    """Folder that is shared with others, who can read everything in it (see `shared_folder`)."""


class Outbox(Part, frozen=True):
    """Section about the carrier by which the office sends mails."""

    smtp: Server | None = None
    sendmail: str = ""
    """Command that reads a mail from its standard input, such as `sendmail -t -i` or `msmtp -t`."""
    files: str = ""
    """Folder into which the mails are written. A person must send them."""
    folder: str = ""
    """Folder that is shared with others, who can read everything in it. Therefore mails are sealed to their readers."""


class NotifySettings(Part, frozen=True):
    """Section about one reader of short lines. It names a command or a webhook by which the lines are sent."""

    command: str = ""
    """Command that reads the line from its standard input."""
    ntfy: str = ""
    discord: str = ""
    matrix: str = ""
    """Address of a webhook of matrix-hookshot."""
    json: str = ""
    """Address of a webhook that takes JSON with the key `text`."""


ME = "me"
"""Key of the section for the owner of the office, who is a reader of short lines as well."""

READER = re.compile(r"me|[a-z0-9][a-z0-9-]{0,39}/[a-z0-9-]{1,40}")


class OfficeSettings(Part, frozen=True):
    """All settings of an office, as they are in the file."""

    inbox: Inbox = field(default_factory=Inbox, name="in")
    outbox: Outbox = field(default_factory=Outbox, name="out")
    campaigns: str = ""
    """Folder with several campaigns, or the folder of a single campaign."""
    seat: str = field(default="", name="as")
    """Seat of the player who owns the office; empty for a moderator's office."""
    address: Annotated[str, Meta(max_length=254)] = ""
    """Mail address of the owner. Mails about doubts are sent there."""
    language: Annotated[str, Meta(pattern="^([a-z]{2})?\\Z")] = ""
    """Language of the office's mails and lines. If it is empty, the office has the same language as all commands
    (docs/reports.md, Languages)."""
    key: str = ""
    """File with the owner's private key; empty for the standard key."""
    passphrase_command: str = ""
    """Command that prints the passphrase of the key."""
    adjudicate: Policy = "all in"
    """Permission of the office to adjudicate without a person."""
    policies: dict[str, Policy] = field(default_factory=dict)
    """Permissions for single campaigns, which replace `adjudicate`."""
    pictures: bool = True
    """True if reports should have pictures."""
    post_command: str = ""
    """Command that posts the public report in a forum. It reads the text from its standard input; environment variables
    describe the post."""
    poll: str = "5m"
    """Time between two rounds of `pbem mail run`."""
    archives: dict[str, str] = {}
    """Public folder of each campaign, only for a player's office. The office compares reports with it."""
    moderators: dict[str, str] = {}
    """Mail address of each campaign's moderator, only for a player's office. If there is none, the office uses the
    address of the sender of the moderator's first mail."""
    per_day: Annotated[int, Meta(ge=1, le=1000)] = 40
    """Largest number of mails to one address in a day."""
    notify: dict[str, NotifySettings] = {}
    """Sections about the readers of short lines. The key of the owner's section is `me`, and that of a player's is
    `CAMPAIGN/SEAT`."""
    state: str = ""
    """Folder for the office's memory; empty for the usual folder."""

    def policy(self, campaign: str) -> Policy:
        return self.policies.get(campaign, self.adjudicate)

    @property
    def state_folder(self) -> Path:
        """Folder of the office's memory. A player's office has a folder of its own in it."""
        folder = user_path(self.state) if self.state else user_state_path("pbem", appauthor=False)
        return folder / f"as-{self.seat}" if self.seat else folder


def standard_settings() -> Path:
    """Return the path of the settings' file that is used if the option `--settings` is not given."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    found = Path(base) / "pbem" if base.startswith("/") else user_config_path("pbem", appauthor=False)
    return found / "mail.yaml"


def user_path(written: str) -> Path:
    """Return the path that a user has typed. A `~` at its beginning stands for the home folder."""
    return Path(written).expanduser()


def read_settings(path: Path) -> OfficeSettings:
    """Parse the settings in a file. Raises `Refused` if the file is missing, and for the same faults as
    `settings_in`."""
    if not path.exists():
        raise Refused(str(path), [wrong("E-OFFICE-NONE")])
    return settings_in(read_whole(path, STANDARD.size), str(path))


def settings_in(content: bytes, source: str) -> OfficeSettings:
    """Parse settings from the content of a file. Raises `Refused` with the faults of form if there are any, else with
    all faults of values."""
    tree = read_yaml(content, source)
    if faults := notify_shape_faults(bare(tree)):
        raise Refused(source, faults)
    found = convert(tree, OfficeSettings, source)
    faults += [*way_faults("in", found.inbox), *way_faults("out", found.outbox)]
    faults += shared_faults(found)
    servers = {"imap": found.inbox.imap, "smtp": found.outbox.smtp}
    for key, each in servers.items():
        # The fault does not repeat the written text, because it may contain a password.
        if each and not HOST.fullmatch(each.host):
            faults.append(wrong("E-OFFICE-HOST.file", key=key))
    if not found.campaigns:
        faults.append(wrong("E-OFFICE-CAMPAIGNS"))
    written_to = {"address": found.address} if found.address else {}
    written_to |= {f"moderators: {name}": address for name, address in found.moderators.items()}
    for what, address in written_to.items():
        if not is_address(address):
            faults.append(wrong("E-MAIL-ADDRESS", what=what, address=as_quoted(address)))
    faults += notify_faults(found.notify)
    try:
        span(found.poll)
    except ValueError as error:
        faults.append(wrong("E-OFFICE-POLL", why=str(error)))
    if faults:
        raise Refused(source, faults)
    return found


def way_faults(key: str, part: Part) -> list[Wrong]:
    """Return an empty list if exactly one field of a section has a value, else a fault. `key` is the section's name in
    the settings."""
    ways = asdict(part)
    return [] if sum(map(bool, ways.values())) == 1 else [wrong("E-OFFICE-WAY", key=key, ways=tuple(ways))]


def notify_shape_faults(tree: object) -> list[Wrong]:
    """Return a fault for each section of `notify` that is not a mapping with texts as values."""
    # This is checked first. All other faults of form repeat the written text, which may be secret here.
    found = tree.get("notify") if isinstance(tree, dict) else None
    targets = list(found.values()) if isinstance(found, dict) else [found] * (found is not None)
    return [
        wrong("E-OFFICE-NOTIFY.who", number=number)
        for number, each in enumerate(targets, 1)
        if not (isinstance(each, dict) and all(isinstance(way, str) for way in each.values()))
    ]


def notify_faults(found: Mapping[str, NotifySettings]) -> list[Wrong]:
    """Return a fault for each section of `notify` that is wrong: its key is no reader, it has no command or webhook or
    several, or its webhook's address is not allowed. No fault repeats this address, because it is secret."""
    faults = []
    for number, (who, target) in enumerate(found.items(), 1):
        if not READER.fullmatch(who):
            faults.append(wrong("E-OFFICE-NOTIFY.who", number=number))
            continue
        ways = {way: written for way, written in asdict(target).items() if written}
        faults += way_faults(f"notify: {who}", target)
        if any(way != "command" and not is_webhook(written) for way, written in ways.items()):
            faults.append(wrong("E-OFFICE-NOTIFY", who=who))
    return faults


def is_webhook(address: str) -> bool:
    """Return True if lines may be sent to an address: either by https, or to this computer."""
    if not re.fullmatch(r"[!-~]{1,2000}", address):
        return False
    try:
        parts = urlsplit(address)
        is_host = bool(parts.hostname) and "@" not in parts.netloc and (parts.port is None or parts.port > 0)
    except ValueError:
        return False
    return is_host and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in THIS_COMPUTER))


THIS_COMPUTER = ("localhost", "127.0.0.1", "::1")


def shared_faults(found: OfficeSettings) -> list[Wrong]:
    """Return a fault if the campaigns, the key or the memory of the office are in the shared folder, where others can
    read them."""
    shared = {user_path(each).resolve() for each in (found.inbox.folder, found.outbox.folder) if each}
    private = (found.campaigns, found.key, found.state)
    inside = tuple(
        each for each in private if each and any(user_path(each).resolve().is_relative_to(folder) for folder in shared)
    )
    return [wrong("E-OFFICE-SHARED", names=inside)] if inside else []


HEAD = "# Where letters come from and where mails go: docs/post-office.md. Secrets stand nowhere here.\n"

SERVER = re.compile(r"(?:[^\s:/]+@)?[^\s:/@]+(?::[0-9]{1,5})?")


class Wishes(Struct, frozen=True):
    """Options of `pbem mail setup`."""

    campaigns: str
    imap: str
    maildir: str
    mbox: str
    folder: str
    smtp: str
    sendmail: str
    into: str
    """Folder into which the mails are written. A person must send them."""
    address: str
    language: str
    adjudicate: str | None
    key: str


def settings_text(wish: Wishes, seat: str) -> str:
    """Return the text of a settings' file that follows from the options of `pbem mail setup`."""
    inbox: dict[str, Value] = {
        "maildir": absolute_path(wish.maildir),
        "mbox": absolute_path(wish.mbox),
        "folder": absolute_path(wish.folder),
        "imap": server_values("imap", wish.imap),
    }
    outbox: dict[str, Value] = {
        "sendmail": wish.sendmail,
        "files": absolute_path(wish.into),
        "folder": absolute_path(wish.folder),
        "smtp": server_values("smtp", wish.smtp),
    }
    found: dict[str, Value] = {
        "campaigns": absolute_path(wish.campaigns),
        "as": seat,
        "in": filled_values(inbox),
        "out": filled_values(outbox),
        "address": wish.address,
        "language": wish.language,
        "key": absolute_path(wish.key),
        "adjudicate": wish.adjudicate or "",
    }
    return HEAD + write(filled_values(found))


def absolute_path(path: str) -> str:
    """Return an absolute path for a typed path. An empty path stays empty."""
    return str(Path(path).expanduser().absolute()) if path else ""


def filled_values(values: dict[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value}


def server_values(option: str, written: str) -> dict[str, Value]:
    """Parse the text USER@HOST:PORT, of which USER and PORT may be missing, and return the values for a server's
    section. For an empty text return an empty dict. Raises `Refused` for any other text."""
    if written and not SERVER.fullmatch(written):
        # The fault does not repeat the written text, because it may contain a password.
        raise Refused(f"--{option}", [wrong("E-OFFICE-HOST")])
    user, _, host = written.rpartition("@")
    host, _, port = host.partition(":")
    found: dict[str, Value] = {"host": host, "user": user, "port": port}
    return filled_values(found) | ({"password-command": f"pass show {host}"} if written else {})
