"""Somebody who sits at the desk in a real browser, and does there what a player does: with mouse and keyboard."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

from tests.site.browsing import PATIENCE, Reader

PSS = re.compile(r"^Pss: +([0-9]+) kB", re.MULTILINE)

Place = tuple[float, float]
"""Point of the screen."""

SHOW = """
const [city, done] = arguments;
requestAnimationFrame(() => requestAnimationFrame(() => { board.show([city]); done(); }));
"""
"""Shows a city once the board has taken the size that the window has given it."""

PLACE = """
const spot = board.spots.get(arguments[0]);
const point = new DOMPoint(spot.x, spot.y).matrixTransform(board.above.getScreenCTM());
return [point.x, point.y];
"""

MIDDLE = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.left + box.width / 2, box.top + box.height / 2];
"""

IS_ASKED = "return Boolean(document.getElementById('stay')?.checkVisibility({visibilityProperty: true}))"
"""Tells if a stage that is to end asks about what is left."""

FILL = """
const asked = due().find((each) => isOpen(each) && !each.may_end);
if (!asked) return false;
turnTo(due().indexOf(asked));
const place = formFor(asked).element, input = asked.form.input;
if (input.kind === 'numbers') {
  const fields = [...place.querySelectorAll('input[type=number]')];
  let left = input.most - fields.reduce((sum, field) => sum + Number(field.value), 0);
  for (const field of fields) {
    const more = Math.min(left, Number(field.max) - Number(field.value));
    field.value = Number(field.value) + more;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    left -= more;
  }
}
for (const field of place.querySelectorAll('input[type=radio]'))
  if (!place.querySelector(`input[name='${field.name}']:checked`)) field.click();
(place.querySelector('.take') || place.querySelector('.pick:not([aria-expanded])')).click();
return true;
"""
"""Answers one question that must be answered through its form, with the first of options."""


