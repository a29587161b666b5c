"""Parts of pictures: letters as outlines, land and water cut to size, colours for all eyes, what is kept meanwhile."""

from __future__ import annotations

import math
import re
from functools import cache
from importlib.resources import files
from itertools import combinations, pairwise
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
import resvg_py
import yaml
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from pbem.engine.board import BoardData, Canvas, Frame
from pbem.paper.documents.faults import Refused
from pbem.report.maps import load_scenery
from pbem.report.picture import (
    MAIL_WIDTH,
    DrawnPiece,
    Fact,
    Position,
    Scenery,
    Tallies,
    Track,
    board_labels,
    crop_around,
    draw_board,
    to_png,
    words_in,
)
from pbem.report.picture.chart import KEPT, Extent, chart_of
from pbem.report.picture.geometry import OPEN, Box, Point, cells, hull_box, meet, outlines, part_inside
from pbem.report.picture.ground import Country, clip, parts
from pbem.report.picture.letterforms import font_named, rim
from pbem.report.picture.png import outline_text
from pbem.report.picture.theme import APART, LIGHT, THEMES, TINTS_APART, hues
from tests.report.plain import names_in

from .test_picture import pixels

ROOT = Path(__file__).parents[1] / "rules"
BOARDS = {"maria": "maria/boards/theatrum-belli", "friedrich": "friedrich/boards/friedrich"}
SVG = "{http://www.w3.org/2000/svg}"


@cache
def board(game: str) -> tuple[BoardData, Scenery]:
    """A shipped board with its scenery."""
    data, scenery = (
        yaml.load((ROOT / f"{BOARDS[game]}{ending}").read_text("utf-8"), Loader=yaml.CSafeLoader)
        for ending in (".yaml", ".scenery.yaml")
    )
    return msgspec.convert(data, BoardData), msgspec.convert(scenery, Scenery)


def words_of(svg: str) -> set[str]:
    return {element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text")}


# Letters

TEXT = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 40" font-family="serif"><rect width="300" height="40" '
    'fill="#fff"/><g font-size="{size}" fill="#000"><text x="{x}" y="28" text-anchor="{anchor}"{extra}>{words}</text>'
    "</g></svg>"
)


def typeset(svg: str, width: int) -> bytes:
    """The drawing as the renderer sets it by itself."""
    fonts = sorted(str(font) for font in (files("fontpkg_pt_serif") / "files").iterdir() if font.name.endswith("ttf"))
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg, width=width, skip_system_fonts=True, font_files=fonts, serif_family="PT Serif"
        )
    )


def darkness(png: bytes) -> list[list[float]]:
    return [[1 - row[k] / 255 for k in range(0, len(row), 4)] for row in pixels(png)]


@pytest.mark.parametrize(
    ("words", "size", "x", "anchor", "extra"),
    [
        ("Königgrätz", 22, 4, "start", ""),
        ("Łódź – Ťž ß’", 22, 290, "end", ""),
        ("Tabor, Wien (AV)", 26, 150, "middle", ' font-weight="bold"'),
        ("Ostpreußen", 20, 150, "middle", ' font-style="italic"'),
        ("BÖHMEN", 18, 150, "middle", ' letter-spacing="9"'),
    ],
)
def test_outlines_look_like_the_text(words: str, size: int, x: int, anchor: str, extra: str) -> None:
    svg = TEXT.format(words=words, size=size, x=x, anchor=anchor, extra=extra)
    assert "<text" in svg
    assert words_of(outline_text(svg)) == set()
    ours, theirs = darkness(to_png(svg, 600)), darkness(typeset(svg, 600))
    ink = sum(map(sum, theirs))
    differing = sum(
        abs(a - b) for row, other in zip(ours, theirs, strict=True) for a, b in zip(row, other, strict=True)
    )
    assert ink > 400
    assert differing < 0.1 * ink
    assert sum(map(sum, ours)) == pytest.approx(ink, rel=0.03)


def test_a_text_with_a_letter_that_the_font_lacks_stays_text() -> None:
    svg = TEXT.format(words="Прага 北京", size=20, x=4, anchor="start", extra="")
    assert words_of(outline_text(svg)) == {"Прага 北京"}
    assert to_png(svg, 300).startswith(b"\x89PNG")


@pytest.mark.parametrize("game", BOARDS)
def test_a_board_is_drawn_without_setting_type(game: str) -> None:
    svg = draw_board(*board(game))
    assert len(words_of(svg)) > 300
    drawn = outline_text(svg)
    assert words_of(drawn) == set()
    assert "nan" not in drawn
    assert len(ElementTree.fromstring(drawn).findall(f".//{SVG}use")) == svg.count("<use")


