"""Whole games at the desk in a real browser: `python -m tests.desk.plays` (`--help` tells how to have one alone)."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from click.testing import CliRunner

from pbem.cli import main as pbem
from pbem.desk import bundle
from pbem.resources import games
from tests.desk.conftest import LACKING
from tests.desk.playing import FULL, PHONE, WIDE, Player, Stuck
from tests.desk.sitting import PATIENCE, Sitter
from tests.site.browsing import reader


def page_in(folder: Path) -> Path:
    """The page, pressed lightly."""
    bundle.HARD = {**bundle.HARD, "preset": 0}
    done = CliRunner().invoke(pbem, ["desk", "-o", str(folder / "desk.html")], catch_exceptions=False)
    if done.exit_code and "E-DESK-FETCH" in done.stderr and os.environ.get("CI") != "true":
        print(done.stderr)
        sys.exit(0)
    if done.exit_code:
        sys.exit(done.stderr)
    return folder / "desk.html"


def played(page: Path, game: str, width: int, stages: int, seed: int) -> bool:
    """Play a game from the first page on, and tell what was seen; tells whether nothing was amiss."""
    name, begun = f"{game} at {width}, seed {seed}", monotonic()
    with TemporaryDirectory() as profile, reader(Path(profile)) as found:
        found.driver.set_script_timeout(PATIENCE)
        sitter = Sitter(found, page)
        player = Player(sitter, width, seed)
        try:
            player.begin(game)
            is_over = player.play(stages)
            player.count.memory = sitter.memory()
            if player.count.memory > FULL:
                player.fail(f"the page has taken {player.count.memory} MB")
            if unusual := player.count.unusual():
                player.fail(f"more clicks than it should take: {unusual}")
        except Exception as error:
            if not isinstance(error, Stuck):
                traceback.print_exc(limit=-4)
            with Path(f"{game}-{width}-{seed}.png").open("wb") as picture:
                picture.write(found.driver.get_screenshot_as_png())
            print(f"{name}: {error}\n{player.count.told()}", flush=True)
            return False
        ended = "to the end" if is_over else "so far"
        print(f"{name}: {ended}, in {monotonic() - begun:.0f} s\n{player.count.told()}", flush=True)
        return True


def main() -> int:
    """Play each game at each width."""
    parser = argparse.ArgumentParser(prog="python -m tests.desk.plays", description=__doc__)
    parser.add_argument("--game", choices=games(), action="append", help="one game (both)")
    parser.add_argument("--width", type=int, action="append", help=f"a width ({WIDE}, and {PHONE} with fingers)")
    parser.add_argument("--stages", type=int, default=10_000, help="end after so many stages (the whole game)")
    parser.add_argument("--seed", type=int, default=1, help="the person's whims")
    parser.add_argument("--page", type=Path, help="a page that is there already")
    given = parser.parse_args()
    if LACKING and os.environ.get("CI") != "true":
        print(f"the desk is played at with {', '.join(LACKING)}, which this machine has not")
        return 0
    with TemporaryDirectory() as folder:
        page = given.page.resolve() if given.page else page_in(Path(folder))
        ways = [(game, width) for game in given.game or games() for width in given.width or (WIDE, PHONE)]
        told = [played(page, game, width, given.stages, given.seed) for game, width in ways]
        return 0 if all(told) else 1


if __name__ == "__main__":
    sys.exit(main())
