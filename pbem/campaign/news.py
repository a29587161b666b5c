"""News of a campaign since a report: entries, events and messages, as far as a reader may know them, with proofs."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.clock import stamp
from pbem.campaign.founding import opener_of
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import Entry, events_in, record_in
from pbem.campaign.ledger.proposal_facts import Proposal
from pbem.campaign.ledger.proposals import proposal_named
from pbem.campaign.ledger.public_state import PublicState
from pbem.campaign.ledger.seats import Lot, lot_since
from pbem.campaign.letters.letterbox import entry_of, listed_names
from pbem.campaign.letters.provable import MESSAGE, ShownMessage
from pbem.campaign.play.mishaps import FailedOrder, PlanNote
from pbem.campaign.play.resolving import PlanAnswer
from pbem.campaign.play.secret_state import SecretState, StageNews
from pbem.campaign.play.snapshot import Snapshot, proofs
from pbem.campaign.proof.drawing import Draws, adjudications, draws_at_start, first_memory
from pbem.campaign.settings import MODERATOR, OBSERVER
from pbem.engine.decisions import Pairing
from pbem.engine.events import CardsDrawn, Event, all_seen_by
from pbem.engine.memory import MapState
from pbem.engine.nouns import Power
from pbem.engine.table import deep_copy, turn_of
from pbem.faults.wrong import wrong
from pbem.paper.documents.faults import Refused


class EntryNote(Struct, frozen=True):
    """A public entry of the ledger that a report tells besides the events of the game."""

    entry: int
    time: datetime
    record: r.Record
    proposal: Proposal | None = None
    """Proposal on which the entry is a vote, or that it carries out."""
    has_failed: bool = False
    """True for a vote after which its proposal can no longer be carried."""
    undone: tuple[str, ...] = ()
    """Stages whose adjudications a rollback has undone."""
    withdrawn: tuple[str, ...] = ()
    """Seats whose orders or plans a rollback has made invalid."""
    stage: str = ""
    """Stage whose deadline the entry moves; empty if the entry moves no deadline."""


class Message(Struct, frozen=True):
    """A message that a player has written, as a report tells it."""

    sender: str
    to: str
    """Addressees: seats, `moderator` or `all`, separated by commas."""
    text: str
    proof: ShownMessage | None = None
    """The message as its sender wrote it, with everything that proves it after the close; None if the campaign has not
    agreed on such proofs."""
    is_own: bool = False
    """True if the reader has written the message. The report then shows only its proof."""


class Undone(Struct, frozen=True):
    """Stages whose adjudications a rollback has undone, and seats whose later orders or plans no longer count."""

    stages: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()


class News(Struct, frozen=True):
    """Entries since a report, and their results."""

    entries: list[tuple[Entry, r.Record]] = []
    """The entries, each with its body."""
    stages: list[StageNews] = []
    """Full results of the adjudications that were not turned back later."""
    before: MapState | None = None
    """Public map before the first of `entries`."""
    since: int = 0
    """Last entry that was told in the previous report."""
    proposals: dict[int, Proposal] = {}
    """Dict from the number of an entry to the proposal on which the entry votes, or which it carries out."""
    undone: dict[int, Undone] = {}
    """Dict from the number of a rollback's entry to the stages and letters that the rollback has undone."""
    extended: dict[int, str] = {}
    """Dict from the number of an entry that moves a deadline to the stage that has this deadline."""
    due: tuple[Pairing, ...] = ()
    """Attacks still to be fought when the first of `entries` was made."""


