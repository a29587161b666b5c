"""FRIEDRICH's engine against the brute-force oracle: on fixed situations, in mid-game, on pieces thrown at random."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from pbem.engine import march
from pbem.engine.cards import SeededDealer
from pbem.engine.combat import pairings
from pbem.engine.events import Conquered, Questioned
from pbem.engine.field import OFF, Field, PieceState, at_home
from pbem.engine.roads import Road
from pbem.engine.rules import IllegalOrder
from pbem.engine.supply import trace
from pbem.engine.troops import Retreat, RetreatGround
from pbem.engine.troops import check as check_retreat
from pbem.games.friedrich.paper.library import load_friedrich
from pbem.games.friedrich.rules import game, movement, recruiting
from pbem.games.friedrich.rules.data import Terms
from pbem.games.friedrich.rules.opening import new_field, new_state
from pbem.games.friedrich.rules.state import Table
from tests.friedrich.random_play import answers, chance_of, start
from tests.friedrich.striving import strive
from tests.oracle import brute
from tests.oracle import friedrich as oracle
from tests.test_oracle import accepted
from tests.walks import walks

LONG = os.environ.get("PBEM_TESTS") == "long"
RULES = load_friedrich(Terms("four", expert=True))
"""In its first turns the expert game lets every power of the oracle conquer, Prussia too (§13)."""
BOARD = RULES.common.board
PIECE = {facts.name: number for number, facts in enumerate(RULES.common.pieces)}
EXPECTED = brute.load(oracle.COUNTS)


def table_of(situation: oracle.Situation) -> Table:
    """The situation on the engine's table, in a turn in which no Card of Fate holds."""
    state = new_state(RULES)
    state.field = field_of(situation)
    state.stage, state.phase, state.begun = "prussia", "movement", True
    return Table(RULES, state, SeededDealer("oracle"))


def field_of(situation: oracle.Situation) -> Field:
    """The pieces and markers of a situation; every general has two troops."""
    field = new_field(RULES)
    for name, number in PIECE.items():
        piece = situation.pieces[name]
        place = OFF if piece.city is None else BOARD.index[piece.city]
        field.pieces[number] = PieceState(place, 2 if piece.kind == "general" and place >= 0 else 0)
    field.markers = {BOARD.index[city]: power for city, power in situation.markers.items()}
    return field


def situation_of(table: Table) -> oracle.Situation:
    """Facts about a position in mid-game that the oracle needs."""
    pieces = {}
    for facts, now in zip(table.rules.common.pieces, table.state.field.pieces, strict=True):
        city = BOARD.cities[now.city].name if now.city >= 0 else None
        pieces[facts.name] = brute.Piece(facts.name, facts.power, facts.kind, facts.rank, city)
    markers = {BOARD.cities[city].name: power for city, power in table.state.field.markers.items()}
    return oracle.Situation(oracle.facts(), pieces, markers)


def names(path: Road) -> brute.WalkPath:
    """A path of the engine by the names of its cities."""
    return tuple(BOARD.cities[city].name for city in path)


def numbers(path: brute.WalkPath) -> Road:
    """A path of the oracle by the engine's numbers."""
    return tuple(BOARD.index[city] for city in path)


def column_of(table: Table, movers: tuple[str, ...]) -> march.Column:
    """The march of these pieces as the sequence of play makes it."""
    return movement.column_of(table, [PIECE[name] for name in movers])


def compare_march(situation: oracle.Situation, movers: tuple[str, ...]) -> list[brute.WalkPath]:
    """The same marches are offered and accepted, all other walks refused, and the same ends named."""
    table = table_of(situation)
    column = column_of(table, movers)
    expected = oracle.marches(situation, movers)
    assert sorted(names(path) for path in walks(column)) == sorted(expected)
    legal = set(expected)
    for path in brute.walks(situation.facts.board, situation.city_of(movers), 4):
        assert accepted(column, numbers(path)) == (path in legal), path
    longer = brute.walks(situation.facts.board, situation.city_of(movers), 5)
    assert not any(accepted(column, numbers(path)) for path in islice(longer, 2000) if len(path) == 5)
    ways = march.destinations(column)
    assert set(names(tuple(ways))) == {path[-1] for path in expected}
    assert all(accepted(column, way) and way[-1] == end for end, way in ways.items())
    return expected


