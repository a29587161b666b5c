"""Changes one thing in the core at a time, and tells which changes no test notices: `python -m tests.mutate`.

The core decides a game and proves it: rules, ledger, proof, paper and seal. Places are drawn by lot from a seed. Each
change is made in a copy of the project. The tests of its own room run first, then all others (`--quick` leaves the slow
ones out); a test that runs longer than its limit has noticed it, too. A change that survives needs a case.
"""

from __future__ import annotations

import argparse
import ast
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from msgspec import Struct

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

LIMIT = 900.0
"""Seconds that all tests of one change may take; longer than this they hang."""


class Change(Struct, frozen=True):
    """One change of one file, from one place to another of its bytes."""

    path: str
    line: int
    begin: int
    end: int
    new: str
    told: str

    def applied(self, source: bytes) -> bytes:
        """Return the file with the change in it."""
        return source[: self.begin] + self.new.encode() + source[self.end :]


def changes(path: str, source: bytes) -> Iterator[Change]:
    """Yield every change that is tried in a file: operators, numbers, yes and no, steps left out."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for each in lines:
        starts.append(starts[-1] + len(each))

    def place(line: int, column: int) -> int:
        return starts[line - 1] + column

    def between(before: ast.expr, behind: ast.expr, kind: type[ast.AST]) -> Iterator[Change]:
        old, new = SWAPPED[kind]
        begin, end = place(before.end_lineno or 0, before.end_col_offset or 0), place(behind.lineno, behind.col_offset)
        at = source.find(old.encode(), begin, end)
        if at >= 0:
            yield Change(path, before.end_lineno or 0, at, at + len(old), new, f"{old} → {new}")

    def whole(node: ast.expr | ast.stmt, new: str) -> Change:
        begin = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or 0, node.end_col_offset or 0)
        old = b" ".join(source[begin:end].split()).decode()
        return Change(path, node.lineno, begin, end, new, f"{old[:60]} → {new}")

    for node in decisive(ast.parse(source)):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPPED:
                yield from between(left, right, type(op))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                yield from between(left, right, type(op))
            case ast.BoolOp(op=op, values=[first, second, *_]):
                yield from between(first, second, type(op))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                begin, end = place(node.lineno, node.col_offset), place(operand.lineno, operand.col_offset)
                yield Change(path, node.lineno, begin, end, "", f"{ast.unparse(node)[:60]} without its `not`")
            case ast.Constant(value=bool() as value):
                yield whole(node, str(not value))
            case ast.Constant(value=int() as value):
                yield whole(node, str(value + 1))
            case ast.Expr(value=ast.Call()):
                yield whole(node, "pass")
            case ast.Continue():
                yield whole(node, "break")


def decisive(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes of a module that do something: no types, no defaults of fields, nothing for checkers alone."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "bases", "decorator_list", "type_params", "msg"):
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


def noticed_by(copy: Path, first: tuple[str, ...], quick: bool) -> str:
    """Return the test that fails first in a copy of the project; nothing if all pass."""
    rest = ["--quick"] if quick else []
    for wanted in ([*rest, *first], rest):
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--no-header", *wanted]
        try:
            done = subprocess.run(command, cwd=copy, capture_output=True, text=True, timeout=LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return "hangs"
        if done.returncode:
            failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
            return failed[0].split(" - ")[0].partition(" ")[2] if failed else f"pytest ends with {done.returncode}"
    return ""


def main() -> int:
    """Try the changes that are drawn, and say what became of each; the exit code is 1 if any survives."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=60, help="how many changes are tried")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="leave slow tests out that are of another room")
    parser.add_argument("--list", action="store_true", dest="listed", help="only print what would be tried")
    options = parser.parse_args()
    survived, begun = [], time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="pbem-mutants-") as folder:
        copy = Path(folder) / "project"
        if not options.listed:
            tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
            for name in tracked.decode().split("\0")[:-1]:
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, copy / name)
        for number, (change, first) in enumerate(drawn(options.count, options.seed), 1):
            where = f"{number:3} {change.path}:{change.line}: {change.told}"
            if options.listed:
                print(where)
                continue
            target = copy / change.path
            sound = target.read_bytes()
            target.write_bytes(change.applied(sound))
            try:
                by = noticed_by(copy, first, options.quick)
            finally:
                target.write_bytes(sound)
            if not by:
                survived.append(where)
            print(f"{where}: {by or 'SURVIVES'}", flush=True)
    if not options.listed:
        seconds = time.perf_counter() - begun
        print(f"{options.count} changes, {len(survived)} survive, {seconds:.0f} s", *survived, sep="\n")
    return 1 if survived else 0


if __name__ == "__main__":
    raise SystemExit(main())
