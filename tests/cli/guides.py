"""Runs what a page of the documentation shows: commands by the people who give them, edits, and the mail between them.

A page has blocks ```` ```console WHO ````, in which lines after `$` are commands and others must stand in what they
print, and ```` ```diff WHO FILE ````, which change a file. Before each block the mail has come. Where
`<!-- meanwhile NAME -->` stands, the blocks of that chapter of `meanwhile.md` are run: what others do, and the page
need not show.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

from click.testing import CliRunner

from pbem.cli import main
from pbem.console.surroundings import Surroundings

from .correspondence import BEGIN, working_in

PASSPHRASE = "a long passphrase"
BLOCK = re.compile(r"```(console|diff) ([a-z]+)(?: ([\w.-]+))?\n(.*?)```", re.DOTALL)
MEANWHILE = re.compile(r"<!-- meanwhile (\w+) -->")
OTHERS = (Path(__file__).parent / "meanwhile.md").read_text("utf-8")


class Reading:
    """Somebody who does what a page says."""

    def __init__(self, root: Path, campaign: str, seats: dict[str, str]) -> None:
        """Everybody has a folder of their own."""
        self.root, self.campaign, self.seats = root, campaign, seats
        self.now: datetime = BEGIN
        for who in ("moderator", *seats):
            (root / who).mkdir(exist_ok=True)

    def follow(self, page: str) -> int:
        """Do what a page says, and what others do meanwhile; gives how many blocks that were."""
        blocks = BLOCK.findall(MEANWHILE.sub(lambda found: done_meanwhile(found[1]), page))
        for kind, who, name, block in blocks:
            self.deliver(who)
            if kind == "diff":
                self.edit(self.root / who / name, block)
            else:
                self.type(who, block)
        return len(blocks)

    def deliver(self, who: str) -> None:
        """Bring the mail: to the moderator what players have signed, to a player what lies in the outbox for them."""
        if who == "moderator":
            (self.root / who / "mail").mkdir(exist_ok=True)
            for player in self.seats:
                for path in (self.root / player).glob("*.yaml"):
                    if "BEGIN SSH SIGNATURE" in path.read_text() and "from: moderator" not in path.read_text():
                        shutil.copy(path, self.root / who / "mail" / f"{player}-{path.name}")
            return
        for path in sorted((self.root / f"moderator/{self.campaign}/outbox").glob(f"*/{self.seats[who]}*")):
            name = re.sub(r"^.*?\.", "", path.name)
            came = self.root / who / f".{path.parent.name}-{path.name}"
            if name.endswith((".yaml", ".age")) and not came.exists():
                came.touch()
                shutil.copy(path, self.root / who / name)

    def edit(self, path: Path, block: str) -> None:
        """Change a file as a diff says, which must fit it."""
        old = "".join(f"{line[1:]}\n" for line in block.splitlines() if line.startswith("-"))
        new = "".join(f"{line[1:]}\n" for line in block.splitlines() if line.startswith("+"))
        key = path.with_name("key.pub")
        text = path.read_text("utf-8")
        assert text.count(old) >= 1, (path.name, old, text)
        path.write_text(
            text.replace(old, new.replace("KEY", key.read_text().strip() if key.exists() else ""), 1), "utf-8"
        )

    def type(self, who: str, block: str) -> None:
        """Give the commands of a block."""
        output = ""
        for line in block.splitlines():
            if not line.startswith("$ "):
                assert line in output.splitlines(), (line, output)
                continue
            self.now += timedelta(hours=1)
            command = line.removeprefix("$ ")
            output = self.run(who, command)
            if " accept " in command:
                assert "refused" not in output, output

    def run(self, who: str, command: str) -> str:
        """Output of a command, which must succeed."""
        if not command.startswith("pbem "):
            done = subprocess.run(
                ["bash", "-c", command], cwd=self.root / who, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (command, done.stderr)
            return done.stdout
        with working_in(self.root / who):
            result = CliRunner().invoke(
                main,
                shlex.split(command.removeprefix("pbem ")),
                input=f"{PASSPHRASE}\n{PASSPHRASE}\n",
                env={"XDG_CONFIG_HOME": str(self.root / who / "config")},
                obj=Surroundings(lambda: self.now),
                catch_exceptions=False,
            )
        assert result.exit_code == 0, (command, result.output)
        return result.output


def done_meanwhile(name: str) -> str:
    """Return the chapter that says what others do."""
    return OTHERS.split(f"\n## {name}\n")[1].split("\n## ")[0]
