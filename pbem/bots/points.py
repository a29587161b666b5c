"""Points of a game, as championships count them: for victory, or for the nearest approach to it."""

from __future__ import annotations

from pbem.bots.game_bots import game_bots
from pbem.bots.table import winners_of
from pbem.engine.table import GameRules, Table

VICTORY = 100.0
"""Points of a winner, alone or with others."""

NEARNESS = 50.0
"""Most points of a player who does not win, for the greatest nearness to victory at the start of any stage."""


class Score:
    """Greatest nearness to victory of every player so far."""

    def __init__(self, rules: GameRules) -> None:
        self.nearness = game_bots(rules.terms.game).nearness
        self.best = dict.fromkeys(rules.seats, 0.0)
        self.stage = ""

    def see(self, table: Table) -> None:
        """Read the nearness from a table; only the start of each stage and the end of the game count."""
        if table.state.stage != self.stage or table.state.phase == "over":
            self.stage = table.state.stage
            self.best |= {player: max(self.best[player], near) for player, near in self.nearness(table).items()}

    def points(self, table: Table) -> dict[str, float]:
        """Points of everybody so far; nobody has won before the game is over."""
        won = winners_of(table) if table.state.phase == "over" else []
        return {seat: VICTORY if seat in won else round(NEARNESS * near, 2) for seat, near in self.best.items()}
