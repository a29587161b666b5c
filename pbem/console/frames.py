"""Words of click (usage, headings, wrong use) in the user's language.

Click takes its words from gettext, which knows only the computer's language. In click's modules, `click_text` and
`click_plural` replace gettext.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from click import core, decorators, exceptions, formatting, parser, termui, types

from pbem.console.language import language_wanted
from pbem.resources import resource

FILE = "frames.yaml"
"""File with click's words, among the templates of each language except English. For English click has its own words."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return a mapping of click's English words to their translations in a language. It is empty if there is no
    translation into this language."""
    file = resource("templates") / language / FILE
    if not (language.isalpha() and file.is_file()):
        return {}
    from pbem.paper.documents.convert import convert
    from pbem.paper.documents.strict import read_yaml

    return convert(read_yaml(file.read_bytes(), FILE), dict[str, str], FILE)


def click_text(message: str) -> str:
    """Return a text of click, or a heading of ours, in the wanted language. Without a translation, return it
    unchanged."""
    return catalogue(language_wanted()).get(" ".join(message.split()), message)


def click_plural(singular: str, plural: str, number: int) -> str:
    """Return a text of click in the wanted language, in the form for this number."""
    return click_text(singular if number == 1 else plural)


def translate_click() -> None:
    """Make click take its texts from `click_text` and `click_plural`."""
    for module in (core, decorators, exceptions, formatting, parser, termui, types):
        vars(module).update(_=click_text, ngettext=click_plural)
