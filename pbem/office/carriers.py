"""Mailboxes and carriers on this computer: maildirs, mbox files, folders, and programs such as sendmail."""

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
    """Mailbox from which mails are read. Each mail is found by its hint, a text such as a file name, which is known
    before the mail is read."""

    name: str
    """Name of the mailbox, under which the memory keeps the hints of its mails."""

    def hints(self) -> list[str]:
        """Return the hints of the mails in the mailbox."""

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails to which these hints belong, each as a pair of the hint and the mail. All mails of an mbox
        file have the same hint."""

    def settle(self, hint: str) -> None:
        """Mark a mail whose letter was taken. Raises `NotMarked` if the mailbox does not allow it."""

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
        """Do nothing."""


class Files(LocalSource):
    """Mailbox that is an mbox file, or a folder of mails. A file that has changed is read again."""

    def hints(self) -> list[str]:
        """Return a hint for each file of mails, and note the file's path under the hint in `known`. Links are skipped.
        In a folder, only files with an ending of `SUFFIXES` count."""
        if self.path.is_file():
            files = [self.path]
        else:
            files = sorted(each for each in self.path.iterdir() if each.suffix.casefold() in SUFFIXES)
        found = [(path, path.stat()) for path in files if path.is_file() and not path.is_symlink()]
        self.known = {f"{stat.st_size}-{stat.st_mtime_ns}/{file_name_text(path)}": path for path, stat in found}
        return list(self.known)

    def count(self) -> int:
        return sum(1 for _ in self.read(self.hints()))

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield each mail with the hint of its file."""
        for hint in hints:
            for message in split_mailbox(self.known[hint], hint.partition("/")[2]):
                yield hint, message


class Maildir(LocalSource):
    """Mailbox that is a maildir. The mail of a taken letter is marked as read."""

    def __init__(self, path: Path) -> None:
        """Store the path of the maildir. Raises `Refused` if there is neither a folder `new` nor a folder `cur`."""
        super().__init__(path)
        # The folders are never created here: an empty path may be a disk that is not connected.
        if not any(box.is_dir() for box in self.boxes):
            raise Refused(str(path), [wrong("E-OFFICE-INBOX.maildir")])

    @property
    def boxes(self) -> list[Path]:
        """The folders `new` and `cur`, in which the mails lie. One of them may be missing."""
        return [self.path / "new", self.path / "cur"]

    def hints(self) -> list[str]:
        """Return the hint of each mail. The hint is valid until the mail leaves this folder."""
        self.known = self.mail_paths()
        return sorted(self.known)

    def mail_paths(self) -> dict[str, Path]:
        """Return the path of each mail under its hint, the file name without flags."""
        boxes = [box for box in self.boxes if box.is_dir()]
        paths = [Path(item.path) for box in boxes for item in os.scandir(box) if item.is_file(follow_symlinks=False)]
        return {file_name_text(path).partition(":")[0]: path for path in paths if not path.name.startswith(".")}

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield the mails to which these hints belong, each with its hint. Mails that are gone are skipped."""
        for hint in hints:
            with suppress(FileNotFoundError):
                yield hint, next(split_mailbox(self.known[hint], hint))

    def settle(self, hint: str) -> None:
        """Mark a mail as read, unless it is gone. Raises `NotMarked` if the file cannot be moved."""
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
    """Exception for a refused mail, if the carrier does not tell whether it may take the mail later."""

    def __init__(self, why: str, way: int) -> None:
        super().__init__(why)
        self.way = way
        """Exit code of the program, `HANGS` or `CUT_OFF`. Refusals with the same number count as the same refusal."""


class NotShared(Exception):
    """Exception for a mail that may not go into a shared folder, because it cannot be sealed to its reader."""

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
    """Something that sends mails: a server, a program, or a folder."""

    def carry(self, letter: QueuedMail) -> None:
        """Send a mail. If it cannot be sent, this raises `NotNow`, `NotThere`, `NotTaken`, `NotShared` or
        `Unreachable`, or an error of the disk."""

    def close(self) -> None:
        """Close the connection, if one is open."""


class FileCarrier:
    """Carrier that writes mails into a folder. Mail programs open the files as drafts."""

    def __init__(self, folder: Path) -> None:
        """Make the folder unless it exists. Raises `StorageFault` if it cannot be made, or is a file."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            raise StorageFault(wrong("E-DISK-KIND.folder", path=short_path(folder))) from None
        except OSError as error:
            raise fault_of(error, folder, "make") from None
        self.folder = folder.resolve()

    def carry(self, letter: QueuedMail) -> None:
        """Write the mail to a file, named after address and message-id. A mail that is sent twice gives one file."""
        name = f"{letter.address.replace('@', '_')}-{hashlib.sha256(letter.name.encode()).hexdigest()[:12]}.eml"
        write_whole(self.folder / name, letter.data, mode=PRIVATE)

    def close(self) -> None:
        """Do nothing."""


class ProgramCarrier:
    """Carrier that starts a program and writes the mail to its input."""

    def __init__(self, command: str) -> None:
        """Split the command into words. No shell reads it."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Run the program with the mail as input. Raises `Unreachable` if the program cannot work, `NotNow` if it asks
        for another try, `NotTaken` if it fails or takes too long."""
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
        """Do nothing."""


class ForumCarrier:
    """Carrier that starts a program of the moderator, which posts the public report in a forum."""

    def __init__(self, command: str) -> None:
        """Split the command into words. No shell reads it."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Run the program with the text of the post as input. Environment variables tell the program the campaign, the
        entry, the post's name, and the paths of the same post as BBCode and of the map. Raises `NotNow` if the program
        cannot start, fails, or takes too long."""
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
        """Do nothing."""


def last_line(said: bytes) -> str:
    """Return the last line that a program has printed, cut at 200 characters; empty without output."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
