"""The board under real pointers, fingers and keys: who is chosen, where rings stand, what clicks write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import dist
from pathlib import Path
from time import sleep
from typing import Any

import pytest
import yaml

from pbem.paper.documents.writing import write
from pbem.resources import games
from tests.desk.fields import attacks, battlefield, influence, stand_off
from tests.desk.sitting import Sitter
from tests.site.browsing import DOWN, ENTER, ESCAPE, LEFT, RIGHT, TAB, UP

POSITION = Path(__file__).parents[2] / "examples/first-march.yaml"


@pytest.fixture
def board(sitter: Sitter) -> Iterator[Sitter]:
    """Somebody before a first march; afterwards through the usual window again."""
    sitter.reader.look()
    sitter.open(str(POSITION))
    yield sitter
    assert sitter.reader.complaints() == []
    sitter.put_phone_away()


@pytest.fixture
def phone(board: Sitter) -> Sitter:
    """The same with a phone in his hands."""
    board.hold_phone()
    return board


def orders(sitter: Sitter) -> Any:
    return yaml.safe_load(sitter.text())["orders"]


def rings(sitter: Sitter) -> list[str]:
    """Cities in rings."""
    found: list[str] = sitter.reader.run(
        "return [...document.querySelectorAll('.marks .end')].map((each) => each.dataset.city)"
    )
    return found


def test_an_off_map_box_tells_who_is_in_it_and_where_they_come_back(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "influence.yaml").write_bytes(influence())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "influence.yaml"))
        there = sitter.reader.run("return board.boxed")
        for power, city in (("prussia", "Landsberg an der Warthe"), ("pragmatic", "Rotterdam")):
            place = (
                "const { box } = board.offMap.find((each) => each.power === arguments[0]);"
                "return board.onScreen({ x: (box[0] + box[2]) / 2, y: (box[1] + box[3]) / 2 });"
            )
            sitter.reader.run("board.look([board.covering, 0, 0])")
            x, _ = sitter.reader.run(place, power)
            sitter.reader.run("board.map.scrollLeft += arguments[0] - innerWidth / 2", x)
            sitter.tap(tuple(sitter.reader.run(place, power)))
            sitter.until("return !board.tip.hidden")
            told = sitter.find(".tip").text
            assert sitter.reader.run("return calledCity(arguments[0])", city) in told
            assert ", ".join(there.get(power, ["nobody is here"])) in told
            sitter.reader.run("board.tell([])")
            sleep(0.5)  # two quick taps are one gesture
        # Who is in a box is drawn there, too.
        assert there
        drawn = sitter.reader.run(
            "return [...document.querySelectorAll('.standing text')].map((each) => each.textContent)"
        )
        assert {sign for signs in there.values() for sign in signs} <= {*drawn}
    finally:
        sitter.put_phone_away()


def test_clicks_go_on_through_cities_and_a_second_one_takes_no_march_back(board: Sitter) -> None:
    board.click_city("Glogau")
    assert "Steinau" in rings(board)
    board.click_city("Steinau")
    assert orders(board) == {"prussia": {"move": [{"Schwerin": "Steinau"}]}}
    assert "Neumarkt" in rings(board)
    board.click_city("Neumarkt")
    board.click_city("Breslau")
    assert orders(board) == {
        "prussia": {"move": [{"march": "Schwerin", "via": ["Steinau", "Neumarkt"], "to": "Breslau"}]}
    }
    before = orders(board)
    board.click_city("Breslau")
    assert orders(board) == before
    assert rings(board) == []
    board.click_city("Breslau")
    board.find("#march-away").click()
    assert orders(board) == {}
    # A finger may have meant another button: that the march is gone is told.
    assert board.find("#chosen").text == "March taken back: Schwerin"


def test_of_ways_of_one_length_a_click_means_the_one_that_takes_more(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("learn('maria', 'fortress')")
    start = sitter.reader.run("return state.pieces.find((piece) => piece.name === 'Schwerin').city")
    sitter.click_city(start)
    sitter.click_city("Strehlen")
    richer = {"march": "Schwerin", "via": ["Schweidnitz", "Breslau"], "to": "Strehlen"}
    assert orders(sitter)["prussia"] == {"move": [richer]}
    assert "instead by Frankenstein: takes Schweidnitz" in sitter.reader.run(
        "return [...document.querySelectorAll('.other-way')].map((each) => each.textContent)"
    )
    sitter.find("#undo").click()
    assert "prussia" not in orders(sitter)
    # Whoever wants the other way has it by its button.
    sitter.click_city(start)
    sitter.click_city("Strehlen")
    sitter.find(".other-way").click()
    assert orders(sitter)["prussia"]["move"][0].get("via") == ["Schweidnitz", "Frankenstein"]


def test_a_march_draws_only_what_it_moves(board: Sitter) -> None:
    board.reader.run("for (const sign of board.over.children) sign.wasThere = true")
    board.click_city("Glogau")
    board.click_city(board.reader.run("return [...chosen.ends.keys()][0]"))
    counted = (
        "const signs = [...board.over.children]; return [signs.length, signs.filter((each) => each.wasThere).length]"
    )
    signs, kept = board.reader.run(counted)
    assert board.reader.run("return state.went.length")
    assert signs - 3 <= kept < signs
    board.reader.run("goThrough('undo')")
    assert board.reader.run(counted) == [signs, kept], "what has gone back is drawn anew, and all else stays"


def test_who_has_marched_goes_on_or_back_although_another_has_marched_behind_him(board: Sitter) -> None:
    board.click_city("Glogau")
    board.click_city("Steinau")
    first, second = {"pieces": "Schwerin", "to": "Steinau"}, board.march()
    before = orders(board)
    board.click_city(first["to"])
    assert first["pieces"] in board.find("#chosen").text
    onward = rings(board)
    assert onward
    # A click on another piece that has marched chooses that one.
    board.click_city(second["to"])
    assert second["pieces"] in board.find("#chosen strong").text
    assert orders(board) == before
    board.click_city(first["to"])
    board.click_city(next(city for city in onward if city != second["to"]))
    gone, other = orders(board)["prussia"]["move"]
    assert (gone["march"], gone["via"]) == (first["pieces"], first["to"])
    assert other == before["prussia"]["move"][1]
    board.find("#march-away").click()
    assert orders(board) == {"prussia": {"move": [other]}}


def test_the_bar_stays_with_the_piece_that_marches_onto_another_and_its_march_is_taken_back(board: Sitter) -> None:
    board.click_city("Glogau")
    board.click_city("Steinau")
    board.click_city("Lüben")
    board.click_city("Steinau")
    assert board.find("#chosen strong").text == "Friedrich der Große"
    assert board.find("#march-away").text == "Take back the march: Friedrich der Große"
    board.find("#chosen .beside").click()
    assert board.find("#chosen strong").text == "Schwerin"
    board.find("#chosen .beside").click()
    board.find("#march-away").click()
    assert orders(board) == {"prussia": {"move": [{"Schwerin": "Steinau"}]}}
    assert board.find("#chosen").text == "March taken back: Friedrich der Große"
    # It is told until one looks at something else.
    board.reader.run("clickCity('Breslau')")
    assert board.find("#chosen").text == ""


def test_a_click_on_ones_own_piece_chooses_it_and_a_second_one_lets_the_first_join(board: Sitter) -> None:
    board.click_city("Lüben")
    assert "Glogau" in rings(board)
    board.click_city("Glogau")
    assert board.find("#chosen strong").text == "Schwerin"
    assert orders(board) == {}
    board.find("#join").click()
    assert orders(board) == {"prussia": {"move": [{"Friedrich der Große": "Glogau"}]}}


SIZE = "return document.querySelector('.sheet').clientWidth"
CHOSEN = "return chosen && chosen.pieces.join(' + ')"


def middle_of(sitter: Sitter) -> tuple[float, float]:
    """Middle of the board's place on the screen."""
    x, y = sitter.reader.run(
        "const box = document.querySelector('.map').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + box.height / 2]"
    )
    return x, y


