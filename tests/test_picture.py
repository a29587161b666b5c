"""Pictures of boards: what they show, what they leave out, what they weigh, and that they are the same everywhere."""

from __future__ import annotations

import io
import math
import re
import subprocess
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
import yaml
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from pbem.engine.board import BoardData
from pbem.report.maps import BOARD_LIMIT, SOME, inks
from pbem.report.picture import (
    MAIL_WIDTH,
    AbsentPiece,
    DrawnMarch,
    DrawnPiece,
    Position,
    Scenery,
    board_labels,
    crop_around,
    draw_board,
    drawing_of,
    labels,
    readable_width,
    small_png,
    to_png,
    words_in,
)
from pbem.report.picture.chart import Extent, chart_of
from pbem.report.picture.geometry import cells, meet
from pbem.report.picture.lettering import escape, note_beginning, two_lines, width, wrap_text
from pbem.report.picture.painting import paint
from pbem.report.picture.position import power_marks
from pbem.report.picture.signs import PAPER, PEN
from pbem.report.picture.theme import DARK, LIGHT, THEMES, Theme, ThemeName, hues
from pbem.report.picture.tokens import tokens
from tests.report.plain import names_in

ROOT = Path(__file__).parents[1]
BOARDS = {"maria": "rules/maria/boards/theatrum-belli.yaml", "friedrich": "rules/friedrich/boards/friedrich.yaml"}
SCENERY = "rules/maria/boards/theatrum-belli.scenery.yaml"
SCENERIES = {"maria": SCENERY, "friedrich": "rules/friedrich/boards/friedrich.scenery.yaml"}


def read(path: str) -> object:
    return yaml.load((ROOT / path).read_text("utf-8"), Loader=yaml.CSafeLoader)


@pytest.fixture(scope="module")
def maria() -> BoardData:
    return msgspec.convert(read(BOARDS["maria"]), BoardData)


@pytest.fixture(scope="module")
def friedrich() -> BoardData:
    return msgspec.convert(read(BOARDS["friedrich"]), BoardData)


@pytest.fixture(scope="module")
def scenery() -> Scenery:
    return msgspec.convert(read(SCENERY), Scenery)


MIDGAME = Position(
    pieces=(
        DrawnPiece("prussia", "general", "1", "Jauer"),
        DrawnPiece("prussia", "general", "2", "Jauer"),
        DrawnPiece("prussia", "train", "T", "Liegnitz"),
        DrawnPiece("prussia", "general", "3", "Neisse", face_down=True),
        DrawnPiece("austria", "general", "1", "Olmütz"),
        DrawnPiece("austria", "train", "T", "Brünn", face_down=True),
        DrawnPiece("france", "general", "2", "Prag"),
        DrawnPiece("france", "general", "4", "Prag", face_down=True),
        DrawnPiece("pragmatic", "general", "1", "Mainz"),
    ),
    control={"Breslau": "prussia", "Prag": "france", "Ath": "france"},
    questions={"Glatz": "prussia", "Namur": "france"},
    hussars=("Teschen", "Pilsen"),
    moves=(
        DrawnMarch("prussia", ("Breslau", "Neumarkt", "Jauer")),
        DrawnMarch("austria", ("Neisse", "Zuckmantel", "Freudenthal", "Olmütz"), "retreat"),
    ),
    absent=(AbsentPiece("prussia", "general", "4", "in Ostpreussen"), AbsentPiece("austria", "general", "5")),
    caption="Turn 4, Prussia: movement",
)


def small(**changes: object) -> BoardData:
    """A board of four cities without sectors, set-up or anything else that can be left out."""
    board: dict[str, object] = {
        "name": "small",
        "title": "Small",
        "canvas": {"w": 800, "h": 600},
        "maps": {"all": {"x": 0, "y": 0, "w": 800, "h": 600}},
        "powers": {"red": ["red"], "blue": ["blue"]},
        "cities": [
            {"name": "North", "map": "all", "x": 400, "y": 100, "land": "red", "suit": "hearts", "fortress": "major"},
            {"name": "East", "map": "all", "x": 650, "y": 300, "land": "blue", "suit": "clubs", "elector": True},
            {"name": "South", "map": "all", "x": 400, "y": 500, "land": "blue", "suit": "spades", "fortress": "minor"},
            {"name": "West", "map": "all", "x": 150, "y": 300, "land": "none", "suit": "spades"},
        ],
        "main_roads": [["North", "East"]],
        "roads": [["East", "South", "West"]],
    }
    return msgspec.convert(board | changes, BoardData)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    """Every text of a drawing, in order."""
    return [element.text or "" for element in parsed(svg).iter("{http://www.w3.org/2000/svg}text")]


