"""People who play by mail with nothing but the command line: each with a key, and files that go to and fro."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pbem.cli import main
from pbem.console.surroundings import Surroundings

BEGIN = datetime(2026, 11, 21, 12, tzinfo=UTC)
SEATS = ("maria-theresa", "frederick", "louis")
NAME = "vienna-1741"


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Another working folder for a while."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


class Correspondence:
    """A moderator and players, of MARIA's introductory game if nothing else is said, in one folder of their own."""

    def __init__(self, root: Path, seats: Sequence[str] = SEATS) -> None:
        """Everybody makes a key."""
        self.root = root
        self.seats = seats
        self.now = BEGIN
        self.folder = root / NAME
        for who in ("moderator", *seats):
            self.run("key", "new", "--no-passphrase", as_=who)

    def copied(self, root: Path) -> Correspondence:
        """The same once more, in another folder."""
        other = copy(self)
        other.root = Path(shutil.copytree(self.root, root))
        other.folder = other.root / self.folder.name
        return other

    def run(self, *words: str, as_: str = "", code: int | None = 0, given: str = "") -> Result:
        """A command of somebody; it must end with this exit code (None: any), and never with a traceback."""
        key = ["--key", f"{as_}/key"] if as_ else []
        with working_in(self.root):
            result = CliRunner().invoke(
                main, [*words, *key], input=given, obj=Surroundings(lambda: self.now), catch_exceptions=False
            )
        assert code is None or result.exit_code == code, (words, result.output)
        assert "Traceback" not in result.output
        return result

    def moderate(self, command: str, *words: str, code: int | None = 0) -> Result:
        """A command of the moderator."""
        return self.run(command, *words, "-C", NAME, as_="moderator", code=code)

    def json(self, *words: str, as_: str = "", code: int = 0) -> Any:
        """Output of a command as JSON."""
        return json.loads(self.run(*words, "--json", as_=as_, code=code).stdout)

    def begin(self, *options: str) -> None:
        """Begin the campaign and invite."""
        self.run("new", NAME, "--delay", "0m", *options, as_="moderator")
        self.moderate("invite")

    def join(self) -> None:
        """Everybody takes their seat, and the cards are dealt."""
        for seat in self.seats:
            self.run("join", self.sent(f"{seat}-invitation.invitation.yaml"), as_=seat)
        self.accept(*(f"join-{NAME}-{seat}.yaml" for seat in self.seats))
        self.moderate("adjudicate")
        self.post()

    def sent(self, name: str) -> str:
        """The newest file of this name in the outbox."""
        return str(max((self.folder / "outbox").glob(f"*/{name}")))

    def accept(self, *files: str) -> list[dict[str, Any]]:
        """The moderator takes letters; gives what became of each."""
        letters: list[dict[str, Any]] = self.taken(*files)["letters"]
        return letters

    def taken(self, *words: str) -> dict[str, Any]:
        """All that `accept` tells of files; its exit code says whether all is well."""
        with working_in(self.root):
            result = CliRunner().invoke(
                main,
                ["accept", *words, "--json", "-C", NAME, "--key", "moderator/key"],
                obj=Surroundings(lambda: self.now),
                catch_exceptions=False,
            )
        found: dict[str, Any] = json.loads(result.stdout)
        is_refused = any(letter["status"] == "refused" for letter in found["letters"])
        assert result.exit_code == int(is_refused or bool(found["not read to the end"])), result.output
        return found

    def sheet(self, seat: str, name: str = "orders.yaml") -> str:
        """A player's copy of the order sheet that came last."""
        target = self.root / seat / name
        target.write_bytes(Path(self.sent(f"{seat}.orders.yaml")).read_bytes())
        return str(target)

    def owing(self) -> list[str]:
        """The players who have not ordered."""
        table = self.json("status", NAME)["table"]
        return [row["player"] for row in table if row["orders"] == "none yet"]

    def order(self, seat: str) -> str:
        """A player signs the sheet as it came and sends it."""
        sheet = self.sheet(seat)
        self.run("sign", sheet, as_=seat)
        (answer,) = self.accept(sheet)
        assert answer["status"] == "final", answer
        return sheet

    def round(self) -> dict[str, Any]:
        """Everybody who owes orders sends the sheet, the moderator adjudicates and posts."""
        for seat in self.owing():
            self.order(seat)
        self.now += timedelta(hours=1)
        done: dict[str, Any] = self.json("adjudicate", "-C", NAME, as_="moderator")
        self.post()
        return done

    def post(self) -> None:
        """The moderator writes reports without pictures, three quarters of the time of which nobody would look at."""
        self.moderate("post", "--no-pictures")

    def files(self) -> dict[str, bytes]:
        """Everything in the campaign's folder but the lock."""
        paths = (path for path in self.folder.rglob("*") if path.is_file() and path.name != ".lock")
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths}
