"""`pbem accept`: letters come in as mails, mailboxes, forum pages or files; every one is answered.

What came in before is passed over: so the same mailbox can be given every evening. What holds no letter is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.at_work import Work, campaign_to_change, entry_options, need_files
from pbem.console.frames import language_wanted
from pbem.console.options import line, why_option
from pbem.console.printing import counted, print_json, say
from pbem.console.refusals import fault_data
from pbem.console.surroundings import read_bytes
from pbem.faults.wrong import printable, told, wrong
from pbem.paper.documents.faults import Refused
from pbem.player.files import MOST_OF_LARGE
from pbem.seal.canonical import Tree

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.campaign.letters.arrivals import Tray
    from pbem.campaign.letters.arrived import LeftAlone, LetterAnswer
    from pbem.campaign.play.adjudicating import Receipt
    from pbem.paper.letters import Letter
    from pbem.post.mailbox import RawMessage

MOST_LEFT = 5
"""So many messages without a letter are named."""


@click.command("accept")
@click.argument("paths", nargs=-1, required=True)
@click.option(
    "--show",
    is_flag=True,
    help="Also tell what is wrong in words, also with what was refused before: they may repeat what a letter says.",
)
@entry_options
def accept_command(paths: tuple[str, ...], show: bool, work: Work) -> None:
    """Take the letters in PATHS: .eml, mbox, maildir, a copied forum page, a letter alone; `-` is what you paste.

    The bytes are kept first. Every letter is answered with a receipt in the outbox; a line tells what became of it.
    What holds no letter for this campaign is left alone. The exit code is 1 if a letter was refused, or something was
    not read to its end.
    """
    from pbem.campaign.play.rulings import need_open
    from pbem.moderator.mails import check_templates_of

    need_files(work.json_wanted, *paths)
    with campaign_to_change("accept", work) as campaign:
        need_open(campaign)
        check_templates_of(campaign)
        tray = taken(campaign, (message for path in paths for message in messages_of(path)))
        if work.json_wanted:
            print_json(tray_data(tray, show))
        else:
            tell_tray(tray, show)
    if tray.is_in_vain:
        raise SystemExit(1)


def taken(campaign: Campaign, messages: Iterator[RawMessage]) -> Tray:
    """What became of these messages."""
    from pbem.campaign.letters.arrivals import Tray
    from pbem.moderator.mails import write_receipt
    from pbem.post.boxes import arrival_of

    tray = Tray(campaign, lambda reply: write_receipt(campaign, reply))
    for message in messages:
        tray.take(arrival_of(message, campaign.settings.campaign))
    tray.answer_all()
    return tray


def messages_of(path: str) -> Iterator[RawMessage]:
    """The messages of a file, a folder, or the standard input."""
    from pbem.post.mailbox import split_mailbox

    if path == "-":
        yield from split_mailbox(read_bytes(path, MOST_OF_LARGE), "-")
    else:
        yield from split_mailbox(Path(path), path if not Path(path).is_dir() else "")


def tell_tray(tray: Tray, show: bool) -> None:
    """Say what became of everything."""
    for answer in tray.answers:
        say(summary(answer.where, answer.receipt, show))
        for note in answer.notes:
            click.echo(f"  {printable(note)}")
    for each in tray.passed:
        said = f"{each.where}:{each.line}: a letter of {each.player or 'somebody'} was passed over: {each.why}"
        click.echo(printable(said))
    for cut in tray.unfinished:
        say(cut.fault.told(cut.where))
    if tray.seen:
        click.echo(f"{tray.seen} seen before")
    for answer in tray.refused if show else ():
        say(summary(answer.where, answer.receipt, show))
    if tray.left:
        named = [f"{each.where} ({', '.join(each.codes) or 'E-TEXT-NONE'})" for each in tray.left[:MOST_LEFT]]
        more = f" and {len(tray.left) - MOST_LEFT} more" if tray.left[MOST_LEFT:] else ""
        said = f"{counted(len(tray.left), 'message')} without a letter, left alone: {', '.join(named)}{more}"
        click.echo(printable(said))


def tray_data(tray: Tray, show: bool) -> dict[str, object]:
    """What became of the letters, for programs."""
    return {
        "letters": [answer_data(each, show) for each in tray.answers],
        "passed over": [
            {"where": each.where, "line": each.line, "player": each.player, "why": each.why} for each in tray.passed
        ],
        "not read to the end": [fault_data(cut.where, cut.fault) for cut in tray.unfinished],
        "seen before": tray.seen,
        **({"refused before": [answer_data(each, show) for each in tray.refused]} if show else {}),
        "left alone": [left_data(each) for each in tray.left],
    }


def left_data(left: LeftAlone) -> dict[str, object]:
    """A message without a letter, for programs."""
    return {"where": left.where, "from": left.sender, "codes": list(left.codes)}


def summary(where: str, receipt: Receipt, show: bool) -> str:
    """What became of a letter, in one line; of what is wrong only code and place, unless all of it is to be shown."""
    held, faults, letter = receipt.verdict.held, receipt.verdict.faults, receipt.verdict.letter
    what = receipt.player or "somebody"
    if held and letter:
        what = f"{letter.kind} of {receipt.player}, seq {letter.seq}"
    said = f"{where}: {what}: {receipt.status} ({f'entry {receipt.entry}' if receipt.entry else 'no entry'})"
    if receipt.verdict.missing:
        said += f", still to answer: {', '.join(receipt.verdict.missing)}"
    if faults:
        message = f" {told(faults[0].message, language_wanted())}" if show else ""
        first = f"{faults[0].place} {faults[0].code}".lstrip(": ") + message
        said += f": {first}" + (f" and {len(faults) - 1} more" if faults[1:] else "")
    return printable(said)


def receipt_said(where: str, receipt: Receipt, show: bool) -> dict[str, object]:
    """What became of a letter, for programs."""
    faults = [fault_data(where, fault) for fault in receipt.verdict.faults]
    told = ("file", "line", "column", "code")
    return {
        "where": where,
        "player": receipt.player,
        "letter": receipt.letter,
        "entry": receipt.entry,
        "status": receipt.status,
        "missing": list(receipt.verdict.missing),
        "faults": faults if show else [{key: fault[key] for key in told} for fault in faults],
    }


def answer_data(answer: LetterAnswer, show: bool) -> dict[str, object]:
    said = receipt_said(answer.where, answer.receipt, show)
    return {**said, "notes": list(answer.notes), "files": [str(path) for path in answer.files]}


def tell_receipt(where: str, receipt: Receipt, json_wanted: bool) -> None:
    """Say what became of one letter of the moderator's own, with every fault of it."""
    if json_wanted:
        print_json(receipt_said(where, receipt, show=True))
        return
    say(summary(where, receipt, show=True))
    for fault in receipt.verdict.faults:
        say(fault.told(where, language_wanted()), err=True)


