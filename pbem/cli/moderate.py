"""Commands with which the moderator carries the game on and rules on it. Most write one entry, or are refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.campaign.clock.clock import local_moment
from pbem.cli.at_work import FolderOptions, campaign_options, campaign_to_change, entry_options, tell_entry
from pbem.cli.founding import address
from pbem.console.language import language_wanted
from pbem.console.options import gather_options, line, lines, why_option
from pbem.console.printing import print_json, say_words, warn
from pbem.console.refusals import refusals
from pbem.faults.wrong import shell_word, words
from pbem.player.keyring import public_key
from pbem.player.notes import time_left

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.campaign.campaign import Campaign
    from pbem.campaign.play.adjudicating import EnteredAdjudication


@click.command("adjudicate")
@click.option(
    "--force", is_flag=True, help="Go on whatever the clock says, with defaults for those who have not ordered."
)
@entry_options
def adjudicate_command(force: bool, options: FolderOptions) -> None:
    """Carry orders out as far as they reach; the first time, deal the cards. Sealed orders are first locked, until they
    are revealed.

    Only public facts are printed; all else stands in the reports.
    """
    from pbem.campaign.ledger.chain import Head
    from pbem.campaign.play.adjudicating import EnteredAdjudication
    from pbem.cli.read import tell_progress
    from pbem.moderator.acts import adjudicate
    from pbem.moderator.public_view import standing_of

    with campaign_to_change("adjudicate", options) as campaign:
        done = adjudicate(campaign, force)
        data = (
            adjudication_data(done)
            if isinstance(done, EnteredAdjudication)
            else {"kind": "lock", "deadline": campaign.public.deadline}
        )
        tell_entry(campaign, done.entry, options, **data)
        if not options.json_wanted:
            head = Head(campaign.vault.entry, campaign.vault.hash)
            tell_progress(standing_of(campaign.public, head, campaign.now), language_wanted())


def adjudication_data(done: EnteredAdjudication) -> dict[str, object]:
    """Return an adjudication's public result for JSON."""
    record, then = done.record, done.record.next
    owing = {player: list(powers) for player, powers in then.owing.items()}
    return {
        "kind": "adjudication",
        "version": record.version,
        "from": record.stage,
        "stage": then.stage,
        "over": then.over,
        "events": len(record.events),
        "owing": owing,
        "answered": list(then.answered),
        "deadline": then.deadline,
        "absent": record.absent,
        "returned": list(record.returned),
    }


@click.command("post")
@click.option("--no-pictures", is_flag=True, help="Send no maps.")
@campaign_options
def post_command(no_pictures: bool, options: FolderOptions) -> None:
    """Write everybody's report on the time since the last reports into the outbox."""
    from pbem.moderator.mails import post_news

    with campaign_to_change("post", options) as campaign:
        files = post_news(campaign, with_pictures=not no_pictures)
        if options.json_wanted:
            print_json({"files": [str(path) for path in files]})
        else:
            tell_mails(campaign, files)


def tell_mails(campaign: Campaign, files: list[Path]) -> None:
    """Print each folder of new mails, with its numbers of files and mails. Warn of missing or wrong addresses."""
    from pbem.moderator.addresses import address_faults

    for folder in sorted({path.parent for path in files}):
        here = [path for path in files if path.parent == folder]
        mails = sum(path.suffix == ".eml" for path in here)
        say_words("mails-written", folder=str(folder), files=len(here), mails=mails)
    for each in address_faults(campaign) if files else ():
        warn(each)


REMINDED = {
    "before": "reminder-before",
    "deadline": "reminder-deadline",
    "late": "reminder-late",
    "none yet": "reminder-none-yet",
    "draft": "reminder-draft",
    "wait": "reminder-wait",
}
"""Dict from the occasion of a reminder, or from its reason, to the key of the wording."""


