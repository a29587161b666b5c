"""Templates of one language and one game, and the layout of their text. All words of a report stand in templates.

A game's own templates stand in a folder with its name, beside those that all games share.
"""

from __future__ import annotations

import marshal
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache, partial
from itertools import count
from pathlib import Path
from types import CodeType
from typing import Any, TypeAlias

import jinja2
from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined, Template, TemplateRuntimeError
from jinja2.bccache import Bucket
from jinja2.runtime import Macro
from msgspec import Struct

from pbem.cache import fetch, name_of, store
from pbem.faults.nouns import SIGN_OF_SUIT, nouns, piece_noun, power_noun, stage_noun, turn_noun
from pbem.faults.wrong import ENGLISH, row, rows, told_kind
from pbem.paper.lexicon import SUIT_SIGNS
from pbem.report import blocks
from pbem.report.blocks import CELL, THEIRS, plain_words
from pbem.report.language.own_limits import GuardedSandbox
from pbem.resources import resource, templates_of

WIDTH = 72
"""Longest line of a text that mail programs do not wrap."""


NO_BREAK = "\u00a0"
"""Space that never ends a line; plain text has an ordinary space in its place."""


FALLBACK = "en"
"""Language of a game that has no templates in the wanted language."""
WORDS = "words.txt.j2"
"""Template that every language has."""
SHARED = "shared"
"""Folder of the layout common to all languages; its words come from the language's own files."""
COMMON = {
    "say": WORDS,
    "called": "names.txt.j2",
    "its": "game.txt.j2",
    "of": "campaign_words.txt.j2",
    "of_cards": "titles.txt.j2",
    "of_fate": "fate.txt.j2",
    "of_politics": "politics.txt.j2",
}
"""Templates that every template of a language may use without importing them, by their names there."""


class OwnTemplates(Struct, frozen=True):
    """Own templates of a campaign, as one letter uses them."""

    folder: Path
    letter: int
    """Number of the letter: values that a template has stored must not reach the reader of the next letter."""


_OWN: ContextVar[OwnTemplates | None] = ContextVar("own templates", default=None)
_LETTERS = count()


@contextmanager
def own_templates(folder: Path | None) -> Iterator[None]:
    """Put the templates of a campaign's own folder before those of the program, file by file.

    They are foreign code: they may say anything, but reach nothing besides the data passed to them.
    """
    token = _OWN.set(OwnTemplates(folder, next(_LETTERS)) if folder else None)
    try:
        yield
    finally:
        _OWN.reset(token)


def begin_letter() -> None:
    """Start another letter, perhaps for another reader: own templates are loaded anew, without stored values."""
    if found := current_templates():
        _OWN.set(OwnTemplates(found.folder, next(_LETTERS)))


def current_templates() -> OwnTemplates | None:
    """Own templates of the campaign in this context; None if it has none."""
    return _OWN.get()


@cache
def languages() -> tuple[str, ...]:
    folders = (folder for folder in resource("templates").iterdir() if (folder / WORDS).is_file())
    return tuple(sorted(folder.name for folder in folders))


def template(language: str, game: str, name: str) -> Template:
    return language_environment(language, game, current_templates()).get_template(name)