def test_every_letter_is_closed_and_has_its_rim_around_it() -> None:
    for style in ("Regular", "Bold", "Italic", "BoldItalic"):
        font = font_named(style)
        assert font.glyph("☃") is None
        space = font.glyph(" ")
        assert space is not None
        assert space.outline is None
        assert space.advance > 0
        for character in "AäßQłf(:é":
            letter = font.glyph(character)
            assert letter is not None
            assert letter.outline is not None
            assert letter.outline.body.endswith("z")
            assert letter.outline.body.count("z") == letter.outline.body.count("m") + 1
            corners = _corners(rim(letter.hull, 10).begin, rim(letter.hull, 10).body)
            west, north, east, south = hull_box(corners)
            low, high, top, foot = letter.hull[:4]
            assert (west, north, east, south) == (low - 10, top - 10, high + 10, foot + 10)


def _corners(start: tuple[int, int], body: str) -> list[Point]:
    x, y = start
    found: list[Point] = [(x, y)]
    for dx, dy in re.findall(r"l(-?\d+),(-?\d+)", body):
        x, y = x + int(dx), y + int(dy)
        found.append((x, y))
    return found


# Land and water


def area(corners: list[Point]) -> float:
    closed = [*corners, *corners[:1]]
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise(closed)) / 2


@pytest.mark.parametrize("game", BOARDS)
def test_lands_fill_exactly_the_cells_of_their_cities(game: str) -> None:
    data, scenery = board(game)
    chart = chart_of(data, scenery, LIGHT, words_in())
    for name in data.maps:
        country = Country(chart, name)

        def straight(cell: int, corner: int, country: Country = country) -> list[Point]:
            shape = country.cells[cell]
            return [shape[corner][0], shape[(corner + 1) % len(shape)][0]]

        found = outlines(country.cells, country.lands, straight)
        assert set(found) == set(country.lands)
        for land, loops in found.items():
            own = [shape for shape, its in zip(country.cells, country.lands, strict=True) if its == land]
            assert sum(map(area, loops)) == pytest.approx(sum(area([at for at, _ in shape]) for shape in own))
            assert sum(map(len, loops)) < sum(map(len, own))


@given(st.lists(st.tuples(st.integers(1, 39), st.integers(1, 39)), min_size=2, max_size=25, unique=True), st.data())
def test_neighbours_share_whole_sides_even_on_a_lattice(spots: list[tuple[int, int]], data: st.DataObject) -> None:
    places = tuple((10.0 * x, 10.0 * y) for x, y in spots)
    shapes = cells(places, (0.0, 0.0, 400.0, 400.0), 40.0)
    kinds = [data.draw(st.sampled_from("abc")) for _ in places]
    found = outlines(shapes, kinds, lambda k, i: [shapes[k][i][0], shapes[k][(i + 1) % len(shapes[k])][0]])
    assert sum(area(loop) for loops in found.values() for loop in loops) == pytest.approx(160_000, rel=0.001)
    assert all(across != OPEN for shape in shapes for _, across in shape)


numbers = st.integers(-50, 150).map(float)
spots = st.tuples(numbers, numbers)
FRAME: Box = (0.0, 0.0, 100.0, 80.0)


@given(st.lists(spots, min_size=2, max_size=12))
def test_rivers_end_where_their_map_ends(line: list[Point]) -> None:
    found = parts(line, FRAME)
    assert all(-1e-6 <= x <= 100 + 1e-6 and -1e-6 <= y <= 80 + 1e-6 for part in found for x, y in part)
    kept = sum(math.dist(a, b) for part in found for a, b in pairwise(part))
    within = sum(math.dist(*step) for a, b in pairwise(line) if (step := part_inside((a, b), FRAME)))
    assert kept == pytest.approx(within)


@given(numbers, numbers, numbers, numbers)
def test_seas_are_cut_to_their_map(x: float, y: float, other_x: float, other_y: float) -> None:
    corners: list[Point] = [(x, y), (other_x, y), (other_x, other_y), (x, other_y)]
    west, north, east, south = hull_box(corners)
    wide, high = min(east, 100) - max(west, 0), min(south, 80) - max(north, 0)
    assert abs(area(clip(corners, FRAME))) == pytest.approx(max(wide, 0) * max(high, 0))


@pytest.mark.parametrize("game", BOARDS)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_in_a_picture_needs_a_layer_of_its_own(game: str, theme: str) -> None:
    svg = draw_board(*board(game), theme="dark" if theme == "dark" else "light")
    assert not re.search(r"clip-path|<mask|<filter|<symbol| opacity=", svg)


# What is kept for the next picture


