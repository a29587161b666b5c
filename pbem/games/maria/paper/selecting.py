"""Politics in MARIA's orders and plans: the section that selects a political card (§17.5), and wishes of plans."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from pbem.engine.nouns import NO_POWER
from pbem.faults.wrong import words, wrong
from pbem.games.maria.rules import decisions as d
from pbem.games.maria.rules.data import MariaRules
from pbem.games.maria.rules.defection import status
from pbem.games.maria.rules.politics import card_facts
from pbem.games.maria.rules.politics_data import Grant, Political, PoliticalCard, PoliticsData
from pbem.games.maria.rules.state import Table
from pbem.paper.documents.names import as_quoted
from pbem.paper.documents.strict import Node, Text
from pbem.paper.orders.forms import Either, Input, Part, Record, choice
from pbem.paper.orders.names import SectionReader, SectionWriter, WrittenOrder, parts_of
from pbem.paper.orders.section import AnySection, Section, as_said, single
from pbem.paper.plans.data import CardsWish, CorpsWish, GoWish, Pay, PoliticsWish, Raid, RaidWish, TollWish, Wish
from pbem.paper.plans.wishes import (
    Entries,
    WishForm,
    card_reader,
    chosen_word,
    note_missing,
    preferences,
    read_cards_kept_back,
    word_of,
)
from pbem.seal.canonical import Tree

CONSERVE = "conserve"


def politics_of(self: SectionReader) -> PoliticsData:
    rules = self.lexicon.rules
    assert isinstance(rules, MariaRules)
    return rules.politics


def read_politics(self: SectionReader, node: Node) -> WrittenOrder[d.Politics] | None:
    """Read the word `conserve`, or a political card, its parts to execute, and the receiver of its grant. Return None
    if no card can be read. Other faulty parts are left out."""
    if isinstance(node, Text):
        if node.value.casefold() != CONSERVE:
            example = f"{{card: {politics_of(self).cards[0].number}, …}}"
            self.reader.note(node, wrong("E-FORM-WORD.politics", written=as_quoted(node.value), example=example))
        return WrittenOrder(d.Politics(), node)
    entries = self.keys(node, ("card", "instruction", "shifts", "for"), "politics")
    if "card" not in entries:
        self.reader.note(node, wrong("E-FORM-MISSING.politics"))
        return None
    card = political_card(self, entries["card"])
    instruction = self.flag(entries, "instruction")
    grantee = self.power_named(entries["for"]) if "for" in entries else None
    shifts = read_shifts(self, entries["shifts"]) if "shifts" in entries else {}
    return None if card is None else WrittenOrder(d.Politics(card, instruction, shifts, grantee or NO_POWER), node)


def political_card(self: SectionReader, node: Node) -> Political | None:
    return self.reader.word(node, "the card", {str(card.number): card.number for card in politics_of(self).cards})


def read_shifts(self: SectionReader, node: Node) -> dict[str, int]:
    """Read the entries `track: steps`. Steps are positive to the right and negative to the left."""
    mapping = self.reader.mapping(node, "shifts")
    known = self.reader.known_entries(mapping, politics_of(self).tracks, "shifts") if mapping else {}
    found = {track: self.reader.number(value, words("shift-of", track=track), -9, 9) for track, value in known.items()}
    return {track: steps for track, steps in found.items() if steps is not None}


def write_politics(pen: SectionWriter, answer: d.Politics) -> Tree:
    """Return the order that selects a political card and executes parts of it, or `conserve` if the answer has no
    card."""
    if answer.card is None:
        return CONSERVE
    tree: dict[str, Tree] = {"card": str(answer.card), "instruction": pen.flag(answer.instruction)}
    if answer.shifts:
        tree["shifts"] = {track: str(steps) for track, steps in answer.shifts.items()}
    return tree | ({"for": answer.grantee} if answer.grantee else {})


def politics_form(pen: SectionWriter, table: Table, decision: d.SelectPolitics) -> Input:
    """Return the form, for programs, of politics: keep the influence (`conserve`), discard a card, or execute the parts
    of a card that the edition allows."""
    ways: list[Input] = [choice(CONSERVE)]
    for number in decision.cards:
        card = Part(choice(str(number)))
        ways.append(Record({"card": card}))
        if decision.may_execute:
            ways += [Record({"card": card} | way) for way in executions(table, card_facts(table, number))]
    return Either(tuple(ways))


def executions(table: Table, facts: PoliticalCard) -> list[dict[str, Part]]:
    """Return the forms for executing a card: with its instruction, and without it if the edition allows that. The list
    is empty if the card must be executed whole, but Saxony's status forbids one of its arrows."""
    in_parts = table.rules.edition.partial_execution
    may_choose = in_parts or len(facts.shifts) > 1
    arrows = [arrow for arrow in facts.shifts if not arrow.while_status or arrow.while_status == status(table)]
    if not may_choose and len(arrows) < len(facts.shifts):
        return []
    shifts = {arrow.track: Part(choice(*steps_of(arrow.steps, arrow.either)), optional=may_choose) for arrow in arrows}
    rest = {"shifts": Part(Record(shifts))} if shifts else {}
    grants = [set(effect.to) for effect in facts.effects if isinstance(effect, Grant) and len(effect.to) > 1]
    grantee = {"for": Part(choice(*sorted(set.intersection(*grants))))} if grants else {}
    whole_card = {"instruction": Part(choice("yes"))} | rest | grantee
    return [*([whole_card] if facts.effects else []), *([rest] if rest and (in_parts or not facts.effects) else [])]


