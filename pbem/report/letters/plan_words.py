"""Descriptions in words: of the lines of presets, of answers by plans and by orders given in advance, and of orders
that could not be carried out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pbem.campaign.play.mishaps import FailedOrder, PlanNote
from pbem.campaign.play.resolving import PlanAnswer
from pbem.engine.decisions import ChooseRetreat, PlayCard
from pbem.engine.nouns import Power
from pbem.engine.table import Table
from pbem.faults.nouns import SIGN_OF_SUIT, nouns, piece_noun
from pbem.paper.lexicon import SUIT_NAMES, SUIT_SIGNS
from pbem.paper.library import plan_of, preset_file, preset_names
from pbem.paper.orders.files import row_for, sections_of
from pbem.paper.orders.section import behind_marches
from pbem.report import blocks
from pbem.report.language.templates import macros_of, squeeze
from pbem.seal.canonical import Tree


class PresetWords(Struct, frozen=True):
    """Descriptions of presets and of their lines, keyed by name."""

    presets: dict[str, str]
    lines: dict[str, str]


def preset_words(game: str, language: str) -> PresetWords:
    shared, own = (macros_of(language, game, f"preset_{part}.txt.j2") for part in ("words", "lines"))
    says = {name: shared.SAYS[name] for name in preset_names(game)}
    return PresetWords(says, {**shared.LINES, **own.LINES})


def plan_words(game: str, language: str, plan: Mapping[str, Tree]) -> str:
    """Describe a standing plan in words. Return an empty text if no preset has this plan."""
    told = preset_words(game, language).lines if preset_names(game) else {}
    lines = preset_file(game).lines.items() if told else ()
    return next((told[name] for name, line in lines if plan_of(line) == {"standing": "yes", **plan}), "")


def own_plan_words(game: str, language: str, plan: Mapping[str, Tree], may_stand: bool = True) -> str:
    """Describe a plan that is a line of a preset, or a tactic for battles. Return an empty text for any other plan.

    If `may_stand` is false, it is described as a plan that ends with its stage, or with the next orders for the stage.
    """
    if told := plan_words(game, language, plan):
        return told
    words = macros_of(language, game, "preset_words.txt.j2")
    tactics: Mapping[str, str] = getattr(words, "TACTICS", {})
    tactic, standing = plan.get("tactic"), plan.get("standing", "no")
    if plan.get("for") != "battle" or not plan.keys() <= {"for", "of", "play", "tactic", "standing"}:
        return ""
    if not isinstance(tactic, str) or tactic not in tactics or standing not in ("yes", "no"):
        return ""
    named = [plan.get(key, []) for key in ("of", "play")]
    pieces, cards = (each if isinstance(each, list) else [each] for each in named)
    if not all(isinstance(piece, str) for piece in pieces) or not all(is_plain_card(card) for card in cards):
        return ""
    of = [piece_noun(str(piece), language) for piece in pieces]
    return squeeze(str(words.battle_plan(tactic, may_stand and standing == "yes", of, cards, not may_stand)))


TOLD_AS_EVENTS = ("allot", "move", "recruit", "toll", "politics", "set aside")
"""Sections of orders whose answers are told in full by the news, so that they are not told again here."""
OF_NOTHING = {"move": "no march", "recruit": "no recruits"}
"""Words for an answer that does nothing, for each section of orders."""
WAYS = ("retreat",)
"""Sections of orders that are answered with paths. Only the last city of a path is told."""
UNTOLD = (
    *("pay", "troops", "enter", "general", "to", "commander", "unsupplied", "recruit", "march", "re-enter", "at"),
    *("card", "instruction", "shifts", "for"),
)
"""Keys of orders that are not told. They are only words before names and cards."""


class AnsweredInWords(Struct):
    """Answers of one power, one after the other, in one section of orders, in words. All come from plans, or all from
    orders given in advance."""

    power: Power
    is_ahead: bool
    key: str
    """Key of the section in files."""
    section: str
    """Name of the section in words. If no piece marches, or none is recruited, words that say this."""
    said: list[str]
    """Answers as cards, names and words. Empty if answers in this section are told in full by the news."""
    fight: str = ""
    """City of the defenders, if the answers belong to a combat; else empty."""
    pieces: list[str] = []
    """Beaten generals for whom the power has chosen a retreat. Empty if the section is not about retreats."""
    spent: str = ""
    """Suit of which the power had no more cards when it stopped; else empty."""


def answers_in_words(table: Table, answers: Iterable[PlanAnswer], language: str) -> list[AnsweredInWords]:
    """Return the answers by plans and by orders given in advance, in words. Answers of one power and one section that
    follow each other are one group, if they come all from plans or all from orders. A group ends with the answer
    `stop`."""
    named, found = blocks.table_in_words(table, language), list[AnsweredInWords]()
    for each in answers:
        power = each.decision.power
        section = row_for(named, each.decision, each.answer).name
        written = list(sections_of(named, power, each.decision, each.answer).values())
        new = AnsweredInWords(power, each.is_ahead, section, nouns(language)["sections"].get(section, section), [])
        new.fight = blocks.place(named.rules.common, each.fight) or ""
        if isinstance(each.decision, ChooseRetreat):
            new.pieces = blocks.pieces(named.rules.common, each.decision.pieces)
        named_answers = nouns(language)["answers"]
        last, stop = found[-1] if found else None, named_answers["stop"]
        is_other = last is None or replace(last, section=new.section, said=[]) != new
        # After `stop`, the next answer belongs to another battle.
        if last is None or is_other or stop in last.said:
            found.append(last := new)
        if isinstance(each.decision, PlayCard) and not each.decision.cards:
            last.spent = blocks.suit(each.decision.suit)
        if section not in TOLD_AS_EVENTS:
            said = list(words_in(written, language))
            is_one_word = len(set(said)) == 1 and said[0] in named_answers.values()
            if section == "hussars" and set(said) == {named_answers["off"]}:
                said = [named_answers["all off"]]
            last.said += said[-1:] if section in WAYS or is_one_word else said
        elif last is new and section in OF_NOTHING and not any(words_in(written, language)):
            last.section = named_answers[OF_NOTHING[section]]
    return found


def marches_in_words(block: Mapping[str, Tree], language: str) -> str:
    """Return the marches in a block of orders given in advance, in words, each with its goal. Return an empty text if
    the block has conditions or other orders."""
    lines = block.get("move")
    if block.keys() != {"move"} or not isinstance(lines, list):
        return ""
    marches = [line for line in lines if isinstance(line, dict) and len(line) == 1]
    told = [f"{piece_noun(piece, language)} → {goal}" for line in marches for piece, goal in line.items()]
    return f"{'; '.join(told)}." if told and len(marches) == len(lines) and all(map(is_text, marches)) else ""


def mishap_data(table: Table, mishap: FailedOrder | PlanNote, language: str) -> dict[str, object]:
    """Return the data of an order that could not be carried out, or of a plan that gave no answer. Marches in its way
    have been carried out. `march` has the pieces and the goal if the order is a march, else it is empty."""
    common, march = blocks.common_in_words(table.rules.common, language), mishap.march
    pieces = [piece_noun(name, language) for name in blocks.pieces(common, march.pieces)] if march else []
    told = f"{' + '.join(pieces)} → {blocks.place(common, march.path[-1])}" if march and march.path else ""
    return {
        "player": mishap.player,
        "power": mishap.power,
        "march": told,
        **behind_marches(mishap.fault).data(language),
    }


def is_text(line: Mapping[str, Tree]) -> bool:
    return all(isinstance(value, str) for value in line.values())


def is_card(written: str) -> bool:
    """True for a card that is written with its deck."""
    return written[:1] in (*SIGN_OF_SUIT.values(), "R") and "/" in written


def is_plain_card(written: Tree) -> bool:
    """True for a line of a plan's `play` that is only a card with its value, without a condition."""
    return isinstance(written, str) and written[:1] in (*SIGN_OF_SUIT.values(), "R") and written[1:].isdecimal()


def words_in(tree: Tree, language: str) -> Iterator[str]:
    """Yield the names, cards and words in a written answer, in the given language. If a number or a city belongs to a
    name, it comes after the name."""
    if isinstance(tree, list):
        for each in tree:
            yield from words_in(each, language)
    elif isinstance(tree, dict):
        candidates = nouns(language)["candidates"]
        for key, value in tree.items():
            inner = list(words_in(value, language))
            name = candidates.get(key) or ("" if key in UNTOLD else piece_noun(key, language))
            yield from [f"{name} {' '.join(inner)}"] if name else inner
    else:
        card, _, _ = tree.partition("/")
        suit = SUIT_SIGNS[SUIT_NAMES[tree]] if tree in SUIT_NAMES else ""
        written = suit or (card if is_card(tree) else tree).replace(" > ", " → ")
        yield nouns(language)["answers"].get(tree) or piece_noun(written, language)
