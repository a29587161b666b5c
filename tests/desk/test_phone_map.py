"""The map on a phone in a real browser: how much of it can be seen and tapped, whatever is asked and told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.desk.fields import (
    attacks,
    duel,
    hussars,
    influence,
    politics,
    retreat,
    set_up,
    starving,
    toll,
    winter,
)
from tests.desk.sitting import Sitter

HEIGHT = 760
"""Pixels of a phone's screen."""

LEAST = 0.45
"""Share of the screen's height that the map keeps."""

SEEN = """
const columns = Array.from({ length: 24 }, (_, at) => (at + 0.5) * innerWidth / 24);
let rows = 0;
for (let y = 0; y < innerHeight; y += 2)
  if (columns.filter((x) => document.elementFromPoint(x, y)?.closest('.map')).length > 12) rows += 1;
return 2 * rows;
"""
"""Pixels of height at which more than half of the screen's width is the map, with nothing over it."""

NEWS = """
const step = sitting.steps.at(-1), line = 'Something that others have done, which takes its time to be told. ';
document.getElementById('came').replaceChildren(line.repeat(30));
document.getElementById('prompt').append(` ${line.repeat(10)}`);
"""
"""More news than the bar has room for."""

FIELDS: dict[str, Callable[[], bytes]] = {
    "set-up": set_up,
    "marches": starving,
    "attacks": attacks,
    "battle": duel,
    "retreat": retreat,
    "hussars": hussars,
    "winter": winter,
    "politics": politics,
    "influence": influence,
    "toll": toll,
}


@pytest.fixture
def phone(sitter: Sitter) -> Iterator[Sitter]:
    """Somebody who sits at the desk with a phone."""
    sitter.hold_phone(360, HEIGHT)
    yield sitter
    sitter.put_phone_away()


VALUES = """
const seen = [...document.querySelectorAll(".values:not([hidden]) .pick")].map((each) => each.getBoundingClientRect());
return seen.length > 0 && seen.some(({ left, right }) => left >= 0 && right <= innerWidth);
"""


def test_the_values_of_a_reserve_come_into_sight_and_a_double_tap_plays_none(phone: Sitter, tmp_path: Path) -> None:
    (tmp_path / "duel.yaml").write_bytes(duel())
    phone.open(str(tmp_path / "duel.yaml"))
    before = phone.reader.run("return sitting.steps.length")
    reserve = phone.reader.run(
        "const found = [...document.querySelectorAll('#choices .card.reserve')].at(-1);"
        "found.parentNode.scrollLeft += found.getBoundingClientRect().right - innerWidth + 30;"
        "const { left, top } = found.getBoundingClientRect(); return [left + 9, top + 9];"
    )
    phone.tap(reserve)
    phone.tap(reserve)
    phone.until("return !document.getElementById('busy')")
    assert phone.reader.run("return sitting.steps.length") == before
    if not phone.reader.run("return document.querySelector('.values:not([hidden])')"):
        phone.tap(reserve)
    phone.until(VALUES)


TAKEN = """
const button = document.getElementById("follow"), box = button?.getBoundingClientRect();
return !button || [box.top + 2, box.bottom - 2].every((y) => document.elementFromPoint(box.left + 9, y) === button);
"""


@pytest.mark.parametrize("name", FIELDS)
def test_a_phone_keeps_nearly_half_of_its_height_to_the_map(phone: Sitter, tmp_path: Path, name: str) -> None:
    (tmp_path / "field.yaml").write_bytes(FIELDS[name]())
    phone.open(str(tmp_path / "field.yaml"))
    phone.reader.run("hideAim()")
    found = {"alone": phone.reader.run(SEEN)}
    phone.tap(phone.middle("#advise"))
    phone.until("return document.querySelector('#counsel p, #notice p')")
    found["advice"] = phone.reader.run(SEEN)
    assert phone.reader.run(TAKEN), "nothing lies over the button that takes the advice"
    phone.reader.run("counsel.why = Array(6).fill('one of several reasons that are told at length'); tellCounsel();")
    found["long advice"] = phone.reader.run(SEEN)
    phone.reader.run(NEWS)
    found["long advice and news"] = phone.reader.run(SEEN)
    phone.tap(phone.middle("#advise"))
    phone.reader.run(NEWS)
    found["news"] = phone.reader.run(SEEN)
    phone.reader.run("if (document.getElementById('aim-show')) showAim()")
    found["goal"] = phone.reader.run(SEEN)
    phone.tap(phone.middle("#advise"))
    phone.until("return !document.getElementById('aim')")
    assert {what: seen for what, seen in found.items() if seen < LEAST * HEIGHT} == {}, found
