"""Bots of FRIEDRICH."""

from __future__ import annotations

from pbem.bots.plain import GameBots
from pbem.games.friedrich.bots import sensible, strong
from pbem.games.friedrich.rules.offensive import nearness

PART = GameBots(
    hold=strong.hold,
    uniform=strong.CHOICES,
    sensible=sensible.choose,
    strong=strong.choose,
    why=strong.why,
    card_point=0.04,
    nearness=nearness,
)
