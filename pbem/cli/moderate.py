"""The moderator's commands that carry the game on and rule on it; each is one entry of the ledger, or is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import as_json, counted, print_json, read_bytes
from pbem.cli.keyring import key_options, private_key, public_key
from pbem.cli.surroundings import answered, because, in_folder, line, lines, local, time_now
from pbem.paper.faults import Fault, Refused

if TYPE_CHECKING:
    from datetime import date, datetime

    from pbem.campaign.campaign import Campaign
    from pbem.campaign.clock import Clock
    from pbem.campaign.desk import CarriedOut
    from pbem.paper.letters import Letter
    from pbem.seal.keys import PrivateKey, PublicKey


BESIDE = ("folder", "key_path", "passphrase_file", "json_wanted", "clock_is_right")
"""Options that say nothing of what a command is to do."""


def entering(command: Any) -> Any:
    """The options of every command that enters something, at the time that it is."""
    text = "Vouch for the time of this computer, where it is far from that of the last entry."
    return click.option("--clock-is-right", is_flag=True, help=text)(moderated(command))


def moderated(command: Any) -> Any:
    """The options of every command that works in a campaign's folder."""
    return in_folder(key_options(as_json(command)))


@contextmanager
def at_work(
    name: str, json_wanted: bool, content: str = "", clock_is_right: bool | None = None, **options: Any
) -> Iterator[Campaign]:
    """The campaign, opened for one command; what follows from its entries is written at the end.

    The same command, interrupted and run again, is known by its words, and by the `content` of files that they name.
    """
    with reading_only(name, json_wanted=json_wanted, **options) as campaign:
        campaign.clock_is_right = bool(clock_is_right)
        if clock_is_right is not None:
            campaign.check_clock()
        campaign.intend(command_line(name, content))
        yield campaign
        campaign.save()
        if campaign.found:
            click.echo(f"W-DONE-BEFORE {finished(name, campaign.found[0].number)}", err=True)


def command_line(name: str, content: str) -> str:
    """What a command is to do, in one text: its name and all that it was given but where things lie."""
    given = click.get_current_context().params
    said = {key: value for key, value in given.items() if key not in BESIDE}
    return json.dumps([name, content, said], sort_keys=True, default=str)


def finished(name: str, entry: int) -> str:
    """That a command has found its own work."""
    return f"`pbem {name}` had been interrupted behind entry {entry}: it is finished now, and nothing was done twice"


@contextmanager
def reading_only(
    name: str, folder: Path, key_path: Path | None, passphrase_file: Path | None, json_wanted: bool
) -> Iterator[Campaign]:
    """The campaign, opened for a command that changes nothing in it."""
    from pbem.campaign.campaign import opened_by_moderator
    from pbem.campaign.reading import founder_of

    with answered(json_wanted):
        moderator = founder_of(folder)
        key = private_key(key_path, passphrase_file)
        check_key(moderator, key)
        with opened_by_moderator(folder, key, f"pbem {name}", time_now()) as campaign:
            yield campaign


def need_files(json_wanted: bool, *paths: str) -> None:
    """Refuse a file that is not there before anybody is asked for a passphrase; a key may be written in its place."""
    with answered(json_wanted):
        for path in paths:
            if path not in ("", "-") and not path.startswith("ssh-"):
                Path(path).stat()


def check_key(moderator: PublicKey, key: PrivateKey) -> None:
    """Refuse a key that is not the moderator's, before anything is tried to open with it."""
    from pbem.seal.faults import KeyFault

    if key.public != moderator:
        message = f"this campaign is run with the key {moderator.fingerprint}, this one is {key.public.fingerprint}"
        raise KeyFault("E-KEY-OTHER", f"{message}; give the moderator's with --key")


def warn_of_sharing(campaign: Campaign, seat: str, key: str) -> None:
    """Say so if another seat signs with this key."""
    from pbem.campaign.key_holders import sharing_told

    for fault in sharing_told(campaign.register.players, seat, key) if key else ():
        click.echo(f"{fault.code} {fault.message} — {fault.hint}", err=True)


