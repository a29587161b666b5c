"""A copy of a table is the same position, shares nothing with it that can change, and goes its own way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, get_origin, get_type_hints

import pytest
from msgspec import Struct

from pbem.bots.plain import choose
from pbem.engine.cards import SeededDealer
from pbem.engine.table import deep_copy, digest
from pbem.games.friedrich.rules.data import Terms as FriedrichTerms
from pbem.games.maria.rules.data import Terms
from pbem.kit import copy_of, dump_position, game_named, restore_table
from pbem.paper.library import load_rules

KINDS = [Terms("advanced"), Terms("silesia-gambit"), FriedrichTerms("four", True)]


kinds_of = cache(get_type_hints)


def changing(value: Any) -> Iterator[Any]:
    """Everything in a position that can change; to what it calls a `Mapping` types let nobody write."""
    if isinstance(value, Struct):
        kinds = kinds_of(type(value))
        inner = [getattr(value, name) for name in value.__struct_fields__ if get_origin(kinds[name]) is not Mapping]
        if not value.__struct_config__.frozen:
            yield value
    elif isinstance(value, dict):
        inner = list(value.values())
        yield value
    elif isinstance(value, list):
        inner = value
        yield value
    else:
        return
    if isinstance(value, Struct) and value.__struct_config__.frozen:
        return  # what never changes is shared with all that is in it
    for each in inner:
        yield from changing(each)


@pytest.mark.parametrize("terms", KINDS, ids=lambda terms: f"{terms.game}-{terms.scenario}")
def test_copies_are_equal_and_share_nothing_that_changes(terms: Any) -> None:
    rules = load_rules(terms)
    game, chance = game_named(terms.game), Random("copies")
    for seed in range(3):
        table, _ = game.start(rules, SeededDealer(str(seed)))
        for _ in range(400):
            if table.state.phase == "over":
                break
            copy = copy_of(table)
            assert copy.state == table.state == restore_table(rules, dump_position(table), table.dealer).state
            assert {id(each) for each in changing(copy.state)}.isdisjoint(id(each) for each in changing(table.state))
            before = digest(table.state)
            decision = game.decisions(copy)[0]
            game.apply(copy, decision.power, choose(copy, decision, chance))
            assert digest(table.state) == before
            table = copy


class Changing(Struct):
    """Something that changes."""

    numbers: list[int]


class Fixed(Struct, frozen=True):
    """Something that does not."""

    name: str


class Whole(Struct):
    """Everything that a field of a state can be."""

    one: Changing
    several: list[Changing]
    named: dict[str, list[Fixed]]
    perhaps: Changing | None
    either: int | Fixed | None


def test_every_kind_of_field_is_copied() -> None:
    fixed = Fixed("f")
    for perhaps in (Changing([3]), None):
        whole = Whole(Changing([1]), [Changing([2])], {"a": [fixed]}, perhaps, fixed)
        copy = deep_copy(whole)
        assert copy == whole
        assert {id(each) for each in changing(copy)}.isdisjoint(id(each) for each in changing(whole))
        assert copy.either is fixed
        assert copy.named["a"][0] is fixed


class Ambiguous(Struct):
    """A field of several types that change: they could not be told apart."""

    what: Changing | Whole


def test_types_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(AssertionError, match="told apart"):
        deep_copy(Ambiguous(Changing([])))
