"""Somebody who plays at the desk as people do: looks at the page, and acts by pointer, finger and keys alone.

Scripts only look. Nothing of the page is called, and nothing in it is changed but by events at places of the screen.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from statistics import median, quantiles
from time import monotonic, sleep
from typing import Any

from tests.desk.sitting import Sitter
from tests.site.browsing import LEFT, RIGHT

WIDE, PHONE = 1280, 360
SLOW = 1000
"""Milliseconds that no click may take, but one that lays a desk."""

LAYS = 2000
"""Milliseconds that a click may take which opens a report: the page says meanwhile that the desk is being laid."""

FULL = 400
"""Megabytes that no game may take."""

MOST_CLICKS = {"the end of a stage": 2, "a card": 1, "from the start page to the first march": 4}
"""The clicks that each of these may take: one for the end of a stage, and another where something is left."""

WATCH = """
window.seen = {clicked: 0, rested: false, painted: 0};
for (const kind of ['click', 'keydown']) addEventListener(kind, (event) => {
  if (event.isTrusted) { seen.clicked = event.timeStamp; seen.painted = Infinity; }
}, true);
new PerformanceObserver((found) => {
  for (const each of found.getEntries()) if (each.startTime === seen.clicked) seen.painted = each.duration;
}).observe({type: 'event', durationThreshold: 16});
addEventListener('contextmenu', () => { seen.rested = true; });
addEventListener('touchend', (event) => { seen.rested ||= event.defaultPrevented; });
"""
"""Notes when the page was told of a click, and if a finger has rested instead."""

PAINTED = """
const done = arguments[0], begun = performance.now();
const wait = () => seen.clicked || seen.rested || performance.now() - begun > 2000
  ? painted()
  : setTimeout(wait, 4);
const painted = () => requestAnimationFrame(() => setTimeout(() => {
  const took = seen.clicked ? performance.now() - seen.clicked : 0;
  if (document.body.ariaBusy === "true") painted(); else setTimeout(() => done([Math.min(seen.painted, took), took]));
}));
wait();
"""
"""Milliseconds from the click until the page has painted an answer, or that it is at work on one; and until the answer
is there."""

SEEN = """
const seen = (element) => !element.disabled
  && element.checkVisibility({opacityProperty: true, visibilityProperty: true});
const all = (selector) => [...document.querySelectorAll(selector)].filter(seen);
"""

BUTTONS = "#bar button, #side button, #steps button, .zoom button, #aim .close"
FIELDS = ":is(#bar, #side) :is(input[type=number], label:has(input:is([type=checkbox], [type=radio])))"
LOOK = (
    f"""{SEEN}
const buttons = {BUTTONS!r}, fields = {FIELDS!r};"""
    + """
const active = document.activeElement, round = Math.round;
const words = (element) => element ? element.textContent.trim() : '';
const formOf = (element) => {
  const form = element.closest('.asked, .form[data-section]');
  return form ? `${form.dataset.power} ${form.dataset.section}` : '';
};
const told = (element) => {
  const box = element.getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2;
  const hit = document.elementFromPoint(x, y), within = (selector) => Boolean(element.closest(selector));
  return {
    x: round(x), y: round(y), hit: Boolean(hit) && (hit === element || element.contains(hit)), tag: element.tagName,
    id: element.id, kind: element.className, text: words(element).replace(/\\s+/g, ' '),
    label: element.ariaLabel || '', folded: element.ariaExpanded === 'false',
    place: ['steps', 'bar', 'aim'].find((each) => within(`#${each}`)) || (within('.zoom') ? 'zoom' : 'side'),
    form: formOf(element), free: within('.anytime'),
    focused: element === (element.tagName === 'LABEL' ? active?.closest('label') : active),
    checked: Boolean(element.querySelector('input:checked')),
    group: element.querySelector('input[type=radio]')?.name ?? '',
  };
};
const one = (selector) => words(document.querySelector(selector));
const [bar, map] = ['#bar', '.map'].map((each) => document.querySelector(each)?.getBoundingClientRect());
return {
  page: document.getElementById('desk').className,
  stage: one('#bar h1'), prompt: one('#prompt'), chosen: one('#chosen strong'), left: one('#left'),
  notice: one('#notice'), wrong: [...document.querySelectorAll('#wrong li, #faults .refusal')].map(words),
  letter: document.getElementById('text')?.value ?? '', text: one('#choices'),
  frame: [...document.querySelectorAll('.ground.light .frame text')].map(words).join(' '),
  past: Boolean(document.querySelector('#steps.past')),
  sums: all('.sum, .balance, .chips output, .cards output').map((each) => ({form: formOf(each), text: words(each)})),
  rings: [...document.querySelectorAll('.sheet .marks .end')].map((each) =>
    ({city: each.dataset.city, kind: each.getAttribute('class')})),
  buttons: all(buttons).map(told), fields: all(fields).map(told),
  away: bar ? Math.max(-bar.top, bar.bottom - innerHeight, -map.top, map.bottom - innerHeight) : 0,
  wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
};
"""
)
"""All that is in sight, or would be after some scrolling."""

START = """
const button = [...document.querySelectorAll('.play-now')].find((each) => each.dataset.game === arguments[0]);
const box = button.getBoundingClientRect();
return [box.left + box.width / 2, box.top + box.height / 2, innerHeight];
"""

PIECES = """
return state.pieces.filter((each) => sitting.powers.includes(each.power) && board.spots.has(each.city)).map((each) =>
  ({name: each.name, city: each.city, power: sitting.power_names[each.power] || each.power}));
