"""Ready-made plans: named lists of lines, which a game has in its file `presets.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.library import load_data
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree, Tree

PRESETS = "presets.yaml"
"""Name of the file, which a game may lack."""

FOR = ("powers", "beside", "scenarios")
"""Keys that a line has besides those of a plan: its powers, its scenarios, and powers of which the player must have
one."""

USUAL = "careful"
"""Preset that is offered to players without plans."""


class PresetFile(Struct, frozen=True):
    """Lines of a game by name, and its presets, each a list of names of lines."""

    lines: dict[str, dict[str, AnyTree]] = {}
    presets: dict[str, tuple[str, ...]] = {}


class PresetLine(Struct, frozen=True):
    """One line of a preset."""

    name: str
    """Key of the words that describe the line."""
    plan: dict[str, Tree]
    """Standing plan of the line, in the form of a letter."""


def preset_file(game: str) -> PresetFile:
    """Load the lines and presets of a game; empty if it has no such file."""
    has_file = game in games() and (data_of(game) / PRESETS).is_file()
    return load_data(game, PRESETS, PresetFile) if has_file else PresetFile()


def preset_names(game: str) -> tuple[str, ...]:
    """Names of a game's presets."""
    return tuple(preset_file(game).presets)


def preset_lines(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> tuple[PresetLine, ...]:
    """Lines of a preset for a power in the present scenario. `own` are all powers of its player."""
    found, scenario = preset_file(rules.terms.game), rules.terms.scenario
    facts: dict[str, set[str]] = {"powers": {power}, "beside": set(own), "scenarios": {scenario}}
    return tuple(
        PresetLine(name, plan_of(found.lines[name]))
        for name in found.presets.get(preset, ())
        if all(is_for(found.lines[name], key, names) for key, names in facts.items())
    )


def is_for(line: Mapping[str, AnyTree], key: str, names: Set[str]) -> bool:
    """True if a line names one of these powers or scenarios under the key, or lacks the key."""
    return key not in line or not names.isdisjoint(line[key])


def plan_of(line: Mapping[str, Tree]) -> dict[str, Tree]:
    """Standing plan of a line, in the form of a letter."""
    return {key: value for key, value in line.items() if key not in FOR} | {"standing": "yes"}


def preset_plans(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> list[Tree]:
    """Plans of a preset for a power, in the form of a letter."""
    return [line.plan for line in preset_lines(rules, preset, power, own)]
