"""The order sheet: a letter with the orders of somebody who does nothing, and as comments what could be ordered.

Read as it is, it is a valid letter. What stands in it follows from what its reader may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from msgspec.structs import fields

from pbem.bots.holding import hold
from pbem.campaign.briefing import Briefing
from pbem.engine.decisions import Arrange, Decision, March, Recruitment
from pbem.engine.nouns import Card, Power, each_piece
from pbem.engine.rules import TrainName
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.documents.writing import write
from pbem.paper.orders.answer_writing import sections_of
from pbem.paper.orders.answers import row_of, section_of
from pbem.report import naming
from pbem.report.language.options import decided
from pbem.report.language.templates import NO_BREAK, WIDTH, TemplateData, squeezed, template, wrapped
from pbem.report.letters.times import when
from pbem.report.questions import question
from pbem.seal.canonical import Tree

T = TypeVar("T")

MOST_IN_REACH = 30
MOST_FORCED = 10
"""Of the cities that a piece can reach no more than these are listed, the nearest first; and by forced marches."""

INDENT = 6
"""How far the sections of a power stand to the right."""


def sheet_text(briefing: Briefing, language: str = "en") -> str:
    """The sheet as the text of a letter that is not signed; nothing if no orders are asked of its reader."""
    data = sheet_data(briefing, language)
    if data is None:
        return ""
    sheet = template(language, briefing.played.rules.terms.game, "campaign_sheet.txt.j2")
    return sheet.render(data | {"comment": comment}).replace(NO_BREAK, " ")


def sheet_data(briefing: Briefing, language: str = "en") -> dict[str, object] | None:
    """What a sheet says; nothing if no orders are asked of its reader, or only that what was sealed be shown."""
    if not briefing.asked or briefing.locked or briefing.phase != "running":
        return None
    powers: dict[str, list[dict[str, object]]] = {}
    reach = {option["power"]: option["marches"] for option in options(briefing, language) if "marches" in option}
    for decision in (*briefing.asked, *recruits_behind(briefing)):
        marches = reach.get(decision.power, []) if isinstance(decision, March) else []
        section = section_data(briefing, decision, language) | {"reach": reached(marches), "also": ""}
        if isinstance(decision, March) and may_recruit(briefing, decision.power):
            section["also"] = "move, recruiting"
        powers.setdefault(decision.power, []).append(section)
    for arrange in game_of(briefing.played).anytime(briefing.played):
        if arrange.power in powers and isinstance(arrange, Arrange):
            powers[arrange.power].append(transfer_data(briefing, arrange, language))
    conduct = briefing.settings.conduct
    return {
        "head": {
            "campaign": briefing.campaign,
            "from": briefing.reader,
            "stage": briefing.stage,
            "basis": briefing.basis,
            "seq": briefing.seq,
        },
        "deadline": when(briefing.deadline, briefing.settings.clock) if briefing.deadline else None,
        "signing": "on" if briefing.has_key else conduct.signing,
        "sealing": conduct.sealing,
        "powers": powers,
        "plans": {power: plans_written(plans) for power, plans in briefing.plans.open.items()}
        if briefing.plans
        else {},
        "plans_entry": briefing.plans.entry if briefing.plans else 0,
    }


def plans_written(plans: Tree) -> str:
    """Standing plans as they would be written anew, as comment lines."""
    lines = write({"plans": plans}, WIDTH - INDENT - 2).rstrip("\n").split("\n")
    return "\n".join(f"{' ' * INDENT}# {line}" for line in lines)


def recruits_behind(briefing: Briefing) -> list[Decision]:
    """What a power may recruit, asked as soon as its pieces have moved (FRIEDRICH §10): one letter answers both.

    It is looked up behind marches of somebody who stays where he is, and so with nothing that its player cannot know.
    """
    found: list[Decision] = []
    for march in briefing.asked:
        if not isinstance(march, March):
            continue
        table = copy_of(briefing.played, SeededDealer("nothing is dealt for a sheet"))
        game = game_of(table)
        game.apply(table, march.power, hold(table, march, Random(0)))  # noqa: S311 - nothing is left to chance
        found += [after for after in game.decisions(table) if is_recruiting(table, after, march)]
    return found


def may_recruit(briefing: Briefing, power: Power) -> bool:
    """Whether a power may recruit between its marches already."""
    table = briefing.played
    offers = [offer for offer in game_of(table).anytime(table) if offer.power == power]
    return any(isinstance(Recruitment(), row_of(table, offer).gives) for offer in offers)


def is_recruiting(table: Table, decision: Decision, march: Decision) -> bool:
    """Whether the same power is asked for recruits."""
    return decision.power == march.power and section_of(table, decision) == "recruit"


def options(briefing: Briefing, language: str) -> list[TemplateData]:
    """What the reader's powers may do."""
    return [option for _, option in decided(naming.table_in_words(briefing.played, language), briefing.powers)]


