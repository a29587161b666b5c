"""Trials of a player's orders that use only what the player knows."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.ledger.seats import person_in
from pbem.campaign.letters.joining import LetterVerdict
from pbem.campaign.letters.letterbox import OpenedPart, entry_of, orders_of
from pbem.campaign.letters.misplaced_orders import (
    foreign_fault,
    foreign_faults,
    misplaced_faults,
    standing_warnings,
)
from pbem.campaign.letters.reminding import (
    CarriedOrder,
    RemindedPlayer,
    carried_order,
    faults_foreseen,
    reminders,
    reminders_ahead,
)
from pbem.campaign.letters.replaced_orders import (
    blocks_in_force,
    counting_warnings,
    dropped_plans,
    replaced_warnings,
    unsealed_blocks,
)
from pbem.campaign.play.ahead import LetterAhead, ahead_in
from pbem.campaign.play.secret_state import SecretState
from pbem.campaign.play.sources import PlayerSource, source_of, standing_source
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import ChooseBattle, ChooseRetreat, Decision, March, Move, PlayCard, Recruitment
from pbem.engine.events import Event
from pbem.engine.nouns import Power, each_piece
from pbem.engine.refused_ways import way_but_for
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table, deep_copy, player_of, stage_of
from pbem.faults.wrong import Wrong, words, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.agreements import in_force
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode
from pbem.paper.letters import Letter
from pbem.paper.library import game_paper
from pbem.paper.orders.files import PLANS, Orders, have_battles_begun, orders_by, section_of, sections_before_battles
from pbem.paper.orders.names import MOVES
from pbem.paper.orders.section import GivenAnswer, Unusable, faults_of, overpayment, unless_exchanged, with_way_cleared
from pbem.paper.orders.trial import unused_warnings
from pbem.plans.sight import Tally

FORESEEN = 4
"""First protocol that refuses orders for later stages which can never be carried out."""


def try_out(state: SecretState, letter: Letter, opened: dict[str, OpenedPart], verdict: LetterVerdict) -> bool:
    """Try the orders of a letter on a copy of the table. Note the faults of the orders in the verdict, and the powers
    whose decisions they do not answer. Return True if the orders answer all decisions of the player."""
    assert state.table is not None
    # The trial has a dealer of its own. With the campaign's dealer it would draw the cards that are still to come.
    table = copy_of(state.table, SeededDealer("nothing is dealt in a trial"))
    try:
        found = state.said.orders(letter, opened).copy()
    except Refused as refused:
        verdict.faults += faults_beside(table, letter, opened, refused)
        return False
    verdict.faults += [*standing_warnings(found), *misplaced_faults(found, table.rules, letter.stage, table)]
    verdict.faults += dropped_plans(state, letter, found)
    who = reminded_writer(state, letter)
    verdict.faults += faults_of_ahead(state, letter, found, who)
    own = [power for power in found.powers if player_of(table, power) == letter.sender]
    tally = deep_copy(state.tally)
    standing = state.standing_plans(letter.sender, table, tally)
    blocks = LetterAhead(state.public.entry + 1, ahead_in(found))
    ahead = state.orders_ahead(letter.sender, table, tally, blocks, "orders")
    source = PlayerSource(source_of(table, found, tally, None, state.stage), standing, ahead)
    probe = Probe(table, letter.sender, source, tally, verdict)
    verdict.missing = unanswered_powers(probe, found)
    deals = in_force(table.rules, state.public.deals, state.stage)
    quiet = places_sealed(state, letter)
    told = [order for order in probe.carried if (order.node.line, order.node.column) not in quiet]
    verdict.faults += [fault for fault in probe.strange if (fault.line, fault.column) not in quiet]
    verdict.faults += reminders(table, replace(who, stage=state.stage, deals=deals), told)
    for power, sections in found.powers.items():
        if power not in own and player_of(table, power) != letter.sender:
            verdict.refuse(foreign_fault(table, letter.sender, power), node=sections.node)
    return not verdict.missing


ALONE = ("E-MARCH-CROSSING", "E-MARCH-LENGTH", "E-MARCH-MAP", "E-MARCH-OFF", "E-MARCH-ROAD")
"""Codes of the faults of a march that do not depend on where other pieces stand."""


def faults_beside(table: Table, letter: Letter, opened: dict[str, OpenedPart], refused: Refused) -> list[Wrong]:
    """Return the faults of the orders in a letter that was refused because some of its orders cannot be understood.
    `refused` has the faults of these. If a name in them may mean several cities, only cities that can be reached on the
    table are offered.

    The other orders are tried on the table, which changes it. A fault that may only follow from the missing orders is
    left out, and a warning then says that not all is judged.
    """
    verdict, reader = LetterVerdict(), Reader("letter", guesses=True)
    try:
        found = orders_by(reader, orders_of(letter, opened), table.rules, table)
    except Refused:
        return [*refused.faults]
    told = reader.faults_again(refused.faults)
    told += [*standing_warnings(found), *misplaced_faults(found, table.rules, letter.stage, table)]
    told += foreign_faults(table, letter.sender, found)
    free = {row.name for row in game_paper(table).sections if row.is_free}
    whole = {power: written for power, written in found.powers.items() if written.unread.isdisjoint(free)}
    is_judged = all(power in whole or not written.sections for power, written in found.powers.items())
    found.powers = whole
    for written in found.powers.values():
        # Otherwise plans would answer decisions whose orders could not be understood.
        written.sections.pop(PLANS, None)
    orders_tried_alone(table, letter.sender, found, verdict)
    places = {(fault.line, fault.column) for fault in refused.faults if isinstance(fault, Fault)}
    may_follow = any(MOVES in written.unread for written in found.powers.values())
    tried = [fault for fault in verdict.faults if isinstance(fault, Fault) and not fault.is_warning]
    # If the city of a march was only guessed, the march is not judged. Otherwise the fault might be about a city that
    # nobody has named.
    tried = [fault for fault in tried if fault.code not in ALONE or (fault.line, fault.column) not in places]
    alone = (*ALONE, "E-CARD-HAND")
    sure = [each for each in tried if not may_follow or each.code in alone or (each.line, each.column) < min(places)]
    return [*told, *sure, *([] if is_judged and len(sure) == len(tried) else [wrong("W-ORDER-UNCHECKED")])]


def places_sealed(state: SecretState, letter: Letter) -> Collection[tuple[int, int]]:
    """Return line and column of each sealed part of a letter. A receipt that is not sealed must tell nothing about
    these places. If the seat's receipts are sealed, return no places."""
    if state.public.settings.seats[letter.sender].reports == "sealed":
        return ()
    sealed = entry_of(letter.body, "sealed")
    return sealed.places.values() if isinstance(sealed, MappingNode) else ()


