"""Bots of FRIEDRICH."""

from __future__ import annotations

from pbem.bots.game_bots import GameBots
from pbem.games.friedrich.bots import holding, reasons, sensible, strong, uniform
from pbem.games.friedrich.rules.victory import nearness

PART = GameBots(
    hold=holding.hold,
    uniform=uniform.CHOICES,
    sensible=sensible.choose,
    strong=strong.choose,
    why=reasons.why,
    card_point=0.04,
    nearness=nearness,
)
