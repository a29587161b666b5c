"""Adapter that offers the games to OpenSpiel under the name `pbem`, on top of the PettingZoo environment (docs/env.md).

The deal is the only chance node.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import numpy as np
import pyspiel

from pbem.bots.table import VICTORY
from pbem.engine.table import powers_of_player
from pbem.env.aec import MOST_STEPS, SeatsEnv
from pbem.paper.library import STANDARD_GAME

DEALS = 10_000
"""Number of different deals. Chance chooses one of them."""

MOST_SEATS = 4

USUAL = {"game": STANDARD_GAME, "scenario": ""}

GAME = pyspiel.GameType(
    short_name="pbem",
    long_name="Games of pbem",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MOST_SEATS,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=USUAL,
)


class SeatsGame(pyspiel.Game):
    """A game with all its seats: `pyspiel.load_game("pbem(game=maria,scenario=advanced)")`."""

    def __init__(self, params: Mapping[str, str] | None = None) -> None:
        """Set the terms of the game. Missing terms get the usual values; an empty term removes the usual value."""
        given = {**USUAL, **(params or {})}
        self.first = SeatsEnv({name: value for name, value in given.items() if value})
        info = pyspiel.GameInfo(
            num_distinct_actions=self.first.vocabulary.size,
            max_chance_outcomes=DEALS,
            num_players=len(self.first.possible_agents),
            min_utility=0.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=MOST_STEPS,
        )
        super().__init__(GAME, info, params or {})

    def new_initial_state(self) -> SeatsState:
        """Return the state before the deal."""
        return SeatsState(self)

    def make_py_observer(self, iig_obs_type: object = None, params: object = None) -> SeatsObserver:
        return SeatsObserver(self.first.sight.size)


class SeatsState(pyspiel.State):
    """A game in progress."""

    def __init__(self, game: SeatsGame) -> None:
        super().__init__(game)
        self.board = game.first.copy()
        self.is_dealt = False

    def current_player(self) -> int:
        """Return the number of the seat that has to choose, or OpenSpiel's number for chance or for the end."""
        if not self.is_dealt:
            return int(pyspiel.PlayerId.CHANCE)
        if self.board.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(self.board.possible_agents.index(self.board.agent_selection))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all deals with their probabilities, which are equal."""
        return [(deal, 1.0 / DEALS) for deal in range(DEALS)]

    def _legal_actions(self, player: int) -> list[int]:
        """Return the numbers of the words that may be chosen now."""
        return sorted(self.board.offered()) if player == self.current_player() else []

    def _apply_action(self, action: int) -> None:
        """Deal the cards if they are not dealt yet. Otherwise choose the word with the number `action`."""
        if self.is_dealt:
            self.board.step(action)
        else:
            self.board.reset(seed=action)
            self.is_dealt = True

    def _action_to_string(self, player: int, action: int) -> str:
        """Return the offered word with the number `action`, or else the number in digits. For chance (`player` below 0)
        return the name of the deal."""
        return f"deal {action}" if player < 0 else self.board.offered().get(action, f"{action}")

    def is_terminal(self) -> bool:
        return self.is_dealt and self.board.is_over

    def returns(self) -> list[float]:
        """Return the points of every seat, divided by the points of a victory; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * len(self.board.possible_agents)
        points = self.board.score.points(self.board.table)
        return [points[seat] / VICTORY for seat in self.board.possible_agents]

    def __str__(self) -> str:
        """Return the position in words, with all that everybody may know."""
        return self.board.describe(()) if self.is_dealt else "nothing is dealt"


class SeatsObserver:
    """Observation of a seat: the row of numbers, or the position in words."""

    def __init__(self, size: int) -> None:
        self.tensor: np.ndarray = np.zeros(size, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SeatsState, player: int) -> None:
        """Set the observation to that of a seat in a state."""
        self.tensor[:] = 0.0
        if state.is_dealt:
            self.tensor[:] = state.board.observe(state.board.possible_agents[player])["observation"]

    def string_from(self, state: SeatsState, player: int) -> str:
        """Return the position in words, as a seat knows it, and the numbers of the words chosen so far; empty before
        the deal."""
        if not state.is_dealt:
            return ""
        board, seat = state.board, state.board.possible_agents[player]
        asking = board.asking if seat == board.agent_selection else None
        return f"{board.describe(powers_of_player(board.table, seat))}\n{asking.taken if asking else ''}"


class Resampler:
    """Function for `set_resampler` of OpenSpiel's information-set searches. It returns a state in which everything that
    a seat cannot know is dealt anew. The new state does not follow from its history."""

    def __init__(self, seed: int = 0) -> None:
        """Begin the series of seeds for the new deals from `seed`."""
        self.chance = Random(seed)  # noqa: S311

    def __call__(self, state: SeatsState, player: int) -> SeatsState:
        found: SeatsState = state.clone()
        found.board = state.board.imagined(state.board.possible_agents[player], f"{self.chance.getrandbits(64)}")
        return found


class PointsEvaluator:
    """Evaluator for searches that do not play games to their end: a state is worth every seat's points so far, and all
    choices are equally likely."""

    def evaluate(self, state: SeatsState) -> np.ndarray:
        points = state.board.score.points(state.board.table)
        values: np.ndarray = np.array([points[seat] / VICTORY for seat in state.board.possible_agents])
        return values

    def prior(self, state: SeatsState) -> list[tuple[int, float]]:
        """Return every legal choice with the same probability."""
        legal = state.legal_actions()
        return [(action, 1.0 / len(legal)) for action in legal]


pyspiel.register_game(GAME, SeatsGame)
