"""`pbem status`, `log` and `verify`: what anybody may read of a campaign, without any key."""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import REFUSED, as_json, fault_data, print_json
from pbem.cli.letters import guide
from pbem.cli.surroundings import answered, local, time_now

if TYPE_CHECKING:
    from pbem.campaign.entries import Entry
    from pbem.campaign.reading import Reading
    from pbem.campaign.records import Record
    from pbem.campaign.verifying import Verification

folder_argument = click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=Path())


@click.command("status")
@folder_argument
@as_json
def status_command(folder: Path, json_wanted: bool) -> None:
    """Who owes what until when, and what the moderator can do next."""
    from pbem.campaign.reading import read_folder

    with answered(json_wanted):
        data = status_data(read_folder(folder, time_now()))
        if json_wanted:
            print_json(data)
            return
        stage = f", {data['stage']}" if data["stage"] else ""
        click.echo(f"{data['campaign']}: {data['phase']}{stage}, entry {data['entry']}")
        if data["deadline"]:
            click.echo(f"deadline {data['deadline']} ({data['left']})")
        for row in grid([[str(cell) for cell in each.values()] for each in data["table"]]):
            click.echo(f"  {row}")
        click.echo(f"next: {data['next']}")


def status_data(reading: Reading) -> dict[str, Any]:
    """How a campaign stands."""
    register = reading.register
    deadline, left = "", ""
    if register.deadline and register.phase == "running":
        from pbem.campaign.moments import moment

        deadline = local(register.deadline, reading.settings.clock)
        left = remaining(moment(register.deadline), reading.now)
    return {
        "campaign": reading.settings.campaign,
        "phase": register.phase,
        "stage": register.next.stage if register.next else "",
        "entry": reading.head.number,
        "head": reading.head.hash,
        "locked": register.locked,
        "deadline": deadline,
        "left": left,
        "table": seats_now(reading) if register.phase == "joining" else owed_now(reading),
        "next": next_step(reading),
    }


def seats_now(reading: Reading) -> list[dict[str, str]]:
    """Who has joined."""
    register = reading.register
    found = []
    for seat in reading.settings.seats:
        player = register.players.get(seat)
        found.append({"seat": seat, "state": f"taken by {player.name or 'somebody'}" if player else "free"})
    return found


def owed_now(reading: Reading) -> list[dict[str, str]]:
    """What every player owes."""
    from pbem.campaign.desk import orders_now
    from pbem.campaign.order_states import state_of

    register = reading.register
    rows: dict[str, dict[str, str]] = {}
    for orders in orders_now(reading) if register.phase == "running" else ():
        row = rows.setdefault(orders.player, {"player": orders.player, "powers": "", "orders": "", "letter": ""})
        row["powers"] = ", ".join(filter(None, [row["powers"], orders.power]))
        row["orders"] = state_of(orders)
        if pending := register.pending.get(orders.player):
            waits = ", asks to wait" if pending.wait else ""
            row["letter"] = f"entry {pending.entry}{waits}"
    for player in reading.settings.seats:
        rows.setdefault(player, {"player": player, "powers": "", "orders": "nothing required", "letter": ""})
    return list(rows.values())


def next_step(reading: Reading) -> str:
    """What the moderator can do now."""
    from pbem.campaign.desk import permission
    from pbem.campaign.moments import stamp

    register = reading.register
    match register.phase:
        case "joining":
            free = [seat for seat in reading.settings.seats if seat not in register.players]
            return f"wait for {', '.join(free)} to join" if free else "`pbem adjudicate` deals"
        case "over":
            return "`pbem post`, then `pbem close`"
        case "closed":
            return "`pbem verify`"
    allowed = permission(reading)
    if allowed.may:
        late = f", with {allowed.basis} orders for {', '.join(allowed.absent)}" if allowed.absent else ""
        return f"`pbem adjudicate`{late}"
    waits = f"wait for {', '.join(allowed.absent)}" if allowed.absent else "all orders are in"
    if allowed.earliest is None:
        return waits
    return f"{waits}; `pbem adjudicate` from {local(stamp(allowed.earliest), reading.settings.clock)} on"


def remaining(at: datetime, now: datetime) -> str:
    """How far away a moment is."""
    minutes = abs(int((at - now) / timedelta(minutes=1)))
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    span = f"{days} d {hours} h" if days else f"{hours} h {minutes} min"
    return f"in {span}" if at > now else f"{span} ago"


