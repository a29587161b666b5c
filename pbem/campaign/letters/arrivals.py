"""What comes in at one time: what of it is kept, which letters are taken and in which order, and what is answered.

Whoever claims to have written a letter for this campaign gets a receipt and, with it, an entry of the ledger. Whoever
answers a mail of ours, or is known to play, is answered without an entry where nothing could be read. All else is
nobody's business: it is left alone, and only told.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.letters.choosing import choice, is_genuine, is_of_moderator, is_signed_with, rivals, strange_beside
from pbem.campaign.letters.completing import Words
from pbem.campaign.letters.judging import judge
from pbem.campaign.letters.verdicts import MODERATOR, Verdict
from pbem.campaign.play import adjudicating as desk
from pbem.campaign.play.adjudicating import Came, Receipt
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter
from pbem.paper.letters import Letter

SHARED = "W-KEY-SHARED"
"""The warning that the moderator is told too, not only the sender."""

LAST = 10**10
"""Behind every number: letters that leave theirs out come last, in the order in which they came."""


class Arrival(Struct, frozen=True):
    """A message that came in, and what was found in it."""

    where: str
    data: bytes
    letters: tuple[FoundLetter, ...] = ()
    unread: tuple[FoundLetter, ...] = ()
    """What looks like a letter and could not be read."""
    faults: tuple[Fault, ...] = ()
    """What is wrong with the message as a whole."""
    sender: str = ""
    """The address that it gives as its sender's."""
    message_id: str = ""
    """How it is called, if it is a mail."""
    answers: bool = False
    """Whether it answers a mail of ours."""
    is_automatic: bool = False
    """Whether a program wrote it, so that an answer might be answered for ever."""

    @property
    def errors(self) -> list[Fault]:
        """What of it could not be read."""
        return [fault for fault in self.faults if not fault.is_warning]

    @property
    def warnings(self) -> list[Fault]:
        """What of it was not read, though a letter was."""
        return [fault for fault in self.faults if fault.is_warning]


class Answer(Struct, frozen=True):
    """What was answered, and to what."""

    where: str
    receipt: Receipt
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


class Reply(Struct, frozen=True):
    """A receipt on its way back."""

    receipt: Receipt
    sender: str = ""
    """The address to which it goes if it can be laid to no seat."""
    message_id: str = ""
    """The mail that it answers."""
    copy: int = 1
    """Which of several receipts under one entry this is."""


class LeftAlone(Struct, frozen=True):
    """A message in which there is no letter of this campaign."""

    where: str
    sender: str
    codes: tuple[str, ...]


class PassedOver(Struct, frozen=True):
    """A letter that stood beside one that counts, and was neither taken nor refused."""

    where: str
    line: int
    player: str
    why: str


class Batch(Struct):
    """One arrival while it is answered."""

    arrival: Arrival
    raw: str
    """The SHA-256 of its bytes."""
    was_here: bool
    """Whether the same bytes had come in before."""
    genuine: list[Letter] = field(default_factory=list)
    """The letters that are from whom they say, as far as they were looked at."""
    doubtful: list[FoundLetter] = field(default_factory=list)
    told: bool = False
    """Whether something in it was taken, refused, or known before."""
    twice: set[str] = field(default_factory=set)
    """The seats that were told to send one of two letters."""


