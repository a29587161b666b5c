"""Where mails come from, on this computer: a maildir, an mbox file, a folder of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused
from pbem.post.mailbox import SUFFIXES, RawMessage, split_mailbox

READ = "S"
"""How a maildir marks what was read."""


class Source(Protocol):
    """A mailbox, whose messages are called by hints: good for not reading one again, and for nothing else."""

    name: str

    def hints(self) -> list[str]:
        """What there is."""

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """The messages behind some hints; of an mbox file many behind one."""

    def settle(self, hint: str) -> None:
        """Mark a letter that was taken, as its mailbox does it; once more does no harm."""

    def close(self) -> None:
        """Let go of it."""


class LocalSource:
    """What files have in common."""

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
        """Every file by name, size and time."""
        if self.path.is_file():
            files = [self.path]
        else:
            files = sorted(each for each in self.path.iterdir() if each.suffix.casefold() in SUFFIXES)
        found = [(path, path.stat()) for path in files if path.is_file() and not path.is_symlink()]
        self.known = {f"{stat.st_size}-{stat.st_mtime_ns}/{called(path)}": path for path, stat in found}
        return list(self.known)

    def read(self, hints: Iterable[str]) -> Iterator[tuple[str, RawMessage]]:
        """The messages in each file."""
        for hint in hints:
            for message in split_mailbox(self.known[hint], hint.partition("/")[2]):
                yield hint, message


class Maildir(LocalSource):
    """A maildir; a letter that was taken is marked as read."""

    def hints(self) -> list[str]:
        """What each message is called as long as it lies here."""
        self.known = self.found()
        return sorted(self.known)

    def found(self) -> dict[str, Path]:
        """Every message, in order of its name, which begins with when it came."""
        boxes = [box for box in (self.path / "new", self.path / "cur") if box.is_dir()]
        paths = [Path(item.path) for box in boxes for item in os.scandir(box) if item.is_file(follow_symlinks=False)]
        return {called(path).partition(":")[0]: path for path in paths if not path.name.startswith(".")}

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


def called(path: Path) -> str:
    """The name of a file, as a text of which anything can be made; other programs write what they like."""
    return os.fsencode(path.name).decode("utf-8", "backslashreplace")
