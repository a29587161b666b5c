"""The choices of a question by their numbers: each a text that could as well be typed."""

from __future__ import annotations

from itertools import islice

from msgspec import Struct

from pbem.engine.decisions import Answer, Decision, March, PlayCard
from pbem.engine.nouns import Power
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.documents.writing import on_one_line
from pbem.paper.orders import inputs
from pbem.paper.orders.answer_writing import sections_of
from pbem.paper.orders.answers import form_of
from pbem.playing.reading import DONE
from pbem.report import naming
from pbem.report.game_report import game_report
from pbem.report.language.templates import macros_of, squeeze
from pbem.report.letters.examples import MOST_TRIED, fillings, fullest, in_short, is_taken, offers, with_one_reserve
from pbem.report.letters.in_reach import in_reach
from pbem.report.letters.sheet import held_section
from pbem.seal.canonical import Tree

MOST = 20
"""No more choices of a kind than these have a number; anything else can be typed."""

REACH = "campaign_sheet_words.txt.j2"
"""Where it is said what a march can come to."""

NOTHING = "none"


class Choice(Struct, frozen=True):
    """What may be typed, and what is to be known of it."""

    text: str
    note: str = ""


def choices(table: Table, decision: Decision, language: str) -> list[Choice]:
    """The likeliest answers, what somebody does who does nothing among them."""
    named = naming.table_in_words(table, language)
    section, held = held_section(table, decision, language)
    if isinstance(decision, PlayCard):
        offered = [in_short(one.tree) for one in islice(fillings(form_of(named, decision).input), MOST_TRIED)]
        return [Choice(item(tree)) for tree in with_one_reserve(offered, decision.score)]
    worth = game_report(table.rules.terms.game).worth_knowing(named, decision)
    first = [sections_of(named, decision.power, decision, answer)[section] for answer in worth.answers]
    offered = [tree for tree in offers(named, decision, first) if tree != in_short(held)]
    taken = [tree for tree in offered if is_taken(named, decision.power, {section: tree})]
    more = [Choice(item(tree)) for tree in worth_a_number(taken, isinstance(decision, March))[:MOST]]
    if isinstance(decision, March):
        return [*marches(named, decision, language), *more, Choice(DONE if held == [] else item(held))]
    return [Choice(item(in_short(held))), *more]


def worth_a_number(taken: list[Tree], is_march: bool) -> list[Tree]:
    """Of answers that begin with the same word the fullest; those that begin with numbers for names differ in them."""
    counts = [tree for tree in taken if isinstance(tree, dict) and isinstance(next(iter(tree.values())), dict)]
    return [*fullest([tree for tree in taken if tree not in counts], is_march), *counts]


def marches(named: Table, decision: March, language: str) -> list[Choice]:
    """Each march to where it matters most, with what else is in reach."""
    done = copy_of(named, SeededDealer("nothing is dealt for a choice"))
    words = macros_of(language, named.rules.terms.game, REACH)
    return [Choice(way.line, squeeze(words.reach(way))) for way in in_reach(named, decision, done)]


def item(tree: Tree) -> str:
    """An answer on one line, as it is typed: the entry of a list that has one, a record without its brackets."""
    if tree in ({}, [{}]):
        return NOTHING
    match tree:
        case [{**march}] if len(march) == 1 and isinstance(way := next(iter(march.values())), list):
            return f"{next(iter(march))}: {on_one_line(', '.join(map(str, way)))}"
        case [one]:
            return item(one)
        case dict() if len(tree) > 1 or isinstance(next(iter(tree.values())), str):
            return ", ".join(f"{key}: {on_one_line(value)}" for key, value in tree.items())
    return on_one_line(tree)


def only_choice(table: Table, decision: Decision) -> str:
    """The one answer that there is, if there is no other; a march can always be left."""
    if isinstance(decision, March):
        return ""
    match form_of(table, decision).input:
        case inputs.Choice([only]) | inputs.Lines(inputs.Choice([only]), least=1):
            return item(only.write)
        case inputs.Numbers(of, most, all=True) if len(of) == 1:
            return item({name: str(most) for name in of})
    return ""


def asked_of(table: Table, power: Power) -> Decision | None:
    """What a power is asked now."""
    return next((each for each in game_of(table).decisions(table) if each.power == power), None)


def written(table: Table, power: Power, answer: Answer, language: str) -> str:
    """An answer as it might have been typed."""
    named = naming.table_in_words(table, language)
    ((_, tree),) = sections_of(named, power, asked_of(named, power), answer).items()
    return DONE if tree == [] else item(in_short(tree))
