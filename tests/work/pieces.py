"""Pieces of work for tests, where processes and clusters find them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from time import sleep


def powers_of(base: int) -> Callable[[int], int]:
    """Raises a number to a power; the later tasks are done sooner."""

    def power(exponent: int) -> int:
        sleep(0.002 * (10 - exponent % 10))
        return base**exponent

    return power


def stumbling(folder: str) -> Callable[[int], int]:
    """Doubles numbers; the first process that is given a 7 is killed over it."""

    def double(number: int) -> int:
        mark = Path(folder, "stumbled")
        if number == 7 and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * number

    return double


def refusing(known: None) -> Callable[[int], int]:
    """Cannot do a 3."""

    def refuse(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        return number

    return refuse


def deadly(known: None) -> Callable[[int], int]:
    """Kills whoever is given a 5."""

    def die(number: int) -> int:
        if number == 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return number

    return die
