"""Long runs: examples by the thousand from one seed, each of which can be made again by its number.

`python -m tests.long fuzz --minutes 60 --seed 7 mail report` runs some targets, without names all of them;
`--example N` writes one example of one target into a file.
"""

from __future__ import annotations

import argparse
import time
import traceback
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from .changes import chance_changes, changed, changed_tree
from .targets import EVERY, target_named
from .watching import Target, watched


def example(target: Target, seed: int, number: int) -> bytes:
    """One example of a long run."""
    chance = Random(f"{target.name} {seed} {number}")
    if target.rewritten and target.trees and chance.random() < 0.6:
        tree = chance.choice(target.trees)
        for _ in range(chance.choice((1, 1, 2, 4))):
            tree = changed_tree(tree, chance)
        if data := target.rewritten(tree):
            return data if chance.random() < 0.8 else changed(data, chance_changes(chance))
    return changed(chance.choice(target.seeds), chance_changes(chance))


def failures(target: Target, seed: int, first: int, count: int) -> Iterator[tuple[int, bytes, str]]:
    """The examples that a target does not stand: number, bytes, and what happened."""
    for number in range(first, first + count):
        data = example(target, seed, number)
        try:
            watched(target, data)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            yield number, data, "".join(traceback.format_exception(error, limit=-6))


def timed(target: Target, seed: int, seconds: float, found: list[tuple[int, str]]) -> int:
    """Run a target for some seconds, and note its failures, each place of the program once; gives how many it read."""
    ends, number, places = time.monotonic() + seconds, 0, set[str]()
    while time.monotonic() < ends:
        for failed, _, told in failures(target, seed, number, 20):
            place = "".join(line for line in told.splitlines() if line.startswith("  File "))
            if place not in places:
                places.add(place)
                found.append((failed, told))
        number += 20
    return number


def fuzz(words: Sequence[str]) -> int:
    """The command line of a long run; gives whether anything was found."""
    parser = argparse.ArgumentParser("tests.long fuzz", description="Read hostile input for a long time.")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(EVERY)}")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long, for all targets together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--example", type=int, metavar="N", help="only write this example into the file `example`")
    options = parser.parse_args(words)
    chosen = [target_named(name) for name in options.targets or EVERY]
    if options.example is not None:
        Path("example").write_bytes(example(chosen[0], options.seed, options.example))
        return 0
    failed = 0
    for target in chosen:
        found: list[tuple[int, str]] = []
        count = timed(target, options.seed, options.minutes * 60 / len(chosen), found)
        failed += len(found)
        print(f"{target.name}: {count} examples, {len(found)} failures", flush=True)
        for number, told in found:
            print(f"--seed {options.seed} --example {number}\n{told}", flush=True)
    return 1 if failed else 0
