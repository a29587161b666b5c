"""Words of click (usage, headings, wrong use) in the user's language.

Click asks gettext for its words. Gettext would use the computer's language and compiled catalogues, so click's modules
get `click_text` and `click_plural` in place of the functions of gettext.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from click import core, decorators, exceptions, formatting, parser, termui, types

from pbem.console.language import language_wanted
from pbem.resources import resource

FILE = "frames.yaml"
"""File with click's words, among the templates of each language but English, which click speaks itself."""


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return a dict from click's English words to its words in a language. Return an empty dict if there is no file
    `FILE` for the language."""
    file = resource("templates") / language / FILE
    if not (language.isalpha() and file.is_file()):
        return {}
    from pbem.paper.documents.convert import convert
    from pbem.paper.documents.strict import read_yaml

    return convert(read_yaml(file.read_bytes(), FILE), dict[str, str], FILE)


def click_text(message: str) -> str:
    """Return one of click's texts, or one of our headings, in the wanted language. A text without a translation is
    returned unchanged."""
    return catalogue(language_wanted()).get(" ".join(message.split()), message)


def click_plural(singular: str, plural: str, number: int) -> str:
    """Return one of click's texts, in the wanted language and in the form for this number."""
    return click_text(singular if number == 1 else plural)


def translate_click() -> None:
    """Make click take its texts from `click_text` and `click_plural`."""
    for module in (core, decorators, exceptions, formatting, parser, termui, types):
        vars(module).update(_=click_text, ngettext=click_plural)