def test_what_is_kept_changes_no_picture() -> None:
    data, scenery = board("maria")
    position = Position(pieces=(DrawnPiece("prussia", "general", "1", "Jauer"),), control={"Prag": "france"})
    first = draw_board(data, scenery, position, width=1000)
    other = draw_board(data, scenery, Position(control={"Prag": "prussia"}), width=1000)
    words = replace(words_in(), powers={"austria": "Österreich"})
    german = draw_board(data, scenery, position, width=1000, words=words)
    dark = draw_board(data, scenery, position, width=1000, theme="dark")
    assert len({first, other, german, dark}) == 4
    assert draw_board(data, scenery, position, width=1000) == first
    for wide in range(1001, 1003 + KEPT):
        draw_board(data, scenery, position, width=wide)
    assert draw_board(data, scenery, position, width=1000, words=words) == german, (
        "the first of its board, not the second"
    )
    assert draw_board(data, scenery, position, width=1000) == first


def test_a_board_lies_in_other_words_as_it_does_in_others() -> None:
    data, scenery = board("maria")
    english, german = (chart_of(data, scenery, LIGHT, replace(words_in(), language=each)) for each in ("en", "de"))
    assert german is not english
    assert (german.roads, german.signs, german.corners) == (english.roads, english.signs, english.corners)
    assert german.roads is english.roads
    assert chart_of(data, scenery, LIGHT, words_in(), Extent(width=900)).roads is not english.roads


def test_a_changed_board_is_drawn_anew() -> None:
    data, scenery = board("maria")
    city = data.cities[0]
    moved = replace(data, cities=(replace(city, x=city.x + 9), *data.cities[1:]))
    assert draw_board(moved, scenery, Position()) != draw_board(data, scenery, Position())
    arguments = (LIGHT, words_in())
    assert chart_of(data, scenery, *arguments) is chart_of(replace(data), scenery, *arguments)
    assert chart_of(moved, scenery, *arguments) is not chart_of(data, scenery, *arguments)


# What does not lie on the map

STANDING = Position(
    tallies=(Tallies("Victory markers", {"austria": "3 of 11", "prussia": "5 of 12"}),),
    tracks=(Track("Saxony", ("", "", "neutral", ""), 3), Track("Russia", ("", ""), 1)),
    facts=(Fact("Clock of Fate", "11 cards are left"), Fact("Long", "word " * 60)),
    caption="Turn 7",
)


@pytest.mark.parametrize("cropped", [False, True])
def test_tallies_tracks_and_facts_stand_below_the_map(cropped: bool) -> None:
    data, scenery = board("maria")
    crop = crop_around(data, ["Jauer"]) if cropped else None
    svg = draw_board(data, scenery, STANDING, crop=crop)
    wanted = {
        "Victory markers:",
        "3 of 11",
        "5 of 12",
        "Saxony:",
        "neutral",
        "Russia:",
        "11 cards are left",
        "Clock of Fate:",
    }
    assert wanted <= words_of(svg)
    root = ElementTree.fromstring(svg)
    left, top, wide, high = (float(value) for value in root.attrib["viewBox"].split())
    lowest = crop[3] if crop else data.canvas.h
    for element in root.iter(f"{SVG}text"):
        if element.text in wanted:
            assert left < float(element.attrib["x"]) < left + wide
            assert lowest < float(element.attrib["y"]) < top + high
    tracks = root.findall(f".//{SVG}g[@class='track']")
    assert [(track.attrib["data-at"], len(track.findall(f"{SVG}rect"))) for track in tracks] == [("3", 4), ("1", 2)]
    for track in tracks:
        marker = float(track.findall(f"{SVG}circle")[0].attrib["cx"])
        box = track.findall(f"{SVG}rect")[int(track.attrib["data-at"]) - 1].attrib
        assert float(box["x"]) < marker < float(box["x"]) + float(box["width"])


def test_without_anything_off_the_map_there_is_no_strip() -> None:
    data, scenery = board("maria")
    bare = ElementTree.fromstring(draw_board(data, scenery, Position())).attrib["viewBox"]
    full = ElementTree.fromstring(draw_board(data, scenery, STANDING)).attrib["viewBox"]
    assert float(bare.split()[3]) == data.canvas.h < float(full.split()[3])


# Names


