"""Mailboxes and carriers on this computer. Mailboxes are maildirs, mbox files and folders; carriers are folders, and
programs such as sendmail."""

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
    """Raised if a mail was read but cannot be marked or moved in its mailbox."""

    def __init__(self, why: Words | str) -> None:
        super().__init__(str(why))
        self.why = why


class Source(Protocol):
    """Mailbox from which mails are read. Each mail has a hint: a text by which the mailbox finds it, such as a file
    name. The hint is known before the mail is read."""

    name: str
    """Name of the mailbox. Under this name the memory keeps the hints of the mails."""

    def hints(self) -> list[str]:
        """Return the hints of the mails in the mailbox."""

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield each mail that has one of these hints, as a pair of the hint and the mail. All mails in an mbox file
        have the same hint."""

    def settle(self, hint: str) -> None:
        """Mark a mail as done, because its letter was taken. Raises `NotMarked` if the mailbox does not allow it."""

    def close(self) -> None:
        """Close the mailbox."""


class LocalSource:
    """Base class of the mailboxes on this computer."""

    def __init__(self, path: Path) -> None:
        """Store the path of the mailbox. Raises `Refused` if there is nothing at this path."""
        if not path.exists():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX")])
        self.path = path
        self.name = str(path)
        self.known: dict[str, Path] = {}

    def settle(self, hint: str) -> None:
        """Do nothing, because a person uses these files and expects them to be unchanged."""

    def close(self) -> None:
        """Do nothing."""


class Files(LocalSource):
    """Mailbox that is an mbox file, or a folder with mails. A file that has changed is read once more."""

    def hints(self) -> list[str]:
        """Return a hint for each file with mails, and store the file's path in `known` under the hint. Links are not
        followed. In a folder, only files whose name ends with one of `SUFFIXES` are used."""
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
        """Yield each mail together with the hint of its file."""
        for hint in hints:
            for message in split_mailbox(self.known[hint], hint.partition("/")[2]):
                yield hint, message


class Maildir(LocalSource):
    """Mailbox that is a maildir. A mail is marked as read when its letter was taken."""

    def __init__(self, path: Path) -> None:
        """Store the path of the maildir. Raises `Refused` if there is neither a folder `new` nor a folder `cur`."""
        super().__init__(path)
        # The folders are never created here. If they are missing, perhaps a disk is not connected.
        if not any(box.is_dir() for box in self.boxes):
            raise Refused(str(path), [wrong("E-OFFICE-INBOX.maildir")])

    @property
    def boxes(self) -> list[Path]:
        """The folders `new` and `cur`, in which the mails lie. One of them may be missing."""
        return [self.path / "new", self.path / "cur"]

    def hints(self) -> list[str]:
        """Return the hint of each mail. A hint stays valid as long as the mail is in this maildir."""
        self.known = self.mail_paths()
        return sorted(self.known)

    def mail_paths(self) -> dict[str, Path]:
        """Return a dict from the hint of each mail to the mail's path. The hint is the name of the file without
        flags."""
        boxes = [box for box in self.boxes if box.is_dir()]
        paths = [Path(item.path) for box in boxes for item in os.scandir(box) if item.is_file(follow_symlinks=False)]
        return {file_name_text(path).partition(":")[0]: path for path in paths if not path.name.startswith(".")}

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Yield each mail that has one of these hints, together with its hint. Mails that are no longer there are
        skipped."""
        for hint in hints:
            with suppress(FileNotFoundError):
                yield hint, next(split_mailbox(self.known[hint], hint))

    def settle(self, hint: str) -> None:
        """Mark a mail as read. Do nothing if the mail is no longer there. Raises `NotMarked` if the file cannot be
        moved."""
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
"""Number used as the exit code of a program that takes too long."""

CUT_OFF = -3
"""Number used as the exit code if a server has got a whole mail and the connection ends before the server answers. The
server may have taken the mail."""

NOT_NOW = (75,)
"""Exit codes by which a program asks its caller to try again later (`EX_TEMPFAIL` of sysexits)."""