def test_two_fingers_pinch_about_what_lies_between_them(phone: Sitter) -> None:
    phone.reader.run("board.show(['Glogau'])")
    (x, y), before = phone.at("Glogau"), phone.reader.run(SIZE)
    phone.fingers(((x - 20, y), (x - 45, y)), ((x + 20, y), (x + 45, y)))
    assert phone.reader.run(SIZE) > 1.5 * before
    assert dist(phone.at("Glogau"), (x, y)) < 12
    phone.fingers(((x - 45, y), (x - 20, y)), ((x + 45, y), (x + 20, y)))
    assert phone.reader.run(SIZE) == pytest.approx(before, rel=0.1)
    assert phone.reader.run(CHOSEN) is None
    assert orders(phone) == {}


def test_one_finger_pans_and_two_do(phone: Sitter) -> None:
    x, y = middle_of(phone)
    for ways in ([((x, y), (x - 60, y - 60))], [((x - 20, y), (x - 70, y - 40)), ((x + 20, y), (x - 30, y - 40))]):
        phone.reader.run("board.show(['Glogau'])")
        before, size = phone.at("Glogau"), phone.reader.run(SIZE)
        phone.fingers(*ways)
        assert before[0] - phone.at("Glogau")[0] > 25
        assert before[1] - phone.at("Glogau")[1] > 10
        assert phone.reader.run(SIZE) == pytest.approx(size, rel=0.05)
    assert phone.reader.run(CHOSEN) is None


