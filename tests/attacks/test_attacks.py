"""Carries out the checks of the files beside it (README.md says how they are written)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.running import Scene, all_checks, kept_start
from tests.office.post import copied

CHECKS = all_checks()


@pytest.fixture(scope="session")
def starts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables that several checks begin with, one folder for all processes."""
    own = tmp_path_factory.getbasetemp()
    return (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "starts"


@pytest.mark.parametrize("check", [check for _, check in CHECKS], ids=[name for name, _ in CHECKS])
def test_attack(check: dict[str, Any], starts: Path, tmp_path: Path) -> None:
    table = kept_start(starts, check["start"], check.get("with", ""))
    Scene(copied(table, tmp_path / "table")).carry_out(check["do"])


def test_checks_have_names_of_their_own() -> None:
    names = [name for name, _ in all_checks()]
    assert len(set(names)) == len(names)