def tell_entry(json_wanted: bool, entry: int, words: str, **more: Any) -> None:
    """Say what was entered."""
    if json_wanted:
        print_json({"entry": entry, **more})
    else:
        click.echo(f"entry {entry}: {words}")


@click.command("adjudicate")
@click.option(
    "--force", is_flag=True, help="Go on whatever the clock says, with defaults for those who have not ordered."
)
@entering
def adjudicate_command(force: bool, json_wanted: bool, **options: Any) -> None:
    """Carry orders out as far as they reach; the first time, deal.

    What nobody may know before the reports is not printed.
    """
    from pbem.campaign import desk

    with at_work("adjudicate", json_wanted=json_wanted, **options) as campaign:
        done = desk.found_done(campaign) or desk.adjudicate(campaign, force)
        if isinstance(done, desk.Lock):
            until = local(campaign.register.deadline, campaign.settings.clock)
            who = "what is sealed is fixed, before the clock allowed it" if done.forced else "everybody has sealed"
            words = f"{who}; now all reveal, until {until}"
            tell_entry(json_wanted, done.entry, words, kind="lock", deadline=campaign.register.deadline)
        elif json_wanted:
            print_json(adjudication_data(done))
        else:
            tell_adjudication(done, campaign.settings.clock)


def adjudication_data(done: CarriedOut) -> dict[str, Any]:
    """What an adjudication led to, as everybody may know it."""
    record = done.record
    return {
        "entry": done.entry,
        "kind": "adjudication",
        "version": record.version,
        "from": record.stage,
        "stage": record.next.stage,
        "over": record.next.over,
        "events": len(record.events),
        "owing": {player: list(powers) for player, powers in record.next.owing.items()},
        "answered": list(record.next.answered),
        "deadline": record.next.deadline,
        "absent": record.absent,
        "returned": list(record.returned),
    }


def tell_adjudication(done: CarriedOut, clock: Clock) -> None:
    """Say what an adjudication led to."""
    data = adjudication_data(done)
    way = f"{data['from']} → {data['stage']}" if data["from"] not in ("", data["stage"]) else data["stage"]
    click.echo(f"entry {done.entry}: {way}, {counted(data['events'], 'public event')}")
    for player, why in data["absent"].items():
        click.echo(f"  defaults answered for {player}: {why}")
    for player in data["returned"]:
        click.echo(f"  orders of {player} could not be carried out, and go back")
    if data["over"]:
        click.echo("  the game is over: `pbem post`, then `pbem close`")
    for player, powers in data["owing"].items():
        state = "has answered already" if player in data["answered"] else f"until {local(data['deadline'], clock)}"
        click.echo(f"  {player} is asked for {', '.join(powers)}: {state}")


@click.command("act")
@click.argument("player", type=line)
@click.argument("orders")
@because
@entering
def act_command(player: str, orders: str, why: str, json_wanted: bool, **options: Any) -> None:
    """Give ORDERS in a PLAYER's place: a letter's body or an order file, signed by the moderator.

    The ledger says so, and so does the player's next report.
    """
    from pbem.campaign import desk, rulings
    from pbem.campaign.arrived import Reply
    from pbem.cli.accepting import tell_receipt
    from pbem.cli.mailing import check_templates_of, write_receipt

    need_files(json_wanted, orders)
    with at_work("act", json_wanted=json_wanted, content=content_of(orders), **options) as campaign:
        check_templates_of(campaign)
        rulings.known_player(campaign, player)
        done = campaign.done("letter")
        letter = campaign.held(done).letter if done else acted_letter(campaign, player, orders)
        receipt = desk.take_letter(campaign, letter, acted=why)
        if receipt.status != "refused":
            write_receipt(campaign, Reply(receipt))
        tell_receipt(orders, desk.discreet(campaign, receipt), json_wanted)
    refuse_if(receipt.status == "refused")


def content_of(orders: str) -> str:
    """A fingerprint of the file of orders."""
    return sha256(read_bytes(orders)).hexdigest() if orders != "-" else ""