def test_two_quick_taps_enlarge(phone: Sitter) -> None:
    before = phone.reader.run(SIZE)
    phone.tap(middle_of(phone), times=2)
    assert phone.reader.run(SIZE) > 1.5 * before


def test_a_finger_that_shakes_still_taps_and_one_that_rests_only_looks(phone: Sitter) -> None:
    phone.reader.run("board.show(['Glogau'])")
    x, y = phone.at("Glogau")
    phone.fingers(((x, y), (x, y)), rest=0.7)
    assert "Glogau" in phone.find(".tip").text
    assert phone.reader.run(CHOSEN) is None
    tip = phone.find(".tip").rect
    assert not (tip["x"] < x < tip["x"] + tip["width"] and tip["y"] < y < tip["y"] + tip["height"])
    phone.fingers(((x - 3, y - 2), (x + 3, y + 2)), steps=1)
    assert phone.reader.run(CHOSEN) == "Schwerin"
    phone.tap(phone.at("Steinau"))
    assert orders(phone) == {"prussia": {"move": [{"Schwerin": "Steinau"}]}}


NAME = "return [...document.querySelectorAll('.names text')].find((each) => each.textContent === arguments[0])"


def test_the_board_holds_still_under_the_bar_and_what_is_told_covers_neither_city_nor_name(phone: Sitter) -> None:
    phone.reader.run("board.show(['Glogau'])")
    before = phone.at("Steinau")
    phone.tap(phone.at("Glogau"))
    phone.until("return Boolean(chosen)")
    phone.until("return board.lain.top === board.place.offsetTop")
    assert dist(phone.at("Steinau"), before) < 1
    phone.fingers((before, before), rest=0.7)
    tip, name = phone.find(".tip").rect, phone.reader.run(NAME, "Steinau").rect
    assert "Steinau" in phone.find(".tip").text
    for x, y, wide, high in ((*before, 0, 0), (name["x"], name["y"], name["width"], name["height"])):
        beside = x >= tip["x"] + tip["width"] or x + wide <= tip["x"]
        assert beside or y >= tip["y"] + tip["height"] or y + high <= tip["y"]


COVERED = """
const {left, right, top, bottom} = board.tip.getBoundingClientRect();
return board.tip.hidden ? null : board.marked[1].filter(({city}) => {
  const [x, y] = board.onScreen(board.spots.get(city));
  return x > left && x < right && y > top && y < bottom;
}).length;
"""


def test_what_is_told_of_a_piece_covers_no_ring_once_it_is_chosen(board: Sitter) -> None:
    for city in ("Glogau", "Lüben"):
        board.click_city(city)
        assert board.reader.run("return board.marked[1].length") > 5
        assert board.reader.run(COVERED) == 0, city


GUARDED = """
return Object.entries(state.fortresses).filter(([, fort]) => fort.guards.length > 1).map(([city, { guards }]) => {
  hoverCity(city);
  return [board.tip.textContent, fortLines(city).join(' '), guards.flatMap((guard) => guard.pieces.map(called))];
});
"""
POINT = """
const [x, y] = board.onScreen(board.spots.get(arguments[0]));
board.map.dispatchEvent(new PointerEvent('pointermove',
  {pointerType: 'mouse', clientX: x, clientY: y, bubbles: true}));
return board.tip.hidden;
"""


