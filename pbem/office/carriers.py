"""Sources and carriers of mails on this computer: maildirs, mbox files, folders, and programs such as sendmail."""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.utils import parseaddr
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE, StorageFault, fault_of, short_path, write_whole
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.post.mailbox import SUFFIXES, RawMessage, split_mailbox
from pbem.post.outgoing import as_sent

READ = "S"
"""Flag of read mails in a maildir."""


class Source(Protocol):
    """Mailbox that names each mail by a hint. A hint only saves reading a mail twice, and proves nothing about it."""

    name: str

    def hints(self) -> list[str]:
        """Return the hints of all mails."""

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield hint and mail for some hints. An mbox file has one hint for all its mails."""

    def settle(self, hint: str) -> None:
        """Mark a mail whose letter was taken. A mail may be marked twice."""

    def close(self) -> None:
        """Close the mailbox."""


class LocalSource:
    """Common part of the sources on this computer."""

    def __init__(self, path: Path) -> None:
        """Take a path. Raises `Refused` if there is nothing at it."""
        if not path.exists():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX")])
        self.path = path
        self.name = str(path)
        self.known: dict[str, Path] = {}

    def settle(self, hint: str) -> None:
        """Leave the files unmarked: they are a person's own."""

    def close(self) -> None:
        """Do nothing: no connection is open."""


class Files(LocalSource):
    """An mbox file, or a folder of mails. A file that has changed is read again."""

    def hints(self) -> list[str]:
        """Return a hint for every file, made of its name, size and time."""
        if self.path.is_file():
            files = [self.path]
        else:
            files = sorted(each for each in self.path.iterdir() if each.suffix.casefold() in SUFFIXES)
        found = [(path, path.stat()) for path in files if path.is_file() and not path.is_symlink()]
        self.known = {f"{stat.st_size}-{stat.st_mtime_ns}/{file_name_text(path)}": path for path, stat in found}
        return list(self.known)

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield hint and mail for each mail in the files."""
        for hint in hints:
            for message in split_mailbox(self.known[hint], hint.partition("/")[2]):
                yield hint, message


class Maildir(LocalSource):
    """Maildir, in which the mail of a taken letter is marked as read."""

    def hints(self) -> list[str]:
        """Return the hints of all mails. A hint is valid as long as its mail lies here."""
        self.known = self.mail_paths()
        return sorted(self.known)

    def mail_paths(self) -> dict[str, Path]:
        """Return the path of each mail by its hint, the name without the flags."""
        boxes = [box for box in (self.path / "new", self.path / "cur") if box.is_dir()]
        paths = [Path(item.path) for box in boxes for item in os.scandir(box) if item.is_file(follow_symlinks=False)]
        return {file_name_text(path).partition(":")[0]: path for path in paths if not path.name.startswith(".")}

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield hint and mail for each hint. A mail that was removed meanwhile is skipped."""
        for hint in hints:
            with suppress(FileNotFoundError):
                yield hint, next(split_mailbox(self.known[hint], hint))

    def settle(self, hint: str) -> None:
        """Mark a mail as read, and keep its other flags."""
        path = self.known.get(hint)
        if path is None or not path.exists():
            self.known = self.mail_paths()
            path = self.known.get(hint)
        if path is None:
            return
        name, _, flags = path.name.partition(":2,")
        if path.parent.name != "cur" or READ not in flags:
            (self.path / "cur").mkdir(exist_ok=True)
            self.known[hint] = path.rename(self.path / "cur" / f"{name}:2,{''.join(sorted({*flags, READ}))}")


