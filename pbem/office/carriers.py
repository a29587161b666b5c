"""Who carries mails away: files for whoever sends by hand, a program such as sendmail, or a server (`smtp`)."""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
from email.utils import parseaddr
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from pbem.campaign.disk.atomic import PRIVATE, write_whole
from pbem.post.outgoing import as_sent

PATIENCE = 120
"""So many seconds a program has for one mail."""

NOT_NOW = (75,)
"""Exit codes of programs that say: later (`EX_TEMPFAIL` of sysexits)."""


class NotNow(Exception):
    """This mail is to be tried again later."""


class NotThere(Exception):
    """This mail will never be taken."""


class Unreachable(Exception):
    """Nothing can be sent now."""


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
    """Somebody who takes mails."""

    def carry(self, letter: Letter) -> None:
        """Take a mail; raises `NotNow`, `NotThere` or `Unreachable`."""

    def close(self) -> None:
        """End the errand."""


class FileCarrier:
    """Writes mails into a folder; mail programs open them as drafts."""

    def __init__(self, folder: Path) -> None:
        """Make the folder where there is none."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.folder = folder

    def carry(self, letter: Letter) -> None:
        """One file for each name, so that a repetition is the same file."""
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
        """The program's exit code says whether it has taken it."""
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
        """The text goes to its standard input, and what it is of into its environment."""
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
    """What a program said last."""
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1][:200] if lines else ""
