"""The boards that ship with the program: what the rule books state about them, and what we want of our own."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from pbem.engine.board import SUITS, UNREACHABLE, Board, BoardData, GeneralStart, TrainStart, links
from pbem.paper.boards.files import inspect_board, load_board, write_board

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


SHIPPED = sorted(path for path in RULES.glob("*/boards/*.yaml") if "." not in path.stem)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_shipped_board_is_sound_and_survives_writing(path: Path) -> None:
    strange = [str(fault.message) for fault in inspect_board(path.read_bytes(), path.name)]
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


def test_friedrich_has_33_sectors_that_cover_the_map_exactly(friedrich: Board) -> None:
    sectors = friedrich.data.sectors
    assert Counter(sector.suit for sector in sectors) == {"clubs": 8, "diamonds": 8, "hearts": 9, "spades": 8}
    assert sum(sector.w * sector.h for sector in sectors) == friedrich.data.canvas.w * friedrich.data.canvas.h
    for city in friedrich.cities:
        sector = sectors[friedrich.sector[city.index]]
        assert sector.suit == SUITS[city.suit], city.name
        assert sector.x < city.x < sector.x + sector.w, city.name
        assert sector.y < city.y < sector.y + sector.h, city.name
    assert list(
        Counter(friedrich.sector[city] for city in sorted(range(672), key=friedrich.sector.__getitem__)).values()
    ) == [
        *(20, 20, 19, 15),
        *(33, 26, 24, 14),
        *(30, 26, 26, 13),
        *(14, 22, 24, 28),
        *(15, 24, 24, 27),
        *(20, 18, 18, 25),
        *(14, 18, 20, 19, 9),
        *(19, 14, 18, 16),
    ]


def test_friedrich_objectives(friedrich: Board) -> None:
    objectives = friedrich.data.objectives
    assert {power: (len(mine.first), len(mine.second)) for power, mine in objectives.items()} == {
        "prussia": (14, 0),
        "russia": (10, 0),
        "sweden": (5, 5),
        "austria": (12, 4),
        "imperial": (5, 5),
        "france": (10, 0),
    }
    every = [city for mine in objectives.values() for city in (*mine.first, *mine.second)]
    assert sorted(friedrich.index[city] for city in every) == list(range(70))
    lands = Counter(
        (power, friedrich.land[friedrich.index[city]])
        for power, mine in objectives.items()
        for city in (*mine.first, *mine.second)
    )
    assert lands == {
        ("prussia", "austria"): 14,
        ("russia", "prussia"): 10,
        ("sweden", "prussia"): 10,
        ("austria", "prussia"): 11,
        ("austria", "saxony"): 5,
        ("imperial", "saxony"): 10,
        ("france", "prussia"): 3,
        ("france", "hanover"): 7,
    }


def test_friedrich_home_countries(friedrich: Board) -> None:
    """§1: Russia and France are at home nowhere; Saxony is yellow, but Prussia defends it (§5)."""
    assert {power: set(lands) for power, lands in friedrich.data.powers.items()} == {
        "prussia": {"prussia"},
        "hanover": {"hanover"},
        "russia": set(),
        "sweden": {"sweden"},
        "austria": {"austria"},
        "imperial": {"empire", "saxony"},
        "france": set(),
    }
    assert friedrich.data.occupied == {"prussia": ("saxony",)}
    assert friedrich.data.other_lands == ("poland",)


def test_friedrich_set_up_has_24_generals_and_11_trains(friedrich: Board) -> None:
    setup = friedrich.data.setup
    assert list(setup) == list(friedrich.data.powers)
    assert {power: (len(army.generals), len(army.trains)) for power, army in setup.items()} == {
        "prussia": (8, 2),
        "hanover": (2, 1),
        "russia": (4, 2),
        "sweden": (1, 1),
        "austria": (5, 2),
        "imperial": (1, 1),
        "france": (3, 2),
    }
    for army in setup.values():
        assert [general.rank for general in army.generals] == list(range(1, len(army.generals) + 1))
    together = Counter(general.city for army in setup.values() for general in army.generals)
    assert {city for city, count in together.items() if count > 1} == {
        "Oschatz",
        "Strehlen",
        "Bydgoszcz",
        "Melnik",
        "Iserlohn",
    }


def test_friedrich_generals_abroad_begin_in_supply(friedrich: Board) -> None:
    for power, army in friedrich.data.setup.items():
        trains = [train.city for train in army.trains if train.city]
        for general in army.generals:
            assert general.city is not None
            at_home = friedrich.land[friedrich.index[general.city]] in friedrich.data.powers[power]
            assert at_home or min(far(friedrich, general.city, train) for train in trains) <= 6, general.name


def test_friedrich_depots_and_where_pieces_come_back_otherwise(friedrich: Board) -> None:
    """§10: every power has one or two depots, and an area for when the enemy stands in all of them."""
    assert {power: len(cities) for power, cities in friedrich.data.depots.items()} == {
        "prussia": 1,
        "hanover": 1,
        "russia": 2,
        "sweden": 1,
        "austria": 2,
        "imperial": 1,
        "france": 2,
    }
    areas = {power: friedrich.area(area) for power, area in friedrich.data.re_entry.items()}
    assert {power: len(area) for power, area in areas.items()} == {
        "prussia": 22,
        "hanover": 33,
        "russia": 18,
        "sweden": 6,
        "austria": 14,
        "imperial": 14,
        "france": 15,
    }
    for power, suit in (("prussia", "spades"), ("hanover", "diamonds"), ("russia", "spades"), ("austria", "diamonds")):
        assert {SUITS[friedrich.suit[city]] for city in areas[power]} == {suit}
        assert areas[power] & {friedrich.index[city] for city in friedrich.data.depots[power]}
    hildburghausen = friedrich.cities[friedrich.index["Hildburghausen"]]
    koblenz = friedrich.cities[friedrich.index["Koblenz"]]
    assert all(friedrich.cities[city].y > hildburghausen.y for city in areas["imperial"])
    assert all(friedrich.cities[city].y > koblenz.y for city in areas["france"])


def test_friedrich_east_prussia_is_the_exclave_with_four_russian_objectives(friedrich: Board) -> None:
    region = {friedrich.index[city] for city in friedrich.data.regions["east-prussia"]}
    assert len(region) == 30
    assert {friedrich.land[city] for city in region} == {"prussia"}
    beyond = {other for city in region for other in friedrich.near[city]} - region
    assert {friedrich.land[city] for city in beyond} == {"poland"}
    aims = {friedrich.index[city] for city in friedrich.data.objectives["russia"].first}
    assert {friedrich.cities[city].name for city in aims & region} == {
        "Königsberg (Ostpreußen)",
        "Ortelsburg",
        "Rastenburg",
        "Riesenburg",
    }


def test_friedrich_line_5_runs_north_of_bohemia(friedrich: Board) -> None:
    south = friedrich.south_of("coordinate-5")
    assert {friedrich.index[city] for city in friedrich.data.objectives["prussia"].first} <= south
    assert friedrich.index["Berlin"] not in south


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
