"""What commands share: reading files, printing JSON, and one way of saying no."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import click

from pbem.maria.data import MariaRules
from pbem.maria.table import Table
from pbem.paper.faults import Fault, Refused
from pbem.paper.names import NameFault, Names

Command = TypeVar("Command", bound=Callable[..., Any])

REFUSED = 1
"""The exit code of a refusal; a wrong use of the program ends with 2."""


def as_json(command: Command) -> Command:
    """The option `--json`."""
    return click.option("--json", "json_wanted", is_flag=True, help="Print JSON instead of text.")(command)


def seen_as(command: Command) -> Command:
    """The option `--as`."""
    text = "See it with the knowledge of this power or player; `observer` knows no secret. Left out: everything."
    return click.option("--as", "reader", metavar="WHO", help=text)(command)


def out_file(command: Command) -> Command:
    """The option `--out`."""
    return click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="The file to write.")(
        command
    )


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def fault_data(source: str, fault: Fault) -> dict[str, Any]:
    """A fault as JSON has it."""
    return {
        "file": source,
        "line": fault.line,
        "column": fault.column,
        "code": fault.code,
        "message": fault.message,
        "rule": fault.rule,
        "hint": fault.hint,
    }


def refuse(source: str, faults: tuple[Fault, ...], json_wanted: bool) -> None:
    """Print faults, and end the command if one of them is more than a warning."""
    errors = any(not fault.is_warning for fault in faults)
    if json_wanted and errors:
        print_json({"refused": [fault_data(source, fault) for fault in faults]})
    elif not json_wanted:
        for fault in faults:
            click.echo(fault.told(source), err=True)
    if errors:
        sys.exit(REFUSED)


@contextmanager
def refusals(json_wanted: bool) -> Iterator[None]:
    """Turn a refused file into its faults, line by line."""
    try:
        yield
    except Refused as refused:
        refuse(refused.source, refused.faults, json_wanted)
    except OSError as error:
        message = f"{error.filename}: {error.strerror}"
        fault = Fault("E-FILE", message, 1, 1)
        refuse(str(error.filename), (fault,), json_wanted)


def read_bytes(path: str) -> bytes:
    """The bytes of a file, or of the standard input for `-`."""
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def load_table(path: str) -> Table:
    """The table that a position file describes, at its first decision."""
    from pbem.paper.positions import load_position
    from pbem.paper.trial import begin

    table = load_position(read_bytes(path), path, None if path == "-" else Path(path).parent)
    begin(table)
    return table


def powers_of(rules: MariaRules, reader: str | None) -> tuple[str, ...]:
    """The powers whose secrets a reader knows: a player's powers, one power, nobody's, or all."""
    if reader is None:
        return rules.powers
    names = ["observer", *rules.seats, *rules.powers]
    try:
        found = names[Names(names, "player or power").find(reader)]
    except NameFault as fault:
        raise click.BadParameter(
            f"{fault.message}{'; ' if fault.hint else ''}{fault.hint}", param_hint="--as"
        ) from None
    if found == "observer":
        return ()
    return tuple(power for power in rules.seats.get(found, (found,)) if power in rules.powers)


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