def test_what_is_told_of_a_city_names_its_protectors_and_goes_when_the_board_moves(board: Sitter) -> None:
    fortresses = board.reader.run(GUARDED)
    assert fortresses
    for tip, told, guards in fortresses:
        assert all(guard in told for guard in guards)
        left_out = [guard for guard in guards if guard not in tip]
        assert "+1" not in tip
        assert ("more general" in tip) == bool(left_out)
        assert not left_out or len(guards) > 2
    assert not board.reader.run(POINT, "Glogau")
    # Wherever the tests before have left the board, the city stays in sight.
    board.reader.run("board.enlarge(1.4); board.show(['Glogau'])")
    # Until the board has come to rest, it hides what is told.
    board.until(POINT.replace("arguments[0]", "'Glogau'").replace("return board", "return !board"))
    board.reader.run("board.map.scrollLeft += board.map.scrollLeft > 100 ? -100 : 100")
    board.until("return board.tip.hidden || board.toldOf[1] !== 'Glogau'")
    board.click_city("Glogau")
    board.click_city(board.reader.run("return [...chosen.ends.keys()][0]"))
    assert board.reader.run("return state.went.length && board.tip.hidden")


def test_the_goal_stands_beside_the_buttons_that_zoom(board: Sitter) -> None:
    for phone in (False, True):
        if phone:
            board.hold_phone()
        board.home()
        board.reader.run("opened(ask('practise', 'friedrich', '', 'frederick', 'sensible'))")
        goal, zoom, signs = (board.find(each).rect for each in ("#aim-show", ".zoom", ".rings"))
        assert goal["x"] >= zoom["x"] + zoom["width"]
        assert abs(goal["y"] + goal["height"] - zoom["y"] - zoom["height"]) < 4
        if phone:
            assert goal["x"] + goal["width"] <= signs["x"]


SCROLLED = "return [board.map.scrollLeft, board.map.scrollTop]"


def test_a_wheel_zooms_at_the_pointer_and_two_fingers_or_shift_move_the_board(board: Sitter) -> None:
    board.reader.run("board.show(['Glogau'])")
    (x, y), before = board.at("Glogau"), board.reader.run(SIZE)
    wheel = {"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": -120}
    board.reader.tell("Input.dispatchMouseEvent", **wheel)
    board.until(f"return document.querySelector('.sheet').clientWidth > {1.1 * before}")
    assert dist(board.at("Glogau"), (x, y)) < 6
    zoomed, scrolled = board.reader.run(SIZE), board.reader.run(SCROLLED)
    for more in ({"deltaY": 12}, {"deltaX": 60, "deltaY": 60}, {"deltaX": 0, "modifiers": 8}):
        sleep(0.3)
        board.reader.tell("Input.dispatchMouseEvent", **wheel | more)
        board.until(
            f"return String([board.map.scrollLeft, board.map.scrollTop]) !== {str(scrolled)[1:-1].replace(' ', '')!r}"
        )
        sleep(0.3)
        assert board.reader.run(SIZE) == zoomed
        scrolled = board.reader.run(SCROLLED)
    # A trackpad tells a pinch as a wheel with Ctrl.
    board.reader.tell("Input.dispatchMouseEvent", **wheel | {"deltaY": 20, "modifiers": 2})
    board.until(f"return document.querySelector('.sheet').clientWidth < {0.95 * zoomed}")


def test_a_mouse_that_shakes_still_clicks(board: Sitter) -> None:
    board.reader.run("board.show(['Glogau'])")
    x, y = board.at("Glogau")
    for kind, shift in (("mousePressed", 0), ("mouseMoved", 4), ("mouseReleased", 4)):
        place = {"x": x + shift, "y": y, "button": "left", "buttons": 1, "clickCount": 1}
        board.reader.tell("Input.dispatchMouseEvent", type=kind, **place)
    assert board.reader.run(CHOSEN) == "Schwerin"


