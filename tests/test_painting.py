"""Pictures in pixels: laid together from parts, they show what the drawing shows, whatever is kept of them."""

from __future__ import annotations

import io
import math
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from pbem import cache
from pbem.engine.board import BoardData
from pbem.paper.library import boards, load_board_file
from pbem.report.maps import scenery_of
from pbem.report.picture import (
    Drawing,
    DrawnMarch,
    DrawnPiece,
    Position,
    crop_around,
    drawing_of,
    painting,
    put_away,
    small_png,
    to_png,
)
from pbem.report.picture.chart import Extent, chart_of
from pbem.report.picture.painting import paint, sheet_places, size_of
from pbem.report.picture.png import paletted_png
from pbem.report.picture.position import Fact, Tallies, words_in
from pbem.report.picture.theme import THEMES, ThemeName
from pbem.report.picture.tokens import draw_way, way_box

from .test_picture import MIDGAME

WIDTH = 650


def data_of(name: str) -> BoardData:
    return load_board_file(boards()[name])


def drawn(name: str, position: Position | None, theme: ThemeName = "light", **look: object) -> Drawing:
    board = data_of(name)
    crop = crop_around(board, look["around"]) if "around" in look else None  # type: ignore[arg-type]
    return drawing_of(board, scenery_of(boards()[name]), position, theme=theme, width=WIDTH, crop=crop)


def rendered(drawing: Drawing) -> Image.Image:
    """The same by the renderer alone, in the same place to a fraction of a pixel."""
    wide, high = size_of(drawing)
    inside = drawing.svg.partition("</title>")[2].removesuffix("</svg>\n")
    x, y = (-side * drawing.scale for side in drawing.view[:2])
    place = f'transform="translate({x},{y}) scale({drawing.scale})"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}">'
    paper = f'<rect width="{wide}" height="{high}" fill="{drawing.paper}"/>'
    with Image.open(io.BytesIO(to_png(f"{head}{paper}<g {place}>{inside}</g></svg>", wide))) as image:
        return image.convert("RGB")


def nameless(drawing: Drawing) -> Drawing:
    return replace(drawing, names=replace(drawing.names, labels=()))


FRIEDRICH_GAME = Position(
    pieces=(
        DrawnPiece("prussia", "general", "1", "Berlin"),
        DrawnPiece("prussia", "general", "2", "Berlin"),
        DrawnPiece("russia", "train", "T", "Warszawa", face_down=True),
    ),
    control={"Breslau": "austria", "Bunzlau": "austria", "Halle": "france"},
    moves=(
        DrawnMarch("austria", ("Prag", "Kolin", "Pardubitz")),
        DrawnMarch("france", ("Kassel", "Münden", "Göttingen"), "retreat"),
    ),
    tallies=(Tallies("Troops", {"prussia": "32"}),),
    facts=(Fact("Clock of Fate", "18 cards"),),
    caption="Turn 3",
)

SHOWN = [
    ("theatrum-belli", MIDGAME, {}),
    ("theatrum-belli", MIDGAME, {"theme": "dark"}),
    ("theatrum-belli", MIDGAME, {"around": ("Jauer", "Breslau")}),
    ("theatrum-belli", replace(MIDGAME, maps=("bohemia",)), {}),
    ("theatrum-belli", None, {}),
    ("friedrich", FRIEDRICH_GAME, {}),
    ("friedrich", FRIEDRICH_GAME, {"around": ("Prag", "Kolin")}),
]


@pytest.fixture(scope="module", params=SHOWN, ids=lambda each: f"{each[0]}-{'-'.join(each[2])}")
def shown(request: pytest.FixtureRequest) -> Drawing:
    """Further things for the renderer to draw."""
    name, position, look = request.param
    return drawn(name, position, **look)


def test_what_is_laid_together_is_what_the_renderer_draws(shown: Drawing) -> None:
    """Edges are rounded twice, by a few of 255; nothing sticks out of the box that is to hold it."""
    drawing = nameless(shown)
    apart = ImageChops.difference(paint(drawing), rendered(drawing))
    assert sum(apart.convert("L").histogram()[25:]) <= 8
    assert max(ImageStat.Stat(apart).rms) < 0.5


def test_names_are_where_the_renderer_writes_them(shown: Drawing) -> None:
    """Letters stand up to half a pixel off: no ink is farther from the renderer's than a pixel."""
    bare, ours, theirs = paint(nameless(shown)), paint(shown), rendered(shown)
    assert max(ImageStat.Stat(ImageChops.difference(ours, theirs)).rms) < 16
    ours, theirs = (ImageChops.difference(one, bare).convert("L") for one in (ours, theirs))
    for one, other in ((ours, theirs), (theirs, ours)):
        near = other.resize(other.size)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                near = ImageChops.lighter(near, ImageChops.offset(other, dx, dy))
        beyond = ImageChops.subtract(one, near)
        assert sum(beyond.histogram()[100:]) <= 8
    ink, its = (ImageStat.Stat(one).sum[0] for one in (ours, theirs))
    assert ink == pytest.approx(its, rel=0.05)


