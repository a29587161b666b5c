"""Boards out of other programs' files, with small invented ones."""

from __future__ import annotations

import io
import time
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.board import SUITS
from pbem.paper.boards.checks import check_board
from pbem.paper.boards.files import load_board, write_board
from pbem.paper.boards.imports import import_rtt, import_vassal
from pbem.paper.boards.imports.rtt import Spot, chains, literals
from pbem.paper.documents.faults import Refused

DATA_JS = r"""
"use strict"
/* an invented board { with braces } */
const suits = ["clubs", "diamonds", "hearts", "spades"]; // in this order
function f(x) { let data = { not: x + 1 }; return data }
const countries = [ 'Red Land', "Blue\u0020Land", ]
var cities = {
  name: [ "Alpha", "Beta", "Gamma", 'Del\'ta', "Beta", ],
  x: [ 100, 200.4, 300, 100, 200 ],
  y: [ -5, 0, 0, 100, 1e2 ],
  suit: [ 0, "♥", "Spade", 3, "diamonds" ],
  country: [0,0,1,1,1],
  "type": ["major_fortress", ["elector", "minor_fortress"], [], null, ["port"]],
  main_roads: [ [1], [0,2], [1], [], [] ],
  roads: [ [3], [], [], [0, 4], [3] ],
}
const data = { cities, suits, countries, }
if (typeof module !== "undefined") module.exports = data
"""


def test_rally_the_troops() -> None:
    board = import_rtt(DATA_JS, "data.js", "Toy Board")
    assert (board.name, board.title) == ("toy-board", "Toy Board")
    assert [city.name for city in board.cities] == ["Alpha", "Beta (Red-Land)", "Gamma", "Del'ta", "Beta (Blue-Land)"]
    assert [city.suit for city in board.cities] == ["clubs", "hearts", "spades", "spades", "diamonds"]
    assert [city.land for city in board.cities] == ["red-land", "red-land", "blue-land", "blue-land", "blue-land"]
    assert [city.fortress for city in board.cities] == ["major", "minor", None, None, None]
    assert [city.elector for city in board.cities] == [False, True, False, False, False]
    assert board.cities[4].traits == ("port",)
    assert [(city.x, city.y) for city in board.cities][:2] == [(100, 40), (200, 45)]
    assert board.main_roads == (("Alpha", "Beta (Red-Land)", "Gamma"),)
    assert board.roads == (("Alpha", "Del'ta", "Beta (Blue-Land)"),)
    assert [fault.code for fault in check_board(board)] == []
    assert load_board(write_board(board).encode(), "b.yaml") == board


def test_other_ways_of_writing_the_same() -> None:
    plain = '{"cities": {"name": ["A", "B"], "x": [1, 2], "y": [3, 4], "adjacent": [[1], [0]], "main_roads": [[], []]}}'
    board = import_rtt(plain, "data.json")
    assert board.roads == (("A", "B"),)
    assert import_rtt("exports.data = " + plain) == board
    assert (
        import_rtt("roads = [[0, 1], [1, 1, 0], [9, 0]]; " + "data = " + plain.replace("adjacent", "nothing")) == board
    )
    assert import_rtt(f"const data = {plain}; exports.data = data;") == board
    assert import_rtt(plain.replace('"main_roads": [[], []]', '"main_roads": [[1], [0]]')).main_roads == (("A", "B"),)
    assert import_rtt("var cities = {name:['A','B'],x:[1,2],y:[3,4]}; cities.roads = [[1],[0]]").roads == (("A", "B"),)


def test_a_suit_without_a_list_of_words_is_counted_from_clubs() -> None:
    board = import_rtt("cities = {name: ['A', 'B', 'C', 'D'], x: [1, 2, 3, 4], y: [1, 1, 1, 1], suit: [0, 1, 2, 3]}")
    assert tuple(city.suit for city in board.cities) == SUITS


def test_a_place_that_holds_no_city_is_left_out() -> None:
    board = import_rtt("cities = {name: [null, 'A', 'B'], x: [0, 1, 2], y: [0, 1, 2], adjacent: [[], [2], [1, 0]]}")
    assert [city.name for city in board.cities] == ["A", "B"]
    assert board.roads == (("A", "B"),)