def test_a_march_is_made_by_keys_alone(board: Sitter) -> None:
    board.reader.run("document.body.focus()")
    for _ in range(60):
        if board.reader.run("return document.activeElement.className") == "map":
            break
        board.reader.press(TAB)
    board.reader.press(RIGHT)
    visited = set()
    for key in (RIGHT, LEFT, UP, DOWN) * 3:
        board.reader.press(key)
        visited.add(board.find(".tip").text.split(" · ")[0])
    assert len(visited) > 2
    before = board.reader.run(SIZE)
    board.reader.press("+")
    assert board.reader.run(SIZE) > before
    board.reader.press("-")
    walk_to(board, "Glogau")
    board.reader.press(ENTER)
    assert board.reader.run(CHOSEN) == "Schwerin"
    board.reader.press(ESCAPE)
    assert board.reader.run(CHOSEN) is None
    board.reader.press(ENTER)
    # So it does from the list of cities.
    board.reader.run("document.querySelector('#chosen select').focus()")
    board.reader.press(ESCAPE)
    assert board.reader.run(CHOSEN) is None
    board.reader.run("document.querySelector('.map').focus()")
    board.reader.press(ENTER)
    walk_to(board, "Steinau")
    board.reader.press(ENTER)
    assert orders(board) == {"prussia": {"move": [{"Schwerin": "Steinau"}]}}


def walk_to(sitter: Sitter, goal: str) -> None:
    """Go from city to city by arrow keys, as one who sees where the goal lies."""
    for _ in range(60):
        here = sitter.reader.run("return board.at")
        if here == goal:
            return
        (x, y), (u, v) = sitter.at(here), sitter.at(goal)
        keys = [RIGHT if u > x else LEFT, DOWN if v > y else UP]
        for key in keys if abs(u - x) > abs(v - y) else reversed(keys):
            sitter.reader.press(key)
            if sitter.reader.run("return board.at") != here:
                break
    raise AssertionError(goal)


LETTERS = """
const ground = [...document.querySelectorAll('.ground')].find((each) => getComputedStyle(each).display !== 'none');
const hidden = (element) => element && (element.style?.display === 'none' || hidden(element.parentElement));
const high = (text) => {
  const matrix = text.getScreenCTM() || ground.getScreenCTM();
  return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
};
const texts = [...document.querySelectorAll('.sheet text')].filter((text) =>
  [null, ground].includes(text.closest('.ground')) && text.textContent.trim() && !hidden(text));
return {
  small: texts.map((text) => [text.textContent, high(text)]).filter(([, each]) => each < 8.99),
  seen: texts.length,
  names: document.querySelectorAll('.names text').length,
};
"""
"""Letters on the board that are lower than 9 pixels, how many texts there are, and names among them."""

OVERLAPS = """
const names = [...document.querySelectorAll('.names text')];
const boxes = names.map((each) => [each.textContent, each.getBoundingClientRect()]);
const over = ([one, a], [other, b]) => one !== other
  && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
  && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > Math.min(a.height, b.height) / 2;
return boxes.flatMap((a, at) => boxes.slice(at + 1).filter((b) => over(a, b)).map((b) => [a[0], b[0]]));
"""
"""Names that lie on each other by more than half of their height."""

PRACTISE = """
const seat = Object.keys(ask('seats', arguments[0], ''))[0];
opened(ask('practise', arguments[0], '', seat, 'random'));
"""


@pytest.mark.parametrize("game", ["maria", "friedrich"])
def test_letters_can_be_read_at_every_width_and_scale_or_are_left_out(sitter: Sitter, game: str) -> None:
    sitter.reader.look()
    sitter.home()
    sitter.reader.run(PRACTISE, game)
    for width in (360, 1280):
        sitter.reader.look(width, 800)
        counts = []
        for _ in range(6):
            sitter.find(".zoom button:last-child").click()
        for _ in range(6):
            found = sitter.reader.run(LETTERS)
            assert (found["small"], found["seen"] > 5) == ([], True), width
            assert sitter.reader.run(OVERLAPS) == [], width
            counts.append(found["names"])
            sitter.find(".zoom button").click()
        assert counts == sorted(counts), width
        assert counts[-1] > 200, width
    sitter.reader.look()


def test_a_second_click_on_a_stack_lets_it_go_and_a_button_chooses_a_part_of_it(sitter: Sitter) -> None:
    sitter.reader.look()
    sitter.home()
    sitter.reader.run("begun('play_now', 'friedrich', '')")
    city = sitter.reader.run(
        "return [...board.spots.keys()].find((city) => columnsIn(city)[0]?.pieces.length === 2"
        "  && columnsIn(city)[0].to.length)"
    )
    sitter.click_city(city)
    both = sitter.find("#chosen strong").text
    assert " + " in both
    assert sitter.find("#chosen .chips").text.startswith("Who marches:")
    sitter.click_city(city)
    assert sitter.reader.run(CHOSEN) is None
    assert rings(sitter) == []
    sitter.click_city(city)
    sitter.find("#chosen .chips button:last-child").click()
    assert sitter.find("#chosen strong").text in both.split(" + ")


