"""Names are completed by a tab, and earlier lines come back, where the system can edit lines."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from pbem.playing.game import PlayedGame
from pbem.report import naming

APART = ":,+[{"
"""What stands between names."""


def complete_names(game: PlayedGame, commands: Sequence[str], language: str) -> None:
    """Complete commands, pieces and cities from now on."""
    with suppress(ImportError):
        import readline

        common = naming.in_words(game.rules, language).common
        names = (*commands, *(piece.name for piece in common.pieces), *(city.name for city in common.board.cities))
        readline.set_completer(lambda typed, state: completion(names, typed, state))
        readline.set_completer_delims(APART)
        readline.parse_and_bind("tab: complete")


def completion(names: Sequence[str], typed: str, state: int) -> str | None:
    """One of the names that begin as it is typed, behind a question mark or a blank as it stands there."""
    begun = typed.lstrip("? ")
    head = typed[: len(typed) - len(begun)]
    found = [name for name in names if begun and name.casefold().startswith(begun.casefold())]
    return head + found[state] if state < len(found) else None
