"""FRIEDRICH's oracle against its recorded counts, and on a small board whose answers were worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from .brute import Piece, load
from .friedrich import (
    CASES,
    COUNTS,
    Situation,
    at_home,
    attacks,
    conquered,
    counts_of,
    is_cut_off,
    marches,
    read_facts,
    reentry_cities,
    retreats,
    supply_paths,
)

EXPECTED: dict[str, Any] = load(COUNTS)

# A main road (=) with minor roads (-, |):
#
#       M
#       |
#   A = B = C = D = E = F = G = H
#           |   |
#           K - L
#
# B, C, D, K, L, M are Prussian land, F Saxon, A Austrian, the others Polish. C is an Austrian objective, L a Russian
# one, F an Imperial one. Russia's depot is H, Prussia's M, Austria's A.
TOY: dict[str, Any] = {
    "powers": {
        "prussia": ["prussia"], "russia": [], "austria": ["austria"], "imperial": ["empire", "saxony"], "france": [],
    },
    "cities": [
        *({"name": name, "map": "x", "land": "prussia"} for name in "BCDKLM"),
        *({"name": name, "map": "x", "land": "poland"} for name in "EGH"),
        {"name": "A", "map": "x", "land": "austria"},
        {"name": "F", "map": "x", "land": "saxony"},
    ],
    "main_roads": [["A", "B", "C", "D", "E", "F", "G", "H"]],
    "roads": [["M", "B"], ["C", "K", "L", "D"]],
    "objectives": {"austria": {"first": ["C"]}, "russia": {"first": ["L"]}, "imperial": {"first": ["F"]}},
    "depots": {"russia": ["H"], "prussia": ["M"], "austria": ["A"]},
    "setup": {},
}  # fmt: skip
FACTS = read_facts(TOY)


def toy(*pieces: Piece, **markers: str) -> Situation:
    return Situation(FACTS, {piece.name: piece for piece in pieces}, markers)


def general(name: str, power: str, city: str | None) -> Piece:
    return Piece(name, power, "general", 1, city)


def train(name: str, power: str, city: str | None) -> Piece:
    return Piece(name, power, "train", 0, city)


def words(paths: list[tuple[str, ...]]) -> set[str]:
    return {"".join(path) for path in paths}


@pytest.mark.parametrize("name", CASES)
def test_counts_are_as_recorded(name: str) -> None:
    assert counts_of(CASES[name]) == EXPECTED[name]


def test_a_general_goes_three_cities_or_four_by_main_roads_and_a_train_one_less() -> None:
    assert words(marches(toy(general("a", "austria", "A")), ["a"])) == {
        "B", "BA", "BC", "BM", "BAB", "BCB", "BCD", "BCK", "BMB", "BABA", "BABC", "BCBA", "BCBC", "BCDC", "BCDE",
    }  # fmt: skip
    assert words(marches(toy(train("t", "austria", "A")), ["t"])) == {"B", "BA", "BC", "BM", "BAB", "BCB", "BCD"}


def test_three_generals_stack_and_nobody_goes_on_from_there() -> None:
    two = toy(*(general(name, "austria", "B") for name in "bc"), general("a", "austria", "A"))
    assert words(marches(two, ["a"])) == {"B"}
    assert words(marches(two, ["b"])) >= {"A", "C", "CB"}
    full = toy(*(general(name, "austria", "B") for name in "bcd"), general("a", "austria", "A"))
    assert marches(full, ["a"]) == []
    pair = toy(*(general(name, "austria", "A") for name in "ab"), *(general(name, "austria", "B") for name in "cd"))
    assert marches(pair, ["a", "b"]) == []
    assert words(marches(pair, ["a"])) == {"B"}


def test_allies_and_own_trains_are_in_the_way_and_enemy_trains_stop() -> None:
    for other in (general("r", "russia", "B"), general("p", "prussia", "B"), train("t", "austria", "B")):
        assert marches(toy(general("a", "austria", "A"), other), ["a"]) == []
    assert words(marches(toy(general("a", "austria", "A"), train("t", "prussia", "B")), ["a"])) == {"B"}
    assert marches(toy(train("a", "austria", "A"), train("t", "prussia", "B")), ["a"]) == []


def test_objectives_fall_to_who_leaves_them_unless_a_general_of_the_guard_is_near() -> None:
    free = toy(general("a", "austria", "B"))
    assert conquered(free, ["a"], ("C",)) == (set(), set())
    assert conquered(free, ["a"], ("C", "K")) == ({"C"}, set())
    assert conquered(toy(general("a", "austria", "C")), ["a"], ("B",)) == ({"C"}, set())
    assert conquered(toy(general("a", "austria", "B"), train("t", "prussia", "D")), ["a"], ("C", "K")) == ({"C"}, set())
    for city, near in (("F", True), ("G", False)):
        guarded = toy(general("a", "austria", "B"), general("p", "prussia", city))
        assert conquered(guarded, ["a"], ("C", "K")) == ((set(), {"C"}) if near else ({"C"}, set()))
    assert conquered(toy(general("a", "austria", "B"), general("h", "hanover", "D")), ["a"], ("C", "K"))[0] == {"C"}
    assert conquered(toy(general("a", "austria", "K")), ["a"], ("L", "D")) == (set(), set())
    assert conquered(toy(train("a", "austria", "B")), ["a"], ("C", "K")) == (set(), set())


def test_saxony_is_guarded_by_prussia_and_taken_back_unless_general_or_train_of_the_empire_is_near() -> None:
    assert conquered(toy(general("i", "imperial", "E")), ["i"], ("F", "G"))[0] == {"F"}
    assert conquered(toy(general("p", "prussia", "E")), ["p"], ("F", "G")) == (set(), set())
    assert conquered(toy(general("p", "prussia", "E"), F="imperial"), ["p"], ("F", "G"))[0] == {"F"}
    for guard in (general("i", "imperial", "H"), train("t", "imperial", "H")):
        assert conquered(toy(general("p", "prussia", "E"), guard, F="imperial"), ["p"], ("F", "G"))[1] == {"F"}
    helper = general("a", "austria", "H")
    assert conquered(toy(general("p", "prussia", "E"), helper, F="imperial"), ["p"], ("F", "G"))[0] == {"F"}


def test_supply_comes_six_cities_round_enemies_but_through_friends() -> None:
    far = toy(general("a", "austria", "G"), train("t", "austria", "A"))
    assert words(supply_paths(far, "a")) == {"FEDCBA"}
    assert supply_paths(toy(general("a", "austria", "H"), train("t", "austria", "A")), "a") == []
    through = toy(*far.pieces.values(), general("r", "russia", "D"))
    assert words(supply_paths(through, "a")) == {"FEDCBA"}
    assert supply_paths(toy(*far.pieces.values(), train("p", "prussia", "D")), "a") == []
    assert at_home(toy(general("r", "russia", "H")), "r")
    assert not at_home(toy(general("r", "russia", "G")), "r")
    assert at_home(toy(general("i", "imperial", "F")), "i")
    assert not at_home(toy(general("p", "prussia", "F")), "p")


def test_retreats_are_of_the_exact_length_and_as_far_as_they_can() -> None:
    beaten = toy(general("p", "prussia", "C"), general("a", "austria", "B"))
    assert words(retreats(beaten, "C", "B", 1)[1]) == {"D", "K"}
    assert words(retreats(beaten, "C", "B", 2)[1]) == {"DE", "DL", "KL"}
    assert words(retreats(beaten, "C", "B", 3)[1]) == {"DEF"}
    assert words(retreats(beaten, "C", "B", 3)[0]) == {"DEF", "DLK", "KLD"}
    barred = toy(*beaten.pieces.values(), train("t", "prussia", "E"))
    assert words(retreats(barred, "C", "B", 3)[1]) == {"KLD", "DLK"}
    assert retreats(barred, "C", "B", 4) == ([], [])


def test_every_enemy_beside_a_general_is_attacked() -> None:
    line = toy(general("p", "prussia", "C"), general("a", "austria", "B"), general("r", "russia", "D"))
    assert attacks(line, "prussia") == {("C", "B"), ("C", "D")}
    assert attacks(line, "austria") == {("B", "C")}
    assert attacks(toy(general("r", "russia", "C"), general("a", "austria", "B")), "russia") == set()


def test_depots_take_back_a_train_when_empty_and_generals_to_a_stack_of_three() -> None:
    lost = (general("r", "russia", None), train("t", "russia", None))
    assert reentry_cities(toy(*lost), "r") == reentry_cities(toy(*lost), "t") == {"H"}
    held = toy(*lost, general("s", "russia", "H"), general("u", "russia", "H"))
    assert (reentry_cities(held, "r"), reentry_cities(held, "t")) == ({"H"}, set())
    assert reentry_cities(toy(*held.pieces.values(), general("v", "russia", "H")), "r") == set()
    ally = toy(*lost, general("a", "austria", "H"))
    assert (reentry_cities(ally, "r"), is_cut_off(ally, "russia")) == (set(), False)
    foe = toy(*lost, train("p", "prussia", "H"))
    assert (reentry_cities(foe, "r"), is_cut_off(foe, "russia")) == (set(), True)
