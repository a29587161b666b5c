"""Comments of an order sheet, and notes beside or above its lines."""

from __future__ import annotations

from pbem.report.language.templates import NO_BREAK, WIDTH, squeeze, wrap_paragraph


def line_beside_note(line: str, note: str, must: str, room: int) -> str:
    """Write a note behind a line, if both fit into `room` characters. Otherwise write only its part `must`, behind or
    above the line, or nothing if that is empty."""
    for text in filter(None, map(squeeze, (note, must))):
        if len(short := f"{line}  # {text}".replace(NO_BREAK, " ")) <= room:
            return short
    return line_with_note(line, must, len(line) - len(line.lstrip())) if squeeze(must) else line


def line_with_note(line: str, note: str, indent: int) -> str:
    """Write a note behind a line, or above the line if there is no room."""
    short = f"{line}  # {squeeze(note)}".replace(NO_BREAK, " ")
    return short if len(short) <= WIDTH else f"{comment(note, indent, 2)}\n{line}"


def comment(text: str, indent: int = 0, hang: int = 0) -> str:
    room = indent + 2
    lines = wrap_paragraph(squeeze(text), room, hang).split("\n")
    return "\n".join(f"{' ' * indent}# {line[room:]}" for line in lines)
