"""Strengths of other powers' stacks, as everybody can count them from declarations in combat and from the number of
troops that each power has on the map."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from pbem.engine.field import Field, troops_of
from pbem.engine.memory import Declaration
from pbem.engine.nouns import Piece, Power
from pbem.engine.rules import Rules


def stated_on_map(rules: Rules, field: Field, power: Power, declared: Sequence[Declaration]) -> list[Declaration]:
    """Return the declarations of a power whose generals all stand on the map."""
    generals = set(on_map(rules, field, power))
    return [each for each in declared if {*each.generals} <= generals]


def on_map(rules: Rules, field: Field, power: Power) -> tuple[Piece, ...]:
    return tuple(general for general in rules.generals(power) if field.pieces[general].city >= 0)


def rest_of(rules: Rules, field: Field, power: Power, stated: Sequence[Declaration]) -> Declaration | None:
    """Return the troops that all other generals of a power have together, or None if no other general is on the map.
    Return None also for a number of troops that these generals cannot have."""
    sure = [each for each in stated if each.sure]
    named = {general for each in sure for general in each.generals}
    rest = tuple(general for general in on_map(rules, field, power) if general not in named)
    left = troops_of(rules, field, power) - sum(each.strength for each in sure)
    return Declaration(rest, left) if rest and len(rest) <= left <= len(rest) * rules.limits.troops else None


def limits_within(rules: Rules, group: Declaration, count: int) -> tuple[int, int]:
    """Return the fewest and the most troops that `count` of the generals of a group can have together. The group may
    have gained troops since, as far as `Declaration.gained` tells."""
    others, most = len(group.generals) - count, rules.limits.troops
    greatest = group.strength + (group.most_gained or 0)
    return max(count, group.strength - most * others), min(most * count, greatest - others)


def strength_limits(
    rules: Rules, field: Field, generals: Collection[Piece], declared: Sequence[Declaration]
) -> tuple[int, int]:
    """Return the fewest and the most troops that generals on the map, whose troops the reader does not see, can have
    together."""
    least = most = 0
    for power in {rules.pieces[general].power for general in generals}:
        own = [general for general in generals if rules.pieces[general].power == power]
        stated = stated_on_map(rules, field, power, declared)
        fewest, greatest = zip(*ways_to_count(rules, field, own, stated), strict=True)
        least += max(fewest)
        most += min(greatest)
    return least, most


def ways_to_count(
    rules: Rules, field: Field, generals: Collection[Piece], stated: Sequence[Declaration]
) -> Iterator[tuple[int, int]]:
    """Yield pairs, least and most, between which the troops of some generals of one power lie: by the sure declarations
    and the power's total; and, for generals whose stacks can only have gained a known number of troops since, by these
    declarations, and for the others as before."""
    yield total(limits_of_power(rules, field, generals, stated))
    grown = [each for each in stated if not each.sure and each.most_gained is not None]
    within = [(each, len({*each.generals}.intersection(generals))) for each in grown]
    named = {general for each in grown for general in each.generals}
    others = [general for general in generals if general not in named]
    found = [limits_within(rules, each, count) for each, count in within if count]
    if found:
        rest = limits_of_power(rules, field, others, stated) if others else ()
        yield total([*found, *rest])


def total(limits: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """Return the sum of limits, each a pair of least and most."""
    found = list(limits)
    return sum(fewest for fewest, _ in found), sum(greatest for _, greatest in found)


def limits_of_power(
    rules: Rules, field: Field, generals: Collection[Piece], stated: Sequence[Declaration]
) -> Iterator[tuple[int, int]]:
    """Yield the limits of the troops of some generals of one power. There is one pair, least and most, for each sure
    declaration about them, and for the generals whom none names. A general whose troops cannot be counted may have any
    number."""
    power = rules.pieces[next(iter(generals))].power
    rest = rest_of(rules, field, power, stated)
    groups = [each for each in stated if each.sure] + ([rest] if rest else [])
    for group in groups:
        if count := len({*group.generals}.intersection(generals)):
            yield limits_within(rules, group, count)
    if free := len({*generals}.difference(*(group.generals for group in groups))):
        yield free, free * rules.limits.troops
