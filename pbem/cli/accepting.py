"""`pbem accept`: letters come in as mails, mailboxes, forum pages or files; every one is answered.

What came in before is passed over: so the same mailbox can be given every evening.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import MOST_OF_LARGE, fault_data, print_json, read_bytes
from pbem.cli.moderate import at_work, moderated
from pbem.paper.faults import Fault, Refused, printable

if TYPE_CHECKING:
    from pbem.campaign.campaign import Campaign
    from pbem.campaign.desk import Receipt
    from pbem.paper.letters import Letter
    from pbem.post.extract import Extraction
    from pbem.post.mailbox import RawMessage


@click.command("accept")
@click.argument("paths", nargs=-1, required=True)
@moderated
def accept_command(paths: tuple[str, ...], json_wanted: bool, **options: Any) -> None:
    """Take the letters in PATHS: .eml, mbox, maildir, a copied forum page, a letter alone; `-` is what you paste.

    The bytes are kept first. Every letter is answered with a receipt in the outbox; a line tells what became of it.
    """
    from pbem.campaign.rulings import need_open
    from pbem.cli.mailing import check_templates_of

    with at_work("accept", json_wanted=json_wanted, **options) as campaign:
        need_open(campaign)
        check_templates_of(campaign)
        tray = Tray(campaign)
        for path in paths:
            for message in messages_of(path):
                tray.take(message)
        tray.answer_all()
        if json_wanted:
            print_json({"letters": [answer_data(each) for each in tray.answers], "seen before": tray.seen})
            return
        for each in tray.answers:
            click.echo(summary(each.where, each.receipt))
            for note in each.notes:
                click.echo(f"  {printable(note)}")
        if tray.seen:
            click.echo(f"{tray.seen} seen before")


def messages_of(path: str) -> Iterator[RawMessage]:
    """The messages of a file, a folder, or the standard input."""
    from pbem.post.mailbox import split_mailbox

    if path == "-":
        yield from split_mailbox(read_bytes(path, MOST_OF_LARGE), "-")
    else:
        yield from split_mailbox(Path(path), path if not Path(path).is_dir() else "")


@dataclass(frozen=True)
class Answer:
    """What was answered, and to what."""

    where: str
    receipt: Receipt
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Arrival:
    """A message that was kept, and what is in it."""

    where: str
    raw: str
    """The fingerprint of its bytes."""
    was_here: bool
    """Whether the same bytes had come in before."""
    extraction: Extraction
    letters: list[Letter]
    faults: list[Fault]


class Tray:
    """What comes in at one call of the command: first everything is kept, then it is answered.

    Letters are taken by their numbers, for a mailbox may have them in any order, and only the newest counts.
    """

    def __init__(self, campaign: Campaign) -> None:
        """Know what was refused before."""
        self.campaign = campaign
        self.last = campaign.vault.entry
        self.arrivals: list[Arrival] = []
        self.answers: list[Answer] = []
        self.seen = 0
        self.turned = dict(campaign.register.turned)
        self.receipts: Counter[tuple[str, int]] = Counter()
        """How many receipts were written, by whose they are and the entry that they tell of."""

    def take(self, message: RawMessage) -> None:
        """Keep a message, and see what is in it."""
        from pbem.post.extract import extract

        kept_as = self.mark(sha256(message.data).hexdigest())
        was_here = (self.campaign.folder.raw / f"{kept_as}.age").exists()
        raw = self.campaign.keep_raw(message.data)
        extraction = extract(message.data, message.where)
        self.arrivals.append(Arrival(message.where, raw, was_here, extraction, *readable(extraction)))

    def answer_all(self) -> None:
        """Answer every letter, and everything in which none can be read."""
        letters = [(letter.seq, at, letter) for at, each in enumerate(self.arrivals) for letter in each.letters]
        for _, at, letter in sorted(letters, key=lambda entry: entry[:2]):
            arrival = self.arrivals[at]
            if arrival.was_here and self.is_old(letter, arrival):
                self.seen += 1
            else:
                self.letter(letter, arrival)
        for arrival in self.arrivals:
            if arrival.faults and self.is_answered(self.turned.get(self.mark(arrival.raw), 0)):
                self.seen += 1
            elif arrival.faults:
                self.faulty(arrival)

    def mark(self, content: str) -> str:
        """What refused content is known by in the ledger."""
        return self.campaign.course.keyed(content.encode())

    def is_old(self, letter: Letter, arrival: Arrival) -> bool:
        """Whether a letter of a message that came in before was answered then: taken, or refused as it would be now."""
        from pbem.campaign.intake import judge

        campaign = self.campaign
        known = campaign.register.letters.get(campaign.course.mark(letter), 0)
        if known:
            return self.is_answered(known)
        refused = self.turned.get(self.mark(arrival.raw), 0)
        return self.is_answered(refused) and judge(campaign.course, letter, campaign.open_box).is_refused

    def is_answered(self, entry: int) -> bool:
        """Whether what was entered was answered; the last may be of a command that was killed before it could."""
        receipts = self.campaign.folder.outbox / f"{entry:04d}"
        return 0 < entry < self.last - 1 or any(receipts.glob(f"*-receipt-{entry:04d}.txt"))

    def letter(self, letter: Letter, arrival: Arrival) -> None:
        """Take or refuse one letter."""
        from pbem.campaign import desk

        receipt = desk.take_letter(self.campaign, letter, arrival.raw)
        self.answer(receipt, arrival, self.address(receipt, letter, arrival.extraction))

    def faulty(self, arrival: Arrival) -> None:
        """Answer what no letter can be read in."""
        from pbem.campaign import desk

        seats = {address: seat for seat, address in self.campaign.vault.addresses.items()}
        player = seats.get(arrival.extraction.envelope.sender, "")
        if player not in self.campaign.settings.seats:
            player = ""
        receipt = desk.refuse_raw(self.campaign, arrival.raw, arrival.faults, player)
        self.turned[self.mark(arrival.raw)] = receipt.entry
        self.answer(receipt, arrival)

    def answer(self, receipt: Receipt, arrival: Arrival, notes: tuple[str, ...] = ()) -> None:
        """Write the receipt."""
        from pbem.campaign import desk
        from pbem.cli.mailing import write_receipt

        envelope = arrival.extraction.envelope
        is_for_us = bool(arrival.extraction.letters) and not envelope.is_automatic
        sender = envelope.sender if is_for_us else ""
        self.receipts[receipt.player, receipt.entry] += 1
        copy = self.receipts[receipt.player, receipt.entry]
        files = write_receipt(self.campaign, receipt, sender, envelope.message_id, copy)
        self.answers.append(Answer(arrival.where, desk.discreet(self.campaign, receipt), notes, tuple(files)))

    def address(self, receipt: Receipt, letter: Letter, extraction: Extraction) -> tuple[str, ...]:
        """Note where a player who joins can be written to; an address that was given before stays."""
        sender, addresses = extraction.envelope.sender, self.campaign.vault.addresses
        if letter.kind != "join" or receipt.status == "refused" or not sender:
            return ()
        known = addresses.setdefault(receipt.player, sender)
        self.campaign.save()
        if known == sender:
            return (f"letters to {receipt.player} go to {sender}",)
        return (f"it came from {sender}, but letters to {receipt.player} go on going to {known}",)


def readable(extraction: Extraction) -> tuple[list[Letter], list[Fault]]:
    """The letters that can be taken, and what is wrong with the rest."""
    from pbem.paper.letters import letter_id, read_letter

    faults = [fault for fault in extraction.faults if not fault.is_warning]
    letters: list[Letter] = []
    for found in extraction.letters:
        try:
            letters.append(read_letter(found.text.encode("utf-8"), "letter"))
        except Refused as refused:
            faults += refused.faults
    if extraction.is_preview_only and letters:
        hint = "send it as plain text, or as an attached .yaml file"
        message = "the letter stands in a page (HTML), where nobody can know what was lost on the way"
        return [], [*faults, Fault("E-TEXT-PAGE", message, 1, 1, hint=hint)]
    by_number: dict[tuple[str, str, int], set[str]] = {}
    for letter in letters:
        by_number.setdefault((letter.campaign, letter.sender, letter.seq), set()).add(letter_id(letter))
    for (_, sender, seq), different in by_number.items():
        if len(different) > 1:
            message = f"there are {len(different)} different letters of {sender} with seq {seq} in it"
            faults.append(Fault("E-LETTER-TWICE", message, 1, 1, hint="send the one that is meant, with a new seq"))
    kept = [each for each in letters if len(by_number[each.campaign, each.sender, each.seq]) == 1]
    return kept, faults


def summary(where: str, receipt: Receipt) -> str:
    """What became of a letter, in one line."""
    held, faults = receipt.verdict.held, receipt.verdict.faults
    what = f"{held.letter.kind} of {receipt.player}, seq {held.letter.seq}" if held else receipt.player or "somebody"
    said = f"{where}: {what}: {receipt.status} (entry {receipt.entry})"
    if receipt.verdict.missing:
        said += f", still to answer: {', '.join(receipt.verdict.missing)}"
    if receipt.status == "refused" and faults:
        said += f": {faults[0].code} {faults[0].message}" + (f" and {len(faults) - 1} more" if faults[1:] else "")
    return printable(said)


def receipt_said(where: str, receipt: Receipt) -> dict[str, Any]:
    """What became of a letter, for programs."""
    return {
        "where": where,
        "player": receipt.player,
        "letter": receipt.letter,
        "entry": receipt.entry,
        "status": receipt.status,
        "missing": list(receipt.verdict.missing),
        "faults": [fault_data(where, fault) for fault in receipt.verdict.faults],
    }


def answer_data(answer: Answer) -> dict[str, Any]:
    """An answer for programs."""
    said = receipt_said(answer.where, answer.receipt)
    return {**said, "notes": list(answer.notes), "files": [str(path) for path in answer.files]}


def tell_receipt(where: str, receipt: Receipt, json_wanted: bool) -> None:
    """Say what became of one letter, with every fault of it."""
    if json_wanted:
        print_json(receipt_said(where, receipt))
        return
    click.echo(summary(where, receipt))
    for fault in receipt.verdict.faults:
        click.echo(fault.told(where), err=True)
