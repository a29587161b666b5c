"""Reader of orders ahead, which are a power's orders for later stages. They have a block for each stage
(docs/orders.md)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.table import StageName
from pbem.faults.wrong import words, wrong
from pbem.kit import game_named
from pbem.paper.documents.faults import Fault
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import MappingNode, Node, Text
from pbem.paper.library import game_paper_named
from pbem.paper.orders.names import PowerOrders, SectionReader, WrittenOrder
from pbem.paper.plans.data import Otherwise, Plan, StageOrders
from pbem.paper.plans.files import CONDITIONS, read_conquered, read_when, read_where
from pbem.paper.plans.wishes import chosen_word

AHEAD = "ahead"
"""Name of the section with orders ahead."""

KEYS = ("stage", *CONDITIONS, "else")


def read_ahead(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """Read the section `ahead` of a power's orders. It is a list of blocks, or a single block; each block has the
    orders for a later stage. An empty block withdraws earlier orders for its stage. It is a fault if a list has an
    empty block and another block for the same stage."""
    is_empty = isinstance(node, Text) and node.is_nothing
    nodes = [node] if isinstance(node, MappingNode) else [] if is_empty else self.reader.items(node, AHEAD)
    read = [read_block(self.for_later(), number, item) for number, item in enumerate(nodes, 1)]
    found = [block for block in read if block is not None]
    for block in found:
        others = [other for other in found if other is not block and stage_in(other) == stage_in(block)]
        if block.withdraws and others:
            self.reader.note(block.node, wrong("E-AHEAD-EMPTY.both", stage=stage_in(block)))
    orders.sections[AHEAD] = found


def stage_in(block: Plan) -> str:
    assert isinstance(block.wish, StageOrders)
    return block.wish.stage


def section_orders(block: Plan, section: str) -> list[WrittenOrder[object]]:
    assert isinstance(block.wish, StageOrders)
    return [entry for entry in block.wish.sections.get(section, ()) if isinstance(entry, WrittenOrder)]


def read_block(self: SectionReader, number: int, node: Node) -> Plan | None:
    """Return one block: the orders for a stage, and their conditions. Return None if the node is not a mapping. It is a
    fault if there are conditions but no orders, unless the block has `else: hold`."""
    if not isinstance(node, MappingNode):
        self.reader.note(node, wrong("E-FORM-MAPPING", hint=words("ahead-none"), what=words("ahead-one")))
        return None
    mapping = node
    rows = game_paper_named(self.lexicon.rules.terms.game).sections
    # Orders that are carried out at once are not allowed here. They must be in a letter for the stage itself.
    readers = {row.name: row.read_into for row in rows if not row.is_free}
    entries = self.reader.known_entries(mapping, (*KEYS, *readers, "plans"), words("ahead-one"))
    if entries.pop("plans", None) is not None:
        strange = wrong("E-FORM-KEY", hint=words("ahead-plans"), what=words("ahead-one"), key="'plans'")
        self.reader.add(Fault.at(*mapping.places["plans"], strange))
    stage = read_stage(self, entries.get("stage"), mapping)
    scratch = PowerOrders(self.power, node)
    for section, value in entries.items():
        if section not in KEYS:
            readers[section](self, scratch, value)
    sections = {section: tuple(said) for section, said in scratch.sections.items()}
    otherwise = read_else(self, entries)
    if set(mapping.items) <= {*KEYS} and set(mapping.items) != {"stage"} and otherwise == "ask":
        self.reader.note(mapping, wrong("E-AHEAD-EMPTY"))
    return Plan(
        number, "stage", StageOrders(stage, sections), node, when=read_when(self, "stage", entries),
        otherwise=otherwise, where=read_where(self, entries),
        conquered=read_conquered(self, entries),
    )  # fmt: skip


def read_stage(self: SectionReader, node: Node | None, block: MappingNode) -> str:
    """Return the stage of a block, such as `3/prussia`. If the node is not a turn and a stage, add a fault and return
    an empty text."""
    found = StageName.read(node.value) if isinstance(node, Text) else None
    if node is None or found is None or not found.stage or not 1 <= found.turn <= 99:
        self.reader.note(node or block, wrong("E-AHEAD-STAGE", stages=tuple(stages_like(self))))
        return ""
    rules = self.lexicon.rules
    stages = game_named(rules.terms.game).stages(rules, found.turn)
    if found.stage not in stages:
        self.reader.note(
            node, wrong("E-AHEAD-STAGE.none", turn=found.turn, stage=as_quoted(found.stage), stages=tuple(stages))
        )
    return str(found)


def stages_like(self: SectionReader) -> list[str]:
    """Return examples of stages for a fault: the power's own stage in turn 3. If the power has no stage of its own,
    return all stages of turn 3."""
    rules = self.lexicon.rules
    stages = game_named(rules.terms.game).stages(rules, 3)
    return [f"3/{stage}" for stage in stages if stage == self.power or self.power not in stages]


def read_else(self: SectionReader, entries: Mapping[str, Node]) -> Otherwise:
    """Return the value of the key `else`. It tells what is done if the orders cannot be carried out: the player is
    asked (`ask`), or nothing is done (`stop`, which is written `hold`). Return `ask` if there is no such key, and after
    a fault."""
    known: dict[str, Otherwise] = {"ask": "ask", "hold": "stop"}
    return (chosen_word(self, entries["else"], "else", known) if "else" in entries else None) or "ask"
