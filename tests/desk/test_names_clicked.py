"""Names on the board: for a mouse a name is a part of its city."""

from __future__ import annotations

from pathlib import Path

from tests.desk.fields import hussars
from tests.desk.sitting import Sitter

NAMES = """
const ends = new Set(board.marked[1].map((end) => end.city));
const matrix = board.above.getScreenCTM(), map = board.map.getBoundingClientRect();
return [...board.spots.values()].filter((spot) => spot.nameBox && ends.has(spot.city)).map((spot) => {
  const [west, north, east, south] = spot.nameBox;
  const far = west >= spot.x ? east - 3 / board.scale : west + 3 / board.scale;
  const point = new DOMPoint(far, (north + south) / 2).matrixTransform(matrix);
  return [spot.city, point.x, point.y];
}).filter(([, x, y]) => {
  const there = document.elementFromPoint(x, y);
  return there?.closest('.map') && !there.closest('[data-city]');
});
"""
"""The far end of each name in sight, where no piece lies."""


def test_a_click_on_a_name_is_a_click_on_its_city(sitter: Sitter, tmp_path: Path) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    (tmp_path / "hussars.yaml").write_bytes(hussars())
    sitter.open(str(tmp_path / "hussars.yaml"))
    names = sitter.reader.run(NAMES)
    assert len(names) > 10
    for city, x, y in names[:6]:
        chain = ActionChains(sitter.reader.driver)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        chain.w3c_actions.pointer_action.click()
        chain.perform()
        called = sitter.reader.run("return calledCity(arguments[0])", city)
        assert called in sitter.find("#choices .so-far").text


def test_a_tap_on_a_name_with_no_sign_near_is_a_tap_on_its_city(sitter: Sitter, tmp_path: Path) -> None:
    (tmp_path / "hussars.yaml").write_bytes(hussars())
    sitter.hold_phone()
    try:
        sitter.open(str(tmp_path / "hussars.yaml"))
        sitter.reader.driver.execute_async_script(CLOSE, "Prag")
        x, y = sitter.reader.run(END_OF_NAME, "Prag")
        pointed = "return board.cityAt({ clientX: arguments[0], clientY: arguments[1], pointerType: 'touch' })"
        assert sitter.reader.run(pointed, x, y) == "Prag"
    finally:
        sitter.put_phone_away()


CLOSE = """
const [city, done] = arguments;
board.show([city]);
requestAnimationFrame(() => requestAnimationFrame(done));
"""

END_OF_NAME = """
const spot = board.spots.get(arguments[0]), [west, north, east, south] = spot.nameBox;
const far = west >= spot.x ? east - 3 / board.scale : west + 3 / board.scale;
const point = new DOMPoint(far, (north + south) / 2).matrixTransform(board.above.getScreenCTM());
return [point.x, point.y];
"""