def acted_letter(campaign: Campaign, player: str, source: str) -> Letter:
    """A letter with orders in a player's place, signed by the moderator: for the stage that they were written for."""
    from pbem.campaign.register import BASIS
    from pbem.campaign.rulings import need_running
    from pbem.paper.letters import read_letter, sign_letter, write_letter

    need_running(campaign)
    register = campaign.register
    assert register.next is not None
    head: dict[str, str | int] = {
        "kind": "orders",
        "campaign": register.settings.campaign,
        "from": player,
        "stage": register.next.stage,
        "basis": register.basis[:BASIS],
        "seq": register.seqs.get(player, 0) + 1,
    }
    written, body = orders_in(source)
    head |= {key: text for key in ("stage", "basis") if isinstance(text := written.get(key), str)}
    return read_letter(sign_letter(write_letter(head, body), campaign.key).encode(), source)


def orders_in(path: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a file says, of a letter or of orders as `pbem try` takes them, and the body of a letter with its orders."""
    from pbem.paper.strict import plain, read

    found: Any = plain(read(read_bytes(path), path))
    body = found.get("body") if isinstance(found, dict) and "body" in found else found
    if not isinstance(body, dict) or not isinstance(body.get("orders"), dict):
        hint = "`orders:`, below it each power, below that its sections"
        raise Refused(path, [Fault("E-FORM-ORDERS", "there are no orders in this file", 1, 1, hint=hint)])
    return found, {"orders": body["orders"]}


def refuse_if(refused: bool) -> None:
    """End with the exit code of a refusal, where the answer has been printed already."""
    if refused:
        raise SystemExit(1)


@click.command("post")
@click.option("--no-pictures", is_flag=True, help="Send no maps.")
@moderated
def post_command(no_pictures: bool, json_wanted: bool, **options: Any) -> None:
    """Write everybody's report of what happened since the last one into the outbox."""
    from pbem.cli.mailing import tell_mails, write_reports

    with at_work("post", json_wanted=json_wanted, **options) as campaign:
        last = campaign.vault.posted.register.entry
        if last == campaign.vault.entry:
            hint = f"they lie in {campaign.folder.outbox / f'{last:04d}'}"
            message = f"nothing has happened since the reports of entry {last}"
            raise Refused(campaign.settings.campaign, [Fault("E-POST-NOTHING", message, 1, 1, hint=hint)])
        files = write_reports(campaign, pictures=not no_pictures)
        campaign.vault.posted = campaign.course.kept()
        if json_wanted:
            print_json({"files": [str(path) for path in files]})
        else:
            tell_mails(campaign, files)


@click.command("remind")
@entering
def remind_command(json_wanted: bool, **options: Any) -> None:
    """Write the reminders that are due into the outbox; nobody gets the same one twice."""
    from pbem.campaign import rulings, timing
    from pbem.cli.mailing import check_templates_of, tell_mails, write_reminders

    with at_work("remind", json_wanted=json_wanted, **options) as campaign:
        check_templates_of(campaign)
        if done := campaign.done("reminder"):
            said, files = reminded_before(campaign, done)
        else:
            due = timing.due_now(campaign)
            files = write_reminders(campaign, due) if due else []
            rulings.remind(campaign)
            said = [{"player": each.player, "occasion": each.occasion, "why": each.why} for each in due]
        if json_wanted:
            print_json({"reminders": said, "files": [str(path) for path in files]})
            return
        for each in said:
            click.echo(f"{each['player']}: {', '.join(list(each.values())[1:])}")
        if not said:
            click.echo("Nobody is to be reminded now.")
        tell_mails(campaign, files)


def reminded_before(campaign: Campaign, entry: int) -> tuple[list[dict[str, str]], list[Path]]:
    """What an entry says of reminders, and where they lie: they were written before it."""
    from pbem.campaign.records import Reminded
    from pbem.campaign.replaying import record_in

    record = record_in(campaign.ledger.read(entry))
    assert isinstance(record, Reminded)
    files = sorted((campaign.folder.outbox / f"{entry - 1:04d}").glob("*-reminder*"))
    return [{"player": player, "occasion": record.kind} for player in record.players], files


@click.command("extend")
@click.argument("until", type=line)
@because
@entering
def extend_command(until: str, why: str, json_wanted: bool, **options: Any) -> None:
    """Give more time: UNTIL a day (`2026-12-01`), a moment (`2026-12-01 20:00`), or by a span (`48h`)."""
    from pbem.campaign import rulings

    with at_work("extend", json_wanted=json_wanted, **options) as campaign:
        entry = rulings.extend(campaign, until_when(campaign, until), why)
        deadline = campaign.register.deadline
        words = f"the deadline is {local(deadline, campaign.settings.clock)}"
        tell_entry(json_wanted, entry, words, deadline=deadline)


def until_when(campaign: Campaign, written: str) -> datetime:
    """The moment that is meant, in the campaign's time zone."""
    from datetime import datetime

    from pbem.campaign.clock import moment_on, span, zone_named
    from pbem.campaign.moments import moment

    clock = campaign.settings.clock
    try:
        if written[-1:] in "mhdw":
            return (moment(campaign.register.deadline) if campaign.register.deadline else campaign.now) + span(written)
        found = datetime.fromisoformat(written)
    except ValueError as error:
        hint = "; ".join(["2026-12-01", "2026-12-01 20:00", "48h"])
        message = str(error) if written[-1:] in "mhdw" else f"{written} is no day and no moment"
        raise Refused("UNTIL", [Fault("E-CLOCK-FORM", message, 1, 1, hint=hint)]) from None
    if len(written) == len("2026-12-01"):
        return moment_on(found.date(), clock)
    return found if found.tzinfo else found.replace(tzinfo=zone_named(clock.zone))


@click.command("absent")
@click.argument("player", type=line)
@click.argument("first", type=line)
@click.argument("last", type=line, required=False)
@click.option("--why", type=line, default="", help="Why, if everybody may read it.")
@entering
def absent_command(player: str, first: str, last: str | None, why: str, json_wanted: bool, **options: Any) -> None:
    """Note that a PLAYER is away from the FIRST to the LAST of some days; deadlines move out of them."""
    from pbem.campaign import rulings
    from pbem.campaign.absences import Absence

    with at_work("absent", json_wanted=json_wanted, **options) as campaign:
        away = Absence(player, day(first), day(last or first), why)
        entry = rulings.absence(campaign, away)
        deadline = campaign.register.deadline
        until = local(deadline, campaign.settings.clock)
        words = f"{player} is away from {away.first} to {away.last}; deadline: {until}"
        tell_entry(json_wanted, entry, words, deadline=deadline)


def day(written: str) -> date:
    """A day as people write it for programs."""
    from datetime import date

    try:
        return date.fromisoformat(written)
    except ValueError:
        fault = Fault("E-CLOCK-FORM", f"{written} is no day", 1, 1, hint="write 2026-12-01")
        raise Refused("DAY", [fault]) from None


@click.command("rule")
@click.argument("words", type=lines)
@click.option("--cite", type=line, default="", help="The rule it is about, such as §11.2.")
@entering
def rule_command(words: str, cite: str, json_wanted: bool, **options: Any) -> None:
    """Record a ruling in WORDS, which everybody reads."""
    from pbem.campaign import rulings

    with at_work("rule", json_wanted=json_wanted, **options) as campaign:
        tell_entry(json_wanted, rulings.rule(campaign, words, cite), "ruled")


@click.command("substitute")
@click.argument("seat", type=line)
@click.option("--new-key", type=line, default="", metavar="KEY", help="The substitute's public key, or its .pub file.")
@click.option("--name", type=line, default="", help="What the substitute is called.")
@click.option("--language", type=line, default="", help="The language of the substitute's reports.")
@click.option("--address", type=line, default="", help="Where letters to the substitute go.")
@because
@entering
def substitute_command(
    seat: str,
    new_key: str,
    name: str,
    language: str,
    address: str,
    why: str,
    json_wanted: bool,
    **options: Any,
) -> None:
    """Give a SEAT to somebody else; what its player had sent for the present stage counts no more.

    While all reveal it goes on counting, and the substitute has to show what is sealed or forfeits it.
    """
    from pbem.campaign import rulings
    from pbem.cli.mailing import note_addresses

    with answered(json_wanted):
        key = public_key(new_key).text if new_key else ""
    with at_work("substitute", json_wanted=json_wanted, content=key, **options) as campaign:
        if not new_key and campaign.settings.conduct.signing == "on":
            hint = "the substitute makes one with `pbem key new` and sends you the .pub file; give it with --new-key"
            raise Refused(seat, [Fault("E-KEY-MISSING", "a substitute needs a key of their own", 1, 1, hint=hint)])
        warn_of_sharing(campaign, seat, key)
        entry = rulings.substitute(campaign, seat, key, why, name, language)
        campaign.vault.addresses.pop(seat, None)
        note_addresses(campaign, [f"{seat}={address}"] if address else [])
        tell_entry(json_wanted, entry, f"{name or 'somebody else'} plays {seat}", player=seat)


@click.command("rekey")
@click.argument("player", type=line)
@click.argument("new_key", type=line, metavar="KEY")
@because
@entering
def rekey_command(player: str, new_key: str, why: str, json_wanted: bool, **options: Any) -> None:
    """Let a PLAYER who has lost a key sign with another: KEY is its public line, or its .pub file."""
    from pbem.campaign import rulings

    with answered(json_wanted):
        key = public_key(new_key)
    with at_work("rekey", json_wanted=json_wanted, content=key.text, **options) as campaign:
        warn_of_sharing(campaign, player, key.text)
        entry = rulings.rekey(campaign, player, key.text, why)
        tell_entry(json_wanted, entry, f"{player} signs with {key.fingerprint}", player=player, key=key.fingerprint)


@click.command("rollback")
@click.option("--to", type=click.IntRange(1), required=True, help="The entry after which the position was as wanted.")
@because
@entering
def rollback_command(to: int, why: str, json_wanted: bool, **options: Any) -> None:
    """Go back to the position after an earlier entry; nothing is deleted, and everybody is told.

    Orders for the present stage are needed anew. What players have shown each other in a campaign with `sealing:
    reveal` cannot be chosen again, unless all seats have signed an agreement with the words `rollback to ENTRY`.
    """
    from pbem.campaign import rulings

    with at_work("rollback", json_wanted=json_wanted, **options) as campaign:
        entry = rulings.rollback(campaign, to, why)
        register = campaign.register
        assert register.next is not None
        until = local(register.deadline, campaign.settings.clock)
        words = f"the game stands in {register.next.stage} again, as after entry {to}; orders until {until}"
        tell_entry(json_wanted, entry, words, to=to, stage=register.next.stage, deadline=register.deadline)


@click.command("repair-clock")
@because
@entering
def repair_clock_command(why: str, clock_is_right: bool, json_wanted: bool, **options: Any) -> None:
    """Go on when entries were written by a clock that was far ahead, with --clock-is-right now that it is.

    The game stands as before the first of them, and everybody is told. Without that word it tells what it would do.
    """
    from pbem.campaign import rulings

    with at_work("repair-clock", json_wanted=json_wanted, **options) as campaign:
        campaign.clock_is_right = clock_is_right
        entry = rulings.repair_clock(campaign, why)
        register = campaign.register
        stage = register.next.stage if register.next else ""
        until = local(register.deadline, campaign.settings.clock)
        words = f"the time is right again; the game stands in {stage}, orders until {until}" if stage else "repaired"
        tell_entry(json_wanted, entry, words, stage=stage, deadline=register.deadline)


@click.command("close")
@click.option("--why", type=line, default="", help="Why, if the game is not over.")
@entering
def close_command(why: str, json_wanted: bool, **options: Any) -> None:
    """End the campaign: its secrets are published, and anybody can verify all of it.

    Messages between players stay private.
    """
    from pbem.campaign.closing import close

    with at_work("close", json_wanted=json_wanted, **options) as campaign:
        entry = close(campaign, why)
        root = campaign.folder.root
        words = f"closed. `pbem post -C {root}` tells everybody; `pbem verify {root}` checks it all"
        tell_entry(json_wanted, entry, words, opened=str(campaign.folder.opened))
