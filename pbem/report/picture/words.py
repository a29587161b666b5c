"""Words of a picture, read from the template of a language."""

from __future__ import annotations

import msgspec

from pbem.report.language.templates import macros_of
from pbem.report.picture.position import PictureWords

TEMPLATE = "picture_words.txt.j2"
THEATRE = "picture_theatre.txt.j2"
"""Words that were added later: own templates need not have them."""


def words_in(language: str = "en") -> PictureWords:
    """All words of a picture in one language. A template with a missing or an unknown word is an error."""
    found, also = macros_of(language, "", TEMPLATE), macros_of(language, "", THEATRE)
    tables = {name.lower(): getattr(found, name) for name in ("POWERS", "LANDS", "MARKS", "BOXES", "NOTES")}
    return msgspec.convert(found.SIGNS | also.SIGNS | tables | {"language": language}, PictureWords)
