"""Where a line shows red suits, for the formats that have colours."""

from __future__ import annotations

import re
from collections.abc import Iterator

RED_SUITS = re.compile(r"[♥♦](?:\d+(?:/\d+)?| \d+(?: \d+)*(?= ·|$))?")
"""A red suit with the card and its deck, or with the cards of a hand, that it belongs to."""


def by_colour(text: str) -> Iterator[tuple[str, bool]]:
    """The parts of a text, each with whether it is red."""
    end = 0
    for found in RED_SUITS.finditer(text):
        if found.start() > end:
            yield text[end : found.start()], False
        yield found.group(), True
        end = found.end()
    if end < len(text):
        yield text[end:], False
