"""Letters with orders as the adjudicator reads them, and the state of each power's orders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from pbem.engine.table import GameRules
from pbem.faults.wrong import Wrong, words, wrong
from pbem.paper.documents import strict
from pbem.paper.documents.faults import Fault, Refused
from pbem.paper.documents.reader import node_of
from pbem.paper.documents.strict import Node, SequenceNode, Text
from pbem.paper.letters import Letter, read_letter
from pbem.paper.orders.files import Orders, read_orders
from pbem.paper.plans.ahead import KEYS as NO_SECTIONS
from pbem.seal.canonical import AnyTree, Tree, canonical
from pbem.seal.deal import Slot, check


class OpenedPart(Struct, frozen=True):
    """A sealed part after it was opened: the salt of its commitment, and what it says."""

    salt: str
    body: AnyTree


class HeldLetter(Struct, frozen=True):
    """A letter as the moderator keeps it."""

    text: str
    opened: dict[str, OpenedPart] = {}
    # Not a default: what is published has only the two others.
    line: int | UnsetType = UNSET
    """Where it began in the file that its player sent, if not at the first line: lines of that are told."""

    @property
    def letter(self) -> Letter:
        """What `text` says, read again when it is needed."""
        return read_again(self.text, 1 if self.line is UNSET else self.line)


def held_as_sent(letter: Letter, opened: dict[str, OpenedPart] | None = None) -> HeldLetter:
    """Return a letter to keep, with the place at which it stood."""
    return HeldLetter(letter.text, opened or {}, letter.line if letter.line > 1 else UNSET)


@lru_cache(maxsize=64)
def read_again(text: str, line: int) -> Letter:
    """A letter that was read before; adjudications come back to the same few ones again and again."""
    found = read_letter(text.encode(), "letter")
    return found.moved(line - 1) if line > 1 else found


LetterOf = Callable[[int], HeldLetter]
"""Gives the letter that an entry of the ledger says was accepted."""


def named_in(written: str) -> tuple[str, ...]:
    """The players that a letter names in one text, `louis, frederick`."""
    return tuple(name for part in written.split(",") if (name := part.strip()))


def entry_of(body: Node, key: str) -> Node | None:
    """What a body says under a key."""
    return body.items.get(key) if isinstance(body, strict.MappingNode) else None


def orders_of(letter: Letter, opened: Mapping[str, OpenedPart]) -> Node:
    """The order document of a letter: what stands in the open, and what was sealed, as one.

    Raises `Refused` if a sealed part repeats what stands elsewhere.
    """
    place = (letter.body.line, letter.body.column)
    merged: dict[str, Node] = {}
    parts = [entry_of(letter.body, "orders") or strict.MappingNode({}, {}, *place)]
    sealed = entry_of(letter.body, "sealed")
    for slot, revealed in sorted(opened.items()):
        where = sealed.places.get(slot, place) if isinstance(sealed, strict.MappingNode) else place
        parts.append(node_of(revealed.body, *where))
    for part in parts:
        merge(merged, part)
    powers = strict.MappingNode(merged, {power: (node.line, node.column) for power, node in merged.items()}, *place)
    stage = Text(letter.stage, *place)
    return strict.MappingNode({"stage": stage, "orders": powers}, {"stage": place, "orders": place}, *place)


MOST_READ = 32
"""Of so many letters it is kept what they order, in case it is asked again."""


class OrdersRead:
    """What letters order: the same one is judged and carried out, and read once."""

    def __init__(self, rules: GameRules) -> None:
        """By the rules of their game; nothing is read yet."""
        self.rules = rules
        self.known: dict[str, tuple[Letter, Mapping[str, OpenedPart], Orders]] = {}

    def by(self, letter: Letter, opened: Mapping[str, OpenedPart]) -> Orders:
        """What a letter orders with these parts of it opened, nothing used up; raises `Refused` if it is unreadable."""
        known, before, said = self.known.get(letter.text, (None, None, None))
        if said is None or known is not letter or before != opened:
            said = read_orders(orders_of(letter, opened), "letter", self.rules)
            if len(self.known) >= MOST_READ:
                self.known.clear()
            self.known[letter.text] = (letter, opened, said)
        return said


def merge(merged: dict[str, Node], part: Node) -> None:
    """Add the sections of one part to those of the others."""
    if not isinstance(part, strict.MappingNode):
        raise_at(part, wrong("E-FORM-MAPPING.orders"))
        return
    for power, sections in part.items.items():
        before = merged.get(power)
        if before is None:
            merged[power] = sections
            continue
        if not isinstance(before, strict.MappingNode) or not isinstance(sections, strict.MappingNode):
            raise_at(sections, wrong("E-FORM-MAPPING", what=words("orders-of", power=power)))
            return
        if twice := sorted(set(before.items) & set(sections.items)):
            raise_at(sections, wrong("E-FORM-TWICE.sealed", key=twice[0], power=power))
        merged[power] = strict.MappingNode(
            {**before.items, **sections.items}, {**before.places, **sections.places}, before.line, before.column
        )


def raise_at(node: Node, what: Wrong) -> None:
    """Refuse a letter at a place."""
    raise Refused("letter", [Fault.at(node.line, node.column, what)])


class AheadTold(Struct, frozen=True):
    """That a letter orders something for a later stage."""

    stage: str
    power: str
    sections: tuple[str, ...]
    blocks: int = 1
    """How many, of which one is taken."""
    holds: bool = False
    """Whether there are no sections, and `else: hold`."""


def ahead_told(orders: Node | None) -> list[AheadTold]:
    """What some orders, which could be read, say for later stages; the blocks of one stage together."""
    powers = orders.items if isinstance(orders, strict.MappingNode) else {}
    found: dict[tuple[str, str], AheadTold] = {}
    for power, sections in powers.items():
        ahead = entry_of(sections, "ahead")
        for block in ahead.items if isinstance(ahead, SequenceNode) else [ahead]:
            if isinstance(block, strict.MappingNode) and isinstance(stage := block.items.get("stage"), Text):
                before = found.get((stage.value, power), AheadTold(stage.value, power, (), 0))
                said = tuple(dict.fromkeys((*before.sections, *(key for key in block.items if key not in NO_SECTIONS))))
                holds = not said and "else" in block.items
                found[stage.value, power] = AheadTold(stage.value, power, said, before.blocks + 1, holds)
    return list(found.values())


def parts_of(letter: Letter) -> dict[str, Tree]:
    """The sealed parts that a letter announces: slot → what is written there, as bare texts."""
    sealed = entry_of(letter.body, "sealed")
    return strict.plain_mapping(sealed) if isinstance(sealed, strict.MappingNode) else {}


def committed(part: Tree | None) -> str:
    """The commitment with which a sealed part is announced; empty if it is none."""
    found = part.get("commitment") if isinstance(part, dict) else None
    return found if isinstance(found, str) else ""


def revealed_in(letter: Letter) -> dict[str, OpenedPart]:
    """What a letter reveals, by slot."""
    found: dict[str, OpenedPart] = {}
    for slot, part in (
        strict.plain_mapping(letter.body) if isinstance(letter.body, strict.MappingNode) else {}
    ).items():
        if isinstance(part, dict) and isinstance(salt := part.get("salt"), str) and "body" in part:
            found[slot] = OpenedPart(salt, part["body"])
    return found


def false_parts(held: HeldLetter, campaign: str) -> Iterator[str]:
    """The sealed parts of a kept letter that are not what its writer committed to, or were never announced by it."""
    letter = held.letter
    announced = parts_of(letter)
    for slot, part in held.opened.items():
        place = Slot(campaign, letter.stage, letter.sender, slot)
        if not opens(part, committed(announced.get(slot)), place):
            yield slot


def opens(part: OpenedPart, commitment: str, slot: Slot) -> bool:
    """Whether what is opened is what was committed to, in this slot and no other."""
    return is_salt(part.salt) and check(commitment, slot, bytes.fromhex(part.salt), canonical(part.body))


def is_salt(text: str) -> bool:
    """Whether a text can be the salt of a commitment."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