@lru_cache(maxsize=8)
def language_environment(language: str, game: str, own: OwnTemplates | None) -> Environment:
    """Templates of a language for a game; raises LookupError for a language without templates."""
    if language not in languages():
        raise LookupError(f"there are no templates in {language!r}; there are {', '.join(languages())}")
    # `own` is part of the cache key and has the letter in it, so no environment of own templates serves two letters.
    spoken = language if not game or templates_of(game, language).is_dir() else FALLBACK
    found = environment([each for place in (spoken, SHARED) for each in (f"{place}/{game}", place)], own)
    found.filters |= {
        "signed": with_sign,
        "capital": capital,
        "squeezed": squeeze,
        "theirs": plain_words,
        "by_name": blocks.alphabetical,
        "each": say_each,
        "numbered": with_numbers,
        "with_room": with_room,
        "few": first_few,
        "suits_first": suits_first,
        "turn_noun": partial(turn_noun, language=spoken),
    }
    found.globals |= {
        "player_name": blocks.player,
        "power_name": blocks.power,
        "suits": SUIT_SIGNS,
        "no_break": NO_BREAK,
        "cell": CELL,
        "nouns": nouns(spoken),
        "suit_signs": SIGN_OF_SUIT,
        "power_noun": partial(power_noun, language=spoken),
        "piece_noun": partial(piece_noun, language=spoken),
        "stage_noun": partial(stage_noun, language=spoken),
        "letter_name": partial(told_kind, form="", language=spoken),
        "conduct_words": partial(conduct_words, language=spoken),
        "turn_noun": partial(turn_noun, language=spoken),
        **{called: ImportedTemplate(found, name) for called, name in COMMON.items()},
    }
    return found


class ImportedTemplate:
    """Macros and tables of a template, which is loaded when one of them is first used."""

    def __init__(self, environment: Environment, name: str) -> None:
        self._environment, self._name = environment, name

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._environment.get_template(self._name).module, name)
        setattr(self, name, found)
        return found


def conduct_words(conduct: Mapping[str, str], language: str) -> list[str]:
    """Sentences on the options of `conduct`. A value without a wording has no sentence."""
    keys = (f"conduct-{name}.{value}".replace(" ", "-") for name, value in conduct.items())
    return [row(key, language).says for key in keys if key in rows(ENGLISH)]


def replaced_folder(folder: str) -> Path:
    """Folder of the program or of a game whose templates are replaced by own templates in a folder of this name."""
    language, _, game = folder.partition("/")
    return templates_of(game, language) if game else resource("templates") / folder


def environment(folders: Sequence[str], own: OwnTemplates | None, autoescape: bool = False) -> Environment:
    """Environment of templates in some folders, those of a campaign first. Misspelt names in templates are errors."""
    roots = [*(own.folder / name for name in folders if own), *map(replaced_folder, folders)]
    kind = GuardedSandbox if own else Environment
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


class CompiledTemplates(BytecodeCache):
    """Cache of compiled templates by their text, because many letters use the same templates. It holds no data of
    letters.

    Code of the program's own templates is also stored for the next command and read by `marshal`, from the user's own
    folder only.
    """

    MOST = 1000
    """Most templates; a year of a campaign whose own templates change every day needs fewer."""

    def __init__(self, lasting: str) -> None:
        """Start empty. `lasting` names the environment in stored code; if it is empty, no code is stored for later
        commands."""
        self.kept: dict[tuple[str, str], CodeType] = {}
        self.lasting = lasting

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load the code of this text, if it is known."""
        bucket.code = self.kept.get((bucket.key, bucket.checksum))
        if bucket.code is None and self.lasting and (data := fetch(self.name_of(bucket))):
            with suppress(ValueError, EOFError, TypeError):
                bucket.code = marshal.loads(data)  # noqa: S302 - nobody else can write there
                self.keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the code of this text."""
        self.keep(bucket)
        if self.lasting:
            store(self.name_of(bucket), marshal.dumps(bucket.code))

    def keep(self, bucket: Bucket) -> None:
        """Store the code of this text for this command."""
        if len(self.kept) >= self.MOST:
            self.kept.clear()
        if bucket.code is not None:
            self.kept[bucket.key, bucket.checksum] = bucket.code

    def name_of(self, bucket: Bucket) -> str:
        return name_of("template", f"{self.lasting} {bucket.key} {bucket.checksum}".encode())


@lru_cache
def _compiled(kind: type[Environment], autoescape: bool) -> CompiledTemplates:
    """Cache for one kind of environment. Compiled code also depends on the versions of Jinja and Python."""
    return CompiledTemplates("" if kind is GuardedSandbox else f"{autoescape} {version_of_jinja()} {sys.version}")


