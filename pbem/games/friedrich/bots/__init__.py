"""What only the bots of FRIEDRICH know."""

from __future__ import annotations

from pbem.bots.own import Bots
from pbem.games.friedrich.bots import holding, sensible, uniform

PART = Bots(hold=holding.hold, uniform=uniform.CHOICES, sensible=sensible.choose)
