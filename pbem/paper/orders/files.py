"""Order files. Their sections are read here, answers are written as orders, and answers are made of orders."""

from __future__ import annotations

from collections import abc
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pbem.engine import decisions as d
from pbem.engine.combat import attacks_in_words
from pbem.engine.decisions import Answer, Decision
from pbem.engine.nouns import Power
from pbem.engine.table import GameRules, Table
from pbem.faults.wrong import words, wrong
from pbem.kit import game_of
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.reader import Reader, guess_of
from pbem.paper.documents.strict import MappingNode, Node, Text, read_yaml
from pbem.paper.lexicon import Lexicon
from pbem.paper.library import game_paper, readers_of
from pbem.paper.orders.forms import Form
from pbem.paper.orders.names import AnyEntry, PowerOrders, SectionReader, SectionWriter, WrittenOrder
from pbem.paper.orders.section import AnySection, GivenAnswer, Joins, Unusable, in_readers_words
from pbem.paper.orders.sections import BattleOrder
from pbem.paper.orders.sequence import Sequencing
from pbem.paper.plans.ahead import AHEAD, read_ahead
from pbem.paper.plans.files import read_plans
from pbem.seal.canonical import Tree

PLANS = "plans"

HEAD = ("pbem", "kind", "stage", "orders")


class Orders(Struct):
    """Orders of one file that have not been carried out yet. When an answer is made of an order, the order is
    removed."""

    source: str
    """Name of the file, as faults give it."""
    stage: Text | None
    """Stage for which the file is written. It is None if the file names no stage."""
    powers: dict[Power, PowerOrders]

    def copy(self) -> Orders:
        """Return a copy. If an order is removed from the copy, it is not removed from the original."""
        powers = {
            power: PowerOrders(written.power, written.node, {name: [*said] for name, said in written.sections.items()})
            for power, written in self.powers.items()
        }
        return Orders(self.source, self.stage, powers)

    def in_order_of_play(self, rules: GameRules) -> Orders:
        """Return the orders sorted by power, in the sequence of play."""
        powers = {power: self.powers[power] for power in rules.powers if power in self.powers}
        return Orders(self.source, self.stage, powers)

    def remains(self) -> dict[str, dict[str, int]]:
        """Return the number of orders that are left, keyed by power and section. The end of the moves counts as an
        order."""
        return {
            power: {section: len(entries) for section, entries in orders.sections.items()}
            for power, orders in self.powers.items()
        }


def drop_used(orders: Orders, remains: abc.Mapping[str, abc.Mapping[str, int]]) -> None:
    """Remove the orders that have been carried out; they are the first in each section. `remains` is the number of
    orders that are left, keyed by power and section. A section that it does not name remains unchanged."""
    for power, written in orders.powers.items():
        for section, entries in written.sections.items():
            left = remains.get(power, {}).get(section, len(entries))
            del entries[: max(0, len(entries) - left)]


def load_orders(content: bytes, source: str, rules: GameRules) -> Orders:
    """Return the orders in an order file or a letter. Raises `Refused` with all faults that can be found without the
    position."""
    return read_orders(orders_in_letter(read_yaml(content, source)), source, rules)


def orders_in_letter(node: Node) -> Node:
    """Return the orders in an unsealed letter, in the form of an order file. Any other document is returned
    unchanged."""
    body = node.items.get("body") if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(body, MappingNode):
        return node
    parts = {key: (of.items[key], of.places[key]) for key, of in (("stage", node), ("orders", body)) if key in of.items}
    items = {key: value for key, (value, _) in parts.items()}
    return MappingNode(items, {key: place for key, (_, place) in parts.items()}, node.line, node.column)


def read_orders(node: Node, source: str, rules: GameRules) -> Orders:
    """Return the orders in a document. It is not checked that they are legal. Raises `Refused` with all faults of form
    and of names."""
    reader = Reader(source)
    orders = orders_by(reader, node, rules)
    reader.refuse()
    return orders


