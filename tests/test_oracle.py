"""The engine against the brute-force oracle: on its fixed situations, in mid-game, and on pieces thrown at random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from pbem.engine import march, ways
from pbem.engine.conquest import controller
from pbem.engine.events import Conquered, HussarRemoved, Questioned, TrainTaken
from pbem.engine.field import at_home
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import toll, trace
from pbem.engine.troops import Retreat, RetreatGround
from pbem.engine.troops import check as check_retreat
from pbem.engine.ways import ways_to
from pbem.games.maria.rules import hussars, movement, winter
from tests.trying import IS_LONG
from tests.walks import walks

from .oracle import brute
from .oracle.bridge import JOINT, Bridge, oracle_board, rules_on, scattered, situation_of
from .play import VARIANTS, position

CASES = brute.load_cases()
COUNTS: dict[str, Any] = brute.load(brute.COUNTS)
PIECES = rules_on(introductory=False).common.pieces

ADVANCED_ONLY = "Arenberg"
"""The general whom §22 supplies in another way, a rule that the introductory game does not have."""


def bridge_of(case: brute.Case) -> Bridge:
    """A fixed situation on a table; on the whole board the oracle too goes by the rules of the introductory game."""
    return Bridge(replace(case.situation, introductory=True), whole_board=not case.situation.introductory)


def questions(attribute: str) -> list[Any]:
    """Every question of one kind in the fixed situations, as parameters of a test."""
    return [
        pytest.param(case, item, id=f"{case.id}: {item if isinstance(item, str) else ' + '.join(map(str, item))}")
        for case in CASES
        for item in getattr(case, attribute)
        if item != ADVANCED_ONLY or case.situation.introductory
    ]


# -------- one comparison for each question that the oracle answers


def compare_march(bridge: Bridge, movers: tuple[str, ...], chance: Random) -> set[brute.WalkPath]:
    """The same paths of an ordinary march are offered, accepted, and all others refused."""
    expected = set(brute.marches(bridge.situation, movers))
    column = bridge.column(movers)
    offered = [bridge.names(path) for path in walks(column)]
    assert len(set(offered)) == len(offered)
    assert set(offered) == expected
    start = brute.common_city(bridge.situation, movers)
    for path in brute.walks(bridge.situation.board, start, 4):
        assert accepted(column, bridge.numbers(path)) == (path in expected), path
    cities = len(bridge.common.board.cities)
    for _ in range(30):
        jumps = tuple(chance.randrange(cities) for _ in range(chance.randint(0, 4)))
        assert accepted(column, jumps) == (bridge.names(jumps) in expected), jumps
    return expected


def compare_ways(bridge: Bridge, movers: tuple[str, ...], paths: Iterable[brute.WalkPath]) -> None:
    """To every goal lead the shortest of all these ways, and of them the one comes first that conquers least."""
    start = brute.common_city(bridge.situation, movers)
    to: dict[str, list[brute.WalkPath]] = {}
    for path in brute.without_return(start, paths):
        to.setdefault(path[-1], []).append(path)
    for goal, all_ways in to.items():
        least = min(map(len, all_ways))
        shortest = [path for path in all_ways if len(path) == least]
        column = bridge.column(movers)
        found = [bridge.names(way.path) for way in ways_to(column, bridge.numbers((goal,)))]
        assert sorted(found) == sorted(shortest)
        assert found[0] == min(shortest, key=lambda path: rank(bridge.situation, movers, path))
        for via in shortest[0][:-1]:
            passing = [bridge.names(way.path) for way in ways_to(column, bridge.numbers((via, goal)))]
            assert sorted(passing) == sorted(path for path in shortest if via in path)


def rank(situation: brute.Situation, movers: tuple[str, ...], path: brute.WalkPath) -> tuple[Any, ...]:
    """Effects of a way besides leading to its goal, and its name."""
    done = brute.conquered(situation, movers, path, forced=len(path) > 4)
    unasked = [len(set(cities) - {path[-1]}) for cities in (done.at_once, done.question_marks)]
    trains, hussars = brute.trains_eliminated(situation, movers, path), brute.hussars_removed(situation, path)
    at_goal = brute.trains_eliminated(situation, movers, path[-1:]), brute.hussars_removed(situation, path[-1:])
    return (*unasked, len(trains) - len(at_goal[0]), hussars - at_goal[1], path)


def accepted(column: march.Column, path: Road) -> bool:
    """True if the engine lets the column go this path."""
    try:
        ways.check(column, path)
    except IllegalOrder:
        return False
    return True


def compare_forced(
    bridge: Bridge, movers: tuple[str, ...], ordinary: set[brute.WalkPath], chance: Random
) -> list[brute.WalkPath]:
    """The same forced marches of five to eight cities, and the same cities in reach altogether; all forced marches."""
    every = brute.forced_marches(bridge.situation, movers)
    expected = {path for path in every if len(path) >= 5}
    start = brute.common_city(bridge.situation, movers)
    column = bridge.column(movers)
    assert all(accepted(column, bridge.numbers(path)) for path in expected)
    for _ in range(300 if IS_LONG else 60):
        path = random_walk(bridge.situation.board, start, chance.randint(5, 9), chance)
        assert accepted(column, bridge.numbers(path)) == (path in expected), path
    reach = {path[-1] for path in expected} | {path[-1] for path in ordinary}
    ways = march.destinations(column)
    assert set(bridge.names(tuple(ways))) == reach
    for end, way in ways.items():
        assert way[-1] == end
        assert accepted(column, way)
    return every


def random_walk(board: brute.Board, start: str, length: int, chance: Random) -> brute.WalkPath:
    """A walk at random, mostly by main roads."""
    path: list[str] = []
    for _ in range(length):
        here = path[-1] if path else start
        roads = board.main_neighbours(here) if chance.random() < 0.97 else board.neighbours(here)
        path.append(chance.choice(roads or board.neighbours(here)))
    return tuple(path)


def compare_outcome(bridge: Bridge, movers: tuple[str, ...], path: brute.WalkPath, forced: bool) -> None:
    """The same fortresses fall or are put in question, the same trains and hussars are lost."""
    situation, field = bridge.situation, bridge.copy_of_field()
    column = bridge.column(movers, field)
    stack = [column.movers[0], *column.taken.get(bridge.index[path[-1]], [])]
    events = march.march(bridge.common, field, column, bridge.numbers(path), stack[0])
    expected = brute.conquered(situation, movers, path, forced)
    fallen = [event for event in events if isinstance(event, Conquered)]
    assert bridge.names(tuple(event.city for event in fallen)) == expected.at_once
    questioned = tuple(event.city for event in events if isinstance(event, Questioned))
    assert bridge.names(questioned) == expected.question_marks
    for event in fallen:
        city = bridge.common.board.cities[event.city].name
        holder = controller(bridge.common, field, event.city) or ""
        if not situation.board.home_power(city):
            holder = JOINT.get(holder, holder)
        expected_holder = brute.controller_after(situation, city, event.by)
        assert holder in (expected_holder, JOINT.get(expected_holder)) or (
            (holder, expected_holder) == ("austria", "pragmatic")
        ), city
    taken = [bridge.common.pieces[event.train].name for event in events if isinstance(event, TrainTaken)]
    assert taken == brute.trains_eliminated(situation, movers, path)
    swept = sum(isinstance(event, HussarRemoved) for event in events)
    assert swept == brute.hussars_removed(situation, path)
    assert {field.pieces[mover].city for mover in column.movers} == {bridge.index[path[-1]]}


def compare_supply(bridge: Bridge, general: str) -> None:
    """The same generals are at home, in supply for nothing, for a toll of the same size, or not at all."""
    expected = brute.supply_paths(bridge.situation, general)
    piece = bridge.piece[general]
    home = at_home(bridge.common, bridge.field, piece)
    assert home == expected.at_home
    path = trace(bridge.common, bridge.field, piece)
    paths = expected.free or expected.paths
    if not paths:
        assert path is None
        return
    assert path is not None
    assert bridge.names(path) in paths
    assert len(path) == min(len(other) for other in paths)
    owed = toll(bridge.common, bridge.field, bridge.situation.pieces[general].power, path)
    assert owed == (0 if expected.free else expected.toll if not home else len(path))


def compare_retreat(bridge: Bridge, losers: tuple[str, ...], winner: str, length: int) -> None:
    """The same ends, and the same paths accepted, of all that free roads allow and of some that they do not."""
    situation = bridge.situation
    start = brute.common_city(situation, losers)
    expected = brute.retreats(situation, losers, winner, length)
    retreat = Retreat(bridge.index[start], length, "austria", bridge.index[winner])
    way = RetreatGround(bridge.common, bridge.field, retreat, [bridge.piece[name] for name in losers])
    ends = way.ends
    assert set(bridge.names(tuple(ends))) == expected.ends
    for end, shown in ends.items():
        assert shown[-1] == end
        assert bridge.names(shown) in expected.legal
    tried = list(islice(brute.walks(situation.board, start, min(length, 5)), 3000))
    for path in {*expected.possible, *tried}:
        assert retreat_accepted(way, tuple(ends), bridge.numbers(path)) == (path in expected.legal), path


def retreat_accepted(way: RetreatGround, ends: tuple[int, ...], path: tuple[int, ...]) -> bool:
    """True if the engine lets the winner choose this retreat."""
    try:
        check_retreat(way, ends, path)
    except IllegalOrder:
        return False
    return True


def compare_hussars(bridge: Bridge) -> set[str]:
    """The same cities are open to hussars."""
    cities = set(bridge.names(tuple(hussars.open_cities(bridge.table))))
    assert cities == brute.hussar_cities(bridge.situation)
    return cities


def compare_reentry(bridge: Bridge, name: str) -> set[str]:
    """The same fortresses are open to a train, or to a general who has left the map."""
    number = bridge.piece[name]
    facts, city = bridge.common.pieces[number], bridge.field.pieces[number].city
    if facts.kind == "train":
        offer = movement.decision(bridge.table, facts.power).trains.get(number, ())
    else:
        offer = winter.decision(bridge.table, facts.power).entries.get(number, ())
        assert city < 0 or not offer
    assert set(bridge.names(offer)) == brute.reentry_cities(bridge.situation, name)
    return set(bridge.names(offer))


# -------- the fixed situations, with their counts


@pytest.mark.parametrize(("case", "movers"), questions("march"))
def test_marches(case: brute.Case, movers: tuple[str, ...]) -> None:
    bridge = bridge_of(case)
    chance = Random(case.id)
    paths = sorted(compare_march(bridge, movers, chance))
    for path in chance.sample(paths, min(len(paths), 60)):
        compare_outcome(bridge, movers, path, forced=False)
    compare_ways(bridge, movers, paths)
    counted = COUNTS[case.id]["march"][" + ".join(movers)]
    offered = list(walks(bridge.column(movers)))
    assert [sum(len(path) == length for path in offered) for length in (1, 2, 3, 4)] == counted["lengths"]
    assert len({path[-1] for path in offered}) == counted["ends"]
    column = bridge.column(movers)
    assert sum(column.entry(path[-1]) is march.CityEntry.JOIN for path in offered) == counted["stacking"]


@pytest.mark.parametrize(("case", "movers"), questions("march"))
def test_conquests_of_all_marches(case: brute.Case, movers: tuple[str, ...]) -> None:
    bridge = bridge_of(case)
    fallen, questioned, conquering = set(), set(), 0
    for path in walks(bridge.column(movers)):
        field = bridge.copy_of_field()
        column = bridge.column(movers, field)
        events = march.march(bridge.common, field, column, path, column.movers[0])
        cities = {event.city for event in events if isinstance(event, Conquered)}
        conquering += bool(cities)
        fallen |= cities
        questioned |= {event.city for event in events if isinstance(event, Questioned)}
    counted = COUNTS[case.id]["march"][" + ".join(movers)]
    assert sorted(bridge.names(tuple(fallen))) == counted["fallen"]
    assert sorted(bridge.names(tuple(questioned))) == counted["questioned"]
    assert conquering == counted["conquering"]


@pytest.mark.parametrize(("case", "movers"), questions("force"))
def test_forced_marches(case: brute.Case, movers: tuple[str, ...]) -> None:
    bridge = bridge_of(case)
    ordinary = set(brute.marches(bridge.situation, movers))
    expected = compare_forced(bridge, movers, ordinary, Random(case.id))
    compare_ways(bridge, movers, ordinary | set(expected))
    counted = COUNTS[case.id]["force"][" + ".join(movers)]
    column = bridge.column(movers)
    forced = march.spread(column, bridge.common.limits.forced_march, main_only=True, forced=True)
    assert len(set(forced) - {column.start}) == counted["destinations"]
    for path in islice((path for path in expected if len(path) >= 5), 20):
        compare_outcome(bridge, movers, path, forced=True)


@pytest.mark.parametrize(("case", "general"), questions("supply"))
def test_supply(case: brute.Case, general: str) -> None:
    bridge = bridge_of(case)
    compare_supply(bridge, general)
    counted = COUNTS[case.id]["supply"][general]
    piece, power = bridge.piece[general], bridge.situation.pieces[general].power
    assert at_home(bridge.common, bridge.field, piece) == counted["home"]
    path = trace(bridge.common, bridge.field, piece)
    assert (path is None) == (counted["paths"] == 0)
    if not counted["home"] and path is not None:
        assert toll(bridge.common, bridge.field, power, path) == counted["toll"]


@pytest.mark.parametrize(("case", "retreat"), questions("retreat"))
def test_retreats(case: brute.Case, retreat: tuple[tuple[str, ...], str, int]) -> None:
    bridge = bridge_of(case)
    losers, winner, length = retreat
    compare_retreat(bridge, losers, winner, length)
    counted = COUNTS[case.id]["retreat"][f"{' + '.join(losers)}, {length} from {winner}"]
    start = bridge.index[brute.common_city(bridge.situation, losers)]
    way = RetreatGround(
        bridge.common,
        bridge.field,
        Retreat(start, length, "austria", bridge.index[winner]),
        [bridge.piece[name] for name in losers],
    )
    ends = way.ends
    assert sorted(bridge.names(tuple(ends))) == counted["ends"]
    assert {way.far[end] for end in ends} == ({counted["farthest"]} if counted["possible"] else set())


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_hussars(case: brute.Case) -> None:
    assert len(compare_hussars(bridge_of(case))) == COUNTS[case.id]["hussars"]["cities"]


@pytest.mark.parametrize(("case", "piece"), questions("reenter"))
def test_reentry(case: brute.Case, piece: str) -> None:
    cities = compare_reentry(bridge_of(case), piece)
    if case.situation.introductory or case.situation.pieces[piece].kind == "train":
        assert sorted(cities) == COUNTS[case.id]["reenter"][piece]["cities"]


def test_a_mixed_stack_with_a_power_that_may_not_cross_stays_on_its_map() -> None:
    """At every road between the maps, France and Bavaria together, in march and in retreat (§10.1, §11.2)."""
    board = oracle_board(introductory=False)
    roads = [sorted(road) for road in board.roads if len({board.cities[city].map for city in road}) == 2]
    assert roads
    for one, other in (pair for road in sorted(roads) for pair in (road, road[::-1])):
        winner = next(city for city in board.neighbours(one) if city != other)
        pieces = {facts.name: brute.Piece(facts.name, facts.power, facts.kind, facts.rank) for facts in PIECES}
        for name, city in (("Belle-Isle", one), ("Törring", one), ("Traun", winner)):
            pieces[name] = replace(pieces[name], city=city)
        bridge = Bridge(brute.Situation(board, pieces, introductory=True), whole_board=True)
        for length in (1, 2, 3, 4):
            compare_retreat(bridge, ("Belle-Isle", "Törring"), winner, length)
        for movers in (("Belle-Isle",), ("Törring",), ("Belle-Isle", "Törring")):
            compare_march(bridge, movers, Random(one))


# -------- situations nobody chose


def groups(situation: brute.Situation) -> Iterator[tuple[str, ...]]:
    """Everything that may march: every piece, and every stack as a whole."""
    cities: dict[str, list[str]] = {}
    for piece in situation.on_board():
        cities.setdefault(str(piece.city), []).append(piece.name)
        yield (piece.name,)
    yield from (tuple(names) for names in cities.values() if len(names) > 1)


def compare_everything(bridge: Bridge, chance: Random, columns: int) -> None:
    """All questions to a position; of all marches those of some columns."""
    situation = bridge.situation
    compare_hussars(bridge)
    for piece in situation.pieces.values():
        if piece.power not in bridge.rules.powers:
            continue
        compare_reentry(bridge, piece.name)
        if piece.kind == "general" and piece.city is not None:
            compare_supply(bridge, piece.name)
    movers = list(groups(situation))
    for column in chance.sample(movers, min(columns, len(movers))):
        ordinary = compare_march(bridge, column, chance)
        for path in chance.sample(sorted(ordinary), min(10, len(ordinary))):
            compare_outcome(bridge, column, path, forced=False)
        compare_forced(bridge, column, ordinary, chance)
    for losers, winner in chance.sample(fights := list(beaten(situation)), min(columns, len(fights))):
        compare_retreat(bridge, losers, winner, chance.randint(1, 7))


def beaten(situation: brute.Situation) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every stack beside an enemy general, who might beat it."""
    generals = [piece for piece in situation.on_board() if piece.kind == "general"]
    for winner in generals:
        for city in situation.board.neighbours(str(winner.city)):
            stack = [piece for piece in generals if piece.city == city]
            if stack and situation.enemies(stack[0].power, winner.power):
                yield tuple(piece.name for piece in stack), str(winner.city)


@pytest.mark.parametrize("seed", range(300 if IS_LONG else 10))
def test_positions_in_mid_game(seed: int) -> None:
    chance = Random(f"mid-game {seed}")
    table = position(VARIANTS[seed % len(VARIANTS)], seed, chance.randint(10, 200))
    compare_everything(Bridge(situation_of(table), whole_board=False), chance, columns=3)


@pytest.mark.parametrize("whole_board", [False, True])
@pytest.mark.parametrize("seed", range(300 if IS_LONG else 10))
def test_pieces_thrown_at_random(seed: int, whole_board: bool) -> None:
    chance = Random(f"thrown {seed}")
    compare_everything(Bridge(scattered(seed, whole_board), whole_board), chance, columns=3)
