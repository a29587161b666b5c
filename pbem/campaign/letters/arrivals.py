"""Tray of arrivals: everything that comes in during one evening is stored, taken and answered.

A letter for this campaign gets an entry of the ledger and a receipt. An arrival without a readable letter gets no
entry. It gets a receipt only if its sender plays in this campaign, or if it answers a mail of this campaign.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.letters import arrived
from pbem.campaign.letters.answering import Answers, Batch, content_hash, receipt_with_quotes
from pbem.campaign.letters.arrived import Arrival, LetterCompleter, Reply, UnfinishedArrival
from pbem.campaign.letters.claims import (
    is_claimed,
    is_owed_an_answer,
    letter_to_refuse,
    letters_by_seat,
    signing_seat,
    stray_letter,
)
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.judging import judge
from pbem.campaign.play import adjudicating
from pbem.campaign.play.adjudicating import Delivery, Receipt
from pbem.campaign.play.open_seats import asker_of, check_offer, taken_since
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.documents.faults import Fault
from pbem.paper.found import FoundLetter, is_address
from pbem.paper.letters import Letter


class Tray(Answers):
    """Tray with all arrivals of one evening. `take` collects them. `answer_all` judges their letters in the order of
    their numbers, and answers them."""

    def __init__(self, campaign: Campaign, reply: Callable[[Reply], list[Path]]) -> None:
        """Make an empty tray. `reply` writes one receipt, and returns the files that it wrote."""
        super().__init__(campaign, reply)
        self.batches: list[Batch] = []
        self.copies = 0
        """Number of copies that were counted and not answered. They came from another address than the seat's, or a
        copy of the same letter had been answered this evening (`known`)."""
        self.at = 0
        """Number of the arrival that is being taken or answered. A caller with several arrivals sets it before each
        `take`."""
        self.known: set[str] = set()
        """Marks of letters that a receipt of this evening has called known already."""
        self.words = LetterCompleter(campaign)
        self.votes: list[Letter] = []
        """All votes, in the order in which they are taken."""
        self.places: dict[int, int] = {}
        """Dict from the `id` of a vote to its place in `votes`."""
        self.newest: dict[tuple[str, str], Letter | None] = {}
        """Dict from a seat and a proposal to the vote that counts; None if all votes of the seat on this proposal are
        faulty."""

    def take(self, arrival: Arrival) -> None:
        """Put an arrival into the tray if its sender must get an answer. Otherwise only note that it gets none. If a
        text in it claims to be a letter of this campaign, store the arrival's bytes."""
        raw = sha256(arrival.data).hexdigest()
        was_here = (self.campaign.folder.raw / f"{self.refusal_mark(raw)}.age").exists()
        is_ours = any(is_claimed(self.campaign, each) and not arrived.is_of_moderator(each) for each in arrival.letters)
        is_ours = is_ours or any(is_claimed(self.campaign, each) for each in arrival.unread)
        is_owed = is_ours or is_owed_an_answer(self.campaign, arrival)
        if (fault := arrival.unfinished_fault) and (is_owed or not arrival.sender):
            self.unfinished.append(UnfinishedArrival(arrival.where, fault))
        if is_ours:
            self.campaign.keep_raw(arrival.data)
            # The empty `data` shows `answer_rest` that the bytes are stored already.
            arrival = replace(arrival, data=b"")
        elif not is_owed:
            self.leave(arrival)
            return
        self.batches.append(Batch(arrival, raw, was_here, self.at))

    def take_words(self, arrival: Arrival) -> None:
        """Put a mail that has no player's letter for this campaign into the tray, without storing its bytes. A mail
        from an address that no seat has is ignored."""
        if self.campaign.seat_at(arrival.sender):
            letters = arrival.letters
            quoted = tuple(
                each for each in letters if arrived.is_of_moderator(each) or not is_claimed(self.campaign, each)
            )
            raw = sha256(arrival.data).hexdigest()
            self.batches.append(Batch(replace(arrival, data=b"", letters=quoted), raw, was_here=False, at=self.at))

    def answer_all(self) -> None:
        """Answer all letters in the tray, then the arrivals without a readable letter."""
        ordered = list(arrived.in_taking_order([batch.arrival.letters for batch in self.batches]))
        votes = (each for _, each in ordered if not is_quoted_vote(each))
        self.votes = [each.letter for each in votes if each.letter and each.letter.kind == "vote"]
        self.places = {id(each): place for place, each in enumerate(self.votes)}
        for at, each in ordered:
            self.at = self.batches[at].at
            if each.letter and self.is_genuine(each.letter):
                self.take_genuine(each, self.batches[at])
            else:
                self.batches[at].doubtful.append(each)
        for batch in self.batches:
            self.at = batch.at
            self.refuse_doubtful(batch)
            self.refuse_unread(batch)
            self.answer_rest(batch)

    @property
    def is_in_vain(self) -> bool:
        """True if somebody has to send again, because a letter was refused or an arrival was not read to its end."""
        return bool(self.unfinished) or any(each.receipt.status == "refused" for each in self.answers)

    def take_genuine(self, found: FoundLetter, batch: Batch) -> None:
        """Answer a genuine letter. A letter that was answered before is only counted."""
        assert found.letter is not None
        batch.genuine.append(found.letter)
        batch.told = True
        full = self.words.complete(found.letter)
        asker = asker_of(self.campaign, full)
        if asker is not None and any(self.campaign.folder.outbox.glob(f"*/*-receipt-{asker.raw[:12]}.txt")):
            self.see_again(found, batch, [])
        elif batch.was_here and self.is_old(full, found, batch):
            self.see_again(found, batch, self.verdict_on(full).faults)
        elif self.entry_taken(full):
            self.take_copy(found, full, batch)
        else:
            self.take_new(found, full, batch)

    def take_copy(self, found: FoundLetter, full: Letter, batch: Batch) -> None:
        """Answer a copy of a letter that was taken before. The copy is only counted if it is quoted, if it comes from
        another address than the seat's, or if another copy came earlier this evening."""
        if found.is_quoted:
            self.see_again(found, batch, self.verdict_on(full).faults)
        elif not batch.was_here and (
            self.is_from_stranger(batch.arrival, full.sender) or self.campaign.state.mark(full) in self.known
        ):
            self.copies += 1
            self.see_again(found, batch, [])
        else:
            self.take_among_others(found, full, batch)

    def take_new(self, found: FoundLetter, full: Letter, batch: Batch) -> None:
        """Judge and answer a letter that was not taken before. If another letter of the seat counts in its place, pass
        over this letter."""
        chosen = arrived.choice(self.campaign.state, found, self.rivals(found, batch))
        if is_quoted_vote(found):
            self.refuse(batch, found, [Fault.at(found.line, 1, wrong("E-VOTE-QUOTED"))], found.letter)
        # If the earlier vote got an entry, it might carry the proposal although the seat has changed its mind.
        elif found.letter and self.has_newer_vote(found.letter):
            self.pass_over(batch, found, words("passed-vote"))
        elif chosen == "take":
            self.take_among_others(found, full, batch)
        elif chosen == "older":
            self.pass_over(batch, found, words("passed-older.join" if full.kind == "join" else "passed-older"))
        elif full.sender not in batch.twice:
            batch.twice.add(full.sender)
            twice = wrong("E-LETTER-TWICE", seat=full.sender, seq=full.seq)
            # The letter's other faults are told as well. The player may learn from them that the stage is over, and
            # that no other letter is needed.
            self.refuse(batch, found, [Fault.at(found.line, 1, twice), *self.verdict_on(full).faults], found.letter)

    def take_among_others(self, found: FoundLetter, full: Letter, batch: Batch) -> None:
        """Judge and answer a genuine letter. If the same arrival has other letters by the same writer, the receipt
        warns of them."""
        beside = (*batch.arrival.letters, *batch.arrival.unread)
        warnings = arrived.warnings_about_others(found, self.rivals(found, batch), beside)
        self.take_or_refuse(found, full, batch, warnings, content_hash(found, batch))

    def rivals(self, found: FoundLetter, batch: Batch) -> list[tuple[FoundLetter, Letter]]:
        return arrived.rivals(found, batch.arrival.letters, self.is_genuine)

    def verdict_on(self, letter: Letter) -> LetterVerdict:
        return judge(self.campaign.state, letter, self.campaign.open_box)

    def has_newer_vote(self, letter: Letter) -> bool:
        """True if the tray has a later vote of the same seat on the same proposal, and that vote can be taken."""
        whose = arrived.voted_on(letter)
        if not whose[0]:
            return False
        if whose not in self.newest:
            mine = (each for each in reversed(self.votes) if arrived.voted_on(each) == whose and self.is_genuine(each))
            self.newest[whose] = next((each for each in mine if self.is_acceptable(each)), None)
        newest = self.newest[whose]
        return newest is not None and self.places[id(newest)] > self.places[id(letter)]

    def is_acceptable(self, letter: Letter) -> bool:
        """True if a letter was taken before, or would be taken now."""
        full = self.words.complete(letter)
        return self.entry_taken(full) > 0 or not self.verdict_on(full).is_refused

    def entry_taken(self, letter: Letter) -> int:
        """Return the number of the entry by which a letter was taken before, or 0 for a new letter."""
        known = self.campaign.public.letters.get(self.campaign.state.mark(letter), 0)
        return known or (taken_since(self.campaign, letter) if letter.kind == "join" else 0)

    def is_from_stranger(self, arrival: Arrival, seat: str) -> bool:
        """True if an arrival has a sender's address, and this is not the address of the seat."""
        return arrival.sender.casefold() not in ("", self.campaign.vault.addresses.get(seat, "").casefold())

    def is_old(self, letter: Letter, found: FoundLetter, batch: Batch) -> bool:
        """True if a letter that came before needs no new answer. Either it was accepted and answered, or its refusal
        was answered and it would be refused again."""
        if known := self.entry_taken(letter):
            return self.is_answered(known)
        refused = self.turned.get(self.refusal_mark(content_hash(found, batch)), 0)
        verdict = self.verdict_on(letter)
        if letter.kind == "join":
            check_offer(self.campaign, letter, verdict)
        return self.is_answered(refused) and verdict.is_refused

    def is_refused_copy(self, letter: Letter, found: FoundLetter) -> bool:
        """True for a signed letter that was refused before, in this or another mail, and would be refused again."""
        entry = self.campaign.public.turned.get(self.refusal_mark(found.identity), 0)
        return found.is_signed and self.is_answered(entry) and self.verdict_on(letter).is_refused

    def take_or_refuse(
        self, found: FoundLetter, letter: Letter, batch: Batch, warnings: list[Wrong], content: str
    ) -> None:
        """Judge a letter, and answer it. `warnings` are added to the receipt. `content` is the hash by which a refused
        letter is recognised when it comes again."""
        if found.is_of_page and not letter.signature:
            self.refuse(batch, found, [Fault.at(found.line, 1, wrong("E-TEXT-PAGE"))])
            return
        sender = batch.arrival.sender if is_address(batch.arrival.sender) else ""
        came = Delivery(batch.raw, content, (*warnings, *batch.arrival.warnings), sender, batch.arrival.message_id)
        receipt = adjudicating.take_letter(self.campaign, letter, came)
        if receipt.status == "known":
            self.known.add(self.campaign.state.mark(letter))
        is_theirs = receipt.status != "known" and found.letter is not None and self.is_genuine(found.letter)
        self.answer(receipt_with_quotes(receipt, found), batch, self.note_address(receipt, letter, batch), is_theirs)

    def refuse_doubtful(self, batch: Batch) -> None:
        """Answer the batch's letters whose stated sender is not proven. For each seat at most one of them is refused,
        and none if the batch has a genuine letter of the seat. All others are passed over."""
        name = self.campaign.settings.campaign
        letters = [
            each
            for each in batch.doubtful
            if each.letter and each.letter.campaign == name and not arrived.is_of_moderator(each)
        ]
        for seat, claimed in letters_by_seat(self.campaign, letters).items():
            good = [letter for letter in batch.genuine if letter.sender == seat]
            refused = None if good else letter_to_refuse(claimed)
            for each in claimed:
                if each is refused and each.letter:
                    batch.refused.add(seat)
                    batch.told = True
                    # The same question as for a genuine letter (`take_genuine`).
                    is_again = batch.was_here and self.is_old(each.letter, each, batch)
                    if is_again or self.is_refused_copy(each.letter, each):
                        self.see_again(each, batch, self.verdict_on(each.letter).faults)
                    else:
                        content = each.identity if each.is_signed else content_hash(each, batch)
                        self.take_or_refuse(each, each.letter, batch, [], content)
                # A quoted letter may be the sheet from which a genuine letter was made, or an earlier letter.
                elif not (each.is_quoted and each.letter and any(each.letter.seq <= letter.seq for letter in good)):
                    self.pass_over(batch, each, words("passed-doubtful.alone"))

    def refuse_unread(self, batch: Batch) -> None:
        """Refuse texts that look like letters and cannot be read, at most one for each seat. The other texts are passed
        over."""
        unread = (each for each in batch.arrival.unread if is_claimed(self.campaign, each))
        for seat, claimed in letters_by_seat(self.campaign, unread).items():
            left = []
            for each in claimed:
                if why := self.reason_to_pass_over(each, seat, batch):
                    batch.told = True
                    self.pass_over(batch, each, why)
                else:
                    left.append(each)
            refused = letter_to_refuse(left) if left and seat not in batch.refused else None
            for each in left:
                if each is refused:
                    self.refuse(batch, each, list(each.faults))
                else:
                    self.pass_over(batch, each, words("passed-doubtful"))

    def reason_to_pass_over(self, found: FoundLetter, seat: str, batch: Batch) -> Words | None:
        """Return the reason to pass over an unreadable text: a letter of the same seat counts in its place, or came
        before. Return None if there is no such letter."""
        claim = found.claim
        good = [letter for letter in batch.genuine if letter.sender == seat]
        has_key = any(letter.signature for letter in good)
        why = words("passed-unsigned" if has_key and not found.is_signed else "passed-unread")
        if any(letter.signature or found.is_quoted or letter.seq == claim.seq for letter in good):
            is_same = any(letter.seq == claim.seq for letter in good)
            return words("passed-beside.same" if is_same else "passed-beside", why=why)
        if found.is_quoted and 0 < claim.seq <= self.campaign.public.seqs.get(seat, 0):
            return words("passed-before", why=why)
        return None

    def answer_rest(self, batch: Batch) -> None:
        """Answer an arrival if none of its letters was answered, or if a part of it could not be read. An arrival that
        has come before gets no second receipt."""
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
            letter = stray_letter(self.campaign, arrival)
            if letter:
                faults += self.verdict_on(letter).faults
            faults = faults or [arrived.fault_without_letter(arrival)]
            player = (letter and signing_seat(self.campaign, letter)) or self.campaign.seat_at(arrival.sender)
            self.answer(Receipt(player, "", 0, LetterVerdict(faults=faults), batch.raw, "refused"), batch)
            if arrival.data:
                self.campaign.keep_raw(arrival.data)


def is_quoted_vote(found: FoundLetter) -> bool:
    """True for an unsigned vote in a quotation."""
    letter = found.letter
    return found.is_quoted and letter is not None and letter.kind == "vote" and not letter.signature
