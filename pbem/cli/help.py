"""`pbem help`: a command's help, or a topic of how the program is used."""

from __future__ import annotations

import click

from pbem.console.options import language_option
from pbem.console.refusals import refusals


@click.command("help")
@click.argument("topic", nargs=-1)
@language_option
@click.pass_context
def help_command(context: click.Context, topic: tuple[str, ...], language: str) -> None:
    """Tell how the program is used: all topics, one by its name or how that begins, or a COMMAND."""
    from pbem.cli.rules import show
    from pbem.report.short_rules import guide, topics_of

    root = context.find_root()
    if found := command_meant(root, topic):
        click.echo(found.get_help())
        return
    with refusals(False):
        told = guide(language)
        show(told, topics_of(told, " ".join(topic), "help"), "text", language)


def command_meant(root: click.Context, words: tuple[str, ...]) -> click.Context | None:
    """The command of these words, `key new`, as its help is asked of it; none where they are no command's."""
    found = root
    for word in words:
        group = found.command
        command = group.get_command(found, word) if isinstance(group, click.Group) else None
        if command is None:
            return None
        found = click.Context(command, info_name=word, parent=found, **command.context_settings)
    return found if words else None