def test_roads_that_cross_far_from_the_corner_go_straight_on() -> None:
    west, north, middle, east, south = range(5)
    spots = [Spot(900, 1000), Spot(1000, 900), Spot(1000, 1000), Spot(1100, 1000), Spot(1000, 1100)]
    assert chains([(middle, end) for end in (west, north, east, south)], spots) == [
        (west, middle, east),
        (north, middle, south),
    ]


LITERALS = [
    ("a = {b: 1, 'c d': [2, , 3,], e: {f: .5}}", {"a": {"b": 1, "c d": [2, None, 3], "e": {"f": 0.5}}}),
    ("a = [-1, 0x1F, 1e3, 2.0, true, null, undefined]", {"a": [-1, 31, 1000, 2, True, None, None]}),
    (r"a = ['\x41\u0042\u{43}\n\'', `tick`]", {"a": ["ABC\n'", "tick"]}),
    ("let a = []; b = a // c = [1]\n/* d = [2] */", {"a": [], "b": []}),
    ("if (a == [1]) { x => {} }", {}),
    ("a = [f(1)]; b = [2]", {"b": [2]}),
    ("f.g.h = {i: 1}", {"h": {"i": 1}}),
]


@pytest.mark.parametrize(("text", "wanted"), LITERALS)
def test_literals(text: str, wanted: object) -> None:
    assert literals(text, "data.js") == wanted


NOT_IMPORTED = [
    ("", "E-IMPORT-NOTHING", ""),
    ("const a = [1, 2]", "E-IMPORT-NOTHING", ""),
    ("cities = {name: ['A'], x: [1, 2], y: [1]}", "E-IMPORT-NOTHING", ""),
    ("\ncities = {name: [f()], x: [1], y: [1]}", "E-IMPORT-SYNTAX", ":2:18"),
    ("cities = {name: ['A'", "E-IMPORT-SYNTAX", ":1:18"),
    ("cities = {name: 'A' 'B'}", "E-IMPORT-SYNTAX", ":1:21"),
    ("a = " + "[" * 100, "E-IMPORT-SYNTAX", ":1:46"),
]


@pytest.mark.parametrize(("text", "code", "place"), NOT_IMPORTED)
def test_not_imported(text: str, code: str, place: str) -> None:
    with pytest.raises(Refused) as refused:
        import_rtt(text, "data.js")
    assert [(each.code, each.place) for each in refused.value.faults] == [(code, place)]


PARTS = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "=",
    "a",
    "cities",
    "name",
    "x",
    "y",
    "'",
    '"',
    "`",
    "\\",
    "/*",
    "*/",
    "//",
    "\n",
    "1",
    "-",
    " ",
]


@given(st.lists(st.sampled_from(PARTS), max_size=60).map("".join))
@settings(max_examples=150, deadline=1000)
def test_any_text_is_imported_or_refused(text: str) -> None:
    try:
        import_rtt(text)
    except Refused as refused:
        told = refused.faults
    else:
        return
    assert told


@pytest.mark.parametrize("part", ["/*", '"\\', "'", "`$", "a = [", "{a:", "a ", "-", "1", "\\", "a.", "'\\'", "[,"])
def test_large_nonsense_is_dealt_with_quickly(part: str) -> None:
    start = time.process_time()
    with pytest.raises(Refused):
        import_rtt(part * 100_000)
    assert time.process_time() - start < 4


