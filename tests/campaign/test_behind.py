"""A folder between a killed command and the next: the ledger is sound, and `verify` says what is behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.campaign.disk.atomic import StorageFault
from pbem.campaign.proof.verifying import verify
from pbem.cli import main
from tests.campaign.faulty import Faulty, Killed, full
from tests.campaign.simulated import SimulatedTable
from tests.campaign.test_crashes import CASES, entries, instants, run

NO_FAULT = {"W-VERIFY-BEHIND", "W-LEDGER-LEFT"}


@pytest.mark.parametrize("name", ["accept", "adjudicate", "rollback", "close"])
def test_a_sound_ledger_is_never_called_false(tmp_path: Path, name: str) -> None:
    table, work = CASES[name](tmp_path / "start")
    before, seen = len(entries(table)), set()
    for at in range(instants(table, work, tmp_path / "counted")):
        for when, error in (("behind", Killed), ("half", full)):
            struck = table.copied(tmp_path / f"{at}-{when}")
            with pytest.raises((Killed, StorageFault)):
                run(struck, work, Faulty(at, when, error))
            found = verify(struck.root)
            seen |= {finding.fault.code for finding in found.findings}
            if name == "close" and len(entries(struck)) > before and not (struck.root / "opened.json").exists():
                (fault,) = [each.fault for each in found.findings if not each.fault.is_warning]
                assert fault.code == "E-VERIFY-OPENED"
                assert "next one writes it" in str(fault.hint)
            else:
                assert found.is_good, (at, when, found.findings)
    assert "W-VERIFY-BEHIND" in seen
    assert seen <= {*NO_FAULT, "E-VERIFY-OPENED"}


def test_a_state_file_that_is_behind_is_told_and_is_no_fault(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    state = table.root / "state.yaml"
    old = state.read_bytes()
    table.play(2)
    last = len(entries(table))
    state.write_bytes(old)
    result = CliRunner().invoke(main, ["verify", str(table.root)])
    assert result.exit_code == 0
    assert f"W-VERIFY-BEHIND the file is behind the ledger: it is that of entry 5, the last is {last}" in result.output
    assert "nothing is wrong" in result.output
    with table.open():
        pass
    state.write_bytes(old.replace(b"phase: running", b"phase: over"))
    result = CliRunner().invoke(main, ["verify", str(table.root)])
    assert result.exit_code == 1
    assert "state.yaml" in result.output
    assert "E-VERIFY-DERIVED" in result.output


def test_letters_that_were_not_read_are_not_called_checked(tmp_path: Path) -> None:
    table = SimulatedTable(tmp_path / "campaign", scenario="introductory").begun()
    table.send(table.other_letter("louis", "message", {"to": "all", "text": "Hello."}))
    table.play(2)
    running = CliRunner().invoke(main, ["verify", str(table.root)]).output
    assert "3 letters checked (5 more are sealed until the close)" in running
    table.close("enough")
    assert "7 letters checked (1 more stay private)" in CliRunner().invoke(main, ["verify", str(table.root)]).output
