"""Briefing of a reader: everything that happened since the reader's last report, as far as this reader may know it.

Reports, order sheets and pictures are made of briefings alone. Everything that a briefing leaves out stays hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.campaign import Campaign
from pbem.campaign.clock.bank import Account, accounts
from pbem.campaign.clock.clock import parse_moment
from pbem.campaign.clock.timing import Readiness, orders_now, readiness
from pbem.campaign.founding import opener_of
from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.chain import Head
from pbem.campaign.ledger.entries import record_in
from pbem.campaign.ledger.proposals import (
    VoteCount,
    counted_votes,
    moved_told,
    proposals_told,
    settled_told,
    voting_told,
)
from pbem.campaign.ledger.public_state import BASIS, PendingLetter
from pbem.campaign.ledger.seats import SharedKey, shared_keys
from pbem.campaign.letters.letterbox import OrderState, entry_of, state_of
from pbem.campaign.letters.replaced_orders import (
    AheadOfReader,
    UnusedOrders,
    blocks_in_force,
    blocks_to_come,
    unused_orders,
)
from pbem.campaign.news import News, ReaderNews, draws_counted, ledger_of, news_since, reader_news
from pbem.campaign.own_affairs import (
    OwnAgreements,
    PlannedAnswer,
    PlansOfReader,
    own_agreements,
    planned_answers,
    plans_of,
)
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.snapshot import proof_of
from pbem.campaign.proof.drawing import memory_after
from pbem.campaign.settings import MODERATOR, OBSERVER, Settings
from pbem.campaign.succession import SealedShare, holders_now, sealed_part_of
from pbem.engine.cards import OTHER_DECKS
from pbem.engine.decisions import Decision
from pbem.engine.memory import Memory
from pbem.engine.nouns import Power
from pbem.engine.table import Table, View, deep_copy, powers_of_player
from pbem.kit import game_of
from pbem.paper.agreements import Deal, in_force
from pbem.paper.documents.strict import bare
from pbem.paper.documents.writing import Value
from pbem.seal.canonical import Tree


class Owed(Struct, frozen=True):
    """Power that owes orders, with its player and the state of the orders."""

    power: str
    player: str
    state: OrderState


class ReaderOrders(Struct, frozen=True):
    """Decisions that a reader has to make, with the orders and plans that already answer them."""

    asked: tuple[Decision, ...]
    """Open decisions of the reader's powers; empty for the moderator."""
    planned: tuple[PlannedAnswer, ...]
    """Answers that plans give, or would give, to the decisions in `asked`. They are in the order of `asked`."""
    pending: PendingLetter | None
    """The reader's letter with orders for the present stage; None before it has come in."""
    draft: Tree
    """Unsealed orders of the letter `pending`, if the present player of the seat wrote it as a draft; else empty."""
    is_pending_formers: bool
    """True if a former player of the seat has sent the letter `pending`. Only that player can reveal the letter's
    sealed parts.
    """
    is_pending_now: bool
    """True if the letter `pending` was written for the present stage. If it was written for an earlier stage, only its
    orders for later stages count."""
    plans: PlansOfReader | None
    """The reader's standing plans that are valid now; None if there are none."""
    ahead: tuple[AheadOfReader, ...]
    """Orders that the reader has given in advance, for the present stage or later stages of the turn, and that are
    still valid."""
    to_come: tuple[AheadOfReader, ...]
    """Those of `ahead` that are not carried out yet."""
    unused: UnusedOrders | None
    """Unused parts of the reader's orders for the present stage, which new orders would replace."""
    has_sealed: bool | None
    """True if the reader's latest letter with orders had a sealed part, False if it had none. None if the reader owes
    nothing, or has sent no letter with orders lately (`LOOKED_BACK`).
    """


class AgreedEnd(Struct, frozen=True):
    """End of the game to which the seats have agreed, with the proposal on which they voted."""

    record: r.EndRecord
    proposal: r.ProposalRecord


