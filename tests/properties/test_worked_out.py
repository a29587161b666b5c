"""Cached values equal the results of their rules, at every position of random games."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from pbem.bots.plain import choose
from pbem.engine import march, supply
from pbem.engine.cards import SeededDealer
from pbem.engine.conquest import (
    control_of,
    controller,
    count_controlled,
    held_by_partners,
    is_held_by_enemy,
    opponents_of,
)
from pbem.engine.field import (
    ASIDE,
    OFF,
    PieceState,
    alter,
    are_enemies,
    are_partners,
    closed_lands,
    may_stack,
    occupants,
    pieces_by_city,
)
from pbem.engine.roads import Ways
from pbem.engine.ways import check, ways_to
from pbem.games.friedrich.rules import effects, recruiting
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.kit import copy_of, game_named
from pbem.paper.library import load_rules

KINDS = [
    Terms("advanced"), Terms("advanced", edition="1.0"), Terms("introductory"), Terms("silesia-gambit"),
    FriedrichTerms("four", True), FriedrichTerms("west"),
]  # fmt: skip
each_kind = pytest.mark.parametrize("terms", KINDS, ids=lambda terms: f"{terms.game}-{terms.scenario}")


def positions(terms: Any, seeds: int = 2, each: int = 7) -> Iterator[Any]:
    """Tables of random games; two games go on in turn, so that what was kept of one is not true of the other."""
    rules, game, chance = load_rules(terms), game_named(terms.game), Random("worked out")
    tables = [game.start(rules, SeededDealer(str(seed)))[0] for seed in range(seeds)]
    for number in range(500):
        for table in tables:
            if table.state.phase == "over":
                continue
            if number % each == 0:
                yield table
            decision = game.decisions(table)[0]
            game.apply(table, decision.power, choose(table, decision, chance))


@pytest.mark.parametrize("part", PieceState.__struct_fields__)
def test_a_piece_is_a_value(part: str) -> None:
    with pytest.raises(AttributeError):
        setattr(PieceState(1), part, 2)


@each_kind
def test_who_stands_where(terms: Any) -> None:
    for table in positions(terms, each=1):
        field = table.state.field
        assert pieces_by_city(table.rules.common, field).at == occupants(field)


def test_a_piece_that_is_put_elsewhere_by_hand() -> None:
    table = next(positions(Terms("introductory")))
    rules, field = table.rules.common, table.state.field
    city = field.pieces[0].city
    for place in (city, OFF, city, 0, 3, 3, ASIDE, city):
        alter(field, 0, city=place)
        assert pieces_by_city(rules, field).at == occupants(field)
        assert any(0 in pieces for pieces in occupants(field).values()) is (place >= 0)
    field.pieces.pop()
    assert pieces_by_city(rules, field).at == occupants(field)


@each_kind
def test_supply(terms: Any) -> None:
    found = 0
    for table in positions(terms):
        rules, field = table.rules.common, table.state.field
        for power in table.rules.powers:
            obstacles = supply.obstacles_of(rules, field, power)
            foes = {
                now.city
                for now, one in zip(field.pieces, rules.pieces, strict=True)
                if are_enemies(field, one.power, power)
            }
            assert supply.enemy_cities(rules, field, power) == foes - {OFF, ASIDE}
            goals = {field.pieces[train].city for train in rules.trains(power)} - {OFF, ASIDE}
            for general in rules.generals(power):
                start = field.pieces[general].city
                if start >= 0:
                    path = supply.shortest(rules, start, goals, obstacles.barred)
                    assert path == supply.search_path(rules, start, goals, obstacles.barred)
                    found += bool(path)
    assert found


@each_kind
def test_ways_that_are_found_are_open(terms: Any) -> None:
    """A march along such a way is not judged again; judged, it passes."""
    game = game_named(terms.game)
    for table in positions(terms, each=9):
        for piece in [index for index, now in enumerate(table.state.field.pieces) if now.city >= 0][::5]:
            column = game.column_of(table, [piece])
            assert game.column_of(table, [piece]).asked == column.asked
            judging = march.Column(column.rules, column.field, column.asked, column.circumstances)
            for way in march.destinations(column).values():
                check(judging, way)
            assert judging.ways is None


@each_kind
def test_every_goal_has_a_way_by_the_written_rule_as_short_as_any(terms: Any) -> None:
    """Of every piece that stands on the map, whosever turn it is: so `legal` tells how far an enemy reaches."""
    for table in positions(terms, seeds=1, each=40):
        game = game_named(terms.game)
        for piece, state in enumerate(table.state.field.pieces):
            if state.city < 0:
                continue
            column = game.column_of(table, [piece])
            for city, road in march.destinations(column).items():
                if city != column.start:
                    assert len(ways_to(column, (city,))[0].path) == len(road)


@each_kind
def test_control(terms: Any) -> None:
    for table in positions(terms):
        rules, field = table.rules.common, table.state.field
        control = control_of(rules, field)
        cities = rules.objectives or rules.board.fortresses
        assert {city: control.holder[city] for city in cities} == {c: controller(rules, field, c) for c in cities}
        for power in table.rules.powers:
            hostile, dealings = opponents_of(rules, field, power), control.stance.dealings(rules, field, power)
            sides = {
                index: facts.power for index, facts in enumerate(rules.pieces) if facts.power in field.alliances.side
            }
            foes = {index for index, other in sides.items() if are_enemies(field, other, power)}
            assert dealings.hostile == foes
            assert (dealings.rivals, dealings.prey) == (foes & rules.all_generals, foes - rules.all_generals)
            friends = {index for index, other in sides.items() if may_stack(field, other, power)}
            assert dealings.welcome == friends & rules.all_generals
            assert hostile.foes == {other for other in field.alliances.side if are_enemies(field, power, other)}
            assert hostile.fortresses == {city for city in cities if is_held_by_enemy(rules, field, city, power)}
            holders = {city: controller(rules, field, city) for city in rules.board.fortresses}
            assert held_by_partners(rules, field, power) == tuple(
                city for city, holder in holders.items() if holder and are_partners(field, holder, power)
            )
            lands = set(rules.board.land[:40])
            held = [c for c in rules.board.fortresses if rules.board.land[c] in lands]
            assert count_controlled(rules, field, power, lands) == sum(
                controller(rules, field, city) == power for city in held
            )


@each_kind
def test_views_of_a_position_do_not_depend_on_what_was_shown_before(terms: Any) -> None:
    game = game_named(terms.game)
    for table in positions(terms):
        kept = table.rules.common.cache
        for powers in ((), *table.rules.seats.values()):
            shown = game.view(table, powers)
            before = dict(kept)
            kept.clear()
            assert game.view(copy_of(table), powers) == shown
            kept.clear()
            kept.update(before)


@each_kind
def test_ground_that_marches_are_kept_from(terms: Any) -> None:
    game = game_named(terms.game)
    for table in positions(terms, each=5):
        rules, field = table.rules.common, table.state.field
        everywhere = frozenset(city.index for city in rules.board.cities if rules.board.in_play(city.index))
        for piece in [index for index, now in enumerate(field.pieces) if now.city >= 0][::4]:
            column = game.column_of(table, [piece])
            forced = {
                city
                for city in everywhere
                if column.enemy_near(city) is not None or is_held_by_enemy(rules, field, city, column.power)
            }
            assert march.shunned_cities(column) & everywhere == forced
            lands = closed_lands(rules, field, column.powers)
            assert column.closed & everywhere == {city for city in everywhere if rules.board.land[city] in lands}


def plain_spread(column: march.Column, steps: int, main: bool, forced: bool) -> dict[int, tuple[int, ...]]:
    """Step by step, each rule asked of each city: what `spread` has to say."""
    board, found = column.rules.board, dict[int, tuple[int, ...]]()
    edge: list[tuple[int, tuple[int, ...]]] = [(column.start, ())]
    for _ in range(steps):
        beyond = []
        for here, path in edge:
            for city in board.main[here] if main else board.near[here]:
                entry = column.entry(city)
                shut = forced and (
                    column.enemy_near(city) is not None
                    or is_held_by_enemy(column.rules, column.field, city, column.power)
                )
                if city in found or column.step_closed(here, city) or shut or entry is march.CityEntry.BLOCKED:
                    continue
                found[city] = (*path, city)
                if not column.halts(entry):
                    beyond.append((city, found[city]))
        edge = beyond
    return found


@each_kind
def test_reach(terms: Any) -> None:
    game = game_named(terms.game)
    for table in positions(terms, each=4):
        for piece in [index for index, now in enumerate(table.state.field.pieces) if now.city >= 0][::3]:
            column = game.column_of(table, [piece])
            any_road, main_road, forced = column.ranges
            plain = {}
            for asked in ((any_road, False, False), (main_road, True, False), (forced, True, True)):
                found = Ways(column.start, [march.spread(column, *asked)])
                stepwise = plain_spread(column, *asked)
                assert list(found.items()) == list(stepwise.items())
                plain |= {city: way for city, way in stepwise.items() if city not in plain}
            assert list(march.reach(column).items()) == list(plain.items())


def test_a_card_of_fate_changes_no_march_that_it_does_not_concern() -> None:
    untouched = 0
    for table in positions(FriedrichTerms("four"), each=5):
        rules, effect = table.rules.common, effects.effect_now(table)
        for general in sorted(rules.all_generals):
            if effect is None or effects.concerns_march(table, effect, [general]):
                continue
            assert effects.general_range(table, [general], 3, 4) == (3, 4)
            cities = [city for city in range(len(rules.board.cities)) if city % 16 == general % 16]
            assert all(effects.may_stop(table, [general], city) for city in cities)
            assert all(effects.may_take_train(table, [general], city) for city in cities)
            untouched += 1
    assert untouched


def test_powers_cut_off_from_their_depots() -> None:
    found = set()
    for table in positions(FriedrichTerms("four"), seeds=4, each=1):
        rules, field = table.rules.common, table.state.field
        taken = occupants(field)
        cut_off = [
            power
            for power in table.rules.powers
            if all(
                any(are_enemies(field, rules.pieces[piece].power, power) for piece in taken.get(city, ()))
                for city in table.rules.depots(power)
            )
        ]
        assert recruiting.all_cut_off(table) == tuple(cut_off)
        found.update(cut_off)
    assert found


def test_a_power_is_asked_for_recruits_if_its_levy_offers_anything() -> None:
    asked = set()
    for here in positions(FriedrichTerms("four"), seeds=1, each=3):
        for power in here.rules.powers:
            table = copy_of(here)
            table.state.stage = power
            recruiting.begin(table)
            offers = recruiting.offers_anything(recruiting.decision(table, power))
            assert table.state.owing == ([power] if offers else [])
            asked.add(offers)
    assert asked == {True, False}