ARROWS = """
const moves = document.querySelector('.moves'), [arrow] = moves.children;
const ink = arrow && getComputedStyle(arrow.children[1]);
const wide = ink && parseFloat(ink.strokeWidth) * (ink.vectorEffect === 'none' ? board.scale : 1);
return [[...board.above.children].map((each) => each.classList[0]).join(' '), getComputedStyle(moves).display, wide];
"""
"""Layers over the ground, the lowest first; how arrows are displayed, and how wide the first one is on the screen."""


def test_arrows_lie_under_names_and_tokens_and_those_of_others_are_thin_or_out_of_the_way(sitter: Sitter) -> None:
    sitter.reader.look()
    sitter.home()
    sitter.reader.run("begun('play_now', 'friedrich', 'elisabeth')")
    sitter.reader.run("board.zoom(board.limits[1], [200, 200])")
    order, display, news = sitter.reader.run(ARROWS)
    assert order == "moves marks names standing marks"
    assert display != "none"
    sitter.reader.run("choose(columnsIn([...board.spots.keys()].find((city) => columnsIn(city).length)), 0)")
    assert sitter.reader.run(ARROWS)[1] == "none"
    sitter.reader.run("march(chosen.to[0].city)")
    _, display, own = sitter.reader.run(ARROWS)
    assert display != "none"
    assert own > 2 * news


ON_TOKENS = """
const signs = document.querySelectorAll('.sheet .marks:not(.under) :is(.disc, .flag)');
const discs = [...signs].map((each) => each.getBBox());
const boxes = board.tokens(), shares = ({ x, y, width, height }, [west, north, east, south]) =>
  Math.min(x + width, east) - Math.max(x, west) > 0 && Math.min(y + height, south) - Math.max(y, north) > 0;
return [discs.length, discs.filter((disc) => boxes.some((box) => shares(disc, box))).length];
"""
"""Number of signs beside rings, and of those that cover a token."""


def test_a_question_mark_is_told_wherever_its_fortress_is_clicked(sitter: Sitter, tmp_path: Path) -> None:
    pieces = {"Broglie": "Wels, 8", "Traun": "Freistadt, 5"}
    marked = {"game": "maria", "turn": 2, "stage": "france", "phase": "movement", "pieces": pieces}
    (tmp_path / "marked.yaml").write_text(write({**marked, "questions": {"france": ["Brünn"]}}))
    sitter.open(str(tmp_path / "marked.yaml"))
    told = "“F?” on the fortress: generals have marched through it, and France gets it"
    sitter.click_city("Brünn")
    assert told in sitter.find(".tip").text
    sitter.click_city("Wels")
    sitter.click_city("Brünn")
    assert told in sitter.find("#why").text


@pytest.mark.parametrize("width", [360, 670, 1280])
def test_what_stands_beside_a_ring_covers_no_token(sitter: Sitter, tmp_path: Path, width: int) -> None:
    (tmp_path / "attacks.yaml").write_bytes(attacks())
    sitter.reader.look(width, 740)
    sitter.open(str(tmp_path / "attacks.yaml"))
    found = []
    for piece in ("Törring", "Broglie"):
        sitter.reader.run("choose(columnsIn(state.pieces.find((each) => each.name === arguments[0]).city), 0)", piece)
        for by in (1, 0.4, 2.5):
            found.append(sitter.reader.run(f"board.enlarge({by});{ON_TOKENS}"))
    assert all(signs for signs, _ in found)
    assert [covering for _, covering in found if covering] == []
    sitter.reader.look()


