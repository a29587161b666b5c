"""The program as a process: `pbem`, and `python -m pbem`."""

from __future__ import annotations

import atexit
import gc

SELDOM = (40_000, 20, 50)
"""Thresholds of Python's garbage collection. They are high because a command needs nearly all its values until its
end."""


def run() -> None:
    """Run one command. At its end the process exits without a last garbage collection."""
    gc.set_threshold(*SELDOM)
    atexit.register(gc.freeze)
    from pbem.cli import main

    main(prog_name="pbem")


if __name__ == "__main__":
    run()
