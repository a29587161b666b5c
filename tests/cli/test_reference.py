"""docs/commands.md is what the commands say of themselves."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import COMMANDS, main
from tests.report.golden import check_file

PAGE = Path(__file__).parents[2] / "docs/commands.md"
HEAD = """# Commands

What `pbem COMMAND --help` says, command by command. A test writes this page anew and compares
(`PBEM_UPDATE_GOLDEN=1 pytest tests/cli/test_reference.py` brings it up to date).
"""


def help_of(command: click.Command, name: str, parent: click.Context) -> list[str]:
    """The help of a command, and of those under it."""
    context = click.Context(command, info_name=name, parent=parent, max_content_width=100, terminal_width=100)
    blocks = [
        f"{'##' if parent.parent is None else '###'} {path_of(context)}\n\n```text\n{command.get_help(context)}\n```\n"
    ]
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            under = command.get_command(context, name)
            assert under is not None
            blocks += help_of(under, name, context)
    return blocks


def path_of(context: click.Context) -> str:
    """A command as it is typed."""
    return context.command_path


def test_the_reference_is_what_the_commands_say() -> None:
    root = click.Context(main, info_name="pbem", **main.context_settings)
    blocks = [HEAD]
    for name in COMMANDS:
        command = main.get_command(root, name)
        assert command is not None
        blocks += help_of(command, name, root)
    check_file(PAGE, "\n".join(blocks))


def test_every_option_has_a_word_of_help() -> None:
    root = click.Context(main, info_name="pbem")

    def silent(command: click.Command, path: str) -> list[str]:
        found = [
            f"{path} {option.opts}" for option in command.params if isinstance(option, click.Option) and not option.help
        ]
        if not command.help:
            found.append(path)
        if isinstance(command, click.Group):
            for name in command.list_commands(root):
                under = command.get_command(root, name)
                assert under is not None
                found += silent(under, f"{path} {name}")
        return found

    commands = {name: main.get_command(root, name) for name in COMMANDS}
    assert [line for name, command in commands.items() if command for line in silent(command, name)] == []
