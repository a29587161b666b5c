"""A small campaign to fuzz: its folder, its players' notes and reports, all made once by the commands themselves."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.console.surroundings import Surroundings
from pbem.paper.documents import strict
from pbem.paper.documents.writing import write
from pbem.paper.letters import sign_letter
from pbem.seal.keys import PrivateKey, load_private
from tests.cli.correspondence import BEGIN, NAME, Correspondence, working_in

SEAT = "louis"


class World:
    """A campaign of MARIA's introductory game in its third stage, with a signed letter ready and another sealed."""

    def __init__(self, root: Path, at: datetime = BEGIN) -> None:
        """Play up to there."""
        self.table = Correspondence(root)
        self.table.now = at
        self.root = root
        self.table.begin()
        self.table.join()
        for _ in range(2):
            self.table.round()
        self.seat = self.table.owing()[0]
        self.report = self.read(self.table.sent(f"{self.seat}.report.yaml"))
        self.sheet = self.read(self.table.sheet(self.seat))
        self.invitation = self.read(self.table.sent(f"{SEAT}-invitation.invitation.yaml"))
        self.notes = next((root / self.seat / "key.campaigns").iterdir()).read_bytes()
        self.key = load_private((root / self.seat / "key").read_bytes(), None)
        self.moderator = load_private((root / "moderator" / "key").read_bytes(), None)

    def read(self, name: str) -> bytes:
        """A file of somebody's."""
        return (self.root / name).read_bytes()

    def run(self, *words: str, as_: str = "", given: bytes = b"") -> Result:
        """A command that may be refused; it ends with 0, 1 or 2, and never with an error of the program's own."""
        key = ["--key", f"{as_}/key"] if as_ else []
        with working_in(self.root):
            result = CliRunner().invoke(
                main, [*words, *key], input=given, obj=Surroundings(lambda: self.table.now), catch_exceptions=False
            )
        assert result.exit_code in (0, 1, 2), (words, result.output)
        assert "Traceback" not in result.output
        assert result.exit_code == 0 or result.output.strip(), (words, "refused without a word")
        return result


@cache
def world() -> World:
    """The campaign, made once in every process."""
    memory = Path("/dev/shm")
    root = Path(tempfile.mkdtemp(prefix="pbem-fuzz-", dir=memory if memory.is_dir() else None))
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    return World(root)


def tree_of(data: bytes) -> Any:
    """Content of a letter."""
    return strict.bare(strict.read_yaml(data, "letter"))


def signed(tree: Any, key: PrivateKey) -> bytes:
    """A letter that says this, signed with a key; nothing if no letter can say it."""
    if not isinstance(tree, dict):
        return b""
    return sign_letter(write({name: value for name, value in tree.items() if name != "signature"}), key).encode()


__all__ = ["NAME", "SEAT", "World", "signed", "tree_of", "world"]
