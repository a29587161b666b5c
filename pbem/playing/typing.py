"""What is typed at the terminal, line by line."""

from __future__ import annotations

import click

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused

QUIT = ("quit", "exit")


class Stopped(Exception):
    """Whoever plays has had enough for today."""


def typed(prompt: str) -> str:
    """The next line; the end of everything is the end of playing."""
    try:
        line = input(prompt).strip().encode(errors="replace").decode()
    except (EOFError, KeyboardInterrupt):
        click.echo()
        raise Stopped from None
    except UnicodeDecodeError:
        raise Refused("", [wrong("E-FILE-UTF8")]) from None
    if line in QUIT:
        raise Stopped
    return line


def numbered(line: str, most: int) -> int:
    """The number of a choice; raises `Refused` if there is no such."""
    if not line.isdecimal() or not 1 <= int(line) <= most:
        raise Refused("", [wrong("E-PLAY-CHOICE", number=line, most=most)])
    return int(line)
