"""Source of answers from orders given in advance: blocks of orders that are sent before their stage comes.

A block is tried on a copy of the table first. If the trial meets an illegal order, nothing of the block is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.plain import hold
from pbem.engine.cards import SeededDealer
from pbem.engine.decisions import Decision
from pbem.engine.nouns import Power
from pbem.engine.rules import IllegalOrder
from pbem.engine.table import Table, player_of, stage_of
from pbem.faults.wrong import Wrong, wrong
from pbem.kit import copy_of, game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.strict import Node
from pbem.paper.orders.files import Orders, OrderSource, section_of
from pbem.paper.orders.names import PowerOrders
from pbem.paper.orders.section import GivenAnswer, Unusable, fault_of
from pbem.paper.orders.sequence import Moment, legal_sequence
from pbem.paper.plans.ahead import AHEAD, stage_in
from pbem.paper.plans.data import Plan, StageOrders
from pbem.plans.choices import game_plans
from pbem.plans.sight import Tally, see
from pbem.plans.source import meets_conditions


class AheadInUse(Struct, frozen=True):
    """State of a power's orders that were given in advance, in the stage for which they are meant."""

    stage: str
    """Stage for which the orders are meant."""
    state: Literal["taken", "held", "left"]
    """`taken`: the orders are carried out. `held`: the power gets the default answer, as if its player were absent.
    `left`: the player decides."""
    entry: int = 0
    """Entry of the letter with the orders. `number` is the number of the block in that letter."""
    number: int = 0
    left: dict[str, int] = {}
    """Dict from each section to the number of its unused orders, if the block is carried out."""


MOST_TRIED = 1000
"""Most answers that are tried, so that a hostile letter costs little time. No player gives so many answers in a
stage."""

InUse = Mapping[Power, AheadInUse]


class LetterAhead(Struct, frozen=True):
    """Orders that one letter gives in advance, and the number of the entry that accepted the letter."""

    entry: int
    blocks: Mapping[Power, Sequence[Plan]]


class AheadBlock(Struct, frozen=True):
    """Block of orders given in advance, with the entry of its letter. The entry is 0 while the letter is tried."""

    entry: int
    plan: Plan
    why: Fault | None = None
    """Reason why the block cannot be carried out; None if there is none."""

    @property
    def orders(self) -> StageOrders:
        assert isinstance(self.plan.wish, StageOrders)
        return self.plan.wish

    @property
    def only_holds(self) -> bool:
        """True if the block orders nothing but to hold."""
        return not self.orders.sections and not self.plan.withdraws

    @property
    def holds(self) -> bool:
        """True if the block makes its power hold: it says `else: hold`, and it either orders nothing or cannot be
        carried out."""
        return (self.why is not None or self.only_holds) and self.plan.otherwise == "stop"

    @property
    def is_answer(self) -> bool:
        """True if the block answers its decision, by orders or by holding."""
        return self.why is None or self.holds

    def speaks_of(self, section: str) -> bool:
        """True if the block has orders in this section, or has no orders and only holds."""
        return section in self.orders.sections or self.only_holds

    def unmet(self) -> AheadBlock:
        """Return a copy of the block that is marked as not carried out, because its conditions do not hold."""
        node = self.plan.node
        return self.warned(node.line, node.column, wrong("W-AHEAD-WHEN", stage=self.orders.stage))

    def refused(self, wording: str, refusal: Fault) -> AheadBlock:
        """Return a copy of the block with a warning that the block was not carried out. `refusal` is the fault that the
        rules found in it, and is named in the warning. `wording` is the key of the warning."""
        rule, hint = refusal.section, refusal.hint or None
        warning = wrong(wording, rule=rule, hint=hint, stage=self.orders.stage, why=refusal.message)
        return self.warned(refusal.line, refusal.column, warning)

    def warned(self, line: int, column: int, warning: Wrong) -> AheadBlock:
        """Return a copy of the block with this warning as its reason. The warning has a place only in a letter that is
        being tried: a report would name lines of an earlier letter."""
        return replace(self, why=Fault.at(*((0, 0) if self.entry else (line, column)), warning))


def ahead_in(orders: Orders) -> dict[Power, list[Plan]]:
    """Remove the orders given in advance from a letter's orders, and return them as blocks by power."""
    found = {power: written.sections.pop(AHEAD, []) for power, written in orders.powers.items()}
    return {power: blocks for power, blocks in found.items() if blocks}


