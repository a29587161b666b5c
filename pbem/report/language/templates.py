"""The templates of one language and one game, and how their text is laid out; every word stands in a template.

A game's own templates stand in a folder with its name, among those that all games share.
"""

from __future__ import annotations

import marshal
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from itertools import count
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

import jinja2
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Template, TemplateRuntimeError
from jinja2.bccache import Bucket
from msgspec import Struct

from pbem.cache import fetch, name_of, store
from pbem.paper.lexicon import SUIT_SIGNS
from pbem.report import naming
from pbem.report.blocks import CELL, THEIRS, theirs
from pbem.report.language.own_limits import Guarded
from pbem.resources import resource, templates_of

WIDTH = 72
"""The longest line of a text, so that mail programs leave it alone."""


NO_BREAK = "\u00a0"
"""A blank at which no line ends; plain text has an ordinary one in its place."""


FALLBACK = "en"
"""The language in which a game is told that has no templates in the one that is wanted."""
WORDS = "words.txt.j2"
"""What every language has."""
SHARED = "shared"
"""The folder of what is laid out in every language alike; its words come from the language's own files."""


class OwnTemplates(Struct, frozen=True):
    """Templates of a campaign's own."""

    folder: Path
    letter: int
    """For which letter they are read: what a template has kept of one is not there for the next, or its reader."""


_OWN: ContextVar[OwnTemplates | None] = ContextVar("own templates", default=None)
_LETTERS = count()


@contextmanager
def own_templates(folder: Path | None) -> Iterator[None]:
    """Within this, templates of a campaign's own folder stand before those of the program, file by file.

    They come from somebody else: they can say what they like, but reach nothing besides the data that they are given.
    """
    token = _OWN.set(OwnTemplates(folder, next(_LETTERS)) if folder else None)
    try:
        yield
    finally:
        _OWN.reset(token)


def begin_letter() -> None:
    """Another letter begins, perhaps for another reader: own templates are read anew, with empty hands."""
    if found := own():
        _OWN.set(OwnTemplates(found.folder, next(_LETTERS)))


def own() -> OwnTemplates | None:
    """The campaign's own templates, if it has any."""
    return _OWN.get()


@cache
def languages() -> tuple[str, ...]:
    """The languages there are templates for."""
    folders = (folder for folder in resource("templates").iterdir() if (folder / WORDS).is_file())
    return tuple(sorted(folder.name for folder in folders))


def template(language: str, game: str, name: str) -> Template:
    """One template of a language, as a game has it."""
    return words_of(language, game, own()).get_template(name)


@lru_cache(maxsize=8)
def words_of(language: str, game: str, own: OwnTemplates | None) -> Environment:
    """The templates of a language for a game."""
    if language not in languages():
        raise LookupError(f"there are no templates in {language!r}; there are {', '.join(languages())}")
    # Kept by `own`, which has the letter in it: no environment of own templates serves two letters.
    spoken = language if not game or templates_of(game, language).is_dir() else FALLBACK
    found = environment([each for place in (spoken, SHARED) for each in (f"{place}/{game}", place)], own)
    found.filters |= {
        "signed": signed,
        "capital": capital,
        "squeezed": squeezed,
        "theirs": theirs,
        "by_name": naming.alphabetical,
    }
    found.globals |= {
        "player_name": naming.player,
        "power_name": naming.power,
        "suits": SUIT_SIGNS,
        "no_break": NO_BREAK,
        "cell": CELL,
    }
    return found


def place_of(folder: str) -> Path:
    """Where the program or a game has the templates that a campaign's own are instead of, in a folder of this name."""
    language, _, game = folder.partition("/")
    return templates_of(game, language) if game else resource("templates") / folder


def environment(folders: Sequence[str], own: OwnTemplates | None, autoescape: bool = False) -> Environment:
    """Templates of some folders, those of a campaign first; a name that a template misspells is an error."""
    roots = [*(own.folder / name for name in folders if own), *map(place_of, folders)]
    kind = Guarded if own else Environment
    return kind(
        loader=FileSystemLoader(roots),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=autoescape,
        auto_reload=False,
        bytecode_cache=_compiled(kind, autoescape),
    )


class Compiled(BytecodeCache):
    """Code of templates by their text: many letters are written with the same ones. It keeps nothing of their data.

    That of the program's own is kept for the next command too, and read by `marshal`: from the user's own folder alone.
    """

    MOST = 1000
    """How many; a year of a campaign with own templates that are changed every day needs fewer."""

    def __init__(self, lasting: str) -> None:
        """Take by what to tell code from that of other environments where it is kept; nothing if it is not to be."""
        self.kept: dict[tuple[str, str], CodeType] = {}
        self.lasting = lasting

    def load_bytecode(self, bucket: Bucket) -> None:
        """The code of this text, if it is known."""
        bucket.code = self.kept.get((bucket.key, bucket.checksum))
        if bucket.code is None and self.lasting and (data := fetch(self.name_of(bucket))):
            with suppress(ValueError, EOFError, TypeError):
                bucket.code = marshal.loads(data)  # noqa: S302 - nobody else can write there
                self.keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of this text."""
        self.keep(bucket)
        if self.lasting:
            store(self.name_of(bucket), marshal.dumps(bucket.code))

    def keep(self, bucket: Bucket) -> None:
        """Keep the code of this text for this command."""
        if len(self.kept) >= self.MOST:
            self.kept.clear()
        if bucket.code is not None:
            self.kept[bucket.key, bucket.checksum] = bucket.code

    def name_of(self, bucket: Bucket) -> str:
        """Under which name code is kept."""
        return name_of("template", f"{self.lasting} {bucket.key} {bucket.checksum}".encode())


@lru_cache
def _compiled(kind: type[Environment], autoescape: bool) -> Compiled:
    """Code is only good for environments that are set alike, and for one version of Jinja and of Python."""
    return Compiled("" if kind is Guarded else f"{autoescape} {version_of_jinja()} {sys.version}")


def version_of_jinja() -> str:
    """What Jinja itself says, as long as it does: to ask the installation loads all that reads mails."""
    if said := getattr(jinja2, "__version__", ""):
        return str(said)
    from importlib.metadata import version

    return version("jinja2")


TemplateData: TypeAlias = dict[str, Any]
"""What a letter is made of, as docs/reports.md has it: for templates, and for programs as JSON."""

Macros: TypeAlias = Any
"""The macros of a template and its tables of words: which there are, only the template says."""


def macros_of(language: str, game: str, name: str) -> Macros:
    """What a template has for others."""
    return template(language, game, name).module


def macro(language: str, game: str, names: Sequence[str], kind: str, data: dict[str, object]) -> str:
    """What the macro for one kind of thing says, as one line that begins with a capital.

    The first of these templates that has the macro says it.
    """
    modules = [macros_of(language, game, name) for name in names]
    say = next((getattr(module, kind) for module in modules if hasattr(module, kind)), None)
    if say is None:
        raise TemplateRuntimeError(f"no template has a macro {kind}")
    return capital(squeezed(str(say(data))))


def signed(number: int) -> str:
    """A score as a player reads it: `+2`, `−3`, `0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def capital(text: str) -> str:
    """The text with a capital first letter."""
    start = len(text) - len(text.lstrip(THEIRS))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


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


def with_gaps(blocks: Sequence[str]) -> str:
    """Blocks of lines with an empty line between them, and a line end at the very end."""
    return "\n\n".join(block for block in blocks if block) + "\n"
