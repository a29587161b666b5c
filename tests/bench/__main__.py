"""`python -m tests.bench` prints what things cost; with `--against REV`, how another revision compares."""

from __future__ import annotations

from argparse import ArgumentParser

from tests.bench import commands
from tests.bench.against import compare


def main() -> None:
    """Measure everything, or compare."""
    parser = ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--against", metavar="REV", help="install another revision and run both in turn")
    parser.add_argument("--rounds", type=int, default=9, help="how often a figure is taken in a comparison (9)")
    parser.add_argument("--games", type=int, default=6, help="how many games of each kind must be the same (6)")
    parser.add_argument("--commands", action="store_true", help="compare what commands cost, not the engine")
    given = parser.parse_args()
    if given.against and given.commands:
        commands.compare(given.against, given.rounds)
        return
    if given.against:
        compare(given.against, given.rounds, given.games)
        return
    from tests.bench import figures  # what it measures takes a while to load

    figures.main()


if __name__ == "__main__":
    main()
