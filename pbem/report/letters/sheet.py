"""Order sheet: as few orders as the rules allow, with comments about other orders. The module also writes presets of
plans as texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from textwrap import dedent
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import fields

from pbem.campaign.briefing import Briefing
from pbem.campaign.own_affairs import PlannedAnswer, PlansOfReader, recruits_behind
from pbem.engine.cards import SeededDealer, is_reserve
from pbem.engine.decisions import Arrange, ChooseBattle, ChooseRetreat, Decision, March, PlayCard
from pbem.engine.memory import Declaration
from pbem.engine.nouns import Card, City, Power, each_piece
from pbem.engine.table import GameRules, Table
from pbem.kit import copy_of, game_of
from pbem.paper.documents.writing import on_one_line, write
from pbem.paper.library import preset_lines
from pbem.paper.orders.files import sections_of
from pbem.report import blocks
from pbem.report.coming_back import cleared_depots, cleared_facts, coming_back_facts
from pbem.report.language.templates import NO_BREAK, WIDTH, TemplateData, template, wrap_paragraph
from pbem.report.letters.agreed_cities import agreed_cities
from pbem.report.letters.ahead_example import INDENT, ahead_example
from pbem.report.letters.entries import local_time
from pbem.report.letters.in_reach import MarchResults, attacks_asked, fights_now, in_reach
from pbem.report.letters.sheet_lines import (
    comment,
    examples_of,
    held_section,
    in_short,
    is_only_answer,
    marching_above,
    noting,
    other_by_default,
)
from pbem.report.retreats import retreat_facts
from pbem.report.telling import NO_MORE, battle_facts, game_report, question
from pbem.seal.canonical import Tree

MARGIN = 4
"""Indentation of the powers in a letter, in characters."""

MOST_INLINE = 2
"""Largest number of parts of a record that is written on one line."""

MOST_MARCHES, FEWER_MARCHES = 4, {"fewer": 3, "fewest": 2, "one": 1}
"""Largest number of a power's marches in the sheet within a letter, if there is no room for all, and smaller numbers
for a mail that would otherwise be too long. The attached sheet lists all marches."""

MOST_LINES = 20
"""Largest number of lines of the sheet within a letter. A sheet that cannot be made so short may be longer."""

SHORTER = (
    ("marches", "all"),
    ("chief", "all"),
    ("marches", "chief"),
    ("chief", "chief"),
    ("few", "chief"),
    ("few", "least"),
)
"""Ways to write the sheet within a letter, the longest first. Each is a pair: the key of the marches that are shown,
and a word for their results that are told. With `least`, forced marches and cities that are only approached are left
out."""

SHORTEST = (("fewer", "least"), ("fewest", "least"), ("fewest", "bare"), ("one", "bare"))
"""Further ways, for a mail that is too long. With `bare`, of the attacks that other marches make possible only the
first is told, and not that trains on the map can be withdrawn."""

SHORT = 8
"""Largest number of lines of a sheet that need not be made shorter even in a mail that is too long."""

ROOM = WIDTH - 16
"""Largest length of an example, in characters. Mail programs would wrap a longer line."""


def sheet_text(briefing: Briefing, language: str = "en") -> str:
    """Return the whole order sheet as an unsigned letter. Return an empty text if no orders are asked."""
    return sheet_texts(briefing, language).whole


class SheetTexts(NamedTuple):
    """Whole order sheet, a shorter sheet for the text of the mail, and still shorter ones for a mail that is too long.
    All are empty if no orders are asked."""

    whole: str = ""
    short: str = ""
    shorter: tuple[str, ...] = ()


def sheet_texts(briefing: Briefing, language: str = "en", is_attached: bool = True) -> SheetTexts:
    """Write the order sheets of a report. The short sheet is a complete letter, unless letters must be signed and the
    whole sheet is attached (`is_attached`)."""
    data = sheet_data(briefing, language)
    if data is None:
        return SheetTexts()
    sheet = template(language, briefing.table_in_play.rules.terms.game, "campaign_sheet.txt.j2")
    data |= {"is_attached": is_attached, "is_letter": data["signing"] == "off" or not is_attached}
    # A sheet without a head is not indented, so its lines can be longer.
    room = {False: WIDTH, True: WIDTH if data["is_letter"] else WIDTH + MARGIN}

    def written(short: bool, shown: str = "marches", results: str = "all") -> str:
        told = {"results": "least", "is_bare": True} if results == "bare" else {"results": results, "is_bare": False}
        more = {"short": short, "width": room[short], "shown": shown} | told
        return dedent(sheet.render(data | noting(room[short]) | more).replace(NO_BREAK, " "))

    ways, short = shorter_ways(data["powers"]), ""
    for way in ways:
        short = written(True, *way)
        if short.count("\n") <= MOST_LINES or way == SHORTER[-1]:
            break
    shorter = [written(True, *way) for way in ways] if short.count("\n") > SHORT else []
    # Of texts with as many lines, the first tells most.
    by_height = {text.count("\n"): text for text in reversed(shorter) if text.count("\n") < short.count("\n")}
    return SheetTexts(written(False), short, tuple(by_height[each] for each in sorted(by_height, reverse=True)))


def shorter_ways(powers: Mapping[str, Sequence[TemplateData]]) -> Iterator[tuple[str, str]]:
    """Yield those ways in `SHORTER` and `SHORTEST` to write a sheet that give different texts, the longest first.
    `powers` has the sections of each power."""
    sections = [each for told in powers.values() for each in told]
    before: list[object] = []
    for shown, results in SHORTER + SHORTEST:
        marches = [each[shown] for each in sections if each.get(shown)]
        if (like := (marches, results if marches else "all")) not in before:
            before.append(like)
            yield shown, results


def sheet_data(briefing: Briefing, language: str = "en") -> TemplateData | None:
    """Return the data of an order sheet. Return None if the reader is asked for no orders, or only to reveal sealed
    orders."""
    if not briefing.orders.asked or briefing.locked or briefing.phase != "running":
        return None
    conduct, powers = briefing.settings.conduct, powers_data(briefing, language)
    return {
        "head": {
            "campaign": briefing.campaign,
            "from": briefing.reader,
            "stage": briefing.stage,
            "basis": briefing.basis,
            "seq": briefing.seq,
        },
        "deadline": local_time(briefing.deadline, briefing.settings.clock) if briefing.deadline else None,
        "signing": "on" if briefing.key else conduct.signing,
        "sealing": conduct.sealing,
        "misorders": conduct.misorders,
        "has_sealed": briefing.orders.has_sealed,
        "ways": briefing.table_in_play.rules.common.ways,
        "powers": powers,
        "facts": facts_at_stake(briefing, language),
        "agreed": list(agreed_cities(briefing, language, marches_in(powers))),
        "unused": briefing.orders.unused,
        "ahead": ahead_example(briefing, language),
        "plans": standing_plans(briefing.orders.plans) if briefing.orders.plans else {},
        "plans_entry": briefing.orders.plans.entry if briefing.orders.plans else 0,
    }


def marches_in(powers: Mapping[str, Sequence[TemplateData]]) -> Iterator[MarchResults]:
    """Yield the example marches in these sections."""
    return (march for told in powers.values() for section in told for march in section.get("marches", ()))


def facts_at_stake(briefing: Briefing, language: str) -> list[str]:
    """Return sentences about facts that are important for the reader's decisions, each once."""
    named = blocks.table_in_words(briefing.table_in_play, language)
    at_stake = game_report(named.rules.terms.game).at_stake
    return list(
        dict.fromkeys(fact for decision in briefing.orders.asked for fact in at_stake(named, decision, language))
    )