@click.command("remind")
@entry_options
def remind_command(options: FolderOptions) -> None:
    """Write the reminders that are due into the outbox; nobody gets the same reminder twice."""
    from msgspec import to_builtins

    from pbem.moderator.mails import remind

    with campaign_to_change("remind", options) as campaign:
        reminders, files = remind(campaign)
        if options.json_wanted:
            print_json({"reminders": to_builtins(reminders), "files": [str(path) for path in files]})
            return
        for each in reminders:
            why = tuple(words(REMINDED[key]) for key in (each.occasion, each.why) if key)
            say_words("reminded", player=each.player, why=why)
        if not reminders:
            say_words("reminded-nobody")
        tell_mails(campaign, files)


def tell_entry_and_deadline(campaign: Campaign, entry: int, options: FolderOptions, **more: object) -> None:
    """Print a new entry as `tell_entry` does, and the following deadline."""
    public = campaign.public
    tell_entry(campaign, entry, options, **more, deadline=public.deadline)
    if public.deadline and not options.json_wanted:
        left = time_left(public.deadline, campaign.now)
        say_words("status-deadline", deadline=local_moment(public.deadline, campaign.settings.clock), left=left)


@click.command("extend")
@click.argument("until", type=line)
@why_option
@entry_options
def extend_command(until: str, why: str, options: FolderOptions) -> None:
    """Give more time: UNTIL a day (`2026-12-01`), a moment (`2026-12-01 20:00`), or by a span (`48h`)."""
    from pbem.moderator.acts import extend

    with campaign_to_change("extend", options) as campaign:
        entry = extend(campaign, until, why)
        tell_entry(campaign, entry, options, deadline=campaign.public.deadline)


def stand_in_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option `--bot`, which puts a bot in a player's place."""
    text = "The level of the bot that plays instead, as all have agreed (`stand_in` of the conduct)."
    return click.option("--bot", type=line, metavar="LEVEL", help=text)(command)


@dataclass(frozen=True)
class AbsenceOptions:
    """Options of an absence: days, reason, and the bot in the player's place."""

    first: str
    last: str | None
    why: str
    bot: str | None


@click.command("absent")
@click.argument("player", type=line)
@click.argument("first", type=line)
@click.argument("last", type=line, required=False)
@click.option("--why", type=line, default="", help="Why, if everybody may read it.")
@stand_in_option
@entry_options
@gather_options("absence", AbsenceOptions)
def absent_command(player: str, absence: AbsenceOptions, options: FolderOptions) -> None:
    """Note that a PLAYER is away from the FIRST to the LAST of some days; deadlines move out of these days.

    With --bot deadlines stay: a bot orders until the player's next letter, if that was agreed (docs/absent.md).
    """
    from pbem.moderator.acts import note_absence

    days = absence.first, absence.last or absence.first
    with campaign_to_change("absent", options) as campaign:
        entry, _ = note_absence(campaign, player, days, absence.why, absence.bot)
        tell_entry_and_deadline(campaign, entry, options)


@click.command("rule")
@click.argument("words", type=lines)
@click.option("--cite", type=line, default="", help="The rule it is about, such as §11.2.")
@entry_options
def rule_command(words: str, cite: str, options: FolderOptions) -> None:
    """Record a ruling in WORDS, which everybody reads."""
    from pbem.campaign.play import rulings

    with campaign_to_change("rule", options) as campaign:
        tell_entry(campaign, rulings.rule(campaign, words, cite), options)


@dataclass(frozen=True)
class Substitute:
    """Options about a seat's new player."""

    new_key: str
    name: str
    language: str
    address: str
    bot: str | None