def groups(svg: str, kind: str) -> list[dict[str, str]]:
    """The attributes of the signs of one kind, in order."""
    found = (dict(element.attrib) for element in parsed(svg).iter("{http://www.w3.org/2000/svg}g"))
    return [about for about in found if about.get("class", "").split(" ")[0] == kind]


def pixels(png: bytes) -> Iterator[bytes]:
    """The rows of an RGBA picture."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert png[24:26] == b"\x08\x06", "eight bits, with transparency"
    with Image.open(io.BytesIO(png)) as image:
        data, stride = image.tobytes(), 4 * image.width
    return (data[start : start + stride] for start in range(0, len(data), stride))


def colours(png: bytes) -> set[bytes]:
    return {row[k : k + 4] for row in pixels(png) for k in range(0, len(row), 4)}


def signs_of(svg: str, board: BoardData) -> dict[str, str]:
    """The drawing of every city's sign, by the city's name."""
    kinds = {
        element.attrib["id"]: "".join(ElementTree.tostring(part, "unicode") for part in element)
        for element in parsed(svg).iter("{http://www.w3.org/2000/svg}g")
        if "id" in element.attrib
    }
    uses = {
        (use.attrib["x"], use.attrib["y"]): use.attrib["href"][1:]
        for use in parsed(svg).iter("{http://www.w3.org/2000/svg}use")
        if "width" not in use.attrib and "x" in use.attrib
    }
    return {city.name: kinds[uses[str(city.x), str(city.y)]] for city in board.cities}


# What a board shows


def test_our_board_says_what_it_is(maria: BoardData, scenery: Scenery) -> None:
    words = " ".join(texts(draw_board(maria, scenery)))
    assert "THEATRUM BELLI 1741–1744" in words
    assert "A historical board of our own for MARIA" in words
    assert "It is not the published board" in words
    cropped = " ".join(texts(draw_board(maria, scenery, crop=(2000, 200, 2900, 900))))
    assert "THEATRUM BELLI 1741–1744" in cropped
    assert "It is not the published board" in cropped


@pytest.fixture(params=BOARDS)
def drawn(request: pytest.FixtureRequest) -> tuple[BoardData, Scenery]:
    """Each shipped board with its scenery."""
    game: str = request.param
    return msgspec.convert(read(BOARDS[game]), BoardData), msgspec.convert(read(SCENERIES[game]), Scenery)


def test_every_city_is_named_once(drawn: tuple[BoardData, Scenery]) -> None:
    labels = board_labels(*drawn)
    assert [" ".join(label.lines) for label in labels] == list(names_in(drawn[0]))
    shown = texts(draw_board(*drawn))
    assert {line for label in labels for line in label.lines} <= set(shown)


def test_no_two_names_overlap(drawn: tuple[BoardData, Scenery]) -> None:
    labels = board_labels(*drawn)
    assert len(labels) == len(drawn[0].cities)
    assert [(a.lines, b.lines) for a, b in combinations(labels, 2) if meet(a.box, b.box)] == []


def test_no_two_names_overlap_in_mid_game(maria: BoardData, scenery: Scenery) -> None:
    labels = board_labels(maria, scenery, MIDGAME)
    assert [(a.lines, b.lines) for a, b in combinations(labels, 2) if meet(a.box, b.box)] == []


def test_names_stay_inside_their_maps(drawn: tuple[BoardData, Scenery]) -> None:
    board = drawn[0]
    for label in board_labels(*drawn):
        frame = board.maps[board.cities[label.city].map]
        west, north, east, south = label.box
        assert frame.x < west, label.lines
        assert frame.y < north, label.lines
        assert east < frame.x + frame.w, label.lines
        assert south < frame.y + frame.h, label.lines


def test_the_panel_hides_no_name(drawn: tuple[BoardData, Scenery]) -> None:
    board, scenery = drawn
    assert scenery.panel is not None
    panel = scenery.panel
    box = (panel.x, panel.y, panel.x + panel.w, panel.y + panel.h)
    assert [label.lines for label in board_labels(board, scenery) if meet(label.box, box)] == []


def test_set_up_is_shown_only_without_a_position(maria: BoardData, scenery: Scenery) -> None:
    in_cities = [one.city for army in maria.setup.values() for one in army.generals if one.city]
    in_cities += [one.city for army in maria.setup.values() for one in army.trains if one.city]
    svg = draw_board(maria, scenery)
    assert sorted(sign["data-city"] for kind in ("general", "train") for sign in groups(svg, kind)) == sorted(in_cities)
    assert groups(draw_board(maria, scenery, Position()), "general") == []


def test_scenery_belongs_to_its_board(drawn: tuple[BoardData, Scenery]) -> None:
    board, scenery = drawn
    for name in board.maps:
        assert {name} & {river.map for river in scenery.rivers}
        assert {name} & {range_.map for range_ in scenery.ranges}
    places = {sign.map for sign in scenery.land_names} | {wild.map for wild in scenery.wilds}
    assert places | {sea.map for sea in scenery.seas} == set(board.maps)
    assert {wild.land for wild in scenery.wilds} <= {city.land for city in board.cities}
    assert set(scenery.two_lines) <= {city.name for city in board.cities}
    assert set(scenery.off_map) == set(board.off_map)
    lines = [river.line for river in scenery.rivers] + [range_.line for range_ in scenery.ranges]
    lines += [sea.coast for sea in scenery.seas] + [sea.corners for sea in scenery.seas]
    assert all(len(line) % 2 == 0 for line in lines)
    assert all(len(river.line) >= 4 for river in scenery.rivers)


def test_a_board_without_anything_that_can_be_left_out() -> None:
    board = small()
    svg = draw_board(board, None)
    assert {"SMALL", "North", "East", "South", "West", "Red", "Blue"} <= set(texts(svg))
    assert parsed(svg).attrib["viewBox"].split()[2] == "800"
    for cities in (board.cities[:1], ()):
        lonely = replace(board, cities=cities, main_roads=(), roads=())
        assert [name for name in texts(draw_board(lonely, None)) if name == "North"] == ["North"] * len(cities)


def test_boxes_find_a_place_of_their_own() -> None:
    board = small(off_map={"red": {"box": "Far away", "city": "East"}, "blue": {"box": "Farther", "city": "East"}})
    assert {"Far away", "Farther"} <= set(texts(draw_board(board, None)))


def test_objectives_and_depots_are_signed_by_owner_and_order(friedrich: BoardData) -> None:
    words = set(texts(draw_board(friedrich, None)))
    assert {"Objective", "Objective, 2nd order", "Depot"} <= words
    plain = replace(friedrich, objectives={}, depots={})
    assert not {"Objective", "Objective, 2nd order", "Depot"} & set(texts(draw_board(plain, None)))
    signs = signs_of(draw_board(friedrich, None, Position()), friedrich)
    assert signs["Breslau"] == signs["Glatz"]
    alike = {signs[name] for name in ("Breslau", "Bunzlau", "Stettin", "Prenzlau", "Berlin", "Stade", "Halle")}
    assert len(alike) == 7


def test_a_conquered_objective_looks_conquered_and_keeps_its_order(friedrich: BoardData) -> None:
    position = Position(control={"Breslau": "austria", "Bunzlau": "austria", "Halle": "austria"})
    before = signs_of(draw_board(friedrich, None, Position()), friedrich)
    after = signs_of(draw_board(friedrich, None, position), friedrich)
    assert {name for name in before if before[name] != after[name]} == {"Breslau", "Bunzlau", "Halle"}
    assert len({after["Breslau"], after["Bunzlau"], after["Halle"]}) == 3


def test_lands_of_another_ground_than_their_power_are_explained(friedrich: BoardData) -> None:
    shown = texts(draw_board(friedrich, None))
    assert {"Saxony", "Poland", "Imperial Army"} <= set(shown)
    assert "Empire" not in shown


# What a position shows


def test_pieces_stand_in_their_cities(maria: BoardData, scenery: Scenery) -> None:
    svg = draw_board(maria, scenery, MIDGAME)
    shown = {
        (sign["data-power"], sign["class"], sign["data-label"], sign["data-city"])
        for kind in ("general", "train")
        for sign in groups(svg, kind)
    }
    wanted = {(p.power, p.kind + (" face-down" if p.face_down else ""), p.label, p.city) for p in MIDGAME.pieces}
    assert shown == wanted
    assert {"P1", "P2", "PT", "A1", "AT", "F2", "F4"} <= set(texts(svg))


def test_the_commander_lies_on_top_of_his_stack(maria: BoardData, scenery: Scenery) -> None:
    stack = [sign["data-label"] for sign in groups(draw_board(maria, scenery, MIDGAME), "general")]
    assert stack.index("2") < stack.index("1")


def test_a_stack_stays_on_its_side_when_a_piece_joins_it(maria: BoardData, scenery: Scenery) -> None:
    chart = chart_of(maria, scenery, LIGHT, words_in("en"), Extent(width=1280))
    moved = dict.fromkeys((True, False), 0)
    for city in list(chart.index)[::4]:
        one, other = (DrawnPiece("prussia", "general", rank, city, troops=4) for rank in "12")
        for remembers in moved:
            sides: dict[int, int] = {}
            boxes = [
                tokens(chart, Position(pieces=pieces), None, sides if remembers else None)[0].box
                for pieces in ((one,), (one, other))
            ]
            before, after = ((box[0] + box[2]) / 2 - chart.at[chart.index[city]][0] for box in boxes)
            moved[remembers] += before * after < 0
    assert moved[True] * 3 <= moved[False] * 2, moved


def test_face_down_pieces_differ_by_more_than_colour(maria: BoardData, scenery: Scenery) -> None:
    def marks(face_down: bool) -> list[str]:
        position = Position(pieces=(DrawnPiece("prussia", "general", "1", "Jauer", face_down),))
        kinds = parsed(draw_board(maria, scenery, position)).iter("{http://www.w3.org/2000/svg}g")
        sign = next(element for element in kinds if element.attrib.get("data-label") == "1")
        return [part.tag.rpartition("}")[2] for part in sign]

    assert marks(True).count("path") == marks(False).count("path") + 2


def test_markers_moves_and_the_rest(maria: BoardData, scenery: Scenery) -> None:
    svg = draw_board(maria, scenery, MIDGAME)
    assert {(sign["data-city"], sign["data-power"]) for sign in groups(svg, "question")} == set(
        MIDGAME.questions.items()
    )
    assert {sign["data-city"] for sign in groups(svg, "hussar")} == set(MIDGAME.hussars)
    assert "prussia" in {sign["data-power"] for sign in groups(svg, "march")}
    assert "austria" in {sign["data-power"] for sign in groups(svg, "retreat")}
    held = {
        (use.attrib["data-city"], use.attrib["data-holder"])
        for use in parsed(svg).iter("{http://www.w3.org/2000/svg}use")
        if "data-holder" in use.attrib
    }
    assert held == set(MIDGAME.control.items())
    assert {"P4", "A5", "in Ostpreussen:", "Off the map:", "Turn 4, Prussia: movement"} <= set(texts(svg))


def test_cities_may_be_given_by_index(maria: BoardData, scenery: Scenery) -> None:
    number = next(k for k, city in enumerate(maria.cities) if city.name == "Jauer")
    by_name = Position(pieces=(DrawnPiece("prussia", "general", "1", "Jauer"),), control={"Jauer": "prussia"})
    by_index = Position(pieces=(DrawnPiece("prussia", "general", "1", number),), control={number: "prussia"})
    assert draw_board(maria, scenery, by_index) == draw_board(maria, scenery, by_name)
    with pytest.raises(KeyError):
        draw_board(maria, scenery, Position(hussars=("Nowhere",)))
    with pytest.raises(KeyError):
        draw_board(maria, scenery, Position(hussars=(len(maria.cities),)))


def test_no_two_powers_share_a_letter(maria: BoardData, friedrich: BoardData) -> None:
    for board in (maria, friedrich):
        marks = power_marks(list(board.powers), words_in())
        assert len(set(marks.values())) == len(board.powers)
    assert power_marks(["pragmatic"], replace(words_in(), marks={"pragmatic": "G"})) == {"pragmatic": "G"}


def test_the_letters_of_a_power_can_be_recognised(maria: BoardData) -> None:
    marks = power_marks(list(maria.powers), words_in())
    assert marks == {"austria": "A", "prussia": "P", "saxony": "S", "bavaria": "B", "france": "F", "pragmatic": "PA"}
    assert power_marks(["red", "rose", "ruby"], words_in()) == {"red": "R", "rose": "O", "ruby": "U"}


def test_words_can_be_replaced(maria: BoardData, scenery: Scenery) -> None:
    words = replace(words_in(), city="Stadt", powers={"austria": "Österreich"})
    shown = set(texts(draw_board(maria, scenery, MIDGAME, words=words, title="Titel", note="Notiz.")))
    assert {"Stadt", "Österreich", "TITEL", "Notiz."} <= shown
    assert "City" not in shown


# Parts and sizes


def test_a_crop_shows_its_part_only(maria: BoardData, scenery: Scenery) -> None:
    crop = crop_around(maria, ["Jauer", "Olmütz"])
    svg = draw_board(maria, scenery, MIDGAME, crop=crop)
    west, _, wide, _ = (float(value) for value in parsed(svg).attrib["viewBox"].split())
    assert (west, wide) == (crop[0], crop[2] - crop[0])
    assert {"Jauer", "Olmütz", "P1"} <= set(texts(svg))
    assert not {"Berlin", "Amiens", "Mainz", "R1", "Electoral vote"} & set(texts(svg))
    assert len(svg) < len(draw_board(maria, scenery, MIDGAME)) / 2


def test_a_crop_explains_the_signs_it_shows_and_no_others(maria: BoardData, scenery: Scenery) -> None:
    silesia = set(texts(draw_board(maria, scenery, MIDGAME, crop=crop_around(maria, ["Jauer"]))))
    assert {"Fortress", "Main road", "Prussia", "Silesia", "General", "Supply train", "March", "Suits"} <= silesia
    assert not {"Bavaria", "Pragmatic Army", "Hussars", "Electoral vote"} & silesia
    quiet = replace(MIDGAME, absent=())
    mainz = set(texts(draw_board(maria, scenery, quiet, crop=crop_around(maria, ["Mainz"]))))
    assert {"Electoral vote", "Pragmatic Army", "Empire"} <= mainz
    assert not {"Silesia", "Prussia", "Supply train"} & mainz


def test_the_legend_of_a_crop_stays_in_the_picture(friedrich: BoardData) -> None:
    for crop in ((700.0, 900.0, 1500.0, 1500.0), (0.0, 0.0, 200.0, 900.0), (0.0, 800.0, 2480.0, 1000.0)):
        root = parsed(draw_board(friedrich, None, crop=crop))
        left, top, wide, high = (float(value) for value in root.attrib["viewBox"].split())
        (suits,) = [text for text in root.iter("{http://www.w3.org/2000/svg}text") if text.text == "Suits"]
        assert left < float(suits.attrib["x"]) < left + wide - 20
        assert crop[3] < float(suits.attrib["y"]) < top + high


def test_a_map_out_of_play_is_cut_off(maria: BoardData, scenery: Scenery) -> None:
    position = replace(MIDGAME, pieces=MIDGAME.pieces[:7], control={"Prag": "france"}, questions={}, maps=("bohemia",))
    svg = draw_board(maria, scenery, position)
    west, _, wide, _ = (float(value) for value in parsed(svg).attrib["viewBox"].split())
    frame = maria.maps["bohemia"]
    assert west < frame.x
    assert west + wide > frame.x + frame.w
    assert wide < frame.w + 120
    shown = set(texts(svg))
    names = {name: city.map for name, city in zip(names_in(maria), maria.cities, strict=True)}
    assert {name for name, map_ in names.items() if map_ == "bohemia" and " " not in name} <= shown
    assert not {name for name, map_ in names.items() if map_ == "flanders"} & shown
    assert not {"England", "Pragmatic Army"} & shown
    labels = board_labels(maria, scenery, position)
    assert {maria.cities[label.city].map for label in labels} == {"bohemia"}
    lonely = draw_board(maria, scenery, Position(maps=("bohemia",)))
    edges = re.search(r'id="roads-[^"]*" d="([^"]*)"', lonely)
    assert edges is not None
    assert all(float(x) >= frame.x for x in re.findall(r"M([\d.]+),", edges[1]))


def test_a_width_that_makes_every_name_readable(maria: BoardData, friedrich: BoardData) -> None:
    for board in (maria, friedrich):
        wide = readable_width(board)
        svg = draw_board(board, None, width=wide)
        sizes = [float(size) for size in re.findall(r'<g font-size="([\d.]+)"', svg)]
        assert min(sizes) * wide / board.canvas.w == pytest.approx(9.5, abs=0.1)
        assert {name for name in names_in(board) if " " not in name} <= set(texts(svg))


def test_a_crop_holds_its_cities_and_stays_on_the_canvas(maria: BoardData) -> None:
    for names in (["Jauer"], ["Amsterdam", "Wien"], ["Krakau"], []):
        west, north, east, south = crop_around(maria, names)
        assert 0 <= west < east <= maria.canvas.w
        assert 0 <= north < south <= maria.canvas.h
        for city in maria.cities:
            if city.name in names:
                assert west < city.x < east
                assert north < city.y < south


@pytest.mark.parametrize("crop", [(100, 100, 100, 200), (0, 300, 100, 200)])
def test_an_empty_crop_is_refused(maria: BoardData, crop: tuple[float, float, float, float]) -> None:
    with pytest.raises(ValueError, match="width and height"):
        draw_board(maria, None, crop=crop)


def test_a_reduced_picture_stays_readable(maria: BoardData, scenery: Scenery) -> None:
    svg = draw_board(maria, scenery, MIDGAME, width=900)
    root = parsed(svg)
    assert root.attrib["width"] == "900"
    scale = 900 / float(root.attrib["viewBox"].split()[2])
    sizes = [float(size) for size in re.findall(r'<g font-size="([\d.]+)"', svg)]
    assert min(sizes) * scale >= 9
    shown = set(texts(svg))
    assert {"P1", "F2", "Vienna"} <= shown
    assert sum(name in shown for name in names_in(maria)) > 100


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_drawing_is_small(game: str, theme: str, maria: BoardData, friedrich: BoardData) -> None:
    board = maria if game == "maria" else friedrich
    its = msgspec.convert(read(SCENERIES[game]), Scenery)
    svg = draw_board(board, its, theme="dark" if theme == "dark" else "light")
    assert 100_000 < len(svg.encode()) <= 400_000
    numbers = re.findall(r' (?:d|x|y|r|cx|cy|width|height|viewBox|font-size)="([^"]*)"', svg)
    assert [value for value in numbers if re.search(r"\.\d\d", value)] == []


def test_names_are_placed_once_for_both_themes_and_anew_for_all_else(
    maria: BoardData, scenery: Scenery, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, placed = labels._place_anew, []
    monkeypatch.setattr(labels, "_place_anew", lambda *given: placed.append(place(*given)) or placed[-1])
    light, dark = (drawing_of(maria, scenery, MIDGAME, theme=theme, width=1111) for theme in THEMES)
    assert light.names.labels == dark.names.labels == tuple(placed[0])
    assert len(placed) == 1
    german = drawing_of(maria, scenery, MIDGAME, theme="dark", width=1111, words=words_in("de"))
    empty = drawing_of(maria, scenery, Position(), theme="dark", width=1111, words=words_in("de"))
    assert [tuple(names) for names in placed[1:]] == [german.names.labels, empty.names.labels]
    assert len({light.names.labels, german.names.labels, empty.names.labels}) == 3


def _luminance(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_themes_can_be_read(theme: Theme, maria: BoardData, friedrich: BoardData) -> None:
    assert contrast(theme.ink, theme.halo) > 7
    assert all(contrast(theme.ink, ground) > 7 for ground in (theme.panel, theme.paper, theme.margin, theme.blank))
    assert contrast(PEN, PAPER) > 7
    for board in (maria, friedrich, small()):
        for key, hue in hues(board).items():
            ground = hue.light if theme is LIGHT else hue.dark
            assert contrast(theme.ink, ground) > 4.5, key
            assert contrast(theme.road, ground) > 2.5, key
            assert contrast(hue.pen, hue.ink) >= 4.5, key
            assert contrast(PAPER if hue.line else hue.pen, hue.hatch) >= 4.5, key


def test_themes_differ(maria: BoardData, scenery: Scenery) -> None:
    light, dark = (draw_board(maria, scenery, theme=name) for name in ("light", "dark"))
    assert LIGHT.paper in light
    assert LIGHT.paper not in dark
    assert DARK.paper in dark


# Safety and sameness

HOSTILE = "<script>alert(1)</script>&\"'\x00\x1b]]>\ud800"


def test_hostile_names_stay_text() -> None:
    plain = small(title="t", note="n", main_roads=[], roads=[])
    cities = tuple(replace(city, name=f"{HOSTILE}{k}", land=HOSTILE) for k, city in enumerate(plain.cities))
    board = replace(plain, name=HOSTILE, title=HOSTILE, note=HOSTILE, cities=cities, powers={HOSTILE: (HOSTILE,)})
    position = Position(
        pieces=(DrawnPiece(HOSTILE, "general", HOSTILE, 0, face_down=True), DrawnPiece(HOSTILE, "train", HOSTILE, 0)),
        control={1: HOSTILE},
        questions={0: HOSTILE},
        hussars=(0,),
        moves=(DrawnMarch(HOSTILE, (0, 1)),),
        absent=(AbsentPiece(HOSTILE, "general", HOSTILE, HOSTILE),),
        caption=HOSTILE,
    )
    harmless = re.sub("[\x00\x1b\ud800]", "\ufffd", HOSTILE)
    for picture in (draw_board(board, None, position), draw_board(board, None, position, crop=(100, 100, 700, 500))):
        tags = {element.tag.rpartition("}")[2] for element in parsed(picture).iter()}
        assert tags <= {"svg", "title", "defs", "symbol", "clipPath", "g", "path", "rect", "circle", "use", "text"}
        assert f"{harmless}0" in texts(picture)
        picture.encode()


def test_escaping() -> None:
    assert escape("""<a b="c" d='e'>&amp;""") == "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;"
    assert escape("a\x00b\ufffec") == "a\ufffdb\ufffdc"
    assert escape("Łódź – naïve ♠") == "Łódź – naïve ♠"


DIGESTS = f"""
import hashlib, msgspec, yaml
from pbem.engine.board import BoardData
from pbem.report.picture import DrawnPiece, Position, Scenery, draw_board
def read(path, kind):
    return msgspec.convert(yaml.load(open(path, encoding="utf-8"), Loader=yaml.CSafeLoader), kind)
