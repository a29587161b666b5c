"""Templates for one language and one game, and the layout of their text.

All words of a report are in templates. Templates of one game are in a folder that has the game's name.
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
from pbem.faults.wrong import ENGLISH, cut, row, rows, told_kind, words
from pbem.paper.by_hand import BY_HAND, SEAT, lines_by_hand
from pbem.paper.lexicon import SUIT_SIGNS
from pbem.report import blocks
from pbem.report.blocks import CELL, THEIRS, plain_words
from pbem.report.language.own_limits import GuardedSandbox
from pbem.resources import resource, templates_of

WIDTH = 72
"""Number of characters on a line. Mail programs do not wrap lines of this length."""


NO_BREAK = "\u00a0"
"""Non-breaking space. When plain text is finished, it is replaced by an ordinary space."""


FALLBACK = "en"
"""Language that is used if a game has no templates in the reader's language."""
WORDS = "words.txt.j2"
"""Name of a template that every language has. A folder that has this template counts as a language."""
SHARED = "shared"
"""Folder of templates that all languages share. They have only the layout; their words come from the templates of a
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
"""Templates that every template of a language can use without an import. The key is the name under which it is used."""


class OwnTemplates(Struct, frozen=True):
    """Own templates of a campaign, for the time of one letter."""

    folder: Path
    letter: int
    """Number of the letter. Templates are loaded anew for each letter. Otherwise a template could store something from
    one letter and show it in a letter to another reader."""


_OWN: ContextVar[OwnTemplates | None] = ContextVar("own templates", default=None)
_LETTERS = count()


@contextmanager
def own_templates(folder: Path | None) -> Iterator[None]:
    """Return a context manager. Inside it, the templates in `folder` replace the program's templates. If `folder` is
    None, nothing is replaced. Templates in `folder` can use only the data that they are given."""
    token = _OWN.set(OwnTemplates(folder, next(_LETTERS)) if folder else None)
    try:
        yield
    finally:
        _OWN.reset(token)


def begin_letter() -> None:
    """Begin a new letter, which may be for another reader. The campaign's own templates are loaded again, so that they
    have stored nothing from the letter before."""
    if found := current_templates():
        _OWN.set(OwnTemplates(found.folder, next(_LETTERS)))


def current_templates() -> OwnTemplates | None:
    """Return the own templates that are in use now. Return None if the campaign has none."""
    return _OWN.get()


@cache
def languages() -> tuple[str, ...]:
    folders = (folder for folder in resource("templates").iterdir() if (folder / WORDS).is_file())
    return tuple(sorted(folder.name for folder in folders))


def template(language: str, game: str, name: str) -> Template:
    return language_environment(language, game, current_templates()).get_template(name)


@lru_cache(maxsize=8)
def language_environment(language: str, game: str, own: OwnTemplates | None) -> Environment:
    """Return the environment with the templates of a language for a game. Raises `LookupError` if the language has no
    templates."""
    if language not in languages():
        raise LookupError(f"there are no templates in {language!r}; there are {', '.join(languages())}")
    # `own` is part of the key of the cache, and has the number of the letter. So an environment with own templates is
    # used for one letter only.
    spoken = language if not game or templates_of(game, language).is_dir() else FALLBACK
    found = environment([each for place in (spoken, SHARED) for each in (f"{place}/{game}", place)], own)
    found.filters |= {
        "signed": with_sign,
        "lead": partial(lead_in_words, language=spoken),
        "capital": capital,
        "squeezed": squeeze,
        "theirs": plain_words,
        "by_name": blocks.alphabetical,
        "each": say_each,
        "numbered": with_numbers,
        "with_room": with_room,
        "few": first_few,
        "cut": cut,
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
        "UNFILLED_WORDS": BY_HAND["message"].blank,
        "UNFILLED_SEAT": SEAT,
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
    """Template as an object whose attributes are its macros and tables. The template is loaded when it is first
    used."""

    def __init__(self, environment: Environment, name: str) -> None:
        self._environment, self._name = environment, name

    def __getattr__(self, name: str) -> object:
        found: object = getattr(self._environment.get_template(self._name).module, name)
        setattr(self, name, found)
        return found


def conduct_words(conduct: Mapping[str, str], language: str) -> list[str]:
    """Return a sentence about each option in `conduct` for which there is a wording."""
    keys = (f"conduct-{name}.{value}".replace(" ", "-") for name, value in conduct.items())
    return [row(key, language).says for key in keys if key in rows(ENGLISH)]


def replaced_folder(folder: str) -> Path:
    """Return the folder of the program's or a game's templates that the campaign's folder of this name replaces."""
    language, _, game = folder.partition("/")
    return templates_of(game, language) if game else resource("templates") / folder


