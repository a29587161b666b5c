"""Changes one thing in the core at a time, and tells which changes no test notices: `python -m tests.mutate`.

The core decides a game and proves it: rules, ledger, proof, paper and seal. Places are drawn by lot from a seed. Each
change is made in a copy of the project. The tests that come to its place run, the quickest first: those of its room,
then others; at last all that remain, because one test may keep something for the next (`--reached` leaves these out,
`--quick` the slow ones). A change that makes tests compute without an end is noticed. One that survives needs a case.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from tests.switching import JOBS, SWITCH, Job, starts_of_lines, switched

ROOT = Path(__file__).parents[1]

CORE = {
    "pbem/engine": ("tests/test_cases.py", "tests/properties", "tests/friedrich", "tests/test_ways.py"),
    "pbem/games/maria/rules": ("tests/test_cases.py", "tests/properties", "tests/test_invariants_of_politics.py"),
    "pbem/games/friedrich/rules": ("tests/test_cases.py", "tests/friedrich"),
    "pbem/campaign/ledger": ("tests/campaign", "tests/protocol"),
    "pbem/campaign/play": ("tests/campaign", "tests/protocol"),
    "pbem/campaign/proof": ("tests/protocol", "tests/campaign"),
    "pbem/campaign/letters": ("tests/campaign", "tests/cli"),
    "pbem/campaign/clock": ("tests/campaign",),
    "pbem/paper": ("tests/paper", "tests/test_cases.py"),
    "pbem/seal": ("tests/seal", "tests/protocol"),
}
"""The folders of the core, each with the tests that notice most of what is wrong there."""

SWAPPED = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""By operator: how it is written, and what takes its place."""


class Change(Struct, frozen=True):
    """One change of one file, from one place to another of its bytes."""

    path: str
    line: int
    column: int
    begin: int
    end: int
    new: str
    told: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}:{self.column}: {self.told}"

    def applied(self, source: bytes) -> bytes:
        """Return the file with the change in it."""
        return source[: self.begin] + self.new.encode() + source[self.end :]


def changes(path: str, source: bytes) -> Iterator[Change]:
    """Yield every change that is tried in a file: operators, numbers, yes and no, steps left out."""
    starts = starts_of_lines(source)

    def place(line: int, column: int) -> int:
        return starts[line - 1] + column

    def change(begin: int, end: int, new: str, told: str) -> Change:
        line = bisect(starts, begin)
        return Change(path, line, begin - starts[line - 1] + 1, begin, end, new, told)

    def between(before: ast.expr, behind: ast.expr, kind: type[ast.AST]) -> Iterator[Change]:
        old, new = SWAPPED[kind]
        begin, end = place(before.end_lineno or 0, before.end_col_offset or 0), place(behind.lineno, behind.col_offset)
        at = source.find(old.encode(), begin, end)
        if at >= 0:
            yield change(at, at + len(old), new, f"{old} → {new}")

    def whole(node: ast.expr | ast.stmt, new: str) -> Change:
        begin = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or 0, node.end_col_offset or 0)
        old = b" ".join(source[begin:end].split()).decode()
        return change(begin, end, new, f"{old[:60]} → {new}")

    for node in decisive(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPPED:
                yield from between(left, right, type(op))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                yield from between(left, right, type(op))
            case ast.BoolOp(op=op, values=[first, second, *_]):
                yield from between(first, second, type(op))
            case ast.UnaryOp(op=ast.Not()):
                begin = place(node.lineno, node.col_offset)
                yield change(begin, begin + len("not "), "", f"{ast.unparse(node)[:60]} without its `not`")
            case ast.Constant(value=bool() as value):
                yield whole(node, str(not value))
            case ast.Constant(value=int() as value):
                yield whole(node, str(value + 1))
            case ast.Expr(value=ast.Call()):
                yield whole(node, "pass")
            case ast.Continue():
                yield whole(node, "break")


def decisive(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes of a module that do something: no types, no defaults, nothing for checkers alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name in (
                "annotation",
                "returns",
                "bases",
                "decorator_list",
                "type_params",
                "msg",
                "defaults",
                "kw_defaults",
            ):
                continue
            # `zip(…, strict=True)`: rows of one length make no difference of it.
            if isinstance(node, ast.keyword) and node.arg == "strict":
                continue
            if isinstance(node, ast.ClassDef) and name == "keywords":
                continue
            if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
                continue
            if isinstance(node, ast.Module | ast.ClassDef) and name == "body":
                value = [each for each in value if isinstance(each, ast.FunctionDef | ast.ClassDef)]
            waiting += [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, ast.AST)]


@cache
def everything() -> list[tuple[Change, tuple[str, ...]]]:
    """Return every change of the core, each with the tests that run first."""
    return [
        (change, first)
        for folder, first in CORE.items()
        for path in sorted((ROOT / folder).rglob("*.py"))
        for change in changes(path.relative_to(ROOT).as_posix(), path.read_bytes())
    ]


def drawn(count: int, seed: int) -> list[tuple[Change, tuple[str, ...]]]:
    """Return so many changes drawn by lot."""
    return Random(seed).sample(everything(), min(count, len(everything())))


def main() -> int:
    """Try the changes that are drawn, and say what became of each; the exit code is 1 if any survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="how many changes are tried")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="each seed draws so many")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of the changes that are tried, of those drawn")
    parser.add_argument("--quick", action="store_true", help="leave slow tests out")
    parser.add_argument(
        "--reached", action="store_true", help="leave tests out that do not come to the place of a change"
    )
    parser.add_argument("--seconds", type=float, default=1e6, help="most that the tests of one change may compute")
    parser.add_argument("--list", action="store_true", dest="listed", help="only print what would be tried")
    options, tests = parser.parse_known_args()
    all_drawn = (each for seed in options.seed for each in drawn(options.count, seed))
    tried = {n: each for n, each in enumerate(all_drawn, 1) if options.only is None or n in options.only}
    jobs = [
        Job(number, f"{number:3} {change}", first, not options.reached, options.seconds)
        for number, (change, first) in tried.items()
    ]
    if options.listed:
        print(*(job.told for job in jobs), sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-") as folder:
        copy, asked = Path(folder) / "project", Path(folder) / "jobs"
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        for name in tracked.decode().split("\0")[:-1]:
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
        (copy / "pbem/switch.py").write_text(SWITCH, "utf-8")
        for path in {change.path for change, _ in tried.values()}:
            source = (ROOT / path).read_bytes()
            there = {number: change for number, (change, _) in tried.items() if change.path == path}
            changed = {number: change.applied(source) for number, change in there.items()}
            text = switched(source, changed, {number: change.begin for number, change in there.items()})
            (copy / path).write_text(text, "utf-8")
        asked.write_bytes(msgspec.json.encode(jobs))
        command = [sys.executable, "-m", "pytest", "-q", "-s", "-n", "0", "-p", "no:cacheprovider", "--no-header"]
        command += ["-p", "tests.switching", "-o", "timeout=900", "--basetemp", f"{folder}/tests"]
        command += ["--quick" if options.quick else "--all", *tests]
        environment = {**os.environ, "PYTHONPATH": str(copy), JOBS: str(asked)}
        return subprocess.run(command, cwd=copy, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


if __name__ == "__main__":
    raise SystemExit(main())
