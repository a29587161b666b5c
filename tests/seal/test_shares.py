"""Keys in parts: by vectors of the second implementation, with every choice of parts, and with false ones."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pyrage
import pytest

from pbem.seal.box import seal_for_parts, unseal_by_parts
from pbem.seal.faults import BoxFault, ShareFault
from pbem.seal.shares import SplitKey, is_part, joined_key, new_split_key, recipient_of
from tests.seal.tools import VECTORS

MADE = json.loads((VECTORS / "shares.json").read_text("utf-8"))


@pytest.mark.parametrize("made", MADE["good"], ids=lambda made: f"{len(made['points'])} of {len(made['parts'])}")
def test_any_so_many_parts_give_the_key(made: dict[str, Any]) -> None:
    points, parts = made["points"], dict(enumerate(made["parts"], 1))
    assert recipient_of(points) == made["recipient"]
    assert all(is_part(points, number, part) for number, part in parts.items())
    for chosen in [*combinations(parts, len(points))][:6]:
        assert joined_key(points, {number: parts[number] for number in chosen}) == made["identity"]
    fewer = dict([*parts.items()][: len(points) - 1])
    with pytest.raises(ShareFault) as raised:
        joined_key(points, fewer)
    assert raised.value.code == "E-SHARE-PARTS"


@pytest.mark.parametrize("row", MADE["refused"], ids=lambda row: row["name"])
def test_points_that_are_none_are_refused(row: dict[str, str]) -> None:
    good = MADE["good"][0]["points"]
    for points in ([row["point"], good[1]], [good[0], row["point"]]):
        with pytest.raises(ShareFault) as raised:
            is_part(points, 1, MADE["good"][0]["parts"][0])
        assert raised.value.code == row["expect"]


def test_a_part_of_another_number_or_key_is_false() -> None:
    split, other = new_split_key(3), new_split_key(3)
    assert is_part(split.points, 2, split.part(2))
    assert not is_part(split.points, 1, split.part(2))
    assert not is_part(split.points, 2, other.part(2))
    assert not is_part(split.points, 2, "ff" * 32)
    with pytest.raises(ShareFault):
        joined_key(split.points, {1: split.part(1), 2: split.part(2), 3: other.part(3)})


def test_an_age_file_for_the_parts_is_opened_by_them_alone() -> None:
    split = new_split_key(2)
    sealed = seal_for_parts(recipient_of(split.points), b"the deck")
    key = joined_key(split.points, {1: split.part(1), 3: split.part(3)})
    assert str(pyrage.x25519.Identity.from_str(key).to_public()) == recipient_of(split.points)
    assert unseal_by_parts(key, sealed) == b"the deck"
    other = new_split_key(2)
    with pytest.raises(BoxFault):
        unseal_by_parts(joined_key(other.points, {1: other.part(1), 2: other.part(2)}), sealed)


def test_a_number_that_is_no_key_is_refused() -> None:
    split = SplitKey((1, 5))
    with pytest.raises(ShareFault) as raised:
        joined_key(split.points, {1: split.part(1), 2: split.part(2)})
    assert raised.value.code == "E-SHARE-KEY"
