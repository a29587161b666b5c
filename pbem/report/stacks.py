"""Stacks with the strengths that a reader may know, now and at their next march."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.engine.decisions import Allot
from pbem.engine.field import OFF, at_home
from pbem.engine.memory import Declaration, first_strengths
from pbem.engine.nouns import City, Piece, Power, Suit
from pbem.engine.strengths import TroopLimits
from pbem.engine.supply import SupplyObstacles, loss_of, trace
from pbem.engine.table import Table
from pbem.kit import game_of


class Stack(Struct, frozen=True):
    """Generals in one city, and the limits of their troops: the fewest and the most that they can have as far as the
    reader knows."""

    power: Power
    generals: tuple[Piece, ...]
    city: City
    suit: Suit
    least: int
    most: int


class MarchingStack(Struct, frozen=True):
    """Expected state of a stack at its next march, if it does not leave its city before."""

    stack: Stack
    """Stack without the troops that it is sure to lose by lack of supply before. If it is sure to be removed, it has no
    troops."""
    may_conquer: bool
    """False if all its generals are sure to be face-down, and such generals conquer nothing."""


def marching_stack(
    table: Table, stack: Stack, until_march: int, strength: Callable[[Sequence[Piece]], TroopLimits]
) -> MarchingStack:
    """Return the expected state of a stack at its next march, which comes after `until_march` stages. `strength` is a
    function that returns the strength of some generals of the stack, as far as the reader knows it."""
    rules, pieces = table.rules.common, table.state.field.pieces
    is_tested = is_tested_before(table, stack.power, until_march)
    hungry = sure_to_starve(table, stack.generals, until_march) if is_tested else []
    down = hungry if is_tested else [general for general in stack.generals if pieces[general].down]
    is_up = rules.down_conquer or len(down) < len(stack.generals)
    if not hungry:
        return MarchingStack(stack, is_up)
    limits = []
    for power in dict.fromkeys(rules.pieces[general].power for general in stack.generals):
        own = [general for general in stack.generals if rules.pieces[general].power == power]
        # Generals in supply are never removed for others who are not.
        fed = sum(general not in hungry for general in own)
        lost = sum(loss_of(pieces[general]) for general in own if general in hungry)
        limits.append([max(troops - lost, fed) for troops in strength(own)])
    least, most = map(sum, zip(*limits, strict=True))
    return MarchingStack(replace(stack, least=max(least, min(most, 1)), most=most), bool(most) and is_up)


def is_tested_before(table: Table, power: Power, until_march: int) -> bool:
    """True if the supply of a power is tested before its march, which comes after `until_march` stages. It is not
    tested before in games in which supply comes after movement."""
    game, state = game_of(table), table.state
    phases = list(game.phases_of(table.rules, state.field.alliances.stage[power]))
    if "supply" not in phases or phases.index("supply") > phases.index("movement"):
        return False
    return until_march > 0 or state.phase in phases[: phases.index("supply") + 1]


def sure_to_starve(table: Table, generals: Sequence[Piece], until_march: int) -> list[Piece]:
    """Return the generals who will be out of supply at the test before their march, after `until_march` stages. No
    train must be near enough even on an empty map, and none must be able to come nearer or to be recruited before."""
    game, rules, field = game_of(table), table.rules.common, table.state.field
    stages = list(game.stages(table.rules, table.state.turn))
    first, stage_of = stages.index(table.state.stage), field.alliances.stage
    coming = [stages[(first + step) % len(stages)] for step in range(until_march + 1)]
    phases = {phase for stage in coming for phase in game.phases_of(table.rules, stage)}
    # Ceded land feeds its new owner.
    if "cession" in phases:
        return []

    unblocked = SupplyObstacles(set(), set())

    def is_sure(general: Piece) -> bool:
        own = stage_of[rules.pieces[general].power]
        may_come = any(
            "recruiting" in phases if city == OFF else city >= 0 and stage_of[rules.pieces[train].power] != own
            for train, city in ((train, field.pieces[train].city) for train in rules.wagons[general])
        )
        return not (may_come or at_home(rules, field, general)) and trace(rules, field, general, unblocked) is None

    return [general for general in generals if is_sure(general)]


def strengths_to_come(table: Table) -> Iterator[Declaration]:
    """Yield the fewest and the most troops that generals can get in the set-up. After the set-up, yield nothing."""
    for asked in game_of(table).decisions(table) if table.state.stage == "setup" else ():
        if isinstance(asked, Allot):
            yield from first_strengths(asked.least, asked.most)