def steps_of(steps: int, either: bool) -> list[str]:
    """Return the steps by which an arrow may be moved. Steps to the right are positive. If `either` is true, the arrow
    may be moved in both directions."""
    return [str(steps), str(-steps)] if either else [str(steps)]


POLITICS: AnySection = Section(
    "politics", "§17.5", d.SelectPolitics, d.Politics, single(read_politics), as_said, write_politics, politics_form
)
"""Section for the political card that is selected."""


WAYS_TO_PAY: Mapping[str, Pay] = {"cheapest": "cheapest", "highest": "highest", "never": "never"}
"""Words in plans for the possible ways to pay a toll."""


def read_toll(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Read the wish about tolls (§9). Return None if the key `pay` is missing or faulty."""
    if "pay" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.toll"))
        return None
    pay = chosen_word(self, entries["pay"], words("plan-pay"), WAYS_TO_PAY)
    unsupplied = self.each(entries["unsupplied"], "generals", self.piece) if "unsupplied" in entries else ()
    return None if pay is None else TollWish(pay, read_cards_kept_back(self, entries), unsupplied)


RAIDS: Mapping[str, Raid] = {"costliest": "costliest", "stay": "stay", "off": "off"}
"""Words in plans for the moves of hussars."""


def read_raid(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Read the wish about the hussars' moves (§7). Return None if the key `raid` is missing or faulty."""
    if "raid" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.raid"))
        return None
    raid = chosen_word(self, entries["raid"], words("plan-raid"), RAIDS)
    return None if raid is None else RaidWish(raid)


def read_corps(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Read the wish about the general who goes to the off-map box (§17.5). Return None if the key `send` is missing."""
    if "send" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.corps"))
        return None
    is_weakest = word_of(entries, "send") == "weakest"
    generals = () if is_weakest else self.each(entries["send"], "generals", self.piece)
    return CorpsWish(tuple(general.number for general in generals))


def read_selection(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Read the wish about political cards, the most wanted first, each written as in orders (§17.5). Faulty cards are
    left out. Return None if the key `select` is missing."""
    if "select" not in entries:
        note_missing(self, entries, node, wrong("E-PLAN-EMPTY.politics"))
        return None
    choices = [read_politics(self, item) for item in parts_of(entries["select"])]
    return PoliticsWish(tuple(choice.said for choice in choices if choice is not None))


read_placing = card_reader(("trump", "leading", "other"))


def read_influence(self: SectionReader, entries: Entries, node: Node) -> Wish | None:
    """Read the wish about the card to place, and the political cards for which influence is wanted (§17.3). Return None
    after a fault."""
    wish = read_placing(self, entries, node)
    items = self.reader.items(entries["among"], "among") if "among" in entries else ()
    among = [political_card(self, item) for item in items]
    return replace(wish, among=frozenset(card for card in among if card)) if isinstance(wish, CardsWish) else wish


RELOCATION = ("towards", "away-from")
"""Keys of the wish about a piece that has to leave its city."""


PLANS: Mapping[str, WishForm] = {
    "hussars": WishForm(("raid",), read_raid, words={"raid": tuple(RAIDS)}),
    "toll": WishForm(("pay", "keep", "unsupplied"), read_toll, words={"pay": tuple(WAYS_TO_PAY)}),
    "influence": WishForm(("card", "keep", "among"), read_influence, may_stop=True),
    "politics": WishForm(("select",), read_selection, may_stop=True),
    "corps": WishForm(("send",), read_corps, words={"send": ("weakest",)}, free=("send",)),
    "relocate": WishForm(
        ("of", *RELOCATION),
        lambda self, entries, node: GoWish(preferences(self, entries, node, RELOCATION)),
    ),
}
"""Form of the wishes for each choice for which only MARIA has plans. A form has the keys of the wishes, and the
function that reads them."""
