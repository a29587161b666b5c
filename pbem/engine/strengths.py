"""Strengths of other powers' stacks, as everybody can count them from declarations in combat and from the number of
troops that each power has on the map."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from pbem.engine.field import Field, troops_of
from pbem.engine.memory import Declaration
from pbem.engine.nouns import Piece, Power
from pbem.engine.rules import Rules


def strengths_counted(
    rules: Rules, field: Field, powers: Iterable[Power], declared: Sequence[Declaration]
) -> list[Declaration]:
    """Return the strengths of all generals of `powers` on the map, from declarations and troop totals. Each stack that
    has declared its strength gets one declaration, and all other generals of a power get one together."""
    # A stack of several powers shares its losses in secret, so its declaration is not divided.
    found = [each for each in declared if is_mixed(rules, each)]
    mixed = {general for each in found for general in each.generals}
    for power in powers:
        stated = [each for each in shares_stated(rules, field, power, declared) if each.most_gained is not None]
        named = mixed.union(general for each in stated for general in each.generals)
        others = tuple(general for general in on_map(rules, field, power) if general not in named)
        for group in (*(each.generals for each in stated), others):
            if group and mixed.isdisjoint(group):
                limits = limits_of_power(rules, field, power, group, stated)
                found.append(declaration_within(group, limits))
    return sorted(found, key=lambda each: each.generals)


def is_mixed(rules: Rules, stated: Declaration) -> bool:
    """True if the generals of a declaration belong to several powers."""
    return len({rules.pieces[general].power for general in stated.generals}) > 1


def declaration_within(generals: tuple[Piece, ...], limits: TroopLimits) -> Declaration:
    least, most = limits
    return Declaration(generals, least, least == most, most - least or None)


def stated_on_map(rules: Rules, field: Field, power: Power, declared: Sequence[Declaration]) -> list[Declaration]:
    """Return the declarations that name only generals of a power on the map."""
    generals = set(on_map(rules, field, power))
    return [each for each in declared if {*each.generals} <= generals]


def shares_stated(rules: Rules, field: Field, power: Power, declared: Sequence[Declaration]) -> list[Declaration]:
    """Return the declarations that name only generals of a power on the map, and one for the power's generals in each
    stack of several powers: the strength of the stack, less the troops that its other generals can have."""
    found, standing = stated_on_map(rules, field, power, declared), {*on_map(rules, field, power)}
    mixed = [each for each in declared if is_mixed(rules, each)]
    for each in mixed:
        own = tuple(general for general in each.generals if general in standing)
        if own and each.most_gained is not None:
            others = limits_of_powers(
                rules, field, {*each.generals} - standing, [one for one in declared if one not in mixed]
            )
            least = max(len(own), each.strength - others.most)
            most = min(len(own) * rules.limits.troops, each.strength + each.most_gained - others.least)
            # Only a made-up memory contradicts itself.
            if least <= most:
                found.append(declaration_within(own, TroopLimits(least, most)))
    return found


def on_map(rules: Rules, field: Field, power: Power) -> tuple[Piece, ...]:
    return tuple(general for general in rules.generals(power) if field.pieces[general].city >= 0)


def rest_of(rules: Rules, field: Field, power: Power, stated: Sequence[Declaration]) -> Declaration | None:
    """Return one declaration for all generals of a power on the map whom no sure declaration names. Its strength is the
    power's total of troops less the strengths of all sure declarations. Return None if there are no such generals, or
    if they cannot have that number of troops."""
    sure = [each for each in stated if each.sure]
    named = {general for each in sure for general in each.generals}
    rest = tuple(general for general in on_map(rules, field, power) if general not in named)
    left = troops_of(rules, field, power) - sum(each.strength for each in sure)
    return Declaration(rest, left) if rest and len(rest) <= left <= len(rest) * rules.limits.troops else None


class TroopLimits(NamedTuple):
    """Fewest and most troops that some generals can have together."""

    least: int
    most: int


def limits_within(rules: Rules, group: Declaration, count: int) -> TroopLimits:
    """Return the fewest and the most troops that `count` generals of a group can have together. The generals of `group`
    have declared their common strength."""
    others, most = len(group.generals) - count, rules.limits.troops
    greatest = group.strength + (group.most_gained or 0)
    return TroopLimits(max(count, group.strength - most * others), min(most * count, greatest - others))


def strength_limits(
    rules: Rules, field: Field, generals: Collection[Piece], declared: Sequence[Declaration]
) -> TroopLimits:
    """Return the fewest and the most troops that some generals on the map, perhaps of several powers, can have
    together."""
    least, most = limits_of_powers(rules, field, generals, declared)
    for each in declared:
        if is_mixed(rules, each) and each.most_gained is not None and {*each.generals} <= {*generals}:
            others = limits_of_powers(rules, field, {*generals}.difference(each.generals), declared)
            least = max(least, others.least + each.strength)
            most = min(most, others.most + each.strength + each.most_gained)
    return TroopLimits(least, most)


def limits_of_powers(
    rules: Rules, field: Field, generals: Collection[Piece], declared: Sequence[Declaration]
) -> TroopLimits:
    """Return the sum of the limits of each power's generals among `generals`."""
    least = most = 0
    for power in {rules.pieces[general].power for general in generals}:
        own = {general for general in generals if rules.pieces[general].power == power}
        limits = limits_of_power(rules, field, power, own, shares_stated(rules, field, power, declared))
        least += limits.least
        most += limits.most
    return TroopLimits(least, most)


