"""City number 0 is a city like every other: a place put before it that nobody can reach changes nothing in a game."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from pbem.bots.table import bot_named, play
from pbem.engine.board import Area, CityData
from pbem.engine.cards import SeededDealer
from pbem.engine.events import all_seen_by
from pbem.engine.field import ASIDE, alter, troops_of
from pbem.engine.memory import Memory, map_state_of, remember
from pbem.engine.nouns import City, Power
from pbem.engine.table import GameRules
from pbem.games.friedrich.paper import library as friedrich
from pbem.games.friedrich.rules.data import Terms as TermsOfFriedrich
from pbem.games.maria.paper import library as maria
from pbem.games.maria.rules.data import Terms as TermsOfMaria
from pbem.games.maria.rules.invariants import problems
from pbem.kit import game_named, game_of
from pbem.paper import library
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import SequenceNode, bare, read_yaml
from pbem.paper.library import load_named_board, load_rules
from pbem.paper.positions.files import read_position
from pbem.paper.positions.shared import piece_text
from pbem.report.telling import told_data
from tests.test_cases import CASES, Outcome, of_game

LOADERS: dict[str, Any] = {"maria": maria.load_maria, "friedrich": friedrich.load_friedrich}

GAMES = [
    (TermsOfMaria("introductory"), "random", "Berlin", 2),
    (TermsOfMaria("introductory"), "sensible", "Breslau", 1),
    (TermsOfMaria("introductory"), "sensible", "Prag", 1),
    (TermsOfMaria("advanced"), "sensible", "Linz", 1),
    (TermsOfMaria("advanced"), "random", "Prag", 2),
    (TermsOfFriedrich("four"), "sensible", "Dresden", 1),
    (TermsOfFriedrich("four"), "random", "Bunzlau", 2),
]
"""Games, who plays them, the city that is number 0, and how many of them."""


@cache
def rules_with(terms: Any, first: str, behind: bool) -> GameRules:
    """The rules of a game on a board with this city before all others, but perhaps for one that is out of reach."""
    load = LOADERS[terms.game]
    board = load_named_board(terms.board)
    cities = sorted(board.cities, key=lambda city: city.name != first)
    land = (*board.other_lands, *board.powers)[0]
    nowhere = CityData("Nowhere", cities[0].map, 99_999, 99_999, land, cities[0].suit)
    board = replace(board, cities=(*[nowhere] * behind, *cities))
    with patch.object(library, "load_named_board", lambda *_: board):
        rules: GameRules = load.__wrapped__(terms)
    return rules


def told(rules: GameRules, bot: str, seed: str) -> Iterator[str]:
    """All that happens in a game and is remembered of it, by names."""
    game, names = game_named(rules.terms.game), [city.name for city in rules.common.board.cities]
    memory = Memory(map_state_of(game.new_state(rules).field))
    for _, events in play(rules, seed, bot_named(bot, rules.terms.game)):
        for event in events:
            yield str(told_data(rules, event))
        remember(memory, game.on_map, rules.common, all_seen_by(events, ()))
        ways = {piece: [names[city] for city in way] for piece, way in memory.ways.items()}
        yield f"{ways} {memory.declared}"


@pytest.mark.parametrize(("terms", "bot", "first", "count"), GAMES)
def test_a_place_before_the_first_city_changes_no_game(terms: Any, bot: str, first: str, count: int) -> None:
    here, there = (rules_with(terms, first, behind) for behind in (False, True))
    for seed in range(count):
        assert list(told(here, bot, f"{seed}")) == list(told(there, bot, f"{seed}"))


MOST = 4 if "PBEM_ALL" in os.environ else 1
"""Number of cities of a case that are tried: one in the suite, more in the long profile."""


def cities_of(game: str, case: Any) -> list[str]:
    """The first cities that a case names, as it goes on."""
    board = {"maria": "theatrum-belli", "friedrich": "friedrich"}[game]
    text = str([case["position"], case.get("orders"), case["expect"]])
    places = {city.name: text.find(city.name) for city in load_named_board(board).cities}
    return sorted((name for name, place in places.items() if place >= 0), key=lambda name: places[name])[:MOST]


def outcome_of(game: str, node: Any, first: str, behind: bool) -> list[str]:
    """All that comes of a case, by names."""

    def load(terms: Any, folder: object) -> GameRules:
        return rules_with(terms, first, behind)

    with patch("pbem.paper.library.load_rules", load):
        try:
            outcome = Outcome(read_position(of_game(node.items["position"], game), "position"))
        except Refused as refused:
            return [fault.message_line("position") for fault in refused.faults]
        orders = node.items.get("orders")
        for part in orders.items if isinstance(orders, SequenceNode) else filter(None, [orders]):
            outcome.play(part)
    table = outcome.table
    rules, field = table.rules, table.state.field
    names = [city.name for city in rules.common.board.cities]
    told_of = [
        *(told_data(rules, each) for each in outcome.events),
        *(told_data(rules, each) for each in outcome.waiting),
    ]
    pieces = [piece_text(rules, piece) for piece in field.pieces]
    marks = [{names[city]: power for city, power in each.items()} for each in (field.markers, field.questions)]
    return [fault.message_line("orders") for fault in outcome.faults] + [
        str(each) for each in (*told_of, pieces, marks)
    ]


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_a_place_before_the_first_city_changes_no_case(game: str) -> None:
    """Cases once more, on boards that begin with a city of their own: every sixth, in the long profile all."""
    for its, node in [param.values for param in CASES][:: 1 if MOST > 1 else 6]:
        if its == game:
            for first in cities_of(game, bare(node)):
                here, there = (outcome_of(game, node, first, behind) for behind in (False, True))
                assert here == there, (bare(node.items["case"]), first)


def test_troops_in_the_first_city_count() -> None:
    table = read_position(read_yaml(b"turn: 2\npieces: {Friedrich: 'Berlin, 4'}\n", "position"), "position")
    rules, field, prussia = table.rules.common, table.state.field, Power("prussia")
    before = troops_of(rules, field, prussia)
    friedrich = next(piece for piece in rules.generals(prussia) if field.pieces[piece].city == 0)
    assert game_of(table).view(table, ()).troops[prussia] == before
    alter(field, friedrich, city=ASIDE)
    assert game_of(table).view(table, ()).troops[prussia] == before - 4
    alter(field, friedrich, city=City(0), troops=3)
    assert game_of(table).view(table, ()).troops[prussia] == before - 1


def test_the_first_city_may_be_out_of_play() -> None:
    """Gent is on the map of Flanders, which the introductory game leaves out."""
    rules = rules_with(TermsOfMaria("introductory"), "Gent", False)
    table = game_named("maria").table(rules, game_named("maria").new_state(rules), SeededDealer("1"))
    alter(table.state.field, table.rules.common.generals(Power("austria"))[0], city=City(0))
    assert "E-POSITION" in {found.wrong.code for found in problems(table)}


def test_the_first_sector_is_one() -> None:
    board = load_rules(TermsOfMaria("advanced")).common.board
    around = next(city.name for city in board.cities if board.sector[city.index] == 0)
    assert {board.sector[city] for city in board.area(Area(around=around))} == {0}