OrderState = Literal["nothing required", "none yet", "draft", "final", "not revealed"]


class AcceptedOrders(Struct, frozen=True):
    """The newest orders that were accepted from a power for a stage."""

    answers: tuple[str, ...]
    """The things they answer, named as in `owed`; none at all is an explicit empty set of orders."""
    since: datetime
    """Since when the power has had orders of this state; changing final orders for other final ones keeps it."""
    draft: bool = False


class OwedOrders(Struct, frozen=True):
    """What a power owes in a stage, and what has been accepted from it."""

    power: str
    player: str
    owed: tuple[str, ...] = ()
    accepted: AcceptedOrders | None = None
    hidden: bool = False
    """Whether they are in, and behind a lock still to be revealed."""


def state_of(orders: OwedOrders) -> OrderState:
    """The state of a power's orders; who answers only part of what is owed has a draft."""
    if not orders.owed:
        return "nothing required"
    if orders.accepted is None:
        return "not revealed" if orders.hidden else "none yet"
    if orders.accepted.draft or not answers_all_owed(orders.owed, orders.accepted):
        return "draft"
    return "final"


def answers_all_owed(owed: Iterable[str], accepted: AcceptedOrders) -> bool:
    """Whether orders answer all that is owed; an explicit empty set says that nothing is ordered, and does."""
    return not accepted.answers or set(owed) <= set(accepted.answers)


def need_not_wait_for(orders: OwedOrders, drafts_count: bool) -> bool:
    """Whether nobody has to wait for this power; from the deadline on a whole draft counts as final."""
    match state_of(orders):
        case "nothing required" | "final":
            return True
        case "draft":
            return drafts_count and orders.accepted is not None and answers_all_owed(orders.owed, orders.accepted)
        case "none yet" | "not revealed":
            return False


def still_waited_for(all_orders: Iterable[OwedOrders], drafts_count: bool) -> tuple[OwedOrders, ...]:
    """The powers that have to be waited for."""
    return tuple(orders for orders in all_orders if not need_not_wait_for(orders, drafts_count))
