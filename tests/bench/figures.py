"""Table of the times that the program promises; nothing is asserted.

Figures are the best of several runs on this machine; the limits are those of docs/performance.md.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from pbem.bots.plain import choose
from pbem.bots.table import play
from pbem.engine.board import BoardData
from pbem.engine.table import GameRules
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.game import view
from pbem.paper.library import boards, load_board_file, load_rules
from pbem.paper.positions.files import load_position, write_position
from pbem.report.maps import scene, scenery_of
from pbem.report.picture import MAIL_WIDTH, Position, Scenery, draw_board, drawing_of, readable_width, small_png
from pbem.seal.keys import save_private
from tests.campaign.simulated import SimulatedTable

Figure = tuple[str, float, str, str]


def best(runs: int, work: Callable[[], object]) -> float:
    """The shortest of several runs, in milliseconds."""
    times = []
    for _ in range(runs):
        begun = perf_counter()
        work()
        times.append(perf_counter() - begun)
    return 1000 * min(times)


def process(*arguments: str) -> Callable[[], object]:
    """A whole process."""
    return lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True)


def start_up() -> list[Figure]:
    """Time until the program prints something."""
    bare = best(10, process("-c", "pass"))
    start = best(10, process("-m", "pbem", "--help"))
    return [("pbem --help / python -c pass", start / bare, "×", "≤ 8")]


def play_out(rules: GameRules, seed: str) -> None:
    """A game at random to its end."""
    for _ in play(rules, seed, choose):
        pass


def games() -> list[Figure]:
    """Whole random games."""
    found = []
    for scenario, players, limit in (
        ("introductory", 3, "≤ 40"), ("introductory", 2, "≤ 40"),
        ("advanced", 3, "≤ 60"), ("advanced", 2, "≤ 60"), ("silesia-gambit", 3, ""),
    ):  # fmt: skip
        rules = load_rules(Terms(scenario=scenario, players=players))
        play_out(rules, "warm")
        count = 60
        begun = process_time()
        for number in range(count):
            play_out(rules, str(number))
        each = 1000 * (process_time() - begun) / count
        found.append((f"a random {scenario} game, {players} players, CPU", each, "ms", limit))
    return found


def games_of_friedrich() -> list[Figure]:
    """Random games of FRIEDRICH to their end, or to turn 20."""
    found = []
    for scenario, expert, limit in (
        ("four", False, "≤ 60"),
        ("four", True, "≤ 60"),
        ("west", False, ""),
        ("austria", False, ""),
    ):
        rules = load_rules(FriedrichTerms(scenario, expert))
        to_turn_20(rules, "warm")
        count = 20
        begun = process_time()
        for number in range(count):
            to_turn_20(rules, str(number))
        each = 1000 * (process_time() - begun) / count
        title = f"a random FRIEDRICH game, {scenario}{', expert' if expert else ''}, to turn 20, CPU"
        found.append((title, each, "ms", limit))
    return found


def to_turn_20(rules: GameRules, seed: str) -> None:
    """A game until it has come to its twentieth turn."""
    for table, _ in play(rules, seed, choose):
        if table.state.turn >= 20:
            return


def files() -> list[Figure]:
    """Reading rules and positions, and a trial as a whole process."""
    table = load_position(b"turn: 4\nstage: prussia\nphase: movement\n", "bench")
    written = write_position(table).encode()
    with tempfile.TemporaryDirectory() as folder:
        position, orders = Path(folder, "position.yaml"), Path(folder, "orders.yaml")
        position.write_bytes(written)
        orders.write_text("orders: {prussia: {move: []}}\n")
        whole = best(5, process("-m", "pbem", "try", str(position), str(orders)))
    return [
        ("reading a full position", best(20, lambda: load_position(written, "bench")), "ms", ""),
        ("pbem try, whole process", whole, "ms", "≤ 500"),
    ]


def shown(name: str) -> tuple[BoardData, Scenery | None, Position | None]:
    """A board with its scenery, MARIA's with a whole position."""
    path = boards()[name]
    table = load_position(b"scenario: advanced\nturn: 4\nstage: prussia\nphase: movement\n", "bench")
    position = scene(view(table, ())) if name == table.rules.terms.board else None
    return load_board_file(path), scenery_of(path), position


def pictures() -> list[Figure]:
    """Drawing the boards, for the first time and when they have been drawn before."""
    found: list[Figure] = []
    for name in boards():
        draw = partial(draw_board, *shown(name))
        found.append((f"drawing {name}", best(1, draw), "ms", "≤ 500"))
        found.append((f"drawing {name} again", best(5, draw), "ms", ""))
        found.append((f"SVG of {name}", len(draw().encode()) / 1024, "KB", "≤ 400"))
    return found


def prints() -> list[Figure]:
    """Boards as PNG, in the width for mail and in that in which every name finds room."""
    found: list[Figure] = []
    for name in boards():
        data, scenery, position = shown(name)
        for width, limit in ((MAIL_WIDTH, "≤ 500"), (readable_width(data), "")):
            make = partial(small_png, drawing_of(data, scenery, position, width=width))
            found.append((f"PNG of {name}, {width} pixels wide", best(5, make), "ms", limit))
            found.append((f"PNG of {name}, {width} pixels wide", len(make()) / 1024, "KB", ""))
    return found


def campaigns() -> list[Figure]:
    """A stage adjudicated as a whole process, and a finished campaign verified."""
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as folder:
        table = SimulatedTable(Path(folder, "campaign"), at=datetime(2024, 11, 21, 12, tzinfo=UTC), scenario="advanced")
        table.join()
        table.play(20)
        with table.open() as campaign:
            for player in campaign.public.next.owing if campaign.public.next else ():
                table.deliver(campaign, table.write(campaign, player))
            campaign.save()
        key = Path(folder, "key")
        key.write_bytes(save_private(table.moderator, None))
        key.chmod(0o600)
        times = []
        for number in range(5):
            copy = Path(folder, f"copy-{number}")
            shutil.copytree(table.root, copy)
            adjudicate = process("-m", "pbem", "adjudicate", "-C", str(copy), "--key", str(key), "--force")
            times.append(best(1, adjudicate))
        found.append(("pbem adjudicate of one stage, whole process", min(times), "ms", "≤ 500"))
        table.play()
        table.close()
        found.append(
            (
                "pbem verify of a finished advanced campaign",
                best(3, process("-m", "pbem", "verify", str(table.root))),
                "ms",
                "≤ 3000",
            )
        )
        found.append(("entries of its ledger", float(len(list(table.root.glob("ledger/*")))), "", ""))
    return found


def memory() -> list[Figure]:
    """The most memory this process has used so far."""
    return [("memory of all this", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB", "≤ 100")]


def commands() -> list[Figure]:
    """The most memory that any command has used, that which makes a PNG of the larger board being among them."""
    with tempfile.TemporaryDirectory() as folder:
        process("-m", "pbem", "map", "friedrich", "--width", str(MAIL_WIDTH), "--out", str(Path(folder, "map.png")))()
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return [("memory of the largest command", most, "MB", "≤ 100")]


def main() -> None:
    """Measure everything and print the table."""
    print(f"{'figure':<52}{'measured':>12}  {'limit':<8}")
    for part in (start_up, games, games_of_friedrich, files, campaigns, pictures, memory, commands, prints):
        for name, value, unit, limit in part():
            print(f"{name:<52}{value:>9.1f} {unit:<3} {limit:<8}", flush=True)
