"""Letters as the moderator stores them, their orders, and the state of each power's orders."""

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


class OpenedPart(Struct, frozen=True, forbid_unknown_fields=True):
    """An opened sealed part: the salt of its commitment, and its content."""

    salt: str
    body: AnyTree


class HeldLetter(Struct, frozen=True):
    """A letter as the moderator stores it."""

    text: str
    opened: dict[str, OpenedPart] = {}
    """Dict from the name of each sealed part that the moderator could open to its salt and content."""
    # `UNSET` is not written into files. So a published letter has only the two fields above.
    line: int | UnsetType = UNSET
    """Line of the player's file on which the letter began; missing if this is the first. Faults count lines in that
    file."""
    salt: str | UnsetType = UNSET
    """Salt of the commitment to a message that can be proved after the close."""

    @property
    def letter(self) -> Letter:
        return stored_letter(self.text, 1 if self.line is UNSET else self.line)


def letter_to_hold(letter: Letter, opened: dict[str, OpenedPart] | None = None) -> HeldLetter:
    """Return a letter in the form that the moderator stores. `opened` has the opened sealed parts."""
    return HeldLetter(letter.text, opened or {}, letter.line if letter.line > 1 else UNSET)


@lru_cache(maxsize=64)
def stored_letter(text: str, line: int) -> Letter:
    """Read a letter from its stored text. `line` is the line of the sent file on which the letter began. The result is
    cached: all callers get the same object."""
    found = read_letter(text.encode(), "letter")
    return found.with_offset(line - 1) if line > 1 else found


LetterOf = Callable[[int], HeldLetter]
"""Function that returns the accepted letter of an entry."""


def listed_names(written: str) -> tuple[str, ...]:
    """Return the names in a list such as `louis, frederick`."""
    return tuple(name for part in written.split(",") if (name := part.strip()))


def entry_of(body: Node, key: str) -> Node | None:
    """Return the value under a key of a mapping; None if the key is missing or `body` is no mapping."""
    return body.items.get(key) if isinstance(body, strict.MappingNode) else None


def orders_of(letter: Letter, opened: Mapping[str, OpenedPart]) -> Node:
    """Return a letter's orders as one document: its unsealed orders, and the contents of the sealed parts in `opened`.
    Raises `Refused` if two of these have the same section."""
    place = (letter.body.line, letter.body.column)
    merged: dict[str, Node] = {}
    parts = [entry_of(letter.body, "orders") or strict.MappingNode({}, {}, *place)]
    sealed = entry_of(letter.body, "sealed")
    for slot, revealed in sorted(opened.items()):
        where = sealed.places.get(slot, place) if isinstance(sealed, strict.MappingNode) else place
        parts.append(node_of(revealed.body, *where))
    places: dict[str, tuple[int, int]] = {}
    for part in parts:
        merge(merged, part)
        places = (part.places if isinstance(part, strict.MappingNode) else {}) | places
    powers = strict.MappingNode(merged, {power: places[power] for power in merged}, *place)
    stage = Text(letter.stage, *place)
    return strict.MappingNode({"stage": stage, "orders": powers}, {"stage": place, "orders": place}, *place)


MOST_READ = 32
"""Most letters whose orders are cached."""


class OrdersCache:
    """Cache of the orders of letters, for one set of rules."""

    def __init__(self, rules: GameRules) -> None:
        self.rules = rules
        self.known: dict[str, tuple[Letter, Mapping[str, OpenedPart], Orders]] = {}

    def orders(self, letter: Letter, opened: Mapping[str, OpenedPart]) -> Orders:
        """Return the orders of a letter; `opened` has its opened sealed parts. All callers get the same object, so copy
        it before you remove orders from it. Raises `Refused` if the orders cannot be read."""
        known, before, said = self.known.get(letter.text, (None, None, None))
        if said is None or known is not letter or before != opened:
            said = read_orders(orders_of(letter, opened), "letter", self.rules)
            if len(self.known) >= MOST_READ:
                self.known.clear()
            self.known[letter.text] = (letter, opened, said)
        return said


def merge(merged: dict[str, Node], part: Node) -> None:
    """Add one part of a letter's orders to `merged`, which has the sections of each power. Raises `Refused` for a
    section that `merged` has already, and for a part that is no mapping."""
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


def raise_at(node: Node, fault: Wrong) -> None:
    raise Refused("letter", [Fault.at(node.line, node.column, fault)])


class AheadSummary(Struct, frozen=True):
    """Summary of the orders that one letter gives in advance for one power and one stage."""

    stage: str
    power: str
    sections: tuple[str, ...]
    blocks: int = 1
    """Number of blocks. At most one of them is carried out."""
    holds: bool = False
    """True if the blocks have no sections and one of them says `else: hold`."""


def ahead_summaries(orders: Node | None) -> list[AheadSummary]:
    """Return a summary for each stage and power for which a letter gives orders in advance."""
    powers = orders.items if isinstance(orders, strict.MappingNode) else {}
    found: dict[tuple[str, str], AheadSummary] = {}
    for power, sections in powers.items():
        ahead = entry_of(sections, "ahead")
        for block in ahead.items if isinstance(ahead, SequenceNode) else [ahead]:
            if isinstance(block, strict.MappingNode) and isinstance(stage := block.items.get("stage"), Text):
                before = found.get((stage.value, power), AheadSummary(stage.value, power, (), 0))
                said = tuple(dict.fromkeys((*before.sections, *(key for key in block.items if key not in NO_SECTIONS))))
                holds = not said and "else" in block.items
                found[stage.value, power] = AheadSummary(stage.value, power, said, before.blocks + 1, holds)
    return list(found.values())


