"""A preset of plans as a text to be edited: above each line a comment in the reader's language tells what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.documents.writing import on_one_line
from pbem.paper.plans.presets import preset_lines, preset_names
from pbem.report.language.templates import NO_BREAK, WIDTH, macros_of, template
from pbem.report.letters.sheet import comment
from pbem.seal.canonical import Tree


class PresetWords(Struct, frozen=True):
    """What presets do, in words, and what each of their lines does, by name."""

    presets: dict[str, str]
    lines: dict[str, str]


def preset_words(game: str, language: str) -> PresetWords:
    """The words of a game's presets."""
    shared, own = (macros_of(language, game, f"preset_{part}.txt.j2") for part in ("words", "lines"))
    says = {name: shared.SAYS[name] for name in preset_names(game)}
    return PresetWords(says, {**shared.LINES, **own.LINES})


def preset_text(
    rules: GameRules, preset: str, powers: Sequence[Power], language: str, head: Mapping[str, str | int] | None = None
) -> str:
    """The plans of a preset for some powers: a file of plans, or with a head a letter of their player’s."""
    indent = 4 if head is None else 8
    players = rules.seats.values() if head is None else (powers,)
    found = {
        power: [(line.name, plan_written(line.plan, indent)) for line in preset_lines(rules, preset, power, own)]
        for power in powers
        for own in players
        if power in own
    }
    told = template(language, rules.terms.game, "campaign_preset.txt.j2")
    data = {"preset": preset, "powers": found, "head": head, "indent": indent, "comment": comment}
    return told.render(data).replace(NO_BREAK, " ")


def plan_written(plan: Mapping[str, Tree], indent: int) -> str:
    """A plan as an item of a list: on one line if there is room, or else with a line for each key."""
    pad = " " * indent
    short = f"{pad}- {on_one_line(plan)}"
    if len(short) <= WIDTH:
        return short
    lines = [line for key, value in plan.items() for line in key_written(key, value, WIDTH - indent - 2)]
    return "\n".join(f"{pad}{'  ' if number else '- '}{line}" for number, line in enumerate(lines))


def key_written(key: str, value: Tree, room: int) -> list[str]:
    """One key of a plan; a list that is too long stands below it, a line for each item."""
    line = f"{key}: {on_one_line(value)}"
    if len(line) <= room or not isinstance(value, list):
        return [line]
    return [f"{key}:", *(f"  - {on_one_line(item)}" for item in value)]
