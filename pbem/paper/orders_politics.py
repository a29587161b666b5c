"""The sections of an order file that only the advanced game and the Silesia Gambit ask for (docs/orders.md)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from pbem.engine.decisions import Answer
from pbem.maria.answers import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.paper.lexicon import SIGNS, WrittenCard
from pbem.paper.strict import Mapping, Node, Sequence, Text

if TYPE_CHECKING:
    from pbem.paper.orders import Named, PlayOrder, SectionReader


class Written(Struct, frozen=True):
    """A value, and where it was written."""

    value: Any
    node: Node


class PoliticsOrder(Struct, frozen=True):
    """A political card selected, or conserving; and what of the card is executed."""

    card: int | None
    instruction: bool
    shifts: dict[str, int]
    grantee: str
    node: Node


class CorpsOrder(Struct, frozen=True):
    """The general sent to the off-map box, and what his troops are paid with."""

    general: Named
    pay: tuple[PlayOrder, ...]
    node: Node


class GoOrder(Struct, frozen=True):
    """Where a displaced piece goes, and who leads the stack it joins."""

    piece: Named
    city: Named
    commander: Named | None
    node: Node


class PoliticalOrders(Struct):
    """What one power orders in politics; what was not written is None."""

    trump: Written | None = None
    influence: Written | None = None
    politics: PoliticsOrder | None = None
    corps: CorpsOrder | None = None
    relocate: list[GoOrder] | None = None
    shift: Written | None = None
    peace: Written | None = None
    reduce: Written | None = None
    vote: Written | None = None
    settle: list[tuple[Answer, Node]] = []


def read_trump(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """A suit."""
    suit = self.reader.word(node, "trump", SIGNS)
    if suit is not None:
        orders.trump = Written(suit, node)


def read_influence(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """A card, or none."""
    if isinstance(node, Text) and node.value.casefold() == "none":
        orders.influence = Written(None, node)
        return
    found: WrittenCard | None = self.reader.name(node, "a card", self.lexicon.card)
    if found is not None:
        orders.influence = Written(found, node)


def read_politics(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """`conserve`, or a card with what of it is executed."""
    if isinstance(node, Text):
        self.reader.word(node, "politics", {"conserve": True})
        orders.politics = PoliticsOrder(None, False, {}, "", node)
        return
    mapping = self.reader.mapping(node, "politics")
    keys = ("card", "instruction", "shifts", "for")
    entries = self.reader.known(mapping, keys, "politics") if mapping else {}
    if "card" not in entries:
        self.reader.note(node, "E-FORM-MISSING", "politics names a card, by its number", "or says `conserve`")
        return
    numbers = {str(card.number): card.number for card in self.lexicon.rules.politics.cards}
    card = self.reader.word(entries["card"], "the card", numbers)
    instruction = self.reader.truth(entries["instruction"], "instruction") if "instruction" in entries else False
    grantee = self.reader.name(entries["for"], "a power", self.lexicon.power) if "for" in entries else ""
    shifts = read_shifts(self, entries["shifts"]) if "shifts" in entries else {}
    if card is not None:
        orders.politics = PoliticsOrder(card, bool(instruction), shifts, grantee or "", node)


def read_shifts(self: SectionReader, node: Node) -> dict[str, int]:
    """`track: boxes`, to the right without a sign, to the left with a minus."""
    mapping = self.reader.mapping(node, "shifts")
    known = self.reader.known(mapping, self.lexicon.rules.politics.tracks, "shifts") if mapping else {}
    found = {track: self.reader.number(value, f"the shift of {track}", -9, 9) for track, value in known.items()}
    return {track: steps for track, steps in found.items() if steps is not None}


def read_corps(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """A general, with cards if he is off the map."""

    pay: tuple[PlayOrder, ...] = ()
    written = node
    if isinstance(node, Mapping):
        entries = self.reader.known(node, ("general", "pay"), "corps")
        written = entries.get("general", node)
        pay = self.cards(entries["pay"]) if "pay" in entries else ()
    general = self.piece(written)
    if general is not None:
        orders.corps = CorpsOrder(general, pay, node)


def read_relocate(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """`piece: city` lines; with a commander where equal ranks stack, `piece: {to: city, commander: general}`."""
    mapping = self.reader.mapping(node, "relocate")
    orders.relocate = []
    for name, value in (mapping.items if mapping else {}).items():
        assert mapping is not None
        piece, commander, where = self.piece(self.key(mapping, name)), None, value
        if isinstance(value, Mapping):
            entries = self.reader.known(value, ("to", "commander"), "relocate")
            where = entries.get("to", value)
            commander = self.piece(entries["commander"]) if "commander" in entries else None
        city = self.city(where)
        if piece and city:
            orders.relocate.append(GoOrder(piece, city, commander, value))


def consent(field: str) -> Callable[[SectionReader, PoliticalOrders, Node], None]:
    """A section that is yes or no."""

    def read(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
        answer = self.reader.truth(node, field)
        if answer is not None:
            setattr(orders, field, Written(answer, node))

    return read


def read_vote(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """A candidate for all votes, or how many are for Charles."""
    if isinstance(node, Mapping):
        entries = self.reader.known(node, ("charles",), "vote")
        count = self.reader.number(entries["charles"], "votes", 0, 9) if "charles" in entries else None
        if count is not None:
            orders.vote = Written(count, node)
        return
    word = self.reader.word(node, "vote", {"charles": True, "francis": False})
    if word is not None:
        orders.vote = Written(word, node)


def read_subsidies(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """Contracts offered, accepted or cancelled."""
    nodes = node.items if isinstance(node, Sequence) else (node,)
    for item in nodes:
        mapping = self.reader.mapping(item, "a subsidy")
        keys = ("to", "from", "turns", "accept", "cancel")
        entries = self.reader.known(mapping, keys, "a subsidy") if mapping else {}
        answer = read_subsidy(self, item, entries)
        if answer is not None:
            orders.settle.append((answer, item))


def read_subsidy(self: SectionReader, node: Node, entries: dict[str, Node]) -> Answer | None:
    """One contract."""
    if "cancel" in entries:
        partner = self.reader.name(entries["cancel"], "a power", self.lexicon.power)
        return CancelSubsidy(partner) if partner else None
    end = next((key for key in ("to", "from") if key in entries), None)
    if end is None or "turns" not in entries:
        self.reader.note(node, "E-FORM-MISSING", "a subsidy has `to` or `from` a power, and turns", "or `cancel`")
        return None
    other = self.reader.name(entries[end], "a power", self.lexicon.power)
    turns = self.reader.number(entries["turns"], "turns", 0, 99)
    accept = "accept" in entries and self.reader.truth(entries["accept"], "accept") is True
    if other is None or turns is None:
        return None
    giver, receiver = (self.power, other) if end == "to" else (other, self.power)
    return OfferSubsidy(giver, receiver, turns, accept)


def read_stacking(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """Whether partners' generals may stack with one's own."""
    answer = self.reader.truth(node, "stacking")
    if answer is not None:
        orders.settle.append((AllowStacking(answer), node))


def read_agreements(self: SectionReader, orders: PoliticalOrders, node: Node) -> None:
    """Promises: with whom, in which words."""
    nodes = node.items if isinstance(node, Sequence) else (node,)
    for item in nodes:
        mapping = self.reader.mapping(item, "an agreement")
        entries = self.reader.known(mapping, ("with", "words"), "an agreement") if mapping else {}
        if {"with", "words"} <= set(entries):
            others = self.reader.names(entries["with"], "a power", self.lexicon.power)
            words = self.reader.text(entries["words"], "words") or ""
            orders.settle.append((MakeAgreement((self.power, *others), words), item))
        else:
            self.reader.note(item, "E-FORM-MISSING", "an agreement says with whom, and its words")


POLITICAL_READERS: dict[str, Callable[[SectionReader, PoliticalOrders, Node], None]] = {
    "trump": read_trump,
    "influence": read_influence,
    "politics": read_politics,
    "corps": read_corps,
    "relocate": read_relocate,
    "shift": consent("shift"),
    "peace": consent("peace"),
    "reduce": consent("reduce"),
    "vote": read_vote,
    "subsidies": read_subsidies,
    "stacking": read_stacking,
    "agreements": read_agreements,
}
"""How each section is read."""
