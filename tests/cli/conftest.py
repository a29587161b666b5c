"""Fixtures of the tests of commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from .correspondence import Correspondence


@pytest.fixture(scope="session")
def joined(tmp_path_factory: pytest.TempPathFactory) -> Correspondence:
    """A campaign whose players have joined, waiting for the first orders; nobody changes it."""
    table = Correspondence(tmp_path_factory.mktemp("joined"))
    table.begin()
    table.join()
    return table


@pytest.fixture
def begun(joined: Correspondence, tmp_path: Path) -> Correspondence:
    """The same in a folder of its own."""
    return joined.copied(tmp_path / "table")
