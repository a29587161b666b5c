"""A player's own theatre: what is in it, that it can be read, and that it tells nothing but what its reader knows."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kit import game_of
from pbem.paper.library import find_board
from pbem.report import maps
from pbem.report.language.templates import languages
from pbem.report.maps import Request, load_board_file, picture_png, theatre_layers
from pbem.report.picture import Drawing, Theatre, theatre_around, words_in
from pbem.report.picture.chart import chart_of
from pbem.report.picture.close_up import ACROSS, SEEN, chart_of_theatre
from pbem.report.picture.geometry import Box, Point, Segment, area, holds, is_nearer, meet, overlap, part_inside
from pbem.report.picture.theme import THEMES, ThemeName
from pbem.report.picture.tokens import tokens, ways
from pbem.report.theatre import TheatreFacts, theatre_of, theatre_words

from .test_picture_scenes import GAMES, played

PHONE = 360
"""Width in pixels at which a telephone shows a mail."""
TURNS = [(name, turn) for name in GAMES for turn in (1, 4)]
SEATS = {
    "maria": (("austria",), ("prussia", "pragmatic"), ("france", "bavaria")),
    "friedrich": (("prussia", "hanover"), ("russia", "sweden"), ("austria", "imperial"), ("france",)),
}


def told(name: str, turn: int, powers: tuple[str, ...]) -> TheatreFacts:
    """Report of a reader who plays these powers in the midst of a game."""
    table, events = played(name, turn)
    own: Any = tuple(power for power in powers if power in table.rules.powers)
    return TheatreFacts(table.rules.common, game_of(table).view(table, own), own, events)


def seats(name: str) -> tuple[tuple[str, ...], ...]:
    return SEATS[GAMES[name].game]


def parts(mine: TheatreFacts, theme: ThemeName = "light") -> tuple[Theatre, tuple[Drawing, ...]]:
    """A theatre, and the drawings of its parts."""
    theatre = theatre_of(mine)
    assert theatre
    wanted = request(mine, theme)
    return theatre, theatre_layers(wanted, load_board_file(wanted.board), mine.view, theatre)


def request(mine: TheatreFacts, theme: ThemeName = "light") -> Request:
    board = find_board(mine.view.terms.board)
    return Request(board, mine.view, tuple((mine.rules, event) for event in mine.events), "en", theme)


@pytest.mark.parametrize(("name", "turn"), TURNS)
def test_a_theatre_holds_all_that_its_reader_can_be_asked_about(name: str, turn: int) -> None:
    for powers in seats(name):
        mine = told(name, turn, powers)
        theatre = theatre_of(mine)
        data = mine.rules.board.data
        own = [data.cities[piece.city] for piece in mine.view.pieces if piece.power in mine.powers and piece.city >= 0]
        assert bool(theatre) == bool(own)
        if theatre:
            space = chart_of(data, None, THEMES["light"], words_in()).spacing
            inner = [(w + space, n + space, e - space, s - space) for w, n, e, s in theatre.windows]
            inner = [edge_to_edge(data.canvas, box, window) for box, window in zip(inner, theatre.windows, strict=True)]
            assert all(any(has(box, (city.x, city.y)) for box in inner) for city in own), (name, powers)
            assert {round(east - west, 3) for west, _, east, _ in theatre.windows} == {round(theatre.across, 3)}
            assert theatre.across / space in map(pytest.approx, ACROSS)


def edge_to_edge(canvas: Any, inner: Box, window: Box) -> Box:
    """Part without its margin; an edge of the board has none."""
    far = (-1, -1, canvas.w + 1, canvas.h + 1)
    margin = 60
    is_outer = (window[0] < margin, window[1] < margin, window[2] > canvas.w - margin, window[3] > canvas.h - margin)
    west, north, east, south = (far[k] if is_outer[k] else inner[k] for k in range(4))
    return west, north, east, south


def has(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]


def test_pieces_far_apart_have_parts_of_their_own() -> None:
    room = (0.0, 0.0, 60.0, 40.0)
    near = theatre_around([(10, 10), (14, 12)], [(16, 12), (50, 30)], 1.0, room)
    far = theatre_around([(10, 10), (50, 30)], [], 1.0, room)
    assert near
    assert len(near.windows) == 1
    assert near.holds((16, 12))
    assert not near.holds((50, 30))
    assert far
    assert len(far.windows) == 2
    assert far.across == near.across == ACROSS[0]
    assert theatre_around([], [(10, 10)], 1.0, room) is None
    assert theatre_around([(1, 1)], [], 10.0, room) is None
    many = theatre_around([(x, y) for x in range(5, 60, 10) for y in range(5, 40, 10)], [], 1.0, room)
    assert many
    assert many.across == ACROSS[1]
    assert all(holds(room, window) for window in many.windows)


def test_parts_show_hardly_anything_twice() -> None:
    shares = []
    for name, turn in TURNS:
        for powers in seats(name):
            windows = theatre.windows if (theatre := theatre_of(told(name, turn, powers))) else ()
            twice = sum(overlap(one, other) for one, other in combinations(windows, 2))
            shares.append(twice / max(sum(map(area, windows)), 1))
    assert max(shares) < 0.2
    assert sum(shares) / len(shares) < 0.02


@pytest.mark.parametrize("name", ["advanced", "four"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_written_can_be_read(name: str, theme: ThemeName) -> None:
    names, upon_arrows = 0, 0
    for powers in seats(name):
        mine = told(name, 4, powers)
        theatre, drawings = parts(mine, theme)
        arrows = arrows_of(mine, theatre)
        for drawing in drawings:
            assert drawing.part
            window, boxes = drawing.part.window, [label.box for label in drawing.names.labels]
            assert len(boxes) > 20
            assert all(holds(window, box) for box in boxes)
            assert not any(meet(one, other) for one, other in combinations(boxes, 2))
            seen = drawing.part.scale / maps.FINENESS * PHONE / SEEN
            assert min(label.size for label in drawing.names.labels) * seen >= 9
            above = "".join(patch.drawn for patch in drawing.above if 'class="general"' in patch.drawn)
            sizes = [float(size) * seen for size in re.findall(r'<text[^>]*font-size="([\d.]+)"', above)]
            assert min(sizes, default=9) >= 9
            names += len(boxes)
            upon_arrows += sum(any(part_inside(arrow, box) for arrow in arrows) for box in boxes)
    assert upon_arrows < names / 50


def arrows_of(mine: TheatreFacts, theatre: Theatre) -> list[Segment]:
    """The lines of all arrows."""
    wanted = request(mine)
    position = maps.scene(mine.view, wanted.events, named=True)
    data = load_board_file(wanted.board)
    chart = chart_of_theatre(data, None, THEMES["light"], words_in(), (theatre, position.maps))
    return [step for _, run in ways(chart, position) for step in pairwise(run)]


def test_names_are_everybodys_and_troops_ones_own() -> None:
    for name in ("advanced", "four"):
        for powers in seats(name):
            mine = told(name, 4, powers)
            position = maps.scene(mine.view, request(mine).events, named=True)
            assert {piece.name for piece in position.pieces if piece.kind == "general"} <= {
                p.name for p in mine.view.pieces
            }
            for piece in position.pieces:
                assert bool(piece.troops) == (piece.kind == "general" and piece.power in mine.powers)
            plain = maps.scene(mine.view)
            assert not any(piece.name or piece.troops for piece in plain.pieces)


def test_marks_stand_where_it_was_fought() -> None:
    mine = told("four", 4, ("prussia", "hanover"))
    position = maps.scene(mine.view, request(mine).events)
    _, drawings = parts(mine)
    cities = {mine.rules.board.data.cities[int(fight.defending)].name for fight in position.fights}
    drawn = {patch.drawn for drawing in drawings for patch in drawing.above if 'class="battle"' in patch.drawn}
    assert cities
    assert {re.findall('data-city="([^"]*)"', each)[0] for each in drawn} <= cities


@pytest.mark.parametrize("language", languages())
def test_the_picture_is_told_in_words(language: str) -> None:
    for name, powers in (("advanced", ("austria",)), ("four", ("austria", "imperial"))):
        mine = told(name, 4, powers)
        shown = theatre_words(mine, language)
        names = [words_in(language).power(power) for power in mine.powers]
        assert ", ".join(names) in shown
        assert "  " not in shown
        assert shown.count(";") >= 3
        assert not re.search(r"[{}_]|\bNone\b", shown)
        assert any(piece.name in shown for piece in mine.view.pieces if piece.power in mine.powers)
    nobody = replace(told("four", 4, ("france",)), powers=())
    assert theatre_words(nobody, language) == ""


@pytest.mark.parametrize("name", ["advanced", "four"])
def test_a_theatre_is_light_enough_for_mail(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maps, "FINENESS", 1.0)
    mine = told(name, 4, seats(name)[0])
    assert 30_000 < len(picture_png(replace(request(mine), theatre=theatre_of(mine)))) < 255_000


@pytest.mark.parametrize("name", GAMES)
def test_no_two_plates_stand_at_each_others_cities(name: str) -> None:
    for powers in seats(name):
        mine = told(name, 4, powers)
        wanted, theatre = request(mine), theatre_of(mine)
        if theatre is None:
            continue
        board = load_board_file(wanted.board)
        chart = chart_of_theatre(board, None, THEMES["light"], words_in("en"), (theatre, ()))
        plates = [each for each in tokens(chart, maps.scene(mine.view, (), named=True)) if each.owner]
        for one, other in combinations(plates, 2):
            if one.city != other.city:
                crossed = [
                    is_nearer(a.box, [chart.at[b.city]], chart.at[a.city]) for a, b in ((one, other), (other, one))
                ]
                assert crossed != [True, True], (one.box, other.box)
