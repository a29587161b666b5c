"""Starts the program again and again, in a process of its own each time, imported once: `python -m tests.forking`.

Each line that comes in has the words of a command, as JSON; each that goes out how it ended and what it has told.
"""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import print_exc

from pbem.cli import COMMANDS, main


def done(words: list[str], folder: Path) -> tuple[int, str, str]:
    """Result of a command."""
    said = [folder / name for name in ("out", "err")]
    process = os.fork()
    if not process:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for stream, path in zip((1, 2), said, strict=True):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), stream)
        os._exit(run(words))
    _, status = os.waitpid(process, 0)
    return os.waitstatus_to_exitcode(status), *(path.read_text("utf-8") for path in said)  # type: ignore[return-value]


def run(words: list[str]) -> int:
    """Do the command as `python -m pbem` does."""
    code = 1
    try:
        main(words, prog_name="pbem")
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    return code


if __name__ == "__main__":
    for module, _ in COMMANDS.values():
        import_module(module)
    with TemporaryDirectory() as folder:
        for line in sys.stdin:
            print(json.dumps(done(json.loads(line), Path(folder))), flush=True)
