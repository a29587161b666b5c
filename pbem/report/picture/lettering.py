"""Lettering of pictures: the font, the width of texts, breaking of texts into lines, and names at their places."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from typing import Literal

from msgspec import Struct

from pbem.report.picture.geometry import Box, Point

Anchor = Literal["start", "middle", "end"]

LINE = 1.04
"""Height of a line of text, as a multiple of the size of the font."""

FONT = "'PT Serif',Georgia,'Palatino Linotype','Times New Roman',serif"
"""Fonts for text in pictures, the preferred first. The widths of characters in this module are those of PT Serif."""

_WIDTHS = {
    0.22: "'",
    0.26: ",.j|·",
    0.30: "[]il’",
    0.33: "!:`ł()/;Jf{} ",
    0.36: "I",
    0.38: '"\\rt',
    0.42: "-_",
    0.46: "cs*",
    0.49: "?z„“”^aevy",
    0.53: "gkx~#$+0123456789<=>FLSbqŁð×",
    0.57: "dopøđþEhu",
    0.61: "PZnßBT–",
    0.65: "CKRYAGUVX",
    0.70: "DĐHwNOQØ",
    0.79: "æ%",
    0.88: "&Mmœ—…",
    0.95: "ÆŒW@",
}

_WIDTH = {letter: width for width, letters in _WIDTHS.items() for letter in letters}


_BOLD = 1.09

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def escape(text: str) -> str:
    """Return a text that can be used between tags and in attributes. Characters that XML does not allow are
    replaced."""
    text = _UNPRINTABLE.sub("\ufffd", text)
    for letter, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        text = text.replace(letter, name)
    return text


def width(text: str, size: float, *, bold: bool = False) -> float:
    """Return the approximate width of a text in the font's size `size`, or in bold letters of this size."""
    ems = 0.0
    for letter in text:
        em = _WIDTH.get(letter)
        if em is None:
            em = _WIDTH.get(unicodedata.normalize("NFD", letter)[0], 0.7 if ord(letter) < 0x1100 else 1.0)
        ems += em
    return ems * size * (_BOLD if bold else 1.0)


def two_lines(name: str) -> tuple[str, str] | None:
    """Split a name at a space, and return both parts. A space before a small word or a bracket is preferred, else the
    space nearest to the middle. Each part must have at least three letters. Return None if there is no such space."""
    spaces = [k for k, letter in enumerate(name) if letter == " " and 2 < k < len(name) - 3]
    if not spaces:
        return None
    small = [k for k in spaces if name[k + 1].islower() or name[k + 1] == "("]
    here = small[0] if small else min(spaces, key=lambda k: abs(2 * k - len(name)))
    return name[:here], name[here + 1 :]


def wrap_text(text: str, size: float, room: float, most: int) -> list[str]:
    """Return a text broken into at most `most` lines of the width `room`. If the text is longer, it ends with an
    ellipsis."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(_shorten(word, size, room))
    if len(lines) > most:
        lines = [*lines[: most - 1], _shorten(" ".join(lines[most - 1 :]), size, room)]
    return lines


def _shorten(text: str, size: float, room: float) -> str:
    if width(text, size) <= room:
        return text
    fits = bisect_left(range(1, len(text) + 1), True, key=lambda count: width(f"{text[:count]}…", size) > room)
    return text[:fits].rstrip() + "…"


def note_beginning(note: str) -> str:
    """Return the beginning of a note. It is the text before the first colon if this has at most two sentences, else the
    first sentence."""
    text = " ".join(note.split())
    before, colon, _ = text.partition(":")
    sentences = re.split(r"(?<=[.!?])\s+", before)
    if not colon or len(sentences) > 2:
        return sentences[0]
    return before if before.endswith((".", "!", "?")) else f"{before}."


class Hand(Struct, frozen=True, order=True):
    """Lettering of a name: its size, and whether it is bold."""

    size: float
    bold: bool


class Label(Struct, frozen=True, gc=False, array_like=True):
    """Name of a city at its place in the picture: its lines of text, and the rectangle that they fill."""

    city: int
    lines: tuple[str, ...]
    box: Box
    anchor: Anchor
    """Point of each line that stays at its place if the text gets wider or narrower: its `start`, `middle` or `end`."""
    size: float
    bold: bool

    @property
    def hand(self) -> Hand:
        return Hand(self.size, self.bold)

    @property
    def feet(self) -> list[tuple[str, Point]]:
        """Return the lines of text, each with a point on its baseline. It is the left end, the middle or the right end,
        as `anchor` says."""
        west, north, east, _ = self.box
        x = west if self.anchor == "start" else east if self.anchor == "end" else (west + east) / 2
        return [(line, (x, north + self.size * (0.82 + LINE * k))) for k, line in enumerate(self.lines)]
