"""Board files: every fault with its place, and what is written is read back the same."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.engine.board import Area, ArmyStart, Board, BoardData, Canvas, CityData, Frame, TrainStart, links
from pbem.paper.boards.checks import check_board
from pbem.paper.boards.files import inspect_board, load_board, write_board
from pbem.paper.boards.imports.rtt import Spot, chains
from pbem.paper.documents.faults import Refused
from pbem.paper.library import boards

BOARD = """name: toy
title: A toy
canvas: {w: 220, h: 100}
maps:
  west: {x: 0, y: 0, w: 100, h: 100}
  east: {x: 110, y: 0, w: 100, h: 100}
powers:
  red: [redland]
  blue: [blueland, isles]
other_lands: [marsh]
cities:
  - {name: Aachen, map: west, x: 10, y: 10, land: redland, suit: hearts, fortress: major, elector: true}
  - {name: Brünn, map: west, x: 60, y: 10, land: redland, suit: spades, traits: [port]}
  - {name: Celle, map: west, x: 10, y: 60, land: marsh, suit: hearts}
  - {name: Dachau, map: east, x: 120, y: 10, land: blueland, suit: clubs}
  - {name: Erfurt (Sud), map: east, x: 120, y: 60, land: isles, suit: clubs, fortress: minor}
main_roads:
  - [Aachen, Brünn, Dachau]
roads:
  - [Aachen, Celle]
  - [Celle, Brünn]
  - [Dachau, Erfurt (Sud)]
sectors:
  - {map: west, x: 0, y: 0, w: 50, h: 100, suit: hearts}
  - {map: west, x: 50, y: 0, w: 50, h: 100, suit: spades}
  - {map: east, x: 110, y: 0, w: 100, h: 100, suit: clubs}
setup:
  red:
    generals:
      - {name: Ares, rank: 1, city: Aachen}
      - {name: Bellona, rank: 2, city: Aachen}
    trains: [{city: Celle}, {box: Sea}]
  blue:
    generals:
      - {name: Caesar, rank: 1, city: Dachau}
    trains: []
off_map:
  red: {box: Sea, city: Celle}
"""


PLACES = f"""{BOARD}occupied:
  red: [marsh]
objectives:
  red:
    first: [Erfurt (Sud)]
    second: [Dachau]
  blue:
    first: [Celle]
depots:
  red: [Aachen, Brünn]
re_entry:
  red: {{around: Aachen, land: redland}}
  blue: {{land: isles}}
regions:
  coast: [Celle, Erfurt (Sud)]
lines:
  middle: 50
