"""Names of cities on the board: each is nearer to its own city than to any other, or led to it by a line."""

from __future__ import annotations

import pytest

from tests.desk.sitting import Sitter

ASTRAY = """
const gap = ([west, north, east, south], {x, y}) =>
  Math.hypot(Math.max(west - x, 0, x - east), Math.max(north - y, 0, y - south));
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y), nearest = (of) =>
  [...board.spots.values()].reduce((best, spot) => of(spot) < of(best) ? spot : best);
const written = [], astray = [];
for (const spot of board.spots.values()) {
  const boxes = spot.texts.filter((text) => text.isConnected).map((text) => {
    const {x, width} = text.getBBox(), [high, base] = ['font-size', 'y'].map((key) => Number(text.getAttribute(key)));
    return [x, base - 0.82 * high, x + width, base + 0.22 * high];
  });
  if (!boxes.length) continue;
  const most = (at, pick) => pick(...boxes.map((box) => box[at]));
  const box = [most(0, Math.min), most(1, Math.min), most(2, Math.max), most(3, Math.max)];
  written.push(spot.city);
  const near = nearest((each) => gap(box, each)), line = spot.line;
  const is_led = line && nearest((each) => far(line.getPointAtLength(0), each)) === spot
    && gap(box, line.getPointAtLength(line.getTotalLength())) < 1 / board.scale;
  if (gap(box, near) < gap(box, spot) && !is_led) astray.push([spot.city, near.city]);
}
return {astray, written, led: board.names.querySelectorAll('.leader').length};
"""
"""Cities whose names are nearer to another city and not led to their own by a line, cities with names, and the number
of lines."""

WAIT = "requestAnimationFrame(() => setTimeout(arguments[0]))"


@pytest.mark.parametrize(("game", "least"), [("maria", 120), ("friedrich", 90)])
@pytest.mark.parametrize("width", [360, 670, 1280])
def test_no_name_stands_nearer_to_another_city_than_to_its_own(
    sitter: Sitter, game: str, least: int, width: int
) -> None:
    sitter.reader.look()
    sitter.home()
    if width < 760:
        sitter.hold_phone(width)
    sitter.reader.run("begun('play_now', arguments[0], ''); hideAim();", game)
    led = 0
    for change, names in (
        ("", least),
        ("clickCity(columnsIn(board.spots.keys().find((city) => columnsIn(city).length))[0].from)", least),
        ("board.enlarge(0.5)", least),
        ("board.enlarge(0.01)", 20),
        ("board.enlarge(100)", 2 * least),
    ):
        sitter.reader.run(change)
        sitter.reader.driver.execute_async_script(WAIT)
        found = sitter.reader.run(ASTRAY)
        assert found["astray"] == [], change
        assert len(found["written"]) > names, change
        led += found["led"]
    # A city in a ring is named where no other place is left, too.
    assert led > 0
    sitter.put_phone_away()
