"""Game of one seat against bots as an environment of Gymnasium (docs/env.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import gymnasium
import numpy as np

from pbem.env.aec import MOST_STEPS, SeatsEnv

Seen = dict[str, np.ndarray]
"""Observation: a row of numbers, and the mask of the legal choices."""


class SeatEnv(gymnasium.Env[Seen, int]):
    """Environment of one seat. Bots play all other seats."""

    metadata: ClassVar[dict[str, object]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        terms: Mapping[str, str],
        seat: str,
        bots: Mapping[str, str] | str = "sensible",
        max_cycles: int = MOST_STEPS,
        render_mode: str | None = None,
    ) -> None:
        """Set the terms of the game, the seat, and the bots: one level for all other seats, or a level for each. Raises
        `ValueError` for an unknown seat, and for a seat without a bot."""
        seats = SeatsEnv(dict(terms)).possible_agents
        if seat not in seats:
            raise ValueError(f"no seat of this game: {seat}")
        levels = {other: bots for other in seats if other != seat} if isinstance(bots, str) else bots
        self.seat = seat
        self.board = SeatsEnv(dict(terms), levels, max_cycles, render_mode)
        if self.board.possible_agents != [seat]:
            raise ValueError(f"seats without a bot: {', '.join(self.board.possible_agents)}")
        self.render_mode = render_mode
        self.action_space = self.board.action_space(seat)
        self.observation_space = self.board.observation_space(seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, object] | None = None
    ) -> tuple[Seen, dict[str, object]]:
        """Deal a game in which the seat has to choose, and return its observation and further facts. The same `seed`
        deals the same game, and the same later games if they are reset without a seed."""
        super().reset(seed=seed)
        self.board.reset(seed=seed)
        while self.board.is_over:
            self.board.reset()
        return self.seen()

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, object]]:
        """Choose the word with the number `action`, and play until the seat has to choose again. Return the five values
        of Gymnasium; the reward is zero until the end. Raises `ValueError` for a word that is not offered."""
        self.board.step(int(action))
        seen, info = self.seen()
        board = self.board
        return seen, float(board.rewards[self.seat]), board.terminations[self.seat], board.truncations[self.seat], info

    def seen(self) -> tuple[Seen, dict[str, object]]:
        """Return the seat's observation, and a dict with its mask for wrappers."""
        found: Seen = self.board.observe(self.seat)
        return found, {"action_mask": found["action_mask"]}

    def action_masks(self) -> np.ndarray:
        """Return the mask of the legal choices, as MaskablePPO of sb3-contrib asks for it."""
        return self.board.observe(self.seat)["action_mask"].astype(bool)

    def render(self) -> str | None:
        return self.board.render()


def env(seat: str, bots: Mapping[str, str] | str = "sensible", **terms: str) -> SeatEnv:
    """Return the environment of a seat in a game with these terms (`game="maria", scenario="advanced"`)."""
    return SeatEnv(terms, seat, bots)
