"""Arrivals and the answers to them, the choice among several letters of one arrival, and the completion of letters
without a number."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.timing import orders_now
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.public_state import PublicState, seq_key
from pbem.campaign.ledger.records import LetterRecord
from pbem.campaign.letters.heads import basis_of_sheet
from pbem.campaign.letters.joining import LetterVerdict, check_invited, check_own_key, text_of
from pbem.campaign.letters.letterbox import entry_of
from pbem.campaign.play.adjudicating import Receipt
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.settings import MODERATOR
from pbem.faults.wrong import Words, Wrong, words, wrong
from pbem.paper.documents.faults import MOST_FAULTS, Fault
from pbem.paper.documents.strict import MappingNode, Text
from pbem.paper.found import FoundLetter
from pbem.paper.letter_kinds import MODERATORS
from pbem.paper.letters import Letter, check_signature, completed_letter, completed_tree
from pbem.seal.faults import SealFault
from pbem.seal.keys import PublicKey

UNFINISHED = ("E-TEXT-MANY", "E-TEXT-SIZE")
"""Codes of the faults that mean that a text or page may contain unread letters."""


NO_LETTER = ("E-TEXT-NONE", "E-TEXT-EMPTY")
"""Codes of the faults that say only that an arrival has no letter."""


class Arrival(Struct, frozen=True):
    """A mail, page or file that came in, with everything that was found in it."""

    where: str
    """Name of the file or mail, for faults."""
    data: bytes
    letters: tuple[FoundLetter, ...] = ()
    unread: tuple[FoundLetter, ...] = ()
    """Texts that look like letters and could not be read."""
    faults: tuple[Wrong, ...] = ()
    """Faults of the arrival as a whole."""
    sender: str = ""
    """Address that the arrival gives as its sender's. Empty if there is none, or if other people may read mail to the
    address."""
    message_id: str = ""
    """Message-id of the mail; empty for a file or page."""
    answers: bool = False
    """True if the arrival answers a mail of this campaign."""
    has_sheet: bool = False
    """True if a sheet of the moderator's is quoted or forwarded, with nothing filled in. This sheet is not in
    `letters`."""
    is_automatic: bool = False
    """True if a program wrote the arrival, so that answers might go back and forth for ever."""

    @property
    def errors(self) -> list[Wrong]:
        """Return the faults of parts that could not be read, without warnings."""
        return [fault for fault in self.faults if not fault.is_warning]

    @property
    def warnings(self) -> list[Wrong]:
        """Return the warnings about unread parts of an arrival whose letters could be read."""
        return [fault for fault in self.faults if fault.is_warning]

    @property
    def unfinished_fault(self) -> Wrong | None:
        """Return the fault of an arrival that was not read to its end; None for any other arrival."""
        return next((fault for fault in self.faults if fault.code in UNFINISHED), None)


class LetterAnswer(Struct, frozen=True):
    """Receipt in the form that the moderator may see, with the files in which it is stored."""

    where: str
    receipt: Receipt
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    sender: str = ""
    """Address from which the letter came, if it came by mail."""
    is_words: bool = False
    """True if the receipt answers an arrival without a letter (`is_of_words`)."""
    is_theirs: bool = False
    """True if the receipt answers a letter from its stated sender, and the letter is no copy. Nobody else can have
    caused this receipt."""


class TakenIn(Struct, frozen=True):
    """Facts about the game at the moment when a letter was taken. The receipt, which may be written later, needs
    them."""

    entry: int
    """Last entry of the ledger at that moment. The receipt of a letter without an entry of its own is stored in the
    folder of this entry."""
    since: int
    """Entry that led to the position at that moment."""
    phase: str
    stage: str
    locked: bool
    is_asked: bool
    """True if something was asked of the letter's seat, whether it had answered or not."""

    def is_over(self, public: PublicState) -> bool:
        """True if the game has gone on since the letter was taken: to another position, a lock, or another phase."""
        return (self.since, self.phase, self.locked) != (public.since, public.phase, public.locked)