"""
"""The same board with what only some games ask for."""


def told(text: str) -> list[tuple[str, int, int]]:
    return [(fault.code, fault.line, fault.column) for fault in inspect_board(text.encode(), "toy.yaml")]


def test_a_sound_board_has_no_faults() -> None:
    assert told(BOARD) == []
    board = load_board(BOARD.encode(), "toy.yaml")
    assert [city.name for city in board.cities] == ["Aachen", "Brünn", "Celle", "Dachau", "Erfurt (Sud)"]
    assert board.cities[0].elector
    assert board.cities[1].traits == ("port",)
    assert board.setup["red"].trains[1].box == "Sea"


# what is changed into what, then the faults, then a part of what is told
FAULTY = [
    ("title: A toy\n", "", [("E-KEY-MISSING", 1, 1)], "'title' is missing"),
    ("canvas:", "canvass:", [("E-KEY-MISSING", 1, 1), ("E-FORM-KEY", 3, 1)], "did you mean canvas?"),
    ("x: 60, y: 10", "x: 60.5, y: 10", [("E-VALUE-TYPE", 13, 33)], "'60.5' is no whole number"),
    ("suit: spades, traits", "suit: swords, traits", [("E-VALUE-CHOICE", 13, 65)], "'swords' is not possible"),
    ("w: 220", "w: 200", [("E-BOARD-MAP", 6, 3)], "the map east reaches beyond the canvas"),
    (
        "{x: 110, y: 0, w: 100, h: 100}",
        "{x: 90, y: 0, w: 100, h: 100}",
        [("W-BOARD-MAP", 6, 3), ("W-BOARD-SECTOR", 6, 3)],
        "overlap",
    ),
    (
        "maps:\n  west: {x: 0, y: 0, w: 100",
        "maps:\n  west: {x: 0, y: 0, w: 0",
        [("E-BOARD-MAP", 5, 3), ("E-BOARD-OUTSIDE", 12, 34), ("E-BOARD-OUTSIDE", 13, 33), ("E-BOARD-OUTSIDE", 14, 33)],
        "has no size",
    ),
    ("map: east, x: 120, y: 10", "map: eats, x: 120, y: 10", [("E-BOARD-MAP", 15, 25)], "did you mean east?"),
    ("isles]", "isles, redland]", [("E-BOARD-LAND", 9, 27)], "given to two owners (line 8)"),
    ("[marsh]", "[marsh, moor]", [("W-BOARD-LAND", 10, 22)], "the land moor has no city"),
    ("land: marsh", "land: marhs", [("W-BOARD-LAND", 10, 15), ("E-BOARD-LAND", 14, 50)], "did you mean marsh?"),
    ("x: 120, y: 10", "x: 120, y: 101", [("E-BOARD-OUTSIDE", 15, 34), ("W-BOARD-SUIT", 15, 69)], "y 0 to 100"),
    (
        "name: Celle",
        "name: Aachen",
        [
            ("E-BOARD-NAME", 14, 12),
            ("E-BOARD-ROAD-CITY", 20, 14),
            ("E-BOARD-ROAD-CITY", 21, 6),
            ("E-BOARD-START", 32, 21),
            ("E-BOARD-OFF-MAP", 38, 25),
        ],
        "already a city Aachen (line 12)",
    ),
    (
        "name: Celle",
        "name: '-'",
        [
            ("W-BOARD-LONELY", 14, 5),
            ("E-BOARD-NAME", 14, 12),
            ("E-BOARD-ROAD-CITY", 20, 14),
            ("E-BOARD-ROAD-CITY", 21, 6),
            ("E-BOARD-START", 32, 21),
            ("E-BOARD-OFF-MAP", 38, 25),
        ],
        "no letters",
    ),
    (
        "name: Celle",
        "name: Brunn",
        [
            ("W-BOARD-LONELY", 14, 5),
            ("W-BOARD-NAME", 14, 12),
            ("E-BOARD-ROAD-CITY", 20, 14),
            ("E-BOARD-ROAD-CITY", 21, 6),
            ("E-BOARD-START", 32, 21),
            ("E-BOARD-OFF-MAP", 38, 25),
        ],
        "differ only in accents",
    ),
    ("x: 10, y: 60", "x: 10, y: 10", [("W-BOARD-SPOT", 14, 33)], "same spot"),
    ("- [Aachen, Celle]", "- [Aachen, Cele]", [("E-BOARD-ROAD-CITY", 20, 14)], "did you mean Celle?"),
    ("- [Aachen, Celle]", "- [Aachen]", [("E-BOARD-CHAIN", 20, 5)], "two cities at least"),
    ("- [Aachen, Celle]", "- []", [("E-BOARD-CHAIN", 20, 5)], "two cities at least"),
    ("- [Aachen, Celle]", "- [Aachen, Aachen, Celle]", [("E-BOARD-LOOP", 20, 14)], "from Aachen to itself"),
    ("- [Celle, Brünn]", "- [Celle, Aachen]", [("E-BOARD-ROAD", 21, 13)], "stands twice (line 20)"),
    ("- [Celle, Brünn]", "- [Brünn, Aachen]", [("E-BOARD-ROAD", 21, 13)], "both a main road and another (line 18)"),
    ("  - [Dachau, Erfurt (Sud)]\n", "", [("W-BOARD-LONELY", 16, 5)], "no road leads to Erfurt (Sud)"),
    (", Dachau]", "]", [("W-BOARD-PARTS", 15, 5)], "no road joins Dachau and Erfurt (Sud) to the rest"),
    ("suit: spades, traits", "suit: clubs, traits", [("E-BOARD-SUIT", 13, 65)], "but its sector has spades"),
    ("w: 100, h: 100, suit: clubs}", "w: 90, h: 100, suit: clubs}", [("W-BOARD-SECTOR", 6, 3)], "gaps on the map east"),
    ("x: 50, y: 0, w: 50", "x: 40, y: 0, w: 60", [("W-BOARD-SECTOR", 25, 5)], "overlaps an earlier one (line 24)"),
    (
        "map: east, x: 110",
        "map: est, x: 110",
        [("W-BOARD-SUIT", 15, 68), ("W-BOARD-SUIT", 16, 71), ("E-BOARD-MAP", 26, 11)],
        "est",
    ),
    ("Ares, rank: 1, city: Aachen", "Ares, rank: 1", [("E-BOARD-START", 30, 9)], "in a city or in a box"),
    ("{box: Sea}]", "{box: Sea, city: Brünn}]", [("E-BOARD-START", 32, 29)], "only one of them"),
    ("{box: Sea}]", "{city: Celle}]", [("E-BOARD-START", 32, 36)], "another piece already begins in Celle"),
    ("rank: 1, city: Dachau", "rank: 1, city: Aachen", [("E-BOARD-START", 35, 39)], "another piece"),
    ("rank: 1, city: Dachau", "rank: 1, city: Dachow", [("E-BOARD-START", 35, 39)], "did you mean Dachau?"),
    ("name: Bellona, rank: 2", "name: Bellona, rank: 1", [("E-BOARD-GENERAL", 31, 31)], "two generals of rank 1"),
    ("name: Bellona", "name: Ares", [("E-BOARD-GENERAL", 31, 9)], "the general Ares begins twice (line 30)"),
    ("  blue:\n", "  bleu:\n", [("E-BOARD-POWER", 33, 3)], "did you mean blue?"),
    ("off_map:\n  red", "off_map:\n  rad", [("E-BOARD-POWER", 38, 3)], "no power 'rad'"),
    ("box: Sea, city: Celle", "box: Sea, city: Sylt", [("E-BOARD-OFF-MAP", 38, 25)], "no city 'Sylt'"),
]


@pytest.mark.parametrize(("old", "new", "wanted", "part"), FAULTY)
def test_every_fault_has_its_place(old: str, new: str, wanted: list[tuple[str, int, int]], part: str) -> None:
    assert BOARD.count(old) == 1, "the case must change one place of the sound board"
    text = BOARD.replace(old, new)
    assert told(text) == wanted
    assert part in "\n".join(fault.message_line("toy.yaml") for fault in inspect_board(text.encode(), "toy.yaml"))
    if any(code.startswith("E-") for code, _, _ in wanted):
        with pytest.raises(Refused) as refused:
            load_board(text.encode(), "toy.yaml")
        assert all(not fault.is_warning for fault in refused.value.faults)
    else:
        assert load_board(text.encode(), "toy.yaml").name == "toy"


FAULTY_PLACES = [
    ("occupied:\n  red", "occupied:\n  rod", [("E-BOARD-POWER", 40, 3)], "did you mean red?"),
    ("red: [marsh]", "red: [march]", [("E-BOARD-LAND", 40, 9)], "did you mean marsh?"),
    ("red: [marsh]", "red: [redland]", [("E-BOARD-LAND", 40, 9)], "is the home country of red"),
    ("objectives:\n  red", "objectives:\n  green", [("E-BOARD-POWER", 42, 3)], "no power 'green'"),
    ("first: [Celle]", "first: [Cele]", [("E-BOARD-OBJECTIVE", 46, 13)], "did you mean Celle?"),
    ("first: [Celle]", "first: [Dachau]", [("E-BOARD-OBJECTIVE", 46, 13)], "already stands in such a list (line 44)"),
    ("    first: [Celle]\n", "    second: [Celle]\n", [("E-KEY-MISSING", 46, 5)], "'first' is missing"),
    ("[Aachen, Brünn]\nre", "[Aachen, Aachen]\nre", [("E-BOARD-DEPOT", 48, 17)], "already stands"),
    ("[Aachen, Brünn]\nre", "[Aachen, Bruenn]\nre", [("E-BOARD-DEPOT", 48, 17)], "did you mean Brünn?"),
    ("{around: Aachen, land", "{around: Aix, land", [("E-BOARD-AREA", 50, 17)], "no city 'Aix'"),
    ("around: Aachen, land: redland", "around: Aachen, land: isles", [("E-BOARD-AREA", 50, 3)], "no city lies in"),
    ("{land: isles}", "{land: iles}", [("E-BOARD-LAND", 51, 16)], "did you mean isles?"),
    ("{land: isles}", "{}", [("E-BOARD-AREA", 51, 3)], "write `around` with a city, `land`, or both"),
    ("[Celle, Erfurt (Sud)]\nlines", "[Celle, Celle]\nlines", [("E-BOARD-REGION", 53, 18)], "already stands"),
    ("[Celle, Erfurt (Sud)]\nlines", "[Celle, Erfurd]\nlines", [("E-BOARD-REGION", 53, 18)], "there is no city"),
    (
        "x: 50, y: 0, w: 50",
        "x: 50, y: 0, w: 0",
        [("W-BOARD-SECTOR", 5, 3), ("W-BOARD-SUIT", 13, 65), ("E-BOARD-SECTOR", 25, 5)],
        "has no size",
    ),
    (
        "x: 50, y: 0, w: 50, h: 100",
        "x: 50, y: 0, w: 1, h: 1",
        [("W-BOARD-SECTOR", 5, 3), ("W-BOARD-SUIT", 13, 65)],
        "gaps on the map west",
    ),
    ("middle: 50", "middle: 100", [("E-BOARD-LINE", 55, 11)], "y between 0 and 100"),
]


@pytest.mark.parametrize(("old", "new", "wanted", "part"), FAULTY_PLACES)
def test_every_fault_of_the_places_too(old: str, new: str, wanted: list[tuple[str, int, int]], part: str) -> None:
    assert told(PLACES) == []
    assert PLACES.count(old) == 1, "the case must change one place of the sound board"
    text = PLACES.replace(old, new)
    assert told(text) == wanted
    assert part in "\n".join(fault.message_line("toy.yaml") for fault in inspect_board(text.encode(), "toy.yaml"))


def test_an_area_around_a_city_needs_its_sector() -> None:
    text = PLACES.replace("  - {map: west, x: 0, y: 0, w: 50, h: 100, suit: hearts}\n", "")
    assert ("E-BOARD-AREA", 49, 17) in told(text)


def test_areas_and_lines_tell_their_cities() -> None:
    board = Board(load_board(PLACES.encode(), "toy.yaml"))
    assert board.sector == (0, 1, 0, 2, 2)
    assert board.area(board.data.re_entry["red"]) == {0}
    assert board.area(board.data.re_entry["blue"]) == {4}
    assert board.area(Area(around="Aachen")) == {0, 2}
    assert board.south_of("middle") == {2, 4}
    assert Board(board.data, ["west"]).area(board.data.re_entry["blue"]) == frozenset()


def test_a_stack_of_four_generals_is_refused() -> None:
    more = "".join(f"      - {{name: G{rank}, rank: {rank}, city: Aachen}}\n" for rank in (3, 4))
    text = BOARD.replace("    trains: [{city: Celle}", more + "    trains: [{city: Celle}")
    assert told(text) == [("E-BOARD-START", 33, 35)]


def test_a_board_that_came_from_no_file_can_be_checked() -> None:
    board = load_board(BOARD.encode(), "toy.yaml")
    assert check_board(board) == []
    twice = replace(board, roads=(*board.roads, ("Celle", "Aachen")))
    (fault,) = check_board(twice)
    assert (fault.code, fault.line, str(fault.message)) == ("E-BOARD-ROAD", 0, "the road Celle – Aachen stands twice")


def test_all_faults_at_once() -> None:
    text = (
        BOARD.replace("Brünn, Dachau", "Brunn, Dachow")
        .replace("land: isles", "land: iles")
        .replace("rank: 2", "rank: 1")
    )
    assert [code for code, _, _ in told(text) if code[0] == "E"] == [
        "E-BOARD-LAND",
        "E-BOARD-ROAD-CITY",
        "E-BOARD-ROAD-CITY",
        "E-BOARD-GENERAL",
    ]


def test_written_and_read_back() -> None:
    board = load_board(BOARD.encode(), "toy.yaml")
    text = write_board(board)
    assert load_board(text.encode(), "toy.yaml") == board
    assert "  # west, redland: 2\n  - {name: Aachen, map: west, x: 10, y: 10, land: redland, suit: hearts, fort" in text
    assert "    trains: [{city: Celle}, {box: Sea}]\n" in text
    places = load_board(PLACES.encode(), "toy.yaml")
    assert load_board(write_board(places).encode(), "toy.yaml") == places


def test_long_chains_are_wrapped() -> None:
    names = [f"Town number {number}" for number in range(30)]
    cities = tuple(CityData(name, "m", x, 1, "l", "clubs") for x, name in enumerate(names))
    board = BoardData("b", "B", Canvas(99, 9), {"m": Frame(0, 0, 99, 9)}, {}, cities, (tuple(names),), (), "", ("l",))
    text = write_board(board)
    lines = [line for line in text.split("\n") if "Town number" in line and "{" not in line]
    assert [len(line) for line in lines] == [124, 114, 116, 116, 20]
    assert lines[0].startswith("  - [Town number 0, Town number 1,")
    assert lines[1].startswith("     Town number 8,")
    assert load_board(text.encode(), "b.yaml") == board


NAMES = st.lists(
    st.text("aBé- '(),:#[]{}!&*|>%@\"\\", min_size=1, max_size=8).map(lambda s: "x" + s), min_size=2, unique=True
)


@given(NAMES, st.text("ab\n #:-", max_size=40))
@settings(max_examples=50, deadline=1000)
def test_any_names_survive_writing(names: list[str], note: str) -> None:
    cities = tuple(CityData(name, "m m", x, 1, name, "hearts", traits=(name,)) for x, name in enumerate(names))
    board = BoardData("b: b", "- t", Canvas(99, 9), {"m m": Frame(0, 0, 99, 9)}, {}, cities, (tuple(names),), (), note)
    board = replace(board, other_lands=tuple(names))
    errors = [fault for fault in check_board(board) if not fault.is_warning]
    assert errors == []
    assert load_board(write_board(board).encode(), "b.yaml") == board


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)).filter(lambda pair: pair[0] != pair[1]), max_size=40))
@settings(max_examples=100, deadline=1000)
def test_chains_hold_every_road_once(pairs: list[tuple[int, int]]) -> None:
    spots = [Spot(7 * city % 5, city) for city in range(13)]
    wanted = {frozenset(pair) for pair in pairs}
    found = chains(pairs, spots)
    got = [frozenset(road) for road in links(tuple(tuple(map(str, chain)) for chain in found))]
    assert len(got) == len(set(got))
    assert set(got) == {frozenset(map(str, road)) for road in wanted}
    odd = sum(sum(city in road for road in wanted) % 2 for city in range(13))
    assert len(found) <= odd // 2 + len(wanted) // 3 + 1


def test_chains_go_straight_on() -> None:
    spots = [Spot(0, 0), Spot(10, 0), Spot(20, 0), Spot(10, 10), Spot(10, -10)]
    assert chains([(0, 1), (1, 2), (1, 3), (1, 4)], spots) == [(0, 1, 2), (3, 1, 4)]


def large(cities: int = 1000, *, step: int = 30, **more: object) -> BoardData:
    """A board with so many cities in rows of forty."""
    spots = [(20 + number % 40 * step, 20 + number // 40 * step) for number in range(cities)]
    named = tuple(CityData(f"C{i}", "m", *spot, "l", "clubs") for i, spot in enumerate(spots))
    chain = (tuple(city.name for city in named),)
    board = BoardData("b", "B", Canvas(1300, 1300), {"m": Frame(0, 0, 1300, 1300)}, {}, named, (), chain, "", ("l",))
    return replace(board, **more)


ROADS = tuple((f"C{i}", f"C{i + k}") for k in (1, 2, 40) for i in range(900) if i % 40 < 38)


@pytest.mark.parametrize(
    ("board", "code", "key"),
    [
        (large(1001), "E-BOARD-MANY", "C1000"),
        (large(step=26, roads=ROADS), "E-BOARD-MANY", f"- [{', '.join(ROADS[2000])}]"),
        (large(roads=tuple(("C500", f"C{i}") for i in range(480, 497))), "E-BOARD-MANY", "- [C500, C496]"),
        (large(roads=tuple((f"C{i}", f"C{999 - i}") for i in range(110))), "E-BOARD-MANY", "- [C"),
        (large(maps={f"m{i}": Frame(0, 0, 9, 9) for i in range(17)}), "E-BOARD-MANY", "m16:"),
        (large(regions={f"r{i}": () for i in range(101)}), "E-BOARD-MANY", "r100:"),
        (large(other_lands=tuple(f"l{i}" for i in range(101))), "E-BOARD-MANY", "powers:"),
        (large(setup={"red": ArmyStart(trains=(TrainStart(box="b"),) * 201)}), "E-BOARD-MANY", "setup:"),
        (large(step=10), "E-BOARD-CROWD", "C"),
        (large(cities=9, step=0), "E-BOARD-CROWD", "C6"),
        (large(title="x" * 201), "E-BOARD-LONG", "title:"),
        (large(note="x" * 10_001), "E-BOARD-LONG", "note:"),
        (large(other_lands=("l", "x" * 41)), "E-BOARD-LONG", "xxx"),
        (large(setup={"red": ArmyStart(trains=(TrainStart(box="b" * 41),))}), "E-BOARD-LONG", "bbb"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_more_than_can_be_drawn_is_one_fault_with_its_place(board: BoardData, code: str, key: str) -> None:
    text = write_board(board)
    (fault,) = inspect_board(text.encode(), "board")
    assert fault.code == code
    assert key in text.splitlines()[fault.line - 1]


def test_a_board_that_is_as_large_as_may_be_is_taken() -> None:
    assert not [fault for fault in inspect_board(write_board(large()).encode(), "board") if not fault.is_warning]
    assert [*boards().values()]
    for path in boards().values():
        assert load_board(path.read_bytes(), path.name)
