"""Settings of all tests, and what makes them quick.

Hypothesis tries the same examples in every run, unless the long profile is asked for.
"""

from __future__ import annotations

import atexit
import gc
import hashlib
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from cryptography.hazmat.primitives.serialization import ssh
from hypothesis import HealthCheck, settings

from pbem.console.language import came, typed
from pbem.engine.board import Board, BoardData
from pbem.paper import letters
from pbem.report import maps
from pbem.report.picture import drawing_of, small_png

if TYPE_CHECKING:
    from tests.cli.correspondence import Correspondence

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("long", parent=settings.get_profile("default"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("PBEM_TESTS", "default"))

# Tests start the program some two hundred times; without its bytecode each start would compile the whole of it again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Campaigns are thousands of small files: memory is the quickest place for them, where there is plenty.
MEMORY = Path("/dev/shm")
if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 4 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

# What the program keeps for the next command is new for the tests, and one for all their processes. Whoever runs them
# has no key and no settings there.
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["XDG_CACHE_HOME"] = mkdtemp(prefix="pbem-tests-cache-", dir=os.environ.get("PYTEST_DEBUG_TEMPROOT"))
    os.environ["XDG_CONFIG_HOME"] = str(Path(os.environ["XDG_CACHE_HOME"], "config"))
    atexit.register(shutil.rmtree, os.environ["XDG_CACHE_HOME"], ignore_errors=True)

# Little of what the tests make refers to itself: looking for such garbage less often saves a tenth of the time.
gc.set_threshold(20_000, 50, 100)

# A passphrase is slow to try, and shall be; that of a key made by tests need not be.
ssh._DEFAULT_ROUNDS = 1

# Commands of tests share one process, and the same letters come in many of them.
letters._cached_letter = lru_cache(maxsize=512)(letters._read_nameless)

# Nobody pulls the plug on the computer during the tests: what a command forces to the disk may as well go there later.
os.fsync = lambda handle: None


@pytest.fixture(autouse=True)
def _no_command_line() -> None:
    """No test takes its language from the command line or the files of an earlier one in the same process."""
    typed.set(())
    came.set(())


@pytest.fixture(scope="session", autouse=True)
def _pictures_drawn_once() -> None:
    """Campaigns of the tests begin alike and show the same maps over and over: what is equal is drawn once a process.

    Pictures in mails are a fifth as wide: they take as many steps, and a third of the time.
    `tests/test_picture*.py` and whatever runs in a process of its own draw for themselves.
    """
    kept: dict[bytes, Any] = {}

    def once(make: Callable[..., Any]) -> Callable[..., Any]:
        def drawn(*values: Any, **named: Any) -> Any:
            key = hashlib.sha256(msgspec.json.encode([make.__name__, values, named])).digest()
            if key not in kept:
                kept[key] = make(*values, **named)
            return kept[key]

        return drawn

    maps.drawing_of = once(drawing_of)
    maps.small_png = lru_cache(maxsize=256)(small_png)  # type: ignore[assignment]
    maps.MAIL_WIDTH, maps.FINENESS = 260, 0.2


@pytest.fixture(scope="session", autouse=True)
def _boards_measured_once() -> None:
    """Variants of a game are played on one board: its distances, and where its roads lead, are found once a process."""
    built: dict[Any, Board] = {}
    build = Board.__init__

    def shared(board: Board, data: BoardData, maps: Iterable[str] | None = None) -> None:
        key = id(data), maps and frozenset(maps)
        if key not in built:
            build(board, data, maps)
            built[key] = board
        board.__dict__.update(built[key].__dict__)

    Board.__init__ = shared  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose players have joined, waiting for the first orders; nobody changes it."""
    from tests.cli.correspondence import Correspondence  # loads all commands

    table = Correspondence(tmp_path_factory.mktemp("joined"))
    table.begin()
    table.join()
    return table


@pytest.fixture
def begun(joined: Correspondence, tmp_path: Path) -> Correspondence:
    """The same in a folder of one test."""
    return joined.copied(tmp_path / "table")


@pytest.fixture(scope="module")
def table(joined: Correspondence, tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """The same in a folder of all tests of a file."""
    return joined.copied(tmp_path_factory.mktemp("table") / "table")


@pytest.fixture(scope="session")
def moving(joined: Correspondence, tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """The same when Prussia is to move; nobody plays on in it."""
    table = joined.copied(tmp_path_factory.mktemp("moving") / "table")
    while "frederick" not in table.owing() or not table.json("status", "vienna-1741")["stage"].endswith("prussia"):
        table.round()
    return table


def pytest_collection(session: pytest.Session) -> None:
    """Workers that collect all tests compile a part of them each, so that everybody finds the rest compiled."""
    worker, workers = (os.environ.get(f"PYTEST_XDIST_WORKER{name}", "") for name in ("", "_COUNT"))
    if not worker or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    root = session.config.rootpath
    files = sorted(Path(__file__).parent.rglob("test_*.py"))
    for path in files[int(worker.removeprefix("gw")) :: int(workers)]:
        with suppress(Exception, pytest.skip.Exception):  # pytest will say why
            import_module(".".join(path.relative_to(root).with_suffix("").parts))


def pytest_collection_finish() -> None:
    """Exempt objects that exist before the first test from garbage collection: they stay to the end."""
    gc.collect()
    gc.freeze()


def lines_of(name: str) -> list[str]:
    """The lines of a list beside this file, without remarks."""
    lines = Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


REAL = {"page_file", "servers"}
"""Fixtures with which a test looks at the page in a real browser, or sends mails by real servers."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `pytest --quick`: half of the tests in two minutes; `pytest --all`: every test; and `pytest --real`: tests
    with real browsers and servers, and no others."""
    parser.addoption("--quick", action="store_true", help="leave out the tests of tests/part.txt")
    parser.addoption("--all", action="store_true", help="run all rows of the tests of tests/part.txt")
    parser.addoption("--real", action="store_true", help="only tests with real browsers and mail servers")


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return a worker for each core, and half as many more where tests wait for each other's sockets instead of
    computing; pages in a browser need their cores."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores if config.getoption("real") else cores + cores // 2


def named_paths(config: pytest.Config) -> set[Path]:
    """Return the files and folders that the command line names."""
    if config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        return set()
    return {config.rootpath.joinpath(word.split("::")[0]) for word in config.args}


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell which tests were left out."""
    if named_paths(config):
        return
    if not config.getoption("all"):
        terminalreporter.write_line("Left out: a part of the slow tests (pytest --all).")
    if not config.getoption("real"):
        terminalreporter.write_line("Left out: tests with real browsers and mail servers (pytest --real).")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Remove tests with real browsers and servers, or all others (`--real`); and a part of the slow ones by
    `tests/part.txt`. Tests in files and folders that the command line names stay, and all stay in the long run."""
    named, wants_real = named_paths(config), bool(config.getoption("real"))
    kept, left = [], []
    for item in items:
        is_real = bool(REAL & set(getattr(item, "fixturenames", ()))) or item.get_closest_marker("real") is not None
        is_named = not wants_real and any(item.path.is_relative_to(each) for each in named)
        (kept if is_named or is_real == wants_real else left).append(item)
    if os.environ.get("PBEM_TESTS") != "long" and not config.getoption("all"):
        kept, rest = in_part(kept, named, is_quick=bool(config.getoption("quick")))
        left += rest
    if left:
        items[:] = kept
        config.hook.pytest_deselected(items=left)


def shares_of_tests() -> dict[str, int]:
    """Return the numbers of `tests/part.txt` by files and tests: of so many rows of a test one runs."""
    return {name: int(share) for share, name in (line.split(" ", 1) for line in lines_of("part.txt"))}


def in_part(items: list[pytest.Item], named: set[Path], is_quick: bool) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Return the tests that run and those that `tests/part.txt` leaves out; none in a named file or folder of tests."""
    shares = shares_of_tests()
    rooms = named - {Path(__file__).parent}
    counts: Counter[str] = Counter()
    kept, left = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        share = shares.get(test, shares.get(test.partition("::")[0], 1))
        is_wanted = any(item.path.is_relative_to(each) for each in rooms)
        is_left = share != 1 and not is_wanted and (is_quick or not share or counts[test] % share)
        counts[test] += 1
        (left if is_left else kept).append(item)
    return kept, left
