"""Steps of the moderator's program: take or refuse a letter, begin the game, lock, carry orders out."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.clock.timing import CampaignTime, deadline_for, permission
from pbem.campaign.disk.vault import Asker
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.public_state import (
    BINDING,
    PublicState,
    hidden_orders,
    is_beyond,
    is_held,
    players_held_by_lock,
    unrevealed_parts,
)
from pbem.campaign.ledger.records import AdjudicationRecord, JoinRecord, LetterRecord, LockRecord, RefusedRecord
from pbem.campaign.ledger.seats import seats_asked_as_joined
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.judging import judge
from pbem.campaign.letters.proposing import timing_fault
from pbem.campaign.play import open_seats
from pbem.campaign.play.resolving import StageOutcome
from pbem.campaign.play.secret_state import SecretState
from pbem.engine.table import player_of
from pbem.faults.wrong import Wrong, words, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter, letter_id, was_damaged

NO_ORDERS = "no orders by the deadline"
NOT_REVEALED = "not revealed in time"
NO_ANSWER = "what was revealed does not answer"
WENT_ON = "the moderator went on"
WENT_ON_HIDDEN = "the moderator went on before it was revealed"
VACANT = "nobody plays the seat any more"
REASONS = (NO_ORDERS, NOT_REVEALED, NO_ANSWER, WENT_ON, WENT_ON_HIDDEN, VACANT)
"""Reasons that the ledger gives for defaults in place of a player's answers. Templates of other languages have a table
of these texts."""


class Receipt(Struct, frozen=True):
    """Answer of the moderator to a letter, or to a text in which no letter could be read."""

    player: str
    """Seat of the letter; empty if it is not known."""
    letter: str
    """Fingerprint of the letter; empty if no letter could be read."""
    entry: int
    """Entry of the letter. For a copy, this is the entry of the first letter. It is 0 if the letter was answered
    without an entry."""
    verdict: LetterVerdict
    raw: str = ""
    """SHA-256 of the message that contained the letter; empty if the letter came in no message."""
    status: str = ""
    quotes: dict[int, str] = {}
    """Dict from the number of each faulty line of a refused letter to the text of the line."""
    claimed_kind: str = ""
    """Kind that a refused letter gives, even if nothing else of it can be read."""


class Delivery(Struct, frozen=True):
    """Facts about a letter's arrival that are needed for its receipt or refusal."""

    raw: str = ""
    """SHA-256 of the message that contained the letter."""
    content: str = ""
    """Text by which a refused letter is recognised when it comes again; empty if the letter's fingerprint is used for
    this."""
    warnings: tuple[Wrong, ...] = ()
    """Further warnings for the receipt of the letter."""
    sender: str = ""
    """Mail address from which the letter came; empty if it is not known."""
    message_id: str = ""
    """Message-id of the mail that contained the letter."""


BY_ITSELF = Delivery()
"""Delivery of a letter that came in no message."""


class EnteredAdjudication(Struct, frozen=True):
    """An adjudication that is in the ledger."""

    entry: int
    record: AdjudicationRecord


class Adjudication(EnteredAdjudication, frozen=True):
    """An adjudication by the running command, with all secrets."""

    outcome: StageOutcome


class Lock(Struct, frozen=True):
    """A lock: from here on commitments cannot change, and sealed parts have to be revealed."""

    entry: int
    forced: bool = False
    """True if the clock did not allow the lock yet."""


def open_seat_receipt(campaign: Campaign, letter: Letter, verdict: LetterVerdict, came: Delivery) -> Receipt | None:
    """Give the writer of a letter an open seat, or note that the writer asks for one, and return the receipt. Return
    None if the letter is about no open seat, or if the request is refused."""
    if not verdict.is_refused and open_seats.is_asking(campaign, letter):
        return asked_receipt(campaign, letter, verdict, came)
    if open_seats.is_taking_over(campaign, letter) and isinstance(verdict.record, JoinRecord):
        number = open_seats.take_over(campaign, letter, verdict.record, came.sender)
        return Receipt(letter.sender, letter_id(letter), number, verdict, came.raw, "final")
    return None


