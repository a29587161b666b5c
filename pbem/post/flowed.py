"""format=flowed undone (RFC 3676): lines that a mail program broke at a blank become one line again."""

from __future__ import annotations

_SIGNATURE = "-- "


def unflowed(text: str, is_blank_added: bool) -> str:
    """The text with its paragraphs joined; `is_blank_added` is the parameter DelSp, for text without blanks."""
    lines: list[list[str]] = []
    depths: list[int] = []
    is_open = False
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        # A blank put before what would look like a quotation or a postmark (RFC 3676, 4.4).
        content = content.removeprefix(" ")
        # The line above a signature ends in a blank and does not flow (RFC 3676, 4.3).
        is_joined = is_open and depth == depths[-1] and content != _SIGNATURE
        is_open = content.endswith(" ") and content != _SIGNATURE
        if is_open and is_blank_added:
            content = content[:-1]
        if is_joined:
            lines[-1].append(content)
        else:
            lines.append([content])
            depths.append(depth)
    return "\n".join(_quoted("".join(pieces), depth) for pieces, depth in zip(lines, depths, strict=True))


def _quoted(line: str, depth: int) -> str:
    return f"{'>' * depth} {line}" if depth else line