class ReaderNews(Struct, frozen=True):
    """Everything since a reader's previous report, as far as the reader may know it."""

    notes: tuple[EntryNote, ...]
    events: tuple[Event, ...]
    before: MapState | None
    """Public map before `events`; None if it is not known."""
    since: int
    """Last entry that was told in the reader's previous report."""
    turned_back: int
    """Entry of the latest rollback; 0 without one."""
    slips: tuple[FailedOrder, ...]
    """Orders that could not be carried out: the reader's own orders, or those of all players if the reader is the
    moderator."""
    plan_notes: tuple[PlanNote, ...]
    """Notes on plans of the reader that failed, or that leave a decision to the reader. For the moderator: such notes
    on the plans of all players."""
    planned: tuple[PlanAnswer, ...]
    """Answers that were given by the reader's plans or by orders that the reader gave in advance; none for the
    moderator."""
    messages: tuple[Message, ...]
    proofs_of_messages: tuple[ShownMessage, ...]
    """Messages to the reader, and the reader's own, that can be proved after the close."""
    proofs: tuple[r.CardProof, ...]
    """Proofs of the cards that the reader has drawn since the last report."""
    earlier: tuple[Event, ...]
    """Public events since the reader's last orders that were told in earlier reports. Pictures show them again."""
    defaulted: tuple[PlanAnswer, ...] = ()
    """Answers that defaults gave for the reader; none for the moderator."""
    due: tuple[Pairing, ...] = ()
    """Attacks still to be fought at the reader's previous report."""

    @property
    def first_stage(self) -> str:
        """Stage in which the first of `events` happens. It is empty if nothing was adjudicated, and after a
        rollback."""
        records = (note.record for note in self.notes)
        stages = (record.stage for record in records if isinstance(record, r.AdjudicationRecord))
        return "" if self.turned_back else next(stages, "")


def news_since(campaign: Campaign, start: Snapshot) -> News:
    """Return everything that happened since the state `start`. Adjudications are played again for their results, unless
    a rollback has undone them."""
    found: list[StageNews] = []
    state = campaign.state_from(start)
    before, due = map_at(campaign, state), attacks_due(state)
    entries = [(entry, record_in(entry)) for entry in campaign.ledger.entries(start.public.entry + 1)]
    proposals: dict[int, Proposal] = {}
    undone: dict[int, Undone] = {}
    extended: dict[int, str] = {}
    for entry, record in entries:
        if r.goes_back(record):
            found = [item for item in found if item.entry <= record.to]
            state = campaign.state_from(campaign.snapshot_at(entry.number))
            before, due = (before, due) if found else (map_at(campaign, state), attacks_due(state))
            undone[entry.number] = undone_by(campaign, entry.number, record.to)
            continue
        if isinstance(record, r.ExtensionRecord):
            extended[entry.number] = state.stage
        open_before = {each.entry: each for each in state.public.proposals}
        state.take(entry.number, stamp(entry.time), record, entry.hash)
        number = record.proposal if isinstance(record, r.VoteRecord) else proposal_named(record)
        if number in open_before:
            proposals[entry.number] = open_before[number]
        found += state.news
        state.news.clear()
    return News(entries, found, before, start.public.entry, proposals, undone, extended, due)


def attacks_due(state: SecretState) -> tuple[Pairing, ...]:
    return tuple(state.table.state.battles) if state.table else ()


def undone_by(campaign: Campaign, rollback: int, target: int) -> Undone:
    """Return what a rollback has undone. `rollback` is the entry of the rollback, and `target` is the entry to which it
    goes back."""
    undone: dict[int, r.Record] = {}
    for entry in campaign.ledger.entries(target + 1):
        if entry.number == rollback:
            break
        undone[entry.number] = record = record_in(entry)
        if r.goes_back(record):
            undone = {number: each for number, each in undone.items() if number <= record.to}
    stages = (record.stage for record in undone.values() if isinstance(record, r.AdjudicationRecord))
    letters = (each for each in undone.values() if isinstance(each, r.LetterRecord) and each.kind in OF_ORDERS)
    return Undone(tuple(dict.fromkeys(stages)), tuple(sorted({letter.player for letter in letters})))


OF_ORDERS = ("orders", "plan", "reveal")
"""Kinds of letters that a rollback makes invalid."""


def map_at(campaign: Campaign, state: SecretState) -> MapState | None:
    """Return the public map in a state of this campaign. Return None before the game, and for a state that an older
    version stored without a map."""
    if state.table:
        return deep_copy(state.memory.on_map) if state.memory else None
    set_up = opener_of(campaign.folder, campaign.settings)
    return first_memory(set_up, campaign.rules).on_map if campaign.state.table else None


