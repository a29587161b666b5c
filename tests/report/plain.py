"""Reports as plain text, and whether a template speaks of a kind of thing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pbem.engine.board import BoardData
from pbem.engine.table import GameRules, Table, View
from pbem.paper.boards.files import city_names_in
from pbem.report.blocks import complete_blocks, short_blocks
from pbem.report.formats.pages import letter_blocks, text
from pbem.report.language.options import options_blocks
from pbem.report.language.templates import template
from pbem.report.telling import position_blocks


def names_in(board: BoardData, language: str = "en") -> tuple[str, ...]:
    """Names of the cities of a board in a language."""
    return city_names_in(board.name, tuple(city.name for city in board.cities), language)


def letter_text(data: dict[str, Any]) -> str:
    """All of a report, a receipt, an invitation or a reminder as plain text."""
    return text(complete_blocks(letter_blocks(data)))


def body_text(data: dict[str, Any]) -> str:
    """A letter as the body of a mail has it."""
    return text(short_blocks(letter_blocks(data), "report.html"))


def position_text(rules: GameRules, view: View, language: str = "en") -> str:
    """The position as plain text of at most 72 columns."""
    return text(position_blocks(rules, view, language))


def options_text(table: Table, powers: Collection[str], names: Sequence[str] = (), language: str = "en") -> str:
    """Options of powers, as plain text."""
    return text(options_blocks(table, powers, names, language))


def has_macro(language: str, game: str, names: Sequence[str], kind: str) -> bool:
    """True if one of these templates has a macro for this kind of thing."""
    return any(hasattr(template(language, game, name).module, kind) for name in names)