def orders_by(reader: Reader, node: Node, rules: GameRules, table: Table | None = None) -> Orders:
    """Return the orders in a document; parts that cannot be understood are left out. Faults are added to `reader`. On a
    table, a fault about a city that may be several offers only those that can be reached. `Refused` is raised only if
    there are very many faults."""
    lexicon, readers = Lexicon(rules), {**readers_of(rules), PLANS: read_plans, AHEAD: read_ahead}
    document = reader.mapping(node, words("order-file"))
    entries = reader.known_entries(document, HEAD, words("order-file")) if document else {}
    if "pbem" in entries:
        reader.number(entries["pbem"], words("the-format"), 1, 1)
    if "kind" in entries:
        reader.word(entries["kind"], "kind", {"orders": "orders"})
    stage = entries.get("stage")
    if stage is not None:
        reader.text(stage, "stage")
    orders = Orders(reader.source, stage if isinstance(stage, Text) else None, {})
    if document and "orders" not in entries:
        reader.note(document, wrong("E-FORM-MISSING.orders"))
    for place, value in reader.pairs(entries["orders"], "orders") if "orders" in entries else ():
        power = reader.name(place, words("a-power"), lexicon.power)
        if power is None and (guessed := guess_of(place, lexicon.power)) in rules.powers:
            # The orders of a misspelt power are read for their faults alone, so that all faults are told at once.
            SectionReader(reader, lexicon, guessed, table).read(value, readers)
        if power is not None and power not in rules.powers:
            reader.note(place, wrong("E-ORDER-POWER", rule=rules.scenario.rule, power=power))
        elif power is not None and reader.check_first(place, power, orders.powers, words("orders-twice", power=power)):
            orders.powers[power] = SectionReader(reader, lexicon, power, table).read(value, readers)
    return orders


def is_order(entry: AnyEntry) -> bool:
    """False for the end of the moves, which is an entry of a section and no order."""
    return not (isinstance(entry, WrittenOrder) and isinstance(entry.said, d.Done))


