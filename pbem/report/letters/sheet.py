"""The order sheet: a letter with the orders of somebody who does nothing, and as comments what could be ordered.

Read as it is, it is a valid letter. What stands in it follows from what its reader may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from pbem.bots.holding import hold
from pbem.campaign.news import Tidings
from pbem.engine.decisions import Arrange, Decision, March
from pbem.engine.stream import SeededDealer
from pbem.engine.table import Table
from pbem.kit import copy_of, game_of
from pbem.paper.documents.writing import write
from pbem.paper.orders.answer_writing import sections_of
from pbem.paper.orders.answers import section_of
from pbem.report import naming
from pbem.report.language.options import open_options
from pbem.report.language.templates import NO_BREAK, WIDTH, squeezed, template, wrapped
from pbem.report.letters.times import when
from pbem.report.questions import question
from pbem.report.voices import voice_named
from pbem.seal.canonical import Tree

T = TypeVar("T")

MOST_IN_REACH = 30
MOST_FORCED = 10
"""Of the cities that a piece can reach no more than these are listed, the nearest first; and by forced marches."""

INDENT = 6
"""How far the sections of a power stand to the right."""


def sheet_text(tidings: Tidings, language: str = "en") -> str:
    """The sheet as the text of a letter that is not signed; nothing if no orders are asked of its reader."""
    data = sheet_data(tidings, language)
    if data is None:
        return ""
    sheet = template(language, tidings.table.rules.terms.game, "campaign_sheet.txt.j2")
    return sheet.render(data | {"comment": comment}).replace(NO_BREAK, " ")


def sheet_data(tidings: Tidings, language: str = "en") -> dict[str, object] | None:
    """What a sheet says; nothing if no orders are asked of its reader, or only that what was sealed be shown."""
    if not tidings.asked or tidings.locked or tidings.phase != "running":
        return None
    powers: dict[str, list[dict[str, object]]] = {}
    reach = {option["power"]: option["marches"] for option in options(tidings, language) if "marches" in option}
    for decision in (*tidings.asked, *recruits_behind(tidings)):
        marches = reach.get(decision.power, []) if isinstance(decision, March) else []
        section = section_data(tidings, decision, language) | {"reach": reached(marches), "also": ""}
        if isinstance(decision, March) and may_recruit(tidings, decision.power):
            section["also"] = "move, recruiting"
        powers.setdefault(decision.power, []).append(section)
    for arrange in game_of(tidings.table).standing(tidings.table):
        if arrange.power in powers and isinstance(arrange, Arrange):
            powers[arrange.power].append(transfer_data(tidings, arrange, language))
    conduct = tidings.settings.conduct
    return {
        "head": {
            "campaign": tidings.campaign,
            "from": tidings.reader,
            "stage": tidings.stage,
            "basis": tidings.basis,
            "seq": tidings.seq,
        },
        "deadline": when(tidings.deadline, tidings.settings.clock) if tidings.deadline else None,
        "signing": "on" if tidings.has_key else conduct.signing,
        "sealing": conduct.sealing,
        "powers": powers,
        "plans": {power: plans_written(plans) for power, plans in tidings.plans.open.items()} if tidings.plans else {},
        "plans_entry": tidings.plans.entry if tidings.plans else 0,
    }


def plans_written(plans: Tree) -> str:
    """Standing plans as they would be written anew, as comment lines."""
    lines = write({"plans": plans}, WIDTH - INDENT - 2).rstrip("\n").split("\n")
    return "\n".join(f"{' ' * INDENT}# {line}" for line in lines)


def recruits_behind(tidings: Tidings) -> list[Decision]:
    """What a power may recruit, asked as soon as its pieces have moved (FRIEDRICH §10): one letter answers both.

    It is looked up behind marches of somebody who stays where he is, and so with nothing that its player cannot know.
    """
    found: list[Decision] = []
    for march in tidings.asked:
        if not isinstance(march, March):
            continue
        table = copy_of(tidings.table, SeededDealer("nothing is dealt for a sheet"))
        game = game_of(table)
        game.apply(table, march.power, hold(table, march, Random(0)))  # noqa: S311 - nothing is left to chance
        found += [after for after in game.decisions(table) if is_recruiting(table, after, march)]
    return found


def may_recruit(tidings: Tidings, power: str) -> bool:
    """Whether a power may recruit between its marches already."""
    table = tidings.table
    offers = [offer for offer in game_of(table).standing(table) if offer.power == power]
    return any(section_of(table, offer) == "recruit" for offer in offers if not isinstance(offer, Arrange))


def is_recruiting(table: Table, decision: Decision, march: Decision) -> bool:
    """Whether the same power is asked for recruits."""
    return decision.power == march.power and section_of(table, decision) == "recruit"


def options(tidings: Tidings, language: str) -> list[dict[str, Any]]:
    """What the reader's powers may do."""
    return open_options(naming.table_in_words(tidings.table, language), tidings.powers)


def section_data(tidings: Tidings, decision: Decision, language: str) -> dict[str, Any]:
    """One section: what is asked, the orders of somebody who does nothing, and the hand that may pay for more."""
    section, tree = held_section(tidings.table, decision, language)
    return {
        "section": section,
        "question": asked(tidings, decision, language),
        "written": indented(section, tree),
        "hand": naming.held(hand_for(tidings, decision)),
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


def hand_for(tidings: Tidings, decision: Decision) -> Sequence[int]:
    """The hand that an answer may be given out of, or has to be weighed with."""
    voice = voice_named(tidings.table.rules.terms.game)
    if isinstance(decision, voice.other_cards) or not {"hand", "cards"} & set(decision.__struct_fields__):
        return ()
    hand: Sequence[int] = tidings.view.hands[decision.power]
    return hand


def transfer_data(tidings: Tidings, arrange: Arrange, language: str) -> dict[str, object]:
    """Troops within stacks, which may be moved at any time: how they stand now, to be changed."""
    pieces, rules = tidings.table.state.field.pieces, tidings.table.rules.common
    stacks = [{naming.piece(rules, g): pieces[g].troops for g in stack} for stack in arrange.stacks]
    return {"section": "transfer", "question": asked(tidings, arrange, language), "stacks": stacks}


def asked(tidings: Tidings, decision: Decision, language: str) -> str:
    """A question in words."""
    table = tidings.table
    places = {index: piece.city for index, piece in enumerate(table.state.field.pieces) if piece.city >= 0}
    return question(table.rules, decision, places, language)


def indented(section: str, tree: Tree) -> str:
    """A section as it stands in the letter; under `move` nothing is written, so that lines can be put below it."""
    text = f"{section}:" if tree == [] else write({section: tree}, WIDTH - INDENT).rstrip("\n")
    return "\n".join(" " * INDENT + line for line in text.split("\n"))


def reached(marches: list[dict[str, Any]]) -> list[dict[str, object]]:
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
    power, is_train, number = piece.partition(" train ")
    return f"train {number}" if is_train else power


def comment(text: str, indent: int = 0, hang: int = 0) -> str:
    """A text as comment lines."""
    room = indent + 2
    lines = wrapped(squeezed(text), room, hang).split("\n")
    return "\n".join(f"{' ' * indent}# {line[room:]}" for line in lines)