def taken_in(public: PublicState, player: str) -> TakenIn:
    """Return the facts that the receipt of a player's letter needs, as they are now."""
    stage = public.next.stage if public.next else ""
    is_asked = any(orders.player == player for orders in orders_now(public))
    return TakenIn(public.entry, public.since, public.phase, stage, public.locked, is_asked)


class Reply(Struct, frozen=True):
    """A receipt to be sent, and the mail that it answers."""

    receipt: Receipt
    sender: str = ""
    """Address for a receipt that belongs to no seat."""
    message_id: str = ""
    """Message-id of the mail that the receipt answers."""
    copy: int = 1
    """Number of this receipt among the receipts of the same entry, from 1."""
    is_settled: bool = False
    """True if the letter is refused, and a newer one of its kind is taken in the same mail."""
    taken: TakenIn | None = None
    """State of the game when the letter was taken; None if that is the present state."""


class UnansweredArrival(Struct, frozen=True):
    """An arrival that gets no receipt of its own, with the codes of its faults."""

    where: str
    sender: str
    codes: tuple[str, ...]


class UncountedLetter(Struct, frozen=True):
    """A letter that was neither taken nor refused, because another letter counts. `why` is the reason."""

    where: str
    line: int
    player: str
    why: Words


class UnfinishedArrival(Struct, frozen=True):
    """An arrival that was not read to its end."""

    where: str
    fault: Wrong


Choice = Literal["take", "older", "twice"]
"""Result for one letter among several: `take` if the letter counts, `older` if another letter counts in its place,
`twice` if nobody can tell which of two letters counts."""


JOINED_TWICE = "W-JOIN-TWICE"
"""Code of the warning that several letters in an arrival take the same seat."""


LAST = 10**10
"""Sorting key of letters that are not sorted by number. It is higher than every number, so that these letters come
last, in the order of their arrival."""


def is_numbered(letter: Letter) -> bool:
    """True if a letter is put in order by its number. Letters that take seats are not."""
    return letter.seq > 0 and letter.kind != "join"


def in_taking_order(arrivals: Sequence[Sequence[FoundLetter]]) -> Iterator[tuple[int, FoundLetter]]:
    """Yield all readable letters in the order in which they are taken, each with the index of its arrival. Joins come
    first, then each seat's letters by number. A vote for a proposal comes after other seats' letters, which may still
    prevent the proposal."""
    queues: dict[str, deque[tuple[tuple[bool, int, int, int], FoundLetter]]] = {}
    found = [
        ((letter.kind != "join", letter.seq if is_numbered(letter) else LAST, at, place), each)
        for at, letters in enumerate(arrivals)
        for place, each in enumerate(letters)
        if (letter := each.letter)
    ]
    for key, each in sorted(found, key=lambda entry: entry[0]):
        assert each.letter is not None
        queues.setdefault(each.letter.sender, deque()).append((key, each))
    # Votes for a proposal come last: letters of other seats may still prevent it.
    heads = [(is_vote_for(queue[0][1]), queue[0][0], seat) for seat, queue in queues.items()]
    heapq.heapify(heads)
    while heads:
        _, key, seat = heapq.heappop(heads)
        queue = queues[seat]
        yield key[2], queue.popleft()[1]
        if queue:
            heapq.heappush(heads, (is_vote_for(queue[0][1]), queue[0][0], seat))


def is_vote_for(found: FoundLetter) -> bool:
    """True if a letter is a vote for a proposal."""
    letter = found.letter
    return letter is not None and letter.kind == "vote" and text_of(LetterVerdict(), letter.body, "says") == "yes"


class VotedOn(NamedTuple):
    """The seat that votes, and the name of the proposal."""

    seat: str = ""
    proposal: str = ""


def voted_on(letter: Letter) -> VotedOn:
    """Return the seat and the proposal of a vote. Both are empty for any other letter."""
    if letter.kind != "vote":
        return VotedOn()
    return VotedOn(letter.sender, text_of(LetterVerdict(), letter.body, "proposal"))


