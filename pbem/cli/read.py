"""`pbem status`: what anybody may read of a campaign, without any key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import to_builtins

from pbem.console.options import Telling, telling_options
from pbem.console.printing import on_terminal, print_json
from pbem.console.refusals import refusing_in_words
from pbem.console.surroundings import key_option, time_now
from pbem.player.keyring import place_of

if TYPE_CHECKING:
    from pbem.moderator.public_view import CampaignStatus


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
    from pbem.moderator.public_view import status_of

    with refusing_in_words(telling.json_wanted):
        now, place = time_now(), place_of(key_path)
        here = Folder(folder or Path())
        if folder is None and not here.campaign.exists() and notebook.all_of(place):
            tell_mine(place, now, telling)
            return
        status = status_of(open_folder(here.root), now)
        if telling.json_wanted:
            print_json(to_builtins(status))
        else:
            tell_status(status)


def tell_status(status: CampaignStatus) -> None:
    """Say how a campaign stands."""
    stage = f", {status.stage}" if status.stage else ""
    click.echo(f"{status.campaign}: {status.phase}{stage}, entry {status.entry}")
    if status.deadline:
        click.echo(f"deadline {status.deadline} ({status.left})")
    if on_terminal():
        from pbem.console.terminal import show_owed

        state = "state" if status.phase == "joining" else "orders"
        show_owed(status.table, state, status.left.endswith(" ago"))
    else:
        rows = [list(each.values()) for each in status.table]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            click.echo(f"  {'  '.join(cells)}".rstrip())
    for shared in status.shared_keys:
        click.echo(f"{' and '.join(shared['players'])} sign with one and the same key, {shared['key']}")
    click.echo(f"next: {status.next}")
