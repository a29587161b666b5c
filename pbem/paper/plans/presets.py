"""Plans ready to be taken: lists of lines by name, which each game has among its data (`presets.yaml`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from msgspec import Struct

from pbem.engine.nouns import Power
from pbem.engine.table import GameRules
from pbem.paper.library import load_data
from pbem.resources import data_of, games
from pbem.seal.canonical import AnyTree, Tree

PRESETS = "presets.yaml"
"""How the file is called; a game need not have one."""

FOR = ("powers", "beside", "scenarios")
"""What a line says besides what letters have: whom it is for, whom else of a player's powers one of them has to be, and
which scenarios."""

USUAL = "careful"
"""The preset that is offered to who has none."""


class PresetFile(Struct, frozen=True):
    """The lines of a game, and the presets made of them, by name."""

    lines: dict[str, dict[str, AnyTree]] = {}
    presets: dict[str, tuple[str, ...]] = {}


class PresetLine(Struct, frozen=True):
    """One line of a preset."""

    name: str
    """Under which what it does is told in words."""
    plan: dict[str, Tree]
    """A plan as a letter has it, standing."""


def preset_file(game: str) -> PresetFile:
    """What a game has of presets."""
    has_file = game in games() and (data_of(game) / PRESETS).is_file()
    return load_data(game, PRESETS, PresetFile) if has_file else PresetFile()


def preset_names(game: str) -> tuple[str, ...]:
    """The presets of a game."""
    return tuple(preset_file(game).presets)


def preset_lines(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> tuple[PresetLine, ...]:
    """The lines of a preset that are for a power in the scenario that is played, while its player has `own` powers."""
    found, scenario = preset_file(rules.terms.game), rules.terms.scenario
    facts: dict[str, set[str]] = {"powers": {power}, "beside": set(own), "scenarios": {scenario}}
    return tuple(
        PresetLine(name, plan_of(found.lines[name]))
        for name in found.presets.get(preset, ())
        if all(is_for(found.lines[name], key, names) for key, names in facts.items())
    )


def is_for(line: Mapping[str, AnyTree], key: str, names: Set[str]) -> bool:
    """Whether a line is for one of these powers or scenarios: for all, if it names none."""
    return key not in line or not names.isdisjoint(line[key])


def plan_of(line: Mapping[str, Tree]) -> dict[str, Tree]:
    """A line as a letter has it: it stands until it is withdrawn."""
    return {key: value for key, value in line.items() if key not in FOR} | {"standing": "yes"}


def preset_plans(rules: GameRules, preset: str, power: Power, own: Iterable[Power]) -> list[Tree]:
    """The plans of a preset for a power, as a letter has them."""
    return [line.plan for line in preset_lines(rules, preset, power, own)]
