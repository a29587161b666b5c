"""The boards that ship with the program: what the rule books state about them, and what we want of our own."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from pbem.engine.board import SUITS, UNREACHABLE, Board, BoardData, GeneralStart, TrainStart, links
from pbem.paper.boards import inspect_board, load_board, write_board

RULES = Path(__file__).parent.parent / "rules"
MARIA = RULES / "maria" / "boards" / "theatrum-belli.yaml"
FRIEDRICH = RULES / "friedrich" / "boards" / "friedrich.yaml"


def load(path: Path) -> BoardData:
    return load_board(path.read_bytes(), path.name)


@pytest.fixture(scope="module")
def maria() -> Board:
    return Board(load(MARIA))


@pytest.fixture(scope="module")
def friedrich() -> Board:
    return Board(load(FRIEDRICH))


SHIPPED = sorted(path for path in RULES.glob("*/boards/*.yaml") if not path.stem.endswith(".scenery"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_board_is_sound_and_survives_writing(path: Path) -> None:
    strange = [fault.message for fault in inspect_board(path.read_bytes(), path.name)]
    assert strange == (["Münster and Munster differ only in accents, case or signs"] if path == FRIEDRICH else [])
    assert load_board(write_board(load(path)).encode(), path.name) == load(path)


def roads(board: Board) -> set[frozenset[str]]:
    return {frozenset(road) for road in links((*board.data.main_roads, *board.data.roads))}


def names(board: Board, **wanted: object) -> set[str]:
    return {city.name for city in board.cities if all(getattr(city, key) == value for key, value in wanted.items())}


def far(board: Board, one: str, other: str) -> int:
    return board.distance(board.index[one])[board.index[other]]


# MARIA


def test_maria_has_two_maps_joined_by_few_roads_in_the_south(maria: Board) -> None:
    assert set(maria.data.maps) == {"flanders", "bohemia"}
    where = {city.name: city for city in maria.cities}
    joining = [road for road in roads(maria) if len({where[name].map for name in road}) == 2]
    assert 2 <= len(joining) <= 4
    for road in joining:
        for name in road:
            frame = maria.data.maps[where[name].map]
            assert where[name].y > frame.y + frame.h / 2
    for name in ("flanders", "bohemia"):
        alone = Board(maria.data, [name])
        inside = [city.index for city in alone.cities if alone.in_play(city.index)]
        assert all(alone.distance(inside[0])[city] < UNREACHABLE for city in inside)


def test_maria_has_44_sectors_that_cover_the_maps_exactly(maria: Board) -> None:
    sectors = maria.data.sectors
    assert len(sectors) == 44
    assert Counter(sector.suit for sector in sectors) == dict.fromkeys(SUITS, 11)
    for name, frame in maria.data.maps.items():
        assert sum(sector.w * sector.h for sector in sectors if sector.map == name) == frame.w * frame.h
    for city in maria.cities:
        (home,) = [
            sector
            for sector in sectors
            if sector.map == city.map
            and sector.x < city.x < sector.x + sector.w
            and sector.y < city.y < sector.y + sector.h
        ]
        assert SUITS.index(home.suit) == city.suit, city.name


def test_maria_silesia_has_seven_fortresses_and_the_empire_nine_electors(maria: Board) -> None:
    silesian = {city.name for city in maria.cities if city.land == "silesia" and city.fortress}
    assert silesian == {"Liegnitz", "Glogau", "Breslau", "Brieg", "Schweidnitz", "Neisse", "Cosel"}
    assert silesian & names(maria, fortress="major") == {"Breslau"}
    electors = names(maria, elector=True)
    assert electors == {"Berlin", "Dresden", "Prag", "München", "Hannover", "Köln", "Trier", "Mainz", "Mannheim"}
    assert electors <= {city.name for city in maria.cities if city.fortress}
    assert electors & names(maria, map="flanders", land="empire") == {"Köln", "Trier", "Mainz", "Mannheim"}


def test_maria_home_countries(maria: Board) -> None:
    assert {power: set(lands) for power, lands in maria.data.powers.items()} == {
        "austria": {"austria", "austrian-netherlands"},
        "prussia": {"prussia"},
        "saxony": {"saxony"},
        "bavaria": {"bavaria"},
        "france": {"france"},
        "pragmatic": {"netherlands", "hanover"},
    }
    assert set(maria.data.other_lands) == {"silesia", "poland", "empire"}


def test_maria_set_up_has_twenty_generals_and_ten_trains(maria: Board) -> None:
    setup = maria.data.setup
    assert {power: (len(army.generals), len(army.trains)) for power, army in setup.items()} == {
        "france": (5, 2),
        "bavaria": (1, 1),
        "prussia": (4, 2),
        "saxony": (1, 1),
        "austria": (6, 3),
        "pragmatic": (3, 1),
    }
    for army in setup.values():
        assert [general.rank for general in army.generals] == list(range(1, len(army.generals) + 1))
    pieces: list[GeneralStart | TrainStart] = []
    for army in setup.values():
        pieces += [*army.generals, *army.trains]
    assert len(pieces) == 30
    boxed = sorted(piece.box for piece in pieces if piece.box)
    assert boxed == ["Ostpreussen", "Silesia"]
    cities = [piece.city for piece in pieces if piece.city]
    assert len(set(cities)) == len(cities) == 28


def test_maria_generals_abroad_begin_in_supply(maria: Board) -> None:
    for power in ("prussia", "france", "saxony", "bavaria", "pragmatic"):
        army = maria.data.setup[power]
        trains = [train.city for train in army.trains if train.city]
        for general in army.generals:
            if general.city and maria.land[maria.index[general.city]] not in maria.data.powers[power]:
                assert min(far(maria, general.city, train) for train in trains) <= 6, general.name


def test_maria_boxes_point_to_cities_of_their_power(maria: Board) -> None:
    assert {power: arrow.box for power, arrow in maria.data.off_map.items()} == {
        "prussia": "Ostpreussen",
        "austria": "Italy",
        "france": "Italy",
        "pragmatic": "England",
    }
    for power, arrow in maria.data.off_map.items():
        assert maria.land[maria.index[arrow.city]] in maria.data.powers[power]


MARCHES = [
    ("Tournai", "Brüssel", 2, 2),
    ("Glogau", "Breslau", 3, 4),
    ("Liegnitz", "Prag", 7, 9),
    ("Dresden", "Prag", 5, 6),
    ("Linz", "Wien", 6, 7),
    ("Berlin", "Dresden", 6, 7),
    ("Lille", "Amsterdam", 9, 11),
    ("Köln", "Mainz", 5, 7),
]


@pytest.mark.parametrize(("one", "other", "least", "most"), MARCHES)
def test_maria_well_known_marches(maria: Board, one: str, other: str, least: int, most: int) -> None:
    assert least <= far(maria, one, other) <= most


def test_maria_example_of_conquest(maria: Board) -> None:
    """§10.3: through Tournai and Brüssel in one move from France, with the Pragmatic Army near Brüssel."""
    assert any(maria.land[city] == "france" for city in maria.near[maria.index["Tournai"]])
    assert any(
        maria.land[city] == "netherlands"
        for city in range(len(maria.cities))
        if maria.distance(maria.index["Brüssel"])[city] <= 3
    )


def test_maria_roads_do_not_cross_or_touch_other_cities(maria: Board) -> None:
    at = {city.name: (city.x, city.y) for city in maria.cities}
    every = sorted(tuple(sorted(road)) for road in roads(maria))
    crossing = [
        (one, other)
        for one, other in combinations(every, 2)
        if not set(one) & set(other) and cross(at[one[0]], at[one[1]], at[other[0]], at[other[1]])
    ]
    assert crossing == []


Spot = tuple[int, int]


def cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def side(a: Spot, b: Spot, c: Spot) -> int:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def test_crossing_is_noticed() -> None:
    assert cross((0, 0), (10, 10), (0, 10), (10, 0))
    assert not cross((0, 0), (10, 0), (0, 10), (10, 10))


def test_maria_size(maria: Board) -> None:
    main = sum(len(chain) - 1 for chain in maria.data.main_roads)
    assert len(maria.cities) == 380
    assert 0.35 <= main / len(roads(maria)) <= 0.45
    assert max(map(len, maria.near)) <= 7


# FRIEDRICH


def test_friedrich_size(friedrich: Board) -> None:
    main = [road for chain in friedrich.data.main_roads for road in pairwise(chain)]
    assert (len(friedrich.cities), len(roads(friedrich)), len(main)) == (672, 976, 185)
    assert {len(near) for near in friedrich.near} == {1, 2, 3, 4, 5, 6}
    assert friedrich.distance(0).count(UNREACHABLE) == 0
    assert Counter(friedrich.land) == {
        "prussia": 185,
        "poland": 149,
        "empire": 143,
        "austria": 71,
        "saxony": 64,
        "hanover": 54,
        "sweden": 6,
    }


def test_friedrich_traits(friedrich: Board) -> None:
    assert Counter(trait for city in friedrich.cities for trait in city.traits) == {
        "objective_prussia": 14,
        "objective_russia": 10,
        "objective_france": 10,
        "objective1_austria": 12,
        "objective2_austria": 4,
        "objective1_sweden": 5,
        "objective2_sweden": 5,
        "objective1_imperial": 5,
        "objective2_imperial": 5,
        "depot": 10,
        "sector:hearts_south_of_koblenz": 15,
        "sector:diamonds_stade": 33,
        "sector:diamonds_brunn": 25,
        "sector:spades_berlin": 22,
        "sector:spades_south_of_hildburghausen": 14,
        "sector:spades_warszawa": 18,
    }
    assert all("objective" in "".join(city.traits) for city in friedrich.cities[:70])
    for city in friedrich.cities:
        for trait in city.traits:
            if trait.startswith("sector:"):
                assert trait.startswith(f"sector:{SUITS[city.suit]}"), city.name


NUMBERED = [
    (0, "Bunzlau", "clubs"),
    (55, "Breslau", "spades"),
    (130, "Koblenz", "clubs"),
    (192, "Sierpc", "clubs"),
    (229, "Brünn", "diamonds"),
    (316, "Oschatz", "diamonds"),
    (348, "Stade", "diamonds"),
    (373, "Łomża", "diamonds"),
    (454, "Mohrungen", "hearts"),
    (531, "Berlin", "spades"),
    (658, "Warszawa", "spades"),
    (35, "Friedland (Böhmen)", "hearts"),
    (39, "Königsberg (Ostpreußen)", "hearts"),
    (407, "Frankfurt (Main)", "hearts"),
    (408, "Frankfurt (Oder)", "hearts"),
    (582, "Königsberg (Neumark)", "spades"),
    (612, "Osterode (Harz)", "spades"),
]


@pytest.mark.parametrize(("number", "name", "suit"), NUMBERED)
def test_friedrich_cities_keep_their_numbers(friedrich: Board, number: int, name: str, suit: str) -> None:
    city = friedrich.cities[number]
    assert (city.name, SUITS[city.suit]) == (name, suit)


def test_friedrich_names_that_stand_twice(friedrich: Board) -> None:
    twice = Counter(city.name.split(" (")[0] for city in friedrich.cities if " (" in city.name)
    assert twice == {
        "Friedland": 3,
        "Frankfurt": 2,
        "Fürstenberg": 2,
        "Königsberg": 2,
        "Lauenburg": 2,
        "Oldenburg": 2,
        "Osterode": 2,
        "Ostrów": 2,
        "Schönberg": 2,
    }


NEAR = [
    ("Königsberg (Ostpreußen)", {"Heiligenbeil", "Zinten", "Labiau", "Tapiau"}),
    ("Königsberg (Neumark)", {"Schwedt", "Neudamm"}),
    ("Frankfurt (Main)", {"Homburg", "Darmstadt", "Hanau", "Wiesbaden"}),
    ("Oldenburg (Holstein)", {"Eutin"}),
    ("Schönberg (Mähren)", {"Trübau", "Freiwaldau", "Olmütz"}),
    ("Lauenburg (Pommern)", {"Stolpe", "Wejherowo"}),
    ("Ostrów (Masowien)", {"Wyszków", "Łomża"}),
]


@pytest.mark.parametrize(("name", "near"), NEAR)
def test_friedrich_neighbours(friedrich: Board, name: str, near: set[str]) -> None:
    assert {friedrich.cities[city].name for city in friedrich.near[friedrich.index[name]]} == near
