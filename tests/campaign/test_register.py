"""The register saves reading the ledger: it tells the same, or is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import cache
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.reading import read_folder
from pbem.campaign.ledger.register import registered
from pbem.campaign.play import rulings
from pbem.cli.read import standing
from tests.campaign.simulated import SimulatedTable
from tests.report.campaign_table import OpenTable


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    return OpenTable(tmp_path, scenario="introductory")


def rule(table: SimulatedTable, words: str) -> Folder:
    with table.open() as campaign:
        rulings.rule(campaign, words)
        campaign.save()
        return campaign.folder


def test_it_tells_what_the_ledger_does(table: SimulatedTable) -> None:
    folder = rule(table, "so be it")
    found, reading = registered(folder), read_folder(table.root, table.now)
    assert found is not None
    assert (found.public, found.head) == (reading.public, reading.head) == standing(folder, table.now)


def test_another_ledger_has_none(table: SimulatedTable) -> None:
    folder = rule(table, "one")
    before = folder.register.read_bytes()
    rule(table, "two")
    folder.register.write_bytes(before)
    assert registered(folder) is None
    assert standing(folder, table.now)[1] == read_folder(table.root, table.now).head


@pytest.mark.parametrize("data", [b"", b"x" * 31, b"x" * 100])
def test_what_was_changed_is_ignored(table: SimulatedTable, data: bytes) -> None:
    folder = rule(table, "one")
    whole = folder.register.read_bytes()
    for broken in (data, whole[:-1], whole.replace(b'"phase"', b'"phrase"'), whole + b" "):
        folder.register.write_bytes(broken)
        assert registered(folder) is None
    folder.register.unlink()
    assert registered(folder) is None
    table.assert_verified()


def test_that_of_another_program_is_ignored(table: SimulatedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = rule(table, "one")
    monkeypatch.setattr("pbem.campaign.ledger.register.sources", lambda: cache.sources() + b"x")
    assert registered(folder) is None
