"""Carrying out of a stage: answers are taken from the valid letters of all players, until an open decision has no
answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.bots.plain import hold
from pbem.campaign.ledger.public_state import CARDS_OF_ONE_COMBAT
from pbem.campaign.ledger.records import PROTOCOL
from pbem.campaign.play.ahead import AheadInUse, LetterAhead, ahead_in
from pbem.campaign.play.mishaps import FailedOrder, PlanNote, march_in
from pbem.campaign.play.snapshot import AheadInForce, LetterInForce
from pbem.campaign.play.sources import PlayerSource
from pbem.engine.decisions import Answer, Decision, Move, PlayCard
from pbem.engine.events import BattleTied, BattleWon, Event
from pbem.engine.field import OFF
from pbem.engine.nouns import NO_POWER, City, Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import GameRules, StageName, Table, deep_copy, player_of, stage_of, turn_of
from pbem.kit import AnyGame, game_named, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.orders.files import Orders
from pbem.paper.orders.section import GivenAnswer, Unusable, fault_of
from pbem.paper.orders.sequence import Sequencing
from pbem.paper.plans.ahead import stage_in
from pbem.plans.sight import Tally
from pbem.plans.source import topic_of

Turns = Literal["one after the other", "alternating", "as is legal"]
"""Sequence in which the powers that act at the same time carry out their orders. If orders fail in one sequence, the
next is tried. `as is legal` is tried only if the rules leave the sequence open."""

Misorders = Literal["hold", "return"]
"""Treatment of orders that cannot be carried out. `hold`: they are skipped. `return`: the whole letter is sent back."""

Sources = Mapping[str, PlayerSource]
"""Dict from each player with a valid letter to the source of the player's answers."""


class CarriedAnswer(Struct, frozen=True, array_like=True):
    """An answer that was carried out, from a letter or by default."""

    power: Power
    answer: Answer
    by: Literal["orders", "default"]


class PlanAnswer(Struct, frozen=True):
    """An answer that came from a player's plans, from orders given in advance, or from a default."""

    player: str
    decision: Decision
    answer: Answer
    is_ahead: bool
    """True if the answer comes from orders given in advance."""
    fight: City = OFF
    """City of the defenders in the combat in which the answer was given; OFF outside combats."""


class StageOutcome(Struct):
    """Result of carrying out a stage: the new table, with all events, answers, failures and unused orders."""

    table: Table
    events: list[Event] = field(default_factory=list)
    answers: list[CarriedAnswer] = field(default_factory=list)
    ordered: set[int] = field(default_factory=set)
    """Indices of the answers that come from orders for this stage, and not from plans or from orders given in
    advance."""
    planned: list[PlanAnswer] = field(default_factory=list)
    """Answers that come from players' plans or from orders given in advance."""
    defaulted: list[PlanAnswer] = field(default_factory=list)
    """Answers that defaults gave for players."""
    slips: list[FailedOrder] = field(default_factory=list)
    notes: list[PlanNote] = field(default_factory=list)
    """Notes for players about their plans."""
    returned: list[str] = field(default_factory=list)
    """Players whose letters are sent back, because they could not be carried out."""
    remains: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    """Dict from each player whose letter's stage is not over to the unused orders (`PlayerSource.remains`)."""
    used: dict[str, dict[str, dict[str, int]]] = field(default_factory=dict)
    """Dict from each player to the used lines of scripts (`PlayerSource.used_lines`)."""
    ahead: dict[str, dict[Power, AheadInUse]] = field(default_factory=dict)
    """Dict from each player to the state of the orders that the player has given in advance for the stage that was
    reached."""
    tally: Tally = field(default_factory=Tally)
    """Public cards of the latest combat."""
    answering: set[str] = field(default_factory=set)
    """Players whose letters answer all their next decisions."""


class Lapses(Struct, frozen=True):
    """Rules for missing and failing orders in one adjudication."""

    absent: frozenset[str] = frozenset()
    """Players for whom defaults answer in the present stage."""
    forfeiting: frozenset[str] = frozenset()
    """Players who have forfeited a sealed part: they play no further card in the present stage."""
    misorders: Misorders = "hold"
    """Treatment of orders that fail: skip them (`hold`), or send them back (`return`)."""
    protocol: int = PROTOCOL
    """Protocol of the campaign. Before `CARDS_OF_ONE_COMBAT`, cards that a combat left over were played in the next
    one."""


