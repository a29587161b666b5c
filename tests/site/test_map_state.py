"""The map computed from public events alone equals the real position, through whole games."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from pbem.bots import plain
from pbem.bots.table import play
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.play import rulings
from pbem.engine.events import all_seen_by
from pbem.engine.field import Field, stack_at
from pbem.engine.memory import MapState, Memory, map_state_of, remember
from pbem.engine.nouns import each_piece
from pbem.engine.strengths import strength_limits
from pbem.engine.table import GameRules
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.kit import game_named
from pbem.paper.library import load_rules
from pbem.site.story import rules_for, story_of
from tests.campaign.simulated import SimulatedTable
from tests.site.reading import NOW

GAMES = [
    *(Terms("advanced", players, edition) for players in (3, 2) for edition in ("2.1", "1.0")),
    Terms("silesia-gambit"),
    Terms("introductory"),
    FriedrichTerms(),
    FriedrichTerms(expert=True),
]


def on_map(field: Field | MapState) -> list[tuple[int, bool] | None]:
    """City of every piece on the map, and whether it is face-down."""
    if isinstance(field, Field):
        return [(piece.city, piece.down) if piece.city >= 0 else None for piece in field.pieces]
    return [(city, down) if city >= 0 else None for city, down in zip(field.places, field.down, strict=True)]


def commanded(on_map: MapState, rules: GameRules, city: int) -> list[int]:
    """The generals in a city, the supreme commander first."""
    there = [piece for piece, at in enumerate(on_map.places) if at == city and rules.common.is_general(piece)]
    return sorted(there, key=lambda piece: (rules.common.pieces[piece].rank, not on_map.on_top[piece], piece))


def rules_on(terms: Terms | FriedrichTerms) -> GameRules:
    rules: GameRules = load_rules(terms)
    return rules


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("terms", GAMES, ids=str)
def test_the_map_follows_from_what_everybody_is_told(terms: Terms | FriedrichTerms, seed: int) -> None:
    rules = rules_on(terms)
    game = game_named(terms.game)
    standing = map_state_of(game.new_state(rules).field)
    memory = Memory(standing)
    compared = 0
    for table, events in play(rules, f"standing {seed}", plain.choose):
        remember(memory, game.on_map, rules.common, all_seen_by(events, ()))
        if any(type(task).__name__ == "ArriveTask" for task in table.state.tasks):
            continue  # pieces on their way home: they are shown where they were until they arrive
        field = table.state.field
        assert on_map(standing) == on_map(field)
        assert standing.markers == field.markers
        assert standing.questions == field.questions
        assert standing.hussars == field.hussars
        for city in {city for city in standing.places if city >= 0}:
            assert commanded(standing, rules, city) == stack_at(rules.common, field, city)
        compared += 1
        check_memory(memory, field)
        check_limits(rules, memory, field)
    assert compared > 20


def check_memory(memory: Memory, field: Field) -> None:
    """Check that sure strengths are right, and that every way ends where its piece stands."""
    for each in memory.declared:
        assert not each.sure or sum(field.pieces[general].troops for general in each.generals) == each.troops
        has, gained = sum(field.pieces[general].troops for general in each.generals), each.most_gained
        assert gained is None or each.troops <= has <= each.strength + gained
    for piece, way in memory.ways.items():
        assert way[-1] == field.pieces[piece].city


def check_limits(rules: GameRules, memory: Memory, field: Field) -> None:
    """Check that every general, and every stack, has as many troops as everybody can count."""
    common = rules.common
    generals = [piece for piece, each in each_piece(field.pieces) if each.city >= 0 and common.is_general(piece)]
    if not all(field.pieces[general].troops for general in generals):
        return  # not allocated yet
    stacks = [tuple(stack_at(common, field, city)) for city in {field.pieces[general].city for general in generals}]
    for stack in [*((general,) for general in generals), *stacks]:
        least, most = strength_limits(common, field, stack, memory.declared)
        assert least <= sum(field.pieces[general].troops for general in stack) <= most


def test_what_was_turned_back_is_no_part_of_the_story(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    table.play(6)
    rules = rules_for(read_folder(table.root, NOW))
    before = story_of(read_folder(table.root, NOW), rules, "en")
    with table.open() as campaign:
        entry = campaign.public.since
        campaign.save()
    table.play(5)
    longer = story_of(read_folder(table.root, NOW), rules, "en")
    assert len(longer.stages) > len(before.stages)
    with table.open() as campaign:
        campaign.now += timedelta(hours=1)
        rulings.rollback(campaign, entry, "a misunderstanding")
        campaign.save()
    after = story_of(read_folder(table.root, NOW), rules, "en")
    assert after.stages == before.stages
    assert after.battles == before.battles
