"""Who has won, and who holds how much of what it needs (§11, §12, §13)."""

from __future__ import annotations

from pbem.engine.nouns import City, Power
from pbem.engine.table import player_of
from pbem.games.friedrich.rules import offensive
from pbem.games.friedrich.rules.state import Result
from pbem.games.friedrich.rules.table import Table, plays_on


def needed(table: Table, power: Power) -> tuple[City, ...]:
    """The objectives that a power has to hold: all, or with eased conditions those of the first order (§11)."""
    rules = table.rules
    return rules.first_order[power] if power in table.state.fate.eased else rules.objectives[power]


def held(table: Table, power: Power) -> int:
    """How many of them it has conquered."""
    markers = table.state.field.markers
    return [markers.get(city) for city in needed(table, power)].count(power)


def reached(table: Table, power: Power) -> bool:
    """Whether a power holds what it needs; what it may claim counts as if it were conquered (§13)."""
    return held(table, power) + offensive.claimed(table, power) >= len(needed(table, power))


def standings(table: Table) -> dict[Power, int]:
    """How many objectives each power that can win by them holds."""
    return {power: held(table, power) for power in contenders(table)}


def contenders(table: Table) -> list[Power]:
    """The powers that can still win by their objectives."""
    rules = table.rules
    return [power for power in rules.powers if power in rules.scenario.goals and plays_on(table, power)]


def result_now(table: Table) -> Result | None:
    """The players whose powers hold all they need, all of them together; or whoever has outlasted the others (§12)."""
    winners = [power for power in contenders(table) if reached(table, power)]
    if offensive.won(table):
        winners.insert(0, table.rules.fate.offensive.power)
    if winners:
        players = list(dict.fromkeys(player_of(table, power) for power in winners))
        return Result(players[0], "goals", standings(table), tuple(players[1:]))
    if has_survived(table):
        return Result(player_of(table, table.rules.scenario.survival.power), "survival", standings(table))
    return None


def has_survived(table: Table) -> bool:
    """Whether all the powers, or all the strokes, are out on which the survivor waits (§12)."""
    fate, survival = table.state.fate, table.rules.scenario.survival
    gone = [*(power in fate.quit for power in survival.quit), *(stroke in fate.out for stroke in survival.strokes)]
    return bool(gone) and all(gone)


def result_of_stage(table: Table, power: Power) -> Result | None:
    """The victory of a power that need not wait for the end of the turn."""
    if power in table.rules.scenario.wins_in_stage and reached(table, power):
        return Result(player_of(table, power), "goals", standings(table))
    return None


def nearness(table: Table) -> dict[str, float]:
    """How near each player is to victory, from 0 to 1: by objectives, or by outlasting the Clock of Fate."""
    rules, found = table.rules, dict.fromkeys(table.rules.seats, 0.0)
    longest = rules.game.first_fate - 1 + len(rules.fate.numbers())
    lasted = table.state.turn / longest
    parts = [(player_of(table, power), held(table, power) / len(needed(table, power))) for power in contenders(table)]
    for player, part in [*parts, (player_of(table, rules.scenario.survival.power), lasted)]:
        found[player] = max(found[player], min(1.0, part))
    return found
