"""What only the bots of MARIA know."""

from __future__ import annotations

from pbem.bots.own import Bots
from pbem.games.maria.bots import holding, sensible, uniform

PART = Bots(hold=holding.hold, uniform=uniform.CHOICES, sensible=sensible.choose)
