"""The program as a process: `pbem`, and `python -m pbem`."""

from __future__ import annotations

import atexit
import gc

SELDOM = (40_000, 20, 50)
"""Thresholds of garbage collection; high, because a command needs nearly all its values to its end."""


def run() -> None:
    """One command. At its end all goes at once, and nothing is looked for."""
    gc.set_threshold(*SELDOM)
    atexit.register(gc.freeze)
    from pbem.cli import main

    main(prog_name="pbem")


if __name__ == "__main__":
    run()
