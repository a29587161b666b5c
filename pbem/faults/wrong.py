"""What is wrong, as data: a stable code, words of the table, and the rule; told late, in the language of who reads."""

from __future__ import annotations

import re
import shlex
from typing import Self

from msgspec import Struct
from msgspec.structs import replace

from pbem.faults.table import ENGLISH, row
from pbem.faults.words import Gap, Hint, Words, told


class _Named(Struct, frozen=True):
    code: str
    message: Words


class Wrong(_Named, frozen=True, kw_only=True):
    """What is wrong with a campaign, a command, an answer: no place in a file (`Fault` has one).

    Codes `E-…` refuse, `W-…` warn. The rule is given where it is another than the table's.
    """

    rule: str = ""
    hint: Hint = ""

    @property
    def is_warning(self) -> bool:
        """Whether what is meant can be used as it is."""
        return self.code.startswith("W-")

    @property
    def place(self) -> str:
        """Where it is, as it is put behind the name of a file."""
        return ""

    def moved(self, lines: int, columns: int = 0) -> Self:
        """It in a text of which its own was a part, so many lines down: lines that it names are counted there."""
        return replace(self, message=self.message.moved(lines))

    @property
    def section(self) -> str:
        """The § by which it is wrong, if it is one of the rules."""
        if self.rule:
            return self.rule
        rule = row(self.message.key, ENGLISH).rule
        return rule if "§" in rule else ""

    def said(self, language: str = ENGLISH) -> str:
        """It as a sentence: `CODE message (§…) — hint`."""
        rule = f" ({self.section})" if self.section else ""
        hint = told(self.hint, language)
        return printable(f"{self.code} {self.message.told(language)}{rule}{f' — {hint}' if hint else ''}")

    def told(self, source: str, language: str = ENGLISH) -> str:
        """It as one line: `file:line:column: CODE message (§…) — hint`."""
        return f"{printable(source)}{self.place}: {self.said(language)}"

    def data(self, language: str = ENGLISH) -> dict[str, str | int]:
        """It as JSON has it."""
        return {
            "code": self.code,
            "message": self.message.told(language),
            "line": 0,
            "column": 0,
            "rule": self.section,
            "hint": told(self.hint, language),
        }


class WrongError(Exception):
    """Something that cannot be done."""

    def __init__(self, wrong: Wrong) -> None:
        """Keep what is wrong."""
        self.wrong = wrong
        super().__init__(self.wrong)

    @property
    def code(self) -> str:
        """Its stable code."""
        return self.wrong.code

    @property
    def message(self) -> Words:
        """What is wrong."""
        return self.wrong.message

    @property
    def hint(self) -> Hint:
        """What would be right."""
        return self.wrong.hint

    def __str__(self) -> str:
        return self.wrong.said()


def wrong(wording: str, /, rule: str = "", hint: Hint | None = None, **gaps: Gap) -> Wrong:
    """What is wrong in a wording of the table: its key is the code, and behind a dot which of several it is."""
    filling = tuple(gaps.items())
    tip = Words(wording, filling, "hint") if hint is None else hint
    return Wrong(wording.partition(".")[0], Words(wording, filling), rule=rule, hint=tip)


_PLAIN = re.compile(r"[\w@+=:,./-]+")
_IN_QUOTES = re.compile(r"[\w @+=:,./()\[\]{}&;#~'-]+")


def printable(text: str) -> str:
    """A text as one line, with a number for everything that nobody sees: names of files may command a terminal."""
    return "".join(each if each.isprintable() else f"\\u{{{ord(each):x}}}" for each in text)


def shell_word(name: str) -> str:
    """Return a name of a file as it is typed on a command line, so that a shell does nothing with what stands in it."""
    name = f"./{name}" if name.startswith("-") else name
    if _PLAIN.fullmatch(name):
        return name
    # Double quotes hold on every system; where they would not be enough, those of POSIX shells do.
    return f'"{name}"' if _IN_QUOTES.fullmatch(name) else shlex.quote(name)