def outcome(situation: oracle.Situation, movers: tuple[str, ...], path: brute.WalkPath) -> tuple[set[str], set[str]]:
    """Cities that a march conquers, and those that it puts in question, on the engine's board."""
    table = table_of(situation)
    column = column_of(table, movers)
    events = march.march(RULES.common, table.state.field, column, numbers(path), None)
    fallen = {event.city for event in events if isinstance(event, Conquered)}
    asked = {event.city for event in events if isinstance(event, Questioned)}
    for city in fallen:
        owner = RULES.common.objectives[city]
        power = situation.pieces[movers[0]].power
        assert table.state.field.markers.get(city) == (owner if power == owner else None)
    return set(names(tuple(fallen))), set(names(tuple(asked)))


def compare_supply(situation: oracle.Situation, general: str) -> None:
    """At home alike; else the engine's way is one of the oracle's, and none is shorter."""
    field = field_of(situation)
    assert at_home(RULES.common, field, PIECE[general]) == oracle.at_home(situation, general)
    paths = oracle.supply_paths(situation, general)
    path = trace(RULES.common, field, PIECE[general])
    if not paths:
        assert path is None
        return
    assert path is not None
    assert names(path) in paths
    assert len(path) == min(len(other) for other in paths)


def way_from(situation: oracle.Situation, start: str, winner: str, length: int) -> RetreatGround:
    """The engine's view of a retreat."""
    losers = [PIECE[piece.name] for piece in situation.standing_in(start)]
    return RetreatGround(
        RULES.common, field_of(situation), Retreat(BOARD.index[start], length, "x", BOARD.index[winner]), losers
    )


def compare_retreat(situation: oracle.Situation, start: str, winner: str, length: int) -> None:
    """The same ends, and of all walks the same paths accepted."""
    possible, legal = oracle.retreats(situation, start, winner, length)
    way = way_from(situation, start, winner, length)
    ends = way.ends
    assert set(names(tuple(ends))) == {path[-1] for path in legal}
    assert all(names(shown) in legal and shown[-1] == end for end, shown in ends.items())
    tried = islice(brute.walks(situation.facts.board, start, min(length, 5)), 2000)
    for path in {*possible, *tried}:
        assert retreat_accepted(way, tuple(ends), numbers(path)) == (path in set(legal)), path


def retreat_accepted(way: RetreatGround, ends: tuple[int, ...], path: Road) -> bool:
    """True if the engine lets the winner choose this retreat."""
    try:
        check_retreat(way, ends, path)
    except IllegalOrder:
        return False
    return True


def compare_attacks(situation: oracle.Situation) -> None:
    """The same attacks are due in every power's stage."""
    for power in RULES.powers:
        due = pairings(RULES.common, field_of(situation), [power])
        assert {names((pair.attacker, pair.defender)) for pair in due} == oracle.attacks(situation, power)


def compare_reentry(situation: oracle.Situation) -> None:
    """The same depots are open to lost pieces, and the same powers cut off from all of theirs."""
    table = table_of(situation)
    for power in RULES.powers:
        assert recruiting.is_cut_off(table, power) == oracle.is_cut_off(situation, power)
        open_now = recruiting.entries(table, power, RULES.depots(power))
        for name, number in PIECE.items():
            piece = situation.pieces[name]
            if piece.power == power and piece.city is None:
                assert set(names(open_now.get(number, ()))) == oracle.reentry_cities(situation, name)


# -------- the fixed situations, with their counts


@pytest.mark.parametrize("name", oracle.CASES)
def test_marches_and_conquests_of_the_fixed_situations(name: str) -> None:
    situation = oracle.CASES[name].situation()
    for movers in oracle.groups(situation):
        counted = EXPECTED[name]["march"][" + ".join(movers)]
        paths = [names(path) for path in walks(column_of(table_of(situation), movers))]
        assert [sum(len(path) == length for path in paths) for length in (1, 2, 3, 4)] == counted["lengths"]
        assert len({path[-1] for path in paths}) == counted["ends"]
        outcomes = [outcome(situation, movers, path) for path in paths]
        assert sorted(set().union(*(fallen for fallen, _ in outcomes))) == counted["fallen"]
        assert sorted(set().union(*(asked for _, asked in outcomes))) == counted["questioned"]


