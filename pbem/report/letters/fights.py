"""Battles of the present stage: under way, still to be fought, and no longer to be fought. Everybody knows them."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.campaign.briefing import Briefing
from pbem.engine.combat import own_city, own_score, player, remaining_battles
from pbem.engine.decisions import ChooseRetreat
from pbem.engine.events import BattleJoined, GeneralRemoved, Retreated
from pbem.engine.field import stack_at
from pbem.engine.nouns import City, each_piece
from pbem.engine.rules import Rules
from pbem.kit import game_of
from pbem.report import blocks
from pbem.report.consequences import Prospects


def fights_data(briefing: Briefing, language: str) -> dict[str, object]:
    """Return the battles of the present stage, by key. `now` is the battle under way, with the price of stopping; None
    without a battle. `next` are the battles to come, without those of a stack that has to retreat (§11). `lapsed` are
    those that are no longer to be fought. `is_retreat` is True if only a retreat is awaited. Outside a running game
    there are no battles."""
    table = briefing.table
    if table is None or briefing.phase != "running":
        return {"now": None, "next": [], "is_retreat": False, "lapsed": []}
    named, field = blocks.common_in_words(table.rules.common, language), table.state.field
    prospects = Prospects(table, briefing.powers, (), briefing.memory.strengths if briefing.memory else ())

    def side(city: City) -> tuple[list[str], dict[str, int]]:
        stack = stack_at(named, field, city)
        least, most = prospects.strength(stack)
        return blocks.pieces(named, stack), {"least": least, "most": most}

    def fight(attacker: City, defender: City) -> dict[str, object]:
        (attackers, attacking), (defenders, defending) = side(attacker), side(defender)
        return {
            "attackers": attackers,
            "defenders": defenders,
            "city": blocks.city(named, defender),
            "strengths": {"attackers": attacking, "defenders": defending},
        }

    duel, decisions = table.state.duel, game_of(table).decisions(table)
    now = fight(duel.attacking_city, duel.defending_city) if duel else None
    if duel and now:
        losers, has = side(own_city(duel))
        stop = {"power": player(duel), "losers": losers, "score": -own_score(duel), "has": has}
        now["stop"] = stop if own_score(duel) < 0 else None
    to_come = table.state.battles
    for each in decisions:
        if isinstance(each, ChooseRetreat):
            to_come = remaining_battles(to_come, each.start)
    return {
        "now": now,
        "next": [fight(battle.attacker, battle.defender) for battle in to_come],
        "is_retreat": bool(decisions) and all(isinstance(each, ChooseRetreat) for each in decisions),
        "lapsed": list(lapsed_battles(briefing, named)),
    }


def lapsed_battles(briefing: Briefing, named: Rules) -> Iterator[dict[str, object]]:
    """Yield the battles that were still to be fought at the reader's previous report, and that are not fought any more.
    `retreated` and `lost` name generals who have retreated or been eliminated since. If both are empty, the stacks are
    no longer enemies."""
    state, news = briefing.table_in_play.state, briefing.news
    joined = [{*each.attackers, *each.defenders} for each in news.events if isinstance(each, BattleJoined)]
    due = [
        {general for city in (each.attacker, each.defender) for general in stack_at(named, state.field, city)}
        for each in state.battles
    ]
    gone = [each.piece for each in news.events if isinstance(each, GeneralRemoved)]
    back = [general for each in news.events if isinstance(each, Retreated) for general in each.pieces]
    places = news.before.places if news.before else []
    for battle in news.due if places else ():
        attackers, defenders = (
            [general for general, place in each_piece(places) if place == city and named.is_general(general)]
            for city in (battle.attacker, battle.defender)
        )
        if any(some.intersection(attackers) and some.intersection(defenders) for some in (*joined, *due)):
            continue
        both = [*attackers, *defenders]
        yield {
            "attackers": blocks.pieces(named, attackers),
            "defenders": blocks.pieces(named, defenders),
            "city": blocks.city(named, battle.defender),
            "retreated": blocks.pieces(named, [each for each in both if each in back and each not in gone]),
            "lost": blocks.pieces(named, [each for each in both if each in gone]),
        }
