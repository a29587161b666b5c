"""Which bot plays which seat, as `--bots` says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import click

from pbem.bots.game_bots import Policy
from pbem.bots.table import BOTS, bot_named, policy_by_player
from pbem.cli.common import bot_meant, bots_meant


def bots_option(command: Callable[..., object]) -> Callable[..., object]:
    """The option `--bots`."""
    text = f"One bot for all seats ({', '.join(BOTS)}, strong:16), or of some: `frederick=sensible,louis=random`."
    return click.option("--bots", metavar="BOTS", help=text)(command)


def line_up(seats: Sequence[str], text: str | None, otherwise: str) -> dict[str, str]:
    """The bot of every seat: one for all, or each as it is named, and of those who are not named another."""
    if text is None:
        return dict.fromkeys(seats, otherwise)
    if "=" not in text:
        return dict.fromkeys(seats, bot_meant(text, "--bots"))
    return dict.fromkeys(seats, otherwise) | bots_meant(text.split(","), seats, "--bots")


def policy_of(bots: Mapping[str, str], game: str) -> Policy:
    """Every seat answers by its bot."""
    return policy_by_player({seat: bot_named(bot, game) for seat, bot in bots.items()}, bot_named("random", game))