def reader_news(campaign: Campaign, reader: str, powers: tuple[Power, ...], news: News) -> ReaderNews:
    """Return the part of the news that a reader may know. `powers` are the powers whose secrets the reader knows."""
    public = campaign.public
    known = list(messages(campaign, reader, news.entries))
    outcomes = [item.outcome for item in news.stages]
    seen = {item.entry: powers_then(item, reader, powers) for item in news.stages}
    return ReaderNews(
        notes=tuple(public_notes(public, news)),
        events=tuple(event for item in news.stages for event in all_seen_by(item.events, seen[item.entry])),
        before=news.before,
        since=news.since,
        turned_back=public.turned_back,
        slips=tuple(slip for outcome in outcomes for slip in outcome.slips if reader in (slip.player, MODERATOR)),
        plan_notes=tuple(note for outcome in outcomes for note in outcome.notes if reader in (note.player, MODERATOR)),
        planned=tuple(each for outcome in outcomes for each in outcome.planned if each.player == reader),
        messages=tuple(each for each in known if not each.is_own),
        proofs_of_messages=tuple(each.proof for each in known if each.proof),
        proofs=tuple(
            proof for item in news.stages for proof in proofs_for(campaign.state.root, item, seen[item.entry])
        ),
        earlier=events_since_orders(campaign, reader) if reader in public.players else (),
        defaulted=tuple(each for outcome in outcomes for each in outcome.defaulted if each.player == reader),
        due=news.due,
    )


def public_notes(public: PublicState, news: News) -> Iterator[EntryNote]:
    """Yield notes on the entries that everybody is told. Letters are told only if the moderator wrote them in a
    player's place."""
    failing = {each.entry for each in public.settled if each.how == "failed"}
    for entry, record in news.entries:
        if isinstance(record, PUBLIC) or (isinstance(record, r.LetterRecord) and bool(record.acted)):
            lot, undone = lot_since(public, entry.number), news.undone.get(entry.number, Undone())
            yield EntryNote(
                entry.number,
                entry.time,
                with_present_seats(record, lot),
                news.proposals.get(entry.number),
                entry.number in failing,
                undone.stages,
                tuple(sorted(lot.get(seat, seat) for seat in undone.seats)),
                news.extended.get(entry.number, ""),
            )


def powers_then(news: StageNews, reader: str, powers: tuple[Power, ...]) -> tuple[Power, ...]:
    """Return the powers whose secrets a reader may know in the news of one adjudication. For a player, these are the
    powers that the player had at that time. For the moderator and observers, they are `powers`."""
    is_player = reader not in (MODERATOR, OBSERVER)
    return tuple(power for power, player in news.players.items() if player == reader) if is_player else powers


def events_since_orders(campaign: Campaign, player: str) -> tuple[Event, ...]:
    """Return the public events since this player's orders were last carried out. Leave out events from before the
    previous turn, and events that no report to the player has told yet."""
    posted, returned_to = campaign.vault.told_to(player).public.entry, campaign.vault.entry
    found, newest = list[Event](), 0
    for entry in campaign.ledger.latest_entries(*r.MOVING):
        record = record_in(entry)
        if entry.number > returned_to:
            continue
        if r.goes_back(record):
            returned_to = record.to
        elif isinstance(record, r.AdjudicationRecord):
            newest = newest or entry.number
            is_long_ago = turn_of(record.stage) < turn_of(campaign.state.stage) - 1
            if is_long_ago or (entry.number < newest and player in record.next.owing):
                break
            if entry.number <= posted:
                found[:0] = events_in(campaign.rules.terms.game, record.events)
    return tuple(found)


