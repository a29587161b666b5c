"""The points of a game, as championships give them: for victory, and for how near to it everybody else ever came."""

from __future__ import annotations

from pbem.bots.game_bots import game_bots
from pbem.bots.table import winners_of
from pbem.engine.table import GameRules, Table

VICTORY = 100.0
"""The points of whoever wins, alone or with others."""

NEARNESS = 50.0
"""The most points of all others, who get them for how near they ever came when a stage began."""


class Score:
    """How near everybody has come to victory so far."""

    def __init__(self, rules: GameRules) -> None:
        """Nobody has come near."""
        self.nearness = game_bots(rules.terms.game).nearness
        self.best = dict.fromkeys(rules.seats, 0.0)
        self.stage = ""

    def see(self, table: Table) -> None:
        """Look at a table, of which it counts how a stage begins and how the game ends."""
        if table.state.stage != self.stage or table.state.phase == "over":
            self.stage = table.state.stage
            self.best |= {player: max(self.best[player], near) for player, near in self.nearness(table).items()}

    def points(self, table: Table) -> dict[str, float]:
        """Everybody's points so far; nobody has won before the game is over."""
        won = winners_of(table) if table.state.phase == "over" else []
        return {seat: VICTORY if seat in won else round(NEARNESS * near, 2) for seat, near in self.best.items()}