@pytest.mark.parametrize("name", oracle.CASES)
def test_supply_and_retreats_of_the_fixed_situations(name: str) -> None:
    situation = oracle.CASES[name].situation()
    for general, counted in EXPECTED[name]["supply"].items():
        path = trace(RULES.common, field_of(situation), PIECE[general])
        shortest = next((length for length, paths in enumerate(counted["paths"], start=1) if paths), None)
        assert at_home(RULES.common, field_of(situation), PIECE[general]) == counted["home"]
        assert (None if path is None else len(path)) == shortest, general
    for start_city, winner, length in oracle.CASES[name].retreats:
        compare_retreat(situation, start_city, winner, length)
        ends = way_from(situation, start_city, winner, length).ends
        counted = EXPECTED[name]["retreat"][f"{start_city}, {length} from {winner}"]
        assert sorted(names(tuple(ends))) == counted["ends"]


# -------- situations nobody chose


def scattered(seed: int) -> oracle.Situation:
    """Most pieces crowded around some city, many of them stacked, markers anyhow."""
    chance = Random(f"scattered friedrich {seed}")
    board = oracle.facts().board
    around = sorted(brute.within(board, chance.choice(sorted(board.cities)), 5))
    taken: dict[str, list[brute.Piece]] = {}
    pieces = {}
    for facts in RULES.common.pieces:
        piece = brute.Piece(facts.name, facts.power, facts.kind, facts.rank)
        stacks = [city for city, there in taken.items() if there and there[0].power == facts.power]
        city = chance.choice(stacks if stacks and chance.random() < 0.5 else around)
        there = taken.setdefault(city, [])
        mates = all(other.kind == facts.kind == "general" and other.power == facts.power for other in there)
        if chance.random() < 0.85 and len(there) < 3 and mates:
            piece = brute.Piece(facts.name, facts.power, facts.kind, facts.rank, city)
            there.append(piece)
        pieces[facts.name] = piece
    markers = {city: power for city, power in oracle.facts().objectives.items() if chance.random() < 0.3}
    return oracle.Situation(oracle.facts(), pieces, markers)


def beaten(situation: oracle.Situation) -> Iterator[tuple[str, str]]:
    """Every stack beside an enemy general, and where he stands."""
    for power in RULES.powers:
        for winner, loser in sorted(oracle.attacks(situation, power)):
            yield loser, winner


def compare_everything(situation: oracle.Situation, chance: Random, columns: int) -> None:
    """All questions to a position; of the marches and retreats those of some pieces."""
    compare_attacks(situation)
    compare_reentry(situation)
    for piece in situation.on_board():
        if piece.kind == "general":
            compare_supply(situation, piece.name)
    movers = oracle.groups(situation)
    for column in chance.sample(movers, min(columns, len(movers))):
        paths = compare_march(situation, column)
        for path in chance.sample(paths, min(8, len(paths))):
            assert outcome(situation, column, path) == oracle.conquered(situation, column, path), path
    fights = list(beaten(situation))
    for loser, winner in chance.sample(fights, min(columns, len(fights))):
        compare_retreat(situation, loser, winner, chance.randint(1, 8))


@pytest.mark.parametrize("seed", range(300 if LONG else 12))
def test_pieces_thrown_at_random(seed: int) -> None:
    compare_everything(scattered(seed), Random(seed), columns=4)


@pytest.mark.parametrize("seed", range(100 if LONG else 5))
def test_positions_in_mid_game(seed: int) -> None:
    table, _ = start(Terms("four"), seed)
    wanted = Random(f"mid-game {seed}").randint(50, 500)
    for power, answer in islice(answers(table, chance_of(Terms("four"), seed), strive), wanted):
        game.apply(table, power, answer)
    compare_everything(situation_of(table), Random(seed), columns=3)