CANNOT_RUN = (77, 78, 126, 127)
"""Exit codes of a program that cannot send any mail. It lacks a permission, its settings are wrong (`EX_NOPERM`,
`EX_CONFIG`), or it cannot be executed or found. Other exit codes may concern only one mail."""


class NotNow(Exception):
    """Raised if the carrier has refused a mail, but may take it later."""


class NotThere(Exception):
    """Raised if the carrier has refused a mail and will never take it."""


class NotTaken(Exception):
    """Raised if the carrier has refused a mail, and it is unknown whether it would take the mail later."""

    def __init__(self, why: str, way: int) -> None:
        super().__init__(why)
        self.way = way
        """Exit code of the program, or `HANGS`, or `CUT_OFF`. Two refusals with the same number count as the same
        refusal."""


class NotShared(Exception):
    """Raised if a mail may not be written into a shared folder, because it cannot be sealed to its reader."""

    def __init__(self, why: Wrong) -> None:
        super().__init__(why.code)
        self.why = why


class Unreachable(Exception):
    """Raised if a carrier cannot send any mail now."""

    def __init__(self, why: Words | str) -> None:
        super().__init__(str(why))
        self.why = why


class QueuedMail(Struct, frozen=True):
    """Mail that is given to a carrier to be sent."""

    name: str
    """Message-id of the mail. For a post in a forum, it is the post's name."""
    address: str
    """Address to which the mail goes. It is empty for a post in a forum."""
    data: bytes
    path: Path = Path()
    campaign: str = ""

    @property
    def sender(self) -> str:
        """Address in the header From; empty if the mail has no such header."""
        head = self.data.partition(b"\r\n\r\n")[0].decode("ascii", "replace").replace("\r\n ", " ")
        lines = [line for line in head.split("\r\n") if line.casefold().startswith("from:")]
        return parseaddr(lines[0][5:])[1] if lines else ""


class Carrier(Protocol):
    """Sender of mails: a server, a program, or a folder."""

    def carry(self, letter: QueuedMail) -> None:
        """Send a mail. If the mail cannot be sent, raise `NotNow`, `NotThere`, `NotTaken`, `NotShared` or
        `Unreachable`, or an error of the disk."""

    def close(self) -> None:
        """Close the connection, if one is open."""


class FileCarrier:
    """Carrier that writes mails as files into a folder. Mail programs open these files as drafts."""

    def __init__(self, folder: Path) -> None:
        """Make the folder if it is missing. Raises `StorageFault` if the folder cannot be made, or if the path is a
        file."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            raise StorageFault(wrong("E-DISK-KIND.folder", path=short_path(folder))) from None
        except OSError as error:
            raise fault_of(error, folder, "make") from None
        self.folder = folder.resolve()

    def carry(self, letter: QueuedMail) -> None:
        """Write the mail to a file. The file's name is made of address and message-id, so a mail that is sent twice
        leads to one file."""
        name = f"{letter.address.replace('@', '_')}-{hashlib.sha256(letter.name.encode()).hexdigest()[:12]}.eml"
        write_whole(self.folder / name, letter.data, mode=PRIVATE)

    def close(self) -> None:
        """Do nothing."""


class ProgramCarrier:
    """Carrier that starts a program and writes the mail to its input."""

    def __init__(self, command: str) -> None:
        """Split the command into words as a shell would, but without a shell."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Run the program with the mail as its input. Raises `Unreachable` if the program cannot send any mail,
        `NotNow` if it asks to be tried again later, and `NotTaken` if it fails or takes too long."""
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
        """Split the command into words as a shell would, but without a shell."""
        self.words = shlex.split(command)

    def carry(self, letter: QueuedMail) -> None:
        """Run the program with the text of the post as its input. Environment variables have the campaign, the entry,
        the post's name, the path of the post as BBCode, and the path of the map. Raises `NotNow` if the program cannot
        start, fails, or takes too long."""
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
    """Return the last line of a program's output, cut at 200 characters. Return an empty text if there was no
    output."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
