"""A campaign's folder as git leaves it elsewhere: without empty folders, and perhaps with other line ends."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.campaign.disk.folder import FOLDERS
from pbem.campaign.proof.verifying import verify
from pbem.paper.documents.faults import Refused
from tests.campaign.simulated import SimulatedTable


@pytest.fixture
def table(tmp_path: Path) -> SimulatedTable:
    """A campaign that waits for the first orders."""
    return SimulatedTable(tmp_path / "here", scenario="introductory").begun()


def cloned(table: SimulatedTable) -> None:
    """Remove everything that git does not keep."""
    shutil.rmtree(table.root / "outbox")
    shutil.rmtree(table.root / "raw")
    shutil.rmtree(table.root / "rules")
    (table.root / ".lock").unlink()


def with_crlf(path: Path) -> None:
    """Other line ends, as `core.autocrlf` makes them."""
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))


def test_a_clone_is_gone_on_with(table: SimulatedTable) -> None:
    cloned(table)
    with table.open() as campaign:
        text = table.write(campaign, "louis")
        campaign.keep_raw(text.encode())
    assert all((table.root / name).is_dir() for name in FOLDERS)
    table.send(text)
    table.ordered("frederick", "maria-theresa")
    table.carried_out()
    table.assert_verified()


def test_verifying_makes_no_folders(table: SimulatedTable) -> None:
    cloned(table)
    table.assert_verified()
    assert not (table.root / "outbox").exists()


def test_git_is_told_to_leave_line_ends_alone(table: SimulatedTable) -> None:
    assert (table.root / ".gitattributes").read_text() == "* -text\n"


@pytest.mark.parametrize("name", ["ledger/0001-new.yaml", "ledger/0003-join.yaml", "state.yaml", "campaign.yaml"])
def test_changed_line_ends_are_called_so(table: SimulatedTable, name: str) -> None:
    with_crlf(table.root / name)
    finding = next(each for each in verify(table.root).findings if each.file == Path(name).name)
    assert finding.fault.code == "E-LINE-ENDS"
    assert "CRLF" in str(finding.fault.message)
    assert "core.autocrlf" in str(finding.fault.hint)


def test_the_moderator_is_told_of_them_too(table: SimulatedTable) -> None:
    with_crlf(sorted((table.root / "ledger").iterdir())[-1])
    with pytest.raises(Refused) as refused, table.open():
        pass
    assert refused.value.faults[0].code == "E-LINE-ENDS"