class Briefing(Struct, frozen=True):
    """Everything that a report tells one reader."""

    reader: str
    """Seat of a player, `observer`, or `moderator`."""
    language: str
    campaign: str
    powers: tuple[Power, ...]
    """Powers whose secrets the reader knows."""
    version: int
    """Number of adjudications so far."""
    head: Head
    """Number and hash of the last entry of the ledger."""
    phase: str
    stage: str
    digest: str
    """Fingerprint of the public part of the position; empty before the game has begun."""
    basis: str
    """First digits of the hash of the entry on which the reader's next letter is based. The letter has to name these
    digits."""
    deadline: datetime | None
    """Deadline of the present stage; None without a deadline, and after the close."""
    locked: bool
    """True if sealed orders have to be revealed now."""
    owed: tuple[Owed, ...]
    """State of the orders of every power that has decisions."""
    orders: ReaderOrders
    news: ReaderNews
    """Everything that happened since the reader's previous report."""
    view: View | None
    """Position as the reader may know it; None before the game has begun."""
    table: Table | None
    """Position with all secrets, and the rules of the game; None before the game has begun. It is used only for looking
    up names; templates never get it.
    """
    memory: Memory | None
    """Public memory of past moves; None before the game has begun."""
    held: tuple[r.CardProof, ...]
    """Proofs of all cards that the reader's powers still hold. It does not matter when they were drawn."""
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
    """Public key of the reader's seat; empty if the seat has no key, because its letters need no signature."""
    seq: int
    """Number for the reader's next letter."""
    deals: tuple[Deal, ...] = ()
    """Agreements that are valid now, each with the time of its end. Everybody knows all of them."""
    own_agreements: OwnAgreements = OwnAgreements()
    """The reader's agreements that the report lists."""
    heirloom: SealedShare | None = None
    """The reader's part of the key for an heir."""
    accounts: dict[str, Account] = {}
    """Account of each seat in the bank of time: the time that the seat has left, and its lateness. Empty without a
    bank."""
    accounts_told: dict[str, Account] = {}
    """The accounts when the reader's previous report was written."""
    holders: int = 0
    """Number of players who should now have a part of the key for an heir."""
    bundle: str = ""
    """Name of the bundle that comes with the report; empty without one."""
    is_first: bool = False
    """True if the game runs, and the reader has had no report since it began."""
    proposals: tuple[dict[str, Value], ...] = ()
    """Open proposals, as data for reports."""
    votes: tuple[VoteCount, ...] = ()
    """Votes on each of `proposals`."""
    settled: tuple[dict[str, Value], ...] = ()
    """The latest proposals that are no longer open, as data for reports."""
    moved: dict[str, Value] = {}
    """The latest change of the deadline, as data for reports; empty if the deadline was not changed."""
    voting: dict[str, Value] = {}
    """Facts that decide if proposals and votes are allowed, as data for reports; empty if nobody can propose
    anything."""
    agreed_end: AgreedEnd | None = None
    """End on which the seats have agreed; None while the game runs, and after an end by the rules."""
    ready: Readiness | None = None
    """Moment from which the stage may be adjudicated; None while orders are missing or a player asks to wait."""

    @property
    def table_in_play(self) -> Table:
        """Return the table. The game must have begun."""
        assert self.table is not None
        return self.table


def readers_of(state: SecretState) -> list[str]:
    """Return the names of all who get reports: the seats, `observer` and `moderator`."""
    return [*sorted(state.public.settings.seats), OBSERVER, MODERATOR]


def briefings(campaign: Campaign) -> dict[str, Briefing]:
    """Return the briefing of each reader on everything since that reader's last report. A state from an older version
    of the program may lack the count of draws and the memory of past moves. In that case, both are computed and added
    to the state."""
    state = campaign.state
    starts = {reader: campaign.vault.told_to(reader) for reader in readers_of(state)}
    # The news are gathered once for all readers whose last reports ended with the same entry.
    by_entry = {start.public.entry: start for start in starts.values()}
    news = {entry: news_since(campaign, start) for entry, start in by_entry.items()}
    state.draws = state.draws or draws_counted(campaign)
    if state.table and not state.memory:
        set_up = opener_of(campaign.folder, campaign.settings)
        state.memory = memory_after(ledger_of(campaign, r.MOVING), set_up, campaign.rules)
    return {reader: briefing_for(campaign, reader, news[start.public.entry]) for reader, start in starts.items()}


def in_language(briefing: Briefing, language: str) -> Briefing:
    return replace(briefing, language=language)


def powers_of(state: SecretState, reader: str) -> tuple[Power, ...]:
    """Return the powers whose secrets a reader knows. The moderator knows the secrets of all powers. Observers know
    none, and nobody knows any before the game has begun."""
    if state.table is None or reader == OBSERVER:
        return ()
    return state.table.rules.powers if reader == MODERATOR else powers_of_player(state.table, reader)


