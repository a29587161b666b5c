"""Common parts of a moderator's commands: the options, and the contexts that open and save a campaign."""

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
from pbem.console.printing import print_json, say, say_words, warn
from pbem.console.refusals import REFUSED, refusals
from pbem.console.surroundings import key_options, private_key, time_now

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.moderator.campaigns import Task


@dataclass(frozen=True)
class FolderOptions:
    """Options shared by all commands on a campaign's folder."""

    folder: Path
    key_path: Path | None
    passphrase_file: Path | None
    json_wanted: bool
    clock_is_right: bool | None = None
    """True if the moderator vouches for the time; None for commands that write no entry."""


def entry_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a command that writes an entry. The command gets them as `options`."""
    text = "Vouch for the time of this computer, where it is far from that of the last entry."
    return click.option("--clock-is-right", is_flag=True, help=text)(campaign_options(command))


def campaign_options(command: Callable[..., object]) -> Callable[..., object]:
    """Add the options of a command in a campaign's folder. The command gets them as `options`."""
    return folder_option(key_options(json_option(gather_options("options", FolderOptions)(command))))


@contextmanager
def campaign_to_change(name: str, options: FolderOptions, content: str = "") -> Iterator[Campaign]:
    """Open the campaign for a `with` block, save it at the end, and print warnings. If a mail could not be written, the
    command ends with the exit code of a refusal. `content` is the content of the command's files. An interrupted run of
    the same command is recognised by this content (`command_line`)."""
    from pbem.moderator import campaigns

    with refusals(options.json_wanted):
        with campaigns.campaign_to_change(task_of(name, options), command_line(name, content)) as campaign:
            campaign.language = language_wanted()
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
    """Return a text that is equal whenever the same command is run again. It is made of the name, the `content` of the
    command's files, and all options except `FolderOptions`."""
    given = click.get_current_context().params
    beside = [field.name for field in fields(FolderOptions)]
    said = {key: value for key, value in given.items() if key not in beside}
    return json.dumps([name, content, said], sort_keys=True, default=str)


@contextmanager
def campaign_to_read(name: str, options: FolderOptions) -> Iterator[Campaign]:
    """Open the campaign for a `with` block. The campaign is not changed."""
    from pbem.moderator import campaigns

    with refusals(options.json_wanted), campaigns.campaign_to_read(task_of(name, options)) as campaign:
        campaign.language = language_wanted()
        yield campaign


def task_of(name: str, options: FolderOptions) -> Task:
    from pbem.moderator.campaigns import Task

    key = partial(private_key, options.key_path, options.passphrase_file)
    return Task(name, options.folder, key, time_now, options.clock_is_right)


def tell_entry(campaign: Campaign, entry: int, options: FolderOptions, **more: object) -> None:
    """Print the number of a new entry, and its line in `pbem log`. As JSON, print the number and the values in
    `more`."""
    from pbem.moderator.public_view import entry_line

    if options.json_wanted:
        print_json({"entry": entry, **more})
    else:
        say_words("entry-told", entry=entry, what=entry_line(campaign, entry, language_wanted()))
