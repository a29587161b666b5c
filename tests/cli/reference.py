"""What all commands say of themselves, as a page: `python -m tests.cli.reference` prints it."""

from __future__ import annotations

import sys

import click

from pbem.cli import COMMANDS, main

HEAD = """# Commands

What `pbem COMMAND --help` says, command by command. A test writes this page anew and compares
(`PBEM_UPDATE_GOLDEN=1 pytest tests/cli/test_reference.py` brings it up to date).

`pbem help` tells how the program is used, by topics and in four languages (`pbem help moderating`); `pbem help key new`
is the help of a command.

## Completion

Commands and options are completed by a tab where the shell has been told. bash (4.4 or newer), in `~/.bashrc`:

    eval "$(_PBEM_COMPLETE=bash_source pbem)"

zsh, in `~/.zshrc`:

    eval "$(_PBEM_COMPLETE=zsh_source pbem)"

fish, once:

    _PBEM_COMPLETE=fish_source pbem > ~/.config/fish/completions/pbem.fish
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


def reference() -> str:
    """The page."""
    root = click.Context(main, info_name="pbem", **main.context_settings)
    blocks = [HEAD]
    for name in COMMANDS:
        command = main.get_command(root, name)
        assert command is not None
        blocks += help_of(command, name, root)
    return "\n".join(blocks)


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(reference())