class AheadSource:
    """Source of answers from the orders that a player has given in advance."""

    def __init__(self, table: Table, letters: Iterable[LetterAhead], tally: Tally, in_use: InUse) -> None:
        """Store the letters. `tally` has the cards of the latest combat. `in_use` has the state of each power's orders
        for the present stage, as another source has left it."""
        self.table = table
        self.letters = list(letters)
        self.tally = tally
        self.uses = dict(in_use)
        self.running: dict[Power, OrderSource] = {}
        self.sure: dict[Power, AheadBlock] = {}
        """Dict from each power to the block that was found legal when it was last tried."""
        self.tried: dict[Power, int] = {}
        """Dict from each power to the number of its next answers that were tried and found legal."""
        self.shaken: set[Power] = set()
        """Powers whose tried answers are in doubt, because another power has acted since."""
        self.untold: list[Fault] = []
        self.orders_beside: Callable[[Decision], PowerOrders | None] = self.orders_of
        """Function that returns the orders that answer another decision. They may come from any of the player's
        letters."""

    def speaks_of(self, decision: Decision) -> bool:
        """True if orders given in advance answer this decision. No order is used up."""
        return self.answering_block(decision) is not None

    def answering_block(self, decision: Decision) -> AheadBlock | None:
        """Return the block that answers a decision, by orders or by holding. Return None if no block does."""
        found = self.judge(decision)
        return found if found is not None and found.is_answer else None

    def answer(self, decision: Decision) -> GivenAnswer | None:
        """Answer a decision by an order of its block, and use the order up. If the block cannot be carried out, or only
        holds, the block is not used any more. Then return the default answer if the block says `else: hold`, otherwise
        None."""
        self.sure.pop(decision.power, None)
        found = self.judge(decision)
        if found is None:
            return None
        if found.why is None and not found.holds:
            self.tried[decision.power] = max(0, self.tried[decision.power] - 1)
            return self.source(decision.power, found).answer(decision)
        self.put_out_of_force(decision.power, found)
        return self.holding_answer(decision, found.plan.node) if found.holds else None

    def only_holds(self, decision: Decision) -> bool:
        """True if the block for a decision only holds. Standing plans answer before such a block."""
        found = self.answering_block(decision)
        return found is not None and found.only_holds

    def holding_answer(self, decision: Decision, node: Node) -> GivenAnswer:
        """Return the answer that an absent player would get by default. Its warnings give the reasons why orders given
        in advance failed. `node` is the place of the block."""
        return GivenAnswer(hold(self.table, decision, Random(0)), node, warnings=self.take_notes())  # noqa: S311 - never asked

    def take_notes(self) -> tuple[Fault, ...]:
        """Return the reasons why orders given in advance were not carried out. Each reason is returned only once."""
        found, self.untold = tuple(self.untold), []
        return found

    def why_not(self, decision: Decision) -> tuple[Fault, ...]:
        """Return the reasons why orders given in advance do not answer a decision. A block that cannot be carried out
        is not used any more."""
        found = self.judge(decision)
        if found is not None and found.why and not found.holds:
            self.put_out_of_force(decision.power, found)
        return self.take_notes()

    def note_act(self, power: Power) -> None:
        """Note that a power has acted. Because of that, the orders that other powers gave in advance may now be
        illegal. They will be tried again."""
        self.shaken |= {other for other, answers in self.tried.items() if answers and other != power}
        self.tried = {power: self.tried.get(power, 0)}

    def pass_over(self, decision: Decision) -> None:
        """Stop using the orders that were given in advance for a decision. The orders sent for the stage itself have
        answered it."""
        if self.is_for(decision):
            self.uses[decision.power] = AheadInUse(self.stage, "left")

    def in_use(self) -> dict[Power, AheadInUse]:
        """Return the state of the orders that each power has given in advance for the present stage. Another source can
        go on from this state."""
        for power, source in self.running.items():
            if (use := self.use_of(power)) and use.state == "taken":
                self.uses[power] = replace(use, left=source.remains()[power])
        return {power: use for power, use in self.uses.items() if use.stage == self.stage}

    @property
    def stage(self) -> str:
        return stage_of(self.table)

    def section(self, decision: Decision) -> str:
        return section_of(self.table, decision)

    def use_of(self, power: Power) -> AheadInUse | None:
        """Return the state of the orders that a power has given in advance for the present stage. Return None if none
        of them was used, and none was withdrawn."""
        found = self.uses.get(power)
        return found if found and found.stage == self.stage else None

    def ordered_stages(self) -> list[tuple[str, Power]]:
        """Return every stage and power for which the letters give orders in advance."""
        blocks = [(power, block) for letter in self.letters for power, each in letter.blocks.items() for block in each]
        over = {power for power, use in self.uses.items() if use.stage == self.stage and use.state == "left"}
        found = dict.fromkeys((stage_in(block), power) for power, block in blocks)
        open_ones = [key for key in found if key[0] != self.stage or key[1] not in over]
        return [key for key in open_ones if any(not each.plan.withdraws for each in self.blocks(*key))]

    def blocks(self, stage: str, power: Power) -> list[AheadBlock]:
        """Return a power's blocks for a stage. All of them are from the newest letter that has such blocks."""
        for letter in self.letters:
            if found := [block for block in letter.blocks.get(power, ()) if stage_in(block) == stage]:
                return [AheadBlock(letter.entry, block) for block in found]
        return []

    def present_blocks(self, power: Power) -> list[AheadBlock]:
        return self.blocks(self.stage, power)

    def is_for(self, decision: Decision) -> bool:
        """True if a block of the present stage has orders for this kind of decision."""
        section = self.section(decision)
        return any(block.speaks_of(section) for block in self.present_blocks(decision.power))

    def judge(self, decision: Decision) -> AheadBlock | None:
        """Return the block for a decision, or None if there is none. If the block cannot be carried out, its field
        `why` has the reason."""
        use = self.use_of(decision.power)
        if use is None:
            return self.first_block(decision) if self.is_for(decision) else None
        found = self.block_in_use(decision.power)
        if use.state == "left" or found is None or not found.speaks_of(self.section(decision)):
            return None
        if use.state == "held":
            return found.unmet()
        source = self.source(decision.power, found)
        if not source.speaks_of(decision):
            return None
        return found if self.tried.get(decision.power) else self.tested_rest(decision.power, found, source)

    def block_in_use(self, power: Power) -> AheadBlock | None:
        use, blocks = self.use_of(power), self.present_blocks(power)
        return next((one for one in blocks if use and (one.entry, one.plan.number) == (use.entry, use.number)), None)

    def orders_of(self, decision: Decision) -> PowerOrders | None:
        """Return the orders of the block that answers a decision. Return None if no block answers it. No order is used
        up."""
        power, use = decision.power, self.use_of(decision.power)
        found = self.block_in_use(power) if use else self.fitting_block(decision)
        if found is None or found.only_holds or (use and use.state != "taken"):
            return None
        orders = self.source(power, found).orders if use else self.fresh_orders(power, found)
        return orders.powers[power] if orders.powers[power].sections.get(self.section(decision)) else None

    def fitting_block(self, decision: Decision) -> AheadBlock | None:
        """Return the power's first block whose conditions hold at this decision, or None if there is none."""
        sight = see(self.table, decision, self.tally, game_plans(self.table).playable_cards)
        blocks = self.present_blocks(decision.power)
        return next((each for each in blocks if meets_conditions(each.plan, sight, decision)), None)

    def first_block(self, decision: Decision) -> AheadBlock | None:
        """Try the power's first block whose conditions hold, and return it. Return None if that block is for other
        decisions. If the conditions of no block hold, return the last block, marked with this reason."""
        power, section = decision.power, self.section(decision)
        sure = self.sure.get(power)
        if sure and sure.orders.stage == self.stage and sure.speaks_of(section):
            return sure
        if (fit := self.fitting_block(decision)) is None:
            return self.present_blocks(power)[-1].unmet()
        if not fit.speaks_of(section):
            return None
        return fit if fit.only_holds else self.tested_block(power, fit)

    def tested_block(self, power: Power, found: AheadBlock) -> AheadBlock:
        """Try a block that is still unused. Return the block, with a reason (`why`) if it cannot be carried out."""
        if refusal := self.refusal_of(power, self.fresh_orders(power, found), MOST_TRIED):
            return found.refused("W-AHEAD-REFUSED", refusal)
        self.sure[power] = found
        return found

    def tested_rest(self, power: Power, found: AheadBlock, source: OrderSource) -> AheadBlock:
        """Try the unused orders of a block, which are in `source`. Return the block, with a reason (`why`) if they
        cannot be carried out."""
        most = 1 if power in self.shaken else MOST_TRIED
        refusal = self.refusal_of(power, source.orders.copy(), most)
        return found.refused("W-AHEAD-REFUSED.rest", refusal) if refusal else found

    def refusal_of(self, power: Power, orders: Orders, most: int) -> Fault | None:
        """Return None if a power's orders are legal, either alone or together with those of the player's other powers.
        Otherwise return the refusal. At most `most` orders are tried."""
        trial = BlockTrial(self.table, power, orders.copy())
        refusal = trial.run(most)
        self.tried[power] = trial.answers
        if refusal and (whole := self.trial_with_others(power, orders)):
            refusal = whole.run(most)
            self.tried[power] = 1
        return refusal

    def trial_with_others(self, power: Power, orders: Orders) -> BlockTrial | None:
        """Return a trial of a power's orders together with those of the player's other powers, in a legal sequence.
        Return None if there is no such sequence, or if no other power has orders."""
        if self.table.rules.common.sequence != "any":
            return None
        asked = {decision.power: decision for decision in game_of(self.table).decisions(self.table)}
        player, kind = player_of(self.table, power), type(asked[power])
        alike = [d for d in asked.values() if type(d) is kind and player_of(self.table, d.power) == player]
        found = {d.power: said for d in alike if (said := orders.powers.get(d.power) or self.orders_beside(d))}
        whole = Orders("letter", None, found).copy()
        start = Moment.of(self.table, [OrderSource(self.table, whole)], [decision.power for decision in alike])
        sequence = legal_sequence(start) if len(found) > 1 else None
        return BlockTrial(self.table, power, whole, sequence) if sequence else None

    def source(self, power: Power, found: AheadBlock) -> OrderSource:
        """Return the source that answers from a block's orders. From then on the block counts as in use."""
        use = self.use_of(power)
        if use is None:
            self.running.pop(power, None)
            self.uses[power] = AheadInUse(self.stage, "taken", found.entry, found.plan.number)
        if power not in self.running:
            remains: dict[str, dict[str, int]] | None = {power: use.left} if use else None
            self.running[power] = OrderSource(self.table, self.fresh_orders(power, found), remains)
        return self.running[power]

    def put_out_of_force(self, power: Power, found: AheadBlock) -> None:
        """Stop using a block, and note the reason. If the block says `else: hold`, the power holds; otherwise the
        player decides."""
        self.running.pop(power, None)
        use = self.use_of(power)
        if found.why and (use is None or use.state != "held"):
            self.untold.append(found.why)
        state: Literal["held", "left"] = "held" if found.holds else "left"
        self.uses[power] = AheadInUse(self.stage, state, found.entry, found.plan.number)

    def fresh_orders(self, power: Power, found: AheadBlock) -> Orders:
        """Return a new copy of all orders of a block."""
        sections: dict[str, list[object]] = {section: [*said] for section, said in found.orders.sections.items()}
        return Orders("letter", None, {power: PowerOrders(power, found.plan.node, sections)})


