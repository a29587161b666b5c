"""Enemies who are about to win, from public facts."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct

from pbem.engine.field import are_enemies
from pbem.engine.nouns import Power
from pbem.faults.wrong import words
from pbem.report.consequences import Prospects, Threat
from pbem.report.language.templates import capital
from pbem.report.telling import game_report

NEAR = 3
"""An enemy counts as about to win if no more than this number of goal cities or markers is missing."""


class NearVictory(Struct, frozen=True):
    """Enemy who is about to win: the number of goal cities or markers that the enemy has, and the number needed."""

    power: Power
    held: int
    needed: int

    def sentence(self, language: str) -> str:
        told = words("near-victory", power=self.power, left=self.needed - self.held, held=self.held, needed=self.needed)
        return capital(told.text(language))


def near_victory(prospects: Prospects, at_risk: Collection[Threat] = ()) -> Iterator[NearVictory]:
    """Yield each enemy who misses no more than `NEAR` goal cities or markers, or no more than could be conquered of the
    cities `at_risk` for that enemy."""
    alliances, powers = prospects.field.alliances, prospects.powers
    own = [power for power in powers if power in alliances.side]
    for power, (held, needed) in game_report(prospects.table.rules.terms.game).progress(prospects.view).items():
        is_foreign = power in alliances.side and power not in powers
        if is_foreign and any(are_enemies(prospects.field, each, power) for each in own):
            takers = ({alliances.principal[comer.stack.power] for comer in each.comers} for each in at_risk)
            if needed - held <= max(NEAR, sum(power in some for some in takers)):
                yield NearVictory(power, held, needed)
