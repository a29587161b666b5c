"""`pbem status`: what anybody may read of a campaign, without any key."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import click

from pbem.campaign.clock.clock import local
from pbem.console.options import Telling, telling_options
from pbem.console.printing import on_terminal, print_json
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import key_option, time_now
from pbem.player.keyring import place_of
from pbem.seal.canonical import AnyTree

if TYPE_CHECKING:
    from pbem.campaign.clock.timing import CampaignTime
    from pbem.campaign.disk.folder import Folder
    from pbem.campaign.ledger.chain import Head
    from pbem.campaign.ledger.public_state import PublicState


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@key_option
@telling_options
def status_command(folder: Path | None, key_path: Path | None, telling: Telling) -> None:
    """Who owes what until when, and what the moderator can do next.

    Without a FOLDER, and outside of a campaign's: what you owe in all campaigns in which you hold a seat, what came
    and what you have signed, as the notes beside your key have it. `pbem report.yaml` notes a report.
    """
    from pbem.campaign.disk.folder import Folder, open_folder
    from pbem.campaign.players import notebook
    from pbem.cli.mine import tell_mine

    with refusing_in_words(telling.json_wanted):
        now, place = time_now(), place_of(key_path)
        here = Folder(folder or Path())
        if folder is None and not here.campaign.exists() and notebook.all_of(place):
            tell_mine(place, now, telling)
            return
        data = status_data(*standing(open_folder(here.root), now), now)
        if telling.json_wanted:
            print_json(data)
        else:
            tell_status(data)


def standing(folder: Folder, now: datetime) -> tuple[PublicState, Head]:
    """What the ledger adds up to, and its last entry; all of it is read where the register does not say."""
    from pbem.campaign.ledger.chain import note_register, registered

    if found := registered(folder):
        return found.public, found.head
    from pbem.campaign.ledger.replaying import Reading

    reading = Reading(folder, now)
    note_register(folder, reading.public, reading.head)
    return reading.public, reading.head


def tell_status(data: Status) -> None:
    """Say how a campaign stands."""
    stage = f", {data['stage']}" if data["stage"] else ""
    click.echo(f"{data['campaign']}: {data['phase']}{stage}, entry {data['entry']}")
    if data["deadline"]:
        click.echo(f"deadline {data['deadline']} ({data['left']})")
    if on_terminal():
        from pbem.console.terminal import show_owed

        state = "state" if data["phase"] == "joining" else "orders"
        show_owed(data["table"], state, data["left"].endswith(" ago"))
    else:
        for row in grid([[str(cell) for cell in each.values()] for each in data["table"]]):
            click.echo(f"  {row}")
    for shared in data["shared_keys"]:
        click.echo(f"{' and '.join(shared['players'])} sign with one and the same key, {shared['key']}")
    click.echo(f"next: {data['next']}")


class Status(TypedDict):
    """How a campaign stands."""

    campaign: str
    phase: str
    stage: str
    entry: int
    head: str
    locked: bool
    deadline: str
    left: str
    shared_keys: list[dict[str, AnyTree]]
    table: list[dict[str, str]]
    next: str


def status_data(public: PublicState, head: Head, now: datetime) -> Status:
    """How a campaign stands."""
    from pbem.campaign.clock.timing import CampaignTime

    time = CampaignTime(public, now)
    deadline, left = "", ""
    if public.deadline and public.phase == "running":
        from pbem.campaign.clock.clock import parse_moment

        deadline = local(public.deadline, public.settings.clock)
        left = remaining(parse_moment(public.deadline), now)
    return {
        "campaign": public.settings.campaign,
        "phase": public.phase,
        "stage": public.next.stage if public.next else "",
        "entry": head.number,
        "head": head.hash,
        "locked": public.locked,
        "deadline": deadline,
        "left": left,
        "shared_keys": shared_now(public),
        "table": seats_now(public) if public.phase == "joining" else owed_now(time),
        "next": next_step(time),
    }


def shared_now(public: PublicState) -> list[dict[str, AnyTree]]:
    """The seats that sign with one and the same key."""
    from pbem.campaign.letters.joining import shared_keys

    found = shared_keys(public.players)
    if not found:
        return []
    from pbem.report.letters.entries import shared_data

    return [shared_data(shared) for shared in found]


def seats_now(public: PublicState) -> list[dict[str, str]]:
    """Every seat, free or taken, by whom as far as they gave a name."""
    from pbem.report.formats.escaping import one_line

    found = []
    for seat in public.settings.seats:
        player = public.players.get(seat)
        found.append({"seat": seat, "state": f"taken by {one_line(player.name) or 'somebody'}" if player else "free"})
    return found


def owed_now(time: CampaignTime) -> list[dict[str, str]]:
    """What every player owes."""
    from pbem.campaign.clock.timing import orders_now
    from pbem.campaign.letters.letterbox import state_of

    public = time.public
    rows: dict[str, dict[str, str]] = {}
    for orders in orders_now(time) if public.phase == "running" else ():
        row = rows.setdefault(orders.player, {"player": orders.player, "powers": "", "orders": "", "letter": ""})
        row["powers"] = ", ".join(filter(None, [row["powers"], orders.power]))
        row["orders"] = state_of(orders)
        if pending := public.pending.get(orders.player):
            waits = ", asks to wait" if pending.wait else ""
            row["letter"] = f"entry {pending.entry}{waits}"
    for player in public.settings.seats:
        rows.setdefault(player, {"player": player, "powers": "", "orders": "nothing required", "letter": ""})
    return list(rows.values())


def next_step(time: CampaignTime) -> str:
    """What the moderator can do now."""
    from pbem.campaign.clock.clock import stamp
    from pbem.campaign.clock.timing import permission

    public = time.public
    match public.phase:
        case "joining":
            free = [seat for seat in public.settings.seats if seat not in public.players]
            draws = "draws the seats and deals" if public.settings.conduct.seats == "drawn" else "deals"
            return f"wait for {', '.join(free)} to join" if free else f"`pbem adjudicate` {draws}"
        case "over":
            return "`pbem post`, then `pbem close`"
        case "closed":
            return "`pbem verify`"
    allowed = permission(time)
    if allowed.may:
        late = f", with {allowed.basis} orders for {', '.join(allowed.absent)}" if allowed.absent else ""
        return f"`pbem adjudicate`{late}"
    waits = f"wait for {', '.join(allowed.absent)}" if allowed.absent else "all orders are in"
    if allowed.earliest is None:
        return waits
    return f"{waits}; `pbem adjudicate` from {local(stamp(allowed.earliest), public.settings.clock)} on"


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
