"""`pbem rules`: what the games have to look up, and what a table may rule otherwise."""

from __future__ import annotations

import click

from pbem.cli.common import as_json, print_json
from pbem.cli.game_commands import game_commands
from pbem.resources import games


@click.group()
def rules_command() -> None:
    """Political cards and tracks, how sure we are of them, and what a table may rule otherwise."""


@rules_command.command()
@click.option(
    "--game", type=click.Choice(list(games())), default=next(iter(games())), show_default=True, help="The game."
)
@as_json
def points(game: str, json_wanted: bool) -> None:
    """List the points on which a table may rule otherwise, by name, with their values: the usual one first.

    They stand under `rulings` in the terms of a campaign or in a position file; docs/rulings.md tells what they mean.
    """
    from pbem.paper.game_paper import game_paper_named
    from pbem.paper.rulings import choices

    found = choices(game_paper_named(game).points)
    if json_wanted:
        print_json({name: list(values) for name, values in found.items()})
        return
    for name, values in found.items():
        click.echo(f"{name}: {', '.join(values)}")


for game in games():
    for command in game_commands(game).rules:
        rules_command.add_command(command)