def take_letter(campaign: Campaign, letter: Letter, came: Delivery = BY_ITSELF, acted: str = "") -> Receipt:
    """Judge a letter, enter it or its refusal, and return the receipt. `acted` is the moderator's reason to write the
    letter in the player's place."""
    verdict = judge(campaign.state, letter, campaign.open_box, acted)
    if letter.kind == "join" and not verdict.known and letter.campaign == campaign.state.name:
        if since := open_seats.taken_since(campaign, letter):
            known = LetterVerdict(letter=letter, known=since)
            return Receipt(letter.sender, letter_id(letter), since, known, came.raw, "known")
        if open_seats.is_taking_over(campaign, letter):
            verdict = open_seats.judged_newcomer(campaign, letter)
        else:
            open_seats.check_offer(campaign, letter, verdict)
        if receipt := open_seat_receipt(campaign, letter, verdict, came):
            return receipt
    verdict.faults += came.warnings
    if late := timing_fault(campaign.public, letter, verdict.record, stamp(campaign.now)):
        verdict.refuse(late)
    is_seat = letter.sender in campaign.settings.seats
    # If a sender misspells the seat, the seat is found by the address from which the letter came.
    player = letter.sender if is_seat else "" if letter.kind == "join" else campaign.seat_at(came.sender)
    raw, identity = came.raw, letter_id(letter)
    if verdict.known:
        campaign.finish_agreement()
        return Receipt(player, identity, verdict.known, verdict, raw, "known")
    if verdict.is_refused or verdict.record is None:
        number = 0 if acted else enter_refusal(campaign, came.content or identity, player)
        # The receipt goes to the person who asked in vain for an open seat, not to the player on that seat.
        player = "" if letter.kind == "join" and open_seats.offer_of(campaign, letter) else player
        return Receipt(player, identity, number, verdict, raw, "refused")
    entry = campaign.add(verdict.record, verdict.held)
    status = verdict.record.status if isinstance(verdict.record, LetterRecord) else "final"
    if isinstance(verdict.record, LetterRecord) and verdict.record.kind == "agreement":
        campaign.finish_agreement()
    return Receipt(player, identity, entry.number, verdict, raw, status)


def asked_receipt(campaign: Campaign, letter: Letter, verdict: LetterVerdict, came: Delivery) -> Receipt | None:
    """Note that a letter asks for an open seat, and return the receipt. If the request is refused, put the fault into
    `verdict`, and return None."""
    identity = letter_id(letter)
    asker = Asker(0, "", letter.text, identity, "", came.raw, came.content or identity, came.sender, came.message_id)
    if noted := open_seats.ask(campaign, verdict, asker):
        return Receipt("", identity, 0, replace(verdict, record=None), noted.raw, "asked")
    return None


def enter_refusal(campaign: Campaign, content: str, player: str) -> int:
    """Enter the refusal of a text with this content, and return the number of the entry. Content that was refused
    before keeps its entry. If no entry can be added, return the number of the ledger's last entry."""
    if campaign.public.phase == "closed":
        return campaign.public.entry
    record = RefusedRecord(campaign.state.keyed_fingerprint(content.encode()), player)
    if known := campaign.public.turned.get(record.mark):
        return known
    return campaign.public.entry if is_beyond(campaign.public, record) else campaign.add(record).number


def refuse_raw(campaign: Campaign, raw: str, faults: list[Wrong], player: str = "", content: str = "") -> Receipt:
    """Refuse a text that claims to be a letter, and return the receipt. `raw` is the hash of its message. `content` is
    the hash by which the text is recognised when it comes again, by default `raw`."""
    return Receipt(
        player, "", enter_refusal(campaign, content or raw, player), LetterVerdict(faults=list(faults)), raw, "refused"
    )


def receipt_without_words(campaign: Campaign, receipt: Receipt) -> Receipt:
    """Return the receipt in the form that the moderator may see. If the moderator plays and the letter comes from
    another seat, this form has only the codes and places of faults."""
    if not campaign.settings.is_rival(receipt.player):
        return receipt
    told = words("told-to-writer")
    faults = [
        fault if was_damaged({fault.code}, "") else replace(fault, message=told, hint="")
        for fault in receipt.verdict.faults
    ]
    return replace(receipt, verdict=replace(receipt.verdict, faults=faults, missing=[]), quotes={})


def work_done_before(campaign: Campaign) -> EnteredAdjudication | Lock | None:
    """Return the lock or adjudication that this command entered before it was killed. Return None if it entered
    none."""
    if number := campaign.entry_done("lock"):
        return Lock(number)
    if number := campaign.entry_done("adjudication"):
        record = record_in(campaign.ledger.read(number))
        assert isinstance(record, AdjudicationRecord)
        return EnteredAdjudication(number, record)
    return None


def adjudicate(campaign: Campaign, force: bool = False) -> Adjudication | Lock:
    """Begin the game, or go on with it. If sealed parts must be revealed first, lock the stage, otherwise carry the
    orders out as far as they go. With `force`, defaults replace missing orders before the clock allows it. Raises
    `Refused` if the game cannot go on now."""
    public = campaign.public
    if public.phase == "joining":
        return begin_game(campaign)
    if public.phase != "running":
        raise waiting_fault(campaign, wrong("E-CAMPAIGN-WAITING.over"))
    forced = not permission(campaign).may
    if forced and not force:
        raise waiting_fault(campaign)
    if must_lock(campaign):
        return lock(campaign, forced)
    return carry_out(campaign, forced)


