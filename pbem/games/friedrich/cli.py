"""Command line of FRIEDRICH: the options of its games."""

from __future__ import annotations

from pbem.console.options import GameCommands, Option

PART = GameCommands(
    options=(
        Option("expert", "FRIEDRICH: whether the expert game is played.", ("yes", "no")),
        Option("fate-order", "FRIEDRICH: how the Cards of Fate are stacked."),
        Option("decks", "FRIEDRICH: how many decks of tactical cards.", ("4", "5")),
        Option("east-prussia", "FRIEDRICH: the expert game's East Prussia.", ("yes", "no")),
    )
)
