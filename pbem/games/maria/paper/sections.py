"""The sections of an order file that only MARIA asks for: hussars, subsidy, toll, and politics (docs/orders.md)."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision
from pbem.engine.field import OFF
from pbem.engine.table import GameRules
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.answers import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.politics_data import PoliticsData
from pbem.paper.documents.strict import Mapping, Node, Sequence, Text
from pbem.paper.lexicon import SIGNS, WrittenCard
from pbem.paper.orders.sections import Named, PlayOrder, PowerOrders, SectionReader, Written


class HussarsOrder(Struct, frozen=True):
    """Where the hussars go."""

    places: tuple[Named, ...]
    node: Node


class TollOrder(Struct, frozen=True):
    """What is paid for supply through hussars: cards or the whole hand, and who goes unsupplied."""

    pay: tuple[PlayOrder, ...] | None
    unsupplied: tuple[Named, ...]
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


def politics_of(self: SectionReader) -> PoliticsData:
    """The tracks and the political cards."""
    rules = self.lexicon.rules
    assert isinstance(rules, MariaRules)
    return rules.politics


def read_hussars(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """A city or `off` for each hussar."""

    def place(item: Node) -> Named | None:
        return Named(OFF, item) if isinstance(item, Text) and item.value.casefold() == "off" else self.city(item)

    orders.sections["hussars"] = [HussarsOrder(self.each(node, "hussars", place), node)]


def read_toll(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """What is paid for supply."""
    mapping = self.reader.mapping(node, "toll")
    if mapping is None:
        return
    entries = self.reader.known(mapping, ("pay", "unsupplied"), "toll")
    pay: tuple[PlayOrder, ...] | None = ()
    if "pay" in entries:
        written = entries["pay"]
        whole = isinstance(written, Text) and written.value.casefold() == "all"
        pay = None if whole else self.cards(written)
    unsupplied = self.each(entries["unsupplied"], "generals", self.piece) if "unsupplied" in entries else ()
    orders.sections["toll"] = [TollOrder(pay, unsupplied, node)]


def read_trump(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    suit = self.reader.word(node, "trump", SIGNS)
    if suit is not None:
        orders.sections["trump"] = [Written(suit, node)]


def read_influence(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """A card, or none."""
    if isinstance(node, Text) and node.value.casefold() == "none":
        orders.sections["influence"] = [Written(None, node)]
        return
    found: WrittenCard | None = self.reader.name(node, "a card", self.lexicon.card)
    if found is not None:
        orders.sections["influence"] = [Written(found, node)]


def read_politics(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """`conserve`, or a card with what of it is executed."""
    if isinstance(node, Text):
        self.reader.word(node, "politics", {"conserve": True})
        orders.sections["politics"] = [PoliticsOrder(None, False, {}, "", node)]
        return
    mapping = self.reader.mapping(node, "politics")
    keys = ("card", "instruction", "shifts", "for")
    entries = self.reader.known(mapping, keys, "politics") if mapping else {}
    if "card" not in entries:
        self.reader.note(node, "E-FORM-MISSING", "politics names a card, by its number", "or says `conserve`")
        return
    numbers = {str(card.number): card.number for card in politics_of(self).cards}
    card = self.reader.word(entries["card"], "the card", numbers)
    instruction = self.reader.truth(entries["instruction"], "instruction") if "instruction" in entries else False
    grantee = self.reader.name(entries["for"], "a power", self.lexicon.power) if "for" in entries else ""
    shifts = read_shifts(self, entries["shifts"]) if "shifts" in entries else {}
    if card is not None:
        orders.sections["politics"] = [PoliticsOrder(card, bool(instruction), shifts, grantee or "", node)]


def read_shifts(self: SectionReader, node: Node) -> dict[str, int]:
    """`track: boxes`, to the right without a sign, to the left with a minus."""
    mapping = self.reader.mapping(node, "shifts")
    known = self.reader.known(mapping, politics_of(self).tracks, "shifts") if mapping else {}
    found = {track: self.reader.number(value, f"the shift of {track}", -9, 9) for track, value in known.items()}
    return {track: steps for track, steps in found.items() if steps is not None}


def read_corps(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """A general, with cards if he is off the map."""
    pay: tuple[PlayOrder, ...] = ()
    written = node
    if isinstance(node, Mapping):
        entries = self.reader.known(node, ("general", "pay"), "corps")
        written = entries.get("general", node)
        pay = self.cards(entries["pay"]) if "pay" in entries else ()
    general = self.piece(written)
    if general is not None:
        orders.sections["corps"] = [CorpsOrder(general, pay, node)]


def read_relocate(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """`piece: city` lines; with a commander where equal ranks stack, `piece: {to: city, commander: general}`.

    They are asked for by piece, not in their order, and so each is a section of its own.
    """
    for name, value in self.reader.pairs(node, "relocate"):
        piece, commander, where = self.piece(name), None, value
        if isinstance(value, Mapping):
            entries = self.reader.known(value, ("to", "commander"), "relocate")
            where = entries.get("to", value)
            commander = self.piece(entries["commander"]) if "commander" in entries else None
        city = self.city(where)
        if piece and city:
            section = relocation(self.lexicon.rules, piece.number)
            orders.sections.setdefault(section, []).append(GoOrder(piece, city, commander, value))


def relocation(rules: GameRules, piece: int) -> str:
    """The section of the relocation of one piece."""
    return f"relocate {rules.common.pieces[piece].name}"


def consent(section: str) -> Callable[[SectionReader, PowerOrders, Node], None]:
    """A section that is yes or no."""

    def read(self: SectionReader, orders: PowerOrders, node: Node) -> None:
        answer = self.reader.truth(node, section)
        if answer is not None:
            orders.sections[section] = [Written(answer, node)]

    return read


def read_vote(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """A candidate for all votes, or how many are for Charles."""
    if isinstance(node, Mapping):
        entries = self.reader.known(node, ("charles",), "vote")
        count = self.reader.number(entries["charles"], "votes", 0, 9) if "charles" in entries else None
        if count is not None:
            orders.sections["vote"] = [Written(count, node)]
        return
    word = self.reader.word(node, "vote", {"charles": True, "francis": False})
    if word is not None:
        orders.sections["vote"] = [Written(word, node)]


def read_subsidies(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """Contracts offered, accepted or cancelled."""
    found = orders.sections["subsidies"] = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        mapping = self.reader.mapping(item, "a subsidy")
        keys = ("to", "from", "turns", "accept", "cancel")
        entries = self.reader.known(mapping, keys, "a subsidy") if mapping else {}
        answer = read_subsidy(self, item, entries)
        if answer is not None:
            found.append(Written(answer, item))


def read_subsidy(self: SectionReader, node: Node, entries: dict[str, Node]) -> Answer | None:
    """An offer of a contract, its acceptance, or its cancelling."""
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


def read_stacking(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """Whether partners' generals may stack with one's own."""
    answer = self.reader.truth(node, "stacking")
    if answer is not None:
        orders.sections["stacking"] = [Written(AllowStacking(answer), node)]


def read_agreements(self: SectionReader, orders: PowerOrders, node: Node) -> None:
    """Promises: with whom, in which words."""
    found = orders.sections["agreements"] = []
    for item in node.items if isinstance(node, Sequence) else (node,):
        mapping = self.reader.mapping(item, "an agreement")
        entries = self.reader.known(mapping, ("with", "words"), "an agreement") if mapping else {}
        if {"with", "words"} <= set(entries):
            others = self.reader.names(entries["with"], "a power", self.lexicon.power)
            words = self.reader.text(entries["words"], "words") or ""
            found.append(Written(MakeAgreement((self.power, *others), words), item))
        else:
            self.reader.note(item, "E-FORM-MISSING", "an agreement says with whom, and its words")


ANSWERS: dict[type[Decision], str] = {
    d.PlaceHussars: "hussars",
    d.Subsidy: "subsidy",
    d.Toll: "toll",
    d.ChooseTrump: "trump",
    d.PlaceInfluence: "influence",
    d.SelectPolitics: "politics",
    d.SendCorps: "corps",
    d.Reinforce: "recruit",
    d.ShiftSaxony: "shift",
    d.OfferPeace: "peace",
    d.AcceptPeace: "peace",
    d.CedeSilesia: "peace",
    d.ReduceObjectives: "reduce",
    d.Vote: "vote",
}
"""The section that answers each kind of decision."""


def section_of(rules: GameRules, decision: Decision) -> str:
    """The section that answers a decision; every piece that has to give way has one of its own."""
    return relocation(rules, decision.piece) if isinstance(decision, d.Relocate) else ANSWERS[type(decision)]


SETTLED = ("subsidies", "stacking", "agreements")
"""What powers settle without being asked."""

SECTIONS: dict[str, Callable[[SectionReader, PowerOrders, Node], None]] = {
    "hussars": read_hussars,
    "subsidy": consent("subsidy"),
    "toll": read_toll,
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
