"""A real browser without a window, cut off from the network, for the tests of the site."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

BROWSER, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
TAB, ENTER, ESCAPE, END, HOME = "\ue004", "\ue007", "\ue00c", "\ue010", "\ue011"
LEFT, UP, RIGHT, DOWN = "\ue012", "\ue013", "\ue014", "\ue015"
"""Keys, as the driver calls them."""

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)

PATIENCE = 120
"""Seconds that a busy machine may take."""

CONTRASTS = """
const number = (value) => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const parts = (colour) => (colour.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
const light = (colour) => { const [r, g, b] = parts(colour).map(number); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const grounds = new Map([[null, null]]);
const under = (element) => {
  if (!grounds.has(element)) {
    const found = getComputedStyle(element).backgroundColor, [, , , alpha = 1] = parts(found);
    grounds.set(element, alpha === 1 ? found : alpha === 0 ? under(element.parentElement) : null);
  }
  return grounds.get(element);
};
document.querySelectorAll("details").forEach((each) => { each.open = true; });
const poor = [];
let seen = 0;
for (const element of document.body.querySelectorAll("*:not(svg *):not(script):not(style):not(option):not(optgroup)")) {
  const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  if (!own || !element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) continue;
  seen += 1;
  const ground = under(element), ink = getComputedStyle(element).color;
  if (!ground) { poor.push([element.tagName, element.className, "no ground"]); continue; }
  const [a, b] = [light(ground), light(ink)];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (ratio < 4.5) poor.push([element.tagName, element.className, ratio]);
}
return {poor, seen};
"""
"""The contrast of every visible text with the ground that it stands on, as WCAG 2 counts it."""


class Reader:
    """Somebody who looks at pages."""

    def __init__(self, driver: Any) -> None:
        """Take a browser over."""
        self.driver = driver

    def open(self, folder: Path, page: str) -> None:
        """Open a page afresh."""
        self.driver.get("about:blank")
        self.driver.get_log("performance")
        self.driver.get_log("browser")
        self.driver.get(f"{folder.as_uri()}/{page}")
        for _ in range(40):
            # On a busy machine a page can be there before its script has run; the stages alone tell that it has.
            if self.run("return document.readyState === 'complete' && !document.querySelector('.stages:not(.js *)')"):
                return
            sleep(0.05)

    def run(self, script: str, *values: Any) -> Any:
        """Value of a script, once the page does nothing more that it says takes a moment."""
        end = monotonic() + PATIENCE
        while self.driver.execute_script("return document.body?.ariaBusy") == "true" and monotonic() < end:
            sleep(0.02)
        return self.driver.execute_script(script, *values)

    def tell(self, command: str, **values: Any) -> None:
        """Change something about the browser."""
        self.driver.execute_cdp_cmd(command, values)

    def look(self, width: int = 1280, height: int = 900, scheme: str = "light") -> None:
        """Look through a window of this size, by day or by night."""
        self.tell("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def wait_for(self, selector: str) -> None:
        """Wait until something is there: without scripts a driver does not know when a page is."""
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, 20).until(lambda driver: driver.find_elements("css selector", selector))

    def complaints(self) -> list[str]:
        """Complaints of the browser about the page."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requested(self) -> list[str]:
        """Files that the page was made of."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()


@contextmanager
def reader(profile: Path) -> Iterator[Reader]:
    """A browser with a profile of its own."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
    driver.set_script_timeout(PATIENCE)
    try:
        yield Reader(driver)
    finally:
        driver.quit()
