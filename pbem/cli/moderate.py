"""Commands of the moderator that carry the game on and rule on it. Each writes one entry, or is refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.campaign.clock.clock import local_text
from pbem.cli.at_work import Work, campaign_options, campaign_to_change, entry_options, tell_entry
from pbem.cli.founding import address
from pbem.console.options import gather_options, line, lines, why_option
from pbem.console.printing import print_json, warn
from pbem.console.refusals import refusals
from pbem.faults.wrong import counted, shell_word
from pbem.player.keyring import public_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.campaign.campaign import Campaign
    from pbem.campaign.clock.clock import Clock
    from pbem.campaign.play.adjudicating import EnteredAdjudication


@click.command("adjudicate")
@click.option(
    "--force", is_flag=True, help="Go on whatever the clock says, with defaults for those who have not ordered."
)
@entry_options
def adjudicate_command(force: bool, work: Work) -> None:
    """Carry orders out as far as they reach; the first time, deal the cards.

    Only public facts are printed; all else stands in the reports.
    """
    from pbem.campaign.play.adjudicating import Lock
    from pbem.moderator.acts import adjudicate

    with campaign_to_change("adjudicate", work) as campaign:
        done = adjudicate(campaign, force)
        if isinstance(done, Lock):
            until = local_text(campaign.public.deadline, campaign.settings.clock)
            who = "what is sealed is fixed, before the clock allowed it" if done.forced else "everybody has sealed"
            words = f"{who}; now all reveal, until {until}"
            tell_entry(work.json_wanted, done.entry, words, kind="lock", deadline=campaign.public.deadline)
        else:
            tell_adjudication(done, campaign.settings.clock, work.json_wanted)


def tell_adjudication(done: EnteredAdjudication, clock: Clock, json_wanted: bool) -> None:
    """Print the public result of an adjudication."""
    record, then = done.record, done.record.next
    if json_wanted:
        owing = {player: list(powers) for player, powers in then.owing.items()}
        stages = {"version": record.version, "from": record.stage, "stage": then.stage, "over": then.over}
        asked = {"owing": owing, "answered": list(then.answered), "deadline": then.deadline}
        told = {"entry": done.entry, "kind": "adjudication", **stages, "events": len(record.events), **asked}
        print_json({**told, "absent": record.absent, "returned": list(record.returned)})
        return
    way = f"{record.stage} → {then.stage}" if record.stage not in ("", then.stage) else then.stage
    click.echo(f"entry {done.entry}: {way}, {counted(len(record.events), 'public event')}")
    for player, why in record.absent.items():
        click.echo(f"  defaults answered for {player}: {why}")
    for player in record.returned:
        click.echo(f"  orders of {player} could not be carried out, and go back")
    if then.over:
        click.echo("  the game is over: `pbem post`, then `pbem close`")
    for player, powers in then.owing.items():
        state = "has answered already" if player in then.answered else f"until {local_text(then.deadline, clock)}"
        click.echo(f"  {player} is asked for {', '.join(powers)}: {state}")


@click.command("post")
@click.option("--no-pictures", is_flag=True, help="Send no maps.")
@campaign_options
def post_command(no_pictures: bool, work: Work) -> None:
    """Write everybody's report on the time since the last reports into the outbox."""
    from pbem.moderator.mails import post_news

    with campaign_to_change("post", work) as campaign:
        files = post_news(campaign, pictures=not no_pictures)
        if work.json_wanted:
            print_json({"files": [str(path) for path in files]})
        else:
            tell_mails(campaign, files)


def tell_mails(campaign: Campaign, files: list[Path]) -> None:
    """Print the files of mails that are to be sent."""
    from pbem.moderator.mails import address_faults

    for folder in sorted({path.parent for path in files}):
        here = [path for path in files if path.parent == folder]
        click.echo(f"{folder}: {len(here)} files, {sum(path.suffix == '.eml' for path in here)} of them mails")
    for each in address_faults(campaign) if files else ():
        warn(each)


@click.command("remind")
@entry_options
def remind_command(work: Work) -> None:
    """Write the reminders that are due into the outbox; nobody gets the same reminder twice."""
    from msgspec import to_builtins

    from pbem.moderator.mails import remind

    with campaign_to_change("remind", work) as campaign:
        reminders, files = remind(campaign)
        if work.json_wanted:
            print_json({"reminders": to_builtins(reminders), "files": [str(path) for path in files]})
            return
        for each in reminders:
            click.echo(f"{each.player}: {', '.join(filter(None, (each.occasion, each.why)))}")
        if not reminders:
            click.echo("Nobody is to be reminded now.")
        tell_mails(campaign, files)


@click.command("extend")
@click.argument("until", type=line)
@why_option
@entry_options
def extend_command(until: str, why: str, work: Work) -> None:
    """Give more time: UNTIL a day (`2026-12-01`), a moment (`2026-12-01 20:00`), or by a span (`48h`)."""
    from pbem.moderator.acts import extend

    with campaign_to_change("extend", work) as campaign:
        entry = extend(campaign, until, why)
        deadline = campaign.public.deadline
        words = f"the deadline is {local_text(deadline, campaign.settings.clock)}"
        tell_entry(work.json_wanted, entry, words, deadline=deadline)


def stand_in_option(command: Callable[..., object]) -> Callable[..., object]:
    """Add the option `--bot` of a command that puts a bot in a player's place."""
    text = "The level of the bot that plays instead, as all have agreed (`stand_in` of the conduct)."
    return click.option("--bot", type=line, metavar="LEVEL", help=text)(command)


