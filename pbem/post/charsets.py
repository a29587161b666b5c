"""Decoding of bytes with the encoding that they declare. If that fails, the likeliest other encoding is used."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,39}")
# A mail could also name a codec that is no encoding of text, such as one that decompresses. Only these names are
# accepted.
_OF_TEXT = re.compile(
    r"ascii|utf-8(-sig)?|utf-(16|32)(-[bl]e)?|iso8859-\d+|cp\d+|koi8-[rtu]|mac-[a-z]+|kz1048|ptcp154|hp-roman8|tis-620"
    r"|gb2312|gbk|gb18030|hz|big5|big5hkscs|shift_jis\w*|euc_\w+|iso2022_\w+|johab"
)
_BYTE_ORDERS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROLS = re.compile("[\x80-\x9f]")


class DecodedText(NamedTuple):
    """Text decoded from bytes."""

    text: str
    note: str = ""
    """Note that says which encoding was used, if it is not the declared one; else empty."""


def text_of_bytes(encoded: bytes, declared: str = "") -> DecodedText:
    """Return the text in bytes. `declared` is the name of their encoding; if it is empty, UTF-8 is tried."""
    if marked := next((name for mark, name in _BYTE_ORDERS if encoded.startswith(mark)), ""):
        declared = marked
    name = _known_encoding(declared) if declared else "utf-8"
    text = _attempt(encoded, name)
    # Bytes 80 to 9F are control characters in Latin-1. A text that has them is really Windows-1252, even if it declares
    # Latin-1. In Windows-1252 they are quotation marks and other signs.
    if text is not None and not (name == "iso8859-1" and _CONTROLS.search(text)):
        return DecodedText(text.removeprefix("\ufeff"))
    for guess in ("utf-8", "cp1252", "latin-1"):
        if (text := _attempt(encoded, guess)) is not None:
            break
    assert text is not None, "latin-1 knows every byte"
    if guess == "utf-8" and name == "ascii":
        return DecodedText(text)
    claim = f"it says {declared[:40]!r}, but" if declared else "it is not UTF-8;"
    return DecodedText(text, f"{claim} it was read as {guess}")


def _known_encoding(declared: str) -> str:
    """Return the name that Python has for a declared encoding. Return an empty text if it is no encoding of text."""
    try:
        name = codecs.lookup(declared).name if _NAME.fullmatch(declared) else ""
    except (LookupError, ValueError):
        return ""
    return name if _OF_TEXT.fullmatch(name) else ""


def _attempt(encoded: bytes, name: str) -> str | None:
    if not name:
        return None
    try:
        return encoded.decode(name)
    except (UnicodeError, ValueError):
        return None