class BlockTrial:
    """Trial of a stage's orders on a copy of the table."""

    def __init__(self, table: Table, power: Power, orders: Orders, sequence: Sequence[Power] = ()) -> None:
        """Store the orders. The trial uses them up: first one order of each power in `sequence`, then orders of
        `power`."""
        # The trial has a dealer of its own. The campaign's dealer would show cards that nobody knows yet.
        self.table = copy_of(table, SeededDealer(""))
        self.game = game_of(table)
        self.stage = stage_of(table)
        self.power = power
        self.sequence = sequence
        self.source = OrderSource(self.table, orders)
        self.answers = 0

    def run(self, most: int) -> Fault | None:
        """Carry out at most `most` orders, and return the first refusal. The trial ends without a refusal when an order
        shows something hidden."""
        given: GivenAnswer | None = None
        try:
            while self.answers < most and (decision := self.due()) and (given := self.source.answer(decision)):
                events = self.game.apply(self.table, decision.power, given.answer)
                self.answers += 1
                if any(event.reveals for event in events):
                    return None
        except Unusable as refusal:
            return fault_of(refusal, refusal.node, self.table.rules)
        except IllegalOrder as refusal:
            assert given is not None
            return fault_of(refusal, given.node_of(refusal.where), self.table.rules)
        return None

    def due(self) -> Decision | None:
        """Return the next decision of the present stage that the orders answer. Return None if they answer none."""
        if stage_of(self.table) != self.stage:
            return None
        power = self.sequence[self.answers] if self.answers < len(self.sequence) else self.power
        asked = (decision for decision in self.game.decisions(self.table) if decision.power == power)
        return next((decision for decision in asked if self.source.speaks_of(decision)), None)