"""
"""One's own pieces on the board, and where they stand: the colours and signs of the board tell people that."""

SPOT = """
const spot = board.spots.get(arguments[0]), map = document.querySelector('.map'), box = map.getBoundingClientRect();
const point = new DOMPoint(spot.x, spot.y).matrixTransform(board.above.getScreenCTM());
return {x: Math.round(point.x), y: Math.round(point.y), hit: map.contains(document.elementFromPoint(point.x, point.y)),
  left: box.left, top: box.top, width: box.width, height: box.height, at: [map.scrollLeft, map.scrollTop]};
"""

SCROLLS = (
    SEEN
    + """
const one = all(arguments[0])[arguments[1]], box = one.getBoundingClientRect();
const [at, on] = [box.left + box.width / 2, box.top + box.height / 2];
const longer = (each) => /auto|scroll/.test(getComputedStyle(each).overflow)
  && (each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1);
const around = [];
for (let each = one.parentElement; each; each = each.parentElement)
  if (longer(each) || !each.parentElement) around.unshift(each);
const inSight = (each) => {
  const outer = each.getBoundingClientRect();
  return [Math.max(0, outer.left), Math.min(innerWidth, outer.right),
    Math.max(0, outer.top), Math.min(innerHeight, outer.bottom)];
};
// Cards lie side by side in what is itself scrolled: that first, as long as it can be. A button may lie over its end.
const hides = (each) => {
  const [left, right, top, bottom] = inSight(each), {scrollLeft, scrollTop} = each;
  return (on > bottom - 56 && scrollTop + each.clientHeight < each.scrollHeight - 1) || (on < top && scrollTop > 0)
    || (at > right && scrollLeft + each.clientWidth < each.scrollWidth - 1) || (at < left && scrollLeft > 0);
};
const up = around.find(hides) ?? around.at(-1), [left, right, top, bottom] = inSight(up);
const x = (left + right) / 2, y = (top + bottom) / 2;
// A finger that draws more across than down scrolls across alone: it goes only where there is more to see.
const along = up.scrollWidth > up.clientWidth + 1 ? at - x : 0;
const down = up.scrollHeight > up.clientHeight + 1 ? on - y : 0;
return {x, y, along, down, room: [right - left, bottom - top]};
"""
)
"""Places to scroll, and how far, to see something."""


class Stuck(AssertionError):
    """Finding that a person at the page would write home about."""


def spread(times: list[float]) -> str:
    """Times in the middle, of 95 in 100, and at most."""
    late = quantiles(times, n=20)[-1] if len(times) > 1 else 0
    middle, most = median(times or [0]), max(times or [0])
    return f"in {middle:.0f} ms in the middle, 95 of 100 within {late:.0f} ms, at most {most:.0f} ms"


