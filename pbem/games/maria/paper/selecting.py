"""The section `politics` of MARIA's orders: which political card is selected, and what of it is executed (§17.5)."""

from __future__ import annotations

from pbem.engine.nouns import NO_POWER
from pbem.faults.words import words
from pbem.faults.wrong import wrong
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.politics import card_facts
from pbem.games.maria.rules.politics_data import Grant, Political, PoliticalCard, PoliticsData
from pbem.games.maria.rules.table import Table
from pbem.paper.documents.strict import Node, Text
from pbem.paper.orders import inputs
from pbem.paper.orders.inputs import Either, Input, Part, Record
from pbem.paper.orders.names import SectionReader, SectionWriter, Written
from pbem.paper.orders.section import AnySection, Section, as_said, whole
from pbem.seal.canonical import Tree

CONSERVE = "conserve"


def politics_of(self: SectionReader) -> PoliticsData:
    """The tracks and the political cards."""
    rules = self.lexicon.rules
    assert isinstance(rules, MariaRules)
    return rules.politics


def read_politics(self: SectionReader, node: Node) -> Written[d.Politics] | None:
    """`conserve`, or a card with what of it is executed."""
    if isinstance(node, Text):
        self.reader.word(node, "politics", {CONSERVE: True})
        return Written(d.Politics(), node)
    entries = self.keys(node, ("card", "instruction", "shifts", "for"), "politics")
    if "card" not in entries:
        self.reader.note(node, wrong("E-FORM-MISSING.politics"))
        return None
    card = political_card(self, entries["card"])
    instruction = self.flag(entries, "instruction")
    grantee = self.power_named(entries["for"]) if "for" in entries else None
    shifts = read_shifts(self, entries["shifts"]) if "shifts" in entries else {}
    return None if card is None else Written(d.Politics(card, instruction, shifts, grantee or NO_POWER), node)


def political_card(self: SectionReader, node: Node) -> Political | None:
    """A political card by its number."""
    return self.reader.word(node, "the card", {str(card.number): card.number for card in politics_of(self).cards})


def read_shifts(self: SectionReader, node: Node) -> dict[str, int]:
    """`track: boxes`, to the right without a sign, to the left with a minus."""
    mapping = self.reader.mapping(node, "shifts")
    known = self.reader.known(mapping, politics_of(self).tracks, "shifts") if mapping else {}
    found = {track: self.reader.number(value, words("shift-of", track=track), -9, 9) for track, value in known.items()}
    return {track: steps for track, steps in found.items() if steps is not None}


def write_politics(pen: SectionWriter, answer: d.Politics) -> Tree:
    """A political card and what of it is executed, or `conserve`."""
    if answer.card is None:
        return CONSERVE
    tree: dict[str, Tree] = {"card": str(answer.card), "instruction": pen.flag(answer.instruction)}
    if answer.shifts:
        tree["shifts"] = {track: str(steps) for track, steps in answer.shifts.items()}
    return tree | ({"for": answer.grantee} if answer.grantee else {})


def politics_form(pen: SectionWriter, table: Table, decision: d.SelectPolitics) -> Input:
    """Conserve, discard a card, or execute what of it the edition allows."""
    ways: list[Input] = [inputs.choice(CONSERVE)]
    for number in decision.cards:
        card = Part(inputs.choice(str(number)))
        ways.append(Record({"card": card}))
        if decision.may_execute:
            ways += [Record({"card": card} | way) for way in executions(table, card_facts(table, number))]
    return Either(tuple(ways))


def executions(table: Table, facts: PoliticalCard) -> list[dict[str, Part]]:
    """The ways of executing a card: with its instruction and without it, where the edition lets one part them."""
    in_parts = table.rules.edition.partial_execution
    may_choose = in_parts or len(facts.shifts) > 1
    arrows = [arrow for arrow in facts.shifts if not arrow.while_status or arrow.while_status == status(table)]
    if not may_choose and len(arrows) < len(facts.shifts):
        return []
    shifts = {
        arrow.track: Part(inputs.choice(*steps_of(arrow.steps, arrow.either)), optional=may_choose) for arrow in arrows
    }
    rest = {"shifts": Part(Record(shifts))} if shifts else {}
    grants = [set(effect.to) for effect in facts.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    grantee = {"for": Part(inputs.choice(*sorted(set.intersection(*grants))))} if grants else {}
    whole_card = {"instruction": Part(inputs.choice("yes"))} | rest | grantee
    return [*([whole_card] if facts.effects else []), *([rest] if rest and (in_parts or not facts.effects) else [])]


def steps_of(steps: int, either: bool) -> list[str]:
    """How far an arrow leads: to the right without a sign, to the left with a minus."""
    return [str(steps), str(-steps)] if either else [str(steps)]


POLITICS: AnySection = Section(
    "politics", "§17.5", d.SelectPolitics, d.Politics, whole(read_politics), as_said, write_politics, politics_form
)
"""The political card that is selected."""
