"""Battles of the present stage, as everybody can see them: the one that is being fought, and those that follow."""

from __future__ import annotations

from pbem.campaign.briefing import Briefing
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.field import stack_at
from pbem.engine.nouns import City
from pbem.kit import game_of
from pbem.report import blocks


def fights_data(briefing: Briefing, language: str) -> dict[str, object]:
    """Return the battle that is being fought, the battles that still follow in the stage, and `is_retreat`, which is
    true if only a retreat is awaited."""
    table = briefing.table
    if table is None or briefing.phase != "running":
        return {"now": None, "next": [], "is_retreat": False}
    named, field = blocks.common_in_words(table.rules.common, language), table.state.field

    def fight(attacker: City, defender: City) -> dict[str, object]:
        stacks = (blocks.pieces(named, stack_at(named, field, city)) for city in (attacker, defender))
        return dict(zip(("attackers", "defenders"), stacks, strict=True)) | {"city": blocks.city(named, defender)}

    duel, decisions = table.state.duel, game_of(table).decisions(table)
    return {
        "now": fight(duel.attacking_city, duel.defending_city) if duel else None,
        "next": [fight(battle.attacker, battle.defender) for battle in table.state.battles],
        "is_retreat": bool(decisions) and all(isinstance(each, ChooseRetreat) for each in decisions),
    }
