"""Wrong answers: legal ones bent in every way that a file, a plan or a bot could bend them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from pbem.engine.decisions import (
    Allotment,
    Answer,
    Done,
    Fight,
    GiveSubsidy,
    HussarPlacement,
    Move,
    Pairing,
    PayToll,
    Play,
    Recruitment,
    Reenter,
    RetreatAlong,
    Stop,
    Transfer,
)

NOTHING = (-(2**70), -1000, -3, -2, -1, 0, 9, 31, 32, 60, 299, 400, 10**6, 2**70)
"""Numbers of no city, no piece, no card and no count that anybody could have, most of them."""

STALE: tuple[Answer, ...] = (
    Allotment({}),
    Transfer({}),
    HussarPlacement(()),
    GiveSubsidy(True),
    PayToll(()),
    Move((), ()),
    Reenter(-1, -1, ()),
    Done(),
    Fight(Pairing(-1, 999)),
    Play(-1),
    Stop(),
    RetreatAlong(()),
    Recruitment(),
    Recruitment((), {99: 1}, {-1: -1}, (1000,)),
)
"""Answers of every kind, most of them to some other question."""


def number(chance: Random) -> int:
    """A count, a piece, a city or card, or nothing that exists."""
    return chance.choice((chance.randrange(10), chance.randrange(32), chance.randrange(300), chance.choice(NOTHING)))


def mutants(answer: Answer, chance: Random, count: int) -> Iterator[Answer]:
    """Answers that differ from this one in a part or two, and answers to other questions."""
    for _ in range(count):
        bent = answer if chance.random() < 0.85 else chance.choice(STALE)
        for _ in range(chance.choice((1, 1, 2))):
            bent = bend_struct(bent, chance)
        yield bent


def bend_struct(answer: Any, chance: Random) -> Any:
    """The same struct with one field changed."""
    fields = type(answer).__struct_fields__
    if not fields:
        return chance.choice(STALE)
    name = chance.choice(fields)
    return msgspec.structs.replace(answer, **{name: bend(getattr(answer, name), chance)})


def bend(value: Any, chance: Random) -> Any:
    """A value of the same type, but another one."""
    match value:
        case bool():
            return not value
        case None:
            return number(chance)
        case int():
            return chance.choice((number(chance), value + 1, value - 1))
        case tuple():
            return bend_tuple(value, chance)
        case dict():
            return bend_dict(value, chance)
    return bend_struct(value, chance)


def bend_tuple(value: tuple[Any, ...], chance: Random) -> tuple[Any, ...]:
    """A row of numbers with one lost, doubled, changed, added, or in another order."""
    place = chance.randrange(len(value)) if value else 0
    before, rest = value[:place], value[place:]
    return chance.choice(
        (
            (),
            (*before, *rest[1:]),
            (*before, *rest[:1], *rest),
            (*before, number(chance), *rest[1:]),
            (*value, number(chance)),
            value[::-1],
            value * 2,
            value * 40,
        )
    )


def bend_dict(value: dict[int, int], chance: Random) -> dict[int, int]:
    """A table of numbers with one row lost, changed, moved to another key, or added."""
    other = dict(value)
    key = chance.choice(sorted(value)) if value else number(chance)
    match chance.randrange(5):
        case 0:
            return {}
        case 1:
            other.pop(key, None)
        case 2:
            other[key] = chance.choice((number(chance), other.get(key, 0) + 1, other.get(key, 0) - 1))
        case 3:
            other[number(chance)] = other.pop(key, 1)
        case _:
            other[number(chance)] = number(chance)
    return other
