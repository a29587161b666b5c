"""This revision of the program beside another: both installed alike, run in turn, and every figure taken in pairs.

A ratio is what the other takes divided by what this one takes, in CPU time, round by round with the same seeds; where
the machine is slow for a while, it is so for both. Ratios below 1.2 are noise.
"""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from msgspec import Struct

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
GAMES = ("maria", "friedrich")
DECISIONS = {
    "plain": (False, False), "with a view": (True, False), "with a copy": (False, True), "with both": (True, True),
}  # fmt: skip
COSTS = {
    "view": "a view", "copy": "a copy", "ask": "`decisions`", "ask_march": "`decisions`, marches",
    "reach": "reach of a piece",
}  # fmt: skip


class Pair(Struct, frozen=True):
    """One figure of both revisions, round by round: microseconds of one decision, view, copy."""

    this: list[float]
    other: list[float]

    @property
    def ratios(self) -> list[float]:
        """Ratios of the other's times to the first's."""
        return sorted(other / this for this, other in zip(self.this, self.other, strict=True))


class Worker:
    """A process of one revision that plays when asked."""

    def __init__(self, python: Path) -> None:
        self.process = subprocess.Popen(
            [python, HERE / "worker.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **wanted: Any) -> Any:
        """One question, one answer."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(wanted), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("a revision cannot be measured: its worker has ended")
        return json.loads(line)

    def each(self, **wanted: Any) -> float:
        """Microseconds of one."""
        seconds, count = self.ask(**wanted)
        return float(1e6 * seconds / count)

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def install(source: Path, folder: Path) -> Path:
    """An environment with the program installed from a folder, compiled; what it needs is taken from this one."""
    venv.create(folder, symlinks=True)
    python = folder / "bin" / "python"
    place = subprocess.run(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    Path(place, "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps", "--no-warn-script-location")
    subprocess.run([sys.executable, "-m", "pip", "install", *quiet, "--target", place, source], check=True)
    subprocess.run([python, "-m", "compileall", "-q", Path(place, "pbem")], check=True)
    return python


def checked_out(revision: str, folder: Path) -> Path:
    """The files of a revision."""
    folder.mkdir()
    archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder], input=archive, check=True)
    return folder


@contextmanager
def workers(revision: str) -> Iterator[tuple[Worker, Worker]]:
    """This revision and the other, ready to play."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        sources = (ROOT, checked_out(revision, folder / "source"))
        pythons = [install(source, folder / str(number)) for number, source in enumerate(sources)]
        this, other = (Worker(python) for python in pythons)
        stack.callback(this.close)
        stack.callback(other.close)
        yield this, other


def agreed(this: Worker, other: Worker, games: int) -> dict[str, int]:
    """Number of games of each kind that are the same event for event, digest for digest, view for view."""
    found = {}
    for game in GAMES:
        seeds = [f"same {number}" for number in range(games)]
        pairs = [[worker.ask(what="fingerprint", game=game, seed=seed) for worker in (this, other)] for seed in seeds]
        found[game] = sum(one == two for one, two in pairs)
    return found


def measured(this: Worker, other: Worker, rounds: int, **wanted: Any) -> Pair:
    """One figure, both in turn; who comes first changes. The first round warms up."""
    pair = Pair([], [])
    for number in range(rounds + 1):
        order = [(this, pair.this), (other, pair.other)]
        for worker, times in order if number % 2 else order[::-1]:
            each = worker.each(seed=f"round {number}", **wanted)
            if number:
                times.append(each)
    return pair


def figures(this: Worker, other: Worker, rounds: int) -> Iterator[tuple[str, Pair, bool]]:
    """All figures by name; whether one is told as so many a second."""
    for game in GAMES:
        for name, (view, copy) in DECISIONS.items():
            wanted: dict[str, Any] = {"what": "decisions", "view": view, "copy": copy}
            yield f"{game}: decisions a second, {name}", measured(this, other, rounds, game=game, **wanted), True
        for what, name in COSTS.items():
            yield f"{game}: {name}, µs", measured(this, other, rounds, game=game, what=what), False


def number_of(times: list[float], a_second: bool) -> str:
    """A figure: the median, and the best."""
    if a_second:
        return f"{1e6 / median(times):,.0f} ({1e6 / min(times):,.0f})"
    return f"{median(times):.1f} ({min(times):.1f})"


def row(name: str, pair: Pair, a_second: bool) -> str:
    """A line of the table."""
    ratios = pair.ratios
    other, this = number_of(pair.other, a_second), number_of(pair.this, a_second)
    return f"| {name} | {other} | {this} | **{median(ratios):.1f}** ({ratios[0]:.1f}–{ratios[-1]:.1f}) |"


def compare(revision: str, rounds: int, games: int) -> None:
    """Print the table of a comparison."""
    with workers(revision) as (this, other):
        same = agreed(this, other, games)
        told = ", ".join(f"{count} of {games} of {game}" for game, count in same.items())
        print(f"Games that are the same in both, event for event and view for view: {told}.\n")
        print(f"| median (best) of {rounds} rounds | {revision} | now | times as quick |\n|---|---|---|---|")
        for figure in figures(this, other, rounds):
            print(row(*figure), flush=True)
