"""Reads the data out of a JavaScript file: literals given to a name, and nothing that would have to be run.

Understood are objects and arrays of texts, numbers, `true`, `false`, `null`; comments, trailing commas, keys without
quotation marks, and names of literals read before. Whatever else stands in the file is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Fault, Refused

Literal: TypeAlias = "bool | int | float | str | list[Literal] | dict[str, Literal] | None"

LARGEST = 1024 * 1024
"""The most characters of a file that are read."""

_DEEPEST = 40
_TOKEN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?(?:\*/|\Z))
      | (?P<text>"(?:[^"\\\n]|\\.)*+"?|'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\$]|\\.)*+`?)
      | (?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))
      | (?P<name>[A-Za-z_$][\w$]*(?:\s*\.\s*[A-Za-z_$][\w$]*)*)
      | (?P<sign>.)""",
    re.VERBOSE | re.DOTALL,
)
"""Every text and comment is taken as far as it goes, closed or not, so that reading never starts over."""

_ESCAPE = re.compile(r"\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_WORDS: dict[str, Literal] = {"true": True, "false": False, "null": None, "undefined": None, "NaN": None}
_OPENING = ("{", "[")


class _Token(Struct, frozen=True):
    kind: str
    text: str
    at: int


class _NotALiteral(Exception):
    """Something that would have to be run; `at` is where it stands in the text."""

    def __init__(self, at: int) -> None:
        self.at = at
        super().__init__(at)


def literals(text: str, source: str) -> dict[str, Literal]:
    """The objects and arrays of a file, by the last part of the name they are given to; a bare one has the name ''."""
    if len(text) > LARGEST:
        raise Refused(source, [wrong("E-IMPORT-SIZE.characters", count=len(text), most=LARGEST)])
    reader = _Reader(_tokens(text.removeprefix("\ufeff")))
    reader.run()
    if not reader.found and reader.failed is not None:
        line = text.count("\n", 0, reader.failed) + 1
        column = reader.failed - text.rfind("\n", 0, reader.failed)
        raise Refused(source, [Fault.at(line, column, wrong("E-IMPORT-SYNTAX.value"))])
    return reader.found


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or "sign"
        if kind != "blank":
            yield _Token(kind, match.group(), match.start())


class _Reader:
    """Goes through a file once, from assignment to assignment."""

    def __init__(self, tokens: Iterator[_Token]) -> None:
        self.tokens = tokens
        self.ahead = next(tokens, None)
        self.at = 0
        self.found: dict[str, Literal] = {}
        self.failed: int | None = None

    def run(self) -> None:
        if self.peek() in _OPENING:
            self.try_literal("")
        while self.ahead is not None:
            token = self.take()
            if token.kind == "name" and self.peek() == "=":
                self.take()
                self.assignment(token.text.split(".")[-1].strip())

    def assignment(self, name: str) -> None:
        if self.peek() in _OPENING:
            self.try_literal(name)
        elif (same := self.peek()) in self.found:
            self.found[name] = self.found[same]

    def try_literal(self, name: str) -> None:
        """Read a literal; if it is none after all, go on behind the place where that became clear."""
        try:
            self.found[name] = self.value(0)
        except _NotALiteral as stop:
            self.failed = stop.at if self.failed is None else self.failed

    def peek(self) -> str:
        return self.ahead.text if self.ahead is not None else ""

    def take(self) -> _Token:
        token, self.ahead = self.ahead, next(self.tokens, None)
        if token is None:
            raise _NotALiteral(self.at)
        self.at = token.at
        return token

    def value(self, depth: int) -> Literal:
        token = self.take()
        if depth > _DEEPEST:
            raise _NotALiteral(token.at)
        match token.kind:
            case "text" if len(token.text) > 1 and token.text[0] == token.text[-1]:
                return _unquoted(token.text)
            case "number":
                return _number(token.text)
            case "name" if token.text in _WORDS:
                return _WORDS[token.text]
            case "name" if token.text in self.found:
                return self.found[token.text]
        if token.text == "[":
            return self.array(depth)
        if token.text == "{":
            return self.object(depth)
        raise _NotALiteral(token.at)

    def array(self, depth: int) -> list[Literal]:
        items: list[Literal] = []
        while self.peek() != "]":
            if self.peek() == ",":
                items.append(None)
            else:
                items.append(self.value(depth + 1))
            self.comma("]")
        self.take()
        return items

    def object(self, depth: int) -> dict[str, Literal]:
        entries: dict[str, Literal] = {}
        while self.peek() != "}":
            key = self.take()
            if key.kind == "sign":
                raise _NotALiteral(key.at)
            name = _unquoted(key.text) if key.kind == "text" else key.text
            if self.peek() == ":":
                self.take()
                entries[name] = self.value(depth + 1)
            elif name in self.found:
                entries[name] = self.found[name]
            else:
                raise _NotALiteral(key.at)
            self.comma("}")
        self.take()
        return entries

    def comma(self, closing: str) -> None:
        """A comma stands between two items, and may stand behind the last."""
        if self.peek() == ",":
            self.take()
        elif self.peek() != closing:
            raise _NotALiteral(self.take().at)


def _number(text: str) -> int | float:
    if text.lstrip("-")[:2].lower() == "0x":
        return int(text, 16)
    number = float(text)
    return int(number) if number.is_integer() else number if abs(number) < 1e300 else 0


def _unquoted(text: str) -> str:
    return _ESCAPE.sub(_unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code is None:
        return _ESCAPED.get(match[4], match[4])
    number = int(code, 16)
    return chr(number) if number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