def test_on_a_phone_no_card_is_narrower_than_a_finger_and_none_lies_beyond_the_side(
    sitter: Sitter, tmp_path: Path
) -> None:
    hand = tuple(f"♦{value}" for value in range(2, 12))
    (tmp_path / "battle.yaml").write_bytes(battlefield("friedrich", cards=hand))
    sitter.open(str(tmp_path / "battle.yaml"))
    sitter.hold_phone()
    cards = "[...document.querySelectorAll('#choices .pick.card')]"
    sitter.until(f"return {cards}.length === 10")
    assert sitter.reader.run(f"return Math.min(...{cards}.map((each) => each.offsetWidth))") >= 44
    assert sitter.reader.run(
        f"return {cards}.every((each) => [...each.children].every((part) => part.scrollWidth <= each.clientWidth))"
    )
    sides = f"return {cards}.map((each) => each.getBoundingClientRect()).map(({{ left, right }}) => [left, right])"
    assert all(0 <= left < right <= 360 for left, right in sitter.reader.run(sides))
    sitter.put_phone_away()


LINES = """
board.show([arguments[0]]);
hoverCity(arguments[0]);
const high = parseFloat(getComputedStyle(board.tip).lineHeight);
return [...board.tip.children].slice(-2).reduce((sum, each) => sum + Math.round(each.offsetHeight / high), 0);
"""
"""Lines in which the tip of a city tells who holds and protects it."""


def test_a_fortress_is_told_of_in_five_short_lines_and_the_bar_speaks_of_taps_to_fingers(sitter: Sitter) -> None:
    sitter.reader.look()
    sitter.home()
    sitter.reader.run("begun('play_now', 'maria', 'frederick')")
    assert ": click a piece" in sitter.find("#prompt").text
    sitter.hold_phone()
    for language in ("de", "es", "it", "en"):
        sitter.reader.run("speak(arguments[0])", language)
        guarded = sitter.reader.run(
            "return Object.keys(state.fortresses).filter((city) => state.fortresses[city].guards.length)"
        )
        assert max(sitter.reader.run(LINES, city) for city in guarded) <= 5, language
        assert sitter.find("#prompt").text[0].isupper(), language
        sitter.reader.run("board.tell([])")
    assert ": tap a piece" in sitter.find("#prompt").text
    sitter.put_phone_away()


def test_the_goal_can_be_put_away_wherever_its_text_is(sitter: Sitter) -> None:
    sitter.reader.look()
    sitter.home()
    sitter.hold_phone()
    sitter.reader.run("begun('play_now', 'friedrich', '')")
    scrolled = sitter.reader.run(
        "const aim = document.getElementById('aim'); aim.scrollTop = 999; return aim.scrollTop"
    )
    assert scrolled > 20
    sitter.tap(sitter.middle("#aim .close"))
    sitter.until("return !document.getElementById('aim')")
    sitter.put_phone_away()


EMPTY = """
const place = board.map.getBoundingClientRect(), sheet = board.sheet.getBoundingClientRect();
const sides = [sheet.left - place.left, place.right - sheet.right, sheet.top - place.top, place.bottom - sheet.bottom];
return Math.round(Math.max(...sides));
"""
"""Pixels of the place beside the board, at the side where there are most."""

SEEN = """
const place = board.map.getBoundingClientRect(), cities = theatre();
const seen = cities.map((city) => board.onScreen(board.spots.get(city)));
const holds = ([x, y]) => x > place.left && x < place.right && y > place.top && y < place.bottom;
return seen.filter(holds).length / cities.length;
"""


def test_on_a_phone_no_part_of_the_place_is_empty_when_a_turn_begins(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "wide.yaml").write_text("game: friedrich\nturn: 2\nstage: prussia\nphase: movement\n")
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "wide.yaml"))
        assert sitter.reader.run(EMPTY) <= 0
        assert sitter.reader.run(SEEN) >= 0.6
        sitter.reader.run("board.look([0, 0, 0])")
        assert sitter.reader.run(EMPTY) > 100
        sitter.reader.run("board.turnTo(theatre())")
        assert sitter.reader.run(EMPTY) <= 0
        assert sitter.reader.run(SEEN) >= 0.6
    finally:
        sitter.put_phone_away()