@pytest.mark.parametrize("game", BOARDS)
def test_a_crop_names_the_cities_it_is_made_for(game: str) -> None:
    data, scenery = board(game)
    for city, name in list(zip(data.cities, names_in(data), strict=True))[:: len(data.cities) // 12]:
        pieces = (DrawnPiece("prussia", "general", "1", city.name), DrawnPiece("prussia", "train", "T", city.name))
        crop = crop_around(data, [city.name])
        shown = words_of(draw_board(data, scenery, Position(pieces=pieces), crop=crop))
        lines = scenery.two_lines.get(name) or (name,)
        assert name in shown or set(lines) <= shown or set(name.split(" ", 1)) <= shown, name


@pytest.mark.parametrize("game", BOARDS)
def test_nine_names_in_ten_find_room_at_mail_width(game: str) -> None:
    data, scenery = board(game)
    shown = words_of(draw_board(data, scenery, width=MAIL_WIDTH))
    named = sum(name in shown or set(name.split(" ", 1)) <= shown for name in names_in(data))
    assert named > 0.9 * len(data.cities)


def test_long_names_overlap_no_others() -> None:
    data, scenery = board("maria")
    long = replace(data, cities=tuple(replace(city, name=f"{city.name}-am-See") for city in data.cities))
    plain = replace(scenery, two_lines={})
    for chains in ("main_roads", "roads"):
        renamed = tuple(tuple(f"{name}-am-See" for name in chain) for chain in getattr(data, chains))
        long = replace(long, **{chains: renamed})
    long = replace(long, setup={}, off_map={}, objectives={}, depots={})
    kept = words_of(draw_board(long, plain, width=1000))
    assert sum(word.endswith("-am-See") for word in kept) > 100
    before = {(a.city, b.city) for a, b in combinations(board_labels(data, scenery), 2) if meet(a.box, b.box)}
    assert before == set()


# Colours

SIMULATED = {
    "all cones": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Linear red, green and blue as eyes see them (Machado, Oliveira and Fernandes 2009, full severity)."""


def seen(colour: str, eyes: str) -> Point | tuple[float, float, float]:
    """A colour as eyes see it, in the space where distances are those that people perceive (CIE L*a*b*)."""
    parts_ = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts_]
    left = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, linear, strict=True)))) for row in SIMULATED[eyes]]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    shares = [sum(a * b for a, b in zip(row, left, strict=True)) / w for row, w in zip(to_xyz, white, strict=True)]
    x, y, z = (share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116 for share in shares)
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


@pytest.mark.parametrize("eyes", SIMULATED)
@pytest.mark.parametrize("game", BOARDS)
def test_no_two_powers_look_alike_to_any_eyes(game: str, eyes: str) -> None:
    data, _ = board(game)
    inks = {power: hues(data)[power].ink for power in data.powers}
    close = {
        (one, other): math.dist(seen(inks[one], eyes), seen(inks[other], eyes)) for one, other in combinations(inks, 2)
    }
    assert [pair for pair, apart in close.items() if apart < APART] == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", SIMULATED)
@pytest.mark.parametrize("game", BOARDS)
def test_no_two_lands_look_alike_to_any_eyes(game: str, eyes: str, theme: str) -> None:
    data, _ = board(game)
    lands = sorted({city.land for city in data.cities})
    tints = {land: hues(data)[land].light if theme == "light" else hues(data)[land].dark for land in lands}
    close = {
        (one, other): math.dist(seen(tints[one], eyes), seen(tints[other], eyes))
        for one, other in combinations(lands, 2)
        if tints[one] != tints[other]
    }
    assert len(close) > 10
    assert [pair for pair, apart in close.items() if apart < TINTS_APART] == []


@pytest.mark.parametrize("game", BOARDS)
def test_pieces_of_all_powers_differ_by_letter_too(game: str) -> None:
    data, scenery = board(game)
    chart = chart_of(data, scenery, THEMES["light"], words_in())
    letters = [chart.mark(power) for power in data.powers]
    assert len(set(letters)) == len(letters) == len(data.powers)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ranges:\n  - {map: m, name: r, line: [0, 0, 1000000000, 1000000000]}\n", 1),
        ("rivers: []\nranges:\n  - {map: m, name: r, line: [0, 0, nan, 9]}\n", 2),
        (f"rivers:\n  - {{map: m, name: r, line: [{', '.join('1' * 6002)}]}}\n", 1),
        ("rivers: []\nwilds:\n" + "  - {map: m, land: l, x: 1, y: 1}\n" * 3001, 2),
    ],
    ids=["far", "no number", "points", "wilds"],
)
def test_a_scenery_with_more_than_can_be_drawn_is_refused_with_its_place(text: str, line: int) -> None:
    data = BoardData("b", "B", Canvas(900, 900), {"m": Frame(0, 0, 900, 900)}, {}, (), (), ())
    with pytest.raises(Refused) as refused:
        load_scenery(text.encode(), "b.scenery.yaml", data)
    (fault,) = refused.value.faults
    assert (fault.code, fault.line) == ("E-SCENERY", line)