def is_genuine(state: SecretState, letter: Letter) -> bool:
    """True if a letter is from its stated sender. A copy of a letter that was taken before counts as genuine."""
    public = state.public
    if letter.campaign != state.name:
        return False
    # This comes before the key is used. The seat may have a new key since, but a copy of an old letter is no forgery.
    if state.mark(letter) in public.letters:
        return True
    if letter.kind == "join":
        key = entry_of(letter.body, "key")
        verdict = LetterVerdict()
        check_invited(state, letter, verdict)
        if isinstance(key, Text) and key.value:
            check_own_key(letter, key.value, verdict)
        return letter.sender in state.public.settings.seats and not verdict.is_refused
    player = public.players.get(letter.sender)
    if player is None or not player.key:
        is_open = public.settings.conduct.signing == "off"
        return player is not None and is_open and not letter.signature
    return is_signed_with(letter, player.key)


def is_signed_with(letter: Letter, key: str) -> bool:
    try:
        check_signature(letter, PublicKey.parse(key))
    except SealFault:
        return False
    return True


def is_of_moderator(found: FoundLetter) -> bool:
    """True if a text is one of the moderator's letters, even if a player only quotes it."""
    letter = found.letter
    return letter is not None and letter.kind in MODERATORS and (found.is_quoted or letter.sender == MODERATOR)


def is_of_words(receipt: Receipt) -> bool:
    """True if a receipt refuses an arrival because nothing in it looks like a player's letter."""
    errors = [fault.code for fault in receipt.verdict.faults if not fault.is_warning]
    return receipt.status == "refused" and bool(errors) and all(code in NO_LETTER for code in errors)


def fault_without_letter(arrival: Arrival) -> Wrong:
    """Return the fault of an arrival that has no letter except the moderator's own."""
    sent = (each.letter for each in arrival.letters if each.letter and not each.is_quoted)
    kind = next((letter.kind for letter in sent if letter.kind in MODERATORS), "")
    if kind and (kind != "offer" or not arrival.has_sheet):
        return wrong("E-TEXT-NONE.moderators", kind=kind)
    return wrong("E-TEXT-NONE.sheet") if arrival.has_sheet else wrong("E-TEXT-NONE")


def rivals(
    found: FoundLetter, beside: tuple[FoundLetter, ...], is_good: Callable[[Letter], bool]
) -> list[tuple[FoundLetter, Letter]]:
    """Return `found` and the genuine letters in `beside` that compete with it, each with its parsed form. Competing
    letters have one sender, campaign and series of numbers. `is_good` is a function that returns True for a genuine
    letter."""
    wanted = found.letter
    assert wanted is not None
    return [
        (other, letter)
        for other in beside
        if (letter := other.letter)
        and (letter.sender, letter.campaign) == (wanted.sender, wanted.campaign)
        and seq_key("", letter.kind) == seq_key("", wanted.kind)
        and (letter.kind == "join") == (wanted.kind == "join")
        and is_good(letter)
    ]


def choice(state: SecretState, found: FoundLetter, among: list[tuple[FoundLetter, Letter]]) -> Choice:
    """Return `take` if the genuine letter `found` counts, `older` if another letter counts in its place, or `twice` if
    two letters have its number. `among` has the letter and its rivals, as `rivals` returns them."""
    letter = found.letter
    assert letter is not None
    is_signed = bool(letter.signature)
    if letter.kind == "join":
        # The first letter counts. A later one may be by somebody who has read the first in a forum, and has copied its
        # token.
        return "take" if among[0][0] is found else "older"
    if found.is_quoted and any(not other.is_quoted and is_superseded(letter, above) for other, above in among):
        return "older"
    alike = [other for other, twin in among if twin.seq == letter.seq and other.is_quoted == found.is_quoted]
    # All letters without a number have the number 0. Those for different stages do not compete.
    if not letter.seq:
        alike = [other for other, twin in among if other in alike and twin.stage == letter.stage]
    fresh = [other for other in alike if other.letter and state.mark(other.letter) not in state.public.letters]
    if len(fresh) > 1 and is_signed:
        return "twice"
    # If unsigned letters have the same number, the last of them counts.
    return "take" if is_signed or not alike or alike[-1] is found else "older"