def resolve(
    copy: Callable[[], Table], sources: Callable[[Table, Tally], Sources], tally: Tally, lapses: Lapses
) -> StageOutcome:
    """Carry out the valid letters on a copy of the table, and return the outcome. If orders fail, other sequences of
    powers (`Turns`) are tried on further copies, and the outcome with the fewest failed orders is returned. `copy`
    makes a copy of the table. `sources` returns each player's source of answers for a table."""

    def attempt(turns: Turns) -> StageOutcome:
        return StageAttempt(copy(), sources, deep_copy(tally), lapses, turns).run()

    best = attempt("one after the other")
    others: list[Turns] = ["alternating"]
    if best.table.rules.common.sequence == "any":
        others.append("as is legal")
    for turns in others:
        if best.slips and len((outcome := attempt(turns)).slips) < len(best.slips):
            best = outcome
    return best


def answering_players(table: Table, sources: Sources) -> set[str]:
    """Return the players whose letters answer all their open decisions."""
    asked: dict[str, bool] = {}
    for decision in game_of(table).decisions(table):
        player = player_of(table, decision.power)
        source = sources.get(player)
        asked[player] = asked.get(player, True) and source is not None and source.speaks_of(decision)
    return {player for player, has_all in asked.items() if has_all}


class StageAttempt:
    """One attempt to carry out the valid letters, on a table of its own."""

    def __init__(
        self, table: Table, sources: Callable[[Table, Tally], Sources], tally: Tally, lapses: Lapses, turns: Turns
    ) -> None:
        """Store the table, which the attempt changes. `sources` is a function that returns each player's source of
        answers. `turns` is the rule for the sequence of powers that may act at the same time."""
        self.table = table
        self.game: AnyGame = game_of(table)
        self.stage = stage_of(table)
        """The only stage in which letters and defaults give answers."""
        self.tally = tally
        self.sources = dict(sources(self.table, tally))
        self.absent = lapses.absent
        self.forfeiting = lapses.forfeiting
        self.misorders = lapses.misorders
        self.cards_stay = lapses.protocol < CARDS_OF_ONE_COMBAT
        self.turns = turns
        self.outcome = StageOutcome(self.table, tally=tally)
        self.failed: set[tuple[str, type[Decision]]] = set()
        """Decisions for which a player's order failed."""
        self.answered: Counter[str] = Counter()
        self.sequencing = Sequencing()

    def run(self) -> StageOutcome:
        """Carry out answers until an open decision has none, or the game is over. Return the outcome."""
        for player, source in list(self.sources.items()):
            self.carry_out_free_orders(player, source)
        while (due := self.next_due()) is not None:
            self.answer(due)
        for player, source in self.sources.items():
            if (left := source.remains()) is not None:
                self.outcome.remains[player] = left
            self.outcome.used[player] = source.used_lines()
        self.outcome.answering = answering_players(self.table, self.sources)
        self.note_what_is_left()
        self.outcome.ahead |= {player: source.in_use() for player, source in self.sources.items()}
        return self.outcome

    def note_what_is_left(self) -> None:
        """Note why plans and orders given in advance do not answer the open decisions."""
        for decision in self.game.decisions(self.table):
            player = player_of(self.table, decision.power)
            if source := self.sources.get(player):
                self.note(player, decision, source.why_not(decision))

    def note(self, player: str, decision: Decision, faults: Iterable[Fault], march: Move | None = None) -> None:
        """Note faults of a player's plans for this decision."""
        about = topic_of(self.table, decision)
        self.outcome.notes += [PlanNote(player, decision.power, about, fault, march) for fault in faults]

    def carry_out_free_orders(self, player: str, source: PlayerSource) -> None:
        """Carry out those orders of a player that answer no decision, such as transfers of troops or contracts."""
        own = [power for power in source.powers() if player_of(self.table, power) == player]
        for power in own:
            for given in source.take_free_orders(power):
                self.attempt(player, power, given)

    def next_due(self) -> Decision | None:
        """Return the decision to answer next. Return None if an open decision has no answer, or if no decision is open.
        When a stage has ended, first drop its orders and defaults."""
        if stage_of(self.table) != self.stage:
            self.stage, self.failed = stage_of(self.table), set()
            # These orders and defaults were for the stage that is over.
            self.absent = self.forfeiting = frozenset()
            for source in self.sources.values():
                source.end_of_stage()
        open_now = self.game.decisions(self.table)
        if not open_now or not all(self.has_answer(decision) for decision in open_now):
            return None
        if self.turns == "alternating":
            # The power that is last in the order of play answers first (MARIA §10.1).
            return min(reversed(open_now), key=lambda decision: self.answered[decision.power])
        found = self.next_legal(open_now) if self.turns == "as is legal" else None
        return found or open_now[0]

    def next_legal(self, open_now: Sequence[Decision]) -> Decision | None:
        """Return the next decision in a sequence of powers in which all orders are legal. Return None if there is no
        such sequence."""
        asked: dict[str, list[Decision]] = {}
        for decision in open_now:
            if (player := player_of(self.table, decision.power)) in self.sources:
                asked.setdefault(player, []).append(decision)
        players = [self.sources[player].order_source(self.table, own) for player, own in asked.items()]
        ordered = [decision for decision in open_now if any(orders.speaks_of(decision) for orders in players)]
        return self.sequencing.next(self.table, players, ordered)

    def has_answer(self, decision: Decision) -> bool:
        """True if a letter or a default answers this decision. No order is used up."""
        player = player_of(self.table, decision.power)
        if player in self.absent or self.has_forfeited(player, decision):
            return True
        if (decision.power, type(decision)) in self.failed:
            return True
        source = self.sources.get(player)
        return source is not None and source.speaks_of(decision)

    def has_forfeited(self, player: str, decision: Decision) -> bool:
        """True if a decision asks for a card, but a sealed part of the player is forfeited, so that the player may play
        no card."""
        return player in self.forfeiting and isinstance(decision, PlayCard)

    def answer(self, decision: Decision) -> None:
        """Answer one decision from its player's letter, or by default. If an order cannot be understood or carried out,
        note that it failed (`slip`)."""
        player = player_of(self.table, decision.power)
        if self.has_forfeited(player, decision):
            self.answer_by_default(decision)
            return
        source = self.sources.get(player)
        given: GivenAnswer | None = None
        if source is not None:
            try:
                given = source.answer(decision)
            except Unusable as refusal:
                self.slip(player, decision, fault_of(refusal, refusal.node, self.table.rules))
                return
        if given is not None:
            self.note(player, decision, given.warnings, march_in(given.answer))
            self.attempt(player, decision.power, given, decision)
            self.answered[decision.power] += 1
        # With `hold`, a failed line of orders is used up. A later line of the letter is tried before the default.
        elif player in self.absent or (decision.power, type(decision)) in self.failed:
            self.failed.discard((decision.power, type(decision)))
            self.answer_by_default(decision)

    def answer_by_default(self, decision: Decision) -> None:
        player, answer = player_of(self.table, decision.power), hold(self.table, decision, Random(0))  # noqa: S311 - never asked
        fight = self.apply(decision.power, answer, "default")
        self.outcome.defaulted.append(PlanAnswer(player, decision, answer, False, fight))
        self.answered[decision.power] += 1

    def attempt(self, player: str, power: Power, order: GivenAnswer, decision: Decision | None = None) -> None:
        """Carry out an order. If the rules refuse it, note that it failed (`slip`). `decision` is None for an order
        that answers no decision."""
        try:
            fight = self.apply(power, order.answer, "orders")
        except IllegalOrder as refusal:
            fault = fault_of(refusal, order.node_of(refusal.where), self.table.rules)
            self.slip(player, decision, fault, power, march_in(order.answer))
        else:
            if order.is_of_stage:
                self.outcome.ordered.add(len(self.outcome.answers) - 1)
            elif decision is not None:
                self.outcome.planned.append(PlanAnswer(player, decision, order.answer, order.is_ahead, fight))
            if decision is not None:
                self.failed.discard((power, type(decision)))

    def apply(self, power: Power, answer: Answer, origin: Literal["orders", "default"]) -> City:
        """Carry out an answer, and record it. `origin` says where the answer comes from. Return the field `fight` of
        the `PlanAnswer`. Raises `IllegalOrder` for an illegal answer."""
        duel = self.table.state.duel
        fighters = (duel.attacker, duel.defender) if duel else ()
        events = self.game.apply(self.table, power, answer)
        self.tally.see(events)
        has_ended = any(isinstance(event, BattleWon | BattleTied) for event in events)
        for source in self.sources.values():
            source.note_act(power)
            if has_ended and not self.cards_stay:
                source.drop_cards(fighters)
        self.outcome.events += events
        self.outcome.answers.append(CarriedAnswer(power, answer, origin))
        return duel.defending_city if duel else OFF

    def slip(
        self, player: str, decision: Decision | None, fault: Fault, power: Power = NO_POWER, march: Move | None = None
    ) -> None:
        """Note that an order failed. If `misorders` is `return`, the player's whole letter is sent back; otherwise only
        this order is skipped. `decision` is None for an order that answers no decision."""
        source = self.sources.pop(player, None) if self.misorders == "return" else None
        is_alone = source is None or not source.has_more_orders
        power = decision.power if decision else power
        self.outcome.slips.append(FailedOrder(player, power, fault, march, brings_back_others=not is_alone))
        if self.misorders == "return":
            if source:
                self.outcome.used[player] = source.used_lines()
                self.outcome.ahead[player] = source.in_use()
            if player not in self.outcome.returned:
                self.outcome.returned.append(player)
        elif decision is not None:
            self.failed.add((decision.power, type(decision)))


