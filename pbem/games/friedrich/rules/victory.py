"""Victory, and the number of objectives that each power holds and needs (§11, §12, §13)."""

from __future__ import annotations

from pbem.engine.nouns import City, Power
from pbem.engine.table import player_of
from pbem.games.friedrich.rules import offensive
from pbem.games.friedrich.rules.state import Result
from pbem.games.friedrich.rules.table import Table, plays_on


def needed_objectives(table: Table, power: Power) -> tuple[City, ...]:
    """Objectives that a power has to hold: all, or with eased conditions those of the first order (§11)."""
    rules = table.rules
    return rules.first_order[power] if power in table.state.fate.eased else rules.objectives[power]


def held_count(table: Table, power: Power) -> int:
    """Number of these that it has conquered."""
    markers = table.state.field.markers
    return [markers.get(city) for city in needed_objectives(table, power)].count(power)


def has_reached(table: Table, power: Power) -> bool:
    """True if a power holds all it needs; claimed objectives count as conquered (§13)."""
    return held_count(table, power) + offensive.claimed_count(table, power) >= len(needed_objectives(table, power))


def standings(table: Table) -> dict[Power, int]:
    """Objectives held by each power that can win by them."""
    return {power: held_count(table, power) for power in contenders(table)}


def contenders(table: Table) -> list[Power]:
    """Powers that can still win by their objectives."""
    rules = table.rules
    return [power for power in rules.powers if power in rules.scenario.goals and plays_on(table, power)]


def result_now(table: Table) -> Result | None:
    """Result if powers hold all they need, all their players together, or if the survivor has outlasted the others
    (§12).
    """
    winners = [power for power in contenders(table) if has_reached(table, power)]
    if offensive.has_won(table):
        winners.insert(0, table.rules.fate.offensive.power)
    if winners:
        players = list(dict.fromkeys(player_of(table, power) for power in winners))
        return Result(players[0], "goals", standings(table), tuple(players[1:]))
    if has_survived(table):
        return Result(player_of(table, table.rules.scenario.survival.power), "survival", standings(table))
    return None


def has_survived(table: Table) -> bool:
    """True if all the powers, or all the strokes, are out that the survivor has to outlast (§12)."""
    fate, survival = table.state.fate, table.rules.scenario.survival
    gone = [*(power in fate.quit for power in survival.quit), *(stroke in fate.out for stroke in survival.strokes)]
    return bool(gone) and all(gone)


def result_of_stage(table: Table, power: Power) -> Result | None:
    """Result if a power wins that need not wait for the end of the turn."""
    if power in table.rules.scenario.wins_in_stage and has_reached(table, power):
        return Result(player_of(table, power), "goals", standings(table))
    return None


def nearness(table: Table) -> dict[str, float]:
    """Nearness of each player to victory, from 0 to 1: by objectives, or by outlasting the Clock of Fate."""
    rules, found = table.rules, dict.fromkeys(table.rules.seats, 0.0)
    longest = rules.game.first_fate - 1 + len(rules.fate.numbers())
    lasted = table.state.turn / longest
    parts = [
        (player_of(table, power), held_count(table, power) / len(needed_objectives(table, power)))
        for power in contenders(table)
    ]
    for player, part in [*parts, (player_of(table, rules.scenario.survival.power), lasted)]:
        found[player] = max(found[player], min(1.0, part))
    return found
