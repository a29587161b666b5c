"""Firefox without a window, driven by WebDriver BiDi, which it speaks itself: no driver is needed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE = 120
"""Seconds that a busy machine may take."""

LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")


class Firefox:
    """A Firefox with one tab."""

    def __init__(self, address: str) -> None:
        """Begin to drive it."""
        import websocket

        self.line = websocket.create_connection(f"{address}/session", timeout=PATIENCE, suppress_origin=True)
        self.asked = 0
        self.complaints: list[str] = []
        self.tell("session.new", capabilities={})
        self.tell("session.subscribe", events=["log.entryAdded"])
        self.tab = self.tell("browsingContext.getTree")["contexts"][0]["context"]

    def tell(self, method: str, **params: object) -> Any:
        """Have something done, and note what the browser says meanwhile."""
        self.asked += 1
        self.line.send(json.dumps({"id": self.asked, "method": method, "params": params}))
        while True:
            answer = json.loads(self.line.recv())
            if answer.get("id") == self.asked:
                assert answer["type"] == "success", answer
                return answer["result"]
            if answer.get("method") == "log.entryAdded" and answer["params"]["level"] == "error":
                self.complaints.append(str(answer["params"]["text"]))

    def open(self, page: str) -> None:
        """Open a page."""
        self.tell("browsingContext.navigate", context=self.tab, url=page, wait="complete")

    def run(self, expression: str) -> Any:
        """Value of an expression, a text or a number."""
        found = self.tell("script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True)
        assert found["type"] == "success", found
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait for something."""
        end = monotonic() + PATIENCE
        while not self.run(f"Boolean({expression})"):
            assert monotonic() < end, (expression, self.complaints)
            sleep(0.1)

    def choose(self, selector: str, file: Path) -> None:
        """Choose a file."""
        (found,) = self.tell(
            "browsingContext.locateNodes", context=self.tab, locator={"type": "css", "value": selector}
        )["nodes"]
        element = {"sharedId": found["sharedId"]}
        self.tell("input.setFiles", context=self.tab, element=element, files=[str(file)])


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox with a profile of its own."""
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0"]
    running = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "HOME": str(profile)},
    )
    try:
        assert running.stderr
        address = next(found[1] for line in running.stderr if (found := LISTENS.search(line)))
        yield Firefox(address)
    finally:
        running.terminate()
        running.wait(30)