class OrderSource:
    """Source of answers that are made of the orders in a file. Each order answers one decision, in the written
    sequence."""

    def __init__(self, table: Table, orders: Orders, remains: Mapping[str, Mapping[str, int]] | None = None) -> None:
        """Store a table and the orders for it. The source removes the orders that it uses. `remains` is the number of
        orders that an earlier source has left, keyed by power and section."""
        self.table = table
        self.orders = orders
        self.sequencing = Sequencing(is_check=True)
        self.compared = {power for power, sections in (remains or {}).items() if "battles" in sections}
        """Powers whose list of attacks has already been searched for attacks that cannot take place now."""
        drop_used(orders, remains or {})

    def powers(self) -> list[Power]:
        """Return the powers that have orders, in the sequence of the file."""
        return list(self.orders.powers)

    def remains(self) -> dict[str, dict[str, int]]:
        """Return the number of orders that are left, keyed by power and section. A later source needs these numbers to
        continue."""
        return self.orders.remains()

    @property
    def has_more(self) -> bool:
        """True if orders are left. The end of the moves is no order."""
        left = (rest for orders in self.orders.powers.values() for rest in orders.sections.values())
        return any(is_order(entry) for rest in left for entry in rest)

    def copy_at(self, table: Table) -> OrderSource:
        """Return a copy of the source for another table. It has the orders that are left."""
        found = OrderSource(table, self.orders.copy())
        found.compared |= self.compared
        return found

    def left_for(self, decision: d.Decision) -> int:
        """Return the number of orders that are left in the section that answers a decision."""
        orders = self.orders.powers.get(decision.power)
        return len(orders.sections.get(section_of(self.table, decision), ())) if orders else 0

    def in_turn(self, table: Table, asked: Sequence[d.Decision]) -> list[d.Decision]:
        """Return those decisions in `asked` that the file answers. If it matters which power acts first, return only
        the decision that is next."""
        own = [decision for decision in asked if self.speaks_of(decision)]
        found = self.sequencing.next(table, [self], own)
        return [found] if found else own

    def take_free_orders(self, power: Power) -> list[GivenAnswer]:
        """Remove a power's orders that no decision asks for, and return them as answers. Transfers come first."""
        orders = self.orders.powers.get(power)
        if orders is None:
            return []
        free = {row.name for row in game_paper(self.table).sections if row.is_free}
        written = sorted((name for name in orders.sections if name in free), key=lambda name: name != "transfer")
        return [GivenAnswer(one.said, one.node, one.places) for name in written for one in orders.take_all(name)]

    def drop_cards(self, powers: Iterable[Power]) -> None:
        """Remove the orders by which these powers would play further cards."""
        for power in powers:
            if orders := self.orders.powers.get(power):
                orders.take_all("play")

    def speaks_of(self, decision: d.Decision) -> bool:
        """True if the file answers the decision. No order is removed."""
        return self.left_for(decision) > 0

    def answer(self, decision: d.Decision) -> GivenAnswer | None:
        """Return the file's answer to a decision, and remove the order. Return None if there is no order. Raises
        `Unusable` if no answer can be made of the order, for example because a card is not in the hand."""
        orders = self.orders.powers.get(decision.power)
        if orders is None:
            return None
        if isinstance(decision, d.ChooseBattle):
            return self.battle(orders, decision)
        row = row_of(self.table, decision)
        written = orders.take(row.entry(self.table, decision))
        return None if written is None else row.given_answer(self.table, decision, written)

    def battle(self, orders: PowerOrders, decision: d.ChooseBattle) -> GivenAnswer | None:
        """Return the first attack in the list that is possible. If none is possible, return the last one, which the
        rules will refuse. If the list is empty, return None. The returned attack and all attacks before it are removed
        from the orders. Raises `Unusable` if the last attack names a piece that is not on the map."""
        warnings = self.undue_attack_warnings(orders, decision)
        while written := orders.take("battles"):
            battle = written.said.pairing(self.table.state.field)
            is_last = not orders.sections["battles"]
            if battle not in decision.battles and not is_last:
                continue
            if battle not in decision.battles:
                rules, pieces = self.table.rules.common, self.table.state.field.pieces
                for named in (written.said.attacker, written.said.defender):
                    if written.said.by == "piece" and pieces[named.number].city < 0:
                        name = rules.pieces[named.number].name
                        due = attacks_in_words(rules, decision.battles)
                        rule = game_of(self.table).cited.battles
                        raise Unusable(named.node, wrong("E-BATTLE.off", rule=rule, due=due, name=name))
            return GivenAnswer(d.Fight(battle), written.node, warnings=warnings)
        return None

    def undue_attack_warnings(self, orders: PowerOrders, decision: d.ChooseBattle) -> tuple[Fault, ...]:
        """Return a warning for each attack in the list that cannot take place now. The last attack is not checked.
        Warnings are returned only by the first call for a power."""
        if orders.power in self.compared:
            return ()
        self.compared.add(orders.power)
        due = {*decision.battles, *self.table.state.battles}
        written: list[WrittenOrder[BattleOrder]] = orders.sections.get("battles", [])[:-1]
        strange = [one.node for one in written if one.said.pairing(self.table.state.field) not in due]
        rules = self.table.rules.common
        due_now = attacks_in_words(rules, decision.battles)
        passed = in_readers_words(wrong("W-BATTLE", game_of(self.table).cited.battles, due=due_now), rules.board)
        return tuple(Fault.at(node.line, node.column, passed) for node in strange)


def row_of(table: Table, decision: d.Decision) -> AnySection:
    """Return the row of the section that answers a decision. Raises `TypeError` if there is no such section."""
    for row in game_paper(table).sections:
        if row.is_for(decision):
            return row
    raise TypeError(f"no section answers {type(decision).__name__}")