def powers_data(briefing: Briefing, language: str) -> dict[str, list[TemplateData]]:
    """Return the sections of each power of the reader: its decisions, and other orders that it can give."""
    table = copy_of(briefing.table_in_play, SeededDealer("nothing is dealt for a sheet"))
    powers: dict[str, list[TemplateData]] = {}
    done = copy_of(table)
    for decision, plans in zip(briefing.orders.asked, chain(briefing.orders.planned, repeat(NO_PLAN)), strict=False):
        for behind, asked in ((table, decision), *recruits_behind(table, decision)):
            cleared = {} if asked is decision else cleared_depots(behind, decision)
            declared = briefing.memory.strengths if briefing.memory else ()
            told = section_data(behind, asked, done, language, declared, cleared)
            told |= planned_data(plans if asked is decision else plan_behind(plans, told), told)
            told["is_behind"] = asked is not decision
            powers.setdefault(asked.power, []).append(told)
    marching = {decision.power for decision in briefing.orders.asked if isinstance(decision, March)}
    for arrange in game_of(table).anytime(table):
        if arrange.power in marching and isinstance(arrange, Arrange):
            pieces, rules = table.state.field.pieces, table.rules.common
            # Troops can be transferred at any time. The sheet gives their present numbers, which the player can change.
            stacks = [{blocks.piece(rules, g): pieces[g].troops for g in stack} for stack in arrange.stacks]
            powers[arrange.power].append({"section": "transfer", "stacks": [on_one_line(stack) for stack in stacks]})
    return powers


NO_PLAN = PlannedAnswer()

MOST_PLANS = 6
"""Largest number of standing plans that a sheet lists. If there are more, it only says that there are plans."""