BUILD_FILE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule name="Toy" version="1.0">
  <VASSAL.build.widget.PieceSlot entryName="Spare" gpid="2"/>
  <VASSAL.build.module.Map mapName="Main">
    <VASSAL.build.module.map.BoardPicker title="Choose">
      <VASSAL.build.module.map.boardPicker.Board image="w.png" name="West Map">
        <VASSAL.build.module.map.boardPicker.board.RegionGrid snapTo="true">
          <VASSAL.build.module.map.boardPicker.board.mapgrid.Region name="Alpha" originx="100" originy="50"/>
          <VASSAL.build.module.map.boardPicker.board.mapgrid.Region name="Brünn" originx="300" originy="70"/>
        </VASSAL.build.module.map.boardPicker.board.RegionGrid>
      </VASSAL.build.module.map.boardPicker.Board>
      <VASSAL.build.module.map.boardPicker.Board image="e.png" name="East">
        <VASSAL.build.module.map.boardPicker.board.RegionGrid>
          <VASSAL.build.module.map.boardPicker.board.mapgrid.Region name="Alpha" originx="10" originy="20"/>
          <VASSAL.build.module.map.boardPicker.board.mapgrid.Region name="Box &amp; more" originx="x" originy="90"/>
        </VASSAL.build.module.map.boardPicker.board.RegionGrid>
      </VASSAL.build.module.map.boardPicker.Board>
    </VASSAL.build.module.map.BoardPicker>
    <VASSAL.build.module.map.SetupStack name="Red 1" owningBoard="West Map" useGridLocation="false" x="290" y="75">
      <VASSAL.build.widget.PieceSlot entryName="Ares" gpid="1">+/null/piece;;;a.png;</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.module.map.SetupStack>
    <VASSAL.build.module.map.SetupStack name="Blue 1" owningBoard="East" useGridLocation="true" location="Alpha"/>
  </VASSAL.build.module.Map>
  <VASSAL.build.module.Map mapName="Charts" entryName="Chart"/>
</VASSAL.build.GameModule>
"""


def module(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("images/w.png", b"no picture")
        archive.writestr(name, content)
    return file.getvalue()


def test_vassal() -> None:
    board = import_vassal(BUILD_FILE.encode(), "buildFile.xml", "Toy")
    assert [city.name for city in board.cities] == ["Alpha", "Brünn", "Alpha (2)", "Box & more"]
    assert [city.map for city in board.cities] == ["west-map", "west-map", "east", "east"]
    assert [(city.x, city.y) for city in board.cities][:2] == [(100, 50), (300, 70)]
    assert board.main_roads == board.roads == ()
    assert "Set-up: Red 1, Ares – Brünn.\n" in board.note
    assert "Set-up: Blue 1 – Alpha (2).\n" in board.note
    assert "Spare" not in board.note
    assert "Chart" not in board.note
    assert {fault.code for fault in check_board(board)} == {"W-BOARD-LONELY"}
    assert load_board(write_board(board).encode(), "b.yaml") == board


def test_a_whole_module_is_the_same() -> None:
    board = import_vassal(BUILD_FILE.encode())
    assert import_vassal(module("buildFile.xml", BUILD_FILE.encode()), "toy.vmod") == board
    assert import_vassal(module("buildFile", BUILD_FILE.encode()), "toy.vmod") == board


BOMB = '<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "bb">]>\n<a>&b;</a>'
VASSAL_REFUSED = [
    (b"", "E-IMPORT-SYNTAX", ":1:1"),
    (b"<a>\n<b></a>", "E-IMPORT-SYNTAX", ":2:6"),
    (b"<a>\n</a>", "E-IMPORT-NOTHING", ""),
    (BOMB.encode(), "E-IMPORT-DOCTYPE", ":2:13"),
    (b'<?xml version="1.0" encoding="klingon"?><a/>', "E-IMPORT-SYNTAX", ""),
    (b"PK nonsense", "E-IMPORT-SYNTAX", ""),
    (module("other.xml", b"<a/>"), "E-IMPORT-NOTHING", ""),
    (module("buildFile.xml", b" " * (33 * 1024 * 1024)), "E-IMPORT-SIZE", ""),
    (module("buildFile.xml", BUILD_FILE.encode())[:-30], "E-IMPORT-SYNTAX", ""),
]


@pytest.mark.parametrize(("data", "code", "place"), VASSAL_REFUSED, ids=range(len(VASSAL_REFUSED)))
def test_vassal_refused(data: bytes, code: str, place: str) -> None:
    with pytest.raises(Refused) as refused:
        import_vassal(data, "toy.vmod")
    assert [(fault.code, fault.place) for fault in refused.value.faults] == [(code, place)]


@given(st.integers(0, 1500), st.integers(0, 40), st.binary(max_size=5), st.booleans())
@settings(max_examples=75, deadline=1000)
def test_a_damaged_module_is_imported_or_refused(at: int, cut: int, put: bytes, zipped: bool) -> None:
    data = module("buildFile.xml", BUILD_FILE.encode()) if zipped else BUILD_FILE.encode()
    at %= len(data)
    try:
        import_vassal(data[:at] + put + data[at + cut :])
    except Refused as refused:
        told = refused.faults
    else:
        return
    assert told
