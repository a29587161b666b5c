"""Victory (§14, §24)."""

from __future__ import annotations

from pbem.engine.conquest import control_of, count_controlled
from pbem.engine.nouns import Power
from pbem.engine.table import player_of
from pbem.games.maria.rules import gambit
from pbem.games.maria.rules.points import pools
from pbem.games.maria.rules.state import Result
from pbem.games.maria.rules.table import Table


def held_count(table: Table, power: Power) -> int:
    """Fortresses of its goal that a power controls (§14)."""
    lands = table.rules.scenario.goals[power].lands
    return count_controlled(table.rules.common, table.state.field, power, lands)


def has_reached(table: Table, power: Power) -> bool:
    """True if a power controls as many fortresses as its goal requires."""
    return held_count(table, power) >= table.rules.scenario.goals[power].fortresses


def standings(table: Table) -> dict[Power, int]:
    """Fortresses of its goal that each power with a goal controls."""
    return {power: held_count(table, power) for power in table.rules.scenario.goals}


def is_ceded(table: Table) -> bool:
    """True if peace has changed the goals (Silesia Gambit §2.2)."""
    gambit = table.state.gambit
    return gambit is not None and gambit.ceded


def winner_now(table: Table) -> Result | None:
    """Result if all goals of a player are reached: one goal with three players, two with two (§14, §24)."""
    if is_ceded(table):
        return gambit.winner_now(table)
    return control_of(table.rules.common, table.state.field).once("winner", winner_by_goals, table)


def winner_by_goals(table: Table) -> Result | None:
    """Result by the goals of the scenario, which hold while no peace has changed them."""
    rules = table.rules
    for player, powers in rules.seats.items():
        goals = [power for power in powers if power in rules.scenario.goals]
        if goals and all(has_reached(table, power) for power in goals):
            return Result(player, "goals", standings(table))
    return None


def result_at_end(table: Table) -> Result:
    """Result after the last turn: the survivor wins, or it is a tie if a goal is reached all the same (§14, §24)."""
    rules = table.rules
    if is_ceded(table):
        survivor = rules.player_of(gambit.facts(table).survivor)
        return Result(survivor, "survival", gambit.standings(table))
    if any(has_reached(table, power) for power in rules.scenario.goals):
        return Result(None, "divided", standings(table))
    return Result(rules.player_of(rules.scenario.survivor), "survival", standings(table))


def nearness(table: Table) -> dict[str, float]:
    """Nearness of each player to victory, from 0 to 1: by goals, by an empty pool, or by lasting to the last turn."""
    rules, found = table.rules, dict.fromkeys(table.rules.seats, 0.0)
    if rules.scenario.victory == "pools":
        markers = rules.game.advanced.markers
        parts = [(player_of(table, power), 1 - left / markers[power]) for power, left in pools(table).items()]
    elif is_ceded(table):
        parts = [(player_of(table, power), share(held, needed)) for power, needed, held in gambit.goal_numbers(table)]
    else:
        goals = rules.scenario.goals
        own = {player: [power for power in powers if power in goals] for player, powers in rules.seats.items()}
        parts = [
            (player, sum(share(held_count(table, power), goals[power].fortresses) for power in powers) / len(powers))
            for player, powers in own.items()
            if powers
        ]
    survivor = gambit.facts(table).survivor if is_ceded(table) else rules.scenario.survivor
    if survivor:
        parts.append((rules.player_of(survivor), share(table.state.turn, rules.scenario.turns)))
    for player, part in parts:
        found[player] = max(found[player], min(1.0, part))
    return found


def share(held: int, needed: int) -> float:
    """Held part of the needed number, at most 1."""
    return min(1.0, held / needed) if needed > 0 else 1.0
