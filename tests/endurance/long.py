"""Whole years, one after the other: `python -m tests.long endurance [years] --seed N --letters 220`."""

from __future__ import annotations

import argparse
import tempfile
import time
import traceback
from itertools import product
from pathlib import Path

from tests.endurance.accounts import check_all, check_cost
from tests.endurance.counting import fifths, typical
from tests.endurance.year import SCENARIOS, Sealing, Year

SEALINGS: tuple[Sealing, ...] = ("moderator", "reveal")


def main(arguments: list[str]) -> int:
    """Play, and say what has happened and what it cost."""
    parser = argparse.ArgumentParser(prog="tests.long endurance", description=__doc__)
    parser.add_argument("years", nargs="?", type=int, default=1, help="years of each game in each way of sealing")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--letters", type=int, default=220, help="how many letters are sent in a year")
    parser.add_argument("--often", type=float, default=0.3, help="how often a command is killed")
    options = parser.parse_args(arguments)
    failed = 0
    for seed, game, sealing in product(range(options.seed, options.seed + options.years), SCENARIOS, SEALINGS):
        begun = time.process_time()
        print(f"{game}, sealing {sealing}, seed {seed}:", flush=True)
        with tempfile.TemporaryDirectory() as root:
            try:
                year = Year(Path(root) / "campaign", seed, game, sealing, options.often)
                year.run(options.letters)
                check_all(year)
                tell(year)
                check_cost(year)
            except Exception:
                failed += 1
                print(traceback.format_exc())
        print(f"  {time.process_time() - begun:.0f} s", flush=True)
    print(f"{failed} failed")
    return 1 if failed else 0


def tell(year: Year) -> None:
    """Print the events, and the cost of commands early and late."""
    print(f"  {len(year.postman.sent)} letters, {year.runner.entries()} entries, until {year.table.now:%Y-%m-%d}")
    print(f"  seen: {', '.join(f'{name} {count}' for name, count in year.seen.most_common())}")
    print(f"  killed: {', '.join(f'{name} {count}' for name, count in year.runner.struck.most_common())}")
    for command in ("accept", "adjudicate", "post"):
        first, last = fifths([work for work in year.runner.works if work.command == command])
        costs = [f"{key} {typical(first, key):.0f} → {typical(last, key):.0f}" for key in ("opened", "read", "listed")]
        print(f"  {command}: {', '.join(costs)}")
