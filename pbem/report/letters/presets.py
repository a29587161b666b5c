"""A preset of plans as a text to be edited: each line with a comment that tells what it does, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.documents.writing import on_one_line, write
from pbem.paper.plans.presets import preset_lines
from pbem.report.language.templates import NO_BREAK, WIDTH, template
from pbem.report.letters.sheet import comment
from pbem.seal.canonical import Tree


def preset_text(
    rules: GameRules, preset: str, powers: Sequence[Power], language: str, head: Mapping[str, str | int] | None = None
) -> str:
    """The plans of a preset for some powers: a file of plans, or with a head the letter that sends them."""
    indent = 4 if head is None else 8
    found = {
        power: [(line.name, plan_written(line.plan, indent)) for line in preset_lines(rules, preset, power)]
        for power in powers
    }
    told = template(language, rules.terms.game, "campaign_preset.txt.j2")
    data = {"preset": preset, "powers": found, "head": head, "indent": indent, "comment": comment}
    return told.render(data).replace(NO_BREAK, " ")


def plan_written(plan: Tree, indent: int) -> str:
    """A plan as an item of a list, on one line if there is room."""
    pad = " " * indent
    short = f"{pad}- {on_one_line(plan)}"
    if len(short) <= WIDTH:
        return short
    return "\n".join(pad + line for line in write([plan], WIDTH - indent).rstrip("\n").split("\n"))
