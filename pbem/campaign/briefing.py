"""Briefing of a reader: everything that happened since the last report, as far as this reader may know it.

Reports, order sheets and pictures are made of briefings and of nothing else. Everything that a briefing leaves out
stays hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import islice

from msgspec import UNSET, Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.bank import Account, accounts
from pbem.campaign.clock.clock import parse_moment, stamp
from pbem.campaign.clock.owing import orders_now
from pbem.campaign.founding import opener_of
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.entries import Entry
from pbem.campaign.ledger.entry_effects import Lot, lot_since
from pbem.campaign.ledger.proposals import proposals_told, voting_told
from pbem.campaign.ledger.public_state import BASIS, PendingLetter
from pbem.campaign.ledger.records import events_in
from pbem.campaign.ledger.replaying import record_in
from pbem.campaign.letters.joining import SharedKey, shared_keys
from pbem.campaign.letters.letterbox import OrderState, entry_of, listed_names, state_of
from pbem.campaign.letters.provable import MESSAGE, ShownMessage
from pbem.campaign.letters.trying_out import AheadOfReader, blocks_in_force
from pbem.campaign.planned import PlannedAnswer, PlansOfReader, planned_answers, plans_of
from pbem.campaign.play.resolving import FailedOrder, PlanNote
from pbem.campaign.play.secret_state import SecretState, StageNews
from pbem.campaign.play.snapshot import Snapshot, proof_of, proofs
from pbem.campaign.proof.drawing import Draws, adjudications, draws_at_start, first_memory, memory_after
from pbem.campaign.settings import Settings
from pbem.campaign.succession import SealedShare, holders_now, sealed_part_of
from pbem.engine.cards import OTHER_DECKS
from pbem.engine.decisions import Decision
from pbem.engine.events import CardsDrawn, Event, all_seen_by
from pbem.engine.memory import MapState, Memory
from pbem.engine.nouns import Power
from pbem.engine.table import Table, deep_copy, powers_of_player, turn_of
from pbem.engine.views import View
from pbem.faults.wrong import wrong
from pbem.kit import game_of
from pbem.paper.agreements import Deal, in_force
from pbem.paper.documents.faults import Refused
from pbem.paper.documents.writing import Value

MODERATOR = "moderator"
OBSERVER = "observer"


class EntryNote(Struct, frozen=True):
    """A public entry of the ledger that a report tells besides the events of the game."""

    entry: int
    time: datetime
    record: r.Record


class Message(Struct, frozen=True):
    """A message of one player to others."""

    sender: str
    to: str
    text: str
    proof: ShownMessage | None = None
    """The message as its sender wrote it, with everything that proves it after the close; None if the campaign agreed
    on no such proofs."""
    is_own: bool = False
    """True if the reader has written the message, and gets only the proof."""


class Owed(Struct, frozen=True):
    """A power that owes orders, its player, and the state of these orders."""

    power: str
    player: str
    state: OrderState


class Briefing(Struct, frozen=True):
    """Everything that a report tells one reader."""

    reader: str
    """Seat of a player, `observer`, or `moderator`."""
    language: str
    campaign: str
    powers: tuple[Power, ...]
    """Powers whose secrets the reader knows."""
    version: int
    head: Head
    phase: str
    stage: str
    digest: str
    basis: str
    """Beginning of the hash of the entry on which the reader's next letter is based; the letter has to name it."""
    deadline: datetime | None
    locked: bool
    """True if sealed orders have to be revealed now."""
    owed: tuple[Owed, ...]
    """State of the orders of every power that has decisions."""
    asked: tuple[Decision, ...]
    """Open decisions of the reader's powers; empty for the moderator."""
    notes: tuple[EntryNote, ...]
    events: tuple[Event, ...]
    before: MapState | None
    """Public map before `events`; None if it is not known."""
    since: int
    """Last entry that the reader's previous report told."""
    turned_back: int
    """Entry of the latest rollback; 0 without one."""
    slips: tuple[FailedOrder, ...]
    """Orders of the reader that could not be carried out. The moderator gets those of all players."""
    plan_notes: tuple[PlanNote, ...]
    """Notes on plans of the reader that failed, or that leave a decision to the reader. The moderator gets those of all
    players."""
    messages: tuple[Message, ...]
    """Messages to the reader."""
    proofs_of_messages: tuple[ShownMessage, ...]
    """Messages to the reader, and the reader's own, that can be proved after the close."""
    view: View | None
    """Position as the reader may know it; None before the game has begun."""
    table: Table | None
    """The position with all secrets, and its rules; None before the game has begun. Both are used only for looking up
    names; templates never get them."""
    memory: Memory | None
    """Public memory of past moves; None before the game has begun."""
    proofs: tuple[r.CardProof, ...]
    """Proofs of the cards that the reader has drawn since the last report."""
    held: tuple[r.CardProof, ...]
    """Proofs of all cards that the reader's powers have drawn, however long ago, and still hold."""
    settings: Settings
    players: dict[str, str]
    """Name of the player in each seat, as the ledger tells it."""
    people: dict[str, str]
    """Name of the player in each seat, as far as the reader may know it. The moderator knows the names of masked
    players, too."""
    shared_keys: tuple[SharedKey, ...]
    """Keys with which several seats sign, or with which the moderator and a seat sign."""
    moderator: str
    """The moderator's public key."""
    key: str
    """Public key of the reader's seat; empty if it has none, and its letters need no signature."""
    seq: int
    """Number for the reader's next letter."""
    pending: PendingLetter | None
    """The reader's letter with orders for the present stage; None before it has come in."""
    is_pending_formers: bool
    """True if a former player of the seat has sent the letter `pending`: only that player can reveal its parts."""
    is_pending_now: bool
    """True if the letter `pending` was written for the present stage; only the orders ahead of an older letter count.
    """
    plans: PlansOfReader | None
    ahead: tuple[AheadOfReader, ...]
    """The reader's orders ahead in force, for the present stage or later stages of the turn."""
    has_sealed: bool | None = None
    """True if the reader's latest letter with orders had a sealed part; None without a recent letter, or if the reader
    owes nothing."""
    deals: tuple[Deal, ...] = ()
    """Agreements in force, with what they bind and until when. Everybody knows all of them."""
    heirloom: SealedShare | None = None
    """The reader's part of the key for an heir."""
    accounts: dict[str, Account] = {}
    """Account of each seat in the bank of time; empty without a bank."""
    holders: int = 0
    """Number of people who can have parts of the key for an heir."""
    bundle: str = ""
    """Name of the bundle that comes with the report; empty without one."""
    is_first: bool = False
    """True if no report was written since the game began."""
    earlier: tuple[Event, ...] = ()
    """Public events since the reader's last orders that earlier reports have told. Pictures show them again."""
    proposals: tuple[dict[str, Value], ...] = ()
    """Open proposals as reports tell them."""
    voting: dict[str, Value] = {}
    """Facts by which proposals and votes are judged, as reports tell them."""
    planned: tuple[PlannedAnswer, ...] = ()
    """For each decision in `asked`, the answer that plans give or would give."""

    @property
    def table_in_play(self) -> Table:
        """Return the table. The game must have begun."""
        assert self.table is not None
        return self.table


