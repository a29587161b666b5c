"""The templates of one language and one game, and how their text is laid out; every word stands in a template.

A game's own templates stand in a folder with its name, among those that all games share.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from pbem.paper.lexicon import SUIT_SIGNS
from pbem.report import naming
from pbem.resources import resource

WIDTH = 72
"""The longest line of a text, so that mail programs leave it alone."""


NO_BREAK = "\u00a0"
"""A blank at which no line ends; plain text has an ordinary one in its place."""


def languages() -> list[str]:
    """The languages there are templates for."""
    return sorted(folder.name for folder in resource("templates").iterdir() if folder.is_dir())


@lru_cache(maxsize=8)
def environment(language: str, game: str) -> Environment:
    """The templates of a language for a game; a name that a template misspells is an error."""
    folder = resource("templates") / language
    if language not in languages():
        raise LookupError(f"there are no templates in {language!r}; there are {', '.join(languages())}")
    found = Environment(
        loader=FileSystemLoader([folder / game, folder]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - plain text, not HTML
    )
    found.filters |= {"signed": signed, "capital": capital, "wrapped": wrapped, "squeezed": squeezed, "padded": padded}
    found.globals |= {
        "player_name": naming.player,
        "power_name": naming.power,
        "suits": SUIT_SIGNS,
        "no_break": NO_BREAK,
    }
    return found


@lru_cache(maxsize=32)
def template(language: str, game: str, name: str) -> Template:
    """One template of a language, as a game has it."""
    return environment(language, game).get_template(name)


def has_macro(language: str, game: str, names: Sequence[str], kind: str) -> bool:
    """Whether one of these templates has a macro for this kind of thing."""
    return any(hasattr(template(language, game, name).module, kind) for name in names)


def macro(language: str, game: str, names: Sequence[str], kind: str, data: dict[str, Any]) -> str:
    """What the macro for one kind of thing says, as one line that begins with a capital.

    The first of these templates that has the macro says it.
    """
    modules = [template(language, game, name).module for name in names]
    say = next(getattr(module, kind) for module in modules if hasattr(module, kind))
    return capital(squeezed(str(say(data))))


def signed(number: int) -> str:
    """A score as a player reads it: `+2`, `−3`, `0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def squeezed(text: str) -> str:
    """The words of a text on one line, blanks at which no line ends being kept."""
    return re.sub(r"[ \n]+", " ", text).strip()


def wrapped(text: str, indent: int = 0, hang: int = 2) -> str:
    """A paragraph in lines of at most WIDTH, the first indented, the others by so much more."""
    lines = textwrap.fill(
        text,
        WIDTH,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_on_hyphens=False,
    )
    return lines.replace(NO_BREAK, " ")


def fitted(text: str) -> str:
    """A text whose long lines are broken, what follows standing a little to the right."""
    lines = []
    for line in text.splitlines():
        if len(line) > WIDTH:
            indent = len(line) - len(line.lstrip())
            line = wrapped(line.lstrip(), indent)
        lines.append(line.rstrip().replace(NO_BREAK, " "))
    return "\n".join(lines) + "\n"


def padded(text: str, width: int) -> str:
    """The text with blanks up to a width, for a column."""
    return text.ljust(width)


def underlined(title: str, line: str) -> str:
    """A heading with a line under it; a long one is broken."""
    heading = wrapped(title, hang=0)
    return f"{heading}\n{line * max(len(part) for part in heading.splitlines())}"


def joined(blocks: Sequence[str]) -> str:
    """Blocks of lines with an empty line between them, and a line end at the very end."""
    return "\n\n".join(block for block in blocks if block) + "\n"
