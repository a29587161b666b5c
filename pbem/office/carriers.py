"""Mailboxes and carriers on this computer. Mails are read from maildirs, mbox files and folders, and sent by folders
and by programs such as sendmail."""

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
from pbem.faults.unforeseen import reason_of
from pbem.faults.wrong import Words, Wrong, wrong
from pbem.paper.documents.faults import Refused
from pbem.post.mailbox import SUFFIXES, RawMessage, split_mailbox
from pbem.post.outgoing import as_sent

READ = "S"
"""Flag that marks a mail in a maildir as read."""


class NotMarked(Exception):
    """Exception for a mail that was read, but cannot be marked or moved in its mailbox."""

    def __init__(self, why: Words | str) -> None:
        super().__init__(str(why))
        self.why = why


class Source(Protocol):
    """Mailbox from which mails are read. It names each mail by a text, the hint, so that the office need not read a
    mail twice. A hint proves nothing about the mail."""

    name: str
    """Name of the mailbox, under which the memory keeps the hints of its mails."""

    def hints(self) -> list[str]:
        """Return the hint of each mail, by which `read` finds the mail."""

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails with these hints, each with its hint. An mbox file has one hint for all its mails."""

    def settle(self, hint: str) -> None:
        """Mark a mail in the mailbox, because its letter was taken. The mail may be marked already. Raises `NotMarked`
        if the mailbox does not allow it."""

    def close(self) -> None:
        """Close the mailbox."""


class LocalSource:
    """Base of the mailboxes on this computer."""

    def __init__(self, path: Path) -> None:
        """Store the path of the mailbox. Raises `Refused` if nothing is there."""
        if not path.exists():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX")])
        self.path = path
        self.name = str(path)
        self.known: dict[str, Path] = {}

    def settle(self, hint: str) -> None:
        """Do nothing: the files belong to a person, and stay unmarked."""

    def close(self) -> None:
        """Do nothing: no connection is open."""


class Files(LocalSource):
    """Mailbox that is an mbox file, or a folder of mails. A file that has changed is read again."""

    def hints(self) -> list[str]:
        """Return a hint for each file of mails, made of its size, time and name. Note the path of each file under its
        hint in `known`. Links are skipped, and so are files in a folder whose names have none of the endings
        `SUFFIXES`."""
        if self.path.is_file():
            files = [self.path]
        else:
            files = sorted(each for each in self.path.iterdir() if each.suffix.casefold() in SUFFIXES)
        found = [(path, path.stat()) for path in files if path.is_file() and not path.is_symlink()]
        self.known = {f"{stat.st_size}-{stat.st_mtime_ns}/{file_name_text(path)}": path for path, stat in found}
        return list(self.known)

    def count(self) -> int:
        """Return the number of mails in all files."""
        return sum(1 for _ in self.read(self.hints()))

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails in the files with these hints, each with its hint."""
        for hint in hints:
            for message in split_mailbox(self.known[hint], hint.partition("/")[2]):
                yield hint, message


class Maildir(LocalSource):
    """Mailbox that is a maildir. The mail of a taken letter is marked as read."""

    def __init__(self, path: Path) -> None:
        """Store the path of the maildir. Raises `Refused` if the path is missing, or has neither a folder `new` nor
        `cur`. The two are never created here: an empty folder may be a disk that is not connected."""
        super().__init__(path)
        if not any(box.is_dir() for box in self.boxes):
            raise Refused(str(path), [wrong("E-OFFICE-INBOX.maildir")])

    @property
    def boxes(self) -> list[Path]:
        """Folders with mails. A copy of a maildir may lack one of them if it was empty."""
        return [self.path / "new", self.path / "cur"]

    def hints(self) -> list[str]:
        """Return the hint of each mail. A hint stays valid until the mail is moved out of this folder."""
        self.known = self.mail_paths()
        return sorted(self.known)

    def mail_paths(self) -> dict[str, Path]:
        """Return the path of each mail, under the hint of the mail. The hint is the file name without the flags."""
        boxes = [box for box in self.boxes if box.is_dir()]
        paths = [Path(item.path) for box in boxes for item in os.scandir(box) if item.is_file(follow_symlinks=False)]
        return {file_name_text(path).partition(":")[0]: path for path in paths if not path.name.startswith(".")}

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails with these hints, each with its hint. A mail that was removed in the meantime is skipped."""
        for hint in hints:
            with suppress(FileNotFoundError):
                yield hint, next(split_mailbox(self.known[hint], hint))

    def settle(self, hint: str) -> None:
        """Mark a mail as read, and keep its other flags. Do nothing if the mail is gone. Raises `NotMarked` if its file
        cannot be moved."""
        path = self.known.get(hint)
        if path is None or not path.exists():
            self.known = self.mail_paths()
            path = self.known.get(hint)
        if path is None:
            return
        name, _, flags = path.name.partition(":2,")
        if path.parent.name != "cur" or READ not in flags:
            try:
                (self.path / "cur").mkdir(exist_ok=True)
                self.known[hint] = path.rename(self.path / "cur" / f"{name}:2,{''.join(sorted({*flags, READ}))}")
            except OSError as error:
                raise NotMarked(reason_of(error)) from None


def file_name_text(path: Path) -> str:
    """Return the name of a file as text. Bytes that are not UTF-8 are replaced."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


