"""Search of OpenSpiel in worlds that are dealt anew: `python search.py --simulations 200`. Needs `pbem[spiel]`.

A seat of MARIA chooses by information-set search, the others at random, for so many choices of that seat.
"""

import argparse
from random import Random

import numpy as np
import pyspiel
from open_spiel.python.algorithms.ismcts import ISMCTSBot

from pbem.env.spiel import DEALS, PointsEvaluator, Resampler


def main() -> None:
    """Play, and print every choice of the search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--choices", type=int, default=5)
    parser.add_argument("--seat", type=int, default=0)
    given = parser.parse_args()
    game, chance = pyspiel.load_game("pbem(game=maria,scenario=introductory)"), Random(1)  # noqa: S311 - no secret
    searching = ISMCTSBot(
        game,
        PointsEvaluator(),
        uct_c=1.0,
        max_simulations=given.simulations,
        random_state=np.random.RandomState(1),
        use_observation_string=True,
        allow_inconsistent_action_sets=True,
    )
    searching.set_resampler(Resampler(seed=1))
    state = game.new_initial_state()
    state.apply_action(chance.randrange(DEALS))
    made = 0
    while not state.is_terminal() and made < given.choices:
        if state.current_player() == given.seat:
            action = searching.step(state)
            print(f"{len(state.legal_actions())} choices: {state.action_to_string(action)}")
            made += 1
        else:
            action = chance.choice(state.legal_actions())
        state.apply_action(action)


if __name__ == "__main__":
    main()
