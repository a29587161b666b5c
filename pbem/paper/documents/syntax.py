"""What a YAML syntax error means, in one sentence for somebody who does not know YAML."""

from __future__ import annotations

import re

import yaml

from pbem.faults.words import Line, words
from pbem.faults.wrong import wrong
from pbem.paper.documents.characters import LONG_DASHES, OPENING_QUOTES, called
from pbem.paper.documents.faults import Fault

DASHED_LINE = re.compile(rf" *([{LONG_DASHES}])(?: |$)")
"""A line that begins with a dash or dot which is no hyphen."""

_UNCLOSED = "found unexpected (end of stream|document)"
_MEANINGS: tuple[tuple[str, str], ...] = (
    ("mapping values are not allowed", "E-YAML-SYNTAX.colon"),
    ("could not find expected ':'", "E-YAML-SYNTAX.form"),
    ("expected ',' or '[]}]'", "E-YAML-SYNTAX.bracket"),
    ("expected (the )?node content", "E-YAML-SYNTAX.value"),
    ("expected (key|'-' indicator|<block end>)", "E-YAML-SYNTAX.column"),
    ("cannot start any token", "E-YAML-SYNTAX.begin"),
    (_UNCLOSED, "E-YAML-SYNTAX.quote"),
    ("unknown escape|hexadecimal|hexdecimal|escape code|escape sequence", "E-YAML-SYNTAX.backslash"),
    ("(block )?sequence entries are not allowed", "E-YAML-SYNTAX.item"),
    ("alphabetic or numeric character", "E-YAML-SYNTAX.star"),
    ("tag|expected '>'", "E-YAML-SYNTAX.tag"),
    ("<document start>|directive", "E-YAML-SYNTAX.stray"),
    ("scanning a block scalar|comment or line break|indentation indicator|chomping", "E-YAML-SYNTAX.block"),
    ("", "E-YAML-SYNTAX"),
)
"""What a word of the parser's stands for, the first that fits."""


def explained(error: yaml.MarkedYAMLError, text: str) -> Fault:
    """The fault behind a parser's error."""
    problem = f"{error.problem or ''} {error.context or ''}"
    wording = next(key for pattern, key in _MEANINGS if re.search(pattern, problem))
    mark = error.problem_mark or error.context_mark
    if error.context_mark and re.search(_UNCLOSED, problem):
        mark = error.context_mark
    lines = text.split("\n")
    line, column = _inside(lines, mark.line, mark.column) if mark else (0, 0)
    if dash := _dash(lines, line):
        return dash
    if lines[line][column : column + 1] == ":" and re.search("expected (key|(the )?node content|<block end>)", problem):
        return Fault.at(line + 1, column + 1, wrong("E-YAML-KEY.none"))
    opened = Line(error.context_mark.line + 1 if error.context_mark else line + 1)
    is_curly = re.search(f"[{OPENING_QUOTES}]", "".join(lines[max(0, line - 1) : line + 1]))
    return Fault.at(
        line + 1, column + 1, wrong(wording, hint=words("straight-quotes") if is_curly else None, opened=opened)
    )


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
    return Fault.at(line, column, wrong("E-YAML-DASH", character=called(dash)))
