"""Order files: what the players of a stage want, section by section, ready to answer decisions with.

The format is documented in docs/orders.md. Names are looked up when the file is read, so that all unknown ones are
reported at once; cards and legality are judged when an order meets the position it is meant for.
"""

from __future__ import annotations

from collections import abc

from msgspec import Struct

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.paper.documents.reader import Reader
from pbem.paper.documents.strict import MappingNode, Node, Text, read_yaml
from pbem.paper.game_paper import readers_of
from pbem.paper.lexicon import Lexicon
from pbem.paper.orders.names import PowerOrders, SectionReader
from pbem.paper.plans.ahead import AHEAD, read_ahead
from pbem.paper.plans.files import read_plans

PLANS = "plans"

HEAD = ("pbem", "kind", "stage", "orders")


class Orders(Struct):
    """An order file as it was read, nothing of it carried out; a source takes out what it has answered."""

    source: str
    stage: Text | None
    """The stage that the file says it is for."""
    powers: dict[Power, PowerOrders]

    def fresh(self) -> Orders:
        """The same orders, for a source that uses them up."""
        powers = {
            power: PowerOrders(written.power, written.node, {name: [*said] for name, said in written.sections.items()})
            for power, written in self.powers.items()
        }
        return Orders(self.source, self.stage, powers)

    def in_order_of_play(self, rules: GameRules) -> Orders:
        """The same orders as those of a letter, whose keys have no order."""
        powers = {power: self.powers[power] for power in rules.powers if power in self.powers}
        return Orders(self.source, self.stage, powers)

    def remains(self) -> dict[str, dict[str, int]]:
        """How many entries of each section are not used up; behind the moves stands their end as one more."""
        return {
            power: {section: len(entries) for section, entries in orders.sections.items()}
            for power, orders in self.powers.items()
        }


def cut(orders: Orders, remains: abc.Mapping[str, abc.Mapping[str, int]]) -> None:
    """Drop what was used up before, so that orders read once more go on where they stopped."""
    for power, written in orders.powers.items():
        for section, entries in written.sections.items():
            left = remains.get(power, {}).get(section, len(entries))
            del entries[: max(0, len(entries) - left)]


def load_orders(data: bytes, source: str, rules: GameRules) -> Orders:
    """The orders in an order file or a letter; raises `Refused` with every fault that is seen without the position."""
    return read_orders(out_of_letter(read_yaml(data, source)), source, rules)


def out_of_letter(node: Node) -> Node:
    """The orders that stand open in a letter, as an order file has them; anything else as it is."""
    body = node.items.get("body") if isinstance(node, MappingNode) else None
    if not isinstance(node, MappingNode) or not isinstance(body, MappingNode):
        return node
    parts = {key: (of.items[key], of.places[key]) for key, of in (("stage", node), ("orders", body)) if key in of.items}
    items = {key: value for key, (value, _) in parts.items()}
    return MappingNode(items, {key: place for key, (_, place) in parts.items()}, node.line, node.column)


def read_orders(node: Node, source: str, rules: GameRules) -> Orders:
    """What a document orders, by power; every fault of form and of names is told, nothing is tried out."""
    reader = Reader(source)
    lexicon, readers = Lexicon(rules), {**readers_of(rules), PLANS: read_plans, AHEAD: read_ahead}
    document = reader.mapping(node, words("order-file"))
    entries = reader.known(document, HEAD, words("order-file")) if document else {}
    if "pbem" in entries:
        reader.number(entries["pbem"], words("the-format"), 1, 1)
    if "kind" in entries:
        reader.word(entries["kind"], "kind", {"orders": "orders"})
    stage = entries.get("stage")
    if stage is not None:
        reader.text(stage, "stage")
    orders = Orders(source, stage if isinstance(stage, Text) else None, {})
    if document and "orders" not in entries:
        reader.note(document, wrong("E-FORM-MISSING.orders"))
    for place, value in reader.pairs(entries["orders"], "orders") if "orders" in entries else ():
        power = reader.name(place, words("a-power"), lexicon.power)
        if power is not None and power not in rules.powers:
            reader.note(place, wrong("E-ORDER-POWER", rule=rules.scenario.rule, power=power))
        elif power is not None and reader.is_first(place, power, orders.powers, words("orders-twice", power=power)):
            orders.powers[power] = SectionReader(reader, lexicon, power).read(value, readers)
    reader.refuse()
    return orders