def reminded_writer(state: SecretState, letter: Letter) -> RemindedPlayer:
    """Return the writer of a letter as a player who may be reminded of agreements."""
    language = person_in(state.public, state.people, letter.sender).language or "en"
    return RemindedPlayer(letter.sender, letter.stage, tuple(state.public.deals), language)


def faults_of_ahead(state: SecretState, letter: Letter, found: Orders, who: RemindedPlayer) -> list[Fault]:
    """Return the faults of the orders that a letter gives in advance, together with two kinds of warnings. One names
    earlier orders that the letter cancels or leaves valid. The other names agreements that the letter's orders for
    later stages touch."""
    assert state.table is not None
    standing, quiet = [*blocks_in_force(state, letter.sender)], places_sealed(state, letter)
    if state.public.settings.seats[letter.sender].reports != "sealed":
        standing = [*unsealed_blocks(state, standing)]
    gone = replaced_warnings(letter.kind, letter.stage, found, standing)
    left = counting_warnings(letter.kind, letter.stage, found, standing, state.table)
    told = [fault for fault in (*gone, *left) if (fault.line, fault.column) not in quiet]
    return [*told, *reminders_ahead(state.table, who, found, quiet), *faults_told_of_ahead(state, letter, found, quiet)]


def faults_told_of_ahead(
    state: SecretState, letter: Letter, found: Orders, quiet: Collection[tuple[int, int]]
) -> list[Fault]:
    """Return the faults of the orders that a letter gives in advance, without warnings at the places `quiet`. In older
    protocols impossible marches are no fault: if there are any, return an empty list."""
    assert state.table is not None
    told = faults_foreseen(state.table, letter.sender, found)
    if any(not fault.is_warning for fault in told):
        return told if state.public.protocol >= FORESEEN else []
    return [fault for fault in told if (fault.line, fault.column) not in quiet]


def answers_all(state: SecretState, player: str, plans: Orders, entry: int) -> bool:
    """True if plans, together with the orders that came in, answer all present decisions of a player. `entry` is the
    entry of the letter with the plans. Sealed orders that must still be revealed count as a full answer. If the player
    has no decision, return False."""
    assert state.table is not None
    asked = [d for d in game_of(state.table).decisions(state.table) if player_of(state.table, d.power) == player]
    pending = state.public.pending.get(player)
    if pending and pending.slots and state.public.settings.conduct.sealing == "reveal":
        return bool(asked)
    before = state.sources(state.table, state.tally).get(player)
    standing = standing_source(state.table, plans, state.tally, None, state.stage)
    ahead = state.orders_ahead(player, state.table, state.tally, LetterAhead(entry, ahead_in(plans)), "plan")
    source = PlayerSource(before.written if before else None, standing, ahead)
    return bool(asked) and all(source.speaks_of(decision) for decision in asked)


