"""One seat against bots, as Gymnasium has it: `python single_seat.py --games 10`. Needs `pbem[env]`.

The seat chooses at random among what the mask allows; put your own agent in the place of `choose`.
"""

import argparse

import numpy as np

from pbem.env.seat import Seen, env


def choose(seen: Seen, chance: np.random.Generator) -> int:
    """Return any legal choice."""
    return int(chance.choice(np.flatnonzero(seen["action_mask"])))


def main() -> None:
    """Play games, and print the mean of the points."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--seat", default="louis")
    parser.add_argument("--bots", default="random")
    given = parser.parse_args()
    board, chance = env(given.seat, given.bots, game="maria", scenario="introductory"), np.random.default_rng(1)
    points, steps = [], 0
    for number in range(given.games):
        seen, _ = board.reset(seed=number)
        is_over = False
        while not is_over:
            seen, reward, terminated, truncated, _ = board.step(choose(seen, chance))
            is_over, steps = terminated or truncated, steps + 1
        points.append(reward)
    print(f"{given.games} games, {steps} choices, mean reward {sum(points) / len(points):.2f}")


if __name__ == "__main__":
    main()
