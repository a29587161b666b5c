"""Reasons of advice on retreats and hussars: they tell what the bot itself has weighed."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from pbem.bots.plain import game_bots
from pbem.bots.sensible.fighting import harm
from pbem.bots.table import bot_named
from pbem.desk.desk import Desk
from pbem.desk.opening import open_file
from pbem.desk.practice import rules_of, terms_of
from pbem.desk.stage_plan import answer_of
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import ChooseRetreat, RetreatAlong
from pbem.engine.field import OFF
from pbem.faults.wrong import Words
from pbem.games.maria.bots.sensible.marching import raid, raid_worth
from pbem.games.maria.bots.strong import sight_of
from pbem.games.maria.rules.decisions import Corps, HussarPlacement, PlaceHussars, SendCorps
from pbem.kit import AnyTable, game_named, game_of
from pbem.report.telling import question
from tests.desk.fields import retreat, table_with_corps


def table_of(field: Callable[[], bytes]) -> AnyTable:
    """The table of a file."""
    desk = Desk("en")
    open_file(desk, field(), "field.yaml")
    return desk.table


def numbers(reasons: tuple[Words, ...]) -> list[float]:
    """Numbers in the words of the only reason."""
    (reason,) = reasons
    return [float(each) for each in re.findall(r"[0-9.]+", reason.text("en"))]


def test_a_retreat_is_advised_for_the_harm_that_the_bot_weighs() -> None:
    table = table_of(retreat)
    decision = game_of(table).decisions(table)[0]
    assert isinstance(decision, ChooseRetreat)
    answer = answer_of(table, decision)
    assert isinstance(answer, RetreatAlong)
    *others, last = game_bots("maria").why(table, decision, answer)
    (roads,) = numbers((last,))
    sight, cities = sight_of(table, decision.power).sight, {each.key: len(dict(each.gaps)["cities"]) for each in others}
    fallen, entered, guarded = (cities.get(f"why-retreat-{key}", 0) for key in ("falls", "open", "guards"))
    assert guarded
    told = roads - 3 * guarded + sight.weights.falling * fallen - sight.weights.laid_open * entered
    assert told == harm(sight, decision.pieces, answer.path[-1])


def raiding() -> tuple[AnyTable, PlaceHussars]:
    """A table at which hussars can cost the enemy's supply something."""
    game, chance, bot = game_named("maria"), Random(1), bot_named("random", "maria")
    table, _ = game.start(rules_of(terms_of("maria", "advanced")), SeededDealer("hussars"))
    while True:
        decision = game.decisions(table)[0]
        if isinstance(decision, PlaceHussars):
            sight = sight_of(table, decision.power).sight
            if any(city >= 0 for city in raid(sight.common, sight.field, decision).cities):
                return table, decision
        game.apply(table, decision.power, bot(table, decision, chance))


@pytest.mark.parametrize("is_raid", [True, False])
def test_hussars_are_advised_for_what_they_cost_the_enemy(*, is_raid: bool) -> None:
    table, decision = raiding()
    sight = sight_of(table, decision.power).sight
    best = raid(sight.common, sight.field, decision)
    answer = best if is_raid else HussarPlacement((OFF,) * len(best.cities))
    worth = raid_worth(sight.common, sight.field, decision, answer)
    reasons = game_bots("maria").why(table, decision, answer)
    assert numbers(reasons) == ([round(worth, 1)] if is_raid else [])
    assert (worth > 0) == is_raid


@pytest.mark.parametrize("lasting", [False, True])
def test_a_corps_is_advised_with_its_cost_and_the_time_of_its_return(*, lasting: bool) -> None:
    table = table_with_corps(lasting=lasting)
    decision = game_of(table).decisions(table)[0]
    assert isinstance(decision, SendCorps)
    answer = answer_of(table, decision)
    assert isinstance(answer, Corps)
    cost, time = (each.text("en") for each in game_bots("maria").why(table, decision, answer))
    assert "costs no cards" in cost
    assert str(table.state.field.pieces[answer.general].troops) in cost
    assert time.endswith("to the end of the game" if lasting else "no longer counts")
    assert lasting or "Schottwien" in time


def test_a_corps_from_off_the_map_is_advised_with_its_price() -> None:
    table = table_with_corps()
    decision = game_of(table).decisions(table)[0]
    assert isinstance(decision, SendCorps)
    general = decision.generals[0]
    asked = replace(decision, recruits=(general,))
    cost, _ = (each.text("en") for each in game_bots("maria").why(table, asked, Corps(general)))
    assert cost.endswith("points of cards: 8")


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_question_for_a_corps_tells_the_price_and_where_the_general_comes_back(language: str) -> None:
    table = table_with_corps()
    decision = game_of(table).decisions(table)[0]
    assert isinstance(decision, SendCorps)
    asked = replace(decision, recruits=decision.generals[:1])
    told = question(table.rules, asked, {}, language)
    assert re.search(r"8\W(points|Punkte|puntos|punti)", told)
    assert "Schottwien" in told