@click.command("act")
@click.argument("player", type=line)
@click.argument("orders")
@why_option
@entry_options
def act_command(player: str, orders: str, why: str, work: Work) -> None:
    """Give ORDERS in a PLAYER's place: a letter's body or an order file, signed by the moderator.

    The ledger says so, and so does the player's next report.
    """
    from pbem.campaign.letters.arrived import Reply
    from pbem.campaign.play import adjudicating, rulings
    from pbem.moderator.mails import check_templates_of, write_receipt

    need_files(work.json_wanted, orders)
    with campaign_to_change("act", work, content_of(orders)) as campaign:
        check_templates_of(campaign)
        player = rulings.known_player(campaign, player)
        done = campaign.done("letter")
        letter = campaign.held(done).letter if done else acted_letter(campaign, player, orders)
        receipt = adjudicating.take_letter(campaign, letter, acted=why)
        if receipt.status != "refused":
            write_receipt(campaign, Reply(receipt))
        tell_receipt(orders, adjudicating.without_words(campaign, receipt), work.json_wanted)
    refuse_if(receipt.status == "refused")


def content_of(orders: str) -> str:
    """A fingerprint of the file of orders."""
    return sha256(read_bytes(orders)).hexdigest() if orders != "-" else ""


def acted_letter(campaign: Campaign, player: str, source: str) -> Letter:
    """A letter with orders in a player's place, signed by the moderator: for the stage that they were written for."""
    from pbem.campaign.ledger.public_state import BASIS
    from pbem.campaign.play.rulings import need_running
    from pbem.paper.letters import read_letter, sign_letter, write_letter

    need_running(campaign)
    public = campaign.public
    assert public.next is not None
    head: dict[str, str | int] = {
        "kind": "orders",
        "campaign": public.settings.campaign,
        "from": player,
        "stage": public.next.stage,
        "basis": public.basis[:BASIS],
        "seq": public.seqs.get(player, 0) + 1,
    }
    written, body = orders_in(source)
    head |= {key: text for key in ("stage", "basis") if isinstance(text := written.get(key), str)}
    return read_letter(sign_letter(write_letter(head, body), campaign.key).encode(), source)


def orders_in(path: str) -> tuple[dict[str, Tree], dict[str, Tree]]:
    """What a file says, of a letter or of orders as `pbem try` takes them, and the body of a letter with its orders."""
    from pbem.paper.documents.strict import bare, read_yaml

    found = bare(read_yaml(read_bytes(path), path))
    body = found["body"] if isinstance(found, dict) and "body" in found else found
    if not isinstance(found, dict) or not isinstance(body, dict) or not isinstance(body.get("orders"), dict):
        raise Refused(path, [wrong("E-FORM-ORDERS")])
    return found, {"orders": body["orders"]}


def refuse_if(refused: bool) -> None:
    """End with the exit code of a refusal, where the answer has been printed already."""
    if refused:
        raise SystemExit(1)
