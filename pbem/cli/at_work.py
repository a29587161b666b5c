"""How a moderator's command works in a campaign: with which options, under which lock, and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.common import REFUSED, as_json, gathered, print_json, say, warn
from pbem.cli.frames import language_wanted
from pbem.cli.keyring import key_options, private_key
from pbem.cli.surroundings import in_folder, refusing_in_words, time_now
from pbem.faults.wrong import wrong

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.seal.keys import PrivateKey, PublicKey


@dataclass(frozen=True)
class Work:
    """What every command in a campaign's folder is told."""

    folder: Path
    key_path: Path | None
    passphrase_file: Path | None
    json_wanted: bool
    clock_is_right: bool | None = None
    """Whether somebody vouches for the time; nothing for commands that enter nothing."""


def entry_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command that enters something, at the time that it is."""
    text = "Vouch for the time of this computer, where it is far from that of the last entry."
    return click.option("--clock-is-right", is_flag=True, help=text)(campaign_options(command))


def campaign_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options of every command that works in a campaign's folder; it gets them as `work`."""
    return in_folder(key_options(as_json(gathered("work", Work)(command))))


@contextmanager
def campaign_to_change(name: str, work: Work, content: str = "") -> Iterator[Campaign]:
    """The campaign, opened for one command; what follows from its entries is written at the end.

    The same command, interrupted and run again, is known by its words, and by the `content` of files that they name.
    """
    with campaign_to_read(name, work) as campaign:
        campaign.clock_is_right = bool(work.clock_is_right)
        if work.clock_is_right is not None:
            # Before all else: `remind` writes its letters before the entry, which would then be refused.
            campaign.check_clock()
        campaign.intend(command_line(name, content))
        yield campaign
        campaign.save()
        if campaign.found:
            warn(wrong("W-DONE-BEFORE", command=name, entry=campaign.found[0].number))
        for source, fault in campaign.warnings:
            say(fault.told(source, language_wanted()), err=True)
        for fault in campaign.left_out:
            warn(fault)
        if campaign.left_out:
            raise SystemExit(REFUSED)


def command_line(name: str, content: str) -> str:
    """What a command is to do, in one text: its name and all that it was given but where things lie."""
    given = click.get_current_context().params
    beside = [field.name for field in fields(Work)]
    said = {key: value for key, value in given.items() if key not in beside}
    return json.dumps([name, content, said], sort_keys=True, default=str)


@contextmanager
def campaign_to_read(name: str, work: Work) -> Iterator[Campaign]:
    """The campaign, opened for a command that changes nothing in it."""
    from pbem.campaign.campaign import opened_by_moderator
    from pbem.campaign.ledger.replaying import founder_of

    with refusing_in_words(work.json_wanted):
        # First: a folder that is no campaign is told before anybody types a passphrase.
        moderator = founder_of(work.folder)
        key = private_key(work.key_path, work.passphrase_file)
        check_key(moderator, key)
        with opened_by_moderator(work.folder, key, f"pbem {name}", time_now()) as campaign:
            yield campaign


def need_files(json_wanted: bool, *paths: str) -> None:
    """Refuse a file that is not there before anybody is asked for a passphrase; a key may be written in its place."""
    with refusing_in_words(json_wanted):
        for path in paths:
            if path not in ("", "-") and not path.startswith("ssh-"):
                Path(path).stat()


def check_key(moderator: PublicKey, key: PrivateKey) -> None:
    """Refuse a key that is not the moderator's, before anything is tried to open with it."""
    from pbem.seal.faults import KeyFault

    if key.public != moderator:
        raise KeyFault(wrong("E-KEY-OTHER.given", moderator=moderator.fingerprint, given=key.public.fingerprint))


def tell_entry(json_wanted: bool, entry: int, words: str, **more: object) -> None:
    """Say what was entered."""
    if json_wanted:
        print_json({"entry": entry, **more})
    else:
        click.echo(f"entry {entry}: {words}")
