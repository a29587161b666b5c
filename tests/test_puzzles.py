"""The puzzles of `examples/puzzles` are true: what their comments say of all other orders is so."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.bots import plain
from pbem.engine.cards import points
from pbem.engine.decisions import ChooseRetreat, Play, PlayCard
from pbem.engine.field import alter
from pbem.engine.supply import assess, toll, trace
from pbem.games.maria.rules.hussars import open_cities
from pbem.kit import copy_of, game_of
from pbem.paper.orders import trial
from pbem.paper.orders.files import OrderSource, load_orders
from pbem.paper.positions.files import load_position
from pbem.report.language.options import open_options

PUZZLES = Path(__file__).parents[1] / "examples/puzzles"


class Puzzle:
    """A puzzle's position, with names for what is in it."""

    def __init__(self, name: str) -> None:
        """Load it and let it begin."""
        self.file = f"{name}.yaml"
        self.table: Any = load_position((PUZZLES / self.file).read_bytes(), self.file)
        trial.begin(self.table)
        self.rules = self.table.rules.common
        self.cities = {city.name: index for index, city in enumerate(self.rules.board.cities)}
        self.pieces = {piece.name: index for index, piece in enumerate(self.rules.pieces)}

    def ends(self, power: str, piece: str) -> list[str]:
        """Ends of a march of a piece."""
        (option,) = open_options(self.table, (power,), (piece,))
        return [end["city"] for end in option["marches"][0]["to"]]

    def put(self, piece: str, city: str) -> None:
        """Put a piece somewhere."""
        alter(self.table.state.field, self.pieces[piece], city=self.cities[city])

    def distance(self, start: str, goal: str) -> int:
        """Number of cities from one to the other."""
        return int(self.rules.board.distance(self.cities[start])[self.cities[goal]])


def test_neipperg_cannot_be_cut_off_without_the_train() -> None:
    puzzle = Puzzle("neipperg-cut-off")
    neipperg, field = puzzle.pieces["Neipperg"], puzzle.table.state.field
    ends = {}
    for name in ("Friedrich der Große", "Schwerin"):
        alone = Puzzle("neipperg-cut-off")
        for other in {"Friedrich der Große", "Schwerin", "prussia train 1"} - {name}:
            alter(alone.table.state.field, alone.pieces[other], city=-1)
        ends[name] = alone.ends("prussia", name)
    beside = {city for city in puzzle.cities if puzzle.distance("Neisse", city) == 1}

    def cuts() -> set[tuple[str, str]]:
        found = set()
        for friedrich, schwerin in product(*ends.values()):
            puzzle.put("Friedrich der Große", friedrich)
            puzzle.put("Schwerin", schwerin)
            if not {friedrich, schwerin} & beside and trace(puzzle.rules, field, neipperg) is None:
                found.add((friedrich, schwerin))
        return found

    assert cuts() == set()
    puzzle.put("prussia train 1", "Glatz")
    assert ("Troppau", "Freudenthal") in cuts()


def test_two_pairs_of_hussars_cost_seven_points_and_no_others_more_than_five() -> None:
    puzzle = Puzzle("hussars")
    field = puzzle.table.state.field
    tolls = {}
    for pair in combinations(open_cities(puzzle.table), 2):
        field.hussars[:] = pair
        _, tolled, cut_off = assess(puzzle.rules, field, "prussia")
        assert not cut_off
        names = frozenset(puzzle.rules.board.cities[city].name for city in pair)
        tolls[names] = sum(toll(puzzle.rules, field, "prussia", claim.path) for claim in tolled)
    best = {names for names, points in tolls.items() if points > 6}
    assert best == {frozenset({"Prag", "Kolin"}), frozenset({"Prag", "Czaslau"})}
    assert {tolls[names] for names in best} == {7}


def test_keith_stops_protecting_schweidnitz_at_two_of_all_ends() -> None:
    puzzle = Puzzle("schweidnitz")
    name = "schweidnitz.solution.yaml"
    text = (PUZZLES / name).read_text("utf-8").split("    retreat:")[0] + "  prussia: {play: [stop]}\n"
    (retreat,) = trial.run(puzzle.table, load_orders(text.encode(), name, puzzle.table.rules)).waiting
    assert isinstance(retreat, ChooseRetreat)
    ends = {puzzle.rules.board.cities[end].name for end in retreat.ends}
    assert {"Oels", "Oppeln"} <= ends
    assert {end for end in ends if puzzle.distance(end, "Schweidnitz") > puzzle.rules.limits.protection} == {
        "Neisse",
        "Oppeln",
    }


def test_dohna_protects_all_four_from_two_cities_only() -> None:
    puzzle = Puzzle("dohna")
    fortresses = ("Stargard", "Pyritz", "Woldenberg", "Küstrin")
    ends = puzzle.ends("prussia", "Dohna")
    safe = {city for city in ends if all(puzzle.distance(city, fortress) <= 3 for fortress in fortresses)}
    assert safe == {"Berlinchen", "Friedeberg"}


@pytest.mark.parametrize("seed", range(25))
def test_prussia_wins_both_battles_of_prag_whatever_austria_plays(seed: int) -> None:
    puzzle = Puzzle("prag")
    name = "prag.solution.yaml"
    table = copy_of(puzzle.table)
    source = OrderSource(table, load_orders((PUZZLES / name).read_bytes(), name, table.rules))
    game, chance = game_of(table), Random(seed)
    won: list[str] = []
    while table.state.stage == "prussia":
        decision = game.decisions(table)[0]
        given = None if isinstance(decision, PlayCard | ChooseRetreat) else source.answer(decision)
        answer = given.answer if given else plain.choose(table, decision, chance)
        if isinstance(decision, PlayCard) and decision.power == "prussia" and decision.cards:
            answer = least_that_leads(puzzle, decision)
        won += [event.winner for event in game.apply(table, decision.power, answer) if hasattr(event, "winner")]
    assert won == ["prussia", "prussia"]


def least_that_leads(puzzle: Puzzle, decision: PlayCard) -> Play:
    """The least card that brings the one who plays ahead, or else the greatest."""
    worth = sorted((points(puzzle.rules.decks, [card]), card) for card in decision.cards)
    return Play(next((card for value, card in worth if decision.score + value > 0), worth[-1][1]))