def plan_behind(planned: PlannedAnswer, section: TemplateData) -> PlannedAnswer:
    """Return the orders given in advance, or else the standing plan, that answer the decision behind a march. Without
    either, return no plan."""
    return planned if planned.ahead and section["section"] in planned.sections else planned.behind or NO_PLAN


def planned_data(planned: PlannedAnswer, section: TemplateData) -> TemplateData:
    """Return the data of the standing plan, or of the order given in advance, that answers a decision. They are for the
    decision's section in a sheet."""
    line = 0 if planned.ahead else planned.line
    data = {"plan_line": line, "plan": on_one_line(planned.plan) if planned.plan else "", "ahead": 0}
    if section["section"] not in planned.sections or section["is_only"]:
        return data
    return data | {
        "ahead": planned.ahead,
        **{key: comment_sections(section[key]) for key in ("written", "short_written")},
    }


class StandingPlans(Struct, frozen=True):
    """Standing plans of a power as comment, and the later stages for which it already has orders."""

    lines: str
    """Plans as lines of comment."""
    stages: tuple[str, ...] = ()


def standing_plans(plans: PlansOfReader) -> dict[str, StandingPlans]:
    """Return the standing plans of each power, written as in a letter. Powers with too many plans have no lines."""
    found = {}
    for power in dict.fromkeys((*plans.open, *plans.ahead)):
        own, ahead = plans.open.get(power, []), plans.ahead.get(power, [])
        blocks = ahead if isinstance(ahead, list) else [ahead]
        stages = tuple(dict.fromkeys(str(block["stage"]) for block in blocks if isinstance(block, dict)))
        many = isinstance(own, list) and len(own) + len(blocks) > MOST_PLANS
        said: dict[str, Tree] = {name: tree for name, tree in (("plans", own), ("ahead", ahead)) if tree}
        lines = "" if many else comment_sections(write(said, WIDTH - INDENT - 2).rstrip("\n"))
        found[power] = StandingPlans(lines, stages)
    return found


def comment_sections(text: str) -> str:
    """Return sections as comment, with the indentation that the sheet has."""
    lines = text.split("\n")
    begins = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(f"{' ' * INDENT}# {line[begins:]}" for line in lines)


def section_data(
    table: Table,
    decision: Decision,
    done: Table,
    language: str,
    declared: Sequence[Declaration],
    cleared: Mapping[City, Table],
) -> TemplateData:
    """Return the data of one section of the sheet: its question, the proposed orders, default orders that differ from
    them, and other possible orders.

    `done` is the table on which example marches are carried out. `cleared` has a table for each depot from which the
    power's own pieces can march. On this table they have marched, and the decision is the same.
    """
    named = blocks.table_in_words(table, language)
    section, held = held_section(table, decision, language)
    worth = game_report(table.rules.terms.game).worth_knowing(named, decision)
    first = [sections_of(named, decision.power, decision, answer)[section] for answer in worth.answers]
    found = examples_of(named, decision, section, held, first)
    above = marching_above(named, decision, done)
    game, left = game_of(table), cleared.values()
    asked_on = [(named, decision), *((each, game.decision_of(each, decision.power)) for each in left)]
    marches = in_reach(named, decision, done, declared) if isinstance(decision, March) else []
    written = indented_section(section, in_short(held))
    is_one_line = "\n" not in written
    asked = {"in_lines": bool(marches), **above, **worth.data, **cleared_facts(table, cleared, language)}
    asked["twins"] = twins(decision)
    examples = [example_line(value, decision.power) for value in found.values]
    values = [text for text in examples if len(text) <= ROOM]
    if isinstance(decision, ChooseRetreat):
        values = [text if text in values else text.replace(NO_BREAK, " ") for text in examples]
    # If all examples are too long for one line, one of them is shown on several lines.
    wide = "" if values or not examples or isinstance(decision, March) else examples[0].replace(NO_BREAK, " ")
    return {
        "section": section,
        "question": question_for(table, decision, language, asked),
        "short_question": question_for(table, decision, language, asked | {"short": True}),
        "bare_question": question_for(table, decision, language, asked | {"short": True, "bare": True}),
        "is_only": all(is_only_answer(named, each, held) for named, each in asked_on),
        "by_default": other_by_default(named, decision, section, held),
        "written": written,
        "short_written": in_few_lines(section, in_short(held)),
        "hand": blocks.notations(hand_for(table, decision)),
        "marches": marches,
        "chief": chief_marches(
            marches, max(MOST_MARCHES, sum(each.is_starving or each.is_weighty for each in marches))
        ),
        "few": chief_marches(marches, MOST_MARCHES),
        **{shown: chief_marches(marches, most) for shown, most in FEWER_MARCHES.items()},
        "fights": fights_now(named, decision.power, declared) if marches else [],
        "attacks": attacks_asked(named, decision, declared) if isinstance(decision, ChooseBattle) else [],
        "lines": values if isinstance(decision, March) else [],
        "others": values if is_one_line and not isinstance(decision, March) else [],
        "wide": wide if is_one_line else "",
        "more": found.more + len(found.values) - len(values) - bool(wide) if is_one_line and not marches else 0,
    }


