"""The commands: they parse, call and print. No rule and no file format lives here.

Each group of commands is imported only when it is used, so that `pbem --help` is there at once.
"""

from __future__ import annotations

import errno
import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from pbem import __version__

COMMANDS = {
    "board": ("pbem.cli.board", "Check, draw and import boards."),
    "demo": ("pbem.cli.demo", "Bots play a whole game; account and pictures are written."),
    "legal": ("pbem.cli.play", "What may be done in a position."),
    "map": ("pbem.cli.picture", "Draw a position or a board as SVG or PNG."),
    "position": ("pbem.cli.position", "Save and check position files."),
    "rules": ("pbem.cli.rules", "Political cards and tracks, and how sure we are of them."),
    "show": ("pbem.cli.play", "Tell a position in words."),
    "simulate": ("pbem.cli.simulate", "Bots play many games; statistics."),
    "try": ("pbem.cli.play", "Carry out orders on a position and see what comes of it."),
}
"""Every command: the module that has it, and what `--help` says of it."""


class Commands(click.Group):
    """The commands of the table above, imported one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        found = getattr(import_module(module), f"{cmd_name}_command")
        assert isinstance(found, click.Command)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command, whatever letters the terminal has; a full disk behind it is no fault of the program."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="replace")
        try:
            return super().invoke(ctx)
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            raise click.ClickException(f"this cannot be written out: {error.strerror}") from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in sorted(COMMANDS.items())])


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="pbem")
def main() -> None:
    """Play MARIA and FRIEDRICH by mail."""
