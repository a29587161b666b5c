"""Thousands of random games, every answer watched: `python -m tests.long [games]`; hostile input: `… fuzz` (--help).
Whole campaigns in which everything goes wrong: `… endurance` (--help). Fifty times the examples of the tests that try
random ones, new ones in every run: `… examples [what pytest is to run]`.

Each game is played in the next variant, by the bot that plays at random and by the raider in turns. Every answer is
checked as in the tests, and so are some wrong ones. A failure names the variant and the seed that bring it back.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import time
import traceback
from collections import Counter
from random import Random

from pbem.bots import plain
from pbem.engine.events import Event
from pbem.engine.table import digest
from pbem.games.maria.rules.data import Terms
from pbem.games.maria.rules.state import Table
from tests.endurance.long import main as endurance
from tests.fuzz.running import fuzz
from tests.play import EVERY, Player, answers, chance_of, name_of, play, start
from tests.properties.chronicle import carry_out
from tests.properties.mutants import mutants
from tests.properties.refusals import refused_or_sound
from tests.raider import raid

PLAYERS: tuple[Player, ...] = (raid, plain.choose)


def fingerprint(table: Table, events: list[Event]) -> str:
    """One game in a word: all that happened, and the position at the end."""
    return hashlib.sha256(f"{events} {digest(table.state)}".encode()).hexdigest()


def watched(terms: Terms, seed: int, player: Player) -> list[Event]:
    """A whole game, every answer watched."""
    table, events = start(terms, seed)
    chance = Random(f"wrong {seed}")
    for power, answer in answers(table, chance_of(terms, seed), player):
        for wrong in mutants(answer, chance, 2):
            refused_or_sound(table, power, wrong)
        events += carry_out(table, power, answer)
    return events


def examples(wanted: list[str]) -> int:
    """Run tests with many more examples."""
    command = [sys.executable, "-m", "pytest", *wanted]
    return subprocess.run(command, env=os.environ | {"PBEM_TESTS": "long"}, check=False).returncode


def main() -> int:
    """Play, and say what was seen; or fuzz; or play whole campaigns."""
    if sys.argv[1:2] == ["fuzz"]:
        return fuzz(sys.argv[2:])
    if sys.argv[1:2] == ["endurance"]:
        return endurance(sys.argv[2:])
    if sys.argv[1:2] == ["examples"]:
        return examples(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="?", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--fingerprints", type=int, metavar="SEED", help="only print one line for every variant")
    options = parser.parse_args()
    if options.fingerprints is not None:
        print(*(fingerprint(*play(terms, options.fingerprints, raid)) for terms in EVERY), sep="\n")
        return 0
    begun, failed = time.perf_counter(), 0
    seen: Counter[str] = Counter()
    for seed in range(options.first, options.first + options.games):
        terms, player = EVERY[seed % len(EVERY)], PLAYERS[seed // len(EVERY) % 2]
        try:
            seen.update(type(event).__name__ for event in watched(terms, seed, player))
        except Exception:
            failed += 1
            print(f"{name_of(terms)}, seed {seed}, {player.__name__}:\n{traceback.format_exc()}")
    for kind, count in seen.most_common():
        print(f"{count:9} {kind}")
    print(f"{options.games} games, {failed} failed, {time.perf_counter() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