def example_line(value: Tree, power: Power) -> str:
    """Return an example as one line. Of a list of records, only the first is written. Trains of `power` have no power
    in their names."""
    entry = value[0] if isinstance(value, list) and isinstance(value[0], dict) else value
    return on_one_line(entry).replace(f"{power} train ", "train ").replace(" ", NO_BREAK)


def twins(decision: Decision) -> list[str]:
    """Return the cards that may be played and of which the hand has another of the same name, each once. Reserves are
    left out."""
    cards = decision.cards if isinstance(decision, PlayCard) else ()
    held = Counter(blocks.notations(card for card in cards if not is_reserve(card)))
    return [name for name, number in held.items() if number > 1]


def hand_for(table: Table, decision: Decision) -> Sequence[Card]:
    """Return the hand of the power that decides, if the decision is about cards. Else return no cards."""
    if all(field.type != tuple[Card, ...] for field in fields(decision)):
        return ()
    hand: Sequence[Card] = table.state.cards.hands[decision.power]
    return hand


def question_for(table: Table, decision: Decision, language: str, more: Mapping[str, object] = NO_MORE) -> str:
    places = {index: piece.city for index, piece in each_piece(table.state.field.pieces) if piece.city >= 0}
    facts = battle_facts(game_of(table).view(table, (decision.power,))) if table.state.duel else {}
    facts |= retreat_facts(table, decision, language) | coming_back_facts(table, decision, language)
    return question(table.rules, decision, places, language, {"brief": True, **facts, **more})


def indented_section(section: str, tree: Tree) -> str:
    """Return a section as a letter has it. An empty list is not written, so that the player can add lines below."""
    text = f"{section}:" if tree == [] else write({section: tree}, WIDTH - INDENT).rstrip("\n")
    if isinstance(tree, dict) and 0 < len(tree) <= MOST_INLINE and len(short := on_one_line(tree)) <= ROOM:
        text = f"{section}: {short}"
    return "\n".join(" " * INDENT + line for line in text.split("\n"))


def in_few_lines(section: str, tree: Tree) -> str:
    if not isinstance(tree, dict) or not all(isinstance(each, str) for each in tree.values()):
        return indented_section(section, tree)
    unbroken = on_one_line(tree).replace(" ", NO_BREAK).replace(f",{NO_BREAK}", ", ")
    return wrap_paragraph(f"{section}:{NO_BREAK}{unbroken}", INDENT, 2)


def chief_marches(marches: Sequence[MarchResults], most: int = MOST_MARCHES) -> list[MarchResults]:
    """Return the `most` most important marches, in their old order. Marches of starving pieces are most important, then
    conquests and attacks, then marches of threatened pieces, then others."""
    best = sorted(marches, key=lambda each: (not each.is_starving, not each.is_weighty, not each.is_threatened))[:most]
    return [each for each in marches if each in best]


def preset_text(
    rules: GameRules, preset: str, powers: Sequence[Power], language: str, head: Mapping[str, str | int] | None = None
) -> str:
    """Return the plans of a preset for some powers, as a file of plans. With a `head`, return them as a letter of their
    player."""
    indent = 4 if head is None else 8
    players = rules.seats.values() if head is None else (powers,)
    found = {
        power: [(line.name, plan_text(line.plan, indent)) for line in preset_lines(rules, preset, power, own)]
        for power in powers
        for own in players
        if power in own
    }
    told = template(language, rules.terms.game, "campaign_preset.txt.j2")
    data = {"preset": preset, "powers": found, "head": head, "indent": indent, "comment": comment}
    return told.render(data).replace(NO_BREAK, " ")


def plan_text(plan: Mapping[str, Tree], indent: int) -> str:
    """Return a plan as an item of a list: on one line if there is room, else with a line for each key."""
    pad = " " * indent
    short = f"{pad}- {on_one_line(plan)}"
    if len(short) <= WIDTH:
        return short
    lines = [line for key, value in plan.items() for line in key_lines(key, value, WIDTH - indent - 2)]
    return "\n".join(f"{pad}{'  ' if number else '- '}{line}" for number, line in enumerate(lines))


def key_lines(key: str, value: Tree, room: int) -> list[str]:
    """Return a key of a plan with its value. A list longer than `room` characters has a line for each item."""
    line = f"{key}: {on_one_line(value)}"
    if len(line) <= room or not isinstance(value, list):
        return [line]
    return [f"{key}:", *(f"  - {on_one_line(item)}" for item in value)]
