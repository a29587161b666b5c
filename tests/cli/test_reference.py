"""docs/commands.md is what the commands say of themselves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from pbem.cli import COMMANDS, main
from tests.report.golden import check_file

ROOT = Path(__file__).parents[2]


def test_the_reference_is_what_the_commands_say() -> None:
    """In a process of its own: click remembers how a command was asked first."""
    done = subprocess.run([sys.executable, "-m", "tests.cli.reference"], cwd=ROOT, capture_output=True, check=True)
    check_file(ROOT / "docs/commands.md", done.stdout.decode())


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
