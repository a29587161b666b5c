"""Text armor: bytes as base64 between a BEGIN and an END line, and back, through mail and forums.

Reading accepts changes of lines made in transport (CRLF, indentation, blank lines, other widths) and nothing else. The
base64 itself must be what we would write, so that bytes have only one spelling.
"""

from __future__ import annotations

import base64
import binascii

from pbem.faults.words import Words, words

_WIDTH = 64


class Unreadable(Exception):
    """A text that is not the wanted armor."""

    def __init__(self, why: Words) -> None:
        self.why = why
        super().__init__(why)


def to_armor(data: bytes, label: str) -> str:
    """Bytes as lines of 64 characters between `-----BEGIN label-----` and its END, with a line feed at the end."""
    text = base64.b64encode(data).decode()
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def from_armor(text: str, label: str) -> bytes:
    """Bytes of the only armor in the text; raises `Unreadable`."""
    lines = [line.strip(" \t\r") for line in text.split("\n")]
    lines = [line for line in lines if line]
    if not lines or lines[0] != f"-----BEGIN {label}-----":
        raise Unreadable(words("armor-begin", label=label))
    if lines[-1] != f"-----END {label}-----":
        raise Unreadable(words("armor-end", label=label))
    written = "".join(lines[1:-1])
    try:
        data = base64.b64decode(written, validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable(words("armor-base64")) from None
    if base64.b64encode(data).decode() != written:
        raise Unreadable(words("armor-rest"))
    return data
