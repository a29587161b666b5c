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
    """Return a declaration of all generals of a power on the map whom no sure declaration names. Its strength is the
    power's total less the sure strengths. Return None if there are no such generals, or if they cannot have this number
    of troops."""
    sure = [each for each in stated if each.sure]
    named = {general for each in sure for general in each.generals}
    rest = tuple(general for general in on_map(rules, field, power) if general not in named)
    left = troops_of(rules, field, power) - sum(each.strength for each in sure)
    return Declaration(rest, left) if rest and len(rest) <= left <= len(rest) * rules.limits.troops else None


def limits_within(rules: Rules, group: Declaration, count: int) -> tuple[int, int]:
    """Return the fewest and the most troops that `count` generals of a group can have together. `group` declares the
    strength of all its generals; troops that they may have gained since (`Declaration.gained`) are included."""
    others, most = len(group.generals) - count, rules.limits.troops
    greatest = group.strength + (group.most_gained or 0)
    return max(count, group.strength - most * others), min(most * count, greatest - others)


def strength_limits(
    rules: Rules, field: Field, generals: Collection[Piece], declared: Sequence[Declaration]
) -> tuple[int, int]:
    """Return the fewest and the most troops that some generals on the map can have together. The generals may be of
    several powers, whose troops the reader does not see."""
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
    """Yield one or two pairs of limits, least and most, between which the troops of some generals of one power lie. The
    first pair follows from the sure declarations and the power's total. The second uses the declarations of stacks that
    can only have gained a known number of troops since, and counts all other generals as in the first. There is no
    second pair if no such stack has any of the generals."""
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
    """Yield pairs of limits, least and most, which add up to the limits of the troops of some generals of one power.
    Each sure declaration about some of them gives a pair, and so does the rest of the power's troops. Generals whose
    troops cannot be counted get a last pair: each of them may have any legal number."""
    power = rules.pieces[next(iter(generals))].power
    rest = rest_of(rules, field, power, stated)
    groups = [each for each in stated if each.sure] + ([rest] if rest else [])
    for group in groups:
        if count := len({*group.generals}.intersection(generals)):
            yield limits_within(rules, group, count)
    if free := len({*generals}.difference(*(group.generals for group in groups))):
        yield free, free * rules.limits.troops
