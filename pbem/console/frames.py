"""The words of the library that reads command lines (usage, headings, wrong use) in the language of who types.

The library asks gettext for them, which would go by the computer's language and by compiled catalogues; so its modules
are given these functions in place of gettext's."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import cache
from itertools import pairwise

import click
from click import core, decorators, exceptions, formatting, parser, termui, types

from pbem.faults.wrong import ENGLISH
from pbem.resources import resource

FILE = "frames.yaml"
"""Lies among the templates of each language but English, in which the library speaks itself."""

LANGUAGE = "--language"
LANGUAGE_VARIABLE = "PBEM_LANGUAGE"
"""The option and the variable of the environment that say in which language commands answer."""

typed: ContextVar[Sequence[str]] = ContextVar("typed", default=())
"""The command line, in which a language can be found even if it cannot be read."""


def language_wanted() -> str:
    """The language in which the command tells what is wrong: its option's, or that of the environment."""
    context = click.get_current_context(silent=True)
    while context and not context.params.get("language"):
        context = context.parent
    return str(context.params["language"]) if context else language_typed(typed.get())


def language_typed(words: Sequence[str]) -> str:
    """The language that a command line asks for."""
    for word, following in pairwise([*words, ""]):
        option, is_given, value = word.partition("=")
        if option == LANGUAGE:
            return value if is_given else following
    return os.environ.get(LANGUAGE_VARIABLE, ENGLISH)


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """The library's words in a language, by its English ones, which are on one line here."""
    file = resource("templates") / language / FILE
    if not (language.isalpha() and file.is_file()):
        return {}
    from pbem.paper.documents.convert import convert
    from pbem.paper.documents.strict import read_yaml

    return convert(read_yaml(file.read_bytes(), FILE), dict[str, str], FILE)


def in_words(message: str) -> str:
    """A text of the library, or a heading of ours beside its own, in the language that is wanted."""
    return catalogue(language_wanted()).get(" ".join(message.split()), message)


def in_number(one: str, more: str, number: int) -> str:
    """The same of a text that depends on a number."""
    return in_words(one if number == 1 else more)


def frame() -> None:
    """Have the library speak so."""
    for module in (core, decorators, exceptions, formatting, parser, termui, types):
        vars(module).update(_=in_words, ngettext=in_number)