PUBLIC = (
    r.JoinRecord,
    r.LockRecord,
    r.RulingRecord,
    r.ExtensionRecord,
    r.AbsenceRecord,
    r.RollbackRecord,
    r.SubstituteRecord,
    r.KeyChangeRecord,
    r.AgreementRecord,
    r.CloseRecord,
    r.AdjudicationRecord,
    r.SuccessionRecord,
    r.ProposalRecord,
    r.VoteRecord,
    r.EndRecord,
    r.ResolutionRecord,
)
"""Types of the entries that are told to everybody."""


def with_present_seats(record: r.Record, lot: Lot) -> r.Record:
    """Return the record of an absence or a change of key. If a lot has given the player another seat since, the record
    names that seat. Return other records unchanged."""
    if isinstance(record, r.AbsenceRecord | r.KeyChangeRecord):
        return replace(record, player=lot.get(record.player, record.player))
    return record


def messages(campaign: Campaign, reader: str, entries: list[tuple[Entry, r.Record]]) -> Iterator[Message]:
    """Yield the messages to a reader, and the reader's own messages that can be proved after the close. From the time
    before the player took the seat, yield only the messages to everybody."""
    player = campaign.public.players.get(reader)
    for entry, record in entries:
        if isinstance(record, r.LetterRecord) and record.kind == "message":
            held = campaign.held_letter(entry.number)
            written, text = (getattr(entry_of(held.letter.body, key), "value", "") for key in ("to", "text"))
            lot = lot_since(campaign.public, entry.number)
            to = ", ".join(lot.get(name, name) for name in listed_names(written)) if lot else written
            names = set(listed_names(to))
            sender = lot.get(record.player, record.player)
            # A moderator who plays gets no moderator's report. Messages to the moderator stand in the report of the
            # moderator's seat.
            if reader == campaign.settings.moderator.seat and MODERATOR in names:
                names.add(reader)
            salt = "" if held.salt is UNSET else held.salt
            shown = ShownMessage(entry.number, record.player, written, text, salt)
            proof = proof_of_message(campaign, record, shown)
            # A player who has taken a seat over reads no messages to the former player.
            is_theirs = player is None or entry.number >= player.since
            if (reader in names and is_theirs) or ("all" in names and reader != sender):
                yield Message(sender, to, text, proof)
            elif proof and player and reader == sender and is_theirs:
                yield Message(sender, to, text, proof, is_own=True)


def proof_of_message(campaign: Campaign, record: r.LetterRecord, shown: ShownMessage) -> ShownMessage | None:
    """Return `shown`, a message with its salt, if the entry commits to this message. Return None if the entry commits
    to no message. Raises `Refused` if the salt is missing, or if the entry commits to another message."""
    if MESSAGE not in record.slots:
        return None
    if (
        not shown.salt
        or campaign.state.keyed_fingerprint(shown.commitment(campaign.state.name)) != record.slots[MESSAGE]
    ):
        raise Refused(f"letters/{campaign.folder.letter(shown.entry).name}", [wrong("E-LETTER-OTHER")])
    return shown


def proofs_for(root: bytes, news: StageNews, powers: Collection[Power]) -> tuple[r.CardProof, ...]:
    """Return proofs of the cards that these powers drew in the adjudication `news`."""

    def drawn(event: Event) -> tuple[int, ...]:
        return event.cards or () if isinstance(event, CardsDrawn) and event.power in powers else ()

    return proofs(root, news.made, all_seen_by(news.events, powers), drawn)


def draws_counted(campaign: Campaign) -> Draws:
    """Count the drawn cards of all powers, from the ledger."""
    counting = adjudications(ledger_of(campaign, r.MOVING))
    set_up, rules = opener_of(campaign.folder, campaign.settings), campaign.rules
    draws = draws_at_start(set_up, rules) if counting and campaign.settings.position else Draws()
    for each in counting:
        draws.follow(events_in(rules.terms.game, each.events))
    return draws


def ledger_of(campaign: Campaign, kinds: Collection[str] = ()) -> list[tuple[Entry, r.Record]]:
    """Return the entries of the ledger with their bodies. If `kinds` are given, return only entries of these kinds."""
    return [(entry, record_in(entry)) for entry in campaign.ledger.entries(kinds=kinds)]
