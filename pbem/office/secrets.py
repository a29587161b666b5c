"""Passwords, tokens and passphrases: a command of the user's tells them; they stand in no file and no log of ours."""

from __future__ import annotations

import shlex
import subprocess

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused

PATIENCE = 120
"""So many seconds a command has."""


def told_by(command: str, what: str) -> str:
    """The secret that a command prints on its first line."""
    try:
        words = shlex.split(command)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, timeout=PATIENCE, check=False)  # noqa: S603
    except (OSError, ValueError, IndexError, subprocess.TimeoutExpired) as error:
        raise untold(command, what, type(error).__name__) from None
    secret = done.stdout.decode("utf-8", "replace").partition("\n")[0].rstrip("\r")
    if done.returncode or not secret:
        raise untold(command, what, f"{done.returncode}")
    return secret


def untold(command: str, what: str, why: str) -> Refused:
    """That there is no secret; of the command its program is told, for more might be secret, too."""
    program = command.split()[0] if command.split() else "-"
    return Refused(what, [wrong("E-OFFICE-COMMAND", command=program, why=why)])