class DirectContext(Context):
    """Context that calls macros directly, which is faster than Jinja's way."""

    def call(self, called: Callable[..., object], /, *args: object, **named: object) -> object:
        if type(called) is not Macro:
            return super().call(called, *args, **named)
        named.pop("_block_vars", None)
        named.pop("_loop_vars", None)
        return called(self.eval_ctx, *args, **named)


class QuickEnvironment(Environment):
    """Environment for the program's own templates."""

    context_class = DirectContext


def environment(folders: Sequence[str], own: OwnTemplates | None, autoescape: bool = False) -> Environment:
    """Return an environment with the templates in these folders. Own templates of a campaign are looked for first, and
    run in a sandbox.

    If a template uses a name that does not exist, this is an error. With `autoescape`, values are escaped for HTML.
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
    """Cache of compiled templates. It has no data of letters.

    The program's own templates are also stored on disk, for later commands. They are read with `marshal`, and only from
    the user's own folder.
    """

    MOST = 1000
    """Largest number of templates in the cache. A campaign needs fewer in a year, even if its own templates change
    every day."""

    def __init__(self, lasting: str) -> None:
        """Begin with an empty cache. If `lasting` is not empty, templates are also stored on disk, and the names of
        their files depend on `lasting`."""
        self.kept: dict[tuple[str, str], CodeType] = {}
        self.lasting = lasting

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self.kept.get((bucket.key, bucket.checksum))
        if bucket.code is None and self.lasting and (data := fetch(self.name_of(bucket))):
            with suppress(ValueError, EOFError, TypeError):
                bucket.code = marshal.loads(data)  # noqa: S302 - nobody else can write there
                self.keep(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Store the compiled code of a template in memory and, if `self.lasting` is not empty, on disk."""
        self.keep(bucket)
        if self.lasting:
            store(self.name_of(bucket), marshal.dumps(bucket.code))

    def keep(self, bucket: Bucket) -> None:
        """Store the compiled code of a template, only for this command. If the cache is full, it is emptied first."""
        if len(self.kept) >= self.MOST:
            self.kept.clear()
        if bucket.code is not None:
            self.kept[bucket.key, bucket.checksum] = bucket.code

    def name_of(self, bucket: Bucket) -> str:
        return name_of("template", f"{self.lasting} {bucket.key} {bucket.checksum}".encode())


@lru_cache
def _compiled(kind: type[Environment], autoescape: bool) -> CompiledTemplates:
    """Return the cache for one kind of environment. Stored code is used by later commands only if Jinja and Python
    still have the same versions."""
    return CompiledTemplates("" if kind is GuardedSandbox else f"{autoescape} {version_of_jinja()} {sys.version}")


def version_of_jinja() -> str:
    # It takes long to look the version up in the installation.
    if said := getattr(jinja2, "__version__", ""):
        return str(said)
    from importlib.metadata import version

    return version("jinja2")


TemplateData: TypeAlias = dict[str, Any]
"""Data of a letter, as docs/reports.md describes them. Both templates and programs that read JSON get them."""

Macros: TypeAlias = Any
"""Macros and tables of one template, as attributes. Only the template knows their names and types."""


def macros_of(language: str, game: str, name: str) -> Macros:
    return template(language, game, name).module


def macro(language: str, game: str, names: Sequence[str], kind: str, data: dict[str, object]) -> str:
    """Return the text that the macro `kind` makes of the data, as one line. It is taken from the first template in
    `names` that has this macro. Raises `TemplateRuntimeError` if none has it."""
    modules = [macros_of(language, game, name) for name in names]
    say = next((getattr(module, kind) for module in modules if hasattr(module, kind)), None)
    if say is None:
        raise TemplateRuntimeError(f"no template has a macro {kind}")
    return capital(squeeze(str(say(data))))


def with_sign(number: int) -> str:
    """Return a score with its sign: `+2`, `−3`, `0`."""
    return f"+{number}" if number > 0 else f"−{-number}" if number else "0"


