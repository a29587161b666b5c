"""Steps in a real browser: what happened is leafed through by buttons, keys and the log, on a board of then."""

from __future__ import annotations

from typing import Any

from tests.desk.sitting import Sitter
from tests.site.browsing import HOME, LEFT, RIGHT

DRAWN = "return document.querySelector('.standing').innerHTML.replace(/ (style|transform)=\"[^\"]*\"/g, '')"
"""Drawing of what stands on the board, at whatever scale."""
FRAME = "return [...document.querySelectorAll('.ground.light .frame text')].map((each) => each.textContent).join(' ')"


def begun(sitter: Sitter) -> None:
    """A game for practice, in which orders were carried out twice."""
    sitter.home()
    sitter.find(".practice summary").click()
    sitter.find("#practise").click()
    sitter.until("return Boolean(sitting)")
    for _ in range(2):
        stage = sitter.reader.run("return sitting.stage")
        sitter.answer_like_a_bot()
        sitter.carry_out()
        sitter.until(f"return sitting.stage !== {stage!r}")


def press(sitter: Sitter, key: str) -> None:
    """Press a key beside the board, on which keys go from city to city."""
    sitter.find("#log .log").send_keys(key)


def step(sitter: Sitter) -> str:
    told: str = sitter.find("#step").text
    return told


def test_what_happened_is_leafed_through_by_buttons_keys_and_the_log(sitter: Sitter) -> None:
    begun(sitter)
    now, stage = sitter.reader.run(DRAWN), sitter.find("h1").text.partition(",")[0]
    assert stage in sitter.reader.run(FRAME)
    sitter.find("#since").click()
    first = step(sitter)
    assert sitter.reader.run(DRAWN) != now
    assert sitter.find("#log [aria-current]").text.replace("\n", "") in first.replace("\n", "")
    sitter.find("#later").click()
    second = step(sitter)
    assert second != first
    press(sitter, LEFT)
    assert step(sitter) == first
    press(sitter, RIGHT)
    assert step(sitter) == second
    title = sitter.find("#step strong").text
    assert title in sitter.reader.run(FRAME)
    press(sitter, HOME)
    lines: list[Any] = sitter.reader.driver.find_elements("css selector", "#log .line")
    assert lines[0].get_attribute("aria-current")
    lines[3].click()
    assert lines[3].text.split("\n")[0] in step(sitter)
    sitter.find("#now").click()
    assert sitter.reader.run(DRAWN) == now
    assert stage in sitter.reader.run(FRAME)


def test_a_click_on_the_board_is_meant_for_the_board_of_now(sitter: Sitter) -> None:
    begun(sitter)
    now = sitter.reader.run(DRAWN)
    before = sitter.find("#log").text
    sitter.find("#since").click()
    sitter.march()
    assert not sitter.find("#now").is_displayed()
    assert sitter.reader.run(DRAWN) != now
    sitter.find("#undo").click()
    assert sitter.reader.run(DRAWN) == now
    assert sitter.find("#log").text == before
