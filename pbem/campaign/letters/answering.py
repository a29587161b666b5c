"""Answers to letters that came in. Each letter gets a receipt, unless it was answered before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.letters import arrived
from pbem.campaign.letters.arrived import (
    Arrival,
    LetterAnswer,
    Reply,
    UnansweredArrival,
    UncountedLetter,
    UnfinishedArrival,
)
from pbem.campaign.letters.claims import claimed_seat, codes_of
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.play import adjudicating
from pbem.campaign.play.adjudicating import Receipt
from pbem.faults.wrong import Words, Wrong
from pbem.paper.found import FoundLetter, is_address
from pbem.paper.letters import Letter

ALSO_TOLD_TO_MODERATOR = ("W-KEY-SHARED", arrived.JOINED_TWICE)
"""Codes of the warnings that the moderator gets as well as the sender."""


class Batch(Struct):
    """One arrival, and the progress of answering its letters."""

    arrival: Arrival
    raw: str
    """SHA-256 of the bytes that came."""
    was_here: bool
    """True if the same bytes had come in before."""
    at: int = 0
    """Number of this arrival among all arrivals, as the caller counts them."""
    genuine: list[Letter] = field(default_factory=list)
    """Letters of this arrival that are known to be from their stated senders."""
    doubtful: list[FoundLetter] = field(default_factory=list)
    """Letters of this arrival that may be from somebody else than their stated senders."""
    told: bool = False
    """True if at least one letter of this arrival was taken, was refused, or was known already."""
    twice: set[str] = field(default_factory=set)
    """Seats that were asked to send again, because two of their letters have the same number."""
    refused: set[str] = field(default_factory=set)
    """Seats for which a letter of unproven origin was refused. Only one such letter of a seat is refused."""


class Answers:
    """Writer of the receipts to all arrivals of one evening, with a list of everything that gets no receipt."""

    def __init__(self, campaign: Campaign, reply: Callable[[Reply], list[Path]]) -> None:
        """Load the campaign's earlier refusals. `reply` writes one receipt, and returns the files that it wrote."""
        self.campaign = campaign
        self.reply = reply
        self.last = campaign.vault.entry
        self.answers: list[LetterAnswer] = []
        self.left: list[UnansweredArrival] = []
        self.passed: list[UncountedLetter] = []
        self.unfinished: list[UnfinishedArrival] = []
        self.seen = 0
        self.refused: list[LetterAnswer] = []
        """Refusals, with reasons, of letters that were refused before and are not answered again."""
        self.turned = dict(campaign.public.turned)
        self.receipts: Counter[tuple[str, int]] = Counter()
        """Number of receipts for each reader and entry."""
        self.judged: dict[tuple[int, str | None], bool] = {}

    def is_genuine(self, letter: Letter) -> bool:
        """True if a letter is from its stated sender."""
        player = self.campaign.public.players.get(letter.sender)
        # Cached under its `id`, because a letter holds mappings and has no hash. `batches` keeps the letter alive, so
        # that no other letter gets this `id`.
        asked = (id(letter), player.key if player else None)
        if asked not in self.judged:
            self.judged[asked] = arrived.is_genuine(self.campaign.state, letter)
        return self.judged[asked]

    def refusal_mark(self, content: str) -> str:
        """Return the mark by which the ledger names refused content: a keyed fingerprint."""
        return self.campaign.state.keyed_fingerprint(content.encode())

    def is_answered(self, entry: int) -> bool:
        """True if the receipt of an entry was written."""
        receipts = self.campaign.folder.outbox / f"{entry:04d}"
        # Receipts of earlier entries were written, but perhaps not those of the last two. A letter may complete an
        # agreement, which has its entry before the letter's receipt is written. So a killed command may have left two
        # entries without a receipt.
        return 0 < entry < self.last - 1 or any(receipts.glob(f"*-receipt-{entry:04d}.txt"))

    def refuse(self, batch: Batch, found: FoundLetter, faults: list[Wrong], genuine: Letter | None = None) -> None:
        """Refuse a text that claims to be a letter, and write the receipt. A text that came and was answered before
        gets no second receipt (`see_again`). `genuine` is the parsed letter, or None if its sender is not proven."""
        batch.told = True
        content = content_hash(found, batch)
        # A page or file may have grown since it came first. Its bytes are new then, so its letters alone show if they
        # were answered.
        was_read = batch.was_here or not batch.arrival.message_id
        if was_read and self.is_answered(self.turned.get(self.refusal_mark(content), 0)):
            self.see_again(found, batch, faults)
            return
        player = claimed_seat(self.campaign, found, batch.arrival.sender)
        faults = [*faults, *batch.arrival.warnings]
        receipt = adjudicating.refuse_raw(self.campaign, batch.raw, faults, player, content)
        receipt.verdict.letter = genuine
        self.answer(receipt_with_quotes(receipt, found), batch, is_theirs=genuine is not None)

    def see_again(self, found: FoundLetter, batch: Batch, faults: list[Wrong]) -> None:
        """Count a letter that was answered before. If it was refused then and still has faults, add its refusal to
        `refused`."""
        self.seen += 1
        marks = map(self.refusal_mark, (content_hash(found, batch), found.identity))
        entry = next((self.turned[mark] for mark in marks if mark in self.turned), 0)
        if entry and any(not fault.is_warning for fault in faults):
            verdict = LetterVerdict(faults=faults, letter=found.letter)
            player = claimed_seat(self.campaign, found, batch.arrival.sender)
            receipt = Receipt(player, "", entry, verdict, batch.raw, "refused before")
            shown = adjudicating.receipt_without_words(self.campaign, receipt)
            is_theirs = found.letter is not None and self.is_genuine(found.letter)
            self.refused.append(LetterAnswer(batch.arrival.where, shown, is_theirs=is_theirs))

    def leave(self, arrival: Arrival) -> None:
        """Note that an arrival gets no answer. Do nothing if the arrival is in `unfinished` already."""
        if not any(each.where == arrival.where for each in self.unfinished):
            self.left.append(UnansweredArrival(arrival.where, arrival.sender, tuple(dict.fromkeys(codes_of(arrival)))))

    def pass_over(self, batch: Batch, found: FoundLetter, why: Words) -> None:
        """Note a letter that does not count. `why` is the reason."""
        self.passed.append(UncountedLetter(batch.arrival.where, found.line, found.claim.sender, why))

    def answer(self, receipt: Receipt, batch: Batch, notes: tuple[str, ...] = (), is_theirs: bool = False) -> None:
        """Write a receipt. Add a `LetterAnswer` to `answers`, with the receipt in the form that the moderator may see.
        `notes` are for the moderator. `is_theirs` is true if nobody but the stated sender can have caused the
        receipt."""
        arrival = batch.arrival
        self.receipts[receipt.player, receipt.entry] += 1
        # A receipt without an entry is named after the hash of its message (`receipt_parcel`), and needs no number.
        copy = self.receipts[receipt.player, receipt.entry] if receipt.entry else 1
        # No receipt goes to the address of a program. The program might answer it, and the two would never stop.
        sender = "" if arrival.is_automatic else arrival.sender
        taken = arrived.taken_in(self.campaign.public, receipt.player)
        files = self.reply(Reply(receipt, sender, arrival.message_id, copy, taken=taken))
        # Only the text of these warnings is repeated, because a moderator who plays must not read more of a rival's
        # letter.
        shared = tuple(
            f"{fault.code} {fault.message}" for fault in receipt.verdict.faults if fault.code in ALSO_TOLD_TO_MODERATOR
        )
        shown = adjudicating.receipt_without_words(self.campaign, receipt)
        self.answers.append(
            LetterAnswer(
                arrival.where,
                shown,
                (*notes, *shared),
                tuple(files),
                arrival.sender,
                arrived.is_of_words(receipt),
                is_theirs,
            )
        )

    def note_address(self, receipt: Receipt, letter: Letter, batch: Batch) -> tuple[str, ...]:
        """Store the sender's mail address for a player who has just joined, unless an address is known. Return notes
        for the moderator."""
        sender = batch.arrival.sender
        if receipt.status == "asked":
            return (f"`pbem choose {letter.sender}` tells who has asked",)
        if letter.kind != "join" or receipt.status == "refused" or not is_address(sender):
            return ()
        # A copy of a letter that took a seat must not change where reports go: anybody may have the copy. If the same
        # message comes again, the command may have been killed before it could store the address.
        if receipt.status == "known" and not batch.was_here:
            return ()
        addresses = self.campaign.vault.addresses
        if not is_address(addresses.get(receipt.player, "")):
            addresses.pop(receipt.player, None)
        known = addresses.setdefault(receipt.player, sender)
        # Saved before the receipt is written. If the command is killed in between, the letter has no receipt
        # (`is_answered`), and is taken up again.
        self.campaign.save()
        if known == sender:
            return (f"letters to {receipt.player} go to {sender}",)
        return (f"it came from {sender}, but letters to {receipt.player} go on going to {known}",)


def receipt_with_quotes(receipt: Receipt, found: FoundLetter) -> Receipt:
    """Return a copy of a refused letter's receipt that also quotes the letter's faulty lines, and has the kind that it
    gives. Return any other receipt unchanged."""
    if receipt.status != "refused":
        return receipt
    return replace(receipt, quotes=found.quoted(receipt.verdict.faults), claimed_kind=found.claim.kind)


def content_hash(found: FoundLetter, batch: Batch) -> str:
    """Return the hash by which a refused letter is recognised when it comes again. If its arrival has a message-id,
    this is the hash of the whole mail. Otherwise it is the hash of the letter alone."""
    if batch.arrival.message_id:
        return batch.raw
    return found.identity if found.letter else sha256(found.text.encode("utf-8", "replace")).hexdigest()
