"""Presets: ready-made plans of a game. Each preset is a list of lines from the file `presets.yaml`, and each line is a
plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.library import load_data
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree, Tree

PRESETS = "presets.yaml"
"""Name of the file with a game's presets. A game may lack it."""

FOR = ("powers", "beside", "scenarios", "options")
"""Keys of a line that restrict it to some powers, to players who also have another power, to scenarios, or to games
with an option of the rules, such as the expert game."""

USUAL = "careful"
"""Name of the preset that is offered to players without plans."""


class PresetFile(Struct, frozen=True):
    """File with a game's presets. It has lines by name, and presets, each of which is a list of names of lines."""

    lines: dict[str, dict[str, AnyTree]] = {}
    presets: dict[str, tuple[str, ...]] = {}


class PresetLine(Struct, frozen=True):
    """One line of a preset: a plan, and a description."""

    name: str
    """Key of the wording that describes the line."""
    plan: dict[str, Tree]
    """The plan of the line, as it stands in a letter."""


def preset_file(game: str) -> PresetFile:
    """Load the presets of a game, and their lines. The result is empty if the game has no such file."""
    has_file = game in games() and (data_of(game) / PRESETS).is_file()
    return load_data(game, PRESETS, PresetFile) if has_file else PresetFile()


def preset_names(game: str) -> tuple[str, ...]:
    return tuple(preset_file(game).presets)


def preset_lines(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> tuple[PresetLine, ...]:
    """Return the lines of a preset that fit a power, the scenario and the options of the game. `own` are all powers of
    the power's player."""
    found, scenario = preset_file(rules.terms.game), rules.terms.scenario
    named = {name for line in found.lines.values() for name in line.get("options", ())}
    options = {name for name in named if getattr(rules, name, False)}
    facts: dict[str, set[str]] = {"powers": {power}, "beside": set(own), "scenarios": {scenario}, "options": options}
    return tuple(
        PresetLine(name, plan_of(found.lines[name]))
        for name in found.presets.get(preset, ())
        if all(is_for(found.lines[name], key, names) for key, names in facts.items())
    )


def is_for(line: Mapping[str, AnyTree], key: str, names: Set[str]) -> bool:
    """True if the line has one of the names under the key, or lacks the key."""
    return key not in line or not names.isdisjoint(line[key])


def plan_of(line: Mapping[str, Tree]) -> dict[str, Tree]:
    """Return the plan of a line, as it stands in a letter."""
    return {key: value for key, value in line.items() if key not in FOR} | {"standing": "yes"}


def preset_plans(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> list[Tree]:
    """Return the plans of a preset for a power, as they stand in a letter. `own` are all powers of the power's
    player."""
    return [line.plan for line in preset_lines(rules, preset, power, own)]
