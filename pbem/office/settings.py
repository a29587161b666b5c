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
    """Run a command, and return the first line that it prints, a secret. Raises `Refused` if the command fails or
    prints nothing. `setting` is the command's key in the settings."""
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
    """Return the refusal for a command that has printed no secret. `setting` is the command's key in the settings."""
    # Only the program is named, because its arguments may be secret.
    program = command.split()[0] if command.split() else "-"
    return Refused(setting, [wrong("E-OFFICE-COMMAND", command=program, why=why)])


HOST = re.compile(r"[^\s/@]+")

Port = Annotated[int, Meta(ge=0, le=65535)]


def key_in_file(name: str) -> str:
    """Return a field's key in the settings' file: its name with hyphens in place of underscores."""
    return name.replace("_", "-")


class Part(Struct, frozen=True, forbid_unknown_fields=True, rename=key_in_file):
    """Section of the settings' file."""


class Server(Part, frozen=True):
    """A server, and what is needed to log in."""

    usual_ports: ClassVar[Mapping[str, int]] = {"tls": 465, "starttls": 587}
    """Usual port of the protocol for each kind of encryption. These are the ports of SMTP; `Imap` has its own."""
    host: str
    user: str = ""
    """Name with which the office logs in."""
    port: Port = 0
    """Number of the port; 0 is the usual port of the protocol."""
    tls: Literal["tls", "starttls"] = "tls"
    """Kind of encryption: `tls` from the first byte on, or `starttls` after a request."""
    authority: str = ""
    """File with certificates of an authority that the system does not trust by itself."""
    password_command: str = ""
    token_command: str = ""
    """Command that prints an access token (XOAUTH2), in place of a password."""
    timeout: Annotated[int, Meta(ge=1, le=600)] = 60
    """Seconds that the server may take for one answer."""

    @property
    def port_used(self) -> int:
        """Port of the settings, or the usual port of the protocol."""
        return self.port or self.usual_ports[self.tls]


class Imap(Server, frozen=True):
    """A mailbox on a server."""

    usual_ports: ClassVar[Mapping[str, int]] = {"tls": 993, "starttls": 143}
    folder: str = "INBOX"
    """Folder on the server in which the mails lie."""
    done: str = ""
    """Folder to which mails are moved when their letters were taken. If it is empty, these mails are only marked as
    read."""
    idle: bool = False
    """True if `pbem mail run` waits until the server announces new mail. The server must support IDLE."""


class Inbox(Part, frozen=True):
    """Section about the mailbox from which mails are fetched."""

    imap: Imap | None = None
    maildir: str = ""
    mbox: str = ""
    files: str = ""
    """Folder of mails as files."""
    folder: str = ""
    """Shared folder, which everybody who shares it can read (`shared_folder`)."""


class Outbox(Part, frozen=True):
    """Section about the carrier that sends the mails."""

    smtp: Server | None = None
    sendmail: str = ""
    """Command that reads a mail from its standard input, such as `sendmail -t -i` or `msmtp -t`."""
    files: str = ""
    """Folder into which mails are written, to be sent by hand."""
    folder: str = ""
    """Shared folder, which everybody who shares it can read. Mails are sealed to their readers."""


class NotifySettings(Part, frozen=True):
    """Section about one reader of short lines: a command or a webhook."""

    command: str = ""
    """Command that reads the line from its standard input."""
    ntfy: str = ""
    discord: str = ""
    matrix: str = ""
    """Address of a webhook of matrix-hookshot."""
    json: str = ""
    """Address of a webhook that takes JSON with the key `text`."""


ME = "me"
"""Key of the lines for the owner of the office."""

READER = re.compile(r"me|[a-z0-9][a-z0-9-]{0,39}/[a-z0-9-]{1,40}")


