"""Differences between two positions, as a view shows them."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.table import GameRules, View
from pbem.report.language.templates import TemplateData
from pbem.report.telling import view_data


def changes(rules: GameRules, old: View, new: View) -> dict[str, object]:
    """Return the differences between two positions as data, like `pbem show --json`. A value is null if only the old
    position has it."""
    return differences(by_name(view_data(rules, old)), by_name(view_data(rules, new)))


def by_name(position: TemplateData) -> TemplateData:
    """Return a position's data in which the pieces are keyed by their names."""
    return position | {"pieces": {piece["name"]: piece for piece in position["pieces"]}}


def differences(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    """Return the keys that have different values in `old` and `new`, each with its value in `new`, or None if `new`
    does not have it. If both values are mappings, only the differences between them are returned."""
    found: dict[str, object] = {}
    for key in {**old, **new}:
        was, now = old.get(key), new.get(key)
        if was != now:
            found[key] = differences(was, now) if isinstance(was, dict) and isinstance(now, dict) else now
    return found
