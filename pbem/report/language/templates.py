"""Templates of one language and one game, and the layout of their text.

All words of a report stand in templates. The templates of a game are in a folder with the game's name.
"""

from __future__ import annotations

import marshal
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
from jinja2.runtime import Context, Macro
from msgspec import Struct

from pbem.cache import fetch, name_of, store
from pbem.faults.nouns import SIGN_OF_SUIT, nouns, piece_noun, power_noun, stage_noun, turn_noun
from pbem.faults.wrong import ENGLISH, row, rows, told_kind
from pbem.paper.by_hand import BY_HAND, lines_by_hand
from pbem.paper.lexicon import SUIT_SIGNS
from pbem.report import blocks
from pbem.report.blocks import CELL, THEIRS, plain_words
from pbem.report.language.own_limits import GuardedSandbox
from pbem.resources import resource, templates_of

WIDTH = 72
"""Number of characters on the longest line that mail programs do not wrap."""


NO_BREAK = "\u00a0"
"""Non-breaking space. In finished plain text an ordinary space takes its place."""


FALLBACK = "en"
"""Language that is used for a game without templates in the reader's language."""
WORDS = "words.txt.j2"
"""Name of a template that every language has. A folder with this template counts as a language."""
SHARED = "shared"
"""Folder of templates that all languages share. They have the layout; their words come from templates of the
language."""
COMMON = {
    "say": WORDS,
    "called": "names.txt.j2",
    "its": "game.txt.j2",
    "of": "campaign_words.txt.j2",
    "of_cards": "titles.txt.j2",
    "of_fate": "fate.txt.j2",
    "of_politics": "politics.txt.j2",
}
"""Templates that every template of a language may use without importing them, each under the name by which it is
used."""


class OwnTemplates(Struct, frozen=True):
    """Own templates of a campaign, as one letter uses them."""

    folder: Path
    letter: int
    """Number of the letter. Each letter loads the templates anew, so that nothing which a template has stored reaches
    the reader of another letter."""


_OWN: ContextVar[OwnTemplates | None] = ContextVar("own templates", default=None)
_LETTERS = count()


@contextmanager
def own_templates(folder: Path | None) -> Iterator[None]:
    """Return a context in which templates in `folder`, if any, replace the program's. They reach nothing but their
    data."""
    token = _OWN.set(OwnTemplates(folder, next(_LETTERS)) if folder else None)
    try:
        yield
    finally:
        _OWN.reset(token)


def begin_letter() -> None:
    """Begin another letter, perhaps for another reader. The campaign's own templates are loaded anew, so that they keep
    no values of the letter before."""
    if found := current_templates():
        _OWN.set(OwnTemplates(found.folder, next(_LETTERS)))


def current_templates() -> OwnTemplates | None:
    """Return the own templates now in use; None if the campaign has none."""
    return _OWN.get()


@cache
def languages() -> tuple[str, ...]:
    folders = (folder for folder in resource("templates").iterdir() if (folder / WORDS).is_file())
    return tuple(sorted(folder.name for folder in folders))


def template(language: str, game: str, name: str) -> Template:
    return language_environment(language, game, current_templates()).get_template(name)


@lru_cache(maxsize=8)
def language_environment(language: str, game: str, own: OwnTemplates | None) -> Environment:
    """Return the environment with a language's templates for a game. Raises `LookupError` for a language without
    templates."""
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
        "one_of": one_of,
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
        "UNFILLED": BY_HAND["vote"].blank,
        "UNFILLED_DAYS": BY_HAND["time"].blank,
        "UNFILLED_ORDERS": BY_HAND["orders"].blank,
        "by_hand": lines_by_hand,
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
    """A template as an object with its macros and tables, loaded at first use."""

    def __init__(self, environment: Environment, name: str) -> None:
        self._environment, self._name = environment, name

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._environment.get_template(self._name).module, name)
        setattr(self, name, found)
        return found


