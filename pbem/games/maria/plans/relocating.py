"""Cities, by a plan, for pieces that have to leave their own (§17.5, §19)."""

from __future__ import annotations

from pbem.engine.field import by_command, pieces_at
from pbem.engine.nouns import City
from pbem.games.maria.rules.decisions import GoTo, Relocate
from pbem.paper.plans.data import GoWish
from pbem.plans.retreating import places, road
from pbem.plans.sight import PlanSight


def go(sight: PlanSight, decision: Relocate, wish: GoWish) -> tuple[GoTo, ...]:
    """Open cities, the most wanted first, of equals the first in the alphabet.

    In a stack of equal ranks the old commander goes on (§6).
    """
    rules, field = sight.rules.common, sight.field
    goals = [(one, places(sight, decision.power, one.goals)) for one in wish.preferences]

    def rank(city: City) -> tuple[list[int], str, int]:
        return [road(sight, one, city, there) for one, there in goals], rules.board.cities[city].name, city

    found: list[GoTo] = []
    for city in sorted(decision.cities, key=rank):
        mates = by_command(rules, field, [piece for piece in pieces_at(field, city) if piece != decision.piece])
        found += [GoTo(city), *(GoTo(city, mate) for mate in mates[:1])]
    return tuple(found)
