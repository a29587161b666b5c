"""Sentences that are told late: a key of the table and what fills the gaps, in whatever language the reader has."""

from __future__ import annotations

from collections.abc import Iterable
from string import Formatter
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pbem.faults.table import ENGLISH, row

_MOST_LISTED = 5


class Words(Struct, frozen=True):
    """A sentence, or a part of one.

    A gap is written `{name}`; names in a row are joined as it says: `{names}` with commas, `{names:and}` and
    `{names:or}` with these words, `{names:listed}` as `Prag, Pirna or Pilsen`, a long row being cut short.
    """

    key: str
    gaps: tuple[tuple[str, Gap], ...] = ()
    part: Literal["says", "hint"] = "says"

    def told(self, language: str = ENGLISH) -> str:
        """The sentence in a language."""
        found = row(self.key, language)
        return filled(found.hint if self.part == "hint" else found.says, dict(self.gaps), language)

    def moved(self, lines: int) -> Words:
        """The sentence about a text of which this one was a part, with the lines that it names counted there."""
        gaps = ((name, Line(gap.number + lines) if isinstance(gap, Line) else gap) for name, gap in self.gaps)
        return replace(self, gaps=tuple(gaps))

    def __str__(self) -> str:
        return self.told()

    def __bool__(self) -> bool:
        return bool(self.told())


class Line(Struct, frozen=True):
    """The number of a line in the text that is spoken of."""

    number: int


Gap: TypeAlias = "str | int | tuple[str | Words, ...] | Line | Words"
"""What fills a gap: a name, a number, names in a row, a line, or words of the table."""


Hint: TypeAlias = "Words | Literal['']"
"""What would be right, or nothing."""


def words(key: str, /, **gaps: Gap) -> Words:
    """A part of a sentence."""
    return Words(key, tuple(gaps.items()))


def told(said: Words | str, language: str) -> str:
    """Words in a language; what was written by somebody stays as it is."""
    return said if isinstance(said, str) else said.told(language)


def filled(sentence: str, gaps: dict[str, Gap], language: str) -> str:
    """A sentence of the table with its gaps filled."""
    parts = Formatter().parse(sentence)
    return "".join(
        text + ("" if name is None else _told(gaps[name], form or "", language)) for text, name, form, _ in parts
    )


def _told(gap: Gap, form: str, language: str) -> str:
    if isinstance(gap, tuple):
        return in_a_row(gap, form, language)
    if isinstance(gap, Words):
        return gap.told(language)
    return str(gap.number if isinstance(gap, Line) else gap)


def in_a_row(names: Iterable[str | Words], form: str, language: str = ENGLISH) -> str:
    """Names in a row, joined as a gap says."""
    every = [told(name, language) for name in names]
    if form in ("and", "or"):
        return f" {row(form, language).says} ".join(every)
    if form != "listed" or len(every) < 2:
        return ", ".join(every)
    if len(every) <= _MOST_LISTED:
        return f"{', '.join(every[:-1])} {row('or', language).says} {every[-1]}"
    left: dict[str, Gap] = {"names": tuple(every[:_MOST_LISTED]), "number": len(every) - _MOST_LISTED}
    return filled(row("others", language).says, left, language)
