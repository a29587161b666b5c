"""Games as environments of PettingZoo: seats are agents, and each step is one small choice (docs/env.md)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy, deepcopy
from random import Random
from typing import ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from pbem.bots.imagining import imagine_world
from pbem.bots.table import VICTORY, Score, bot_named
from pbem.engine.cards import SeededDealer
from pbem.engine.nouns import Power
from pbem.engine.table import Table, player_of, powers_of_player
from pbem.env.asking import Asking, Row, Sight, Vocabulary
from pbem.kit import copy_of, game_named
from pbem.paper.documents.reader import node_of
from pbem.paper.positions.files import read_position
from pbem.report.formats.pages import text
from pbem.report.telling import position_blocks

NO_BOTS: Mapping[str, str] = {}

MOST_STEPS = 20_000
"""Default limit of steps, far more than any sensible game needs."""


class SeatsEnv(AECEnv):
    """Environment of one game, from the deal to the end of the game."""

    metadata: ClassVar[dict[str, object]] = {
        "name": "pbem_v0",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        terms: dict[str, str],
        bots: Mapping[str, str] = NO_BOTS,
        max_cycles: int = MOST_STEPS,
        render_mode: str | None = None,
    ) -> None:
        """Set the terms of the game, as position files have them. `bots` has the level of the bot for each seat that a
        bot plays. Raises `ValueError` for unknown seats."""
        super().__init__()
        self.rules = read_position(node_of({**terms}), "terms").rules
        name = self.rules.terms.game
        self.game = game_named(name)
        self.policies = {seat: bot_named(level, name) for seat, level in bots.items()}
        if strangers := set(bots) - set(self.rules.seats):
            raise ValueError(f"no seats of this game: {', '.join(sorted(strangers))}")
        self.max_cycles = max_cycles
        self.render_mode = render_mode
        self.possible_agents = [seat for seat in self.rules.seats if seat not in bots]
        self.agents: list[str] = []
        self.vocabulary = Vocabulary(self.rules)
        self.sight = Sight(self.rules, self.vocabulary)
        self.series = Random()  # noqa: S311 - deals for learning need no secrets
        self.action_spaces = {agent: Discrete(self.vocabulary.size) for agent in self.possible_agents}
        self.observation_spaces = {agent: self.space_seen() for agent in self.possible_agents}

    def space_seen(self) -> Space:
        """Return the space of a seat's observations: a row of numbers, and the mask of the legal choices."""
        row = Box(-1.0, 1.0, (self.sight.size,), np.float32)
        return Dict({"observation": row, "action_mask": Box(0, 1, (self.vocabulary.size,), np.int8)})

    def observation_space(self, agent: str) -> Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, object] | None = None) -> None:
        """Deal a new game, and go on until an agent has to choose. The same `seed` deals the same game, and the same
        later games if they are reset without a seed."""
        if seed is not None:
            self.series = Random(seed)  # noqa: S311
        deal = f"{self.series.getrandbits(64)}"
        self.chances = {seat: Random(f"{deal}/{seat}") for seat in self.policies}  # noqa: S311
        self.table: Table
        self.table, _ = self.game.start(self.rules, SeededDealer(deal))
        self.score = Score(self.rules)
        self.steps = 0
        self.asking: Asking | None = None
        self.asked: Asking | None = None
        self.row: Row = np.zeros(self.sight.size, dtype=np.float32)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, object]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self.go_on()

    def step(self, action: int | None) -> None:
        """Choose the word with the number `action` for the selected agent. If the agent's game is over, `action` must
        be None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.choose(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.is_over:
            self.end()
        self._accumulate_rewards()

    def choose(self, number: int | None) -> None:
        """Choose the word with this number, and go on until an agent has to choose again. Raises `ValueError` for a
        word that is not offered."""
        assert self.asking is not None
        if number is None or int(number) not in self.asking.offered:
            raise ValueError(f"{number} is not offered; the mask says what is")
        self.steps += 1
        self.asking.take(int(number))
        self.go_on()

    def end(self) -> None:
        """Set the rewards, and end the game for all agents."""
        points = self.score.points(self.table)
        self.rewards = {each: points[each] / VICTORY for each in self.agents}
        ended = self.terminations if self.table.state.phase == "over" else self.truncations
        ended.update(dict.fromkeys(self.agents, True))

    def go_on(self) -> None:
        """Answer the decisions of bots, and decisions that leave no choice, until an agent has to choose or the game is
        over."""
        while self.table.state.phase != "over":
            if self.asking is None:
                self.score.see(self.table)
                decision = self.game.decisions(self.table)[0]
                seat = player_of(self.table, decision.power)
                if seat in self.policies:
                    answer = self.policies[seat](self.table, decision, self.chances[seat])
                    self.game.apply(self.table, decision.power, answer)
                    continue
                self.asking = Asking(self.table, decision, self.vocabulary)
                self.agent_selection = seat
            if self.asking.is_open:
                return
            if self.asking.answer() is not None:
                self.asking = None
        self.score.see(self.table)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return the observation of a seat: its knowledge as a row of numbers, and the mask of its legal choices."""
        mask: np.ndarray = np.zeros(self.vocabulary.size, dtype=np.int8)
        asking = self.asking if agent == self.agent_selection else None
        row = self.knowledge(agent, asking).copy()
        if asking is not None:
            self.sight.tick(row, asking.taken)
            mask[list(asking.offered)] = 1
        return {"observation": row, "action_mask": mask}

    def knowledge(self, agent: str, asking: Asking | None) -> Row:
        """Return a seat's knowledge of the position and of the decision `asking`, as a row of numbers."""
        if asking is not None and asking is self.asked:
            return self.row
        row = self.sight.position(self.game.view(self.table, powers_of_player(self.table, agent)))
        if asking is not None:
            self.sight.ask(row, asking.decision)
            self.asked, self.row = asking, row
        return row

    def offered(self) -> dict[int, str]:
        """Return the words that may be chosen now, by their numbers in the vocabulary."""
        return dict(self.asking.offered) if self.asking else {}

    @property
    def is_over(self) -> bool:
        """True if the game has ended, or has reached its limit of steps."""
        return self.table.state.phase == "over" or self.steps >= self.max_cycles

    def describe(self, powers: Collection[Power]) -> str:
        """Return the position in words, as the player of `powers` knows it."""
        return text(position_blocks(self.rules, self.game.view(self.table, powers), "en"))

    def render(self) -> str | None:
        """Return the position in words, as the seat that has to choose knows it; None if the mode is not `ansi`."""
        if self.render_mode != "ansi":
            return None
        return self.describe(powers_of_player(self.table, self.agent_selection))

    def copy(self) -> SeatsEnv:
        """Return an independent copy of the game in progress."""
        other = copy(self)
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "infos"):
            setattr(other, name, copy(getattr(self, name, {})))
        other.series, other.asked = deepcopy(self.series), None
        if self.agents:
            other.table, other.chances = copy_of(self.table), deepcopy(self.chances)
            other.score = copy(self.score)
            other.score.best = dict(self.score.best)
            other.asking = self.asking.copy_at(other.table) if self.asking else None
        return other

    def imagined(self, agent: str, seed: str) -> SeatsEnv:
        """Return a copy of the game in which everything that the seat `agent` cannot know is dealt anew from `seed`. If
        another seat is in the middle of an answer, that answer begins anew."""
        other = self.copy()
        other.table = imagine_world(self.table, powers_of_player(self.table, agent), seed)
        other.chances = {seat: Random(f"{seed}/{seat}") for seat in self.policies}  # noqa: S311
        if self.asking and agent == self.agent_selection:
            other.asking = self.asking.copy_at(other.table)
        elif self.asking:
            other.asking = Asking(other.table, self.game.decisions(other.table)[0], self.vocabulary)
        return other

    def __deepcopy__(self, memo: object) -> SeatsEnv:
        return self.copy()

    def close(self) -> None:
        """Do nothing."""


def env(
    bots: Mapping[str, str] = NO_BOTS, max_cycles: int = MOST_STEPS, render_mode: str | None = None, **terms: str
) -> AECEnv:
    """Return the environment of the game with these terms (`game="maria", scenario="advanced"`). `bots` has the level
    of the bot for each seat that is no agent. After `max_cycles` steps the game is cut off. Raises `ValueError` for
    unknown seats."""
    return OrderEnforcingWrapper(SeatsEnv(terms, bots, max_cycles, render_mode))
