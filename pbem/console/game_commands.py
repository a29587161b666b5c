"""Options with which a game begins, and commands of its own, as that game brings them to the command line."""

from __future__ import annotations

from dataclasses import dataclass

import click

from pbem.kit import part
from pbem.resources import games


@dataclass(frozen=True)
class Option:
    """An option that says one of the terms of a game."""

    name: str
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class GameCommands:
    """What one game brings to the room `cli`, as the `PART` of its `cli` module."""

    options: tuple[Option, ...] = ()
    rules: tuple[click.Command, ...] = ()
    """What `pbem rules` shows of it."""


def game_commands(game: str) -> GameCommands:
    return part(game, "cli", GameCommands)


def game_options() -> dict[str, Option]:
    """The options of all games by their names; what two games call alike is one."""
    found: dict[str, Option] = {}
    for game in games():
        for option in game_commands(game).options:
            found.setdefault(option.name, option)
    return found
