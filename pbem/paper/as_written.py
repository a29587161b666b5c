"""Letters that are signed as they are written: the armor of `ssh-keygen -Y sign` stands below the signed text.

OpenSSH and an editor are thus enough to sign. Such a letter keeps its text unchanged under the key `written`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from pbem.paper.documents.faults import Refused
from pbem.paper.documents.strict import DocumentLimits, bare, read_yaml
from pbem.paper.documents.writing import write
from pbem.seal.canonical import Tree

BEGIN = "-----BEGIN SSH SIGNATURE-----"

_BELOW = re.compile(rf"(?P<text>.*?\n){BEGIN}\n(?P<code>[A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*", re.DOTALL)


def text_and_armor(text: str) -> tuple[str, str] | None:
    """Split a signed text from the armor below it. Return both, or None if there is no armor, or if the text has a key
    `signature`."""
    found = _BELOW.fullmatch(text)
    if not found or re.search(r"(?m)^signature[ ]?:", found["text"]):
        return None
    return normal_text(found["text"]), text[found.end("text") :]


def normal_text(text: str) -> str:
    """Return the text with exactly one line feed at its end."""
    return text.rstrip("\n") + "\n"


def signed_forms(text: str) -> Iterator[bytes]:
    """Yield each sequence of bytes that may have been signed for a text: with every usual line ending, with and without
    a final newline, with and without a byte order mark."""
    bare = text.rstrip("\n")
    for end in ("\n", "", "\n\n"):
        for breaks in ("\n", "\r\n"):
            for mark in ("", "\ufeff"):
                yield (mark + (bare + end).replace("\n", breaks)).encode()


def faithful_file(tree: Mapping[str, Tree], width: int, limits: DocumentLimits) -> str:
    """Write a tree as a file. Return an empty text if the tree cannot be read from the file unchanged."""
    try:
        file = write(tree, width)
        return file if bare(read_yaml(file.encode(), "letter", limits)) == tree else ""
    except (ValueError, Refused):
        return ""