def readers_of(state: SecretState) -> list[str]:
    """Return the names of all who get reports: the seats, `observer` and `moderator`."""
    return [*sorted(state.public.settings.seats), OBSERVER, MODERATOR]


def briefings(campaign: Campaign) -> dict[str, Briefing]:
    """Return the briefing of each reader about everything since the reader's report was last written."""
    state = campaign.state
    starts = {reader: campaign.vault.told_to(reader) for reader in readers_of(state)}
    # Once for all readers who begin at the same entry.
    by_entry = {start.public.entry: start for start in starts.values()}
    news = {entry: news_since(campaign, start) for entry, start in by_entry.items()}
    state.draws = state.draws or draws_counted(campaign)
    if state.table and not state.memory:
        set_up = opener_of(campaign.folder, campaign.settings)
        state.memory = memory_after(ledger_of(campaign, r.MOVING), set_up, campaign.rules)
    return {reader: briefing_for(campaign, reader, news[start.public.entry]) for reader, start in starts.items()}


def draws_counted(campaign: Campaign) -> Draws:
    """Count the drawn cards of all powers from the ledger. Only a state that an older version stored lacks this
    count."""
    counting = adjudications(ledger_of(campaign, r.MOVING))
    set_up, rules = opener_of(campaign.folder, campaign.settings), campaign.rules
    draws = draws_at_start(set_up, rules) if counting and campaign.settings.position else Draws()
    for each in counting:
        draws.follow(events_in(rules.terms.game, each.events))
    return draws


def ledger_of(campaign: Campaign, kinds: Collection[str] = ()) -> list[tuple[Entry, r.Record]]:
    """Return all entries of the ledger with their bodies, or only the entries of `kinds` if any kinds are given."""
    return [(entry, record_in(entry)) for entry in campaign.ledger.entries(kinds=kinds)]


def in_language(briefing: Briefing, language: str) -> Briefing:
    return replace(briefing, language=language)


class News(Struct, frozen=True):
    """Entries since a report, and the results of these entries."""

    entries: list[tuple[Entry, r.Record]] = []
    stages: list[StageNews] = []
    """Full results of the adjudications that were not turned back later."""
    before: MapState | None = None
    """Public map before the first of these entries."""
    since: int = 0
    """Last entry that the previous report told."""


