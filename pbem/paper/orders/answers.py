"""Orders as a source of answers: each decision is met with the part of an order file that speaks of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine import decisions as d
from pbem.engine.duel import attack_names
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.wrong import wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.game_paper import game_paper
from pbem.paper.orders.files import Orders, cut
from pbem.paper.orders.given import Given, Unusable
from pbem.paper.orders.inputs import Form
from pbem.paper.orders.names import PowerOrders, SectionWriter, Written
from pbem.paper.orders.section import AnySection
from pbem.paper.orders.sections import BattleOrder
from pbem.paper.orders.sequence import Sequencing


class OrderSource:
    """Hands out the orders of a file, each once, in the order in which they are written."""

    def __init__(self, table: Table, orders: Orders, remains: Mapping[str, Mapping[str, int]] | None = None) -> None:
        """Take the table that the orders are for, and what an earlier source has left of them (`remains`)."""
        self.table = table
        self.orders = orders
        self.sequencing = Sequencing()
        self.compared = {power for power, sections in (remains or {}).items() if "battles" in sections}
        """The powers whose attacks have been compared with those that are due."""
        cut(orders, remains or {})

    def powers(self) -> list[Power]:
        """The powers that have orders, as the file has them."""
        return list(self.orders.powers)

    def remains(self) -> dict[str, dict[str, int]]:
        """How much of each section is not used up: for a source that goes on where this one stops."""
        return self.orders.remains()

    def forked(self, table: Table) -> OrderSource:
        """The same orders at another table."""
        found = OrderSource(table, self.orders.fresh())
        found.compared |= self.compared
        return found

    def left_for(self, decision: d.Decision) -> int:
        """How many entries are left in the section that answers a decision."""
        orders = self.orders.powers.get(decision.power)
        return len(orders.sections.get(section_of(self.table, decision), ())) if orders else 0

    def in_turn(self, table: Table, asked: Sequence[d.Decision]) -> list[d.Decision]:
        """The decisions that are answered, the next one first: where the sequence matters, that one alone."""
        own = [decision for decision in asked if self.speaks_of(decision)]
        found = self.sequencing.next(table, [self], own)
        return [found] if found else own

    def transfers(self, power: Power) -> list[Given]:
        """What stands before everything else: transfers, and what is settled with other powers, as it is written."""
        orders = self.orders.powers.get(power)
        if orders is None:
            return []
        free = {row.name for row in game_paper(self.table).sections if row.is_free}
        written = sorted((name for name in orders.sections if name in free), key=lambda name: name != "transfer")
        return [Given(one.said, one.node, one.places) for name in written for one in orders.take_all(name)]

    def speaks_of(self, decision: d.Decision) -> bool:
        """Whether the file says anything to a decision; it is not used up."""
        return self.left_for(decision) > 0

    def answer(self, decision: d.Decision) -> Given | None:
        """What the file says to a decision, if it says anything; a card that is not in hand is refused here."""
        orders = self.orders.powers.get(decision.power)
        if orders is None:
            return None
        if isinstance(decision, d.ChooseBattle):
            return self.battle(orders, decision)
        row = row_of(self.table, decision)
        written = orders.take(row.entry(self.table, decision))
        return None if written is None else row.given(self.table, decision, written)

    def battle(self, orders: PowerOrders, decision: d.ChooseBattle) -> Given | None:
        """The first attack of the list; attacks that have fallen away are passed over."""
        warnings = self.never_due(orders, decision)
        while written := orders.take("battles"):
            battle = written.said.pairing(self.table.state.field)
            is_last = not orders.sections["battles"]
            if battle not in decision.battles and not is_last:
                continue
            if battle not in decision.battles:
                self.check_on_map(written.said, decision)
            return Given(d.Fight(battle), written.node, warnings=warnings)
        return None

    def never_due(self, orders: PowerOrders, decision: d.ChooseBattle) -> tuple[Fault, ...]:
        """A warning for every attack, before one that is due, that is not due when the power is asked for the first.

        The last line of the list is not passed over but refused, and needs no warning.
        """
        if orders.power in self.compared:
            return ()
        self.compared.add(orders.power)
        due = {*decision.battles, *self.table.state.battles}
        written: list[Written[BattleOrder]] = orders.sections.get("battles", [])[:-1]
        strange = [one.node for one in written if one.said.pairing(self.table.state.field) not in due]
        due_now = attack_names(self.table.rules.common, decision.battles)
        passed = wrong("W-BATTLE", rule=game_of(self.table).cited.battles, due=due_now)
        return tuple(Fault.at(node.line, node.column, passed) for node in strange)

    def check_on_map(self, order: BattleOrder, decision: d.ChooseBattle) -> None:
        """Refuse an attack by or on a general who is not on the map, and so in no city."""
        rules, pieces = self.table.rules.common, self.table.state.field.pieces
        for named in (order.attacker, order.defender):
            if order.by == "piece" and pieces[named.number].city < 0:
                name = rules.pieces[named.number].name
                due = attack_names(rules, decision.battles)
                rule = game_of(self.table).cited.battles
                raise Unusable(named.node, wrong("E-BATTLE.off", rule=rule, due=due, name=name))


def row_of(table: Table, decision: d.Decision) -> AnySection:
    """The section that answers a decision, as the game has it."""
    for row in game_paper(table).sections:
        if row.is_for(decision):
            return row
    raise TypeError(f"no section answers {type(decision).__name__}")


def section_of(table: Table, decision: d.Decision) -> str:
    """The section of the orders that answers a decision, by name; with the piece or city that it is about."""
    return row_of(table, decision).entry(table, decision)


def form_of(table: Table, decision: d.Decision) -> Form:
    """What may be filled in to answer a decision."""
    row = row_of(table, decision)
    assert row.form is not None, f"`{row.name}` is asked for, and has no form"
    pen = SectionWriter(table.rules.common, decision.power)
    return Form(row.name, row.rule, row.form(pen, table, decision), row.beyond)
