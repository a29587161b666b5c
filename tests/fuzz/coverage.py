"""Fuzzing led by coverage, where the package `atheris` is installed: `python -m tests.fuzz.coverage TARGET [options]`.

The options are those of libFuzzer, such as `-max_total_time=600`; a target with trees is changed as text all the same.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .watching import Target


def corpus(target: Target, folder: Path) -> None:
    """The sound files of a target, to begin with."""
    for number, seed in enumerate(target.seeds):
        (folder / f"{number:04d}").write_bytes(seed)


def main() -> None:
    """Fuzz one target until it fails or time is up."""
    atheris = import_module("atheris")
    with atheris.instrument_imports(include=["pbem"]):
        target = import_module("tests.fuzz.targets").target_named(sys.argv[1])
    watched = import_module("tests.fuzz.watching").watched
    with TemporaryDirectory() as folder:
        corpus(target, Path(folder))
        atheris.Setup([sys.argv[0], *sys.argv[2:], folder], lambda data: watched(target, bytes(data)))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
