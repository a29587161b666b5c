"""Commitments: vectors, binding to every field, and openings that are none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.seal.deal import SALT_SIZE, Slot, check, commit, new_salt
from pbem.seal.faults import CommitmentFault
from pbem.seal.keys import length_prefixed
from tests.seal import second
from tests.seal.tools import vectors

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
openings = st.tuples(
    texts, texts, texts, texts, st.binary(min_size=SALT_SIZE, max_size=SALT_SIZE), st.binary(max_size=9)
)


def opening(parts: Any) -> tuple[Slot, bytes, bytes]:
    """Slot, salt and body out of six fields."""
    *slot, salt, body = parts
    return Slot(*slot), salt, body


@pytest.mark.parametrize("vector", vectors("commitment"), ids=lambda vector: vector["commitment"][:8])
def test_vectors(vector: Any) -> None:
    campaign, stage, power, slot = (vector[name] for name in ("campaign", "stage", "power", "slot"))
    salt, body = bytes.fromhex(vector["salt"]), vector["body"].encode()
    assert commit(Slot(campaign, stage, power, slot), salt, body) == vector["commitment"]
    assert check(vector["commitment"], Slot(campaign, stage, power, slot), salt, body)


def test_the_vectors_differ() -> None:
    found = [vector["commitment"] for vector in vectors("commitment")]
    assert len(set(found)) == len(found) > 5


@given(openings)
def test_two_implementations_agree(parts: Any) -> None:
    assert commit(*opening(parts)) == second.commitment(*parts)


@given(openings, openings)
def test_only_the_same_slot_salt_and_body_open_it(one: Any, two: Any) -> None:
    assert check(commit(*opening(one)), *opening(two)) == (one == two)


@given(openings, st.integers(0, 5), st.integers(0, 7))
def test_every_field_binds(parts: Any, which: int, bit: int) -> None:
    other = list(parts)
    field = other[which]
    other[which] = field + "x" if isinstance(field, str) else bytes([(field or b"\0")[0] ^ 1 << bit]) + field[1:]
    assert not check(commit(*opening(parts)), *opening(other))


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_fields_are_never_mistaken_for_each_other(one: list[bytes], two: list[bytes]) -> None:
    assert (length_prefixed(*one) == length_prefixed(*two)) == (one == two)


def test_a_commitment_has_one_spelling() -> None:
    salt = new_salt()
    slot = Slot("vienna-1741", "3/prussia", "prussia", "politics")
    made = commit(slot, salt, b"[]")
    for spelling in (made.upper(), made + " ", "0x" + made, made[:-1], "", "\ud800"):
        assert not check(spelling, slot, salt, b"[]")


@pytest.mark.parametrize("size", [0, 31, 33])
def test_salts_of_another_length(size: int) -> None:
    with pytest.raises(CommitmentFault) as refusal:
        commit(Slot("", "", "", ""), bytes(size), b"")
    assert refusal.value.code == "E-COMMIT-SALT"
    assert not check("0" * 64, Slot("", "", "", ""), bytes(size), b"")


def test_salts_are_new() -> None:
    salts = {new_salt() for _ in range(100)}
    assert len(salts) == 100
    assert {len(salt) for salt in salts} == {SALT_SIZE}
