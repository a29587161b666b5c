"""Closing of a campaign, and second judging of a closed campaign."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.clock.timing import CampaignTime, deadline_again, deadline_for, last_right, permission
from pbem.campaign.founding import opener_of, rules_of
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, as_texts, says_the_same
from pbem.campaign.ledger.public_state import (
    AGREED_AT_ONCE,
    PublicState,
    is_promised,
    newest_promise,
    players_held_by_lock,
    seq_key,
)
from pbem.campaign.ledger.records import CloseRecord
from pbem.campaign.ledger.replaying import MALFORMED, ReplayedEntry, Watcher, replay, watch_nothing, why_senseless
from pbem.campaign.ledger.seats import names_to_show, names_withheld, seats_asked_as_joined
from pbem.campaign.letters.judging import completed_agreement, judge
from pbem.campaign.letters.letterbox import HeldLetter, parts_of
from pbem.campaign.play.adjudicating import forfeited_parts, lock_record, must_lock, reasons_for_defaults
from pbem.campaign.play.seated_bots import wrong_with_absence, wrong_with_join, wrong_with_letter, wrong_with_stand_in
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import Disagreement, Snapshot, difference
from pbem.campaign.proof.opened_letters import opened_data
from pbem.campaign.proof.verification import EntryVerifier
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import write
from pbem.paper.letter_kinds import PRIVATE_KINDS


class Rejudging:
    """Second judging of a closed campaign. Everything is carried out again and compared with the ledger."""

    def __init__(self, walk: EntryVerifier, letters: Mapping[int, HeldLetter]) -> None:
        """Store a verification of all public entries, and the opened letters."""
        self.walk = walk
        self.letters = letters
        self.received: dict[int, r.LetterRecord] = {}
        """Dict from the entry of each accepted letter to its record."""
        self.weighed: set[int] = set()
        """Entries of the letters that were already checked for completing an agreement."""

    def play(self, entries: list[Entry], closed: r.CloseRecord, after: Watcher = watch_nothing) -> Iterator[None]:
        """Carry every entry out again, one at each step. `after` is called with each entry."""
        state_from = state_maker(self.walk, self.letters)
        return self.steps_of(entries[0], replay(entries, state_from, closed.secret, self.judge_before), after)

    def steps_of(
        self, first: Entry, replayed: Iterator[ReplayedEntry], after: Watcher = watch_nothing
    ) -> Iterator[None]:
        """Carry entries out again, one at each step. At the first entry that does not follow from the letters and the
        secret of the deal, note a fault and stop. If this happens before the first step, the fault is noted for the
        entry `first`."""
        self.at = first
        try:
            for played in replayed:
                self.walk.found.figures.adjudications += isinstance(played.record, r.AdjudicationRecord)
                after(played)
                yield
        except Disagreement as error:
            self.note(wrong("E-VERIFY-GAME", what=error.what))
        except MALFORMED as error:
            self.note(wrong("E-VERIFY-GAME.halts", why=why_senseless(error)))

    def note(self, fault: Wrong) -> None:
        """Note a fault of the entry that is being judged."""
        self.walk.note(self.at, fault)

    def judge_before(self, played: ReplayedEntry) -> None:
        """Judge an entry that is about to be carried out. Faults found from now on are noted for this entry."""
        self.at = played.entry
        self.judge(played)

    def judge(self, played: ReplayedEntry) -> None:
        """Judge an entry before it is carried out. Note a fault if the moderator was not allowed to make it."""
        entry, record, state = played.entry, played.record, played.state
        self.note_if(self.missed_agreement(record, state))
        match record:
            case r.LetterRecord() if record.kind not in PRIVATE_KINDS:
                held = self.letters[entry.number]
                self.received[entry.number] = record
                self.note_if(wrong_with_letter(state, record, held.letter, entry.time))
                self.check_same(entry, record, self.expected_record(state, held, record.acted))
                self.walk.found.figures.letters += 1
                self.walk.found.figures.sealed -= 1
            case r.JoinRecord():
                self.note_if(wrong_with_join(state, record))
                self.check_same(entry, record, self.expected_record(state, self.letter_taken(entry, record)))
            case r.ProposalRecord() | r.VoteRecord():
                self.check_same(entry, record, self.expected_record(state, HeldLetter(record.letter)))
            case r.KeyChangeRecord() if record.mark:
                self.check_same(entry, record, self.expected_record(state, self.letter_taken(entry, record)))
            case r.AbsenceRecord() | r.SubstituteRecord():
                self.note_if(wrong_with_stand_in(state, record))
            case r.AgreementRecord() if is_promised(state.public, record):
                last = max(record.letters)
                self.check_same(entry, record, completed_agreement(state, self.received[last], self.letters[last]))
            case r.LetterRecord() if record.status != "final" or record.seq <= state.public.seqs.get(
                seq_key(record.player, record.kind), 0
            ):
                self.walk.note(entry, wrong("E-VERIFY-LETTER.message"))
            case r.KeyChangeRecord() if record.seq or record.mark or not record.why:
                self.walk.note(entry, wrong("E-VERIFY-LETTER.ruling"))
            case r.LockRecord():
                at = CampaignTime(state.public, entry.time)
                self.check_time(entry, at, record.forced)
                self.check_same(entry, record, lock_record(at, record.forced) if must_lock(at) else None)
            case r.ClockRecord() if not r.goes_back(record):
                if record.deadline:
                    self.check_lock(entry, record, state.public)
            case r.RollbackRecord():
                before = self.promised_deadline(record, stamp(entry.time)) if isinstance(record, r.ClockRecord) else ""
                at = CampaignTime(state.public, entry.time)
                self.check_deadline(entry, record.next, deadline_again(at, record.next.owing, before))
            case r.CloseRecord():
                if state.public.phase != "over" and not record.why:
                    self.walk.note(entry, wrong("E-VERIFY-ORDER.close"))
                for fault in names_withheld(state.public, record, self.letters):
                    self.note(fault)
            case r.AdjudicationRecord():
                self.check_defaults(entry, record, state)
                for fault in wrong_with_absence(state, record, entry.time):
                    self.note(fault)

    def letter_taken(self, entry: Entry, record: r.JoinRecord | r.KeyChangeRecord) -> HeldLetter:
        """Return the letter that an entry accepts, from the entry or from the opened letters. An opened letter is
        counted as checked."""
        if record.letter:
            return HeldLetter(record.letter)
        held = self.letters[entry.number]
        self.walk.found.figures.letters += 1
        self.walk.found.figures.sealed -= 1
        return held

    def missed_agreement(self, record: r.Record, state: SecretState) -> Wrong | None:
        """Return a fault if all parties have signed an agreement and this entry does not enter it, else None. Each
        letter is looked at only once."""
        newest = newest_promise(state.public)
        # A repair of the clock may come first. It may turn the game back so that the agreement is dropped. If it does
        # not, a later entry has to enter the agreement.
        if newest not in self.received or newest in self.weighed or isinstance(record, r.ClockRecord):
            return None
        self.weighed.add(newest)
        owed = completed_agreement(state, self.received[newest], self.letters[newest])
        if owed is None or (isinstance(record, r.AgreementRecord) and record.letters == owed.letters):
            return None
        if state.public.protocol < AGREED_AT_ONCE:  # older programs could be killed before they entered the agreement
            return wrong("W-VERIFY-AGREED", players=owed.powers)
        return wrong("E-VERIFY-AGREED.missing", players=owed.powers)

    def note_if(self, fault: Wrong | None) -> None:
        if fault:
            self.note(fault)

    def check_lock(self, entry: Entry, record: r.ClockRecord, public: PublicState) -> None:
        """Note a fault if a repair of the clock sets a wrong deadline for players whose orders are locked."""
        before = self.walk.deadlines.get(last_right(self.walk.times[: entry.number - 1], stamp(entry.time)), "")
        deadline = deadline_again(CampaignTime(public, entry.time), players_held_by_lock(public), before)
        if record.deadline != deadline:
            self.walk.note(entry, wrong("E-VERIFY-DEADLINE", right=deadline, said=record.deadline))

    def promised_deadline(self, record: r.ClockRecord, now: str) -> str:
        """Return the deadline of the position to which a repair of the clock goes back. Return an empty text if that
        position is dated after `now`."""
        position = max(number for number in self.walk.tables if number <= record.to)
        return self.walk.deadlines[position] if self.walk.times[position - 1] <= now else ""

    def expected_record(self, state: SecretState, held: HeldLetter, acted: str = "") -> r.Record | None:
        """Return the record that the entry of a letter must have. Return None if the letter should have been refused,
        or if the moderator has not opened exactly the sealed parts that were to be opened."""
        letter = held.letter
        boxes = {part.get("box", ""): slot for slot, part in parts_of(letter).items() if isinstance(part, dict)}
        # If sealed parts have boxes, exactly the parts with boxes must have been opened. Otherwise no part may have
        # been opened (docs/protocol.md, Verifying, 12).
        has_boxes = state.public.settings.conduct.sealing == "moderator"
        if set(held.opened) != (set(parts_of(letter)) if has_boxes else set()):
            return None

        def opener(box: str) -> bytes:
            part = held.opened[boxes[box]]
            return write({"salt": part.salt, "body": part.body}).encode()

        verdict = judge(state, letter, opener, acted, is_new=False)
        return None if verdict.is_refused else verdict.record

    def check_time(self, entry: Entry, campaign_then: CampaignTime, forced: bool) -> None:
        """Note a fault if the entry's `forced` is wrong. It must be true if the clock did not allow the moderator to go
        on, otherwise false."""
        if permission(campaign_then).may == forced:
            self.walk.note(entry, wrong("E-VERIFY-EARLY.force" if forced else "E-VERIFY-EARLY"))

    def check_deadline(self, entry: Entry, following: r.Next, deadline: str) -> None:
        """Note a fault if the deadline in an entry is wrong. `deadline` is the correct deadline."""
        if following.deadline != deadline:
            right = deadline or words("no-deadline")
            self.walk.note(entry, wrong("E-VERIFY-DEADLINE", right=right, said=following.deadline))

    def check_same(self, entry: Entry, found: r.Record, expected: r.Record | None) -> None:
        """Note a fault if an entry differs from `expected`, the correct record. `expected` is None if the letter had to
        be refused."""
        if expected is None:
            self.walk.note(entry, wrong("E-VERIFY-LETTER.refused"))
        elif not says_the_same(expected, found):
            what = difference(as_texts(expected), as_texts(found))
            self.walk.note(entry, wrong("E-VERIFY-LETTER", what=what))

    def check_defaults(self, entry: Entry, record: r.AdjudicationRecord, state: SecretState) -> None:
        """Note the faults of an adjudication's time, deadline, defaults and forfeited parts."""
        at = CampaignTime(state.public, entry.time)
        if must_lock(at):
            self.walk.note(entry, wrong("E-VERIFY-ORDER.unlocked"))
        if record.version > 1:
            self.check_time(entry, at, record.forced)
        self.check_deadline(entry, record.next, deadline_for(at, seats_asked_as_joined(record)))
        absent = reasons_for_defaults(state, entry.time, record.forced)
        if (absent, forfeited_parts(state.public)) != (record.absent, record.forfeited):
            self.walk.note(entry, wrong("E-VERIFY-ABSENT"))


