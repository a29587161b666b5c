"""Faults that axe-core finds for readers who see little or use no mouse; it is fetched like the page's own parts."""

from __future__ import annotations

from functools import cache
from typing import Any

from pbem.desk.runtime import by_npm, npm_files, part_data
from tests.site.browsing import Reader

AXE = by_npm("axe-core", "4.14.1", "e6b0ce02b84d892e2e33e403485e7f3d6c29e2be6df65daf44d89ba564139745", "MPL-2.0")

RUN = """
const done = arguments[arguments.length - 1];
document.querySelectorAll("details").forEach((each) => { each.open = true; });
axe.run({ exclude: [".ground"] }, { resultTypes: ["violations"] }).then(
  (found) => done(found.violations.map(({ id, nodes }) => [id, nodes.length, nodes[0].html, nodes[0].failureSummary])),
  (error) => done([["axe", 1, String(error), ""]]),
);
"""


@cache
def source() -> str:
    """The script."""
    return npm_files(part_data(AXE))["axe.min.js"].decode()


def found_by_axe(reader: Reader) -> Any:
    """Faults of the page with everything folded out; the drawing of the board is left out."""
    if not reader.run("return Boolean(window.axe)"):
        reader.driver.execute_script(source())
    return reader.driver.execute_async_script(RUN)
