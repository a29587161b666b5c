"""What a YAML syntax error means, in one sentence for somebody who does not know YAML."""

from __future__ import annotations

import re

import yaml

from pbem.paper.documents.characters import LONG_DASHES, OPENING_QUOTES, called
from pbem.paper.documents.faults import Fault

DASHED_LINE = re.compile(rf" *([{LONG_DASHES}])(?: |$)")
"""A line that begins with a dash or dot which is no hyphen."""

NO_KEY = "there is no key before the colon"
WRITE_KEY = "write `key: value`"

_UNCLOSED = "found unexpected (end of stream|document)"
_MEANINGS: tuple[tuple[str, str, str], ...] = (
    (
        "mapping values are not allowed",
        "a colon cannot stand here",
        "one line holds one `key: value`; check the line above and the indentation, or put the text in quotes",
    ),
    (
        "could not find expected ':'",
        "this line is not of the form `key: value`",
        "add the colon and a space, or put the text in quotes",
    ),
    (
        "expected ',' or '[]}]'",
        "the bracket opened on line {opened} is not closed, or a comma is missing",
        "write lists as [one, two] and put names with commas, colons or brackets in quotes",
    ),
    (
        "expected (the )?node content",
        "a value is missing here, or there is a comma or bracket too many",
        "write lists as [one, two]",
    ),
    (
        "expected (key|'-' indicator|<block end>)",
        "this line does not fit the lines above it",
        "begin it in the same column as its neighbours, each list item with '- ', each other line as `key: value`",
    ),
    (
        "cannot start any token",
        "a value cannot begin with this character",
        "put the value in quotes",
    ),
    (
        _UNCLOSED,
        "the quotation mark opened on line {opened} is never closed",
        "close it, or double it where it is meant as an apostrophe: 'it''s'",
    ),
    (
        "unknown escape|hexadecimal|hexdecimal|escape code|escape sequence",
        "a backslash in double quotes begins a special sign, and this is none",
        "write two backslashes, or use single quotes",
    ),
    (
        "(block )?sequence entries are not allowed",
        "a list item cannot begin here",
        "begin the list on a new line, or put the text in quotes",
    ),
    (
        "alphabetic or numeric character",
        "a value cannot begin with '*' or '&'",
        "put the value in quotes",
    ),
    (
        "tag|expected '>'",
        "a value cannot begin with '!'",
        "put the value in quotes",
    ),
    (
        "<document start>|directive",
        "there is something here that belongs to nothing above it",
        "check brackets and indentation",
    ),
    (
        "scanning a block scalar|comment or line break|indentation indicator|chomping",
        "after '|' or '>' the text begins on the next line",
        "press Enter behind the sign and indent the text",
    ),
)


def explained(error: yaml.MarkedYAMLError, text: str) -> Fault:
    """The fault behind a parser's error."""
    problem = f"{error.problem or ''} {error.context or ''}"
    message, hint = "this line cannot be read", "check indentation, quotation marks and brackets"
    for pattern, meaning, remedy in _MEANINGS:
        if re.search(pattern, problem):
            message, hint = meaning, remedy
            break
    mark = error.problem_mark or error.context_mark
    if error.context_mark and re.search(_UNCLOSED, problem):
        mark = error.context_mark
    lines = text.split("\n")
    line, column = _inside(lines, mark.line, mark.column) if mark else (0, 0)
    if dash := _dash(lines, line):
        return dash
    if lines[line][column : column + 1] == ":" and re.search("expected (key|(the )?node content|<block end>)", problem):
        return Fault("E-YAML-KEY", NO_KEY, line + 1, column + 1, hint=WRITE_KEY)
    opened = error.context_mark.line + 1 if error.context_mark else line + 1
    if re.search(f"[{OPENING_QUOTES}]", "".join(lines[max(0, line - 1) : line + 1])):
        hint = "quotation marks are the straight ones, \" or '"
    return Fault("E-YAML-SYNTAX", message.format(opened=opened), line + 1, column + 1, hint=hint)


def _inside(lines: list[str], line: int, column: int) -> tuple[int, int]:
    """The place itself, or the end of the last line with text where it lies behind the end of the file."""
    if line < len(lines) and (lines[line] or column):
        return line, column
    line = min(line, len(lines) - 1)
    while line and not lines[line].strip():
        line -= 1
    return line, len(lines[line].rstrip())


def _dash(lines: list[str], line: int) -> Fault | None:
    """The fault of a line here or just above that begins with what a telephone has made of a hyphen."""
    for number in range(max(0, line - 1), line + 1):
        if found := DASHED_LINE.match(lines[number]):
            return not_a_hyphen(found.group(1), number + 1, found.start(1) + 1)
    return None


def not_a_hyphen(dash: str, line: int, column: int) -> Fault:
    """The fault of a list item that begins with another dash."""
    message = f"a list item begins with the hyphen '-', not with {called(dash)}"
    return Fault("E-YAML-DASH", message, line, column, hint="type '- ' in its place")
