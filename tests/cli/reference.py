"""Help of all commands as a page: `python -m tests.cli.reference` prints it."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator

import click

from pbem.cli import COMMANDS, main

HEAD = """# Commands

`pbem COMMAND --help` (`-h`) tells this in the terminal; `pbem help` tells by topics, in four languages, how the program
is used. A command's own options stand below it; those behind *Also* are told [here](#common-options), where a word
without hyphens stands for several.
`PBEM_UPDATE_GOLDEN=1 pytest tests/cli/test_reference.py` writes this page anew.

## Completion

A tab completes commands and options. bash (4.4 or newer), in `~/.bashrc`: `eval "$(_PBEM_COMPLETE=bash_source pbem)"`;
zsh, in `~/.zshrc`: `eval "$(_PBEM_COMPLETE=zsh_source pbem)"`;
fish, once: `_PBEM_COMPLETE=fish_source pbem > ~/.config/fish/completions/pbem.fish`.
"""

OFTEN = 3
"""An option that so many commands have alike is told once."""

GROUPS = {
    "*game*": (
        "--game", "--scenario", "--players", "--edition", "--politics", "--placing", "--expert", "--fate-order",
        "--decks", "--east-prussia", "--board",
    ),
    "*ledger*": ("--clock-is-right", "-C", "--key", "--passphrase-file", "--json"),
    "*letter*": ("--campaign", "--seat", "--report", "-o", "--key", "--passphrase-file", "--json"),
    "*key*": ("--key", "--passphrase-file", "--json"),
    "*office*": ("--settings", "--as SEAT", "--json"),
}  # fmt: skip
"""Common options that a command has only together, by the one word for all of them."""

HELP = "-h, --help"
"""An option of every command that need not be told."""

Option = tuple[str, str]
"""An option as it is typed, and its help."""


def commands() -> list[click.Context]:
    """Every command, each group before what is under it."""
    root = click.Context(main, info_name="pbem", **main.context_settings)

    def below(command: click.Command, name: str, parent: click.Context) -> Iterator[click.Context]:
        context = click.Context(command, info_name=name, parent=parent, max_content_width=100, terminal_width=100)
        yield context
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                under = command.get_command(context, name)
                assert under is not None
                yield from below(under, name, context)

    found = {name: main.get_command(root, name) for name in COMMANDS}
    return [context for name, command in found.items() if command for context in below(command, name, root)]


def options(context: click.Context) -> list[Option]:
    """The options of a command."""
    named = [one for one in context.command.get_params(context) if isinstance(one, click.Option)]
    records = [record for one in named if (record := one.get_help_record(context))]
    return [(name, " ".join(text.split())) for name, text in records if name != HELP]


def told(context: click.Context, common: list[Option]) -> str:
    """A command: how it is called, what it does, and its options."""
    own = [option for option in options(context) if option not in common]
    also = grouped([short(option, common) for option in options(context) if option in common])
    usage = " ".join(word for word in context.command.collect_usage_pieces(context) if word != "[OPTIONS]")
    is_group = isinstance(context.command, click.Group)
    parts = [
        f"{'##' if context.parent and context.parent.parent is None else '###'} {context.command_path}\n",
        (f"`{usage}` " if usage and not is_group else "") + paragraphs(context.command.help or ""),
        *([""] if own or also else []),
        *(f"- `{name}` {text}" for name, text in own),
        *([f"- *Also* {' '.join(also)}"] if also else []),
    ]
    return "\n".join(parts) + "\n"


def paragraphs(text: str) -> str:
    """A help, a line for each paragraph that is not set as it stands."""
    blocks = re.sub(r"\f.*", "", text, flags=re.DOTALL).strip().split("\n\n")
    return "\n\n".join(block.replace("\b\n", "") if "\b" in block else " ".join(block.split()) for block in blocks)


def short(option: Option, common: list[Option]) -> str:
    """The name of a common option; with its value if another one has the same name."""
    name = re.split("[, ]", option[0])[0]
    alike = [one for one, _ in common if re.split("[, ]", one)[0] == name]
    return name if len(alike) == 1 else option[0]


def grouped(names: list[str]) -> list[str]:
    """Names of common options, with one word in place of a group of which all are there."""
    told = dict.fromkeys(f"`{name}`" for name in names)
    for word, group in GROUPS.items():
        marks = [f"`{name}`" for name in group]
        if told.keys() >= set(marks):
            told = {word if name == marks[0] else name: None for name in told if name not in marks[1:]}
    return list(told)


def reference() -> str:
    """The page."""
    every = commands()
    counts = Counter(option for context in every for option in options(context))
    common = [option for option, count in counts.items() if count >= OFTEN]
    rows = [f"- `{name}` {text}" for name, text in common]
    words = [f"- {word}: {' '.join(f'`{name}`' for name in group)}" for word, group in GROUPS.items()]
    return "\n".join([HEAD, "## Common options\n", *rows, *words, "", *(told(context, common) for context in every)])


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(reference())