ReadForce = Callable[[LetterInForce], Orders | None]
"""Function that reads the orders of a valid letter. It returns None if they cannot be read."""


def newest_first(letters: Iterable[LetterInForce | None]) -> list[LetterInForce]:
    """Return these letters without duplicates, the newest first."""
    found = {force.entry: force for force in letters if force is not None}
    return [found[entry] for entry in sorted(found, reverse=True)]


def letters_ahead(letters: Iterable[LetterInForce | None], read: ReadForce, *others: LetterAhead) -> list[LetterAhead]:
    """Return the orders given in advance in `letters`, together with `others`. The newest letter comes first. Letters
    without such orders are left out. `read` is a function that returns a letter's orders."""
    found = [(force.entry, read(force)) for force in newest_first(letters)]
    ahead = [*others, *(LetterAhead(entry, ahead_in(orders)) for entry, orders in found if orders)]
    return sorted((letter for letter in ahead if letter.blocks), key=lambda letter: -letter.entry)


def ahead_after(
    before: Mapping[str, AheadInForce], carried_out: Mapping[str, LetterInForce], read: ReadForce, outcome: StageOutcome
) -> dict[str, AheadInForce]:
    """Return the orders given in advance that stay valid after an adjudication, by player. `before` has those that were
    valid before. `carried_out` has the letters of orders that the adjudication used. `read` is a function that returns
    a letter's orders."""
    found: dict[str, AheadInForce] = {}
    for player in sorted({*before, *carried_out, *outcome.ahead}):
        known = before.get(player, AheadInForce()).letters
        letters = newest_first([*known, carried_out.get(player)])
        staying = [force for force in letters if is_ahead(force, read, outcome)]
        in_use = outcome.ahead.get(player, {})
        if staying or in_use:
            found[player] = AheadInForce([replace(force, remains=None) for force in staying], dict(in_use))
    return found


