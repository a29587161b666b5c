"""Carries out every check of the files beside it (README.md says how they are written)."""

from __future__ import annotations

from typing import Any

import pytest
from pathlib import Path

from tests.attacks.running import Scene, all_checks, start_of
from tests.office.post import PostalTable, copied

CHECKS = all_checks()


@pytest.fixture(scope="session")
def starts() -> dict[tuple[str, str], PostalTable]:
    """Tables that several checks begin with, each made when it is first asked for."""
    return {}


@pytest.mark.parametrize("check", [check for _, check in CHECKS], ids=[name for name, _ in CHECKS])
def test_attack(
    check: dict[str, Any],
    starts: dict[tuple[str, str], PostalTable],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    start = check["start"], check.get("with", "")
    if start not in starts:
        starts[start] = start_of(*start, tmp_path_factory.mktemp(start[0]))
    Scene(copied(starts[start], tmp_path / "table")).carry_out(check["do"])


def test_checks_have_names_of_their_own() -> None:
    names = [name for name, _ in CHECKS]
    assert len(set(names)) == len(names)