@click.command("substitute")
@click.argument("seat", type=line)
@click.option("--new-key", type=line, default="", metavar="KEY", help="The substitute's public key, or its .pub file.")
@click.option("--name", type=line, default="", help="What the substitute is called.")
@click.option("--language", type=line, default="", help="The language of the substitute's reports.")
@click.option("--address", type=address, default="", help="Where letters to the substitute go.")
@stand_in_option
@why_option
@entry_options
@gather_options("who", Substitute)
def substitute_command(seat: str, who: Substitute, why: str, options: FolderOptions) -> None:
    """Give a SEAT to another person; letters of the former player for the present stage count no more.

    While the seats reveal their sealed orders, these letters still count: the new player must reveal the sealed orders
    or forfeits them. With --bot a bot plays from now on.
    """
    from pbem.campaign.settings import Newcomer
    from pbem.moderator.acts import Successor, substitute, substitute_bot

    if who.bot is not None and any((who.new_key, who.name, who.language, who.address)):
        raise click.UsageError("--bot is for a bot, the other options are for a person")
    with refusals(options.json_wanted):
        key = public_key(who.new_key).text if who.new_key else ""
    with campaign_to_change("substitute", options, key) as campaign:
        if who.bot is not None:
            done = substitute_bot(campaign, seat, who.bot, why)
        else:
            done = substitute(campaign, seat, Successor(key, Newcomer(who.name, who.language, who.address)), why)
        tell_entry(campaign, done.entry, options, player=done.seat)


@click.command("rekey")
@click.argument("player", type=line)
@click.argument("new_key", type=line, metavar="KEY")
@why_option
@entry_options
def rekey_command(player: str, new_key: str, why: str, options: FolderOptions) -> None:
    """Let a PLAYER who has lost a key sign with a new key. KEY is the line of the new public key, or its .pub file."""
    from pbem.moderator.acts import rekey

    with refusals(options.json_wanted):
        key = public_key(new_key)
    with campaign_to_change("rekey", options, key.text) as campaign:
        done = rekey(campaign, player, key.text, why)
        tell_entry(campaign, done.entry, options, player=done.seat, key=key.fingerprint)


@click.command("rollback")
@click.option("--to", type=click.IntRange(1), required=True, help="The entry after which the position was as wanted.")
@why_option
@entry_options
def rollback_command(to: int, why: str, options: FolderOptions) -> None:
    """Go back to the position after an earlier entry; nothing is deleted, and everybody is told.

    Orders for the present stage are needed anew. Orders shown in a campaign with `sealing: reveal` cannot be chosen
    again, unless all seats have signed an agreement with the words `rollback to ENTRY`.
    """
    from pbem.campaign.play import rulings

    with campaign_to_change("rollback", options) as campaign:
        entry = rulings.rollback(campaign, to, why)
        assert campaign.public.next is not None
        tell_entry_and_deadline(campaign, entry, options, to=to, stage=campaign.public.next.stage)


@click.command("repair-clock")
@why_option
@entry_options
def repair_clock_command(why: str, options: FolderOptions) -> None:
    """Go on after entries by a clock that was far ahead; --clock-is-right vouches that the clock is right now.

    The game stands as before the first of these entries. Without the option the command only tells what it would do.
    """
    from pbem.campaign.play import rulings

    with campaign_to_change(
        "repair-clock", replace(options, clock_is_right=None)
    ) as campaign:  # the option is about the clock now, not about the wrong clock of the entries
        campaign.clock_is_right = bool(options.clock_is_right)
        entry = rulings.repair_clock(campaign, why)
        tell_entry_and_deadline(
            campaign, entry, options, stage=campaign.public.next.stage if campaign.public.next else ""
        )


@click.command("close")
@click.option("--why", type=line, default="", help="Why, if the game is not over.")
@entry_options
def close_command(why: str, options: FolderOptions) -> None:
    """End the campaign: its secrets are published, and anybody can verify all of it.

    Messages between players stay private.
    """
    from pbem.campaign.proof.judging_again import close

    with campaign_to_change("close", options) as campaign:
        entry = close(campaign, why)
        tell_entry(campaign, entry, options, opened=str(campaign.folder.opened))
        if not options.json_wanted:
            say_words("closed-next", folder=shell_word(str(campaign.folder.root)))