def capital(text: str) -> str:
    """Return a text with a capital as its first letter. If the text begins with the mark for words of people
    (`THEIRS`), the letter after the mark is changed."""
    start = len(text) - len(text.lstrip(THEIRS))
    return text[:start] + text[start : start + 1].upper() + text[start + 1 :]


def squeeze(text: str) -> str:
    """Return a text as one line. Its non-breaking spaces stay."""
    return re.sub(r"[ \n]+", " ", text).strip()


def lead_in_words(score: int, language: str) -> str:
    """Return the score of a side in a battle in words, such as `3 ahead`."""
    key = "score-ahead" if score > 0 else "score-behind" if score else "score-even"
    return words(key, points=abs(score)).text(language)


def first_few(names: Sequence[object], most: int) -> str:
    """Return the first `most` names, separated by commas (`cut`). If there are more names, an ellipsis follows."""
    return ", ".join(map(str, [*(told := cut(names, most)), *(["…"] if len(names) > len(told) else [])]))


def say_each(names: Iterable[object], say: Macro, *more: object) -> list[str]:
    """Return the text that the macro `say` makes of each name. Raises `TemplateRuntimeError` if `say` is no macro."""
    # This call is not watched by the sandbox.
    if not isinstance(say, Macro):
        raise TemplateRuntimeError("`each` needs a macro")
    return [squeeze(say(name, *more)) for name in names]


def with_numbers(numbers: Mapping[str, int], say: Macro | None = None) -> list[str]:
    """Return each name with its number behind it. If the macro `say` is given, it is called to say the names."""
    names = say_each(numbers, say) if say else numbers
    return [
        f"{name}{NO_BREAK}{f'−{-number}' if number < 0 else number}"
        for name, number in zip(names, numbers.values(), strict=True)
    ]


def with_room(asked: Mapping[str, Any]) -> list[str]:
    """Return the generals on the map who can get more troops. Behind each name is the number of troops that the general
    can still get. Without `places`, all count as being on the map."""
    able = set(asked.get("places", asked["room"])).difference(asked["entries"])
    return with_numbers({name: number for name, number in asked["room"].items() if number and name in able})


def suits_first(cards: Iterable[str], say: Macro, reserves: str) -> list[str]:
    """Return cards as the macro `say` says them. Reserves come last. Several Reserves are written as their number and
    the word `reserves`."""
    suited, others = ([card for card in cards if (card[0] == "R") == is_last] for is_last in (False, True))
    return say_each(suited, say) + (
        say_each(others, say) if len(others) == 1 else [f"{len(others)} {reserves}"] if others else []
    )


def one_of(cards: Iterable[str], say: Macro, reserve: str) -> list[str]:
    """Return the cards of which a player must choose one, as the macro `say` says them. Cards with the same name come
    once. If there are Reserves, the last item is `reserve` and means any of them."""
    suited, others = ([card for card in cards if (card[0] == "R") == is_last] for is_last in (False, True))
    return list(dict.fromkeys(say_each(suited, say))) + ([reserve] if others else [])


def wrap_paragraph(text: str, indent: int = 0, hang: int = 2, width: int = WIDTH) -> str:
    """Return a paragraph broken into lines of at most `width` characters. The first line is indented by `indent`, the
    others by `hang` more."""
    lines = textwrap.fill(
        text, width, initial_indent=" " * indent, subsequent_indent=" " * (indent + hang), break_on_hyphens=False
    )
    return lines.replace(NO_BREAK, " ")


def with_gaps(blocks: Sequence[str]) -> str:
    """Join pieces of text with empty lines between them, and end the last line with a line feed. Empty pieces are left
    out."""
    return "\n\n".join(block for block in blocks if block) + "\n"


class GameNames(Struct, frozen=True):
    """Names of stages, powers and players of a game, in one language."""

    language: str
    game: str

    def stage(self, written: str) -> str:
        """Return the name of a stage. `written` is the stage as letters write it, such as `6/hussars`."""
        return squeeze(macros_of(self.language, self.game, "stages.txt.j2").named(written))

    def powers(self, keys: tuple[str, ...]) -> str:
        """Return the names of powers, as a list within a sentence."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").powers(keys))

    def player(self, seat: str) -> str:
        """Return the name under which a seat's player acts in the game, such as `Maria Theresa`."""
        return squeeze(macros_of(self.language, self.game, "words.txt.j2").player(seat))