PATIENCE = 120
"""Seconds that a program may take for one mail."""

HANGS = -1
"""Number that stands in place of the exit code if a program takes too long."""

CUT_OFF = -3
"""Number that stands in place of the exit code if the connection to a server ends after a mail was sent, before the
server's answer. The server may have taken the mail."""

NOT_NOW = (75,)
"""Exit codes of a program that asks to be tried again later (`EX_TEMPFAIL` of sysexits)."""

CANNOT_RUN = (77, 78, 126, 127)
"""Exit codes of a program that can send nothing: it lacks a permission, its settings are wrong (`EX_NOPERM`,
`EX_CONFIG`), or it cannot be executed or found. Any other code may be about one mail only."""


class NotNow(Exception):
    """Exception for a refused mail that the carrier may take later."""


class NotThere(Exception):
    """Exception for a refused mail that the carrier will never take."""


class NotTaken(Exception):
    """Exception for a mail that was refused for a reason which the carrier does not tell. The reason may concern this
    mail or all mails, now or for ever."""

    def __init__(self, why: str, way: int) -> None:
        super().__init__(why)
        self.way = way
        """Exit code of the program, `HANGS` or `CUT_OFF`. Refusals with the same number count as the same refusal."""


class NotShared(Exception):
    """Exception for a mail that may not be laid where many can read it, because it cannot be sealed to its reader."""

    def __init__(self, why: Wrong) -> None:
        super().__init__(why.code)
        self.why = why


class Unreachable(Exception):
    """Exception for a carrier that can send no mail now."""

    def __init__(self, why: Words | str) -> None:
        super().__init__(str(why))
        self.why = why


class QueuedMail(Struct, frozen=True):
    """A mail that is handed to a carrier."""

    name: str
    """The mail's message-id, or the name of a post."""
    address: str
    """Address to which the mail goes; empty for a post."""
    data: bytes
    path: Path = Path()
    campaign: str = ""

    @property
    def sender(self) -> str:
        """Address in the header From; empty without such a header."""
        head = self.data.partition(b"\r\n\r\n")[0].decode("ascii", "replace").replace("\r\n ", " ")
        lines = [line for line in head.split("\r\n") if line.casefold().startswith("from:")]
        return parseaddr(lines[0][5:])[1] if lines else ""


class Carrier(Protocol):
    """Something that takes mails and sends them: a server, a program, or a folder."""

    def carry(self, letter: QueuedMail) -> None:
        """Send a mail. Raises `NotNow`, `NotThere`, `NotTaken`, `NotShared` or `Unreachable` if it is not taken, and
        errors of the disk."""

    def close(self) -> None:
        """Close the connection, if one is open."""


class FileCarrier:
    """Carrier that writes mails into a folder. Mail programs open the files as drafts."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if it is missing. It may be a link to a folder. Raises `StorageFault` if it cannot be made,
        or is a file."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            raise StorageFault(wrong("E-DISK-KIND.folder", path=short_path(folder))) from None
        except OSError as error:
            raise fault_of(error, folder, "make") from None
        self.folder = folder.resolve()

    def carry(self, letter: QueuedMail) -> None:
        """Write the mail to a file. The file is named after address and message-id, so a mail that is sent twice gives
        one file."""
        name = f"{letter.address.replace('@', '_')}-{hashlib.sha256(letter.name.encode()).hexdigest()[:12]}.eml"
        write_whole(self.folder / name, letter.data, mode=PRIVATE)

    def close(self) -> None:
        """Do nothing: no connection is open."""


class ProgramCarrier:
    """Carrier that starts a program, which reads the mail from its standard input."""

    def __init__(self, command: str) -> None:
        """Split the command into words. It is not passed to a shell."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Let the program read the mail from its input. Raises `Unreachable` if it cannot work, `NotNow` if it asks to
        be tried again, and `NotTaken` if it fails or takes too long."""
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
    """Carrier that starts a program of the moderator. The program puts the public report into a thread of a forum."""

    def __init__(self, command: str) -> None:
        """Split the command into words. It is not passed to a shell."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Start the program, which reads the text of the post from its input. Environment variables name the campaign,
        the entry, the post, and its other files. Raises `NotNow` if the program cannot start, fails, or takes too
        long."""
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
    """Return the last line that a program has printed, cut at 200 characters; empty if it has printed nothing."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
