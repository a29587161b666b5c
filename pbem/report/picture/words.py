"""The words of a picture, read from the template of a language."""

from __future__ import annotations

import msgspec

from pbem.report.language.templates import macros_of
from pbem.report.picture.position import PictureWords

TEMPLATE = "picture_words.txt.j2"
THEATRE = "picture_theatre.txt.j2"
"""The words that came later: own templates need not have them."""


def words_in(language: str = "en") -> PictureWords:
    """Every word of a picture in one language; a template that lacks one, or has one too many, is an error."""
    found, also = macros_of(language, "", TEMPLATE), macros_of(language, "", THEATRE)
    tables = {name.lower(): getattr(found, name) for name in ("POWERS", "LANDS", "MARKS", "BOXES", "NOTES")}
    return msgspec.convert(found.SIGNS | also.SIGNS | tables | {"language": language}, PictureWords)
