"""Consequences of a retreat for the stack and for fortresses, as everybody can see."""

from __future__ import annotations

from pbem.engine.conquest import is_held_by_enemy, is_protected
from pbem.engine.decisions import ChooseRetreat, Decision
from pbem.engine.field import alter
from pbem.engine.nouns import City
from pbem.engine.table import Table, deep_copy
from pbem.report import blocks
from pbem.report.consequences import protection_of


def falling_behind(table: Table, asked: ChooseRetreat) -> dict[City, list[City]]:
    """Return the fortresses with a question mark that nobody would protect after the retreat. With each fortress come
    the ends of the retreat (of `asked.ends`) that leave it unprotected. Return an empty dict if no end does."""
    rules, after, reach = table.rules.common, deep_copy(table.state.field), protection_of(table)
    found: dict[City, list[City]] = {}
    for end in asked.ends:
        for loser in asked.pieces:
            alter(after, loser, city=end)
        for city, power in sorted(after.questions.items()):
            if is_held_by_enemy(rules, after, city, power) and not is_protected(rules, after, city, reach):
                found.setdefault(city, []).append(end)
    return found


def retreat_facts(table: Table, decision: Decision, language: str) -> dict[str, object]:
    """Return what a question on a retreat tells of fortresses. `falls` has each fortress that the retreat may leave
    without protection, with the ends of the retreat that do so. `ends` is empty if every end does. The result is an
    empty dict for other decisions."""
    if not isinstance(decision, ChooseRetreat):
        return {}
    named = blocks.common_in_words(table.rules.common, language)
    falls = [
        {"city": blocks.city(named, city), "ends": blocks.cities(named, ends) if len(ends) < len(decision.ends) else []}
        for city, ends in falling_behind(table, decision).items()
    ]
    return {"falls": falls}