class OfficeSettings(Part, frozen=True):
    """All settings of an office, as in the file."""

    inbox: Inbox = field(default_factory=Inbox, name="in")
    outbox: Outbox = field(default_factory=Outbox, name="out")
    campaigns: str = ""
    """Folder of campaigns, or folder of one campaign."""
    seat: str = field(default="", name="as")
    """Seat of the owner; empty for a moderator's office."""
    address: Annotated[str, Meta(max_length=254)] = ""
    """Address of the owner, who gets the mails about doubts."""
    language: Annotated[str, Meta(pattern="^([a-z]{2})?\\Z")] = ""
    """Language of the office's mails and lines. If empty, it is the language of all commands (docs/reports.md,
    Languages)."""
    key: str = ""
    """File of the owner's private key; empty for the standard one."""
    passphrase_command: str = ""
    """Command that prints the passphrase of the key."""
    adjudicate: Policy = "all in"
    """Permission to adjudicate without a person."""
    policies: dict[str, Policy] = field(default_factory=dict)
    """Permissions to adjudicate in single campaigns, in place of `adjudicate`."""
    pictures: bool = True
    """True if reports have pictures."""
    post_command: str = ""
    """Command that puts the public report into a forum. The text is its input; environment variables name the post."""
    poll: str = "5m"
    """Time between two rounds of `pbem mail run`."""
    archives: dict[str, str] = {}
    """For a player's office: the public folder of each campaign. Reports are compared with it."""
    moderators: dict[str, str] = {}
    """For a player's office: the address of each campaign's moderator. If one is missing, it is the sender of the first
    mail."""
    per_day: Annotated[int, Meta(ge=1, le=1000)] = 40
    """Largest number of mails to one address in a day."""
    notify: dict[str, NotifySettings] = {}
    """Targets of short lines, each a command or a webhook: of the owner under `me`, of players under
    `CAMPAIGN/SEAT`."""
    state: str = ""
    """Folder of the office's memory; empty for the usual folder."""

    def policy(self, campaign: str) -> Policy:
        return self.policies.get(campaign, self.adjudicate)

    @property
    def state_folder(self) -> Path:
        """Folder of the office's memory. A player's office has a folder of its own for its seat."""
        folder = user_path(self.state) if self.state else user_state_path("pbem", appauthor=False)
        return folder / f"as-{self.seat}" if self.seat else folder


def standard_settings() -> Path:
    """Return the path of the settings' file that is read without `--settings`."""
    base = os.environ.get("XDG_CONFIG_HOME", "")
    found = Path(base) / "pbem" if base.startswith("/") else user_config_path("pbem", appauthor=False)
    return found / "mail.yaml"


def user_path(written: str) -> Path:
    """Turn a typed path into a `Path`, with ~ as the home folder."""
    return Path(written).expanduser()


def read_settings(path: Path) -> OfficeSettings:
    """Read the settings in a file. Raises `Refused` if there is no file, or as `settings_in` does."""
    if not path.exists():
        raise Refused(str(path), [wrong("E-OFFICE-NONE")])
    return settings_in(read_whole(path, STANDARD.size), str(path))


def settings_in(content: bytes, source: str) -> OfficeSettings:
    """Read settings from the content of a file. Raises `Refused` with the faults of form, or else with all faults of
    the values."""
    tree = read_yaml(content, source)
    if faults := notify_shape_faults(bare(tree)):
        raise Refused(source, faults)
    found = convert(tree, OfficeSettings, source)
    faults += [*way_faults("in", found.inbox), *way_faults("out", found.outbox)]
    faults += shared_faults(found)
    servers = {"imap": found.inbox.imap, "smtp": found.outbox.smtp}
    for key, each in servers.items():
        # The written text is not repeated: there may be a password in it.
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
    """Return a fault unless exactly one field of a section has a value. `key` is the section's name in the settings."""
    ways = asdict(part)
    return [] if sum(map(bool, ways.values())) == 1 else [wrong("E-OFFICE-WAY", key=key, ways=tuple(ways))]


def notify_shape_faults(tree: object) -> list[Wrong]:
    """Return a fault for each entry of `notify` that is no mapping of texts."""
    # Checked first, because all other faults of form repeat the written text, which may be secret.
    found = tree.get("notify") if isinstance(tree, dict) else None
    targets = list(found.values()) if isinstance(found, dict) else [found] * (found is not None)
    return [
        wrong("E-OFFICE-NOTIFY.who", number=number)
        for number, each in enumerate(targets, 1)
        if not (isinstance(each, dict) and all(isinstance(way, str) for way in each.values()))
    ]


def notify_faults(found: Mapping[str, NotifySettings]) -> list[Wrong]:
    """Return a fault for each key that names nobody, each target without exactly one command or webhook, and each
    address to which no line may be sent. No fault repeats a webhook's secret address."""
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
    """Return whether a line may be sent to an address: by https, or to this computer."""
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
    """Return a fault if campaigns, key or memory of the office lie in the shared folder, where all can read them."""
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
    """Folder into which mails are written, to be sent by hand."""
    address: str
    language: str
    adjudicate: str | None
    key: str


def settings_text(wish: Wishes, seat: str) -> str:
    """Write the text of a settings' file from the options of `pbem mail setup`."""
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
    """Make a path absolute, except an empty path."""
    return str(Path(path).expanduser().absolute()) if path else ""


def filled_values(values: dict[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in values.items() if value}


def server_values(option: str, written: str) -> dict[str, Value]:
    """Read USER@HOST:PORT, of which only HOST is needed, and return the values of a server's section. An empty text
    gives none. Raises `Refused` for any other text."""
    if written and not SERVER.fullmatch(written):
        # The written text is not repeated: there may be a password in it.
        raise Refused(f"--{option}", [wrong("E-OFFICE-HOST")])
    user, _, host = written.rpartition("@")
    host, _, port = host.partition(":")
    found: dict[str, Value] = {"host": host, "user": user, "port": port}
    return filled_values(found) | ({"password-command": f"pass show {host}"} if written else {})