def parts_of(letter: Letter) -> dict[str, Tree]:
    """Return a dict from the name of each sealed part of a letter to the part itself: the commitment and the box."""
    sealed = entry_of(letter.body, "sealed")
    return strict.plain_mapping(sealed) if isinstance(sealed, strict.MappingNode) else {}


def commitment_of(part: Tree | None) -> str:
    """Return the commitment in a sealed part; empty if it has none."""
    found = part.get("commitment") if isinstance(part, dict) else None
    return found if isinstance(found, str) else ""


def revealed_parts(letter: Letter) -> dict[str, OpenedPart]:
    """Return a dict from the name of each sealed part that a letter reveals to its salt and content."""
    found: dict[str, OpenedPart] = {}
    for slot, part in (
        strict.plain_mapping(letter.body) if isinstance(letter.body, strict.MappingNode) else {}
    ).items():
        if isinstance(part, dict) and isinstance(salt := part.get("salt"), str) and "body" in part:
            found[slot] = OpenedPart(salt, part["body"])
    return found


def false_parts(held: HeldLetter, campaign: str) -> Iterator[str]:
    """Yield the names of those opened parts of a stored letter that do not fit the letter's commitments."""
    letter = held.letter
    announced = parts_of(letter)
    for slot, part in held.opened.items():
        place = Slot(campaign, letter.stage, letter.sender, slot)
        if not opens(part, commitment_of(announced.get(slot)), place):
            yield slot


def opens(part: OpenedPart, commitment: str, slot: Slot) -> bool:
    """True if the salt and content of an opened part give this commitment."""
    return is_salt(part.salt) and check(commitment, slot, bytes.fromhex(part.salt), canonical(part.body))


def is_salt(text: str) -> bool:
    """True if a text can be the salt of a commitment: 64 hexadecimal digits."""
    return re.fullmatch("[0-9a-f]{64}", text) is not None


OrderState = Literal["nothing required", "none yet", "draft", "final", "not revealed"]

Request = Literal["orders", "reveal", "shut out", "in", "nothing", "closed"]
"""Request of a report to its reader. `orders`, `reveal`: the reader owes such a letter. `shut out`: orders are missing,
but after a lock they are not accepted any more. `in`: the orders are in. `nothing`: the reader owes no orders.
`closed`: the campaign asks for nothing any more."""


class AcceptedOrders(Struct, frozen=True):
    """Newest accepted orders of a power for a stage."""

    answers: tuple[str, ...]
    """Names of the owed things that these orders answer (`OwedOrders.owed`); empty if the orders say that nothing is
    ordered."""
    since: datetime
    """Moment since which the orders have had this state. If final orders are replaced by other final orders, the moment
    does not change."""
    draft: bool = False


class OwedOrders(Struct, frozen=True):
    """Orders that a power owes in a stage, and its newest accepted orders."""

    power: str
    player: str
    owed: tuple[str, ...] = ()
    """Names for what the power owes, usually `orders`; empty if it owes nothing."""
    accepted: AcceptedOrders | None = None
    hidden: bool = False
    """True if the orders came in sealed and still have to be revealed after a lock."""


def state_of(orders: OwedOrders) -> OrderState:
    """Return the state of a power's orders. Orders that answer only a part of the owed decisions are a draft."""
    if not orders.owed:
        return "nothing required"
    if orders.accepted is None:
        return "not revealed" if orders.hidden else "none yet"
    if orders.accepted.draft or not answers_all_owed(orders.owed, orders.accepted):
        return "draft"
    return "final"


def answers_all_owed(owed: Iterable[str], accepted: AcceptedOrders) -> bool:
    """True if accepted orders, draft or final, answer all that is owed. Orders without any answer count as complete:
    they say that nothing is ordered."""
    return not accepted.answers or set(owed) <= set(accepted.answers)


def need_not_wait_for(orders: OwedOrders, drafts_count: bool) -> bool:
    """True if nobody has to wait for these orders. With `drafts_count`, a complete draft counts as final."""
    match state_of(orders):
        case "nothing required" | "final":
            return True
        case "draft":
            return drafts_count and orders.accepted is not None and answers_all_owed(orders.owed, orders.accepted)
        case "none yet" | "not revealed":
            return False


def orders_waited_for(all_orders: Iterable[OwedOrders], drafts_count: bool) -> tuple[OwedOrders, ...]:
    """Return the orders for which the game waits. With `drafts_count`, a complete draft counts as final."""
    return tuple(orders for orders in all_orders if not need_not_wait_for(orders, drafts_count))


def request_behind(state: str, *, is_locked: bool) -> Request:
    """Return the request that a report makes to a seat whose orders have this state (`OrderState`). `is_locked` is true
    while sealed parts have to be revealed."""
    if state in ("nothing required", "final"):
        return "in" if state == "final" else "nothing"
    if not is_locked:
        return "orders"
    return "reveal" if state == "not revealed" else "shut out"