def section_data(briefing: Briefing, decision: Decision, language: str) -> TemplateData:
    """One section: what is asked, the orders of somebody who does nothing, and the hand that may pay for more."""
    section, tree = held_section(briefing.played, decision, language)
    return {
        "section": section,
        "question": question_for(briefing, decision, language),
        "written": indented(section, tree),
        "hand": naming.hand_notation(hand_for(briefing, decision)),
    }


def held_section(table: Table, decision: Decision, language: str) -> tuple[str, Tree]:
    """The section that answers a decision, and what somebody who does nothing writes there in a language."""
    answer = hold(table, decision, Random(0))  # noqa: S311 - nothing is left to chance
    named = naming.table_in_words(table, language)
    ((section, tree),) = sections_of(named, decision.power, decision, answer).items()
    if not isinstance(decision, March) or not decision.leaving:
        return section, tree
    game, after = game_of(table), copy_of(table)
    game.apply(after, decision.power, answer)
    _, more = held_section(after, game.decision_of(after, decision.power), language)
    assert isinstance(tree, list)
    assert isinstance(more, list)
    return section, [*tree, *more]


def hand_for(briefing: Briefing, decision: Decision) -> Sequence[Card]:
    """The hand that an answer may be given out of, or has to be weighed with."""
    if all(field.type != tuple[Card, ...] for field in fields(decision)):
        return ()
    assert briefing.view is not None
    return briefing.view.hands[decision.power]


def transfer_data(briefing: Briefing, arrange: Arrange, language: str) -> dict[str, object]:
    """Troops within stacks, which may be moved at any time: how they stand now, to be changed."""
    pieces, rules = briefing.played.state.field.pieces, briefing.played.rules.common
    stacks = [{naming.piece(rules, g): pieces[g].troops for g in stack} for stack in arrange.stacks]
    return {"section": "transfer", "question": question_for(briefing, arrange, language), "stacks": stacks}


def question_for(briefing: Briefing, decision: Decision, language: str) -> str:
    """A decision as a question in the reader's language, with where the pieces stand."""
    table = briefing.played
    places = {index: piece.city for index, piece in each_piece(table.state.field.pieces) if piece.city >= 0}
    return question(table.rules, decision, places, language)


def indented(section: str, tree: Tree) -> str:
    """A section as it stands in the letter; under `move` nothing is written, so that lines can be put below it."""
    text = f"{section}:" if tree == [] else write({section: tree}, WIDTH - INDENT).rstrip("\n")
    return "\n".join(" " * INDENT + line for line in text.split("\n"))


def reached(marches: list[TemplateData]) -> list[dict[str, object]]:
    """Where pieces can go: cities by the number of steps, the nearest first, and how many more there are.

    A single one more is not counted but named.
    """
    found = []
    for march in marches:
        ways = [way for way in march["to"] if not way["forced"]]
        forced = [way["city"] for way in march["to"] if way["forced"]]
        named, far = at_most(ways, MOST_IN_REACH), at_most(forced, MOST_FORCED)
        steps: dict[int, list[str]] = {}
        for way in named:
            steps.setdefault(len(way["path"]), []).append(way["city"])
        found.append(
            {
                "pieces": march["pieces"],
                "written": [own(piece) for piece in march["pieces"]],
                "from": march["from"],
                "steps": steps,
                "more": len(ways) - len(named),
                "forced": far,
                "more_forced": len(forced) - len(far),
                "first": ways[0]["path"] if ways else [],
            }
        )
    return found


def at_most(items: list[T], most: int) -> list[T]:
    """The first so many; a single one more is named, too."""
    return items if len(items) == most + 1 else items[:most]


def own(piece: str) -> str:
    """A piece as its own power writes it: a train by its number alone."""
    train = TrainName.read(piece)
    return train.own if train else piece


def comment(text: str, indent: int = 0, hang: int = 0) -> str:
    """A text as comment lines."""
    room = indent + 2
    lines = wrapped(squeezed(text), room, hang).split("\n")
    return "\n".join(f"{' ' * indent}# {line[room:]}" for line in lines)