def test_a_name_in_letters_that_the_font_lacks_is_left_to_the_renderer() -> None:
    board = data_of("friedrich")
    here = board.cities[0]
    strange = replace(
        board, name="own", cities=(replace(here, name="北京"), *board.cities[1:]), roads=(), main_roads=()
    )
    strange = replace(strange, objectives={}, depots={}, setup={}, off_map={})
    crop = (here.x - 200.0, here.y - 200.0, here.x + 200.0, here.y + 200.0)
    drawing = drawing_of(strange, None, Position(), width=WIDTH, crop=crop)
    assert "北京" in drawing.svg
    known, patches = painting._split_names(drawing.names)
    assert "北京" not in {line for label in known.labels for line in label.lines}
    assert ["北京" in patch.drawn for patch in patches] == [True]
    assert small_png(drawing).startswith(b"\x89PNG")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv(cache.OFF, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    put_away()
    return tmp_path / "pbem"


def test_pixels_that_are_kept_are_those_that_would_be_drawn(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawing = drawn("friedrich", FRIEDRICH_GAME)
    first = small_png(drawing)
    kept = list(place.glob("pixels-*"))
    assert len(kept) > 2
    put_away()
    monkeypatch.setattr(painting, "store", lambda *_: pytest.fail("it is kept"))
    assert small_png(drawing) == first
    monkeypatch.undo()
    put_away()
    monkeypatch.setenv(cache.OFF, "1")
    assert small_png(drawing) == first


def test_pixels_that_are_damaged_or_of_another_size_are_drawn_again(place: Path) -> None:
    drawing = drawn("friedrich", FRIEDRICH_GAME)
    first = small_png(drawing)
    for number, file in enumerate(sorted(place.glob("pixels-*"))):
        if number % 2:
            file.write_bytes(file.read_bytes()[:-1])
        else:
            cache.store(file.name, b"\x00" * 40)
    put_away()
    assert small_png(drawing) == first


def test_no_position_is_kept(place: Path) -> None:
    """The same files lie there whatever stands on the board, and of a part of a board there are none."""
    small_png(drawn("friedrich", FRIEDRICH_GAME))
    first = {file.name: file.read_bytes() for file in place.glob("pixels-*")}
    small_png(drawn("friedrich", Position(tallies=FRIEDRICH_GAME.tallies, facts=FRIEDRICH_GAME.facts)))
    small_png(drawn("friedrich", FRIEDRICH_GAME, around=("Prag",)))
    assert {file.name: file.read_bytes() for file in place.glob("pixels-*")} == first


def test_pixels_do_not_fill_the_disk(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST_PIXELS", 3)
    cache.store("other", b"")
    for number in range(8):
        cache.store(f"pixels-{number}", b"")
        assert len(list(place.glob("pixels-*"))) <= 3
    assert (place / "other").exists()


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 60)), max_size=30))
def test_things_on_a_sheet_have_room(sizes: list[tuple[int, int]]) -> None:
    corners, (wide, high) = sheet_places(sizes, 100)
    boxes = [(x, y, x + w, y + h) for (x, y), (w, h) in zip(corners, sizes, strict=True)]
    assert all(box[2] <= wide and box[3] <= high for box in boxes)
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            wide_of, high_of = (min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1))
            assert wide_of <= 0 or high_of <= 0


places = st.tuples(st.integers(60, 340), st.integers(60, 340)).map(lambda at: (float(at[0]), float(at[1])))


@given(st.lists(places, min_size=2, max_size=5, unique=True), st.sampled_from(["march", "retreat"]))
def test_an_arrow_is_within_its_box(run: list[tuple[float, float]], kind: Literal["march", "retreat"]) -> None:
    chart = chart_of(data_of("friedrich"), None, THEMES["light"], words_in(), Extent())
    drawn = draw_way(chart, DrawnMarch("prussia", (), kind), run)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400">{drawn}</svg>'
    found = Image.open(io.BytesIO(to_png(svg, 400))).getchannel("A").getbbox()
    assert found is not None
    west, north, east, south = way_box(chart, run)
    assert math.floor(max(west, 0)) <= found[0]
    assert math.floor(max(north, 0)) <= found[1]
    assert found[2] <= math.ceil(east)
    assert found[3] <= math.ceil(south)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 256), st.randoms())
def test_a_pressed_picture_is_read_as_it_was(wide: int, high: int, colours: int, chance: Random) -> None:
    image = Image.frombytes("P", (wide, high), bytes(chance.randrange(colours) for _ in range(wide * high)))
    image.putpalette(chance.randbytes(3 * colours))
    for level in (6, 8):
        found = Image.open(io.BytesIO(paletted_png(image, level)))
        assert found.convert("RGB").tobytes() == image.convert("RGB").tobytes()
