"""Work of a moderator's command in a campaign: its options, its lock, its end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.console.frames import language_wanted
from pbem.console.options import as_json, gathered, in_folder
from pbem.console.printing import print_json, say, warn
from pbem.console.refusals import REFUSED, refusals
from pbem.console.surroundings import key_options, private_key, time_now

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.moderator.campaigns import Task


@dataclass(frozen=True)
class Work:
    """Options that every command in a campaign's folder has."""

    folder: Path
    key_path: Path | None
    passphrase_file: Path | None
    json_wanted: bool
    clock_is_right: bool | None = None
    """True if the moderator vouches for the time; nothing for commands that write no entry."""


def entry_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command that enters something, at the time that it is."""
    text = "Vouch for the time of this computer, where it is far from that of the last entry."
    return click.option("--clock-is-right", is_flag=True, help=text)(campaign_options(command))


def campaign_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command that works in a campaign's folder; it gets them as `work`."""
    return in_folder(key_options(as_json(gathered("work", Work)(command))))


@contextmanager
def campaign_to_change(name: str, work: Work, content: str = "") -> Iterator[Campaign]:
    """The campaign, opened for one command; then its warnings are told.

    The same command, interrupted and run again, is known by its words, and by the `content` of files that they name.
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
    """Text of a command for its repetition: name and options, without the places of files."""
    given = click.get_current_context().params
    beside = [field.name for field in fields(Work)]
    said = {key: value for key, value in given.items() if key not in beside}
    return json.dumps([name, content, said], sort_keys=True, default=str)


@contextmanager
def campaign_to_read(name: str, work: Work) -> Iterator[Campaign]:
    """The campaign, opened for a command that changes nothing in it."""
    from pbem.moderator import campaigns

    with refusals(work.json_wanted), campaigns.campaign_to_read(task_of(name, work)) as campaign:
        yield campaign


def task_of(name: str, work: Work) -> Task:
    """A command, as the moderator's room has it."""
    from pbem.moderator.campaigns import Task

    key = partial(private_key, work.key_path, work.passphrase_file)
    return Task(name, work.folder, key, time_now, work.clock_is_right)


def tell_entry(json_wanted: bool, entry: int, words: str, **more: object) -> None:
    """Say what was entered."""
    if json_wanted:
        print_json({"entry": entry, **more})
    else:
        click.echo(f"entry {entry}: {words}")