def section_of(table: Table, decision: d.Decision) -> str:
    """Return the name of the section that answers a decision. If the section has an entry for each piece or city, the
    name of the piece or city is added."""
    return row_of(table, decision).entry(table, decision)


def sections_before_battles(table: Table) -> list[str]:
    """Return the names of the sections that only powers that act in a stage are asked for, before its battles."""
    return [row.name for row in game_paper(table).sections if row.is_before_battles]


def have_battles_begun(table: Table) -> bool:
    """True if the stage has a phase of battles, and has come to it."""
    phases = game_of(table).phases_of(table.rules, table.state.stage)
    return "combat" in phases and table.state.phase in phases[phases.index("combat") :]


def form_of(table: Table, decision: d.Decision) -> Form:
    """Return the form for the answer to a decision."""
    row = row_of(table, decision)
    assert row.form is not None, f"`{row.name}` is asked for, and has no form"
    pen = SectionWriter(table.rules.common, decision.power)
    return Form(row.name, row.rule, row.form(pen, table, decision), row.beyond)


def orders_tree(table: Table, power: Power, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """Return an answer in the form of orders: `{power: {section: …}}`. `decision` is None if no decision asked for the
    answer."""
    return {power: dict(sections_of(table, power, decision, answer))}


def sections_of(table: Table, power: Power, decision: Decision | None, answer: Answer) -> dict[str, Tree]:
    """Return an answer as a dict from sections to orders. `decision` is None if no decision asked for the answer."""
    row, pen = row_for(table, decision, answer), SectionWriter(table.rules.common, power)
    written = row.write(pen, answer)
    return {row.name: {row.about(pen, decision): written} if row.about and decision else written}


def row_for(table: Table, decision: Decision | None, answer: Answer) -> AnySection:
    """Return the row of the section in which an answer is written. `decision` is None if no decision asked for the
    answer. Raises `TypeError` if there is no such section."""
    for row in game_paper(table).sections:
        if isinstance(answer, row.gives) and (row.is_free or (decision is not None and row.is_for(decision))):
            return row
    asked = f" to {type(decision).__name__}" if decision else ""
    raise TypeError(f"{type(answer).__name__} is no answer{asked}")


def merged_orders(table: Table, parts: Iterable[Mapping[str, Tree]]) -> dict[str, Tree]:
    """Return the orders of several answers, in their sequence, as the sections of one file. If moves come before a
    transfer, the transfer becomes one of the moves. Raises `ValueError` if a section would get several answers and may
    have only one."""
    joins: dict[str, Joins] = {row.name: row.joins for row in game_paper(table).sections}
    whole: dict[str, dict[str, Tree]] = {}
    for part in parts:
        for power, sections in part.items():
            assert isinstance(sections, dict)
            for section, content in sections.items():
                add(whole.setdefault(power, {}), section, content, joins[section])
    return dict(whole)


def add(sections: dict[str, Tree], section: str, content: Tree, joins: Joins) -> None:
    """Add the orders of one answer to the section `section` in `sections`, which has the sections of a power. Raises
    `ValueError` if the section already has an answer and `joins` allows no other."""
    moves = sections.get("move")
    if section == "transfer" and isinstance(moves, list) and isinstance(content, list):
        sections["move"] = [*moves, *({"transfer": troops} for troops in content)]
        return
    match sections.get(section), content, joins:
        case None, first, _:
            sections[section] = first
        case list() as before, list() as more, "lines":
            sections[section] = [*before, *more]
        case dict() as before, dict() as more, "again":
            sections[section] = [before, more]
        case list() as before, dict() as more, "again":
            sections[section] = [*before, more]
        case dict() as before, dict() as more, "by name" if not before.keys() & more.keys():
            sections[section] = {**before, **more}
        case _:
            raise ValueError(f"`{section}` would have to answer twice")
