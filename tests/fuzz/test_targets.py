"""Every target, for a short while: hypothesis changes its files byte by byte, a seeded run what they say."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from .changes import Change, changed, changes
from .running import failures
from .targets import EVERY, NAMES, made_by, target_named
from .watching import watched

SLOW = ("folder", "report", "true report", "board", "known")
BY_NUMBER = ("folder", "arguments")
"""Targets whose bytes are only a seed."""


def test_all_targets_are_named() -> None:
    for maker, names in NAMES.items():
        assert tuple(made_by(maker)) == names


@pytest.mark.parametrize("name", [name for name in EVERY if name not in BY_NUMBER])
def test_changed_bytes_are_read_or_refused(name: str) -> None:
    target = target_named(name)

    @settings(max_examples=4 if name in SLOW else 20, suppress_health_check=list(HealthCheck))
    @given(st.sampled_from(target.seeds), changes)
    def stands(data: bytes, done: list[Change]) -> None:
        watched(target, changed(data, done))

    stands()


@pytest.mark.parametrize("name", EVERY)
def test_a_seeded_run_finds_nothing(name: str) -> None:
    target = target_named(name)
    found = list(failures(target, 1741, 0, 6 if name in SLOW else 10 + 4 * target.weight))
    assert not found, "\n".join(f"example {number}:\n{told}" for number, _, told in found)
