"""The register saves reading the ledger: it tells the same, or is ignored."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec import json

from pbem import cache
from pbem.campaign.disk.folder import Folder
from pbem.campaign.ledger.chain import register_name, stored_register
from pbem.campaign.ledger.replaying import read_folder
from pbem.campaign.play import rulings
from pbem.moderator.public_view import public_state_of, status_data, status_of
from pbem.paper.documents.faults import Refused
from tests.campaign.simulated import SimulatedTable
from tests.report.campaign_table import OpenTable


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimulatedTable:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for each in ("cache", "campaign"):
        (tmp_path / each).mkdir()
    return OpenTable(tmp_path / "campaign", scenario="introductory")


def rule(table: SimulatedTable, words: str) -> Folder:
    with table.open() as campaign:
        rulings.rule(campaign, words)
        campaign.save()
        return campaign.folder


def test_it_tells_what_the_ledger_does(table: SimulatedTable) -> None:
    folder = rule(table, "so be it")
    found, reading = stored_register(folder), read_folder(table.root, table.now)
    assert found is not None
    assert (found.public, found.head) == (reading.public, reading.head) == public_state_of(folder, table.now)


def test_that_of_another_ledger_is_ignored(table: SimulatedTable) -> None:
    folder = rule(table, "one")
    before = cache.fetch(register_name(folder))
    assert before is not None
    rule(table, "two")
    cache.store(register_name(folder), before)
    assert stored_register(folder) is None
    assert public_state_of(folder, table.now)[1] == read_folder(table.root, table.now).head
    assert stored_register(folder) is not None, "it is kept again once the ledger was read"


@pytest.mark.parametrize("data", [b"", b"x" * 31, b"x" * 100])
def test_what_is_none_is_ignored(table: SimulatedTable, data: bytes) -> None:
    folder = rule(table, "one")
    place = cache.folder()
    assert place is not None
    file = place / register_name(folder)
    whole = file.read_bytes()
    for broken in (data, whole[:-1], whole.replace(b"phase", b"phrse"), whole + b" "):
        file.write_bytes(broken)
        assert stored_register(folder) is None
    table.assert_verified()


def test_of_a_ledger_that_was_changed_nothing_is_kept(table: SimulatedTable) -> None:
    head = stored_register(rule(table, "one"))
    folder = rule(table, "two")
    assert head
    file = next(folder.ledger.glob(f"{head.head.number:04d}-*"))
    (cache.folder() or Path()).joinpath(register_name(folder)).unlink()
    written = file.read_bytes()
    file.write_bytes(written.replace(b"one", b"none"))
    with pytest.raises(Refused, match="E-LEDGER-CHAIN"):
        public_state_of(folder, table.now)
    assert stored_register(folder) is None
    file.write_bytes(written)
    assert public_state_of(folder, table.now)[0] == read_folder(table.root, table.now).public


def told(table: SimulatedTable) -> str:
    """All of `status`, in its order."""
    folder = rule(table, "so be it")
    kept = json.encode(status_data(status_of(folder, table.now), "en")).decode()
    assert stored_register(folder) is not None
    (cache.folder() or Path()).joinpath(register_name(folder)).unlink()
    assert json.encode(status_data(status_of(folder, table.now), "en")).decode() == kept
    return kept


def test_status_is_the_same_with_and_without_it(table: SimulatedTable) -> None:
    assert "wait for frederick, louis, maria-theresa to join" in told(table)
    table.begun()
    assert '"wait for' in told(table)
    table.play(2)
    assert '"nothing required"' in told(table)


def test_an_archive_brings_none_along(table: SimulatedTable, tmp_path: Path) -> None:
    folder = rule(table, "one")
    copied = Folder(Path(shutil.copytree(folder.root, tmp_path / "copied")))
    assert stored_register(folder) is not None
    assert stored_register(copied) is None


def test_that_of_another_program_is_ignored(table: SimulatedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = rule(table, "one")
    monkeypatch.setattr("pbem.cache.sources", lambda: b"another")
    assert stored_register(folder) is None