maria, scenery = read({BOARDS["maria"]!r}, BoardData), read({SCENERY!r}, Scenery)
friedrich = read({BOARDS["friedrich"]!r}, BoardData)
pieces = (DrawnPiece("prussia", "general", "1", "Jauer"),)
position = Position(pieces=pieces, control={{"Prag": "france", "Eger": "bavaria"}})
pictures = [draw_board(maria, scenery, position), draw_board(maria, scenery, width=900), draw_board(friedrich, None)]
print([hashlib.sha256(picture.encode()).hexdigest() for picture in pictures])
"""


def test_the_same_bytes_on_every_hash_seed() -> None:
    def run(seed: str) -> bytes:
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", DIGESTS]
        return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout

    first = run("1")
    assert len(first) > 190
    assert run("4711") == first


# PNG


def test_a_png_shows_the_board(maria: BoardData, scenery: Scenery) -> None:
    png = to_png(draw_board(maria, scenery, MIDGAME, crop=(2500, 700, 2900, 1000), width=240), 240)
    assert int.from_bytes(png[16:20], "big") == 240
    assert len(colours(png)) > 200


@pytest.mark.parametrize(("game", "theme"), [("maria", "light"), ("friedrich", "dark")])
def test_a_small_png_looks_the_same_and_weighs_a_third(
    game: str, theme: ThemeName, maria: BoardData, friedrich: BoardData
) -> None:
    board = maria if game == "maria" else friedrich
    its = msgspec.convert(read(SCENERIES[game]), Scenery)
    drawing, wanted = drawing_of(board, its, theme=theme, width=MAIL_WIDTH), inks(board, THEMES[theme])
    full, small = to_png(drawing.svg, MAIL_WIDTH), small_png(drawing, colours=SOME, most=BOARD_LIMIT, required=wanted)
    assert 100_000 < len(small) <= BOARD_LIMIT
    assert len(small) < 0.4 * len(full)
    before = paint(drawing)
    with Image.open(io.BytesIO(small)) as other:
        assert (other.mode, other.size) == ("P", before.size)
        after = other.convert("RGB")
    apart = ImageStat.Stat(ImageChops.difference(before, after))
    assert max(apart.rms) < 4
    with Image.open(io.BytesIO(small)) as other:
        shown = bytes(other.getpalette() or ())
    assert set(wanted) <= {f"#{shown[k : k + 3].hex()}" for k in range(0, len(shown), 3)}
    most = sorted(before.getcolors(1 << 20) or (), reverse=True)[:8]
    assert {colour for _, colour in most} <= {colour for _, colour in after.getcolors(1 << 8) or ()}


LETTERS = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 30" font-family="{}">'
    '<text x="4" y="22" font-size="20" fill="#f00">{}</text></svg>'
)


@pytest.mark.parametrize("family", ["serif", "'No Such Font',serif", "monospace"])
def test_letters_are_drawn_without_fonts_of_the_machine(family: str) -> None:
    blank = to_png(LETTERS.format(family, ""), 200)
    assert len(colours(blank)) == 1
    pictures = [to_png(LETTERS.format(family, word), 200) for word in ("Łódź", "Lodz", "Brünn", "Brunn", "ß–’")]
    assert all(len(colours(picture)) > 5 for picture in pictures)
    assert len(set(pictures)) == len(pictures)


def test_letters_need_nothing_of_the_environment(tmp_path: Path) -> None:
    code = "import sys; from pbem.report.picture import to_png; sys.stdout.buffer.write(to_png(sys.argv[1], 200))"
    svg = LETTERS.format("serif", "Königgrätz")
    bare = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "FONTCONFIG_FILE": str(tmp_path / "none")}
    done = subprocess.run([sys.executable, "-c", code, svg], env=bare, check=True, capture_output=True)
    assert done.stdout == to_png(svg, 200)


# Lettering and land


def test_long_names_break_before_small_words() -> None:
    assert two_lines("Landsberg an der Warthe") == ("Landsberg", "an der Warthe")
    assert two_lines("Groß Strehlitz") == ("Groß", "Strehlitz")
    assert two_lines("Frankfurt (Oder)") == ("Frankfurt", "(Oder)")
    assert two_lines("Prag") is None


def test_wrapping_keeps_within_the_room() -> None:
    text = "one two three four five six seven eight nine ten"
    assert wrap_text(text, 10, 1000, 3) == [text]
    lines = wrap_text(text, 10, 80, 3)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert all(width(line, 10) <= 80 for line in lines)
    assert wrap_text("", 10, 80, 3) == []
    (cut,) = wrap_text("x" * 100_000, 10, 80, 3)
    assert width(cut, 10) <= 80 < width(f"x{cut}", 10)


def test_what_a_note_says_first() -> None:
    assert (
        note_beginning("A board. Not\nthe published one: its towns are ours. More.")
        == "A board. Not the published one."
    )
    assert note_beginning("A board of our own. With much to say. And more: this.") == "A board of our own."
    assert note_beginning("") == ""


def test_cells_share_out_the_whole_frame() -> None:
    places = ((100.0, 100.0), (300.0, 120.0), (250.0, 310.0), (50.0, 350.0), (210.0, 200.0))

    def area(corners: list[tuple[float, float]]) -> float:
        pairs = zip(corners, [*corners[1:], corners[0]], strict=True)
        return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2

    shapes = cells(places, (0.0, 0.0, 400.0, 400.0), 100.0)
    assert sum(area([corner for corner, _ in shape]) for shape in shapes) == pytest.approx(160_000)
    for k, shape in enumerate(shapes):
        assert all(k in {across for _, across in shapes[other]} for _, other in shape if other >= 0)
    near = cells(places, (0.0, 0.0, 400.0, 400.0), 100.0, reach=20.0)
    whole = pytest.approx(14 * 20**2 * math.tan(math.pi / 14), rel=0.01)
    assert all(area([corner for corner, _ in shape]) == whole for shape in near)


@pytest.mark.parametrize(
    ("language", "told"), [("de", "BÖHMEN"), ("en", "BOHEMIA"), ("es", "BOHEMIA"), ("it", "BOEMIA")]
)
def test_regions_are_called_as_in_the_readers_language(
    maria: BoardData, scenery: Scenery, language: str, told: str
) -> None:
    drawn = texts(draw_board(maria, scenery, words=words_in(language)))
    assert {each for each in drawn if each.startswith(("BÖ", "BO"))} == {told}