def news_since(campaign: Campaign, start: Snapshot) -> News:
    """Return the news since a state, found by playing its adjudications again."""
    found: list[StageNews] = []
    state = campaign.state_from(start)
    before = map_at(campaign, state)
    entries = [(entry, record_in(entry)) for entry in campaign.ledger.entries(start.public.entry + 1)]
    for entry, record in entries:
        if r.goes_back(record):
            found = [item for item in found if item.entry <= record.to]
            state = campaign.state_from(campaign.snapshot_at(entry.number))
            before = before if found else map_at(campaign, state)
            continue
        state.take(entry.number, stamp(entry.time), record, entry.hash)
        found += state.news
        state.news.clear()
    return News(entries, found, before, start.public.entry)


def map_at(campaign: Campaign, state: SecretState) -> MapState | None:
    """Return the public map in a state of this campaign. In a state from before the first adjudication it is the map of
    the set-up. Return None while the game has not begun, and for a state that an older version stored."""
    if state.table:
        return deep_copy(state.memory.on_map) if state.memory else None
    set_up = opener_of(campaign.folder, campaign.settings)
    return first_memory(set_up, campaign.rules).on_map if campaign.state.table else None


def powers_of(state: SecretState, reader: str) -> tuple[Power, ...]:
    """Return the powers whose secrets a reader knows."""
    if state.table is None or reader == OBSERVER:
        return ()
    return state.table.rules.powers if reader == MODERATOR else powers_of_player(state.table, reader)


def powers_then(item: StageNews, reader: str, powers: tuple[Power, ...]) -> tuple[Power, ...]:
    """Return the powers whose secrets of one adjudication a reader may know. A player must have played them from the
    beginning of the adjudication to its end. For other readers, return `powers`."""
    return powers if reader in (MODERATOR, OBSERVER) else tuple(p for p, who in item.players.items() if who == reader)


def briefing_for(campaign: Campaign, reader: str, news: News) -> Briefing:
    """Return the briefing of one reader on the news since the reader's last report."""
    state, public = campaign.state, campaign.public
    powers = powers_of(state, reader)
    seen = {item.entry: powers_then(item, reader, powers) for item in news.stages}
    events = [event for item in news.stages for event in all_seen_by(item.events, seen[item.entry])]
    outcomes = [item.outcome for item in news.stages]
    slips = tuple(slip for outcome in outcomes for slip in outcome.slips if reader in (slip.player, MODERATOR))
    plan_notes = tuple(note for outcome in outcomes for note in outcome.notes if reader in (note.player, MODERATOR))
    player, pending = public.players.get(reader), public.pending.get(reader)
    known = list(messages(campaign, reader, news.entries))
    asked = decisions_of(state.table, powers) if state.table and reader != MODERATOR else ()
    return Briefing(
        reader=reader,
        language=campaign.person(reader).language or "en",
        campaign=state.name,
        powers=powers,
        version=public.version,
        head=Head(campaign.vault.entry, campaign.vault.hash),
        phase=public.phase,
        stage=state.stage,
        digest=public.next.digest if public.next else "",
        basis=public.basis[:BASIS],
        deadline=parse_moment(public.deadline) if public.deadline and public.phase != "closed" else None,
        locked=public.locked,
        # The ledger goes on telling what was owed when the campaign was closed; nobody can answer it any more.
        owed=tuple(owed_by_power(campaign)) if public.phase != "closed" else (),
        asked=asked,
        planned=planned_answers(state, reader, asked),
        notes=tuple(
            EntryNote(entry.number, entry.time, with_present_seats(record, lot_since(public, entry.number)))
            for entry, record in news.entries
            # Of letters everybody is told only of those that the moderator wrote in a player's place.
            if (isinstance(record, PUBLIC) or (isinstance(record, r.LetterRecord) and bool(record.acted)))
        ),
        events=tuple(events),
        before=news.before,
        since=news.since,
        turned_back=public.turned_back,
        slips=slips,
        plan_notes=plan_notes,
        messages=tuple(each for each in known if not each.is_own),
        proofs_of_messages=tuple(each.proof for each in known if each.proof),
        view=game_of(state.table).view(state.table, powers) if state.table else None,
        table=state.table,
        memory=deep_copy(state.memory),
        proofs=tuple(proof for item in news.stages for proof in proofs_for(state.root, item, seen[item.entry])),
        held=tuple(proofs_held(state, powers)),
        settings=public.settings,
        players={seat: who.name for seat, who in public.players.items()},
        people={
            seat: campaign.person(seat).name if reader == MODERATOR else who.name
            for seat, who in public.players.items()
        },
        shared_keys=shared_keys(public, public.players),
        moderator=public.moderator,
        key=public.players[reader].key if reader in public.players else "",
        seq=public.seqs.get(reader, 0) + 1,
        pending=pending,
        is_pending_formers=bool(pending and player and pending.entry < player.since),
        is_pending_now=pending is not None and state.letters(pending.entry).letter.stage == state.stage,
        plans=plans_of(state, reader),
        ahead=tuple(blocks_in_force(state, reader)),
        has_sealed=has_sealed_last(campaign, reader) if public.next and reader in public.next.owing else None,
        deals=in_force(state.table.rules, public.deals, state.stage) if state.table else (),
        earlier=events_since_orders(campaign, reader) if reader in public.players else (),
        proposals=tuple(proposals_told(public)),
        voting=voting_told(public),
        heirloom=sealed_part_of(campaign, reader),
        accounts=accounts(public),
        holders=len(holders_now(public)),
        is_first=campaign.vault.told_to(reader).public.phase == "joining" and public.phase == "running",
    )


