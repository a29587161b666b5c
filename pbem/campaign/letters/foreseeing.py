"""Trial of orders ahead before their stage: as things stand, and as far as their writer can know them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from pbem.campaign.play.ahead import AheadSource, LetterAhead, ahead_in
from pbem.campaign.play.sources import OrdersAndPlans, PlayerSource
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Decision, Done, Move
from pbem.engine.nouns import Power
from pbem.engine.rules import Rules
from pbem.engine.table import StageName, Table, player_of
from pbem.engine.ways import least
from pbem.faults.wrong import Wrong, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.lexicon import from_hand
from pbem.paper.orders.files import Orders, OrderSource
from pbem.paper.orders.names import PowerOrders, Written
from pbem.paper.orders.section import Given
from pbem.paper.orders.trial import Trial, run_known, step, trial_of
from pbem.paper.plans.ahead import AHEAD, stage_in
from pbem.paper.plans.data import Plan, StageOrders
from pbem.plans.choices import game_plans
from pbem.plans.sight import Tally, see
from pbem.plans.source import PlanSource, depends_on_this

Blocks = list[tuple[Power, Plan]]


class TriedSource(PlayerSource):
    """Orders of a file and its orders ahead, in a trial that goes on through later stages."""

    def __init__(self, table: Table, orders: Orders) -> None:
        """Take the orders, which are used up; their plans are ignored."""
        tally, blocks = Tally(), ahead_in(orders)
        written = OrdersAndPlans(OrderSource(table, orders), PlanSource(table, {}, tally))
        super().__init__(written, None, AheadSource(table, [LetterAhead(1, blocks)], tally, {}) if blocks else None)
        self.last: Decision | None = None

    def in_turn(self, table: Table, asked: Sequence[Decision]) -> list[Decision]:
        """The decisions to answer next, after the last answer has been carried out."""
        if self.last:
            self.note_act(self.last.power)
        return super().in_turn(table, asked)

    def answer(self, decision: Decision) -> Given | None:
        """The answer, which is about to be carried out."""
        self.last = decision
        return super().answer(decision)


def run_through(table: Table, orders: Orders, is_whole: bool) -> Trial:
    """Run orders, and their orders ahead when their stage is reached; a warning says why a block was not carried
    out."""
    sources: list[TriedSource] = []

    def source(alone: Table, said: Orders) -> TriedSource:
        sources.append(TriedSource(alone, said))
        return sources[-1]

    trial = trial_of(table, orders, is_whole, source)
    for decision in trial.waiting:
        trial.faults += sources[0].why_not(decision)
    return trial


def faults_foreseen(table: Table, player: str, orders: Orders) -> list[Fault]:
    """Faults of a player's orders ahead that can never be carried out; if there are none, warnings about those that
    could not be now.

    They are tried after the orders of the present stage. The table may be the moderator's: only known things are looked
    at, because marches depend on the map, and cards on the player's own hands.
    """
    blocks = [(power, block) for power, written in orders.powers.items() for block in written.sections.get(AHEAD, ())]
    own: Blocks = [(power, block) for power, block in blocks if player_of(table, power) == player]
    if never := [fault for power, block in own for fault in impossible(table.rules.common, power, block)]:
        return never
    now = run_known(copy_of(table, SeededDealer("nothing is dealt in a trial")), orders.fresh()).table
    faults = [fault for power, block in own for fault in cards_to_come(now, power, block)]
    for stage in game_of(table).stages(table.rules, table.state.turn):
        name = str(StageName(table.state.turn, stage))
        due = [(power, block) for power, block in own if stage_in(block) == name]
        if due and "movement" in game_of(table).phases_of(table.rules, stage):
            game_of(now).set_out(now, stage)
            now, untaken = table_after_marches(now, due)
            faults += untaken
    return faults


def impossible(rules: Rules, power: Power, block: Plan) -> Iterator[Fault]:
    """Faults of marches of a block that can never be made, wherever the pieces are by then."""
    stage, before = stage_in(block), set[int]()
    for written in lines_of(block, "move"):
        if not isinstance(written.said, Move):
            continue
        movers, path = written.said.pieces, written.said.path
        facts, twice = [rules.pieces[mover] for mover in movers], sorted(before.intersection(movers))
        found: Wrong | None = None
        if all(each.power != power for each in facts):
            found = wrong("E-AHEAD-NEVER.power", stage=stage, piece=facts[0].name, owner=facts[0].power)
        elif twice:
            found = wrong("E-AHEAD-NEVER.twice", stage=stage, piece=rules.pieces[twice[0]].name)
        elif path and (entered := 1 + least(rules.board, path[0], path[1:])) > (most := longest(rules, movers)):
            cities = rules.board.names(path)
            found = wrong("E-AHEAD-NEVER.far", stage=stage, cities=cities, entered=entered, most=most)
        before.update(movers)
        if found:
            yield Fault.at(written.node.line, written.node.column, found)


def longest(rules: Rules, movers: Sequence[int]) -> int:
    """Most cities that pieces may ever enter on a march."""
    limits = rules.limits
    if not rules.all_generals.issuperset(movers):
        return max(limits.train_march, limits.train_march_main)
    # FRIEDRICH's Cards of Fate let a general go one city farther.
    return max(limits.general_march, limits.general_march_main + 1, limits.forced_march)


def cards_to_come(table: Table, power: Power, block: Plan) -> Iterator[Fault]:
    """A warning for every card of a block that is not in hand now; it may be drawn until then."""
    assert isinstance(block.wish, StageOrders)
    hand = table.state.cards.hands[power]
    for written in chain.from_iterable(lines_of(block, section) for section in block.wish.sections):
        for named in written.cards:
            if from_hand(hand, named.card) is None:
                yield Fault.at(named.node.line, named.node.column, wrong("W-AHEAD-CARD", stage=stage_in(block)))


def lines_of(block: Plan, section: str) -> list[Written[object]]:
    """Entries of a block in a section."""
    assert isinstance(block.wish, StageOrders)
    return [entry for entry in block.wish.sections.get(section, ()) if isinstance(entry, Written)]


def table_after_marches(table: Table, due: Blocks) -> tuple[Table, list[Fault]]:
    """The table after those marches of the blocks that could be made, and reasons why others could not."""
    asked = {decision.power: decision for decision in game_of(table).decisions(table)}
    fitting: dict[Power, Plan] = {}
    for power, block in due:
        if power in asked and power not in fitting and holds_now(table, asked[power], block):
            fitting[power] = block
    faults: list[Fault] = []
    while True:
        then = copy_of(table)
        source = OrderSource(then, marches(fitting))
        while (taken := step(then, [source])) and not taken.is_refused:
            pass
        if taken is None:
            return then, faults
        why = next(fault for fault in taken.faults if not fault.is_warning)
        faults.append(Fault.at(why.line, why.column, not_now(fitting.pop(taken.power), why)))


def holds_now(table: Table, decision: Decision, block: Plan) -> bool:
    """True if all conditions of a block hold already."""
    return depends_on_this(block, see(table, decision, Tally(), game_plans(table).playable_cards), decision)


def marches(blocks: dict[Power, Plan]) -> Orders:
    """Marches of some blocks, without their end, so that the stage does not go on."""
    moves = {
        power: [each for each in lines_of(block, "move") if each.said != Done()] for power, block in blocks.items()
    }
    powers = {power: PowerOrders(power, blocks[power].node, {"move": [*lines]}) for power, lines in moves.items()}
    return Orders("letter", None, powers)


def not_now(block: Plan, why: Fault) -> Wrong:
    """Warning about a block that the rules refuse as things stand."""
    return wrong("W-AHEAD-NOW", rule=why.section, stage=stage_in(block), why=why.message)
