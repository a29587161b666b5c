"""Names that people could take for one another: letters of other scripts and signs that look alike count as one."""

from __future__ import annotations

import unicodedata

_LIKE_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҺԀԚԜавеѕіјкмнорстухһԁԛԝьгпӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεηικμνορτυχγωօսոհցҽłøđħı01|",
    "ABESIJKMHOPCTYXhdQWabesijkmhopctyxhdqwbrnlABEZHIKMNOPTYXabenikuvoptuxywounhgelodhioll",
)
"""Capitals and small letters apart: they look like different ones."""
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Scripts that have letters in common, to the eye."""


def outline(name: str) -> str:
    """Return what is left of a name for somebody who reads in haste: no accents, blanks, stops or capitals."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).translate(_LIKE_LATIN).casefold())
    seen = "".join(filter(str.isalnum, plain)).replace("rn", "m").replace("vv", "w").replace("i", "l")
    return seen or plain


def mixed_word(name: str) -> str:
    """Return the first word whose letters are of several scripts that look alike, if there is one."""
    for word in name.split():
        names = {unicodedata.name(letter, "").partition(" ")[0] for letter in unicodedata.normalize("NFKD", word)}
        if len(names.intersection(_SCRIPTS)) > 1:
            return word
    return ""
