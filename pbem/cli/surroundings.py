"""What commands of campaigns need of the world around them: the time, sound texts, and one way of saying no."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from pbem.cli.common import REFUSED, fault_data, misuse, print_json, refusals, warn
from pbem.faults.wrong import Wrong, wrong
from pbem.paper.documents.characters import UNWANTED, called, clean

if TYPE_CHECKING:
    from pbem.campaign.clock.clock import Clock

Command = TypeVar("Command", bound=Callable[..., object])

MOST_TEXT = 20_000
"""The longest text that an option takes."""


def real_time() -> datetime:
    """The time of this computer."""
    return datetime.now(UTC)


@dataclass(frozen=True)
class Surroundings:
    """What the program takes from outside; whoever calls it from Python may give another (`main(obj=…)`)."""

    now: Callable[[], datetime] = real_time


def time_now() -> datetime:
    """The time, as this call of the program has it."""
    given = click.get_current_context().find_object(Surroundings)
    return (given or Surroundings()).now()


def local(written: str, clock: Clock) -> str:
    """A moment of the ledger as people of the campaign's time zone say it."""
    from pbem.campaign.clock.clock import parse_moment, zone_named

    return (
        f"{parse_moment(written).astimezone(zone_named(clock.zone)):%a %Y-%m-%d %H:%M %Z}" if written else "no deadline"
    )


def line(value: str) -> str:
    """An option's text of one line, or none; as its type, it refuses what no letter and no ledger may hold."""
    return some_line(value) if value else ""


def some_line(value: str) -> str:
    """An option's text of one line, which must be there."""
    found = lines(value)
    if "\n" in found:
        raise click.BadParameter(misuse("use-one-line"))
    return found


def lines(value: str) -> str:
    """An option's text of any number of lines."""
    found = value.replace("\r\n", "\n").strip()
    if unseen := UNWANTED.search(found):
        raise click.BadParameter(misuse("use-character", character=called(unseen.group())))
    if not found or len(found) > MOST_TEXT:
        raise click.BadParameter(misuse("use-length", most=MOST_TEXT))
    return clean(found)


def in_folder(command: Command) -> Command:
    """The option `--folder` of the moderator's commands."""
    text = "The campaign's folder; left out: the one you are in."
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("-C", "--folder", type=kind, default=Path(), metavar="FOLDER", help=text)(command)


def why_option(command: Command) -> Command:
    """The option `--why`, which must be given."""
    return click.option("--why", type=some_line, metavar="TEXT", required=True, help="Why; everybody reads it.")(
        command
    )


@contextmanager
def refusing_in_words(json_wanted: bool) -> Iterator[None]:
    """Turn everything that a command may be refused for into one clear answer."""
    try:
        with refusals(json_wanted):
            yield
    except Exception as error:
        fault = fault_of(error)
        if fault is None:
            raise
        say_no(fault, json_wanted)


def fault_of(error: Exception) -> Wrong | None:
    """What a fault of the lower rooms says; nothing for errors that are none of theirs."""
    from pbem.campaign.clock.clock import ClockFault
    from pbem.campaign.disk.atomic import StorageFault
    from pbem.campaign.play.snapshot import Disagreement
    from pbem.seal.faults import SealFault
    from pbem.work.executor import WorkFault

    match error:
        case ClockFault() | StorageFault() | SealFault() | WorkFault():
            return error.wrong
        case Disagreement():
            return wrong("E-LEDGER-DISAGREES", entry=error.entry, what=error.what)
    return None


def say_no(fault: Wrong, json_wanted: bool = False) -> None:
    """End the command with one fault that has no place in any file."""
    if json_wanted:
        print_json({"refused": [fault_data("", fault)]})
    else:
        warn(fault)
    sys.exit(REFUSED)
