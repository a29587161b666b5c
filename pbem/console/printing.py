"""Printing of lines, blocks, JSON and faults."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pbem.console.language import language_wanted
from pbem.faults.wrong import Gap, Wrong, printable, words

if TYPE_CHECKING:
    from pbem.report.blocks import Block


def print_json(value: object) -> None:
    """Print a value as JSON. Characters that the output's encoding lacks are escaped."""
    is_unicode = (sys.stdout.encoding or "utf-8").casefold().startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not is_unicode, indent=2))


LEAST_ROOM = 30
"""Smallest width, in characters, to which lines are broken, even on a narrower terminal."""


def on_terminal() -> bool:
    """Return whether the output goes to a terminal."""
    return sys.stdout.isatty()


def say(text: str, err: bool = False) -> None:
    """Print a line; with `err`, to the error output. On a narrow terminal, the line is broken between words and then
    indented."""
    stream = sys.stderr if err else sys.stdout
    if stream.isatty():
        room = max(shutil.get_terminal_size().columns, LEAST_ROOM)
        text = textwrap.fill(text, room, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    click.echo(text, err=err)


def say_words(key: str, /, err: bool = False, **gaps: Gap) -> None:
    """Print a sentence of the wordings as a line; with `err`, to the error output."""
    say(words(key, **gaps).text(language_wanted()), err)


def tell(blocks: Sequence[Block], gap: bool = True) -> None:
    """Print blocks: laid out on a terminal, else as plain text. With `gap`, an empty line follows."""
    if on_terminal():
        from pbem.console.terminal import show_blocks

        show_blocks(blocks)
        click.echo(nl=gap)
    else:
        from pbem.report.formats.pages import text

        click.echo(text(blocks), nl=gap)


def warn(fault: Wrong) -> None:
    say(fault.sentence(language_wanted()), err=True)


def show_text(text: str) -> None:
    """Print another person's text. On a terminal, dangerous control characters are removed."""
    click.echo("\n".join(map(printable, text.split("\n"))) if on_terminal() else text, nl=False)
