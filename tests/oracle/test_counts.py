"""The oracle against itself (counts.yaml) and against a small board whose answers were worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from .brute import (
    COUNTS,
    Board,
    Case,
    Piece,
    Situation,
    conquered,
    controller_after,
    counts_of,
    distance,
    faults,
    forced_destinations,
    forced_marches,
    forced_simple,
    hussar_cities,
    hussars_removed,
    load,
    load_cases,
    marches,
    one_map,
    protected,
    read_board,
    reentry_cities,
    retreats,
    supply_paths,
    trains_eliminated,
)

CASES = load_cases()
EXPECTED: dict[str, Any] = load(COUNTS)


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_counts_are_as_recorded(case: Case) -> None:
    assert counts_of(case) == EXPECTED[case.id]


def test_every_recorded_situation_still_exists() -> None:
    assert [case.id for case in CASES] == list(EXPECTED)


# A main road (=) with minor roads (-, |); Y and Z are on the Flanders map, all others on the Bohemia map:
#
#       M
#       |
#   A = B = C = D = E = F = G = H = Y - Z
#           |   |
#           K - L
#
# C is an Austrian minor fortress, F an Austrian major one, M a Bavarian minor one, Z a French major one.
TOY: dict[str, Any] = {
    "powers": {"austria": ["austria"], "bavaria": ["bavaria"], "france": ["france"], "prussia": ["prussia"]},
    "cities": [
        *({"name": name, "map": "bohemia", "land": "empire"} for name in "ABDEGHKL"),
        {"name": "C", "map": "bohemia", "land": "austria", "fortress": "minor"},
        {"name": "F", "map": "bohemia", "land": "austria", "fortress": "major"},
        {"name": "M", "map": "bohemia", "land": "bavaria", "fortress": "minor"},
        {"name": "Y", "map": "flanders", "land": "empire"},
        {"name": "Z", "map": "flanders", "land": "france", "fortress": "major"},
    ],
    "main_roads": [["A", "B", "C", "D", "E", "F", "G", "H", "Y"]],
    "roads": [["M", "B"], ["C", "K", "L", "D"], ["Y", "Z"]],
}


def toy(*pieces: Piece, hussars: tuple[str, ...] = (), control: dict[str, str] | None = None) -> Situation:
    situation = Situation(toy_board(), {piece.name: piece for piece in pieces}, control or {}, hussars)
    assert faults(situation) == []
    return situation


def toy_board() -> Board:
    return read_board(TOY)


def general(name: str, power: str, city: str | None, face_down: bool = False) -> Piece:
    return Piece(name, power, "general", 1, city, face_down)


def train(name: str, power: str, city: str | None) -> Piece:
    return Piece(name, power, "train", 0, city)


def words(paths: list[tuple[str, ...]]) -> set[str]:
    return {"".join(path) for path in paths}


def test_a_general_marches_three_cities_or_four_on_main_roads() -> None:
    alone = toy(general("f", "france", "A"))
    assert words(marches(alone, ["f"])) == {
        "B", "BA", "BC", "BM", "BAB", "BCB", "BCD", "BCK", "BMB",
        "BABA", "BABC", "BCBA", "BCBC", "BCDC", "BCDE",
    }  # fmt: skip


def test_a_train_marches_one_city_less() -> None:
    alone = toy(train("t", "france", "A"))
    assert words(marches(alone, ["t"])) == {"B", "BA", "BC", "BM", "BAB", "BCB", "BCD"}


def test_a_march_ends_in_a_stack_and_jumps_over_nothing() -> None:
    situation = toy(general("f", "france", "A"), general("b", "bavaria", "C"), general("p", "prussia", "M"))
    assert words(marches(situation, ["f"])) == {"B", "BA", "BC", "BAB", "BABA", "BABC"}
    full = toy(general("f", "france", "A"), general("b", "bavaria", "C"), general("g", "france", "C"))
    assert "BC" not in words(marches(full, ["f"]))


def test_a_general_may_rejoin_the_partner_he_left_but_two_never_join_a_third() -> None:
    situation = toy(general("f", "france", "A"), general("b", "bavaria", "A"), general("g", "france", "C"))
    alone = words(marches(situation, ["f"]))
    assert alone == {"B", "BA", "BC", "BM", "BMB"}
    assert words(marches(situation, ["f", "b"])) == {"B", "BA", "BM", "BAB", "BMB", "BABA"}


def test_enemy_trains_are_run_over_by_generals_only() -> None:
    situation = toy(general("f", "france", "A"), train("t", "austria", "C"), train("u", "austria", "K"))
    assert "BCK" in words(marches(situation, ["f"]))
    assert trains_eliminated(situation, ["f"], ("B", "C", "K")) == ["t", "u"]
    own = toy(train("f", "france", "A"), train("t", "austria", "B"))
    assert marches(own, ["f"]) == []


def test_only_french_and_austrian_pieces_cross() -> None:
    for power, crosses in (("france", True), ("austria", True), ("bavaria", False), ("prussia", False)):
        assert (("Y",) in marches(toy(general("g", power, "H")), ["g"])) is crosses
    mixed = toy(general("f", "france", "H"), general("b", "bavaria", "H"))
    assert ("Y",) not in marches(mixed, ["f", "b"])
    assert one_map(toy_board(), "bohemia").neighbours("H") == ["G"]


def test_forced_march_limits() -> None:
    free = toy(general("a", "austria", "A"))
    assert words(forced_simple(free, ["a"])) == {"BCDEFGHY"[:length] for length in range(1, 9)}
    # the first step back and forth: A B A, then again, in walks of two cities
    assert words(forced_marches(free, ["a"], 2, 2)) == {"BA", "BC"}
    fortress = toy(general("f", "france", "A"))
    assert forced_destinations(fortress, ["f"]) == {"B"}  # C is Austrian
    beside = toy(general("a", "austria", "A"), train("t", "france", "L"))
    assert forced_destinations(beside, ["a"]) == {"B", "C"}  # D is beside L
    start = toy(general("a", "austria", "C"), general("f", "france", "K"))
    assert forced_destinations(start, ["a"]) == {"A", "B", "D", "E", "F", "G", "H", "Y"}
    assert ("B", "C") not in forced_marches(start, ["a"])  # C is beside the enemy: left freely, never entered
    mate = toy(general("a", "austria", "A"), general("c", "pragmatic", "C"))
    assert words(forced_simple(mate, ["a"])) == {"B", "BC"}
    prey = toy(general("a", "austria", "A"), train("t", "france", "B"))
    assert forced_marches(prey, ["a"]) == []
    assert ("B",) in marches(prey, ["a"])


def test_conquest_needs_leaving_and_a_face_up_general() -> None:
    situation = toy(general("f", "france", "B"), general("d", "bavaria", "B", face_down=True))
    assert conquered(situation, ["f"], ("C",)).at_once == ()
    assert conquered(situation, ["f"], ("C", "D")).at_once == ("C",)
    assert conquered(situation, ["f"], ("C", "B", "C")).at_once == ("C",)
    assert conquered(situation, ["d"], ("C", "D")).at_once == ()
    assert conquered(situation, ["f", "d"], ("C", "D")).at_once == ("C",)
    assert conquered(situation, ["f"], ("C", "D"), forced=True).at_once == ()


@pytest.mark.parametrize(
    ("guard", "city", "guarded"),
    [("austria", "F", True), ("pragmatic", "F", True), ("austria", "G", False), ("prussia", "D", False)],
)
def test_protection_reaches_three_cities(guard: str, city: str, guarded: bool) -> None:
    situation = toy(general("f", "france", "B"), general("g", guard, city, face_down=True))
    assert protected(situation, "C") is guarded
    result = conquered(situation, ["f"], ("C", "B"))
    assert (result.question_marks if guarded else result.at_once) == ("C",)
    assert (result.at_once if guarded else result.question_marks) == ()


def test_trains_protect_nothing_and_allies_are_not_conquered() -> None:
    situation = toy(general("f", "france", "B"), train("t", "austria", "D"), control={"C": "prussia"})
    assert conquered(situation, ["f"], ("C", "K")) == conquered(situation, ["f"], ("B",))
    austrian = replace(situation, control={})
    assert conquered(austrian, ["f"], ("C", "K")).at_once == ("C",)


def test_marker_after_conquest() -> None:
    situation = toy()
    assert controller_after(situation, "C", "bavaria") == "france"
    assert controller_after(situation, "C", "pragmatic") == "austria"  # friendly major power's home: no marker
    assert controller_after(situation, "M", "bavaria") == "france"  # friendly minor power's home: a marker
    assert controller_after(situation, "M", "prussia") == "prussia"
    assert controller_after(situation, "Z", "prussia") == "france"


def test_supply_distance_enemies_and_hussars() -> None:
    train_at_a = train("t", "france", "A")
    six = toy(general("f", "france", "G"), train_at_a)
    assert [len(path) for path in supply_paths(six, "f").paths] == [6]  # the detour over K and L is eight
    seven = toy(general("f", "france", "H"), train_at_a)
    assert supply_paths(seven, "f").toll is None
    five = toy(general("f", "france", "E"), train_at_a, hussars=("D",))
    assert {"".join(path) for path in supply_paths(five, "f").paths} == {"DCBA", "DLKCBA"}
    assert supply_paths(five, "f").toll == 4
    detour = toy(general("f", "france", "D"), train_at_a, hussars=("K",))
    assert supply_paths(detour, "f").toll == 0
    longer = toy(general("f", "france", "D"), train_at_a, general("a", "austria", "C"))
    assert supply_paths(longer, "f").paths == ()
    loose = toy(general("p", "pragmatic", "B"), train("u", "pragmatic", "D"), hussars=("C",))
    assert supply_paths(loose, "p").toll == 0  # not hostile to Austria
    home = toy(general("a", "austria", "C"))
    assert (supply_paths(home, "a").at_home, supply_paths(home, "a").toll) == (True, 0)


def test_retreat_goes_the_full_length_and_ends_farthest() -> None:
    situation = toy(general("a", "austria", "D"), general("f", "france", "C"))
    one = retreats(situation, ["a"], "C", 1)
    assert (sorted(one.ends), one.farthest) == (["E", "L"], 2)  # both are two cities from C
    two = retreats(situation, ["a"], "C", 2)
    assert words(list(two.possible)) == {"EF", "LK"}
    assert words(list(two.legal)) == {"EF"}
    assert retreats(situation, ["a"], "C", 5).ends == {"Y"}
    bavarian = toy(general("b", "bavaria", "D"), general("a", "austria", "C"))
    assert retreats(bavarian, ["b"], "C", 5).farthest is None  # may not cross, and there is no other way
    blocked = toy(general("a", "austria", "D"), general("f", "france", "C"), train("t", "france", "E"))
    assert words(list(retreats(blocked, ["a"], "C", 2).legal)) == {"LK"}
    with pytest.raises(ValueError, match="as a whole"):
        retreats(toy(general("a", "austria", "D"), general("b", "austria", "D")), ["a"], "C", 1)


def test_hussars_stay_near_austrian_generals() -> None:
    situation = toy(general("a", "austria", "E"), general("f", "france", "C"))
    assert hussar_cities(situation) == {"A", "B", "D", "F", "G", "H", "K", "L", "M"}  # A and M are four away
    near = toy(general("a", "austria", "Z"))
    assert hussar_cities(near) == {"F", "G", "H"}  # measured over both maps, placed on one
    assert hussars_removed(replace(situation, hussars=("D", "G")), ("D", "C")) == 1


def test_reentry() -> None:
    base = (general("a", "austria", None), train("t", "austria", None))
    assert reentry_cities(toy(*base), "a") == {"F"}
    prey = toy(*base, train("u", "france", "F"))
    assert reentry_cities(prey, "a") == {"F"}
    assert reentry_cities(prey, "t") == set()
    mate = toy(*base, general("b", "austria", "F"))
    assert reentry_cities(mate, "a") == {"F"}
    assert reentry_cities(mate, "t") == set()
    own = toy(*base, train("u", "austria", "F"))
    assert reentry_cities(own, "a") == set()
    assert reentry_cities(own, "u") == {"F"}
    lost = toy(*base, control={"F": "france"})
    assert reentry_cities(lost, "a") == set()
    assert reentry_cities(lost, "t") == set()
    assert reentry_cities(toy(replace(base[0], in_play=False)), "a") == set()


def test_distance_ignores_pieces() -> None:
    assert distance(toy_board(), "A", "H") == 7
    assert distance(one_map(toy_board(), "bohemia"), "H", "Y") is None
