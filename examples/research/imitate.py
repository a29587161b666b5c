"""Choices of players in closed campaigns, imitated: `python imitate.py ARCHIVE …`. Needs `pbem[env]`.

It counts which words are chosen when they are offered, and tells how often the likeliest of them was chosen in the last
fifth of the choices. Put a network in the place of the count.
"""

import argparse
from collections import Counter
from pathlib import Path

import numpy as np

from pbem.env.imitation import choices_in


def main() -> None:
    """Learn from four fifths of the choices, and try the rest."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", type=Path, nargs="+")
    parser.add_argument("--seat", action="append", default=[])
    given = parser.parse_args()
    choices = [choice for archive in given.archives for choice in choices_in(archive, given.seat)]
    known, tried = choices[: len(choices) * 4 // 5], choices[len(choices) * 4 // 5 :]
    offered, chosen = Counter[int](), Counter[int]()
    for choice in known:
        offered.update(np.flatnonzero(choice.action_mask).tolist())
        chosen[choice.action] += 1
    right = 0
    for choice in tried:
        words = np.flatnonzero(choice.action_mask).tolist()
        right += choice.action == max(words, key=lambda word: chosen[word] / (offered[word] + 1))
    print(f"{len(choices)} choices; of the last {len(tried)} {right} were called")


if __name__ == "__main__":
    main()