def test_on_a_phone_the_board_turns_to_what_is_asked(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "wide.yaml").write_text("game: friedrich\nturn: 2\nstage: prussia\nphase: movement\n")
    (tmp_path / "battle.yaml").write_bytes(battlefield("maria"))
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "wide.yaml"))
        # A view with one of many pieces was that of another question.
        alone = """
        const own = theatre();
        const share = (city) => { board.show([city]); return own.filter((each) => board.isInSight(each)).length; };
        board.show([own.reduce((best, city) => share(city) < share(best) ? city : best)]);
        """
        sitter.reader.run(alone)
        assert 0 < sitter.reader.run(SEEN) < 0.25
        sitter.reader.run("board.turnTo(theatre())")
        assert sitter.reader.run(SEEN) >= 0.25
        # Once all is ordered it is about the pieces that have the orders, and not about those of other stages.
        before = sitter.reader.run("return theatre()")
        sitter.reader.run("change('close'); state = { ...state, asked: [] }")
        assert sitter.reader.run("return theatre()") == before

        # A battle that follows another comes into sight when the result of the first is put away.
        sitter.open(str(tmp_path / "battle.yaml"))
        fought = """
        const { own, foe } = due()[0].fight;
        return [own.city, foe.city].every((city) => board.isInSight(city));
        """
        sitter.reader.run("board.look([2, 0, 0])")
        assert not sitter.reader.run(fought)
        sitter.reader.run("ended = [{}]; beyondResults()")
        assert sitter.reader.run(fought)
    finally:
        sitter.put_phone_away()


def test_a_mouse_that_has_not_moved_points_at_nothing(sitter: Sitter, tmp_path: Path) -> None:
    """Browsers tell of one after a tap, where the finger has been."""
    (tmp_path / "battle.yaml").write_bytes(battlefield("maria"))
    sitter.open(str(tmp_path / "battle.yaml"))
    city = sitter.reader.run("return state.pieces[0].city")
    sitter.reader.run("board.show([arguments[0]]); board.tell([])", city)
    moved = """
    const [[clientX, clientY], movementX] = arguments, given = { clientX, clientY, movementX, pointerType: "mouse" };
    board.map.dispatchEvent(new PointerEvent("pointermove", { ...given, bubbles: true }));
    return board.tip.hidden;
    """
    assert sitter.reader.run(moved, sitter.at(city), 0) is True
    assert sitter.reader.run(moved, sitter.at(city), 1) is False


MISSED = """
return board.standing().filter((token) => {
  const box = token.getBoundingClientRect(), clientX = box.left + box.width / 2, clientY = box.top + box.height / 2;
  const target = document.elementFromPoint(clientX, clientY);
  return token.contains(target) && board.cityAt({ clientX, clientY, target }) !== token.dataset.city;
}).map((token) => token.dataset.city);
"""
"""Cities of the tokens in sight whose middle stands for another city."""


@pytest.mark.parametrize("game", games())
def test_on_a_phone_the_middle_of_a_piece_stands_for_the_piece(sitter: Sitter, game: str) -> None:
    sitter.home()
    sitter.hold_phone()
    try:
        sitter.find(f".play-now[data-game={game}]").click()
        sitter.until("return Boolean(sitting)")
        sitter.until("return board.standing().length > 5")
        assert sitter.reader.run(MISSED) == []
    finally:
        sitter.put_phone_away()


OVER_RINGS = """
const box = (each) => each.getBoundingClientRect(), found = [];
const meets = (one, other) => one.left < other.right && other.left < one.right
  && one.top < other.bottom && other.top < one.bottom;
const asked = due().find(isMarch);
for (const march of asked.data.marches.filter((each) => each.can_march).map((each) => column(each, asked))) {
  const cities = [march.from, ...march.to.map((each) => each.city)], columns = columnsIn(march.from);
  choose(columns, columns.findIndex((each) => String(each.pieces) === String(march.pieces)));
  board.bring(cities);
  for (const city of cities.filter((each) => board.isInSight(each))) {
    hoverCity(city);
    const over = [...document.querySelectorAll('.marks .end')].filter((each) => meets(box(each), box(board.tip)));
    found.push([march.pieces, city, over.map((each) => each.dataset.city)]);
  }
}
return [found.length, found.filter(([, , over]) => over.length)];
"""
"""Number of cities that were pointed at while pieces were chosen, and those whose tip lay over rings."""


@pytest.mark.parametrize("position", [attacks, stand_off])
def test_what_is_told_of_a_city_lies_over_no_ring(
    sitter: Sitter, tmp_path: Path, position: Callable[[], bytes]
) -> None:
    (tmp_path / "position.yaml").write_bytes(position())
    sitter.reader.look(1366, 768)
    sitter.open(str(tmp_path / "position.yaml"))
    number, covered = sitter.reader.run(OVER_RINGS)
    sitter.reader.look()
    assert number > 20
    assert covered == []
