"""Commands `pbem rules` and `pbem help`: the short rules of a game, and the use of the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pbem.console.options import game_commands, json_option, language_option
from pbem.console.printing import on_terminal, print_json, tell
from pbem.console.refusals import refusals
from pbem.report.short_rules import rules_and_topics
from pbem.resources import games

if TYPE_CHECKING:
    from pbem.report.short_rules import ShortRules, Topic


FORMATS = ("text", "html", "bbcode", "markdown")


@click.group()
def rules_command() -> None:
    """Show the rules of a game in short, its political cards and tracks, and the points that a table may rule
    otherwise."""


@rules_command.command()
@click.option(
    "--game", type=click.Choice(list(games())), default=next(iter(games())), show_default=True, help="The game."
)
@json_option
def points(game: str, json_wanted: bool) -> None:
    """List the points on which a table may rule otherwise, by name, with their values: the usual one first.

    They stand under `rulings` in the terms of a campaign or in a position file; docs/rulings.md tells what they mean.
    """
    from pbem.paper.library import choices, game_paper_named

    found = choices(game_paper_named(game).points)
    if json_wanted:
        print_json({name: list(values) for name, values in found.items()})
        return
    for name, values in found.items():
        click.echo(f"{name}: {', '.join(values)}")


def short_rules_command(game: str) -> click.Command:
    @click.command(game)
    @click.argument("topic", nargs=-1)
    @click.option(
        "--as", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How they are dressed."
    )
    @language_option
    @json_option
    def command(topic: tuple[str, ...], form: str, language: str, json_wanted: bool) -> None:
        from msgspec import to_builtins

        with refusals(json_wanted):
            rules, topics = rules_and_topics(game, language, " ".join(topic))
            if json_wanted:
                print_json(to_builtins(topics))
            else:
                show(rules, topics, form, language)

    command.help = f"""The rules of {game.upper()} in short, with the § of the rule book.

    TOPIC is one of them by the beginning of its name, or a § as refusals name it; left out: all of them.
    """
    return command


def show(rules: ShortRules, topics: dict[str, Topic], form: str, language: str) -> None:
    """Print topics of the short rules in a format."""
    from pbem.report.formats.pages import bbcode, markdown, page
    from pbem.report.short_rules import rules_blocks

    blocks = rules_blocks(rules, topics)
    match form:
        case "html":
            click.echo(page(blocks, rules.title, language), nl=False)
        case "bbcode":
            click.echo(bbcode(blocks), nl=False)
        case "markdown":
            click.echo(markdown(blocks), nl=False)
        case _:
            tell(blocks, gap=on_terminal())


for game in games():
    rules_command.add_command(short_rules_command(game))
    for command in game_commands(game).rules:
        rules_command.add_command(command)


@click.command("help")
@click.argument("topic", nargs=-1)
@language_option
@click.pass_context
def help_command(context: click.Context, topic: tuple[str, ...], language: str) -> None:
    """Tell how the program is used: all topics, one topic by the beginning of its name, or a COMMAND."""
    from pbem.report.short_rules import guide, topics_of

    root = context.find_root()
    if found := command_meant(root, topic):
        click.echo(found.get_help())
        return
    with refusals(False):
        told = guide(language)
        show(told, topics_of(told, " ".join(topic), "help"), "text", language)


def command_meant(root: click.Context, words: tuple[str, ...]) -> click.Context | None:
    """Return the context of the command that words such as `key new` name, for its help; None if they name no
    command."""
    found = root
    for word in words:
        group = found.command
        command = group.get_command(found, word) if isinstance(group, click.Group) else None
        if command is None:
            return None
        found = click.Context(command, info_name=word, parent=found, **command.context_settings)
    return found if words else None