def conduct_words(conduct: Mapping[str, str], language: str) -> list[str]:
    """Return a sentence on each option of `conduct` that has a wording."""
    keys = (f"conduct-{name}.{value}".replace(" ", "-") for name, value in conduct.items())
    return [row(key, language).says for key in keys if key in rows(ENGLISH)]


def replaced_folder(folder: str) -> Path:
    """Return the program's or game's folder of templates that a campaign's folder of this name replaces."""
    language, _, game = folder.partition("/")
    return templates_of(game, language) if game else resource("templates") / folder


class DirectContext(Context):
    """Context that calls macros at once, faster than Jinja's own."""

    def call(self, called: Callable[..., object], /, *args: object, **named: object) -> object:
        if type(called) is not Macro:
            return super().call(called, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(self.eval_ctx, *args, **named)


class QuickEnvironment(Environment):
    """Environment of the program's own templates."""

    context_class = DirectContext


def environment(folders: Sequence[str], own: OwnTemplates | None, autoescape: bool = False) -> Environment:
    """Return an environment with the templates in these folders; a campaign's own come first, in a sandbox.

    A misspelt name in a template is an error. With `autoescape`, values are escaped for HTML.
    """
    roots = [*(own.folder / name for name in folders if own), *map(replaced_folder, folders)]
    kind = GuardedSandbox if own else QuickEnvironment
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
    """Cache of compiled templates, without data of letters.

    The program's own are also stored for the next command, and read by `marshal` from the user's own folder only.
    """

    MOST = 1000
    """Greatest number of templates in the cache. A year of a campaign needs fewer, even if its own templates change
    every day."""

    def __init__(self, lasting: str) -> None:
        """Begin with an empty cache. Unless `lasting` is empty, templates are also stored on disk, under names that
        depend on `lasting`."""
        self.kept: dict[tuple[str, str], CodeType] = {}
        self.lasting = lasting

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.kept.get((bucket.key, bucket.checksum))
        if bucket.code is None and self.lasting and (data := fetch(self.name_of(bucket))):
            with suppress(ValueError, EOFError, TypeError):
                bucket.code = marshal.loads(data)  # noqa: S302 - nobody else can write there
                self.keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store a template's compiled code; unless `lasting` is empty, for later commands too."""
        self.keep(bucket)
        if self.lasting:
            store(self.name_of(bucket), marshal.dumps(bucket.code))

    def keep(self, bucket: Bucket) -> None:
        """Store a template's compiled code for this command only. A full cache is emptied first."""
        if len(self.kept) >= self.MOST:
            self.kept.clear()
        if bucket.code is not None:
            self.kept[bucket.key, bucket.checksum] = bucket.code

    def name_of(self, bucket: Bucket) -> str:
        return name_of("template", f"{self.lasting} {bucket.key} {bucket.checksum}".encode())


@lru_cache
def _compiled(kind: type[Environment], autoescape: bool) -> CompiledTemplates:
    """Return the cache for one kind of environment. Code for later commands also depends on the versions of Jinja and
    Python."""
    return CompiledTemplates("" if kind is GuardedSandbox else f"{autoescape} {version_of_jinja()} {sys.version}")


def version_of_jinja() -> str:
    # A look-up in the installation is slow.
    if said := getattr(jinja2, "__version__", ""):
        return str(said)
    from importlib.metadata import version

    return version("jinja2")


TemplateData: TypeAlias = dict[str, Any]
"""Data of a letter as in docs/reports.md, both for templates and for programs that read JSON."""

Macros: TypeAlias = Any
"""Macros and tables of one template, as attributes. Their names and types are known to the template only."""


def macros_of(language: str, game: str, name: str) -> Macros:
    return template(language, game, name).module


def macro(language: str, game: str, names: Sequence[str], kind: str, data: dict[str, object]) -> str:
    """Return the text that the macro `kind` makes of the data, on one line. The first template of `names` with this
    macro is used. Raises `TemplateRuntimeError` if none has it."""
    modules = [macros_of(language, game, name) for name in names]
    say = next((getattr(module, kind) for module in modules if hasattr(module, kind)), None)
    if say is None:
        raise TemplateRuntimeError(f"no template has a macro {kind}")
    return capital(squeeze(str(say(data))))


def with_sign(number: int) -> str:
    """Return a score with its sign: `+2`, `−3`, `0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def capital(text: str) -> str:
    """Return a text with a capital as its first letter. The mark for words of people (`THEIRS`) at its beginning is
    skipped."""
    start = len(text) - len(text.lstrip(THEIRS))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def squeeze(text: str) -> str:
    """Return a text on one line. Its non-breaking spaces stay."""
    return re.sub(r"[ \n]+", " ", text).strip()


def first_few(names: Sequence[object], most: int) -> str:
    """Return the first `most` names with commas, and an ellipsis for the rest."""
    return ", ".join(map(str, [*names[:most], *(["…"] if len(names) > most else [])]))


def say_each(names: Iterable[object], say: Macro, *more: object) -> list[str]:
    """Return the text that a macro makes of each name. Raises `TemplateRuntimeError` for anything but a macro."""
    # No sandbox watches this call.
    if not isinstance(say, Macro):
        raise TemplateRuntimeError("`each` needs a macro")
    return [squeeze(say(name, *more)) for name in names]


def with_numbers(numbers: Mapping[str, int], say: Macro | None = None) -> list[str]:
    """Return each name with its number behind it. The macro `say`, if given, says the names."""
    names = say_each(numbers, say) if say else numbers
    return [
        f"{name}{NO_BREAK}{f'−{-number}' if number < 0 else number}"
        for name, number in zip(names, numbers.values(), strict=True)
    ]


def with_room(asked: Mapping[str, Any]) -> list[str]:
    """Return the generals on the map who can get more troops, each with the number for which he has room."""
    return with_numbers(
        {name: number for name, number in asked["room"].items() if number and name not in asked["entries"]}
    )


def suits_first(cards: Iterable[str], say: Macro, reserves: str) -> list[str]:
    """Return cards as a macro says them. Reserves come last; several Reserves become their number and the word
    `reserves`."""
    suited, others = ([card for card in cards if (card[0] == "R") == is_last] for is_last in (False, True))
    return say_each(suited, say) + (
        say_each(others, say) if len(others) == 1 else [f"{len(others)} {reserves}"] if others else []
    )


def one_of(cards: Iterable[str], say: Macro, reserve: str) -> list[str]:
    """Return cards of which a player chooses one, as a macro says them, each name once. All Reserves together are the
    last item, `reserve`."""
    suited, others = ([card for card in cards if (card[0] == "R") == is_last] for is_last in (False, True))
    return list(dict.fromkeys(say_each(suited, say))) + ([reserve] if others else [])


def wrap_paragraph(text: str, indent: int = 0, hang: int = 2) -> str:
    """Break a paragraph into lines of at most `WIDTH` characters. The first line is indented by `indent`, the others by
    `hang` more."""
    lines = textwrap.fill(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang), break_on_hyphens=False
    )
    return lines.replace(NO_BREAK, " ")


def with_gaps(blocks: Sequence[str]) -> str:
    """Join pieces of text with empty lines between them, and end the last line. Empty pieces are left out."""
    return "\n\n".join(block for block in blocks if block) + "\n"


class GameNames(Struct, frozen=True):
    """Names of a game's stages, powers and players in one language."""

    language: str
    game: str

    def stage(self, written: str) -> str:
        """Return the name of the stage that letters write as `6/hussars`."""
        return squeeze(macros_of(self.language, self.game, "stages.txt.j2").named(written))

    def powers(self, keys: tuple[str, ...]) -> str:
        """Return the names of powers as a list in a sentence."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").powers(keys))

    def player(self, seat: str) -> str:
        """Return the name that a seat's player has in the game, such as `Maria Theresa`."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").player(seat))
