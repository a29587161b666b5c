"""Common parts of a moderator's commands in a campaign: options, opening, and the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.language import language_wanted
from pbem.console.options import folder_option, gather_options, json_option
from pbem.console.printing import print_json, say, warn
from pbem.console.refusals import REFUSED, refusals
from pbem.console.surroundings import key_options, private_key, time_now

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.moderator.campaigns import Task


@dataclass(frozen=True)
class Work:
    """Options of every command in a campaign's folder."""

    folder: Path
    key_path: Path | None
    passphrase_file: Path | None
    json_wanted: bool
    clock_is_right: bool | None = None
    """True if the moderator vouches for the time; None for commands that write no entry."""


def entry_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a command that writes an entry."""
    text = "Vouch for the time of this computer, where it is far from that of the last entry."
    return click.option("--clock-is-right", is_flag=True, help=text)(campaign_options(command))


def campaign_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a command in a campaign's folder. The command gets them as `work`."""
    return folder_option(key_options(json_option(gather_options("work", Work)(command))))


@contextmanager
def campaign_to_change(name: str, work: Work, content: str = "") -> Iterator[Campaign]:
    """Open the campaign for one command, and print its warnings at the end.

    The same command, interrupted and run again, is known by its words and by the `content` of the files that they name.
    """
    from pbem.moderator import campaigns

    with refusals(work.json_wanted):
        with campaigns.campaign_to_change(task_of(name, work), command_line(name, content)) as campaign:
            yield campaign
        for source, fault in campaign.warnings:
            say(
                fault.message_line(source, language_wanted()) if source else fault.sentence(language_wanted()), err=True
            )
        for fault in campaign.left_out:
            warn(fault)
        if campaign.left_out:
            raise SystemExit(REFUSED)


def command_line(name: str, content: str) -> str:
    """Return a text by which the same command is known again: name, content and options, without the paths of files."""
    given = click.get_current_context().params
    beside = [field.name for field in fields(Work)]
    said = {key: value for key, value in given.items() if key not in beside}
    return json.dumps([name, content, said], sort_keys=True, default=str)


@contextmanager
def campaign_to_read(name: str, work: Work) -> Iterator[Campaign]:
    """Open the campaign for a command that does not change it."""
    from pbem.moderator import campaigns

    with refusals(work.json_wanted), campaigns.campaign_to_read(task_of(name, work)) as campaign:
        yield campaign


def task_of(name: str, work: Work) -> Task:
    """Return a command as a task of the moderator."""
    from pbem.moderator.campaigns import Task

    key = partial(private_key, work.key_path, work.passphrase_file)
    return Task(name, work.folder, key, time_now, work.clock_is_right)


def tell_entry(json_wanted: bool, entry: int, words: str, **more: object) -> None:
    """Print the number of a new entry with some words, or as JSON with more data."""
    if json_wanted:
        print_json({"entry": entry, **more})
    else:
        click.echo(f"entry {entry}: {words}")
