"""One page for all tests, built once, and one browser that looks at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.desk.sitting import Sitter
from tests.site.browsing import BROWSER, DRIVER, reader

LACKING = [name for name, found in (("chromium", BROWSER), ("chromedriver", DRIVER)) if not found]
LACKING += [name for name in ("node", "npm") if not shutil.which(name)]
KEPT = Path.home() / ".cache/pbem-desk"


@pytest.fixture(scope="session")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page, built by the command; what it runs on is not fetched again where this user has it."""
    if LACKING:
        why = f"the page is built and looked at with {', '.join(LACKING)}, which this machine has not"
        assert os.environ.get("CI") != "true", why
        pytest.skip(why)
    store = Path(os.environ["XDG_CACHE_HOME"]) / "pbem-desk"
    if KEPT.is_dir():
        shutil.copytree(KEPT, store, dirs_exist_ok=True)
    page = tmp_path_factory.mktemp("desk") / "desk.html"
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "desk", "-o", str(page)], capture_output=True, text=True, check=False
    )
    if done.returncode and "E-DESK-FETCH" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip(f"the page cannot be built here: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr
    return page


@pytest.fixture(scope="session")
def sitter(page_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sitter]:
    """Somebody who sits at the desk."""
    with reader(tmp_path_factory.mktemp("profile")) as found:
        yield Sitter(found, page_file)