def begin_game(campaign: Campaign) -> Adjudication:
    """Deal the cards, and enter the first adjudication. Raises `Refused` if a seat has no player."""
    public = campaign.public
    if lacking := [seat for seat in public.settings.seats if seat not in public.players]:
        raise waiting_fault(campaign, wrong("E-CAMPAIGN-WAITING.joining", seats=tuple(lacking)))
    return carry_out(campaign)


def carry_out(campaign: Campaign, forced: bool = False) -> Adjudication:
    """Carry orders out, enter the adjudication, and return it. `forced` is true if the clock does not allow it yet.
    Once the cards are dealt, raises `Refused` if no order was carried out and none failed."""
    state, public = campaign.state, campaign.public
    number = campaign.ledger.head.number + 1
    absent, forfeited = reasons_for_defaults(state, campaign.now, forced), forfeited_parts(public)
    record, outcome = state.adjudication(number, absent, forfeited, forced)
    if public.version and not outcome.answers and not outcome.slips:
        raise waiting_fault(campaign, wrong("E-CAMPAIGN-WAITING.unanswered"))
    record = replace(record, next=replace(record.next, deadline=deadline_for(campaign, seats_asked_as_joined(record))))
    # `add` carries the entry out again and compares the result, as every verifier does.
    entry = campaign.add(record)
    return Adjudication(entry.number, record, outcome)


def forfeited_parts(public: PublicState) -> dict[str, tuple[str, ...]]:
    """Return a dict from each player to the names of the sealed parts that an adjudication now would forfeit."""
    return unrevealed_parts(public) if public.locked else {}


def reasons_for_defaults(state: SecretState, now: datetime, forced: bool) -> dict[str, str]:
    """Return the reasons for defaults in an adjudication now, keyed by the player for whom a default answers. `forced`
    is true if the clock does not allow the adjudication yet."""
    public = state.public
    if public.next is None or state.table is None:
        return {}
    forfeited = forfeited_parts(public)
    allowed = permission(CampaignTime(public, now))
    held = [seat for seat in public.next.owing if is_held(public, seat)]
    is_by_orders = not forced and not public.locked and allowed.basis == "orders"
    if is_by_orders and not held:
        return {}
    absent = {}
    for player in players_without_answers(state, forfeited if public.binds else ()):
        if is_by_orders and player not in held:
            continue
        if player in forfeited:
            absent[player] = WENT_ON_HIDDEN if forced and public.binds else NOT_REVEALED
        elif public.locked and player in state.orders_in_force:
            absent[player] = NO_ANSWER
        elif player in held:
            absent[player] = VACANT
        else:
            absent[player] = WENT_ON if forced or (public.binds and public.hurried) else NO_ORDERS
    return absent


def players_without_answers(state: SecretState, mute: Collection[str] = ()) -> list[str]:
    """Return the players whose letters leave an open decision without answer. Letters of `mute` players do not
    count."""
    assert state.table is not None
    sources = state.sources(state.table, state.tally, mute)
    found = []
    for decision in game_of(state.table).decisions(state.table):
        player = player_of(state.table, decision.power)
        source = sources.get(player)
        if player not in found and (source is None or not source.speaks_of(decision)):
            found.append(player)
    return found


def must_lock(campaign: Campaign | CampaignTime) -> bool:
    """True if sealed parts must be revealed before orders are carried out, and the stage is not locked yet."""
    public = campaign.public
    if public.settings.conduct.sealing != "reveal" or public.locked:
        return False
    if public.protocol >= BINDING:
        return any(hidden_orders(public, player) for player in public.pending)
    return any(pending.slots for pending in public.pending.values())


def lock(campaign: Campaign, forced: bool) -> Lock:
    """Enter a lock, and return it. `forced` is true if the clock does not allow the lock yet."""
    return Lock(campaign.add(lock_record(campaign, forced)).number, forced)


def lock_record(campaign: Campaign | CampaignTime, forced: bool) -> LockRecord:
    """Return the record of a lock at this moment. `forced` is true if the clock does not allow the lock yet."""
    public = campaign.public
    assert public.next is not None
    orders = [letter.entry for letter in public.pending.values()]
    plans = [letter.entry for letter in public.unshown.values()]
    until = deadline_for(campaign, players_held_by_lock(public))
    return LockRecord(public.next.stage, tuple(sorted([*orders, *plans])), until, forced)


def waiting_fault(campaign: Campaign, why: Wrong | None = None) -> Refused:
    """Return the exception that refuses to adjudicate. `why` is the fault; by default it names the powers for which the
    game waits."""
    allowed = permission(campaign) if campaign.public.phase == "running" else None
    if why is None:
        late = allowed.absent if allowed else ()
        why = wrong("E-CAMPAIGN-WAITING", powers=late) if late else wrong("E-CAMPAIGN-WAITING.minds")
    if allowed and allowed.earliest:
        why = replace(why, hint=words("or-force", moment=stamp(allowed.earliest)))
    return Refused(campaign.settings.campaign, [why])
