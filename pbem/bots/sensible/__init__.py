"""What the sensible bots of all games have in common: what they see, how they judge places, marches and fights.

They know what the player of their power knows: its own hands and troops, and what lies open before everybody. The
`sight` modules are the only ones that look at the table; everything else decides by what they give it and by the
decision that is asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.bots.game_bots import OneAnswer
from pbem.bots.sensible import fighting, mustering
from pbem.bots.sensible.sight import Sight
from pbem.engine import decisions as d

SHARED: Mapping[type[d.Decision], OneAnswer[Sight]] = {
    d.Allot: mustering.allot,
    d.ChooseBattle: fighting.choose_battle,
    d.PlayCard: fighting.play_card,
    d.ChooseRetreat: fighting.choose_retreat,
}
"""How each kind of decision is answered that games ask alike."""
