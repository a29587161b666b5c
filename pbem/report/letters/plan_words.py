"""Plans in words: a description of each line of a preset."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.paper.plans.presets import plan_of, preset_file, preset_names
from pbem.report.language.templates import macros_of
from pbem.seal.canonical import Tree


class PresetWords(Struct, frozen=True):
    """Descriptions of presets, and of each line in a preset, by name."""

    presets: dict[str, str]
    lines: dict[str, str]


def preset_words(game: str, language: str) -> PresetWords:
    shared, own = (macros_of(language, game, f"preset_{part}.txt.j2") for part in ("words", "lines"))
    says = {name: shared.SAYS[name] for name in preset_names(game)}
    return PresetWords(says, {**shared.LINES, **own.LINES})


def plan_words(game: str, language: str, plan: Mapping[str, Tree]) -> str:
    """Describe a standing plan in words; empty if no preset has such a plan."""
    told = preset_words(game, language).lines if preset_names(game) else {}
    lines = preset_file(game).lines.items() if told else ()
    return next((told[name] for name, line in lines if plan_of(line) == {"standing": "yes", **plan}), "")
