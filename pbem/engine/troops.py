"""Troops within a stack: the first allotment, losses, forced and free transfer (MARIA §4, §6; FRIEDRICH §1, §6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from pbem.engine.decisions import Allot, Allotment, Arrange
from pbem.engine.errors import IllegalOrder
from pbem.engine.events import Event, GeneralRemoved, TroopsMoved
from pbem.engine.field import Field, alter, by_command, release_command, remove, stack_at
from pbem.engine.nouns import Piece, Power
from pbem.engine.rules import Rules
from pbem.faults.words import words
from pbem.faults.wrong import wrong


def check_allotment(rules: Rules, decision: Allot, answer: Allotment, rule: str) -> None:
    """Refuse an allotment that violates a minimum, the maximum or the total, or misses a general. `rule` is its §."""
    for general, count in answer.troops.items():
        name = rules.pieces[general].name
        if general not in decision.least:
            fault = wrong("E-TROOPS-POWER.game", rule=rule, general=name, power=decision.power)
            raise IllegalOrder(fault, where=(general,))
        if not decision.least[general] <= count <= decision.most:
            least, most = decision.least[general], decision.most
            fault = wrong("E-TROOPS-RANGE.begin", rule=rule, general=name, count=count, least=least, most=most)
            raise IllegalOrder(fault, where=(general,))
    missing = [general for general in decision.least if general not in answer.troops]
    if missing:
        raise IllegalOrder(wrong("E-TROOPS-MISSING", rule=rule, generals=rules.names(missing)))
    total = sum(answer.troops.values())
    if total != decision.troops:
        fault = wrong("E-TROOPS-SUM.power", rule=rule, power=decision.power, troops=decision.troops, total=total)
        raise IllegalOrder(fault)


def lose(
    rules: Rules, field: Field, generals: Sequence[Piece], losses: int, hit: Collection[Piece] = ()
) -> list[Event]:
    """Take troops from stacked generals of one power, and remove generals who cannot keep one (§6).

    Troops pass freely within the stack, so only the total counts. If not everybody can keep a troop, those higher in
    command stay. `hit` names the generals who bear the loss if not all do; the others stay first.
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
            alter(field, general, troops=1 + more)
            spare -= more
        else:
            city = piece.city
            events.append(GeneralRemoved(general, city))
            remove(field, general)
            release_command(rules, field, city)
    return events


def check_transfer(rules: Rules, field: Field, power: Power, troops: Mapping[Piece, int]) -> None:
    """Refuse a new allotment unless it has the same troops and stacked generals of one power (§6)."""
    generals = list(troops)
    for general in generals:
        facts = rules.pieces[general]
        if facts.power != power or facts.kind != "general":
            raise IllegalOrder(wrong("E-TROOPS-POWER", general=facts.name, power=power), where=(general,))
        if field.pieces[general].city < 0:
            raise IllegalOrder(wrong("E-TROOPS-OFF", general=facts.name), where=(general,))
    cities = {field.pieces[general].city for general in generals}
    if len(cities) != 1 or len(generals) < 2:
        names = rules.names(generals) or (words("nobody"),)
        raise IllegalOrder(wrong("E-TROOPS-STACK", generals=names))
    for general, count in troops.items():
        if not 1 <= count <= rules.limits.troops:
            name, most = rules.pieces[general].name, rules.limits.troops
            raise IllegalOrder(wrong("E-TROOPS-RANGE", general=name, count=count, most=most), where=(general,))
    have = sum(field.pieces[general].troops for general in generals)
    if sum(troops.values()) != have:
        raise IllegalOrder(wrong("E-TROOPS-SUM", troops=have, total=sum(troops.values())))


def transfer(rules: Rules, field: Field, power: Power, troops: Mapping[Piece, int]) -> list[Event]:
    """Carry out a new allotment of the troops in a stack."""
    check_transfer(rules, field, power, troops)
    for general, count in troops.items():
        alter(field, general, troops=count)
    return [TroopsMoved(power, dict(troops))]


def stacks_of(rules: Rules, field: Field, power: Power) -> list[tuple[Piece, ...]]:
    """Groups of stacked generals of one power, who may pass troops to each other."""
    cities = Counter(field.pieces[general].city for general in rules.generals(power))
    return [
        tuple(g for g in stack_at(rules, field, city) if rules.pieces[g].power == power)
        for city, count in sorted(cities.items())
        if city >= 0 and count > 1
    ]


def arrangements(rules: Rules, field: Field, powers: Iterable[Power]) -> tuple[Arrange, ...]:
    """Decisions for the powers that have stacked generals and may pass troops between them at any time (§6)."""
    stacks = {power: tuple(stacks_of(rules, field, power)) for power in powers}
    return tuple(Arrange(power, there) for power, there in stacks.items() if there)
