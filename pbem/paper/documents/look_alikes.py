"""Look-alikes among names: letters of other scripts and signs that look alike count as one."""

from __future__ import annotations

import unicodedata

_LIKE_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХҺԀԚԜавеѕіјкмнорстухһԁԛԝьгпӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεηικμνορτυχγωօսոհցҽłøđħı01|",
    "ABESIJKMHOPCTYXhdQWabesijkmhopctyxhdqwbrnlABEZHIKMNOPTYXabenikuvoptuxywounhgelodhioll",
)
"""Latin letters of the same look. Capitals and small letters are listed apart, because they look different."""
_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC")
"""Scripts with letters of the same look."""


def outline(name: str) -> str:
    """Return a name as a hasty reader sees it: without accents, blanks, stops and capitals."""
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