def version_of_jinja() -> str:
    """Version of Jinja: from the package itself if it tells it, since a look-up in the installation is slow."""
    if said := getattr(jinja2, "__version__", ""):
        return str(said)
    from importlib.metadata import version

    return version("jinja2")


TemplateData: TypeAlias = dict[str, Any]
"""Data of a letter as in docs/reports.md: for templates, and for programs as JSON."""

Macros: TypeAlias = Any
"""Macros and tables of words of a template; only the template knows which."""


def macros_of(language: str, game: str, name: str) -> Macros:
    return template(language, game, name).module


def macro(language: str, game: str, names: Sequence[str], kind: str, data: dict[str, object]) -> str:
    """Text of the macro with the name `kind`, as one line that begins with a capital.

    The first of these templates that has the macro is used.
    """
    modules = [macros_of(language, game, name) for name in names]
    say = next((getattr(module, kind) for module in modules if hasattr(module, kind)), None)
    if say is None:
        raise TemplateRuntimeError(f"no template has a macro {kind}")
    return capital(squeeze(str(say(data))))


def with_sign(number: int) -> str:
    """Score as a player reads it: `+2`, `−3`, `0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def capital(text: str) -> str:
    """Text with a capital first letter, after any marks of foreign text."""
    start = len(text) - len(text.lstrip(THEIRS))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def squeeze(text: str) -> str:
    """Text on one line; spaces that never end a line are kept."""
    return re.sub(r"[ \n]+", " ", text).strip()


def first_few(names: Sequence[object], most: int) -> str:
    """The first names of a list with commas, and a sign if there are more."""
    return ", ".join(map(str, [*names[:most], *(["…"] if len(names) > most else [])]))


def say_each(names: Iterable[object], say: Macro, *more: object) -> list[str]:
    """Text of a macro for each of some names. Only macros are called, because no sandbox watches this call."""
    if not isinstance(say, Macro):
        raise TemplateRuntimeError("`each` needs a macro")
    return [squeeze(say(name, *more)) for name in names]


def with_numbers(numbers: Mapping[str, int], say: Macro | None = None) -> list[str]:
    """Names with their numbers; with a macro, each name as the macro says it."""
    names = say_each(numbers, say) if say else numbers
    return [
        f"{name}{NO_BREAK}{f'−{-number}' if number < 0 else number}"
        for name, number in zip(names, numbers.values(), strict=True)
    ]


def with_room(asked: Mapping[str, Any]) -> list[str]:
    """Generals on the map who have room for troops, with the number of these troops."""
    return with_numbers(
        {name: number for name, number in asked["room"].items() if number and name not in asked["entries"]}
    )


def suits_first(cards: Iterable[str], say: Macro, reserves: str) -> list[str]:
    """Cards as a macro says them, Reserves last. Several Reserves are counted: their number and the word `reserves`."""
    suited, others = ([card for card in cards if (card[0] == "R") == is_last] for is_last in (False, True))
    return say_each(suited, say) + (
        say_each(others, say) if len(others) == 1 else [f"{len(others)} {reserves}"] if others else []
    )


def wrap_paragraph(text: str, indent: int = 0, hang: int = 2) -> str:
    """Paragraph in lines of at most WIDTH, the first indented, the others by `hang` more."""
    lines = textwrap.fill(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang), break_on_hyphens=False
    )
    return lines.replace(NO_BREAK, " ")


def with_gaps(blocks: Sequence[str]) -> str:
    """Blocks of lines with an empty line between them, and a line end at the very end."""
    return "\n\n".join(block for block in blocks if block) + "\n"


class GameNames(Struct, frozen=True):
    """Names of a game's stages, powers and players in a language."""

    language: str
    game: str

    def stage(self, written: str) -> str:
        """Name of a stage that letters call `6/hussars`."""
        return squeeze(macros_of(self.language, self.game, "stages.txt.j2").named(written))

    def powers(self, keys: tuple[str, ...]) -> str:
        """Names of powers as a list in a sentence."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").powers(keys))

    def player(self, seat: str) -> str:
        """Name of a seat's player in the game."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").player(seat))
