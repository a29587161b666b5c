"""One page for all tests, built once, and one browser that looks at it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.desk import bundle
from tests.desk.sitting import Sitter
from tests.site.browsing import BROWSER, DRIVER, reader

if TYPE_CHECKING:
    from tests.desk.test_hosting import Friends

LACKING = [name for name, found in (("chromium", BROWSER), ("chromedriver", DRIVER)) if not found]
LACKING += [name for name in ("node", "npm") if not shutil.which(name)]
KEPT = Path.home() / ".cache/pbem-desk"


@pytest.fixture(scope="session", autouse=True)
def _pressed_lightly() -> None:
    """A page that nobody sends away may be a fifteenth larger: that saves five seconds."""
    bundle.HARD = {**bundle.HARD, "preset": 0}


@pytest.fixture(scope="session")
def page_file() -> Path:
    """The page, built by the command; what it runs on is not fetched again where this user has it."""
    if LACKING:
        why = f"the page is built and looked at with {', '.join(LACKING)}, which this machine has not"
        assert os.environ.get("CI") != "true", why
        pytest.skip(why)
    shared = Path(os.environ["XDG_CACHE_HOME"])
    page = shared / "desk-of-the-tests.html"
    with alone(shared / "desk-of-the-tests.lock"):
        if not page.exists():
            # Not before: a copy by another worker would cut the parts short while the page is built of them.
            if KEPT.is_dir():
                shutil.copytree(KEPT, shared / "pbem-desk", dirs_exist_ok=True)
            build("-o", page)
    return page


@pytest.fixture(scope="session")
def web_space(page_file: Path) -> Path:
    """The same as files for a web space."""
    folder = page_file.with_name("desk-on-the-web")
    with alone(page_file.with_name("desk-on-the-web.lock")):
        if not folder.exists():
            build("--site", folder)
    return folder


def build(way: str, target: Path) -> None:
    """Have the page built by the command."""
    done = CliRunner().invoke(main, ["desk", way, str(target)], catch_exceptions=False)
    if done.exit_code and "E-DESK-FETCH" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip(f"the page cannot be built here: {done.stderr.strip()[-200:]}")
    assert done.exit_code == 0, done.stderr
    keep_modules()


def keep_modules() -> None:
    """Keep compiled modules for the next tests of the same program, where this user keeps the parts."""
    for made in Path(os.environ["XDG_CACHE_HOME"], "pbem-desk").glob("modules-*"):
        if KEPT.is_dir() and not (KEPT / made.name).exists():
            for old in KEPT.glob("modules-*"):
                old.unlink(missing_ok=True)
            shutil.copy(made, aside := KEPT / f".{made.name}.{os.getpid()}")
            aside.replace(KEPT / made.name)


@pytest.fixture(scope="session")
def seated() -> Friends:
    """A table in the page whose players have joined; only copies of it are played on."""
    from tests.desk.test_hosting import PLAN, Friends  # loads all that the page can do

    found = Friends(PLAN)
    found.join()
    return found


@pytest.fixture
def friends(seated: Friends) -> Friends:
    """The same for one test."""
    return seated.copied()


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """While no other process of the tests does the same."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def sitter(page_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sitter]:
    """Somebody who sits at the desk."""
    with reader(tmp_path_factory.mktemp("profile")) as found:
        yield Sitter(found, page_file)