class Tray:
    """What comes in at one time: first what holds letters is kept, then everything is answered.

    Letters are taken by their numbers, for a mailbox may have them in any order, and only the newest counts.
    """

    def __init__(self, campaign: Campaign, reply: Callable[[Reply], list[Path]]) -> None:
        """Know what was refused before; `reply` writes a receipt and gives its files."""
        self.campaign = campaign
        self.reply = reply
        self.last = campaign.vault.entry
        self.batches: list[Batch] = []
        self.answers: list[Answer] = []
        self.left: list[LeftAlone] = []
        self.passed: list[PassedOver] = []
        self.seen = 0
        self.turned = dict(campaign.register.turned)
        self.receipts: Counter[tuple[str, int]] = Counter()
        """How many receipts were written, by whose they are and the entry that they tell of."""
        self.words = Words(campaign)

    def take(self, arrival: Arrival) -> None:
        """Keep a message if it claims to hold a letter of this campaign."""
        raw = sha256(arrival.data).hexdigest()
        was_here = (self.campaign.folder.raw / f"{self.mark(raw)}.age").exists()
        is_ours = any(self.is_claimed(each) and not is_of_moderator(each) for each in arrival.letters)
        if is_ours or any(map(self.is_claimed, arrival.unread)):
            self.campaign.keep_raw(arrival.data)
            arrival = replace(arrival, data=b"")
        elif not self.is_owed_an_answer(arrival):
            self.leave(arrival)
            return
        self.batches.append(Batch(arrival, raw, was_here))

    def answer_all(self) -> None:
        """Answer every letter, and everything in which none can be read though one is owed an answer."""
        found = [
            (each.letter.seq or LAST, at, each)
            for at, batch in enumerate(self.batches)
            for each in batch.arrival.letters
            if each.letter
        ]
        for _, at, each in sorted(found, key=lambda entry: entry[:2]):
            if each.letter and is_genuine(self.campaign.course, each.letter):
                self.genuine(each, self.batches[at])
            else:
                self.batches[at].doubtful.append(each)
        for batch in self.batches:
            self.doubtful(batch)
            for each in batch.arrival.unread:
                self.unread(each, batch)
            self.rest(batch)

    def mark(self, content: str) -> str:
        """What refused content is known by in the ledger."""
        return self.campaign.course.keyed(content.encode())

    def is_claimed(self, found: FoundLetter) -> bool:
        """Whether something says that it is a letter for this campaign, however badly it is written."""
        claim = found.claim
        is_for_us = claim.campaign == self.campaign.settings.campaign
        return is_for_us or (not claim.campaign and claim.sender in self.campaign.settings.seats)

    def genuine(self, found: FoundLetter, batch: Batch) -> None:
        """A letter that is from whom it says: it is taken, unless another one of the same message is meant."""
        campaign, letter = self.campaign, found.letter
        assert letter is not None
        batch.genuine.append(letter)
        among = rivals(campaign.course, found, batch.arrival.letters)
        chosen = choice(campaign.course, found, among)
        full = self.words.completed(letter)
        is_known = campaign.course.mark(full) in campaign.register.letters
        batch.told = True
        if (batch.was_here and self.is_old(full, found, batch)) or (is_known and found.is_quoted):
            self.seen += 1
        elif is_known or chosen == "take":
            self.letter(found, full, batch, strange_beside(found, among, batch.arrival.letters))
        elif chosen == "older":
            self.pass_over(batch, found, "another letter in the same message counts")
        elif letter.sender not in batch.twice:
            batch.twice.add(letter.sender)
            message = f"there are different letters of {letter.sender} with seq {letter.seq} in it"
            fault = Fault("E-LETTER-TWICE", message, found.line, 1, hint="send the one that is meant, with a new seq")
            self.refuse(batch, found, [fault])

    def is_old(self, letter: Letter, found: FoundLetter, batch: Batch) -> bool:
        """Whether a letter of a message that came in before was answered then: taken, or refused as it would be now."""
        campaign = self.campaign
        known = campaign.register.letters.get(campaign.course.mark(letter), 0)
        if known:
            return self.is_answered(known)
        refused = self.turned.get(self.mark(content_of(found, batch)), 0)
        return self.is_answered(refused) and judge(campaign.course, letter, campaign.open_box).is_refused

    def is_answered(self, entry: int) -> bool:
        """Whether what was entered was answered; the last may be of a command that was killed before it could."""
        receipts = self.campaign.folder.outbox / f"{entry:04d}"
        return 0 < entry < self.last - 1 or any(receipts.glob(f"*-receipt-{entry:04d}.txt"))

    def letter(self, found: FoundLetter, letter: Letter, batch: Batch, strange: list[Fault]) -> None:
        """Take or refuse one letter."""
        if found.is_of_page and not letter.signature:
            hint = "send it as plain text, or as an attached .yaml file"
            message = "the letter stands in a page (HTML), where nobody can know what was lost on the way"
            self.refuse(batch, found, [Fault("E-TEXT-PAGE", message, found.line, 1, hint=hint)])
            return
        came = Came(batch.raw, content_of(found, batch), (*strange, *batch.arrival.warnings))
        receipt = desk.take_letter(self.campaign, letter, came)
        self.answer(receipt, batch, self.address(receipt, letter, batch.arrival.sender))

    def refuse(self, batch: Batch, found: FoundLetter, faults: list[Fault]) -> None:
        """Refuse what claims to be a letter, once."""
        batch.told = True
        content = content_of(found, batch)
        was_read = batch.was_here or not batch.arrival.message_id
        if was_read and self.is_answered(self.turned.get(self.mark(content), 0)):
            self.seen += 1
            return
        claim = found.claim.sender
        player = claim if claim in self.campaign.settings.seats else self.player_at(batch.arrival.sender)
        faults = [*faults, *batch.arrival.warnings]
        receipt = desk.refuse_raw(self.campaign, batch.raw, faults, player, content)
        self.answer(receipt, batch)

    def doubtful(self, batch: Batch) -> None:
        """Letters that are not from whom they say: one of each seat is refused, but beside a good one none."""
        name = self.campaign.settings.campaign
        senders: dict[str, list[FoundLetter]] = {}
        for each in batch.doubtful:
            if each.letter and each.letter.campaign == name and not is_of_moderator(each):
                senders.setdefault(each.letter.sender, []).append(each)
        for sender, letters in senders.items():
            good = [letter for letter in batch.genuine if letter.sender == sender]
            refused = None if good else [each for each in letters if not each.is_quoted or each is letters[-1]][-1]
            for each in letters:
                if each is refused and each.letter:
                    self.forged(each, each.letter, batch)
                elif not (each.is_quoted and is_repeated(each, good)):
                    self.pass_over(batch, each, "nobody can tell that it is theirs")

    def forged(self, found: FoundLetter, letter: Letter, batch: Batch) -> None:
        """Refuse a letter that is not from whom it says, as it would have been in a message of its own."""
        batch.told = True
        if batch.was_here and self.is_old(letter, found, batch):
            self.seen += 1
        else:
            self.letter(found, letter, batch, [])

    def unread(self, found: FoundLetter, batch: Batch) -> None:
        """Something that looks like a letter and cannot be read: refused, unless the letter itself is here as well."""
        if not self.is_claimed(found):
            return
        claim = found.claim
        good = [letter for letter in batch.genuine if letter.sender == claim.sender]
        came_in = self.campaign.register.seqs.get(claim.sender, 0)
        if any(found.is_quoted or letter.seq == claim.seq for letter in good):
            self.pass_over(batch, found, "it cannot be read, and the letter itself is here as well")
        elif found.is_quoted and 0 < claim.seq <= came_in:
            batch.told = True
            self.pass_over(batch, found, "it cannot be read, and the letter itself came in before, or a newer one")
        else:
            self.refuse(batch, found, list(found.faults))

    def rest(self, batch: Batch) -> None:
        """What is wrong with a message as a whole, and messages without a letter that are answered nevertheless."""
        arrival = batch.arrival
        if batch.told and not arrival.errors:
            return
        if batch.told and (arrival.is_automatic or not arrival.sender):
            self.leave(arrival)
        elif batch.was_here and not arrival.data:
            return
        elif batch.was_here:
            self.seen += 1
        else:
            faults = [*arrival.faults, *(fault for each in arrival.unread for fault in each.faults)]
            letter, signer = self.astray(arrival)
            if letter:
                faults += judge(self.campaign.course, letter, self.campaign.open_box).faults
            player = signer or self.player_at(arrival.sender)
            self.answer(Receipt(player, "", 0, Verdict(faults=faults), batch.raw, "refused"), batch)
            if arrival.data:
                self.campaign.keep_raw(arrival.data)

    def leave(self, arrival: Arrival) -> None:
        """Note what nobody is answered for."""
        self.left.append(LeftAlone(arrival.where, arrival.sender, tuple(dict.fromkeys(codes_of(arrival)))))

    def astray(self, arrival: Arrival) -> tuple[Letter | None, str]:
        """A letter for another campaign, and the seat in this one whose key has signed it."""
        players = self.campaign.register.players.items()
        for each in arrival.letters:
            letter = None if self.is_claimed(each) else each.letter
            if letter:
                signers = [seat for seat, who in players if who.key and is_signed_with(letter, who.key)]
                return letter, "".join(signers[:1])
        return None, ""

    def is_owed_an_answer(self, arrival: Arrival) -> bool:
        """Whether somebody waits for an answer to a message without a letter of theirs for this campaign.

        That is who answers a mail of ours, and who plays, if they have sent something that could not be read.
        """
        name, moderator = self.campaign.settings.campaign, self.campaign.vault.addresses.get(MODERATOR, "")
        if arrival.is_automatic or (moderator and arrival.sender == moderator):
            return False
        if self.astray(arrival)[1]:
            return True
        is_quoting = any(is_of_moderator(each) and each.claim.campaign == name for each in arrival.letters)
        if arrival.answers or is_quoting:
            return bool(arrival.sender)
        return bool(self.player_at(arrival.sender)) and any(code != "E-TEXT-NONE" for code in codes_of(arrival))

    def player_at(self, address: str) -> str:
        """The seat whose letters go to an address."""
        addresses = self.campaign.vault.addresses.items()
        known = {written.casefold(): seat for seat, written in addresses if seat in self.campaign.settings.seats}
        return known.get(address.casefold(), "")

    def pass_over(self, batch: Batch, found: FoundLetter, why: str) -> None:
        """Note a letter that does not count."""
        self.passed.append(PassedOver(batch.arrival.where, found.line, found.claim.sender, why))

    def answer(self, receipt: Receipt, batch: Batch, notes: tuple[str, ...] = ()) -> None:
        """Write the receipt."""
        arrival = batch.arrival
        self.receipts[receipt.player, receipt.entry] += 1
        copy = self.receipts[receipt.player, receipt.entry] if receipt.entry else 1
        sender = "" if arrival.is_automatic else arrival.sender
        files = self.reply(Reply(receipt, sender, arrival.message_id, copy))
        shared = tuple(f"{fault.code} {fault.message}" for fault in receipt.verdict.faults if fault.code == SHARED)
        shown = desk.discreet(self.campaign, receipt)
        self.answers.append(Answer(arrival.where, shown, (*notes, *shared), tuple(files)))

    def address(self, receipt: Receipt, letter: Letter, sender: str) -> tuple[str, ...]:
        """Note where a player who joins can be written to; an address that was given before stays."""
        addresses = self.campaign.vault.addresses
        if letter.kind != "join" or receipt.status == "refused" or not sender:
            return ()
        known = addresses.setdefault(receipt.player, sender)
        self.campaign.save()
        if known == sender:
            return (f"letters to {receipt.player} go to {sender}",)
        return (f"it came from {sender}, but letters to {receipt.player} go on going to {known}",)


def content_of(found: FoundLetter, batch: Batch) -> str:
    """What a refused letter is known by: its mail; in a page, which grows from day to day, what it says itself."""
    if batch.arrival.message_id:
        return batch.raw
    return found.identity if found.letter else sha256(found.text.encode("utf-8", "replace")).hexdigest()


def is_repeated(found: FoundLetter, good: list[Letter]) -> bool:
    """Whether a quoted letter is the sheet of one that counts, or an earlier one."""
    return found.letter is not None and any(found.letter.seq <= letter.seq for letter in good)


def codes_of(arrival: Arrival) -> Iterator[str]:
    """The codes of all that is wrong with a message."""
    yield from (fault.code for fault in arrival.faults)
    yield from (fault.code for each in arrival.unread for fault in each.faults)
