"""Commands `pbem accept` and `pbem act`: taking letters from mails, mailboxes, forum pages and files, and giving orders
for a player.

Known letters are passed over, so that the same mailbox can be given every evening. Mails without a letter are left
alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.at_work import FolderOptions, campaign_to_change, entry_options
from pbem.console.language import language_wanted
from pbem.console.options import line, why_option
from pbem.console.printing import print_json, say
from pbem.console.refusals import REFUSED, refusals
from pbem.console.surroundings import read_bytes
from pbem.player.files import MOST_OF_LARGE

if TYPE_CHECKING:
    from pbem.post.mailbox import RawMessage


@click.command("accept")
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--show",
    is_flag=True,
    help="Also tell what is wrong in words, also with what was refused before: they may repeat what a letter says.",
)
@entry_options
def accept_command(paths: tuple[str, ...], show: bool, options: FolderOptions) -> None:
    """Take the letters in PATHS: .eml, mbox, maildir, a copied forum page, a letter alone; `-` is the text that you
    paste.

    Every letter is answered with a receipt in the outbox. Mails without a letter for this campaign are left alone. The
    exit code is 1 if a letter was refused, or a mail was not read to its end.
    """
    from pbem.moderator.letters import accept, tray_data, tray_lines

    # A missing file is reported before anybody is asked for a passphrase.
    with refusals(options.json_wanted):
        for path in paths:
            _ = path in ("", "-") or Path(path).stat()
    with campaign_to_change("accept", options) as campaign:
        tray = accept(campaign, (message for path in paths for message in messages_of(path)))
        if options.json_wanted:
            print_json(tray_data(tray, show, language_wanted()))
        for each in () if options.json_wanted else tray_lines(tray, show, language_wanted()):
            say(each)
    if tray.is_in_vain:
        raise SystemExit(REFUSED)


def messages_of(path: str) -> Iterator[RawMessage]:
    """Yield the mails of a file, a folder, or the standard input."""
    from pbem.post.mailbox import split_mailbox

    if path == "-":
        yield from split_mailbox(read_bytes(path, MOST_OF_LARGE), "-")
    else:
        yield from split_mailbox(Path(path), path if not Path(path).is_dir() else "")


@click.command("act")
@click.argument("player", type=line)
@click.argument("orders")
@why_option
@entry_options
def act_command(player: str, orders: str, why: str, options: FolderOptions) -> None:
    """Give ORDERS in a PLAYER's place: a letter's body or an order file, signed by the moderator.

    The ledger says so, and so does the player's next report.
    """
    from pbem.moderator.letters import act, answer_data, answer_line
    from pbem.post.mailbox import RawMessage

    with refusals(options.json_wanted):
        file = RawMessage(read_bytes(orders), orders)
    with campaign_to_change("act", options, sha256(file.data).hexdigest()) as campaign:
        receipt = act(campaign, player, file, why)
        language = language_wanted()
        if options.json_wanted:
            print_json(answer_data(orders, receipt, True, language))
        else:
            say(answer_line(orders, receipt, True, language))
            for fault in receipt.verdict.faults:
                say(fault.message_line(orders, language), err=True)
    if receipt.status == "refused":
        raise SystemExit(REFUSED)