def is_ahead(force: LetterInForce, read: ReadForce, outcome: StageOutcome) -> bool:
    """True if a letter has orders for the stage that was reached, or for a later stage of the same turn. `read` is a
    function that returns the letter's orders."""
    table = outcome.table
    blocks = [block for letter in letters_ahead([force], read) for each in letter.blocks.values() for block in each]
    return any(not is_past(table.rules, stage_in(block), stage_of(table)) for block in blocks)


def is_past(rules: GameRules, stage: str, now: str) -> bool:
    """True if a stage is of another turn than the stage `now`, or earlier in the same turn."""
    one, other = StageName.read(stage), StageName.read(now)
    assert one is not None
    if other is None or one.turn != other.turn:
        return True
    stages = game_named(rules.terms.game).stages(rules, one.turn)
    return other.stage in stages and stages.index(one.stage) < stages.index(other.stage)


def ahead_at(known: AheadInForce, since: int) -> AheadInForce:
    """Return the orders given in advance for a seat, without those of former players. `since` is the entry by which the
    present player took the seat."""
    return replace(known, letters=[force for force in known.letters if force.entry > since])


def legal_stages(table: Table, power: Power, now: str) -> tuple[str, ...]:
    """Return the stages of the same turn after `now` in which a power acts."""
    own = table.state.field.alliances.stage[power]
    stages = game_named(table.rules.terms.game).stages(table.rules, turn_of(now))
    found = (f"{turn_of(now)}/{stage}" for stage in stages if game_of(table).acting_in(stage) == own)
    return tuple(stage for stage in found if stage != now and not is_past(table.rules, stage, now))
