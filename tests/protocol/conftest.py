"""Archives that many tests look at, each made once and copied for whoever changes it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.campaign.simulated import SimulatedTable
from tests.protocol import archives


@pytest.fixture(scope="session")
def advanced(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """The advanced game to its end, sealed."""
    return archives.advanced(tmp_path_factory.mktemp("advanced") / "campaign")


@pytest.fixture(scope="session")
def eventful(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """One of everything."""
    return archives.eventful(tmp_path_factory.mktemp("eventful") / "campaign")


@pytest.fixture(scope="session")
def revealing(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """Committed to, locked and revealed."""
    return archives.revealing(tmp_path_factory.mktemp("revealing") / "campaign")


@pytest.fixture(scope="session")
def planned(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """Standing plans, a moderator who plays, and proofs at the close."""
    return archives.planned(tmp_path_factory.mktemp("planned") / "campaign")


@pytest.fixture(scope="session")
def fated(tmp_path_factory: pytest.TempPathFactory) -> SimulatedTable:
    """FRIEDRICH, with Cards of Fate."""
    return archives.fated(tmp_path_factory.mktemp("fated") / "campaign")


@pytest.fixture
def copied(tmp_path: Path) -> Callable[[SimulatedTable], Path]:
    """Makes a copy of an archive that may be changed."""
    return lambda table: Path(shutil.copytree(table.root, tmp_path / "copy"))
