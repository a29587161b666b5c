"""Bots of MARIA."""

from __future__ import annotations

from pbem.bots.plain import GameBots
from pbem.games.maria.bots import holding, sensible, strong, uniform
from pbem.games.maria.rules.gambit import cards_laid_aside
from pbem.games.maria.rules.sequence import nearness

PART = GameBots(
    hold=holding.hold,
    uniform=uniform.CHOICES,
    sensible=sensible.choose,
    strong=strong.choose,
    why=strong.why,
    unasked=holding.accept_offers,
    unseen=cards_laid_aside,
    card_point=0.12,
    nearness=nearness,
)