def state_maker(walk: EntryVerifier, letters: Mapping[int, HeldLetter]) -> Callable[[Snapshot], SecretState]:
    """Return a function that makes a secret state from a snapshot, for the campaign that `walk` verifies."""
    public = walk.public
    assert public is not None
    rules, set_up = rules_of(walk.folder, public.settings, public.protocol), opener_of(walk.folder, public.settings)

    def state_from(snapshot: Snapshot) -> SecretState:
        state = SecretState(snapshot, rules, letters.__getitem__, set_up)
        state.counts = False
        return state

    return state_from


def close(campaign: Campaign, why: str = "") -> int:
    """Close the campaign, publish the secrets, and return the number of the entry. Raises `Refused` if the campaign is
    closed already, or if the game is not over and `why` is empty."""
    if done := campaign.entry_done("close"):
        return done
    if campaign.public.phase == "closed":
        raise Refused(campaign.settings.campaign, [wrong("E-CAMPAIGN-PHASE")])
    if campaign.public.phase != "over" and not why:
        raise Refused(campaign.settings.campaign, [wrong("E-CAMPAIGN-PHASE.over")])
    digest = hashlib.sha256(opened_data(campaign.ledger, campaign.held_letter)).hexdigest()
    names = names_to_show(campaign.public, campaign.vault.people)
    number = campaign.add(CloseRecord(campaign.state.secret, digest, why, names)).number
    campaign.publish()
    return number
