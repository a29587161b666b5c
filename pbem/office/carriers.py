"""Sources and carriers of mails on this computer: maildirs, mbox files, folders, a program such as sendmail."""

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
"""Mark of read messages in a maildir."""


class Source(Protocol):
    """Mailbox that names each message by a hint. A hint only saves reading a message twice; it vouches for nothing."""

    name: str

    def hints(self) -> list[str]:
        """Names of all messages."""

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """Read the messages behind some hints; in an mbox file many messages stand behind one hint."""

    def settle(self, hint: str) -> None:
        """Mark the mail of a taken letter, as its mailbox does it; a second mark does no harm."""

    def close(self) -> None:
        """Close the mailbox."""


class LocalSource:
    """Common part of sources in files."""

    def __init__(self, path: Path) -> None:
        """Refuse what is not there."""
        if not path.exists():
            raise Refused(str(path), [wrong("E-OFFICE-INBOX")])
        self.path = path
        self.name = str(path)
        self.known: dict[str, Path] = {}

    def settle(self, hint: str) -> None:
        """Files of people are left as they are."""

    def close(self) -> None:
        """Nothing is held."""


class Files(LocalSource):
    """An mbox file, or a folder of mails; a file that has changed is read again."""

    def hints(self) -> list[str]:
        """Return a hint for every file: its name, size and time."""
        if self.path.is_file():
            files = [self.path]
        else:
            files = sorted(each for each in self.path.iterdir() if each.suffix.casefold() in SUFFIXES)
        found = [(path, path.stat()) for path in files if path.is_file() and not path.is_symlink()]
        self.known = {f"{stat.st_size}-{stat.st_mtime_ns}/{file_name_text(path)}": path for path, stat in found}
        return list(self.known)

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """The messages in each file."""
        for hint in hints:
            for message in split_mailbox(self.known[hint], hint.partition("/")[2]):
                yield hint, message


class Maildir(LocalSource):
    """A maildir; a letter that was taken is marked as read."""

    def hints(self) -> list[str]:
        """Names of messages, each valid as long as its message lies here."""
        self.known = self.found()
        return sorted(self.known)

    def found(self) -> dict[str, Path]:
        """Every message, in order of its name, which begins with when it came."""
        boxes = [box for box in (self.path / "new", self.path / "cur") if box.is_dir()]
        paths = [Path(item.path) for box in boxes for item in os.scandir(box) if item.is_file(follow_symlinks=False)]
        return {file_name_text(path).partition(":")[0]: path for path in paths if not path.name.startswith(".")}

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """The messages; what somebody has taken away meanwhile is gone."""
        for hint in hints:
            with suppress(FileNotFoundError):
                yield hint, next(split_mailbox(self.known[hint], hint))

    def settle(self, hint: str) -> None:
        """Mark as read, with the flags that it has."""
        path = self.known.get(hint)
        if path is None or not path.exists():
            self.known = self.found()
            path = self.known.get(hint)
        if path is None:
            return
        name, _, flags = path.name.partition(":2,")
        if path.parent.name != "cur" or READ not in flags:
            (self.path / "cur").mkdir(exist_ok=True)
            self.known[hint] = path.rename(self.path / "cur" / f"{name}:2,{''.join(sorted({*flags, READ}))}")


def file_name_text(path: Path) -> str:
    """The name of a file, as a text of which anything can be made; other programs write what they like."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")


PATIENCE = 120
"""So many seconds a program has for one mail."""

NOT_NOW = (75,)
"""Exit codes of programs that say: later (`EX_TEMPFAIL` of sysexits)."""


class NotNow(Exception):
    """Refusal of a carrier that may take the mail later."""


class NotThere(Exception):
    """Refusal of a carrier that will never take the mail."""


class Unreachable(Exception):
    """Failure of a carrier that can send nothing now."""


class Letter(Struct, frozen=True):
    """A mail on its way."""

    name: str
    """Its Message-ID."""
    address: str
    data: bytes
    path: Path = Path()
    """The file that has it."""

    @property
    def sender(self) -> str:
        """The address that stands under From."""
        head = self.data.partition(b"\r\n\r\n")[0].decode("ascii", "replace").replace("\r\n ", " ")
        lines = [line for line in head.split("\r\n") if line.casefold().startswith("from:")]
        return parseaddr(lines[0][5:])[1] if lines else ""


class Carrier(Protocol):
    """Carrier of mails: a server, a program, or a folder."""

    def carry(self, letter: Letter) -> None:
        """Take a mail; raises `NotNow`, `NotThere` or `Unreachable`."""

    def close(self) -> None:
        """End the errand."""


class FileCarrier:
    """Writes mails into a folder; mail programs open them as drafts."""

    def __init__(self, folder: Path) -> None:
        """Make the folder where there is none; it may be a link to one."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            raise StorageFault(wrong("E-DISK-KIND.folder", path=short_path(folder))) from None
        except OSError as error:
            raise fault_of(error, folder, "make") from None
        self.folder = folder.resolve()

    def carry(self, letter: Letter) -> None:
        """Write the mail to a file of its name, so that a repetition gives the same file."""
        name = f"{letter.address.replace('@', '_')}-{hashlib.sha256(letter.name.encode()).hexdigest()[:12]}.eml"
        write_whole(self.folder / name, letter.data, mode=PRIVATE)

    def close(self) -> None:
        """Nothing is held."""


class ProgramCarrier:
    """Hands mails to a program, by its standard input."""

    def __init__(self, command: str) -> None:
        """The words of the command; no shell sees them."""
        self.words = shlex.split(command)

    def carry(self, letter: Letter) -> None:
        """Run the program with the mail as its input; the program's exit code tells the outcome."""
        data = as_sent(letter.data).replace(b"\r\n", b"\n")
        try:
            done = subprocess.run(self.words, input=data, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired) as error:
            raise Unreachable(f"{self.words[0]}: {type(error).__name__}") from None
        if done.returncode in NOT_NOW:
            raise NotNow(f"{self.words[0]}: {last_line(done.stderr)}")
        if done.returncode:
            raise Unreachable(f"{self.words[0]}: {last_line(done.stderr) or done.returncode}")

    def close(self) -> None:
        """Nothing is held."""


class ForumCarrier:
    """Hands the report for everybody to a program of one's own, which puts it into a thread."""

    def __init__(self, command: str) -> None:
        """The words of the command; no shell sees them."""
        self.words = shlex.split(command)

    def carry(self, letter: Letter) -> None:
        """Run the program with the text as its standard input, and with the post's campaign, entry, name and files
        in its environment."""
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
        """Nothing is held."""


def last_line(said: bytes) -> str:
    """Last line that a program printed."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
