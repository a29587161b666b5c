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
    Move,
    Pairing,
    Play,
    Recruitment,
    Reenter,
    RetreatAlong,
    Stop,
    Transfer,
)
from pbem.games.maria.rules.decisions import (
    AllowStacking,
    CancelSubsidy,
    Consent,
    Corps,
    GiveSubsidy,
    GoTo,
    HussarPlacement,
    Influence,
    MakeAgreement,
    NameTrump,
    OfferSubsidy,
    PayToll,
    Politics,
    Votes,
)

NOTHING = (-(2**70), -1000, -3, -2, -1, 0, 9, 31, 32, 60, 299, 400, 10**6, 2**70)
"""Numbers of no city, no piece, no card and no count that anybody could have, most of them."""

NAMES = ("", "austria", "bavaria", "france", "italy", "nobody", "pragmatic", "prussia", "russia", "saxony")
"""Powers, tracks, and names of nothing."""

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
    NameTrump(7),
    Influence(-1),
    Politics(99, True, {"moon": 2}, "nobody"),
    Corps(-1, (999,)),
    GoTo(-1, 1000),
    Consent(True),
    Votes(-1),
    OfferSubsidy("france", "bavaria", 2),
    OfferSubsidy("nobody", "france", 10**9, True),
    OfferSubsidy("pragmatic", "austria", 1, True),
    CancelSubsidy("nobody"),
    CancelSubsidy("france"),
    AllowStacking(True),
    MakeAgreement(("austria", "nobody"), "peace"),
    MakeAgreement((), ""),
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
        case str():
            return chance.choice(NAMES)
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
            (*before, bend(value[place], chance) if value else number(chance), *rest[1:]),
            (*value, chance.choice(NAMES) if value and isinstance(value[0], str) else number(chance)),
            value[::-1],
            value * 2,
            value * 40,
        )
    )


def bend_dict(value: dict[Any, int], chance: Random) -> dict[Any, int]:
    """A table of numbers with one row lost, changed, moved to another key, or added."""
    if any(isinstance(key, str) for key in value):
        return chance.choice(({}, {chance.choice(NAMES): number(chance)}, {key: -value[key] for key in value}))
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
