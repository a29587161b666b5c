"""Victory points of battles and shortages, and the winter scores (§13, §16, §23)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.engine.events import Event
from pbem.engine.nouns import City, Power
from pbem.engine.table import player_of
from pbem.games.maria.rules import defection
from pbem.games.maria.rules.events import ScoresRevealed, WinterScored
from pbem.games.maria.rules.points import battle_points, pool, pools
from pbem.games.maria.rules.state import Result
from pbem.games.maria.rules.table import Table, affairs_of


def principal(table: Table, power: Power) -> Power:
    """Major power that gets a power's points (§16)."""
    return table.state.field.alliances.principal[power]


def battle_won(table: Table, winner: Power, loser: Power, eliminated: int, removed: int, city: City) -> list[Event]:
    """Score a combat: one point for every three troops eliminated, or one if at least a general is gone (§16)."""
    if table.state.affairs is None:
        return []
    affairs_of(table).victor = player_of(table, winner)
    points = eliminated // table.rules.game.advanced.eliminated_for_point
    if not points and removed:
        points = 1
    if not points:
        return []
    patron = principal(table, loser)
    events = [*battle_points(table, principal(table, winner), points), *battle_points(table, patron, -points)]
    defection.losses(table, patron, points, city)
    return events


def removed_by_shortage(table: Table, power: Power, cities: Sequence[City]) -> list[Event]:
    """Take a point for every general lost for lack of supply (§16)."""
    if table.state.affairs is None or not cities:
        return []
    patron = principal(table, power)
    events = battle_points(table, patron, -len(cities))
    on = table.rules.scenario.players[table.rules.terms.players].shifts_on
    counting = [city for city in cities if not on or table.rules.common.board.map[city] == on]
    if counting:
        defection.losses(table, patron, len(counting), counting[0])
    return events


def score_winter(table: Table) -> list[Event]:
    """Store the markers left in each pool as winter scores (§13)."""
    powers = table.rules.game.advanced.markers
    affairs_of(table).scores.append({power: max(0, pool(table, power)) for power in powers})
    return [WinterScored(table.state.turn)]


def winner_by_pools(table: Table) -> Result | None:
    """Result if a major power's pool is empty; of several the one that lacks most markers wins (§23)."""
    left_now = pools(table)
    empty = {power: left for power, left in left_now.items() if left <= 0}
    if not empty:
        return None
    least = min(empty.values())
    best = [power for power, left in empty.items() if left == least]
    return Result(first_in_ties(table, best), "pools", dict(left_now))


def winner_by_scores(table: Table) -> tuple[Result, list[Event]]:
    """Result after the last winter: the lowest total of winter scores wins (§23)."""
    scores = affairs_of(table).scores
    totals = {power: sum(score[power] for score in scores) for power in table.rules.game.advanced.markers}
    least = min(totals.values())
    best = [power for power, total in totals.items() if total == least]
    result = Result(first_in_ties(table, best), "scores", totals)
    return result, [ScoresRevealed(tuple(dict(score) for score in scores))]


def first_in_ties(table: Table, powers: Sequence[Power]) -> str:
    """Player who wins, in the order in which players win ties (§23, §24)."""
    players = {player_of(table, power) for power in powers}
    order = table.rules.scenario.players[table.rules.terms.players].ties
    return next(player for player in order if player in players)
