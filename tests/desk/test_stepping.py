"""Steps in a real browser: what happened is leafed through by buttons, keys and the log, on a board of then."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.sitting import Sitter
from tests.site.browsing import ESCAPE, HOME, LEFT, RIGHT

DRAWN = "return document.querySelector('.standing').innerHTML.replace(/ (style|transform)=\"[^\"]*\"/g, '')"
"""Drawing of what stands on the board, at whatever scale."""
FRAME = "return [...document.querySelectorAll('.ground.light .frame text')].map((each) => each.textContent).join(' ')"


CAN_MARCH = """
const led = (march) => march.can_march && columnsIn(march.from)[0].pieces.join() === march.pieces.join();
return state.asked.filter(isMarch).some((asked) => asked.data.marches.some(led));
"""


def begun(sitter: Sitter) -> None:
    """A game for practice, in which orders were carried out at least twice, and a piece can march."""
    sitter.home()
    sitter.find(".practice summary").click()
    sitter.find("#practise").click()
    sitter.until("return Boolean(sitting)")
    for number in range(8):
        if number >= 2 and sitter.reader.run(CAN_MARCH):
            return
        stage = sitter.reader.run("return sitting.stage")
        sitter.answer_like_a_bot()
        sitter.carry_out()
        sitter.until(f"return sitting.stage !== {stage!r}")
    raise AssertionError("no march was asked")


def first_of(sitter: Sitter) -> None:
    """Go to the first new step, and stay there."""
    sitter.find("#since").click()


def all_steps(sitter: Sitter) -> None:
    """Have steps shown that concern others, too."""
    if sitter.reader.run("return ownOnly"):
        first_of(sitter)
        sitter.find("#own").click()
        sitter.find("#now").click()


SHOWN = """
return sitting.steps.flatMap((step, at) => step.is_new && step.concerns.includes(arguments[0]) ? [at] : []);
"""


def test_what_concerns_the_reader_runs_by_a_key_and_ends_at_the_turn(sitter: Sitter) -> None:
    begun(sitter)
    power = sitter.reader.run("return sitting.powers[0]")
    shown = sitter.reader.run(SHOWN, power)
    new = sitter.reader.run("return sitting.steps.filter((step) => step.is_new).length")
    assert 0 < len(shown) < new
    if not sitter.reader.run("return ownOnly"):
        first_of(sitter)
        sitter.find("#own").click()
        sitter.find("#now").click()
    waiting = sitter.reader.run("return newSteps()")
    assert set(waiting) <= set(shown)
    # One number, in one place.
    told = sitter.reader.run("return document.body.innerText.match(/New steps, one by one: [0-9]+/g)")
    assert told == [f"New steps, one by one: {len(waiting)}"]
    press(sitter, " ")
    assert sitter.reader.run("return leafing.at") == waiting[0]
    assert not sitter.find("#prompt").is_displayed()
    sitter.until(f"return leafing.at > {waiting[0]}")
    press(sitter, " ")
    at = sitter.reader.run("return leafing.at")
    assert at in [*shown, sitter.reader.run("return sitting.steps.length")]
    sitter.find("#now").click()
    assert sitter.find("#prompt").is_displayed()
    assert not sitter.find("#steps").is_displayed()


def rest_on(sitter: Sitter, selector: str) -> dict[str, float]:
    found: dict[str, float] = sitter.find(selector).rect
    return found


def test_arrows_of_the_steps_stay_where_they_are_and_a_click_beside_them_does_not_leave(sitter: Sitter) -> None:
    begun(sitter)
    all_steps(sitter)
    count = sitter.find("#since").text
    for shape in ("wide", "narrow"):
        if shape == "narrow":
            sitter.hold_phone()
        first_of(sitter)
        at = {name: rest_on(sitter, name) for name in ("#earlier", "#later", "#run", "#now", "#done")}
        for _ in range(8):
            sitter.find("#earlier").click()
            assert {name: rest_on(sitter, name) for name in at} == at
        free = sitter.reader.run(
            "const own = new Set(state.pieces.map((piece) => piece.city)), map = board.map.getBoundingClientRect();"
            "return [...board.spots.values()].filter((spot) => !own.has(spot.city)).map((spot) => board.onScreen(spot))"
            "  .find(([x, y]) => Math.abs(x - map.left - map.width / 2) < map.width / 3"
            "    && document.elementFromPoint(x, y)?.closest('.map'));"
        )
        before = step(sitter)
        if shape == "narrow":
            sitter.tap(free)
        else:
            click_at(sitter, free)
            sitter.reader.press(LEFT)
            assert step(sitter) != before
            sitter.reader.press(RIGHT)
        assert step(sitter) == before
        sitter.find("#now").click()
    sitter.put_phone_away()
    assert sitter.find("#since").text != count
    here = sitter.reader.run("return board.view()")
    press(sitter, LEFT)
    assert sitter.find("#now").is_displayed()
    sitter.reader.press(ESCAPE)
    assert not sitter.find("#now").is_displayed()
    assert sitter.reader.run("return board.view()") == here


@pytest.mark.parametrize("language", ["en", "de", "es", "it"])
def test_a_phone_has_room_for_four_lines_of_a_step(sitter: Sitter, language: str) -> None:
    sitter.home()
    sitter.hold_phone()
    try:
        sitter.reader.run("speak(arguments[0]); begun('play_now', 'maria', 'maria-theresa'); lookAtSteps()", language)
        lines = "return step.clientHeight / parseFloat(getComputedStyle(step).lineHeight)"
        assert sitter.reader.run(f"const step = document.getElementById('step'); {lines}") >= 4
    finally:
        sitter.put_phone_away()
        sitter.reader.run("speak('en')")


def click_at(sitter: Sitter, place: tuple[float, float]) -> None:
    """Click a point of the screen."""
    from selenium.webdriver.common.action_chains import ActionChains

    chain = ActionChains(sitter.reader.driver)
    chain.w3c_actions.pointer_action.move_to_location(round(place[0]), round(place[1]))
    chain.w3c_actions.pointer_action.click()
    chain.perform()


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
    all_steps(sitter)
    first_of(sitter)
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
    # What bots were after stands behind the last step of their stage.
    aims = sitter.reader.run("return sitting.steps.flatMap((step) => step.aims)")
    assert aims
    assert sitter.reader.run("return [...document.querySelectorAll('#log .aim')].map((each) => each.innerText)") == aims
    assert stage in sitter.reader.run(FRAME)


def test_a_click_on_the_board_is_meant_for_the_board_of_now(sitter: Sitter) -> None:
    begun(sitter)
    now = sitter.reader.run(DRAWN)
    before = sitter.find("#log").text
    first_of(sitter)
    sitter.march()
    assert not sitter.find("#now").is_displayed()
    assert sitter.reader.run(DRAWN) != now
    sitter.find("#undo").click()
    assert sitter.reader.run(DRAWN) == now
    assert sitter.find("#log").text == before


def test_steps_that_the_reader_has_ordered_or_looked_at_are_not_new(sitter: Sitter) -> None:
    sitter.home()
    sitter.reader.run("begun('play_now', 'maria', '')")
    first = sitter.march()
    sitter.end()
    sitter.until("return sitting.steps.some((step) => step.is_new)")
    own = sitter.reader.run("return sitting.steps.findIndex((step) => step.is_new && step.marched.includes('france'))")
    assert first["pieces"] in sitter.reader.run(
        "const told = sitting.steps[arguments[0]].told;"
        "return told.flatMap((block) => block.lines).flat().map((span) => span.text).join('')",
        own,
    )
    waiting = sitter.reader.run("return newSteps()")
    assert own not in waiting
    assert len(waiting) > 1
    first_of(sitter)
    looked = sitter.reader.run("return leafing.at")
    sitter.find("#now").click()
    left = sitter.reader.run("return newSteps()")
    assert left == [each for each in waiting if each != looked]
    # They stay looked at when the page is read anew, in another language, too.
    sitter.reader.run("speak('de')")
    assert sitter.reader.run("return newSteps()") == left
    sitter.reader.run("speak('en')")
    sitter.find("#another").click()
    sitter.find(".go-on-with").click()
    sitter.until("return Boolean(sitting)")
    assert sitter.reader.run("return newSteps()") == left
