"""State of a campaign as only the moderator knows it. Each entry of the ledger is carried out on this state, and is
checked against it.

Moderators' commands and the verifying of a closed campaign both use this code.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Iterable

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pbem.campaign.ledger import records as r
from pbem.campaign.ledger.entries import as_texts, events_in, says_the_same
from pbem.campaign.ledger.entry_effects import add_entry
from pbem.campaign.ledger.public_state import hidden_plans, unrevealed_parts
from pbem.campaign.ledger.seats import People, is_lot_due, lot_of
from pbem.campaign.letters.letterbox import LetterOf, OrdersCache, parts_of, revealed_parts
from pbem.campaign.play.accounts import account_of, other_accounts
from pbem.campaign.play.ahead import AheadSource, LetterAhead
from pbem.campaign.play.resolving import (
    Lapses,
    Misorders,
    Sources,
    StageOutcome,
    ahead_after,
    ahead_at,
    letters_ahead,
    resolve,
)
from pbem.campaign.play.snapshot import (
    NO_TABLE,
    AheadInForce,
    Disagreement,
    LetterInForce,
    Snapshot,
    difference,
    next_of,
    openings,
    with_reveal,
)
from pbem.campaign.play.sources import PlayerSource, source_of, standing_source
from pbem.campaign.proof.drawing import Draws, SetUp, draws_at_start, first_memory, first_table, follow
from pbem.engine.events import Event, all_seen_by
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table, deep_copy, stage_of
from pbem.faults.wrong import words
from pbem.kit import copy_of, dump_position, game_of, restore_table
from pbem.paper.documents.faults import Refused
from pbem.paper.letters import Letter, letter_id
from pbem.paper.orders.files import Orders
from pbem.plans.sight import Tally
from pbem.plans.source import PlanSource
from pbem.seal.deal import ProvableDealer, Slot, commit, derive, position_hashes, root_of


class StageNews(Struct):
    """Full result of one adjudication, with all secrets."""

    entry: int
    events: list[Event]
    outcome: StageOutcome
    made: dict[int, list[int]] = field(default_factory=dict)
    """Order of the cards in each shuffle up to the end of the adjudication. The key is the number of the shuffle."""
    players: dict[Power, str] = field(default_factory=dict)
    """Dict from each power to its player. Powers that changed their player in the adjudication are left out."""


class SecretState:
    """The whole state of a campaign at one moment, public and secret, which changes with each entry."""

    def __init__(self, snapshot: Snapshot, rules: GameRules, letters: LetterOf, set_up: SetUp) -> None:
        """Copy the state from a snapshot. `letters` returns the letter of an entry; `set_up` sets up a new game."""
        snapshot = deep_copy(snapshot)
        self.public = snapshot.public
        self.secret = snapshot.secret
        self.root = bytes.fromhex(snapshot.root)
        self.made = snapshot.made
        self.orders_in_force = snapshot.orders_in_force
        self.plans = snapshot.plans
        self.ahead = snapshot.ahead
        self.tally = snapshot.tally
        self.draws = snapshot.draws
        self.memory = snapshot.memory
        self.rules = rules
        self.letters = letters
        self.set_up = set_up
        self.table: Table | None = None
        # If a command was killed while it dealt, there is a root already, but no table yet.
        if snapshot.root and bytes(snapshot.state) != NO_TABLE:
            self.table = restore_table(rules, bytes(snapshot.state), ProvableDealer(self.root))
        self.news: list[StageNews] = []
        self.compares = True
        """True if this process compares every adjudication in the ledger with the one that follows from the letters and
        the secret. Another process may make this comparison instead (`proof/sharing.py`)."""
        self.counts = True
        """True if this process keeps public counts of draws and marches. Reports have these counts, entries do not."""
        self.readings: dict[tuple[int, tuple[int, ...]], Orders | None] = {}
        """Cache of the orders of each valid letter. The key is the letter's entry, with the entries of letters that
        reveal parts of it. The value is None if the orders cannot be read."""
        self.said = OrdersCache(rules)
        self.people: People = {}
        """Names and languages that only the moderator knows, if players are masked."""

    @property
    def name(self) -> str:
        return self.public.settings.campaign

    @property
    def stage(self) -> str:
        """Return the present stage as letters name it, such as `3/prussia`; empty before the game has begun."""
        return self.public.next.stage if self.public.next else ""

    def keyed_fingerprint(self, content: bytes) -> str:
        """Return a fingerprint of a text. It can be made and tested only with the moderator's secret."""
        return hmac.new(bytes.fromhex(self.secret), content, "sha256").hexdigest()

    def mark(self, letter: Letter) -> str:
        """Return the fingerprint by which the ledger names a letter."""
        return self.keyed_fingerprint(letter_id(letter).encode())

    def snapshot(self) -> Snapshot:
        state = msgspec.Raw(dump_position(self.table)) if self.table else msgspec.Raw(NO_TABLE)
        force = (self.orders_in_force, self.plans, self.ahead, self.tally)
        return deep_copy(
            Snapshot(self.public, self.secret, self.root.hex(), state, self.made, *force, self.draws, self.memory)
        )

    def take(self, number: int, time: str, record: r.Record, fingerprint: str = "") -> None:
        """Carry out an entry of the ledger. Raises `Disagreement` if the entry does not follow from the letters and the
        secret."""
        match record:
            case r.AdjudicationRecord():
                self.take_adjudication(number, record)
            case r.RollbackRecord() if r.goes_back(record):
                raise Disagreement(number, words("rollback-alone"))
            case r.LetterRecord(player, "orders"):
                self.orders_in_force[player] = LetterInForce(number)
            case r.LetterRecord(player, "plan"):
                self.plans[player] = LetterInForce(number)
            case r.SubstituteRecord(player) if not self.public.binds:
                self.orders_in_force.pop(player, None)
                self.plans.pop(player, None)
                self.ahead.pop(player, None)
            case r.LetterRecord(player, "reveal"):
                shown_plans = hidden_plans(self.public, player) & set(record.slots)
                if shown_plans:
                    self.plans[player] = with_reveal(self.plans[player], number)
                if set(record.slots) - shown_plans:
                    self.orders_in_force[player] = with_reveal(self.orders_in_force[player], number)
        # This comes last, because the cases above need the public state before this entry (`binds`, hidden plans).
        add_entry(self.public, number, time, record, fingerprint)

    def take_adjudication(self, number: int, record: r.AdjudicationRecord) -> None:
        """Adjudicate the stage again, compare the result with the entry, and go on to the new position."""
        outcome = self.proceed(record.absent, record.forfeited)
        if self.compares:
            self.compare(record, outcome, number)
        if self.table is None and self.counts:
            self.draws = draws_at_start(self.set_up, self.rules) if self.public.settings.position else Draws()
            self.memory = first_memory(self.set_up, self.rules)
        if self.draws:
            self.draws.follow(events_in(self.rules.terms.game, record.events))
        if self.memory:
            follow(self.memory, self.rules, record.events, self.table or first_table(self.set_up, self.rules))
        self.settle(number, outcome)

    def compare(self, record: r.AdjudicationRecord, outcome: StageOutcome, number: int) -> None:
        """Raise `Disagreement` if the adjudication `record` of the ledger has another outcome. The deadline and
        `forced` are not compared, nor are the faults of orders that failed."""
        # These two do not follow from the letters and the deal. `judging_again` checks them by the clock.
        found = replace(record, next=replace(record.next, deadline=""), forced=False)
        expected = self.record(number, outcome, record.absent, record.forfeited)
        if expected.record != found.record and any(
            self.commitment(number, "record", each) == found.record for each in other_accounts(outcome)
        ):
            expected = replace(expected, record=found.record)
        if not says_the_same(expected, found):
            raise Disagreement(number, difference(as_texts(expected), as_texts(found)))

    def adjudication(
        self, number: int, absent: dict[str, str], forfeited: dict[str, tuple[str, ...]], forced: bool = False
    ) -> tuple[r.AdjudicationRecord, StageOutcome]:
        """Carry the orders out on a copy of the table. Return the record for the entry `number`, and the outcome.
        `absent`, `forfeited` and `forced` are fields of `AdjudicationRecord`."""
        outcome = self.proceed(absent, forfeited)
        return replace(self.record(number, outcome, absent, forfeited), forced=forced), outcome

    def proceed(self, absent: Iterable[str], forfeited: Collection[str]) -> StageOutcome:
        """Return the outcome of carrying the orders out on a copy of the table. If there is no table yet, return the
        outcome of the deal. The parameters are fields of `AdjudicationRecord`."""
        if self.table is None:
            return self.deal()
        table, protocol = self.table, self.public.protocol
        return resolve(
            lambda: copy_of(table, ProvableDealer(self.root)),
            lambda table, tally: self.sources(table, tally, forfeited if self.public.binds else ()),
            self.tally,
            Lapses(frozenset(absent), frozenset((*self.public.forfeiting, *forfeited)), self.misorders, protocol),
        )

    def deal(self) -> StageOutcome:
        """Set the game up, deal the cards, and return the outcome."""
        if not self.root:
            public = self.public
            # A moderator who plays gives no random bytes, because the secret serves in their place. Seats are sorted,
            # so that their order in the settings does not matter (docs/protocol.md, The deal).
            giving = [seat for seat in sorted(public.settings.seats) if seat != public.settings.moderator.seat]
            shares = [bytes.fromhex(public.entropy[seat]) for seat in giving]
            self.root = root_of(bytes.fromhex(self.secret), shares, self.name)
        table = self.set_up(self.rules, ProvableDealer(self.root))
        outcome = StageOutcome(table, events=game_of(table).advance(table))
        outcome.tally.see(outcome.events)
        return outcome

    @property
    def misorders(self) -> Misorders:
        """Return what is done with orders that fail: `hold` or `return`. While the stage is locked, always `hold`."""
        # After a lock, a player whose orders were sent back could make a new choice.
        return "hold" if self.public.binds else self.public.settings.conduct.misorders

    def sources(self, table: Table, tally: Tally, mute: Collection[str] = ()) -> Sources:
        """Return the source of answers of each player with valid letters. Players in `mute` are left out."""
        found = {}
        for player in sorted({*self.orders_in_force, *self.plans, *self.ahead} - {*mute}):
            orders = self.orders_in(self.orders_in_force.get(player))
            found[player] = PlayerSource(
                source_of(table, orders, tally, self.orders_in_force[player].remains, self.stage) if orders else None,
                self.standing_plans(player, table, tally),
                self.orders_ahead(player, table, tally),
            )
        return found

    def orders_ahead(
        self, player: str, table: Table, tally: Tally, new: LetterAhead | None = None, kind: str = ""
    ) -> AheadSource | None:
        """Return the source of the orders that a player has given in advance, or None if there are none. A new letter
        can be given as `new`, and its kind as `kind`. It then replaces the player's earlier letter of this kind."""
        known = self.ahead.get(player, AheadInForce())
        own = {"orders": self.orders_in_force.get(player), "plan": self.plans.get(player)}
        force = [*known.letters, *(letter for its, letter in own.items() if its != kind)]
        letters = letters_ahead(force, self.orders_in, *([new] if new else ()))
        return AheadSource(table, letters, tally, known.in_use) if letters else None

    def standing_plans(self, player: str, table: Table, tally: Tally) -> PlanSource | None:
        """Return the source of a player's standing plans, or None if the player has none."""
        force = self.plans.get(player)
        plans = self.orders_in(force)
        if force is None or plans is None:
            return None
        return standing_source(table, plans, tally, force.remains, self.letters(force.entry).letter.stage)

    def orders_in(self, force: LetterInForce | None) -> Orders | None:
        """Return a copy of the orders of a valid letter. Return None if there is no letter, or if revealed parts cannot
        be read."""
        if force is None:
            return None
        at = (force.entry, force.reveals)
        if at not in self.readings:
            self.readings = {key: read for key, read in self.readings.items() if key[0] in self.entries_in_force()}
            self.readings[at] = self.read(force)
        read = self.readings[at]
        return read.copy() if read else None

    def entries_in_force(self) -> set[int]:
        ahead = [force for known in self.ahead.values() for force in known.letters]
        return {force.entry for force in (*self.orders_in_force.values(), *self.plans.values(), *ahead)}

    def read(self, force: LetterInForce) -> Orders | None:
        """Return the orders of a letter, or None if parts that were revealed later cannot be read. All callers get the
        same object: never remove orders from it."""
        held = self.letters(force.entry)
        opened = dict(held.opened)
        letter = held.letter
        announced = parts_of(letter)
        for entry in force.reveals:
            shown_there = revealed_parts(self.letters(entry).letter)
            opened |= {slot: part for slot, part in shown_there.items() if slot in announced}
        try:
            return self.said.orders(letter, opened)
        except Refused:  # only revealed parts can be unreadable; all other parts were judged when they came
            return None

    def record(
        self,
        number: int,
        outcome: StageOutcome,
        absent: dict[str, str],
        forfeited: dict[str, tuple[str, ...]],
    ) -> r.AdjudicationRecord:
        """Return the record of an adjudication with this outcome, without the deadline. `number` is the number of its
        entry. `absent` and `forfeited` become fields of the record."""
        public, shuffles = self.public, shuffles_of(outcome)
        seen = all_seen_by(outcome.events, ())
        made = {**self.made, **dict(shuffles)}
        return r.AdjudicationRecord(
            version=public.version + 1,
            stage=self.stage,
            used=tuple(sorted(force.entry for force in (*self.orders_in_force.values(), *self.plans.values()))),
            events=tuple(as_texts(event) for event in seen),
            record=self.commitment(number, "record", account_of(outcome)),
            state=self.commitment(number, "state", dump_position(outcome.table)),
            next=next_of(outcome.table, outcome.answering, public.protocol),
            dealt=tuple(
                r.DealtShuffle(shuffle, tuple(position_hashes(self.root, shuffle, order)))
                for shuffle, order in shuffles
            ),
            openings=openings(self.root, made, seen) if public.settings.conduct.proofs == "at once" else (),
            absent=absent,
            returned=tuple(outcome.returned),
            forfeited=forfeited,
            drawn=lot_of(public.settings, self.root) if is_lot_due(public) else {},
        )

    def commitment(self, number: int, slot: str, content: bytes) -> str:
        """Return the commitment to `content`, which is secret until the close. `number` is the entry to which the
        content belongs, and `slot` is its name."""
        salt = derive(self.root, f"{slot}/{number}", 32)
        return commit(Slot(self.name, str(number), "moderator", slot), salt, hashlib.sha256(content).digest())

    def orders_still_in_force(self, outcome: StageOutcome) -> dict[str, LetterInForce]:
        """Return each player's letter of orders that stays valid after an adjudication: its stage is not over, and it
        was not sent back."""
        same_stage = stage_of(outcome.table) == self.stage
        return {
            player: LetterInForce(force.entry, outcome.remains[player], force.reveals)
            for player, force in self.orders_in_force.items()
            if same_stage and player in outcome.remains
        }

    def letters_staying(self, outcome: StageOutcome) -> dict[str, LetterInForce]:
        """Return each player's letter of orders that was neither sent back nor forfeited. The orders for later stages
        in these letters may stay valid."""
        gone = {*outcome.returned, *(unrevealed_parts(self.public) if self.public.locked else ())}
        return {player: force for player, force in self.orders_in_force.items() if player not in gone}

    def settle(self, number: int, outcome: StageOutcome) -> None:
        """Bring the secret state to the position after the adjudication in the entry `number`."""
        before = dict((self.table or outcome.table).state.field.alliances.player)
        self.ahead = ahead_after(self.ahead, self.letters_staying(outcome), self.orders_in, outcome)
        self.orders_in_force = self.orders_still_in_force(outcome)
        forfeited = self.public.unshown if self.public.locked else {}
        self.plans = {
            player: replace(force, remains=outcome.used.get(player, force.remains))
            for player, force in self.plans.items()
            if player not in forfeited
        }
        self.tally = outcome.tally
        # The field `made` of the new dealer will have only the shuffles of the next adjudication. These are published
        # as `dealt`.
        self.table = copy_of(outcome.table, ProvableDealer(self.root))
        self.made.update(shuffles_of(outcome))
        after = outcome.table.state.field.alliances.player
        lasting = {power: player for power, player in before.items() if after[power] == player}
        self.news.append(StageNews(number, outcome.events, outcome, dict(self.made), lasting))

    def turn_back(
        self, number: int, time: str, record: r.RollbackRecord, then: Snapshot, fingerprint: str = ""
    ) -> None:
        """Carry out a rollback to the snapshot `then`. Players, keys and sent reports stay as they are. Raises
        `Disagreement` if the entry's `next` does not fit the restored position."""
        self.table = restore_table(self.rules, bytes(then.state), ProvableDealer(self.root))
        taken = {player: who.since for player, who in self.public.players.items()}
        self.made, self.orders_in_force, self.tally = then.made, {}, then.tally
        self.draws, self.memory = then.draws, then.memory
        self.plans = {
            player: force
            for player, force in then.plans.items()
            # Plans that were hidden then are left out, because nothing has to be revealed after a rollback
            # (`turn_back`).
            if force.entry > taken[player] and player not in then.public.unshown
        }
        self.ahead = {player: ahead_at(known, taken[player]) for player, known in then.ahead.items()}
        self.check_next(number, record)
        add_entry(self.public, number, time, record, fingerprint)

    def check_next(self, number: int, record: r.RollbackRecord) -> None:
        """Raise `Disagreement` if the `next` in the entry of a rollback does not fit the present position. The deadline
        is not compared. `number` is the number of the entry."""
        expected = self.next_awaited()
        if not says_the_same(expected, replace(record.next, deadline="")):
            raise Disagreement(number, words("waits-for"))

    def next_awaited(self) -> r.Next:
        """Return the present stage and the players whose letters are awaited, in the form of the field `next` of
        entries."""
        assert self.table is not None
        return next_of(self.table, (), self.public.protocol)


def shuffles_of(outcome: StageOutcome) -> list[tuple[int, list[int]]]:
    """Return each shuffle in an adjudication: its number, and the order of its cards."""
    dealer = outcome.table.dealer
    assert isinstance(dealer, ProvableDealer)
    return dealer.made