def is_superseded(letter: Letter, above: Letter) -> bool:
    """True if the letter `above`, which quotes `letter`, replaces the quoted letter. A signed letter is replaced by a
    letter with its own `seq` or a higher one. An unsigned letter is replaced by a letter for its own stage, or with a
    higher `seq`."""
    if letter.signature:
        return letter.seq <= above.seq
    return letter.stage == above.stage or 0 < letter.seq < above.seq


def warnings_about_others(
    found: FoundLetter, among: list[tuple[FoundLetter, Letter]], beside: tuple[FoundLetter, ...]
) -> list[Wrong]:
    """Return the warnings that the receipt of `found` gives about other letters by the same writer. `among` has the
    letter and its rivals, as `rivals` returns them; `beside` has all texts of the arrival."""
    letter = found.letter
    assert letter is not None
    if letter.kind == "join":
        return [
            Fault.at(other.line, 1, wrong(JOINED_TWICE, seat=letter.sender))
            for other, twin in among
            if twin.tree != letter.tree
        ]
    others = [other for other, twin in among if twin.seq == letter.seq and twin.tree != letter.tree]
    told: list[Wrong] = []
    if others and not letter.signature:
        why = words("the-last-counts" if any(not each.is_quoted for each in others) else "others-are-quoted")
        number = words("with-seq", seq=letter.seq) if letter.seq else words("with-no-seq")
        twice = wrong("W-LETTER-TWICE", count=len(others) + 1, seat=letter.sender, number=number, why=why)
        told.append(Fault.at(found.line, 1, twice))
    for each in beside:
        if letter.signature and is_perhaps_meant(each, letter):
            which = "W-LETTER-BESIDE.unread" if each.is_signed else "W-LETTER-BESIDE"
            told.append(Fault.at(each.line, 1, wrong(which, seat=letter.sender)))
    return told[:MOST_FAULTS]


def is_perhaps_meant(found: FoundLetter, letter: Letter) -> bool:
    """True if the unsigned or unreadable text `found` may be another letter by the writer of the signed letter
    `letter`."""
    claim, other = found.claim, found.letter
    if found.is_quoted or (claim.sender, claim.campaign) != (letter.sender, letter.campaign):
        return False
    if other:
        return not other.signature and isinstance(other.body, MappingNode) and other.tree != letter.tree
    return claim.seq != letter.seq


class LetterCompleter:
    """Completer of letters that leave out their number or basis. Only campaigns without signatures allow such
    letters."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.read_to = 0
        self.entries: dict[tuple[str, str, str], list[int]] = {}

    def complete(self, letter: Letter) -> Letter:
        """Return a letter with its number and basis filled in. A copy of an earlier letter gets the number and basis of
        that letter. Return the letter unchanged if nothing is missing, or if nothing may be missing in it."""
        public = self.campaign.public
        is_open = public.settings.conduct.signing == "off" and not letter.signature
        if not letter.missing_keys or not is_open or letter.campaign != public.settings.campaign:
            return letter
        for before in self.letters_before(letter):
            if completed_tree(letter, before.seq, before.basis) == before.tree:
                return completed_letter(letter, before.seq, before.basis)
        seq = public.seqs.get(seq_key(letter.sender, letter.kind), 0) + 1
        return completed_letter(letter, seq, basis_of_sheet(public, letter))

    def letters_before(self, letter: Letter) -> Iterator[Letter]:
        """Yield the letters of the same seat, kind and stage that were taken before, the newest first."""
        for entry in self.campaign.ledger.entries(self.read_to + 1):
            record = record_in(entry)
            if isinstance(record, LetterRecord) and not record.acted:
                self.entries.setdefault((record.player, record.kind, record.stage), []).append(entry.number)
            self.read_to = entry.number
        for number in reversed(self.entries.get((letter.sender, letter.kind, letter.stage), [])):
            yield self.campaign.held_letter(number).letter
