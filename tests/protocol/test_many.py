"""Many archives at once: a line for each, all of them in one verdict, whoever checks them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.cli import main
from tests.campaign.simulated import SimulatedTable
from tests.protocol.together import SECONDS


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Campaigns below each other's years, and what is none."""
    root = tmp_path_factory.mktemp("archives")
    SimulatedTable(root / "vienna").join()
    shutil.copytree(root / "vienna", root / "1741/breslau/campaign")
    (root / "notes").mkdir()
    (root / "readme.txt").write_text("Our campaigns")
    return root


def told(folder: Path, *options: str) -> tuple[int, str]:
    """Output of the command about all of them, without its times."""
    done = CliRunner().invoke(main, ["verify", "--all", str(folder), *options])
    assert "Traceback" not in done.output
    return done.exit_code, SECONDS.sub("", done.stdout)


def test_every_campaign_has_a_line(archives: Path) -> None:
    code, said = told(archives, "--jobs", "1")
    assert code == 0
    first, second, summary, figures = said.splitlines()
    assert first == "1741/breslau/campaign (joining): nothing is wrong"
    assert second == "vienna (joining): nothing is wrong"
    assert summary == "2 campaigns; NOT what they should be: 0"
    assert figures.startswith("8 entries, ")
    assert told(archives, "--jobs", "2") == (code, said)


def test_one_bad_archive_is_found_among_many(archives: Path, tmp_path: Path) -> None:
    root = shutil.copytree(archives, tmp_path / "all")
    entry = root / "vienna/ledger/0002-join.yaml"
    entry.write_bytes(entry.read_bytes().replace(b"join", b"joim"))
    (root / "bare/ledger").mkdir(parents=True)
    code, said = told(root)
    assert code == 1
    assert "\nvienna (not read to the end): NOT what it should be: 0002-join.yaml" in said
    assert "\nbare (not read to the end): NOT what it should be: bare: E-FOLDER-NONE" in said
    assert "\n3 campaigns; NOT what they should be: 2\n" in said
    done = CliRunner().invoke(main, ["verify", "--all", str(root), "--json"])
    found = json.loads(done.stdout)
    assert (done.exit_code, found["good"], found["campaigns"], found["bad"]) == (1, False, 3, ["bare", "vienna"])
    assert [each["good"] for each in found["archives"]] == [True, False, False]


def test_a_link_to_a_campaign_is_looked_at_too(archives: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").symlink_to(archives / "vienna")
    assert "elsewhere (joining): nothing is wrong\n1 campaigns; " in told(tmp_path)[1]


def test_where_there_is_none_that_is_told(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["verify", "--all", str(tmp_path)])
    assert found.exit_code == 1
    assert "E-FOLDER-NONE no campaign lies below" in found.stderr


@pytest.mark.parametrize("options", [("--all", "--report", "report.yaml"), ("--on", "tcp://127.0.0.1:1")])
def test_what_is_for_one_campaign_or_for_many_is_told(options: tuple[str, ...], tmp_path: Path) -> None:
    assert CliRunner().invoke(main, ["verify", str(tmp_path), *options]).exit_code == 2