@dataclass
class Count:
    """Counts of clicks and times while somebody played."""

    times: list[float] = field(default_factory=list)
    wholes: list[float] = field(default_factory=list)
    clicks: int = 0
    begun: str = ""
    costs: dict[str, list[int]] = field(default_factory=dict)
    met: Counter[str] = field(default_factory=Counter)
    stages: list[str] = field(default_factory=list)
    memory: int = 0

    def unusual(self) -> list[str]:
        """Return what took more clicks than it should."""
        return [what for what, most in MOST_CLICKS.items() if max(self.costs.get(what, [0])) > most]

    def told(self) -> str:
        """Figures in a few lines."""
        spent = {what: f"{median(found):g} ({max(found)})" for what, found in sorted(self.costs.items())}
        return (
            f"begun in {self.begun}; {len(self.stages)} stages, {self.clicks} clicks: "
            f"answered {spread(self.times)}; whole {spread(self.wholes)}; {self.memory} MB\n"
            f"clicks, in the middle and at most: {spent}\nmet: {dict(self.met.most_common())}"
        )


DEALS = """
let state = arguments[0];
crypto.getRandomValues = (view) => {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return view;
};
"""
"""Makes the page deal from a number: the same cards, and the same bots, wherever the same is clicked."""


class Player:
    """A person before a page of the desk; the seed decides what is clicked, and what is dealt."""

    def __init__(self, sitter: Sitter, width: int, seed: int) -> None:
        """Sit down before the first page; a narrow one is a phone, and takes fingers."""
        self.sitter, self.reader, self.touch = sitter, sitter.reader, width < WIDE
        self.chance, self.count, self.width = Random(seed), Count(), width
        self.tried: set[str] = set()
        self.asked = ""
        self.tapped = 0.0
        self.tale: list[str] = []
        self.most = SLOW
        if self.touch:
            sitter.hold_phone(width, 740)
        else:
            self.reader.look(width, 800)
        self.reader.complaints()
        self.reader.run(WATCH)
        self.reader.run(DEALS, seed)

    # What the hand does.

    def click(self, x: float, y: float) -> None:
        """Click or tap at a place of the screen, and wait until what came of it is painted."""
        self.reader.run("seen.clicked = 0")
        before, took, whole = self.sitter.worked(), 0.0, 0.0
        for _ in range(5 if self.touch else 0):
            sleep(max(0.0, self.tapped + 0.4 - monotonic()))
            self.reader.run("seen.rested = false")
            for kind, points in (("Start", [{"x": x, "y": y}]), ("End", [])):
                self.reader.tell("Input.dispatchTouchEvent", type=f"touch{kind}", touchPoints=points)
            self.tapped = monotonic()
            took, whole = self.reader.driver.execute_async_script(PAINTED)
            # On a busy machine a tap may last so long that it is a finger that rests, and looks. One whose click
            # is only late must not be followed by another: that would take a march back.
            if took:
                break
        if not self.touch:
            self.mouse("mouseMoved", x, y)
            self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
            self.mouse("mouseReleased", x, y, button="left", clickCount=1)
            took, whole = self.reader.driver.execute_async_script(PAINTED)
        self.noted(took, whole, before)

    def press(self, key: str) -> None:
        """Press a key."""
        self.reader.run("seen.clicked = 0")
        before = self.sitter.worked()
        self.reader.press(key)
        self.noted(*self.reader.driver.execute_async_script(PAINTED), before)

    def noted(self, took: float, whole: float, before: float) -> None:
        """Note how long a click took until it was answered, and until the answer was `whole`; of a busy machine the
        page's own work tells."""
        worked = self.sitter.worked() - before
        self.count.clicks += 1
        if self.count.clicks == 1:
            # A game is laid, and the page says so.
            self.count.begun = f"{whole:.0f} ms ({worked:.0f} ms of work)"
            return
        self.count.times.append(took)
        self.count.wholes.append(whole)
        if min(whole, worked) > self.most:
            self.fail(f"a click took {whole:.0f} ms ({worked:.0f} ms of work)")

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """Move or press a mouse."""
        self.reader.tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x: float, y: float, dx: float, dy: float) -> None:
        """Draw something along with mouse or finger, and hold it before letting go."""
        steps = [(x + dx * part / 6, y + dy * part / 6) for part in range(7)]
        if self.touch:
            for at, (x1, y1) in enumerate([*steps, steps[-1]]):
                kind = "touchMove" if at else "touchStart"
                self.reader.tell("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x1, "y": y1}])
            sleep(0.1)
            self.reader.tell("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            self.tapped = monotonic()
        else:
            self.mouse("mouseMoved", x, y)
            self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
            for x1, y1 in steps:
                self.mouse("mouseMoved", x1, y1, button="left", buttons=1)
            self.mouse("mouseReleased", x + dx, y + dy, button="left", clickCount=1)
        self.reader.driver.execute_async_script("requestAnimationFrame(() => setTimeout(arguments[0]))")

    # What the eye sees.

    def look(self) -> dict[str, Any]:
        """Look at the page: nothing of it may be amiss."""
        found: dict[str, Any] = self.reader.run(LOOK)
        complaints = [each for each in self.reader.driver.get_log("browser") if each["level"] == "SEVERE"]
        if complaints:
            self.fail(f"the console complains: {complaints}")
        if found["wide"] > 1:
            self.fail(f"the page scrolls sideways by {found['wide']} pixels")
        if found["away"] > 1:
            self.fail(f"bar or board have slid out of the window by {found['away']:.0f} pixels")
        if any("E-" in each for each in found["wrong"]):
            self.fail(f"the letter is wrong after clicks alone: {found['wrong']}")
        if "E-" in found["notice"]:
            self.fail(f"the page refuses: {found['notice']}")
        stage = found["stage"].partition(",")[0]
        # With answers in the letter the board is that behind them.
        is_now = "orders: {}" in found["letter"] and not found["past"]
        if stage and is_now and stage.casefold() not in found["frame"].casefold():
            self.fail(f"the board is titled otherwise than {found['stage']!r}: {found['frame'][:200]!r}")
        return found

    def fail(self, why: str) -> None:
        """Tell what is amiss, and how it came."""
        with suppress(Exception):
            seen = self.reader.run(LOOK)
            why += f"\nstage {seen['stage']!r}, asked {seen['prompt']!r}, left {seen['left']!r}\n{seen['letter']}"
        raise Stuck("\n".join([why, *self.tale[-25:]]))

    def button(self, seen: dict[str, Any], **like: Any) -> dict[str, Any] | None:
        """A button in sight or in reach."""
        return next((each for each in seen["buttons"] if all(each[key] == value for key, value in like.items())), None)

    # What people do with both.

    def touch_on(self, element: dict[str, Any]) -> None:
        """Click an element; scroll to it before, if it is out of sight."""
        self.tale.append(f"click {element['place']} {element['id'] or element['kind']} {element['text'][:40]!r}")
        for attempt in range(40):
            if element["hit"]:
                break
            advise = self.button(self.reader.run(LOOK), id="advise")
            if attempt in (3, 4) and self.touch and advise and self.reader.run("return Boolean(counsel)"):
                # On a phone advice may lie over what is asked: a tap on its button puts it away, or a second one.
                self.click(advise["x"], advise["y"])
            element = self.scrolled_to(element)
        else:
            self.fail(f"no scrolling brings into sight: {element}")
        self.click(element["x"], element["y"])

    def scrolled_to(self, element: dict[str, Any]) -> dict[str, Any]:
        """Scroll where an element lies, as far as one move goes; the element as it lies then."""
        for selector, kind in ((BUTTONS, "buttons"), (FIELDS, "fields")):
            seen = self.reader.run(LOOK)[kind]
            same = [at for at, each in enumerate(seen) if alike(each, element)]
            if not same:
                continue
            way = self.reader.run(SCROLLS, selector, same[0])
            if self.touch:
                dx = max(-way["room"][0] * 0.4, min(way["room"][0] * 0.4, -way["along"]))
                dy = max(-way["room"][1] * 0.4, min(way["room"][1] * 0.4, -way["down"]))
                if abs(dy) < 6 and abs(dx) < 6:
                    dy = -30
                self.drag(way["x"] - dx / 2, way["y"] - dy / 2, dx, dy)
            else:
                self.mouse("mouseWheel", way["x"], way["y"], deltaX=way["along"], deltaY=way["down"])
            sleep(0.15)
            return next(each for each in self.reader.run(LOOK)[kind] if alike(each, element))
        self.fail(f"out of the page: {element}")
        return element

    def click_city(self, city: str) -> None:
        """Click a city; draw the board until it is in sight, enlarge if that does not help."""
        self.lower()
        self.tale.append(f"click {city}")
        for attempt in range(8):
            spot = self.reader.run(SPOT, city)
            if spot["hit"]:
                self.click(spot["x"], spot["y"])
                return
            if attempt and (close := self.button(self.reader.run(LOOK), place="aim")):
                # At the edge of the board a city may lie under the goal, which is read by then.
                self.touch_on(close)
                continue
            middle = spot["left"] + spot["width"] / 2, spot["top"] + spot["height"] * 0.4
            dx, dy = middle[0] - spot["x"], middle[1] - spot["y"]
            dx = max(-spot["width"] * 0.7, min(spot["width"] * 0.7, dx))
            dy = max(-spot["height"] * 0.5, min(spot["height"] * 0.5, dy))
            self.drag(middle[0] - dx / 2, middle[1] - dy / 2, dx, dy)
            if self.reader.run(SPOT, city)["at"] == spot["at"] and attempt:
                larger = next(each for each in self.reader.run(LOOK)["buttons"] if each["place"] == "zoom")
                self.touch_on(larger)
                self.count.met["enlarged"] += 1
        self.fail(f"{city} cannot be brought into sight: {spot}")

    def lower(self) -> None:
        """On a phone, put the sheet away that lies over the board."""
        seen = self.reader.run(LOOK)
        if " up" in seen["page"] and (handle := self.button(seen, kind="handle")):
            self.touch_on(handle)
            sleep(0.4)

    def begin(self, game: str) -> None:
        """Press *Play now* on the first page, and march."""
        before = self.count.clicks
        for _ in range(20):
            x, y, height = self.reader.run(START, game)
            if 20 < y < height - 20:
                break
            if self.touch:
                self.drag(self.width / 2, height / 2, 0, max(-300, min(300, height / 2 - y)))
            else:
                self.mouse("mouseWheel", x, height / 2, deltaX=0, deltaY=y - height / 2)
            sleep(0.15)
        self.click(x, y)
        self.sitter.until("return document.getElementById('desk').className.includes('laid')")
        while "a piece" not in self.count.costs:
            if not self.march(self.look()) or self.count.clicks - before > 20:
                self.fail("the first march takes more than twenty clicks")
        self.count.costs["from the start page to the first march"] = [self.count.clicks - before]

    def play(self, stages: int) -> bool:
        """Play so many stages, or to the end; tells whether it was reached."""
        while True:
            seen = self.look()
            if self.button(seen, id="done") is None:
                self.count.met["end"] += 1
                return True
            if not self.count.stages or self.count.stages[-1] != seen["stage"]:
                if len(self.count.stages) >= stages:
                    return False
                self.count.stages.append(seen["stage"])
                self.tried.clear()
                self.between(seen)
            self.stage(seen["stage"])

    def between(self, seen: dict[str, Any]) -> None:
        """Do as people do when something new lies there: leaf through what happened, reload, go on."""
        whim = self.chance.random()
        since = self.button(seen, id="since")
        if whim > 0.95 or len(self.count.stages) == 4:
            self.reload(seen)
        elif since and whim < 0.25:
            self.leaf(since)

    def leaf(self, since: dict[str, Any]) -> None:
        """Step through what happened by button and keys, and come back to now."""
        self.count.met["leafed"] += 1
        self.touch_on(since)
        running = self.button(self.look(), id="run")
        if running:
            self.touch_on(running)
        for _ in range(self.chance.randrange(1, 5)):
            seen = self.look()
            if not seen["past"]:
                break
            if self.touch or self.chance.random() < 0.5:
                later = self.button(seen, id=self.chance.choice(["later", "earlier"]), place="steps")
                if later:
                    self.touch_on(later)
            else:
                self.press(self.chance.choice([LEFT, RIGHT]))
        now = self.button(self.look(), id="now")
        if now:
            self.touch_on(now)
        if self.look()["past"]:
            self.fail("there is no way back to now")

    def reload(self, seen: dict[str, Any]) -> None:
        """Reload the page: the game goes on where it was."""
        self.count.met["reloaded"] += 1
        self.reader.driver.refresh()
        self.sitter.until("return Boolean(window.desk && window.desk.ready)")
        self.reader.run(WATCH)
        self.reader.run(DEALS, self.chance.randrange(2**32))
        again = self.look()
        for what in ("stage", "letter", "prompt"):
            if again[what] != seen[what]:
                self.fail(f"after a reload {what} is another: {seen[what]!r} was there, {again[what]!r} is")

    def stage(self, stage: str) -> None:
        """Play one stage: answer, march, and end it by *Done*."""
        still = 0
        before = ""
        for _ in range(400):
            seen = self.look()
            if seen["stage"] != stage or self.button(seen, id="done") is None:
                return
            if seen["prompt"] != self.asked:
                self.asked = seen["prompt"]
            signs = f"{seen['letter']}{seen['prompt']}{seen['text']}"
            still = still + 1 if signs == before else 0
            if still > 40:
                self.fail("nothing that can be clicked leads on")
            before = signs
            self.move(seen)
        self.fail("this stage does not end")

    def move(self, seen: dict[str, Any]) -> None:
        """One sensible thing that can be done with what is in sight."""
        if self.button(seen, id="stay"):
            self.end(seen)
        elif self.chance.random() < 0.03 and self.button(seen, id="undo"):
            self.undo(seen)
        elif not (self.card(seen) or self.march(seen) or self.choice(seen) or self.offer(seen)):
            self.end(seen)

    def undo(self, seen: dict[str, Any]) -> None:
        """Take the last click back, and sometimes that, too."""
        self.count.met["undone"] += 1
        undo = self.button(seen, id="undo")
        if undo:
            self.touch_on(undo)
        if self.look()["letter"] == seen["letter"]:
            self.fail("Undo takes nothing back")
        self.tried.clear()
        again = self.button(self.look(), id="redo")
        if again and self.chance.random() < 0.5:
            self.touch_on(again)
            if self.look()["letter"] != seen["letter"]:
                self.fail("what was undone does not come again")

    def card(self, seen: dict[str, Any]) -> bool:
        """Play a card that leads, the least that does; else any, or give up; tells whether a card was asked."""
        picks = [each for each in seen["buttons"] if each["place"] == "bar" and "pick" in each["kind"].split()]
        cards = [each for each in picks if "card" in each["kind"].split()]
        if not cards:
            return False
        found = {at: LEADS.search(each["text"]) for at, each in enumerate(picks)}
        score = {at: int(led[1].replace("−", "-") + led[2]) for at, led in found.items() if led}
        leading = [at for at, after in score.items() if after >= 0]
        other = [at for at, each in enumerate(picks) if "card" not in each["kind"].split() or at in score]
        if leading and self.chance.random() < 0.85:
            best = min(leading, key=lambda at: score[at])
        else:
            best = self.chance.choice(other or [*range(len(picks))])
        self.answered(picks[best], seen, "a card", 3)
        return True

    def answered(self, button: dict[str, Any], seen: dict[str, Any], what: str, most: int) -> None:
        """Press what answers a question, so often as it takes."""
        before = self.count.clicks
        for _ in range(most):
            self.touch_on(button)
            now = self.look()
            if (now["letter"], now["stage"], now["prompt"]) != (seen["letter"], seen["stage"], seen["prompt"]):
                self.count.met[what] += 1
                self.count.costs.setdefault(what, []).append(self.count.clicks - before)
                return
            again = next((each for each in now["buttons"] if alike(each, button)), None)
            if again is None or again["folded"] is not button["folded"]:
                return
            button = again

    def march(self, seen: dict[str, Any]) -> bool:
        """March a piece that has not been thought of; tells whether one did, or was at least thought of."""
        if not seen["left"]:
            return False
        pieces = self.reader.run(PIECES)
        mine = [each for each in pieces if each["name"] not in self.tried]
        asked = [each for each in mine if each["power"] in seen["prompt"]]
        if not asked:
            later = next((each for each in seen["buttons"] if each["place"] == "bar" and each["text"] == "›"), None)
            if later and mine:
                self.tried |= {each["name"] for each in mine if each["power"] in seen["prompt"]}
                turned = f"turn {seen['prompt']}"
                if turned in self.tried:
                    return False
                self.tried.add(turned)
                self.touch_on(later)
                return True
            return False
        piece = self.chance.choice(asked)
        self.tried.add(piece["name"])
        if self.chance.random() < 0.08:
            self.count.met["left standing"] += 1
            return True
        before = self.count.clicks
        self.click_city(piece["city"])
        self.tried |= {each["name"] for each in pieces if each["city"] == piece["city"]}
        then = self.look()
        rings = [each for each in then["rings"] if "strange" not in each["kind"] and "onward" not in each["kind"]]
        if not then["chosen"] or not rings:
            self.count.met["cannot march"] += 1
            return True
        takes = [each for each in rings if "takes" in each["kind"]]
        fights = [each for each in rings if "meets" in each["kind"]]
        wanted = fights if fights and self.chance.random() < 0.5 else rings
        goal = self.chance.choice(takes if takes and self.chance.random() < 0.8 else wanted)
        self.click_city(goal["city"])
        now = self.look()
        if joins := self.button(now, id="join"):
            self.touch_on(joins)
            now = self.look()
        if now["letter"] == then["letter"]:
            told = f"chosen {now['chosen']!r}, notice {now['notice']!r}, past {now['past']}"
            self.fail(f"{then['chosen']} does not march to the ring at {goal['city']}: {told}")
        into = "a march that takes" if goal in takes else "a march into battle" if goal in fights else "a march"
        self.count.met[into] += 1
        self.count.costs.setdefault("a piece", []).append(self.count.clicks - before)
        onward = [each for each in now["rings"] if "onward" in each["kind"]]
        if onward and self.chance.random() < 0.15:
            further = self.chance.choice(onward)["city"]
            self.click_city(further)
            self.count.met["onward"] += 1
            self.look()
        return True

    def choice(self, seen: dict[str, Any]) -> bool:
        """Press what stands in the bar as an answer, or click a ring that is one; tells whether there was any."""
        choices = [
            each
            for each in seen["buttons"]
            if each["place"] == "bar" and {"pick", "printed"} & set(each["kind"].split())
        ]
        rest = [each for each in seen["buttons"] if each["id"] in ("deal", "advise")]
        if rest and self.chance.random() < 0.5 and f"advice {seen['prompt']}" not in self.tried:
            self.tried.add(f"advice {seen['prompt']}")
            self.count.met[rest[0]["id"]] += 1
            self.touch_on(rest[0])
            return True
        if choices:
            self.answered(self.chance.choice(choices), seen, "a choice", 2)
            return True
        rings = [each for each in seen["rings"] if "strange" not in each["kind"]]
        dealing = any("/" in each["text"] for each in seen["sums"])
        if rings and not seen["chosen"] and not dealing and f"place {seen['prompt']}" not in self.tried:
            self.tried.add(f"place {seen['prompt']}")
            self.click_city(self.chance.choice(rings)["city"])
            self.count.met["a city"] += 1
            return True
        return False

    def offer(self, seen: dict[str, Any]) -> bool:
        """Fill in what may be left out, now and then; tells whether anything was."""
        forms = self.forms(seen)
        if " up" not in seen["page"] and self.touch:
            forms = self.forms({**seen, "buttons": [each for each in seen["buttons"] if each["place"] == "bar"]})
            fill = next((each for each in seen["buttons"] if "fill-in" in each["kind"]), None)
            if fill and f"offer {seen['prompt']}" not in self.tried and self.chance.random() < 0.6:
                self.tried.add(f"offer {seen['prompt']}")
                self.touch_on(fill)
                sleep(0.4)
                return True
        for form in sorted(forms):
            if form.endswith(" move") or f"offer {form}" in self.tried:
                continue
            self.tried.add(f"offer {form}")
            if self.chance.random() < 0.6:
                self.fill(form)
                return True
        return False

    def forms(self, seen: dict[str, Any]) -> set[str]:
        """Forms of questions that a button writes."""
        takes = [each for each in seen["buttons"] if each["kind"] == "take" and not each["free"]]
        return {each["form"] for each in takes if each["form"]}

    def fill(self, form: str) -> None:
        """Fill in a form: troops as many as there are, the least that must be ticked, and pay; then write it."""
        self.count.met[f"form {form.split()[-1]}"] += 1
        self.tale.append(f"fill {form}")
        for _ in range(80):
            seen = self.look()
            wants = self.lacking(seen, form)
            if wants is None:
                break
            self.touch_on(wants)
        take = [each for each in self.look()["buttons"] if each["form"] == form and each["kind"] == "take"]
        if not take:
            self.fail(f"no button writes the form {form}")
        self.touch_on(take[0])
        self.look()

    def lacking(self, seen: dict[str, Any], form: str) -> dict[str, Any] | None:
        """Return the next control to be pressed in a form; nothing, if it can be written."""
        steps = [each for each in seen["buttons"] if each["form"] == form and each["label"][-2:] in ("+1", "−1")]
        mores, lesses = ([each for each in steps if each["label"][-2:] == by] for by in ("+1", "−1"))
        labels = [each for each in seen["fields"] if each["form"] == form and each["tag"] == "LABEL"]
        chosen = {each["group"] for each in labels if each["checked"]}
        boxes = [each for each in labels if not each["group"]]
        options = [each for each in labels if each["group"] and each["group"] not in chosen]
        if options:
            return self.chance.choice(options)
        free = [each for each in boxes if not each["checked"]]
        told = [each["text"] for each in seen["sums"] if each["form"] in (form, "")]
        balance = next((found for each in told if (found := PAID.search(each))), None)
        if balance:
            cost, paid = int(balance[1]), int(balance[2])
            cards = [each for each in free if "card" in each["kind"]]
            if not cost and mores:
                return self.chance.choice(mores)
            if paid < cost:
                return cards[-1] if cards else lesses[0] if lesses else None
            return None
        for each in told:
            if mores and (found := SUM.search(each)) and int(found[1]) < int(found[2]):
                return self.chance.choice(mores)
            if (found := TICKS.search(each)) and int(found[1]) < int(found[2]) and free:
                return free[0]
        return None

    def end(self, seen: dict[str, Any]) -> None:
        """Press *Done*: it goes on, asks once, or brings up what is missing."""
        before = self.count.clicks
        done = self.button(seen, id="done")
        if done is None:
            return
        self.touch_on(done)
        now = self.look()
        if (now["stage"], now["letter"]) != (seen["stage"], seen["letter"]) or self.button(now, id="done") is None:
            self.count.costs.setdefault("the end of a stage", []).append(self.count.clicks - before)
            return
        if self.button(now, id="stay"):
            self.count.met["asked once"] += 1
            if self.chance.random() < 0.1:
                stay = self.button(now, id="stay")
                if stay:
                    self.touch_on(stay)
                return
            again = self.button(now, id="done")
            if again:
                self.touch_on(again)
            self.count.costs.setdefault("the end of a stage", []).append(self.count.clicks - before)
            return
        sleep(0.4)
        now = self.look()
        # A button of the bar is an answer; fields are filled in, wherever they are.
        parts = [*now["fields"], *(each for each in now["buttons"] if each["place"] != "bar")]
        focused = [each["form"] for each in parts if each["focused"] and each["form"]]
        in_bar = any(each["focused"] and each["place"] == "bar" and each["id"] != "done" for each in now["buttons"])
        if focused:
            self.fill(focused[0])
        elif not in_bar and now["prompt"] == seen["prompt"] and now["text"] == seen["text"]:
            # The button of a form that is not paid for yet cannot be pressed: its fields tell which form was begun.
            begun = {each["form"] for each in now["fields"] if each["place"] == "bar" and self.button(now, id="drop")}
            forms = self.forms(now) or begun
            if not forms:
                self.fail("Done neither goes on, nor asks, nor brings up what is missing")
            self.fill(sorted(forms)[0])


LEADS = re.compile(r"→ ([+−-]?)([0-9]+)$")
SUM = re.compile(r"([0-9]+) / (?:[0-9]+–)?([0-9]+)$")
PAID = re.compile(r"^[^:]+: ([0-9]+) · [^:]+: ([0-9]+)")
TICKS = re.compile(r"^([0-9]+) \(([0-9]+)–[0-9]+\)")


def alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Return True if these are one element, looked at twice."""
    return all(one[key] == other[key] for key in ("tag", "id", "text", "label", "place", "form"))
