"""Target: command lines that people mistype, with options of other commands, files of other kinds, and odd words."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import click

from pbem.cli import COMMANDS, main

from .changes import TEXTS
from .watching import Target
from .world import NAME, SEAT, world

LONG = ("demo", "simulate")
"""Commands that play whole games; these get an option that is wrong, lest they play."""

FILES = (
    "report.yaml",
    "letter.yaml",
    "invitation.yaml",
    "key",
    "key.pub",
    NAME,
    f"{NAME}/state.yaml",
    f"{NAME}/ledger",
)
WORDS = (
    *(text for text in TEXTS if "/" not in text and len(text) < 400),
    *("3", "-3", "2026-12-01", "2026-13-45", "48h", "9999w", "louis,frederick", SEAT, "all", "♠7 ♦9 R", "1741"),
    *("x" * 5000, "a\nb", "\udc80", "é" * 300, "louis=Anna <anna@example.org>", "=", "<>", "0x10", "1e5", "nan"),
)  # fmt: skip


def commands() -> list[tuple[tuple[str, ...], click.Command]]:
    """Every command with the words that call it."""
    context = click.Context(main)
    found: list[tuple[tuple[str, ...], click.Command]] = []
    for name in sorted(COMMANDS):
        command = main.get_command(context, name)
        if isinstance(command, click.Group):
            found += [((name, inner), each) for inner, each in command.commands.items()]
        elif command is not None:
            found.append(((name,), command))
    return found


def command_line(chance: Random) -> list[str]:
    """A command with some of its own options, some of others', and any words behind them."""
    every = commands()
    words, command = chance.choice(every)
    line = list(words)
    for param in command.params:
        if isinstance(param, click.Option) and chance.random() < 0.3 and "--help" not in param.opts:
            line.append(chance.choice(param.opts))
            if not param.is_flag:
                line.append(chance.choice(choices_of(param) or (*WORDS, *FILES)))
        elif isinstance(param, click.Argument) and chance.random() < 0.9:
            line += [chance.choice((*WORDS, *FILES)) for _ in range(chance.choice((1, 1, 2)))]
    if chance.random() < 0.3:
        _, other = chance.choice(every)
        line += [option for param in other.params for option in param.opts[:1] if chance.random() < 0.3]
    if words[0] in LONG:
        line += ["--game", "chess"]
    return line


def choices_of(param: click.Option) -> tuple[str, ...]:
    """Words that an option accepts, if it accepts only some."""
    return tuple(param.type.choices) if isinstance(param.type, click.Choice) else ()


def read_line(data: bytes) -> None:
    """A command line is answered with 0, 1 or 2."""
    here = world()
    for name, content in zip(FILES, (here.report, here.sheet, here.invitation), strict=False):
        (here.root / name).write_bytes(content)
    for name in ("key", "key.pub"):
        (here.root / name).write_bytes((here.root / here.seat / name).read_bytes())
    here.run(*command_line(Random(data)))


def arguments() -> Iterator[Target]:
    """The target of this module."""
    yield Target("arguments", tuple(f"{number}".encode() * 4 for number in range(10)), read_line, weight=2)
