"""Troops within a stack: the first allotment, losses, forced and free transfer (MARIA §4, §6; FRIEDRICH §1, §6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from pbem.engine.decisions import Allot, Allotment, Arrange
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event, GeneralRemoved, TroopsMoved
from pbem.engine.field import Field, by_command, release_command, remove, stack_at
from pbem.engine.rules import Rules


def check_allotment(rules: Rules, decision: Allot, answer: Allotment, rule: str) -> None:
    """Refuse an allotment that misses a general, a minimum, the maximum or the total; `rule` is the § that has them."""
    for general, count in answer.troops.items():
        name = rules.pieces[general].name
        if general not in decision.least:
            raise IllegalOrder(
                rule, "E-TROOPS-POWER", f"{name} is no general of {decision.power} in this game", where=(general,)
            )
        if not decision.least[general] <= count <= decision.most:
            raise IllegalOrder(
                rule, "E-TROOPS-RANGE", f"{name} cannot begin with {count} troops",
                f"{decision.least[general]} to {decision.most}", (general,),
            )  # fmt: skip
    missing = [general for general in decision.least if general not in answer.troops]
    if missing:
        raise IllegalOrder(
            rule, "E-TROOPS-MISSING", f"no troops for {rules.names_of(missing, ', ')}", "every general needs some"
        )
    total = sum(answer.troops.values())
    if total != decision.troops:
        raise IllegalOrder(rule, "E-TROOPS-SUM", f"{decision.power} has {decision.troops} troops, {total} are allotted")


def lose(rules: Rules, field: Field, generals: Sequence[int], losses: int, hit: Collection[int] = ()) -> list[Event]:
    """Take troops from stacked generals of one power, and remove those who cannot keep one (§6).

    Troops pass freely within the stack, so only the total counts; where not everybody can keep a troop, the higher
    in command stay. `hit` names the generals who bear the loss, if not all of them do: the others stay first.
    """
    unhit = [general for general in generals if hit and general not in hit]
    order = sorted(by_command(rules, field, generals), key=lambda general: general not in unhit)
    left = max(sum(field.pieces[general].troops for general in generals) - losses, len(unhit))
    staying = order[:left]
    spare = left - len(staying)
    events: list[Event] = []
    for general in order:
        piece = field.pieces[general]
        if general in staying:
            more = min(spare, max(0, piece.troops - 1))
            piece.troops = 1 + more
            spare -= more
        else:
            city = piece.city
            events.append(GeneralRemoved(general, city))
            remove(field, general)
            release_command(rules, field, city)
    return events


def check_transfer(rules: Rules, field: Field, power: str, troops: Mapping[int, int]) -> None:
    """Refuse a new allotment that is not one of the same troops among stacked generals of one power (§6)."""
    generals = list(troops)
    for general in generals:
        facts = rules.pieces[general]
        if facts.power != power or facts.kind != "general":
            raise IllegalOrder("§6", "E-TROOPS-POWER", f"{facts.name} is no general of {power}", where=(general,))
        if field.pieces[general].city < 0:
            raise IllegalOrder("§6", "E-TROOPS-OFF", f"{facts.name} is not on the map", where=(general,))
    cities = {field.pieces[general].city for general in generals}
    if len(cities) != 1 or len(generals) < 2:
        names = rules.names_of(generals, ", ") or "nobody"
        raise IllegalOrder("§6", "E-TROOPS-STACK", f"troops pass only between stacked generals: {names}")
    for general, count in troops.items():
        if not 1 <= count <= rules.limits.troops:
            raise IllegalOrder(
                "§6",
                "E-TROOPS-RANGE",
                f"{rules.pieces[general].name} cannot command {count} troops",
                f"1 to {rules.limits.troops}",
                where=(general,),
            )
    have = sum(field.pieces[general].troops for general in generals)
    if sum(troops.values()) != have:
        raise IllegalOrder(
            "§6", "E-TROOPS-SUM", f"the stack has {have} troops, the new allotment {sum(troops.values())}"
        )


def transfer(rules: Rules, field: Field, power: str, troops: Mapping[int, int]) -> list[Event]:
    """Allot the troops of a stack anew."""
    check_transfer(rules, field, power, troops)
    for general, count in troops.items():
        field.pieces[general].troops = count
    return [TroopsMoved(power, dict(troops))]


def stacks_of(rules: Rules, field: Field, power: str) -> list[tuple[int, ...]]:
    """The groups of stacked generals of one power, between whom troops may pass."""
    cities = Counter(field.pieces[general].city for general in rules.generals(power))
    return [
        tuple(g for g in stack_at(rules, field, city) if rules.pieces[g].power == power)
        for city, count in sorted(cities.items())
        if city >= 0 and count > 1
    ]


def arrangements(rules: Rules, field: Field, powers: Iterable[str]) -> tuple[Arrange, ...]:
    """The powers that have stacked generals, and may pass troops between them at any time (§6)."""
    stacks = {power: tuple(stacks_of(rules, field, power)) for power in powers}
    return tuple(Arrange(power, there) for power, there in stacks.items() if there)