class StandingOrders(Struct, frozen=True):
    """Standing plans, and the stage that their letter names."""

    plans: Orders
    stage: str


def orders_tried_alone(
    table: Table, player: str, found: Orders, verdict: LetterVerdict, stands: StandingOrders | None = None
) -> list[CarriedOrder]:
    """Try a player's orders without those for later stages, and return the orders that were carried out. Decisions that
    the orders leave open are answered by the standing plans in `stands`. Faults are noted in `verdict`."""
    tally = Tally()
    standing = standing_source(table, stands.plans, tally, None, stands.stage) if stands else None
    source = PlayerSource(source_of(table, found, tally, None, stage_of(table)), standing)
    probe = Probe(table, player, source, tally, verdict)
    verdict.missing = unanswered_powers(probe, found)
    verdict.faults += probe.strange
    return probe.carried


def unanswered_powers(probe: Probe, found: Orders) -> list[Power]:
    """Run a probe, and return the powers whose orders are incomplete. Warnings about unused orders are noted in the
    probe's verdict."""
    before = stage_of(probe.table)
    missing = probe.run()
    if probe.verdict.is_refused:
        return missing
    told: Collection[Power] = ()
    if not probe.revealed and (stage_of(probe.table) != before or not probe.is_waiting_for_others()):
        probe.verdict.faults += unused_warnings(found, missing)
        told = found.powers.keys() - missing
    stages, acting = probe.begun.state.field.alliances.stage, game_of(probe.begun).acting_in(probe.begun.state.stage)
    is_late = stage_of(probe.table) != before or have_battles_begun(probe.table)
    # Powers of other stages, and all in a battle, may still be asked for cards or a retreat, but never for a march.
    asked = [] if is_late else [each for each in stages if stages[each] == acting]
    probe.strange += unused_warnings(found, {*told, *asked}, sections_before_battles(probe.table))
    return missing


