"""Campaigns whose sites the tests look at: played by bots, closed or still running."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.campaign.campaign import Campaign
from pbem.site.export import Site, site_of
from tests.campaign.simulated import SimulatedTable
from tests.report.campaign_table import OpenTable
from tests.site.reading import NOW


class SealedTable(OpenTable):
    """Players who seal all that they order, and whose deal is always the same."""

    def write(self, campaign: Campaign, player: str) -> str:
        """Sealed orders."""
        return SimulatedTable.write(self, campaign, player)


def played(root: Path, rounds: int, **terms: str) -> SimulatedTable:
    """A campaign after some adjudications."""
    table = SealedTable(root, **terms)  # type: ignore[arg-type]
    table.join()
    table.play(rounds)
    return table


@pytest.fixture(scope="session")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An advanced game of MARIA that was closed before its end; it has battles."""
    table = played(tmp_path_factory.mktemp("closed"), 62, scenario="advanced")
    table.close("far enough")
    return table.root


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An advanced game of MARIA that is still played."""
    return played(tmp_path_factory.mktemp("running"), 12, scenario="advanced").root


@pytest.fixture(scope="session")
def fateful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game of FRIEDRICH that was closed before its end."""
    table = played(tmp_path_factory.mktemp("fateful"), 40, game="friedrich")
    table.close("far enough")
    return table.root


@pytest.fixture(scope="session")
def closed_site(closed: Path) -> Site:
    return site_of(closed, NOW)


@pytest.fixture(scope="session")
def running_site(running: Path) -> Site:
    return site_of(running, NOW)


@pytest.fixture(scope="session")
def fateful_site(fateful: Path) -> Site:
    return site_of(fateful, NOW)