def file_name_text(path: Path) -> str:
    """Return the name of a file as text, also if its bytes are not UTF-8."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


PATIENCE = 120
"""Seconds that a program has for one mail."""

HANGS = -1
"""Way of refusing of a program that is not done in time; any other is an exit code."""

NOT_NOW = (75,)
"""Exit codes of a program that asks for a later try (`EX_TEMPFAIL` of sysexits)."""

CANNOT_RUN = (77, 78, 126, 127)
"""Exit codes of a program that can take no mail: it may not, its settings are wrong (`EX_NOPERM`, `EX_CONFIG`), or a
shell does not find it. Any other code may be about one mail: programs use the codes of sysexits in several ways."""


class NotNow(Exception):
    """Refusal for now: the carrier may take this mail later."""


class NotThere(Exception):
    """Final refusal: the carrier will never take this mail."""


class NotTaken(Exception):
    """Refusal of a carrier that tells neither whether another mail would be taken nor whether a later try helps."""

    def __init__(self, why: str, way: int) -> None:
        super().__init__(why)
        self.way = way
        """Exit code of the program, or `HANGS`. Refusals that have the same one are alike."""


class Unreachable(Exception):
    """Failure of a carrier that can send nothing now."""


class QueuedMail(Struct, frozen=True):
    """A mail that a carrier is to take."""

    name: str
    """The mail's message-id, or the name of a post."""
    address: str
    data: bytes
    path: Path = Path()
    """The file of the mail."""

    @property
    def sender(self) -> str:
        """The address under From; empty without such a header."""
        head = self.data.partition(b"\r\n\r\n")[0].decode("ascii", "replace").replace("\r\n ", " ")
        lines = [line for line in head.split("\r\n") if line.casefold().startswith("from:")]
        return parseaddr(lines[0][5:])[1] if lines else ""


class Carrier(Protocol):
    """Carrier of mails: a server, a program, or a folder."""

    def carry(self, letter: QueuedMail) -> None:
        """Take a mail; raises `NotNow`, `NotThere`, `NotTaken` or `Unreachable`."""

    def close(self) -> None:
        """Close a connection, if one is open."""


class FileCarrier:
    """Folder into which mails are written. Mail programs open the files as drafts."""

    def __init__(self, folder: Path) -> None:
        """Make the folder, unless it is there. It may be a link to a folder."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            raise StorageFault(wrong("E-DISK-KIND.folder", path=short_path(folder))) from None
        except OSError as error:
            raise fault_of(error, folder, "make") from None
        self.folder = folder.resolve()

    def carry(self, letter: QueuedMail) -> None:
        """Write the mail to a file named after address and message-id, so that a mail sent twice gives one file."""
        name = f"{letter.address.replace('@', '_')}-{hashlib.sha256(letter.name.encode()).hexdigest()[:12]}.eml"
        write_whole(self.folder / name, letter.data, mode=PRIVATE)

    def close(self) -> None:
        """Do nothing: no connection is open."""


class ProgramCarrier:
    """Program that takes a mail on its standard input."""

    def __init__(self, command: str) -> None:
        """Split the command into words. No shell sees them."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Run the program with the mail as its input. Raises `NotNow`, `NotTaken` or `Unreachable` as its exit code
        says."""
        data = as_sent(letter.data).replace(b"\r\n", b"\n")
        try:
            done = subprocess.run(self.words, input=data, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
        except subprocess.TimeoutExpired:
            raise NotTaken(f"{self.words[0]}: > {PATIENCE} s", HANGS) from None
        except OSError as error:
            raise Unreachable(f"{self.words[0]}: {type(error).__name__}") from None
        why = f"{self.words[0]}: {last_line(done.stderr) or done.returncode}"
        if done.returncode in NOT_NOW:
            raise NotNow(why)
        if done.returncode in CANNOT_RUN:
            raise Unreachable(why)
        if done.returncode:
            raise NotTaken(why, done.returncode)

    def close(self) -> None:
        """Do nothing: no connection is open."""


class ForumCarrier:
    """Program of the moderator that puts the report for everybody into a thread of a forum."""

    def __init__(self, command: str) -> None:
        """Split the command into words. No shell sees them."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Run the program. Its input is the post's text; its environment names campaign, entry, post, and the other
        files."""
        folder = letter.path.parent
        told = {
            "PBEM_CAMPAIGN": folder.parent.parent.name,
            "PBEM_ENTRY": folder.name,
            "PBEM_POST": letter.name,
            "PBEM_BBCODE": str(folder / "forum.bbcode.txt"),
            "PBEM_MAP": str(next(iter([*folder.glob("forum.map.png"), *sorted(folder.glob("map.*.png"))]), "")),
        }
        try:
            done = subprocess.run(  # noqa: S603
                self.words,
                input=letter.data,
                capture_output=True,
                timeout=PATIENCE,
                check=False,
                env={**os.environ, **told},
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NotNow(f"{self.words[0]}: {type(error).__name__}") from None
        if done.returncode:
            raise NotNow(f"{self.words[0]}: {last_line(done.stderr) or done.returncode}")

    def close(self) -> None:
        """Do nothing: no connection is open."""


def last_line(said: bytes) -> str:
    """Return the last line of a program's output, cut at 200 characters."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