class Probe:
    """Trial of a player's orders. It ends as soon as it would show something that the player does not know."""

    def __init__(self, table: Table, player: str, source: PlayerSource, tally: Tally, verdict: LetterVerdict) -> None:
        """Make a trial of a player's orders on `table`. The trial changes the table, and adds what it finds to
        `verdict`."""
        self.table = table
        self.begun = copy_of(table)
        """Table before the orders."""
        self.game = game_of(table)
        self.player = player
        self.source = source
        self.tally = tally
        self.verdict = verdict
        self.revealed = False
        self.asked: tuple[Decision, ...] | None = None
        """All open decisions, kept until an answer is carried out."""
        self.stage = stage_of(table)
        self.carried: list[CarriedOrder] = []
        """Orders carried out in the present stage."""
        self.strange: list[Fault] = []
        """Warnings about the way in which the orders are written."""

    def run(self) -> list[Power]:
        """Carry out the orders that answer open decisions, until one is refused or shows something hidden. Return the
        powers that have an open decision which their orders do not answer."""
        asked = self.own_decisions()
        silent = [decision.power for decision in asked if not self.source.speaks_of(decision)]
        first = {decision.power: type(decision) for decision in asked}
        own = [power for power in self.source.powers() if player_of(self.table, power) == self.player]
        for power in own:
            for given in self.source.take_free_orders(power):
                self.attempt(power, given)
        # Orders after an illegal order are judged, too. But this is not done in a battle, which would take another
        # course without the illegal order.
        while not self.revealed and (not self.verdict.is_refused or self.is_before_battle()) and self.step():
            pass
        if self.revealed or self.verdict.is_refused:
            return silent
        # A power that still has a decision of the same kind has too few orders; those of other kinds come later.
        left = {decision.power: type(decision) for decision in self.own_decisions()}
        return list(dict.fromkeys([*silent, *(power for power, kind in left.items() if first.get(power) is kind)]))

    def open_now(self) -> tuple[Decision, ...]:
        """Return all open decisions of all players."""
        if self.asked is None:
            self.asked = self.game.decisions(self.table)
        return self.asked

    def own_decisions(self) -> list[Decision]:
        return [d for d in self.open_now() if player_of(self.table, d.power) == self.player]

    def is_before_battle(self) -> bool:
        """True if no battle is being fought."""
        return not any(isinstance(decision, ChooseBattle | PlayCard | ChooseRetreat) for decision in self.open_now())

    def is_waiting_for_others(self) -> bool:
        """True if other players have an open decision now."""
        return len(self.open_now()) > len(self.own_decisions())

    def step(self) -> bool:
        """Carry out one answer, and return True. Return False if no open decision has an answer. If an answer cannot be
        understood, note a fault, and go on to the next decision."""
        for decision in self.source.in_turn(self.table, self.own_decisions()):
            try:
                given = self.source.answer(decision)
            except Unusable as refusal:
                self.verdict.faults += faults_of(refusal, self.table.rules)
                continue
            if given is not None:
                self.strange += self.plans_passed_over(decision, given)
                self.attempt(decision.power, given)
                return True
        return False

    def plans_passed_over(self, decision: Decision, given: GivenAnswer) -> list[Fault]:
        """Return a warning if orders for the stage recruit nothing where a standing plan would answer."""
        if not given.is_of_stage or given.answer != Recruitment():
            return []
        standing = self.source.standing.judge(decision) if self.source.standing else None
        if standing is None or standing.given is None:
            return []
        section = section_of(self.table, decision)
        what = wrong("W-PLAN-PASSED", power=decision.power, section=section, number=standing.plan.number)
        return [Fault.at(given.node.line, given.node.column, what)]

    def softened_fault(self, fault: Fault, power: Power, answer: GivenAnswer) -> Fault:
        """Return the fault of an answer as a warning if another player still has to march in the same stage. Otherwise
        return it unchanged."""
        marching = {each.power for each in self.open_now() if isinstance(each, March)}
        others = tuple(sorted(each for each in marching if player_of(self.table, each) != self.player))
        if not others:
            return fault
        if not self.may_become_legal(power, answer, fault, marching):
            fails = words("tried-again.never", powers=others)
            hint = words("tried-again.hinted", first=fault.hint, fails=fails) if fault.hint else fails
            return replace(fault, code=f"W{fault.code[1:]}", hint=hint)
        hint = words("tried-again.own" if self.is_in_own_way(power, answer) else "tried-again", powers=others)
        return replace(fault, code=f"W{fault.code[1:]}", hint=with_way_cleared(fault.hint, hint))

    def may_become_legal(self, power: Power, answer: GivenAnswer, fault: Fault, marching: Collection[Power]) -> bool:
        """True if marches of the powers `marching` might make a refused answer legal. For a march this is so if only
        trains, and generals of these powers or of its own, block a way to its goal. For any other answer it is always
        assumed."""
        said, rules, field = answer.answer, self.table.rules.common, self.table.state.field
        if not isinstance(said, Move):
            return True
        if fault.code in ALONE or not said.path or any(field.pieces[piece].city < 0 for piece in said.pieces):
            return False
        there = [each for each, piece in each_piece(field.pieces) if piece.city >= 0 and each not in said.pieces]
        leaving = {power, *marching}
        may_go = [each for each in there if not rules.is_general(each) or rules.pieces[each].power in leaving]
        return way_but_for(self.game.column_of(self.table, said.pieces), said.path[-1:], may_go) is not None

    def is_in_own_way(self, power: Power, answer: GivenAnswer) -> bool:
        """True if a refused answer would be legal without the orders that were carried out before it."""
        asked = self.game.decisions(self.begun) if self.carried else ()
        if not any(isinstance(decision, March) and decision.power == power for decision in asked):
            return False
        try:
            self.game.apply(copy_of(self.begun), power, answer.answer)
        except IllegalOrder:
            return False
        return True

    def attempt(self, power: Power, answer: GivenAnswer) -> None:
        """Carry out one answer. If the rules refuse it, note a fault."""
        self.asked = None
        order, is_now = carried_order(self.table, power, answer.answer, answer.node), stage_of(self.table) == self.stage
        try:
            events: list[Event] = self.game.apply(self.table, power, answer.answer)
        except IllegalOrder as refusal:
            found = [
                unless_exchanged(fault, self.begun, answer.answer)
                for fault in faults_of(refusal, self.table.rules, answer)
            ]
            self.verdict.faults += [self.softened_fault(fault, power, answer) for fault in found]
            return
        self.carried += [order] if is_now and not answer.is_ahead else []
        self.strange += () if answer.is_ahead else (*answer.warnings, *overpayment(self.table, power, answer))
        self.tally.see(events)
        self.source.note_act(power)
        self.revealed = self.revealed or any(event.reveals for event in events)