class Sitter:
    """A player at the page."""

    def __init__(self, reader: Reader, page: Path) -> None:
        """Open the page, and wait until it is ready."""
        self.reader, self.page = reader, page
        reader.look()
        reader.tell("Performance.enable", timeDomain="threadTicks")
        reader.driver.get("about:blank")
        reader.driver.get_log("performance")
        reader.driver.get(page.as_uri())
        self.until("return Boolean(window.desk && window.desk.ready)")

    def until(self, script: str) -> None:
        """Wait for something."""
        end = monotonic() + PATIENCE
        while not self.reader.run(script):
            assert monotonic() < end, (script, self.reader.complaints())
            sleep(0.05)

    def find(self, selector: str) -> Any:
        """An element."""
        self.reader.run("return 0")
        return self.reader.driver.find_element("css selector", selector)

    def open(self, report: str, shows: str = "return Boolean(sitting)") -> None:
        """Open a report or an invitation of a moderator who is then known; what lay there before is put away."""
        self.home()
        self.find("#file").send_keys(report)
        self.until(f"document.getElementById('accept')?.click(); {shows}")

    def home(self) -> None:
        """Put away whatever lies there; tables of the tests have one name, and moderators of their own."""
        self.reader.run(
            "noted = ''; localStorage.clear(); fleeting.clear(); safe = true; sitting = learning = null; key = '';"
            "leaveTable(); welcome();"
        )

    def click_city(self, city: str) -> None:
        """Click a city on the board."""
        from selenium.webdriver.common.action_chains import ActionChains

        self.reader.driver.execute_async_script(SHOW, city)
        x, y = self.at(city)
        chain = ActionChains(self.reader.driver)
        chain.w3c_actions.pointer_action.move_to_location(round(x), round(y))
        chain.w3c_actions.pointer_action.click()
        chain.perform()

    def at(self, city: str) -> Place:
        """Place of a city on the screen, as the board lies."""
        x, y = self.reader.run(PLACE, city)
        return x, y

    def hold_phone(self, width: int = 360, height: int = 740) -> None:
        """Look at a phone's screen, which takes fingers; `look` puts it away."""
        size = {"width": width, "height": height}
        self.reader.tell("Emulation.setDeviceMetricsOverride", **size, deviceScaleFactor=1, mobile=True)
        self.reader.tell("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.until(f"return innerWidth === {width}")
        # Where fingers are listened for, a browser knows only once it has painted.
        self.reader.driver.execute_async_script(
            "const done = arguments[0];requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100)));"
        )

    def put_phone_away(self) -> None:
        """Sit before a screen with a mouse again."""
        self.reader.tell("Emulation.setTouchEmulationEnabled", enabled=False)
        self.reader.look()

    def fingers(self, *ways: tuple[Place, Place], rest: float = 0.0, steps: int = 8) -> None:
        """Lay as many fingers on the screen as there are ways, move each along its own, and lift them all."""

        def points(share: float) -> list[dict[str, float]]:
            return [
                {"x": a[0] + (b[0] - a[0]) * share, "y": a[1] + (b[1] - a[1]) * share, "id": number}
                for number, (a, b) in enumerate(ways)
            ]

        self.reader.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(0))
        sleep(rest)
        if any(a != b for a, b in ways):
            for step in range(1, steps + 1):
                self.reader.tell("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(step / steps))
                sleep(0.02)
        self.reader.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def tap(self, at: Place, times: int = 1) -> None:
        """Tap so many times, a seventh of a second apart, however long the browser takes to be told."""
        begun, points = time(), [{"x": at[0], "y": at[1]}]
        for number in range(times):
            now = begun + number / 7
            self.reader.tell("Input.dispatchTouchEvent", type="touchStart", touchPoints=points, timestamp=now)
            self.reader.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[], timestamp=now + 0.05)

    def march(self) -> dict[str, str]:
        """Let the first piece that can march do so, to the first city that is open; tells who went where."""
        line: dict[str, str] = self.reader.run(
            "for (const asked of state.asked.filter(isMarch)) for (const march of asked.data.marches)"
            "  if (march.can_march && columnsIn(march.from)[0].pieces.join() === march.pieces.join())"
            "    return {pieces: march.pieces.join(' + '), from: march.from, to: column(march, asked).to[0].city};"
        )
        self.click_city(line["from"])
        assert self.reader.run("return chosen.pieces.join(' + ')") == line["pieces"]
        self.click_city(line["to"])
        for joins in self.reader.driver.find_elements("css selector", "#join"):
            joins.click()
        return line

    def press(self, word: str) -> None:
        """Press the button that answers a question with this word."""
        for button in self.reader.driver.find_elements("css selector", "#choices .pick"):
            if button.text == word:
                button.click()
                return
        raise AssertionError(word)

    def choose(self, selector: str, word: str) -> None:
        """Choose a word of a list."""
        from selenium.webdriver.support.select import Select

        Select(self.find(selector)).select_by_value(word)

    def middle(self, selector: str) -> Place:
        """Middle of an element on the screen."""
        x, y = self.reader.run(MIDDLE, selector)
        return x, y

    def raise_sheet(self) -> None:
        """Have what stands in the column on a phone come up over the board."""
        for button in self.reader.driver.find_elements("css selector", "#details[aria-expanded=false]"):
            if button.is_displayed():
                button.click()
                self.until("return document.getElementById('side').getAnimations().length === 0")

    def end(self) -> None:
        """Press what goes on: again if it asks about what is left, and once more past a question that may end empty."""
        stage = self.reader.run("return sitting.stage")
        self.find("#done").click()
        if self.reader.driver.execute_script(IS_ASKED):
            for _ in range(2):
                # Where the stage has gone on meanwhile, there is no button.
                for button in self.reader.driver.find_elements("css selector", "#done"):
                    button.click()
                if not self.reader.run("return sitting.stage === arguments[0] && due().some(isOpen)", stage):
                    break

    def answer_like_a_bot(self) -> None:
        """Fill in whatever must be answered: of troops as many as there are, of choices the first."""
        for _ in range(8):
            if not self.reader.run(FILL):
                return

    def carry_out(self) -> None:
        """Answer like a bot whatever is asked, order nothing else, and let the others play."""
        self.reader.run("window.before = sitting")
        while not self.reader.run("return sitting !== before"):
            self.answer_like_a_bot()
            self.end()
            # Between one stage and the next there is no button.
            self.until("return sitting !== before || document.getElementById('done')")
        # What was lost outside of battles stands before all else.
        self.reader.run("if (ended.length && !ended.some((step) => step.turns || isOwn(step.fought))) beyondResults()")

    def play_to_the_end(self) -> int:
        """Answer like a bot whatever is asked, and carry it out, until the game is over; tells how often that was."""
        for times in range(200):
            if self.reader.run("return sitting.over"):
                return times
            self.carry_out()
            assert not self.find("#notice").text
        raise AssertionError("the game does not end")

    def sign(self, key: str) -> str:
        """Sign with the key of a file; gives the letter."""
        self.find("#key-file").send_keys(key)
        self.until("return !document.getElementById('sign').disabled")
        self.find("#sign").click()
        self.until("return Boolean(state.signed)")
        return self.text()

    def text(self) -> str:
        """The letter as it stands."""
        found: str = self.reader.run("return document.getElementById('text').value")
        return found

    def type(self, text: str) -> None:
        """Type another letter."""
        self.reader.run(
            "const field = document.getElementById('text'); field.value = arguments[0];"
            "field.dispatchEvent(new Event('input'));",
            text,
        )
        self.until("return state.text === document.getElementById('text').value")

    def worked(self) -> float:
        """Milliseconds that the page's thread has worked so far."""
        found = self.reader.driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return 1000 * next(float(each["value"]) for each in found if each["name"] == "TaskDuration")

    def memory(self) -> int:
        """Megabytes of the page's process; shared ones are counted in part.

        A browser keeps garbage as long as there is room: here it is thrown away before.
        """
        self.reader.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        children: dict[str, list[Path]] = {}
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                children.setdefault((path / "stat").read_text().rpartition(")")[2].split()[1], []).append(path)
        found, left = [0], [str(self.reader.driver.service.process.pid)]
        while left:
            for path in children.get(left.pop(), ()):
                left.append(path.name)
                with suppress(OSError):
                    if b"--type=renderer" in (path / "cmdline").read_bytes():
                        found.append(int(PSS.findall((path / "smaps_rollup").read_text())[0]))
        return max(found) // 1024
