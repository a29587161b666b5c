"""Plans for everything in whole games of both: always legal, and blind to the secrets of others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Decision
from pbem.engine.events import Event
from pbem.engine.table import Table, player_of
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms as MariaTerms
from pbem.kit import copy_of, game_of
from pbem.paper.plans.data import Plan
from pbem.paper.plans.files import load_plans
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource, topic_of
from tests import play as maria
from tests.friedrich import random_play as friedrich
from tests.friedrich.striving import strive
from tests.properties.test_secrecy import allot_anew, deal_anew
from tests.raider import raid

SHARED = """
    - {for: battle, role: attacker, when: {score: -6 or more, held: 3 or more}, tactic: win-cheaply, keep: [R]}
    - {for: battle, when: {mine: 5 or more}, play: [suit least, any to +1], tactic: hold, spend: 4, else: stop}
    - {for: battle, when: {suited: 2 or more, shown: 0 to 3}, tactic: lose-least, points: 12}
    - {for: battle, tactic: tie, else: stop}
    - {for: retreat, never-next-to: trains, cut-off-from: home, away-from: trains}
    - {for: attack-order, by: strongest}
    - {for: allot, give: even}
"""

OF_MARIA = f"""
plans:
  POWER:{SHARED}
    - {{for: recruit, give: even, keep-points: 6, else: stop}}
    - {{for: toll, pay: cheapest}}
    - {{for: influence, card: [highest trump at most 6, lowest other, none], keep: [R]}}
    - {{for: politics, select: [{{card: 1, shifts: {{russia: -1}}}}, {{card: 5, instruction: yes}}, conserve]}}
    - {{for: trump, say: spades}}
    - {{for: vote, say: charles}}
    - {{for: subsidy, when: {{hand: 4 or more}}, say: yes}}
    - {{for: peace, say: no}}
    - {{for: shift, say: yes}}
    - {{for: reduce, say: no}}
"""

OF_FRIEDRICH = f"""
plans:
  POWER:{SHARED}
    - {{for: recruit, give: even, troops: 3, else: stop}}
    - {{for: set aside, card: [lowest card, R]}}
    - {{for: offensive, card: [highest ♠, none], else: stop}}
    - {{for: redraw, card: [lowest card at most 4, none]}}
    - {{for: plunder, card: lowest card}}
"""

GAMES: list[tuple[Any, Any, str]] = [
    *((maria, terms, OF_MARIA) for terms in (maria.VARIANTS[0], MariaTerms("advanced"), MariaTerms("silesia-gambit"))),
    *((friedrich, terms, OF_FRIEDRICH) for terms in (FriedrichTerms("four", expert=True), FriedrichTerms("west"))),
]
NAMES = [f"{module.__name__.split('.')[1]}-{terms.scenario}" for module, terms, _ in GAMES]


def all_plans(table: Table, text: str) -> dict[str, list[Plan]]:
    """The same plans for every power, standing."""
    found: dict[str, list[Plan]] = {}
    for power in table.rules.powers:
        lines = text.replace("POWER", power).replace("{for:", "{standing: yes, for:")
        found |= load_plans(lines.encode(), "plans", table.rules)
    return found


def played(module: Any, terms: Any, text: str, seed: int, most: int) -> Iterator[tuple[Any, PlanSource, Decision]]:
    """A game by plans, and by a bot that looks for battles where they say nothing: every decision with its source."""
    choose: Any = raid if module is maria else strive
    table, events = module.start(terms, seed)
    tally, chance = Tally(), Random(seed)
    source = PlanSource(table, all_plans(table, text), tally)
    tally.see(events)
    for _ in range(most):
        if table.state.phase == "over":
            return
        decision = chance.choice(game_of(table).decisions(table))
        yield table, source, decision
        given = source.answer(decision)
        answer = given.answer if given else choose(table, decision, chance)
        happened: list[Event] = game_of(table).apply(table, decision.power, answer)
        tally.see(happened)


@pytest.mark.parametrize(("module", "terms", "text"), GAMES, ids=NAMES)
def test_in_whole_games_plans_give_legal_answers_to_all_that_they_are_for(module: Any, terms: Any, text: str) -> None:
    answered: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    for seed in range(5):
        for table, source, decision in played(module, terms, text, seed, 3000):
            topic = topic_of(table, decision)
            asked[topic] += 1
            speaks, reasons = source.speaks_of(decision), source.why_not(decision)
            assert not (speaks and reasons)
            answered[topic] += speaks
    wanted = {"battle", "retreat", "attack-order", "allot", "recruit"}
    assert {topic for topic in wanted if asked[topic]} <= {topic for topic, count in answered.items() if count}
    assert answered["battle"] > 20
    assert answered["retreat"] > 5
    own = {plan.kind for plans in source.plans.values() for plan in plans} - wanted
    silent = {topic for topic in own if asked[topic] and not answered[topic]}
    assert silent <= {"plunder", "toll"}


@pytest.mark.parametrize(("module", "terms", "text"), GAMES, ids=NAMES)
def test_a_plan_answers_alike_whatever_others_hide(module: Any, terms: Any, text: str) -> None:
    chance = Random(7)
    compared = 0
    for seed in range(5):
        for table, source, decision in played(module, terms, text, seed, 1200):
            compared += compared_with_twin(table, source, decision, chance)
    assert compared > 60


def compared_with_twin(table: Any, source: PlanSource, decision: Decision, chance: Random) -> bool:
    """True if a plan is for the decision; then it must judge alike where others hide something else."""
    if chance.random() < 0.5:
        return False
    player = player_of(table, decision.power)
    hidden = [power for power in table.rules.powers if player_of(table, power) != player]
    other = copy_of(table, SeededDealer("other"))
    deal_anew(other.state.cards, hidden, chance)
    if table.state.phase != "allotment":
        for power in hidden:
            allot_anew(other, power, chance)
    twin = PlanSource(other, source.plans, source.tally, source.used_lines(), source.stage)
    verdict = source.judge(decision)
    assert verdict == twin.judge(decision)
    return verdict is not None
