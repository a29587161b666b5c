"""Plugin of pytest that tries changes of the program: `python -m tests.mutate` starts it in a copy of the project.

There every change stands beside what it changes, and `pbem/switch.py` says which is on. So that modules are imported
and tests collected once, a process of its own tries each change. At first one runs all tests and notes which of them
come to which change, and how much they compute; commands that a test starts inherit its name and the change.
"""

from __future__ import annotations

import ast
import os
import resource
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import msgspec
import pytest
from msgspec import Struct

JOBS = "PBEM_CHANGES"
"""In the environment: the file with the jobs."""

LIMIT = 60
"""Seconds of computing that tests may take beside five times what they take without a change: then they hang."""

SWITCH = """
import os

on = int(os.environ.get("PBEM_CHANGE", "-1"))
notes = os.environ.get("PBEM_CHANGES_NOTED", "")
seen = set()

def is_on(number):
    if number not in seen:
        seen.add(number)
        if notes:
            with open(notes, "a") as file:
                file.write(f"{number} {os.environ.get('PYTEST_CURRENT_TEST', '')}\\n")
    return number == on
"""


class Job(Struct):
    """A change to be tried: its number, what is printed of it, the tests of its room; and which tests run."""

    number: int
    told: str
    first: tuple[str, ...]
    everything: bool
    """Tests run that do not come to its place, too: one test may keep something for the next."""
    seconds: float
    """Most seconds that all its tests may have computed without a change."""


def switched(source: bytes, changed: Mapping[int, bytes], places: Mapping[int, int]) -> str:
    """Return a module in which each change, by number, is chosen where its place (an offset) is reached."""
    tree = ast.parse(source)
    statements, starts = statements_of(tree), starts_of_lines(source)
    begins = [starts[each.lineno - 1] + each.col_offset for each in statements]
    ends = [starts[(each.end_lineno or 0) - 1] + (each.end_col_offset or 0) for each in statements]
    instead = defaultdict(list)
    for number, place in places.items():
        # Inner statements come later.
        index = max(n for n, (begin, end) in enumerate(zip(begins, ends, strict=True)) if begin <= place < end)
        instead[statements[index]].append((number, statements_of(ast.parse(changed[number]))[index]))

    class Chooser(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            found = self.generic_visit(node)
            for number, other in instead.get(node, ()) if isinstance(node, ast.stmt) else ():
                found = ast.If(ast.parse(f"_is_on({number})", mode="eval").body, [other], [found])
            return found

    text = ast.unparse(ast.fix_missing_locations(Chooser().visit(tree)))
    future = "from __future__ import annotations\n"
    assert future in text
    return text.replace(future, f"{future}from pbem.switch import is_on as _is_on\n", 1)


def statements_of(tree: ast.Module) -> list[ast.stmt]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]


def starts_of_lines(source: bytes) -> list[int]:
    """Return the offset of each line of a text, and that of its end."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


class Watch:
    """The tests of one run: which pass, how much they compute, and the first that fails."""

    def __init__(self) -> None:
        self.failed: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails."""
        if report.failed:
            self.failed.append(report.nodeid)

    def run(self, items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, float]]:
        """Run tests; yield each that passes with the seconds that it and its commands computed."""
        for item, following in zip(items, [*items[1:], None], strict=False):
            begun, failures = sum(os.times()[:4]), len(self.failed)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if len(self.failed) == failures:
                yield item, sum(os.times()[:4]) - begun


def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Try every change that is asked for, instead of running the tests."""
    if JOBS not in os.environ:
        return None
    jobs = msgspec.json.decode(Path(os.environ[JOBS]).read_bytes(), type=list[Job])
    taken, reached = msgspec.convert(
        alone(lambda: found_out(session)), tuple[dict[str, float], dict[int, set[str]]], strict=False
    )
    print(f"{len(taken)} tests pass without a change; they compute {sum(taken.values()):.0f} s", flush=True)
    items = sorted((item for item in session.items if item.nodeid in taken), key=lambda item: taken[item.nodeid])
    survived = []
    for job in jobs:
        there = reached.get(job.number, set())
        come = [item for item in items if item.nodeid in there]
        come.sort(key=lambda item: not item.nodeid.startswith(job.first))
        rest = [item for item in items if item.nodeid not in there] if job.everything else []
        wanted, seconds = [], 0.0
        for item in [*come, *rest]:
            if (seconds := seconds + taken[item.nodeid]) < job.seconds:
                wanted.append(item)
        begun = sum(os.times()[2:4])
        by = alone(lambda job=job, wanted=wanted: noticed_by(job.number, wanted), LIMIT + round(5 * seconds))
        by = "hangs" if by is None else by or "SURVIVES"
        if by == "SURVIVES":
            survived.append(job.told)
        told = f"{len(come)} tests come there, {sum(os.times()[2:4]) - begun:.1f} s"
        print(f"{job.told}: {by} ({told})", flush=True)
    print(f"{len(jobs)} changes, {len(survived)} survive, {sum(os.times()[:4]):.0f} s", *survived, sep="\n")
    session.shouldfail = False if not survived else "changes survive"
    return True


def found_out(session: pytest.Session) -> tuple[dict[str, float], dict[int, list[str]]]:
    """Run all tests without a change: return the seconds of those that pass, and those that come to each change."""
    switch = import_module("pbem.switch")
    with NamedTemporaryFile() as file:
        switch.notes = os.environ["PBEM_CHANGES_NOTED"] = file.name
        watch, taken = Watch(), {}
        session.config.pluginmanager.register(watch)
        for item, seconds in watch.run(session.items):
            taken[item.nodeid] = seconds
            switch.seen.clear()
        lines = Path(file.name).read_text("utf-8").splitlines()
    files = defaultdict(list)
    for name in taken:
        files[name.partition("::")[0]].append(name)
    reached: defaultdict[int, set[str]] = defaultdict(set)
    for number, _, test in (line.partition(" ") for line in lines):
        name, _, phase = test.rpartition(" ")
        # What one test sets up, others of its file may use.
        reached[int(number)].update([name] if phase == "(call)" else files[name.partition("::")[0]])
    return taken, {number: sorted(names) for number, names in reached.items()}


def noticed_by(number: int, items: list[pytest.Item]) -> str:
    """Return the test that fails first with a change; nothing if all pass."""
    switch, watch = import_module("pbem.switch"), Watch()
    switch.on, os.environ["PBEM_CHANGE"] = number, str(number)
    if items:
        items[0].config.pluginmanager.register(watch)
    for _ in watch.run(items):
        if watch.failed:
            break
    return watch.failed[0] if watch.failed else ""


def alone(work: Callable[[], object], limit: int | None = None) -> Any:
    """Return what a piece of work returns in a process of its own; None if it computes too long. Waiting is free."""
    with NamedTemporaryFile() as file:
        process = os.fork()
        if not process:
            try:
                if limit:
                    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
                    resource.setrlimit(resource.RLIMIT_DATA, (4 << 30, 4 << 30))
                null = os.open(os.devnull, os.O_RDWR)
                for stream in range(3):
                    os.dup2(null, stream)
                os.environ["XDG_CACHE_HOME"] = f"{file.name}.cache"
                Path(file.name).write_bytes(msgspec.json.encode(work()))
            finally:
                os._exit(0)
        os.waitpid(process, 0)
        shutil.rmtree(f"{file.name}.cache", ignore_errors=True)
        said = Path(file.name).read_bytes()
        return msgspec.json.decode(said) if said else None
