"""The sections of MARIA's orders that settle something without being asked: contracts, leave to stack, promises."""

from __future__ import annotations

from pbem.engine.decisions import Answer
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.games.maria.rules.answers import AllowStacking, CancelSubsidy, MakeAgreement, OfferSubsidy
from pbem.paper.documents.strict import Node
from pbem.paper.orders.names import SectionReader, SectionWriter, Written
from pbem.paper.orders.section import AnySection, Section, as_said, each, whole
from pbem.seal.canonical import Tree


def read_subsidy(self: SectionReader, node: Node) -> Written[Answer] | None:
    """One contract offered, accepted or cancelled."""
    entries = self.keys(node, ("to", "from", "turns", "accept", "cancel"), words("a-subsidy"))
    if "cancel" in entries:
        partner = self.power_named(entries["cancel"])
        return Written(CancelSubsidy(partner), node) if partner else None
    end = next((key for key in ("to", "from") if key in entries), None)
    if end is None or "turns" not in entries:
        self.reader.note(node, wrong("E-FORM-MISSING.subsidy"))
        return None
    other = self.power_named(entries[end])
    turns = self.reader.number(entries["turns"], "turns", 0, 99)
    accept = self.flag(entries, "accept")
    if other is None or turns is None:
        return None
    giver, receiver = (self.power, other) if end == "to" else (other, self.power)
    return Written(OfferSubsidy(giver, receiver, turns, accept), node)


def write_subsidy(pen: SectionWriter, answer: Answer) -> Tree:
    """One contract, as its power sees it."""
    match answer:
        case OfferSubsidy(giver, receiver, turns, accept):
            end, other = ("to", receiver) if giver == pen.power else ("from", giver)
            return [{end: other, "turns": str(turns), "accept": pen.flag(accept)}]
        case CancelSubsidy(partner):
            return [{"cancel": partner}]
    return []


SUBSIDIES: AnySection = Section(
    "subsidies", "§20", (), (OfferSubsidy, CancelSubsidy), each(read_subsidy), as_said, write_subsidy, is_free=True,
    joins="lines",
)  # fmt: skip


def read_stacking(self: SectionReader, node: Node) -> Written[AllowStacking] | None:
    """Yes or no."""
    answer = self.reader.truth(node, "stacking")
    return None if answer is None else Written(AllowStacking(answer), node)


STACKING: AnySection = Section(
    "stacking", "§10.1", (), AllowStacking, whole(read_stacking), as_said, lambda pen, answer: pen.flag(answer.yes),
    is_free=True,
)  # fmt: skip


def read_agreement(self: SectionReader, node: Node) -> Written[MakeAgreement] | None:
    """A promise: with whom, in which words."""
    entries = self.keys(node, ("with", "words"), words("an-agreement"))
    if not {"with", "words"} <= set(entries):
        self.reader.note(node, wrong("E-FORM-MISSING.promise"))
        return None
    others = self.reader.names(entries["with"], words("a-power"), self.lexicon.power)
    text = self.reader.text(entries["words"], "words") or ""
    return Written(MakeAgreement((self.power, *others), text), node)


def write_agreement(pen: SectionWriter, answer: MakeAgreement) -> Tree:
    others: list[Tree] = [other for other in answer.powers if other != pen.power]
    return [{"with": others, "words": answer.words}]


AGREEMENTS: AnySection = Section(
    "agreements", "§21", (), MakeAgreement, each(read_agreement), as_said, write_agreement, is_free=True, joins="lines"
)
"""Promises."""