LOOKED_BACK = 40
"""Number of latest letters among which a player's last letter with orders is looked for."""


def has_sealed_last(campaign: Campaign, player: str) -> bool | None:
    """Return True if a player's latest letter with orders had a sealed part. Return None if none of the last
    `LOOKED_BACK` letters is such a letter."""
    for entry in islice(campaign.ledger.latest_entries("letter"), LOOKED_BACK):
        record = record_in(entry)
        if isinstance(record, r.LetterRecord) and (record.player, record.kind, record.acted) == (player, "orders", ""):
            return bool(record.slots)
    return None


def events_since_orders(campaign: Campaign, player: str) -> tuple[Event, ...]:
    """Return the public events since this player's orders were last carried out, as far as reports have told them
    already. Events from before the last turn are left out."""
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


def owed_by_power(campaign: Campaign) -> Iterator[Owed]:
    """Yield every power that owes orders, with the state of these orders. A seat that only has to reveal is included
    with all its powers."""
    for orders in orders_now(campaign.public):
        is_seat = orders.power in campaign.public.players
        powers = powers_of(campaign.state, orders.player) if is_seat else (orders.power,)
        yield from (Owed(power, orders.player, state_of(orders)) for power in powers)


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


def decisions_of(table: Table, powers: Collection[Power]) -> tuple[Decision, ...]:
    return tuple(decision for decision in game_of(table).decisions(table) if decision.power in powers)


def with_present_seats(record: r.Record, lot: Lot) -> r.Record:
    """Return an absence or a change of key with the seat that a lot has given its player since. Return any other entry
    unchanged."""
    if isinstance(record, r.AbsenceRecord | r.KeyChangeRecord):
        return replace(record, player=lot.get(record.player, record.player))
    return record


def messages(campaign: Campaign, reader: str, entries: list[tuple[Entry, r.Record]]) -> Iterator[Message]:
    """Yield the messages to a reader, and those that the reader has written, if they can be proved."""
    player = campaign.public.players.get(reader)
    for entry, record in entries:
        if isinstance(record, r.LetterRecord) and record.kind == "message":
            held = campaign.held_letter(entry.number)
            written, text = (getattr(entry_of(held.letter.body, key), "value", "") for key in ("to", "text"))
            lot = lot_since(campaign.public, entry.number)
            to = ", ".join(lot.get(name, name) for name in listed_names(written)) if lot else written
            names = set(listed_names(to))
            sender = lot.get(record.player, record.player)
            # Who plays is not shown the report for moderators, so messages to the moderator stand in that of the seat.
            if reader == campaign.settings.moderator.seat and MODERATOR in names:
                names.add(reader)
            salt = "" if held.salt is UNSET else held.salt
            shown = ShownMessage(entry.number, record.player, written, text, salt)
            proof = proof_of_message(campaign, record, shown)
            # Whoever takes a seat reads nothing that was written to the player before.
            is_theirs = player is None or entry.number >= player.since
            if (reader in names and is_theirs) or ("all" in names and reader != sender):
                yield Message(sender, to, text, proof)
            elif proof and player and reader == sender and is_theirs:
                yield Message(sender, to, text, proof, is_own=True)


def proof_of_message(campaign: Campaign, record: r.LetterRecord, shown: ShownMessage) -> ShownMessage | None:
    """Return `shown`, which proves a message after the close, or None if the campaign agreed on no such proofs. Raises
    `Refused` if the stored letter does not fit its entry."""
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


def proofs_held(state: SecretState, powers: Collection[Power]) -> Iterator[r.CardProof]:
    """Yield proofs of the cards that these powers have drawn and still hold. Cards got from another power have no
    proof."""
    made = {number: order for number, order in state.made.items() if number < OTHER_DECKS}
    hands = state.table.state.cards.hands if state.table else {}
    for power in powers:
        for card in hands.get(power, ()):
            for proof in proof_of(state.root, made, card):
                if state.draws and state.draws.has_drawn(power, (proof.shuffle, proof.position)):
                    yield proof