class Share(Struct, frozen=True):
    """Generals of one power, and the limits of their common strength. `asked` is the number of those whose strength is
    wanted, and `others` the number of all others."""

    asked: int
    others: int
    least: int
    most: int


def limits_of_power(
    rules: Rules, field: Field, power: Power, generals: Collection[Piece], stated: Sequence[Declaration]
) -> TroopLimits:
    """Return the fewest and the most troops that some generals of a power can have together. The power's total is
    ignored if it contradicts the declarations."""
    limit = rules.limits.troops
    fewest = greatest = for_asked = for_others = 0
    # Every share begins with its least strength. The remaining troops may go to the generals asked about, or to others.
    left = troops_of(rules, field, power)
    room = 0
    for each in shares_of_power(rules, field, power, generals, stated):
        left -= each.least
        room += each.most - each.least
        fewest += max(each.asked, each.least - limit * each.others)
        greatest += min(limit * each.asked, each.least - each.others)
        for_others += within(each.asked + limit * each.others, each.least, each.most) - each.least
        for_asked += within(limit * each.asked + each.others, each.least, each.most) - each.least
    # A total contradicts the declarations only in a made-up memory.
    if not 0 <= left <= room:
        return TroopLimits(fewest, greatest + for_asked)
    return TroopLimits(fewest + max(0, left - for_others), greatest + min(left, for_asked))


def shares_of_power(
    rules: Rules, field: Field, power: Power, generals: Collection[Piece], stated: Sequence[Declaration]
) -> Iterator[Share]:
    """Split the power's generals on the map into shares: one for each declared stack whose greatest possible gain of
    troops is known, and one for each general outside these stacks."""
    most = rules.limits.troops
    single = dict.fromkeys(on_map(rules, field, power))
    for each in stated:
        if each.most_gained is not None:
            asked = len({*each.generals}.intersection(generals))
            size = len(each.generals)
            least, greatest = (within(n, size, most * size) for n in (each.strength, each.strength + each.most_gained))
            yield Share(asked, size - asked, least, greatest)
            for general in each.generals:
                single.pop(general, None)
    for general in single:
        yield Share(int(general in generals), int(general not in generals), 1, most)


def within(number: int, least: int, most: int) -> int:
    """Return the number between `least` and `most` that is nearest to `number`."""
    return max(least, min(number, most))