def grid(rows: list[list[str]]) -> list[str]:
    """Rows with their columns under each other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


@click.command("log")
@folder_argument
@click.option("--from", "first", type=click.IntRange(1), default=1, show_default=True, help="The first entry to tell.")
@click.option("--events", is_flag=True, help="Also tell what happened in the game, as everybody may know it.")
@as_json
def log_command(folder: Path, first: int, events: bool, json_wanted: bool) -> None:
    """Tell the entries of the ledger, one in a line."""
    from pbem.campaign.reading import read_folder

    with answered(json_wanted):
        reading = read_folder(folder, time_now())
        chosen = [(entry, record) for entry, record in reading.entries if entry.number >= first]
        if json_wanted:
            print_json([entry_data(reading, entry, record, events) for entry, record in chosen])
            return
        for entry, record in chosen:
            click.echo(f"{entry.number:4} {entry.time:%Y-%m-%d %H:%M} {entry.kind:<12} {words_of(record)}".rstrip())
            if events and (told := account_of(reading, record)):
                click.echo("\n".join(f"     {each}".rstrip() for each in told.splitlines()))


def entry_data(reading: Reading, entry: Entry, record: Record, events: bool) -> dict[str, Any]:
    """An entry for programs."""
    from pbem.campaign.records import Adjudicated
    from pbem.report.telling import event_data

    found = {"entry": entry.number, "time": f"{entry.time:%Y-%m-%dT%H:%M:%SZ}", "kind": entry.kind, "hash": entry.hash}
    found["words"] = words_of(record)
    if events and isinstance(record, Adjudicated):
        rules, happened = retold_events(reading, record)
        return found | {"events": [event_data(rules, event) for event in happened]}
    return found


def retold_events(reading: Reading, record: Any) -> tuple[Any, list[Any]]:
    """The events of an adjudication, and the rules that have their names."""
    from pbem.campaign.campaign import rules_of
    from pbem.campaign.retelling import retold

    rules = rules_of(reading.folder, reading.settings)
    return rules, retold(rules.terms.game, record.events)


def account_of(reading: Reading, record: Record) -> str:
    """What an adjudication brought, told."""
    from pbem.campaign.records import Adjudicated
    from pbem.report.account import account

    if not isinstance(record, Adjudicated) or not record.events:
        return ""
    rules, happened = retold_events(reading, record)
    return account(rules, happened)


def words_of(record: Record) -> str:
    """An entry in a few words."""
    from pbem.campaign import records as r

    match record:
        case r.Opened():
            return f"{record.settings.campaign}: {', '.join(record.settings.seats)}"
        case r.Joined():
            return f"{record.name or 'somebody'} plays {record.player}"
        case r.Received():
            acted = f", written by the moderator: {record.acted}" if record.acted else ""
            stage = f" for {record.stage}" if record.stage else ""
            return f"{record.kind} of {record.player}{stage}, seq {record.seq}, {record.status}{acted}"
        case r.Turned():
            return f"from {record.player or 'somebody'}"
        case r.Locked():
            return f"everybody has sealed for {record.stage}; now all reveal"
        case r.Adjudicated():
            return adjudication_words(record)
        case _:
            return ruling_words(record)


def adjudication_words(record: Any) -> str:
    """An adjudication in a few words."""
    stages = [each for each in (record.stage, record.next.stage) if each]
    found = [" → ".join(dict.fromkeys(stages)), f"{len(record.events)} public events"]
    found += [f"defaults for {player} ({why})" for player, why in record.absent.items()]
    found += [f"the letter of {player} went back" for player in record.returned]
    found += [f"{player} forfeits {', '.join(slots)}" for player, slots in record.forfeited.items()]
    return ", ".join([*found, *(["the game is over"] if record.next.over else [])])


def ruling_words(record: Record) -> str:
    """What else the moderator has entered, in a few words."""
    from pbem.campaign import records as r

    match record:
        case r.Ruled():
            return f"{record.words}{f' ({record.rule})' if record.rule else ''}"
        case r.Extended():
            return f"until {record.until}: {record.why}"
        case r.Absent():
            return f"{record.player} from {record.first} to {record.last}{f': {record.why}' if record.why else ''}"
        case r.Reminded():
            return f"{', '.join(record.players)} ({record.kind})"
        case r.RolledBack():
            return f"to entry {record.to}, {record.next.stage}: {record.why}"
        case r.Replaced():
            return f"{record.name or 'somebody else'} plays {record.player}: {record.why}"
        case r.Rekeyed():
            return f"{record.player} has another key{f': {record.why}' if record.why else ''}"
        case r.Agreed():
            return f"{', '.join(record.powers)}: {record.words}"
        case r.Closed():
            return f"the secrets are published{f': {record.why}' if record.why else ''}"
    return ""


@click.command("verify")
@folder_argument
@click.option("--report", metavar="FILE", help="A report.yaml of yours: is the ledger still the one it was made of?")
@as_json
def verify_command(folder: Path, report: str | None, json_wanted: bool) -> None:
    """Check a campaign's folder: every entry, signature, commitment and card; once it is closed the whole game.

    With --report, also that no entry was taken away since, and that your cards are those that were dealt.
    """
    from pbem.campaign.verifying import verify

    with answered(json_wanted):
        found = verify(folder)
        if report and found.is_good:
            compare(folder, report, found)
        if json_wanted:
            print_json(verification_data(found))
        else:
            tell_verification(found)
    if not found.is_good:
        sys.exit(REFUSED)


def compare(folder: Path, report: str, found: Verification) -> None:
    """Check a report against the ledger."""
    from pbem.campaign.reading import read_folder
    from pbem.campaign.remembering import check_report

    check_report(read_folder(folder, time_now()), guide(report), report, found)


def verification_data(found: Verification) -> dict[str, Any]:
    """What was found, for programs."""
    figures = found.figures
    return {
        "campaign": found.campaign,
        "phase": found.phase,
        "good": found.is_good,
        "findings": [fault_data(each.file, each.fault) for each in found.findings],
        "figures": {
            "entries": figures.entries,
            "letters": figures.letters,
            "shuffles": figures.shuffles,
            "cards": figures.cards,
            "adjudications": figures.adjudications,
            "seconds": figures.seconds,
        },
    }


def tell_verification(found: Verification) -> None:
    """Say what was found."""
    for finding in found.findings:
        click.echo(finding.told(), err=True)
    figures = found.figures
    verdict = "nothing is wrong" if found.is_good else "NOT what it should be"
    click.echo(f"{found.campaign} ({found.phase or 'not read to the end'}): {verdict}")
    click.echo(
        f"{figures.entries} entries, {figures.letters} signed letters, {figures.shuffles} shuffles, "
        f"{figures.cards} cards proved, {figures.adjudications} adjudications carried out again, "
        f"{figures.seconds:.2f} s"
    )
    if found.is_good and found.phase != "closed":
        click.echo("What is sealed can be checked when the campaign is closed.")