@dataclass(frozen=True)
class AbsenceOptions:
    """Options of an absence: its days, its reason, and the bot that orders meanwhile."""

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
@gather_options("given", AbsenceOptions)
def absent_command(player: str, given: AbsenceOptions, work: Work) -> None:
    """Note that a PLAYER is away from the FIRST to the LAST of some days; deadlines move out of these days.

    With --bot deadlines stay: a bot orders until the player's next letter, if that was agreed (docs/absent.md).
    """
    from pbem.moderator.acts import note_absence

    days = given.first, given.last or given.first
    with campaign_to_change("absent", work) as campaign:
        entry, away = note_absence(campaign, player, days, given.why, given.bot)
        deadline = campaign.public.deadline
        until = local_text(deadline, campaign.settings.clock)
        meanwhile = f"; meanwhile bot {given.bot} orders" if away.bot else ""
        words = f"{away.player} is away from {away.first} to {away.last}{meanwhile}; deadline: {until}"
        tell_entry(work.json_wanted, entry, words, deadline=deadline)


@click.command("rule")
@click.argument("words", type=lines)
@click.option("--cite", type=line, default="", help="The rule it is about, such as §11.2.")
@entry_options
def rule_command(words: str, cite: str, work: Work) -> None:
    """Record a ruling in WORDS, which everybody reads."""
    from pbem.campaign.play import rulings

    with campaign_to_change("rule", work) as campaign:
        tell_entry(work.json_wanted, rulings.rule(campaign, words, cite), "ruled")


@dataclass(frozen=True)
class Substitute:
    """Options of a substitution: the new player of a seat."""

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
def substitute_command(seat: str, who: Substitute, why: str, work: Work) -> None:
    """Give a SEAT to another person; letters of the former player for the present stage count no more.

    While the seats reveal their sealed orders, these letters still count: the new player must reveal the sealed orders
    or forfeits them. With --bot a bot plays from now on.
    """
    from pbem.campaign.settings import Newcomer
    from pbem.moderator.acts import Successor, substitute, substitute_bot

    if who.bot is not None and any((who.new_key, who.name, who.language, who.address)):
        raise click.UsageError("--bot is for a bot, the other options are for a person")
    with refusals(work.json_wanted):
        key = public_key(who.new_key).text if who.new_key else ""
    with campaign_to_change("substitute", work, key) as campaign:
        if who.bot is not None:
            done, name = substitute_bot(campaign, seat, who.bot, why), f"bot {who.bot}"
        else:
            successor = Successor(key, Newcomer(who.name, who.language, who.address))
            done, name = substitute(campaign, seat, successor, why), who.name or "somebody else"
        tell_entry(work.json_wanted, done.entry, f"{name} plays {done.seat}", player=done.seat)


@click.command("rekey")
@click.argument("player", type=line)
@click.argument("new_key", type=line, metavar="KEY")
@why_option
@entry_options
def rekey_command(player: str, new_key: str, why: str, work: Work) -> None:
    """Let a PLAYER who has lost a key sign with a new one. KEY is the line of the new public key, or its .pub file."""
    from pbem.moderator.acts import rekey

    with refusals(work.json_wanted):
        key = public_key(new_key)
    with campaign_to_change("rekey", work, key.text) as campaign:
        done = rekey(campaign, player, key.text, why)
        words = f"{done.seat} signs with {key.fingerprint}"
        tell_entry(work.json_wanted, done.entry, words, player=done.seat, key=key.fingerprint)


@click.command("rollback")
@click.option("--to", type=click.IntRange(1), required=True, help="The entry after which the position was as wanted.")
@why_option
@entry_options
def rollback_command(to: int, why: str, work: Work) -> None:
    """Go back to the position after an earlier entry; nothing is deleted, and everybody is told.

    Orders for the present stage are needed anew. Orders shown in a campaign with `sealing: reveal` cannot be chosen
    again, unless all seats have signed an agreement with the words `rollback to ENTRY`.
    """
    from pbem.campaign.play import rulings

    with campaign_to_change("rollback", work) as campaign:
        entry = rulings.rollback(campaign, to, why)
        public = campaign.public
        assert public.next is not None
        until = local_text(public.deadline, campaign.settings.clock)
        words = f"the game stands in {public.next.stage} again, as after entry {to}; orders until {until}"
        tell_entry(work.json_wanted, entry, words, to=to, stage=public.next.stage, deadline=public.deadline)


@click.command("repair-clock")
@why_option
@entry_options
def repair_clock_command(why: str, work: Work) -> None:
    """Go on after entries by a clock that was far ahead; --clock-is-right vouches that the clock is right now.

    The game stands as before the first of these entries. Without the option the command only tells what it would do.
    """
    from pbem.campaign.play import rulings

    with campaign_to_change(
        "repair-clock", replace(work, clock_is_right=None)
    ) as campaign:  # the clock is what is in doubt
        campaign.clock_is_right = bool(work.clock_is_right)
        entry = rulings.repair_clock(campaign, why)
        public = campaign.public
        stage = public.next.stage if public.next else ""
        until = local_text(public.deadline, campaign.settings.clock)
        words = f"the time is right again; the game stands in {stage}, orders until {until}" if stage else "repaired"
        tell_entry(work.json_wanted, entry, words, stage=stage, deadline=public.deadline)


@click.command("close")
@click.option("--why", type=line, default="", help="Why, if the game is not over.")
@entry_options
def close_command(why: str, work: Work) -> None:
    """End the campaign: its secrets are published, and anybody can verify all of it.

    Messages between players stay private.
    """
    from pbem.campaign.proof.judging_again import close

    with campaign_to_change("close", work) as campaign:
        entry = close(campaign, why)
        root = shell_word(str(campaign.folder.root))
        words = f"closed. `pbem post -C {root}` tells everybody; `pbem verify {root}` checks it all"
        tell_entry(work.json_wanted, entry, words, opened=str(campaign.folder.opened))