def briefing_for(campaign: Campaign, reader: str, news: News) -> Briefing:
    """Return the briefing of one reader on the news since the reader's last report."""
    state, public = campaign.state, campaign.public
    powers = powers_of(state, reader)
    return Briefing(
        reader=reader,
        language=campaign.language_of(reader),
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
        # The ledger still lists what players owed when the campaign was closed. After the close nobody can answer it.
        owed=tuple(owed_by_power(campaign)) if public.phase != "closed" else (),
        orders=reader_orders(campaign, reader, powers),
        news=reader_news(campaign, reader, powers, news),
        view=game_of(state.table).view(state.table, powers) if state.table else None,
        table=state.table,
        memory=deep_copy(state.memory),
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
        deals=in_force(state.table.rules, public.deals, state.stage) if state.table else (),
        own_agreements=own_agreements(campaign, reader, news),
        proposals=tuple(proposals_told(public)),
        settled=tuple(settled_told(public)),
        moved=moved_told(public),
        votes=tuple(counted_votes(public, each) for each in public.proposals),
        voting=voting_told(public),
        agreed_end=agreed_end_of(campaign),
        ready=readiness(campaign),
        heirloom=sealed_part_of(campaign, reader),
        accounts=accounts(public),
        accounts_told=accounts(campaign.vault.told_to(reader).public),
        holders=len(holders_now(public)),
        is_first=campaign.vault.told_to(reader).public.phase == "joining" and public.phase == "running",
    )


def agreed_end_of(campaign: Campaign) -> AgreedEnd | None:
    """Return the end of the game to which the seats have agreed, or None if they have agreed to none."""
    if (ended := campaign.public.ended) is None:
        return None
    proposal = record_in(campaign.ledger.read(ended.proposal))
    assert isinstance(proposal, r.ProposalRecord)
    return AgreedEnd(ended, proposal)


def reader_orders(campaign: Campaign, reader: str, powers: tuple[Power, ...]) -> ReaderOrders:
    """Return the decisions that a reader has to make for these powers, with the orders and plans that answer them
    already."""
    state, public = campaign.state, campaign.public
    player, pending = public.players.get(reader), public.pending.get(reader)
    # After an end by agreement the table still has open decisions, but nobody is asked for them.
    is_asked = public.phase == "running" and reader != MODERATOR
    asked = decisions_of(state.table, powers) if state.table and is_asked else ()
    is_formers = bool(pending and player and pending.entry < player.since)
    return ReaderOrders(
        asked=asked,
        planned=planned_answers(state, reader, asked),
        pending=pending,
        draft={} if is_formers else open_draft(campaign, pending),
        is_pending_formers=is_formers,
        is_pending_now=pending is not None and state.letters(pending.entry).letter.stage == state.stage,
        plans=plans_of(state, reader),
        ahead=tuple(blocks_in_force(state, reader)),
        to_come=tuple(blocks_to_come(state, reader)),
        unused=unused_orders(state, reader),
        has_sealed=has_sealed_last(campaign, reader) if public.next and reader in public.next.owing else None,
    )


def open_draft(campaign: Campaign, pending: PendingLetter | None) -> Tree:
    """Return the unsealed orders of a draft, or an empty mapping for any other letter."""
    if pending is None or pending.status != "draft":
        return {}
    orders = entry_of(campaign.held_letter(pending.entry).letter.body, "orders")
    return bare(orders) if orders is not None else {}


LOOKED_BACK = 40
"""Number of latest letters among which a player's last letter with orders is looked for."""


def has_sealed_last(campaign: Campaign, player: str) -> bool | None:
    """Return True if the latest letter with orders that this player wrote had a sealed part, and False if it had none.
    Letters that the moderator wrote do not count. Return None if the last `LOOKED_BACK` letters include no such
    letter."""
    for entry in islice(campaign.ledger.latest_entries("letter"), LOOKED_BACK):
        record = record_in(entry)
        if isinstance(record, r.LetterRecord) and (record.player, record.kind, record.acted) == (player, "orders", ""):
            return bool(record.slots)
    return None


def owed_by_power(campaign: Campaign) -> Iterator[Owed]:
    """Yield every power that owes orders, with the state of these orders. If a seat owes no orders but has to reveal
    sealed parts, all its powers are yielded."""
    for orders in orders_now(campaign.public):
        is_seat = orders.power in campaign.public.players
        powers = powers_of(campaign.state, orders.player) if is_seat else (orders.power,)
        yield from (Owed(power, orders.player, state_of(orders)) for power in powers)


def decisions_of(table: Table, powers: Collection[Power]) -> tuple[Decision, ...]:
    return tuple(decision for decision in game_of(table).decisions(table) if decision.power in powers)


def proofs_held(state: SecretState, powers: Collection[Power]) -> Iterator[r.CardProof]:
    """Yield proofs of the cards that these powers have drawn and still hold. Cards that came from another power have no
    proof."""
    made = {number: order for number, order in state.made.items() if number < OTHER_DECKS}
    hands = state.table.state.cards.hands if state.table else {}
    for power in powers:
        for card in hands.get(power, ()):
            for proof in proof_of(state.root, made, card):
                if state.draws and state.draws.has_drawn(power, (proof.shuffle, proof.position)):
                    yield proof
